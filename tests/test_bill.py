"""The bill of a run: every attempt stands under its role, and what was used beside what was foreseen and allowed."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from refine import tables, views
from refine.bill import by_role, charged, measures, shares
from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, Started, Stopped
from refine.forecast import Forecast
from refine.ledger import Cost, add_costs
from refine.types import CheckCall, Message, ModelCall, Price, Reply, Role, Round, RunSpec, Task, Usage, Verdict

SPEC = RunSpec(
    "refine",
    "polish",
    Task(draft="one two three"),
    (Role("writer", endpoint="far", model="big"), Role("critic", endpoint="near", model="small")),
    limits={"money": 0.5, "calls": 10, "tokens": None},
)
DEAR = Price(Decimal(10), Decimal(20), Decimal(1), "prices.yaml")


def used(cost: str | None, currency: str = "USD", price: Price | None = None) -> Usage:
    return Usage(100, 50, 40, 10, cost=None if cost is None else Decimal(cost), currency=currency, price=price)


def asked(at: str, role: str, usage: Usage) -> tuple[Event, Event]:
    call = ModelCall(role, (Message("user", ("go",)),))
    return Called(at, call), Replied(at, Reply("x", usage=usage, seconds=2.0))


def view_of(*events: Event, spec: RunSpec = SPEC) -> views.RunView:
    return views.read([Record("r", n, float(n), event) for n, event in enumerate((Started(spec), *events))])


def full(writer: str | None = "0.03", critic: str | None = "0.01", currency: str = "USD") -> views.RunView:
    fail = Failed("1", "server", "500", Usage(7, cost=Decimal(0)), wait=1.0)
    call, reply = asked("1", "critic", used(critic, currency))
    return view_of(
        call, fail, call, reply,
        Called("2", CheckCall("length", "x")), Replied("2", Reply(value=[])),
        RoundEnded("3", "0", Round("one two three", Verdict("revise"))),
        *asked("4", "writer", used(writer)),
        Called("5", ModelCall("critic", ())), Stopped("cancelled", 0),
    )  # fmt: skip


def test_each_attempt_stands_under_its_role_the_failed_and_the_lost_ones_too() -> None:
    view = full()
    writer, critic = by_role(view)
    assert writer.keys == {"role": "writer", "endpoint": "far", "model": "big"}
    assert (writer.calls, writer.failed, writer.usage) == (1, 0, Usage(100, 50, 40, 10))
    assert (critic.calls, critic.failed, critic.usage) == (3, 2, Usage(107, 50, 40, 10))
    assert (critic.cost, critic.seconds) == (Cost(Decimal("0.01"), complete=False), 2.0)
    assert add_costs([writer.cost, critic.cost]) == view.money
    assert by_role(view_of()) == []


def test_shares_are_of_the_money_and_of_the_tokens_where_it_has_no_sum() -> None:
    view = view_of(*asked("1", "critic", used("0.01")), *asked("2", "writer", used("0.03")))
    assert shares(by_role(view)) == [75.0, 25.0]
    for other in (used("0"), used(None), used("5", "EUR")):
        view = view_of(*asked("1", "critic", other), *asked("2", "writer", replace(other, currency="USD")))
        assert shares(by_role(view)) == [50.0, 50.0]
    nothing = Usage(cost=Decimal(0))
    assert shares(by_role(view_of(*asked("1", "critic", nothing)))) == [None]


def test_what_was_used_stands_beside_what_was_foreseen_and_allowed() -> None:
    guess = Forecast((3, 9), (500, 900), (Cost(Decimal("0.01")), Cost(Decimal("0.04"))), (4.0, 9.0))
    view = full()
    found = {measure.what: measure for measure in measures(view, guess)}
    assert [*found] == ["money", "tokens", "calls", "time"]
    assert found["money"].used == view.money
    assert [one.used for one in found.values()][1:] == [307, 4, view.seconds]
    assert [one.most for one in found.values()] == [0.5, None, 10, 1_800]
    assert [one.foreseen for one in found.values()] == [guess.cost, (500, 900), (3, 9), (4.0, 9.0)]
    assert all(measure.foreseen is None for measure in measures(view))


def test_the_price_of_a_role_is_the_one_that_it_was_charged() -> None:
    view = view_of(*asked("1", "writer", used("0.03", "EUR", DEAR)))
    price = charged(view, lambda role, usage: replace(usage, cost=Decimal(7)))
    writer, critic = SPEC.roles
    assert price(writer, Usage(1_000_000, 500_000)) == Usage(1_000_000, 500_000, cost=Decimal(20), currency="EUR")
    assert price(critic, Usage(1)).cost == 7


def test_both_are_tables_with_the_declared_columns() -> None:
    frame = tables.roles(full(currency="EUR"))
    assert [*frame.columns] == [column.name for column in tables.ROLE_COLUMNS]
    assert [*frame["role"]] == ["writer", "critic"]
    assert [*frame["cached"]] == [40, 40] and [*frame["reasoning"]] == [10, 10]
    assert [*frame["cost"]] == [0.03, tables.UNKNOWN] and [*frame["share"]] == [48.9, 51.1]
    frame = tables.measures(full(critic="0.02"), Forecast((1, 2), (3, 4), (Cost(Decimal(1)), Cost(complete=False))))
    assert [*frame.columns] == [column.name for column in tables.MEASURE_COLUMNS]
    assert [*frame["used"]][1:3] == [307, 4] and frame.loc[0, "used"] == tables.UNKNOWN
    assert [*frame["foreseen_from"]][:3] == [1.0, 3, 1] and frame.loc[0, "foreseen_to"] == tables.UNKNOWN
    assert [*frame["share"]][:3:2] == [10.0, 40.0]
    assert len(tables.roles(view_of())) == 0
