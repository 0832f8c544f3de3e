"""Deterministic critics: the same text gives the same findings, with places, in our own words.

They know nothing of rounds, models or the author; they run off the event loop. `warm` preloads what is slow to build.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from refine.checks.candidates import candidates
from refine.checks.grammar import grammar
from refine.checks.harper_door import warm
from refine.checks.kept import kept
from refine.checks.length import length
from refine.checks.long_sentences import long_sentences
from refine.checks.options import check_options, texts
from refine.checks.repeats import repeats
from refine.checks.safe import keeping_facts
from refine.checks.terms import terms
from refine.checks.typography import typography
from refine.checks.wording import wording
from refine.errors import SettingsError
from refine.findings import merge
from refine.types import Finding, Json

__all__ = ["CHECKS", "Check", "merge", "run", "warm"]

Check = Callable[[str, Mapping[str, Json]], tuple[Finding, ...]]

CHECKS: Mapping[str, Check] = {
    "grammar": grammar,
    "wording": wording,
    "typography": typography,
    "length": length,
    "terms": terms,
    "repeats": repeats,
    "sentences": long_sentences,
    "kept": kept,
}

_MENDERS = frozenset({"grammar", "wording", "typography", "repeats"})
"""Checks that mend of their own accord; `terms` mends what the author asked for, come what may."""

SCOUTS: Mapping[str, Check] = {"candidates": candidates}
"""What they find is no fault: places for others to look at."""


def run(name: str, text: str, options: Mapping[str, Json] | None = None) -> tuple[Finding, ...]:
    """What check `name` finds in a text, in order of place; overlapping findings are one.

    Raises:
        SettingsError: no such check, no such option, or an option of the wrong shape.
    """
    options = options or {}
    check = CHECKS.get(name) or SCOUTS.get(name)
    if check is None:
        raise SettingsError(f"There is no check {name}. The checks are {', '.join(CHECKS)}.")
    check_options(name, options)
    off = frozenset(texts(options, "off"))
    found = (finding for finding in check(text, options) if finding.rule not in off)
    merged = merge(replace(finding, critic=name) for finding in found)
    return keeping_facts(text, merged) if name in _MENDERS else merged
