"""Long strings of an event, kept once by their content. Pure: knows nothing of databases.

A line of the log is JSON in which every long string is replaced by NUL and the string's id, and everything long under
a name of `WHOLE` by NUL, a brace and the id of its JSON. A string that itself begins with NUL is replaced as well, so
no text of a user can be taken for an id.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

from refine.errors import LogError
from refine.events import Called, Event, to_json
from refine.types import Json, Message, ModelCall

LONG = 240
"""Characters; a longer string is kept apart. Shorter ones rarely come twice, and cost less where they stand."""
MARK = "\0"
JSON_MARK = MARK + "{"
WHOLE = frozenset({"schema", "tools"})
"""What a call repeats from the call before, as it stands."""

_dumps = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
_dumps_ascii = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
_SCALARS = frozenset({int, float, bool, type(None)})
_IDS = re.compile(r'"\\u0000\{?([\w-]{16})"')


def pack(data: Json) -> tuple[str, dict[str, str]]:
    """JSON data as one line, and the long strings that it points to, by id."""
    texts: dict[str, str] = {}
    short = _shorten([data], texts)[0]
    line = _dumps(short)
    try:
        line.encode()
    except UnicodeEncodeError:  # half a surrogate pair, as cut replies have: escaped it survives as it is
        line = _dumps_ascii(short)
    return line, texts


def pack_event(event: Event) -> tuple[str, dict[str, str]]:
    """As `pack`. A long run sends the same short messages with every call: their part of the line is made once."""
    if not isinstance(event, Called) or not isinstance(event.call, ModelCall):
        return pack(to_json(event))
    line, texts = pack(to_json(replace(event, call=replace(event.call, messages=()))))
    told = []
    for message in event.call.messages:
        part, long = _part_of_short(message) if _is_short(message) else pack(to_json(message))
        told.append(part)
        texts.update(long)
    return line.replace(NO_MESSAGES, f'"messages":[{",".join(told)}]', 1), texts


NO_MESSAGES = '"messages":[]'
"""Stands in a line once: within a text its quotation marks would be escaped."""


def _is_short(message: Message) -> bool:
    return not message.reasoning and not message.tool_calls and sum(map(len, message.parts)) <= LONG


@lru_cache(maxsize=2_048)
def _part_of_short(message: Message) -> tuple[str, dict[str, str]]:
    return pack(to_json(message))


def text_ids(line: str) -> list[str]:
    """The ids in a line; perhaps one too many, never one too few."""
    return _IDS.findall(line)


def unpack(line: str, texts: Mapping[str, str]) -> Json:
    """The reverse of `pack`. Raises LogError for a line that is not JSON or whose text is missing."""
    try:
        return _lengthen(json.loads(line), texts)
    except ValueError as error:
        raise LogError(
            f"Not a line of a log: {error}. The store may be damaged; start Refine again to have it mended."
        ) from error
    except KeyError as error:
        raise LogError(
            f"A text of this run is missing: {error}. The store may be damaged; start Refine again to have it mended."
        ) from error


@lru_cache(maxsize=256)  # it holds the texts as well
def text_id(text: str) -> str:
    """The id of a text: 16 characters made from its content."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
    return base64.urlsafe_b64encode(digest).decode()


def storable(text: str) -> str | bytes:
    """A database's text is UTF-8, which has no half surrogates: such a text is kept as bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def stored(text: str | bytes) -> str:
    """The reverse of `storable`. Raises UnicodeDecodeError for bytes that it never gave."""
    return text if isinstance(text, str) else text.decode("utf-8", "surrogatepass")


def dumps(data: Json) -> str:
    """JSON as the store keeps it."""
    return _dumps_ascii(data)


def _shorten(value: Json, texts: dict[str, str]) -> Json:
    """A dict or list with ids for long strings; the very same one where there are none, as this runs per line."""
    short = value
    for key, part in value.items() if type(value) is dict else enumerate(value):
        kind = type(part)
        if kind in _SCALARS or (kind is str and len(part) <= LONG and part[:1] != MARK):
            continue
        if kind is str:
            new = MARK + text_id(part)
            texts[new[1:]] = part
        elif kind is dict or kind is list:
            new = _whole(part, texts) if key in WHOLE else _shorten(part, texts)
        else:
            new = _shorten([_plain(part)], texts)[0]
        if new is not part:
            short = value.copy() if short is value else short
            short[key] = new
    return short


def _whole(value: Json, texts: dict[str, str]) -> Json:
    try:
        text = _dumps(value)
    except TypeError:  # a rarer container in it
        return _shorten(value, texts)
    if len(text) <= LONG:
        return _shorten(value, texts)
    short = JSON_MARK + text_id(text)
    texts[short[2:]] = text
    return short


def _plain(value: Json) -> Json:
    """The rarer containers and kinds of text as JSON's own. Raises TypeError for what JSON has no form for."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    if isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) else float(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _lengthen(value: Json, texts: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        if value.startswith(JSON_MARK):
            return json.loads(texts[value[2:]])
        return texts[value[1:]] if value.startswith(MARK) else value
    if isinstance(value, dict):
        return {key: _lengthen(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_lengthen(part, texts) for part in value]
    return value
