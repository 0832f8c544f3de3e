"""A text's parts under its Markdown headings. It knows nothing of sentences or facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from refine.text.markup import filled, marks

_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]([^\n]*))?$", re.MULTILINE)
_UNDERLINED = re.compile(r"^ {0,3}(?![#>\-+*|=\s])([^\n]*\S)[ \t]*\n {0,3}(=+|-{2,})[ \t]*$", re.MULTILINE)
_NO_PROSE = frozenset("=- \t")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading of any level."""

    heading: str
    """Without its marks; empty for the text before the first heading."""
    level: int
    """1 to 6; 0 for the text before the first heading."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int
    start: int
    end: int
    """The heading's own lines."""


def sections(text: str) -> list[Section]:
    """The sections in order; together they cover the whole text. A text without headings is one section of level 0."""
    found = headings(text)
    first = found[0].start if found else len(text)
    before = [Section("", 0, 0, first)] if first else []
    edges = [*(heading.start for heading in found), len(text)]
    return before + [
        Section(h.text, h.level, start, end) for h, (start, end) in zip(found, pairwise(edges), strict=True)
    ]


def headings(text: str) -> list[Heading]:
    """Headings with # and underlined ones, outside code, comments and front matter."""
    hidden = [mark for mark in marks(text) if mark.kind in {"front_matter", "fence", "comment"}]
    shown = filled(text, hidden) if hidden else text
    found = [Heading(_closed(m[2] or ""), len(m[1]), m.start(), m.end()) for m in _ATX.finditer(shown)]
    found += [
        Heading(m[1].strip(), 1 if m[2][0] == "=" else 2, m.start(), m.end())
        for m in _UNDERLINED.finditer(shown)
        if _starts_paragraph(shown, m.start())
    ]
    return sorted(found, key=lambda heading: heading.start)


def _closed(heading: str) -> str:
    """`# Title ##` is the title alone; `# C#` keeps its sign."""
    title = heading.strip()
    opened = title.rstrip("#")
    return opened.strip() if not opened or opened[-1] in " \t" else title


def _starts_paragraph(text: str, at: int) -> bool:
    """A line of dashes under a longer paragraph is more often a rule than an underlined heading."""
    before = text[text.rfind("\n", 0, max(at - 1, 0)) + 1 : at]
    return set(before.strip()) <= _NO_PROSE
