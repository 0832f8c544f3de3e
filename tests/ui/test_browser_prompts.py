"""Prompts in a real browser: typing is never lost or overwritten, changes are marked, versions lead to their runs."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Locator, Page, expect  # noqa: E402

from docs.make_pictures import CHROMIUM, NARROW, WIDE, page, settled  # noqa: E402
from refine import variant_files, variants  # noqa: E402
from refine.runs import Order, open_workbench  # noqa: E402
from refine.types import Variant  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

DRAFT = "# Alpha\n\nI have have a letter."
OLD = "Judge it kindly. End with {{ token }}."
NEW = "Judge it <img src=x onerror=document.title='hit'> strictly. End with {{ token }}."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two variants of the author's own, one with a Chinese name; two runs had the first one's old prompt."""
    home = tmp_path_factory.mktemp("home")
    own = home / "prompts"
    classic = variants.load("classic")
    for name, title in (("mine", "Mine"), ("中文方案", "会员来信")):
        variants.save(Variant(name, classic.spec, {"en": title, "zh": title}, {}), name, own)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFINE_HOME", str(home))
        bench = open_workbench()
        roles = {f"role.{role}.{field}": value for role in ("writer", "critic")
                 for field, value in (("endpoint", "scripted"), ("model", "steady"))}  # fmt: skip
        for prompt in (OLD, OLD, NEW):
            change(home, prompt)
            run_id = bench.start(bench.prepare(Order(DRAFT, variant="mine", changes=roles)), queue=False)
            asyncio.run(bench.execute(run_id))
        bench.store.close()
    return home


@pytest.fixture(autouse=True)
def as_it_was(home: Path) -> None:
    """Every test begins with the new prompt and with nothing typed by another."""
    change(home, NEW)


def change(home: Path, prompt: str, name: str = "mine") -> None:
    own = home / "prompts"
    assert not variant_files.change(name, own, {"critic": prompt}, variant_files.read(name, own) or {})


def saved(home: Path, name: str = "mine") -> str:
    return (variant_files.read(name, home / "prompts") or {})["critic"]


def opened(tab: Page, address: str, view: str = "preview", variant: str = "mine", lang: str = "en") -> Locator:
    """The field with the critic's prompt, nothing typed in it."""
    tab.goto(f"{address}/prompts?variant={variant}&role=critic&view={view}&lang={lang}")
    tab.locator("textarea").first.wait_for()
    settled(tab)
    if (back := tab.locator(".st-key-prompts-back button")).count():
        back.click()
        settled(tab)
    return tab.locator("textarea").first


def press(tab: Page, name: str) -> None:
    tab.locator(f".st-key-prompts-{name} button").click()
    settled(tab)


def test_what_is_typed_is_kept_while_it_is_typed_and_the_preview_follows(tab: Page, address: str) -> None:
    field = opened(tab, address)
    field.press("Control+End")
    for word in ("Be", "brief", "and", "never", "cruel."):  # the page hears of each while the next one is being typed
        field.press_sequentially(f" {word}", delay=60)
        tab.wait_for_timeout(520)
    expect(field).to_have_value(f"{NEW} Be brief and never cruel.")
    expect(tab.get_by_test_id("stCode").first).to_contain_text("Be brief and never cruel.")
    expect(tab.get_by_text("not saved")).to_be_visible()
    tab.reload()
    expect(tab.locator("textarea").first).to_have_value(f"{NEW} Be brief and never cruel.")


def test_a_click_elsewhere_straight_after_typing_loses_nothing(tab: Page, address: str) -> None:
    field = opened(tab, address)
    field.fill("Typed and gone at once {{ token }}.")
    tab.get_by_role("link", name="Runs").first.click()  # Streamlit may swallow this click
    settled(tab)
    tab.get_by_role("link", name="Runs").first.click()
    tab.get_by_role("heading", name="Runs").wait_for()
    tab.get_by_role("link", name="Prompts").first.click()
    tab.get_by_role("heading", name="Prompts").wait_for()
    settled(tab)
    tab.get_by_role("radio", name="Critic").or_(tab.get_by_role("button", name="Critic")).first.click()
    expect(tab.locator("textarea").first).to_have_value("Typed and gone at once {{ token }}.")


def test_a_save_straight_after_typing_saves_the_last_letter_and_undo_takes_it_back(
    tab: Page, address: str, home: Path
) -> None:
    field = opened(tab, address)
    field.fill("Judge {{ token }} to the last lett")
    field.press_sequentially("er.")
    press(tab, "save")
    expect(tab.get_by_text("Saved.")).to_be_visible()
    assert saved(home) == "Judge {{ token }} to the last letter."
    press(tab, "undo")
    expect(field).to_have_value("Judge {{ token }} to the last letter.")
    assert saved(home) == NEW


def test_of_two_tabs_the_later_save_asks_first(tab: Page, browser: Browser, address: str, home: Path) -> None:
    with page(browser, WIDE) as other:
        here, there = opened(tab, address), opened(other, address)
        here.fill("Of the first tab {{ token }}.")
        there.fill("Of the second tab {{ token }}.")
        settled(tab)
        settled(other)
        press(tab, "save")
        press(other, "save")
        expect(other.get_by_role("alert")).to_contain_text("Saved meanwhile in another tab or program: Critic.")
        assert saved(home) == "Of the first tab {{ token }}."
        other.locator(".st-key-conflict-compare button").click()
        expect(other.locator(".marked del").first).to_be_visible()
        other.locator(".st-key-conflict-mine button").click()
        expect(other.get_by_text("Saved.")).to_be_visible()
        assert saved(home) == "Of the second tab {{ token }}."
        expect(there).to_have_value("Of the second tab {{ token }}.")


def test_changes_are_marked_and_no_word_of_a_prompt_is_mark_up(tab: Page, address: str) -> None:
    opened(tab, address, "history")
    tab.get_by_test_id("stDataFrame").first.locator("canvas").first.wait_for()
    settled(tab)
    tab.get_by_test_id("stDataFrame").first.click(position={"x": 120, "y": 52 + 33})
    settled(tab)
    expect(tab.get_by_test_id("stCode").first).to_contain_text(OLD)
    tab.locator(".st-key-version-compare button").click()
    settled(tab)
    expect(tab.locator(".marked del").filter(has_text="kindly").first).to_be_visible()
    expect(tab.locator(".marked ins").filter(has_text="<img").first).to_be_visible()
    for view in ("preview", "history"):
        opened(tab, address, view)
    assert tab.title() != "hit"
    assert tab.locator("img[src=x]").count() == 0


def test_a_version_leads_to_the_runs_that_had_it(tab: Page, address: str) -> None:
    opened(tab, address, "history")
    tab.get_by_test_id("stDataFrame").first.locator("canvas").first.wait_for()
    settled(tab)
    tab.get_by_test_id("stDataFrame").first.click(position={"x": 120, "y": 52 + 33})
    settled(tab)
    tab.get_by_role("link", name="2 runs with it").click()
    expect(tab.get_by_text("2 runs fit")).to_be_visible()
    assert "prompt=critic" in tab.url and "variant=mine" in tab.url
    tab.reload()
    expect(tab.get_by_text("2 runs fit")).to_be_visible()


def test_a_name_that_is_taken_stays_in_the_dialog_and_a_chinese_one_is_saved(
    tab: Page, address: str, home: Path
) -> None:
    opened(tab, address, variant="中文方案", lang="zh").fill("审稿，末行写 {{ token }}。")
    settled(tab)
    press(tab, "save-new")
    dialog = tab.get_by_role("dialog")
    dialog.locator("input").first.fill("mine")
    dialog.get_by_role("button", name="保存").click()
    expect(dialog.get_by_role("alert")).to_contain_text("taken")
    expect(dialog.locator("input").first).to_have_value("mine")
    dialog.locator("input").first.fill("我的新方案")
    dialog.get_by_role("button", name="保存").click()
    expect(dialog).to_have_count(0)
    expect(tab.get_by_role("combobox").first).to_have_value(re.compile("^我的新方案"))
    assert saved(home, "我的新方案") == "审稿，末行写 {{ token }}。"
    press(tab, "delete")
    expect(tab.get_by_text("已删除。它的记录仍保留提示词。")).to_be_visible()
    press(tab, "undo")
    assert saved(home, "我的新方案")


def test_a_prompt_is_tried_on_the_form_for_drafts(tab: Page, address: str) -> None:
    opened(tab, address).fill("Tried {{ token }}.")
    settled(tab)
    press(tab, "try")
    tab.get_by_role("heading", name="Refine a draft").wait_for()
    settled(tab)
    expect(tab.get_by_role("combobox", name="Variant")).to_have_value("Mine")
    tab.locator(".st-key-prompt-critic button").click()
    expect(tab.get_by_role("dialog").locator("textarea")).to_have_value("Tried {{ token }}.")


@pytest.mark.parametrize("view", ["preview", "changes", "history"])
def test_a_phone_shows_all_of_it_without_scrolling_sideways(browser: Browser, address: str, view: str) -> None:
    with page(browser, NARROW) as phone:
        opened(phone, address, view)
        wide = phone.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
        assert wide <= 0
        for button in ("prompts-try", "prompts-save", "prompts-save-new"):
            box = phone.locator(f".st-key-{button} button").bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= NARROW[0]
