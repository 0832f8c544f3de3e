"""What the pages say of a comparison, and what of its numbers decides where something stands: without a page."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pandas as pd  # type: ignore[import-untyped]
import pytest

from refine import scoreboard
from refine.cells import cells
from refine.comparisons import Estimate
from refine.ledger import Cost
from refine.ui import compare_board, compare_cells, compare_charts, compare_words
from tests.comparing import ID, comparison, result

NOTHING = Cost()


def estimate(low: str, high: str, complete: bool = True, seconds: tuple[float, float] | None = None) -> Estimate:
    costs = Cost(Decimal(low)), Cost(Decimal(high), complete)
    return Estimate(80, (240, 640), (812_345, 2_100_000), costs, seconds)


def test_an_estimate_tells_runs_calls_tokens_money_and_time() -> None:
    assert compare_words.taking(estimate("0.70", "1.60", seconds=(480, 560))) == (
        "**80 runs** · 240–640 calls · 810,000–2,100,000 tokens · **\\$0.70–1.60** · about 8–9 min"
    )


def test_a_unit_of_time_is_told_once_where_it_is_the_same() -> None:
    assert compare_words.span_of_times("8 min", "8 min") == "8 min"
    assert compare_words.span_of_times("50 s", "2 min") == "50 s–2 min"


def test_a_price_that_is_not_known_is_not_told_as_none() -> None:
    assert "free of charge" in compare_words.taking(estimate("0", "0"))
    assert "price not known" in compare_words.taking(estimate("0", "0", complete=False))
    assert "at least **\\$0.10–0.20**" in compare_words.taking(estimate("0.1", "0.2", complete=False))


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (59, "59 s"), (61, "1 min"), (3_000, "50 min"), (7_200, "2.0 h")]
)
def test_a_time_is_told_as_roughly_as_it_is_known(seconds: float, said: str) -> None:
    assert compare_words.minutes(seconds) == said


def test_the_time_left_goes_by_the_pace_of_the_last_runs() -> None:
    assert compare_words.seconds_left([10, 20, 30], 4, now=30) == 40
    assert compare_words.seconds_left([10], 4, now=30) is None
    assert compare_words.seconds_left([10, 20], 0, now=30) is None
    early = [float(n) for n in range(100)]  # one a second, long ago
    late = [1_000 + 10.0 * n for n in range(20)]
    assert compare_words.seconds_left([*early, *late], 2, now=1_190) == 20


def test_variants_are_called_by_their_titles_where_these_tell_them_apart() -> None:
    made = comparison(("plain", "polish"))
    titled = [replace(one, title={"en": one.name.title(), "zh": "同"}) for one in made.variants]
    assert compare_words.titles(replace(made, variants=tuple(titled))) == {"plain": "Plain", "polish": "Polish"}
    assert compare_words.titles(replace(made, variants=tuple(titled)), "zh") == {"plain": "plain", "polish": "polish"}
    varied = replace(titled[1], name="Polish · temperature 1")
    named = compare_words.titles(replace(made, variants=(titled[0], varied)))
    assert named["Polish · temperature 1"] == "Polish · temperature 1"


def test_a_board_is_called_by_titles_everywhere_and_its_runs_stay_the_same() -> None:
    made = comparison(("plain", "polish"), tasks=3)
    found = [result(run_id, cell, score=7.0 + (cell.variant == "polish") * int(cell.task[-1]))
             for run_id, cell in cells(ID, made).items()]  # fmt: skip
    board = scoreboard.board(ID, made, found, language="en")
    called = compare_board.titled(board, {"plain": "One", "polish": "Two"})
    assert [row.name for row in called.variants] == ["One", "Two"]
    assert called.against == called.comparison.against == "One"
    assert {one.name for one in called.differences} == {"Two"}
    assert called.sentence == board.sentence.replace("polish", "Two").replace("plain", "One")
    assert [cell.run_id for cell in called.cells] == [cell.run_id for cell in board.cells]
    assert called.row("Two").judge == board.row("polish").judge


# --- the matrix ------------------------------------------------------------------------------------------------------


def frame() -> pd.DataFrame:
    return pd.DataFrame({"one": [7.0, 8.0], "two": [8.0, float("nan")]}, index=["a", "b"])


def test_a_cell_tells_its_value_and_its_difference_to_the_baseline() -> None:
    shown, apart = compare_cells.written(frame(), "one", "{:.1f}")
    assert shown.to_numpy().tolist() == [["7.0", "8.0  (+1.0)"], ["8.0", ""]]
    assert apart["one"].isna().all()
    assert compare_cells.in_cell(-3, float("nan"), "{:+.0f}") == "−3"


def test_the_better_a_cell_the_greener_and_the_baseline_has_no_tint() -> None:
    _shown, apart = compare_cells.written(frame(), "one", "{:.1f}")
    better = compare_cells.tints(apart, 1)
    assert compare_cells.GOOD in better.loc[0, "two"]
    assert compare_cells.BAD in compare_cells.tints(apart, -1).loc[0, "two"]
    assert {*better["one"], *better["draft"], better.loc[1, "two"]} == {""}
    assert {*compare_cells.tints(apart, 0)["two"]} == {""}


def test_labels_that_would_be_written_over_each_other_stand_above_and_below() -> None:
    points = pd.DataFrame({"cost": [0.001, 0.0047, 0.0052, 0.008], "quality": [9.3, 9.92, 9.90, 9.2]})
    assert compare_charts.crowded(points) == [False, False, True, False]
