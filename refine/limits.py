"""Limits, judged before each live call: money, tokens, time, calls, failures in a row. Also what was spent so far.

They see sums and the worst case of the next call and of those in flight; they know nothing of rounds or texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from refine.events import Called, Failed, Record, Replied, RoundRestarted, Waiting
from refine.types import Ask, Json, Limit, ModelCall, Spent, Usage, Worst

DEFAULTS: Mapping[str, Json] = {"tokens": 400_000, "time": 1_800, "calls": 100, "failures": 5}


def of(limits: Mapping[str, Json]) -> tuple[Limit, ...]:
    """The limits a run asks for; what is not named has its default, money has none. 0 or None switches one off."""
    asked = {**DEFAULTS, **limits}
    return tuple(make(asked[name]) for name, make in _MAKERS.items() if asked.get(name))


def money(limit: Json) -> Limit:
    most = Decimal(str(limit))
    return lambda spent, worst: "budget" if spent.money + (worst.money or 0) > most else None


def tokens(limit: Json) -> Limit:
    return lambda spent, worst: "tokens" if spent.tokens + worst.tokens > limit else None


def time(limit: Json) -> Limit:
    return lambda spent, worst: "time" if spent.seconds >= limit else None


def calls(limit: Json) -> Limit:
    return lambda spent, worst: "calls" if spent.calls >= limit else None


def failures(limit: Json) -> Limit:
    return lambda spent, worst: "failures" if spent.failures >= limit else None


def unkept(model: str, endpoint: str, limits: Mapping[str, Json]) -> str:
    """In words, that a limit on money counts the calls of a model by their tokens only."""
    most = {**DEFAULTS, **limits}["tokens"]
    return (
        f"the price of {model} at {endpoint} is not known: the money limit does not count it, {most:,} tokens hold "
        "instead"
    )


_MAKERS = {"money": money, "tokens": tokens, "time": time, "calls": calls, "failures": failures}


def holding(spent: Spent, held: Sequence[Worst]) -> Spent:
    """With the most that calls in flight can use: each of them was counted as a call when it was made."""
    if not held:
        return spent
    most = sum((worst.money or Decimal(0) for worst in held), Decimal(0))
    return replace(spent, money=spent.money + most, tokens=spent.tokens + sum(worst.tokens for worst in held))


def add(spent: Spent, usage: Usage | None) -> Spent:
    """One more ended attempt at a model. Usage None: nothing is known about it, so its price is not either."""
    cost = usage.cost if usage else None
    currency = usage.currency if usage and cost else spent.currency
    if spent.currency and currency != spent.currency:  # a price was changed: amounts in two currencies have no sum
        cost, currency = None, spent.currency
    return replace(
        spent,
        money=spent.money + (cost or 0),
        currency=currency,
        unknown=spent.unknown or cost is None,
        tokens=spent.tokens + (usage.input_tokens + usage.output_tokens if usage else 0),
    )


def spent(records: Iterable[Record]) -> Spent:
    """What a log says was used.

    An attempt without an end (its process died) makes the cost unknown, but its repetition counts as no other call: a
    resumed run reaches its limit where it would have without the crash.
    """
    total = Spent()
    models: set[str] = set()
    pending: set[str] = set()
    before: Record | None = None
    seconds = 0.0
    for record in records:
        event = record.event
        seconds += _driving(before, record, pending)
        if isinstance(event, Called) and not isinstance(event.call, ModelCall):
            models.discard(event.at)
        elif isinstance(event, Called):
            models.add(event.at)
            repeated = event.at in pending
            total = add(total, None) if repeated else replace(total, calls=total.calls + 1)
        elif isinstance(event, Failed) and event.at in models:
            total = add(total, event.usage)
            total = replace(total, failures=total.failures + 1)
        elif isinstance(event, Replied) and event.at in models:
            total = replace(add(total, event.reply.usage), failures=0)
        if isinstance(event, Called) and not isinstance(event.call, Ask):
            pending.add(event.at)
        elif isinstance(event, Replied | Failed):
            pending.discard(event.at)
        elif isinstance(event, RoundRestarted):
            if pending & models:
                total = add(total, None)
            pending.clear()
        before = record
    return replace(total, seconds=seconds)


def _driving(before: Record | None, record: Record, pending: set[str]) -> float:
    """Seconds between two records in which the run was at work: a call was open, and this is not its repetition.

    A clock that was set back gives 0, never a negative time.
    """
    if before is None or not pending or isinstance(before.event, Waiting):
        return 0.0
    if isinstance(record.event, Called) and record.event.at in pending:
        return 0.0
    return max(0.0, record.at - before.at)
