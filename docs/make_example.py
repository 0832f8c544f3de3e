"""Makes the finished runs that ship with the app, data/samples/finished*.jsonl: `python -m docs.make_example`.

They are real runs of the product on a sample draft, but for the two roles: their replies were written by hand and stand
in data/samples/finished.yaml, as no model can be asked without a key. The role's model says so.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from docs.by_hand import SAMPLES, Plan, bench_of, plans, start
from refine import export, views

FILES = {"en": "finished.jsonl", "zh": "finished.zh.jsonl"}


def make(plan: Plan, home: Path) -> bytes:
    """One whole run in a home folder of its own, as a log file."""
    os.environ["REFINE_HOME"] = str(home)
    bench = bench_of(home, {"critic": plan["critic"], "writer": plan["writer"]})
    run_id = start(bench, plan, plan["run"], plan["title"])
    view = asyncio.run(bench.execute(run_id))
    data = export.render(view, bench.store.records(run_id), "jsonl")
    bench.store.close()
    print("\n".join(report(view)))
    return data


def report(view: views.RunView) -> list[str]:
    rounds = [f"  {round.n} {round.kind} {round.score}, {len(round.findings)} findings, lost {round.lost}"
              for round in view.rounds]  # fmt: skip
    return [view.title, *rounds, f"  {view.reason}, best {view.best_round}, {view.seconds:.1f} s"]


def main() -> None:
    for language, plan in plans().items():
        for _warm in (False, True):  # only the second run is kept: in the first one the checks still read their tables
            with tempfile.TemporaryDirectory() as home:
                (SAMPLES / FILES[language]).write_bytes(make(plan, Path(home)))


if __name__ == "__main__":
    main()
