"""How long a text is, as a reader counts. It knows nothing of tokens that models count."""

from __future__ import annotations

import re
from functools import cache
from math import ceil

from refine.text.characters import CJK, extenders
from refine.text.tokens import JOINTS

WORDS_PER_MINUTE = 230
CHARACTERS_PER_MINUTE = 400


def count(text: str) -> int:
    """Number of words; a number, an address and a CJK character count one each."""
    return sum(1 for _ in _pattern().finditer(text))


def reading_minutes(text: str) -> int:
    """Minutes that reading takes, rounded up; 0 for a text without words."""
    characters = sum(1 for _ in _CJK.finditer(text))
    return ceil((count(text) - characters) / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE)


_CJK = re.compile(f"[{CJK}]")


@cache
def _pattern() -> re.Pattern[str]:
    letter = rf"(?:[^\W_{CJK}][{extenders()}]*+)"
    return re.compile(rf"(?:https?://|www\.)[!-~]+|[{CJK}]|(?>{letter}+)(?>(?:[{JOINTS}_](?>{letter}+))*)")
