"""The one loop and the one driver.

A flow is a generator: it yields what it wants and is sent the answer. `loop` repeats a turn until a stop gives a
reason; `drive` carries each wish to an edge and the answer back. Neither knows what a model, a store or a page is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from refine.types import Begin, Begun, Best, Call, Ended, Flow, Note, Outcome, Reply, Stop, T, Together, Turn


class Halt(Exception):
    """Raised inside a flow when a limit speaks, the author stops the run, or replies are of no use.

    `loop` catches it and returns the best so far. `reason` is one of the stop reasons.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Edge(Protocol):
    """Where wishes are granted: from the log while it lasts, then from the world. Every method may raise Halt."""

    async def answer(self, at: str, call: Call) -> Reply: ...

    def begin(self, at: str) -> Begun:
        """The ended rounds of the loop at this address."""

    def ended(self, at: str, ended: Ended) -> tuple[Note, ...]: ...


def loop(turn: Turn, stops: Sequence[Stop], best: Best) -> Flow[Outcome]:
    """Takes turns until a stop speaks or the flow is halted; the result is the best round, never merely the last."""
    begun: Begun = yield Begin()
    rounds = begun.rounds
    try:
        while (reason := _first(stops, rounds)) is None:
            ended = yield from turn(rounds)
            notes: tuple[Note, ...] = yield Ended(begun.at, ended)
            rounds += (replace(ended, notes=notes),)
    except Halt as halt:
        reason = halt.reason
    return Outcome(best(rounds) if rounds else None, rounds, reason)


def _first(stops: Sequence[Stop], rounds: tuple[Any, ...]) -> str | None:
    return next((reason for stop in stops if (reason := stop(rounds))), None)


def ask(call: Call) -> Flow[Reply]:
    """One call, one reply."""
    (reply,) = yield from ask_all((call,))
    return reply


def ask_all(calls: Sequence[Call]) -> Flow[tuple[Reply, ...]]:
    """Calls made side by side; their replies in the order of the calls."""
    return cast("tuple[Reply, ...]", (yield tuple(calls))) if calls else ()


def together(flows: Sequence[Flow[T]]) -> Flow[tuple[T, ...]]:
    """Flows driven side by side; their results in order."""
    return cast("tuple[T, ...]", (yield Together(tuple(flows)))) if flows else ()


async def drive(flow: Flow[T], edge: Edge, scope: str = "") -> T:
    """Runs a flow to its end and returns what it returns.

    A call's address is its place in the flow: each call, each loop's beginning and each ended round takes the next
    number in its scope; strand `i` of flows side by side at place `n` has the scope `n.i.` of its own.
    """
    place = 0
    answer: Any = None
    halt: Halt | None = None
    try:
        while True:
            try:
                wish = flow.throw(halt) if halt else flow.send(answer)
            except StopIteration as stop:
                return cast(T, stop.value)
            answer, halt, at = None, None, f"{scope}{place}"
            try:
                if isinstance(wish, Begin):
                    answer = edge.begin(at)
                    place += 1 + answer.skip
                elif isinstance(wish, Ended):
                    place += 1
                    answer = edge.ended(at, wish)
                elif isinstance(wish, Together):
                    place += 1
                    answer = await _all([drive(strand, edge, f"{at}.{i}.") for i, strand in enumerate(wish.flows)])
                else:
                    first, place = place, place + len(wish)
                    answer = await _all([edge.answer(f"{scope}{first + i}", call) for i, call in enumerate(wish)])
            except Halt as raised:
                halt = raised
    finally:
        flow.close()


async def _all(waits: Sequence[Coroutine[Any, Any, Any]]) -> tuple[Any, ...]:
    """Every one runs to its end before anything is raised; what is not a Halt is raised first."""
    if len(waits) == 1:
        return (await waits[0],)
    results = await asyncio.gather(*waits, return_exceptions=True)
    raised = [result for result in results if isinstance(result, BaseException)]
    if raised:
        raise min(raised, key=lambda error: isinstance(error, Halt))
    return tuple(results)
