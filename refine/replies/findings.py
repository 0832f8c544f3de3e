"""The findings in a critic's prose, and its scores.

An item of a list is one finding; where there is no list, a line with a quotation is; else the whole text is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from refine.replies.sections import Block, Section
from refine.replies.sense import QUOTED, sense, sentences, words
from refine.replies.text import Line, unmarked
from refine.types import Finding, Severity, VerdictKind

_SCORE = re.compile(
    r"(?:score|rating|grade|评分|总分|得分|分数)[\W_]{0,6}(\d{1,3}(?:\.\d{1,2})?)\s?(?:(?:/|out of|of)\s?(\d{1,3}))?"
    r"|^(?:[\W_]{0,6}overall[\W_]{1,6})?(\d{1,2}(?:\.\d{1,2})?)\s?/\s?(10)\b"
)
_CRITERION_SCORE = re.compile(
    r"^[\W_]{0,6}([^\W\d_][^:|\d]{0,30}?)[\s*_]{0,4}[:|][\s*_]{0,4}(\d{1,2}(?:\.\d{1,2})?)\s?(?:/\s?10\b|分)"
)


def read_score(read: list[Line]) -> tuple[float | None, bool]:
    """The score from 0 to 10 that a reply gives in words, None where it is outside; and whether it gives one."""
    for line in read:
        match = _SCORE.search(line.text) if line.form not in ("code", "quote") else None
        if match:
            score, scale = float(match[1] or match[3]), match[2] or match[4]
            return (score if score <= 10 and scale in (None, "10") else None), True
    return None, False


def read_scores(read: list[Line]) -> dict[str, float]:
    """“Clarity: 7/10”: the scores of single criteria."""
    found: dict[str, float] = {}
    for line in read:
        if line.form in ("text", "item") and (match := _CRITERION_SCORE.match(line.text)):
            name, score = match[1].strip(" *_"), float(match[2])
            if score <= 10 and not words("label").fullmatch(name) and not _SCORE.match(line.text):
                found[name] = score
    return found


def findings_in(blocks: list[Block], kind: VerdictKind) -> tuple[Finding, ...]:
    """What the critic would change, in the order in which it stands; nothing where it names nothing."""
    passages = list(_passages(blocks))
    if kind == "approved":
        return tuple(replace(passage.finding(), severity="may") for passage in passages if passage.sense == "optional")
    named = [passage for passage in passages if passage.sense in ("fault", "doubt", "optional")]
    for chosen in ([p for p in named if p.listed], [p for p in named if QUOTED.search(p.raw)]):
        if chosen:
            return tuple(passage.finding() for passage in chosen)
    return (Finding(remark="\n".join(passage.raw for passage in passages)),) if named else ()


@dataclass(frozen=True, slots=True)
class _Passage:
    """A list item with the lines that go on it, or a line of prose."""

    raw: str
    text: str
    section: Section
    listed: bool

    @property
    def sense(self) -> str:
        """The gravest thing it says."""
        kinds = {sense(sentence) for sentence in sentences(self.text)}
        if self.section == "good":
            return "praise"
        if self.section == "may" and not words("strong").search(self.text):
            return "optional"
        if self.section in ("bad", "must") and self.listed and kinds - {"nothing", "praise", "optional"}:
            return "fault"
        return next((kind for kind in ("fault", "doubt", "optional") if kind in kinds), "other")

    def finding(self) -> Finding:
        quote = QUOTED.search(self.raw)
        return Finding(quote=quote[0][1:-1].strip() if quote else "", severity=self.severity, remark=self.raw)

    @property
    def severity(self) -> Severity:
        if not self.listed:
            return "should"
        for kind in ("may", "must"):
            if words(kind).search(QUOTED.sub("", self.text)[:80]):
                return kind
        return self.section if self.section in ("may", "must") else "should"


def _passages(blocks: list[Block]) -> Iterator[_Passage]:
    held: list[Block] = []
    for block in blocks:
        if block.title or block.line.form == "heading":
            yield from _passage(held)
            held = [] if _says_nothing_else(block) else [block]
        elif held and held[0].line.form == "item" and block.line.form == "text" and block.line.raw[:1].isspace():
            held.append(block)
        else:
            yield from _passage(held)
            held = [block]
    yield from _passage(held)


def _says_nothing_else(block: Block) -> bool:
    return block.line.form == "heading" or block.line.text.rstrip("*_ ").endswith(":")


def _passage(held: list[Block]) -> Iterator[_Passage]:
    if held:
        raw = "\n".join(unmarked(block.line.raw) if n == 0 else block.line.raw.strip() for n, block in enumerate(held))
        text = " ".join(block.line.text for block in held)
        yield _Passage(raw, text, held[0].section, held[0].line.form == "item")
