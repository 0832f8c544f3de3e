"""The text as checks see it: code and links hidden, quotations marked, sentence starts known.

Every view has the length of the text, so offsets are those of the author's text. Knows nothing of any check.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase

from refine.text.language import language_of
from refine.text.markup import marks
from refine.text.quotations import quotations
from refine.types import Json

HIDDEN = "\x00"
"""Stands for a character of code, of an address or of front matter: neither a word nor a space."""

_PLAIN = str.maketrans(ascii_uppercase + "’ʼ\u00a0\t", ascii_lowercase + "''  ")
_QUOTED = re.compile(
    r"(?<![\w'])'(?=[A-Z])(?:[^'\n]|(?<=\w)'(?=\w)){2,600}?[.,!?…]'(?!\w)"  # straight single, only whole utterances
    r"|^[ ]{0,3}>.*$",  # block quotation
    re.M,
)
_MARK = r"(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)[ \t]+"
_OPEN = r"[\"“‘'(\[*_]*"
_SENTENCE_START = re.compile(
    rf"(?:\A|\n[ \t]*\n)\s*(?:{_MARK})*{_OPEN}"  # a new paragraph; a wrapped line is none
    rf"|(?m:^)[ \t]*(?:{_MARK})+{_OPEN}"
    rf"|(?<=[.!?…])[\"”’')\]*_]*\s+{_OPEN}"
)
_CLAUSE_START = re.compile(
    r"(?:(?<![a-z'])(?:because|but|although|though|while|unless|so|if|whether|whereas)|[;:—]|, (?:and|but|so|or)) "
)
_OPENING = re.compile(
    r"(?:(?:first|second|third|then|now|so|yet|however|therefore|furthermore|moreover|also|today|yesterday|still|again"
    r"|besides|instead|meanwhile|otherwise|sometimes|often|of course|as a rule|[a-z]+ly)"
    r"|(?:in|on|at|after|before|during|for|by|with|without|since|until|from|to|last|next|this|every)"
    r" [^,.;:!?\n\x00]{2,40}), "
)
"""Words before a comma after which the subject of a sentence may stand: `Third, our rules ...`."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Prose:
    """One text, seen in the ways that checks need. All offsets are character offsets into `text`."""

    text: str
    visible: str
    """Code, addresses and front matter are HIDDEN characters."""
    plain: str
    """`visible` in small ASCII letters, with straight apostrophes and plain spaces."""
    quotations: tuple[tuple[int, int], ...]
    code_words: frozenset[str]
    """Words in small letters that stand in hidden places: names of things, not prose."""
    sentence_starts: tuple[int, ...]
    clause_starts: tuple[int, ...]
    """Where a clause with a subject of its own may begin: after but, because, a semicolon ... and sentence starts."""
    openings: tuple[int, ...]
    """Where a sentence goes on after such words as `Third,`; in order."""
    curly: bool
    """True: the author writes ’ and not '."""

    def quoted(self, start: int, end: int) -> bool:
        """Does the span touch somebody's words in quotation marks?"""
        at = bisect_right(self.quotations, (start, len(self.text) + 1))
        return any(a < end and start < b for a, b in self.quotations[max(0, at - 1) : at + 1])

    def hidden(self, start: int, end: int) -> bool:
        return HIDDEN in self.visible[start:end]


@lru_cache(maxsize=8)
def prose(text: str) -> Prose:
    """The views of a text; remembered, since every check asks for the same ones."""
    visible = _visible(text)
    plain = visible.translate(_PLAIN)
    spans = {fact.span for fact in quotations(visible)} | {match.span() for match in _QUOTED.finditer(visible)}
    hidden_text = "".join(a if b == HIDDEN else " " for a, b in zip(text, visible, strict=True))
    starts = {match.end() for match in _SENTENCE_START.finditer(visible)}
    clauses = {match.end() for match in _CLAUSE_START.finditer(plain)}
    return Prose(
        text,
        visible,
        plain,
        _joined(spans),
        frozenset(word.lower() for word in re.findall(r"[^\W\d_]+", hidden_text)),
        tuple(sorted(starts)),
        tuple(sorted(starts | clauses)),
        tuple(sorted(match.end() for start in starts if (match := _OPENING.match(plain, start)))),
        text.count("’") > text.count("'"),
    )


def _joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """In order, and none within another."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _visible(text: str) -> str:
    seen = list(text)
    for mark in marks(text):
        seen[mark.start : mark.end] = (sign if sign == "\n" else HIDDEN for sign in text[mark.start : mark.end])
    return "".join(seen)


def words(text: str) -> Iterable[re.Match[str]]:
    """Words of letters, contractions whole."""
    return _WORD.finditer(text)


def language(text: str, options: Mapping[str, Json]) -> str:
    """en, zh or another: as the options say, else as the text looks. A text without letters counts as English.

    Where English is said and a text of some length plainly is not, the rules of English keep away from it.
    """
    said = str(options.get("language") or "").split("-")[0].lower()
    if said == "":
        return _looks_like(text)
    return "other" if said == "en" and _looks_like(text) == "other" else said


_TELLING = 30
"""Words from which a text that does not look like English is not."""


@lru_cache(maxsize=8)
def _looks_like(text: str) -> str:
    seen = language_of(text)
    return seen or ("other" if sum(1 for _ in words(text)) >= _TELLING else "en")
