"""The ledger is what the server counted, to the token: through refusals, retries, cut replies and runs at once."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from refine import bill, views
from refine.caps import FILE
from refine.doors import PRICES_FILE, WorldDoors, world_doors
from refine.errors import ModelError
from refine.forecast import ANY, forecast
from refine.ledger import add_costs, money_of
from refine.live import LiveTexts
from refine.models.fake_server import Running, Script, running
from refine.models.prices import MILLION
from refine.runs import Workbench
from refine.settings import Keys, load
from refine.store import Store, Total
from refine.types import Json, Role, RunSpec, Task
from refine.views import RunView

RUNS = 500 if int(os.environ.get("REFINE_EXAMPLES", "100")) >= 1_000 else 50
PATIENCE = 2.4 * RUNS
"""Seconds for all of them."""
DRAFT = "The boats are very late. It rains until March 3, and Anna pays 1,200 euros in order to leave the harbour."
PRICES = "given: {'*': {input: 3, output: 11, cached: 0.3, currency: EUR, date: 2026-11-01}}\n"


@dataclass(frozen=True)
class Impatient(WorldDoors):
    """Tries again as often as ever, and at once."""

    def wait(self, error: ModelError, attempt: int) -> float | None:
        return None if super().wait(error, attempt) is None else 0.0


@pytest.fixture
def server() -> Iterator[Running]:
    with running(Script()) as server:
        yield server


@contextmanager
def bench(home: Path, server: Running, table: str = PRICES, caps: str = "") -> Iterator[Workbench]:
    home.mkdir(exist_ok=True)
    (home / PRICES_FILE).write_text(table, encoding="utf-8")
    (home / FILE).write_text(caps, encoding="utf-8")
    store = Store.open(home, summarise=lambda records: views.row(views.read(records)))
    settings, keys = load({"REFINE_HOME": str(home)}, base_url=server.url, model="steady"), Keys(home, {})
    doors = world_doors(settings, keys, store)
    doors = Impatient(**{name: getattr(doors, name) for name in doors.__dataclass_fields__})
    yield Workbench(settings, store, doors, keys, LiveTexts())
    store.close()


def spec(workbench: Workbench, model: str, number: int) -> RunSpec:
    return RunSpec(
        "refine",
        f"variant-{number % 3}",
        Task(f"Run {number}", f"{DRAFT} Number {number}.", language="en"),
        (
            Role("writer", "Rewrite it.", "given", f"{model}@writer"),
            Role("critic", "Judge it.", "given", f"{model}@critic"),
        ),
        stops={"max_rounds": 4},
        limits={"failures": None},
        endpoints=(workbench.settings.endpoints["given"],),
    )


def executed(workbench: Workbench, specs: list[RunSpec], at_once: int) -> list[RunView]:
    ids = [workbench.start(spec, queue=True) for spec in specs]
    worker = workbench.make_worker(at_once)
    worker.start()
    pause = threading.Event()
    for _ in range(int(PATIENCE / 0.02)):
        if not workbench.store.unfinished():
            break
        pause.wait(0.02)
    worker.stop()
    found = [workbench.read(run_id) for run_id in ids]
    assert all(view.ended for view in found)
    return found


# --- random replies --------------------------------------------------------------------------------------------------


def reply(chance: random.Random, number: int, part: str) -> Json:
    fate = chance.random()
    if fate < 0.1:
        return {"status": chance.choice([429, 500, 503]), "error": {"error": {"message": "later"}},
                "headers": {"retry-after": "0"}}  # fmt: skip
    tokens_in, tokens_out = chance.randint(50, 5_000), chance.randint(20, 900)
    usage = {
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "cached_tokens": chance.randint(0, tokens_in),
        "reasoning_tokens": chance.randint(0, tokens_out),
    }
    content = (
        f"{DRAFT} Written {number}." if part == "writer" else chance.choice(["APPROVED", f"Flat at {number}."] * 2)
    )
    return {"content": content, "usage": usage, "fault": chance.choice(["cut", "drop"]) if fate < 0.2 else ""}


def given_out(all_of_them: list[Json], left: Any) -> list[Json]:
    return all_of_them[: len(all_of_them) - len(left)]


@pytest.mark.parametrize("at_once", [1, 8])
def test_random_runs_use_what_the_server_counted(server: Running, tmp_path: Path, at_once: int) -> None:
    chance = random.Random(7)
    made = {part: [reply(chance, n, part) for n in range(18 * RUNS)] for part in ("writer", "critic")}
    server.script.take({"roles": made})
    with bench(tmp_path, server) as workbench:
        runs = executed(workbench, [spec(workbench, "steady", number) for number in range(RUNS)], at_once)
        ledger = workbench.store.attempts(10_000)
        (total,) = workbench.store.totals()
        by_role = {one.keys["role"]: one for one in workbench.store.totals("role")}
        by_run = workbench.store.totals("run_id")
        by_both = workbench.store.totals("run_id", "role", "endpoint", "model")
    served = {part: given_out(made[part], server.script.roles[part]) for part in made}
    sent = [one for part in served.values() for one in part]
    whole = [one["usage"] for one in sent if "usage" in one and not one["fault"]]
    cut = [one for one in sent if one.get("fault")]
    assert len(cut) > 10 and sum("status" in one for one in sent) > 10

    exact = [one for one in ledger if one.usage and not one.usage.estimated]
    for name in ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens"):
        assert sum(getattr(one.usage, name) for one in exact) == sum(used[name] for used in whole)
    counted = server.script.input_tokens, server.script.output_tokens
    lost = [sum(one["usage"][name] for one in cut) for name in ("input_tokens", "output_tokens")]
    assert (sum(one.usage.input_tokens for one in exact if one.usage) + lost[0], counted[1]) == (
        counted[0],
        sum(one.usage.output_tokens for one in exact if one.usage) + lost[1],
    )

    assert len(ledger) == server.script.requests == len(sent) == total.calls
    assert sum(bool(one.failure) for one in ledger) == len(sent) - len(whole) == total.failed
    estimated = [one for one in ledger if one.usage and one.usage.estimated]
    assert len(estimated) == len(cut) and all(one.usage and one.usage.input_tokens > 0 for one in estimated)
    assert {role: one.calls for role, one in by_role.items()} == {part: len(served[part]) for part in served}

    price = Decimal(3), Decimal("0.3"), Decimal(11)
    paid = sum(
        (used["input_tokens"] - used["cached_tokens"]) * price[0] + used["cached_tokens"] * price[1]
        + used["output_tokens"] * price[2]
        for used in whole
    )  # fmt: skip
    assert sum(one.usage.cost or 0 for one in exact if one.usage) == paid / MILLION
    assert total.cost == add_costs(money_of(one.usage) for one in ledger) and total.cost.currency == "EUR"
    assert {one.keys["run_id"]: one.cost for one in by_run} == {view.run_id: view.money for view in runs}
    assert {view.run_id: view.usage.output_tokens for view in runs} == {
        one.keys["run_id"]: one.usage.output_tokens for one in by_run
    }
    billed = [({"run_id": view.run_id, **one.keys}, *figures(one)) for view in runs for one in bill.by_role(view)]
    assert sorted(billed, key=repr) == sorted([(one.keys, *figures(one)) for one in by_both], key=repr)


def figures(total: Total) -> tuple[Any, ...]:
    return total.calls, total.failed, total.usage, total.cost


def test_the_same_runs_use_the_same_one_by_one_and_eight_at_once(server: Running, tmp_path: Path) -> None:
    found = []
    for at_once in (1, 8):
        server.script.reset()
        with bench(tmp_path / str(at_once), server) as workbench:
            models = "steady", "thinking", "rate-limited", "malformed"
            executed(workbench, [spec(workbench, models[number % 4], number) for number in range(8)], at_once)
            groups = workbench.store.totals("variant", "role", "model")
            found.append([(one.keys, one.calls, one.failed, one.usage, one.cost) for one in groups])
            counted = server.script.input_tokens, server.script.output_tokens
            used = [one.usage for one in groups]
            assert (sum(one.input_tokens for one in used), sum(one.output_tokens for one in used)) == counted
    assert found[0] == found[1]


def test_a_price_that_is_changed_later_changes_no_old_run(server: Running, tmp_path: Path) -> None:
    with bench(tmp_path, server) as workbench:
        (view,) = executed(workbench, [spec(workbench, "steady", 1)], 1)
    with bench(tmp_path, server, PRICES.replace("input: 3", "input: 3000")) as workbench:
        assert workbench.read(view.run_id).money == view.money
        assert workbench.store.totals()[0].cost == view.money
        used = {call.usage.price for call in view.attempts if call.usage and call.usage.cost}
        assert {(str(price.input), price.source, price.date) for price in used if price} == {
            ("3", "prices.yaml", "2026-11-01")
        }
        (after,) = executed(workbench, [spec(workbench, "steady", 1)], 1)
        assert after.money.known > view.money.known


def test_a_run_is_foreseen_by_the_runs_before(server: Running, tmp_path: Path) -> None:
    with bench(tmp_path, server) as workbench:
        asked = spec(workbench, "steady", 1)
        assert {*workbench.habits(asked).values()} == {ANY}
        (view,) = executed(workbench, [asked], 1)
        known = workbench.habits(asked)
        actual = view.usage.input_tokens + view.usage.output_tokens
        before, after = (forecast(asked, lambda _, usage: usage, habits) for habits in ({}, known))
    assert before.seconds is None and after.seconds is not None
    low, high = after.tokens
    assert low <= actual <= high < before.tokens[1] / 2


# --- caps ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 8])
@pytest.mark.parametrize(
    ("caps", "reason"),
    [
        ("day: {tokens: 6000}", "tokens"),
        ("day: {calls: 23}", "calls"),
        ("day: {money: 0.05, currency: EUR}", "budget"),
        ("endpoints: {given: {tokens: 6000}}", "tokens"),
    ],
)
def test_no_cap_of_the_day_is_passed_by_many_runs(
    server: Running, tmp_path: Path, caps: str, reason: str, at_once: int
) -> None:
    with bench(tmp_path, server, caps=caps) as workbench:
        specs = [with_limit(spec(workbench, "never-satisfied", number), 200) for number in range(12)]
        runs = executed(workbench, specs, at_once)
        (total,) = workbench.store.totals()
        tokens = total.usage.input_tokens + total.usage.output_tokens
        within = {"tokens": tokens <= 6_000, "calls": total.calls <= 23, "budget": total.cost.known <= Decimal("0.05")}
        assert within[reason]
        assert {"tokens": tokens > 5_000, "calls": total.calls == 23, "budget": total.cost.known > Decimal("0.04")}[
            reason
        ]
        assert total.calls == server.script.requests
        stopped = [view for view in runs if view.reason == reason]
        assert stopped and all("The cap of the day" in view.error for view in stopped)
        assert {view.cap for view in stopped} == {"given" if "endpoints" in caps else ""}
        assert all("the day's cap on" in views.reason_of(view).lower() for view in stopped)


def with_limit(spec: RunSpec, most: int) -> RunSpec:
    return replace(spec, roles=tuple(replace(role, max_tokens=most) for role in spec.roles))


def test_what_was_used_before_a_restart_counts(server: Running, tmp_path: Path) -> None:
    with bench(tmp_path, server, caps="day: {calls: 8}") as workbench:
        executed(workbench, [spec(workbench, "steady", 1)], 1)
    used = server.script.requests
    with bench(tmp_path, server, caps="day: {calls: 8}") as workbench:
        (view,) = executed(workbench, [spec(workbench, "never-satisfied", 2)], 1)
    assert 0 < used < 8
    assert (server.script.requests, view.reason) == (8, "calls")


def test_a_run_of_unknown_price_says_that_tokens_hold_instead(server: Running, tmp_path: Path) -> None:
    table = "far: {'*': {input: 1}}\n"  # half of a price is none
    caps = "day: {money: 1, tokens: 500000}"
    with bench(tmp_path, server, table, caps) as workbench:
        far = replace(workbench.settings.endpoints["given"], name="far")
        asked = replace(spec(workbench, "steady", 1), endpoints=(far,), limits={"money": 1})
        asked = replace(asked, roles=tuple(replace(role, endpoint="far") for role in asked.roles))
        (view,) = executed(workbench, [asked], 1)
    assert view.cost is None and view.status == "done"
    models = "steady@critic", "steady@writer"
    assert view.adapted == (
        f"the price of {models[0]} at far is not known: the money limit does not count it, 400,000 tokens hold instead",
        "the day's cap of 1 USD counts no call of unknown price: 500,000 tokens a day hold instead",
        f"the price of {models[1]} at far is not known: the money limit does not count it, 400,000 tokens hold instead",
    )
