"""How a check makes a finding: quote, letter case, apostrophes, remark, and what may be mended without asking.

A sure replacement never touches hidden places (code, addresses) nor somebody's words in quotation marks: there the
finding is a remark that only the author may act on. Knows nothing of particular rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refine.checks.prose import Prose
from refine.checks.remarks import remark
from refine.types import Finding, Severity

_OR = ("” or “", "”或“")


@dataclass(frozen=True, slots=True)
class Place:
    """Where and for whom a finding is made."""

    prose: Prose
    critic: str
    language: str = "en"


def finding(
    place: Place,
    span: tuple[int, int],
    rule: str,
    dimension: str,
    severity: Severity,
    *,
    put: str | None = None,
    options: tuple[str, ...] = (),
    suggestion: str | None = None,
    in_quotations: bool = False,
    values: Mapping[str, object] | None = None,
) -> Finding | None:
    """A finding at `span`, or None where there is nothing to say: a hidden place, or nothing would change.

    Args:
        put: the sure replacement.
        in_quotations: True = the rule holds inside quotation marks as well.
        values: more values for the remark's holes.
    """
    prose = place.prose
    start, end = span
    if prose.hidden(start, end):
        return None
    quote = prose.text[start:end]
    if put is not None:
        put = fitted(put, quote, prose.curly)
        if put == quote:
            return None
    if not in_quotations and prose.quoted(start, end):
        severity = "may"
        put, suggestion, options = None, suggestion or put, ()
    if suggestion:
        suggestion = fitted(suggestion, quote, prose.curly)
    holes = {
        "quote": " ".join(quote.split()) or quote,
        "put": _OR[place.language == "zh"].join(options) or (put or suggestion or "").strip(),
        "drop": put == "" or suggestion == "",
    }
    return Finding(
        quote=quote,
        span=span,
        dimension=dimension,
        rule=rule,
        severity=severity,
        remark=remark(rule, dimension, place.language, holes | dict(values or {})),
        replacement=put,
        options=tuple(fitted(option, quote, prose.curly) for option in options),
        suggestion=suggestion,
        critic=place.critic,
    )


def fitted(put: str, quote: str, curly: bool) -> str:
    """`put` with the capitals of what it stands for and the author's kind of apostrophe."""
    if curly:
        put = put.replace("'", "’")
    if not quote or not put:
        return put
    letters = [c for c in quote if c.isalpha()]
    if len(letters) > 2 and all(c.isupper() for c in letters):
        return put.upper()
    if len(letters) == 1 and put.isupper() and len(put) > 1:  # Harper makes "A" before a vowel "AN"
        return put.capitalize()
    if quote[0].isupper() and put[0].islower() and quote != "I":
        return put[0].upper() + put[1:]
    return put
