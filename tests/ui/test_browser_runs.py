"""The list of runs, the trace, the fork and the example in a real browser. One server for all."""

from __future__ import annotations

import asyncio
import json
import os
import re
from contextlib import closing
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from docs.make_pictures import CHROMIUM, NARROW, WIDE, page, server_of, settled  # noqa: E402
from refine.runs import Order, open_workbench  # noqa: E402
from refine.store import Store  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

ALPHA = "# Alpha\n\nI have have a letter. It is due to the fact that you wrote to us."
BETA = "# Beta\n\nAnother text, in order to have two."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs that have ended: Alpha was approved, Beta, the newer one, met its round limit."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFINE_HOME", str(home))
        bench = open_workbench()
        for draft, character in ((ALPHA, "steady"), (BETA, "never-satisfied")):
            roles = {f"role.{role}.{field}": value for role in ("writer", "critic")
                     for field, value in (("endpoint", "scripted"), ("model", character))}  # fmt: skip
            run_id = bench.start(bench.prepare(Order(draft, variant="classic", changes=roles)), queue=False)
            asyncio.run(bench.execute(run_id))
        bench.store.close()
    return home


def ids(home: Path) -> dict[str, str]:
    """Title -> id, the newest of each title."""
    with closing(Store.open(home)) as store:
        return {row.title: row.run_id for row in reversed(store.runs())}


def open_list(tab: Page, address: str, query: str = "") -> None:
    tab.goto(f"{address}/runs{query}")
    tab.get_by_test_id("stDataFrame").first.locator("canvas").first.wait_for()
    settled(tab)


def rows(tab: Page) -> int:
    """How many rows the first table has, by its part for screen readers."""
    return int(tab.get_by_test_id("stDataFrame").first.locator("table").first.get_attribute("aria-rowcount") or 0) - 1


def pick_row(tab: Page, n: int, x: int = 200) -> None:
    tab.get_by_test_id("stDataFrame").first.click(position={"x": x, "y": 52 + 33 * n})
    settled(tab)


def panel_shows(tab: Page, title: str) -> None:
    expect(tab.get_by_role("heading", level=3).first).to_have_text(title, timeout=15_000)


def test_a_click_anywhere_in_a_row_picks_it_and_open_shows_it(tab: Page, address: str, home: Path) -> None:
    open_list(tab, address)
    panel_shows(tab, "Beta")
    pick_row(tab, 1)
    panel_shows(tab, "Alpha")
    pick_row(tab, 0, x=18)
    panel_shows(tab, "Beta")
    pick_row(tab, 1)
    tab.locator(".st-key-open-run button").click()
    tab.wait_for_url(f"**run={ids(home)['Alpha']}*")
    expect(tab.get_by_role("heading", name="Alpha").first).to_be_visible()


def test_the_arrow_keys_walk_through_the_list(tab: Page, address: str) -> None:
    open_list(tab, address)
    pick_row(tab, 0)
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_role("heading", level=3, name="Alpha")).to_be_visible()
    tab.keyboard.press("ArrowUp")
    expect(tab.get_by_role("heading", level=3, name="Beta")).to_be_visible()


def test_search_and_state_stand_in_the_address_and_survive_a_reload(tab: Page, address: str) -> None:
    open_list(tab, address)
    tab.get_by_role("textbox", name="Search").fill("alpha")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**search=alpha*")
    tab.get_by_role("radio", name="Approved", exact=True).click()
    tab.wait_for_url("**status=approved*")
    settled(tab)
    panel_shows(tab, "Alpha")
    assert rows(tab) == 1
    tab.reload()
    tab.get_by_test_id("stDataFrame").first.wait_for()
    settled(tab)
    panel_shows(tab, "Alpha")
    assert rows(tab) == 1
    expect(tab.get_by_role("textbox", name="Search")).to_have_value("alpha")
    expect(tab.get_by_role("radio", name="Approved", exact=True)).to_be_checked()
    tab.get_by_role("radio", name="Failed", exact=True).click()
    expect(tab.get_by_text("No run fits.")).to_be_visible()
    tab.get_by_role("button", name="Show all runs").click()
    tab.wait_for_url(f"{address}/runs")


def test_the_back_button_leads_from_a_trace_to_the_list_as_it_was(tab: Page, address: str) -> None:
    open_list(tab, address, "?status=unapproved")
    tab.get_by_role("button", name="More", exact=True).click()
    tab.locator(".st-key-trace button").click()
    tab.wait_for_url("**trace=*")
    expect(tab.get_by_role("heading", name="Trace").first).to_be_visible()
    tab.go_back()
    tab.wait_for_url("**status=unapproved")
    expect(tab.get_by_role("radio", name="Not approved", exact=True)).to_be_checked()
    panel_shows(tab, "Beta")


def test_more_filters_narrow_the_list(tab: Page, address: str) -> None:
    open_list(tab, address)
    tab.get_by_role("button", name="More filters").click()
    tab.get_by_role("combobox", name="Model").click()
    tab.get_by_role("option", name="Scripted: never satisfied").click()
    tab.wait_for_url("**model=scripted*")
    settled(tab)
    assert rows(tab) == 1
    expect(tab.get_by_role("button", name="More filters · 1")).to_be_visible()


def test_the_trace_shows_prompt_reply_and_tokens_of_each_call(tab: Page, address: str, home: Path) -> None:
    open_list(tab, address, f"?trace={ids(home)['Alpha']}")
    shown = tab.get_by_test_id("stCode").all_inner_texts()
    assert any("I have have a letter." in text for text in shown)
    assert any("This needs another revision" in text for text in shown)
    expect(tab.get_by_text(re.compile(r"[\d,]+ tokens in · [\d,]+ out"))).to_be_visible()
    pick_row(tab, 0)
    expect(tab.get_by_role("heading", level=3, name="Start")).to_be_visible()
    tab.keyboard.press("ArrowDown")
    expect(tab.get_by_role("heading", level=3, name="Start")).not_to_be_visible()


def test_the_raw_log_of_a_trace_is_a_log_file(tab: Page, address: str, home: Path) -> None:
    run_id = ids(home)["Alpha"]
    open_list(tab, address, f"?trace={run_id}")
    with tab.expect_download() as download:
        tab.locator(".st-key-download-log button").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert download.value.suggested_filename == "Alpha.jsonl"
    assert [json.loads(line)["seq"] for line in lines] == [*range(len(lines))]
    assert json.loads(lines[0])["run_id"] == run_id


def test_a_fork_from_a_round_opens_the_new_run(tab: Page, address: str, home: Path) -> None:
    old = ids(home)["Beta"]
    open_list(tab, address, "?search=Beta")
    tab.locator(".st-key-fork button").click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Go on from").click()
    tab.get_by_role("option", name="Round 1").click()
    expect(dialog.get_by_text("Rounds 0–1 are not paid again.")).to_be_visible()
    dialog.get_by_role("textbox", name="The text to go on from").fill("# Beta\n\nMy own text of it.")
    dialog.get_by_role("textbox", name="What should change?").fill("Shorter, please")
    dialog.get_by_role("textbox", name="What should change?").press("Tab")
    settled(tab)
    dialog.get_by_role("button", name="Start").click()
    tab.wait_for_url("**run=*")
    assert old not in tab.url
    tab.locator(".st-key-download").wait_for(timeout=60_000)
    with closing(Store.open(home)) as store:
        spec = store.records(tab.url.partition("run=")[2].partition("&")[0])[0].event.spec  # type: ignore[union-attr]
    assert spec.parent == (old, 1)


def test_a_run_that_ends_changes_its_row_without_a_click(tab: Page, address: str) -> None:
    tab.goto(address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill("# Gamma\n\n" + "A calm sentence about bread. " * 20)
    tab.get_by_role("combobox").first.click()
    tab.get_by_role("option").filter(has_text="Classic").first.click()
    settled(tab)
    for n in (1, 2):
        tab.get_by_role("combobox").nth(n).click()
        tab.keyboard.type("scripted/slow")
        tab.keyboard.press("Enter")
        settled(tab)
    tab.locator(".st-key-start button").click()
    tab.wait_for_url("**run=*")
    tab.get_by_role("link", name="Runs").first.click()
    expect(tab.get_by_text("1 running")).to_be_visible(timeout=15_000)
    panel_shows(tab, "Gamma")
    expect(tab.get_by_text("1 running")).not_to_be_visible(timeout=60_000)
    panel_shows(tab, "Gamma")


def test_a_newcomer_is_led_to_the_finished_example(browser: Browser, tmp_path: Path) -> None:
    with server_of(tmp_path) as (_server, address), page(browser, WIDE) as tab:
        tab.goto(address)
        tab.get_by_role("button", name="Look at it").click()
        tab.wait_for_url("**run=example*")
        expect(tab.get_by_text("Approved in round 3").first).to_be_visible()
        expect(tab.get_by_text("set aside").first).to_be_visible()
        tab.get_by_role("link", name="Trace: every call").click()
        tab.wait_for_url("**trace=example*")
        expect(tab.get_by_text("replies written by hand")).to_be_visible()


@pytest.mark.parametrize("query", ["", "?trace=example"])
def test_a_narrow_list_never_scrolls_sideways(browser: Browser, address: str, query: str) -> None:
    with page(browser, NARROW) as tab:
        open_list(tab, address, query)
        wide = tab.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
        assert wide <= 0
