"""Numbers written in words, English and Chinese, and what they are worth. It knows nothing of where they stand."""

from __future__ import annotations

from collections.abc import Sequence

from refine.text.lists import ordered

SMALL = {
    word: value
    for value, word in enumerate(
        ordered(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen"
        )
    )
}
TENS = {
    word: 10 * value for value, word in enumerate(ordered("twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
NUMBER_WORD = "|".join([*sorted([*SMALL, *TENS], key=len, reverse=True), *SCALES])
_HAN_DIGITS = {
    sign: value for value, signs in enumerate(ordered("零〇 一 二两兩 三 四 五 六 七 八 九")) for sign in signs
}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SAID_AS = {
    "0": "zero none nil no 零 〇 没有",
    "1": "one once single a an first 一",
    "2": "two twice both pair couple double second either neither twin 二 两 双 俩",
    "3": "three thrice triple trio third thirds 三",
    "4": "four fourth quarter quarters 四",
    "5": "five fifth 五",
    "6": "six sixth 六",
    "7": "seven seventh 七",
    "8": "eight eighth 八",
    "9": "nine ninth 九",
    "10": "ten tenth decade 十",
    "11": "eleven eleventh 十一",
    "12": "twelve twelfth dozen 十二",
    "100": "hundred century 百",
    "1000": "thousand millennium 千",
}
_SHARE_SAID_AS = {
    "25": "quarter",
    "50": "half 半 一半",
    "75": "quarters",
    "100": "all every entire whole fully 全部 所有 完全",
}


def worth(words: Sequence[str]) -> int | None:
    """The value of number words, or None where they are not one number (`two three`)."""
    total = group = 0
    last = 10**12
    for word in words:
        if word in SCALES:
            group = max(group, 1) * SCALES[word]
            if word != "hundred":
                total, group = total + group, 0
            last = 100 if word == "hundred" else 1000
        elif word in TENS:
            if last <= 20:
                return None
            group, last = group + TENS[word], 20
        else:
            if last <= 10 or (last == 20 and not 0 < SMALL[word] < 10):
                return None
            group, last = group + SMALL[word], 10
    return total + group


def chinese_number(signs: str) -> str | None:
    """The number in digits, or None where the signs are not one (七八, 三三两两)."""
    whole, _, fraction = signs.replace("點", "点").partition("点")
    if all(sign in _HAN_DIGITS for sign in whole):
        value = "".join(str(_HAN_DIGITS[sign]) for sign in whole)
    else:
        amount = _han_amount(whole)
        if amount is None:
            return None
        value = str(amount)
    return value + ("." + "".join(str(_HAN_DIGITS[sign]) for sign in fraction) if fraction else "")


def _han_amount(signs: str) -> int | None:
    total = group = 0
    digit: int | None = None
    last = 10**4
    for sign in signs:
        if sign in _HAN_DIGITS:
            if digit:
                return None
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_SCALES:
            if _HAN_SCALES[sign] >= last:
                return None
            last = _HAN_SCALES[sign]
            group, digit = group + (1 if digit is None else digit) * last, None
        else:
            total = (total + group + (digit or 0)) * _HAN_GROUPS[sign]
            group, digit, last = 0, None, 10**4
    return total + group + (digit or 0)


def ways_to_say(number: str, unit: str = "") -> tuple[str, ...]:
    """Words that a rewrite may put for a number without losing it."""
    said = ordered((_SHARE_SAID_AS if unit == "%" else _SAID_AS).get(number, ""))
    return (*said, *_ordinal(number)) if not unit else said


def _ordinal(number: str) -> tuple[str, ...]:
    """`twenty-first` for 21; the smaller ones stand in the table."""
    tens, ones = (int(number) // 10 * 10, number[1:]) if len(number) == 2 and number.isdecimal() else (0, "0")
    word = next((word for word, value in TENS.items() if value == tens), "")
    ordinals = [said for said in ordered(_SAID_AS[ones]) if said in _ORDINALS]
    return tuple(f"{word}-{ordinal}" for ordinal in ordinals) if word else ()


_ORDINALS = frozenset(ordered("first second third fourth fifth sixth seventh eighth ninth"))
