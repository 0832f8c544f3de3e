"""What an actor's replies mean: the corpus of judged replies, and what must hold for any text at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.errors import FormatError
from refine.replies import ReadStep, read_step, read_tool_use, read_tool_uses
from refine.types import ToolUse
from tests.test_replies import EXAMPLES, rows, seconds


def read(text: str) -> ReadStep | None:
    try:
        return read_step(text)
    except FormatError:
        return None


@pytest.mark.parametrize("row", rows("steps-*.yaml"))
def test_a_step_is_read_as_a_human_judged_it(row: dict[str, Any]) -> None:
    if "error" in row:
        with pytest.raises(FormatError) as caught:
            read_step(row["text"])
        assert row["error"] in str(caught.value)
    else:
        step = read_step(row["text"])
        assert (step.action, step.args, step.final) == (row.get("action"), row.get("args", {}), row.get("final"))


# --- what a step holds besides ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Thought: look it up\nAction: search\nAction Input: x",
        "**Thought 1:** look it up\n**Action 1:** search[x]",
        "look it up\n\nAction: search\nAction Input: x",
        '{"thought": "look it up", "action": "search", "args": "x"}',
        'look it up\n```json\n{"action": "search", "args": "x"}\n```',
        'Thought: look it up\n<tool_call>{"name": "search", "arguments": {"input": "x"}}</tool_call>',
        "look it up\nsearch[x]",
        "思考：look it up\n行动：search\n行动输入：x",
    ],
)
def test_what_is_said_before_a_step_is_its_thought(text: str) -> None:
    assert read_step(text) == ReadStep("look it up", "search", {"input": "x"})


def test_the_thought_before_an_answer_is_kept_too() -> None:
    assert read_step("Thought: a\nAction: None\nThought: b\nFinal Answer: c") == ReadStep("a\nb", final="c")


def test_no_reply_at_all_is_a_format_error() -> None:
    with pytest.raises(FormatError, match="empty"):
        read_step(None)


@pytest.mark.parametrize(
    "text", ["talk " * 1000, '{"action": "' + "x" * 5000, "Action: " + "very long " * 500, "\n\0\n"]
)
def test_a_format_error_is_one_short_line_that_shows_the_form_to_use(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_step(text)
    message = str(caught.value)
    assert len(message) < 400
    assert "\n" not in message
    assert '{"action": ' in message


# --- native calls ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "args"),
    [
        ("", {}),
        ("  \n", {}),
        ("null", {}),
        ("{}", {}),
        ('""', {}),
        ('{"q": "x"}', {"q": "x"}),
        ('{"q": "x",}', {"q": "x"}),
        ("{'q': True}", {"q": True}),
        ('"{\\"q\\": \\"x\\"}"', {"q": "x"}),
        ('"plain"', {"input": "plain"}),
        ('{"q": "one\ntwo"}', {"q": "one\ntwo"}),
        (None, {}),
        ({"q": "x"}, {"q": "x"}),
    ],
)
def test_native_arguments_are_an_object_or_nothing(arguments: Any, args: dict[str, Any]) -> None:
    assert read_tool_use(ToolUse("1", "search", arguments)) == ("search", args)


@pytest.mark.parametrize(
    "arguments", ["{", '{"q": "x', "[1, 2]", "42", "true", "words", '{"a": 1}{"b": 2}', '{"a": NaN}', "[" * 5000, [1]]
)
def test_junk_in_native_arguments_goes_back_to_the_model(arguments: Any) -> None:
    with pytest.raises(FormatError):
        read_tool_use(ToolUse("1", "search", arguments))


def test_each_native_call_has_its_own_result_or_error() -> None:
    found = read_tool_uses([ToolUse("1", "a", '{"x": 1}'), ToolUse("2", "b", "{"), ToolUse("3", "no name", "{}")])
    assert found[0] == ("a", {"x": 1})
    assert [type(result) for result in found[1:]] == [FormatError, FormatError]
    assert "arguments of b" in str(found[1])


# --- for any text ----------------------------------------------------------------------------------------------------

PIECES = [
    "Thought: ", "Action: ", "Action Input: ", "Observation: ", "Final Answer: ", "思考：", "行动：", "行动输入：",
    "观察：", "最终答案：", "Tool: ", "Input: ", "Result: ", "**", "# ", "1. ", "- ", "> ", "\n", "\n\n", " ", "\r\n",
    "\r", "search", "finish", "None", "无", "search[", "]", "Finish[", '{"action": "search", "args": {"q": 1}}',
    '{"action": "', '", "args": {', '"q": "x"', "}}", "}", "{", "[", '"', "'", "\\", ",", ":", "`", "```", "```json\n",
    "~~~", "<tool_call>", "</tool_call>", "<function=a>", "</function>", "<parameter=q>", "</parameter>",
    "[TOOL_CALLS]", "[ARGS]", '<invoke name="a">', "</invoke>", "<think>", "</think>", "<|im_end|>", "<|channel|>",
    "final", "commentary to=functions.a", "<|message|>", "\u200b", "\ufeff", "｛", "：", "【行动】", "\x00", "\ud83d",
    "Action In", "null", "true", "\\u", "NaN", "1e999", "<arg_key>", "<tool_response>",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=14).map("".join)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_any_text_is_a_step_or_a_format_error(text: str) -> None:
    step = read(text)
    if step is not None:
        assert (step.action is None) != (step.final is None)
        assert step.final is None or step.final.strip()
        assert all(isinstance(key, str) for key in step.args)
        assert not (step.final and step.args)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_native_arguments_are_read_or_a_format_error(text: str) -> None:
    (found,) = read_tool_uses([ToolUse("1", "a", text)])
    assert isinstance(found, FormatError) or isinstance(found[1], dict)


WORDS = st.sampled_from(
    [
        "Thought: I wonder\n", "words\n", "Action: None\n", "Action: search\n", "Action Input: x\n", "\n",
        "Tool: search\n",
        'Action Input: {"q": "x"}\n', '{"plan": 1}\n', "思考：嗯\n", "行动：search\n", "```\ncode\n```\n", "- item\n",
    ]
)  # fmt: skip
OBSERVATIONS = st.sampled_from(
    ["Observation: 4", "**Observation:** 4", "observation 2: 4", "观察：4", "## Observation\n4", "<tool_response>\n4"]
)
EVIL = st.sampled_from(
    [
        "Action: evil\nAction Input: {}", '{"action": "evil", "args": {}}', "evil[x]", "Final Answer: evil",
        '```json\n{"action": "evil"}\n```', '<tool_call>{"name": "evil", "arguments": {}}</tool_call>', "行动：evil",
        'I call {"action": "evil"}.', "<function=evil></function>",
    ]
)  # fmt: skip


@settings(max_examples=EXAMPLES * 3, deadline=None)
@given(st.lists(WORDS, max_size=6).map("".join), OBSERVATIONS, EVIL)
def test_nothing_after_a_self_written_observation_is_executed(head: str, observation: str, tail: str) -> None:
    assert read(f"{head}{observation}\n{tail}") == read(f"{head}{observation}\n")
    step = read(f"{head}{observation}\n{tail}")
    assert step is None or step.action == "search"


scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 10**12), st.floats(allow_nan=False, allow_infinity=False))
names = st.from_regex(r"\A[A-Za-z_][A-Za-z0-9_.-]{0,20}[a-z0-9]\Z")
words = st.one_of(st.text(max_size=12), st.lists(st.sampled_from(PIECES), max_size=4).map("".join))
clean = words.filter(lambda text: "\ud83d" not in text and "<" not in text)
values = st.recursive(
    st.one_of(scalars, clean),
    lambda held: st.one_of(st.lists(held, max_size=3), st.dictionaries(clean, held, max_size=3)),
    max_leaves=5,
)
arguments = st.dictionaries(clean, values, max_size=3)


def names_a_tool(name: str) -> bool:
    """Not a word for no action, or for the answer."""
    step = read(f'{{"action": "{name}_"}}')
    return step is not None and step.action is not None and len(name.strip("_.-")) > 3


tools = names.filter(names_a_tool)


def in_json(name: str, args: dict[str, Any]) -> str:
    return json.dumps({"thought": "t", "action": name, "args": args}, ensure_ascii=False)


FORMS: list[Callable[[str, dict[str, Any]], str]] = [
    in_json,
    lambda name, args: json.dumps({"action": name, "args": args}, indent=2),
    lambda name, args: f"Let me see.\n\n```json\n{in_json(name, args)}\n```\nI wait.",
    lambda name, args: f"Let me see.\n{in_json(name, args)}",
    lambda name, args: json.dumps({"name": name, "arguments": json.dumps(args)}),
    lambda name, args: json.dumps([{"type": "function", "function": {"name": name, "arguments": json.dumps(args)}}]),
    lambda name, args: f"Thought: hm\nAction: {name}\nAction Input: {json.dumps(args)}\nObservation: x",
    lambda name, args: f"**Action:** `{name}`\n**Action Input:**\n```json\n{json.dumps(args, indent=1)}\n```",
    lambda name, args: f"思考：嗯\n行动：{name}\n行动输入：{json.dumps(args, ensure_ascii=False)}\n观察：好",
    lambda name, args: f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>",
    lambda name, args: f"[TOOL_CALLS] [{json.dumps({'name': name, 'arguments': args})}]",
    lambda name, args: f"<function={name}>{json.dumps(args)}</function>",
]


@settings(max_examples=EXAMPLES, deadline=None)
@given(tools, arguments, st.sampled_from(FORMS))
def test_a_tool_and_its_arguments_come_back_from_every_form(name: str, args: dict[str, Any], form: Any) -> None:
    step = read_step(form(name, args))
    assert (step.action, step.args) == (name, args)


@settings(max_examples=EXAMPLES, deadline=None)
@given(tools, arguments, st.sampled_from(FORMS[:6] + FORMS[9:]), st.data())
def test_a_step_that_is_cut_off_anywhere_is_whole_or_none(
    name: str, args: dict[str, Any], form: Any, data: Any
) -> None:
    text = form(name, args)
    step = read(text[: data.draw(st.integers(0, len(text)))])
    assert step is None or (step.action, step.args) == (name, args)


@settings(max_examples=EXAMPLES, deadline=None)
@given(arguments, st.sampled_from(FORMS[6:9]), st.data())
def test_labelled_arguments_are_never_parts_of_cut_off_ones(args: dict[str, Any], form: Any, data: Any) -> None:
    text = form("search", args)
    step = read(text[: data.draw(st.integers(0, len(text)))])
    assert step is None or step.args in ({}, args)


ADVERSARIES = [
    "Action: ", "Action: a\n", "Action: a\nAction Input: b\n", "Action: None\n", "Action: a\n```\n", "Action: a[",
    "Action: a\nfoo: ", 'Action Input: "', "Thought:\n", "Final Answer:\n", "Observation", "Obs", "Tool: a\n",
    "Tool: a\nInput: b\n", '`{"a" \n', '`{"a": 1} x\n', "{", '{"', '{"a":', '{"a": 1}\n', '{"a": 1} x ', "x {'a':1}\n",
    "[",
    "[{", "{'", "'", "\\'", '\\"', '"', "```\n", "```py\n", "~~~\n", "```\n```\n", '```json\n{"a":1}\n',
    "<tool_call>", '<tool_call>{"a":1}', "<function=a>", "<function=a><parameter=b>", "<parameter=b>",
    '<invoke name="a"></invoke>',
    "<tool_call>a<arg_key>b</arg_key><arg_value>c", "[TOOL_CALLS]", "a[", "a[b]\n", "a[[b]\n", "\n", " ", "a", "中",
    "**", "# ", "1. ", "1 ", "- ", "> ", "(", "\u200b", "a\u200b", "é", "\u0301", "\r", "｛\"a\":", "【", "<|im_end|>",
    "`<|im_end|>`", "to=functions.a<|message|>", '{"action": "a", "args": "', "✿FUNCTION✿", "<think>", "Action: none,",
    '{"action": null}\n', "\\u", '{"a": "\\ud83d"}\n',
]  # fmt: skip


@pytest.mark.parametrize("piece", ADVERSARIES)
def test_time_grows_no_faster_than_the_reply(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (20_000, 80_000))
    read(piece * 50)
    limit = max(min(seconds(read, short) for _ in range(2)), 0.05) * 8
    assert min(seconds(read, long) for _ in range(2)) < limit
