"""Speed and size: what a Python program gets from `refine`, beside the bare `openai` client that makes the same calls.

Everything but the rows of the page, which press its button in a browser, goes through the public API, against the
shipped fake server in a process of its own. Ours and theirs take turns in the same process, block by block, and the
median ratio of the blocks is shown: the digits belong to the machine, the ratios do not. A row that is not reached is
shown as such.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from refine.bench import calls, compared, page, processes, runs, steps, stored
from refine.bench.rows import FULL, QUICK, Row, Size
from refine.bench.tools import environment, fake_server

Measure = Callable[[Size, str], Iterator[Row]]
MEASURES: tuple[Measure, ...] = (
    calls.beside_bare,
    steps.late_steps,
    runs.prompt_tokens,
    runs.faults,
    compared.comparison,
    stored.journal,
    stored.storage,
    stored.listed,
    processes.imports,
    processes.memory,
    page.pressed,
    runs.offline,
)
"""Each is given how much to measure and the server's address, and has a home folder of its own."""


def main(args: argparse.Namespace) -> int:
    """Measures and prints every row. Returns 0, also where a row is not reached: it is a measurement, not a test.

    Args:
        args: `quick` for tiny numbers, `json` for one list of objects instead of lines.
    """
    rows = []
    for row in measured(QUICK if args.quick else FULL):
        rows.append({**asdict(row), "reached": row.reached})
        if not args.json:
            print(line(row), flush=True)
    if args.json:
        print(json.dumps(rows, indent=1, ensure_ascii=False))
    return 0


def measured(size: Size) -> Iterator[Row]:
    """The rows, each as soon as it is known."""
    with tempfile.TemporaryDirectory(prefix="refine-bench-") as folder, fake_server() as url:
        for measure in MEASURES:
            with environment(REFINE_HOME=str(Path(folder) / measure.__name__)):
                yield from measure(size, url)


def line(row: Row) -> str:
    """One row as people read it."""
    figure = "not measured" if row.figure is None else f"{row.figure:.3g} {row.unit}".strip()
    target = "" if row.target is None else f"<= {row.target:g} {row.unit}".strip()
    reached = {None: "", True: "yes", False: "NO"}[row.reached]
    return f"{row.what:<58} {figure:>12}  {target:<10} {reached:<4} {row.detail}".rstrip()
