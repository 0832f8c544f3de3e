"""Names in Latin letters, found by their capitals. Cautious: what may be an ordinary word is left out, since a false
name blocks a good rewrite. It knows nothing of people, places or dictionaries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from refine.text.fact import Fact
from refine.text.lists import NOT_NAMES

_CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_LATIN = "A-Za-z\u00c0-\u024f"
_WORD = re.compile(
    rf"(?<![{_LATIN}0-9_@#/\\])(?:(?:[{_CAPITAL}]\.){{2,}}"
    rf"|(?=[{_LATIN}0-9])(?=[{_LATIN}0-9’'&-]{{0,60}}[{_CAPITAL}])[{_LATIN}0-9]+(?:[’'&-][{_LATIN}0-9]+)*)(?![{_LATIN}0-9_])"
)
_JOINED = re.compile(r" | (?:of|of the|de|de la|van|van der|von|der|du|del|bin|al) | & ")
_POSSESSIVE = re.compile(r"[’']s\Z")
_INNER_CAPITAL = re.compile(rf"[a-z][{_CAPITAL}]")
_DIGIT_AND_CAPITAL = re.compile(rf"(?=.*\d)(?=.*[{_CAPITAL}])")
_ANY_WORD = re.compile(rf"[{_LATIN}]+")
_LONGEST_ACRONYM = 6


def names(text: str, sentences: Sequence[tuple[int, int]]) -> Iterator[Fact]:
    """Each mention of a name; `text` has everything hidden that is not prose, `sentences` are its sentences."""
    starts = [start for start, _ in sentences]
    row, titled, group = -1, False, list[re.Match[str]]()
    for word in _WORD.finditer(text):
        at = bisect_right(starts, word.start()) - 1
        if at < 0 or word.start() >= sentences[at][1]:
            continue
        if at != row:
            yield from _joined(text, group)
            row, titled, group = at, _is_title(text[slice(*sentences[at])]), []
        if not _is_name(word[0], titled, _is_first(text, starts[at], word.start())):
            continue
        if group and not _JOINED.fullmatch(text, group[-1].end(), word.start()):
            yield from _joined(text, group)
            group = []
        group.append(word)
    yield from _joined(text, group)


def _joined(text: str, group: list[re.Match[str]]) -> Iterator[Fact]:
    """Neighbouring words are one name, up to a possessive: `Anna's Berlin` is two."""
    start = 0
    for i, (left, _) in enumerate(pairwise(group), 1):
        if _POSSESSIVE.search(left[0]):
            yield _fact(text, group[start:i])
            start = i
    if group:
        yield _fact(text, group[start:])


def _fact(text: str, words: list[re.Match[str]]) -> Fact:
    shown = _POSSESSIVE.sub("", text[words[0].start() : words[-1].end()])
    return Fact("name", shown, (words[0].start(), words[0].start() + len(shown)))


def _is_name(word: str, titled: bool, first: bool) -> bool:
    word = _POSSESSIVE.sub("", word)
    if _DIGIT_AND_CAPITAL.match(word) or _INNER_CAPITAL.search(word) or "." in word:
        return len(word) > 1
    if (
        titled
        or len(word) < 2
        or word.lower() in NOT_NAMES
        or all(part.lower() in NOT_NAMES for part in re.split("['’-]", word))
    ):
        return False
    if word.isupper():
        return len(word) <= _LONGEST_ACRONYM
    return not first and word[0].isupper()


def _is_first(text: str, start: int, at: int) -> bool:
    """Does it begin the sentence, or something inside that is written like one: a quotation, a list after a colon?"""
    before = text[max(start, at - 40) : at].rstrip()
    return not any(map(str.isalnum, before)) or before[-1] in '!?:;…"“‘«([（【「『《>|#•–—'


def _is_title(sentence: str) -> bool:
    """Where every long word has a capital, capitals mean nothing."""
    long = [word for word in _ANY_WORD.findall(sentence) if len(word) > 4]
    return len(long) > 3 and all(word[0].isupper() for word in long)
