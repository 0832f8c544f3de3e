"""Rules as rows of data: a pattern, what to put in its place, how sure. Knows nothing of particular rules.

Patterns see `Prose.plain`: small letters, straight apostrophes. Group `x`, where there is one, is the part that is
replaced. `{name}` in `put` stands for that group as the author wrote it. `<name>` in a pattern stands for a word class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from refine.checks.making import Place, finding
from refine.checks.prose import Prose
from refine.types import Finding, Severity

Anchor = Literal["", "sentence", "clause"]
Put = str | Callable[[re.Match[str]], str | None]
When = Callable[[Prose, re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class Row:
    """One rule. `at`: only at the start of a sentence or clause. `when`: a last look at the match."""

    rule: str
    find: re.Pattern[str]
    put: Put | None = None
    severity: Severity = "must"
    dimension: str = "grammar"
    sure: bool = True
    at: Anchor = ""
    when: When | None = None
    needle: str = ""
    """A piece of text without which the pattern cannot match: a quick first look."""


_LITERAL = re.compile(r"\(\?P<x>([a-z' ]+)\)")


def row(rule: str, find: str, put: Put | None = None, **rest: object) -> Row:
    """A row from a pattern that may hold word classes."""
    literal = _LITERAL.search(find)
    needle = literal[1] if literal else ""
    return Row(rule, re.compile(classes(find)), put, needle=needle, **rest)  # type: ignore[arg-type]


def classes(pattern: str) -> str:
    """The pattern with every `<name>` written out."""
    return re.sub(
        r"(?<!\(\?P)(?<!\(\?)<([a-z_]+)>", lambda m: f"(?:{CLASSES[m[1]]})" if m[1] in CLASSES else m[0], pattern
    )


def matches(prose: Prose, rule: Row) -> Iterator[re.Match[str]]:
    if rule.needle not in prose.plain:
        return
    if not rule.at:
        yield from rule.find.finditer(prose.plain)
        return
    starts = prose.sentence_starts if rule.at == "sentence" else prose.clause_starts
    for start in (*starts, *prose.openings):
        match = rule.find.match(prose.plain, start)
        if match:
            yield match


def findings(place: Place, rows: Iterable[Row]) -> Iterator[Finding]:
    """What the rows find in a text."""
    for rule in rows:
        for match in matches(place.prose, rule):
            if rule.when is not None and not rule.when(place.prose, match):
                continue
            made = _made(place, rule, match)
            if made is not None:
                yield made


def _made(place: Place, rule: Row, match: re.Match[str]) -> Finding | None:
    span = match.span("x") if "x" in rule.find.groupindex else match.span()
    if rule.put is None:
        return finding(place, span, rule.rule, rule.dimension, rule.severity)
    put = rule.put(match) if callable(rule.put) else _filled(place.prose, rule.put, match)
    if put is None:
        return None
    if rule.sure:
        return finding(place, span, rule.rule, rule.dimension, rule.severity, put=put)
    options = tuple(put.split("|"))
    if rule.severity == "may" or len(options) == 1:
        return finding(place, span, rule.rule, rule.dimension, rule.severity, suggestion=options[0])
    return finding(place, span, rule.rule, rule.dimension, rule.severity, options=options)


def _filled(prose: Prose, put: str, match: re.Match[str]) -> str:
    groups: Mapping[str, str] = {
        name: prose.text[slice(*match.span(name))] if match[name] is not None else "" for name in match.re.groupindex
    }
    return put.format_map(groups)


CLASSES: Mapping[str, str] = {
    "subject": "i|you|he|she|it|we|they",
    "object": "me|you|him|her|it|us|them",
    "possessive": "my|your|his|her|its|our|their",
    "determiner": "the|a|an|this|that|these|those|my|your|his|her|its|our|their",
    "be": "am|is|are|was|were|be|been|being",
    "have": "have|has|had|having|haven't|hasn't|hadn't|i've|you've|we've|they've",
    "modal": "can|could|will|would|shall|should|may|might|must|cannot|can't|couldn't|won't|wouldn't|shouldn't",
    "adverb": "already|always|never|ever|just|also|really|often|only|even|actually|recently|still|not|finally|once"
    "|since|probably|certainly|simply|nearly|almost|long|rarely|seldom",
    "end": r"(?=[.,;:!?)]|$)",
    "question": "how|what|why|when|where|who|whether|if|that",
    "number": "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds"
    "|thousands|dozens",
}
