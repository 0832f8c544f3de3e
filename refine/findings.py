"""Findings as a ledger: what is open, fixed, reopened or waived. A pure reading of rounds and notes.

Also what can be done to a text with findings alone: merging those of several critics, finding their place,
applying the sure ones. Knows nothing of who found them or how.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from refine.types import Finding, NoteKind, Round, Verdict

State = Literal["open", "fixed", "reopened", "waived"]
RANK = {"must": 0, "should": 1, "may": 2}
KEPT = "kept"
"""The dimension of a finding that says a fact of the author's text was lost."""

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    finding: Finding
    state: State
    rounds: tuple[int, ...]
    """The rounds in which it was raised."""


def key(finding: Finding) -> Key:
    """Two findings are the same when dimension and normalised quote agree (the remark, where nothing is quoted)."""
    return finding.dimension.casefold(), _normal(finding.quote or finding.remark)


def _normal(text: str) -> str:
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())) or text.strip()


def judged(rounds: Sequence[Round], at: int) -> Verdict:
    """The verdict on round `at` as it stands after the author's notes.

    What the author waived in any round is gone. What the author added is in, for every text that has not answered it:
    those up to that round, and an edit that came with it. Who waives here all that must or should change has approved
    the text; who adds such a finding has not.
    """
    verdict = rounds[at].verdict
    if not any(round.notes for round in rounds):
        return verdict
    waived = {key(finding) for round in rounds for finding in _noted(round, "waive")}
    edited = at > 0 and any(note.kind == "edit" for note in rounds[at - 1].notes)
    added = [finding for round in rounds[at - 1 if edited else at :] for finding in _noted(round, "add")]
    findings = (*(finding for finding in verdict.findings if key(finding) not in waived), *added)
    waived_here = {key(finding) for finding in _noted(rounds[at], "waive")}
    kind = verdict.kind
    if blocking(added):
        kind = "revise"
    elif not blocking(findings) and any(key(finding) in waived_here for finding in blocking(verdict.findings)):
        kind = "approved"
    return replace(verdict, kind=kind, findings=findings)


def _noted(round: Round, kind: NoteKind) -> list[Finding]:
    return [note.finding for note in round.notes if note.kind == kind and note.finding]


def blocking(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those that must or should be acted on."""
    return tuple(finding for finding in findings if finding.severity != "may")


def count(findings: Iterable[Finding], severity: str) -> int:
    return sum(finding.severity == severity for finding in findings)


def open_findings(rounds: Sequence[Round], at: int) -> tuple[Finding, ...]:
    """What is still to be done to the text of round `at`."""
    return judged(rounds, at).findings


def ledger(rounds: Sequence[Round], kept: int) -> tuple[Entry, ...]:
    """Every finding once, in the order first raised, with its state in the text of round `kept`."""
    raised: dict[Key, list[int]] = {}
    latest: dict[Key, Finding] = {}
    for n, round in enumerate(rounds):
        for finding in (*round.verdict.findings, *_noted(round, "add")):
            seen = raised.setdefault(key(finding), [])
            if n not in seen:
                seen.append(n)
            latest[key(finding)] = finding
    still = {key(finding) for finding in open_findings(rounds, kept)} if rounds else set()
    waived = {key(finding) for round in rounds for finding in _noted(round, "waive")}
    return tuple(Entry(latest[k], _state(k, at, kept, still, waived), tuple(at)) for k, at in raised.items())


def _state(k: Key, at: list[int], kept: int, still: set[Key], waived: set[Key]) -> State:
    if k in waived:
        return "waived"
    if k not in still:
        return "fixed"
    return "open" if set(range(at[0], kept + 1)) <= set(at) else "reopened"


# --- what can be done to a text with findings ----------------------------------------------------------------


def occurs(quote: str, text: str) -> bool:
    """Does a quote stand in a text, punctuation, case and spaces aside?"""
    return _normal(quote) in _normal(text)


def locate(text: str, finding: Finding) -> Finding:
    """The finding with the span of its quote, where the quote stands exactly once or the span is already known."""
    if finding.span is not None or not finding.quote:
        return finding
    start = text.find(finding.quote)
    if start < 0 or text.find(finding.quote, start + 1) >= 0:
        return finding
    return replace(finding, span=(start, start + len(finding.quote)))


def merge(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Overlapping findings are one: a sure replacement wins, then the more severe, then the shorter.

    It is as severe as the most severe of them, so what must change still blocks an approval.
    """
    findings = tuple(findings)
    placed = sorted((f for f in findings if f.span), key=_worth)
    taken: list[Finding] = []
    for finding in placed:
        n = next((n for n, other in enumerate(taken) if _overlap(finding, other)), None)
        if n is None:
            taken.append(finding)
        elif RANK[finding.severity] < RANK[taken[n].severity]:
            taken[n] = replace(taken[n], severity=finding.severity)
    taken.sort(key=lambda f: f.span or (0, 0))
    return (*taken, *dict.fromkeys(f for f in findings if not f.span))


def _worth(finding: Finding) -> tuple[bool, int, int, int]:
    start, end = finding.span or (0, 0)
    return finding.replacement is None, RANK[finding.severity], end - start, start


def _overlap(one: Finding, other: Finding) -> bool:
    (a, b), (c, d) = one.span or (0, 0), other.span or (0, 0)
    return (a < d and c < b) or (a, b) == (c, d)


def mend(text: str, findings: Iterable[Finding]) -> str:
    """The text with all sure replacements applied. Of two that overlap, the first in `merge`'s order is."""
    sure = [f for f in merge(findings) if f.replacement is not None and f.span is not None]
    for finding in reversed(sure):
        start, end = finding.span or (0, 0)
        if text[start:end] == finding.quote:
            text = text[:start] + (finding.replacement or "") + text[end:]
    return text
