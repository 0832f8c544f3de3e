"""Caps: the most that all runs of a day may use together, in all and at each endpoint. Judged before each call.

Pure. A call is judged by the worst it can use, beside what was used and what the calls in flight can use. What other
programs use at an endpoint is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from refine.errors import SettingsError
from refine.types import Json, Usage, Worst

FILE = "caps.yaml"
ALL = ""
"""Stands for all endpoints together."""
FORM = "Write it like `day: {money: 5, currency: EUR, tokens: 2000000}` and `endpoints: {openai: {calls: 500}}`"


@dataclass(frozen=True, slots=True)
class Cap:
    """None = no cap."""

    money: Decimal | None = None
    currency: str = "USD"
    tokens: int | None = None
    time: float | None = None
    """Seconds that calls took."""
    calls: int | None = None


@dataclass(slots=True)
class Used:
    """What calls of a day used, or can still use."""

    money: dict[str, Decimal] = field(default_factory=dict)
    """By currency, as far as it is known."""
    tokens: int = 0
    seconds: float = 0.0
    calls: int = 0

    def add(self, usage: Usage | None, seconds: float = 0.0, calls: int = 1) -> None:
        self.calls += calls
        self.seconds += seconds
        if usage:
            self.tokens += usage.input_tokens + usage.output_tokens
            self.pay(usage.currency, usage.cost or Decimal(0))

    def pay(self, currency: str, amount: Decimal) -> None:
        self.money[currency] = self.money.get(currency, Decimal(0)) + amount


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call may not be made."""

    reason: str
    """A stop reason."""
    sentence: str
    whose: str = ALL
    """The endpoint whose cap spoke; `ALL`: that of all endpoints together."""


def refusal(cap: Cap, used: Used, held: Iterable[Worst], worst: Worst, whose: str = ALL) -> Refusal | None:
    """Why a call may not be made. None: it may.

    Args:
        held: the worst of each call in flight.
        whose: the endpoint that the cap is for.
    """
    if refused := _refused(cap, used, [*held], worst, whose):
        return Refusal(*refused, whose)
    return None


def _refused(cap: Cap, used: Used, held: list[Worst], worst: Worst, whose: str) -> tuple[str, str] | None:
    name = f"cap of the day for {whose}" if whose else "cap of the day"
    calls, tokens = used.calls + len(held), used.tokens + sum(one.tokens for one in held)
    if cap.calls is not None and calls + 1 > cap.calls:
        return "calls", _passed(name, f"{cap.calls:,} calls", f"{calls:,}", "one more")
    if cap.time is not None and used.seconds >= cap.time:
        return "time", _passed(name, f"{cap.time:,.0f} seconds of calls", f"{used.seconds:,.0f}", "some more")
    if cap.tokens is not None and tokens + worst.tokens > cap.tokens:
        return "tokens", _passed(name, f"{cap.tokens:,} tokens", f"{tokens:,}", f"up to {worst.tokens:,} more")
    if cap.money is None:
        return None
    if not counts(cap, worst):
        if cap.tokens is not None:
            return None
        return "budget", (
            f"The {name} of {cap.money:f} {cap.currency} cannot be kept: the price of this call is not known in that "
            f"currency, and no cap on tokens stands beside it. Give the price in prices.yaml, or tokens in {FILE}."
        )
    paid = used.money.get(cap.currency, Decimal(0)) + sum(
        one.money or 0 for one in held if one.currency == cap.currency
    )
    if paid + (worst.money or 0) > cap.money:
        most = f"up to {worst.money or 0:f} more"
        return "budget", _passed(name, f"{cap.money:f} {cap.currency}", f"{paid:f}", most)
    return None


def counts(cap: Cap, worst: Worst) -> bool:
    """Is the price of a call known in the cap's currency? What is free is, in any."""
    return worst.money == 0 or (worst.money is not None and worst.currency == cap.currency)


def _passed(name: str, most: str, used: str, more: str) -> str:
    return (
        f"The {name} could be passed: got {used} of {most}, and the next call may take {more}. Raise it in {FILE}, or "
        "go on tomorrow."
    )


def read(table: Mapping[str, Json]) -> dict[str, Cap]:
    """The caps of a file, by endpoint. Raises SettingsError for what is none."""
    unknown = [str(name) for name in table if name not in ("day", "endpoints")]
    endpoints = table.get("endpoints") or {}
    if unknown or not isinstance(endpoints, Mapping):
        raise SettingsError(f"{FILE} holds day and endpoints; got {', '.join(unknown) or endpoints!r}. {FORM}.")
    found = {str(name): _cap(str(name), given) for name, given in endpoints.items()}
    return ({ALL: _cap("day", table["day"])} if table.get("day") else {}) | found


def _cap(name: str, given: Json) -> Cap:
    if not isinstance(given, Mapping) or not {*given} <= {"money", "currency", "tokens", "time", "calls"}:
        raise SettingsError(f"A cap has money, currency, tokens, time and calls; {name} got {given!r}. {FORM}.")
    money, time = _amount(name, given, "money"), _amount(name, given, "time")
    tokens, calls = _amount(name, given, "tokens"), _amount(name, given, "calls")
    return Cap(
        money,
        str(given.get("currency") or "USD").strip().upper(),
        None if tokens is None else int(tokens),
        None if time is None else float(time),
        None if calls is None else int(calls),
    )


def _amount(name: str, given: Mapping[str, Json], what: str) -> Decimal | None:
    value = given.get(what)
    if value is None:
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise SettingsError(f"The cap {what} of {name} should be 0 or more; got {value!r}. {FORM}.")
    return amount
