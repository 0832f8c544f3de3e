"""What is queued is executed: as often as asked, in order of priority, through cancels, failures and deaths."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from refine.errors import Lost, StoreError
from refine.events import Called, Stopped
from refine.locks import run_lock
from refine.settings import remember_secret
from refine.store import Store
from refine.types import CheckCall, RunSpec, Task
from refine.worker import Worker

SPEC = RunSpec("refine", "polish", Task(draft="A draft."))
PATIENCE = 10.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path)
    yield store
    store.close()


class Runs:
    """An `execute` that says when it begins and ends when told to. Ended runs get their Stopped."""

    def __init__(self, store: Store, *, held: bool = False) -> None:
        self.store = store
        self.begun: list[str] = []
        self.most = 0
        self._now = 0
        self._changed = threading.Condition()
        self._free = threading.Event()
        if not held:
            self._free.set()

    async def __call__(self, run_id: str) -> None:
        with self._changed:
            self.begun.append(run_id)
            self._now += 1
            self.most = max(self.most, self._now)
            self._changed.notify_all()
        try:
            await asyncio.to_thread(self._free.wait, PATIENCE)
            last = self.store.last_seq(run_id)
            if last == 0:
                await asyncio.wrap_future(self.store.append(run_id, 1, [Stopped("approved")], urgent=True))
        finally:
            with self._changed:
                self._now -= 1
                self._changed.notify_all()

    def free(self) -> None:
        self._free.set()

    def wait_for(self, begun: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.begun) >= begun, PATIENCE), self.begun


def until(true: Callable[[], bool]) -> None:
    """Waits for what another thread does."""
    pause = threading.Event()
    for _ in range(int(PATIENCE * 100)):
        if true():
            return
        pause.wait(0.01)
    raise AssertionError("it did not come about")


def working(store: Store, execute: object, **options: object) -> Worker:
    worker = Worker(store, execute, store.home, again_seconds=0.02, **options)  # type: ignore[arg-type]
    worker.start()
    return worker


def create(store: Store, *run_ids: str, priority: int = 0) -> None:
    for run_id in run_ids:
        store.create(run_id, SPEC, queue=True, priority=priority)


def test_a_queued_run_is_executed_and_leaves_the_queue(store: Store) -> None:
    runs = Runs(store)
    worker = working(store, runs)
    create(store, "r1")
    until(lambda: store.queued() == [] and store.unfinished() == [])
    worker.stop()
    assert runs.begun == ["r1"]
    assert not worker.active


def test_asked_for_twice_while_waiting_and_once_while_running_it_runs_twice(store: Store) -> None:
    runs = Runs(store, held=True)
    create(store, "r1")
    store.enqueue("r1")
    worker = working(store, runs)
    runs.wait_for(1)
    store.enqueue("r1")
    runs.free()
    until(lambda: store.queued() == [])
    worker.stop()
    assert runs.begun == ["r1", "r1"]


def test_higher_priority_goes_first_and_then_the_older(store: Store) -> None:
    runs = Runs(store)
    for name, priority in {"p0": 0, "p5": 5, "also0": 0, "p9": 9}.items():
        create(store, name, priority=priority)
    worker = working(store, runs, limit=1)
    until(lambda: store.queued() == [])
    worker.stop()
    assert runs.begun == ["p9", "p5", "p0", "also0"]


def test_no_more_than_the_limit_run_at_once(store: Store) -> None:
    runs = Runs(store, held=True)
    create(store, *(f"r{n}" for n in range(7)))
    worker = working(store, runs, limit=3)
    runs.wait_for(3)
    runs.free()
    until(lambda: store.queued() == [])
    worker.stop()
    assert (runs.most, len(runs.begun)) == (3, 7)


def test_a_cancel_wakes_a_running_run_and_it_is_executed_once_more(store: Store) -> None:
    heard: list[list[str]] = []
    running, never = threading.Event(), asyncio.Event()

    async def execute(run_id: str) -> None:
        heard.append([kind for _, kind, _ in store.inbox_take(run_id)])
        if not heard[-1]:
            running.set()
            await never.wait()

    create(store, "r1")
    worker = working(store, execute)
    assert running.wait(PATIENCE)
    store.cancel("r1")
    until(lambda: store.queued() == [])
    worker.stop()
    assert heard == [[], ["cancel"]]


def test_a_cancel_may_be_passed_on_in_another_way(store: Store) -> None:
    told: list[str] = []
    running, closing_call = threading.Event(), asyncio.Event()

    async def execute(run_id: str) -> None:
        running.set()
        await closing_call.wait()

    def cancel(run_id: str) -> None:
        told.append(run_id)
        closing_call.set()

    create(store, "r1")
    worker = working(store, execute, cancel=cancel)
    assert running.wait(PATIENCE)
    store.cancel("r1")
    until(lambda: store.queued() == [])
    worker.stop()
    assert told == ["r1"]


def test_a_cancelled_run_that_waits_for_its_turn_needs_no_room(store: Store) -> None:
    runs = Runs(store, held=True)
    create(store, "busy", "waiting")
    worker = working(store, runs, limit=1)
    runs.wait_for(1)
    store.cancel("waiting")
    runs.wait_for(2)
    runs.free()
    worker.stop()
    assert runs.begun == ["busy", "waiting"]


def test_a_run_that_fails_three_times_is_given_up_with_the_key_masked(store: Store) -> None:
    given_up: list[tuple[str, str]] = []
    tries: list[str] = []
    remember_secret("sk-worker-canary-1234")

    async def execute(run_id: str) -> None:
        tries.append(run_id)
        raise ValueError("bad key sk-worker-canary-1234")

    async def give_up(run_id: str, message: str) -> None:
        given_up.append((run_id, message))
        await asyncio.wrap_future(store.append(run_id, 1, [Stopped("error", error=message)], urgent=True))

    create(store, "r1")
    worker = working(store, execute, give_up=give_up)
    until(lambda: store.queued() == [])
    worker.stop()
    assert tries == ["r1"] * 3
    assert given_up == [("r1", "bad key ***")]


def test_one_success_between_failures_starts_the_count_again(store: Store) -> None:
    results = iter([ValueError("1"), ValueError("2"), None, ValueError("3"), ValueError("4"), None])
    done: list[int] = []

    async def execute(run_id: str) -> None:
        done.append(1)
        if error := next(results):
            raise error

    create(store, "r1")
    worker = working(store, execute)
    until(lambda: len(done) == 3 and store.queued() == [])
    store.enqueue("r1")
    until(lambda: len(done) == 6 and store.queued() == [])
    worker.stop()


def test_a_run_that_was_lost_to_another_driver_is_left_to_it(store: Store) -> None:
    tries: list[str] = []

    async def execute(run_id: str) -> None:
        tries.append(run_id)
        raise Lost("taken over")

    create(store, "r1")
    worker = working(store, execute)
    until(lambda: store.queued() == [])
    worker.stop()
    assert tries == ["r1"]


def test_unfinished_runs_without_a_ticket_are_taken_up_and_said_to_be_resumed(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "refine.worker")
    runs = Runs(store)
    store.create("cut", SPEC, queue=False)
    store.append("cut", 1, [Called("0", CheckCall("grammar", "x"))], urgent=True).result()
    store.create("ended", SPEC, queue=False)
    store.append("ended", 1, [Stopped("approved")], urgent=True).result()
    create(store, "new")
    worker = working(store, runs)
    until(lambda: store.queued() == [] and sorted(runs.begun) == ["cut", "new"])
    worker.stop()
    assert [record.getMessage() for record in caplog.records if "resumed" in record.getMessage()] == [
        "worker: resumed cut"
    ]


def test_a_run_that_another_process_drives_is_skipped_until_its_lock_is_free(store: Store) -> None:
    runs = Runs(store)
    with run_lock(store.home, "mine") as ours:
        assert ours
        create(store, "mine", "free")
        worker = working(store, runs)
        until(lambda: [ticket.run_id for ticket in store.queued()] == ["mine"])
        assert runs.begun == ["free"]
    until(lambda: store.queued() == [])
    worker.stop()
    assert runs.begun == ["free", "mine"]
    assert list((store.home / "locks").iterdir()) == []


def test_a_run_is_locked_while_it_is_executed(store: Store) -> None:
    runs = Runs(store, held=True)
    create(store, "r1")
    worker = working(store, runs)
    runs.wait_for(1)
    with run_lock(store.home, "r1") as ours:
        assert not ours
    runs.free()
    worker.stop()
    with run_lock(store.home, "r1") as ours:
        assert ours


def test_one_worker_a_folder_and_the_second_takes_over_when_it_ends(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as one, closing(Store.open(tmp_path)) as two:
        first, second = working(one, Runs(one)), working(two, Runs(two))
        assert (first.active, second.active) == (True, False)
        first.stop()
        until(lambda: second.active)
        create(one, "r1")
        until(lambda: one.unfinished() == [])
        second.stop()


def test_a_run_cut_at_the_end_stays_queued_for_the_next_start(store: Store) -> None:
    cut: list[str] = []

    async def execute(run_id: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cut.append(run_id)

    create(store, "r1")
    worker = working(store, execute)
    until(lambda: (store.home / "locks" / "r1.lock").exists())
    worker.stop(grace=0.05)
    worker.stop()
    assert cut == ["r1"]
    assert [ticket.run_id for ticket in store.queued()] == ["r1"]
    again = Runs(store)
    worker = working(store, again)
    until(lambda: store.queued() == [])
    worker.stop()
    assert again.begun == ["r1"]


def test_a_run_may_end_within_the_grace(store: Store) -> None:
    runs = Runs(store, held=True)
    create(store, "r1")
    worker = working(store, runs)
    runs.wait_for(1)
    threading.Timer(0.1, runs.free).start()
    worker.stop(grace=PATIENCE)
    assert store.queued() == []


def test_what_runs_beside_lives_as_long_as_the_worker_and_is_started_again(store: Store) -> None:
    begun: list[int] = []
    ended = threading.Event()

    async def beside() -> None:
        begun.append(1)
        if len(begun) == 1:
            raise StoreError("locked")
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    worker = working(store, Runs(store), beside=[beside])
    until(lambda: len(begun) == 2)
    assert not ended.is_set()
    worker.stop()
    assert ended.is_set()


def test_one_of_several_beside_that_fails_is_started_again_and_cuts_no_other(store: Store) -> None:
    tries: list[int] = []
    others: list[str] = []

    async def failing() -> None:
        tries.append(1)
        raise StoreError("locked")

    async def other() -> None:
        others.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            others.append("cut")

    async def done() -> None:
        others.append("done")

    worker = working(store, Runs(store), beside=[other, failing, done])
    until(lambda: len(tries) == 3)
    assert others == ["begun", "done"]
    worker.stop()
    assert others == ["begun", "done", "cut"]


APP = """
import asyncio, signal, sys, threading
from pathlib import Path
from refine.store import Store
from refine.worker import Worker
store = Store.open(Path(sys.argv[1]))
async def execute(run_id):
    print(run_id, flush=True)
    await asyncio.Event().wait()
worker = Worker(store, execute, store.home)
ended = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: ended.set())
worker.start()
print("active", worker.active, flush=True)
ended.wait()
worker.stop(grace=0.1)
store.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM, SIGKILL")
@pytest.mark.parametrize(("how", "status"), [(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)])
def test_after_any_end_of_the_process_the_run_goes_on_in_the_next(
    store: Store, how: signal.Signals, status: int
) -> None:
    create(store, "r1")
    app = subprocess.Popen([sys.executable, "-c", APP, str(store.home)], stdout=subprocess.PIPE, text=True)
    assert app.stdout
    assert sorted(app.stdout.readline().strip() for _ in range(2)) == ["active True", "r1"]
    waiting = working(store, runs := Runs(store))
    assert not waiting.active
    app.send_signal(how)
    assert app.wait(PATIENCE) == status
    until(lambda: store.queued() == [] and store.unfinished() == [])
    waiting.stop()
    assert runs.begun == ["r1"]
