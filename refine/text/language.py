"""Which of our two languages a text is written in. It knows nothing of what the checks do with the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from refine.text.characters import IDEOGRAPHS, KANA
from refine.text.lists import FOREIGN_WORDS, FUNCTION_WORDS
from refine.text.markup import masked

SAMPLE = 20_000
"""Characters looked at."""
ENGLISH_SHARE = 0.15
"""Share of function words from which Latin text is English; English prose has 0.4."""
JAPANESE_SHARE = 0.15
"""Share of kana from which Chinese characters are Japanese."""

_IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
_KANA = re.compile(f"[{KANA}]")
_LATIN_WORD = re.compile("[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)?")


def language_of(text: str) -> str:
    """`"en"`, `"zh"`, or `""` where the text is empty, too short to tell, or in another language."""
    prose = masked(text[:SAMPLE])
    ideographs, kana = len(_IDEOGRAPH.findall(prose)), len(_KANA.findall(prose))
    words = [word.lower().replace("’", "'") for word in _LATIN_WORD.findall(prose)]
    if ideographs + kana > len(words):
        return "" if kana > JAPANESE_SHARE * (ideographs + kana) else "zh"
    return "en" if _is_english(words) and _is_latin(prose, words) else ""


def _is_english(words: Sequence[str]) -> bool:
    known = sum(word in FUNCTION_WORDS for word in words)
    foreign = sum(word in FOREIGN_WORDS for word in words)
    return bool(words) and known > foreign and known >= ENGLISH_SHARE * len(words)


def _is_latin(prose: str, words: Sequence[str]) -> bool:
    latin = sum(map(len, words))
    return prose.isascii() or sum(map(str.isalpha, prose)) < 2 * latin
