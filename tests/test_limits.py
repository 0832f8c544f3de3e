"""Limits, and what a log says was spent."""

from __future__ import annotations

from decimal import Decimal

import pytest

from refine import limits
from refine.events import Called, Event, Failed, Record, Replied, RoundRestarted, Waiting
from refine.types import CheckCall, Message, ModelCall, Reply, Spent, Usage, Worst

CALL = ModelCall("writer", (Message("user", ("x",)),))
USAGE = Usage(10, 5, cost=Decimal("0.01"))


def log(*timed: tuple[float, Event]) -> list[Record]:
    return [Record("run", n, at, event) for n, (at, event) in enumerate(timed)]


@pytest.mark.parametrize(
    ("limit", "spent", "worst", "reason"),
    [
        ({"money": 1}, Spent(money=Decimal("0.99")), Worst(money=Decimal("0.02")), "budget"),
        ({"money": 1}, Spent(money=Decimal("0.98")), Worst(money=Decimal("0.02")), None),
        ({"tokens": 100}, Spent(tokens=90), Worst(tokens=11), "tokens"),
        ({"time": 60}, Spent(seconds=60), Worst(), "time"),
        ({"calls": 3}, Spent(calls=3), Worst(), "calls"),
        ({"failures": 2}, Spent(failures=2), Worst(), "failures"),
        (
            {"failures": None, "calls": None, "tokens": None, "time": None},
            Spent(calls=10**6, failures=9),
            Worst(),
            None,
        ),
    ],
)
def test_a_limit_speaks_before_the_call_that_could_pass_it(
    limit: dict[str, object], spent: Spent, worst: Worst, reason: str | None
) -> None:
    assert next((said for one in limits.of(limit) if (said := one(spent, worst))), None) == reason


def test_failed_attempts_are_charged_and_count_in_a_row() -> None:
    spent = limits.spent(
        log(
            (0, Called("0", CALL)),
            (1, Failed("0", "server", "500", USAGE, wait=1.0)),
            (2, Called("0", CALL)),
            (3, Failed("0", "server", "500", USAGE, wait=1.0)),
        )
    )
    assert (spent.money, spent.tokens, spent.calls, spent.failures) == (Decimal("0.02"), 30, 2, 2)
    assert limits.spent(log((0, Called("0", CALL)), (1, Replied("0", Reply("x", usage=USAGE))))).failures == 0


def test_amounts_in_two_currencies_have_no_sum() -> None:
    both = limits.add(limits.add(Spent(), USAGE), Usage(1, 1, cost=Decimal(3), currency="EUR"))
    assert (both.money, both.currency, both.unknown, both.tokens) == (Decimal("0.01"), "USD", True, 17)
    assert not limits.add(limits.add(Spent(), USAGE), Usage(cost=Decimal(0), currency="EUR")).unknown


def test_a_call_cut_by_a_crash_makes_the_money_a_lower_bound() -> None:
    spent = limits.spent(log((0, Called("0", CALL)), (50, Called("0", CALL)), (51, Replied("0", Reply(usage=USAGE)))))
    assert spent.unknown
    assert spent.money == Decimal("0.01")


def test_time_of_waiting_for_the_author_or_of_a_dead_process_does_not_count() -> None:
    spent = limits.spent(
        log(
            (0, Called("0", CALL)),
            (5, Replied("0", Reply(usage=USAGE))),
            (5, Waiting("1", "review")),
            (9_000, Called("2", CALL)),
            (20_000, Called("2", CALL)),
            (20_003, Replied("2", Reply(usage=USAGE))),
        )
    )
    assert spent.seconds == 8


def test_a_clock_that_was_set_back_gives_no_negative_time() -> None:
    assert limits.spent(log((100, Called("0", CALL)), (40, Replied("0", Reply(usage=USAGE))))).seconds == 0


def test_checks_cost_nothing_and_are_no_calls() -> None:
    spent = limits.spent(log((0, Called("0", CheckCall("length", "x"))), (1, Replied("0", Reply(value=[])))))
    assert (spent.calls, spent.tokens, spent.unknown) == (0, 0, False)


def test_a_check_where_older_code_called_a_model_is_no_call() -> None:
    model = (Called("0", CALL), Replied("0", Reply("x", usage=USAGE)), RoundRestarted("0"))
    check = (Called("0", CheckCall("length", "x")), Replied("0", Reply(value=[])))
    spent = limits.spent(log(*((0, event) for event in (*model, *check))))
    assert (spent.calls, spent.unknown) == (1, False)
