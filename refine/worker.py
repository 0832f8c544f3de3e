"""Executes queued runs: a thread with an event loop of its own. It knows nothing of what a run does.

The queue is only a hint. `execute(run_id)` replays what is on record and is fenced by the store, so a run that is
executed once too often costs nothing, and the store says what is unfinished. A ticket stays in the queue until
`execute` returns, so runs go on after any death of the process.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from traceback import format_exception
from typing import Any

from refine.errors import Lost, StoreError
from refine.locks import FileLock, run_lock
from refine.settings import redact
from refine.store import Store, Ticket

__all__ = ["Worker", "run_lock"]

POLL_SECONDS = 0.02
"""Between two looks at whether anything was committed; a look costs some ten microseconds."""
LOCK_SECONDS = 1.0
"""Between two tries to become the folder's worker."""
BUSY_SECONDS = 0.5
"""Until a run that another process drives is tried again."""
AGAIN_SECONDS = 1.0
"""Until a run whose execution failed in an unexpected way is tried again."""
RECONCILE_SECONDS = 60.0
"""Between two comparisons of the queue with what the store says is unfinished."""
TRIES = 3
"""Unexpected failures in a row after which a run is given up."""
LAST_SECONDS = 2.0
"""For tasks to close their calls after they were cancelled at the end."""

log = logging.getLogger("refine.worker")

Beside = Callable[[], Coroutine[Any, Any, None]]


@dataclass
class Task:
    """A run that is being executed."""

    task: asyncio.Task[None]
    tickets: int
    cancelled: bool = False


async def _no_giving_up(run_id: str, message: str) -> None:
    log.error("worker: gave up %s: %s", run_id, message)


class Worker:
    """The one queue worker of a home folder, once it holds the folder's lock; before that it only waits for it.

    Args:
        execute: drives a run until it ends or has to wait; awaited in the worker's own event loop.
        limit: runs at once.
        cancel: makes a running run hear that it was cancelled, in the worker's loop; None = its task is cancelled.
            The message in the store's inbox is the truth, this only makes it quick.
        give_up: records that a run failed for good, with the last error's message.
        beside: coroutines that run in the worker's loop as long as it works. One that fails is started again, and the
            others hear nothing of it.
    """

    def __init__(
        self,
        store: Store,
        execute: Callable[[str], Awaitable[object]],
        home: Path,
        limit: int = 20,
        *,
        cancel: Callable[[str], None] | None = None,
        give_up: Callable[[str, str], Awaitable[None]] = _no_giving_up,
        beside: Sequence[Beside] = (),
        again_seconds: float = AGAIN_SECONDS,
    ) -> None:
        self._store, self._execute, self._home, self._limit = store, execute, home, limit
        self._cancel, self._give_up, self._beside = cancel, give_up, beside
        self._again_seconds = again_seconds
        self._lock = FileLock(home / "worker.lock")
        self._running: dict[str, Task] = {}
        self._failures: dict[str, int] = {}
        self._not_before: dict[str, float] = {}
        self._thread: Thread | None = None
        self._grace = 0.0
        self._stopping = False
        self._left: set[str] = set()
        """Runs that were unfinished when this worker began."""
        self._looked = False
        self._wake: asyncio.Event
        self._started = Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def active(self) -> bool:
        """True while this worker executes the folder's queue; False while another one does."""
        return self._lock.held

    def start(self) -> None:
        """Starts the thread and returns when it has tried for the lock."""
        self._thread = Thread(target=lambda: asyncio.run(self._main()), name="refine-worker", daemon=True)
        self._thread.start()
        self._started.wait()

    def stop(self, grace: float = 2.0) -> None:
        """Lets runs go on for `grace` seconds, then cuts them; they stay in the queue. Returns when all is over."""
        if self._thread is None or self._loop is None:
            return
        self._grace = grace
        with suppress(RuntimeError):  # the loop is closed: it has stopped by itself
            self._loop.call_soon_threadsafe(self._ask_to_stop)
        self._thread.join()
        self._thread = None

    # --- in the thread -------------------------------------------------------------------------------------

    async def _main(self) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        try:
            while not self._take_lock() and not self._stopping:
                await self._rest(LOCK_SECONDS)
            if self.active:
                await self._work()
        finally:
            self._lock.release()
            self._started.set()

    def _ask_to_stop(self) -> None:
        self._stopping = True
        self._wake.set()

    async def _rest(self, seconds: float) -> None:
        """Until woken, or for some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    def _take_lock(self) -> bool:
        taken = self._lock.take()
        self._started.set()
        return taken

    async def _work(self) -> None:
        beside = [asyncio.create_task(self._keep(one)) for one in self._beside]
        seen, reconciled = -1, float("-inf")
        while not self._stopping:
            try:
                now = time.monotonic()
                if now - reconciled >= RECONCILE_SECONDS:
                    self._reconcile()
                    reconciled = now
                version = self._store.version()
                if version != seen or self._wake.is_set() or self._due(now):
                    seen = version
                    self._wake.clear()
                    self._look(self._store.queued(), now)
            except (StoreError, OSError) as error:
                log.error("worker: %s", error)
                await self._rest(self._again_seconds)
            await self._rest(POLL_SECONDS)
        await self._finish()
        for task in beside:
            task.cancel()
        if beside:
            await asyncio.wait(beside, timeout=LAST_SECONDS)

    async def _keep(self, beside: Beside) -> None:
        while True:
            try:
                await beside()
                break
            except Exception as error:
                log.error("worker: %s", redact(str(error)))
                await asyncio.sleep(self._again_seconds)

    def _reconcile(self) -> None:
        """The store's word against the queue's: mends a queue that was lost, and runs whose process died."""
        queued = {ticket.run_id for ticket in self._store.queued()}
        unfinished = self._store.unfinished()
        if not self._looked:
            self._left = queued.union(unfinished)
            self._looked = True
        for run_id in unfinished:
            if run_id not in queued:
                self._store.enqueue(run_id)

    def _due(self, now: float) -> bool:
        return any(at <= now for at in self._not_before.values())

    def _look(self, tickets: list[Ticket], now: float) -> None:
        for ticket in tickets:
            running = self._running.get(ticket.run_id)
            if running is not None:
                self._pass_on_cancel(ticket, running)
            elif now >= self._not_before.get(ticket.run_id, now) and (ticket.cancel or self._has_room()):
                self._begin(ticket)  # a cancelled run needs no room: it makes no calls any more

    def _has_room(self) -> bool:
        return len(self._running) < self._limit

    def _pass_on_cancel(self, ticket: Ticket, running: Task) -> None:
        if ticket.cancel > running.tickets and not running.cancelled:
            running.cancelled = True
            if self._cancel is None:
                running.task.cancel()
            else:
                self._cancel(ticket.run_id)

    def _begin(self, ticket: Ticket) -> None:
        self._not_before.pop(ticket.run_id, None)
        task = asyncio.create_task(self._one(ticket))
        self._running[ticket.run_id] = Task(task, ticket.tickets)

    async def _one(self, ticket: Ticket) -> None:
        run_id = ticket.run_id
        try:
            with run_lock(self._home, run_id) as ours:
                if not ours:
                    self._not_before[run_id] = time.monotonic() + BUSY_SECONDS
                    return
                await self._attend(ticket)
        except (StoreError, OSError) as error:
            log.error("worker: %s", error)
            self._not_before[run_id] = time.monotonic() + self._again_seconds
        finally:
            del self._running[run_id]
            self._wake.set()

    async def _attend(self, ticket: Ticket) -> None:
        """Executes a run once. Its ticket stays when it was cut or is to be tried again."""
        run_id = ticket.run_id
        if run_id in self._left and self._store.last_seq(run_id) > 0:
            log.info("worker: resumed %s", run_id)
        self._left.discard(run_id)
        self._store.mark_running(run_id)
        try:
            await self._execute(run_id)
        except Lost as error:
            log.warning("worker: %s", error)  # the winner goes on; should it die, the next comparison finds the run
        except Exception as error:
            log.error("worker: run %s failed\n%s", run_id, redact("".join(format_exception(error))))
            if not await self._gave_up(run_id, error):
                return
        self._failures.pop(run_id, None)
        await asyncio.wrap_future(self._store.attended(run_id, ticket.tickets))

    async def _gave_up(self, run_id: str, error: Exception) -> bool:
        failures = self._failures[run_id] = self._failures.get(run_id, 0) + 1
        if failures < TRIES:
            self._not_before[run_id] = time.monotonic() + self._again_seconds
            return False
        await self._give_up(run_id, redact(str(error)) or type(error).__name__)
        return True

    async def _finish(self) -> None:
        tasks = [running.task for running in self._running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=self._grace)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_SECONDS)
