"""Is one passage the other with its spelling mended? It knows nothing of dictionaries, so it judges by likeness."""

from __future__ import annotations

import re
import unicodedata

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from refine.text.characters import CJK
from refine.text.lists import listed
from refine.text.tokens import tokens

ALIKE = 85
"""Percent of equal characters from which two passages may be the same."""

_NEGATIONS = listed("not no never none nor neither cannot without")
_HAN_NEGATIONS = frozenset("不没沒未无無非别莫勿")
_NEGATIVE_STARTS = ("un", "in", "im", "dis", "non", "ir", "il", "mis")
_MARKS = str.maketrans("‘’“”–—", "''\"\"--")
_SPACE_OR_SIGN = re.compile(r"[^\w%$€£¥+-]+")


def plain(text: str) -> str:
    """For comparing: one kind of quotation mark and width, small letters, signs as single spaces."""
    folded = unicodedata.normalize("NFKC", text.translate(_MARKS)).casefold().replace("'", "")
    return _SPACE_OR_SIGN.sub(" ", folded).strip()


def same_but_spelling(old: str, new: str) -> bool:
    """May `new` be `old` with mended spelling, capitals and signs? A changed number or negation never is."""
    a, b = plain(old), plain(new)
    if a == b or a.replace(" ", "") == b.replace(" ", ""):
        return True
    if fuzz.ratio(a, b) < ALIKE:
        return False
    left, right = _words(a), _words(b)
    if len(left) != len(right):
        return False
    return all(_same_word(x, y) for x, y in zip(left, right, strict=True))


def _words(text: str) -> list[str]:
    return [token for token in tokens(text) if not token.isspace()]


def _same_word(old: str, new: str) -> bool:
    if old == new:
        return True
    if any(sign.isdigit() for sign in old + new):
        return False
    if _HAN.match(old) or _HAN.match(new):
        return not {old, new} & _HAN_NEGATIONS
    if {old, new} & _NEGATIONS or old.endswith("nt") != new.endswith("nt") or _is_opposite(old, new):
        return False
    return OSA.distance(old, new) <= _slips(max(len(old), len(new)))


_HAN = re.compile(f"[{CJK}]")


def _is_opposite(old: str, new: str) -> bool:
    short, long = sorted((old, new), key=len)
    return any(long == start + short for start in _NEGATIVE_STARTS)


def _slips(length: int) -> int:
    """Letters that a misspelling of a word of this length may have wrong."""
    return 1 if length < 6 else 2 if length < 10 else 3
