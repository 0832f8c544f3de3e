"""The refine technique as an author meets it, with models and checks that answer from a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from refine.events import Called, Record, to_json
from refine.perform import Inbox
from refine.techniques import TECHNIQUES
from refine.types import CheckCall, Finding, ModelCall, Note, Outcome, Reply, Role, RunSpec, Task
from tests.fakes import FakeDoors, begin, go_on

SPEC = RunSpec(
    "refine", "test", Task("", "One draft.", language="en"), (Role("writer", "Write."), Role("critic", "Judge."))
)


async def refine(spec: RunSpec, answer: Callable[[Any, int], Any]) -> tuple[Outcome, list[ModelCall], list[Record]]:
    log, outcome = await go_on(TECHNIQUES[spec.technique], begin(spec), FakeDoors(answer))
    assert outcome is not None
    calls = [r.event.call for r in log if isinstance(r.event, Called) and isinstance(r.event.call, ModelCall)]
    return outcome, calls, log


def scripted(*, writer: list[str], critic: list[str]) -> Callable[[Any, int], Any]:
    """Replies of each role in the order of its calls; the last one is repeated."""
    left = {"writer": list(writer), "critic": list(critic)}

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            return []
        replies = left[call.role]
        return replies.pop(0) if len(replies) > 1 else replies[0]

    return answer


def said(call: ModelCall) -> str:
    return "\n".join(message.content for message in call.messages)


async def test_round_0_reviews_the_authors_own_draft_and_an_approval_ends_the_run() -> None:
    outcome, calls, _ = await refine(SPEC, scripted(writer=["never asked"], critic=["APPROVED"]))
    assert (outcome.reason, outcome.best and outcome.best.text) == ("approved", "One draft.")
    assert [call.role for call in calls] == ["critic"]


async def test_max_rounds_counts_reviews_and_the_last_draft_is_reviewed_too() -> None:
    outcome, calls, _ = await refine(SPEC, scripted(writer=["Two.", "Three.", "Four.", "Five."], critic=["Too short."]))
    assert outcome.reason == "max_rounds"
    assert [call.role for call in calls] == ["critic", "writer", "critic", "writer", "critic", "writer", "critic"]
    assert [round.text for round in outcome.rounds] == ["One draft.", "Two.", "Three.", "Four."]


async def test_without_a_draft_the_writer_makes_the_first_one_from_the_brief() -> None:
    spec = replace(SPEC, task=Task(brief="A note on bread.", language="en"))
    outcome, calls, _ = await refine(spec, scripted(writer=["Bread is good."], critic=["APPROVED"]))
    assert [call.role for call in calls] == ["writer", "critic"]
    assert "A note on bread." in said(calls[0])
    assert outcome.best and outcome.best.text == "Bread is good."


async def test_the_writer_gets_the_best_draft_and_its_open_findings_and_no_history() -> None:
    answer = scripted(writer=["Second draft.", "Third draft."], critic=["Weak opening.", "Weak ending.", "APPROVED"])
    _, calls, _ = await refine(SPEC, answer)
    second = said([call for call in calls if call.role == "writer"][1])
    assert "Second draft." in second
    assert "Weak ending." in second
    assert "One draft." not in second
    assert "Weak opening." not in second


def typed(verdict: str, score: float, *findings: dict[str, str]) -> str:
    return json.dumps({"verdict": verdict, "score": score, "findings": list(findings)})


async def test_the_best_round_is_rewritten_and_returned_not_the_last() -> None:
    answer = scripted(
        writer=["Good draft.", "Bad draft.", "Other draft."],
        critic=[typed("revise", 6), typed("revise", 8), typed("revise", 5), typed("revise", 4)],
    )
    outcome, calls, _ = await refine(SPEC, answer)
    assert outcome.best and outcome.best.text == "Good draft."
    last = said([call for call in calls if call.role == "writer"][2])
    assert "Good draft." in last
    assert "no better" in last, "one line says what the failed rewrite did wrong"


async def test_prompts_do_not_grow_with_the_rounds() -> None:
    writer = [f"Draft number {n:02}." for n in range(20)]
    spec = replace(SPEC, task=Task(draft="Draft number 99.", language="en"), stops={"max_rounds": 10})
    _, calls, _ = await refine(spec, scripted(writer=writer, critic=["Still weak."]))
    assert len({len(said(call)) for call in calls if call.role == "writer"}) == 1


async def test_two_equal_texts_are_reviewed_once() -> None:
    outcome, calls, _ = await refine(SPEC, scripted(writer=["One draft."], critic=["Weak."]))
    assert outcome.reason == "no_change"
    assert [call.role for call in calls] == ["critic", "writer"]


async def test_going_back_and_forth_ends_as_oscillation() -> None:
    answer = scripted(writer=["B.", "One draft."], critic=["Weak.", "Weaker."])
    outcome, _, _ = await refine(SPEC, answer)
    assert outcome.reason == "oscillation"


def checks(found: Callable[[str, str], list[Finding]], critic: str = "APPROVED", writer: str = "") -> Any:
    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            return [to_json(finding) for finding in found(call.check, call.text)]
        return writer if call.role == "writer" else critic

    return answer


def doubled(check: str, text: str) -> list[Finding]:
    at = text.find("the the")
    return [Finding("the the", (at, at + 7), "repeats", "repeats.word", "must", replacement="the")] if at >= 0 else []


async def test_sure_replacements_are_applied_without_the_writer_and_checked_again() -> None:
    spec = replace(SPEC, task=Task(draft="In the the end.", language="en"), checks={"repeats": {}})
    outcome, calls, _ = await refine(spec, checks(doubled))
    assert outcome.best and outcome.best.text == "In the end."
    assert [call.role for call in calls] == ["critic", "critic"]


async def test_a_must_finding_of_a_check_blocks_approval_whoever_approved() -> None:
    def banned(check: str, text: str) -> list[Finding]:
        return [Finding("One", (0, 3), "terms", "terms.ban", "must")] if "One" in text else []

    spec = replace(SPEC, checks={"terms": {}})
    outcome, _, _ = await refine(spec, checks(banned, writer="A draft."))
    assert [round.verdict.kind for round in outcome.rounds] == ["revise", "approved"]


async def test_checks_alone_approve_when_nothing_must_or_should_change() -> None:
    spec = replace(SPEC, roles=(), task=Task(draft="In the the end.", language="en"), checks={"repeats": {}})
    outcome, calls, _ = await refine(spec, checks(doubled))
    assert (outcome.reason, outcome.best and outcome.best.text) == ("approved", "In the end.")
    assert not calls


async def test_checks_alone_end_without_a_change_when_nothing_can_be_mended() -> None:
    def vague(check: str, text: str) -> list[Finding]:
        return [Finding("draft", (4, 9), "wording", "wording.vague", "should", suggestion="text")]

    outcome, _, _ = await refine(replace(SPEC, roles=(), checks={"wording": {}}), checks(vague))
    assert outcome.reason == "no_change"


async def test_a_rewrite_that_loses_a_fact_is_set_aside_and_the_loss_is_told_to_the_writer() -> None:
    def kept(check: str, text: str) -> list[Finding]:
        return [] if "1987" in text else [Finding("1987", None, "kept", "kept.number", "must", "lost", critic="kept")]

    writer = iter(["Opened long ago.", "Opened in 1987, long ago."])
    told: list[str] = []

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            return [to_json(finding) for finding in kept(call.check, call.text)]
        if call.role == "writer":
            told.append(said(call))
            return next(writer)
        return "APPROVED" if "long" in call.messages[-1].content else "Say how long ago."

    spec = replace(SPEC, task=Task(draft="Opened in 1987.", language="en"), checks={"kept": {}})
    outcome, _, _ = await refine(spec, answer)
    assert [round.text for round in outcome.rounds][1] == "Opened long ago."
    assert outcome.rounds[1].verdict.kind == "revise"
    assert outcome.best and outcome.best.text == "Opened in 1987, long ago."
    assert "Opened in 1987." in told[1]
    assert "1987" in told[1].split("Opened in 1987.")[1]


@pytest.mark.parametrize(("how", "kinds"), [("all", "revise"), ("majority", "approved")])
async def test_all_critics_must_approve_or_a_majority(how: str, kinds: str) -> None:
    roles = (*SPEC.roles, Role("critic_2", "Judge."), Role("critic_3", "Judge."))
    spec = replace(SPEC, roles=roles, options={"critics": how}, stops={"max_rounds": 1})
    outcome, _, _ = await refine(spec, lambda call, times: "Weak." if call.role == "critic_3" else "APPROVED")
    assert outcome.rounds[0].verdict.kind == kinds


async def test_an_unclear_verdict_is_asked_again_once_and_never_approves_by_itself() -> None:
    outcome, calls, _ = await refine(
        replace(SPEC, stops={"max_rounds": 1}), scripted(writer=[""], critic=["LGTM!", "Looks fine to me."])
    )
    assert len(calls) == 2
    assert calls[1].messages[-2].role == "assistant"
    assert outcome.rounds[0].verdict.kind == "revise"
    assert "LGTM" in outcome.rounds[0].verdict.findings[0].remark


async def test_two_empty_replies_of_a_critic_end_the_run() -> None:
    outcome, calls, _ = await refine(SPEC, scripted(writer=[""], critic=[""]))
    assert (outcome.reason, len(calls)) == ("failures", 2)


async def test_a_critics_reply_that_was_cut_off_never_approves() -> None:
    def answer(call: Any, times: int) -> Any:
        return Reply("APPROVED", finish_reason="length")

    outcome, _, _ = await refine(replace(SPEC, stops={"max_rounds": 1}), answer)
    assert outcome.rounds[0].verdict.kind == "revise"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("Half a te", finish_reason="length"), "cut_off"),
        (Reply("", refusal="I cannot help.", finish_reason="stop"), "refused"),
        (Reply("", finish_reason="content_filter"), "refused"),
        (Reply("I have fixed everything."), "no_draft"),
    ],
)
async def test_a_reply_without_use_ends_the_run_and_keeps_what_was_reviewed(reply: Reply, reason: str) -> None:
    def answer(call: Any, times: int) -> Any:
        return reply if call.role == "writer" else "Too short."

    outcome, _, _ = await refine(SPEC, answer)
    assert outcome.reason == reason
    assert outcome.best and outcome.best.text == "One draft."


async def test_a_draft_keeps_its_last_line_end() -> None:
    spec = replace(SPEC, task=Task(draft="One draft.\n", language="en"))
    outcome, _, _ = await refine(spec, scripted(writer=["Two drafts."], critic=["Weak.", "APPROVED"]))
    assert outcome.best and outcome.best.text == "Two drafts.\n"


async def test_a_chinese_token_is_honoured_and_its_negations_never_approve() -> None:
    spec = replace(SPEC, task=Task(draft="一篇稿子。", language="zh"), options={"token": "通过"})
    answer = scripted(writer=["一篇更好的稿子。"], critic=["不通过。开头太长。", "通过"])
    outcome, _, _ = await refine(spec, answer)
    assert [round.verdict.kind for round in outcome.rounds] == ["revise", "approved"]


async def test_single_is_one_call_and_then_the_checks() -> None:
    spec = replace(SPEC, technique="single", checks={"repeats": {}})
    outcome, calls, _ = await refine(spec, checks(doubled, writer="A better draft."))
    assert (outcome.reason, outcome.best and outcome.best.text, len(calls)) == ("finished", "A better draft.", 1)


async def test_a_score_under_the_threshold_beside_an_approval_is_unclear() -> None:
    spec = replace(SPEC, stops={"score": 8, "max_rounds": 1})
    outcome, calls, _ = await refine(spec, lambda call, times: typed("approved", 5))
    assert len(calls) == 2
    assert outcome.rounds[0].verdict.kind == "revise"


async def paused(spec: RunSpec, answer: Callable[[Any, int], Any], *notes: Note) -> Outcome:
    """The run after its author, asked once, said this."""
    inbox = Inbox(pause=True)
    log, outcome = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(answer), inbox)
    assert outcome is None
    inbox.notes += notes
    _, outcome = await go_on(TECHNIQUES["refine"], log, FakeDoors(answer), inbox)
    assert outcome is not None
    return outcome


async def test_what_authors_leave_out_of_their_own_text_is_no_loss() -> None:
    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            gone = "1987" in call.options["against"] and "1987" not in call.text
            return [to_json(Finding("1987", None, "kept", "kept.number", "must"))] if gone else []
        return "APPROVED" if "Mine" in call.messages[-1].content else "Too short."

    spec = replace(SPEC, task=Task(draft="Opened in 1987.", language="en"), checks={"kept": {}})
    outcome = await paused(spec, answer, Note("edit", "Mine."))
    assert (outcome.reason, outcome.best and outcome.best.text) == ("approved", "Mine.")


async def test_a_passage_locked_between_rounds_is_not_mended() -> None:
    spec = replace(
        SPEC, roles=SPEC.roles[1:], task=Task(draft="In the the end.", language="en"), checks={"repeats": {}}
    )
    outcome = await paused(spec, checks(doubled), Note("lock", "the the"))
    assert {round.text for round in outcome.rounds} == {"In the the end."}
