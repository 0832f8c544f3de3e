"""What one run cost stands on its page in a fold; where a cap of the day ended it, the page says what helps."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from decimal import Decimal

import pytest
from streamlit.testing.v1 import AppTest

from refine import caps
from refine.caps import Cap, Used
from refine.models.fake_server import Running, running
from refine.outlook import Day
from refine.runs import Order, Workbench
from refine.settings import write_endpoint
from refine.types import Endpoint
from refine.ui import day_caps, react_run
from tests.ui.conftest import Open, Run, run_in_address, said

TEXT = "I have have a letter. It is due to the fact that you wrote."
PRICES = "lab:\n  '*': {input: 2, output: 8, cached: 1, currency: EUR}\n"


@pytest.fixture
def lab(bench: Workbench) -> Iterator[Running]:
    """A server that counts tokens, with prices."""
    with running() as fake:
        write_endpoint(bench.settings.home, Endpoint("lab", fake.url))
        (bench.settings.home / "prices.yaml").write_text(PRICES)
        yield fake


def paid(bench: Workbench, model: str = "steady", **changes: str) -> str:
    made = {f"role.{role}.{field}": value for role in ("writer", "critic")
            for field, value in (("endpoint", "lab"), ("model", model))}  # fmt: skip
    made |= {name.replace("__", "."): value for name, value in changes.items()}
    return executed(bench, Order(draft=TEXT, variant="classic", changes=made))


def executed(bench: Workbench, order: Order) -> str:
    run_id = bench.start(bench.prepare(order))

    async def whole() -> None:
        await bench.execute(run_id)
        await bench.aclose()

    asyncio.run(whole())
    return run_id


def fold(page: AppTest) -> str:
    """The label of the fold."""
    (found,) = [one.label for one in page.expander if one.label.startswith(("Cost", "Free", "费用", "免费"))]
    return str(found)


def figures(page: AppTest, first: str) -> list[list[str]]:
    """The rows of the table whose first column has this name, as texts."""
    (frame,) = [frame.value for frame in page.dataframe if frame.value.columns[0] == first]
    return [[str(value) for value in row] for row in frame.to_numpy().tolist()]


# --- the fold --------------------------------------------------------------------------------------------------------


def test_the_label_says_cost_limit_and_estimate(open_page: Open, bench: Workbench, lab: Running) -> None:
    run_id = paid(bench, limits__money="0.5")
    view = bench.read(run_id)
    label = fold(open_page(run=run_id))
    assert label.startswith(f"Cost: €{view.money.known:.4f} of at most €0.50 · the estimate was €0.0")


def test_every_role_has_a_row_and_the_shares_are_a_whole(open_page: Open, bench: Workbench, lab: Running) -> None:
    run_id = paid(bench)
    view = bench.read(run_id)
    page = open_page(run=run_id)
    rows = figures(page, "role")
    assert [row[:2] for row in rows] == [["Writer", "steady"], ["Critic", "steady"]]
    (frame,) = [frame.value for frame in page.dataframe if frame.value.columns[0] == "role"]
    assert sum(Decimal(cost) for cost in frame["cost"]) == pytest.approx(view.money.known, abs=Decimal("0.0001"))
    assert sum(frame["tokens_in"]) == view.usage.input_tokens
    assert sum(frame["share"]) == pytest.approx(100, abs=0.2)


def test_what_was_used_stands_beside_the_estimate_and_the_limits(
    open_page: Open, bench: Workbench, lab: Running
) -> None:
    run_id = paid(bench, limits__money="0.5", limits__time="none", limits__tokens="9000")
    view = bench.read(run_id)
    rows = {row[0]: row[1:] for row in figures(open_page(run=run_id), "what")}
    assert [*rows] == ["Cost", "Tokens", "Calls", "Time"]
    assert rows["Cost"][0] == f"€{view.money.known:.4f}" and rows["Cost"][2] == "€0.50"
    assert rows["Tokens"][0] == f"{view.spent.tokens:,}" and rows["Tokens"][2] == "9,000"
    assert rows["Calls"] == [str(view.calls), "3–7", "100"]
    assert rows["Time"][2] == "no limit"


def test_without_a_price_the_label_speaks_of_tokens(open_page: Open, bench: Workbench, lab: Running) -> None:
    (bench.settings.home / "prices.yaml").write_text("lab:\n  '*': {input: 2}\n")
    run_id = paid(bench)
    used = bench.read(run_id).spent.tokens
    label = fold(open_page(run=run_id))
    assert label.startswith(f"Cost unknown · {used:,} of at most 400,000 tokens · the estimate was ")


def test_what_costs_nothing_says_so_and_checks_alone_have_no_fold(open_page: Open, make_run: Run) -> None:
    assert fold(open_page(run=make_run(TEXT))).startswith("Free of charge · ")
    page = open_page(run=make_run(TEXT, variant="offline"))
    assert not [one for one in page.expander if "ost" in one.label]


def test_failed_calls_are_told(open_page: Open, bench: Workbench, lab: Running) -> None:
    run_id = paid(bench, role__critic__model="failing", limits__failures="1")
    page = open_page(run=run_id)
    assert "1 call failed." in said(page)
    assert [row for row in figures(page, "role") if row[0] == "Critic"]


def test_a_conversation_has_the_fold_too_and_its_estimate_is_for_the_questions_it_began_with(
    open_page: Open, bench: Workbench, lab: Running
) -> None:
    changes = {"role.actor.endpoint": "lab", "role.actor.model": "steady", "options.chat": "on", "limits.money": "0.1"}
    order = Order(brief="What is 12 * 12?", variant="react", technique="react", changes=changes, somebody=True)
    run_id = executed(bench, order)
    page = open_page().switch_page("react_page.py")
    page.query_params["run"] = run_id
    page.run()
    assert "of at most €0.10 · the estimate was" in fold(page)
    assert figures(page, "role")[0][0] == "Actor"
    bench.answer(run_id, "And 13 * 13?")
    asyncio.run(bench.execute(run_id))
    assert "the estimate for the first question was" in fold(page.run())


def test_while_a_run_goes_on_its_bar_says_what_it_may_cost_and_there_is_no_fold(
    open_page: Open, make_run: Run, bench: Workbench
) -> None:
    limited, free = (make_run(TEXT, execute=False, changes=changes) for changes in ({"limits.money": "0.5"}, {}))
    bars = [open_page(run=run_id).get("progress")[0].proto.text for run_id in (limited, free)]
    assert bars == ["**Review 1 of at most 4** · at most \\$0.50", "**Review 1 of at most 4**"]
    assert "of at most" not in " ".join(one.label for one in open_page(run=limited).expander)
    changes = {"role.actor.endpoint": "scripted", "role.actor.model": "steady", "limits.money": "2"}
    order = Order(brief="What is 12 * 12?", variant="react", technique="react", changes=changes)
    assert react_run.progress_words(bench.read(bench.start(bench.prepare(order)))) == (
        "**Step 1 of at most 12** · at most \\$2.00"
    )


def test_the_fold_speaks_chinese(open_page: Open, bench: Workbench, lab: Running) -> None:
    label = fold(open_page(run=paid(bench, limits__money="0.5"), lang="zh"))
    assert "上限 €0.50" in label and "预计" in label and "at most" not in label


# --- caps of the day -------------------------------------------------------------------------------------------------


def capped(bench: Workbench, caps_file: str) -> None:
    (bench.settings.home / caps.FILE).write_text(caps_file)


def test_after_a_cap_of_the_day_it_is_raised_or_waited_for_and_no_limit_is_doubled(
    open_page: Open, bench: Workbench, lab: Running
) -> None:
    capped(bench, "day: {calls: 2}\n")
    run_id = paid(bench)
    page = open_page(run=run_id)
    assert "The day's cap on calls was reached. Raise the cap, or continue tomorrow." in page.warning[0].value
    assert [badge.value for badge in page.get("badge")] or "Cap of the day reached" in said(page)
    assert page.button(key="raise-cap").label == "Raise the cap"
    assert "carry-on" not in {button.key for button in page.button}

    capped(bench, "day: {calls: 200}\n")
    page.run()
    assert "There is room again, so it can go on." in page.warning[0].value
    assert "raise-cap" not in {button.key for button in page.button}
    assert page.button(key="carry-on").label == "Continue"
    page.button(key="carry-on").click().run()
    fork = bench.read(run_in_address(page)).spec
    assert fork.parent == (run_id, 0) and fork.limits == bench.read(run_id).spec.limits


def test_a_run_that_a_cap_stopped_before_its_first_call_is_started_again(
    open_page: Open, bench: Workbench, lab: Running
) -> None:
    capped(bench, "endpoints: {lab: {tokens: 5}}\n")
    run_id = paid(bench)
    page = open_page(run=run_id)
    assert "could have passed the day's cap on tokens at “lab”." in page.warning[0].value
    capped(bench, "")
    page.run().button(key="carry-on").click().run()
    assert bench.read(run_in_address(page)).spec.parent is None


def test_a_limit_of_the_run_is_still_doubled(open_page: Open, bench: Workbench, lab: Running) -> None:
    capped(bench, "day: {calls: 200}\n")
    page = open_page(run=paid(bench, limits__calls="2"))
    assert page.button(key="carry-on").label == "Double the limit and continue"


def test_a_conversation_that_a_cap_stopped_offers_the_same(open_page: Open, bench: Workbench, lab: Running) -> None:
    capped(bench, "day: {calls: 1}\n")
    changes = {"role.actor.endpoint": "lab", "role.actor.model": "steady"}
    run_id = executed(bench, Order(brief="What is 12 * 12?", variant="react", technique="react", changes=changes))
    page = open_page().switch_page("react_page.py")
    page.query_params["run"] = run_id
    page.run()
    assert page.button(key="raise-cap").label == "Raise the cap"
    capped(bench, "day: {calls: 100}\n")
    assert page.run().button(key="carry-on").label == "Continue"


# --- before a run ----------------------------------------------------------------------------------------------------


def start_form(open_page: Open) -> AppTest:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    for role in ("writer", "critic"):
        page.selectbox(key=f"classic.{role}.model").set_value("steady").run()
    return page


def test_the_start_page_says_what_is_used_of_the_caps_that_hold_there(
    open_page: Open, bench: Workbench, lab: Running
) -> None:
    assert "Today:" not in said(start_form(open_page))
    paid(bench)
    capped(bench, "day: {money: 5, currency: EUR, calls: 5000}\nendpoints: {lab: {calls: 50}, far: {calls: 1}}\n")
    calls = sum(total.calls for total in bench.store.totals())
    (line,) = [line for line in said(start_form(open_page)).splitlines() if line.startswith("Today:")]
    assert line == f"Today: {calls} of 5,000 calls, {calls} of 50 calls at lab used"


@pytest.mark.parametrize(
    ("cap", "used", "words"),
    [
        (Cap(money=Decimal(5)), Used({"USD": Decimal("1.2")}), (0.24, "$1.20 of $5.00")),
        (Cap(money=Decimal(5), calls=10), Used({"USD": Decimal("1.2")}, calls=9), (0.9, "9 of 10 calls")),
        (Cap(tokens=2_000_000), Used(tokens=120_000), (0.06, "120,000 of 2,000,000 tokens")),
        (Cap(time=600.0), Used(seconds=90.0), (0.15, "1:30 of 10:00")),
        (Cap(calls=0), Used(), (1.0, "0 of 0 calls")),
    ],
)
def test_of_a_cap_what_is_used_up_most_is_told(
    bench: Workbench, cap: Cap, used: Used, words: tuple[float, str]
) -> None:
    share, told = day_caps.tightest(Day(caps.ALL, cap, used))
    assert (round(share, 3), told) == words
    assert day_caps.tightest(Day("lab", cap, used))[1] == f"{told} at lab"


def test_a_broken_file_of_caps_does_not_break_the_start_page(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    capped(bench, "week: 5\n")
    page.run()
    assert not page.exception and "Today:" not in said(page)
