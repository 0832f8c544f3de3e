"""Classes of characters, written as the inside of a regular expression's brackets. It knows nothing of texts."""

from __future__ import annotations

import unicodedata
from functools import cache

IDEOGRAPHS = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
CJK = IDEOGRAPHS + KANA

PREPENDED = "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Number signs that belong to the character after them."""

# Blocks that hold no combining mark are left out: a look at every code point would cost 100 ms.
_BLOCKS_WITH_MARKS = (
    (0x0300, 0x3100), (0xA000, 0xAC00), (0xFB00, 0x10000), (0x10000, 0x12000), (0x13400, 0x13480), (0x16000, 0x17000),
    (0x1B000, 0x1BD00), (0x1CF00, 0x1D300), (0x1DA00, 0x1DB00), (0x1E000, 0x1EA00), (0xE0100, 0xE01F0),
)  # fmt: skip
_OTHER_EXTENDERS = "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"


@cache
def extenders() -> str:
    """Characters that are never the first of what a reader sees as one sign: marks, joiners, skin tones, selectors."""
    ranges: list[list[int]] = []
    for first, end in _BLOCKS_WITH_MARKS:
        for point in range(first, end):
            if unicodedata.category(chr(point))[0] != "M":
                continue
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges) + _OTHER_EXTENDERS
