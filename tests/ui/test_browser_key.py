"""A key typed in the app is looked for in all that it sends, shows, logs and keeps, whatever the server says to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Page, Route, WebSocket, expect  # noqa: E402

from docs.make_pictures import (  # noqa: E402
    CHROMIUM,
    pick_variant,
    press_start,
    server_of,
    settled,
)
from refine.models.fake_server import Running, running  # noqa: E402
from refine.settings import write_endpoint  # noqa: E402
from refine.types import Endpoint  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

KEY = "sk-canary-5Qm81xVb7Lr2Tz0W"
PIECES = [KEY[n : n + 8].encode() for n in range(len(KEY) - 7)]
DRAFT = "We met at at the gate in March 2024. It was cold, due to the fact that it was early."


@pytest.fixture(scope="module")
def fake() -> Iterator[Running]:
    with running() as fake:
        yield fake


@pytest.fixture(scope="module")
def address(home: Path, fake: Running) -> Iterator[str]:
    """Two endpoints: one accepts any key, the other refuses it and says it again. The log holds all there is to log."""
    write_endpoint(home, Endpoint("open", fake.url, "OPEN_KEY"))
    write_endpoint(home, Endpoint("closed", fake.fault("key_echo"), "CLOSED_KEY"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_LOGGER_LEVEL", "debug")
        with server_of(home) as (_server, address):
            yield address


class Ear:
    """Everything that reaches the browser, by where it was heard."""

    def __init__(self, tab: Page) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self._tab = tab
        tab.on("websocket", self._socket)
        tab.on("request", lambda request: self._hear("address", request.url))
        tab.on("console", lambda message: self._hear("console", message.text))
        tab.route("**/live/**", self._live)

    def _hear(self, where: str, said: str | bytes) -> None:
        self.heard.append((where, said.encode() if isinstance(said, str) else said))

    def _socket(self, socket: WebSocket) -> None:
        self._hear("address", socket.url)
        socket.on("framereceived", lambda said: self._hear("frame", said))

    def _live(self, route: Route) -> None:
        answer = route.fetch()
        self._hear("live text", answer.body())
        route.fulfill(response=answer)

    def look(self) -> None:
        """The page as it stands now."""
        self._hear("page", self._tab.content())
        self._hear("address", self._tab.url)

    def found(self) -> list[str]:
        return [where for where, said in self.heard if any(piece in said for piece in PIECES)]

    def count(self, where: str) -> int:
        return sum(heard == where for heard, _said in self.heard)


def give_key(tab: Page, name: str) -> None:
    tab.locator(f".st-key-key-{name} button").click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_placeholder("Key").fill(KEY)
    dialog.get_by_role("button", name="Use this key").click()
    dialog.wait_for(state="detached")
    settled(tab)


def go_to(tab: Page, title: str) -> None:
    """Within the session, as the key is gone after a reload."""
    tab.get_by_role("link", name=title, exact=True).first.click()
    settled(tab)


def start(tab: Page, model: str) -> None:
    """A run of the classic loop with this model, in the same session."""
    go_to(tab, "Refine")
    if tab.locator(".st-key-new button").count():
        tab.locator(".st-key-new button").click()
        settled(tab)
    tab.get_by_test_id("stTextArea").locator("textarea").fill(DRAFT)
    pick_variant(tab, "Classic")
    for n in range(1, tab.get_by_role("combobox").count()):
        tab.get_by_role("combobox").nth(n).click()
        tab.keyboard.type(model)
        tab.keyboard.press("Enter")
        settled(tab)
    press_start(tab)
    tab.locator(".st-key-download").wait_for(timeout=60_000)
    settled(tab)


def test_a_key_typed_in_the_app_is_in_no_page_frame_address_log_or_file(
    tab: Page, address: str, home: Path, fake: Running
) -> None:
    ear = Ear(tab)
    tab.goto(f"{address}/settings")
    tab.get_by_role("heading", name="Settings").wait_for()
    settled(tab)
    for name in ("open", "closed"):
        give_key(tab, name)
        ear.look()
    tab.locator(".st-key-test-closed button").click()
    expect(tab.get_by_text("The key was refused")).to_be_visible(timeout=30_000)
    tab.get_by_text("Details", exact=True).first.click()
    ear.look()

    start(tab, "closed/steady")
    expect(tab.get_by_text("Stopped by an error").first).to_be_visible()
    ear.look()
    tab.get_by_text("Trace: every call").click()
    settled(tab, 1_500)
    ear.look()
    start(tab, "steady")
    expect(tab.get_by_text("Approved").first).to_be_visible()
    ear.look()
    for page in ("Runs", "Settings"):
        go_to(tab, page)
        ear.look()

    sent = [request["headers"]["authorization"] for request in fake.script.seen]
    assert len(sent) > 5 and {*sent} == {f"Bearer {KEY}"}
    assert {"/v1/chat/completions", "/fault/key_echo/v1/chat/completions"} <= {*fake.script.paths}
    assert min(ear.count(where) for where in ("frame", "address", "live text", "page")) >= 3
    assert ear.found() == []
    files = {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert {"server.log", "refine.db"} <= {*files} and len(files["server.log"]) > 1_000
    assert [name for name, held in files.items() if any(piece in held for piece in PIECES)] == []
