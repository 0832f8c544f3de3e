"""CPU of a step with tools, late in a long run, beside the bare client that sends the same eighty messages."""

from __future__ import annotations

import asyncio
import gc
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

from openai import AsyncOpenAI

import refine
from refine.bench.rows import Row, Size, above_noise
from refine.bench.tools import behave, requests
from refine.views import RunView

STEPS = 44
LAST = 8
"""Steps that are measured: with them, a prompt has 73 to 87 messages."""


def late_steps(size: Size, url: str) -> Iterator[Row]:
    """What a run of all steps takes beyond one that ends before the last ones."""
    with asyncio.Runner() as runner:
        client = AsyncOpenAI(api_key="none", base_url=url, timeout=600)
        runner.run(_acted(url, STEPS))
        asked = [{name: part for name, part in body.items() if "stream" not in name} for body in requests(url)][-LAST:]
        pairs = [runner.run(_pair(url, client, asked, size.in_turn)) for _ in range(size.blocks)]
        runner.run(client.close())
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    messages = statistics.mean(len(body["messages"]) for body in asked)
    detail = f"{mine:.2f} of {other:.2f} ms a call of {messages:.0f} messages, the tool's call included"
    yield Row("CPU of a step at 80 messages / bare create", above_noise(ratio), 0.20, detail=detail)


async def _pair(url: str, client: AsyncOpenAI, asked: list[dict[str, Any]], runs: int) -> tuple[float, float]:
    """Milliseconds a call, ours and the bare client's."""
    long, short, bare = [], [], []
    for _ in range(runs):
        long.append(await _taken(_acted(url, STEPS)))
        short.append(await _taken(_acted(url, STEPS - LAST)))
        bare.append(await _taken(_bare(client, asked)))
    return (statistics.mean(long) - statistics.mean(short)) / LAST, statistics.mean(bare) / LAST


async def _taken(work: Any) -> float:
    gc.collect()
    began = time.process_time()
    await work
    return (time.process_time() - began) * 1_000


async def _acted(url: str, steps: int) -> RunView:
    """One run of so many steps, the last of them the answer."""
    moves = [{"thought": "On.", "action": "calculator", "args": {"expression": f"{n} + {n}"}} for n in range(steps - 1)]
    replies = [json.dumps(move) for move in [*moves, {"action": "finish", "args": {"answer": "Done."}}]]
    behave(url, actor=replies)
    limits = {"options.context": 1_000_000, "limits.calls": steps, "stops.max_rounds": steps}
    return await refine.areact("Count.", ["calculator"], base_url=url, model="steady", set=limits)


async def _bare(client: AsyncOpenAI, asked: list[dict[str, Any]]) -> None:
    for body in asked:
        await client.chat.completions.create(**body)
