"""Where sentences begin and end, in English and Chinese prose and in Markdown. It knows nothing of grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.text.characters import CJK
from refine.text.lists import BEFORE_A_NAME, BEFORE_A_NUMBER, BEFORE_A_ZONE, MAYBE_LAST, STARTERS, ZONES
from refine.text.markup import Mark, filled, marks

_CLOSERS = "\"'”’»)\\]）】」』》〉*_~"
_OPENERS = "\"'“‘«([（【「『《〈*_~"
_END = re.compile(
    rf"[。！？｡][。！？!?….]*[{_CLOSERS}]*+"
    rf"|[!?]+(?=[{CJK}“「『《])"
    rf"|[.!?…]+[{_CLOSERS}]*+(?=\s|\Z)"
    rf"|…+(?=[{CJK}“「『《])"
)
_NEXT = re.compile(rf"[\s{_OPENERS}]*+(\w{{0,24}})")
_LAST_WORD = re.compile(r"(?:(?<=[\s(\[\"'“‘])|\A)\(?((?:[^\W\d_]+\.)*[^\W\d_]+)\Z")

_LIST_MARK = re.compile(r"(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|\d{1,3}、|[（(]\d{1,3}[)）][ \t]*)(?:\[[ xX]\][ \t]+)?")
_QUOTE_MARK = re.compile(r"[ \t]*(?:>[ \t]?)+")
_HEADING_MARK = re.compile(r" {0,3}#{1,6}[ \t]+")
_RULE = re.compile(r"[ \t]*(?:=+|(?:[-*_][ \t]*){2,})$")
_LINE = re.compile(r"[^\n]*\n?")
_CELL = re.compile(r"[^|]+")
_BLOCKS = frozenset({"front_matter", "fence"})


def sentences(text: str) -> list[tuple[int, int]]:
    """Places (start, end) of the sentences in order, without white space around them.

    A heading, a list item, a table cell and a paragraph's end are borders as well; their marks (#, -, 1., >) are
    outside. A fenced code block, and front matter, is one piece.
    """
    found = marks(text)
    blocks = [mark for mark in found if mark.kind in _BLOCKS]
    shadow = filled(filled(text, blocks), (mark for mark in found if mark.kind not in _BLOCKS), _stand_in)
    spans = [span for start, end in _paragraphs(shadow) for span in _split(shadow, start, end)]
    spans += [_stripped(text, mark.start, mark.end) for mark in blocks]
    return sorted(span for span in spans if span[0] < span[1])


def _stand_in(mark: Mark) -> str:
    """What the splitter sees: code and addresses look like a number, tags like a bracket, comments like nothing."""
    return {"comment": " ", "tag": "*"}.get(mark.kind, "0")


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of text that no sentence crosses."""
    start = end = -1
    for line in _LINE.finditer(text):
        begins, first = _line_start(text, line.start(), line.end())
        alone = begins or not line[0].strip() or bool(_RULE.match(line[0].rstrip()))
        if alone and start >= 0:
            yield start, end
            start = -1
        if not line[0].strip() or (alone and not begins):
            continue
        if line[0].lstrip().startswith("|"):
            yield from ((cell.start(), cell.end()) for cell in _CELL.finditer(text, line.start(), line.end()))
            continue
        start, end = (first if start < 0 else start), line.end()
        if _HEADING_MARK.match(line[0]):
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _line_start(text: str, start: int, end: int) -> tuple[bool, int]:
    """Does this line begin a paragraph by its mark, and where does its prose begin?"""
    line = text[start:end]
    if line.lstrip().startswith("|"):
        return True, start
    heading = _HEADING_MARK.match(line)
    if heading:
        return True, start + heading.end()
    quoted = _QUOTE_MARK.match(line)
    at = quoted.end() if quoted else len(line) - len(line.lstrip())
    if _RULE.match(line.rstrip()):
        return False, start + at
    item = _LIST_MARK.match(line, at)
    return item is not None, start + (item.end() if item else at)


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for mark in _END.finditer(text, start, end):
        if mark.start() >= begin and _ends_here(text, begin, end, mark):
            yield _kept(text, begin, mark.end())
            begin = mark.end()
    yield _kept(text, begin, end)


def _kept(text: str, start: int, end: int) -> tuple[int, int]:
    """Without the space around it; nothing where no letter or digit is left."""
    start, end = _stripped(text, start, end)
    return (start, end) if any(sign.isalnum() for sign in text[start:end]) else (start, start)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    return start + lead, start + lead + len(piece.strip())


def _ends_here(text: str, begin: int, end: int, mark: re.Match[str]) -> bool:
    following = _NEXT.match(text, mark.end(), end)
    word = following[1] if following else ""
    signs = mark[0]
    if signs[0] in "。！？｡":
        inside = signs[-1] in "》〉" or (signs[-1] in "）)" and text[begin : begin + 9].lstrip()[:1] not in ("（", "("))
        return not inside or mark.end() >= end
    if not word:
        return True
    if "\u3041" <= word[0] <= "\u9fff":
        return True
    if word[0].islower() and not any(sign.isupper() for sign in word[1:4]):
        return False
    return signs[0] != "." or signs.startswith("..") or not _is_abbreviation(text[begin : mark.start()], word)


def _is_abbreviation(before: str, following: str) -> bool:
    """Does the full stop between the two belong to an abbreviation that the sentence goes on after?"""
    last = _LAST_WORD.search(before[-24:])
    if not last:
        return False
    word, after = last[1].lower(), following.lower()
    if word in BEFORE_A_NUMBER:
        return after[0].isdigit()
    if word in BEFORE_A_NAME:
        return True
    if word in BEFORE_A_ZONE:
        return after in ZONES
    initial = len(word) == 1 and last[1].isupper()
    return (word in MAYBE_LAST or initial) and after not in STARTERS
