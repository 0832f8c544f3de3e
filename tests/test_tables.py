"""Tables: one declared column each."""

from __future__ import annotations

from decimal import Decimal

from refine import tables, views
from refine.events import Called, Event, Record, Replied, RoundEnded, Started, Stopped
from refine.ledger import Attempt, Cost
from refine.store import RunRow, Total
from refine.types import CheckCall, Finding, Message, ModelCall, Reply, Round, RunSpec, Task, Usage, Verdict

CALL = ModelCall("critic", (Message("user", ("go",)),))


def view_of(*events: Event) -> views.RunView:
    started = Started(RunSpec("refine", "polish", Task(draft="one two three four")))
    return views.read([Record("r", n, float(n), event) for n, event in enumerate((started, *events))])


def two_rounds(cost: Decimal | None) -> views.RunView:
    usage = Usage(10, 5, cost=cost)
    found = (Finding(quote="two", severity="must"), Finding(quote="one", severity="may"))
    return view_of(
        Called("1", CALL),
        Replied("1", Reply("x", usage=usage, seconds=1.25)),
        RoundEnded("2", "0", Round("one two three four", Verdict("revise", 5.0, found))),
        Called("3", CALL),
        Replied("3", Reply("x", usage=usage, seconds=2.0)),
        RoundEnded("4", "0", Round("one 2 three four five", Verdict("approved", 9.0))),
        Stopped("approved", 1),
    )


def test_a_row_a_round_and_a_column_for_each_declared_one() -> None:
    frame = tables.rounds(two_rounds(Decimal("0.002")))
    assert [*frame.columns] == [column.name for column in tables.ROUND_COLUMNS]
    assert [*frame["verdict"]] == ["revise", "approved"]
    assert [*frame["result"]] == ["", "kept"]
    assert [*frame["score"]] == [5.0, 9.0]
    assert [*frame["must"]] == [1, 0]
    assert [*frame["may"]] == [1, 0]
    assert [*frame["words"]] == [4, 5]
    assert [*frame["tokens_in"]] == [10, 10]
    assert [*frame["tokens_out"]] == [5, 5]
    assert [*frame["cost"]] == [0.002, 0.002]


def test_the_change_is_against_the_round_before_and_empty_for_the_first() -> None:
    first, second = tables.rounds(two_rounds(None))["changed"]
    assert first != first  # not a number
    assert 0 < second < 100


def test_an_unknown_cost_is_said_and_is_not_zero() -> None:
    assert [*tables.rounds(two_rounds(None))["cost"]] == [tables.UNKNOWN, tables.UNKNOWN]


def test_a_run_without_rounds_is_an_empty_table_with_all_columns() -> None:
    frame = tables.rounds(view_of(Called("0", CheckCall("grammar", "one"))))
    assert len(frame) == 0
    assert len(frame.columns) == len(tables.ROUND_COLUMNS)


def test_the_list_of_runs_has_a_column_for_each_declared_one() -> None:
    row = RunRow("r", "T", "refine", "polish", 5.0, "done", "approved", 2, None, scores=(5, 8.5), seconds=1.26)
    frame = tables.runs([row])
    assert [*frame.columns] == [column.name for column in tables.RUN_COLUMNS]
    assert frame.loc[0, "scores"] == [5, 8.5]
    assert (frame.loc[0, "cost"], frame.loc[0, "seconds"]) == (tables.UNKNOWN, 1.3)


def test_sums_and_attempts_are_tables_and_what_is_unknown_is_no_number() -> None:
    euro = Cost(Decimal("0.5"), complete=False, currency="EUR")
    found = [
        Total({"day": "2026-11-20"}, 3, 1, Usage(10, 5), Cost(Decimal("0.25"))),
        Total({"day": "2026-11-21"}, 1, cost=euro),
    ]
    frame = tables.totals(found)
    assert [*frame.columns] == ["day", *[column.name for column in tables.TOTAL_COLUMNS]]
    assert [*frame["cost"]] == [0.25, tables.UNKNOWN] and [*frame["at_least"]] == [0.25, 0.5]
    assert tables.totals([]).empty
    one = Attempt("run", 3, 9.0, "polish", "writer", "far", "m", Usage(10, 5, cost=Decimal(1)), 2.0, 0.5)
    lost = Attempt("run", 5, 9.0, "polish", "writer", "far", "m", None, failure="lost")
    frame = tables.attempts([one, lost])
    assert [*frame["cost"]] == [1.0, tables.UNKNOWN] and frame.loc[0, "tokens_out"] == 5
