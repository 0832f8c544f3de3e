"""Which facts did a rewrite lose? Another way of writing the same is no loss; one mention is enough.

Both mistakes cost: a false alarm blocks a good rewrite, a loss not seen lets a bad one through. It knows nothing of
rounds or severities.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from rapidfuzz import fuzz, process

from refine.text.characters import CJK
from refine.text.dates import MONTH_NAMES, Date, readings
from refine.text.fact import Fact
from refine.text.likeness import ALIKE, plain, same_but_spelling
from refine.text.numbers import TIME_UNITS
from refine.text.numerals import ways_to_say
from refine.text.stated import amounts, facts
from refine.text.words import count

SHORT_QUOTATION = 2
"""Words (or CJK characters, twice as many) up to which a quotation may lose its marks, since it only stresses."""

_SPACE = re.compile(r"\s+")
_WORD = re.compile(rf"[^\W_{CJK}]+(?:[’'.&-][^\W_{CJK}]+)*")
_PART = re.compile(r"[’'.&-]")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>[ \t>]*([^\n]*)", re.MULTILINE)
_POSSESSIVE = re.compile(r"[’']s?\Z")
_NUMBERING = re.compile(r"^(?:\d+ )+(?=\D)")
_HOLDERS = frozenset({"quotation", "code", "heading", "front_matter", "citation"})
"""A fact inside one of these is not reported beside it."""


def lost(old: str, new: str, keep: Iterable[str] = (), locked: Iterable[str] = ()) -> tuple[Fact, ...]:
    """The facts of `old` that `new` does not hold, each once, at its first place in `old`.

    Args:
        keep: facts of the author's own; capitals, signs and spaces may differ. Asked for where `old` has them or is
            empty, and reported with the kind `keep`.
        locked: passages that must stay word for word, spaces aside; reported with the kind `locked`.
    """
    rewrite = _Rewrite(old, new)
    stated: dict[tuple[str, str], Fact] = {}
    for fact in facts(old):
        stated.setdefault((fact.kind, fact.value.casefold()), fact)
    gone = [fact for fact in stated.values() if not rewrite.keeps(fact)]
    holders = [fact.span for fact in gone if fact.kind in _HOLDERS]
    told = [fact for fact in gone if fact.kind in _HOLDERS or not _inside(fact.span, holders)]
    asked = [fact for passage in keep for fact in rewrite.kept_or_fact(passage)]
    asked += [fact for passage in locked for fact in rewrite.locked_or_fact(passage)]
    return tuple(sorted([*told, *asked], key=lambda fact: (fact.span, fact.kind)))


def _inside(span: tuple[int, int], holders: Iterable[tuple[int, int]]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in holders)


class _Rewrite:
    """The two texts and, each read once and only where needed, what the new one holds."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for fact in facts(self.new):
            found.setdefault(fact.kind, set()).add(fact.value)
        return {kind: frozenset(values) for kind, values in found.items()}

    def keeps(self, fact: Fact) -> bool:
        return fact.value in self.of(fact.kind) or _IS_KEPT[fact.kind](self, fact)

    def of(self, kind: str) -> frozenset[str]:
        return self.values.get(kind, frozenset())

    @cached_property
    def words(self) -> frozenset[str]:
        whole = set(_WORD.findall(self.new.casefold()))
        return frozenset(whole.union(*(_PART.split(word) for word in whole)))

    @cached_property
    def capitals(self) -> frozenset[str]:
        return frozenset(word for word in _WORD.findall(self.new) if word.isupper())

    @cached_property
    def plain(self) -> str:
        return plain(self.new)

    @cached_property
    def old_plain(self) -> str:
        return plain(self.old)

    @cached_property
    def units(self) -> Mapping[str, set[str]]:
        """Number -> the units that it stands with."""
        found: dict[str, set[str]] = {}
        for amount in amounts(self.new):
            found.setdefault(amount.number, set()).update({amount.unit, amount.shared or amount.unit})
        return found

    @cached_property
    def dates(self) -> list[Date]:
        return [date for value in self.of("date") for date in readings(value)]

    @cached_property
    def years(self) -> frozenset[str]:
        return frozenset({date.year for date in self.dates} | {n for n in self.units if len(n) == 4} - {""})

    @cached_property
    def addresses(self) -> frozenset[str]:
        return frozenset(map(_address, self.of("link")))

    @cached_property
    def quoted(self) -> Mapping[str, str]:
        """What the new text quotes, plain -> as it stands."""
        return {plain(value): value for value in self.of("quotation")}

    @cached_property
    def quoted_text(self) -> str:
        """All that is quoted, in a row, since a quotation may be divided or joined."""
        in_order = [fact.value for fact in facts(self.new) if fact.kind == "quotation"]
        return plain(" ".join([*in_order, *_BLOCK_QUOTE.findall(self.new)]))

    @cached_property
    def headings(self) -> Mapping[str, str]:
        return {_NUMBERING.sub("", plain(value)): value for value in self.of("heading")}

    @cached_property
    def spaced(self) -> str:
        return _SPACE.sub(" ", self.new)

    def says(self, passage: str) -> bool:
        """Does the new text hold the passage somewhere, signs and capitals aside?"""
        return _holds(self.plain, plain(passage))

    def kept_or_fact(self, passage: str) -> list[Fact]:
        at = self.old.casefold().find(passage.casefold())
        asked = _holds(self.old_plain, plain(passage)) or (passage.strip() and not self.old.strip())
        if not asked or self.says(passage):
            return []
        said = facts(passage)
        if said and said[0].span == (0, len(passage)) and self.keeps(said[0]):
            return []
        return [Fact("keep", passage, (max(at, 0), max(at, 0) + len(passage) if at >= 0 else 0))]

    def locked_or_fact(self, passage: str) -> list[Fact]:
        wanted = _SPACE.sub(" ", passage).strip()
        if not wanted or wanted in self.spaced or wanted not in _SPACE.sub(" ", self.old):
            return []
        found = re.search(r"\s+".join(map(re.escape, wanted.split(" "))), self.old)
        return [Fact("locked", passage, found.span() if found else (0, 0))]


def _holds(text: str, passage: str) -> bool:
    """Both plain: whole words only, which Chinese does not mark."""
    return f" {passage} " in f" {text} " or (_has_cjk(passage) and passage in text)


def _has_cjk(text: str) -> bool:
    return any("\u3041" <= sign <= "\u9fff" for sign in text)


def _amount(value: str) -> tuple[str, str]:
    if value.endswith("%"):
        return value[:-1], "%"
    number, _, unit = value.partition(" ")
    return number, unit


def _number_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    number, unit = _amount(fact.value)
    units = rewrite.units.get(number, set())
    if unit in units or (units and not unit) or ("" in units and unit in TIME_UNITS):
        return True
    if not unit and (number in rewrite.years or _as_time(number) in rewrite.of("date")):
        return True
    if number.startswith("-") and rewrite.words & {"minus", "negative", "below"}:
        return unit in rewrite.units.get(number[1:], set())
    return any(
        rewrite.new.find(way) >= 0 if _has_cjk(way) else way in rewrite.words for way in ways_to_say(number, unit)
    )


def _as_time(number: str) -> str:
    """9.30 may be a time of day."""
    hour, _, minute = number.partition(".")
    return f"T{hour:0>2}:{minute}" if len(minute) == 2 else ""


def _date_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return any(_said(rewrite, date) for date in readings(fact.value))


def _said(rewrite: _Rewrite, date: Date) -> bool:
    if any(date.is_said_by(new) for new in rewrite.dates):
        return True
    if date.other:
        return date.other.lower() in rewrite.words or date.other.lower() + "s" in rewrite.words
    if date.year and date.year not in rewrite.years:
        return False
    if not date.month:
        return True
    rest = Date(month=date.month, day=date.day)
    month_named = not date.day and MONTH_NAMES[date.month - 1] in rewrite.words
    return month_named or any(rest.is_said_by(new) for new in rewrite.dates)


def _name_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return all(_name_word_kept(rewrite, _POSSESSIVE.sub("", word)) for word in fact.value.split())


def _name_word_kept(rewrite: _Rewrite, word: str) -> bool:
    bare = word.casefold().strip(".")
    if bare in rewrite.words:
        return True
    if "." in bare or word.isupper():
        short = word.replace(".", "") in rewrite.capitals or ".".join(bare) in rewrite.words
        if short or "." in bare:
            return short
    return all(part in rewrite.words for part in _PART.split(bare) if part)


def _link_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return _address(fact.value) in rewrite.addresses


def _address(link: str) -> str:
    return link.removeprefix("mailto:").rstrip("/")


def _citation_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return fact.value.casefold() in {value.casefold() for value in rewrite.of("citation")}


def _code_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return rewrite.old[slice(*fact.span)] == fact.value and fact.value in rewrite.new


def _front_matter_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    return fact.value.split() in [value.split() for value in rewrite.of("front_matter")]


def _quotation_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    wanted = plain(fact.value)
    is_title = rewrite.old[fact.span[0]] == "《"
    if (is_title or count(fact.value) <= SHORT_QUOTATION * (2 if _has_cjk(wanted) else 1)) and rewrite.says(fact.value):
        return True
    if not wanted or _holds(rewrite.quoted_text, wanted):
        return True
    return _alike(wanted, fact.value, rewrite.quoted)


def _heading_kept(rewrite: _Rewrite, fact: Fact) -> bool:
    wanted = _NUMBERING.sub("", plain(fact.value))
    return wanted in rewrite.headings or _alike(wanted, fact.value, rewrite.headings)


def _alike(wanted: str, value: str, known: Mapping[str, str]) -> bool:
    near = process.extract(wanted, list(known), scorer=fuzz.ratio, score_cutoff=ALIKE, limit=5)
    return any(same_but_spelling(value, known[match[0]]) for match in near)


_IS_KEPT: Mapping[str, Callable[[_Rewrite, Fact], bool]] = {
    "number": _number_kept,
    "date": _date_kept,
    "name": _name_kept,
    "link": _link_kept,
    "citation": _citation_kept,
    "code": _code_kept,
    "front_matter": _front_matter_kept,
    "quotation": _quotation_kept,
    "heading": _heading_kept,
}
