"""What a text states that a rewrite must keep. It knows nothing of rewrites, rounds or severities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from refine.text.citations import citations
from refine.text.dates import dates
from refine.text.fact import Fact, FactKind
from refine.text.markup import filled, marks, masked
from refine.text.names import names
from refine.text.numbers import Quantity, quantities
from refine.text.quotations import quotations
from refine.text.sections import headings
from refine.text.sentences import sentences

_KIND_OF_MARK: dict[str, FactKind] = {
    "front_matter": "front_matter", "fence": "code", "code": "code", "math": "code", "link": "link",
}  # fmt: skip
_PLACEHOLDER = re.compile(r"\{\{[^{}\n]{1,80}\}\}|\$\{\w{1,80}\}|%\(\w{1,80}\)[sd]|(?<![\w\\{}])\{[A-Za-z_]\w{0,60}\}")
_MATH_SIGNS = re.compile(r"\A(?:\$\$?|\\[(\[])|(?:\$\$?|\\[)\]])\Z")


def facts(text: str) -> tuple[Fact, ...]:
    """All facts in order of place, every mention of each.

    Kinds: number (with its unit), date, name, link, citation, quotation, code (fenced, inline, formulas and
    placeholders), heading, front_matter.
    """
    return _read(text)[0]


def amounts(text: str) -> tuple[Quantity, ...]:
    """The quantities behind the facts of kind number."""
    return _read(text)[1]


@lru_cache(maxsize=4)
def _read(text: str) -> tuple[tuple[Fact, ...], tuple[Quantity, ...]]:
    """Each finder sees what the ones before it left over: a date's day is no number."""
    prose = masked(text)
    found = [*_marked_up(text, prose), *citations(filled(text, marks(text), lambda mark: "(")), *quotations(prose)]
    found += [Fact("heading", _bare(h.text), (h.start, h.end)) for h in headings(text) if h.text]
    prose = _hidden(prose, (fact.span for fact in found if fact.kind in {"citation", "code"}))
    read = dates(prose)
    found += [Fact("date", date.value, (date.start, date.end)) for date in read]
    prose = _hidden(prose, ((date.start, date.end) for date in read))
    counted = quantities(prose)
    found += [Fact("number", amount.value, (amount.start, amount.end)) for amount in counted]
    prose = _hidden(prose, ((amount.start, amount.end) for amount in counted))
    prose = _hidden(prose, (fact.span for fact in found if fact.kind == "heading"))
    found += names(prose, sentences(text))
    return tuple(sorted(found, key=lambda fact: (fact.span, fact.kind, fact.value))), tuple(counted)


def _marked_up(text: str, prose: str) -> Iterator[Fact]:
    for mark in marks(text):
        if mark.kind in _KIND_OF_MARK:
            value = _MATH_SIGNS.sub("", mark.value).strip() if mark.kind == "math" else mark.value
            yield Fact(_KIND_OF_MARK[mark.kind], value, (mark.start, mark.end))
    for m in _PLACEHOLDER.finditer(prose):
        yield Fact("code", m[0], m.span())


def _hidden(text: str, spans: Iterable[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if end > at:
            pieces += [text[at : max(start, at)], _hide(text[max(start, at) : end])]
            at = end
    return "".join([*pieces, text[at:]])


def _hide(piece: str) -> str:
    return _NOT_LINE_END.sub(" ", piece)


def _bare(heading: str) -> str:
    """Without emphasis, code marks and link targets."""
    return _EMPHASIS.sub("", _LINK.sub(r"\1", heading)).strip()


_NOT_LINE_END = re.compile(r"[^\n]")
_EMPHASIS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
