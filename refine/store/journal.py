"""One thread that writes everything, many writes to a commit. It knows nothing of what runs are for.

A line of a log is durable when its future is done. The fence: `(run_id, seq)` is the primary key, so of two drivers of
one run the second finds its row taken and gets `Lost`; the other writes of the same commit stand.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from random import randrange
from threading import Lock, Thread
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from refine.errors import Lost, StoreError
from refine.events import Event, Failed, Record, Replied
from refine.ledger import Attempt, Ledger
from refine.store.ledger_table import PUT as PUT_ATTEMPT
from refine.store.ledger_table import values
from refine.store.packing import pack_event, storable
from refine.store.run_index import State, state_after

T = TypeVar("T")

COMPANY_SECONDS = 0.005
"""How long lines that are not urgent wait for others to share a commit with."""
KNOWN_TEXTS = 20_000
KNOWN_RUNS = 5_000
LARGEST_COMMIT = 2_000
"""Jobs."""

PUT_TEXT = "insert into texts(id, text) values(?, ?) on conflict do nothing"
PUT_LINE = "insert into log(run_id, seq, at, event) values(?, ?, ?, ?) on conflict do nothing"
END_OF_RUN = "select (select max(seq) from log where run_id = ?), (select state from runs where run_id = ?)"
PUT_STATE = "update runs set state = ? where run_id = ?"
LIVE_OVER = "delete from live where run_id = ? and at = ?"
LIVE_ALL_OVER = "delete from live where run_id = ?"
INBOX_DONE = "delete from inbox where id = ?"

Waiter = Future[Any] | asyncio.Future[Any]


@dataclass(slots=True)
class Lines:
    """Lines `seq`, `seq + 1` ... of a run."""

    run_id: str
    seq: int
    at: float
    events: Sequence[Event]
    done: Sequence[int]
    """Messages of the inbox that these lines answer."""
    driver: RunLog | None
    patience: float
    """Seconds that the job may wait for company."""
    waiter: Waiter | None
    attempts: Sequence[Attempt] = ()
    """Those that these lines ended."""
    packed: Sequence[str] = ()
    problem: StoreError | None = None
    """Why the events cannot be lines."""


@dataclass(slots=True)
class Action:
    """Anything else that is written."""

    act: Callable[[Connection], Any]
    patience: float
    waiter: Waiter


@dataclass(slots=True)
class Barrier:
    """Done when everything before it is."""

    driver: RunLog
    waiter: Waiter
    patience: float = 0.0


Job = Lines | Action | Barrier
Outcome = tuple[Job, Any, Exception | None]


class Journal:
    """The writer. `append` and `do` may be called from any thread.

    Args:
        engine: gives the one connection that writes.
        explain: turns the database's error into ours.
        now: seconds since the epoch, for the lines' time.
    """

    def __init__(self, engine: Engine, explain: Callable[[Exception], StoreError], now: Callable[[], float]) -> None:
        self.live: set[tuple[str, str]] = set()
        """Calls with a live row of this process. For the writing thread only."""
        self.writer = randrange(1, 1 << 31)
        """Tells the attempts of this process from those of others."""
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._explain, self.now = explain, now
        self._connection = engine.connect()
        self._known_texts: set[str] = set()
        self._ends: dict[str, tuple[int, State]] = {}
        self._lock = Lock()
        self._closed = False
        self._thread = Thread(target=self._work, name="refine-journal", daemon=True)
        self._thread.start()

    def append(
        self, run_id: str, seq: int, events: Sequence[Event], *, urgent: bool, done: Sequence[int] = ()
    ) -> Future[None]:
        """See `Store.append`. The future cannot be cancelled: what was given is written."""
        future: Future[None] = _running()
        self.put_lines(run_id, seq, self.now(), events, urgent=urgent, done=done, waiter=future)
        return future

    def put_lines(
        self,
        run_id: str,
        seq: int,
        at: float,
        events: Sequence[Event],
        *,
        urgent: bool,
        done: Sequence[int] = (),
        driver: RunLog | None = None,
        waiter: Waiter | None = None,
        attempts: Sequence[Attempt] = (),
    ) -> None:
        patience = 0.0 if urgent else COMPANY_SECONDS
        self._put(Lines(run_id, seq, at, events, done, driver, patience, waiter, attempts))

    def barrier(self, driver: RunLog, waiter: Waiter) -> None:
        """`waiter` gets the driver's failure, or None, when all its lines so far are durable."""
        self._put(Barrier(driver, waiter))

    def do(self, act: Callable[[Connection], T], *, patience: float = 0.0) -> Future[T]:
        """Runs `act` in the next commit. What it raises undoes its own statements only."""
        future: Future[T] = _running()
        self._put(Action(act, patience, future))
        return future

    def close(self) -> None:
        """Writes what was given and ends the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _put(self, job: Job) -> None:
        with self._lock:
            if not self._closed:
                self._jobs.put(job)
                return
        error = StoreError("The store is closed, so nothing more can be written. Start Refine again.")
        _blame(job, error)
        _deliver([(job, None, error)])

    # --- the thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        going = True
        while going:
            batch, going = self._gather()
            if batch:
                self._commit(batch)
        self._connection.close()

    def _gather(self) -> tuple[list[Job], bool]:
        """The next jobs, as many as may share a commit; False when they are the last."""
        batch: list[Job] = []
        until = float("inf")
        while len(batch) < LARGEST_COMMIT:
            try:
                job = self._next(until)
            except Empty:
                break
            if job is None:
                return batch, False
            batch.append(job)
            until = min(until, time.monotonic() + job.patience if job.patience else 0.0)
        return batch, True

    def _next(self, until: float) -> Job | None:
        if until == 0.0:
            return self._jobs.get_nowait()
        return self._jobs.get(timeout=None if until == float("inf") else max(0.0, until - time.monotonic()))

    def _commit(self, batch: list[Job]) -> None:
        db = cast(sqlite3.Connection, self._connection.connection.driver_connection)
        texts: dict[str, str] = {}
        try:
            for job in batch:
                if isinstance(job, Lines):
                    self._pack(job, texts)
            cursor = db.cursor()
            cursor.execute("begin immediate")
            for key, text in texts.items():
                cursor.execute(PUT_TEXT, (key, storable(text)))
            outcomes = [self._outcome(cursor, job) for job in batch]
            cursor.execute("commit")
        except Exception as error:
            self._undo(db)
            reason = self._explain(error)
            reason.__cause__ = error
            outcomes = [(job, None, reason) for job in batch]
            for job in batch:
                _blame(job, reason)
        else:
            self._known_texts.update(texts)
        self._forget_old()
        _deliver(outcomes)

    def _pack(self, job: Lines, texts: dict[str, str]) -> None:
        """Turns events into lines, and adds their new texts; before the transaction begins, so that it is short."""
        try:
            packed = [pack_event(event) for event in job.events]
        except (TypeError, ValueError, RecursionError) as error:
            job.problem = StoreError(f"A line of run {job.run_id} is not JSON: {error}. It was not stored.")
            return
        job.packed = [line for line, _ in packed]
        for _, long in packed:
            texts.update((key, text) for key, text in long.items() if key not in self._known_texts)

    def _outcome(self, db: sqlite3.Cursor, job: Job) -> Outcome:
        try:
            if isinstance(job, Lines):
                self._write(db, job)
                return job, None, None
            if isinstance(job, Barrier):
                return job, None, job.driver.failure
            return job, self._act(db, job), None
        except (sqlite3.Error, DBAPIError):
            raise
        except Exception as error:
            _blame(job, error)
            return job, None, error

    def _act(self, db: sqlite3.Cursor, job: Action) -> Any:
        db.execute("savepoint act")
        try:
            result = job.act(self._connection)
        except (sqlite3.Error, DBAPIError):
            raise
        except Exception:
            db.execute("rollback to act")
            db.execute("release act")
            raise
        db.execute("release act")
        return result

    def _write(self, db: sqlite3.Cursor, job: Lines) -> None:
        if job.driver and job.driver.failure:
            raise job.driver.failure
        if job.problem:
            raise job.problem
        run_id, seq = job.run_id, job.seq
        state = self._state_at(db, run_id, seq)
        # One by one: `executemany` would slip later rows in behind a conflict.
        for place, line in enumerate(job.packed):
            if db.execute(PUT_LINE, (run_id, seq + place, job.at, line)).rowcount == 0:
                self._ends.pop(run_id, None)
                raise Lost(f"Run {run_id} was taken over by another process at line {seq + place}. Look at it there.")
        after = state
        for event in job.events:
            after = state_after(after, event)
            if isinstance(event, (Replied, Failed)) and (run_id, event.at) in self.live:
                self.live.discard((run_id, event.at))
                db.execute(LIVE_OVER, (run_id, event.at))
        if after != state:
            db.execute(PUT_STATE, (after, run_id))
        for attempt in job.attempts:
            db.execute(PUT_ATTEMPT, values(attempt, self.writer))
        for message in job.done:
            db.execute(INBOX_DONE, (message,))
        self._ends[run_id] = seq + len(job.packed), after

    def _state_at(self, db: sqlite3.Cursor, run_id: str, seq: int) -> State:
        """The run's state before line `seq`. Raises StoreError if lines before it are missing."""
        end = self._ends.get(run_id, (-1, "open"))
        if end[0] != seq:
            db.execute(LIVE_ALL_OVER, (run_id,))  # left by a process that died
            last, state = db.execute(END_OF_RUN, (run_id, run_id)).fetchone()
            end = (-1 if last is None else last) + 1, state or "open"
        if seq > end[0]:
            raise StoreError(
                f"Run {run_id} has {end[0]} stored lines, and line {seq} was to follow: what came between could not be "
                "stored. Resume the run."
            )
        return end[1]

    def _undo(self, db: sqlite3.Connection) -> None:
        self._ends.clear()
        try:
            if db.in_transaction:
                db.execute("rollback")
        except sqlite3.Error:  # the connection is of no more use; the pool makes another
            self._connection.invalidate()
            self._connection.rollback()

    def _forget_old(self) -> None:
        if len(self._known_texts) > KNOWN_TEXTS:
            self._known_texts.clear()
        if len(self._ends) > KNOWN_RUNS:
            self._ends.clear()


class RunLog:
    """One driver's hand on the log of a run: it adds line after line, and none behind one that failed.

    A driver that lost the fence without looking could else write behind the winner's line.

    Args:
        seq: the number of the next line.
        ledger: has read the lines before; finds the attempts that the next ones end.
    """

    def __init__(self, journal: Journal, run_id: str, seq: int, ledger: Ledger | None = None) -> None:
        self.run_id, self.seq = run_id, seq
        self._ledger = ledger
        self.failure: Exception | None = None
        """Why nothing more is written: Lost or StoreError."""
        self.added: list[Record] = []
        """The lines so far: who drives a run need not read them again to say what became of it."""
        self._journal = journal

    def append(self, *events: Event, urgent: bool = False, done: Sequence[int] = ()) -> None:
        """Adds lines. They may wait 5 ms for company, unless `durable` follows."""
        at = self._journal.now()
        records = [Record(self.run_id, self.seq + place, at, event) for place, event in enumerate(events)]
        ended = [attempt for record in records for attempt in self._ledger.read(record)] if self._ledger else []
        self._journal.put_lines(
            self.run_id, self.seq, at, events, urgent=urgent, done=done, driver=self, attempts=ended
        )
        self.added += records
        self.seq += len(events)

    async def durable(self) -> None:
        """Returns when all lines so far are durable. Raises Lost or StoreError."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._journal.barrier(self, waiter)
        await waiter


def _running() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()  # an awaiting task that is cancelled must not undo the write
    return future


def _blame(job: Job, error: Exception) -> None:
    if isinstance(job, Lines) and job.driver and not job.driver.failure:
        job.driver.failure = error


def _deliver(outcomes: Sequence[Outcome]) -> None:
    """Tells those who wait; each event loop is woken once a commit, which halves the work of 200 loops."""
    loops: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
    for outcome in outcomes:
        waiter = outcome[0].waiter
        if isinstance(waiter, Future):
            _settle([outcome])
        elif waiter is not None:
            loops.setdefault(waiter.get_loop(), []).append(outcome)
    for loop, some in loops.items():
        with suppress(RuntimeError):  # the loop was closed: nobody waits
            loop.call_soon_threadsafe(_settle, some)


def _settle(outcomes: Sequence[Outcome]) -> None:
    for job, result, problem in outcomes:
        if job.waiter is None or job.waiter.done():
            continue
        if problem is None:
            job.waiter.set_result(result)
        else:
            job.waiter.set_exception(problem)
