"""What happened in a run, and its JSON form. A run *is* its list of records; everything shown is a reading of them.

An event kind is never changed, only added; a field that is added has a default, so every released log can be read.
This module knows nothing of where records are kept.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from decimal import Decimal
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from refine.errors import LogError
from refine.types import Call, Json, Note, Reply, Round, RunSpec, Step, Usage


@dataclass(frozen=True, slots=True)
class Started:
    spec: RunSpec


@dataclass(frozen=True, slots=True)
class Called:
    """Durable before the call is made. A second one at the same address is another attempt."""

    at: str
    call: Call


@dataclass(frozen=True, slots=True)
class Replied:
    at: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Failed:
    """An attempt ended without a reply. `wait` is the pause before the next one; None = there is none."""

    at: str
    kind: str
    message: str
    usage: Usage | None = None
    partial: str = ""
    seconds: float = 0.0
    wait: float | None = None
    first_token_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    at: str
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The run waits for the author; `question` is a code, `about` fills its sentence."""

    at: str
    question: str
    choices: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Halted:
    at: str
    reason: str
    cap: str | None = None
    """The endpoint whose cap of the day spoke, "" = that of all together; None = it was no cap."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    at: str
    loop: str
    round: Round


@dataclass(frozen=True, slots=True)
class RoundRestarted:
    """What stood at this address and behind it in the same scope is void: newer code asks something else there."""

    at: str


@dataclass(frozen=True, slots=True)
class Stopped:
    reason: str
    best: int | None = None
    """Which round of the outermost loop is the result."""
    text: str | None = None
    """The result where no round is (a technique without a loop)."""
    error: str = ""


Event = Started | Called | Replied | Failed | Noted | Waiting | Halted | RoundEnded | RoundRestarted | Stopped


@dataclass(frozen=True, slots=True)
class Record:
    """One row of the log. Order is `seq`, never `at` (seconds since the epoch), which may jump."""

    run_id: str
    seq: int
    at: float
    event: Event


# --- JSON -------------------------------------------------------------------------------------------------
# One coder per type, made once from the type hints. A value of a union is tagged with its class under "is".

Coder = Callable[[Any], Any]
TAG = "is"


def to_json(value: Any) -> Json:
    """A value of `types` or an event as plain JSON. Fields at their default are left out."""
    cls: Any = type(value)
    return _encoder(cls)(value)


def from_json(cls: Any, data: Json) -> Any:
    """The reverse: `from_json(Event, data)`. Raises LogError for anything that is not of that form."""
    try:
        return _decoder(cls)(data)
    except LogError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LogError(f"Not a record of a run ({error}): the file is damaged or another program's.") from error


@cache
def _encoder(cls: Any) -> Coder:
    if not is_dataclass(cls):
        return _plain
    tag = _name(cls) if cls in _TAGGED else None
    columns = [(f.name, _default(f), _field_encoder(hint)) for f, hint in _hinted(cls)]

    def encode(value: Any) -> Json:
        data: dict[str, Json] = {TAG: tag} if tag else {}
        for name, default, encode_field in columns:
            part = getattr(value, name)
            if part is not default and part != default:
                data[name] = encode_field(part) if encode_field else part
        return data

    return encode


def _plain(value: Any) -> Json:
    if isinstance(value, tuple):
        return [to_json(part) for part in value]
    if isinstance(value, Decimal):
        return str(value)
    return value


def _field_encoder(hint: Any) -> Coder | None:
    """None where the value is JSON as it stands."""
    if hint == tuple[str, ...]:
        return list
    return None if _is_json(hint) else to_json


def _is_json(hint: Any) -> bool:
    if hint in (str, int, float, bool, type(None), Any):
        return True
    origin, args = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, Union):
        return all(_is_json(arg) for arg in args)
    return origin is Literal or origin is Mapping


@cache
def _decoder(hint: Any) -> Coder:
    if is_dataclass(hint) and isinstance(hint, type):
        return _class_decoder(hint)
    if hint is Decimal:
        return Decimal
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            inner = _decoder(args[0])
            return lambda data: tuple([inner(part) for part in data])
        parts = [_decoder(arg) for arg in args]
        return lambda data: tuple(decode(part) for decode, part in zip(parts, data, strict=True))
    if origin in (types.UnionType, Union):
        return _union_decoder(args)
    if origin is Mapping:
        return dict
    return lambda data: data


def _class_decoder(cls: Any) -> Coder:
    columns = {f.name: _decoder(hint) for f, hint in _hinted(cls)}

    def decode(data: Json) -> Any:
        if not isinstance(data, dict):
            raise LogError(f"{_name(cls)} should be an object, got {type(data).__name__}.")
        return cls(**{name: columns[name](part) for name, part in data.items() if name in columns})

    return decode


def _union_decoder(args: tuple[Any, ...]) -> Coder:
    tagged = {_name(arg): _decoder(arg) for arg in args if arg in _TAGGED}
    others = [arg for arg in args if arg is not type(None) and arg not in _TAGGED]
    other = _decoder(others[0]) if others else None

    def decode(data: Json) -> Any:
        if data is None:
            return None
        if isinstance(data, dict) and tagged:
            kind = data.get(TAG)
            if kind not in tagged:
                raise LogError(f"Unknown kind of record {kind!r}, perhaps of a newer version: update Refine.")
            return tagged[kind](data)
        return other(data) if other else data

    return decode


def _name(cls: Any) -> str:
    return str(cls.__name__)


def _hinted(cls: Any) -> list[tuple[Any, Any]]:
    hints = get_type_hints(cls)
    return [(f, hints[f.name]) for f in fields(cls)]


def _default(f: Any) -> Any:
    if f.default is not MISSING:
        return f.default
    return f.default_factory() if f.default_factory is not MISSING else MISSING


_TAGGED: frozenset[Any] = frozenset((*get_args(Event), *get_args(Call), Step))
