"""What one form of a step says: an object, an envelope, a labelled action, a name with brackets.

Knows nothing of which form comes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from refine.errors import FormatError
from refine.replies.steps_json import (
    USE_JSON,
    ReadStep,
    Void,
    answer_text,
    arguments,
    excerpt,
    is_finish,
    is_void,
    looks_like_step,
    no_action,
    no_answer,
    spoken,
    step_in,
    tool_name,
)
from refine.replies.steps_marks import Mark, Source, held
from refine.replies.steps_sections import Section
from refine.replies.steps_turn import unfenced
from refine.types import Json

Found = ReadStep | Void | None


def cut_off(text: str) -> FormatError:
    return FormatError(f"The step is cut off: “{excerpt(text)}” never ends; send it again as a whole: {USE_JSON}.")


def invalid(text: str) -> FormatError:
    return FormatError(f"The step is no valid JSON: {excerpt(text)}; {USE_JSON}.")


def refuse_cut(source: Source, part: Section) -> None:
    if part.cut is not None:
        raise cut_off(source.text(part.cut))


_BRACKETS = re.compile(r"(?P<marks>[\s`*\"'“]{0,8})(?P<name>[A-Za-z_][\w.-]{0,80}|Final Answer)\[", re.IGNORECASE)
_BRACKET = re.compile(r"[\[\]]")


def of_object(source: Source, mark: Mark) -> Found:
    value = held(source, mark)
    if value is None and looks_like_step(text := source.text(mark.start, mark.end)):
        raise invalid(text)
    return step_in(value)


def of_call(source: Source, mark: Mark) -> Found:
    value = held(source, mark)
    if value is None:
        raise invalid(source.text(mark.start, mark.end))
    if not mark.name:
        return step_in(value)
    return _step(mark.name, arguments(value), lambda: answer_text(value))


def of_action(source: Source, part: Section, after: Section | None) -> Found:
    """A labelled action: a name, a name with brackets, or an object."""
    said = source.clean[part.start : part.end]
    first = part.objects[0] if part.objects else None
    if first and not _says(source.clean[part.start : first.start]):
        return of_object(source, first) or _not_a_step(source, first)
    if _BRACKETS.match(said):
        return of_brackets(source, part.start, part.end)
    line, _, rest = unfenced(said.strip()).strip().partition("\n")
    if first is not None:
        line = said[: first.start - part.start].strip().partition("\n")[0]
    if is_void(line):
        return no_action(line)
    if is_finish(line):
        final = _answer_under(source, part, after, first, rest)
        return ReadStep(final=final) if final else no_answer(line)
    if first is not None and not _is_name(line) and (step := of_object(source, first)):
        return step
    name = tool_name(line)
    if first is not None and (again := _repeated(held(source, first), name)):
        return again
    if after is not None:
        return ReadStep(action=name, args=_arguments_under(source, after))
    if first is not None:
        return ReadStep(action=name, args=_of_arguments(source, first))
    refuse_cut(source, part)
    if _half_a_label(rest):
        raise FormatError(f"The arguments of {name} are not readable: “{excerpt(rest)}”; {USE_JSON}.")
    return ReadStep(action=name)


def _step(name: str, args: dict[str, Json], answer: Callable[[], str]) -> ReadStep | Void:
    if is_void(name):
        return no_action(name)
    if is_finish(name):
        final = answer()
        return ReadStep(final=final) if final else no_answer(name)
    return ReadStep(action=tool_name(name), args=args)


def of_brackets(source: Source, start: int, end: int) -> ReadStep | None:
    """tool[text]; the text may hold brackets of its own."""
    found = _BRACKETS.match(source.clean, start, end)
    if found is None or is_void(found["name"]):
        return None
    depth = 0
    for bracket in _BRACKET.finditer(source.clean, found.end() - 1, end):
        depth += 1 if bracket[0] == "[" else -1
        if not depth:
            text = source.text(found.end(), bracket.start()).strip()
            if is_finish(found["name"]):
                return ReadStep(final=answer_text(text)) if text else None
            return ReadStep(action=tool_name(found["name"]), args=spoken(text))
    raise cut_off(source.text(start, end))


def _not_a_step(source: Source, mark: Mark) -> Found:
    raise FormatError(f"The action is no step: {excerpt(source.text(mark.start, mark.end))}; {USE_JSON}.")


def _repeated(value: Json, name: str) -> ReadStep | None:
    """The whole step, in an object under the name of its own tool."""
    try:
        step = step_in(value)
    except FormatError:
        return None
    return step if isinstance(step, ReadStep) and step.action == name else None


def _is_name(line: str) -> bool:
    try:
        return bool(tool_name(line))
    except FormatError:
        return False


# --- what stands under a label --------------------------------------------------------------------------------------


def _says(text: str) -> bool:
    """Whether anything stands before an object but marks and the word for what it is."""
    return re.fullmatch(r"[\s`*~:：]{0,40}(?:json|JSON)?[\s`*~:：]{0,40}", text) is None


def _arguments_under(source: Source, part: Section) -> dict[str, Json]:
    first = part.objects[0] if part.objects else None
    if first and not _says(source.clean[part.start : first.start]):
        return _of_arguments(source, first)
    refuse_cut(source, part)
    return spoken(unfenced(trimmed(source, part)))


def _of_arguments(source: Source, mark: Mark) -> dict[str, Json]:
    value = held(source, mark)
    if value is None:
        raise invalid(source.text(mark.start, mark.end))
    return arguments(value)


def _answer_under(source: Source, part: Section, after: Section | None, first: Mark | None, rest: str) -> str:
    """The answer of a labelled finish: its input, or what follows its name."""
    if after is None:
        value = held(source, first) if first else None
        return rest.strip() if value is None else answer_text(value)
    mark = after.objects[0] if after.objects else None
    if mark and not _says(source.clean[after.start : mark.start]) and (value := held(source, mark)) is not None:
        return answer_text(value)
    refuse_cut(source, after)
    return answer_text(trimmed(source, after))


def trimmed(source: Source, part: Section) -> str:
    text = source.text(part.start, part.end).strip()
    return text.rstrip("*_").rstrip() if part.mark and part.mark.bold and text.endswith(("*", "_")) else text


_INPUT_LABELS = ("action input", "行动输入")


def _half_a_label(rest: str) -> bool:
    """Text under an action that is arguments under another label, or a label that was cut off."""
    line = rest.strip().partition("\n")[0].strip("*_# ").lower()
    cut = bool(line) and "\n" not in rest.strip() and any(label.startswith(line) for label in _INPUT_LABELS)
    return cut or re.match(r"[^\W\d][^\n:：]{0,40}[:：]", line) is not None
