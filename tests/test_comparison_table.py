"""Comparisons and votes in the store: kept through damage, told apart by id, and cheap to ask about."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from refine.errors import StoreError
from refine.events import Called, Record, Replied, Started
from refine.ledger import add_costs
from refine.store import Store
from refine.store.comparison_table import ComparisonRow
from refine.store.database import PAGE_BYTES
from refine.types import Message, ModelCall, Reply, Role, RunSpec, Task, Usage, Vote
from tests.comparing import ID, comparison

SPEC = RunSpec("refine", "polish", Task(draft="A draft. " * 400))
PAID = RunSpec("refine", "polish", Task(draft="A draft."), (Role("writer", "W", "far", "big"),))
PLAN = comparison()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path)
    yield store
    store.close()


def test_a_mended_store_keeps_comparisons_and_votes(tmp_path: Path) -> None:
    votes = [Vote("one", "two", "first"), Vote("one", "three", "same", "as good")]
    with closing(Store.open(tmp_path)) as store:
        store.comparisons.create(ID, PLAN)
        store.comparisons.stand(ID, "stopped")
        for vote in votes:
            store.comparisons.vote(ID, vote)
        for n in range(60):
            store.create(f"r{n:02}", SPEC, queue=False)
    damage(tmp_path / "refine.db")
    with closing(Store.open(tmp_path)) as store:
        assert store.notice
        assert store.comparisons.read(ID) == PLAN
        assert store.comparisons.standing(ID) == "stopped"
        assert store.comparisons.votes(ID) == votes


def damage(file: Path) -> None:
    """Of the lines of runs, which were written last."""
    with file.open("r+b") as open_file:
        open_file.seek(-PAGE_BYTES, os.SEEK_END)
        open_file.write(os.urandom(PAGE_BYTES))


def test_a_comparison_whose_plan_is_damaged_is_left_out_of_a_mended_store(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as store:
        store.comparisons.create("whole", PLAN)
        store.comparisons.create("broken", PLAN)
        store._write(lambda db: db.exec_driver_sql("update comparisons set data = '{' where id = 'broken'"))
        for n in range(60):
            store.create(f"r{n:02}", SPEC, queue=False)
    damage(tmp_path / "refine.db")
    with closing(Store.open(tmp_path)) as store:
        assert store.notice
        assert [row.id for row in store.comparisons.all()] == ["whole"]


def test_a_second_comparison_of_one_id_is_refused_by_itself_and_not_as_a_failed_commit(store: Store) -> None:
    store.comparisons.create(ID, PLAN)
    with pytest.raises(StoreError, match=f"There is a comparison {ID} already"):
        store.comparisons.create(ID, comparison(tasks=1))
    assert store.comparisons.read(ID) == PLAN
    assert store.comparisons.exists(ID) and not store.comparisons.exists("other")


# --- what the list tells ---------------------------------------------------------------------------------------------


def row(store: Store, comparison_id: str = ID) -> ComparisonRow:
    return next(row for row in store.comparisons.all() if row.id == comparison_id)


def test_the_list_tells_each_comparison_as_its_plan_is_now(store: Store) -> None:
    store.comparisons.create(ID, PLAN)
    assert row(store) == ComparisonRow(ID, "Newsletters", row(store).at, "open", 2, 6, 1)
    store.comparisons.stand(ID, "stopped")
    store.comparisons.extend(ID, PLAN, comparison(("a", "b", "c"), tasks=7, repeats=4))
    assert row(store) == ComparisonRow(ID, "Newsletters", row(store).at, "open", 3, 7, 4)


def test_the_list_reads_no_plan(store: Store) -> None:
    store.comparisons.create(ID, PLAN)
    store._write(lambda db: db.exec_driver_sql("update comparisons set data = '{'"))
    assert row(store).tasks == 6


def test_a_list_that_was_dropped_is_made_again_from_the_plans(tmp_path: Path) -> None:
    with closing(Store.open(tmp_path)) as store:
        store.comparisons.create(ID, PLAN)
        store.comparisons.create("broken", PLAN)
        store._write(lambda db: db.exec_driver_sql("update comparisons set data = '{' where id = 'broken'"))
        store._write(lambda db: db.exec_driver_sql("drop table compared"))
    with closing(Store.open(tmp_path)) as store:
        assert [(row.id, row.title, row.variants, row.tasks) for row in store.comparisons.all()] == [
            (ID, "Newsletters", 2, 6)
        ]


# --- what was used ---------------------------------------------------------------------------------------------------


def used(store: Store, run_id: str) -> None:
    reply = Replied("0", Reply("x", usage=Usage(100, 20, cost=Decimal("0.25")), seconds=1.0))
    events = Started(PAID), Called("0", ModelCall("writer", (Message("user", ("x",)),))), reply
    store.add([Record(run_id, seq, 1.0, event) for seq, event in enumerate(events)])


@pytest.mark.parametrize("by", [(), ("model",), ("run_id",), ("role", "run_id")])
def test_what_a_comparison_used_is_what_its_runs_used_however_often_it_is_asked(
    store: Store, by: tuple[str, ...]
) -> None:
    for n in range(3):
        used(store, f"cmp-{n}")
        used(store, f"cmp2-{n}")
        used(store, f"alone{n}")
        found = store.comparisons.totals(ID, *by)
        assert sum(total.calls for total in found) == n + 1
        assert add_costs(total.cost for total in found).value == Decimal("0.25") * (n + 1)
        assert sum(total.usage.input_tokens for total in found) == 100 * (n + 1)
        assert store.comparisons.totals(ID, *by) == found
    with closing(Store.open(store.home)) as another:
        assert another.comparisons.totals(ID, *by) == found


def test_what_was_added_up_once_is_not_read_again(store: Store) -> None:
    used(store, "cmp-0")
    (before,) = store.comparisons.totals(ID)
    store._write(lambda db: db.exec_driver_sql("update attempts set input_tokens = 9999"))
    used(store, "cmp-1")
    (after,) = store.comparisons.totals(ID)
    assert (before.usage.input_tokens, after.usage.input_tokens) == (100, 200)
    assert store.comparisons.totals("nothing") == []
