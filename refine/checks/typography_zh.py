"""Signs and spaces in Chinese text, and doubled characters. Never in code or addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import autocorrect_py

from refine.checks.making import Place, finding
from refine.checks.prose import HIDDEN
from refine.types import Finding, Severity

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\u3007"
_CLOSE = "”’）》」』】〉"
_OPEN = "“‘（《「『【〈"
_FULL = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？", ".": "。", "(": "（", ")": "）"}
_PAIRED = (
    "我们|你们|他们|她们|它们|咱们|因为|但是|所以|可以|已经|如果|虽然|一个|这个|那个|什么|自己|需要|应该|通过"
    "|进行|关于|为了|由于|以及|并且|而且|或者|还是|这些|那些|其中|目前|问题|时候|现在|开始|成为|认为|觉得|知道"
)
_SINGLE = (
    r"(?<!目)的(?=的(?!确))|就(?=就)|也(?=也)|都(?=都)|们(?=们)|和(?=和(?![美气睦]))|与(?=与)"
    r"|被(?=被)|在(?=在)|是(?=是(?![非是]))|而(?=而)|但(?=但)|从(?=从)|把(?=把(?!关))"
)


@dataclass(frozen=True, slots=True)
class Sign:
    """One rule. `put`: what stands there then; None = the full-width sign of what stood there."""

    rule: str
    find: re.Pattern[str]
    put: str | None
    severity: Severity = "must"
    sure: bool = True


SIGNS: tuple[Sign, ...] = (
    Sign(
        "typography.half_width",
        re.compile(rf"(?<=[{_HAN}{_CLOSE}…])[,;:!?](?: +(?=[{_HAN}{_OPEN}])|(?=[{_HAN}{_OPEN}]|\s|$|[{_CLOSE}]))"),
        None,
    ),
    Sign("typography.half_width", re.compile(rf"(?<=[{_HAN}])[,;:!?](?= ?[A-Za-z0-9])(?! ?\d+[:：]\d)"), None),
    Sign("typography.half_width", re.compile(rf"(?<=[A-Za-z0-9%])[,;!?:](?: ?)(?=[{_HAN}])"), None),
    Sign(
        "typography.half_width",
        re.compile(rf"(?<=[{_HAN}{_CLOSE}])\.(?= *[{_HAN}{_OPEN}]|\s|$|[{_CLOSE}])(?!\.)"),
        None,
    ),
    Sign(
        "typography.half_width",
        re.compile(rf"(?<=[{_HAN}])\((?=[^()\n]*\))|(?<=[{_HAN}])\)|\((?=[{_HAN}][^()\n]*\))"),
        None,
    ),
    Sign("typography.dots", re.compile(rf"(?<=[{_HAN}])(?:。{{3,}}|\.{{3,}}|·{{3,}})"), "……"),
    Sign("typography.double", re.compile(r"(?<!。)。。(?!。)"), "。"),
    Sign("typography.double", re.compile(r"，(?: ?，)+"), "，"),
    Sign("typography.double", re.compile(r"、、+"), "、"),
    Sign("typography.double", re.compile(r"；；+"), "；"),
    Sign("typography.double", re.compile(r"：：+"), "："),
    Sign("typography.double", re.compile(r"，。|、。"), "。"),
    Sign("typography.double", re.compile(r"。，"), "，"),
    Sign("typography.many", re.compile(r"！！+|？？+"), "", "may", sure=False),
    Sign("typography.dots", re.compile(rf"(?<=[{_HAN}])(?<!…)…(?!…)"), "……", "may", sure=False),
    Sign("typography.space", re.compile(r"(?<=\S)[ \t]+(?=[，。！？；：、）》”」』])"), ""),
    Sign("typography.space", re.compile(r"(?<=[，。！？；：、（《“「『])[ \t]+(?=[^\s|])"), ""),
    Sign("repeats.character", re.compile(_SINGLE), ""),
    Sign("repeats.word", re.compile(rf"({_PAIRED})(?=\1)"), ""),
)
_LONE_SPACE = re.compile(rf"(?<=[{_HAN}])[ \t]+(?=[{_HAN}])")
_MIXED = re.compile(rf"(?<=[{_HAN}])( ?)(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%])( ?)(?=[{_HAN}])")
_DATE = re.compile(r"[年月日号时分秒点第章节页元个岁级届次位名天周条]")


def chinese(place: Place) -> Iterator[Finding]:
    """Findings on signs, spaces and doubled characters."""
    text = place.prose.visible
    for sign in SIGNS:
        for match in sign.find.finditer(text):
            yield from _found(place, sign, match)
    for match in _LONE_SPACE.finditer(text):
        prose = _is_prose(text, match.start())
        made = finding(
            place,
            match.span(),
            "typography.space",
            "typography",
            "should" if prose else "may",
            put="" if prose else None,
            suggestion=None if prose else "",
        )
        if made is not None:
            yield made
    yield from _beside_latin(place)


def _is_prose(text: str, at: int) -> bool:
    """Is the line at this place a sentence, and not a heading, a table, a verse or a list of names?"""
    line = text[text.rfind("\n", 0, at) + 1 :].split("\n")[0]
    return len(line) > 20 and line.count(" ") < 3 and bool(re.search("[，。；]", line)) and line[0] not in "#|"


def _found(place: Place, sign: Sign, match: re.Match[str]) -> Iterator[Finding]:
    quote = match.group()
    put = _FULL[quote.strip()] if sign.put is None else sign.put
    if sign.rule.startswith("repeats") and place.prose.quoted(*match.span()):
        return  # somebody stammers
    if sign.rule == "typography.many":
        put = quote[0]
    dimension = sign.rule.split(".")[0]
    span = match.span()
    made = finding(
        place, span, sign.rule, dimension, sign.severity, put=put if sign.sure else None,
        suggestion=None if sign.sure else put,
    )  # fmt: skip
    if made is not None:
        yield made


def _beside_latin(place: Place) -> Iterator[Finding]:
    """Spaces between Chinese and Latin: the author's own way, where there is one, is kept to."""
    text = place.prose.visible
    gaps = [
        match for match in _MIXED.finditer(text) if not _DATE.search(text[max(0, match.start() - 1) : match.end() + 1])
    ]
    habits = Counter(" " in match.group() for match in gaps)
    spaced, close = habits[True], habits[False]
    if not close or not spaced:
        return
    for match in gaps:
        if match.group() or not _autocorrect_agrees(text, match.start()):
            continue
        start = match.start() - 1
        quote = text[start : match.end() + 1]
        sure = spaced >= 3 * close
        put = f"{quote[0]} {quote[1:]}"
        made = finding(
            place,
            (start, match.end() + 1),
            "typography.mixed_space",
            "typography",
            "should" if sure else "may",
            put=put if sure else None,
            suggestion=None if sure else put,
        )
        if made is not None:
            yield made


def _counts(text: str, match: re.Match[str]) -> bool:
    """A date or a counted thing, which is written closed up: 2026年, 3个."""
    return _DATE.search(text[max(0, match.start() - 1) : match.end() + 1]) is not None


def _autocorrect_agrees(text: str, at: int) -> bool:
    """Would the library put a space here? It knows exceptions that a pattern does not."""
    left, right = text[max(0, at - 6) : at], text[at : at + 6]
    if HIDDEN in left + right:
        return False
    return f"{left[-1]} {right[0]}" in autocorrect_py.format(left + right)
