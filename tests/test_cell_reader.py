"""Cells are read again only where their logs have grown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from refine.cell_reader import Reader
from refine.cells import cells, measure_id, pair_id, spec_of
from refine.errors import SettingsError
from refine.events import Event, Noted, Record, RoundEnded, Started, Stopped
from refine.store import Store
from refine.types import Comparison, Note, Round, Verdict, Vote
from tests.comparing import ID, TEXT, comparison


class Counted:
    """A store that notes which logs were read."""

    def __init__(self, store: Store) -> None:
        self._store, self.logs = store, list[str]()

    def records(self, run_id: str, after: int = -1) -> list[Record]:
        self.logs.append(run_id)
        return self._store.records(run_id, after)

    def taken(self) -> list[str]:
        taken, self.logs = self.logs, []
        return taken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path)
    yield opened
    opened.close()


def put(store: Store, run_id: str, *events: Event) -> None:
    seq = store.last_seq(run_id) + 1
    if seq:
        store.append(run_id, seq, events, urgent=True).result()
    else:
        store.add([Record(run_id, n, float(n), event) for n, event in enumerate(events)])


def begin(store: Store, plan: Comparison, run_id: str) -> None:
    put(store, run_id, Started(spec_of(ID, plan, cells(ID, plan)[run_id])))


def end(store: Store, run_id: str, text: str = TEXT, kind: str = "approved") -> None:
    put(store, run_id, RoundEnded("1", "0", Round(text, Verdict(cast(Any, kind)))), Stopped("approved", 0))


def measured(store: Store, plan: Comparison, run_id: str, score: float) -> None:
    assert plan.judge
    spec = replace(plan.judge, task=replace(plan.tasks[0], draft=TEXT), options={"original": "x", "comparison": ID})
    rounds = [
        RoundEnded("1", "0", Round("x", Verdict("revise"))),
        RoundEnded("2", "0", Round(TEXT, Verdict("revise", score))),
    ]
    put(store, measure_id(plan, run_id), Started(spec), *rounds, Stopped("finished", 1))


def reader_of(store: Store, plan: Comparison) -> tuple[Counted, Reader]:
    store.comparisons.create(ID, plan)
    counted = Counted(store)
    return counted, Reader(cast(Store, counted))


def test_only_cells_that_have_grown_are_read_again(store: Store) -> None:
    plan = comparison(tasks=2)
    counted, reader = reader_of(store, plan)
    one, two, *_ = cells(ID, plan)
    assert reader.results(ID) == () and reader.board(ID).row("plain").open == 2
    begin(store, plan, one)
    assert [result.status for result in reader.results(ID)] == ["queued"] and counted.taken() == [one]
    reader.results(ID)
    assert counted.taken() == []
    end(store, one)
    begin(store, plan, two)
    assert [result.status for result in reader.results(ID)] == ["done", "queued"] and counted.taken() == [one, two]
    measured(store, plan, one, 7.5)
    assert reader.results(ID)[0].score == 7.5 and counted.taken() == [one, measure_id(plan, one)]
    reader.board(ID)
    assert counted.taken() == []


def test_a_result_that_the_author_picks_after_the_end_is_seen(store: Store) -> None:
    plan = comparison(tasks=1)
    _, reader = reader_of(store, plan)
    one, *_ = cells(ID, plan)
    begin(store, plan, one)
    put(store, one, RoundEnded("1", "0", Round("first", Verdict("revise"))))
    put(store, one, RoundEnded("2", "0", Round("second", Verdict("approved"))), Stopped("approved", 1))
    assert reader.results(ID)[0].text == "second"
    put(store, one, Noted("2", (Note("pick", "0"),)))
    assert reader.results(ID)[0].text == "first"


def test_the_board_is_the_same_object_until_something_changes(store: Store) -> None:
    plan = comparison(tasks=1)
    _, reader = reader_of(store, plan)
    one, two = cells(ID, plan)
    for run_id, score in ((one, 6.0), (two, 8.0)):
        begin(store, plan, run_id)
        end(store, run_id)
        measured(store, plan, run_id, score)
    board = reader.board(ID)
    assert reader.board(ID) is board
    store.comparisons.stand(ID, "ended")
    assert reader.board(ID) is board
    assert reader.board(ID, "zh") is not board and reader.board(ID, against="polish").against == "polish"
    store.comparisons.vote(ID, Vote(one, two, "second"))
    assert reader.board(ID) is not board and reader.board(ID).row(cells(ID, plan)[two].variant).votes.won == 1
    store.comparisons.extend(ID, plan, replace(plan, repeats=2))
    assert reader.board(ID).planned == 4


def test_a_pair_belongs_to_its_cell(store: Store) -> None:
    plan = comparison(tasks=1)
    counted, reader = reader_of(store, plan)
    one, *_ = cells(ID, plan)
    begin(store, plan, one)
    end(store, one)
    assert plan.judge
    put(store, pair_id(plan, one), Started(replace(plan.judge, technique="prefer")),
        RoundEnded("1", "0", Round(TEXT, Verdict("revise", scores={"mine": 2.0}))), Stopped("finished", 0))  # fmt: skip
    assert reader.results(ID)[0].preference == "mine" and counted.taken() == [one, pair_id(plan, one)]


def damage(store: Store, run_id: str) -> None:
    store._write(lambda db: db.exec_driver_sql("update log set event = '{' where run_id = ? and seq = 1", (run_id,)))


def test_a_damaged_run_is_a_failed_cell_and_hides_no_other(store: Store) -> None:
    plan = comparison(tasks=1)
    _, reader = reader_of(store, plan)
    one, two = cells(ID, plan)
    for run_id in (one, two):
        begin(store, plan, run_id)
        end(store, run_id)
        measured(store, plan, run_id, 7.0)
    damage(store, one)
    board = reader.board(ID)
    broken, whole = board.cells
    assert (broken.status, broken.text, broken.run_id, broken.cost.value) == ("failed", None, one, None)
    assert (broken.score, broken.judging.value) == (None, None), "what was measured belongs to no text"
    assert "damaged" in broken.error
    assert (whole.status, whole.score, whole.error) == ("done", 7.0, "")
    assert board.finished and [row.failed for row in board.variants] == [1, 0]


def test_a_damaged_measuring_leaves_its_cell_without_a_score(store: Store) -> None:
    plan = comparison(tasks=1)
    _, reader = reader_of(store, plan)
    one, two = cells(ID, plan)
    for run_id in (one, two):
        begin(store, plan, run_id)
        end(store, run_id)
        measured(store, plan, run_id, 7.0)
    damage(store, measure_id(plan, one))
    board = reader.board(ID)
    cell = board.cells[0]
    assert (cell.status, cell.text, cell.score, cell.judging.value) == ("done", TEXT, None, None)
    assert "damaged" in cell.error and cell.cost.value == 0
    assert board.finished and [row.unscored for row in board.variants] == [1, 0]


def test_an_unknown_comparison_is_said(store: Store) -> None:
    with pytest.raises(SettingsError, match="There is no comparison 'nothing'"):
        Reader(store).board("nothing")


def test_only_the_comparisons_looked_at_last_are_kept(store: Store) -> None:
    plan = comparison(tasks=1)
    counted, _ = reader_of(store, plan)
    reader = Reader(cast(Store, counted), keep=1)
    one, *_ = cells(ID, plan)
    begin(store, plan, one)
    store.comparisons.create("other", plan)
    reader.results(ID)
    reader.results("other")
    assert counted.taken() == [one]
    reader.results(ID)
    assert counted.taken() == [one]


def test_looking_again_at_500_cells_costs_a_fraction_of_reading_them(store: Store) -> None:
    plan = comparison([f"v{n}" for n in range(5)], tasks=20, repeats=5)
    _, reader = reader_of(store, plan)
    for run_id, cell in cells(ID, plan).items():
        spec = spec_of(ID, plan, cell)
        events = (Started(spec), RoundEnded("1", "0", Round(TEXT, Verdict("approved"))), Stopped("approved", 0))
        store.add([Record(run_id, n, float(n), event) for n, event in enumerate(events)])
        measured(store, plan, run_id, 7.0)
    began = time.process_time()
    assert len(reader.board(ID).cells) == 500
    read = time.process_time()
    store.comparisons.stand(ID, "ended")
    again = time.process_time()
    assert len(reader.board(ID).cells) == 500
    assert time.process_time() - again < (read - began) / 10
