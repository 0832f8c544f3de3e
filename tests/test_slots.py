"""All runs of a process stand in one line at an endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps

from refine.errors import ModelError
from refine.slots import Lines, Slot
from refine.spending import Spending
from refine.types import Endpoint, Usage, Worst
from tests.loops import SkippingLoop, skip

FAR = Endpoint("far", "https://models.example.org/v1", concurrency=2)


def in_its_own_time(test: Callable[[], Coroutine[None, None, None]]) -> Callable[[], None]:
    """Runs a test in a loop whose time it can move on."""

    @wraps(test)
    def run() -> None:
        with asyncio.Runner(loop_factory=SkippingLoop) as runner:
            runner.run(test())

    return run


class Caller:
    """Calls that end when told to. Those with a capital name belong to a comparison."""

    def __init__(self, endpoint: Endpoint = FAR) -> None:
        self.lines, self.endpoint = Lines(), endpoint
        self.sent: list[str] = []
        self.most = self.now = 0
        self.ends: dict[str, asyncio.Event] = {}

    async def call(self, name: str, error: ModelError | None = None) -> None:
        line, worst = self.lines.at(self.endpoint), Worst(100)
        spending, behind = Spending({}, lambda *by, **which: []), name.isupper()
        with Slot(line, spending, "far", "m", lambda: worst, behind=behind) as slot:
            if slot.waits:
                await slot.free()
            slot.take()
            self.sent.append(name)
            self.now += 1
            self.most = max(self.most, self.now)
            self.ends[name] = asyncio.Event()
            try:
                await self.ends[name].wait()
                slot.spent(Usage(10, 10))
                if error:
                    raise error
            finally:
                self.now -= 1

    def begin(self, names: str) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self.call(name)) for name in names]

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settle()


async def settle() -> None:
    for _ in range(9):
        await asyncio.sleep(0)


@in_its_own_time
async def test_calls_wait_for_one_in_flight_to_end_first_come_first_served() -> None:
    caller = Caller()
    tasks = caller.begin("abcd")
    await settle()
    assert caller.sent == ["a", "b"]
    await caller.end("b")
    await caller.end("a")
    assert caller.sent == ["a", "b", "c", "d"]
    await caller.end("c")
    await caller.end("d")
    await asyncio.gather(*tasks)
    assert caller.most == 2


@in_its_own_time
async def test_nobody_goes_before_those_who_wait() -> None:
    caller = Caller(Endpoint("far", FAR.base_url, requests_per_minute=1))
    tasks = caller.begin("ab")
    await settle()
    await caller.end("a")
    skip(61)
    tasks += caller.begin("c")  # the minute is over, and b has not heard of it yet
    await settle()
    assert caller.sent == ["a", "b"]
    skip(61)
    await settle()
    for name in "bc":
        await caller.end(name)
    await asyncio.gather(*tasks)


@in_its_own_time
async def test_an_authors_own_run_goes_before_those_of_comparisons() -> None:
    caller = Caller()
    tasks = caller.begin("ABCDe")
    await settle()
    assert caller.sent == ["A", "B"]
    await caller.end("A")
    tasks += caller.begin("f")
    await settle()
    await caller.end("e")
    await caller.end("B")
    assert caller.sent == ["A", "B", "e", "f", "C"]
    for name in "fCD":
        await caller.end(name)
    await asyncio.gather(*tasks)
    assert caller.sent[-1] == "D"


@in_its_own_time
async def test_who_gives_up_waiting_leaves_the_line_to_the_next() -> None:
    caller = Caller()
    tasks = caller.begin("abcd")
    await settle()
    tasks[2].cancel()
    await caller.end("a")
    assert caller.sent == ["a", "b", "d"]
    for name in "bd":
        await caller.end(name)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert caller.now == 0


@in_its_own_time
async def test_a_call_that_breaks_gives_its_place_back() -> None:
    caller = Caller()
    broken = asyncio.create_task(caller.call("a", ModelError("server", "500")))
    tasks = caller.begin("bc")
    await settle()
    await caller.end("a")
    assert caller.sent == ["a", "b", "c"]
    for name in "bc":
        await caller.end(name)
    await asyncio.gather(broken, *tasks, return_exceptions=True)


@in_its_own_time
async def test_the_request_over_the_minute_waits_for_it_to_pass() -> None:
    caller = Caller(Endpoint("far", FAR.base_url, requests_per_minute=1))
    tasks = caller.begin("ab")
    await settle()
    await caller.end("a")
    skip(59)
    await settle()
    assert caller.sent == ["a"]
    skip(2)
    await settle()
    assert caller.sent == ["a", "b"]
    await caller.end("b")
    await asyncio.gather(*tasks)


@in_its_own_time
async def test_a_server_that_asks_to_slow_down_is_left_alone_by_all_runs() -> None:
    caller = Caller()
    refused = asyncio.create_task(caller.call("a", ModelError("rate", "429", retry_after=30.0)))
    await settle()
    await caller.end("a")
    tasks = caller.begin("b")
    await settle()
    assert caller.sent == ["a"]
    skip(31)
    await settle()
    assert caller.sent == ["a", "b"]
    await caller.end("b")
    await asyncio.gather(refused, *tasks, return_exceptions=True)


@in_its_own_time
async def test_what_headers_say_is_minded() -> None:
    caller = Caller()
    headers = {"X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "30s"}
    caller.lines.heard(FAR, "m", headers)
    caller.lines.heard(FAR, "m", {"Content-Type": "text/event-stream"})
    tasks = caller.begin("a")
    await settle()
    assert caller.sent == []
    skip(31)
    await settle()
    await caller.end("a")
    await asyncio.gather(*tasks)
    assert caller.sent == ["a"]
