"""Facts of the author's text that the new text no longer holds. What a fact is, `text.facts` knows."""

from __future__ import annotations

from collections.abc import Mapping

from refine.checks.options import texts
from refine.checks.prose import language
from refine.checks.remarks import remark
from refine.text.facts import Fact, lost
from refine.types import Finding, Json


def kept(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. Options: against, the text to compare with; keep, facts beyond those found; locked, passages."""
    against = str(options.get("against") or "")
    keep, locked = texts(options, "keep"), texts(options, "locked")
    if not against and not keep and not locked:
        return ()
    which = language(text, options)
    return tuple(_finding(fact.kind, _as_written(fact, against), which) for fact in lost(against, text, keep, locked))


WRITTEN_IN_WAYS = ("number", "date")
"""Kinds whose normal form no reader would know again: £2.60 is 2.60 GBP, 3 March is --03-03."""


def _as_written(fact: Fact, against: str) -> str:
    start, end = fact.span
    return against[start:end].strip(" .,;:，。；：") if fact.kind in WRITTEN_IN_WAYS else fact.value


def _finding(kind: str, value: str, which: str) -> Finding:
    rule = f"kept.{kind}"
    words = remark(rule, "kept", which, {"quote": _short(value), "kind": kind})
    return Finding(quote=value, dimension="kept", rule=rule, severity="must", remark=words, critic="kept")


def _short(value: str) -> str:
    line = " ".join(value.split())
    return line if len(line) <= 80 else f"{line[:77]}..."
