"""Stop conditions, judged between rounds. They see rounds; they know nothing of models, money or time.

Each is a function from the rounds so far to a reason or None. `of` makes those that a run asks for, in the order in
which they speak.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from refine.findings import blocking, count, judged
from refine.keeping import author_start, best_index, edit_pending, set_aside
from refine.types import Json, Round, Stop

Rounds = Sequence[Round]
MAX_ROUNDS = 4
"""Where a run does not say how many."""


def approved(min_rounds: int) -> Stop:
    """The critics approved. Before `min_rounds`, only if nothing that must or should change is open.

    A text that may not become the result has not been approved, even if a majority says so.
    """

    def stop(rounds: Rounds) -> str | None:
        if not rounds or edit_pending(rounds):
            return None
        verdict = judged(rounds, len(rounds) - 1)
        if verdict.kind != "approved" or set_aside(rounds)[-1]:
            return None
        if len(rounds) < min_rounds and blocking(verdict.findings):
            return None
        return "approved"

    return stop


def score(threshold: float) -> Stop:
    """The score is reached and nothing that must change is open."""

    def stop(rounds: Rounds) -> str | None:
        if not rounds or edit_pending(rounds):
            return None
        verdict = judged(rounds, len(rounds) - 1)
        reached = verdict.score is not None and verdict.score >= threshold and not count(verdict.findings, "must")
        return "score" if reached else None

    return stop


def no_change(rounds: Rounds) -> str | None:
    """The last rewrite gave back the text it started from."""
    if len(rounds) < 2 or _author_spoke(rounds):
        return None
    return "no_change" if rounds[-1].text == rounds[best_index(rounds[:-1])].text else None


def oscillation(rounds: Rounds) -> str | None:
    """The last rewrite gave back a text that had been left behind."""
    if len(rounds) < 3 or _author_spoke(rounds):
        return None
    return "oscillation" if rounds[-1].text in {round.text for round in rounds[:-1]} else None


def _author_spoke(rounds: Rounds) -> bool:
    """Is the last text the author's own edit, or did the author ask for something that no rewrite has answered yet?"""
    return author_start(rounds) == len(rounds) - 1 or any(note.kind in ("edit", "add") for note in rounds[-1].notes)


def max_rounds(limit: int) -> Stop:
    """Counts reviews, round 0 included."""
    return lambda rounds: "max_rounds" if len(rounds) >= limit else None


def finished(rounds: int) -> Stop:
    """All that was to be done is done: a technique that knows its number of rounds."""
    return lambda ended: "finished" if len(ended) >= rounds else None


def plateau(patience: int) -> Stop:
    """No gain that can be measured in the last `patience` rounds: no better score, not fewer must findings.

    Rounds without any score and without must findings measure nothing, so they never end a run here.
    """

    def stop(rounds: Rounds) -> str | None:
        if len(rounds) <= patience or _author_spoke(rounds):
            return None
        gains = [_gain(rounds, n) for n in range(len(rounds))]
        before, since = list(filter(None, gains[:-patience])), list(filter(None, gains[-patience:]))
        if not before and not since:
            return None
        return "plateau" if max(since, default=NOTHING) <= max(before, default=NOTHING) else None

    return stop


NOTHING = (float("-inf"), float("-inf"))


def _gain(rounds: Rounds, at: int) -> tuple[float, float] | None:
    verdict = judged(rounds, at)
    musts = count(verdict.findings, "must")
    if verdict.score is None and not musts:
        return None
    return -musts, verdict.score if verdict.score is not None else float("-inf")


MAKERS: Mapping[str, Callable[[Mapping[str, Json]], Stop | None]] = {
    "approved": lambda stops: approved(int(stops.get("min_rounds") or 1)),
    "score": lambda stops: score(float(stops["score"])) if stops.get("score") else None,
    "no_change": lambda stops: no_change if stops.get("no_change", True) else None,
    "oscillation": lambda stops: oscillation if stops.get("oscillation", True) else None,
    "max_rounds": lambda stops: max_rounds(int(stops.get("max_rounds") or MAX_ROUNDS)),
    "plateau": lambda stops: plateau(int(stops["plateau"])) if stops.get("plateau") else None,
}


def of(stops: Mapping[str, Json]) -> tuple[Stop, ...]:
    return tuple(stop for make in MAKERS.values() if (stop := make(stops)))
