"""Signs and spaces in English text. Never in code, addresses, tables or somebody's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from refine.checks.common_words import is_common
from refine.checks.making import Place, finding
from refine.checks.prose import HIDDEN, Prose
from refine.checks.questions import questions
from refine.types import Finding, Severity

When = Callable[[Prose, re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class Sign:
    """One rule on signs. Patterns see `Prose.visible`, capitals and all."""

    rule: str
    find: re.Pattern[str]
    put: str
    severity: Severity = "must"
    sure: bool = True
    when: When | None = None
    in_quotations: bool = False


def _outside_tables(prose: Prose, match: re.Match[str]) -> bool:
    return "|" not in _line(prose, match.start())


def _single_gap(prose: Prose, match: re.Match[str]) -> bool:
    """A lone gap in a line of prose; columns set with spaces have several, or wide ones."""
    line = _line(prose, match.start())
    return "|" not in line and len(match.group()) < 4 and len(re.findall(r"(?<=\S) {2,}(?=\S)", line)) < 3


def _line(prose: Prose, at: int) -> str:
    start = prose.visible.rfind("\n", 0, at) + 1
    end = prose.visible.find("\n", at)
    return prose.visible[start : end if end >= 0 else len(prose.visible)]


def _two_common_words(prose: Prose, match: re.Match[str]) -> bool:
    """Words of the language on both sides: not a file name, not an address, not a name of two parts."""
    return is_common(match["a"].lower()) and is_common(match["b"].lower())


SIGNS: tuple[Sign, ...] = (
    Sign("typography.comma_space", re.compile(r"(?<=\w) +,(?=\w)"), ", ", when=_outside_tables),
    Sign(
        "typography.space_before",
        re.compile(r"(?<=[\w)”\"'’])[ \t]+(?=[,;:!?.](?:[\s”\"’)]|$))(?![.] [.])(?!: *\d)(?![:;][)(DPp])"),
        "",
        when=lambda prose, match: (
            _outside_tables(prose, match) and not re.search(r"^\s*[.:]{2}", prose.visible[match.end() :])
        ),
    ),
    Sign(
        "typography.comma_space",
        re.compile(r"(?<=[A-Za-z]{2})([,;])(?=[A-Za-z]{2})"),
        "{0} ",
        when=lambda prose, match: not re.search(r"[\[{}\]=<>/\\@_]|[A-Z];[A-Z]", _word_around(prose, match)),
    ),
    Sign(
        "typography.stop_space",
        re.compile(r"\b(?P<a>[a-z]+)(?P<x>[.!?])(?=(?P<b>[A-Z][a-z]*)\b(?![.(/]))"),
        "{0} ",
        when=_two_common_words,
    ),
    Sign(
        "typography.stop_space",
        re.compile(r"\b(?P<a>[a-z]+)(?P<x> +)(?=[.!?](?P<b>[A-Z][a-z]*)\b(?![.(/]))"),
        "",
        when=_two_common_words,
    ),
    Sign("typography.double", re.compile(r"(?<=\w),(?:[ ]*,)+"), ","),
    Sign("typography.double", re.compile(r"(?<=\w);;+"), ";"),
    Sign("typography.double", re.compile(r"(?<=[A-Za-z]{2})\.\.(?=\s|$|[”\"’)])"), "."),
    Sign(
        "typography.double",
        re.compile(r"(?<=\w)(?:,\.|\.,(?= [A-Z][a-z]))(?=\s)"),
        ".",
        when=lambda prose, match: match.group().startswith(","),
    ),
    Sign("typography.double", re.compile(r"(?<=\w)([?!])\.(?=\s|$)"), "{0}"),
    Sign("typography.many", re.compile(r"(?<=\w)([!?])\1+"), "{0}", "may", sure=False),
    Sign("typography.apostrophe_space", re.compile(r"(?<=[a-z]) (['’])(?=(?:s|t|re|ve|ll|d|m)\b)"), "{0}"),
    Sign(
        "typography.apostrophe_space",
        re.compile(r"(?<=[a-zI])(['’]) (?=(?:t|re|ve|ll|m)\b)(?<=n['’] |I['’] |u['’] |y['’] |e['’] )"),
        "{0}",
    ),
    Sign("typography.bracket_space", re.compile(r"(?<=\s\() +(?=\w)"), "", "should"),
    Sign(
        "typography.bracket_space",
        re.compile(r"(?<=\w) +(?=\)(?:[\s.,;:!?]|$))"),
        "",
        "should",
        when=lambda prose, match: "(" in _line(prose, match.start()),
    ),
)

_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_AFTER_STOP = re.compile(r"(?<=[.!?:]) {2,}(?=\S)")
_AFTER_STOP_ONE = re.compile(r"(?<=[.!?:]) (?=[A-Z])")


def english(place: Place) -> Iterator[Finding]:
    """Findings on signs and spaces."""
    for sign in SIGNS:
        for match in sign.find.finditer(place.prose.visible):
            if sign.when is None or sign.when(place.prose, match):
                yield from _found(place, sign, match)
    yield from questions(place)
    yield from _gaps(place)
    yield from _no_end(place)


def _found(place: Place, sign: Sign, match: re.Match[str]) -> Iterator[Finding]:
    span = match.span("x") if "x" in match.re.groupindex else match.span()
    first = place.prose.text[span[0] : span[0] + 1] if "x" in match.re.groupindex or not match.re.groups else match[1]
    put = sign.put.format(first)
    made = finding(
        place, span, sign.rule, "typography", sign.severity,
        put=put if sign.sure else None, suggestion=None if sign.sure else put, in_quotations=sign.in_quotations,
    )  # fmt: skip
    if made is not None:
        yield made


def _gaps(place: Place) -> Iterator[Finding]:
    """Double spaces, but for an author who always puts two after a full stop."""
    prose = place.prose
    two = len(_AFTER_STOP.findall(prose.visible))
    habit = two >= 3 and two > len(_AFTER_STOP_ONE.findall(prose.visible))
    for match in _GAP.finditer(prose.visible):
        if (
            _single_gap(prose, match)
            and not _marker(prose, match)
            and not (habit and prose.visible[match.start() - 1] in ".!?:")
        ):
            made = finding(place, match.span(), "typography.double_space", "typography", "should", put=" ")
            if made is not None:
                yield made


def _marker(prose: Prose, match: re.Match[str]) -> bool:
    """The gap after a list mark or a heading mark."""
    return bool(
        re.fullmatch(
            r"\s*(?:[-*+•>](?: \[[ xX]\])?|\d+[.)]|#{1,6})",
            prose.visible[prose.visible.rfind("\n", 0, match.start()) + 1 : match.start()],
        )
    )


def _word_around(prose: Prose, match: re.Match[str]) -> str:
    start = max(prose.visible.rfind(" ", 0, match.start()), prose.visible.rfind("\n", 0, match.start())) + 1
    return re.split(r"\s", prose.visible[start : match.end() + 40])[0]


_PARAGRAPH = re.compile(r"(?:[^\n]+\n?)+")
_NOT_PROSE = re.compile(r"\s*(?:[-*+•>#|:]|\d+[.)]|\[|!\[|</?[a-z]|    |\t)")


def _no_end(place: Place) -> Iterator[Finding]:
    """A paragraph of several sentences whose last one does not end."""
    prose = place.prose
    for match in _PARAGRAPH.finditer(prose.visible):
        text = match.group().rstrip()
        lines = text.splitlines()
        last = re.split(r"(?<=[.!?])[\"”’)]*\s+", text)[-1]
        several = bool(re.search(r"[a-z]{2}[.!?][\"”’)]* +[A-Z]", text))
        wrapped = len(lines) == 1 or all(len(line) > 50 for line in lines[:-1])
        ended = not text[-1:].isalpha() or HIDDEN in last or any(_NOT_PROSE.match(line) for line in lines)
        if ended or not several or not wrapped or len(text) < 90 or len(last.split()) < 5:
            continue
        following = prose.visible[match.end() :].lstrip().split("\n", 1)[0]
        if _NOT_PROSE.match(following) or (following and len(following.split()) < 4):
            continue  # a list or a name follows
        word = re.search(r"[^\W\d_]+\Z", text)
        if word is None or place.prose.quoted(match.start() + word.start(), match.start() + word.end()):
            continue
        span = (match.start() + word.start(), match.start() + word.end())
        made = finding(place, span, "typography.end", "typography", "should", put=f"{word.group()}.")
        if made is not None:
            yield made
