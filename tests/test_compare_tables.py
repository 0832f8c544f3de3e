"""The tables of a comparison: what each column says of a known board."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from refine import compare_tables, tables
from refine.cell_results import Counts
from refine.cells import cells
from refine.ledger import Cost
from refine.scoreboard import Board, board
from refine.types import Cell, Comparison, Vote
from tests.comparing import DRAFT, ID, PRICE, TEXT, comparison, results


def made(plan: Comparison | None = None, votes: tuple[Vote, ...] = (), **more: Any) -> Board:
    plan = plan or comparison()
    return board(ID, plan, results(plan, **more), votes)


def better(cell: Cell) -> float:
    return (7.0 if cell.variant == "plain" else 7.5) + 0.1 * int(cell.task[-1]) + 0.2 * cell.repeat


def column(seen: Board, table: str, name: str) -> list[Any]:
    names, found = compare_tables.rows(seen, table)
    return [row[names.index(name)] for row in found]


@pytest.mark.parametrize("name", [*compare_tables.TABLES])
def test_each_table_is_the_same_as_rows_and_as_a_frame_also_when_it_is_empty(name: str) -> None:
    plan = comparison(tasks=2)
    one, two = [*cells(ID, plan)][:2]
    for seen in (made(plan, (Vote(one, two, "same"),), score=better), board(ID, plan, ())):
        names, found = compare_tables.rows(seen, name)
        frame = compare_tables.frame(seen, name)
        assert [*frame.columns] == names and len(frame) == len(found)
        assert len(set(names)) == len(names)
    assert compare_tables.rows(made(plan, (Vote(one, two, "same"),)), name)[1]


def test_a_row_a_cell_with_the_judges_dimensions_beside_its_score() -> None:
    seen = made(comparison(tasks=1), lost=("12 May", "nine"), after=Counts(1, 2, 3))
    names, _ = compare_tables.rows(seen, "cells")
    assert names[names.index("judge") + 1] == "judge_clarity" and column(seen, "cells", "judge_clarity") == [7.0, 7.0]
    assert column(seen, "cells", "repeat") == [1, 1] and column(seen, "cells", "lost_facts")[0] == "12 May; nine"
    assert column(seen, "cells", "must_after")[0] == 1 and column(seen, "cells", "may_after")[0] == 3
    assert column(seen, "cells", "changed")[0] == pytest.approx(10)
    assert column(seen, "cells", "at")[0] == datetime.fromtimestamp(1_795_000_000, UTC)


def test_an_unknown_cost_is_said_and_what_is_known_stands_beside_it() -> None:
    seen = made(comparison(tasks=1), cost=Cost(Decimal("0.5"), False))
    assert column(seen, "cells", "cost") == [tables.UNKNOWN] * 2 and column(seen, "cells", "at_least") == [0.5, 0.5]
    assert column(seen, "variants", "cost") == [tables.UNKNOWN] * 2
    assert compare_tables.matrix(seen, "cost")["plain"].isna().all()


def test_a_variants_row_holds_its_interval_its_rate_and_its_sums() -> None:
    seen = made(comparison(repeats=2), score=better)
    assert column(seen, "variants", "difference") == [None, pytest.approx(0.5)]
    assert column(seen, "variants", "low")[1] <= 0.5 <= column(seen, "variants", "high")[1]
    assert column(seen, "variants", "approved") == [1.0, 1.0] and column(seen, "variants", "approved_of") == [12, 12]
    assert column(seen, "variants", "rounds_spread") == [[0, 12], [0, 12]]
    assert column(seen, "variants", "cost_total") == [pytest.approx(0.036)] * 2
    assert column(seen, "variants", "reasons") == ["approved 12"] * 2


def test_the_matrix_shows_one_measure_by_draft_and_variant() -> None:
    seen = made(comparison(tasks=3, repeats=2), score=better)
    frame = compare_tables.matrix(seen)
    assert [*frame.columns] == ["draft", "plain", "polish"] and [*frame["draft"]] == ["Text 0", "Text 1", "Text 2"]
    assert [*frame["polish"]] == pytest.approx([7.6, 7.7, 7.8])
    for measure in compare_tables.MEASURES:
        assert len(compare_tables.matrix(seen, measure)) == 3
    assert [*compare_tables.matrix(seen, "approved")["plain"]] == [1.0, 1.0, 1.0]


def test_a_variant_may_be_called_like_a_column() -> None:
    seen = made(comparison(("draft", "variant"), tasks=1), score=8.0)
    frame = compare_tables.matrix(seen)
    assert [*frame.columns] == ["draft_", "draft", "variant"] and [*frame.iloc[0]] == ["Text 0", 8.0, 8.0]
    assert compare_tables.rows(seen, "matrix")[0] == ["draft_", "draft", "variant"]


PRINTED = """
import sys
from refine import compare_command, compare_files, compare_tables, conductor, scoreboard
from tests.comparing import ID, comparison, results
seen = scoreboard.board(ID, comparison(), results(comparison()))
for name in compare_tables.TABLES:
    compare_tables.rows(seen, name)
print(*sorted({"pandas", "streamlit"} & sys.modules.keys()))
"""


def test_who_prints_a_table_loads_no_pandas() -> None:
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", PRINTED], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_rounds_of_all_runs_stand_in_one_table_with_their_change() -> None:
    seen = made(comparison(tasks=1))
    assert column(seen, "rounds", "round") == [0, 1, 0, 1] and column(seen, "rounds", "result") == ["", "kept"] * 2
    first, second, *_ = column(seen, "rounds", "changed")
    assert first is None and 0 < second < 20
    assert column(seen, "rounds", "must")[:2] == [1, 0] and column(seen, "rounds", "cost")[:2] == [0.001, 0.002]


def test_transitions_name_draft_and_values() -> None:
    seen = made(comparison(tasks=2), score=lambda cell: 8.0 if cell == Cell("polish", "Text 1", 0) else 7.0)
    assert compare_tables.rows(seen, "transitions")[1] == [
        ["polish", "Text 1", "better", 7.0, 8.0],
        ["polish", "Text 0", "same", 7.0, 7.0],
    ]


def test_the_front_the_spread_and_the_votes() -> None:
    plan = comparison(tasks=1, repeats=2)
    one, two, *_ = cells(ID, plan)
    votes = (Vote(one, two, "second", "shorter"), Vote("gone", two, "first"))
    seen = made(plan, votes, score=better, cost=lambda cell: Cost(Decimal(2 if cell.variant == "plain" else 1)))
    assert column(seen, "front", "front") == [False, True] and column(seen, "front", "cost") == [2.0, 1.0]
    assert column(seen, "repeats", "repeats") == [2, 2] and column(seen, "repeats", "deviation")[0] == pytest.approx(
        0.02**0.5
    )
    assert column(seen, "votes", "chosen") == ["polish"] and column(seen, "votes", "note") == ["shorter"]


def test_texts_prompts_and_prices_are_there_in_full() -> None:
    seen = made(comparison(tasks=1))
    assert column(seen, "texts", "original") == [DRAFT] * 2 and column(seen, "texts", "text") == [TEXT] * 2
    assert column(seen, "prompts", "variant") == ["plain", "plain", "polish", "polish", "judge"]
    assert column(seen, "prompts", "prompt")[0] == "Write plain." and column(seen, "prompts", "temperature")[0] == 0.7
    assert column(seen, "prices", "input") == [1.0] and column(seen, "prices", "source") == [PRICE.price.source]
    assert compare_tables.rows(made(comparison(tasks=1), text=None, measured=False, score=None), "texts")[1] == []


def test_what_was_not_measured_is_empty() -> None:
    seen = made(replace(comparison(tasks=1), judge=None), score=None, after=None, before=None, lost=None)
    assert column(seen, "cells", "must_after") == [None, None] and column(seen, "cells", "lost") == [None, None]
    assert column(seen, "variants", "findings_after") == [None, None]
    assert column(seen, "front", "quality") == [None, None]
