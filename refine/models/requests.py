"""The body of a chat completion request, built from our values. Pure; knows nothing of what an endpoint refuses."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from refine.types import Endpoint, Json, Message, ModelCall, Role, ToolUse

LIMIT_NAMES = frozenset({"max_tokens", "max_completion_tokens"})
"""Never both at once."""
LIMIT_NAME_BY_HOST = {"api.openai.com": "max_completion_tokens"}
"""The name of the token limit where it is known; elsewhere it is max_tokens."""


def body_of(endpoint: Endpoint, role: Role, call: ModelCall, seed: int | None) -> dict[str, Any]:
    """The request as it would be sent to an endpoint without quirks. Nothing in it is null."""
    body: dict[str, Any] = {"model": role.model, "messages": [message_of(message) for message in call.messages]}
    if role.temperature is not None:
        body["temperature"] = role.temperature
    extra = role.options.get("extra", {})
    if role.max_tokens is not None and not extra.keys() & LIMIT_NAMES:
        host = urlsplit(endpoint.base_url).hostname or ""
        body[LIMIT_NAME_BY_HOST.get(host, "max_tokens")] = role.max_tokens
    if endpoint.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    if call.schema:
        body["response_format"] = {"type": "json_schema", "json_schema": _schema_of(call.schema)}
    if call.tools:
        body["tools"] = [_tool_of(tool) for tool in call.tools]
    if seed is not None:
        body["seed"] = seed
    return {**body, **extra}


def message_of(message: Message) -> dict[str, Any]:
    """One message in the wire's form."""
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [_use_of(use) for use in message.tool_calls]
    if message.reasoning:
        wire["reasoning_content"] = message.reasoning
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def _use_of(use: ToolUse) -> dict[str, Any]:
    # Servers parse the arguments of earlier calls again, and an empty text is not JSON.
    return {
        "id": use.id,
        "type": "function",
        "function": {"name": use.name, "arguments": use.arguments if use.arguments.strip() else "{}"},
    }


def _schema_of(schema: Json) -> dict[str, Any]:
    """A bare schema, or one that already has its name. One that allows further keys is refused in strict mode."""
    named = schema if "schema" in schema else {"name": "reply", "schema": schema}
    return {"strict": named["schema"].get("additionalProperties") is False, **named}


def _tool_of(tool: Json) -> Json:
    return tool if "function" in tool else {"type": "function", "function": tool}
