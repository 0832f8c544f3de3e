"""Prefer: a judge holds a text against another, twice, with their places swapped. Only who wins both times has won.

Judges favour a place; asking in both orders and calling all else a tie is the remedy of Zheng et al., "Judging
LLM-as-a-Judge with MT-Bench and Chatbot Arena", 2023.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from refine import stops
from refine.findings import locate
from refine.loop import loop, together
from refine.techniques import judging
from refine.techniques.judging import PAIR
from refine.types import Flow, Outcome, Round, RunSpec, Verdict

Winner = Literal["mine", "other"]
MINE: Winner = "mine"
OTHER: Winner = "other"
"""The votes of a verdict: for the text of the run, and for the one it is held against. Both orders: two votes."""


def prefer(spec: RunSpec) -> Flow[Outcome]:
    mine, other = spec.task.draft, str(spec.options.get("other") or "")
    original = str(spec.options.get("original") or "")

    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        if mine == other:  # nobody has to be asked whether a text is better than itself
            return Round(mine, Verdict("revise", scores={MINE: 0.0, OTHER: 0.0}))
        orders = [judging.prefer(spec, mine, other, original), judging.prefer(spec, other, mine, original)]
        (first, said), (second, said_too) = yield from together(orders)
        scores: dict[str, float] = {}
        if first and second:  # one order alone says as much of the place as of the text
            scores = {MINE: (first == "1") + (second == "2"), OTHER: (first == "2") + (second == "1")}
        evidence = tuple(replace(locate(mine, one), critic=PAIR) for one in dict.fromkeys((*said, *said_too)))
        kind: Literal["approved", "revise"] = "approved" if preference_of(scores) == MINE else "revise"
        return Round(mine, Verdict(kind, findings=evidence, scores=scores))

    return (yield from loop(turn, [stops.finished(1)], lambda rounds: rounds[0]))


def preference_of(votes: Mapping[str, float]) -> Winner | Literal["same"] | None:
    """Who has won, by the scores of the round's verdict: both orders agree, else it is a tie.

    None: the judge could not be read in both orders, so nothing is counted.
    """
    if not votes:
        return None
    return next((winner for winner in (MINE, OTHER) if votes.get(winner, 0) == 2), "same")
