"""A long text within a size: its most telling lines, its head and its tail. It knows nothing of who reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from refine import words
from refine.text.characters import PREPENDED, extenders

LINE = 200
"""Characters kept of a telling line."""
TELLING_SHARE = 0.4
"""Share of the room that telling lines may take."""
TAIL_SHARE = 0.35
"""Share of the rest that goes to the tail."""
LOOK_BACK = 100
"""Characters given up for ending at the end of a line."""
MOST_HITS = 1_000
"""Lines looked at for one word."""

_TROUBLE = (
    "error exception fail fatal refused denied forbidden invalid missing cannot timeout warning "
    "错误 失败 异常 拒绝 无效 缺少 超时 警告 不存在 不能"
)
_FIGURE = (
    "total sum average mean median count result score maximum minimum balance "
    "合计 总 共计 平均 结果 得分 最大 最小 余额"
)
_DIGIT = re.compile("[0-9０-９]")
_JAMO = "\u1160-\u11ff\ud7b0-\ud7ff"


def shorten(text: str, limit: int, language: str = "") -> str:
    """The text in at most `limit` characters, as it is where it fits.

    Else lines that tell of trouble and of key figures come first, then as much of the head and the tail as there is
    room for; a note says how many characters were left out. What a reader sees as one sign is never cut.

    Args:
        language: of the note.
    """
    if len(text) <= limit:
        return text
    note = words.of(language).LEFT_OUT
    frame = len(note.format(count=f"{len(text):,}")) + 2
    room = limit - frame
    if room < frame:
        return text[: _cut_down(text, max(limit, 0))]
    head, tail = _ends(text, room - int(room * TELLING_SHARE))
    lines = _telling(text, head, tail, int(room * TELLING_SHARE))
    while True:
        head, tail = _ends(text, room - _size(lines))
        between = [line for line in lines if line[0] >= head and line[1] <= tail]
        if len(between) == len(lines):
            break
        lines = between
    left = tail - head - sum(end - start for start, end in lines)
    telling = "".join(f"\n{text[start:end]}" for start, end in lines)
    return f"{text[:head]}\n{note.format(count=f'{left:,}')}{telling}\n{text[tail:]}"


def _ends(text: str, room: int) -> tuple[int, int]:
    """Where the head ends and the tail begins, if both take up at most `room`."""
    tail = _cut_up(text, len(text) - int(room * TAIL_SHARE))
    at = max(room - (len(text) - tail), 0)
    line = text.rfind("\n", max(0, at - LOOK_BACK), at)
    return _cut_down(text, line if line > 0 else at), tail


# --- lines that tell most ------------------------------------------------------------------------------------


def _size(lines: Iterable[tuple[int, int]]) -> int:
    return sum(end - start + 1 for start, end in lines)


def _telling(text: str, start: int, end: int, room: int) -> list[tuple[int, int]]:
    """Places of the telling lines between two places that fit, trouble before figures, in order of place."""
    kept: dict[str, tuple[int, int]] = {}
    for line in _lines(text, _TROUBLE, start, end):
        room = _keep(text, line, kept, room)
    for line in _lines(text, _FIGURE, start, end):
        if _DIGIT.search(text, *line):
            room = _keep(text, line, kept, room)
    return _apart(sorted(kept.values()))


def _keep(text: str, line: tuple[int, int], kept: dict[str, tuple[int, int]], room: int) -> int:
    """Keeps a line that fits and says something new. Returns the room that is left."""
    said = text[slice(*line)]
    if len(said) >= room or said in kept:
        return room
    kept[said] = line
    return room - len(said) - 1


def _lines(text: str, kinds: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines that hold one of the words, in order of place."""
    forms = {form for word in kinds.split() for form in (word, word.capitalize(), word.upper())}
    places = sorted(place for form in forms for place in _places(text, form, start, end))
    last = start
    for place in places:
        if place >= last:
            begin, last = _line_around(text, place, start, end)
            yield begin, last


def _places(text: str, word: str, start: int, end: int) -> Iterator[int]:
    """Where a word stands, about once a line."""
    for _ in range(MOST_HITS):
        start = text.find(word, start, end)
        if start < 0:
            return
        yield start
        line = text.find("\n", start, start + LINE // 2)
        start = line if line >= 0 else min(start + LINE // 2, end)


def _line_around(text: str, at: int, start: int, end: int) -> tuple[int, int]:
    """The line of a place, or what of it is near the place where it is long."""
    first, last = max(start, at - LINE // 2), min(end, at + LINE // 2)
    begin = text.rfind("\n", first, at) + 1 or _cut_up(text, first)
    stop = text.find("\n", at, last)
    return begin, _cut_down(text, stop if stop >= 0 else last)


def _apart(lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Lines in order without those that overlap an earlier one."""
    apart: list[tuple[int, int]] = []
    for line in lines:
        if not apart or line[0] >= apart[-1][1]:
            apart.append(line)
    return apart


# --- places where a text may be cut --------------------------------------------------------------------------


def _cut_down(text: str, at: int) -> int:
    """The last place up to `at` where the text may be cut."""
    while 0 < at < len(text) and _holds(text, at):
        at -= 1
    return at


def _cut_up(text: str, at: int) -> int:
    while 0 < at < len(text) and _holds(text, at):
        at += 1
    return at


def _holds(text: str, at: int) -> bool:
    """Would a cut before `at` part what is one sign?"""
    before, after = text[at - 1], text[at]
    if before == "\u200d" or before in PREPENDED or (before == "\r" and after == "\n"):
        return True
    if _is_flag(before) and _is_flag(after):
        return _flags_before(text, at) % 2 == 1
    return not after.isascii() and _extender().match(after) is not None


def _is_flag(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < min(at, MOST_HITS) and _is_flag(text[at - 1 - count]):
        count += 1
    return count


@cache
def _extender() -> re.Pattern[str]:
    return re.compile(f"[{extenders()}{_JAMO}]")
