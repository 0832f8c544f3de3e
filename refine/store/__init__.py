"""The store: what happened in all runs, and what was asked of them. It knows nothing of techniques, views or money.

    store = Store.open(home)
    store.create(run_id, spec, queue=True)
    await asyncio.wrap_future(store.append(run_id, 1, [Called(...)], urgent=True))      # durable now
    store.records(run_id)

Every method may be called from any thread, and several processes may share one home folder. All writes go through one
thread (`journal`); readers have connections of their own. Errors are StoreError, one sentence each.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Literal, TypeVar, cast

from sqlalchemy import Connection, Engine, delete, func, select, update
from sqlalchemy.exc import DBAPIError

from refine.errors import LogError, RefineError, SettingsError, StoreError
from refine.events import Event, Record, Started, from_json
from refine.ledger import Attempt, Ledger
from refine.settings import check_home
from refine.store import ledger_table, pieces, run_list
from refine.store.comparison_table import Comparisons
from refine.store.database import explain, open_database
from refine.store.journal import Journal, RunLog
from refine.store.ledger_table import Total as Total
from refine.store.packing import dumps, storable, stored, text_ids, unpack
from refine.store.pieces import MessageKind, put, raw, texts
from refine.store.run_list import EVERY_RUN
from refine.store.run_list import PromptUse as PromptUse
from refine.store.run_list import RunRow as RunRow
from refine.store.run_list import Wanted as Wanted
from refine.store.tables import attempts as paid
from refine.store.tables import drafts, inbox, live, queue, quirks, runs, summary
from refine.store.tables import facts as remembered
from refine.types import Json, RunSpec, Status

T = TypeVar("T")

LAZY_SECONDS = 0.1
"""How long caches wait for company before they are written."""
LONG_AGO = 10_000
"""Attempts; what was before them says nothing of how a model is today."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A run that wants attention. `tickets` grows with each wish; `cancel` is the one that asked to stop, 0 = none."""

    run_id: str
    priority: int
    tickets: int
    cancel: int


Summarise = Callable[[list[Record]], RunRow]


class Store:
    """See the module. Made by `Store.open`."""

    def __init__(
        self, home: Path, engine: Engine, notice: str, summarise: Summarise | None, now: Callable[[], float]
    ) -> None:
        self.home = home
        self.path = Path(cast(str, engine.url.database))
        self.notice = notice
        """A sentence for the user about what was mended at the opening; "" = nothing."""
        self.journal = Journal(engine, self._explain, now)
        self.comparisons = Comparisons(self, now)
        self._engine, self._summarise, self._now = engine, summarise, now
        self._watching: Connection | None = None
        self._watch_lock = Lock()

    @classmethod
    def open(cls, home: Path, *, summarise: Summarise | None = None, now: Callable[[], float] = time.time) -> Store:
        """Opens the store of a home folder, makes it where there is none, and mends a damaged one (see `notice`).

        Args:
            summarise: makes the summary row of a run from its records where the row is missing.
            now: seconds since the epoch.

        Raises SettingsError for a folder that cannot hold a store, StoreError for a file that cannot be used.
        """
        check_home(home)
        engine, notice = open_database(home, pieces.index)
        return cls(home, engine, notice, summarise, now)

    def close(self) -> None:
        """Writes what is still to be written, and closes the file."""
        self.journal.close()
        with self._watch_lock:
            if self._watching is not None:
                self._watching.close()
                self._watching = None
        self._engine.dispose()

    # --- the log -------------------------------------------------------------------------------------------

    def create(
        self, run_id: str, spec: RunSpec, *, queue: bool, priority: int = 0, inherited: Sequence[Event] = ()
    ) -> None:
        """A new run: event 0, the inherited events of a fork, and the queue row, all or nothing. Durable on return."""
        self.creating(run_id, spec, queue=queue, priority=priority, inherited=inherited).result()

    def creating(
        self, run_id: str, spec: RunSpec, *, queue: bool, priority: int = 0, inherited: Sequence[Event] = ()
    ) -> Future[list[Record]]:
        """As `create`, and not waited for: the run is durable when the future is done, which gives its log."""
        at = self._now()
        status: Status = "queued" if queue else "running"
        records = [Record(run_id, seq, at, event) for seq, event in enumerate((Started(spec), *inherited))]
        put_log = pieces.putting_log(records)

        def act(db: Connection) -> list[Record]:
            put_log(db)
            put(raw(db), summary, run_list.summary_values(RunRow(run_id, "", "", "", at, status)))
            if queue:
                pieces.enqueue(db, run_id, priority, at)
            return records

        return self.journal.do(act)

    def add(self, records: Sequence[Record]) -> None:
        """A whole run from elsewhere, with its id and times. Durable on return."""
        self._write(pieces.putting_log(records))

    def append(
        self, run_id: str, seq: int, events: Sequence[Event], *, urgent: bool, done: Sequence[int] = ()
    ) -> Future[None]:
        """Lines `seq`, `seq + 1` ... of a run; they are durable when the future is done.

        The future raises Lost when one of the lines exists already, StoreError when nothing could be written.
        A live row goes when its Replied or Failed lands.

        Args:
            urgent: commit at once; else the lines may wait 5 ms for company.
            done: messages of the inbox that these lines answer; they go in the same commit.
        """
        return self.journal.append(run_id, seq, events, urgent=urgent, done=done)

    def run_log(self, run_id: str, seq: int, ledger: Ledger | None = None) -> RunLog:
        """The way to append for whoever drives a run: in order, nothing behind a failure, one future a call.

        Args:
            ledger: of the lines before, so that the attempts which the next lines end are counted.
        """
        return RunLog(self.journal, run_id, seq, ledger)

    def records(self, run_id: str, after: int = -1) -> list[Record]:
        """The log of a run behind line `after`, in order; [] for an unknown run. Raises LogError if it is damaged."""
        with self._reading() as db:
            lines = raw(db).execute(
                "select seq, at, event from log where run_id = ? and seq > ? order by seq", (run_id, after)
            ).fetchall()  # fmt: skip
            known = texts(raw(db), (key for _, _, line in lines for key in text_ids(line)))
        return [Record(run_id, seq, at, from_json(Event, unpack(line, known))) for seq, at, line in lines]

    def spec(self, run_id: str) -> RunSpec | None:
        """What a run was told to do, without the rest of its log; None for an unknown run. Raises LogError."""
        with self._reading() as db:
            found = raw(db).execute("select event from log where run_id = ? and seq = 0", (run_id,)).fetchone()
            known = texts(raw(db), text_ids(found[0])) if found else {}
        return cast(Started, from_json(Event, unpack(found[0], known))).spec if found else None

    def last_seq(self, run_id: str) -> int:
        """The number of a run's last line; -1 for an unknown run."""
        with self._reading() as db:
            last = raw(db).execute("select max(seq) from log where run_id = ?", (run_id,)).fetchone()[0]
        return -1 if last is None else int(last)

    def exists(self, run_id: str) -> bool:
        return self.last_seq(run_id) >= 0

    def resolve(self, prefix: str) -> str:
        """The run whose id begins so. Raises SettingsError where there is none, or more than one."""
        with self._reading() as db:
            query = select(runs.c.run_id).where(runs.c.run_id.startswith(prefix, autoescape=True))
            found = list(db.scalars(query.order_by(runs.c.run_id).limit(4)))
        if prefix in found or len(found) == 1:
            return prefix if prefix in found else str(found[0])
        if not found or not prefix:
            raise SettingsError(f"There is no run {prefix!r} in {self.home}. `python -m refine runs` lists them.")
        raise SettingsError(f"Several runs begin with {prefix!r}: {', '.join(found)}. Give more of the id.")

    def unfinished(self) -> list[str]:
        """Runs that neither ended nor wait for the author, oldest first. Those of a comparison go on with it."""
        with self._reading() as db:
            mine = runs.c.state == "open", runs.c.comparison == ""
            query = select(runs.c.run_id).where(*mine).order_by(runs.c.at, runs.c.run_id)
            return list(db.scalars(query))

    def version(self) -> int:
        """A number that differs whenever anybody, in any process, has committed since. Costs microseconds."""
        with self._watch_lock:
            try:
                if self._watching is None:
                    self._watching = self._engine.connect()
                return int(raw(self._watching).execute("pragma data_version").fetchone()[0])
            except (sqlite3.Error, DBAPIError) as error:
                raise self._explain(error) from error

    # --- the list of runs ----------------------------------------------------------------------------------

    def runs(self, wanted: Wanted = EVERY_RUN, *, limit: int = 100, offset: int = 0) -> list[RunRow]:
        """Those that go on or wait first, then the newest. Missing summary rows are made again from the log."""
        self._mend_for(wanted)
        with self._reading() as db:
            rows = list(db.execute(run_list.listing(wanted).limit(limit).offset(offset)))
        return [run_list.row(row) if row.status is not None else self._mend_summary(run_list.row(row)) for row in rows]

    def count_runs(self, wanted: Wanted = EVERY_RUN) -> int:
        """How many runs there are of those wanted."""
        self._mend_for(wanted)
        with self._reading() as db:
            return int(db.scalar(run_list.count(wanted)) or 0)

    def standing(self) -> tuple[int, int]:
        """How many runs go on, and how many wait for the author."""
        with self._reading() as db:
            counts = {str(state): int(n) for state, n in db.execute(run_list.NOT_ENDED)}
        return counts.get("open", 0), counts.get("waiting", 0)

    def used_in_runs(self, what: Literal["variant", "technique", "models"]) -> list[str]:
        """Each variant, technique or group of models that any run has, once. Those of comparisons are left out, as in
        lists: there a variant bears the name that its tables have for it."""
        query = select(runs.c[what]).where(runs.c.comparison == "").distinct()
        with self._reading() as db:
            return sorted(value for value in db.scalars(query) if value)

    def models_used(self) -> list[str]:
        """Each model that any run has, also one of a comparison, as `endpoint/model`."""
        with self._reading() as db:
            groups = list(db.scalars(select(runs.c.models).distinct()))
        return sorted({name for group in groups for name in group.split("\n") if name})

    def prompts_used(self, variant: str) -> list[PromptUse]:
        """Each prompt that runs of a variant had, the one used last first."""
        with self._reading() as db:
            return run_list.prompt_uses(db.execute(run_list.prompts_in(variant)))

    def summarise(self, run_id: str, row: RunRow) -> Future[None]:
        """Keeps the summary row of a run. It may be lost; then it is made again from the log."""
        values = run_list.summary_values(replace(row, run_id=run_id))

        def act(db: Connection) -> None:
            put(raw(db), summary, values)
            if row.title:
                raw(db).execute(
                    "update runs set title = ? where run_id = ? and title <> ?", (row.title, run_id, row.title)
                )

        return self.journal.do(act, patience=LAZY_SECONDS)

    def mark_running(self, run_id: str) -> Future[None]:
        """Says in the list of runs that a run is being driven, unless it has ended."""

        def act(db: Connection) -> None:
            going = select(runs.c.run_id).where(runs.c.run_id == run_id, runs.c.state != "ended")
            db.execute(update(summary).where(summary.c.run_id.in_(going)).values(status="running"))

        return self.journal.do(act, patience=LAZY_SECONDS)

    def _mend_for(self, wanted: Wanted) -> None:
        """All summary rows are needed where they decide what is wanted."""
        if not wanted.by_summary:
            return
        with self._reading() as db:
            missing = [run_list.row(row) for row in db.execute(run_list.missing())] if pieces.some_missing(db) else []
        written = [self.summarise(row.run_id, self._made(row)) for row in missing]
        for future in written:
            future.result()

    def _mend_summary(self, row: RunRow) -> RunRow:
        made = self._made(row)
        self.summarise(row.run_id, made)
        return made

    def _made(self, row: RunRow) -> RunRow:
        """The row with what its log says; as it is where the log cannot be read."""
        if self._summarise is None:
            return row
        try:
            made = self._summarise(self.records(row.run_id))
        except LogError:
            return replace(row, status="failed")
        return replace(made, run_id=row.run_id, title=made.title or row.title, at=row.at)

    # --- what calls used -----------------------------------------------------------------------------------

    def totals(self, *by: str, since: float | None = None, after: int = 0, by_others: bool = False) -> list[Total]:
        """What calls used, in groups by day, endpoint, model, variant, role or run_id; no group: all of them together.

        Args:
            since: from the day of this moment on, seconds since the epoch.
            after: only attempts behind this id.
            by_others: not those that this store's own drivers made.
        """
        table = paid
        conditions = [table.c.day >= ledger_table.day_of(since)] if since is not None else []
        conditions += [table.c.id > after] if after else []
        conditions += [table.c.writer != self.journal.writer] if by_others else []
        with self._reading() as db:
            return ledger_table.totals(list(db.execute(ledger_table.summing(by, conditions))), by)

    def runs_of(self, endpoint: str, model: str, limit: int = 3, before: float | None = None) -> list[str]:
        """The runs that used a model at an endpoint last, the newest first; long ago does not count.

        Args:
            before: only what was used before this moment, seconds since the epoch.
        """
        then = [paid.c.at < before] if before is not None else []
        newest = select(paid.c.id).where(*then).order_by(paid.c.id.desc()).limit(1).scalar_subquery()
        where = *then, paid.c.id > newest - LONG_AGO, paid.c.endpoint == endpoint, paid.c.model == model
        query = select(paid.c.run_id).where(*where).group_by(paid.c.run_id).order_by(func.max(paid.c.id).desc())
        with self._reading() as db:
            return list(db.scalars(query.limit(limit)))

    def attempts(self, limit: int = 1_000, **where: str) -> list[Attempt]:
        """The newest attempts, oldest first; `where`: of an endpoint, a model, a run_id ..."""
        table = paid
        query = select(table).where(*[table.c[name] == value for name, value in where.items()])
        with self._reading() as db:
            rows = list(db.execute(query.order_by(table.c.id.desc()).limit(limit)))
        return [ledger_table.attempt_of(row) for row in reversed(rows)]

    # --- what the author sends to a run --------------------------------------------------------------------

    def inbox_put(self, run_id: str, kind: MessageKind, payload: Json = None) -> int:
        """Leaves a message for a run; durable on return. Returns its id."""
        return self._write(lambda db: pieces.inbox_put(db, run_id, kind, payload))

    def inbox_take(self, run_id: str) -> list[tuple[int, MessageKind, Json]]:
        """(id, kind, payload) of a run's messages, oldest first. They stay until `inbox_done` or `append(done=)`."""
        with self._reading() as db:
            query = "select id, kind, payload from inbox where run_id = ? order by id"
            return [(key, kind, json.loads(data)) for key, kind, data in raw(db).execute(query, (run_id,))]

    def inbox_runs(self) -> set[str]:
        """The runs that have messages."""
        with self._reading() as db:
            return {run_id for (run_id,) in raw(db).execute("select distinct run_id from inbox")}

    def inbox_done(self, *ids: int) -> None:
        self._write(lambda db: db.execute(delete(inbox).where(inbox.c.id.in_(ids))))

    # --- text that is coming in ----------------------------------------------------------------------------

    def live_put(self, run_id: str, at: str, role: str, text: str) -> Future[None]:
        """The text so far of the call at `at`, for other processes. At most five times a second, please."""
        values = {"run_id": run_id, "at": at, "role": role, "text": storable(text)}

        def act(db: Connection) -> None:
            self.journal.live.add((run_id, at))
            put(raw(db), live, values)

        return self.journal.do(act, patience=LAZY_SECONDS)

    def live_get(self, run_id: str) -> list[tuple[str, str, str]]:
        """(at, role, text) of the calls whose text is coming in."""
        with self._reading() as db:
            query = select(live.c.at, live.c.role, live.c.text).where(live.c.run_id == run_id).order_by(live.c.at)
            return [(at, role, stored(text)) for at, role, text in db.execute(query)]

    # --- the queue -----------------------------------------------------------------------------------------

    def enqueue(self, run_id: str, priority: int = 0) -> None:
        """The run wants attention: once more if it is being driven, not twice if it waits for its turn."""
        self._write(lambda db: pieces.enqueue(db, run_id, priority, self._now()))

    def cancel(self, run_id: str, priority: int = 0) -> None:
        """The author's stop: a message in the inbox (the truth) and a ticket that makes it quick, in one commit."""

        def act(db: Connection) -> None:
            pieces.inbox_put(db, run_id, "cancel", None)
            pieces.enqueue(db, run_id, priority, self._now())
            db.execute(update(queue).where(queue.c.run_id == run_id).values(cancel=queue.c.tickets))

        self._write(act)

    def queued(self) -> list[Ticket]:
        """All tickets: those that cancel first, then by priority, then by age."""
        with self._reading() as db:
            order = "cancel > 0 desc, priority desc, at, run_id"
            query = f"select run_id, priority, tickets, cancel from queue order by {order}"
            return [Ticket(*row) for row in raw(db).execute(query)]

    def attended(self, run_id: str, tickets: int) -> Future[None]:
        """Takes a run off the queue, unless another ticket has come since `tickets`."""

        def act(db: Connection) -> None:
            db.execute(delete(queue).where(queue.c.run_id == run_id, queue.c.tickets == tickets))

        return self.journal.do(act)

    # --- small things --------------------------------------------------------------------------------------

    def draft_put(self, key: str, data: Json) -> None:
        """What is being typed in a page, as JSON."""
        self._write(lambda db: put(raw(db), drafts, {"key": key, "data": dumps(data)}))

    def draft_get(self, key: str) -> Json:
        """None where nothing was kept."""
        with self._reading() as db:
            data = db.scalar(select(drafts.c.data).where(drafts.c.key == key))
        return None if data is None else json.loads(data)

    def quirks_put(self, endpoint: str, model: str, data: Json) -> None:
        """What was learnt of a model at an endpoint, as JSON."""
        self._write(lambda db: put(raw(db), quirks, {"endpoint": endpoint, "model": model, "data": dumps(data)}))

    def quirks_get(self, endpoint: str, model: str) -> Json:
        """None where nothing was learnt."""
        with self._reading() as db:
            query = select(quirks.c.data).where(quirks.c.endpoint == endpoint, quirks.c.model == model)
            data = db.scalar(query)
        return None if data is None else json.loads(data)

    def quirks_all(self) -> list[tuple[str, str, Json]]:
        """Endpoint, model and what was learnt of it, by name."""
        with self._reading() as db:
            query = select(quirks.c.endpoint, quirks.c.model, quirks.c.data).order_by(quirks.c.endpoint, quirks.c.model)
            return [(endpoint, model, json.loads(data)) for endpoint, model, data in db.execute(query)]

    def quirks_forget(self, endpoint: str) -> None:
        """Nothing is known any more of the models at an endpoint, as when its name now stands for another server."""
        self._write(lambda db: db.execute(delete(quirks).where(quirks.c.endpoint == endpoint)))

    def fact_put(self, fact: str) -> None:
        """Something to be remembered over runs; kept once, however often it is said."""
        row = {"fact": storable(fact), "at": self._now()}
        self._write(lambda db: put(raw(db), remembered, row))

    def facts(self) -> list[str]:
        """All that is remembered, the newest first."""
        with self._reading() as db:
            query = select(remembered.c.fact).order_by(remembered.c.at.desc(), remembered.c.fact)
            return [stored(fact) for fact in db.scalars(query)]

    # --- inside --------------------------------------------------------------------------------------------

    def _write(self, act: Callable[[Connection], T]) -> T:
        return self.journal.do(act).result()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as db:
                yield db
        except RefineError:
            raise
        except (sqlite3.Error, DBAPIError) as error:
            raise self._explain(error) from error

    def _explain(self, error: Exception) -> StoreError:
        return explain(self.path, error)
