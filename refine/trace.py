"""What happened in a run: one entry for a call with all its attempts, and one for each other event.

Read from the log alone; it knows nothing of pages or words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, RoundRestarted
from refine.past import Past
from refine.types import Call, ModelCall, Reply, Usage
from refine.views import add_usage, outermost


@dataclass(frozen=True, slots=True)
class Entry:
    """A call, or another event."""

    seq: int
    """Of its first record."""
    time: float
    """Seconds since the epoch."""
    event: Event
    tries: int = 0
    """Attempts at a call, the one under way included."""
    failed: tuple[Failed, ...] = ()
    reply: Reply | None = None
    round: int | None = None
    """Which of the run's rounds ended here, if one did."""

    @property
    def call(self) -> Call | None:
        return self.event.call if isinstance(self.event, Called) else None

    @property
    def usage(self) -> Usage | None:
        """Tokens and money of the attempts that ended; None where nothing is paid for."""
        used = [failed.usage for failed in self.failed] + ([self.reply.usage] if self.reply else [])
        return reduce(add_usage, used, None) if isinstance(self.call, ModelCall) else None

    @property
    def seconds(self) -> float | None:
        if self.call is None:
            return None
        return sum(failed.seconds for failed in self.failed) + (self.reply.seconds if self.reply else 0)


def entries(records: Sequence[Record]) -> list[Entry]:
    """In the order in which they began."""
    past = Past(records)
    loop = outermost(past)
    rounds = {at: n for n, (at, _round) in enumerate(past.ended_rounds(loop) if loop else [])}
    made: dict[int, Entry] = {}
    begun: dict[str, int] = {}
    for record in records:
        match record.event:
            case Called(at, call) if at in begun and made[begun[at]].call == call:
                made[begun[at]] = replace(made[begun[at]], tries=made[begun[at]].tries + 1)
            case Called(at):
                begun[at] = record.seq
                made[record.seq] = Entry(record.seq, record.at, record.event, 1)
            case Replied(at, reply) if at in begun:
                made[begun[at]] = replace(made[begun[at]], reply=reply)
            case Failed(at) as failed if at in begun:
                made[begun[at]] = replace(made[begun[at]], failed=(*made[begun[at]].failed, failed))
            case RoundEnded(at, ended_loop):
                n = rounds.get(at) if ended_loop == loop else None
                made[record.seq] = Entry(record.seq, record.at, record.event, round=n)
            case _:
                if isinstance(record.event, RoundRestarted):
                    begun.clear()
                made[record.seq] = Entry(record.seq, record.at, record.event)
    return [*made.values()]
