"""Repetition: doubled words, the same sentence twice, sentences that begin alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby

from refine.checks.making import Place, finding
from refine.checks.prose import HIDDEN, Prose, language, prose, words
from refine.checks.tables import word_set
from refine.text.sentences import sentences
from refine.types import Finding, Json

_DOUBLED = re.compile(
    r"(?<![\w'’\-.])([^\W\d_]+(?:['’][^\W\d_]+)?)(?:[ \t]+|[ \t]*\n[ \t]*)(\1)(?![\w'’\-@/.]*[\w@/])", re.I
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_RIGHT_TWICE = word_set("had that")
_EMPHASIS = word_set(
    """
    no very ha bye blah so knock there now well long many really never again boo yes hear chop far big please oh
    hey wow come go ho la na da ta tick tut win big much more too out on on-on there hush sh wait stop quick
    shoo yeah yay aye bang beep buzz ding ring step round and-and down up over ever never old young little deep
    high pretty super tsk night okay ok right sure fine dear pom bla yada aww oy hurrah right left rah pat snip
    pitter clap drip hot cold hush
    """
)
_TAKES_IN = word_set(
    """
    bring brought call called came carried carry check checked clock come comes coming drop dropped fill fit
    fits get gets go goes going got hand handed hang held hold hung join joined keep kept kick let live lived
    log logged logs look move moved moves pass passed put settle settled sign signed sink slip slipped stay
    stayed step stepped take took turn turned walk walked went
    """
)
"""Verbs that go with in, on, up ...: `slipped in in safety`."""
_PARTICLES = word_set("in on up out over by")
_CLAUSE_BEFORE_IS = re.compile(r"\b(?:what|who|how|where|all|whatever|thing|problem|question|way|why)\b[^.!?]{0,24}$")


def doubled(place: Place) -> Iterator[Finding]:
    """Words that stand twice in a row, also across a line's end. Sure, unless twice may be meant."""
    seen = place.prose
    for match in _DOUBLED.finditer(seen.visible):
        word, again = match[1], match[2]
        small = word.lower()
        if word[0].isupper() and again[0].isupper() and small not in _FUNCTION and not word.isupper():
            continue  # a name: Duran Duran
        if word.isupper() and len(word) == 1 and small not in {"i", "a"}:
            continue
        before = seen.plain[max(0, match.start() - 40) : match.start()].rstrip()
        meant = (
            small in _RIGHT_TWICE
            or small in _EMPHASIS
            or (len(small) == 1 and small not in {"i", "a"})
            or (small in _PARTICLES and before.rsplit(" ", 1)[-1] in _TAKES_IN)
            or (small in {"is", "was", "does", "do", "are"} and _CLAUSE_BEFORE_IS.search(before) is not None)
            or (small in {"her", "you", "his"} and _ditransitive(before))
        )
        if meant:
            if small not in _RIGHT_TWICE:
                made = finding(place, match.span(), "repeats.meant", "repeats", "may", suggestion=word)
                if made:
                    yield made
            continue
        made = finding(place, match.span(), "repeats.word", "repeats", "must", put=word)
        if made:
            yield made


_FUNCTION = word_set(
    """
    the a an and or but of in on at to for with from by is are was were be been it this that these those i you
    he she we they as if when then than not his her its our their my your have has had do does did will would
    can could
    """
)


_GIVES = word_set(
    """
    gave give gives giving told tell tells show showed hand handed bring brought ask asked let make made find
    found see saw hear heard remind reminded offer offered of to for with thank promise promised think hope if
    know wish send sent
    """
)


def _ditransitive(before: str) -> bool:
    """`gave her her coat`, `told you you were right`"""
    return before.rsplit(" ", 1)[-1] in _GIVES


def repeats(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check: doubled words in English, sentences that stand twice, three or more with the same first word."""
    which = language(text, options)
    place = Place(prose(text), "repeats", which)
    found = list(doubled(place)) if which == "en" else []
    return (*found, *_twice(place), *(() if which == "zh" else _same_start(place)))


def _twice(place: Place) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for start, end in sentences(place.prose.text):
        sentence = place.prose.visible[start:end]
        normal = " ".join(match.group().lower() for match in words(sentence))
        long = len(normal) >= 12 if place.language == "zh" else len(normal.split()) >= 6
        if not long or HIDDEN in sentence or _set_apart(place.prose, start):
            continue
        if normal in seen:
            near = start - seen[normal] < _NEAR and "\n" not in sentence
            made = finding(place, (start, end), "repeats.sentence", "repeats", "should" if near else "may")
            if made:
                yield made
        seen[normal] = end


_NEAR = 600
"""Characters within which a sentence said again is a slip rather than a refrain."""


def _set_apart(prose: Prose, at: int) -> bool:
    """Does the line belong to a heading, a table, a list or a verse?"""
    begin = prose.visible.rfind("\n", 0, at) + 1
    line = prose.visible[begin:].split("\n", 1)[0]
    return "|" in line or len(line) < 60 or bool(re.match(r"\s*(?:#|[-*+•>]|\d+[.)])", line))


def _same_start(place: Place) -> Iterator[Finding]:
    text = place.prose.visible
    borders = [0, *(match.start() for match in _PARAGRAPHS.finditer(text)), len(text)]
    first: list[tuple[str, int, int]] = []
    for start, end in sentences(place.prose.text):
        word = next(iter(words(text[start:end])), None)
        paragraph = sum(border <= start for border in borders)
        if word and not place.prose.hidden(start, min(end, start + 3)):
            first.append((f"{paragraph} {word.group().lower()}", start + word.start(), start + word.end()))
    for _, same in groupby(first, key=lambda item: item[0]):
        run = list(same)
        if len(run) >= 3:
            _, start, end = run[2]
            made = finding(place, (start, end), "repeats.start", "repeats", "may", values={"count": len(run)})
            if made:
                yield made
