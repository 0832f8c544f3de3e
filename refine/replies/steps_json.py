"""A step in an object: which tool, with which arguments, or which answer. Also the arguments of native calls.

Knows nothing of where in a reply the object stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from refine.errors import FormatError
from refine.replies.objects import any_value, balanced, loaded
from refine.replies.steps_words import step_words
from refine.replies.text import INVISIBLE, normal
from refine.types import Json, ToolUse


@dataclass(frozen=True, slots=True)
class ReadStep:
    """What an actor wants: one tool with arguments, or to end with an answer. Either `action` or `final` is None."""

    thought: str = ""
    action: str | None = None
    args: dict[str, Json] = field(default_factory=dict)
    final: str | None = None


class Void(str):
    """No step, and why."""


KEYS: Mapping[str, tuple[str, ...]] = {
    "action": ("action", "tool", "toolname", "functionname", "name", "行动", "动作", "操作", "工具", "工具名称"),
    "wrapper": ("function", "functioncall", "toolcall", "toolcalls", "call"),
    "args": (
        "args", "actioninput", "toolinput", "arguments", "input", "parameters", "actioninputs", "toolinputs",
        "actionargs", "toolargs", "params", "inputs", "行动输入", "动作输入", "工具输入", "输入", "参数",
    ),
    "thought": ("thought", "thoughts", "thinking", "reasoning", "思考", "想法"),
    "answer": ("finalanswer", "answer", "final", "finish", "最终答案", "答案", "最终回答", "回答"),
    "text": (
        "answer", "finalanswer", "input", "text", "result", "output", "response", "content", "message", "final",
        "答案", "最终答案", "回答", "内容",
    ),
}  # fmt: skip
"""In letters and digits alone. The first one that holds something counts."""
_BESIDE_NAME = frozenset(
    ("id", "callid", "toolcallid", "index", "type", "description", *KEYS["thought"], *KEYS["args"], *KEYS["action"])
)
"""What may stand in an object beside a bare `name` without making it something else, a person say."""
_BESIDE_ANSWER = frozenset((*KEYS["answer"], *KEYS["thought"], *KEYS["args"], *KEYS["action"], "type"))
"""What may stand in an object beside an answer alone without making it something else, a question of a quiz say."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_DECORATION = " \t\r\n\u3000*`\"'“”‘’「」『』«»《》【】<>[],;:!，。；：！"
_TYPED = re.compile(
    r"\{\s{0,200}(?:[\"'}]|[\w -]{1,40}:|\Z)|\[(?:\s{0,200}[\"'{\[]|[\s\d.,eE+-]*\Z)|[`\"']\Z|``\Z|\"[^\"]*\Z"
)
"""Text that begins as JSON or with a mark that has to be closed."""
_LOOKS_LIKE_STEP = re.compile(
    r"[\"'](?:action|tool|name|function|tool_?name|tool_calls?|function_call|行动|工具)[\"']\s{0,20}:", re.IGNORECASE
)
_REMARK = re.compile(r"(?:\s*[(:,;（，]|\s+[-–—]|[.。](?=\s|$)).*$", re.DOTALL)
"""What follows “None”: why."""
_LETTERS = re.compile(r"[\W_]+")

USE_JSON = 'reply with one JSON object such as {"action": "tool_name", "args": {"key": "value"}}'
USE_FINISH = 'to end, reply with {"action": "finish", "args": {"answer": "your answer"}}'


def excerpt(text: str, most: int = 80) -> str:
    """A piece of what was got, on one line, for a message to the model."""
    line = " ".join(text[: most * 4].split())
    return f"{line[:most]}…" if len(line) > most or len(text) > most * 4 else line


def letters(text: str) -> str:
    return _LETTERS.sub("", normal(text))


# --- names ----------------------------------------------------------------------------------------------------------


def tool_name(said: str) -> str:
    """The name without quotation marks, bold, empty brackets and Markdown's backslashes; nothing else is mended."""
    name = re.sub(r"\(\s*\)$|\\(?=_)", "", _undecorated(said))
    name = _undecorated(name)
    if not NAME.fullmatch(name):
        raise FormatError(
            f"“{excerpt(said)}” is not the name of a tool, which is a letter or underscore followed by at most 63 "
            f"letters, digits, _ . or -; {USE_JSON}."
        )
    return name


def _undecorated(said: str) -> str:
    return INVISIBLE.sub("", said).strip(_DECORATION).rstrip(".").rstrip(_DECORATION)


def is_void(said: str) -> bool:
    """Whether no action is named: None, N/A, nothing at all."""
    text = normal(said[:200]).strip(_DECORATION + "().-—–_{}")
    text = _REMARK.sub("", text).replace("_", " ")
    return len(said) <= 200 and (not text or step_words("void").fullmatch(text) is not None)


def is_finish(said: str) -> bool:
    return len(said) <= 100 and step_words("finish").fullmatch(letters(re.sub(r"\(\s*\)\s*$", "", said))) is not None


def no_action(said: str) -> Void:
    got = f"The action is “{excerpt(said)}”" if said.strip() else "The action is empty"
    return Void(f"{got}, which is no step; if no tool is needed, give the answer: {USE_FINISH}.")


def no_answer(said: str) -> Void:
    return Void(f"“{excerpt(said)}” came without an answer; {USE_FINISH}.")


# --- arguments ------------------------------------------------------------------------------------------------------


def arguments(value: Json) -> dict[str, Json]:
    """A5: an object as it is, nothing as no arguments, other text as the input."""
    if value is None:
        return {}
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        return _from_text(value)
    kind = "a list" if isinstance(value, list) else "no object"
    raise FormatError(f"The arguments are {kind}: {excerpt(_dumped(value))}; {USE_JSON}.")


def spoken(text: str) -> dict[str, Json]:
    """Arguments on a labelled line or in brackets, where a number is text and quotation marks are only marks."""
    text = text.strip()
    if text.strip("`*_.").lower() in ("none", "null", "nil", "n/a", "无", "空"):
        return {}
    for mark in ('"', "'", "`"):
        if len(text) > 1 and text[0] == text[-1] == mark and mark not in text[1:-1].replace(f"\\{mark}", ""):
            inside = text[1:-1] if mark == "`" else (loaded(f"[{text}]") or [text])[0]
            return _from_text(inside.strip() if isinstance(inside, str) else text)
    return _from_text(text)


def _from_text(text: str) -> dict[str, Json]:
    bare = INVISIBLE.sub("", text).strip()
    if not bare:
        return {}
    if bare == "null":
        return {}
    value = loaded(bare) if bare[0] in "{[" and balanced(bare, 0) == len(bare) else None
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return arguments(value)
    if _TYPED.match(bare):
        raise FormatError(f"The arguments are cut off, or no valid JSON: {excerpt(bare)}; {USE_JSON}.")
    return {"input": text}


def answer_text(value: Json) -> str:
    """The answer in the arguments of `finish`."""
    if isinstance(value, str):
        inner = loaded(value.strip()) if value.lstrip().startswith("{") else None
        return answer_text(inner) if isinstance(inner, dict) and _named_answer(inner) is not None else value.strip()
    if not isinstance(value, dict):
        return "" if value in (None, []) else _dumped(value)
    held = _named_answer(value)
    if held is None and len(value) == 1:
        held = next(iter(value.values()))
    if isinstance(held, dict) and _named_answer(held) is None:
        return _dumped(held)
    return answer_text(held) if held is not None or not any(value.values()) else _dumped(value)


def _named_answer(value: Mapping[str, Json]) -> Json:
    return _first(_table(value), "text")


def _dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


# --- steps ----------------------------------------------------------------------------------------------------------


def step_in(value: Json) -> ReadStep | Void | None:
    """The step in an object or a list of calls; None where it has none.

    Raises:
        FormatError: it has one that cannot be used.
    """
    if isinstance(value, list):
        read = (step_in(held) for held in value if isinstance(held, dict))
        return next((step for step in read if step is not None), None)
    if not isinstance(value, dict):
        return None
    table = _table(value)
    thought = _first(table, "thought")
    thought = thought.strip() if isinstance(thought, str) else ""
    step = _step(table)
    if isinstance(step, ReadStep):
        return ReadStep(thought or step.thought, step.action, step.args, step.final)
    return step


def _step(table: Mapping[str, Json]) -> ReadStep | Void | None:
    key = next((key for key in KEYS["action"] if table.get(key) is not None), None)
    answer = _answer(table)
    wrapped = _first(table, "wrapper")
    if key is None and wrapped and isinstance(wrapped, dict | list):
        return step_in(wrapped)
    if key is None and isinstance(wrapped, str):
        return _named(wrapped, table, answer)
    if key is None and not answer and any(name in table for name in KEYS["action"] if name != "name"):
        return no_action("null")
    if key is None or (key == "name" and not _is_call(table)):
        return ReadStep(final=answer) if answer and set(table) <= _BESIDE_ANSWER else None
    said = table[key]
    if isinstance(said, dict | list):
        return step_in(said) or _unusable(said)
    return _named(said, table, answer) if isinstance(said, str) else _unusable(said)


def _answer(table: Mapping[str, Json]) -> str:
    """An answer in a field of its own. A flag is none: {"final": false}."""
    held = _first(table, "answer")
    return "" if isinstance(held, bool) else answer_text(held)


def _named(said: str, table: Mapping[str, Json], answer: str) -> ReadStep | Void:
    given = _first(table, "args")
    if is_void(said):
        return ReadStep(final=answer) if answer else no_action(said)
    if is_finish(said):
        final = answer_text(given) or answer
        return ReadStep(final=final) if final else no_answer(said)
    return ReadStep(action=tool_name(said), args=arguments(given))


def _unusable(said: Json) -> ReadStep:
    raise FormatError(f"The action is no name of a tool: {excerpt(_dumped(said))}; {USE_JSON}.")


def _is_call(table: Mapping[str, Json]) -> bool:
    """Whether an object with a `name` is a call, and not a record of something that has a name."""
    return any(key in table for key in KEYS["args"]) or set(table) <= _BESIDE_NAME


def looks_like_step(text: str) -> bool:
    """Whether text that is no JSON was meant as a step."""
    return _LOOKS_LIKE_STEP.search(text, 0, 4000) is not None


def _table(value: Mapping[str, Json]) -> dict[str, Json]:
    return {letters(str(key)[:100]): held for key, held in value.items()}


def _first(table: Mapping[str, Json], name: str) -> Json:
    return next((table[key] for key in KEYS[name] if table.get(key) is not None), None)


# --- native calls ---------------------------------------------------------------------------------------------------


def read_tool_use(use: ToolUse) -> tuple[str, dict[str, Json]]:
    """The tool and the arguments of one native call.

    Raises:
        FormatError: its arguments are no object; the message goes back under the call's own id.
    """
    name = tool_name(use.name)
    given: Json = use.arguments
    if not isinstance(given, str):
        return name, arguments(given)
    text = given.strip()
    if text[:1] in ("{", "["):
        value = loaded(text) if balanced(text, 0) == len(text) else None
    else:
        value = any_value(text) if text else {}
    if value is None and text != "null":
        raise FormatError(
            f"The arguments of {name} are cut off, or no valid JSON: {excerpt(given)}; "
            'call it again with one JSON object such as {"key": "value"}.'
        )
    return name, arguments(value)


def read_tool_uses(uses: Iterable[ToolUse]) -> tuple[tuple[str, dict[str, Json]] | FormatError, ...]:
    """One for each native call, in order: the tool and its arguments, or what goes back under the call's own id."""
    return tuple(_or_error(use) for use in uses)


def _or_error(use: ToolUse) -> tuple[str, dict[str, Json]] | FormatError:
    try:
        return read_tool_use(use)
    except FormatError as error:
        return error
