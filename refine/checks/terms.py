"""Terms that must occur, and terms that must not: the author's own list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from refine.checks.making import Place, finding
from refine.checks.options import texts
from refine.checks.prose import language, prose
from refine.checks.remarks import remark
from refine.types import Finding, Json


def terms(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. Options: require, a list; ban, a list or a mapping of the banned term to what stands there instead.

    Capitals do not matter where the term is written in small letters; words are whole words.
    """
    which = language(text, options)
    place = Place(prose(text), "terms", which)
    return (*_missing(text, texts(options, "require"), which), *_banned(place, options.get("ban") or ()))


def _missing(text: str, required: tuple[str, ...], which: str) -> Iterator[Finding]:
    for term in required:
        if term.strip() and not _pattern(term).search(text):
            words = remark("terms.missing", "terms", which, {"quote": term})
            yield Finding(dimension="terms", rule="terms.missing", severity="must", remark=words, critic="terms")


def _banned(place: Place, ban: Json) -> Iterator[Finding]:
    pairs = ban.items() if isinstance(ban, Mapping) else ((term, None) for term in ban)
    for term, good in pairs:
        if not term.strip():
            continue
        for match in _pattern(term).finditer(place.prose.visible):
            made = finding(place, match.span(), "terms.banned", "terms", "must", put=good)
            if made is not None:
                yield made


def _pattern(term: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in term.split())
    left = r"(?<![^\W_])" if term.strip()[0].isascii() and term.strip()[0].isalnum() else ""
    right = r"(?![^\W_])" if term.strip()[-1].isascii() and term.strip()[-1].isalnum() else ""
    return re.compile(left + words + right, re.I if term.islower() else 0)
