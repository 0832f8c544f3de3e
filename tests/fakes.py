"""Fakes for the engine: a log in memory, doors that answer from a script, and a driver that can be cut anywhere."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from refine.caps import Refusal
from refine.errors import ModelError
from refine.events import Called, Event, Record, RoundRestarted, Started, Stopped, to_json
from refine.loop import drive
from refine.perform import Changed, Edge, Inbox, Suspended
from refine.types import (
    Ask,
    Call,
    CheckCall,
    ChoiceCall,
    Flow,
    ModelCall,
    Outcome,
    Reply,
    RunSpec,
    ToolCall,
    Usage,
    Worst,
)

Answer = Callable[[Call, int], Any]
"""(call, how often this very call was made before) -> text, Reply, JSON value of a check, or an exception."""


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


@dataclass
class MemoryJournal:
    records: list[Record]
    clock: Callable[[], float] = lambda: 0.0
    before: Callable[[Event], None] = lambda event: None
    """Called before each event is stored; may raise to play a crash."""

    def append(self, *events: Event, done: Sequence[int] = ()) -> None:
        for event in events:
            self.before(event)
            self.records.append(Record("run", len(self.records), self.clock(), event))

    async def durable(self) -> None:
        await asyncio.sleep(0)


class FreeSlot:
    """There is always room, and nothing is capped."""

    waits = False

    async def free(self) -> None: ...

    def take(self) -> Refusal | None:
        return None

    def spent(self, usage: Usage | None) -> None: ...

    def __enter__(self) -> FreeSlot:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None: ...


@dataclass
class FakeDoors:
    answer: Answer
    made: Counter[str] = field(default_factory=Counter)
    """How often each call was made, by its JSON."""
    waits: list[float] = field(default_factory=list)
    missing_key: bool = False
    clock: Clock = field(default_factory=Clock)

    async def _give(self, call: Call) -> Any:
        name = repr(to_json(call))
        given = self.answer(call, self.made[name])
        self.made[name] += 1
        await asyncio.sleep(0)
        if isinstance(given, Exception):
            raise given
        return given

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
        given = await self._give(call)
        reply = given if isinstance(given, Reply) else Reply(given, usage=Usage(10, 5, cost=Decimal("0.001")))
        on_text("text", reply.content)
        return reply

    async def check(self, call: CheckCall) -> Reply:
        return Reply(value=await self._give(call))

    async def choice(self, call: ChoiceCall) -> Reply:
        return Reply(value=await self._give(call))

    async def tool(self, spec: RunSpec, call: ToolCall) -> Reply:
        given = await self._give(call)
        return given if isinstance(given, Reply) else Reply(given)

    def question(self, spec: RunSpec, call: ModelCall) -> Ask | None:
        return Ask("key_missing", about="given") if self.missing_key else None

    def worst(self, spec: RunSpec, call: ModelCall) -> Worst:
        return Worst(tokens=20, money=Decimal("0.002"))

    def slot(self, spec: RunSpec, call: ModelCall) -> Any:
        return FreeSlot()

    def cut(self, spec: RunSpec, call: ModelCall, text: str, reasoning: str) -> Usage:
        return Usage(10, len(text) + len(reasoning), estimated=True)

    def wait(self, error: ModelError, attempt: int) -> float | None:
        if error.kind in ("key", "not_found", "content_filter"):
            return None
        self.waits.append(float(attempt))
        return float(attempt)


async def go_on(
    flow_of: Callable[[RunSpec], Flow[Outcome]],
    records: Sequence[Record],
    doors: FakeDoors,
    inbox: Inbox | None = None,
    before: Callable[[Event], None] = lambda event: None,
) -> tuple[list[Record], Outcome | None]:
    """Drives a run from its log to its end or to its question. Returns the log and the outcome (None = it waits)."""
    log = list(records)
    started = log[0].event
    assert isinstance(started, Started)
    while True:
        journal = MemoryJournal(log, doors.clock, before)
        edge = Edge(started.spec, list(log), journal, doors, inbox=inbox, clock=doors.clock, sleep=doors.clock.sleep)
        try:
            outcome = await drive(flow_of(started.spec), edge)
        except Changed as changed:
            journal.append(RoundRestarted(changed.at))
            continue
        except Suspended:
            return log, None
        best = next((n for n, round in enumerate(outcome.rounds) if round is outcome.best), None)
        journal.append(Stopped(outcome.reason, best))
        return log, outcome


def begin(spec: RunSpec) -> list[Record]:
    return [Record("run", 0, 0.0, Started(spec))]


def events(records: Sequence[Record]) -> list[tuple[str, str, Any]]:
    """What happened, in an order that does not depend on who was quicker: (address, kind, event), each once.

    A call that was open at a cut is on record twice (the second attempt), so equal neighbours count as one.
    """
    seen = [(getattr(r.event, "at", "~"), type(r.event).__name__, to_json(r.event)) for r in records]
    unique: dict[str, tuple[str, str, Any]] = {}
    for entry in seen:
        unique.setdefault(repr(entry), entry)
    return sorted(unique.values(), key=repr)


def calls_made_after_reply(records: Sequence[Record]) -> list[str]:
    """Addresses that were called again after their reply stood in the log: calls paid twice."""
    replied: set[str] = set()
    twice = []
    for record in records:
        event = record.event
        if type(event).__name__ == "Replied":
            replied.add(event.at)  # type: ignore[union-attr]
        elif isinstance(event, Called) and event.at in replied:
            twice.append(event.at)
        elif isinstance(event, RoundRestarted):
            replied.clear()
    return twice
