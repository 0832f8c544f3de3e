"""Refine: write, review, rewrite the best, until the critics approve.

After Madaan et al., "Self-Refine: Iterative Refinement with Self-Feedback", 2023, with three changes: critic and writer
are roles of their own, the best *reviewed* round is rewritten and returned, and checks with evidence sit beside models.
"""

from __future__ import annotations

from dataclasses import replace

from refine import stops
from refine.keeping import best
from refine.loop import loop
from refine.techniques.reviewing import review
from refine.techniques.rewriting import attempt
from refine.types import Flow, Outcome, Round, RunSpec


def refine(spec: RunSpec) -> Flow[Outcome]:
    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        draft, checked = yield from attempt(spec, rounds)
        known = next((round for round in rounds if round.text == draft), None)
        if known:  # a text already reviewed is not reviewed again
            return replace(known, notes=())
        return Round(draft, (yield from review(spec, rounds, draft, checked)))

    return (yield from loop(turn, stops.of(spec.stops), best))
