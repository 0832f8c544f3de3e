"""Signs and spaces. English has rows of its own; Chinese and mixed texts go to `typography_zh` as well."""

from __future__ import annotations

from collections.abc import Mapping

from refine.checks.making import Place
from refine.checks.prose import language, prose
from refine.checks.typography_en import english
from refine.checks.typography_zh import chinese
from refine.types import Finding, Json


def typography(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check: spaces, doubled signs, half-width signs, missing full stops."""
    which = language(text, options)
    place = Place(prose(text), "typography", which)
    if which == "zh":
        return tuple(chinese(place))
    return tuple(english(place)) if which == "en" else ()
