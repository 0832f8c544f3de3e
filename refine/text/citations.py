"""References to sources: [12], [^1], (Smith 2019), [@key], \\\\cite{key}. It knows nothing of bibliographies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.text.fact import Fact

_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_NAME = r"[A-Z\u00c0-\u00de](?<![\w’'-].)[\w’'-]++"
_NAMES = rf"(?:{_NAME}|et al\.?|and|&|,)(?:\s(?:{_NAME}|et al\.?|and|&))*"

_NUMERIC = re.compile(r"\[(?<!\].)(\d{1,4}(?:\s?[,;–-]\s?\d{1,4})*)\](?![(:]|\[\D)|\[(?<=\].)(\d{1,4})\](?![(:])")
_NOTE = re.compile(r"\[\^([^\]\s]{1,60})\]")
_KEYS = re.compile(r"\[(?<!\w.)([^\[\]\n]{0,200}@[^\[\]\n]{1,300})\]")
_KEY = re.compile(r"(?<![\w.])@([\w][\w:.#$%&+?<>~/-]*\w|\w)")
_TEX = re.compile(r"\\[Cc]ite[a-z]*\*?(?:\[[^\]\n]{0,100}\]){0,2}\{([^{}\n]{1,300})\}")
_BRACKETS = re.compile(r"[(（]([^()（）\n]{4,300})[)）]")
_PART = re.compile(rf"(?:(?:see|see also|cf\.|e\.g\.,?)\s)?({_NAME})(?:,?\s{_NAMES})?,?\s({_YEAR})(?:[,:]\s[^;]*)?")
_HAN_PART = re.compile(r"([\u4e00-\u9fff·]{2,12}?)等?[，,]\s?(\d{4})年?")
_RUNNING = re.compile(rf"({_NAME})(?:\s(?:and|&)\s{_NAME}|\set al\.?,?)?(?:[’']s)?\s\(({_YEAR})(?:,[^()\n]{{1,40}})?\)")


def citations(text: str) -> Iterator[Fact]:
    """Each source cited, one fact for each mention; `text` shows `(` in place of code and addresses, so that
    a link's text is no citation."""
    for m in _NUMERIC.finditer(text):
        for number in _expanded(m[1] or m[2]):
            yield Fact("citation", f"[{number}]", m.span())
    for m in _NOTE.finditer(text):
        yield Fact("citation", f"[^{m[1]}]", m.span())
    for m in _KEYS.finditer(text):
        for key in _KEY.findall(m[1]):
            yield Fact("citation", f"@{key}", m.span())
    for m in _TEX.finditer(text):
        for key in m[1].split(","):
            yield Fact("citation", f"@{key.strip()}", m.span())
    yield from _by_author(text)


def _by_author(text: str) -> Iterator[Fact]:
    for m in _BRACKETS.finditer(text):
        for part in re.split("[;；]", m[1]):
            read = _PART.fullmatch(part.strip()) or _HAN_PART.fullmatch(part.strip())
            if read:
                yield Fact("citation", f"{read[1]} {read[2]}", m.span())
    for m in _RUNNING.finditer(text):
        yield Fact("citation", f"{m[1]} {m[2]}", m.span())


def _expanded(numbers: str) -> Iterator[str]:
    """`3-5` is 3, 4 and 5."""
    for part in re.split("[,;]", numbers):
        first, last = (int(re.sub(r"\D", "", piece) or 0) for piece in (re.split("[–-]", part) * 2)[:2])
        yield from map(str, range(first, last + 1) if first <= last < first + 30 else {first, last})
