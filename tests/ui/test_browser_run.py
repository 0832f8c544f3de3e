"""A run's page in a real browser: watching, pausing, answering, going on, choosing. One server for all."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Locator, Page, expect  # noqa: E402

from docs.make_pictures import CHROMIUM, NARROW, page, settled, wait_for_end  # noqa: E402
from refine import export, views  # noqa: E402
from refine.doors import world_doors  # noqa: E402
from refine.live import LiveTexts  # noqa: E402
from refine.outlook import foreseen  # noqa: E402
from refine.runs import Order, Workbench  # noqa: E402
from refine.settings import Keys, load  # noqa: E402
from refine.store import Store  # noqa: E402
from refine.ui import texts  # noqa: E402
from refine.ui.parts import FILES  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

TEXT = (
    "I have have a letter for you. It is due to the fact that you wrote. In order to answer, I sat down at at once. "
    "The garden is quiet now, and nobody comes by before noon.\n\nWrite again soon."
)
UNCLEAR = "I have have a letter. It is due to the fact that you wrote."
"""A draft on which the character with unclear verdicts gives two that say something."""
HOSTILE = (
    "![a](http://evil.example/a.png) $x^2$ :red[boo] [go](javascript:alert(3)) <script>alert(1)</script> stand here. "
    "And <img src=x onerror=alert(2)> is the end."
)


@pytest.fixture(scope="module")
def bench(home: Path) -> Iterator[Workbench]:
    """Sends runs to the server's worker, and reads what became of them."""
    settings, keys, store = load({"REFINE_HOME": str(home)}), Keys(home, {}), Store.open(home)
    yield Workbench(settings, store, world_doors(settings, keys, store), keys, LiveTexts())
    store.close()


def start(bench: Workbench, character: str = "steady", draft: str = TEXT, **changes: str) -> str:
    models = {f"role.{role}.{field}": value for role in ("writer", "critic")
              for field, value in (("endpoint", "scripted"), ("model", character))}  # fmt: skip
    named = {name.replace("__", "."): value for name, value in changes.items()}
    return bench.start(bench.prepare(Order(draft=draft, variant="classic", changes={**models, **named}, somebody=True)))


def watch(tab: Page, address: str, run_id: str) -> None:
    tab.goto(f"{address}/?run={run_id}")
    tab.get_by_test_id("stHeading").first.wait_for()


def ended(tab: Page, address: str, run_id: str) -> None:
    watch(tab, address, run_id)
    wait_for_end(tab)


def run_of(tab: Page) -> str:
    found = re.search(r"run=([\w-]+)", tab.url)
    assert found
    return found[1]


def forked(tab: Page, run_id: str) -> str:
    """The run that a click made, once its page has ended."""
    tab.wait_for_url(lambda url: run_id not in url)
    wait_for_end(tab)
    return run_of(tab)


def expect_comparison(tab: Page, old: str, new: str) -> None:
    """The pane shows the changes between these texts, and its pieces put together are these texts."""
    pane = tab.locator(".marked .pane")
    expect(pane).to_have_text("".join(text for _kind, text in texts.pieces(old, texts.differences(old, new))))
    assert pieces(pane, "span", "del") == old
    assert pieces(pane, "span", "ins") == new


def pieces(found: Locator, *tags: str) -> str:
    kept = "[...box.children].filter((piece) => tags.includes(piece.localName))"
    return str(found.evaluate(f"(box, tags) => {kept}.map((piece) => piece.textContent).join('')", [*tags]))


def choose(tab: Page, box: int, option: str) -> None:
    tab.get_by_test_id("stMain").get_by_role("combobox").nth(box).click()
    tab.get_by_role("option", name=option, exact=True).click()
    settled(tab, 300)


PLACES = """() => Object.fromEntries(
  ["[data-testid=stHeading]", "[data-testid=stButtonGroup]", ".live, .marked", "[data-testid=stExpander]",
   "[data-testid=stBottomBlockContainer]"].map((name) => {
    const roots = [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)];
    const box = roots.map((root) => root.querySelector(name)).find(Boolean).getBoundingClientRect();
    return [name, [Math.round(box.top), name === ".live, .marked" ? Math.round(box.height) : 0]];
  }))"""
"""Where title, view switch, text, loop and bar begin, and how high the text is."""


def test_nothing_jumps_from_the_first_word_to_the_result(tab: Page, address: str, bench: Workbench) -> None:
    watch(tab, address, start(bench, "slow"))
    tab.locator(".st-key-stop").wait_for()
    tab.locator(".live").wait_for()
    settled(tab, 300)
    before = tab.evaluate(PLACES)
    wait_for_end(tab)
    assert tab.evaluate(PLACES) == before


WATCHER = """setInterval(() => {
  for (const { shadowRoot: root } of document.querySelectorAll("*")) {
    const marks = root?.querySelector(".live .marks:not([hidden])");
    const pieces = [...(marks?.children ?? [])].map((piece) => [piece.localName, piece.textContent]);
    if (pieces.some(([tag]) => tag === "ins")) window.seen = pieces;
  }
}, 30);"""
"""Remembers the marks of the live pane, which may be there for a moment only."""


def test_the_changes_of_a_finished_text_are_marked_while_the_critic_reads_it(
    tab: Page, address: str, bench: Workbench
) -> None:
    tab.add_init_script(WATCHER)
    run_id = start(bench, "slow", stops__max_rounds="2")
    ended(tab, address, run_id)
    seen = tab.evaluate("window.seen")
    assert "".join(text for tag, text in seen if tag != "ins") == TEXT
    assert "".join(text for tag, text in seen if tag != "del") == bench.read(run_id).rounds[1].text


def test_a_pause_lets_the_author_edit_waive_and_wish_and_the_run_goes_on_from_that(
    tab: Page, address: str, bench: Workbench
) -> None:
    run_id = start(bench, "slow", role__writer__model="steady")
    watch(tab, address, run_id)
    tab.locator(".st-key-pause button").first.click()
    expect(tab.get_by_text("change something first")).to_be_visible(timeout=30_000)
    seen = bench.read(run_id)
    tab.locator(".findings button", has_text="Waive").first.click()
    expect(tab.locator(".findings button[aria-pressed=true]")).to_have_text("Waived")
    tab.get_by_test_id("stButtonGroup").first.get_by_text("Edit", exact=True).click()
    field = tab.get_by_test_id("stTextArea").locator("textarea")
    expect(field).to_have_value(seen.text or "")
    field.fill("I have a letter for you.")
    tab.get_by_label("What should be different?").fill("Shorter.")
    tab.locator(".st-key-go-on button").click()
    wait_for_end(tab)
    last, edited = bench.read(run_id).rounds[len(seen.rounds) - 1 :][:2]
    assert edited.text == "I have a letter for you."
    assert {note.kind for note in last.notes} == {"waive", "edit", "add"}


def test_an_unclear_verdict_is_answered_in_place(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench, draft=UNCLEAR, role__critic__model="malformed")
    watch(tab, address, run_id)
    tab.get_by_text("Is the text good enough?").wait_for()
    expect(tab.locator(".marked .pane")).to_have_text(UNCLEAR)
    tab.locator(".st-key-approve button").click()
    wait_for_end(tab)
    assert bench.read(run_id).reason == "approved"


def test_a_text_is_compared_with_any_round(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench)
    ended(tab, address, run_id)
    rounds = bench.read(run_id).rounds
    assert len(rounds) > 2
    expect_comparison(tab, TEXT, rounds[-1].text)
    choose(tab, 1, "against: round 1")
    expect_comparison(tab, rounds[1].text, rounds[-1].text)
    choose(tab, 0, "Round 1")
    expect_comparison(tab, TEXT, rounds[1].text)


def test_another_round_becomes_the_result_and_is_gone_on_from(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench)
    ended(tab, address, run_id)
    tab.get_by_test_id("stExpander").nth(1).locator("summary").click()
    tab.locator(".st-key-pick-1 button").click()
    expect(tab.get_by_text("Round 1 is kept, chosen by you.")).to_be_visible()
    tab.locator(".st-key-another button").first.click()
    tab.locator(".st-key-continue button").click()
    after = bench.read(forked(tab, run_id))
    assert after.rounds[1].text == bench.read(run_id).text
    assert len(after.rounds) > len(bench.read(run_id).rounds)


def test_a_remark_becomes_one_more_round(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench, "never-satisfied", stops__max_rounds="2")
    ended(tab, address, run_id)
    tab.locator(".st-key-another button").first.click()
    tab.get_by_label("What should be different?").fill("A warmer ending")
    tab.locator(".st-key-again button").click()
    view = bench.read(forked(tab, run_id))
    assert len(view.rounds) == 3
    assert [note.finding.remark for note in view.rounds[1].notes if note.finding] == ["A warmer ending"]


def test_so_many_more_rounds_as_one_likes(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench, "never-satisfied", stops__max_rounds="2")
    ended(tab, address, run_id)
    tab.locator(".st-key-another button").first.click()
    tab.locator(".st-key-more").get_by_role("button", name="Increment").click()
    tab.get_by_role("button", name="Continue: 3 more rounds").click()
    assert len(bench.read(forked(tab, run_id)).rounds) == 5


def test_every_file_that_can_be_downloaded_is_what_the_run_holds(tab: Page, address: str, bench: Workbench) -> None:
    run_id = start(bench)
    ended(tab, address, run_id)
    records = bench.store.records(run_id)
    view = views.read(records)
    tab.locator(".st-key-download button").first.click()
    for kind in FILES:
        with tab.expect_download() as download:
            tab.locator(f".st-key-download-{kind} button").click()
        got = Path(download.value.path()).read_bytes()
        assert unpacked(got) == unpacked(export.render(view, records, kind, foreseen(bench, view))), kind
        assert download.value.suggested_filename == export.name(view, kind)


def unpacked(data: bytes) -> object:
    """The files inside a Word file, as its archive holds the time it was made; else the bytes."""
    if not data.startswith(b"PK"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if "docProps" not in name}


def test_hostile_words_of_author_and_models_are_text_everywhere(tab: Page, address: str, bench: Workbench) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
    run_id = start(
        bench, "slow", draft="\n\n".join([HOSTILE] * 5), role__critic__model="never-satisfied", stops__max_rounds="2"
    )
    watch(tab, address, run_id)
    expect(tab.locator(".live .new")).to_contain_text("<script>", timeout=30_000)
    wait_for_end(tab)
    expect(tab.locator(".marked .pane")).to_contain_text("<img src=x onerror=alert(2)>")
    expect(tab.locator(".findings")).to_contain_text("onerror")
    unclear = start(bench, draft=HOSTILE, role__critic__model="obedient")
    ended(tab, address, unclear)
    assert (
        tab.locator("img[src=x], img[src*=evil], a[href*=evil], a[href^=javascript], .katex, .marked script").count()
        == 0
    )
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []


def test_on_a_phone_no_state_scrolls_sideways(browser: Browser, address: str, bench: Workbench) -> None:
    with page(browser, NARROW) as tab:
        for run_id, seen in (
            (start(bench, "slow"), ".live"),
            (start(bench, draft=UNCLEAR, role__critic__model="malformed"), ".st-key-approve"),
            (start(bench, options__pause="on"), ".st-key-go-on"),
            (start(bench), ".st-key-download"),
        ):
            watch(tab, address, run_id)
            tab.locator(seen).wait_for()
            settled(tab, 300)
            wide = tab.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
            assert wide <= 0, seen


def test_many_findings_can_be_narrowed(tab: Page, address: str, bench: Workbench) -> None:
    slips = "I recieve the the letter. It are late. He have went home. They is here. A apple fell on on me. " * 2
    spec = bench.prepare(Order(draft=slips, variant="offline", somebody=True))
    ended(tab, address, bench.start(spec))
    buttons = tab.locator(".findings .filters button")
    before = tab.locator(".findings .card").count()
    assert before > 8
    buttons.first.click()
    narrowed = tab.locator(".findings .card").count()
    assert 0 < narrowed < before or buttons.count() == 0
    buttons.first.click()
    assert tab.locator(".findings .card").count() == before


def test_of_several_drafts_the_first_is_watched_and_a_judges_scores_are_no_text(
    tab: Page, address: str, bench: Workbench
) -> None:
    places = {f"role.{role}.{field}": value for role in ("writer", "judge")
              for field, value in (("endpoint", "scripted"), ("model", "slow"))}  # fmt: skip
    run_id = bench.start(bench.prepare(Order(draft=TEXT, variant="best-of-n", changes=places, somebody=True)))
    watch(tab, address, run_id)
    seen: list[str] = []
    while not tab.locator(".st-key-download").is_visible():
        seen += tab.locator(".live .new").all_text_contents()
        tab.wait_for_timeout(100)
    wait_for_end(tab)
    first = bench.read(run_id).rounds[0].text
    written = [text for text in seen if text]
    assert len(written) > 5
    assert all(first.startswith(text) for text in written)
