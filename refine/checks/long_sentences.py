"""Sentences that are long. A matter of taste, so never more than a hint, with two shorter ones to choose instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from refine.checks.making import Place, finding
from refine.checks.options import number
from refine.checks.prose import language, prose
from refine.checks.rewording import split
from refine.text.sentences import sentences
from refine.text.words import count
from refine.types import Finding, Json

_LIMITS = {"zh": 80}
"""In characters; other languages 40 words."""


def long_sentences(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. Option max: words (Chinese: characters) in a sentence; 40 (80) where it is not given."""
    which = language(text, options)
    most = number(options, "max", _LIMITS.get(which, 40))
    return tuple(_long(Place(prose(text), "sentences", which), most))


def _long(place: Place, most: int) -> Iterator[Finding]:
    for start, end in sentences(place.prose.text):
        words = count(place.prose.text[start:end])
        if words > most and not place.prose.hidden(start, end):
            values = {"count": words, "limit": most}
            offer = split(place.prose.text[start:end], place.language)
            made = finding(place, (start, end), "sentences.long", "clarity", "may", suggestion=offer, values=values)
            if made is not None:
                yield made
