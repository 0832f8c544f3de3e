"""What was foreseen of a run stays what it was; and what the caps of the day leave for the next call."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from refine import outlook
from refine.caps import ALL, FILE, Cap, Used
from refine.doors import PRICES_FILE
from refine.errors import SettingsError
from refine.events import Record, Started
from refine.forecast import forecast
from refine.ledger import Cost
from refine.models.fake_server import Running, running
from refine.runs import Order, Workbench, open_workbench
from refine.store import Total
from refine.types import RunSpec, Task, Usage
from refine.views import read

DRAFT = "We met at the the gate. It was late."
PRICES = "given: {'*': {input: 1000, output: 2000, currency: EUR}}\n"


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def bench(tmp_path: Path, server: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    (tmp_path / PRICES_FILE).write_text(PRICES, encoding="utf-8")
    bench = open_workbench(base_url=server.url, model="steady")
    yield bench
    bench.store.close()


def run(bench: Workbench, draft: str = DRAFT) -> str:
    run_id = bench.start(bench.prepare(Order(draft=draft, variant="classic")), queue=False)

    async def whole() -> None:
        await bench.execute(run_id)
        await bench.aclose()

    asyncio.run(whole())
    return run_id


def test_a_run_is_foreseen_by_the_runs_before_it_and_at_the_prices_it_paid(bench: Workbench) -> None:
    first = bench.read(run(bench))
    before = outlook.foreseen(bench, first)
    assert before == forecast(first.spec, lambda role, usage: bench.priced(first.spec, role, usage))
    second = bench.read(run(bench))
    guessed = outlook.foreseen(bench, second)
    assert before is not None and guessed is not None
    assert before.seconds is None and guessed.seconds is not None
    assert guessed.calls[0] <= second.calls <= guessed.calls[1]
    low, high = guessed.cost
    assert low.known <= second.money.known <= high.known

    run(bench, DRAFT * 20)
    (bench.settings.home / PRICES_FILE).write_text(PRICES.replace("1000", "9"), encoding="utf-8")
    assert outlook.foreseen(bench, bench.read(second.run_id)) == guessed


def test_a_run_without_models_is_not_foreseen_and_one_whose_endpoint_is_gone_has_no_price(bench: Workbench) -> None:
    spec = RunSpec("refine", "offline", Task(draft=DRAFT), checks={"repeats": {}})
    assert outlook.foreseen(bench, read([Record("r", 0, 0.0, Started(spec))])) is None
    spec = bench.prepare(Order(draft=DRAFT, variant="classic"))
    gone = replace(spec, roles=tuple(replace(role, endpoint="gone") for role in spec.roles))
    found = outlook.foreseen(bench, read([Record("r", 0, 0.0, Started(gone))]))
    assert found is not None and found.calls == (3, 7) and not found.cost[1].complete


# --- caps of the day -------------------------------------------------------------------------------------------------


def test_a_cap_of_an_endpoint_counts_its_calls_and_that_of_the_day_all() -> None:
    far = Total({"endpoint": "far"}, 2, 0, Usage(300, 100), Cost(Decimal("0.5")), 3.0)
    near = Total({"endpoint": "near"}, 1, 0, Usage(10, 1), Cost(Decimal("0.2"), currency="EUR"), 1.0)
    found = outlook.standing({ALL: Cap(calls=9), "near": Cap(tokens=50)}, [far, near])
    assert [(day.whose, day.used) for day in found] == [
        (ALL, Used({"USD": Decimal("0.5"), "EUR": Decimal("0.2")}, 411, 4.0, 3)),
        ("near", Used({"USD": Decimal(0), "EUR": Decimal("0.2")}, 11, 1.0, 1)),
    ]


def test_without_a_cap_nothing_is_refused(bench: Workbench) -> None:
    assert outlook.days(bench) == []
    assert outlook.refused(bench, bench.prepare(Order(draft=DRAFT, variant="classic"))) is None


def test_a_run_that_a_cap_stopped_may_go_on_once_the_cap_is_raised(bench: Workbench) -> None:
    file = bench.settings.home / FILE
    file.write_text("day: {calls: 2}\nendpoints: {elsewhere: {calls: 0}}\n", encoding="utf-8")
    view = bench.read(run(bench))
    assert (view.reason, view.cap, view.calls) == ("calls", ALL, 2)
    refused = outlook.refused(bench, view.spec)
    assert refused is not None and (refused.reason, refused.whose) == ("calls", ALL)
    file.write_text("day: {calls: 3}\nendpoints: {elsewhere: {calls: 0}}\n", encoding="utf-8")
    assert outlook.refused(bench, view.spec) is None
    file.write_text("endpoints: {given: {money: 0.1, currency: EUR}}\n", encoding="utf-8")
    refused = outlook.refused(bench, view.spec)
    assert refused is not None and (refused.reason, refused.whose) == ("budget", "given")


def test_a_broken_file_of_caps_is_one_sentence(bench: Workbench) -> None:
    (bench.settings.home / FILE).write_text("week: {calls: 2}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="holds day and endpoints"):
        outlook.days(bench)
