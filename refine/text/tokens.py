"""A text cut into the pieces that a reader would see change: words, numbers, Chinese characters, spaces, signs.

It knows nothing of sentences, Markdown or differences.
"""

from __future__ import annotations

import re
from functools import cache

from refine.text.characters import CJK, PREPENDED, extenders

JOINTS = ".,'’\\-"
"""Signs that hold a word or number together when they stand inside it: 3.14, don't, well-known."""


def tokens(text: str) -> list[str]:
    """The text's tokens in order; `"".join(tokens(text)) == text` for every text.

    A token is a CJK character, a word or number with its joints, a run of white space, or one other sign. What a
    reader sees as one sign (an emoji family, a letter with its accents) is never cut.
    """
    return _pattern().findall(text)


@cache
def _pattern() -> re.Pattern[str]:
    ext = f"[{extenders()}]*+"
    letter = rf"[^\W_{CJK}]"
    letters = f"(?>(?:{letter}{ext})+)"
    word = rf"{letters}(?>(?:[{JOINTS}]{letters})*)"
    cjk = rf"[{CJK}]{ext}"
    space = rf"\s++{ext}"
    pair = rf"[\U0001f1e6-\U0001f1ff]{{2}}{ext}"
    sign = rf"[{PREPENDED}]*[\s\S]{ext}(?>(?:(?<=\u200d)[^\w\s]{ext})*)"
    return re.compile("|".join((word, cjk, space, pair, sign)))
