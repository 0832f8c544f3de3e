"""The schema: all that can be set for a technique, its roles and its checks, and how a value is read. Pure.

One table, `FIELDS`, serves variant files, `--set` and forms alike. Knows nothing of files, of roles that a variant
has, or of what the settings do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from reprlib import Repr
from typing import Any, Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from refine.types import Json

LINE_LENGTH = 200
"""Characters of a text on one line: a name, a model, a token."""

_REPR = Repr()
_REPR.maxstring = _REPR.maxother = 100


Kind = Literal["integer", "number", "switch", "choice", "line", "text", "list", "pairs"]


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that can be set: its kind, its range, what it is if nothing is said."""

    kind: Kind
    low: float = 0
    high: float = 0
    choices: tuple[str, ...] = ()
    default: Json = None
    """None: nothing is filled in."""
    unit: str = ""
    none: bool = False
    """True: may be switched off by `none`."""


Fields = Mapping[str, Field]


def _role(temperature: float | None) -> Fields:
    return {
        "model": Field("line"),
        "endpoint": Field("line"),
        "temperature": Field("number", 0, 2, default=temperature, none=True),
        "max_tokens": Field("integer", 1, 1_000_000, unit="tokens", none=True),
        "reply": Field("choice", choices=("text", "json")),
        "prompt": Field("text"),
    }


_STOPS: Fields = {
    "max_rounds": Field("integer", 1, 100, default=4, unit="reviews"),
    "min_rounds": Field("integer", 1, 100, default=1, unit="reviews"),
    "score": Field("number", 0, 10, none=True),
    "plateau": Field("integer", 1, 100, default=3, unit="rounds without gain", none=True),
    "no_change": Field("switch", default=True),
    "oscillation": Field("switch", default=True),
}
_LIMITS: Fields = {
    "money": Field("number", 1e-9, 1_000_000, unit="currency", none=True),
    "tokens": Field("integer", 1, 1_000_000_000, default=400_000, unit="tokens", none=True),
    "time": Field("number", 0.001, 1_000_000, default=1_800, unit="seconds", none=True),
    "calls": Field("integer", 1, 100_000, default=100, unit="calls", none=True),
    "failures": Field("integer", 1, 100, default=5, unit="in a row"),
}
_OPTIONS: Fields = {
    "token": Field("line", default="APPROVED"),
    "critics": Field("choice", choices=("all", "majority"), default="all"),
    "pause": Field("switch", default=False),
    "choose": Field("switch", default=False),
    "somebody": Field("switch"),
}
DRAFTS = 4
"""Drafts that are written side by side where a run does not say how many."""
_DRAFTS_OPTIONS: Fields = {
    "n": Field("integer", 2, 20, default=DRAFTS, unit="drafts"),
    "choose_by": Field("choice", choices=("judge", "checks", "both"), default="both"),
    "token": _OPTIONS["token"],
    "somebody": Field("switch"),
}
_MEASURE_OPTIONS: Fields = {"original": Field("text"), "somebody": Field("switch")}
_WRITER, _CRITIC, _ACTOR, _JUDGE = _role(0.7), _role(0.3), _role(0), _role(0)
_STEP_STOPS: Fields = {"max_rounds": Field("integer", 1, 1_000, default=12, unit="steps")}
_STEP_OPTIONS: Fields = {
    "protocol": Field("choice", choices=("json", "native"), default="json"),
    "tools": Field("list", none=True),
    "context": Field("integer", 500, 10_000_000, default=12_000, unit="tokens"),
    "observation": Field("integer", 100, 1_000_000, default=8_000, unit="characters"),
    "tool_first": Field("switch", default=False),
    "questions": Field("list", none=True),
    "chat": Field("switch", default=False),
    "workspace": Field("line"),
    "workspace_from": Field("line"),
    "somebody": Field("switch"),
}

FIELDS: Mapping[str, Mapping[str, Fields]] = {
    "refine": {
        "stops": _STOPS,
        "limits": _LIMITS,
        "options": _OPTIONS,
        "role.writer": _WRITER,
        "role.critic": _CRITIC,
    },
    "react": {"stops": _STEP_STOPS, "limits": _LIMITS, "options": _STEP_OPTIONS, "role.actor": _ACTOR},
    "single": {"stops": {}, "limits": _LIMITS, "options": _OPTIONS, "role.writer": _WRITER},
    "best_of_n": {
        "stops": {},
        "limits": _LIMITS,
        "options": _DRAFTS_OPTIONS,
        "role.writer": _WRITER,
        "role.judge": _JUDGE,
    },
    "measure": {
        "stops": {},
        "limits": _LIMITS,
        "options": _MEASURE_OPTIONS,
        "role.judge": _JUDGE,
        "role.pair": _JUDGE,
    },
    "prefer": {
        "stops": {},
        "limits": _LIMITS,
        "options": {**_MEASURE_OPTIONS, "other": Field("text")},
        "role.pair": _JUDGE,
    },
}
"""Technique -> group -> name -> field. The groups `role.<kind>` say which kinds of role the technique knows."""


WRITING = ("refine", "single", "best_of_n")
"""Techniques that make a text, of a draft or a brief."""
JUDGING = ("measure", "prefer")
"""Techniques that judge a text that was made elsewhere, and write none."""
SCORED_BY_JUDGE = ("best_of_n", *JUDGING)
"""Techniques whose score is a judge's, made of one for each dimension."""


def goes_on(technique: str) -> bool:
    """Does a technique take another round after its end? One that knows their number does not."""
    return bool(FIELDS.get(technique, {}).get("stops"))


_ANY_CHECK: Fields = {"language": Field("line"), "words": Field("list"), "off": Field("list")}

CHECK_FIELDS: Mapping[str, Fields] = {
    "grammar": {**_ANY_CHECK, "dialect": Field("choice", choices=("american", "british"))},
    "wording": _ANY_CHECK,
    "typography": _ANY_CHECK,
    "length": {
        **_ANY_CHECK,
        "min": Field("integer", 0, 10_000_000, unit="words"),
        "max": Field("integer", 1, 10_000_000, unit="words"),
    },
    "terms": {**_ANY_CHECK, "require": Field("list"), "ban": Field("pairs")},
    "repeats": _ANY_CHECK,
    "sentences": {**_ANY_CHECK, "max": Field("integer", 1, 1_000, unit="words or characters")},
    "kept": {**_ANY_CHECK, "keep": Field("list"), "locked": Field("list")},
}
"""Check -> option -> field."""

REQUIRED_HOLES: Mapping[tuple[str, str], tuple[str, ...]] = {("refine", "writer"): ("findings",)}
"""(technique, kind of role) -> holes that a prompt with its own user message must show there, beyond the draft."""


class Refused(Exception):
    """What a value was and what it may be: the middle of a sentence, finished by who knows the place."""


def short(value: Json) -> str:
    """A value as given, for a message: never long, however large or deep it is."""
    return _REPR.repr(value)


def read_value(field: Field, value: Json) -> Json:
    """A value as given, in a file or as text after `=`, in the form in which a run keeps it.

    Raises Refused with "must be ...; got ..." for anything that the field does not allow.
    """
    if field.none and (value is None or (isinstance(value, str) and value.strip().casefold() in ("none", "off"))):
        return None
    found = _READERS[field.kind](field, value.strip() if isinstance(value, str) and field.kind != "text" else value)
    if found is None:
        raise Refused(f"must be {allowed(field)}; got {short(value)}")
    return found


def allowed(field: Field) -> str:
    """What a field takes, in words."""
    words = {
        "integer": f"a whole number from {field.low:g} to {field.high:,.0f}",
        "number": f"a number from {f'{field.low:.9f}'.rstrip('0').rstrip('.')} to {field.high:,.10g}",
        "switch": "on or off",
        "choice": "one of " + ", ".join(field.choices),
        "line": f"a text on one line of at most {LINE_LENGTH} characters (in a file: in quotation marks)",
        "text": "a text",
        "list": "a list of texts, with commas between them",
        "pairs": "a list of texts, with commas between them, or pairs like {bad: good}",
    }[field.kind]
    return words + (f" ({field.unit})" if field.unit else "") + (", or none" if field.none else "")


def _integer(field: Field, value: Json) -> int | None:
    number = _number(field, value)
    return int(number) if number is not None and float(number).is_integer() else None


def _number(field: Field, value: Json) -> float | int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not isfinite(number) or not field.low <= number <= field.high:
        return None
    return int(number) if number.is_integer() else number


_SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


def _switch(field: Field, value: Json) -> bool | None:
    return _SWITCH.get(str(value).casefold()) if isinstance(value, bool | str) else None


def _choice(field: Field, value: Json) -> str | None:
    return value if isinstance(value, str) and value in field.choices else None


def _line(field: Field, value: Json) -> str | None:
    fits = isinstance(value, str) and 0 < len(value) <= LINE_LENGTH and value.splitlines() == [value]
    return value if fits else None


def _text(field: Field, value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _list(field: Field, value: Json) -> list[str] | None:
    items = _collection(value)
    fits = isinstance(items, list) and all(isinstance(item, str) and item.strip() for item in items)
    return items if fits else None


def _pairs(field: Field, value: Json) -> list[str] | dict[str, str] | None:
    items = _collection(value)
    if isinstance(items, dict):
        fits = all(isinstance(text, str) and text.strip() for pair in items.items() for text in pair)
        return items if fits else None
    return _list(field, items)


def _collection(value: Json) -> Json:
    """Text after `=` as a list: `a, b`, or YAML where it begins with a bracket."""
    if not isinstance(value, str):
        return value
    if value.startswith(("[", "{")):
        try:
            return plain_yaml().load(value)
        except (YAMLError, ValueError, RecursionError):
            return None
    return [item.strip() for item in re.split("[,，、]", value) if item.strip()]


_READERS: Mapping[Kind, Any] = {
    "integer": _integer,
    "number": _number,
    "switch": _switch,
    "choice": _choice,
    "line": _line,
    "text": _text,
    "list": _list,
    "pairs": _pairs,
}


def plain_yaml() -> YAML:
    """YAML 1.2, in which `no` and `on` are words, and only plain values are made."""
    return YAML(typ="safe", pure=True)
