"""The author's stop, at any moment: the open request is closed, no other follows it, and the pause is over too."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from refine.models.fake_server import Running, running
from refine.runs import Workbench, open_workbench
from tests.faulty import PARTS, spec_for

EXAMPLES = int(os.environ.get("REFINE_EXAMPLES", "100"))
STOPS = 200 if EXAMPLES >= 1000 else 20
PROMPT = 1.0
"""Seconds in which a request is closed; on a busy machine a few take longer."""


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    bench = open_workbench()
    yield bench
    bench.store.close()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.001)


async def stopped(bench: Workbench, server: Running, chance: random.Random, n: int) -> float:
    """Stops a run at a moment of chance. Returns the seconds until its request was closed.

    Its endpoint is its own: a server that asks to wait makes all runs of a process wait.
    """
    script, part = server.script, chance.choice(PARTS)
    script.reset()
    script.take({"latency": chance.choice([0.0, 0.01]), "seconds_per_piece": 0.002})
    fault = chance.choice([f"length,every=9,n={n}", "stall", "silence", f"rate,retry_after=60,n={n}"])
    requests, pieces = chance.randint(1, 2), chance.randint(0, 30)
    run_id = bench.start(spec_for(part, server, fault, chance.random() < 0.7), queue=False)
    running = asyncio.create_task(bench.run(run_id))
    sent = script.pieces
    await until(lambda: script.requests >= requests or script.silences > 0 or script.shown["rate"] > 0)
    await until(lambda: script.pieces >= sent + pieces or script.open == 0 or script.silences > 0)
    script.silences = 0
    began = time.monotonic()
    bench.cancel(run_id)
    view = await running
    asked = script.requests
    await until(lambda: script.open == 0)
    took = time.monotonic() - began
    assert (view.status, view.reason) == ("cancelled", "cancelled") or view.status == "done"
    assert bench.read(run_id).status == view.status
    await asyncio.sleep(0)
    assert script.requests == asked, "a request after the stop"
    return took


async def test_a_stop_at_any_moment_closes_the_request_and_sends_none_after_it(
    bench: Workbench, server: Running
) -> None:
    chance = random.Random(11)
    took = [await stopped(bench, server, chance, n) for n in range(STOPS)]
    late = sum(seconds > PROMPT for seconds in took)
    assert max(took) < 20
    if EXAMPLES >= 1000:
        assert late <= STOPS / 100, f"{late} of {STOPS} took longer than {PROMPT} s"


async def test_a_stop_ends_the_wait_that_a_server_asked_for(bench: Workbench, server: Running) -> None:
    run_id = bench.start(spec_for("critic", server, "rate,retry_after=3600", True), queue=False)
    running = asyncio.create_task(bench.run(run_id))
    await until(lambda: server.script.shown["rate"] == 1)
    bench.cancel(run_id)
    view = await asyncio.wait_for(running, 20)
    assert (view.status, server.script.requests) == ("cancelled", 1)
