"""The one door to Harper, the grammar library: linters, its rules' hits, its dictionary. Knows nothing of findings.

A linter serves one thread at a time, so each thread has its own; the dictionary behind them is built once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from harper import Dialect, Language, Linter, SuggestionKind

from refine.checks.harper_rules import OFF

DIALECTS = {"american": Dialect.AMERICAN, "british": Dialect.BRITISH}
_LONG = ("costermongerses", "incomprehensiblenesse")
"""Long unknown words make Harper build, once, what takes two seconds."""
_own = threading.local()


@dataclass(frozen=True, slots=True)
class Hit:
    """What one of Harper's rules says. `puts`: what could stand there, best first."""

    rule: str
    start: int
    end: int
    puts: tuple[str, ...]
    kind: str


def warm() -> None:
    """Builds this thread's linters, so that the first draft does not wait for them."""
    for dialect in DIALECTS:
        hits("This are a example.", dialect)
    unknown(("exampel", *_LONG))


def hits(text: str, dialect: str) -> list[Hit]:
    """Every hit of every rule that is on, in order. The text is read as Markdown; offsets are characters."""
    found = _linter(dialect, spelling=False).organized_lints(text, language=Language.MARKDOWN, dedup=False)
    all_hits = [_hit(rule, lint) for rule, lints in found.items() for lint in lints]
    return sorted(all_hits, key=lambda hit: (hit.start, hit.end, hit.rule))


def unknown(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The words that no dialect of Harper's dictionary has -> its suggestions, best first."""
    words = tuple(words)
    british, american = (_unknown(words, dialect) for dialect in ("british", "american"))
    return {word: american[word] for word in british if word in american}


def foreign_spelling(word: str, dialect: str) -> tuple[str, ...] | None:
    """Suggestions for a word that is spelled as in the other dialect; None where it is right in this one."""
    return _unknown((word,), dialect).get(word)


def _unknown(words: Iterable[str], dialect: str) -> dict[str, tuple[str, ...]]:
    words = tuple(words)
    _learn(tuple(word for word in words if (word, dialect) not in _seen), dialect)
    return {word: puts for word in words if (puts := _seen[word, dialect]) is not None}


_seen: dict[tuple[str, str], tuple[str, ...] | None] = {}
"""What the dictionary said of a word: None = known. Grows with the vocabulary of the texts, not with their number."""


def _learn(words: tuple[str, ...], dialect: str) -> None:
    if not words:
        return
    if len(_seen) > 200_000:
        _seen.clear()
    text = "\n".join(words)  # lines, since paragraphs cost Harper ten times as much
    starts: dict[int, str] = {}
    at = 0
    for word in words:
        starts[at] = word
        at += len(word) + 1
    found: dict[tuple[str, str], tuple[str, ...] | None] = {(word, dialect): None for word in words}
    lints = _linter(dialect, spelling=True).lint(text, language=Language.PLAINTEXT, dedup=False)
    for lint in lints:
        word = starts.get(lint.span.start, "")
        if word == lint.problem_text:
            found[word, dialect] = tuple(s.replacement_text for s in lint.suggestions)
    _seen.update(found)


def _hit(rule: str, lint: object) -> Hit:
    span, quote = lint.span, lint.problem_text  # type: ignore[attr-defined]
    puts = tuple(_put(quote, suggestion) for suggestion in lint.suggestions)  # type: ignore[attr-defined]
    return Hit(rule, span.start, span.end, puts, lint.lint_kind)  # type: ignore[attr-defined]


def _put(quote: str, suggestion: object) -> str:
    kind, text = suggestion.kind, suggestion.replacement_text  # type: ignore[attr-defined]
    if kind == SuggestionKind.REMOVE:
        return ""
    return quote + text if kind == SuggestionKind.INSERT_AFTER else str(text)


def _linter(dialect: str, *, spelling: bool) -> Linter:
    linters: dict[tuple[str, bool], Linter] = _own.__dict__.setdefault("linters", {})
    key = (dialect, spelling)
    if key not in linters:
        linter = Linter(DIALECTS[dialect])
        names = linter.get_lint_config()
        linter.set_lint_config({name: name == "SpellCheck" if spelling else name not in OFF for name in names})
        linters[key] = linter
    return linters[key]
