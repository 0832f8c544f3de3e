"""ReAct: steps, guards, questions that follow, context; with scripted replies and tools that answer from a table."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from refine import views
from refine.events import Record
from refine.perform import Inbox
from refine.techniques.acting import Exchange, fitted, size, tells
from refine.techniques.guards import canonical
from refine.techniques.react import react
from refine.types import (
    CheckCall,
    ModelCall,
    Outcome,
    Reply,
    Role,
    Round,
    RunSpec,
    Step,
    Task,
    ToolCall,
    ToolUse,
    Verdict,
)
from tests.fakes import FakeDoors, begin, calls_made_after_reply, events, go_on


def tool(name: str, asks: bool = False) -> dict[str, Any]:
    fields = {"type": "object", "properties": {"of": {"type": "string"}}, "required": []}
    return {"name": name, "description": f"Looks up {name}.", "parameters": fields, "asks": asks}


SPEC = RunSpec(
    "react",
    "test",
    Task(brief="How warm is it?", language="en"),
    (Role("actor", "Work in steps.\n\nStep {{ step }} of {{ max_steps }}.\n\nuser:\n{{ brief }}\n"),),
    stops={"max_rounds": 6},
    tools=(tool("weather"), tool("sum"), tool("send", asks=True)),
)


def action(name: str, thought: str = "Look.", **arguments: Any) -> str:
    return json.dumps({"thought": thought, "action": name, "args": arguments})


def finish(answer: str) -> str:
    return action("finish", answer=answer)


async def run(
    said: list[Any], spec: RunSpec = SPEC, results: Any = "18 °C", inbox: Inbox | None = None
) -> tuple[list[Record], Outcome | None, list[ModelCall]]:
    """The run with these replies, one after the other; also what the actor was asked."""
    asked: list[ModelCall] = []

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, ModelCall):
            asked.append(call)
            return said[min(len(asked), len(said)) - 1]
        if isinstance(call, CheckCall):
            return [] if any(sign.isdigit() for sign in call.text) else ["the answer holds no number"]
        return results(call) if callable(results) else results

    log, outcome = await go_on(react, begin(spec), FakeDoors(answer), inbox)
    return log, outcome, asked


def native(*calls: tuple[str, dict[str, Any]], content: str = "") -> Reply:
    uses = tuple(ToolUse(f"id-{n}-{name}", name, json.dumps(args)) for n, (name, args) in enumerate(calls))
    return Reply(content, tool_calls=uses, finish_reason="tool_calls" if uses else "stop")


def steps(outcome: Outcome | None) -> list[Step]:
    assert outcome is not None
    return [round.attempt for round in outcome.rounds if isinstance(round.attempt, Step)]


async def test_a_question_is_answered_after_a_look_at_a_tool() -> None:
    log, outcome, asked = await run([action("weather", of="Beijing"), finish("18 °C.")])
    assert outcome and outcome.reason == "finished"
    assert outcome.best and outcome.best.text == "18 °C."
    assert [step.observations for step in steps(outcome)] == [("18 °C",), ()]
    assert "<observation>\n18 °C\n</observation>" in asked[1].messages[-1].content
    view = views.read(log)
    assert (view.status, view.text, view.best_round) == ("done", "18 °C.", 1)


async def test_both_ways_of_asking_give_the_same_trace() -> None:
    _, typed, _ = await run([action("weather", of="Beijing"), finish("18 °C.")])
    spec = replace(SPEC, options={"protocol": "native"})
    _, called, asked = await run(
        [native(("weather", {"of": "Beijing"}), content="Look."), native(content="18 °C.")], spec
    )
    plain = [replace(step, ids=(), thought="") for step in steps(called)]
    assert plain == [replace(step, thought="") for step in steps(typed)]
    assert [message.role for message in asked[1].messages] == ["system", "user", "assistant", "tool"]
    assert asked[1].messages[-1].tool_call_id == asked[1].messages[-2].tool_calls[0].id == "id-0-weather"
    assert asked[0].tools and not asked[0].schema


async def test_several_native_calls_all_run_each_answered_under_its_own_id() -> None:
    spec = replace(SPEC, options={"protocol": "native"})
    both = native(("weather", {"of": "Beijing"}), ("weather", {"of": "Oslo"}))
    _, _, asked = await run([both, native(content="Done.")], spec, lambda call: f"{call.arguments['of']}: 1")
    told = {message.tool_call_id: message.content for message in asked[1].messages if message.role == "tool"}
    assert told == {"id-0-weather": "Beijing: 1", "id-1-weather": "Oslo: 1"}


async def test_the_system_prompt_says_which_step_it_is_behind_what_never_changes() -> None:
    _, _, asked = await run([action("weather"), finish("1")])
    first, second = (call.messages[0] for call in asked)
    assert first.parts[0] == second.parts[0]
    assert (first.parts[1], second.parts[1]) == ("Step 1 of 6.", "Step 2 of 6.")


# --- guards ------------------------------------------------------------------------------------------------------


async def test_at_the_step_limit_an_answer_is_asked_for_with_what_is_known() -> None:
    said = [action("weather", of=str(n)) for n in range(6)]
    log, outcome, asked = await run([*said, "About 18 degrees."])
    assert outcome and outcome.reason == "max_rounds" and len(outcome.rounds) == 6
    assert outcome.best and outcome.best.text == "About 18 degrees."
    assert asked[-1].closing and not asked[-1].tools
    del log


async def test_a_money_limit_still_allows_one_last_answer() -> None:
    spec = replace(SPEC, limits={"calls": 2})
    _, outcome, asked = await run([action("weather"), action("sum"), "About 18."], spec)
    assert outcome and (outcome.reason, outcome.best and outcome.best.text) == ("calls", "About 18.")
    assert len(asked) == 3


async def test_a_last_answer_that_is_only_scaffolding_is_none() -> None:
    _, outcome, _ = await run([action("weather", of=str(n)) for n in range(7)])
    assert outcome and outcome.best and not outcome.best.text


async def test_the_third_same_action_is_answered_from_the_first_and_the_fifth_ends_it() -> None:
    made: list[ToolCall] = []

    def results(call: ToolCall) -> str:
        made.append(call)
        return f"result {len(made)}"

    spec = replace(SPEC, stops={"max_rounds": 20})
    same = [action("weather", of="Beijing"), '{"args": {"of": "Beijing "}, "action": "weather"}'] * 2
    _, outcome, _ = await run([*same, same[0], "Enough."], spec, results)
    assert outcome and outcome.reason == "repeated_action" and len(outcome.rounds) == 5
    assert len(made) == 2
    third = steps(outcome)[2]
    assert third.errors == ("repeat",) and "result 1" in third.observations[0]
    assert outcome.best and outcome.best.text == "Enough."


async def test_three_replies_without_a_step_end_it_and_none_becomes_the_answer() -> None:
    _, outcome, asked = await run(["I wonder.", "Let me think about it.", "Action: None", finish("18")])
    assert outcome and (outcome.reason, len(asked)) == ("failures", 3)
    assert outcome.best and not outcome.best.text


async def test_an_unreadable_reply_is_answered_with_what_was_wrong() -> None:
    _, outcome, asked = await run(["I wonder.", finish("18")])
    assert outcome and outcome.reason == "finished"
    assert "weather" in asked[1].messages[-1].content
    assert asked[1].messages[-2].content == "I wonder."


async def test_a_step_that_was_cut_off_is_never_carried_out() -> None:
    cut = Reply(action("weather", of="Beijing"), finish_reason="length")
    _, outcome, _ = await run([cut, finish("18")], results=lambda call: pytest.fail("it was carried out"))
    assert steps(outcome)[0].errors == ("format",)


async def test_three_steps_that_fail_end_it() -> None:
    failing = Reply("no such city", value={"error": "failed"})
    _, outcome, _ = await run([action("weather", of=str(n)) for n in range(5)], results=failing)
    assert outcome and (outcome.reason, len(outcome.rounds)) == ("failures", 3)


async def test_what_no_repetition_can_mend_ends_it_at_once() -> None:
    log, outcome, _ = await run([action("weather")], results=Reply("401: key refused", value={"error": "fatal"}))
    assert outcome and (outcome.reason, len(outcome.rounds)) == ("error", 1)
    assert views.read(log).error == "401: key refused"


async def test_only_declared_tools_run() -> None:
    _, outcome, _ = await run([action("rm", of="/"), finish("1")], results=lambda call: pytest.fail("it ran"))
    assert steps(outcome)[0].errors == ("unknown",)
    assert "weather, sum, send" in steps(outcome)[0].observations[0]


async def test_a_tool_with_outside_effects_asks_first() -> None:
    said = [action("send", of="x"), finish("1")]
    _, outcome, _ = await run(said, results=lambda call: pytest.fail("it ran"))
    assert steps(outcome)[0].errors == ("refused",)
    spec = replace(SPEC, options={"somebody": True})
    log, waits, _ = await run(said, spec)
    assert waits is None
    question = views.read(log).question
    assert question and (question.question, question.about) == ("allow_tool", 'send(of="x")')
    for word, errors in (("allow", ("",)), ("refuse", ("refused",))):
        answered = Inbox(answers={question.at: word})
        _, outcome = await go_on(
            react, log, FakeDoors(lambda call, times: finish("1") if isinstance(call, ModelCall) else "sent"), answered
        )
        assert steps(outcome)[0].errors == errors


# --- verified finish ---------------------------------------------------------------------------------------------


async def test_an_answer_that_fails_its_checks_goes_back_with_the_reason() -> None:
    spec = replace(SPEC, task=replace(SPEC.task, result_checks=({"is": "number", "question": 0},)))
    log, outcome, asked = await run([finish("warm"), finish("18 degrees")], spec)
    assert outcome and (outcome.reason, outcome.best and outcome.best.text) == ("finished", "18 degrees")
    assert "the answer holds no number" in asked[1].messages[-1].content
    first = views.read(log).rounds[0]
    assert (first.kind, first.step and first.step.errors) == ("revise", ("unverified",))


async def test_a_task_may_ask_for_a_tool_before_the_answer() -> None:
    spec = replace(SPEC, options={"tool_first": True})
    _, outcome, _ = await run([finish("18"), finish("18")], spec)
    assert outcome and (outcome.reason, len(outcome.rounds)) == ("finished", 2)


# --- questions that follow ---------------------------------------------------------------------------------------


async def test_questions_given_at_the_start_follow_each_other_and_share_what_is_known() -> None:
    spec = replace(SPEC, options={"questions": ["And in Oslo?"]})
    _, outcome, asked = await run([action("weather"), finish("18"), finish("9")], spec)
    assert outcome and (outcome.reason, outcome.best and outcome.best.text) == ("finished", "9")
    assert steps(outcome)[2].question == "And in Oslo?"
    assert asked[2].messages[-1].content == "And in Oslo?"
    assert asked[2].messages[0].content.endswith("Step 1 of 6.")


async def test_after_an_answer_the_run_waits_for_the_next_question_and_goes_on_with_it() -> None:
    spec = replace(SPEC, options={"chat": True, "somebody": True})
    log, waits, _ = await run([finish("18")], spec)
    view = views.read(log)
    assert waits is None and view.question
    assert (view.status, view.question.question, view.text) == ("waiting", "next_question", "18")
    doors = FakeDoors(lambda call, times: finish("9"))
    log, waits = await go_on(react, log, doors, Inbox(answers={view.question.at: "And in Oslo?"}))
    view = views.read(log)
    assert waits is None and view.question and view.text == "9"
    log, outcome = await go_on(react, log, doors, Inbox(answers={view.question.at: ""}))
    assert outcome and (outcome.reason, views.read(log).text) == ("finished", "9")


async def test_steps_are_counted_for_each_question() -> None:
    spec = replace(SPEC, stops={"max_rounds": 2}, options={"questions": ["And now?"]})
    said = [action("weather", of="a"), finish("1"), action("weather", of="b"), finish("2")]
    _, outcome, _ = await run(said, spec)
    assert outcome and (outcome.reason, len(outcome.rounds)) == ("finished", 4)


# --- resume ------------------------------------------------------------------------------------------------------


async def test_cut_anywhere_and_resumed_it_does_the_same_and_pays_nothing_twice() -> None:
    spec = replace(
        SPEC, options={"questions": ["And in Oslo?"]}, task=replace(SPEC.task, result_checks=({"question": 0},))
    )
    said = [
        action("weather", of="Beijing"),
        finish("warm"),
        "Hm.",
        finish("18"),
        action("weather", of="Oslo"),
        finish("9"),
    ]

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, ModelCall):  # depends on the call alone, as a replay needs
            return said[sum(message.role == "assistant" for message in call.messages)]
        if isinstance(call, CheckCall):
            return [] if any(sign.isdigit() for sign in call.text) else ["no number"]
        return "18 °C"

    whole, outcome = await go_on(react, begin(spec), FakeDoors(answer))
    assert outcome and outcome.reason == "finished" and len(outcome.rounds) == 6
    for cut in range(1, len(whole)):
        resumed, again = await go_on(react, whole[:cut], FakeDoors(answer))
        assert again == outcome
        assert events(resumed) == events(whole)
        assert calls_made_after_reply(resumed) == []


# --- context -----------------------------------------------------------------------------------------------------


def many(n: int, words: int = 300) -> tuple[Round, ...]:
    result = " ".join(f"word{k}" for k in range(words))
    return tuple(
        Round(
            Step("Look.", (ToolCall("weather", {"of": str(k)}),), (f"{k}: {result}",), errors=("",)), Verdict("revise")
        )
        for k in range(n)
    )


def told(spec: RunSpec, rounds: tuple[Round, ...]) -> list[Exchange]:
    return [exchange for step in tells(spec)(rounds) for exchange in step]


async def test_a_step_is_put_into_words_once_and_later_prompts_hold_the_very_same_messages() -> None:
    _, _, asked = await run([action("weather", of=str(n)) for n in range(3)] + [finish("18")])
    assert [len(call.messages) for call in asked] == [2, 4, 6, 8]
    for earlier, later in pairwise(asked):
        told = earlier.messages[2:]
        assert all(one is other for one, other in zip(told, later.messages[2:], strict=False))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_history_stays_under_the_set_size_and_says_what_was_shortened(language: str) -> None:
    spec = replace(SPEC, task=replace(SPEC.task, language=language))
    history = told(spec, many(40))
    messages = fitted(spec, history, 4_000)
    assert sum(map(size, messages)) <= 4_000
    text = "\n".join(message.content for message in messages)
    assert "1. weather" in text and 'weather(of="0")' in text
    whole = [message for exchange in history[-4:] for message in exchange.messages]
    assert messages[-len(whole) :] == whole


def test_a_history_without_end_stays_under_the_set_size_too() -> None:
    messages = fitted(SPEC, told(SPEC, many(500, words=20)), 2_000)
    assert sum(map(size, messages)) <= 2_000
    assert "of them are not told here" in messages[0].content


def test_a_call_and_its_result_are_never_parted() -> None:
    spec = replace(SPEC, options={"protocol": "native"})
    rounds = tuple(
        replace(round, attempt=replace(round.attempt, ids=(f"id{n}",)))
        for n, round in enumerate(many(40))  # type: ignore[type-var]
    )
    messages = fitted(spec, told(spec, rounds), 4_000)
    called = [use.id for message in messages for use in message.tool_calls]
    assert called == [message.tool_call_id for message in messages if message.role == "tool"]
    assert called[-4:] == ["id36", "id37", "id38", "id39"]


def test_the_same_action_written_otherwise_is_the_same() -> None:
    one = canonical(ToolCall("t", {"a": 5.0, "b": " x  y "}))
    assert one == canonical(ToolCall("t", {"b": "x y", "a": 5}))
    assert one != canonical(ToolCall("t", {"a": 6, "b": "x y"}))
