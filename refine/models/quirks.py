"""What an endpoint refuses in a request, and how the request is changed for it.

Pure: a quirk is read from one refusal (`learn`), is a plain JSON value that can be stored, and is applied to every
later request (`apply`), with words for the author. Knows nothing of connections or of where quirks are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from refine.errors import ModelError
from refine.models.failures import Refused
from refine.types import Json

Body = dict[str, Any]
LIMIT_NAMES = ("max_tokens", "max_completion_tokens")
KEPT = frozenset({"model", "messages", "stream", "tools", "response_format", *LIMIT_NAMES})
"""What can never simply be left out: the request would mean something else."""

REFUSAL = re.compile(
    r"unsupported|not support|n't support|extra|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected"
    r"|only the default|deprecated|not available|unavailable|invalid (?:parameter|argument|field)|no longer"
    r"|cannot be used|cannot both|not compatible|not applicable|must be verified|is allowed for|must be 1\b"
    r"|not implemented|no such (?:parameter|field)|invalid schema|不支持|未知参数|不可用"
)
THOUGHTS_MISSING = re.compile(
    r"reasoning_content\W.{0,60}(?:missing|required|must be|needed)|missing.{0,40}reasoning_content"
)
"""Said of the thoughts beside earlier tool calls: they are sent again from then on, else they are not."""
ROLES = re.compile(
    r"roles must alternate|must alternate|alternat\w+ (?:between )?user|system role|role ['\"`]?system|"
    r"['\"`]system['\"`] (?:role|with)|system messages? (?:is|are) not|consecutive (?:user|messages)"
)
DEVELOPER = re.compile(r"\bdeveloper\b")


class Quirk(NamedTuple):
    """One thing learnt. `name` is its key in the store, `value` what has to be done."""

    name: str
    value: Json


# --- learning ----------------------------------------------------------------------------------------------


def learn(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    """What this refusal of this request teaches; None if it is about something that cannot be left out."""
    return next((quirk for read in _READERS if (quirk := read(body, error)) is not None), None)


def _limit_name(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    sent = next((name for name in LIMIT_NAMES if name in body), None)
    if sent is None or not _is_refusal(error):
        return None
    other = next(name for name in LIMIT_NAMES if name != sent)
    words = _words(error)
    named = _first_step(error.param) == sent or re.search(rf"\b{sent}\b", words)
    return Quirk("limit_name", other) if named and (other in words or REFUSAL.search(words)) else None


def _response_format(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    sent = body.get("response_format")
    words = _words(error)
    about = "response_format" in error.param or re.search(r"response.?format|json_schema|json_object|json mode", words)
    if not isinstance(sent, Mapping) or not about or not _is_refusal(error):
        return None
    other = "json_object" if sent.get("type") == "json_schema" and "json_object" in words else "none"
    return Quirk(f"response_format.{other}", True)


def _stream(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    words = _words(error)
    about = error.param == "stream" or re.search(r"\b(?:stream|streaming)\b", words)
    refused = body.get("stream") and _is_refusal(error) and about and REFUSAL.search(words)
    return Quirk("stream", False) if refused else None


def _parameter(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    words = _words(error)
    if not _is_refusal(error) or not REFUSAL.search(f"{error.code} {words}".casefold()):
        return None
    mine = [name for name in body if name not in KEPT]
    named = [name for name in mine if name == _first_step(error.param)]
    named = named or [name for name in mine if re.search(rf"\b{re.escape(name.casefold())}\b", words)]
    if not named and "stream_options" in mine and "include_usage" in words:
        named = ["stream_options"]
    return Quirk(f"drop.{named[0]}", True) if named else None


def _thoughts(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    """One year thoughts must not be sent again, the next year they must: this flips once either way."""
    words = _words(error)
    if not _is_refusal(error) or "reasoning_content" not in words:
        return None
    sent = any("reasoning_content" in message for message in body.get("messages") or ())
    called = any(message.get("tool_calls") for message in body.get("messages") or ())
    if sent:
        return Quirk("thoughts", False)
    return Quirk("thoughts", True) if called and THOUGHTS_MISSING.search(words) else None


def _roles(body: Mapping[str, Json], error: ModelError) -> Quirk | None:
    words = _words(error)
    if error.status not in (400, 422, 500):
        return None
    roles = {message.get("role") for message in body.get("messages") or ()}
    if "developer" in roles and DEVELOPER.search(words):
        return Quirk("developer", "system")
    folded = ROLES.search(words) or ("system" in words and "messages[" in f"{error.param} {words}")
    return Quirk("system", "user") if folded else None


def _words(error: ModelError) -> str:
    return (error.said.message if isinstance(error, Refused) else error.message).casefold()


def _is_refusal(error: ModelError) -> bool:
    """Also some servers' own accidents over a parameter that they do not know."""
    if error.kind == "server" and error.status in (500, 501):
        return bool(re.search(r"unexpected keyword argument|not implemented|unimplemented", _words(error)))
    return error.kind == "bad_request" and error.status in (None, 400, 422)


def _first_step(param: str) -> str:
    return re.split(r"[.\[]", param, maxsplit=1)[0]


_READERS: tuple[Callable[[Mapping[str, Json], ModelError], Quirk | None], ...] = (
    _thoughts, _roles, _limit_name, _response_format, _parameter, _stream,
)  # fmt: skip


# --- applying ----------------------------------------------------------------------------------------------


def apply(body: Body, quirks: Mapping[str, Json]) -> tuple[Body, tuple[str, ...]]:
    """The body with everything known about its model done to it, and words on what the author set in vain."""
    words: list[str] = []
    for name, value in quirks.items():
        body, said = _apply_one(body, Quirk(name, value))
        words += [said] if said else []
    return body if quirks.get("thoughts") else _without_thoughts(body), tuple(words)


def adapt(body: Body, error: ModelError) -> tuple[Body, str] | None:
    """The body changed after one refusal, with words for the author ("" where nothing of theirs was lost)."""
    quirk = learn(body, error)
    return None if quirk is None else _apply_one(body, quirk)


def _apply_one(body: Body, quirk: Quirk) -> tuple[Body, str]:
    name, value = quirk
    if name == "limit_name":
        return _renamed(body, str(value)), ""
    if name.startswith("response_format."):
        return _reformatted(body, name.removeprefix("response_format."))
    if name == "stream":
        return {key: kept for key, kept in body.items() if key not in ("stream", "stream_options")}, ""
    if name == "developer":
        return {**body, "messages": [_as_system(message) for message in body["messages"]]}, ""
    if name == "thoughts":
        return (_with_thoughts(body) if value else body), ""
    if name == "system":
        return {**body, "messages": folded(body["messages"])}, ""
    return _without(body, name.removeprefix("drop."))


def _without(body: Body, parameter: str) -> tuple[Body, str]:
    if parameter not in body or parameter in KEPT:
        return body, ""
    rest = {key: kept for key, kept in body.items() if key != parameter}
    # The option to report usage is ours, not the author's: nothing of theirs is lost with it.
    own = parameter == "stream_options"
    return rest, "" if own else f"{parameter} was not applied: this model refuses it"


def _with_thoughts(body: Body) -> Body:
    """Every earlier tool call with the thoughts before it, empty where none are known."""
    messages = [
        {"reasoning_content": "", **message} if message.get("tool_calls") else message for message in body["messages"]
    ]
    return {**body, "messages": messages}


def _without_thoughts(body: Body) -> Body:
    if not any("reasoning_content" in message for message in body["messages"]):
        return body
    bare = [{key: kept for key, kept in message.items() if key != "reasoning_content"} for message in body["messages"]]
    return {**body, "messages": bare}


def _renamed(body: Body, wanted: str) -> Body:
    return {wanted if key in LIMIT_NAMES else key: kept for key, kept in body.items()}


def _reformatted(body: Body, wanted: str) -> tuple[Body, str]:
    if "response_format" not in body:
        return body, ""
    if wanted == "json_object":
        return {**body, "response_format": {"type": "json_object"}}, ""
    rest = {key: kept for key, kept in body.items() if key != "response_format"}
    return rest, "the reply's form was not enforced: this model takes no schema"


def _as_system(message: Body) -> Body:
    return {**message, "role": "system"} if message.get("role") == "developer" else message


def folded(messages: list[Body]) -> list[Body]:
    """System text moved into the first user message, and neighbours of one role merged, so that roles alternate."""
    system = [message["content"] for message in messages if message["role"] in ("system", "developer")]
    rest = [message for message in messages if message["role"] not in ("system", "developer")]
    if system and (not rest or rest[0]["role"] != "user"):
        rest = [{"role": "user", "content": ""}, *rest]
    merged: list[Body] = []
    for message in rest:
        if merged and _mergeable(merged[-1], message):
            merged[-1] = {**merged[-1], "content": _joined(merged[-1]["content"], message["content"])}
        else:
            merged.append(message)
    if system:
        merged[0] = {**merged[0], "content": _joined(*system, merged[0]["content"])}
    return merged


def _mergeable(first: Body, second: Body) -> bool:
    same = first["role"] == second["role"] and first["role"] in ("user", "assistant")
    return same and not first.get("tool_calls") and not second.get("tool_calls")


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
