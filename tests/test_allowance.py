"""What is set aside for the runs of a comparison."""

from __future__ import annotations

from decimal import Decimal

import pytest

from refine.allowance import NOTHING, Share, at_once, candidates, fits, held_to, share
from refine.forecast import Forecast
from refine.ledger import Cost
from refine.types import Role, RunSpec, Task, Worst

FORESEEN = Forecast((2, 5), (400, 1_000), (Cost(Decimal("0.1")), Cost(Decimal("0.2"))))


def spec(technique: str = "refine", *roles: str, **limits: float) -> RunSpec:
    return RunSpec(technique, "v", Task(), tuple(Role(name) for name in roles), limits=limits)


def test_a_run_has_room_for_its_forecast_and_the_worst_of_the_calls_it_makes_at_once() -> None:
    found = share(FORESEEN, [Worst(4_096, Decimal("0.5")), Worst(4_096, None)])
    assert found == Share(Decimal("1.1"), 3_000 + 2 * 4_096)


@pytest.mark.parametrize(
    ("limits", "spent", "held", "need", "may"),
    [
        ({}, (9, 9), [], (9, 9), True),
        ({"money": 1}, ("0.5", 0), [("0.2", 0)], ("0.3", 0), True),
        ({"money": 1}, ("0.5", 0), [("0.2", 0)], ("0.31", 0), False),
        ({"money": 1}, ("0.5", 0), [("0.2", 0), ("0.2", 0)], ("0.2", 0), False),
        ({"tokens": 100}, (0, 50), [(0, 20)], (0, 30), True),
        ({"tokens": 100}, (0, 50), [(0, 20)], (0, 31), False),
        ({"money": 1, "tokens": 100}, ("0.1", 99), [], ("0.1", 2), False),
    ],
)
def test_a_run_begins_where_it_fits_beside_all_that_others_may_use(
    limits: dict[str, float], spent: tuple, held: list[tuple], need: tuple, may: bool
) -> None:
    def of(pair: tuple) -> Share:
        return Share(Decimal(pair[0]), pair[1])

    assert fits(limits, of(spent), map(of, held), of(need)) is may


@pytest.mark.parametrize(
    ("own", "limits", "held"),
    [
        ({}, {}, {}),
        ({}, {"money": 5}, {"money": 0.25}),
        ({"money": 0.1}, {"money": 5}, {"money": 0.1}),
        ({}, {"tokens": 5}, {"tokens": 9_000}),
        ({"tokens": 100}, {"tokens": 5}, {"tokens": 100}),
        ({"tokens": 100}, {"money": 5}, {"tokens": 100, "money": 0.25}),
    ],
)
def test_a_run_is_held_to_its_share_and_to_a_tighter_limit_of_its_own(
    own: dict[str, float], limits: dict[str, float], held: dict[str, float]
) -> None:
    assert held_to(spec(**own), limits, Share(Decimal("0.25"), 9_000)).limits == held


def test_a_share_never_loosens_the_usual_limit_on_tokens() -> None:
    assert held_to(spec(), {"tokens": 10**9}, Share(Decimal(0), 5_000_000)).limits == {"tokens": 400_000}


def test_calls_in_flight_are_those_of_all_critics_or_of_all_drafts() -> None:
    assert at_once(spec("refine", "writer", "critic", "critic_facts")) == ["critic", "critic_facts"]
    assert at_once(spec("single", "writer")) == ["writer"]
    assert len(at_once(RunSpec("best_of_n", "v", Task(), (Role("writer"),), options={"n": 7}))) == 7
    assert at_once(spec("prefer", "pair")) == ["pair", "pair"]
    assert at_once(spec()) == []


@pytest.mark.parametrize(
    ("paid", "used", "n"),
    [(Decimal("0.8"), 0, 8), (Decimal("0.31"), 0, 3), (Decimal("9"), 0, 20), (Decimal(0), 2_500, 5), (None, 10, 2)],
)
def test_the_best_is_chosen_of_as_many_as_cost_the_same(paid: Decimal | None, used: int, n: int) -> None:
    assert candidates(FORESEEN, paid, used) == n


def test_shares_add_up() -> None:
    assert sum([Share(Decimal(1), 2), Share(Decimal(3), 4)], NOTHING) == Share(Decimal(4), 6)
