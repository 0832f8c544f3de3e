"""What all runs used, from the store's own table: in any groups, exact, and made again from the logs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from refine.events import Called, Event, Failed, Replied, Stopped
from refine.ledger import LOST, Cost, Ledger
from refine.store import Store
from refine.types import Message, ModelCall, Reply, Role, RunSpec, Task, Usage

NOON = time.mktime((2026, 11, 20, 12, 0, 0, 0, 0, -1))
DAY = 86_400.0
SPEC = RunSpec(
    "refine",
    "polish",
    Task(draft="Dear reader."),
    (Role("writer", "W", "far", "big"), Role("critic", "C", "near", "small")),
)


class Clock:
    now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    store = Store.open(tmp_path, now=clock)
    yield store
    store.close()


def call(role: str) -> ModelCall:
    return ModelCall(role, (Message("user", ("long " * 200,)),), schema={"type": "object", "title": "long " * 200})


def paid(cost: str | None, currency: str = "USD") -> Usage:
    return Usage(100, 20, 30, 5, cost=None if cost is None else Decimal(cost), currency=currency)


def run(store: Store, run_id: str, *events: Event) -> None:
    store.create(run_id, SPEC, queue=False)
    go_on(store, run_id, *events)


def go_on(store: Store, run_id: str, *events: Event) -> None:
    records = store.records(run_id)
    log = store.run_log(run_id, len(records), Ledger(SPEC, records))
    for event in events:
        log.append(event)
    store.enqueue(run_id)  # returns when all before it is written


ROUND = (
    Called("0", call("writer")),
    Failed("0", "server", "500", Usage(cost=Decimal(0)), wait=1.0),
    Called("0", call("writer")),
    Replied("0", Reply("x", usage=paid("0.0000000125", "EUR"), seconds=2.0)),
    Called("1", call("critic")),
    Replied("1", Reply("x", usage=paid("0.5"), seconds=1.0)),
)


def test_attempts_are_counted_in_the_groups_asked_for(store: Store) -> None:
    run(store, "a", *ROUND)
    run(store, "b", *ROUND[4:])
    found = {tuple(total.keys.values()): total for total in store.totals("endpoint", "model")}
    far, near = found["far", "big"], found["near", "small"]
    assert (far.calls, far.failed, far.usage) == (2, 1, Usage(100, 20, 30, 5))
    assert far.cost == Cost(Decimal("0.0000000125"), currency="EUR")
    assert (near.calls, near.failed, near.seconds, near.cost) == (2, 0, 2.0, Cost(Decimal(1)))
    assert [total.keys["run_id"] for total in store.totals("run_id")] == ["a", "b"]
    assert {total.keys["role"]: total.calls for total in store.totals("role")} == {"writer": 2, "critic": 2}
    assert [total.keys for total in store.totals("variant")] == [{"variant": "polish"}]


def test_two_currencies_stay_two_and_what_is_unknown_makes_a_sum_at_least(store: Store) -> None:
    run(store, "a", *ROUND, Called("2", call("critic")), Replied("2", Reply("x", usage=paid(None))))
    (total,) = store.totals()
    assert {*total.cost.amounts} == {("EUR", Decimal("0.0000000125")), ("USD", Decimal("0.5"))}
    assert not total.cost.complete


def test_days_are_those_of_the_calendar(store: Store, clock: Clock) -> None:
    run(store, "a", *ROUND[4:])
    clock.now += DAY
    run(store, "b", *ROUND[4:])
    go_on(store, "a", *ROUND[4:])
    assert {total.keys["day"]: total.calls for total in store.totals("day")} == {"2026-11-20": 1, "2026-11-21": 2}
    assert [total.calls for total in store.totals(since=clock.now)] == [2]
    assert store.totals(since=clock.now + DAY) == []


def test_a_call_whose_process_died_is_counted_when_it_is_made_again(store: Store) -> None:
    run(store, "a", Called("0", call("writer")))
    assert store.totals() == []
    go_on(store, "a", *ROUND[2:4], Stopped("approved"))
    assert [one.failure for one in store.attempts()] == [LOST, ""]
    assert not store.totals()[0].cost.complete


def test_what_others_used_since_is_found_and_not_what_was_made_here(store: Store, tmp_path: Path) -> None:
    with closing(Store.open(tmp_path, now=Clock())) as other:
        run(other, "a", *ROUND)
        (before,) = store.totals(by_others=True)
        run(other, "b", *ROUND[4:])
        run(store, "mine", *ROUND)
    assert [total.calls for total in store.totals(after=before.last, by_others=True)] == [1]
    assert [total.calls for total in store.totals()] == [7]


def test_a_run_from_elsewhere_and_one_of_an_older_store_are_in_it(store: Store, tmp_path: Path) -> None:
    run(store, "a", *ROUND, Stopped("approved"))
    there = store.totals("run_id", "role")
    seen = store.attempts()
    store.close()
    with closing(sqlite3.connect(tmp_path / "refine.db")) as db:
        db.execute("drop table attempts")
        db.execute("pragma user_version = 2")
        db.commit()
    again = Store.open(tmp_path)
    assert [(one.keys, one.calls, one.cost) for one in again.totals("run_id", "role")] == [
        (one.keys, one.calls, one.cost) for one in there
    ]
    assert again.attempts() == seen
    again.close()
    other = Store.open(tmp_path / "other")
    copied = Store.open(tmp_path)
    other.add(copied.records("a"))
    assert other.attempts() == seen
    other.close()
    copied.close()


def test_the_latest_runs_of_a_model_are_found(store: Store) -> None:
    for run_id in "abcd":
        run(store, run_id, *(ROUND if run_id in "ad" else ROUND[4:]))
    go_on(store, "a", *ROUND[4:])
    assert store.runs_of("far", "big") == ["d", "a"]
    assert store.runs_of("near", "small", 2) == ["a", "d"]
    assert store.runs_of("near", "big") == []


def test_the_latest_runs_of_a_model_are_found_as_they_were_at_any_moment(store: Store, clock: Clock) -> None:
    moments = []
    for run_id in "abc":
        moments.append(clock.now)
        run(store, run_id, *ROUND)
        clock.now += 60
    assert [store.runs_of("far", "big", before=moment) for moment in moments] == [[], ["a"], ["b", "a"]]


def test_attempts_can_be_listed_by_what_they_belong_to(store: Store) -> None:
    run(store, "a", *ROUND)
    assert [one.failure for one in store.attempts(endpoint="far")] == ["server", ""]
    assert [one.usage for one in store.attempts(1, role="critic")] == [paid("0.5")]
