"""Stop conditions, judged on rounds alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from refine import stops
from refine.types import Finding, Note, Round, Verdict

SHOULD = Finding("weak", dimension="wording")
MUST = Finding("wrong", dimension="accuracy", severity="must")


def r(
    text: str, kind: str = "revise", score: float | None = None, *findings: Finding, notes: tuple[Note, ...] = ()
) -> Round:
    return Round(text, Verdict(kind, score, findings, {} if score is None else {"critic": score}), notes)  # type: ignore[arg-type]


def reason(rounds: list[Round], **asked: Any) -> str | None:
    return next((said for stop in stops.of(asked) if (said := stop(tuple(rounds)))), None)


def test_nothing_stops_before_the_first_round() -> None:
    assert reason([]) is None


def test_approval_ends_the_run() -> None:
    assert reason([r("a", "approved")]) == "approved"


def test_before_min_rounds_an_approval_with_open_findings_counts_as_revise() -> None:
    assert reason([r("a", "approved", None, SHOULD)], min_rounds=2) is None
    assert reason([r("a", "approved")], min_rounds=2) == "approved"
    assert reason([r("b"), r("a", "approved", None, SHOULD)], min_rounds=2) == "approved"


def test_a_score_ends_the_run_unless_a_must_is_open() -> None:
    assert reason([r("a", "revise", 8.5)], score=8) == "score"
    assert reason([r("a", "revise", 8.5, MUST)], score=8) is None
    assert reason([r("a", "revise", 7.9)], score=8) is None


def test_max_rounds_counts_reviews_round_0_included() -> None:
    rounds = [r(str(n)) for n in range(4)]
    assert reason(rounds[:3]) is None
    assert reason(rounds) == "max_rounds"


def test_a_rewrite_that_changes_nothing_ends_the_run() -> None:
    assert reason([r("a"), r("a")]) == "no_change"


def test_a_rewrite_that_goes_back_to_a_text_left_behind_ends_the_run() -> None:
    assert reason([r("a", "revise", 1), r("b", "revise", 2), r("a", "revise", 1)]) == "oscillation"


def test_no_measurable_gain_for_some_rounds_is_a_plateau() -> None:
    flat = [r("a", "revise", 5), r("b", "revise", 5), r("c", "revise", 4)]
    assert reason(flat, plateau=2) == "plateau"
    assert reason(flat, plateau=3) is None
    assert reason([*flat, r("d", "revise", 6)], plateau=2, max_rounds=9) is None


def test_rounds_that_measure_nothing_are_no_plateau() -> None:
    assert reason([r("a"), r("b"), r("c")], plateau=1, max_rounds=9) is None


@pytest.mark.parametrize("kind", ["approved", "revise"])
def test_an_edit_by_the_author_is_reviewed_before_anything_but_the_limit_stops_the_run(kind: str) -> None:
    edited = r("a", kind, 9, notes=(Note("edit", "mine"),))
    assert reason([edited], score=5) is None
    assert reason([edited], score=5, max_rounds=1) == "max_rounds"


def test_stops_can_be_switched_off() -> None:
    assert reason([r("a"), r("a")], no_change=False, oscillation=False) is None


WISH = Note("add", finding=Finding(remark="Warmer.", severity="must"))


@pytest.mark.parametrize("texts", ["aa", "aba"])
def test_a_wish_of_the_author_goes_on_where_nothing_changed_or_gained(texts: str) -> None:
    *before, last = [r(text, "revise", 5) for text in texts]
    assert reason([*before, last], plateau=1) in ("no_change", "oscillation")
    assert reason([*before, replace(last, notes=(WISH,))], plateau=1) is None


def test_the_authors_own_text_may_be_one_that_was_there_before() -> None:
    assert reason([r("a", notes=(Note("edit", "a"),)), r("a")]) is None


def test_an_approved_text_that_may_not_become_the_result_ends_nothing() -> None:
    assert reason([r("a", "revise", 5), r("b", "approved", 9, MUST)]) is None
