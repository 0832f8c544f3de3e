"""Which round is the result: the best reviewed one, never merely the last, and never one that is worse than its base.

Pure functions on rounds; they know nothing of how a round came about.
"""

from __future__ import annotations

from collections.abc import Sequence

from refine.findings import KEPT, count, judged
from refine.types import Finding, Round, Verdict


def edit_pending(rounds: Sequence[Round]) -> str | None:
    """The author's own new text, as long as no round has reviewed it."""
    edits = [note.text for note in rounds[-1].notes if note.kind == "edit"] if rounds else []
    return edits[-1] if edits else None


def author_start(rounds: Sequence[Round]) -> int:
    """The round that reviewed the author's latest text: 0, or the one after the latest edit."""
    edited = [n + 1 for n, round in enumerate(rounds[:-1]) if any(note.kind == "edit" for note in round.notes)]
    return edited[-1] if edited else 0


def lost(verdict: Verdict) -> tuple[Finding, ...]:
    """The facts that a text lost."""
    return tuple(f for f in verdict.findings if f.dimension == KEPT and f.severity == "must")


def set_aside(rounds: Sequence[Round]) -> tuple[bool, ...]:
    """Per round: may it not become best, because it lost a fact or added must findings?"""
    return _ranked(rounds)[1]


def best_index(rounds: Sequence[Round]) -> int:
    """The number of the best round. `rounds` must not be empty.

    Approved, else fewest must, else the higher score (same critics only), else fewest should, else the later. Rounds
    before the author's latest edit no longer compete, since the author has left them. A round that the author picked
    leads until a later one is better.
    """
    return _ranked(rounds)[0]


def best(rounds: Sequence[Round]) -> Round:
    return rounds[best_index(rounds)]


def _ranked(rounds: Sequence[Round]) -> tuple[int, tuple[bool, ...]]:
    leader, aside = 0, [False] * len(rounds)
    start, verdicts = author_start(rounds), [judged(rounds, n) for n in range(len(rounds))]
    for n in range(len(rounds)):
        aside[n] = n not in (0, start) and _worse(verdicts[n], verdicts[leader])
        if n in (0, start) or (not aside[n] and _at_least(verdicts[n], verdicts[leader])):
            leader = n
        leader = _pick(rounds, n, leader)
    return leader, tuple(aside)


def _pick(rounds: Sequence[Round], n: int, leader: int) -> int:
    """The round picked when round `n` had ended, else `leader`."""
    picks = [int(note.text) for note in rounds[n].notes if note.kind == "pick" and note.text.isdecimal()]
    return picks[-1] if picks and picks[-1] <= n else leader


def picked(rounds: Sequence[Round]) -> int | None:
    """The round that the author picked last, after whatever round; None = none."""
    picks = [pick for n in range(len(rounds)) if (pick := _pick(rounds, n, -1)) >= 0]
    return picks[-1] if picks else None


def _worse(new: Verdict, base: Verdict) -> bool:
    """Did a rewrite lose a fact that its base kept, or add must findings?"""
    return len(lost(new)) > len(lost(base)) or _musts(new, base) < 0


def _at_least(new: Verdict, old: Verdict) -> bool:
    """Is the newer one at least as good?"""
    for better in (_approval, _musts, _score, _shoulds):
        difference = better(new, old)
        if difference:
            return difference > 0
    return True


def _approval(new: Verdict, old: Verdict) -> float:
    return (new.kind == "approved") - (old.kind == "approved")


def _musts(new: Verdict, old: Verdict) -> float:
    return count(old.findings, "must") - count(new.findings, "must")


def _score(new: Verdict, old: Verdict) -> float:
    if new.score is None or old.score is None or new.scores.keys() != old.scores.keys():
        return 0
    return new.score - old.score


def _shoulds(new: Verdict, old: Verdict) -> float:
    return count(old.findings, "should") - count(new.findings, "should")
