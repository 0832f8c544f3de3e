"""Dates, weekdays and times of day in English and Chinese. It knows nothing of calendars, only of notations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from refine.text.lists import ordered
from refine.text.numbers import narrowed
from refine.text.numerals import chinese_number


@dataclass(frozen=True, slots=True)
class Date:
    year: str = ""
    month: int = 0
    day: int = 0
    other: str = ""
    """A weekday, a time, a decade, or a date whose order of day and month is not known, as it stands."""
    start: int = 0
    end: int = 0

    @property
    def value(self) -> str:
        if self.other:
            return self.other
        month, day = (f"-{part:02d}" if part else "" for part in (self.month, self.day))
        return (self.year or "-") + month + day

    def is_said_by(self, new: Date) -> bool:
        """Does `new` say all that this date says?"""
        if self.other or new.other:
            return self.other == new.other
        return all(
            not mine or mine == theirs
            for mine, theirs in ((self.year, new.year), (self.month, new.month), (self.day, new.day))
        )


# Every pattern begins with a plain class or choice of characters: only then does the engine skip ahead quickly.
_MONTH = (
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?<!\w\w\w\w)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b\.?"
)
_DAY_TAIL = r"\d?(?:st|nd|rd|th)?(?![\d%:]|[.,]\d)"
_DAY = "[0-9]" + _DAY_TAIL
_YEAR = r"(?:1[5-9]|20|21)\d\d(?![\d%]|-\d)"
MONTH_NAMES = ordered("january february march april may june july august september october november december")
_WEEKDAYS = ordered("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
_HAN = "零〇一二两三四五六七八九十"


def dates(text: str) -> list[Date]:
    """All dates in order of place. A bare year is a number, a bare month only where a preposition stands before it."""
    plain = narrowed(text)
    found: list[Date] = []
    taken = bytearray(len(text))  # 1 where an earlier pattern has read
    for pattern, reader in _READERS:
        for m in pattern.finditer(plain):
            if not any(taken[m.start() : m.end()]):
                read = list(reader(m))
                found += read
                taken[m.start() : m.end()] = bytes([bool(read)]) * (m.end() - m.start())
    return sorted(found, key=lambda date: date.start)


def readings(value: str) -> list[Date]:
    """What a date's `value` may mean: two dates where the order of day and month is not known."""
    unsure = re.fullmatch(r"(\d\d?)/(\d\d?)/(\d{4})", value)
    if unsure:
        first, second = int(unsure[1]), int(unsure[2])
        return [Date(unsure[3], first, second), Date(unsure[3], second, first)]
    known = re.fullmatch(r"(\d{4}|-)(?:-(\d\d))?(?:-(\d\d))?", value)
    if not known:
        return [Date(other=value)]
    return [Date(known[1].strip("-"), int(known[2] or 0), int(known[3] or 0))]


def _month(name: str) -> int:
    return next(i for i, month in enumerate(MONTH_NAMES, 1) if month.startswith(name[:3].lower()))


def _number(digits: str | None) -> int:
    return int(re.sub(r"\D", "", digits or "") or 0)


def _english(m: re.Match[str]) -> Iterator[Date]:
    month, year = _month(m["month"]), m["year"] or m.groupdict().get("bare_year") or ""
    days = [_number(day) for day in (m["day"], m["last"]) if day]
    if not days and not year and not _AFTER.search(m.string[max(m.start() - 9, 0) : m.start()]):
        return
    for day in days or [0]:
        if day <= 31:
            yield Date(year, month, day, start=m.start(), end=m.end())


def _numeric(m: re.Match[str]) -> Iterator[Date]:
    year, month, day = m[1], int(m[2]), int(m[3])
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield Date(year, month, day, start=m.start(), end=m.end())


def _two_orders(m: re.Match[str]) -> Iterator[Date]:
    first, second, year = int(m[1]), int(m[2]), m[3]
    if first > 12 >= second >= 1 and first <= 31:
        yield Date(year, second, first, start=m.start(), end=m.end())
    elif second > 12 >= first >= 1 and second <= 31:
        yield Date(year, first, second, start=m.start(), end=m.end())
    elif 1 <= first <= 12 and 1 <= second <= 12:
        yield Date(other=f"{first}/{second}/{year}", start=m.start(), end=m.end())


def _han_number(signs: str | None) -> int:
    if not signs or signs.isdecimal():
        return int(signs or 0)
    return 0 if _ASCII_DIGIT.search(signs) else int(chinese_number(signs) or 0)


def _chinese(m: re.Match[str]) -> Iterator[Date]:
    group = m.groupdict()
    year, month, day = (_han_number(group.get(part)) for part in ("year", "month", "day"))
    if month <= 12 and day <= 31 and (year > 999 or month):
        yield Date(str(year or ""), month, day, start=m.start(), end=m.end())


def _weekday(m: re.Match[str]) -> Iterator[Date]:
    yield Date(other=m[1], start=m.start(), end=m.end())


def _han_weekday(m: re.Match[str]) -> Iterator[Date]:
    yield Date(other=_WEEKDAYS[min("一二三四五六日天".index(m[1]), 6)], start=m.start(), end=m.end())


def _clock(m: re.Match[str]) -> Iterator[Date]:
    hour, minute, half = int(m[1]), int(m[2] or 0), (m[3] or "").lower()[:1]
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    yield Date(other=f"T{hour:02d}:{minute:02d}", start=m.start(), end=m.end())


def _han_clock(m: re.Match[str]) -> Iterator[Date]:
    hour = _han_number(m[2])
    minute = 30 if m[3] == "半" else _han_number((m[3] or "").rstrip("分"))
    if hour <= 24 and minute < 60:
        late = m[1] in ("下午", "晚上", "傍晚") and hour < 12
        yield Date(other=f"T{hour + 12 * late:02d}:{minute:02d}", start=m.start(), end=m.end())


def _decade(m: re.Match[str]) -> Iterator[Date]:
    yield Date(other=m[1] + "s", start=m.start(), end=m.end())


_AFTER = re.compile(
    r"(?i:\b(?:in|since|until|till|by|of|from|through|during|before|after|early|late|mid|last|next|this|every|to))[\s-]\Z"
)
_ASCII_DIGIT = re.compile("[0-9]")
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Date]]], ...] = (
    (re.compile(r"([0-9]\d{3})(?<![\d.-]\d{4})-(\d\d?)-(\d\d?)(?![\d-])"), _numeric),
    (re.compile(r"([0-9]\d{3})(?<![\d./]\d{4})[/.](\d\d?)[/.](\d\d?)(?![\d/])"), _numeric),
    (re.compile(r"([0-9](?<![\d./].)\d?)[/.](\d\d?)[/.](\d{4})(?!\d)"), _two_orders),
    (
        re.compile(
            rf"(?P<day>[0-9](?<![\d.,].){_DAY_TAIL})(?:\s?[-–—]\s?(?P<last>{_DAY}))?(?:\s+of)?[\s-]+(?P<month>{_MONTH})"
            rf"(?:[,\s-]+(?P<year>{_YEAR}))?"
        ),
        _english,
    ),
    (
        re.compile(
            rf"(?P<month>{_MONTH})(?:\s+(?:the\s+)?(?P<day>{_DAY})(?:\s?[-–—]\s?(?P<last>{_DAY}))?"
            rf"(?:,?\s+(?P<year>{_YEAR}))?|,?\s+(?:of\s+)?(?P<bare_year>{_YEAR}))?(?![\w’'])"
        ),
        _english,
    ),
    (re.compile(rf"({'|'.join(_WEEKDAYS)})s?\b"), _weekday),
    (
        re.compile(
            rf"(?P<year>[0-9{_HAN}][0-9{_HAN}]{{3}})\s?年\s?(?:(?P<month>\d\d?|[{_HAN}]{{1,2}})\s?月\s?"
            rf"(?:(?P<day>\d\d?|[{_HAN}]{{1,3}})\s?[日号號])?)?"
        ),
        _chinese,
    ),
    (
        re.compile(
            rf"(?P<month>[0-9{_HAN}](?<![0-9{_HAN}].)[0-9{_HAN}]?)[ ]?月\s?"
            rf"(?:(?P<day>\d\d?|[{_HAN}]{{1,3}})[ ]?[日号號])?"
        ),
        _chinese,
    ),
    (re.compile(r"(?:星期|礼拜|周|週)([一二三四五六日天])(?![年期个天月])"), _han_weekday),
    (re.compile(r"([0-9](?<![\d:.].)\d?):(\d\d)(?::\d\d)?(?:\s?([AaPp])\.?[Mm]\b\.?)?(?![\d:])"), _clock),
    (re.compile(r"([0-9](?<![\d:.,].)\d?)()\s?([AaPp])\.?[Mm]\b\.?"), _clock),
    (
        re.compile(
            rf"(凌晨|早上|上午|中午|下午|傍晚|晚上)(\d\d?|[{_HAN}]{{1,2}})[点點时](半|(?:\d\d?|[{_HAN}]{{1,3}})分)?"
        ),
        _han_clock,
    ),
    (re.compile(r"([12](?<![\d.,].)\d\d0)(?:['’]?s)\b"), _decade),
)
