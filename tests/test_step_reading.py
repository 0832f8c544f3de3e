"""Steps as people read them: on pages, in tables and in files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

from refine import export, report, steps, tables, views, words
from refine.documents import page
from refine.events import Called, Noted, Record, Replied, RoundEnded, Started, Stopped
from refine.types import ERRORS, Ask, Finding, Note, Reply, Role, Round, RunSpec, Step, Task, ToolCall, Verdict

CHECK = {"is": "number", "question": 0}
TASK = Task("Sum", brief="How much is it?", result_checks=(CHECK,))
SPEC = RunSpec("react", "react", TASK, (Role("actor", "Act."),))
CITY = ToolCall("weather", {"city": "Bejing"})
SUM = ToolCall("calculator", {"expression": "18 + 5"})
WRONG = Step("First the weather.", (CITY,), ("no such city",), errors=("failed",))
ADDED = Step("Now the sum.", (SUM,), ("23",))
AGAIN = Step(
    "Once more.", (ToolCall("calculator", {"expression": "18  +  5"}),), ("Warning ... 23",), errors=("repeat",)
)
SENT_BACK = Step("Done?", final="It is warm.", observations=("- there is no number in it",), errors=("unverified",))
ANSWER = Step("Done.", final="23 °C")
NEXT = Step("Known.", final="Yes.", question="Is that warm?")


def log(*attempts: Step, spec: RunSpec = SPEC, reason: str = "finished", text: str | None = None) -> list[Record]:
    rounds = [Round(step, Verdict("approved" if step.final and not step.errors else "revise")) for step in attempts]
    ends = [RoundEnded(str(n), "0", round) for n, round in enumerate(rounds, 1)]
    events = (Started(spec), *ends, *([Stopped(reason, None, text)] if reason else []))
    return [Record("r", n, float(n), event) for n, event in enumerate(events)]


def asked(
    *attempts: Step, spec: RunSpec = SPEC, reason: str = "finished", text: str | None = None
) -> tuple[steps.Asked, ...]:
    return steps.asked(views.read(log(*attempts, spec=spec, reason=reason, text=text)))


def rendered(kind: str, *attempts: Step, spec: RunSpec = SPEC) -> str:
    records = log(*attempts, spec=spec)
    return export.render(views.read(records), records, kind).decode("utf-8-sig")


def test_every_question_has_its_own_steps_and_its_own_answer() -> None:
    first, second = asked(WRONG, ADDED, ANSWER, NEXT)
    assert (first.text, len(first.steps), first.answer) == ("How much is it?", 3, "23 °C")
    assert (second.text, len(second.steps), second.answer) == ("Is that warm?", 1, "Yes.")


def test_an_answer_is_checked_only_where_the_task_has_checks_for_its_question() -> None:
    first, second = asked(ADDED, ANSWER, NEXT)
    assert first.approved and first.checked
    assert second.approved and not second.checked
    (unchecked,) = asked(ADDED, ANSWER, spec=replace(SPEC, task=replace(TASK, result_checks=())))
    assert unchecked.approved and not unchecked.checked


def test_an_answer_without_any_tool_is_known_as_one() -> None:
    assert asked(ANSWER)[0].without_tools
    assert not asked(ADDED, ANSWER)[0].without_tools


def test_an_answer_given_beyond_the_steps_belongs_to_the_last_question() -> None:
    first, second = asked(ANSWER, replace(ADDED, question="And now?"), reason="max_rounds", text="About 23.")
    assert first.answer == "23 °C"
    assert (second.answer, second.approved) == ("About 23.", False)


def test_a_question_without_an_answer_has_none() -> None:
    assert asked(ADDED, reason="")[0].answer is None
    assert asked(reason="")[0].steps == ()


def test_a_question_that_was_put_and_has_no_step_yet_is_known() -> None:
    chat = replace(SPEC, options={"chat": True, "somebody": True, "questions": ["And then?"]})
    given = log(ANSWER, spec=chat, reason="")
    assert steps.pending(views.read(given), given) == "And then?"
    asked_for = log(ANSWER, reason="")
    answered = [*asked_for, *(Record("r", 2 + n, 2.0, event) for n, event in enumerate(
        (Called("2", Ask("next_question")), Replied("2", Reply(" Is that warm? ")))))]  # fmt: skip
    assert steps.pending(views.read(answered), answered) == "Is that warm?"
    going_on = [*answered, Record("r", 4, 4.0, RoundEnded("4", "0", Round(NEXT, Verdict("approved"))))]
    assert steps.pending(views.read(going_on), going_on) == ""
    wish = Note("add", finding=Finding(remark="In Kelvin, please."))
    forked = [*log(ANSWER, reason=""), Record("r", 2, 2.0, Noted("1", (wish,)))]
    assert steps.pending(views.read(forked), forked) == "In Kelvin, please."


def test_each_step_has_one_result() -> None:
    results = [steps.result_of(step) for step in (WRONG, ADDED, AGAIN, SENT_BACK, ANSWER)]
    assert results == ["error", "ok", "repeat", "sent_back", "answer"]
    assert steps.result_of(Step(observations=("?",), errors=("format",))) == "error"
    assert steps.result_of(Step(calls=(SUM,), observations=("no",), errors=("refused",))) == "refused"
    side_by_side = Step(calls=(SUM, CITY), observations=("23", "no such city"), errors=("", "failed"))
    assert steps.result_of(side_by_side) == "error"


def test_a_repeat_names_the_step_that_did_it_first_whatever_its_spelling() -> None:
    (only,) = asked(WRONG, ADDED, AGAIN)
    assert steps.first_time(only.steps, AGAIN.calls[0]) == 2


def test_the_table_of_steps_has_a_row_each() -> None:
    frame = tables.rounds(views.read(log(WRONG, ADDED, ANSWER)), tables.STEP_COLUMNS)
    assert [*frame["step"]] == [1, 2, 3]
    assert [*frame["action"]] == ["weather", "calculator", ""]
    assert [*frame["result"]] == ["error", "ok", "answer"]


def test_every_error_and_result_has_words_in_both_languages() -> None:
    for language in ("en", "zh"):
        table = words.of(language)
        assert set(table.STEP_ERRORS) == set(ERRORS)
        assert set(table.STEP_RESULTS) == set(steps.Result.__args__)


def test_finished_speaks_of_checks_only_where_there_were_some() -> None:
    unchecked = replace(SPEC, task=replace(TASK, result_checks=()))
    assert views.reason_of(views.read(log(ANSWER))) == "The answer passed its checks."
    assert views.reason_of(views.read(log(ANSWER, spec=unchecked))) == "Finished."


# --- files -------------------------------------------------------------------------------------------------------


def test_the_trace_to_read_tells_questions_thoughts_actions_observations_and_answers() -> None:
    told = rendered("md", WRONG, ADDED, ANSWER, NEXT)
    for piece in ("How much is it?", "First the weather.", '{"city": "Bejing"}', "no such city", "Is that warm?"):
        assert piece in told
    assert "Observation (the tool failed)" in told
    assert "Verified: it passed its checks." in told
    assert "This answer was not verified. Answered without tools." in told


def test_what_models_and_tools_said_is_no_markup_in_the_trace() -> None:
    hostile = "```\n# Heading ![a](http://evil.example/a.png) <script>\n````"
    told = rendered(
        "md", Step(hostile, (SUM,), (hostile,)), ANSWER, spec=replace(SPEC, task=replace(TASK, brief=hostile))
    )
    html = page_of(told)
    assert "<h1>Heading" not in html and "<script" not in html
    assert "evil.example" in html and 'src="http' not in html


def page_of(told: str) -> str:
    from markdown_it import MarkdownIt

    return str(MarkdownIt("commonmark").render(told))


def test_the_table_of_steps_leaves_as_csv_and_runs_no_formula() -> None:
    row, last = csv.DictReader(io.StringIO(rendered("csv", replace(ADDED, thought="=1+1"), ANSWER), newline=""))
    assert (row["step"], row["question"], row["action"]) == ("1", "How much is it?", "calculator")
    assert row["thought"] == "'=1+1"
    assert json.loads(row["arguments"]) == SUM.arguments
    assert (last["answer"], last["accepted"]) == ("23 °C", "yes")


def test_the_object_and_the_page_tell_question_thought_and_error_of_a_step() -> None:
    rounds = json.loads(rendered("json", WRONG, ANSWER, NEXT))["rounds"]
    assert (rounds[0]["thought"], rounds[0]["errors"]) == ("First the weather.", ["failed"])
    assert rounds[2]["question"] == "Is that warm?"
    shown = page.render(report.page_of(views.read(log(WRONG, ANSWER, NEXT)))).decode()
    for piece in ("How much is it?", "Is that warm?", "the tool failed", "no such city"):
        assert piece in shown


def test_the_answer_alone_leaves_as_text() -> None:
    assert rendered("txt", ADDED, ANSWER) == "23 °C"
