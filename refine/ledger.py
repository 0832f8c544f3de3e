"""The ledger of a run: every attempt at a model that ended, and what it used. A reading of the log, record by record.

It also holds what sums of money are: amounts in different currencies are never added up, and a sum without a part that
is not known says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

from refine.events import Called, Failed, Record, Replied, RoundRestarted, Stopped
from refine.types import ModelCall, RunSpec, Usage

LOST = "lost"
"""Its process died, or nobody waits for it any more: it may have been billed."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Money of some attempts. `known` is their sum without those of unknown price."""

    known: Decimal = Decimal(0)
    complete: bool = True
    currency: str = "USD"
    others: tuple[tuple[str, Decimal], ...] = ()
    """What was paid in other currencies beside it."""

    @property
    def value(self) -> Decimal | None:
        """None = unknown, or in several currencies."""
        return self.known if self.complete and not self.others else None

    @property
    def amounts(self) -> tuple[tuple[str, Decimal], ...]:
        """(currency, known amount); one of them at least, even if it is 0."""
        return (self.currency, self.known), *self.others


def money_of(usage: Usage | None) -> Cost:
    """None: nothing is known about it."""
    if usage is None or usage.cost is None:
        return Cost(complete=False)
    return Cost(usage.cost, currency=usage.currency)


def add_costs(costs: Iterable[Cost]) -> Cost:
    """Each currency for itself; the first that something was paid in stands first."""
    found: dict[str, Decimal] = {}
    complete, first = True, ""
    for cost in costs:
        complete = complete and cost.complete
        first = first or (cost.currency if cost.complete else "")
        for currency, amount in cost.amounts:
            if amount:
                found[currency] = found.get(currency, Decimal(0)) + amount
    found = {currency: amount for currency, amount in found.items() if amount}
    if not found:
        return Cost(complete=complete, currency=first or "USD")
    (currency, known), *others = found.items()
    return Cost(known, complete, currency, tuple(others))


def minus(cost: Cost) -> Cost:
    """The same taken away."""
    return replace(cost, known=-cost.known, others=tuple((currency, -amount) for currency, amount in cost.others))


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt that ended."""

    run_id: str
    seq: int
    """Of the record that ended it; of the call's where none did."""
    at: float
    """When it ended, seconds since the epoch."""
    variant: str
    role: str
    endpoint: str
    model: str
    usage: Usage | None
    """None = nothing is known about it."""
    seconds: float = 0.0
    first_token_seconds: float | None = None
    failure: str = ""
    """The kind of failure; "" = there was a reply."""


class Ledger:
    """Reads the log of one run as it grows."""

    def __init__(self, spec: RunSpec, records: Iterable[Record] = ()) -> None:
        self._spec = spec
        self._open: dict[str, tuple[Record, str]] = {}
        for record in records:
            self.read(record)

    def read(self, record: Record) -> tuple[Attempt, ...]:
        """The attempts that one more record ended: none, most often one."""
        match record.event:
            case Called(at, call):
                lost = self._lost([at])
                if isinstance(call, ModelCall):
                    self._open[at] = record, call.role
                return lost
            case Replied(at, reply) if at in self._open:
                return (self._ended(record, at, reply.usage, reply.seconds, reply.first_token_seconds),)
            case Failed(at) as failed if at in self._open:
                times = failed.seconds, failed.first_token_seconds
                return (self._ended(record, at, failed.usage, *times, failed.kind),)
            case RoundRestarted() | Stopped():
                return self._lost([*self._open])
        return ()

    def _ended(
        self, record: Record, at: str, usage: Usage | None, seconds: float, first: float | None, failure: str = ""
    ) -> Attempt:
        return self._attempt(record, self._open.pop(at)[1], usage, seconds, first, failure)

    def _lost(self, places: Iterable[str]) -> tuple[Attempt, ...]:
        gone = [self._open.pop(at) for at in places if at in self._open]
        return tuple([self._attempt(record, role, None, 0.0, None, LOST) for record, role in gone])

    def _attempt(
        self, record: Record, name: str, usage: Usage | None, seconds: float, first: float | None, failure: str
    ) -> Attempt:
        role = self._spec.role(name)
        endpoint, model = (role.endpoint, role.model) if role else ("", "")
        who = self._spec.variant, name, endpoint, model
        return Attempt(record.run_id, record.seq, record.at, *who, usage, seconds, first, failure)


def attempts(records: Iterable[Record], spec: RunSpec) -> list[Attempt]:
    """The whole ledger of a run."""
    ledger = Ledger(spec)
    return [attempt for record in records for attempt in ledger.read(record)]
