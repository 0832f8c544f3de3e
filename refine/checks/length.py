"""How long the text is, in words (a Chinese character counts as one)."""

from __future__ import annotations

from collections.abc import Mapping

from refine.checks.options import number
from refine.checks.prose import language
from refine.checks.remarks import remark
from refine.text.words import count
from refine.types import Finding, Json


def length(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. Options: min, max; 0 or nothing = no limit."""
    words, least, most = count(text), number(options, "min"), number(options, "max")
    if words < least:
        return (_finding("length.short", language(text, options), words, least),)
    if most and words > most:
        return (_finding("length.long", language(text, options), words, most),)
    return ()


def _finding(rule: str, which: str, words: int, limit: int) -> Finding:
    values = {"count": words, "limit": limit, "difference": abs(words - limit)}
    return Finding(
        dimension="length", rule=rule, severity="must", remark=remark(rule, "length", which, values), critic="length"
    )
