"""The doors that runs really use: prices beforehand, and checks that break."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from refine.checks import CHECKS
from refine.doors import PRICES_FILE, verify_steps, world_doors
from refine.errors import SettingsError
from refine.live import LiveTexts
from refine.runs import Order, Workbench
from refine.settings import Keys, load
from refine.store import Store
from refine.tools import declare
from refine.types import CheckCall, Message, ModelCall, RunSpec, Task, ToolCall

PAID = "https://models.example/v1"
CALL = ModelCall("writer", (Message("user", ("word " * 100,)),))


def bench(home: Path) -> Workbench:
    settings = load({"REFINE_HOME": str(home)}, base_url=PAID, api_key="sk-test-0123456789", model="m")
    store, keys = Store.open(home), Keys(home, {})
    keys.put(settings.default_endpoint, "sk-test-0123456789")
    return Workbench(settings, store, world_doors(settings, keys, store), keys, LiveTexts())


def order(**limits: str) -> Order:
    changes = {f"limits.{name}": value for name, value in limits.items()}
    return Order("A draft of some words.", variant="classic", changes=changes)


def test_a_money_limit_without_a_price_falls_back_to_tokens_and_says_so(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    said = workbench.unkept(workbench.prepare(order(money="0.5", tokens="9000")))
    assert said == [
        "the price of m at given is not known: the money limit does not count it, 9,000 tokens hold instead"
    ]
    assert workbench.unkept(workbench.prepare(order())) == []


def test_a_money_limit_that_nothing_bounds_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="price of 'm' at 'given' is not known, and the limit on tokens is off"):
        bench(tmp_path).prepare(order(money="0.5", tokens="none"))


def test_a_money_limit_over_prices_in_two_currencies_is_refused_in_words(tmp_path: Path) -> None:
    rows = "given:\n  m: {input: 1, output: 10, currency: EUR}\n  n: {input: 1, output: 10, currency: CNY}\n"
    (tmp_path / PRICES_FILE).write_text(rows, encoding="utf-8")
    asked = order(money="0.5")
    asked = replace(asked, changes={**asked.changes, "role.critic.model": "n"})
    with pytest.raises(SettingsError, match=r"paid in (EUR and CNY|CNY and EUR)"):
        bench(tmp_path).prepare(asked)


def test_the_most_that_a_call_can_cost_is_known_beforehand(tmp_path: Path) -> None:
    (tmp_path / PRICES_FILE).write_text("given:\n  m: {input: 1, output: 10}\n", encoding="utf-8")
    workbench = bench(tmp_path)
    spec = workbench.prepare(order(money="0.5"))
    spec = replace(spec, roles=tuple(replace(role, max_tokens=1_000) for role in spec.roles))
    worst = workbench._doors.worst(spec, CALL)
    assert worst.money is not None
    assert Decimal("0.01") < worst.money < Decimal("0.02")


async def test_a_check_that_breaks_is_left_out_in_words(tmp_path: Path) -> None:
    class Broken(str):
        """A text on which every check breaks."""

        def __len__(self) -> int:
            raise RuntimeError("broken")

    reply = await bench(tmp_path)._doors.check(CheckCall("repeats", Broken("x"), {"language": "en"}))
    assert [finding["rule"] for finding in reply.value] == ["check.failed"]
    assert "repeats" in CHECKS


def test_a_check_that_a_setting_speaks_of_runs_beside_those_named(tmp_path: Path) -> None:
    changes = {"checks.terms.ban": "[leverage]"}
    spec = bench(tmp_path).prepare(Order("A draft.", variant="classic", checks="kept", changes=changes))
    assert list(spec.checks) == ["kept", "terms"]


# --- tools -----------------------------------------------------------------------------------------------------------


def steps(tools: list[str], **options: object) -> RunSpec:
    return RunSpec(
        "react",
        "react",
        Task("t", "A draft with a cat.", language="en"),
        options={"workspace": "run-1", **options},
        tools=declare(tools, "en"),
    )


async def test_a_run_uses_the_tools_it_names_and_no_others(tmp_path: Path) -> None:
    doors = bench(tmp_path)._doors
    spec = steps(["calculator", "count_in_draft"])
    reply = await doors.tool(spec, ToolCall("calculator", {"expression": "6*7"}))
    assert (reply.content, reply.value) == ("42", None) and 0 <= reply.seconds < 5
    reply = await doors.tool(spec, ToolCall("count_in_draft", {"text": "cat"}))
    assert reply.content == "“cat” in the draft: 1"
    reply = await doors.tool(spec, ToolCall("delete_note", {"name": "a.txt"}))
    assert reply.value == {"error": "unknown"}
    assert reply.content == "There is no tool delete_note. Available: calculator, count_in_draft."
    reply = await doors.tool(spec, ToolCall("calculator", {}))
    assert reply.value == {"error": "arguments"}
    reply = await doors.tool(spec, ToolCall("calculator", {"expression": "1/0"}))
    assert reply.value == {"error": "failed"}


async def test_a_run_s_files_are_in_its_own_workspace_and_its_result_is_checked_there(tmp_path: Path) -> None:
    doors = bench(tmp_path)._doors
    spec = steps(["list_notes"], workspace_from="notes")
    reply = await doors.tool(spec, ToolCall("list_notes"))
    assert reply.content == "repair-table.txt: raw\nspring-fair.txt: raw"
    assert (tmp_path / "workspaces" / "run-1" / "notes" / "spring-fair.txt").is_file()
    asked = {"checks": [{"is": "number"}, {"is": "report"}], "workspace": "run-1", "language": "en"}
    reply = await doors.check(CheckCall("result", "It is done.", asked))
    assert reply.value == ["The answer holds no number.", "The file report.md is missing or empty."]
    assert (await doors.check(CheckCall("result", "It is 3.", {"checks": [{"is": "number"}]}))).value == []


async def test_facts_are_found_again_in_a_later_run(tmp_path: Path) -> None:
    spec = steps(["remember", "recall"])
    await bench(tmp_path)._doors.tool(spec, ToolCall("remember", {"fact": "Ann signs all letters."}))
    reply = await bench(tmp_path)._doors.tool(spec, ToolCall("recall", {"words": "letters"}))
    assert reply.content == "- Ann signs all letters."


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"workspace": "../x"}, "cannot name a workspace"),
        ({"workspace_from": "nowhere"}, "no sample world"),
    ],
)
def test_a_workspace_that_cannot_be_is_refused_before_a_run(change: dict[str, str], told: str, tmp_path: Path) -> None:
    verify_steps(steps(["calculator"]), tmp_path)
    with pytest.raises(SettingsError, match=told):
        verify_steps(steps(["calculator"], **change), tmp_path)
    with pytest.raises(SettingsError, match="should have an `is`"):
        verify_steps(replace(steps([]), task=Task(result_checks=({"is": "magic"},))), tmp_path)


def test_a_run_that_names_no_workspace_gets_one_of_its_own(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    ids = [workbench.start(replace(steps(["list_notes"]), options={}), queue=False) for _ in range(2)]
    assert [workbench.read(run_id).spec.options["workspace"] for run_id in ids] == ids
    kept = workbench.start(steps(["list_notes"]), queue=False)
    assert workbench.read(kept).spec.options["workspace"] == "run-1"
