"""What all runs use today, held against the caps: calls of this process as they are made, others' from the store.

Belongs to one event loop. What a cap allows is decided in `caps`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Protocol

from refine.caps import ALL, Cap, Refusal, Used, counts, refusal
from refine.store import Total
from refine.types import Usage, Worst


class Others(Protocol):
    """What was used from a day on by others than this process, behind a row of the table: by endpoint and day."""

    def __call__(self, *by: str, since: float, after: int, by_others: bool) -> list[Total]: ...


class Spending:
    """See the module.

    Args:
        caps: by endpoint; read anew by whoever gives it.
        others: see `Store.totals`.
        now: seconds since the epoch.
    """

    def __init__(self, caps: Mapping[str, Cap], others: Others, now: Callable[[], float] = time.time) -> None:
        self._caps, self._others, self._now = caps, others, now
        self._day = ""
        self._used: dict[str, Used] = {}
        self._held: dict[int, tuple[str, Worst]] = {}
        self._seen = 0

    def take(self, number: int, endpoint: str, worst: Callable[[], Worst]) -> Refusal | None:
        """Holds the most that a call can use, under a number of its own, or says why it may not be made."""
        if not self._caps:
            return None
        self._look()
        most = worst()
        for whose in (ALL, endpoint):
            if cap := self._caps.get(whose):
                held = [one for place, one in self._held.values() if whose in (ALL, place)]
                if refused := refusal(cap, self._at(whose), held, most, whose):
                    return refused
        self._held[number] = endpoint, most
        return None

    def ended(self, number: int, endpoint: str, usage: Usage | None, seconds: float) -> None:
        """A call is over. `usage` None: nothing is known of it, so all that it could use counts as used."""
        _, worst = self._held.pop(number, (endpoint, None))
        self._turn()
        if usage is None and worst:
            usage = Usage(worst.tokens, cost=worst.money, currency=worst.currency)
        for whose in (ALL, endpoint):
            self._at(whose).add(usage, seconds)

    def unkept(self, endpoint: str, worst: Worst) -> str:
        """In words, that a cap on money counts this call by its tokens only; "" where it does not."""
        for whose in (ALL, endpoint) if self._caps else ():
            cap = self._caps.get(whose)
            if cap and cap.money is not None and not counts(cap, worst):
                name = f"the day's cap of {cap.money:f} {cap.currency}" + (f" for {whose}" if whose else "")
                return f"{name} counts no call of unknown price: {cap.tokens or 0:,} tokens a day hold instead"
        return ""

    def _at(self, whose: str) -> Used:
        return self._used.setdefault(whose, Used())

    def _turn(self) -> None:
        """A new day begins with nothing used."""
        day = time.strftime("%Y%m%d", time.localtime(self._now()))
        if day != self._day:
            self._day, self._used, self._seen = day, {}, 0

    def _look(self) -> None:
        """Takes in what others have used since the last look."""
        self._turn()
        for total in self._others("endpoint", since=self._now(), after=self._seen, by_others=True):
            self._seen = max(self._seen, total.last)
            for whose in (ALL, total.keys["endpoint"]):
                used = self._at(whose)
                used.add(total.usage, total.seconds, total.calls)
                for currency, amount in total.cost.amounts:
                    used.pay(currency, amount)
