"""The file of the store: opens it, proves its settings, and saves what can be read of a damaged one.

It knows the tables (`tables`) and nothing of runs. A damaged file is set aside with its date, never overwritten.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from refine.errors import LogError, StoreError
from refine.locks import FileLock
from refine.store import tables
from refine.store.packing import storable, stored, text_id, text_ids, unpack

NAME = "refine.db"
OLDEST_SQLITE = (3, 35, 0)
BUSY_SECONDS = 15
SMALL_BYTES = 32 * 1024 * 1024
"""Files up to this size are checked whole at each opening (some 10 ms); larger ones after damage was met."""
SUSPECT = "refine.db.suspect"
"""A file of this name asks the next opening for a whole check."""
DAMAGE = ("malformed", "not a database")

PAGE_BYTES = 16_384
"""Drafts fill pages of this size better than the usual 4096: a tenth less file."""

CACHE_KB = 256
"""Pages that each connection keeps, of eight times as much by default: the system keeps the file in memory as well."""

PRAGMAS: dict[str, Any] = {
    "busy_timeout": BUSY_SECONDS * 1000, "foreign_keys": 1, "synchronous": 2, "cache_size": -CACHE_KB
}  # fmt: skip
PROOF: dict[str, Any] = {**PRAGMAS, "journal_mode": "wal"}

Index = Callable[[sqlite3.Connection], None]

SENTENCES: tuple[tuple[str, str], ...] = (
    ("disk is full", "The disk is full, so {file} could not be written; all that was stored before is safe. Free some "
     "space and resume the run."),
    ("locked", "Another program held {file} for more than 15 seconds. Close the program that has it open (a database "
     "viewer, a backup) and try again."),
    ("readonly", "{file} may only be read. Make it and its folder writable, or set REFINE_HOME to a folder of yours."),
    ("malformed", "{file} is damaged. Start Refine again: it sets the file aside and saves what can be read."),
    ("not a database", "{file} is damaged. Start Refine again: it sets the file aside and saves what can be read."),
    ("unable to open", "{file} could not be opened. Check that its folder exists and is yours, or set REFINE_HOME to "
     "another folder."),
    ("no such table", "A table of {file} is missing ({error}). Start Refine again."),
)  # fmt: skip


def explain(file: Path, error: Exception) -> StoreError:
    """The database's error as one sentence for the user. Damage is noted for the next opening."""
    said = str(error.orig if isinstance(error, DBAPIError) else error)
    for needle, sentence in SENTENCES:
        if needle in said:
            if needle in DAMAGE:
                with suppress(OSError):
                    file.with_name(SUSPECT).touch()
            return StoreError(sentence.format(file=file, error=said))
    return StoreError(f"{file} could not be read or written: {said}. Check the disk, then start Refine again.")


def open_database(home: Path, index: Index) -> tuple[Engine, str]:
    """An engine on the home folder's store, made or mended where needed, and a notice for the user ("" = none).

    Several processes may open at once: one works, the others wait. Raises StoreError.

    Args:
        index: fills the tables that follow the log; called after a salvage.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise StoreError(f"Refine needs SQLite {needed}; this Python has {sqlite3.sqlite_version}. Update Python.")
    file = home / NAME
    lock = FileLock(home / "store.lock")
    try:
        lock.take(wait=True)
        notice = _mend(file, index)
        _make(file, index)
        engine = _engine(file)
        engine.connect().close()
    except (sqlite3.Error, DBAPIError) as error:
        raise explain(file, error) from error
    except OSError as error:
        raise StoreError(
            f"{home} cannot hold the store: {error.strerror}. Set REFINE_HOME to a folder of yours."
        ) from error
    finally:
        lock.release()
    return engine, notice


def _engine(file: Path) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(file)),
        isolation_level="AUTOCOMMIT",
        pool_size=8,
        max_overflow=64,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        for pragma, value in PRAGMAS.items():
            connection.execute(f"pragma {pragma} = {value}")
        for pragma, value in PROOF.items():
            got = connection.execute(f"pragma {pragma}").fetchone()[0]
            if got != value:
                raise StoreError(
                    f"{file} needs {pragma} = {value} and has {got}. Set REFINE_HOME to a folder on a local disk."
                )

    return engine


def _make(file: Path, index: Index) -> None:
    """Makes the tables of a new file, and again those of an older one that follow its log; refuses a newer one."""
    with closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as db:
        version = db.execute("pragma user_version").fetchone()[0]
        if version > tables.SCHEMA:
            raise StoreError(
                f"{file} was written by a newer Refine (tables {version}, not {tables.SCHEMA}). Update Refine."
            )
        db.execute(f"pragma page_size = {PAGE_BYTES}")  # heeded by a new file only
        db.execute("pragma journal_mode = wal")
        there = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    if version == tables.SCHEMA and there.issuperset(tables.metadata.tables):
        return  # nothing is written: a store on a full disk can still be read
    older = 0 < version < tables.SCHEMA
    engine = create_engine(URL.create("sqlite", database=str(file)), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("begin immediate")
        if older:
            tables.metadata.drop_all(connection, [tables.runs, tables.summary, tables.attempts])
        tables.metadata.create_all(connection)
        if older:
            index(cast(sqlite3.Connection, connection.connection.driver_connection))
        connection.exec_driver_sql(f"pragma user_version = {tables.SCHEMA}")
        connection.exec_driver_sql("commit")
    engine.dispose()


# --- a damaged file ----------------------------------------------------------------------------------------


def _mend(file: Path, index: Index) -> str:
    """Sets a damaged file aside and puts what could be read in its place. Returns the notice."""
    saved = file.with_name(f"{NAME}.salvaged")
    if not file.exists() and saved.exists():  # a salvage was cut between its two last steps
        saved.rename(file)
    if not file.exists():
        return ""
    suspect = file.with_name(SUSPECT)
    damaged = _damaged(file, whole=suspect.exists() or file.stat().st_size <= SMALL_BYTES)
    suspect.unlink(missing_ok=True)
    if not damaged:
        return ""
    kept, cut = _salvage(file, saved, index)
    aside = _set_aside(file)
    saved.rename(file)
    return (
        f"The store was damaged. It was set aside as {aside.name}, and a new one was made with all that could be read: "
        f"{kept} runs, {cut} of them only up to the damage. Keep the old file until you have looked at them."
    )


def _damaged(file: Path, whole: bool) -> bool:
    """Reads the whole file, or its head."""
    try:
        with closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as db:
            if not whole:
                db.execute("select count(*) from sqlite_master").fetchone()
                return False
            return bool(db.execute("pragma quick_check(1)").fetchone()[0] != "ok")
    except sqlite3.OperationalError:  # locked, read-only, no right to open: not damage
        raise
    except sqlite3.DatabaseError:
        return True


def _set_aside(file: Path) -> Path:
    aside = file.with_name(f"{NAME}.damaged-{time.strftime('%Y-%m-%d-%H%M%S')}")
    number = 1
    while aside.exists():
        number += 1
        aside = aside.with_name(re.sub(r"(-n\d+)?$", f"-n{number}", aside.name, count=1))
    for tail in ("-wal", "-shm", ""):  # the log of changes belongs to the file and must keep its name beside it
        part = file.with_name(file.name + tail)
        if part.exists():
            part.rename(aside.with_name(aside.name + tail))
    return aside


def _salvage(file: Path, saved: Path, index: Index) -> tuple[int, int]:
    """Copies every readable row; a run is kept up to its first line that cannot be read. Returns how many, and how many
    of them were cut."""
    making = saved.with_name(f"{NAME}.salvaging")
    making.unlink(missing_ok=True)
    _make(making, index)
    with (
        closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as old,
        closing(sqlite3.connect(making, isolation_level=None)) as new,
    ):
        old.text_factory = bytes
        new.execute("begin")
        for name, table in tables.metadata.tables.items():
            if table in tables.MADE_AGAIN:
                continue
            columns = [column.name for column in table.columns]
            put = f"insert or ignore into {name}({', '.join(columns)}) values({', '.join('?' * len(columns))})"
            new.executemany(put, _readable(old, name, columns))
        cut = _cut_at_damage(new)
        index(new)
        new.execute("commit")
        kept = {row[0] for row in new.execute("select distinct run_id from log")}
        new.execute("pragma journal_mode = delete")  # all in one file, which can be renamed
    making.replace(saved)
    return len(kept), len(kept & cut)


def _readable(old: sqlite3.Connection, table: str, columns: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """The rows that can be read, in order of the table's tree; steps over pages that cannot."""
    try:
        last = old.execute(f"select max(rowid) from {table}").fetchone()[0] or 0
    except sqlite3.DatabaseError:
        last = 1 << 40
    at, step = 0, 1
    query = f"select rowid, {', '.join(columns)} from {table} not indexed where rowid > ? order by rowid"
    while at < last and step < 1 << 30:
        try:
            for row in old.execute(query, (at,)):
                at, step = row[0], 1
                values = _undamaged(table, row[1:])
                if values is not None:
                    yield values
            return
        except sqlite3.DatabaseError:
            at += step
            step = step * 2 if step >= 64 or last == 1 << 40 else step + 1


def _undamaged(table: str, values: Iterable[Any]) -> tuple[Any, ...] | None:
    """Bytes as text where they are text; None for a row whose content cannot be what was stored."""
    try:
        row = tuple([stored(value) if isinstance(value, bytes) else value for value in values])
        if "data" in tables.metadata.tables[table].columns:
            json.loads(row[-1])
    except ValueError:  # no text, or no JSON
        return None
    if table != "texts":
        return row
    key, text = row
    return (key, storable(text)) if text_id(text) == key else None


def _cut_at_damage(new: sqlite3.Connection) -> set[str]:
    """Deletes of each run what stands at and behind its first missing or unreadable line. Returns the runs cut."""
    cut: dict[str, int] = {}
    due: dict[str, int] = {}
    for run_id, seq, line in new.execute("select run_id, seq, event from log order by run_id, seq"):
        if run_id not in cut and (seq != due.get(run_id, 0) or not _whole(new, line)):
            cut[run_id] = due.get(run_id, 0)
        due[run_id] = seq + 1
    for run_id, seq in cut.items():
        new.execute("delete from log where run_id = ? and seq >= ?", (run_id, seq))
    return set(cut)


def _whole(new: sqlite3.Connection, line: str) -> bool:
    ids = text_ids(line)
    found = (
        dict(new.execute(f"select id, text from texts where id in ({', '.join('?' * len(ids))})", ids)) if ids else {}
    )
    try:
        unpack(line, found)
    except LogError:
        return False
    return True
