"""What servers answer instead of a reply, word for word as providers were seen to answer.

A table of pure functions for the fake server: the request and the fault's options in, the answer out; None: this
request is served.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from refine.types import Json

Body = Mapping[str, Any]
Options = Mapping[str, str]


class Refusal(NamedTuple):
    """An answer instead of a reply."""

    status: int
    body: Json
    """JSON, or a text that is sent as a page."""
    headers: Mapping[str, str] = {}


def _error(status: int, message: str, *, code: str | None = None, param: str | None = None) -> Refusal:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return Refusal(status, {"error": {"message": message, "type": kind, "param": param, "code": code}})


def _always(refusal: Refusal) -> Callable[[Body, Options], Refusal]:
    return lambda body, options: refusal


def _if_sent(name: str, refusal: Refusal) -> Callable[[Body, Options], Refusal | None]:
    return lambda body, options: refusal if name in body else None


def _rate(body: Body, options: Options) -> Refusal:
    wait = {"retry-after": options["retry_after"]} if "retry_after" in options else {}
    return _error(429, "Rate limit reached: too many requests.", code="rate_limit_exceeded")._replace(headers=wait)


def _json_schema(body: Body, options: Options) -> Refusal | None:
    sent = (body.get("response_format") or {}).get("type")
    if sent != "json_schema":
        return None
    return _error(400, "response_format json_schema is not supported, use json_object", param="response_format")


def _system(body: Body, options: Options) -> Refusal | None:
    if not any(message.get("role") == "system" for message in body.get("messages", ())):
        return None
    return _error(400, "System role not supported")


def _alternate(body: Body, options: Options) -> Refusal | None:
    roles = [message.get("role") for message in body.get("messages", ())]
    if "system" not in roles and all(first != second for first, second in pairwise(roles)):
        return None
    return _error(500, "Conversation roles must alternate user/assistant/user/assistant/...")


def _stream(body: Body, options: Options) -> Refusal | None:
    if not body.get("stream"):
        return None
    return _error(400, "Your organization must be verified to stream this model.", code="unsupported_value",
                  param="stream")  # fmt: skip


def _tools(body: Body, options: Options) -> Refusal | None:
    if not body.get("tools"):
        return None
    return Refusal(400, {"error": {"message": "registry/small:1b does not support tools", "type": "api_error"}})


def _json_object(body: Body, options: Options) -> Refusal | None:
    sent = (body.get("response_format") or {}).get("type")
    if sent == "json_schema":
        return _error(400, "response_format json_schema is not supported, use json_object", param="response_format")
    if sent == "json_object":
        return Refusal(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"})
    return None


def _developer(body: Body, options: Options) -> Refusal | None:
    if not any(message.get("role") == "developer" for message in body.get("messages", ())):
        return None
    return _error(400, "messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`")


def _calls_without_thoughts(body: Body, options: Options) -> Refusal | None:
    for number, message in enumerate(body.get("messages", ())):
        if message.get("tool_calls") and "reasoning_content" not in message:
            said = (
                f"thinking is enabled but reasoning_content is missing in assistant tool call message at index {number}"
            )
            return _error(400, said)
    return None


def _thoughts(body: Body, options: Options) -> Refusal | None:
    if not any("reasoning_content" in message for message in body.get("messages", ())):
        return None
    said = "The reasoning_content is an intermediate result for display purposes only and is no part of the context."
    return _error(400, f"{said} Please remove the reasoning_content from your message.")


def _key_echo(body: Body, options: Options) -> Refusal:
    key = options.get("key", "")
    return _error(401, f"Incorrect API key provided: {key}. You can find your key in the console.",
                  code="invalid_api_key")  # fmt: skip


def _extra(name: str) -> Refusal:
    detail = {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": {}}
    return Refusal(422, {"detail": [detail]})


PAGE = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>"

REFUSALS: Mapping[str, Callable[[Body, Options], Refusal | None]] = {
    "temperature": _if_sent("temperature", _error(
        400, "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is "
        "supported.", code="unsupported_value", param="temperature")),
    "max_tokens": _if_sent("max_tokens", _error(
        400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
        "instead.", code="unsupported_parameter", param="max_tokens")),
    "max_completion_tokens": _if_sent("max_completion_tokens", _extra("max_completion_tokens")),
    "stream_options": _if_sent("stream_options", _extra("stream_options")),
    "seed": _if_sent("seed", _error(400, "Unrecognized request argument supplied: seed")),
    "response_format": _if_sent("response_format", _error(
        400, "'response_format.type' must be 'text'", param="response_format")),
    "json_schema": _json_schema,
    "system": _system,
    "alternate": _alternate,
    "stream": _stream,
    "rate": _rate,
    "quota": _always(_error(429, "You exceeded your current quota, please check your plan and billing details.",
                            code="insufficient_quota")),
    "key": _always(_error(401, "Incorrect API key provided.", code="invalid_api_key")),
    "forbidden": _always(_error(403, "Your account may not use this model.")),
    "not_found": _always(_error(404, "The model does not exist or you do not have access to it.",
                                code="model_not_found")),
    "address": _always(Refusal(404, "<html><body><h1>404 Not Found</h1></body></html>")),
    "server": _always(_error(500, "The server had an error while processing your request.")),
    "unavailable": _always(_error(503, "The engine is overloaded, please try again later.")),
    "gateway": _always(Refusal(502, "<html><body><h1>502 Bad Gateway</h1></body></html>")),
    "text": _always(Refusal(400, {"error": "something about this request is wrong"})),
    "context": _always(_error(400, "This model's maximum context length is 4096 tokens.",
                              code="context_length_exceeded", param="messages")),
    "content_filter": _always(_error(400, "The response was filtered due to the prompt triggering the content "
                                     "management policy.", code="content_filter")),
    "bad_request": _always(_error(400, "temperature must be between 0 and 2", param="temperature")),
    "html": _always(Refusal(200, PAGE)),
    "error_200": _always(Refusal(200, {"id": "x", "choices": None,
                                       "error": {"code": 429, "message": "Provider returned error"}})),
    "redirect": _always(Refusal(307, {"error": "moved"}, {"location": "http://192.0.2.1/v1/chat/completions"})),
    # --- further names for what stands above, as other servers say it
    "only_default": _if_sent("temperature", _error(400, "invalid temperature: only 1 is allowed for this model")),
    "unexpected": _if_sent("seed", Refusal(500, {"detail": "create() got an unexpected keyword argument 'seed'"})),
    "developer": _developer,
    "json_object": _json_object,
    "schema": _if_sent("response_format", _error(
        400, "Invalid schema for response_format 'step': schema must be a JSON Schema of 'type: \"object\"'.",
        code="invalid_json_schema", param="response_format")),
    "tools": _tools,
    "reasoning_missing": _calls_without_thoughts,
    "reasoning_unwanted": _thoughts,
    "key_echo": _key_echo,
    "key_page": _always(Refusal(401, "<html><body>Please log in</body></html>")),
    "no_model": _always(Refusal(404, {"error": "model 'small' not found, try pulling it first"})),
    "balance": _always(_error(402, "Insufficient Balance", code="invalid_request_error")),
    "arrears": _always(_error(400, "Access denied, please make sure your account is in good standing.",
                              code="Arrearage")),
    "quota_code": _always(Refusal(429, {"error": {"code": "1113", "message": "余额不足或无可用资源包,请充值。"}})),
    "inspection": _always(_error(400, "Input data may contain inappropriate content.",
                                 code="data_inspection_failed")),
    "context_figures": _always(_error(
        400, "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens (4608 in the "
        "messages, 512 in the completion). Please reduce the length.", param="messages")),
    "context_local": _always(Refusal(400, {"error": {
        "code": 400, "message": "the request exceeds the available context size, try increasing it",
        "type": "exceed_context_size_error", "n_prompt_tokens": 5120, "n_ctx": 4096}})),
    "too_large": _always(Refusal(413, "<html><body>413 Request Entity Too Large</body></html>")),
    "overloaded": _always(Refusal(529, {"type": "error", "error": {"type": "overloaded_error",
                                                                   "message": "Overloaded"}})),
    "gateway_time": _always(Refusal(504, "<html><body><h1>504 Gateway Time-out</h1></body></html>")),
    "request_time": _always(_error(408, "Request timed out.")),
    "method": _always(Refusal(405, {"detail": "Method Not Allowed"})),
    "page_403": _always(Refusal(403, "<html><title>Attention Required!</title></html>")),
    "empty": _always(Refusal(200, "")),
    "words": _always(Refusal(200, "upstream connect error or disconnect/reset before headers",
                             {"content-type": "text/plain"})),
    "error_text": _always(Refusal(200, {"error": "the engine is overloaded"})),
    "error_detail": _always(Refusal(200, {"detail": "Rate limit exceeded, too many requests"})),
    "error_code": _always(Refusal(200, {"code": 20012, "message": "Model does not exist. Please check it carefully.",
                                        "data": None})),
    "error_base": _always(Refusal(200, {"base_resp": {"status_code": 1002, "status_msg": "rate limit"},
                                        "choices": None})),
}  # fmt: skip
