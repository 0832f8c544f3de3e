"""Caps of a day: what is refused, in which words, and that they hold with many calls at once."""

from __future__ import annotations

import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.caps import ALL, Cap, Used, read, refusal
from refine.errors import SettingsError
from refine.ledger import Cost
from refine.own_files import read_table
from refine.spending import Spending
from refine.store import Total
from refine.types import Usage, Worst

NOON = time.mktime((2026, 11, 20, 12, 0, 0, 0, 0, -1))
DAY = 86_400.0


def used(money: str = "0", tokens: int = 0, calls: int = 0, seconds: float = 0, currency: str = "USD") -> Used:
    return Used({currency: Decimal(money)}, tokens, seconds, calls)


@pytest.mark.parametrize(
    ("cap", "so_far", "worst", "reason"),
    [
        (Cap(money=Decimal(1)), used("0.9"), Worst(10, Decimal("0.2")), "budget"),
        (Cap(money=Decimal(1)), used("0.8"), Worst(10, Decimal("0.2")), None),
        (Cap(money=Decimal(1)), used("0.9", currency="EUR"), Worst(10, Decimal("0.2")), None),
        (Cap(tokens=100), used(tokens=91), Worst(10), "tokens"),
        (Cap(tokens=100), used(tokens=90), Worst(10), None),
        (Cap(calls=3), used(calls=3), Worst(), "calls"),
        (Cap(calls=3), used(calls=2), Worst(), None),
        (Cap(time=60.0), used(seconds=60), Worst(), "time"),
        (Cap(tokens=0), used(), Worst(1), "tokens"),
        (Cap(), used("99", 10**9, 10**9, 10**9), Worst(10**9, Decimal(99)), None),
    ],
)
def test_a_cap_speaks_before_the_call_that_could_pass_it(
    cap: Cap, so_far: Used, worst: Worst, reason: str | None
) -> None:
    refused = refusal(cap, so_far, [], worst)
    assert (refused.reason if refused else None) == reason


def test_calls_in_flight_count_with_the_most_they_can_use() -> None:
    held = [Worst(40, Decimal("0.4"))] * 2
    assert refusal(Cap(tokens=100), used(), held, Worst(21)) is not None
    assert refusal(Cap(tokens=100), used(), held, Worst(20)) is None
    assert refusal(Cap(money=Decimal(1)), used(), held, Worst(1, Decimal("0.21"))) is not None
    assert refusal(Cap(calls=3), used(calls=1), held, Worst()) is not None


def test_an_unknown_price_counts_by_tokens_and_is_refused_only_where_nothing_bounds_it() -> None:
    unknown, euro = Worst(10), Worst(10, Decimal("0.1"), "EUR")
    both = Cap(money=Decimal(1), tokens=100)
    assert refusal(both, used("0.99"), [], unknown) is None
    assert refusal(both, used(tokens=95), [], unknown) is not None
    assert refusal(both, used("0.99"), [], euro) is None
    for worst in (unknown, euro):
        refused = refusal(Cap(money=Decimal(1)), used(), [], worst)
        assert refused is not None and refused.reason == "budget"
        assert "price of this call is not known" in refused.sentence
    assert refusal(Cap(money=Decimal(1)), used("1"), [], Worst(10, Decimal(0), "EUR")) is None


def test_a_refusal_says_whose_cap_it_is_what_was_used_and_what_to_do() -> None:
    refused = refusal(Cap(tokens=2_000), used(tokens=1_800), [], Worst(400), "openai")
    assert refused is not None
    assert refused.sentence == (
        "The cap of the day for openai could be passed: got 1,800 of 2,000 tokens, and the next call may take up to "
        "400 more. Raise it in caps.yaml, or go on tomorrow."
    )


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "caps.yaml"
    path.write_text(
        "day: {money: 5, currency: eur, tokens: 2000000}\nendpoints:\n  openai: {calls: 500, time: 60}\n", "utf-8"
    )
    assert read(read_table(path)) == {
        ALL: Cap(money=Decimal(5), currency="EUR", tokens=2_000_000),
        "openai": Cap(calls=500, time=60.0),
    }
    assert read({}) == {}


@pytest.mark.parametrize(
    "table",
    [
        {"week": {"money": 5}},
        {"day": 5},
        {"day": {"cash": 5}},
        {"day": {"money": "much"}},
        {"day": {"tokens": -1}},
        {"endpoints": ["openai"]},
        {"endpoints": {"openai": None}},
    ],
)
def test_what_is_no_cap_is_refused_in_words(table: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="Write it like"):
        read(table)


# --- what is used ----------------------------------------------------------------------------------------------------


class Elsewhere:
    """What other processes used."""

    def __init__(self) -> None:
        self.rows: list[Total] = []
        self.now = NOON

    def clock(self) -> float:
        return self.now

    def __call__(self, *by: str, since: float, after: int, by_others: bool) -> list[Total]:
        assert by == ("endpoint",) and by_others
        return [row for row in self.rows if row.last > after and since < NOON + DAY / 2]


def spending(caps: dict[str, Cap], others: Elsewhere | None = None) -> Spending:
    others = others or Elsewhere()
    return Spending(caps, others, others.clock)


def test_a_cap_of_an_endpoint_is_its_own_and_that_of_the_day_is_for_all() -> None:
    one = spending({"far": Cap(calls=1), ALL: Cap(calls=2)})
    assert one.take(1, "far", Worst) is None
    refused = one.take(2, "far", Worst)
    assert refused is not None and "for far" in refused.sentence
    assert one.take(3, "near", Worst) is None
    refused = one.take(4, "near", Worst)
    assert refused is not None and "for" not in refused.sentence.partition(":")[0]


def test_what_a_call_really_used_makes_room_again() -> None:
    one = spending({ALL: Cap(tokens=1_000)})
    assert one.take(1, "far", lambda: Worst(900)) is None
    assert one.take(2, "far", lambda: Worst(200)) is not None
    one.ended(1, "far", Usage(100, 50), 1.0)
    assert one.take(2, "far", lambda: Worst(850)) is None


def test_a_call_of_which_nothing_is_known_has_used_all_it_could() -> None:
    one = spending({ALL: Cap(tokens=1_000)})
    one.take(1, "far", lambda: Worst(900))
    one.ended(1, "far", None, 1.0)
    assert one.take(2, "far", lambda: Worst(101)) is not None


def test_a_new_day_begins_with_nothing_used() -> None:
    others = Elsewhere()
    others.rows = [Total({"endpoint": "far"}, calls=1, last=3)]
    one = spending({ALL: Cap(calls=2)}, others)
    one.take(1, "far", Worst)
    one.ended(1, "far", Usage(), 1.0)
    assert one.take(2, "far", Worst) is not None
    others.now += DAY
    assert one.take(2, "far", Worst) is None


def test_what_other_processes_use_is_taken_in_once() -> None:
    others = Elsewhere()
    one = spending({ALL: Cap(tokens=1_000, money=Decimal(1))}, others)
    others.rows.append(Total({"endpoint": "far"}, 2, 0, Usage(300, 100), Cost(Decimal("0.5")), 3.0, last=8))
    for _ in range(3):
        assert one.take(1, "far", lambda: Worst(600, Decimal("0.5"))) is None
        one.ended(1, "far", Usage(), 0.0)
    assert one.take(1, "far", lambda: Worst(601, Decimal(0))) is not None
    assert one.take(1, "far", lambda: Worst(1, Decimal("0.51"))) is not None


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 400), st.floats(0, 1)), max_size=60), st.integers(100, 2_000)
)
def test_however_calls_begin_and_end_the_cap_is_never_passed(moves: list[tuple[int, int, float]], cap: int) -> None:
    one = spending({ALL: Cap(tokens=cap)})
    open_calls: dict[int, int] = {}
    spent = 0
    for number, most, share in moves:
        if number in open_calls:
            actual = int(open_calls.pop(number) * share)
            one.ended(number, "far", Usage(actual), 0.0)
            spent += actual
        elif one.take(number, "far", lambda most=most: Worst(most)) is None:  # type: ignore[misc]
            open_calls[number] = most
        assert spent + sum(open_calls.values()) <= cap
