"""Best of N: several drafts are written side by side, each is reviewed, and the best of them is the result.

The oldest way of spending more on one answer: samples ranked by a judge (Stiennon et al., "Learning to summarize from
human feedback", 2020; Cobbe et al., "Training Verifiers to Solve Math Word Problems", 2021). Nothing is rewritten, so
it is the baseline that a loop of the same cost has to beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from refine import stops
from refine.findings import count, judged
from refine.loop import Halt, loop, together
from refine.schema import DRAFTS
from refine.techniques.judging import JUDGE, judge, with_judgement
from refine.techniques.reviewing import checked_once, combine
from refine.techniques.rewriting import write
from refine.types import Best, Flow, Outcome, Round, RunSpec, Verdict

OF_ONE = ("cut_off", "refused", "no_draft")
"""Why one draft is left out. Any other reason ends the run, with the drafts that were reviewed till then."""


def best_of_n(spec: RunSpec) -> Flow[Outcome]:
    tried = yield from together([candidate(spec, n) for n in range(int(spec.options.get("n") or DRAFTS))])
    drafts = [draft for draft, _ in tried if draft]

    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        return drafts[len(rounds)]
        yield  # makes it a flow, which asks for nothing: all was asked side by side

    outcome = yield from loop(turn, [stops.finished(len(drafts))], best_by(spec))
    reason = cut_short([why for _, why in tried if why], outcome)
    return replace(outcome, reason=reason) if reason else outcome


def candidate(spec: RunSpec, n: int) -> Flow[tuple[Round | None, str]]:
    """One draft with its review, and why there is none, or only a part of it."""
    reviewed: Round | None = None
    try:
        text = yield from write(spec, (), spec.task.draft, (), draw=n)
        verdict = combine(spec, text, (yield from checked_once(spec, text)), {})
        reviewed = Round(text, verdict) if spec.checks else None
        if spec.role(JUDGE) and spec.options.get("choose_by") != "checks":
            found = yield from judge(spec, text, spec.task.draft)
            reviewed = Round(text, with_judgement(spec, text, spec.task.draft, verdict, found))
    except Halt as halt:
        return reviewed, halt.reason
    return reviewed, ""


def cut_short(reasons: Sequence[str], outcome: Outcome) -> str | None:
    """Why the run did not come to its end: what stopped it as a whole, or why no draft could be used."""
    whole = [reason for reason in reasons if reason not in OF_ONE]
    return next(iter(whole or ([] if outcome.rounds else reasons)), None)


def best_by(spec: RunSpec) -> Best:
    """Fewest must findings, then the judge's score, then fewest should findings, as far as asked; else the first."""
    by = spec.options.get("choose_by") or "both"

    def rank(verdict: Verdict) -> tuple[float, ...]:
        score = 0 if verdict.score is None else -verdict.score - 1
        return count(verdict.findings, "must"), score, 0 if by == "judge" else count(verdict.findings, "should")

    def best(rounds: Sequence[Round]) -> Round:
        return rounds[min(range(len(rounds)), key=lambda n: rank(judged(rounds, n)))]

    return best
