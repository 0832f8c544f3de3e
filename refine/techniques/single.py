"""Single: one call to the writer, then the checks. The baseline that a loop has to beat."""

from __future__ import annotations

from refine import stops
from refine.keeping import best
from refine.loop import loop
from refine.techniques.reviewing import checked_once, combine
from refine.techniques.rewriting import write
from refine.types import Flow, Outcome, Round, RunSpec


def single(spec: RunSpec) -> Flow[Outcome]:
    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        text = yield from write(spec, rounds, spec.task.draft, ())
        return Round(text, combine(spec, text, (yield from checked_once(spec, text)), {}))

    return (yield from loop(turn, [stops.finished(1)], best))
