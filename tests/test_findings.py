"""Findings as a ledger, and what can be done to a text with them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from refine.findings import judged, ledger, locate, mend, merge, open_findings
from refine.types import Finding, Note, Round, Verdict


def finding(quote: str, **more: object) -> Finding:
    return Finding(quote, dimension="wording", **more)  # type: ignore[arg-type]


def reviewed(*findings: Finding, notes: tuple[Note, ...] = ()) -> Round:
    return Round("text", Verdict("revise", findings=findings), notes)


def states(rounds: list[Round], kept: int) -> dict[str, str]:
    return {entry.finding.quote: entry.state for entry in ledger(rounds, kept)}


def test_a_finding_is_open_while_the_kept_round_has_it_and_fixed_after() -> None:
    rounds = [reviewed(finding("a"), finding("b")), reviewed(finding("b"))]
    assert states(rounds, 1) == {"a": "fixed", "b": "open"}
    assert states(rounds, 0) == {"a": "open", "b": "open"}


def test_a_finding_that_comes_back_is_reopened() -> None:
    rounds = [reviewed(finding("a")), reviewed(), reviewed(finding("a"))]
    assert states(rounds, 2) == {"a": "reopened"}


def test_two_findings_are_the_same_by_dimension_and_normalised_quote() -> None:
    rounds = [reviewed(finding("Ａ  Quote,")), reviewed(finding("a quote"))]
    assert len(ledger(rounds, 1)) == 1


def test_a_waived_finding_is_raised_no_more() -> None:
    rounds = [reviewed(finding("a"), notes=(Note("waive", finding=finding("a")),)), reviewed(finding("a"))]
    assert states(rounds, 1) == {"a": "waived"}
    assert open_findings(rounds, 1) == ()


def test_who_waives_all_that_blocks_has_approved() -> None:
    waived = reviewed(finding("a", severity="must"), finding("b", severity="may"))
    assert judged([waived], 0).kind == "revise"
    notes = (Note("waive", finding=finding("a")),)
    assert judged([Round(waived.attempt, waived.verdict, notes)], 0).kind == "approved"


def test_an_authors_wish_reopens_an_approved_text() -> None:
    approved = Round("text", Verdict("approved"), (Note("add", finding=Finding(remark="Warmer.", severity="must")),))
    assert judged([approved], 0).kind == "revise"
    assert open_findings([approved], 0)[0].remark == "Warmer."


def test_who_waives_a_mere_remark_has_approved_nothing() -> None:
    remark = finding("b", severity="may")
    assert judged([reviewed(remark, notes=(Note("waive", finding=remark),))], 0).kind == "revise"


def test_a_wish_beside_an_edit_is_about_the_edited_text() -> None:
    wish = Finding(remark="Warmer.", severity="must")
    rounds = [reviewed(notes=(Note("edit", "mine"), Note("add", finding=wish))), Round("mine", Verdict("approved"))]
    assert open_findings(rounds, 1) == (wish,)
    assert judged(rounds, 1).kind == "revise"


def test_a_quote_is_located_only_where_it_stands_once() -> None:
    assert locate("one two one", finding("two")).span == (4, 7)
    assert locate("one two one", finding("one")).span is None
    assert locate("one two one", finding("none")).span is None


def test_overlapping_findings_are_one_and_the_sure_one_wins() -> None:
    sure = Finding("the the", (0, 7), rule="a", replacement="the")
    vague = Finding("the the cat", (0, 11), rule="b", severity="must")
    apart = Finding("sat", (12, 15), rule="c")
    assert merge([vague, apart, sure]) == (replace(sure, severity="must"), apart), "and what must change still must"


def test_findings_without_a_place_are_kept_whatever_they_come_from() -> None:
    assert merge(iter([Finding("gone", rule="kept.name")])) == (Finding("gone", rule="kept.name"),)


def test_sure_replacements_are_applied_and_others_left() -> None:
    text = "the the cat sat"
    findings = [Finding("the the", (0, 7), replacement="the"), Finding("cat", (8, 11), suggestion="dog")]
    assert mend(text, findings) == "the cat sat"


def test_a_replacement_whose_quote_does_not_stand_at_its_place_is_not_applied() -> None:
    assert mend("abc", [Finding("x", (0, 1), replacement="y")]) == "abc"


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5), st.text(max_size=3)), max_size=8)
)
def test_mending_changes_only_what_was_found(text: str, edits: list[tuple[int, int, str]]) -> None:
    findings = []
    for start, length, new in edits:
        end = min(len(text), start + length)
        if start < end:
            findings.append(Finding(text[start:end], (start, end), replacement=new))
    mended = mend(text, findings)
    untouched = [c for n, c in enumerate(text) if not any(f.span and f.span[0] <= n < f.span[1] for f in findings)]
    remaining = iter(mended)
    assert all(any(c == other for other in remaining) for c in untouched)
