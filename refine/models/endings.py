"""Why replies end, in the words of many servers and in ours. Pure."""

from __future__ import annotations

from collections.abc import Mapping

OURS: Mapping[str, str] = {
    "max_tokens": "length", "max_output_tokens": "length", "model_length": "length", "token_limit": "length",
    "safety": "content_filter", "sensitive": "content_filter", "content-filter": "content_filter",
    "recitation": "content_filter", "prohibited_content": "content_filter", "blocklist": "content_filter",
    "tool_use": "tool_calls", "function_call": "tool_calls", "end_turn": "stop", "eos": "stop", "stop_sequence": "stop",
}  # fmt: skip
"""By the server's word in lower case."""

GAVE_UP = frozenset({"insufficient_system_resource", "network_error", "error", "abort", "aborted", "cancelled"})
"""The server could not go on: such a reply is broken off, and worth another attempt."""


def finish_reason(said: str | None) -> str:
    """stop, length, content_filter or tool_calls; a word that is not known stays as it is."""
    return OURS.get(said.casefold(), said) if said else "stop"
