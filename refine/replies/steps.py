"""What an actor's reply means: one tool with its arguments, or the answer (rules A1 to A6 and V1).

A pipeline of small steps, one per rule: the actor's own turn is cut into sections at labels and envelopes, then each
form of a step is tried in its order. What was cut off, and what stands behind an observation that the actor wrote
itself, is never executed. Pure, and linear in the length of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from refine.errors import FormatError
from refine.replies.objects import balanced
from refine.replies.steps_json import (
    USE_FINISH,
    USE_JSON,
    ReadStep,
    Void,
    excerpt,
    no_answer,
    read_tool_use,
    read_tool_uses,
)
from refine.replies.steps_marks import TYPED, Mark, Source
from refine.replies.steps_said import Found, cut_off, of_action, of_brackets, of_call, of_object, refuse_cut, trimmed
from refine.replies.steps_sections import Section, sections
from refine.replies.steps_turn import own_turn

__all__ = ["ReadStep", "read_step", "read_tool_use", "read_tool_uses"]

Parts = list[Section]
Form = Callable[[Source, Parts], Found]


def read_step(text: str | None) -> ReadStep:
    """The first step in a reply.

    Raises:
        FormatError: there is none, or it cannot be used; the message is for the model.
    """
    turn = own_turn(text or "")
    source = Source.of(turn)
    parts = sections(source)
    hint: Void | None = None
    for form in FORMS:
        step = form(source, parts)
        if isinstance(step, ReadStep):
            return step
        hint = hint or step
    for part in parts:
        refuse_cut(source, part)
    raise FormatError(hint or _nothing(turn))


def _nothing(turn: str) -> str:
    got = f"No step was found in the reply “{excerpt(turn)}”" if turn.strip() else "The reply is empty"
    return f"{got}; {USE_JSON}; {USE_FINISH}."


# --- the forms of a step, in their order (A2) -----------------------------------------------------------------------


def _object_first(source: Source, parts: Parts) -> Found:
    """A reply that begins with an object is one object, whatever comes after."""
    if parts[0].objects and not source.clean[: parts[0].objects[0].start].strip():
        return of_object(source, parts[0].objects[0])
    return None


def _labelled(source: Source, parts: Parts) -> Found:
    hint: Void | None = None
    for at, part in enumerate(parts):
        after = parts[at + 1] if at + 1 < len(parts) and parts[at + 1].kind == "input" else None
        step: Found = None
        if part.kind == "answer":
            final = trimmed(source, part)
            step = ReadStep(final=final) if final else no_answer("Final Answer")
        elif part.kind == "call" and part.mark is not None:
            step = of_call(source, part.mark)
        elif part.kind == "action" or (part.kind == "tool" and after is not None):
            step = of_action(source, part, after)
        if isinstance(step, ReadStep):
            return replace(step, thought=step.thought or _thought(source, parts[:at]))
        hint = hint or step
    return hint


def _objects(source: Source, parts: Parts) -> Found:
    """A13: the first object with an action, of those that start a line or a fence."""
    hint: Void | None = None
    for mark, at in ((mark, at) for at, part in enumerate(parts) for mark in part.objects if part.kind != "input"):
        step = of_object(source, mark)
        if isinstance(step, ReadStep):
            before = replace(parts[at], end=mark.start)
            return replace(step, thought=step.thought or _thought(source, [*parts[:at], before]))
        hint = hint or step
    return hint


_BRACKET_LINE = re.compile(
    r"^[ \t]{0,8}(?:[-*•][ \t]{1,3})?(?P<call>[`*]{0,3}[A-Za-z_][\w.-]{0,80}\[[^\n]*\])[`*]{0,3}[ \t]*[.。]?[ \t]*$",
    re.MULTILINE,
)


def _bracket_line(source: Source, parts: Parts) -> Found:
    """tool[text] on a line of its own, without a label."""
    if any(part.cut is not None for part in parts):
        return None
    for at, part in enumerate(parts):
        if part.kind != "thought":
            continue
        for found in _BRACKET_LINE.finditer(source.clean, part.start, part.end):
            if not part.in_fence(found.start()) and (step := of_brackets(source, *found.span("call"))):
                before = replace(part, end=found.start())
                return replace(step, thought=_thought(source, [*parts[:at], before]))
    return None


_ANY = re.compile(TYPED)


def _only_object(source: Source, parts: Parts) -> Found:
    """A2: an object in the midst of a line, if it is the only one and not quoted."""
    if any(part.cut is not None for part in parts):
        return None
    fenced = Section("fence", 0, fences=[fence for part in parts for fence in part.fences])
    spans = []
    at, end = 0, parts[-1].end
    while found := _ANY.search(source.clean, at, end):
        stop = balanced(source.clean, found.start())
        if stop is None or stop > end:
            raise cut_off(source.text(found.start(), end))
        at = stop
        if not fenced.in_fence(found.start()):
            spans.append((found.start(), stop))
            if len(spans) > 1:
                return None
    if not spans or _quoted(source.clean, spans[0][0]):
        return None
    start, stop = spans[0]
    step = of_object(source, Mark("object", start, stop, (start, stop)))
    if isinstance(step, ReadStep):
        return replace(step, thought=step.thought or source.text(0, start).strip())
    return step


def _quoted(text: str, start: int) -> bool:
    """An object in a block quote, in code within a line, or between quotation marks."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return (
        before.lstrip().startswith(">")
        or any(before.count(mark) % 2 for mark in ("`", '"'))
        or any(before.count(opening) > before.count(closing) for opening, closing in ("“”", "‘’", "「」", "«»"))
    )


def _thought(source: Source, parts: list[Section]) -> str:
    said = (source.text(part.start, part.end).strip() for part in parts if part.kind in ("thought", "tool"))
    return "\n".join(text for text in said if text)


FORMS: tuple[Form, ...] = (_object_first, _labelled, _objects, _bracket_line, _only_object)
