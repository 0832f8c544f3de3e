"""A reply in the wire's form, whole or in pieces, with or without a fault. Pure: bytes out, no sockets, no time.

For the fake server only. The forms that differ by server stand in `fake_shapes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from refine.models.characters import Line
from refine.models.fake_shapes import TAGGED, THOUGHT, THOUGHTS, TOOL_CALLS, USAGES, Frame, as_text, merged, tool_call
from refine.models.scripted import spoken
from refine.types import Json, ToolUse, Usage

Event = Literal["piece", "half", "end"]
"""What a write is: a piece of the reply, the place after half of it, its end."""

REASONING_NEEDS = 400
BIG = 2 * 1024 * 1024
END = b"data: [DONE]\n\n"

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_FORMS: Mapping[str, Callable[[Json], str]] = {
    "escaped": json.JSONEncoder(separators=(",", ":")).encode,
    "spaced": json.dumps,
}
"""How JSON is written, by kind of fault."""


@dataclass(frozen=True, slots=True)
class Wire:
    """How one reply goes out."""

    id: str
    model: str
    line: Line
    usage: Usage | None
    fault: str = ""
    """A kind of `fake_faults.REPLIES`, or ""."""

    def chunk(self, delta: Json, finish: str | None = None, **more: Json) -> bytes:
        return self.event({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **more})

    def event(self, data: dict[str, Any]) -> bytes:
        frame = {"id": self.id, "object": "chat.completion.chunk", "created": 1, "model": self.model, **data}
        end = {"crlf": "\r\n\r\n", "line_ends": "\n"}.get(self.fault, "\n\n")
        start = {"no_space": "data:", "event_names": "event: message\nid: 1\ndata: "}.get(self.fault, "data: ")
        return f"{start}{_FORMS.get(self.fault, _dumps)(frame)}{end}".encode()


def with_fault(line: Line, fault: str, limit: int | None) -> Line:
    """The line as a fault leaves it, before it is put on the wire. `limit`: the tokens the request allowed."""
    half = replace(line, content=line.content[: len(line.content) // 2])
    match fault:
        case "null_content" | "null_message":
            return Line()
        case "refusal":
            return Line(refusal="I can't help with that.")
        case "filtered":
            return replace(half, finish_reason="content_filter")
        case "length":
            return replace(half, finish_reason="length")
        case "length_word":
            return replace(half, finish_reason="max_tokens")
        case "no_resources":
            return replace(half, finish_reason="insufficient_system_resource")
        case "end_turn":
            return replace(line, finish_reason="end_turn")
        case "tools_stop":
            return replace(line, finish_reason="stop")
        case "tools_text":
            return as_text(line)
        case "reasoning_only" if limit is not None and limit < REASONING_NEEDS:
            return Line(reasoning="Let me think about this. " * 8, finish_reason="length")
        case "big_line":
            return replace(line, content=line.content + "x" * BIG)
        case "white":
            return Line(" \n\n ")
    if fault in TAGGED:
        return TAGGED[fault](line)
    return replace(line, reasoning=line.reasoning or THOUGHT) if fault and fault in THOUGHTS else line


# --- in pieces ---------------------------------------------------------------------------------------------


def streamed(wire: Wire, usage_asked: bool) -> Iterator[tuple[Event, bytes]]:
    """The events of a stream. ("half", b"") marks where a fault of the connection strikes."""
    if wire.fault in ("crlf", "azure"):
        yield "piece", b": keep-alive\r\n\r\n" + wire.event({"choices": [], "prompt_filter_results": []})
    if wire.fault == "bom":
        yield "piece", b"\xef\xbb\xbf"
    if wire.fault == "empty_choices":
        yield "piece", wire.event({"choices": []})
        yield "end", END
        return
    yield "piece", wire.chunk({"role": "assistant", "content": None if wire.fault == "null_content" else ""})
    deltas = list(_deltas(wire))
    for number, delta in enumerate(deltas):
        if number == len(deltas) // 2:
            yield "half", _at_half(wire)
        yield "piece", _before(wire) + wire.chunk(delta, **_running(wire, number))
    if not deltas:
        yield "half", _at_half(wire)
    yield from _ending(wire, usage_asked)


def _ending(wire: Wire, usage_asked: bool) -> Iterator[tuple[Event, bytes]]:
    told = _told(wire, usage_asked)
    with_finish = told if _where(wire) in ("finish", "every") else {}
    choice = {"index": 0, "delta": {}, "finish_reason": wire.line.finish_reason}
    if _where(wire) == "choice":
        choice |= told
    if wire.fault != "no_finish":
        yield "piece", wire.event({"choices": [choice], **with_finish})
    if told and _where(wire) == "last":
        yield "piece", wire.event({"choices": [], **told})
    yield "end", b"" if wire.fault == "no_end" else END
    if told and _where(wire) == "late":
        yield "end", wire.event({"choices": [], **told})


def _where(wire: Wire) -> str:
    return USAGES.get(wire.fault, USAGES[""]).where


def _told(wire: Wire, asked: bool = True) -> Frame:
    """The usage in the form of this fault; servers with a form of their own tell it unasked."""
    if wire.usage is None or wire.fault == "no_usage" or not (asked or wire.fault in USAGES):
        return {}
    usage = Usage() if wire.fault == "usage_zero" else wire.usage
    return USAGES.get(wire.fault, USAGES[""]).words(usage)


def _running(wire: Wire, number: int) -> Frame:
    """What stands beside a piece: the usage so far, or the word that there is none yet."""
    if wire.fault == "usage_null":
        return {"usage": None}
    if _where(wire) != "every" or wire.usage is None:
        return {}
    return USAGES[wire.fault].words(replace(wire.usage, output_tokens=number + 1, reasoning_tokens=0))


def _before(wire: Wire) -> bytes:
    if wire.fault == "comments":
        return b": PROCESSING\n\n"
    if wire.fault == "two_choices":
        other = {"index": 1, "delta": {"content": "other "}, "finish_reason": None}
        return wire.event({"choices": [other]})
    return b""


def _deltas(wire: Wire) -> Iterator[Json]:
    if wire.fault == "big_line":
        yield {"content": wire.line.content}
        return
    thought = THOUGHTS.get(wire.fault, THOUGHTS[""])
    for kind, piece in spoken(wire.line):
        yield thought(piece) if kind == "reasoning" else _text(wire, piece)
    if wire.line.refusal:
        yield {"refusal": wire.line.refusal}
    for index, use in enumerate(wire.line.tool_calls):
        yield from _tool_deltas(wire, index, use)


def _text(wire: Wire, piece: str) -> Frame:
    in_parts = wire.fault in ("content_parts", "reasoning_parts")
    return {"content": [{"type": "text", "text": piece}] if in_parts else piece}


def _tool_deltas(wire: Wire, index: int, use: ToolUse) -> Iterator[Json]:
    if wire.fault in TOOL_CALLS:
        yield TOOL_CALLS[wire.fault](index, use)
        return
    half = len(use.arguments) // 2
    yield {"tool_calls": [{"index": index, **tool_call(replace(use, arguments=use.arguments[:half]))}]}
    rest = replace(use, arguments=use.arguments[half:])
    named = tool_call(rest) if wire.fault == "tools_named_again" else {"function": {"arguments": rest.arguments}}
    yield {"tool_calls": [{"index": index, **named}]}


def _at_half(wire: Wire) -> bytes:
    if wire.fault == "malformed":
        return b'data: {"choices":[{"index":0,"delta":{"content":"\n\n'
    if wire.fault == "error_chunk":
        return b'data: {"error":{"message":"The engine is overloaded","type":"overloaded_error","code":503}}\n\n'
    if wire.fault == "error_event":
        return b'event: error\ndata: {"type":"overloaded_error","message":"Overloaded"}\n\n'
    return b""


# --- whole -------------------------------------------------------------------------------------------------


def whole(wire: Wire) -> bytes:
    """The reply as one JSON body."""
    choice = {"index": 0, "message": None if wire.fault == "null_message" else _message(wire),
              "finish_reason": None if wire.fault == "no_finish" else wire.line.finish_reason}  # fmt: skip
    told = _told(wire)
    if _where(wire) == "choice":
        choice, told = {**choice, **told}, {}
    body = {"id": wire.id, "object": "chat.completion", "created": 1, "model": wire.model,
            "choices": [] if wire.fault == "empty_choices" else [choice], **told}  # fmt: skip
    if wire.fault in ("error_chunk", "error_event"):
        body = {"choices": None, "error": {"message": "The engine is overloaded", "code": 503}}
    text = json.dumps(body, ensure_ascii=wire.fault == "escaped").encode()
    return text[: len(text) // 2] if wire.fault in ("malformed", "cut") else text


def _message(wire: Wire) -> Frame:
    line = wire.line
    parts: list[Frame] = [{"role": "assistant"}]
    if line.reasoning:
        parts.append(THOUGHTS.get(wire.fault, THOUGHTS[""])(line.reasoning))
    if line.content:
        parts.append(_text(wire, line.content))
    if line.refusal:
        parts.append({"refusal": line.refusal})
    for index, use in enumerate(line.tool_calls):
        parts.append(
            TOOL_CALLS[wire.fault](index, use) if wire.fault in TOOL_CALLS else {"tool_calls": [tool_call(use)]}
        )
    return {"content": None, **merged(parts)}
