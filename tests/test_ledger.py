"""The ledger: every attempt that ended, failed, cut and lost ones too; sums that say what is not in them."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from refine.events import Called, Event, Failed, Record, Replied, RoundRestarted, Stopped
from refine.ledger import LOST, Cost, Ledger, add_costs, attempts, money_of
from refine.types import CheckCall, Message, ModelCall, Reply, Role, RunSpec, Task, Usage

SPEC = RunSpec("refine", "polish", Task(), (Role("writer", endpoint="far", model="m"), Role("critic")))
CALL = ModelCall("writer", (Message("user", ("x",)),))
USED = Usage(10, 5, cost=Decimal("0.01"), currency="EUR")


def log(*events: Event) -> list[Record]:
    return [Record("run", n, 100.0 + n, event) for n, event in enumerate(events)]


def test_every_attempt_is_there_the_failed_ones_too() -> None:
    made = attempts(
        log(
            Called("0", CALL),
            Failed("0", "rate", "429", Usage(cost=Decimal(0)), seconds=0.5, wait=1.0),
            Called("0", CALL),
            Replied("0", Reply("x", usage=USED, seconds=2.0, first_token_seconds=0.3)),
        ),
        SPEC,
    )
    assert [(one.seq, one.at, one.failure, one.seconds, one.first_token_seconds) for one in made] == [
        (1, 101.0, "rate", 0.5, None),
        (3, 103.0, "", 2.0, 0.3),
    ]
    assert made[1].usage == USED
    assert {(one.variant, one.role, one.endpoint, one.model) for one in made} == {("polish", "writer", "far", "m")}


def test_a_call_without_an_end_is_in_it_once_somebody_asks_again_or_nobody_waits_any_more() -> None:
    cut = log(Called("0", CALL))
    assert attempts(cut, SPEC) == []
    for end in (Called("0", CALL), RoundRestarted("0"), Stopped("cancelled")):
        (lost,) = attempts([*cut, Record("run", 1, 200.0, end)], SPEC)
        assert (lost.seq, lost.failure, lost.usage) == (0, LOST, None)


def test_checks_are_no_attempts() -> None:
    assert attempts(log(Called("0", CheckCall("length", "x")), Replied("0", Reply(value=[]))), SPEC) == []


def test_a_ledger_goes_on_where_an_earlier_one_ended() -> None:
    records = log(
        Called("0", CALL), Called("0", CALL), Replied("0", Reply(usage=USED)), Called("1", CALL), Stopped("x")
    )
    for cut in range(len(records)):
        before = attempts(records[:cut], SPEC)
        ledger = Ledger(SPEC, records[:cut])
        after = [one for record in records[cut:] for one in ledger.read(record)]
        assert before + after == attempts(records, SPEC)


# --- sums ------------------------------------------------------------------------------------------------------------

MONEY = st.decimals(0, 100, places=6)
COSTS = st.builds(
    lambda amount, known, currency: money_of(Usage(cost=amount if known else None, currency=currency)),
    MONEY,
    st.booleans(),
    st.sampled_from(["USD", "EUR", "CNY"]),
)


@given(st.lists(COSTS))
def test_currencies_are_never_added_up_and_the_order_does_not_matter(costs: list[Cost]) -> None:
    total = add_costs(costs)
    for currency in ("USD", "EUR", "CNY"):
        alone = sum((cost.known for cost in costs if cost.complete and cost.currency == currency), Decimal(0))
        assert dict(total.amounts).get(currency, Decimal(0)) == alone
    assert total.complete == all(cost.complete for cost in costs)
    again = add_costs(reversed(costs))
    assert {*again.amounts} - {(again.currency, Decimal(0))} == {*total.amounts} - {(total.currency, Decimal(0))}


def test_a_sum_in_two_currencies_has_no_single_value() -> None:
    euro, yuan = Cost(Decimal(1), currency="EUR"), Cost(Decimal(2), currency="CNY")
    total = add_costs([euro, Cost(), yuan, euro])
    assert total == Cost(Decimal(2), currency="EUR", others=(("CNY", Decimal(2)),))
    assert total.value is None
    assert add_costs([euro, euro]).value == 2
    assert add_costs([euro, money_of(None)]) == Cost(Decimal(1), False, "EUR")
    assert add_costs([]) == Cost()
