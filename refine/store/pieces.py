"""Pieces of the store's reads and writes, each inside a connection that somebody else opened and ends."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast

from sqlalchemy import Connection, Row, Table, func, select
from sqlalchemy.dialects.sqlite import insert

from refine.errors import StoreError
from refine.events import Record, Started
from refine.ledger import attempts
from refine.store import ledger_table
from refine.store.journal import PUT_LINE, PUT_TEXT
from refine.store.packing import dumps, pack_event, storable, stored
from refine.store.run_index import facts, index_runs, state_of
from refine.store.tables import inbox, queue, runs, summary
from refine.types import Json

MessageKind = Literal["cancel", "pause", "answer", "notes"]
AT_ONCE = 500
"""Ids in one query."""


def raw(db: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, db.connection.driver_connection)


def putting_log(records: Sequence[Record]) -> Callable[[Connection], None]:
    """Writes the whole log of a new run and its line in the list; packed here, so that the writing thread need not."""
    run_id, at = records[0].run_id, records[0].at
    packed = [(record, *pack_event(record.event)) for record in records]
    spec = cast(Started, records[0].event).spec
    made = [ledger_table.values(attempt) for attempt in attempts(records, spec)]
    state = state_of(record.event for record in records[1:])
    row = {**facts(spec), "run_id": run_id, "at": at, "state": state}

    def act(db: Connection) -> None:
        driver = raw(db)
        if driver.execute("select 1 from log where run_id = ?", (run_id,)).fetchone():
            raise StoreError(f"There is a run {run_id} already. Choose another id.")
        put(driver, runs, row)
        for record, line, long in packed:
            for key, text in long.items():
                driver.execute(PUT_TEXT, (key, storable(text)))
            driver.execute(PUT_LINE, (run_id, record.seq, record.at, line))
        driver.executemany(ledger_table.PUT, made)

    return act


def index(db: sqlite3.Connection) -> None:
    index_runs(db)
    ledger_table.index_attempts(db)


def some_missing(db: Connection) -> bool:
    """By their numbers, as comparing the rows takes a tenth of a second at 100,000 runs."""
    counts = [db.scalar(select(func.count()).select_from(table)) for table in (runs, summary)]
    return counts[0] != counts[1]


def texts(db: sqlite3.Connection, keys: Iterable[str]) -> dict[str, str]:
    """Texts by their ids. Interned: a thousand runs in flight hold the prompts that they share once."""
    wanted = sorted(set(keys))
    found: dict[str, str] = {}
    for start in range(0, len(wanted), AT_ONCE):
        some = wanted[start : start + AT_ONCE]
        query = f"select id, text from texts where id in ({', '.join('?' * len(some))})"
        found.update((key, sys.intern(stored(text))) for key, text in db.execute(query, some))
    return found


def enqueue(db: Connection, run_id: str, priority: int, at: float) -> None:
    ticket = insert(queue).values(run_id=run_id, priority=priority, tickets=1, cancel=0, at=at)
    more = {"tickets": queue.c.tickets + 1, "priority": func.max(queue.c.priority, ticket.excluded.priority)}
    db.execute(ticket.on_conflict_do_update(index_elements=["run_id"], set_=more))


def inbox_put(db: Connection, run_id: str, kind: MessageKind, payload: Json) -> int:
    written = db.execute(insert(inbox).values(run_id=run_id, kind=kind, payload=dumps(payload)))
    return int(cast(Row[Any], written.inserted_primary_key)[0])


def put(db: sqlite3.Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Puts a row in the place of the one with its key. Without SQLAlchemy's hands, as this runs for every run."""
    db.execute(_putting(table, tuple(row)), tuple(row.values()))


@cache
def _putting(table: Table, columns: tuple[str, ...]) -> str:
    keys = [column.name for column in table.primary_key]
    changes = ", ".join(f"{column} = excluded.{column}" for column in columns if column not in keys)
    return (
        f"insert into {table.name}({', '.join(columns)}) values({', '.join('?' * len(columns))}) "
        f"on conflict({', '.join(keys)}) do update set {changes}"
    )
