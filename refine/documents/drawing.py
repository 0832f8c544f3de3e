"""Small pictures of numbers as SVG that stands inside a page: values with their intervals, and points on two scales.

Colours come from the page's style. It knows nothing of what the numbers mean. Every text is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from unicodedata import east_asian_width

from refine.documents import markdown

WIDTH, MARGIN, SIGN = 720, 24, 7.2
"""Units; a Latin sign of a label is about so wide, a Chinese one twice."""
NAMES = 190
"""The room for names at the left of intervals."""
ROW, FOOT = 38, 30
HEIGHT = 320
BAND = 17
"""What a line of labels takes."""


@dataclass(frozen=True, slots=True)
class Interval:
    name: str
    value: float
    low: float | None = None
    high: float | None = None
    """None: there is no interval, the value alone is shown."""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Intervals:
    """A row for each value, with its interval, against 0."""

    title: str
    """For who cannot see it."""
    rows: Sequence[Interval]


@dataclass(frozen=True, slots=True)
class Point:
    name: str
    x: float
    y: float
    joined: bool = False
    """Joined with the others that are, from left to right."""


@dataclass(frozen=True, slots=True)
class Points:
    title: str
    """For who cannot see it."""
    points: Sequence[Point]
    x: str = ""
    y: str = ""
    """What stands on the scales."""


def intervals(drawn: Intervals) -> str:
    ends = [end for row in drawn.rows for end in (row.value, row.low, row.high) if end is not None]
    marks = ticks(min([0.0, *ends]), max([0.0, *ends]))
    scale = _Scale(marks, NAMES, WIDTH - MARGIN)
    height = ROW * len(drawn.rows) + FOOT
    foot = height - FOOT
    parts = [_line(scale(mark), 0, scale(mark), foot, "zero" if mark == 0 else "grid") for mark in marks]
    parts += [_text(said, scale(mark), height - 8, "middle") for mark, said in zip(marks, _said(marks), strict=True)]
    for n, row in enumerate(drawn.rows):
        y = ROW * n + ROW / 2 + 4
        parts.append(_text(_short(row.name, NAMES - 14), NAMES - 14, y + 4, "end", row.name))
        if row.low is not None and row.high is not None:
            parts.append(_line(scale(row.low), y, scale(row.high), y, "span"))
        parts += [_dot(scale(row.value), y), _text(row.label, scale(row.value), y - 9, "middle")]
    return _svg(drawn.title, height, parts)


def points(drawn: Points) -> str:
    left, right, top, foot = 64, WIDTH - MARGIN, 32, HEIGHT - 46
    across = _Scale(ticks(*_ends([point.x for point in drawn.points])), left, right)
    up = _Scale(ticks(*_ends([point.y for point in drawn.points])), foot, top)
    parts = [_line(left, up(mark), right, up(mark), "grid") for mark in up.marks]
    parts += [_line(across(mark), top, across(mark), foot, "grid") for mark in across.marks]
    parts += [_text(said, left - 8, up(mark) + 4, "end") for mark, said in zip(up.marks, _said(up.marks), strict=True)]
    parts += [
        _text(said, across(mark), foot + 18, "middle")
        for mark, said in zip(across.marks, _said(across.marks), strict=True)
    ]
    parts += [_text(drawn.x, right, HEIGHT - 8, "end"), _text(drawn.y, 4, 11, "start")]
    joined = sorted((across(point.x), up(point.y)) for point in drawn.points if point.joined)
    if len(joined) > 1:
        parts.append(f'<polyline class="front" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in joined)}"/>')
    parts += [_dot(across(point.x), up(point.y)) for point in drawn.points]
    parts += _labels([(point.name, across(point.x), up(point.y)) for point in drawn.points], left, right)
    return _svg(drawn.title, HEIGHT, parts)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers, evenly spaced, the first at or below `low` and the last at or above `high`."""
    if low == high:
        low, high = low - abs(low or 1) / 2, high + abs(high or 1) / 2
    rough = (high - low) / (most - 1)
    power = 10 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10, 20) if power * factor >= rough * 0.999)
    first = floor(low / step + 1e-9)
    last = -floor(-high / step + 1e-9)
    return [round(n * step, 12) for n in range(first, last + 1)]


class _Scale:
    def __init__(self, marks: Sequence[float], start: float, end: float) -> None:
        self.marks, self._start, self._end = marks, start, end

    def __call__(self, value: float) -> float:
        low, high = self.marks[0], self.marks[-1]
        return self._start + (self._end - self._start) * (value - low) / (high - low)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)


def _said(marks: Sequence[float]) -> list[str]:
    """With as many decimals as tell them apart."""
    decimals = next(n for n in range(12) if all(abs(round(mark, n) - mark) < 1e-9 for mark in marks))
    return [f"{mark:.{decimals}f}" for mark in marks]


def _labels(named: Sequence[tuple[str, float, float]], left: float, end: float) -> Iterator[str]:
    """A name beside each point, where there is room, and none over another."""
    taken: list[tuple[float, float, float]] = []
    for name, x, y in sorted(named, key=lambda one: one[2]):
        said = _short(name, (end - left) / 2 - 20)
        wide = _wide(said)
        right = x + 10 + wide <= end
        start = x + 10 if right else x - 10 - wide
        height = y + 4
        while any(abs(height - other) < BAND and start < end and first < start + wide for other, first, end in taken):
            height += BAND
        taken.append((height, start, start + wide))
        yield _text(said, x + 10 if right else x - 10, height, "start" if right else "end", name)


def _wide(text: str) -> float:
    return sum(SIGN * (2 if east_asian_width(sign) in "WF" else 1) for sign in text)


def _short(text: str, room: float) -> str:
    if _wide(text) <= room:
        return text
    while text and _wide(text) + SIGN > room:
        text = text[:-1]
    return text.rstrip() + "…"


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    said = _plain(title)
    head = f'<svg class="chart" role="img" aria-label="{said}" viewBox="0 0 {WIDTH} {height:g}">'
    return f'<div class="wide" tabindex="0">{head}\n{"".join(parts)}</svg></div>\n'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>\n'


def _dot(x: float, y: float) -> str:
    return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>\n'


def _text(said: str, x: float, y: float, anchor: str, whole: str = "") -> str:
    title = f"<title>{_plain(whole)}</title>" if whole and whole != said else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{title}{_plain(said)}</text>\n' if said else ""


def _plain(text: str) -> str:
    return escape(" ".join(markdown.clean(text).split()), quote=True)
