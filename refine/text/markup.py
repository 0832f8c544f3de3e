"""Where a text is Markdown rather than prose: front matter, code, comments, math, links, tags. Linear in the text.

It knows nothing of sentences or facts. What stands inside one kind is not looked at for the next.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from refine.text.characters import CJK

MarkKind = Literal["front_matter", "fence", "comment", "code", "math", "link", "tag"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One piece of markup. `start` and `end` cover all that is not prose; a link's visible text is prose."""

    kind: MarkKind
    start: int
    end: int
    value: str
    """What must survive: the code without its fence, the address without its brackets."""


@lru_cache(maxsize=4)
def marks(text: str) -> tuple[Mark, ...]:
    """All markup of a text in order of place, never overlapping."""
    found: list[Mark] = []
    rest = text
    for finder in _FINDERS:
        new = list(finder(rest))
        found += new
        rest = filled(rest, new) if new else rest
    return tuple(sorted(found, key=lambda mark: mark.start))


def masked(text: str) -> str:
    """The text with code, addresses, link targets, front matter, tags, comments and math replaced by spaces.

    It has the same length, and line ends stay, so that places in it are places in the text.
    """
    return filled(text, marks(text))


def filled(text: str, spans: Iterable[Mark], sign: Callable[[Mark], str] = lambda mark: " ") -> str:
    """The text with every span overwritten by its sign (one character), line ends kept. Spans may overlap."""
    pieces: list[str] = []
    at = 0
    for mark in sorted(spans, key=lambda mark: mark.start):
        start = max(at, mark.start)
        pieces += [text[at:start], _NOT_LINE_END.sub(sign(mark), text[start : mark.end])]
        at = max(at, mark.end)
    return "".join([*pieces, text[at:]])


_NOT_LINE_END = re.compile(r"[^\n]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

_FRONT = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\n(?=[ \t]*(?:#|[\w\"'-][^\n]*[:=]|\1))")


def _front_matter(text: str) -> Iterator[Mark]:
    opening = _FRONT.match(text)
    if not opening:
        return
    closing = re.compile(rf"^(?:{re.escape(opening[1])}|\.\.\.)[ \t]*$\n?", re.MULTILINE).search(text, opening.end())
    if closing:
        yield Mark("front_matter", 0, closing.end(), text[opening.end() : closing.start()])


_FENCE = re.compile(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)(?:\n|\Z)", re.MULTILINE)


def _fences(text: str) -> Iterator[Mark]:
    """An unclosed fence lasts to the end, as Markdown has it."""
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line if "`" not in line[2] or line[1][0] == "~" else None
        elif line[1][0] == opening[1][0] and len(line[1]) >= len(opening[1]) and not line[2].strip():
            yield Mark("fence", opening.start(), line.end(), text[opening.end() : line.start()])
            opening = None
    if opening:
        yield Mark("fence", opening.start(), len(text), text[opening.end() :])


def _comments(text: str) -> Iterator[Mark]:
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at + 4)
        if end < 0:
            return
        yield Mark("comment", at, end + 3, text[at + 4 : end])
        at = text.find("<!--", end + 3)


def _inline_code(text: str) -> Iterator[Mark]:
    runs = [(m.start(), m.end()) for m in re.finditer(r"(?<!\\)`+", text)]
    if not runs:
        return
    borders = [m.start() for m in _BLANK_LINE.finditer(text)]
    starts_of: dict[int, list[int]] = {}
    for start, end in runs:
        starts_of.setdefault(end - start, []).append(start)
    at = 0
    for start, end in runs:
        if start < at:
            continue
        same = starts_of[end - start]
        row = bisect_left(same, end)
        border = bisect_right(borders, start)
        if row < len(same) and (border == len(borders) or same[row] < borders[border]):
            at = same[row] + end - start
            yield Mark("code", start, at, _unpadded(text[end : same[row]]))


def _unpadded(code: str) -> str:
    padded = len(code) > 2 and code[0] == code[-1] == " " and code.strip()
    return code[1:-1] if padded else code


_MATH = re.compile(
    r"\$\$[^$]++\$\$"
    r"|(?<![\\$\w])\$(?![\s\d])[^$\n]{1,300}+(?<!\s)\$(?![\d$A-Za-z])"
    r"|(?<![\\$\w])\$\d(?=[^$\n]{0,300}[\\^_={}+<>])[^$\n]{0,300}+(?<!\s)\$(?![\d$A-Za-z])"
    r"|\\\((?>(?:[^\n\\]|\\(?![()])){1,300})\\\)"
    r"|^[ \t]*\\\[(?>(?:[^\\]|\\(?![\[\]])){1,2000})\\\]",
    re.MULTILINE,
)


def _math(text: str) -> Iterator[Mark]:
    return (Mark("math", m.start(), m.end(), m[0]) for m in _MATH.finditer(text))


_TARGET = re.compile(
    r"(?<=\])\([ \t]*(?:<([^<>\n]*)>|((?:[^\s()<>]|\([^\s()]*\))+))"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
    r"|^ {0,3}(?<!\\)\[[^\]\n^][^\]\n]*\]:[ \t]*(<[^<>\n]*>|\S+)",
    re.MULTILINE,
)


def _targets(text: str) -> Iterator[Mark]:
    for m in _TARGET.finditer(text):
        if m[3] is not None:
            yield Mark("link", m.start(3), m.end(3), m[3].strip("<>"))
        else:
            yield Mark("link", m.start(), m.end(), m[1] if m[1] is not None else m[2])


_URL_SIGN = rf"[^\s<>\"`{{}}|\\^“”‘’，。；：！？、（）【】《》「」『』…{CJK}]"
_ADDRESS = re.compile(
    rf"<((?:https?|ftp|mailto):[^\s<>]+|[A-Za-z0-9.+_-]+@[A-Za-z0-9.-]+)>"
    rf"|(?<![A-Za-z0-9])((?:(?:https?|ftp)://|mailto:|www\.(?=[A-Za-z0-9])){_URL_SIGN}+)"
    rf"|(?<![A-Za-z0-9.+_-])([A-Za-z0-9.+_-]++@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)",
    re.IGNORECASE,
)


def _addresses(text: str) -> Iterator[Mark]:
    for m in _ADDRESS.finditer(text):
        if m[1] is not None:
            yield Mark("link", m.start(), m.end(), m[1])
            continue
        address = _without_sentence_end(m[0])
        if len(address) > 4:
            yield Mark("link", m.start(), m.start() + len(address), address)


def _without_sentence_end(address: str) -> str:
    """Marks after an address belong to the sentence, and so does a bracket that the address did not open."""
    while address and (
        address[-1] in ".,;:!?'*_~"
        or (address[-1] == ")" and address.count("(") < address.count(")"))
        or (address[-1] == "]" and address.count("[") < address.count("]"))
    ):
        address = address[:-1]
    return address


_TAG = re.compile(
    r"</?[A-Za-z][A-Za-z0-9-]*+(?:\s+[A-Za-z_:@][\w:.-]*+(?:\s*=\s*(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'=<>`]+))?)*\s*/?>"
)


def _tags(text: str) -> Iterator[Mark]:
    return (Mark("tag", m.start(), m.end(), m[0]) for m in _TAG.finditer(text))


_FINDERS: tuple[Callable[[str], Iterator[Mark]], ...] = (
    _front_matter, _fences, _comments, _inline_code, _math, _targets, _addresses, _tags,
)  # fmt: skip
