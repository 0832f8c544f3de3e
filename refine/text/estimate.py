"""How many tokens a text is about, where nobody has counted them. Pure; no model's own vocabulary is needed."""

from __future__ import annotations

import math
import re
from functools import lru_cache

CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]")
TOKENS_PER_CJK = 0.85
CHARACTERS_PER_TOKEN = 4.5


SHORT = 500
"""Characters of texts whose estimate is remembered: a long run sends the same short ones with every call."""


def estimate_tokens(text: str) -> int:
    """Tokens of a text, on the upper side: 0.85 for a CJK character, one for 4.5 other characters."""
    return _of_short(text) if len(text) <= SHORT else _estimated(text)


def _estimated(text: str) -> int:
    cjk = 0 if text.isascii() else len(CJK.findall(text))
    return math.ceil(cjk * TOKENS_PER_CJK + (len(text) - cjk) / CHARACTERS_PER_TOKEN)


_of_short = lru_cache(maxsize=4_096)(_estimated)
