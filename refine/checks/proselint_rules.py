"""The one door to proselint, a library of style rules: its hits by rule id, in our offsets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from proselint import checks
from proselint.registry import CheckRegistry
from proselint.registry.checks import Check

_OFF = (
    "typography",
    "weasel_words",
    "lexical_illusions",
    "annotations",
    "restricted",
    "terms",
    "spelling.consistency",
    "spelling.in_un",
    "misc.but",
    "misc.phrasal_adjectives",
    "misc.capitalization",
    "misc.suddenly",
    "misc.greylist",
    "misc.scare_quotes",
    "misc.preferred_forms",
    "misc.tense_present",
    "misc.currency",
    "misc.institution_name",
    "dates_times",
    "social_awareness",
    "skunked_terms",
    "archaism",
    "needless_variants",
    "industrial_language.chatspeak",
    "cliches.misc.gnu_diction",
    "hedging",
    "nonwords",
    "misc.latin",
)
"""Jokes, house style of one publisher, what other checks do better, and what misreads code or headings."""


@dataclass(frozen=True, slots=True)
class Hit:
    rule: str
    start: int
    end: int
    put: str | None


def hits(text: str) -> Iterator[Hit]:
    """What the rules that are on find in a text without markup."""
    padded = f"\n{text}\n"
    for check in _checks():
        for result in check.check_with_flags(padded):
            start, end = result.span[0] - 1, result.span[1] - 1
            if 0 <= start < end <= len(text):
                yield Hit(result.check_path, start, end, result.replacements or None)


@cache
def _checks() -> tuple[Check, ...]:
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(checks.__register__)
    return tuple(check for check in registry.checks if not check.path.startswith(_OFF))
