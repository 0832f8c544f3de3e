"""Capital letters that are missing: the pronoun I, names of days and languages, the first word of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.checks import rows
from refine.checks.making import Place, finding
from refine.checks.prose import HIDDEN, Prose
from refine.checks.rows import Row, row
from refine.checks.tables import word_list, word_set
from refine.types import Finding

_NAMES = (
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays"
    "|saturdays|sundays"
    "|january|february|april|june|july|september|october|november|december|christmas|easter"
    "|english|german|spanish|italian|chinese|japanese|russian|american|americans|british|european|europeans|african"
    "|asian"
    "|indian|canadian|australian|dutch|portuguese|korean|arabic|latin(?= (?:america|class|word|teacher|lessons?))"
    "|french(?! (?:fries|toast|doors?|windows?|press|horns?|beans?|kiss))|london|paris|england|america|europe|africa"
    "|france"
    "|germany|japan|canada|australia|ireland|scotland|italy|spain"
    "|august(?= [0-9])|march(?= [0-9])|(?<=in )august\\b(?! [a-z]+ of)"
)
_BEFORE_AN_INDEX = word_list("for index element variable row item step value where let each")
_NOT_A_PRONOUN = "".join(f"(?<!{word} )" for word in _BEFORE_AN_INDEX)

ROWS: tuple[Row, ...] = (
    row(
        "capital.i",
        rf"{_NOT_A_PRONOUN}(?<![\w.(/'\-\x00*_=<>+])i(?=(?:'(?:m|ve|ll|d))?(?:[ ,;!?\n]|$))(?! [=<>+*/])",
        "I",
        dimension="typography",
        when=lambda prose, match: prose.text[match.start()] == "i",
    ),
    row(
        "capital.name",
        rf"(?<![\w.@/\-#\x00])(?:{_NAMES})(?![\w@/\-\x00]|\.[a-z])",
        lambda match: match.group().capitalize(),
        dimension="typography",
        when=lambda prose, match: prose.text[match.start()].islower(),
    ),
)

_ABBREVIATIONS = word_set(
    """
    e.g i.e ie eg etc vs cf al approx no nos vol fig figs sec ch pp p ed eds mr mrs ms dr prof st jr sr inc ltd
    co corp dept est min max avg incl excl ext tel fax jan feb mar apr jun jul aug sep sept oct nov dec mon tue
    wed thu fri sat sun a.m p.m am pm u.s u.k viz ca op cit ibid rev gen col lt capt sgt hon ave blvd rd art eq
    ref refs app resp ver v
    """
)
_NEW_SENTENCE = re.compile(r"(?<=[^\W\d_]{2})([.!?])[*_)]*[ \n]+(?P<x>[a-z][a-z']*)(?![\w@/.\-\x00(])")
_START = re.compile(r"(?:\A|\n[ \t]*\n)(?P<x>[a-z][a-z']*)(?= [^\n]{40,}[.!?](?: |\n|$))")
_SAYS = re.compile(
    r"(?:[a-z]+|the [a-z]+) (?:said|says|asked|asks|thought|thinks|wondered|cried|whispered|shouted|muttered|replied"
    r"|called|told|screamed|yelled|murmured|answered|demanded)\b"
)
"""`What? he thought.` goes on with a small letter."""
_SMALL_NAMES = word_set(
    """
    iphone ipad ios ebay npm pip git macos iplayer vim emacs bash curl python javascript
    """
)


def capitals(place: Place) -> Iterator[Finding]:
    """Findings on small letters where a capital belongs."""
    yield from rows.findings(place, ROWS)
    prose = place.prose
    for match in _NEW_SENTENCE.finditer(prose.visible):
        if _ends_sentence(prose, match):
            yield from _capital(place, match)
    for match in _START.finditer(prose.visible):
        if not _list_or_verse(prose, match.start("x")):
            yield from _capital(place, match)


def _capital(place: Place, match: re.Match[str]) -> Iterator[Finding]:
    word = match["x"]
    if word in _SMALL_NAMES or (word in place.prose.code_words and len(word) > 3):
        return
    put = word[0].upper() + word[1:]
    made = finding(place, match.span("x"), "capital.sentence", "typography", "must", put=put)
    if made is not None:
        yield made


def _ends_sentence(prose: Prose, match: re.Match[str]) -> bool:
    """Is the full stop one that ends a sentence, and not that of an abbreviation or of dots...?"""
    before = prose.plain[max(0, match.start() - 24) : match.start()]
    word = re.split(r"[\s(\"“]", before)[-1]
    if match[1] == "." and (word in _ABBREVIATIONS or "." in word or before.endswith(".")):
        return False
    if match[1] in "!?" and _SAYS.match(prose.plain, match.start("x")):
        return False
    if match[1] in "!?" and (
        ")" in match.group() or word in {"alas", "oh", "ah", "no", "yes", "ha", "lo", "well", "hey"}
    ):
        return False
    if match[1] in "!?" and (word[:1] == HIDDEN or len(word) < 2):
        return False
    gap = prose.text[match.start() + 1 : match.start("x")]
    return "\n" not in gap or not re.search(r"\n\s*\n", gap)


def _list_or_verse(prose: Prose, at: int) -> bool:
    """Does a paragraph of several short lines, or one that goes on a list, begin here?"""
    lines = prose.visible[at:].split("\n\n")[0].splitlines()
    return len(lines) > 1 and all(len(line) < 60 for line in lines)
