"""Which round is the result: the best reviewed one, and never one that is worse than what it was made from."""

from __future__ import annotations

from refine.findings import open_findings
from refine.keeping import best, best_index, edit_pending, picked, set_aside
from refine.types import Finding, Note, Round, Verdict

MUST = Finding("wrong", dimension="accuracy", severity="must")
SHOULD = Finding("weak", dimension="wording")
LOST = Finding("1987", dimension="kept", rule="kept.number", severity="must")


def r(
    text: str, kind: str = "revise", score: float | None = None, *findings: Finding, notes: tuple[Note, ...] = ()
) -> Round:
    return Round(text, Verdict(kind, score, findings, {} if score is None else {"critic": score}), notes)  # type: ignore[arg-type]


def test_the_best_round_is_kept_when_later_ones_are_worse() -> None:
    assert best_index([r("a", "revise", 6), r("b", "revise", 8), r("c", "revise", 5)]) == 1


def test_approved_beats_a_higher_score() -> None:
    assert best([r("a", "revise", 9), r("b", "approved", 7)]).text == "b"


def test_fewer_musts_beat_a_higher_score() -> None:
    assert best([r("a", "revise", 9, MUST), r("b", "revise", 4)]).text == "b"


def test_scores_of_other_critics_are_not_compared() -> None:
    one = Round("a", Verdict("revise", 9, (), {"critic": 9}))
    other = Round("b", Verdict("revise", 4, (), {"critic_2": 4}))
    assert best([one, other]).text == "b"


def test_of_equal_rounds_the_later_is_kept() -> None:
    assert best([r("a"), r("b"), r("c")]).text == "c"


def test_a_rewrite_that_loses_a_fact_never_becomes_best_even_if_approved() -> None:
    rounds = [r("a 1987", "revise", 3, SHOULD), r("b", "revise", 9, LOST)]
    assert best(rounds).text == "a 1987"
    assert set_aside(rounds) == (False, True)


def test_a_rewrite_that_adds_must_findings_never_becomes_best() -> None:
    assert set_aside([r("a", "revise", 3), r("b", "revise", 9, MUST)]) == (False, True)


def test_a_fact_the_author_let_go_counts_no_more() -> None:
    waived = r("b", "approved", 9, LOST, notes=(Note("waive", finding=LOST),))
    assert best([r("a 1987", "revise", 3), waived]).text == "b"


def test_after_an_edit_by_the_author_earlier_rounds_no_longer_compete() -> None:
    edited = r("a", "approved", 9, notes=(Note("edit", "mine"),))
    assert best([edited, r("mine", "revise", 2)]).text == "mine"


def test_an_edit_is_pending_until_it_was_reviewed() -> None:
    edited = r("a", notes=(Note("edit", "mine"),))
    assert edit_pending([edited]) == "mine"
    assert edit_pending([edited, r("mine")]) is None


WISH = Finding(remark="Warmer.", dimension="author", severity="must")


def test_a_wish_does_not_set_aside_the_text_it_was_made_about() -> None:
    rounds = [r("a", "revise", 5), r("b", "revise", 7, notes=(Note("add", finding=WISH),))]
    assert best(rounds).text == "b"


def test_a_wish_holds_for_the_best_round_whichever_round_it_was_made_at() -> None:
    rounds = [r("a", "revise", 7), r("b", "revise", 5, notes=(Note("add", finding=WISH),))]
    assert best(rounds).text == "a"
    assert open_findings(rounds, 0) == (WISH,)


def test_a_waived_finding_that_is_raised_again_sets_no_round_aside() -> None:
    waived = r("a", "revise", 5, MUST, SHOULD, notes=(Note("waive", finding=MUST),))
    rounds = [waived, r("b", "revise", 6, MUST, SHOULD)]
    assert best(rounds).text == "b"


def test_a_picked_round_leads_until_a_later_one_is_better() -> None:
    pick = (Note("pick", "0"),)
    rounds = [r("a", "revise", 5, SHOULD), r("b", "revise", 8, notes=pick)]
    assert best(rounds).text == "a"
    assert best([*rounds, r("c", "revise", 4, SHOULD)]).text == "a"
    assert best([*rounds, r("c", "revise", 6, SHOULD)]).text == "c"


def test_a_pick_of_no_round_is_no_pick() -> None:
    for text in ("7", "-1", "two", ""):
        rounds = [r("a", "revise", 5), r("b", "revise", 8, notes=(Note("pick", text),))]
        assert (best(rounds).text, picked(rounds)) == ("b", None)
