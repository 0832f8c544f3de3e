"""The pages in a real browser: what only shows there. One server for all; skipped where there is no Chromium."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from docs.make_pictures import (  # noqa: E402
    CHROMIUM,
    NARROW,
    WIDE,
    open_start,
    page,
    pick_models,
    pick_variant,
    press_start,
    server_of,
    settled,
    wait_for_end,
)
from refine.store import Store  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]


LETTER = (
    "Dear Ines, due to the fact that the oven broke on Monday, we baked nothing for two days. In order to make up for "
    "it, we will open at five on Saturday, and the first forty people get a loaf for free. Please tell your friends. "
    "Tomasz will be at the counter, and I will be at the oven, as I have been since 1987."
)


def start_slow(tab: Page, address: str, letters: int = 1) -> None:
    """A run whose model sends a word every 50 ms, on a draft of 60 words or several times that."""
    open_start(tab, address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill("\n\n".join([LETTER] * letters))
    pick_variant(tab, "Classic")
    pick_models(tab, "slow")
    press_start(tab)


def quick_run(tab: Page, address: str) -> None:
    """A whole run, offline."""
    open_start(tab, address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill(LETTER)
    tab.locator(".st-key-start button").click()
    wait_for_end(tab)


def live_text(tab: Page) -> str:
    return str(tab.locator(".live:not([hidden]) .new").text_content() or "")


def wait_for_text(tab: Page, longer_than: int = 0) -> None:
    expect(tab.locator(".live:not([hidden]) .new")).to_have_text(
        re.compile(rf"[\s\S]{{{longer_than + 1},}}"), timeout=30_000
    )


def test_text_streams_in_without_the_page_being_drawn_again(tab: Page, address: str) -> None:
    start_slow(tab, address)
    wait_for_text(tab)
    tab.evaluate("document.querySelector('[data-testid=stHeading]').dataset.mine = 'yes'")
    before = live_text(tab)
    wait_for_text(tab, len(before) + 20)
    assert live_text(tab).startswith(before)
    assert tab.locator("[data-testid=stHeading][data-mine=yes]").count() == 1
    assert tab.locator("[data-testid=stApp][data-test-script-state=notRunning]").count() == 1


def test_a_reload_and_a_second_browser_show_the_same_run(tab: Page, browser: Browser, address: str) -> None:
    start_slow(tab, address, letters=8)
    wait_for_text(tab, 40)
    seen = live_text(tab)
    tab.reload()
    wait_for_text(tab, len(seen))
    with page(browser, WIDE) as other:
        other.goto(tab.url)
        wait_for_text(other, len(seen))
        assert live_text(other).startswith(seen)


def test_a_run_goes_on_when_every_tab_is_closed(browser: Browser, address: str) -> None:
    with page(browser, WIDE) as tab:
        start_slow(tab, address)
        wait_for_text(tab)
        url = tab.url
    with page(browser, WIDE) as later:
        later.goto(url)
        wait_for_end(later)
        expect(later.get_by_text("Approved").first).to_be_visible()


def test_stop_ends_the_run_at_once_and_keeps_what_was_reviewed(tab: Page, address: str) -> None:
    start_slow(tab, address, letters=8)
    wait_for_text(tab)
    began = time.monotonic()
    tab.locator(".st-key-stop button").click()
    tab.locator(".st-key-download").wait_for()
    assert time.monotonic() - began < 5
    expect(tab.get_by_text("Stopped by you").first).to_be_visible()


def test_two_clicks_start_one_run(tab: Page, address: str, home: Path) -> None:
    store = Store.open(home)
    before = len(store.runs())
    open_start(tab, address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill(LETTER)
    tab.locator(".st-key-start button").dblclick()
    wait_for_end(tab)
    assert len(store.runs()) == before + 1
    store.close()


def test_what_is_typed_survives_a_fast_click_elsewhere_and_a_reload(tab: Page, address: str) -> None:
    open_start(tab, address)
    field = tab.get_by_test_id("stTextArea").locator("textarea")
    field.fill("Typed in one go.")
    tab.get_by_role("link", name="Runs").first.click()  # Streamlit may swallow this click
    settled(tab)
    open_start(tab, address)
    expect(field).to_have_value("Typed in one go.")


def test_the_draft_reaches_the_run_when_the_button_is_clicked_straight_after_typing(tab: Page, address: str) -> None:
    open_start(tab, address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill("The the last words.")
    tab.locator(".st-key-start button").click()
    wait_for_end(tab)
    expect(tab.locator(".marked .pane")).to_contain_text("last words.")


def test_hostile_text_fetches_nothing_and_runs_nothing(tab: Page, address: str) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
    open_start(tab, address)
    tab.get_by_test_id("stTextArea").locator("textarea").fill(
        "# <img src=x onerror=alert(1)>\n\n![a](http://evil.example/a.png) <script>alert(2)</script> the the end."
    )
    tab.locator(".st-key-start button").click()
    wait_for_end(tab)
    expect(tab.get_by_role("heading").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert tab.locator("img[src=x], .marked img, .marked script").count() == 0


def test_the_console_stays_clean_and_nothing_comes_from_outside(tab: Page, address: str) -> None:
    said: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    tab.on("request", lambda request: asked.append(request.url))
    quick_run(tab, address)
    assert said == []
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_the_browsers_language_is_spoken(browser: Browser, address: str) -> None:
    with page(browser, WIDE, locale="zh-CN") as tab:
        open_start(tab, address)
        expect(tab.get_by_role("heading", name="润色一篇稿子")).to_be_visible()
    with page(browser, WIDE, locale="zh-CN") as tab:
        open_start(tab, f"{address}/?lang=en")
        expect(tab.get_by_role("heading", name="Refine a draft")).to_be_visible()


def test_a_narrow_page_never_scrolls_sideways(browser: Browser, address: str) -> None:
    with page(browser, NARROW) as tab:
        quick_run(tab, address)
        wide = tab.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
        assert wide <= 0


def test_an_open_page_goes_on_after_its_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    with page(browser, WIDE) as tab:
        with server_of(tmp_path) as (server, address):
            start_slow(tab, address)
            wait_for_text(tab, 40)
            server.kill()
            server.wait(10)
        with server_of(tmp_path, port=int(address.rpartition(":")[2])):
            tab.locator(".st-key-download").wait_for(timeout=120_000)
            expect(tab.get_by_text("Approved").first).to_be_visible()
