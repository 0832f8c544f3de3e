"""Tokens of one attempt: read from what a provider reports, or estimated where it reports nothing.

Pure; knows nothing of prices (see `prices`) or of how a reply came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from refine.text.estimate import estimate_tokens
from refine.types import Json, Message, Reply, Usage

NOTHING = Usage(cost=Decimal(0))
"""An attempt that was refused before a model saw it: no tokens, and known to cost nothing."""

TOKENS_PER_MESSAGE = 4

_INPUT = (("prompt_tokens",), ("input_tokens",))
_OUTPUT = (("completion_tokens",), ("output_tokens",))
_CACHED = (
    ("prompt_tokens_details", "cached_tokens"),
    ("input_tokens_details", "cached_tokens"),
    ("prompt_cache_hit_tokens",),
    ("cached_tokens",),
)
_REASONING = (
    ("completion_tokens_details", "reasoning_tokens"),
    ("output_tokens_details", "reasoning_tokens"),
    ("reasoning_tokens",),
)


def read_usage(data: Json) -> Usage | None:
    """What a provider's `usage` object says, or None where it says nothing that can be used.

    Input includes the cached part, output the reasoning. Where the provider's total is larger than both together, the
    difference was produced beside the completion: it is charged as output and shown as reasoning.
    """
    if not isinstance(data, dict):
        return None
    tokens_in = _first(data, _INPUT)
    tokens_out = _first(data, _OUTPUT)
    total = _count(data.get("total_tokens"))
    if not (tokens_in or tokens_out or total):
        return None
    tokens_in, tokens_out = tokens_in or 0, tokens_out or 0
    apart = max(0, (total or 0) - tokens_in - tokens_out)
    tokens_out += apart
    return Usage(
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cached_tokens=min(tokens_in, _first(data, _CACHED) or 0),
        reasoning_tokens=min(tokens_out, max(apart, _first(data, _REASONING) or 0)),
    )


def estimate_prompt(messages: Iterable[Message]) -> int:
    """Tokens of a prompt, four for each message's frame included."""
    total = 0
    for message in messages:
        total += TOKENS_PER_MESSAGE
        for part in message.parts:
            total += estimate_tokens(part)
        for use in message.tool_calls:
            total += estimate_tokens(use.name + use.arguments)
    return total


def estimate_usage(messages: Iterable[Message], reply: Reply) -> Usage:
    """The usage of a call whose provider reported none. Marked as estimated; the cost is not known yet."""
    thought = estimate_tokens(reply.reasoning)
    said = estimate_tokens(reply.content + reply.refusal)
    used = sum(estimate_tokens(use.name + use.arguments) for use in reply.tool_calls)
    return Usage(estimate_prompt(messages), thought + said + used, reasoning_tokens=thought, estimated=True)


def together(first: Usage | None, second: Usage | None) -> Usage | None:
    """The sum of two requests that were one attempt, not priced yet. A cost is known only if both are."""
    if first is None or second is None:
        return first or second
    return Usage(
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cached_tokens + second.cached_tokens,
        first.reasoning_tokens + second.reasoning_tokens,
        first.estimated or second.estimated,
        None if first.cost is None or second.cost is None else first.cost + second.cost,
        second.currency,
    )


def _count(value: Json) -> int | None:
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e12:
        return None
    return int(value)


def _first(data: Mapping[str, Json], paths: Iterable[tuple[str, ...]]) -> int | None:
    """The first of several places that holds a number other than 0; 0 if one was there, None if none was."""
    found: int | None = None
    for path in paths:
        value: Json = data
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        count = _count(value)
        if count:
            return count
        found = count if found is None else found
    return found
