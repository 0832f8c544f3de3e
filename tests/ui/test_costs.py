"""Costs over all runs: what is added up, what is left out, and the file of it; caps beside what was used today."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Iterator
from decimal import Decimal

import pytest

from refine import caps
from refine.ledger import Cost
from refine.models.fake_server import Running, running
from refine.own_files import read_table
from refine.runs import Order, Workbench
from refine.settings import write_endpoint
from refine.store import Total
from refine.types import Endpoint, Usage
from refine.ui import costs, settings_caps
from tests.ui.conftest import Open, Run, said


@pytest.fixture
def fake() -> Iterator[Running]:
    with running() as fake:
        yield fake


def paid_run(bench: Workbench, fake: Running) -> str:
    write_endpoint(bench.settings.home, Endpoint("lab", fake.url))
    (bench.settings.home / "prices.yaml").write_text("lab:\n  '*': {input: 1000, output: 2000, currency: EUR}\n")
    models = {f"role.{role}.{field}": value for role in ("writer", "critic")
              for field, value in (("endpoint", "lab"), ("model", "steady"))}  # fmt: skip
    run_id = bench.start(bench.prepare(Order(draft="I saw the the cat.", variant="classic", changes=models)))
    asyncio.run(bench.execute(run_id))
    return run_id


def total(cost: str | None, currency: str = "USD", **keys: str) -> Total:
    money = Cost(complete=False) if cost is None else Cost(Decimal(cost), currency=currency)
    return Total({"day": "2026-11-30", "endpoint": "lab", "model": "m", "variant": "v", "role": "writer", **keys},
                 2, 1, Usage(10, 5), money, 1.0)  # fmt: skip


def test_fewer_groups_hold_the_same_money_and_the_dearest_stands_first() -> None:
    found = costs.merged([total("1"), total("3", role="critic"), total("2", model="n")], ("role",))
    assert [(one.keys, one.cost.known, one.calls) for one in found] == [
        ({"role": "writer"}, 3, 4),
        ({"role": "critic"}, 3, 2),
    ]
    assert found[0].usage.input_tokens == 20


def test_currencies_are_never_added_up_and_an_unknown_price_is_said() -> None:
    assert costs.sentence([total("1"), total("2", "EUR")]).startswith("**\\$1.0000 + €2.0000** · 4 calls · 30 tokens")
    assert costs.sentence([total("1"), total(None)]).startswith("**at least \\$1.0000**")
    rows = list(csv.DictReader(io.StringIO(costs.csv([total("1"), total(None)]).decode("utf-8-sig"))))
    assert [(row["cost"], row["complete"]) for row in rows] == [("1", "True"), ("0", "False")]


def test_a_paid_run_is_found_by_model_role_and_variant_and_adds_up_to_its_own_cost(
    open_page: Open, bench: Workbench, fake: Running, make_run: Run
) -> None:
    run_id = paid_run(bench, fake)
    make_run("A text played by a script.")
    page = open_page().switch_page("runs_page.py").run()
    page.get_by_key("runs-view").set_value("costs").run()
    words = said(page)
    spent = bench.read(run_id).cost
    assert spent
    assert f"**€{spent:,.4f}**" in words
    names = [sorted(frame.value["name"]) for frame in page.dataframe]
    assert sorted(names) == [["Classic"], ["Critic", "Writer"], ["lab · steady"]]


def test_without_a_call_the_costs_say_so(open_page: Open) -> None:
    page = open_page().switch_page("runs_page.py").run()
    page.get_by_key("runs-view").set_value("costs").run()
    assert "No call to a model in this time." in said(page)


def test_every_day_of_the_period_has_its_place() -> None:
    days = costs.calendar(7)
    assert len(days) == 7
    assert days == sorted(days)


def test_caps_stand_beside_what_was_used_today_and_hold_from_the_next_call_on(bench: Workbench, fake: Running) -> None:
    paid_run(bench, fake)
    path = bench.settings.home / caps.FILE
    path.write_text("# mine\nday: {time: 60, calls: 5}\nendpoints:\n  gone: {tokens: 7}\n")
    found = settings_caps.read()
    assert found is not None
    frame = settings_caps.frame(found)
    assert list(frame["name"]) == ["All together", "openai", "lab", "gone"]
    assert frame["used"][2].startswith("€")
    assert frame["used"][1] == "–"
    frame.loc[2, ["money", "currency"]] = [1.5, "EUR"]
    frame.loc[0, "calls"] = float("nan")
    frame.loc[3, "tokens"] = float("nan")
    settings_caps.save(frame)
    assert caps.read(read_table(path)) == {
        caps.ALL: caps.Cap(time=60.0),
        "lab": caps.Cap(money=Decimal("1.5"), currency="EUR"),
    }
    assert "# mine" in path.read_text()
