"""Runs in every state, made for the pictures in a home folder: real runs whose two roles are played by hand.

Run ids are `<state>-<language>`, so that a picture is a matter of opening an address.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from docs.by_hand import FAILS, Halfway, Plan, bench_of, plans, start
from refine import variant_files, variants
from refine.locks import run_lock
from refine.runs import Order, Workbench

TYPED = {"en": "Think of one member who reads it at breakfast.", "zh": "想着一位早饭时读信的会员。"}
UNCLEAR = {
    "en": "The letter has warmth and a clear voice. It could perhaps go out.",
    "zh": "写得很暖，口吻清楚，也许可以发了。",
}


PROMPTS = {
    "en": ("polish", "Letters", "Warm and short, for members", "a small change would help", "a small change helps"),
    "zh": ("zh-polish", "会员来信", "短而暖，写给会员", "细心的读者会绊一下", "读者会绊一下"),
}
"""Of a variant of the author's own: whose copy it is, title, purpose, and words of its critic before and after."""


def make(home: Path) -> None:
    """The runs that rest: they ended, or wait for their author. `REFINE_HOME` must name the folder."""
    for language, plan in plans().items():
        critic, writer = plan["critic"], plan["writer"]
        rest(home, plan, f"limit-{language}", critic, writer, {"stops.max_rounds": "2"})
        rest(home, plan, f"failed-{language}", [*critic[:2], FAILS], writer)
        rest(home, plan, f"budget-{language}", critic, writer, {"limits.calls": "4"})
        rest(home, plan, f"unclear-{language}", [critic[0], *[UNCLEAR[language]] * 2], writer)
        rest(home, plan, f"review-{language}", critic, writer, pause=True)
        offline(home, plan, f"offline-{language}")
        own_variant(home, plan, language)


def own_variant(home: Path, plan: Plan, language: str) -> None:
    """A variant of the author's own: two runs had its critic's prompt as it was, one as it is; more is typed."""
    base, title, purpose, before, after = PROMPTS[language]
    name, own = f"letters-{language}", home / "prompts"
    copied = variants.load(base)
    variants.save(replace(copied, title={language: title}, purpose={language: purpose}), name, own)
    old = variant_files.read(name, own) or {}
    new = {**old, "critic": old["critic"].replace(before, after)}
    for n, pieces in enumerate((old, old, new)):
        variant_files.change(name, own, {"critic": pieces["critic"]}, variant_files.read(name, own) or {})
        rest(home, {**plan, "variant": name}, f"{name}-{n}", plan["critic"], plan["writer"])
    typed = new["critic"].replace("\n\n", "\n\n" + TYPED[language] + "\n\n", 1)
    bench = bench_of(home, {})
    bench.store.draft_put(f"prompts.{name}", {"critic": [new["critic"], typed]})
    bench.store.close()


def rest(
    home: Path,
    plan: Plan,
    run_id: str,
    critic: Sequence[Any],
    writer: Sequence[Any],
    changes: Mapping[str, str] | None = None,
    pause: bool = False,
) -> None:
    """One run, executed until it ends or asks."""
    bench = bench_of(home, {"critic": critic, "writer": writer})
    start(bench, plan, run_id, changes=changes)
    if pause:
        bench.pause(run_id)
    asyncio.run(bench.execute(run_id))
    bench.store.close()


def offline(home: Path, plan: Plan, run_id: str) -> None:
    bench = bench_of(home, {})
    draft = (Path(__file__).parent.parent / "data" / "samples" / plan["draft"]).read_text(encoding="utf-8")
    bench.start(bench.prepare(Order(draft, variant="offline")), queue=False, run_id=run_id)

    async def execute() -> None:
        await bench.execute(run_id)
        await bench.aclose()

    asyncio.run(execute())
    bench.store.close()


@contextmanager
def running(home: Path) -> Iterator[None]:
    """While the block lasts, a run in each language is in its second rewrite: half of the text has come in.

    Driven here and not by the app, which shows it as it shows a run of the command line.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    with ExitStack() as locks:
        driven: list[tuple[Workbench, str, Future[Any]]] = []
        for language, plan in plans().items():
            first, second, *_more = plan["writer"]
            bench = bench_of(home, {"critic": plan["critic"], "writer": [first, Halfway(second)]})
            run_id = start(bench, plan, f"running-{language}")
            locks.enter_context(run_lock(home, run_id))
            driven.append((bench, run_id, asyncio.run_coroutine_threadsafe(bench.run(run_id), loop)))
        yield
        for bench, run_id, ended in driven:
            bench.cancel(run_id)
            ended.result(20)
            bench.store.close()
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
