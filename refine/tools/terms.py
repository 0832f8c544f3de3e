"""What a text speaks of: its content words, and pairs of neighbouring characters in Chinese. Pure."""

from __future__ import annotations

import re

from refine.text.characters import IDEOGRAPHS
from refine.text.lists import FUNCTION_WORDS

SHORTEST = 3
"""Letters of a content word."""
STEM = 6
"""Letters by which two forms of a word are one."""

_WORD = re.compile(r"[^\W\d_]+")
_HAN = re.compile(f"[{IDEOGRAPHS}]+")
_GRAMMAR = frozenset("的了是在和与也都就不我你他她它们这那有个为之着过吗呢吧啊")


def terms(text: str) -> frozenset[str]:
    words = {word for word in _WORD.findall(_HAN.sub(" ", text.casefold())) if len(word) >= SHORTEST}
    pairs = {run[n : n + 2] for run in _HAN.findall(text) for n in range(len(run) - 1)}
    stems = {word[:STEM] for word in words - FUNCTION_WORDS}
    return frozenset(stems | {pair for pair in pairs if not _GRAMMAR & set(pair)})
