"""What stands between quotation marks, and titles between 《》. It knows nothing of who is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from refine.text.fact import Fact

_PAIRS = (
    re.compile(r"“([^“”]{1,3000})”"),
    re.compile(r"「([^「」]{1,3000})」"),
    re.compile(r"『([^『』]{1,3000})』"),
    re.compile(r"《([^《》\n]{1,200})》"),
    re.compile(r"«\s?([^«»]{1,3000}?)\s?»"),
    re.compile(r"„([^„“”\"]{1,3000})[“”]"),
    re.compile(r"(?<![\w\"])\"(?=[^\s\"])([^\"]{1,3000})(?<!\s)\"(?![\w\"])"),
    re.compile(r"(?<!\w)‘([^‘’]{1,300}(?:’\w[^‘’]{0,300}){0,20})’(?!\w)"),
)
_BLANK_LINE = re.compile(r"\n\s*\n")
_OUTER = "\"'“”‘’「」『』《》«»„ \n\t"


def quotations(text: str) -> Iterator[Fact]:
    """Each quotation, without its outer marks; one inside another is part of it."""
    spans = sorted(
        chain.from_iterable(((m.start(), -m.end(), m[1]) for m in pattern.finditer(text)) for pattern in _PAIRS)
    )
    reached = 0
    for start, minus_end, inner in spans:
        content = " ".join(inner.split()).strip(_OUTER)
        if start >= reached and any(map(str.isalnum, content)) and not _BLANK_LINE.search(inner):
            yield Fact("quotation", content, (start, -minus_end))
            reached = -minus_end
