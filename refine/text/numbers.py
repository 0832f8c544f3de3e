"""Quantities in digits and words, English and Chinese, with their units. It knows nothing of dates, which are hidden
from it, nor of which quantities matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from refine.text.numerals import NUMBER_WORD, SCALES, chinese_number, worth

_FULL_WIDTH = str.maketrans("０１２３４５６７８９％．－＋＄￥：／", "0123456789%.-+$¥:/")
"""Same length, so that places stay."""

_FULL_WIDTH_SIGN = re.compile("[０-９％．－＋＄￥：／]")


def narrowed(text: str) -> str:
    """The text with full-width digits and signs of numbers in their usual width."""
    return text.translate(_FULL_WIDTH) if _FULL_WIDTH_SIGN.search(text) else text


TIME_UNITS = frozenset({"h", "min", "s", "day", "week", "month", "year"})
"""Units that a rewrite may leave to the context."""


@dataclass(frozen=True, slots=True)
class Quantity:
    number: str
    """Digits without grouping; `1.2.3` and `10x` as they stand."""
    unit: str
    """Canonical: %, USD, km ...; empty where there is none."""
    start: int
    end: int
    shared: str = ""
    """The unit of its neighbour in a range: in `5 to 10 km` the 5 has no unit of its own, yet means km."""

    @property
    def value(self) -> str:
        return f"{self.number}{'' if self.unit in ('', '%') else ' '}{self.unit}"


_UNITS: dict[str, str] = {
    spelling: unit
    for unit, spellings in {
        "‰": "‰ per␣mille",
        "%": "% percent per␣cent pct percentage␣points percentage␣point 个百分点 百分点",
        "USD": "dollars dollar USD US␣dollars bucks 美元 美金",
        "EUR": "euros euro EUR 欧元",
        "GBP": "GBP pounds␣sterling 英镑",
        "CNY": "元 块 块钱 人民币 yuan RMB CNY renminbi",
        "JPY": "yen JPY 日元 円",
        "cent": "cents ¢ 美分",
        "pound": "pounds pound lb lbs 磅",
        "km": "km kilometers kilometres kilometer kilometre 公里 千米",
        "m": "m meters metres meter metre 米",
        "cm": "cm centimeters centimetres centimeter centimetre 厘米",
        "mm": "mm millimeters millimetres millimeter millimetre 毫米",
        "mile": "miles mile mi 英里",
        "ft": "feet foot ft 英尺",
        "inch": "inches inch 英寸",
        "kg": "kg kilograms kilogram kilos kilo 公斤 千克",
        "g": "g grams gram 克",
        "mg": "mg milligrams milligram 毫克",
        "t": "tonnes tonne tons ton 吨",
        "l": "l L liters litres liter litre 升",
        "ml": "ml mL milliliters millilitres 毫升",
        "h": "h hr hrs hours hour 小时 个小时",
        "min": "min mins minutes minute 分钟",
        "s": "s sec secs seconds second 秒 秒钟",
        "ms": "ms milliseconds millisecond 毫秒",
        "day": "days day 天",
        "week": "weeks week 周 个星期 星期",
        "month": "months month 个月",
        "year": "years year yrs yr 年",
        "°C": "°C ℃ degrees␣Celsius 摄氏度",
        "°F": "°F ℉ degrees␣Fahrenheit 华氏度",
        "KB": "KB kB kilobytes",
        "MB": "MB megabytes",
        "GB": "GB gigabytes",
        "TB": "TB terabytes",
        "kW": "kW kilowatts",
        "MW": "MW megawatts",
        "kWh": "kWh kilowatt-hours",
        "Hz": "Hz hertz 赫兹",
        "km/h": "km/h kph 公里/小时",
        "mph": "mph",
        "ha": "ha hectares hectare 公顷",
        "acre": "acres acre 英亩",
    }.items()
    for spelling in (word.replace("␣", " ") for word in spellings.split())
}
_CURRENCY_SIGNS = {
    "US$": "USD", "$": "USD", "A$": "AUD", "C$": "CAD", "HK$": "HKD", "NT$": "TWD", "€": "EUR", "£": "GBP",
    "¥": "CNY", "₹": "INR", "₩": "KRW", "USD": "USD", "EUR": "EUR", "GBP": "GBP", "RMB": "CNY", "CNY": "CNY",
}  # fmt: skip
_MAGNITUDES = {
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "k": 3, "K": 3, "M": 6, "mn": 6, "bn": 9, "B": 9,
    "千": 3, "万": 4, "萬": 4, "百万": 6, "千万": 7, "亿": 8, "億": 8, "万亿": 12,
}  # fmt: skip


def _either(spellings: dict[str, str] | dict[str, int]) -> str:
    return "|".join(re.escape(word) for word in sorted(spellings, key=len, reverse=True))


_GROUPING = re.compile("[, \u00a0\u202f’]")
_RUN = re.compile("[0-9](?:[0-9.,\u00a0\u202f’]| (?=\\d{3}(?!\\d)))*")
_NUMBER = re.compile(
    "[0-9](?<![0-9].)(?:\\d{0,2}(?>(?:[, \u00a0\u202f’]\\d{3})+)(?:\\.\\d++)?(?!\\d)|\\d*+(?>(?:\\.\\d++)*))"
)
_BEFORE = re.compile(rf"(?:({_either(_CURRENCY_SIGNS)})[ \u00a0]?)?((?:(?<![\w)\]%])[-\u2212])?(?:(?<![.\w])\.)?)\Z")
_INSIDE_WORD = re.compile(r"(?:[A-Za-z_](?<![^A-Za-z0-9_]v)(?<!\Av)|[A-Z]-|[A-Za-z0-9_]\.)\Z")
_MAGNITUDE = re.compile(
    r"(?:[ \u00a0-]?(thousand|million|billion|trillion)s?(?![A-Za-z])|(k|K|M|B|mn|bn)(?![A-Za-z])"
    r"|[ ]?(万亿|百万|千万|万|萬|亿|億|千(?![米克瓦])))"
)
_SHORT_MILLION = re.compile(r"m(?![A-Za-z])")
_UNIT = re.compile(rf"[ \u00a0-]?({_either(_UNITS)})")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z])")
_GLUED = re.compile(r"[A-Za-z]+")
_LIST_NUMBER = re.compile(r"^[ \t>]*(?:#{1,6}[ \t]+)?(\d{1,3})(?:[.)][ \t]|、)", re.MULTILINE)
_RANGE = re.compile(r"\s?(?:[-–—~～至到]|to|and|or|或|和)\s?")


def quantities(text: str) -> list[Quantity]:
    """All quantities in order of place; a list's own numbers are none.

    `one` counts only inside a larger number, and a single Chinese digit only before a counter.
    """
    plain = narrowed(text)
    found = [*_in_digits(plain), *_in_words(plain), *_in_chinese(plain)]
    return _with_shared_units(plain, sorted(found, key=lambda quantity: quantity.start))


def _in_digits(text: str) -> Iterator[Quantity]:
    listed = {m.start(1) for m in _LIST_NUMBER.finditer(text)}
    for run in _RUN.finditer(text):
        start = run.start()
        before = text[max(start - 6, 0) : start]
        if start in listed or _INSIDE_WORD.search(before):
            continue
        for m in _NUMBER.finditer(text, start, run.end()):
            lead = _BEFORE.search(before) if m.start() == start else None
            quantity = _completed(text, _bare(m, lead))
            if quantity:
                yield quantity


def _bare(digits: re.Match[str], lead: re.Match[str] | None) -> Quantity:
    """The number with the sign and the currency before it."""
    number = _GROUPING.sub("", digits[0])
    if lead is None:
        return Quantity(number, "", digits.start(), digits.end())
    sign = lead[2].replace("\u2212", "-")
    return Quantity(sign + number, _CURRENCY_SIGNS.get(lead[1] or "", ""), digits.start() - len(lead[0]), digits.end())


def _completed(text: str, bare: Quantity) -> Quantity | None:
    """With its magnitude and unit. None where letters follow that make it a name: 3D, 5G."""
    ordinal = _ORDINAL.match(text, bare.end)
    if ordinal:
        return replace(bare, end=ordinal.end())
    whole = _with_magnitude(text, bare)
    unit = _unit_after(text, whole.end)
    if unit and not whole.unit:
        return _tidy(replace(whole, unit=unit[0], end=unit[1]))
    glued = _GLUED.match(text, whole.end)
    if glued and not unit:
        literal = whole.number + glued[0]
        return None if glued[0] != glued[0].lower() else replace(whole, number=literal, end=glued.end())
    return _tidy(whole)


def _with_magnitude(text: str, bare: Quantity) -> Quantity:
    match = _MAGNITUDE.match(text, bare.end)
    word = next(filter(None, match.groups()), "") if match else ""
    if not match and bare.unit:
        match, word = _SHORT_MILLION.match(text, bare.end), "M"
    if not match or bare.number.count(".") > 1:
        return bare
    scaled = Decimal(bare.number).scaleb(_MAGNITUDES[word])
    return replace(bare, number=_written(scaled), end=match.end())


def _unit_after(text: str, at: int) -> tuple[str, int] | None:
    match = _UNIT.match(text, at)
    if not match:
        return None
    latin = match[1][-1].isascii() and match[1][-1].isalpha()
    if latin and match.end() < len(text) and text[match.end()].isascii() and text[match.end()].isalnum():
        return None
    return _UNITS[match[1]], match.end()


def _tidy(quantity: Quantity) -> Quantity:
    money = quantity.unit in _CURRENCY_SIGNS.values()
    return replace(quantity, number=quantity.number.removesuffix(".00")) if money else quantity


def _written(number: Decimal) -> str:
    shown = format(number, "f")
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    for i in range(len(found) - 1):
        left, right = found[i], found[i + 1]
        if bool(left.unit) == bool(right.unit) or right.start - left.end > 5:
            continue
        if _RANGE.fullmatch(text, left.end, right.start):
            unit = left.unit or right.unit
            found[i], found[i + 1] = replace(left, shared=unit), replace(right, shared=unit)
    return found


def _after_first_letter(words: str) -> str:
    return "|".join(f"(?<={word[0]}){word[1:]}" for word in words.split("|"))


# The first letter stands alone in front, since the engine skips ahead only to a plain class of characters.
_FIRST_LETTERS = "".join(sorted({word[0] for word in NUMBER_WORD.split("|")}))
_WORDS = re.compile(
    rf"[{_FIRST_LETTERS}{_FIRST_LETTERS.upper()}](?<![\w-].)(?i:(?:{_after_first_letter(NUMBER_WORD)})"
    rf"(?>(?:(?:-|\s(?:and\s)?)(?:{NUMBER_WORD})\b)*))(?!\w)"
)
_WORD = re.compile(NUMBER_WORD, re.IGNORECASE)


def _in_words(text: str) -> Iterator[Quantity]:
    for m in _WORDS.finditer(text):
        words = [word.lower() for word in _WORD.findall(m[0])]
        number = worth(words)
        if number is not None:
            yield from (
                [] if words == ["one"] or words[0] in SCALES else [_unit_added(text, number, m.start(), m.end())]
            )
            continue
        for word in _WORD.finditer(text, m.start(), m.end()):
            single = worth([word[0].lower()])
            if single is not None and single > 1 and word[0].lower() not in SCALES:
                yield _unit_added(text, single, word.start(), word.end())


def _unit_added(text: str, number: int, start: int, end: int) -> Quantity:
    unit = _unit_after(text, end)
    if not unit or text[end : end + 1].isalpha():
        return Quantity(str(number), "", start, end)
    return Quantity(str(number), unit[0], start, unit[1])


_HAN_RUN = re.compile(
    r"[零〇一二两兩三四五六七八九十][零〇一二两兩三四五六七八九十百千万萬亿億]*(?:[点點][零〇一二三四五六七八九]+)?"
)
_HAN_SCALE = frozenset("十百千万萬亿億点點")
_COUNTER = re.compile(r"(?:个|年|天|周|小时|分钟|秒|次|人|名|位|倍|元|块|岁|公里|米|章|页|条|项|种|家|套|本|万|亿)")


def _in_chinese(text: str) -> Iterator[Quantity]:
    for m in _HAN_RUN.finditer(text):
        is_share = text.endswith("百分之", 0, m.start())
        number = chinese_number(m[0]) if is_share or _is_amount(text, m) else None
        if number is None:
            continue
        unit, end = ("%", m.end()) if is_share else _unit_after(text, m.end()) or ("", m.end())
        yield Quantity(number, unit, m.start() - 3 * is_share, end)


def _is_amount(text: str, run: re.Match[str]) -> bool:
    """Chinese digits stand in many words that count nothing (一些, 十分, 七八): only clear amounts are taken."""
    digits, before = run[0], text[run.start() - 1 : run.start()]
    if len(digits) == 1:
        return digits not in "零〇一" and before != "第" and bool(_COUNTER.match(text, run.end()))
    return len(digits) > 2 or not _HAN_SCALE.isdisjoint(digits)
