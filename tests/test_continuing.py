"""A writer's reply that was cut off: what is asked, how its halves are joined, and when they are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from refine.techniques.continuing import MOST, joined
from refine.techniques.refine import refine
from refine.types import ModelCall, Outcome, Reply, Role, RunSpec, Task
from tests.fakes import FakeDoors, begin, go_on

SPEC = RunSpec(
    "refine",
    "test",
    Task(draft="The harbour is closed.", language="en"),
    (Role("writer", "Write.\n\nuser:\n{{ draft }}{{ findings }}"), Role("critic", "Judge.\n\nuser:\n{{ draft }}")),
    stops={"max_rounds": 2},
)


async def played(*said: Reply) -> tuple[Outcome, list[ModelCall]]:
    replies, asked = iter(said), []

    def answer(call: Any, times: int) -> Any:
        if call.role == "critic":
            return "Too short."
        asked.append(call)
        return next(replies)

    _, outcome = await go_on(refine, begin(SPEC), FakeDoors(answer))
    assert outcome is not None
    return outcome, asked


def cut(text: str) -> Reply:
    return Reply(text, finish_reason="length")


async def test_the_rest_is_asked_for_and_the_whole_is_reviewed() -> None:
    first, rest = "In winter the harbour is closed. Boats wa", "In winter the harbour is closed. Boats wait outside."
    outcome, asked = await played(cut(first), Reply(rest))
    assert outcome.best and outcome.best.text == rest
    assert [message.role for message in asked[1].messages[-2:]] == ["assistant", "user"]
    assert asked[1].messages[-2].content == first


async def test_a_rest_may_be_cut_off_too_but_not_for_ever() -> None:
    pieces = ["One sentence stands here. ", "Another one follows it. ", "A third one ends it."]
    outcome, _ = await played(cut(pieces[0]), cut(pieces[1]), Reply(pieces[2]))
    assert outcome.best and outcome.best.text == "".join(pieces)
    outcome, asked = await played(*[cut(f"Piece number {n} of a long text. ") for n in range(9)])
    assert (outcome.reason, len(asked)) == ("cut_off", MOST + 1)
    assert outcome.best and outcome.best.text == SPEC.task.draft


@pytest.mark.parametrize(
    "rest", [Reply(""), Reply("", refusal="I cannot."), Reply("no", finish_reason="content_filter")]
)
async def test_half_a_text_never_replaces_a_whole_one(rest: Reply) -> None:
    outcome, asked = await played(cut("In winter the har"), rest)
    assert (outcome.reason, len(asked)) == ("cut_off", 2)
    assert outcome.best and outcome.best.text == SPEC.task.draft


@pytest.mark.parametrize("thought", ["<think>First the ", "<think>\nLet me see.</think>\n"])
async def test_thoughts_without_a_text_are_not_continued(thought: str) -> None:
    outcome, asked = await played(replace(cut(thought)))
    assert (outcome.reason, len(asked)) == ("cut_off", 1)


@pytest.mark.parametrize(
    ("text", "rest", "whole"),
    [
        ("In winter it is shut. Boats wa", "In winter it is shut. Boats wait.", "In winter it is shut. Boats wait."),
        ("One. In winter it is closed. Bo", "In winter it is closed. Boats.", "One. In winter it is closed. Boats."),
        ("One. In winter it is closed.", "Here is the rest:\n\nIn winter it is closed. End.",
         "One. In winter it is closed. End."),
        ("Here we begin anew, and th", "Here we begin anew. It ends.", "Here we begin anew. It ends."),
        ("<think>hm</think>Here we begin anew, and th", "Here we begin anew. End.", "Here we begin anew. End."),
        ("The harbour is closed. The har", "bour opens.", "The harbour is closed. The harbour opens."),
        ("The harbour is closed. The", "boats wait.", "The harbour is closed. The boats wait."),
        ("It is closed.", "It opens.", "It is closed. It opens."),
        ("It is closed.\n", "It opens.", "It is closed.\nIt opens."),
        ("It is closed", ", they say.", "It is closed, they say."),
        ("港口冬天关", "闭。", "港口冬天关闭。"),
        ("第一段说明港口为什么在冬天关闭。船在外", "第一段说明港口为什么在冬天关闭。船在外面等。",
         "第一段说明港口为什么在冬天关闭。船在外面等。"),
        ("It is closed.", "  ", None),
    ],
)  # fmt: skip
def test_halves_are_joined_where_they_meet(text: str, rest: str, whole: str | None) -> None:
    assert joined(text, rest) == whole


def test_a_long_text_of_the_same_words_is_joined_at_once() -> None:
    text = "At first " + "again and " * 50_000
    assert joined(text, "again and again. The end.") == text + "again and again. The end."
