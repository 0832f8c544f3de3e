"""CPU and time of calls: ours with flow and journal, the bare client's with nothing."""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from openai import AsyncOpenAI

from refine.bench.rows import Row, Size
from refine.bench.tools import CALLS, behave, draft_of, home, refined, requests
from refine.models.scripted import pieces

WHOLE = "whole"
"""The endpoint that is not streamed."""
WORDS = 350
"""Of the drafts that are sent: with it, replies have 168 pieces on average."""
LATENCY = 0.05
"""Seconds before the server answers, where time is measured."""

Job = Callable[[], Awaitable[object]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One row: two jobs, how many runs of each, and by which clock."""

    what: str
    target: float
    ours: Job
    theirs: Job
    runs: int
    at_once: int
    clock: Clock


def beside_bare(size: Size, url: str) -> Iterator[Row]:
    """The same calls by both. What the bare client sends is what the server saw of one run of ours."""
    home().mkdir(parents=True)
    (home() / "endpoints.yaml").write_text(f"{WHOLE}: {{base_url: {url}, stream: false}}\n")
    draft, cpu = draft_of(WORDS), time.process_time
    loops = f"{size.at_once} loops at once"
    with asyncio.Runner() as runner:
        behave(url)
        view = runner.run(refined(url, draft))
        length = statistics.mean(len(pieces(call.content)) for call in view.attempts)
        client = AsyncOpenAI(api_key="none", base_url=url, timeout=600)
        asked = [{name: part for name, part in body.items() if "stream" not in name} for body in requests(url)]
        ours, whole = partial(refined, url, draft), partial(refined, url, draft, endpoint=WHOLE)
        bare, typed = partial(_bare, client, asked), partial(_typed, client, asked)
        for job in (bare, ours, whole):  # connections are made, prompts are read
            runner.run(taken(job, size.at_once, size.at_once, cpu))

        def row(what: str, target: float, mine: Job, theirs: Job, runs: int, at_once: int, clock: Clock = cpu) -> Row:
            return runner.run(compared(Comparison(what, target, mine, theirs, runs, at_once, clock), size.blocks))

        turn, many, few = (size.in_turn, 1), (size.at_once, size.at_once), (max(1, size.in_turn // 4), 1)
        first = row("CPU, one loop after another / bare create", 1.30, ours, bare, *turn)
        yield replace(first, detail=f"replies of {length:.0f} pieces on average; {first.detail}")
        yield row(f"CPU, {loops} / bare create", 0.75, ours, bare, *many)
        yield row("CPU, one loop after another / bare typed stream", 0.15, ours, typed, *few)
        yield row("CPU, stream: false, one loop after another / bare create", 0.95, whole, bare, *turn)
        yield row(f"CPU, stream: false, {loops} / bare create", 0.45, whole, bare, *many)
        behave(url, latency=LATENCY, pieces_per_write=10_000)
        yield row(f"time of {loops}, 50 ms latency / bare create", 0.7, ours, bare, *many, time.perf_counter)
        runner.run(client.close())


async def _bare(client: AsyncOpenAI, asked: list[dict[str, Any]]) -> None:
    for body in asked:
        await client.chat.completions.create(**body)


async def _typed(client: AsyncOpenAI, asked: list[dict[str, Any]]) -> None:
    for body in asked:
        async for _ in await client.chat.completions.create(**body, stream=True):
            pass


async def compared(both: Comparison, blocks: int) -> Row:
    """The median ratio of blocks that take turns; in words, the medians and every block's ratio."""
    pairs = []
    for _ in range(blocks):
        theirs = await taken(both.theirs, both.runs, both.at_once, both.clock)
        pairs.append((await taken(both.ours, both.runs, both.at_once, both.clock), theirs))
    ratios = [ours / theirs for ours, theirs in pairs]
    mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    each = " ".join(f"{ratio:.2f}" for ratio in ratios)
    detail = f"{mine:.2f} of {other:.2f} ms a call; blocks {each}"
    return Row(both.what, statistics.median(ratios), both.target, detail=detail)


async def taken(job: Job, runs: int, at_once: int, clock: Clock) -> float:
    """What the clock says of so many runs, `at_once` at a time, in milliseconds a call."""
    gc.collect()  # nobody sweeps up after the block before
    began = clock()
    for _ in range(0, runs, at_once):
        await asyncio.gather(*[job() for _ in range(at_once)])
    return (clock() - began) / (runs * CALLS) * 1_000
