"""The start form in a real browser: what only shows there. Skipped where there is no Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Locator, Page, expect  # noqa: E402

from docs.make_pictures import (  # noqa: E402
    CHROMIUM,
    NARROW,
    WIDE,
    open_start,
    page,
    pick_models,
    pick_sample,
    pick_variant,
    press_start,
    settled,
)
from refine import views  # noqa: E402
from refine.events import Called, Record  # noqa: E402
from refine.store import Store  # noqa: E402
from refine.types import ModelCall  # noqa: E402
from refine.ui.parts import DRAFT  # noqa: E402
from tests.ui.test_open_file import CHINESE, word_file  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

LETTER = "Dear Ines, in order to make up for it, we will open open at five on Saturday."
REDRAWN = """new MutationObserver(() => (window.redrawn = true)).observe(
  document.querySelector("[data-testid=stApp]"), {attributeFilter: ["data-test-script-state"]})"""
MARK = "Answer like a baker who has been up since three."


@pytest.fixture
def tab(browser: Browser, address: str, home: Path) -> Iterator[Page]:
    """The start form with nothing in it."""
    store = Store.open(home)
    store.draft_put(DRAFT, {})
    store.close()
    with page(browser, WIDE) as tab:
        open_start(tab, address)
        yield tab


def draft(tab: Page) -> Locator:
    return tab.get_by_label("Your draft", exact=True)


def records(home: Path, tab: Page) -> list[Record]:
    """The log of the run that the tab shows."""
    store = Store.open(home)
    try:
        return store.records(tab.url.partition("run=")[2].partition("&")[0])
    finally:
        store.close()


def ended(tab: Page) -> None:
    tab.locator(".st-key-download").wait_for(timeout=120_000)


def scripted(tab: Page) -> None:
    """The classic loop with models that need no key."""
    pick_variant(tab, "Classic")
    pick_models(tab, "steady")


def sideways(tab: Page) -> int:
    return int(tab.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth"))


def test_a_newcomer_is_two_clicks_from_a_finished_text(tab: Page) -> None:
    pick_sample(tab, "The hour before opening")
    press_start(tab)
    ended(tab)
    expect(tab.get_by_role("heading", name="The hour before opening")).to_be_visible()


def test_a_pasted_draft_is_started_by_the_keyboard_alone(tab: Page, home: Path) -> None:
    draft(tab).focus()
    tab.keyboard.insert_text(LETTER)
    tab.keyboard.press("Control+Enter")
    tab.wait_for_url("**run=*")
    ended(tab)
    assert views.read(records(home, tab)).spec.task.draft == LETTER


def test_the_whole_form_can_be_reached_by_tab(tab: Page) -> None:
    draft(tab).focus()
    seen: list[str] = []
    for _ in range(30):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText || ''"))
    for wanted in ("What should it become", "Brief", "Open a file", "The hour before opening", "Variant", "Refine"):
        assert any(wanted in name for name in seen), (wanted, seen)


def test_a_press_with_nothing_to_do_says_what_is_missing_where_one_looks(tab: Page) -> None:
    tab.locator(".st-key-start button").click()
    said = tab.get_by_text("Paste a draft.")
    expect(said).to_have_count(1)
    expect(said).to_be_visible()
    draft(tab).fill(LETTER)
    tab.keyboard.press("Tab")
    expect(said).to_have_count(0)
    assert "run=" not in tab.url


def test_a_press_that_is_refused_says_why_as_long_as_it_holds_and_asks_for_no_run(tab: Page) -> None:
    draft(tab).fill(LETTER)
    pick_variant(tab, "Classic")
    tab.locator(".st-key-start button").click()
    why = tab.get_by_role("alert").filter(has_text="Writer, Critic. Pick a model at the right")
    expect(why).to_be_visible()
    settled(tab)
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.evaluate(REDRAWN)
    tab.wait_for_timeout(3000)
    assert not asked
    assert not tab.evaluate("window.redrawn")
    expect(why).to_be_visible()
    pick_models(tab, "steady")
    expect(why).to_have_count(0)
    press_start(tab)
    ended(tab)


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("Letter.docx", word_file("Dear Ines,", "we open at five."), "Dear Ines,\n\nwe open at five."),
        ("测试.txt", CHINESE.encode("gb18030"), CHINESE),
    ],
)
def test_a_file_becomes_the_draft(tab: Page, name: str, data: bytes, text: str) -> None:
    tab.locator(".st-key-open-file button").click()
    tab.locator("[data-testid=stDialog] input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    )
    dialog = tab.get_by_role("dialog")
    expect(dialog.get_by_text(text.splitlines()[-1])).to_be_visible()
    dialog.get_by_role("button", name="Use this text").click()
    expect(dialog).to_have_count(0)
    expect(draft(tab)).to_have_value(re.compile(re.escape(text) + r"\s*"))


def test_a_prompt_changed_for_this_run_reaches_the_model(tab: Page, home: Path) -> None:
    draft(tab).fill(LETTER)
    scripted(tab)
    tab.locator(".st-key-prompt-writer button").click()
    field = tab.get_by_role("dialog").locator("textarea")
    field.fill(f"{MARK}\n\n{field.input_value()}")
    tab.locator(".st-key-prompt-use button").click()
    expect(tab.get_by_role("dialog")).to_have_count(0)
    expect(tab.get_by_text("changed", exact=True)).to_be_visible()
    press_start(tab)
    ended(tab)
    events = [record.event for record in records(home, tab)]
    asked = [
        e.call for e in events if isinstance(e, Called) and isinstance(e.call, ModelCall) and e.call.role == "writer"
    ]
    assert asked
    assert all(MARK in call.messages[0].content for call in asked)


def test_a_prompt_with_an_unknown_field_stays_open_and_says_which(tab: Page) -> None:
    scripted(tab)
    tab.locator(".st-key-prompt-writer button").click()
    field = tab.get_by_role("dialog").locator("textarea")
    field.fill(field.input_value() + "\n{{ draaft }}")
    tab.locator(".st-key-prompt-use button").click()
    expect(tab.get_by_role("dialog").get_by_text("draaft").last).to_be_visible()
    expect(tab.get_by_role("dialog").get_by_role("alert")).to_contain_text("unknown hole")


def test_a_variant_of_ones_own_is_saved_picked_and_run(tab: Page, home: Path) -> None:
    draft(tab).fill(LETTER)
    scripted(tab)
    tab.locator(".st-key-save-variant button").click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_label("Name, also of its folder").fill("bakery")
    dialog.get_by_label("Title in the menu").fill("For the bakery")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(tab.get_by_role("combobox", name="Variant")).to_have_value(re.compile("^For the bakery"))
    press_start(tab)
    ended(tab)
    run = views.read(records(home, tab))
    assert (run.variant, run.spec.roles[0].model) == ("bakery", "steady")
    assert (home / "prompts" / "bakery" / "writer.md").exists()


def test_any_models_name_can_be_typed(tab: Page) -> None:
    pick_variant(tab, "Classic")
    tab.get_by_role("combobox").nth(1).click()
    tab.keyboard.type("my-model")
    tab.keyboard.press("Enter")
    settled(tab)
    expect(tab.get_by_role("combobox", name="Model of the Writer")).to_have_value("my-model")
    tab.reload()
    expect(tab.get_by_role("combobox", name="Model of the Writer")).to_have_value("my-model")


def test_the_language_is_switched_by_a_click_and_kept(tab: Page, address: str) -> None:
    tab.locator(".st-key-language-zh button").click()
    expect(tab.get_by_role("heading", name="润色一篇稿子")).to_be_visible()
    assert "lang=zh" in tab.url
    tab.get_by_role("link", name="记录").first.click()
    tab.wait_for_url("**/runs*lang=zh*")
    tab.reload()
    expect(tab.get_by_role("link", name="记录").first).to_be_visible()


def test_what_stands_in_the_form_survives_a_reload_and_other_pages(tab: Page) -> None:
    draft(tab).fill(LETTER)
    tab.locator(".st-key-details button").click()
    settled(tab)
    tab.get_by_label("Reader").fill("neighbours")
    tab.keyboard.press("Tab")
    settled(tab)
    tab.get_by_label("Must contain").fill("1987")
    tab.keyboard.press("Tab")
    settled(tab)
    for leave in (tab.reload, lambda: tab.get_by_role("link", name="Runs").first.click()):
        leave()
        settled(tab)
        tab.get_by_role("link", name="Refine").first.click()
        expect(draft(tab)).to_have_value(LETTER)
        tab.locator(".st-key-details button").click()
        expect(tab.get_by_label("Reader")).to_have_value("neighbours")
        expect(tab.get_by_label("Must contain")).to_have_value("1987")
        tab.keyboard.press("Escape")


def test_a_fold_stays_open_while_what_is_in_it_changes_its_label(tab: Page) -> None:
    fold = tab.locator(".st-key-stops")
    fold.locator("summary").click()
    field = tab.get_by_role("spinbutton", name="Reviews at most")
    field.fill("6")
    tab.keyboard.press("Tab")
    expect(fold.locator("summary")).to_contain_text("after 5 rewrites")
    expect(field).to_be_visible()


def test_a_narrow_form_never_scrolls_sideways(browser: Browser, address: str) -> None:
    with page(browser, NARROW, locale="zh-CN") as tab:
        open_start(tab, address)
        assert sideways(tab) <= 0
        for name in ("details", "stops", "checks"):
            tab.locator(f".st-key-{name}").locator("button, summary").first.click()
            settled(tab)
            assert sideways(tab) <= 0
            tab.keyboard.press("Escape")


OVER_THE_FORM = """setInterval(() => {
  for (const { shadowRoot: root } of document.querySelectorAll("*")) {
    const over = root?.querySelector(".live.ahead:not([hidden])");
    if (over && document.querySelector(".st-key-draft textarea")) window.seen = true;
  }
}, 5);"""


def test_the_runs_pane_comes_over_the_form_and_then_the_runs_page(tab: Page) -> None:
    tab.evaluate(OVER_THE_FORM)
    draft(tab).fill(LETTER)
    pick_variant(tab, "Classic")
    pick_models(tab, "slow")
    press_start(tab)
    tab.locator(".st-key-stop").wait_for()
    assert tab.evaluate("window.seen")
    expect(tab.locator(".st-key-draft textarea")).to_have_count(0)


def test_what_was_missing_is_not_said_after_another_page(tab: Page, address: str) -> None:
    tab.locator(".st-key-start button").click()
    missing = tab.get_by_text("Paste a draft", exact=False)
    expect(missing.first).to_be_visible()
    tab.get_by_role("link", name="Runs").first.click()
    tab.get_by_role("heading", name="Runs").wait_for()
    tab.get_by_role("link", name="Refine").first.click()
    tab.get_by_label("Your draft", exact=True).wait_for()
    settled(tab)
    expect(missing).to_have_count(0)
