"""The page as an author waits for it, in a real browser: how soon a press on Refine shows words, and how long it stands
still meanwhile. Needs playwright and Chromium; without them its rows are not measured."""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refine.bench.rows import Row, Size
from refine.bench.tools import PROJECT, STORED_WORDS, behave, draft_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync")
VARIANT, MODEL = "Classic", "steady"
PIECE_SECONDS = 0.03
"""Between two pieces of a reply."""
WATCHED_MS = 2_000
"""After a press."""
START_SECONDS = 60
WHAT = (
    "page: press to first words",
    "page: press to first words, fresh process",
    "page: longest gap between two frames",
)
WATCH = """(watched) => {
  const said = () => [...document.querySelectorAll("*")].some(({ shadowRoot: root }) =>
    [...(root?.querySelectorAll(".live:not([hidden]) :is(.new, .critics p)") ?? [])].some((part) => part.textContent));
  document.querySelector(".st-key-start").addEventListener("click", () => {
    const began = performance.now();
    let last = began, words = null, gap = 0;
    const frame = () => {
      const now = performance.now();
      [gap, last] = [Math.max(gap, now - last), now];
      if (words === null && said()) words = now - began;
      if (now - began < watched || words === null) requestAnimationFrame(frame);
      else globalThis.pressed = { words, gap };
    };
    requestAnimationFrame(frame);
  }, { capture: true, once: true });
}"""


@dataclass(frozen=True, slots=True)
class Press:
    words: float
    """Milliseconds until the first words stand there."""
    gap: float
    """The longest time between two frames, milliseconds."""


def pressed(size: Size, url: str) -> Iterator[Row]:
    """The first press of a server's life, then more of them."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None  # type: ignore[assignment]
    if not CHROMIUM or sync_playwright is None:
        yield from (Row(what, None) for what in WHAT)
        return
    behave(url, pieces_per_write=1, seconds_per_piece=PIECE_SECONDS)
    with ExitStack() as stack:
        address = stack.enter_context(_app(url))
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en-GB")
        first, *more = (_press(page, address, number) for number in range(1 + size.presses))
    words, gaps = [press.words for press in more], [press.gap for press in more]
    yield Row(WHAT[0], statistics.median(words), 150, "ms", "presses " + _listed(words))
    yield Row(WHAT[1], first.words, 1_000, "ms", f"its longest gap {first.gap:.0f}")
    yield Row(WHAT[2], statistics.median(gaps), 50, "ms", "presses " + _listed(gaps))


def _listed(times: list[float]) -> str:
    return " ".join(f"{time:.0f}" for time in times)


def _press(page: Page, address: str, number: int) -> Press:
    page.goto(address)
    page.get_by_label("Your draft", exact=True).fill(draft_of(STORED_WORDS, number))
    _drawn(page)
    page.get_by_role("combobox").first.fill(VARIANT)
    page.keyboard.press("Enter")
    page.get_by_text("Critic", exact=False).first.wait_for()
    _drawn(page)
    page.evaluate(WATCH, WATCHED_MS)
    page.locator(".st-key-start button").click()
    page.wait_for_function("globalThis.pressed")
    found: dict[str, Any] = page.evaluate("globalThis.pressed")
    page.locator(".st-key-stop button").click()
    page.locator(".st-key-stop").wait_for(state="detached")
    return Press(**found)


def _drawn(page: Page) -> None:
    """Until nothing more is on its way."""
    page.wait_for_timeout(300)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.wait_for_timeout(300)


@contextmanager
def _app(url: str) -> Iterator[str]:
    """The app, for as long as the block lasts, with models at that URL. Gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    models = {"OPENAI_BASE_URL": url, "REFINE_MODEL": MODEL}
    with subprocess.Popen(
        command, cwd=PROJECT, env={**os.environ, **models}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/_stcore/health")
            yield address
        finally:
            server.terminate()


def _wait_for(address: str) -> None:
    until = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
