"""A run as a page: what a person finds on it, in the language of the text."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from refine import export, report, views
from refine.documents import page
from refine.events import Called, Noted, Record, Replied, RoundEnded, Started, Stopped
from refine.forecast import Forecast
from refine.types import Finding, Note, Role, Round, RunSpec, Step, Task, ToolCall, Verdict
from refine.views import Cost
from tests.documents.hostile import HOSTILE
from tests.documents.test_page import ALLOWED, Seen
from tests.test_export import FINISHED, HALF_WAY, SPEC, call, log


def shown(records: list[Record], foreseen: Forecast | None = None) -> str:
    return page.render(report.page_of(views.read(records), foreseen)).decode()


def words(records: list[Record], foreseen: Forecast | None = None) -> str:
    """What a reader reads, with a space at every tag."""
    return " ".join(Seen(shown(records, foreseen).partition("</style>")[2].replace("<", " <")).words.split())


def in_language(language: str) -> RunSpec:
    return replace(SPEC, task=replace(SPEC.task, language=language))


def test_a_page_tells_text_changes_rounds_findings_ending_and_cost() -> None:
    said = words(FINISHED)
    for piece in (
        "A title Done The critic approved the text.",
        "Changes to the draft (2)",
        "Your draft Revise 6 1",
        "Round 1 Approved 9 best 120 $0.0020",
        "must spelling fixed Teh Fix.",
        "Why it stopped The critic approved the text.",
        "Cost $0.0040 Model calls 2 Tokens in 200 Tokens out 40",
    ):
        assert piece in said, (piece, said)
    assert "<del>Teh</del><ins>The</ins>" in shown(FINISHED)


def test_a_page_has_a_line_for_each_role_and_tells_limits_and_estimate() -> None:
    spec = replace(SPEC, limits={"money": 0.5, "time": 90}, roles=(Role("critic", "", "far", "m"),))
    records = [replace(FINISHED[0], event=Started(spec)), *FINISHED[1:]]
    costs = Cost(Decimal("0.0012345")), Cost(Decimal("0.0345678"))
    guess = Forecast((3, 9), (1_234, 56_789), costs, (4.0, 75.0))
    said = words(records, guess)
    for piece in (
        "At most $0.50 · 400,000 tokens · 100 calls · 1:30 min",
        "Estimate before the run $0.0012–$0.0350 · 1,200–57,000 tokens · 3–9 calls · 4.0 s–1:15 min",
        "Role Model Model calls Tokens in Tokens out Cost Share critic m 2 200 40 $0.0040 100 %",
    ):
        assert piece in said, (piece, said)
    assert "Estimate before the run" not in words(records)
    without = [record for record in FINISHED if not isinstance(record.event, Called | Replied)]
    assert "Share" not in words([replace(record, seq=n) for n, record in enumerate(without)])


def test_a_page_speaks_the_language_of_the_text() -> None:
    records = [replace(FINISHED[0], event=replace(FINISHED[0].event, spec=in_language("zh"))), *FINISHED[1:]]  # type: ignore[type-var]
    said = words(records)
    assert '<html lang="zh">' in shown(records)
    for piece in ("审稿人通过了这篇文字。", "对原稿的修订（2 处）", "第 1 轮 通过", "必改", "停止的原因", "费用"):
        assert piece in said, piece
    assert not {"Rounds", "Findings", "Done", "Cost"} & set(said.split())


def test_a_run_that_goes_on_says_so_at_the_top() -> None:
    assert report.notices(views.read(HALF_WAY)) == (export.GOES_ON,)
    assert words(HALF_WAY).index(export.GOES_ON) < words(HALF_WAY).index("Teh draft.")
    assert export.GOES_ON not in words(FINISHED)


def test_a_text_that_the_author_edited_says_so() -> None:
    edit = Noted("2", (Note("edit", "My own draft.\n"),))
    second = Round("My own draft.\n", Verdict("approved", 9))
    first = Round("Teh draft.", Verdict("revise", 6))
    records = log(
        *call("1"), RoundEnded("2", "0", first), edit, *call("3"), RoundEnded("4", "0", second), Stopped("approved", 1)
    )
    assert views.read(records).edited
    assert "This text was edited by you." in words(records)


def test_a_run_without_a_reviewed_text_still_tells_why_and_what_it_cost() -> None:
    said = words(log(*call("1"), Stopped("error", error="It broke.")))
    assert "There is no reviewed text yet." in said and "It broke." in said and "$0.0020" in said


def test_an_unknown_cost_is_never_0() -> None:
    assert "Cost unknown" in words(log(*call("1", cost=None), Stopped("cancelled")))
    assert "at least $0.0020" in words(log(*call("1"), *call("2", cost=None), Stopped("cancelled")))


def test_the_same_finding_is_told_once() -> None:
    finding = Finding("Teh", (0, 3), "spelling", severity="must", remark="Only once.")
    rounds = [RoundEnded(str(n), "0", Round("Teh draft.", Verdict("revise", 6, (finding,)))) for n in (1, 2)]
    assert words(log(*rounds, Stopped("max_rounds", 0))).count("Only once.") == 1


def test_steps_are_told_with_what_was_seen() -> None:
    step = Step("I add.", (ToolCall("calculator", {"expression": "1+1"}),), ("2",))
    last = Step("Done.", final="It is 2.")
    spec = RunSpec("react", "react", Task("Sum", brief="1+1?"), (Role("actor", "Act."),))
    rounds = (Round(step, Verdict("revise")), Round(last, Verdict("approved")))
    ended = [RoundEnded(str(n), "0", round) for n, round in enumerate(rounds, 1)]
    said = words(log(*ended, Stopped("finished", 1), spec=spec))
    for piece in ("Step 1", "Thought I add.", 'Action calculator {"expression": "1+1"}', "Observation 2", "It is 2."):
        assert piece in said, (piece, said)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_text_is_shown_as_text_wherever_it_stands(language: str) -> None:
    finding = Finding(HOSTILE, None, HOSTILE, severity="must", remark=HOSTILE, critic=f"critic-{HOSTILE}")
    task = Task(HOSTILE, "draft\n" + HOSTILE, language=language)
    spec = replace(SPEC, task=task, variant=HOSTILE, roles=(Role("critic", model=HOSTILE),))
    round = Round(HOSTILE, Verdict("revise", 1, (finding,)))
    seen = Seen(shown(log(RoundEnded("1", "0", round), Stopped("max_rounds", 0), spec=spec)))
    assert set(seen.tags) <= ALLOWED
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name == "src"]


def test_money_has_its_sign_and_four_decimals() -> None:
    view = views.read(FINISHED)
    told = report.page_of(replace(view, money=Cost(Decimal("1234.5"), True, "CNY")))
    assert ("Cost", "¥1,234.5000") in told.parts[-1].blocks[0].pairs  # type: ignore[union-attr]
