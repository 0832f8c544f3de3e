"""Which pairs an author is asked about: each once, in a drawn order, on drawn sides; and when results are closed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from refine.cell_results import CellResult
from refine.cells import cells
from refine.types import Vote
from refine.ui.ballot import Ballot, closed, extended, from_data, to_data
from tests.comparing import comparison, result

NAMES = ("one", "two", "three")


def results(tasks: int = 2, repeats: int = 1) -> list[CellResult]:
    """All done, each with a text of its own."""
    made = comparison(NAMES, tasks, repeats)
    return [result(run_id, cell, text=f"text of {run_id}") for run_id, cell in cells("cmp", made).items()]


def drawn(found: list[CellResult], seed: int = 0) -> Ballot:
    return extended(Ballot(), found, Random(seed))


def test_every_two_results_of_a_text_and_repeat_are_asked_about_once() -> None:
    found = results(tasks=2, repeats=2)
    cell_of = {one.run_id: one.cell for one in found}
    asked = drawn(found).pairs
    assert len(asked) == 3 * 2 * 2
    assert len({frozenset(pair) for pair in asked}) == len(asked)
    assert all((cell_of[a].task, cell_of[a].repeat) == (cell_of[b].task, cell_of[b].repeat) for a, b in asked)


def test_sides_and_order_are_drawn_and_no_variant_has_a_side() -> None:
    found = results(tasks=40)
    variant = {one.run_id: one.cell.variant for one in found}
    left = Counter(variant[pair[0]] for pair in drawn(found).pairs)
    assert all(25 < left[name] < 55 for name in NAMES)  # of 80 pairs each
    assert drawn(found, 1).pairs != drawn(found, 2).pairs


def test_every_text_comes_once_before_any_comes_again() -> None:
    found = results(tasks=5)
    task = {one.run_id: one.cell.task for one in found}
    first = [task[pair[0]] for pair in drawn(found).pairs[:5]]
    assert sorted(first) == sorted(set(task.values()))


def test_texts_that_are_the_same_or_missing_are_no_question() -> None:
    one, two, three, *_rest = results(tasks=1)
    same = [replace(one, text="same"), replace(two, text="same"), replace(three, text=None)]
    assert drawn(same).pairs == ()
    running = [one, two, replace(three, status="running")]
    assert {frozenset(pair) for pair in drawn(running).pairs} == {frozenset((one.run_id, two.run_id))}


def test_new_results_add_pairs_behind_those_that_were_there() -> None:
    found = results(tasks=3)
    before = extended(Ballot(), found[:4], Random(0))
    after = extended(before, found, Random(1))
    assert after.pairs[: len(before.pairs)] == before.pairs
    assert len({frozenset(pair) for pair in after.pairs}) == len(after.pairs) == 9
    assert extended(after, found, Random(2)) == after


def test_results_are_closed_from_the_first_vote_until_the_end() -> None:
    found = drawn(results(tasks=1))
    votes = [Vote(*found.pairs[0], "first")]
    assert not closed(found, [], more_to_come=False)
    assert closed(found, votes, more_to_come=False)
    assert not closed(replace(found, ended=True), votes, more_to_come=False)
    everything = [Vote(*pair, "same") for pair in found.pairs]
    assert not closed(found, everything, more_to_come=False)
    assert closed(found, everything, more_to_come=True)


def test_a_vote_counts_for_its_pair_whichever_side_was_which() -> None:
    found = drawn(results(tasks=1))
    one, two = found.pairs[1]
    assert found.left([Vote(two, one, "same")]) == [0, 2]


def test_a_ballot_is_read_back_as_it_was_kept() -> None:
    found = replace(drawn(results()), ended=True)
    assert from_data(to_data(found)) == found
    assert from_data(None) == Ballot()
