"""Which pairs of results the author is asked about, in which order, and on which side each of two stands. Pure.

It knows texts and run ids; nothing of variants, costs or scores, so nothing of them can be told by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from random import Random
from typing import Any, cast

from refine.cell_results import CellResult
from refine.types import Json, Vote

Pair = tuple[str, str]
"""Run ids of the results at the left and at the right."""


@dataclass(frozen=True, slots=True)
class Ballot:
    pairs: tuple[Pair, ...] = ()
    """In the order in which they are asked."""
    ended: bool = False
    """By the author."""

    def left(self, votes: Iterable[Vote]) -> list[int]:
        """The places of the pairs that have no vote."""
        voted = {frozenset((vote.first, vote.second)) for vote in votes}
        return [n for n, pair in enumerate(self.pairs) if frozenset(pair) not in voted]


def closed(ballot: Ballot, votes: Sequence[Vote], more_to_come: bool) -> bool:
    """Are the results closed? From the first vote until the author ends voting, or no pair is left."""
    return bool(votes) and not ballot.ended and bool(more_to_come or ballot.left(votes))


def extended(ballot: Ballot, results: Iterable[CellResult], chance: Random) -> Ballot:
    """With the pairs that new results make, behind those that were there. A pair of equal texts is no question."""
    known = {frozenset(pair) for pair in ballot.pairs}
    groups: dict[tuple[int, str], list[CellResult]] = {}
    for result in results:
        if result.ended and result.text is not None:
            groups.setdefault((result.cell.repeat, result.cell.task), []).append(result)
    asked: dict[int, list[list[Pair]]] = {}
    for (repeat, _task), made in groups.items():
        new = [
            _sides(one.run_id, two.run_id, chance)
            for one, two in combinations(made, 2)
            if one.text != two.text and frozenset((one.run_id, two.run_id)) not in known
        ]
        asked.setdefault(repeat, []).append(chance.sample(new, len(new)))
    added = [pair for repeat in sorted(asked) for pair in _mixed(asked[repeat], chance)]
    return replace(ballot, pairs=(*ballot.pairs, *added)) if added else ballot


def _sides(one: str, two: str, chance: Random) -> Pair:
    return (one, two) if chance.random() < 0.5 else (two, one)


def _mixed(by_text: Sequence[Sequence[Pair]], chance: Random) -> list[Pair]:
    """Every text once before any comes again, in another order each time."""
    found: list[Pair] = []
    for turn in zip_longest(*by_text):
        there = [pair for pair in turn if pair is not None]
        found += chance.sample(there, len(there))
    return found


# --- as it is kept ---------------------------------------------------------------------------------------------------


def to_data(ballot: Ballot) -> Json:
    return {"pairs": [[*pair] for pair in ballot.pairs], "ended": ballot.ended}


def from_data(data: Json) -> Ballot:
    if not data:
        return Ballot()
    kept = cast(dict[str, Any], data)
    return Ballot(tuple((one, two) for one, two in kept["pairs"]), bool(kept["ended"]))
