"""Comparing in a real browser: from a draft to results, and a blind vote in which nothing tells whose text is read."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, Response, WebSocket, expect  # noqa: E402

from docs.make_pictures import CHROMIUM, NARROW, WIDE, page, settled  # noqa: E402
from refine import comparisons, conductor  # noqa: E402
from refine.cell_reader import Reader  # noqa: E402
from refine.models.fake_server import running  # noqa: E402
from refine.plan import Entry, Plan, Text  # noqa: E402
from refine.runs import open_workbench  # noqa: E402
from refine.settings import write_endpoint  # noqa: E402
from refine.store import Store  # noqa: E402
from refine.types import Endpoint, Vote  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

VOTED = "voted-on"
"""A comparison that has ended, of two variants on three texts."""
NAMES = {"classic": "Zebra finch", "polish": "Snow hare"}
MODELS = {"classic": "quagga-7", "polish": "lenient"}
WHERE = "okapi"
TEXTS = (
    "# Alpha\n\nI have have a letter. It is due to the fact that you wrote on 5 May.",
    "# Beta\n\nWe past ten years here. Nobody was suprised, in order to say it short.",
    "# Gamma\n\nIts a honest loaf. It keeps for a week, which is longer then we thought.",
)


def entry(folder: str) -> Entry:
    changes = {f"role.{role}.{field}": value for role in ("writer", "critic")
               for field, value in (("endpoint", WHERE), ("model", MODELS[folder]))}  # fmt: skip
    return Entry(folder, NAMES[folder], changes=changes)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a comparison whose models are paid, judged, and ready to be voted on."""
    home = tmp_path_factory.mktemp("home")
    (home / "prices.yaml").write_text(f'{WHERE}:\n  "*": {{input: 50, output: 150}}\n', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, running() as fake:
        patch.setenv("REFINE_HOME", str(home))
        write_endpoint(home, Endpoint(WHERE, fake.url))
        bench = open_workbench()
        plan = Plan(tuple(map(entry, NAMES)), tuple(map(Text, TEXTS)), title="Animals", judge=f"{WHERE}/quagga-7")
        comparisons.begin(bench, comparisons.prepare(bench, plan), VOTED)
        assert asyncio.run(conductor.conduct(bench, VOTED)) == "ended"
        bench.store.close()
    (home / "endpoints.yaml").unlink()  # a newcomer's page: nothing is set up
    return home


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with closing(Store.open(home)) as store:
        yield store


class Ear:
    """Everything that reaches the browser: web-socket frames and bodies of answers."""

    def __init__(self, tab: Page) -> None:
        self.frames: list[bytes] = []
        self.bodies: list[bytes] = []
        tab.on("websocket", self._socket)
        tab.on("response", self._answer)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda said: self.frames.append(said.encode() if isinstance(said, str) else said))

    def _answer(self, answer: Response) -> None:
        if "/static/" not in answer.url and answer.status == 200:
            self.bodies.append(answer.body())

    def hears(self, secret: str) -> bool:
        sought = secret.casefold().encode()
        return any(sought in said.lower() for said in (*self.frames, *self.bodies))


def secrets(store: Store) -> list[str]:
    """Names, folders, models, endpoint, run ids and costs."""
    board = Reader(store).board(VOTED)
    costs = [f"{cell.cost.known:.4f}" for cell in board.cells] + [str(cell.cost.known) for cell in board.cells]
    ids = [cell.run_id for cell in board.cells]
    assert all(cell.cost.known for cell in board.cells)
    return [*NAMES, *NAMES.values(), *MODELS.values(), WHERE, "Animals", *ids, *costs]


def open_view(tab: Page, address: str, view: str, comparison: str = VOTED) -> None:
    tab.goto(f"{address}/compare?comparison={comparison}&view={view}")
    tab.get_by_test_id("stHeading").first.wait_for()
    settled(tab)


def asked(tab: Page) -> tuple[str, str]:
    """The two texts that are shown."""
    panes = tab.locator(".marked .pane")
    expect(panes).to_have_count(2)
    return panes.nth(0).inner_text(), panes.nth(1).inner_text()


def pair_of(tab: Page) -> str:
    return tab.get_by_test_id("stBottom").get_by_text(re.compile(r"^Pair \d+ of \d+$")).inner_text()


# --- from a draft to results -----------------------------------------------------------------------------------------


def test_a_draft_and_one_click_lead_to_a_table_and_both_texts(tab: Page, address: str) -> None:
    tab.goto(f"{address}/compare")
    tab.get_by_role("textbox", name="Your draft").fill(TEXTS[0])
    tab.locator(".st-key-start-comparison button").click()  # straight after typing: the text is not lost
    tab.wait_for_url("**comparison=*view=results*")
    expect(tab.get_by_test_id("stBottom").get_by_text("2 of 2 runs")).to_be_visible(timeout=90_000)
    settled(tab)
    expect(tab.get_by_test_id("stDataFrame").first).to_be_visible()
    assert all("letter" in text for text in asked(tab))
    tab.reload()
    tab.get_by_test_id("stDataFrame").first.wait_for()
    expect(tab.get_by_test_id("stBottom").get_by_text("2 of 2 runs")).to_be_visible(timeout=30_000)


def test_a_picked_cell_opens_below_with_its_changes(tab: Page, address: str) -> None:
    open_view(tab, address, "texts")
    tab.get_by_test_id("stDataFrame").first.click(position={"x": 600, "y": 52 + 33})
    opened = re.compile(f"^({'|'.join(NAMES.values())}) · Beta")
    expect(tab.get_by_role("heading", level=3, name=opened)).to_be_visible()
    expect(tab.locator(".marked ins").first).to_be_visible()
    tab.locator(".st-key-compare-open-trace button").click()
    tab.wait_for_url("**/runs?trace=*")


def test_the_page_is_no_wider_than_a_phone(browser: Browser, address: str) -> None:
    with page(browser, NARROW) as tab:
        for view in ("plan", "results", "texts", "vote"):
            open_view(tab, address, view)
            assert tab.evaluate("document.documentElement.scrollWidth") <= NARROW[0]


# --- the blind vote --------------------------------------------------------------------------------------------------


def test_nothing_that_reaches_the_browser_before_the_vote_tells_whose_text_it_is(
    browser: Browser, address: str, store: Store
) -> None:
    with page(browser, WIDE) as tab, page(browser, WIDE) as other:
        ear = Ear(tab)
        open_view(tab, address, "vote")
        first = asked(tab)
        assert pair_of(tab) == "Pair 1 of 3"
        open_view(other, address, "vote")
        assert asked(other) == first, "another tab asks about the same pair, on the same sides"

        tab.get_by_placeholder("Why? (optional)").fill("1 2 3")
        settled(tab)
        assert store.comparisons.votes(VOTED) == [], "what is typed in a field is no vote"
        tab.get_by_test_id("stHeading").first.click()
        tab.keyboard.press("1")
        expect(tab.get_by_text("Pair 2 of 3")).to_be_visible()
        settled(tab)
        tab.reload()
        expect(tab.get_by_text("Pair 2 of 3")).to_be_visible()
        settled(tab)
        assert asked(tab) != first
        tab.keyboard.press("2")
        expect(tab.get_by_text("Pair 3 of 3")).to_be_visible()
        settled(tab)

        tab.get_by_text("Results", exact=True).click()
        expect(tab.get_by_role("heading", name="Closed while you vote")).to_be_visible()
        settled(tab)
        tab.locator(".st-key-vote-on button").click()
        expect(tab.get_by_text("Pair 3 of 3")).to_be_visible()
        settled(tab)
        assert len(ear.frames) > 20
        assert ear.hears("which one would you rather sign")
        assert [secret for secret in secrets(store) if ear.hears(secret)] == []

        tab.keyboard.press("3")
        expect(tab.get_by_role("heading", name="Your votes")).to_be_visible()
        settled(tab)
        assert all(ear.hears(name) for name in NAMES.values()), "with the last vote the names are told"
        votes = store.comparisons.votes(VOTED)
        assert [(vote.choice, vote.note) for vote in votes] == [("first", "1 2 3"), ("same", ""), ("second", "")]
        assert {type(vote) for vote in votes} == {Vote}
        tab.get_by_text("Results", exact=True).click()
        expect(tab.get_by_role("heading", name="Animals")).to_be_visible()
