"""JSON as models write it: where an object ends, and its value once small slips are mended.

Never closes cut-off JSON. Knows nothing of what an object means.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NoReturn

from refine.types import Json

MOST_DEPTH = 100
"""Deeper nesting is not read: nobody means it, and what is read must be written again."""

MOST_STARTS = 3
"""How many braces that open nothing are tried before the rest of a reply is left as prose."""

_START = re.compile(r"[{\[](?=\s{0,200}[\"'{\[\]}])")
_OPEN_OBJECT = re.compile(
    r"^(?:\s{0,20}```[a-z]{0,10}\s{0,20})?\s{0,20}(\{)\s{0,200}\"[\w -]{1,30}\"\s{0,20}:", re.MULTILINE
)
_STRINGS = r'"(?>(?:[^"\\]|\\.)*)(?:"|\\?\Z)' + r"|'(?>(?:[^'\\]|\\.)*)(?:'|\\?\Z)"
"""A string that never ends is one up to the end of the text, so it is looked at once."""
_PIECE = re.compile(rf"{_STRINGS}|[{{}}\[\]]", re.DOTALL)
_SLIPS = re.compile(rf"(?P<string>{_STRINGS})|,(?=\s{{0,200}}[}}\]])|\b(?P<word>True|False|None)\b", re.DOTALL)
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_QUOTE = re.compile(r"\\.|\"", re.DOTALL)
_HALF = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u(?P<half>d[89a-f][0-9a-f]{2})|\\.", re.I | re.S)


def balanced(text: str, start: int) -> int | None:
    """The end of the object or list that starts here; None where it never ends."""
    depth = 0
    for piece in _PIECE.finditer(text, start):
        if piece[0] in ("{", "["):
            depth += 1
            if depth > MOST_DEPTH:
                return None
        elif piece[0] in ("}", "]"):
            depth -= 1
            if depth <= 0:
                return piece.end()
    return None


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Balanced objects and lists, outermost only. Linear: few starts are tried that turn out to be unbalanced."""
    at, failed = 0, 0
    while failed < MOST_STARTS and (start := _START.search(text, at)):
        end = balanced(text, start.start())
        if end is None:
            failed, at = failed + 1, start.end()
        else:
            yield start.start(), end
            at = end


def stands_alone(text: str, start: int) -> bool:
    """An object that starts a line, or comes after a colon; one in the midst of a sentence is talked about."""
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    return not before or (before.endswith((":", "：")) and not before.startswith(">"))


def unended(text: str) -> int | None:
    """Where the first object begins that has a line of its own, if it never ends."""
    start = _OPEN_OBJECT.search(text)
    return start.start() if start and balanced(text, start.start(1)) is None else None


def loaded(text: str) -> Json:
    """The object or list; None where it is none, small slips mended: a comma too many, Python's literals, a raw line
    break, half a character."""
    value = any_value(text)
    if value is None:
        value = any_value(_SLIPS.sub(_mended, text))
    return value if isinstance(value, dict | list) else None


def any_value(text: str) -> Json:
    """The value, whatever it is, with nothing mended but raw line breaks; None where it is none."""
    text = _HALF.sub(lambda escape: "\\ufffd" if escape["half"] else escape[0], text) if "\\u" in text else text
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _mended(slip: re.Match[str]) -> str:
    string = slip["string"]
    if string is None:
        return _LITERALS.get(slip["word"] or "", "")
    if string[0] == '"' or string[-1] != "'":
        return string
    inside = _QUOTE.sub(lambda found: {'"': '\\"', "\\'": "'"}.get(found[0], found[0]), string[1:-1])
    return f'"{inside}"'


def _refused(_: str) -> NoReturn:
    raise ValueError("no number")


def _finite(number: str) -> float:
    value = float(number)
    return value if math.isfinite(value) else _refused(number)


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refused, parse_float=_finite)
