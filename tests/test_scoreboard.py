"""The scoreboard of a comparison: known cells, known answers."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from refine import stats
from refine.cell_results import Counts
from refine.cells import cells
from refine.ledger import Cost
from refine.scoreboard import Board, board
from refine.types import Cell, Comparison, Task, Vote
from refine.variant_rows import Means, Tally
from tests.comparing import ID, comparison, judge, result, results, variant


def run_of(plan: Comparison, name: str, task: str, repeat: int = 0) -> str:
    return next(run_id for run_id, cell in cells(ID, plan).items() if cell == Cell(name, task, repeat))


def made(plan: Comparison | None = None, votes: tuple[Vote, ...] = (), language: str = "", **more: Any) -> Board:
    plan = plan or comparison()
    return board(ID, plan, results(plan, **more), votes, language)


def better(cell: Cell) -> float:
    """Polish is better by 1 on average, and by more on the later texts."""
    n = int(cell.task[-1])
    return 6.0 + 0.1 * n + (0.5 + 0.2 * n if cell.variant == "polish" else 0)


# --- what ranks ------------------------------------------------------------------------------------------------------


def test_the_judge_ranks_and_the_difference_is_paired_by_text() -> None:
    seen = made(score=better)
    assert seen.measure == "judge" and seen.against == "plain"
    row = seen.row("polish")
    assert row.judge == pytest.approx(7.25) and row.difference and row.difference.value == pytest.approx(1.0)
    assert row.difference.interval and row.difference.interval.low > 0
    assert seen.row("plain").difference is None
    assert seen.lead and seen.lead.best == "polish" and seen.lead.decisive
    assert seen.sentence.startswith("polish leads plain by 1.0 points")
    assert "judge-1" in seen.basis


def test_without_a_judge_the_findings_of_the_checks_rank_and_fewer_are_better() -> None:
    def after(cell: Cell) -> Counts:
        return Counts(1, int(cell.task[-1]) % 3, 5) if cell.variant == "plain" else Counts(0, 0, 9)

    plan = comparison(judge=replace(judge(), roles=()))
    seen = made(plan, score=None, after=after, length_after=100)
    assert seen.measure == "checks"
    assert seen.row("plain").faults == pytest.approx(4.0) and seen.row("polish").faults == 0  # may counts nothing
    assert seen.row("polish").difference and seen.row("polish").difference.value == pytest.approx(4.0)  # type: ignore[union-attr]
    assert "4.0 fewer weighted findings" in seen.sentence and "must counts 3" in seen.basis


def test_a_lost_fact_counts_as_a_must_finding_and_a_short_text_does_not_win_by_its_length() -> None:
    plan = comparison(judge=replace(judge(), roles=()))
    seen = made(plan, score=None, after=Counts(1, 1), lost=("12 May",), length_after=50)
    assert seen.row("plain").faults == pytest.approx(14.0)
    assert (seen.row("plain").lost, seen.row("plain").losing, seen.row("plain").measured) == (6, 6, 6)
    assert any("lost in: plain 6 of 6, polish 6 of 6" in warning for warning in seen.warnings)


def test_the_own_score_of_a_critic_ranks_nothing() -> None:
    seen = made(critic_score=lambda cell: 9.0 if cell.variant == "polish" else 1.0)
    assert seen.row("polish").difference and seen.row("polish").difference.value == 0  # type: ignore[union-attr]
    assert seen.row("polish").critic_score == 9.0
    unmeasured = made(comparison(judge=None), score=None, after=None, lost=None)
    assert unmeasured.measure == "" and unmeasured.lead is None and "nothing is ranked" in unmeasured.basis


def test_a_judge_that_scored_nothing_leaves_the_ranking_to_the_checks_once_all_has_ended() -> None:
    plan = comparison()
    assert made(plan, score=None).measure == "checks"
    assert any("scored no result" in warning for warning in made(plan, score=None).warnings)
    half = board(ID, plan, results(plan, score=None)[:3])
    assert half.measure == "judge" and half.lead is None and "Too early" in half.sentence


def test_a_variant_without_any_result_is_told_as_missing_and_leaves_the_lead_decisive() -> None:
    plan = comparison(("plain", "polish", "broken"))
    unscored = {"status": "failed", "text": None, "approved": False, "score": None, "after": None, "measured": False}
    cells_of = [
        replace(cell, **unscored) if cell.cell.variant == "broken" else cell for cell in results(plan, score=better)
    ]
    seen = board(ID, plan, cells_of)
    assert seen.lead and (seen.lead.best, seen.lead.decisive, seen.lead.tied) == ("polish", True, ())
    assert seen.sentence.startswith("polish leads plain by 1.0 points")
    assert [one.name for one in seen.differences] == ["polish"]
    assert any("have no score: broken 6 of 6" in warning for warning in seen.warnings)


# --- what is missing -------------------------------------------------------------------------------------------------


def test_failed_stopped_open_and_unscored_cells_are_counted_apart_and_never_as_zero() -> None:
    plan = comparison(repeats=2)
    cells_of = results(plan, score=8.0)
    plain = [cell for cell in cells_of if cell.cell.variant == "plain"]
    changed = {
        plain[0].run_id: {"status": "failed", "text": None, "approved": False, "score": None, "measured": False},
        plain[1].run_id: {"status": "cancelled", "approved": None, "score": None, "after": None},
        plain[2].run_id: {"status": "running", "approved": None, "score": None, "measured": False, "after": None},
        plain[3].run_id: {"score": None},
        plain[4].run_id: {"measured": False, "score": None},
    }
    row = board(ID, plan, [replace(c, **changed.get(c.run_id, {})) for c in cells_of if c is not plain[5]]).row("plain")
    assert (row.planned, row.done, row.failed, row.open, row.unscored) == (12, 7, 2, 3, 3)
    assert row.judge == 8.0
    assert row.approved and (row.approved.k, row.approved.n) == (8, 9)
    assert row.approved.interval == stats.wilson(8, 9)


def test_the_board_says_how_many_results_have_no_score() -> None:
    plan = comparison()
    seen = made(plan, score=lambda cell: None if cell == Cell("polish", "Text 0", 0) else 7.0)
    assert any("polish 1 of 6" in warning and "not counted as 0" in warning for warning in seen.warnings)
    assert seen.finished and seen.row("polish").difference and seen.row("polish").difference.drafts == 5  # type: ignore[union-attr]


def test_a_cell_waits_for_its_pair_unless_the_baseline_has_no_text() -> None:
    plan = comparison(tasks=2, pairs=True, judge=judge(pair=True))
    assert made(plan).row("polish").open == 2 and made(plan).row("plain").open == 0
    assert made(plan, paired=True).finished
    none = made(plan, text=lambda cell: None if cell == Cell("plain", "Text 0", 0) else "x")
    assert none.row("polish").open == 1


def test_a_board_without_any_cell_is_a_board() -> None:
    seen = board(ID, comparison(), ())
    assert [row.open for row in seen.variants] == [6, 6] and seen.planned == 12 and seen.front == ()
    assert (
        seen.row("plain").approved is None and seen.row("plain").run_cost is None and seen.row("plain").rounds is None
    )


# --- measures of a variant -------------------------------------------------------------------------------------------


def test_repeats_that_disagree_about_approval_lower_consistency_and_their_scores_spread() -> None:
    plan = comparison(tasks=2, repeats=2)
    first = Cell("plain", "Text 0", 0)
    seen = made(plan, approved=lambda cell: cell != first, score=lambda cell: 6.0 if cell.repeat else 8.0)
    assert seen.row("plain").consistency == 0.5 and seen.row("polish").consistency == 1.0
    assert seen.row("plain").spread == pytest.approx(2**0.5)
    assert made(comparison()).row("plain").consistency is None and made(comparison()).row("plain").spread is None


def test_a_text_with_more_repeats_counts_for_no_more() -> None:
    plan = comparison(tasks=2, repeats=2)
    lacking = Cell("plain", "Text 1", 1)
    seen = made(plan, score=lambda cell: None if cell == lacking else 8.0 if cell.task == "Text 0" else 4.0)
    assert seen.row("plain").judge == 6.0


def test_rounds_findings_reasons_and_lengths_are_means_of_what_is_known() -> None:
    def brief(cell: Cell) -> bool:
        return cell.task == "Text 0"

    seen = made(
        comparison(tasks=2),
        before=lambda cell: None if brief(cell) else Counts(2, 4, 0),
        after=lambda cell: Counts(0, 2, 1),
        length_before=lambda cell: None if brief(cell) else 100,
        length_after=lambda cell: 80,
        reason=lambda cell: "max_rounds" if brief(cell) else "approved",
        rounds_to_approval=lambda cell: None if brief(cell) else 2,
    ).row("plain")
    assert seen.before == Means(2, 4, 0) and seen.after == Means(0, 2, 1)
    assert seen.length_change == pytest.approx(-20) and seen.length_after == 80
    assert seen.reasons == {"max_rounds": 1, "approved": 1}
    assert seen.rounds == 2 and seen.rounds_spread == (0, 2) and seen.rounds_to_approval == 2


def test_costs_are_per_cell_and_in_all_and_one_unknown_makes_them_at_least() -> None:
    plan = comparison(tasks=2)
    unknown = Cell("plain", "Text 0", 0)
    seen = made(plan, cost=lambda cell: Cost(Decimal("0.5"), cell != unknown), judging=Cost(Decimal("0.25")))
    assert seen.row("plain").run_cost == Cost(Decimal("0.5"), False)
    assert seen.row("polish").run_cost == Cost(Decimal("0.5")) and seen.row("polish").cost == Cost(Decimal(1))
    assert seen.cost == Cost(Decimal(2), False) and seen.judging == Cost(Decimal(1))


def test_only_a_win_in_both_orders_counts_and_place_is_told_from_text() -> None:
    plan = comparison(tasks=4, pairs=True, judge=judge(pair=True))
    chosen = dict(zip(("Text 0", "Text 1", "Text 2", "Text 3"), ("mine", "mine", "other", "same"), strict=True))

    def preference(cell: Cell) -> str | None:
        return chosen[cell.task] if cell.variant == "polish" else None

    seen = made(plan, preference=preference, swayed=lambda cell: preference(cell) == "same", paired=True)
    assert seen.row("polish").pairs == Tally(2, 1, 1) and seen.row("plain").pairs == Tally()
    assert (seen.choosing.pairs, seen.choosing.swayed) == (4, 1)
    assert any("1 of 4 pairs (25 %)" in warning for warning in seen.warnings)


# --- votes -----------------------------------------------------------------------------------------------------------


def test_votes_count_for_both_sides_and_are_held_against_the_judge() -> None:
    plan = comparison(tasks=3)
    pairs = [(run_of(plan, "plain", f"Text {n}"), run_of(plan, "polish", f"Text {n}")) for n in range(3)]
    votes = (Vote(*pairs[0], "second"), Vote(*pairs[1][::-1], "first", "clear"), Vote(*pairs[2], "same"))
    votes += (Vote(pairs[0][0], "gone", "first"),)
    seen = made(plan, votes, score=lambda cell: 8.0 if (cell.variant == "polish") == (cell.task != "Text 1") else 6.0)
    assert seen.row("polish").votes == Tally(2, 1, 0) and seen.row("plain").votes == Tally(0, 1, 2)
    assert seen.agreement and (seen.agreement.n, seen.agreement.share) == (3, pytest.approx(1 / 3))
    assert any("agree on 1 of 3 pairs (33 %" in warning for warning in seen.warnings)
    assert made(plan, votes, score=None).agreement is None


def test_a_pair_that_the_judge_compared_goes_before_its_scores() -> None:
    plan = comparison(tasks=1, pairs=True, judge=judge(pair=True))
    mine, other = run_of(plan, "polish", "Text 0"), run_of(plan, "plain", "Text 0")

    def preference(cell: Cell) -> str | None:
        return "mine" if cell.variant == "polish" else None

    for vote in (Vote(mine, other, "first"), Vote(other, mine, "second")):
        seen = made(plan, (vote,), preference=preference, score=lambda cell: 9.0 if cell.variant == "plain" else 1.0)
        assert seen.agreement and seen.agreement.share == 1


# --- transitions, front, baselines -----------------------------------------------------------------------------------


def test_texts_that_became_better_or_worse_are_named() -> None:
    ranks = {"Text 0": 8.0, "Text 1": 6.0, "Text 2": 7.0}
    seen = made(comparison(tasks=3), score=lambda cell: ranks[cell.task] if cell.variant == "polish" else 7.0)
    (change,) = seen.transitions
    assert change.variant == "polish"
    assert change.drafts == stats.Transitions(("Text 0",), ("Text 1",), ("Text 2",))


def test_differences_may_be_against_any_variant() -> None:
    plan = comparison(("plain", "polish", "short"))
    seen = board(ID, plan, results(plan, score=better), against="polish")
    assert seen.against == "polish" and seen.row("polish").difference is None
    assert seen.row("plain").difference and seen.row("plain").difference.value == pytest.approx(-1.0)  # type: ignore[union-attr]
    assert {change.variant for change in seen.transitions} == {"plain", "short"}


def test_the_front_holds_what_nothing_beats_and_leaves_out_what_costs_nobody_knows() -> None:
    plan = comparison(("cheap", "worse", "good", "dark"))
    worth = {"cheap": 6.0, "worse": 5.0, "good": 8.0, "dark": 9.0}
    paid = {"cheap": 1, "worse": 2, "good": 3, "dark": 1}

    def cost(cell: Cell) -> Cost:
        return Cost(Decimal(paid[cell.variant]), cell.variant != "dark")

    seen = made(plan, score=lambda cell: worth[cell.variant], cost=cost)
    assert seen.front == ("cheap", "good")
    assert "cheap" not in seen.beside  # the leader's cost is not known
    mixed = made(plan, cost=lambda cell: Cost(Decimal(1), currency="EUR" if cell.variant == "good" else "USD"))
    assert mixed.front == () and any("several currencies" in warning for warning in mixed.warnings)


def test_where_the_checks_rank_fewer_findings_are_on_the_front() -> None:
    plan = comparison(judge=replace(judge(), roles=()))
    after, paid = {"plain": Counts(2), "polish": Counts(1)}, {"plain": 2, "polish": 1}
    seen = made(plan, score=None, after=lambda c: after[c.variant], cost=lambda cell: Cost(Decimal(paid[cell.variant])))
    assert seen.measure == "checks" and seen.front == ("polish",)


def test_the_leaders_cost_is_told_beside_its_lead() -> None:
    seen = made(score=better, cost=lambda cell: Cost(Decimal(12 if cell.variant == "polish" else 5)))
    assert seen.beside == "A cell of polish costs 2.4 times what one of plain does."


# --- what to beware of -----------------------------------------------------------------------------------------------


def warned(plan: Comparison, **more: Any) -> str:
    return "\n".join(made(plan, **more).warnings)


def test_a_model_that_plays_two_parts_is_named_with_the_variants_in_which_it_does() -> None:
    variants = (
        variant("one", "m", "m"),
        variant("two", "m", "n"),
        variant("three", "n", "m"),
        variant("four", "k", ""),
    )
    said = warned(comparison(variants=variants, judge=judge("j")))
    assert "m is writer and critic in one:" in said and said.count("may like its own text") == 1
    said = warned(comparison(variants=variants, judge=judge("m")))
    assert "m is writer, critic and judge in one:" in said
    assert "m is writer and judge in two:" in said and "m is critic and judge in three:" in said and "four" not in said
    both = warned(comparison(variants=(*variants[:1], variant("five", "m", "m")), judge=None))
    assert "m is writer and critic in all variants" in both


def test_scripted_models_share_nothing_but_are_no_judges() -> None:
    plain = variant("one", "lenient", "lenient")
    scripted = replace(
        plain, spec=replace(plain.spec, roles=tuple(replace(r, endpoint="scripted") for r in plain.spec.roles))
    )
    said = warned(comparison(variants=(scripted, variant("two")), judge=judge("lenient", "scripted")))
    assert "scripted character, which judges nothing" in said and "own text" not in said
    assert "Scripted characters play the models of one: this" in said
    assert "scripted" not in warned(comparison())


def test_few_texts_different_critics_and_unknown_prices_are_said() -> None:
    assert "Only one text" in warned(comparison(tasks=1))
    assert "Only 4 texts were compared: with fewer than 5" in warned(comparison(tasks=4))
    assert "texts were compared" not in warned(comparison(tasks=5))
    assert "different critics" not in warned(comparison())
    assert "different critics" in warned(comparison(variants=(variant("one"), variant("two", critic="critic-2"))))
    assert "price of own-model is not known" in warned(comparison(), unpriced=("own-model",))
    assert "at least" in warned(comparison(), unpriced=("writer-1",))


def test_one_text_gives_no_interval_and_the_sentence_says_so() -> None:
    seen = made(comparison(tasks=1), score=lambda cell: 8.0 if cell.variant == "polish" else 7.0)
    assert seen.row("polish").difference and seen.row("polish").difference.interval is None  # type: ignore[union-attr]
    assert "One text only" in seen.sentence


def test_a_board_speaks_chinese() -> None:
    tasks = tuple(Task(f"渡口{n}", "渡口。", language="zh") for n in range(2))
    seen = made(comparison(tasks=1, language="zh"), score=lambda cell: None if cell.variant == "polish" else 7.0)
    assert seen.language == "zh" and "评委" in seen.basis and "polish 1 个中有 1 个" in "".join(seen.warnings)
    plan = replace(comparison(), tasks=tasks)
    assert "只对比了 2 篇文字" in "".join(made(plan, language="zh").warnings)
    assert "polish" in made(plan, language="zh", score=lambda c: 8.0 if c.variant == "polish" else 7.0).sentence


def test_what_was_used_is_all_there() -> None:
    seen = made(comparison(("plain", "polish")))
    assert [(used.variant, used.used.role, used.text) for used in seen.prompts] == [
        ("plain", "writer", "Write plain."),
        ("plain", "critic", "Judge it."),
        ("polish", "writer", "Write polish."),
        ("polish", "critic", "Judge it."),
        ("", "judge", "Be the judge."),
    ]
    assert all(used.used.hash for used in seen.prompts) and len(seen.prices) == 1


def test_cells_of_another_plan_are_no_part_of_a_board() -> None:
    plan = comparison()
    stranger = result("cmp-other", Cell("plain", "Text 0", 0), score=1.0)
    assert board(ID, plan, [*results(plan), stranger]).row("plain").judge == 7.0
