"""The edge between flows and the world: routes each wish to its door and records what came of it, nothing more.

Answers come from the log while it lasts. Limits are judged before each live call, and a call is on record, durably,
before it is made: of two drivers of one run, the loser stops before it pays.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from refine import limits
from refine.errors import ModelError
from refine.events import (
    Called,
    Failed,
    Halted,
    Noted,
    Record,
    Replied,
    RoundEnded,
    Waiting,
    to_json,
)
from refine.loop import Halt
from refine.past import Past, split
from refine.types import (
    Ask,
    Begun,
    Call,
    CheckCall,
    ChoiceCall,
    Ended,
    ModelCall,
    Note,
    Reply,
    RunSpec,
    T,
    ToolCall,
)
from refine.world import Doors as Doors
from refine.world import Journal as Journal
from refine.world import OnText as OnText
from refine.world import Slot

REASONS = {"content_filter": "refused", "cancelled": "cancelled"}
CLOSED = "Stopped by the author."
AGAIN = {"rate", "server", "connect", "dropped", "cut", "idle", "total", "malformed"}
"""Kinds of failure that other attempts may mend: when they run out, the reason is `failures`, else `error`."""


class Suspended(Exception):
    """The run waits for the author; nothing more can be done until an answer is in the inbox."""


class Changed(Exception):
    """The flow asks something else at an address than the log says it asked. `at`: where to start again."""

    def __init__(self, at: str) -> None:
        super().__init__(at)
        self.at = at


@dataclass(frozen=True, slots=True)
class Live:
    """Where pieces of text go while they come in. They are not events."""

    text: Callable[[str, str, str, str], None] = lambda at, role, kind, piece: None
    over: Callable[[str], None] = lambda at: None


@dataclass
class Inbox:
    """What the author sent to a run: the one who watches the store fills it, the edge empties it."""

    answers: dict[str, str] = field(default_factory=dict)
    """By address; at the end of a round an empty one means: go on."""
    notes: list[Note] = field(default_factory=list)
    cancelled: bool = False
    pause: bool = False
    """The author wants to review the next round that ends without an approval."""
    pauses: set[int] = field(default_factory=set)
    """Ids of the messages that asked for it."""
    heard: set[int] = field(default_factory=set)
    """Ids of the messages that were taken in."""
    unread: set[int] = field(default_factory=set)
    """Those of them whose notes are not on record yet."""


class _Heard:
    """What came in of one reply, passed on as it comes."""

    def __init__(self, at: str, role: str, live: Live, clock: Callable[[], float]) -> None:
        self._at, self._role, self._live, self._clock = at, role, live, clock
        self._pieces: dict[str, list[str]] = {"text": [], "reasoning": []}
        self.began = clock()
        self.first: float | None = None

    def __call__(self, kind: str, piece: str) -> None:
        if self.first is None:
            self.first = self._clock() - self.began
        self._pieces[kind].append(piece)
        self._live.text(self._at, self._role, kind, piece)

    @property
    def text(self) -> str:
        return "".join(self._pieces["text"])

    @property
    def reasoning(self) -> str:
        return "".join(self._pieces["reasoning"])


class Edge:
    """See the module. One per drive of a run."""

    def __init__(
        self,
        spec: RunSpec,
        records: Sequence[Record],
        journal: Journal,
        doors: Doors,
        *,
        inbox: Inbox | None = None,
        live: Live = Live(),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._spec, self._journal, self._doors, self._live = spec, journal, doors, live
        self._past = Past(records)
        self._limits = limits.of(spec.limits)
        self._spent = limits.spent(records)
        self._began = clock() - self._spent.seconds
        self._clock, self._sleep = clock, sleep
        self._halted = next(iter(self._past.halted.values()), None)
        self._closings = 0
        self._in_flight: dict[str, ModelCall] = {}
        self._inbox = inbox or Inbox()
        self._open: set[asyncio.Timeout] = set()
        self._failures = {at: failed.message for at, failed in self._past.failed.items() if failed.kind != "cancelled"}

    @property
    def failure(self) -> str:
        """What the latest failed attempt said, of the calls that have not succeeded since; "" = there is none."""
        return next(reversed(self._failures.values()), "")

    # --- the author, from outside ------------------------------------------------------------------------

    def stop(self) -> None:
        """The author's stop: closes the calls in flight. To be called in the driving event loop."""
        if self._inbox.cancelled:  # nothing was opened since, and what closes slowly closes once
            return
        self._inbox.cancelled = True
        for scope in self._open:
            scope.reschedule(asyncio.get_running_loop().time())

    # --- what flows ask for ------------------------------------------------------------------------------

    async def answer(self, at: str, call: Call) -> Reply:
        if known := self._known(at, call):
            return known
        if isinstance(call, Ask):
            return self._wait(at, call)
        if self._inbox.cancelled or not self._open_at_death(at):  # else it was admitted before its process died
            self._admit(at, call)
        if isinstance(call, ModelCall):
            return await self._model(at, call)
        self._journal.append(Called(at, call))
        reply = await self._closing_on_stop(at, self._other(call), lambda: Failed(at, "cancelled", CLOSED))
        self._journal.append(Replied(at, reply))
        return reply

    def begin(self, at: str) -> Begun:
        if at in self._past.calls or at in self._past.rounds:
            raise Changed(self._past.restart_place(at))
        ended = self._past.ended_rounds(at)
        if not ended:
            return Begun(at, ())
        last, rounds = ended[-1][0], [round for _, round in ended]
        if last in self._past.waiting:
            rounds[-1] = replace(rounds[-1], notes=self._reviewed(last))
        return Begun(at, tuple(rounds), split(last)[1] - split(at)[1])

    def ended(self, at: str, ended: Ended) -> tuple[Note, ...]:
        if at in self._past.calls:
            raise Changed(self._past.restart_place(at))
        self._journal.append(RoundEnded(at, ended.loop, ended.round))
        if self._inbox.notes:
            return self._take_notes(at)
        if (self._spec.options.get("pause") or self._inbox.pause) and ended.round.verdict.kind != "approved":
            self._inbox.pause = False
            self._journal.append(Waiting(at, "review"), done=tuple(self._inbox.pauses))
            raise Suspended
        return ()

    # --- answers from the log ----------------------------------------------------------------------------

    def _known(self, at: str, call: Call) -> Reply | None:
        asked = self._past.calls.get(at)
        if (asked is not None and to_json(asked) != to_json(call)) or at in self._past.rounds:
            raise Changed(self._past.restart_place(at))
        if reply := self._past.replies.get(at):
            self._closings += isinstance(call, ModelCall) and call.closing
            return reply
        if reason := self._past.halted.get(at):
            raise Halt(reason)
        if (failed := self._past.failed.get(at)) and failed.wait is None:
            self._halt(at, reason_for(failed.kind))
        return None

    def _open_at_death(self, at: str) -> bool:
        """Is there no end on record of the latest attempt? Asked of calls without a reply."""
        return at in self._past.calls and at not in self._past.failed

    # --- answers from the author -------------------------------------------------------------------------

    def _wait(self, at: str, question: Ask) -> Reply:
        answers = self._inbox.answers
        if at not in answers:
            if self._inbox.cancelled:
                self._halt(at, "cancelled")
            if at not in self._past.waiting:
                self._journal.append(
                    Called(at, question), Waiting(at, question.question, question.choices, question.about)
                )
            raise Suspended
        reply = Reply(content=answers.pop(at))
        self._journal.append(Replied(at, reply))
        return reply

    def _reviewed(self, at: str) -> tuple[Note, ...]:
        if self._inbox.notes or self._inbox.answers.pop(at, None) is not None or self._inbox.cancelled:
            return self._take_notes(at)
        raise Suspended

    def _take_notes(self, at: str) -> tuple[Note, ...]:
        notes = tuple(self._inbox.notes)
        self._inbox.notes.clear()
        self._journal.append(Noted(at, notes), done=tuple(self._inbox.unread))
        self._inbox.unread.clear()
        return notes

    # --- answers from the world --------------------------------------------------------------------------

    def _admit(self, at: str, call: Call) -> None:
        """Raises Halt unless this call may be made now."""
        if self._inbox.cancelled:
            self._halt(at, "cancelled")
        if self._halted and not self._may_close(call):
            raise Halt(self._halted)
        if isinstance(call, ModelCall) and not self._halted:
            held = [self._doors.worst(self._spec, other) for other in self._in_flight.values()]
            now = limits.holding(replace(self._spent, seconds=self._clock() - self._began), held)
            worst = self._doors.worst(self._spec, call)
            if reason := next((reason for limit in self._limits if (reason := limit(now, worst))), None):
                self._halt(at, reason)

    def _may_close(self, call: Call) -> bool:
        """One closing answer may follow a limit; none follows the author's stop or an error."""
        asked = isinstance(call, ModelCall) and call.closing
        return asked and not self._closings and self._halted not in ("cancelled", "error", "failures", "refused")

    def _halt(self, at: str, reason: str, cap: str | None = None) -> NoReturn:
        self._halted = self._halted or reason
        self._journal.append(Halted(at, reason, cap))
        raise Halt(reason)

    async def _model(self, at: str, call: ModelCall) -> Reply:
        attempt = self._past.attempts.get(at, 0)
        counted = self._open_at_death(at)
        while True:
            if question := self._doors.question(self._spec, call):
                self._journal.append(Waiting(at, question.question, question.choices, question.about))
                raise Suspended
            try:
                with self._doors.slot(self._spec, call) as slot:
                    await self._enter(at, call, slot, counted)
                    reply = await self._attempt(at, call, slot, attempt, counted)
            except ModelError as error:
                attempt += 1
                counted = False
                wait = self._failed(at, error, attempt)
                await self._closing_on_stop(at, self._sleep(wait))
                self._admit(at, call)
                continue
            self._spent = replace(limits.add(self._spent, reply.usage), failures=0)
            self._closings += call.closing
            self._failures.pop(at, None)
            self._journal.append(Replied(at, reply))
            return reply

    async def _enter(self, at: str, call: ModelCall, slot: Slot, counted: bool) -> None:
        """Waits until the endpoint takes one more call. Raises Halt if it may not be made."""
        if slot.waits:
            await self._closing_on_stop(at, slot.free())
            if not counted:  # time has passed, and other calls of this run were made
                self._admit(at, call)
        if refused := slot.take():
            self._failures[at] = refused.sentence
            self._halt(at, refused.reason, refused.whose)

    async def _attempt(self, at: str, call: ModelCall, slot: Slot, attempt: int, counted: bool) -> Reply:
        self._journal.append(Called(at, call))
        self._spent = replace(self._spent, calls=self._spent.calls + (not counted))
        self._in_flight[at] = call
        heard = _Heard(at, call.role, self._live, self._clock)
        try:
            asked = self._asked(call, attempt, heard)
            reply = await self._closing_on_stop(at, asked, lambda: self._cut(at, call, heard, slot))
            slot.spent(reply.usage)
            return reply
        except ModelError as error:
            slot.spent(error.usage)
            raise
        finally:
            del self._in_flight[at]
            self._live.over(at)

    async def _asked(self, call: ModelCall, attempt: int, heard: _Heard) -> Reply:
        await self._journal.durable()
        return await self._doors.model(self._spec, call, attempt, heard)

    def _failed(self, at: str, error: ModelError, attempt: int) -> float:
        """Records the failed attempt. Returns the seconds to wait for the next; raises Halt if there is none."""
        self._spent = limits.add(self._spent, error.usage)
        self._spent = replace(self._spent, failures=self._spent.failures + 1)
        self._failures[at] = error.message
        most = {**limits.DEFAULTS, **self._spec.limits}["failures"]
        wait = None if most and self._spent.failures >= most else self._doors.wait(error, attempt)
        first = error.first_token_seconds
        self._journal.append(
            Failed(at, error.kind, error.message, error.usage, error.partial, error.seconds, wait, first)
        )
        if wait is None:
            self._halt(at, reason_for(error.kind))
        return wait or 0.0

    def _cut(self, at: str, call: ModelCall, heard: _Heard, slot: Slot) -> Failed:
        usage = self._doors.cut(self._spec, call, heard.text, heard.reasoning)
        slot.spent(usage)
        self._spent = limits.add(self._spent, usage)
        seconds = self._clock() - heard.began
        return Failed(at, "cancelled", CLOSED, usage, heard.text, seconds, first_token_seconds=heard.first)

    async def _closing_on_stop(self, at: str, work: Awaitable[T], cut: Callable[[], Failed] | None = None) -> T:
        """Waits for `work` under a time-out that only the author's stop sets off: what it does is closed then, and
        recorded as cancelled.

        `cut` makes that record; None where no call is open (a pause before an attempt).
        """
        scope = asyncio.timeout(None)
        self._open.add(scope)
        try:
            async with scope:
                return await work
        except TimeoutError:
            if not scope.expired():
                raise
            if cut is not None:
                self._journal.append(cut())
            self._halt(at, "cancelled")
        finally:
            self._open.discard(scope)

    async def _other(self, call: Call) -> Reply:
        await self._journal.durable()
        match call:
            case CheckCall():
                return await self._doors.check(call)
            case ChoiceCall():
                return await self._doors.choice(call)
            case ToolCall():
                return await self._doors.tool(self._spec, call)
            case _:
                raise TypeError(f"no door for {call!r}")


def reason_for(kind: str) -> str:
    """The stop reason for a call that failed for good."""
    return REASONS.get(kind, "failures" if kind in AGAIN else "error")
