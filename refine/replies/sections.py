"""A critic's reply as blocks: sentences that run over a line break joined, and each line under the heading above it.

Knows nothing of verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from refine.replies.sense import sense, words
from refine.replies.text import Line

Section = Literal["", "good", "bad", "may", "must"]

_FIELDS: tuple[tuple[Section, str], ...] = (
    ("may", "may_heading"), ("must", "must"), ("good", "good_heading"), ("bad", "bad_heading"),
)  # fmt: skip
_UNDONE = re.compile(r"\b(?:not|never|yet|still|un\w+|remain\w*)\b|n't\b|[未没尚仍待]")
"""Turns “fixed” into “not yet fixed”."""
LONGEST_HEADING = 100
WRAPPED = 50
"""A line of fewer characters was not broken because it was full."""


@dataclass(frozen=True, slots=True)
class Block:
    line: Line
    section: Section
    """What stands above: strengths, faults, optional remarks, compulsory changes."""
    title: bool = False


def blocks(read: list[Line]) -> list[Block]:
    """All that a critic says itself: no code, no block quotes."""
    found: list[Block] = []
    section: Section = ""
    lasting = blank = False
    for line in _joined(read):
        if line.form in ("code", "quote"):
            continue
        if line.form == "blank":
            blank = True
            continue
        if (opened := _opened(line)) is not None:
            section, lasting = opened, line.form == "heading"
        elif blank and line.form == "text" and not lasting:
            section = ""
        blank = False
        found.append(Block(line, section, opened is not None))
    return found


def _opened(line: Line) -> Section | None:
    """The section that a heading opens; None where the line is no heading."""
    bold = line.raw.strip().startswith("**") and line.raw.strip().endswith("**")
    bracketed = line.text.startswith("(") and line.text.endswith(")")
    text = line.text.strip(" *_#:()")
    titled = line.form == "heading" or line.text.rstrip("*_ ").endswith(":") or bold or bracketed
    if not titled or not text or len(text) > LONGEST_HEADING or (bold and text.endswith((".", "!", "?", "。"))):
        return None
    if line.form != "heading" and words("strong").search(line.text):
        return "must"
    for kind, name in _FIELDS:
        if words(name).search(text):
            return "bad" if kind == "good" and _UNDONE.search(text) else kind
    return "bad" if line.form != "heading" and sense(text) == "fault" else ""


def _joined(read: list[Line]) -> Iterator[Line]:
    """A sentence that runs over a line break is one line again."""
    held: list[Line] = []
    for line in read:
        if held and line.form == "text" and _goes_on(held[-1], line):
            held.append(line)
            continue
        if held:
            yield _one(held)
        held = [line]
    if held:
        yield _one(held)


def _one(parts: list[Line]) -> Line:
    if len(parts) == 1:
        return parts[0]
    return replace(
        parts[0],
        raw=" ".join([parts[0].raw, *(part.raw.strip() for part in parts[1:])]),
        text=" ".join(part.text for part in parts),
    )


def _goes_on(line: Line, following: Line) -> bool:
    if line.form not in ("text", "item") or line.text.endswith((".", "!", "?", ":", ";", "。", "|")):
        return False
    if words("withhold").match(following.text) or words("but").match(following.text):
        return True
    if len(line.text) < WRAPPED:
        return words("withhold").search(words("no_change").sub("", line.text)) is not None
    return following.raw.strip()[:1].islower()
