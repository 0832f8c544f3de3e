"""No sure replacement may cost the author a fact: one that would becomes a suggestion. Knows nothing of checks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from refine.findings import mend
from refine.text.facts import lost
from refine.types import Finding

_BESIDE = 12
"""Characters between a replacement and the fact that it may have broken: `3 march` is a date, `march` is mended."""


def keeping_facts(text: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, with those made suggestions whose replacement takes a fact from the text."""
    found = tuple(findings)
    if all(finding.replacement is None for finding in found):
        return found
    broken = [fact.span for fact in lost(text, mend(text, found)) if fact.span]
    return (
        tuple(_suggested(finding) if _touches(finding, broken) else finding for finding in found) if broken else found
    )


def _touches(finding: Finding, spans: Iterable[tuple[int, int]]) -> bool:
    if finding.replacement is None or finding.span is None:
        return False
    start, end = finding.span
    return any(start < b + _BESIDE and a - _BESIDE < end for a, b in spans)


def _suggested(finding: Finding) -> Finding:
    return replace(finding, replacement=None, suggestion=finding.replacement)
