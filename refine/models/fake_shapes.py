"""The forms in which servers send the same thing: usage, thoughts and tool calls, each in every place it was seen in.

Tables of pure functions for the fake server; knows nothing of bytes or of time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from refine.models.characters import Line
from refine.types import Json, ToolUse, Usage

THOUGHT = "The task first. I might say APPROVED, but the text comes before that."
Frame = dict[str, Json]


def plain_usage(usage: Usage) -> Frame:
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }


# --- usage -------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """Where usage is told: in a `last` piece of its own, with the `finish` reason, within the `choice`, in `every`
    piece, or behind the end mark (`late`); and in which words."""

    where: Literal["last", "finish", "choice", "every", "late"]
    words: Callable[[Usage], Frame]


def _usage(words: Callable[[Usage], Frame]) -> Callable[[Usage], Frame]:
    return lambda usage: {"usage": words(usage)}


def _messages_words(usage: Usage) -> Frame:
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens},
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }


def _cache_hits(usage: Usage) -> Frame:
    hit = usage.cached_tokens
    missed = usage.input_tokens - hit
    bare = {key: value for key, value in plain_usage(usage).items() if key != "prompt_tokens_details"}
    return {**bare, "prompt_cache_hit_tokens": hit, "prompt_cache_miss_tokens": missed}


def _flat(usage: Usage) -> Frame:
    said = plain_usage(usage)
    return {**{key: said[key] for key in ("prompt_tokens", "completion_tokens", "total_tokens")},
            "cached_tokens": usage.cached_tokens}  # fmt: skip


def _reasoning_apart(usage: Usage) -> Frame:
    return {**plain_usage(usage), "completion_tokens": usage.output_tokens - usage.reasoning_tokens}


def _timings(usage: Usage) -> Frame:
    asked = {"prompt_n": usage.input_tokens - usage.cached_tokens, "cache_n": usage.cached_tokens}
    return {"timings": {**asked, "prompt_ms": 1.0, "predicted_n": usage.output_tokens, "predicted_ms": 2.0}}


def _metadata(usage: Usage) -> Frame:
    return {"usageMetadata": {
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens - usage.reasoning_tokens,
        "thoughtsTokenCount": usage.reasoning_tokens,
        "cachedContentTokenCount": usage.cached_tokens,
        "totalTokenCount": usage.input_tokens + usage.output_tokens,
    }}  # fmt: skip


USAGES: Mapping[str, Told] = {
    "": Told("last", _usage(plain_usage)),
    "usage_finish": Told("finish", _usage(plain_usage)),
    "usage_choice": Told("choice", _usage(plain_usage)),
    "usage_every": Told("every", _usage(plain_usage)),
    "usage_late": Told("late", _usage(plain_usage)),
    "usage_names": Told("last", _usage(_messages_words)),
    "usage_cache_hit": Told("last", _usage(_cache_hits)),
    "usage_flat": Told("last", _usage(_flat)),
    "usage_apart": Told("last", _usage(_reasoning_apart)),
    "usage_groq": Told("finish", lambda usage: {"x_groq": {"id": "req_1", "usage": plain_usage(usage)}}),
    "usage_timings": Told("finish", _timings),
    "usage_metadata": Told("finish", _metadata),
}
"""By kind of fault; "" is the usual form."""


# --- thoughts ----------------------------------------------------------------------------------------------


def _parts(piece: str) -> Frame:
    return {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]}


def _details(piece: str) -> Frame:
    return {"reasoning_details": [{"type": "reasoning.text", "text": piece, "index": 0}]}


THOUGHTS: Mapping[str, Callable[[str], Frame]] = {
    "": lambda piece: {"reasoning_content": piece},
    "reasoning_field": lambda piece: {"reasoning": piece},
    "reasoning_details": _details,
    "reasoning_both": lambda piece: {"reasoning": piece, **_details(piece)},
    "reasoning_parts": _parts,
    "reasoning_thinking": lambda piece: {"thinking": piece},
}
"""A piece of thought as a part of a message."""

TAGGED: Mapping[str, Callable[[Line], Line]] = {
    "think_tags": lambda line: replace(line, content=f"<think>\n{THOUGHT}\n</think>\n\n{line.content}"),
    "think_closing": lambda line: replace(line, content=f"{THOUGHT}\n</think>\n\n{line.content}"),
    "think_cut": lambda line: Line(f"<think>\n{THOUGHT * 3}", finish_reason="length"),
}
"""Thoughts within the text."""


# --- tool calls --------------------------------------------------------------------------------------------


def tool_call(use: ToolUse) -> dict[str, Any]:
    return {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": use.arguments}}


def _indexed(index: int, use: ToolUse) -> dict[str, Any]:
    return {"index": index, **tool_call(use)}


def _with_arguments(arguments: Callable[[str], Json]) -> Callable[[int, ToolUse], Frame]:
    def shaped(index: int, use: ToolUse) -> Frame:
        function = {"name": use.name, "arguments": arguments(use.arguments)}
        return {"tool_calls": [{**_indexed(index, use), "function": function}]}

    return shaped


def _without_arguments(index: int, use: ToolUse) -> Frame:
    return {"tool_calls": [{**_indexed(index, use), "function": {"name": use.name}}]}


def _bare(index: int, use: ToolUse) -> Frame:
    return {"tool_calls": [{"function": {"name": use.name, "arguments": use.arguments}}]}


TOOL_CALLS: Mapping[str, Callable[[int, ToolUse], Frame]] = {
    "tools_same_index": lambda index, use: {"tool_calls": [_indexed(0, use)]},
    "tools_no_index": lambda index, use: {"tool_calls": [tool_call(use)]},
    "tools_bare": _bare,
    "tools_no_id": lambda index, use: {"tool_calls": [{**_indexed(index, use), "id": None}]},
    "tools_empty": _with_arguments(lambda text: ""),
    "tools_blank": _with_arguments(lambda text: " \n"),
    "tools_null": _with_arguments(lambda text: None),
    "tools_missing": _without_arguments,
    "tools_object": _with_arguments(json.loads),
    "tools_junk": _with_arguments(lambda text: text[: len(text) // 2]),
    "tools_twice_coded": _with_arguments(json.dumps),
    "tools_single": lambda index, use: {"tool_calls": _indexed(index, use)},
    "tools_legacy": lambda index, use: {"function_call": {"name": use.name, "arguments": use.arguments}},
}
"""One whole tool call as a part of a message."""


def as_text(line: Line) -> Line:
    """Tool calls written into the text, as servers without a parser for them pass them on."""
    calls = [
        f'<tool_call>\n{{"name": {json.dumps(use.name)}, "arguments": {use.arguments}}}\n</tool_call>'
        for use in line.tool_calls
    ]
    return replace(line, content="\n".join([line.content, *calls]).strip(), tool_calls=(), finish_reason="stop")


def merged(frames: list[Frame]) -> Frame:
    """Parts of a message as the whole message: lists are joined, texts too."""
    whole: Frame = {}
    for frame in frames:
        for key, value in frame.items():
            known = whole.get(key)
            if isinstance(known, list) and isinstance(value, str):
                value = [{"type": "text", "text": value}]
            whole[key] = known + value if isinstance(known, list | str) and known else value
    return whole
