"""Wording of English: the phrase table, which mends; passive, intensifiers, clichés and proselint, which only tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from refine.checks import proselint_rules
from refine.checks.making import Place, finding
from refine.checks.phrases import CLICHES, GUARDS, SURE, TASTE
from refine.checks.prose import Prose, language, prose
from refine.checks.rewording import active, article_for
from refine.checks.tables import word_set
from refine.checks.verbs import IRREGULAR
from refine.text.sentences import sentences
from refine.types import Finding, Json

_LEGAL = re.compile(
    r"\b(?:hereby|herein|hereof|hereunder|hereto|thereof|thereto|pursuant|aforesaid|shall|notwithstanding)\b"
)
_MANY_LEGAL = 3
_PARTICIPLES = "|".join(sorted({participle for _, participle in IRREGULAR.values()}))
_PASSIVE = re.compile(
    rf"\b(?:is|are|was|were|been|being|be) (?:[a-z]+ly )?(?:[a-z]+ed|{_PARTICIPLES}) by (?!now\b|then\b|[0-9])"
)
_INTENSIFIER = re.compile(
    r"(?:(?<![a-z'-])(?P<article>an?) )?\b(?:very|really|extremely|totally|absolutely|basically|literally|incredibly"
    r"|utterly|truly) (?P<next>[a-z]+)(?![a-z'])"
)
_NOT_EMPHASIS = re.compile(r"\b(?:the|this|that|those|these|my|your|his|her|its|our|their|not|n't|so|how)$")
_MORE_THAN_EMPHASIS = word_set("much many few little well soon often late early far near close same first last")
"""After very these do not stand alone: `very much`."""


@dataclass(frozen=True, slots=True)
class Phrase:
    wordy: str
    find: re.Pattern[str]
    short: str
    needle: str
    """A word without which it cannot stand anywhere: a quick first look."""


def wording(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. In legal language, where every word may have its reason, the phrase table only suggests."""
    which = language(text, options)
    if which != "en":
        return ()
    place = Place(prose(text), "wording", which)
    return (*_wordy(place), *_taste(place), *_style(place), *_proselint(place))


def _wordy(place: Place) -> Iterator[Finding]:
    legal = len(_LEGAL.findall(place.prose.plain)) >= _MANY_LEGAL
    for phrase, match in _matches(place.prose.plain, SURE):
        put = _put(place.prose, phrase, match)
        if put is None or _guarded(place.prose, phrase, match):
            continue
        span = _span(place.prose, match, put)
        if legal:
            made = finding(place, span, "wording.wordy", "wording", "may", suggestion=put)
        else:
            made = finding(place, span, "wording.wordy", "wording", "should", put=put)
        if made is not None:
            yield made


def _put(prose: Prose, phrase: Phrase, match: re.Match[str]) -> str | None:
    if phrase.short:
        return phrase.short.format(*(group or "" for group in match.groups()))
    if match.start() not in prose.sentence_starts:
        return None
    following = prose.text[match.end() :].lstrip()
    return following[:1].upper() if following[:1].isalpha() else None


def _span(prose: Prose, match: re.Match[str], put: str) -> tuple[int, int]:
    """Where a phrase is dropped, the first letter after it becomes the capital: it belongs to the span."""
    if len(put) == 1 and put.isupper():
        gap = len(prose.text[match.end() :]) - len(prose.text[match.end() :].lstrip())
        return match.start(), match.end() + gap + 1
    return match.span()


def _guarded(prose: Prose, phrase: Phrase, match: re.Match[str]) -> bool:
    before = prose.plain[max(0, match.start() - 30) : match.start()].rstrip()
    after = prose.plain[match.end() : match.end() + 30]
    for begins, words_before, words_after in GUARDS:
        if not match.group().startswith(begins):
            continue
        if (words_before and re.search(words_before, before)) or (words_after and re.match(words_after, after)):
            return True
    return False


def _taste(place: Place) -> Iterator[Finding]:
    for phrase, match in _matches(place.prose.plain, TASTE):
        put = phrase.short.format(*(group or "" for group in match.groups()))
        rule = "wording.taste" if put else "wording.empty"
        made = finding(place, match.span(), rule, "wording", "may", suggestion=put or None)
        if made is not None:
            yield made


def _style(place: Place) -> Iterator[Finding]:
    for made in (*_passives(place), *_intensifiers(place), *_cliches(place)):
        if made is not None:
            yield made


def _passives(place: Place) -> Iterator[Finding | None]:
    """A passive with its agent; where the sentence can be turned, the whole sentence and what it becomes."""
    seen = place.prose
    borders = sentences(seen.text) if _PASSIVE.search(seen.plain) else []
    for match in _PASSIVE.finditer(seen.plain):
        start, end = next(((a, b) for a, b in borders if a <= match.start() < b), match.span())
        offer = None if seen.hidden(start, end) else active(" ".join(seen.text[start:end].split()))
        span = (start, end) if offer else (match.start(), match.start() + len(match.group().rstrip()))
        yield finding(place, span, "wording.passive", "wording", "may", suggestion=offer)


def _intensifiers(place: Place) -> Iterator[Finding | None]:
    for match in _INTENSIFIER.finditer(place.prose.plain):
        article, following = match["article"], match["next"]
        before = place.prose.plain[max(0, match.start() - 12) : match.start()].rstrip()
        alone = following in _MORE_THAN_EMPHASIS or _NOT_EMPHASIS.search(before)
        last = match.group().rindex(" ") if alone else len(match.group())
        first = len(article) + 1 if article and alone else 0
        span = (match.start() + first, match.start() + last)
        kept = place.prose.text[match.start("next") : match.end("next")]
        offer = f"{article_for(place.prose.text[match.start()], following)} {kept}" if article else kept
        yield finding(place, span, "wording.intensifier", "wording", "may", suggestion=None if alone else offer)


def _cliches(place: Place) -> Iterator[Finding | None]:
    for phrase, match in _matches(place.prose.plain, CLICHES):
        yield finding(place, match.span(), "wording.cliche", "wording", "may", suggestion=phrase.short or None)


def _proselint(place: Place) -> Iterator[Finding]:
    for hit in proselint_rules.hits(place.prose.visible):
        span = (hit.start, hit.end)
        if not place.prose.quoted(*span):
            made = finding(place, span, f"proselint.{hit.rule}", "wording", "may", suggestion=hit.put)
            if made is not None:
                yield made


@cache
def phrases(table: str) -> tuple[Phrase, ...]:
    """The rows of a table, longest first, so that the longest phrase wins where two overlap."""
    rows = (line.rpartition(" =") for line in table.strip().splitlines())
    made = [Phrase(wordy.strip(), _pattern(wordy.strip()), short.strip(), _needle(wordy)) for wordy, _, short in rows]
    return tuple(sorted(made, key=lambda phrase: -len(phrase.wordy)))


def _needle(wordy: str) -> str:
    literal = re.sub(r"\([^()]*\)\??", " ", wordy).split()
    return max((word for word in literal if word.isalpha()), key=len, default="")


def _matches(plain: str, table: str) -> Iterator[tuple[Phrase, re.Match[str]]]:
    for phrase in phrases(table):
        if phrase.needle in plain:
            for match in phrase.find.finditer(plain):
                yield phrase, match


def _pattern(wordy: str) -> re.Pattern[str]:
    body = wordy.replace(" ", r"\s+")
    return re.compile(rf"(?<![a-z'-]){body}(?![a-z'-])")
