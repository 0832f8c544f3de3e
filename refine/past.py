"""What a log still holds, by address: the answers, the ended rounds, the notes, the open questions.

A reading of records; who goes on with a run and who shows it both start here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from refine.events import (
    Called,
    Event,
    Failed,
    Halted,
    Noted,
    Record,
    Replied,
    RoundEnded,
    RoundRestarted,
    Waiting,
)
from refine.types import Call, Note, Reply, Round


class Past:
    """Without what a `RoundRestarted` made void."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.calls: dict[str, Call] = {}
        self.replies: dict[str, Reply] = {}
        self.failed: dict[str, Failed] = {}
        self.attempts: dict[str, int] = {}
        """Ended attempts without a reply."""
        self.halted: dict[str, str] = {}
        self.rounds: dict[str, RoundEnded] = {}
        self.notes: dict[str, tuple[Note, ...]] = {}
        self.waiting: dict[str, Waiting] = {}
        for record in records:
            self.read(record.event)

    def read(self, event: Event) -> None:
        match event:
            case Called(at, call):
                self.calls[at] = call
                self.failed.pop(at, None)
                self.waiting.pop(at, None)
            case Replied(at, reply):
                self.replies[at] = reply
                self.waiting.pop(at, None)
            case Failed(at):
                self.failed[at] = event
                self.attempts[at] = self.attempts.get(at, 0) + 1
            case Halted(at, reason):
                self.halted[at] = reason
            case RoundEnded(at):
                self.rounds[at] = event
            case Noted(at, notes):
                self.notes[at] = self.notes.get(at, ()) + notes
                self.waiting.pop(at, None)
            case Waiting(at):
                self.waiting[at] = event
            case RoundRestarted(at):
                for kept in vars(self).values():
                    for void in [other for other in kept if _behind(other, at)]:
                        del kept[void]

    def ended_rounds(self, loop: str) -> list[tuple[str, Round]]:
        return [
            (at, replace(event.round, notes=self.notes.get(at, ())))
            for at, event in self.rounds.items()
            if event.loop == loop
        ]

    def restart_place(self, at: str) -> str:
        """Where to start again when the flow changed at `at`: behind the last ended round of its scope."""
        scope, _ = split(at)
        ends = [split(other)[1] + 1 for other in self.rounds if split(other)[0] == scope and not _behind(other, at)]
        return f"{scope}{max(ends, default=0)}"


def split(at: str) -> tuple[str, int]:
    """An address as its scope and its place in it: "4.1.0" -> ("4.1.", 0)."""
    head, dot, place = at.rpartition(".")
    return head + dot, int(place)


def _behind(other: str, at: str) -> bool:
    """Does `other` stand at `at` or behind it in the same scope, or inside what does?"""
    scope, place = split(at)
    return other.startswith(scope) and int(other[len(scope) :].partition(".")[0]) >= place
