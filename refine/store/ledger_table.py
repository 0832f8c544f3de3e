"""Table `attempts`: the ledger of all runs, for sums over many of them. Written with the lines it is read from."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

from sqlalchemy import ColumnElement, Row, Select, func, select

from refine.errors import LogError
from refine.events import Event, Record, Started, from_json
from refine.ledger import LOST, Attempt, Cost, Ledger, add_costs
from refine.store.packing import unpack
from refine.store.tables import attempts
from refine.types import Usage

PLACES = 12
UNIT = Decimal(1).scaleb(-PLACES)
"""Costs are kept as whole numbers of it, so that a database adds them up exactly."""
GROUPS = ("day", "endpoint", "model", "variant", "role", "run_id")

COLUMNS = [column.name for column in attempts.c if column.name != "id"]
PUT = f"insert into attempts({', '.join(COLUMNS)}) values({', '.join('?' * len(COLUMNS))})"


@dataclass(frozen=True, slots=True)
class Total:
    """What some attempts used together."""

    keys: Mapping[str, str]
    """By name of the group: its day as 2026-11-30, its endpoint, model, variant, role, run_id."""
    calls: int = 0
    """Attempts, the failed ones included."""
    failed: int = 0
    usage: Usage = field(default_factory=Usage)
    """Without a cost."""
    cost: Cost = field(default_factory=Cost)
    seconds: float = 0.0
    last: int = 0
    """Id of the newest row in it."""


def day_of(at: float) -> int:
    """The day by this computer's calendar, as 20261130."""
    day = time.localtime(at)
    return day.tm_year * 10_000 + day.tm_mon * 100 + day.tm_mday


def values(attempt: Attempt, writer: int = 0) -> tuple[Any, ...]:
    """A row of the table, in its order of columns. `writer`: a number of the process that made the attempt."""
    used = attempt.usage or Usage()
    return (
        attempt.run_id,
        attempt.seq,
        attempt.at,
        day_of(attempt.at),
        attempt.variant,
        attempt.role,
        attempt.endpoint,
        attempt.model,
        used.input_tokens,
        used.output_tokens,
        used.cached_tokens,
        used.reasoning_tokens,
        int(used.estimated),
        None if used.cost is None else round(used.cost.scaleb(PLACES)),
        used.currency,
        attempt.seconds,
        attempt.first_token_seconds,
        attempt.failure,
        writer,
    )


def attempt_of(row: Row[Any]) -> Attempt:
    """The reverse of `values`; without the price, which stands in the log."""
    cost = None if row.cost is None else row.cost * UNIT
    known = row.failure != LOST
    tokens = row.input_tokens, row.output_tokens, row.cached_tokens, row.reasoning_tokens
    used = Usage(*tokens, estimated=bool(row.estimated), cost=cost, currency=row.currency)
    return Attempt(
        row.run_id,
        row.seq,
        row.at,
        row.variant,
        row.role,
        row.endpoint,
        row.model,
        used if known else None,
        row.seconds,
        row.first_token_seconds,
        row.failure,
    )


def summing(by: Sequence[str], conditions: Sequence[ColumnElement[bool]] = ()) -> Select[Any]:
    """One row for each group and currency."""
    groups = [attempts.c[name] for name in by]
    sums = [
        func.count().label("calls"),
        func.count().filter(attempts.c.failure != "").label("failed"),
        *[
            func.sum(attempts.c[name]).label(name)
            for name in ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "seconds")
        ],
        func.max(attempts.c.estimated).label("estimated"),
        func.coalesce(func.sum(attempts.c.cost), 0).label("known"),
        func.count().filter(attempts.c.cost.is_(None)).label("unknown"),
        func.max(attempts.c.id).label("last"),
    ]
    query = select(*groups, attempts.c.currency, *sums).where(*conditions)
    return query.group_by(*groups, attempts.c.currency).order_by(*groups)


def totals(rows: Sequence[Any], by: Sequence[str]) -> list[Total]:
    """The rows of `summing`, those of one group together."""
    return together(
        Total(
            {name: _name(name, row[place]) for place, name in enumerate(by)},
            row.calls,
            row.failed,
            Usage(row.input_tokens, row.output_tokens, row.cached_tokens, row.reasoning_tokens, bool(row.estimated)),
            Cost(row.known * UNIT, not row.unknown, row.currency),
            row.seconds,
            row.last,
        )
        for row in rows
    )


def together(found: Iterable[Total]) -> list[Total]:
    """Each group once, in the order in which the groups first come."""
    groups: dict[tuple[str, ...], Total] = {}
    for total in found:
        names = (*total.keys.values(),)
        groups[names] = _sum(groups[names], total) if names in groups else total
    return [*groups.values()]


def _sum(one: Total, two: Total) -> Total:
    return Total(
        one.keys,
        one.calls + two.calls,
        one.failed + two.failed,
        Usage(
            one.usage.input_tokens + two.usage.input_tokens,
            one.usage.output_tokens + two.usage.output_tokens,
            one.usage.cached_tokens + two.usage.cached_tokens,
            one.usage.reasoning_tokens + two.usage.reasoning_tokens,
            one.usage.estimated or two.usage.estimated,
        ),
        add_costs([one.cost, two.cost]),
        one.seconds + two.seconds,
        max(one.last, two.last),
    )


def _name(group: str, value: Any) -> str:
    text = str(value)
    return f"{text[:4]}-{text[4:6]}-{text[6:]}" if group == "day" else text


class _AnyText(dict[str, str]):
    """Stands for the long texts of a line, which say nothing of what was used."""

    def __missing__(self, key: str) -> str:
        return '""'


def index_attempts(db: sqlite3.Connection) -> None:
    """Fills the table from all logs. For a file that was mended, or made before it had the table."""
    for (run_id,) in db.execute("select distinct run_id from log").fetchall():
        db.executemany(PUT, [values(attempt) for attempt in _of_run(db, run_id)])


def _of_run(db: sqlite3.Connection, run_id: str) -> Iterator[Attempt]:
    ledger: Ledger | None = None
    lines = db.execute("select seq, at, event from log where run_id = ? order by seq", (run_id,))
    for seq, at, line in lines.fetchall():
        try:
            record = Record(run_id, seq, at, from_json(Event, unpack(line, _AnyText())))
        except LogError:  # a damaged run is told of when it is read, and its ledger ends there
            return
        ledger = ledger or Ledger(cast(Started, record.event).spec)
        yield from ledger.read(record)
