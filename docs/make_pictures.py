"""Pictures of the pages, taken with a real browser on fresh home folders: `make pictures`.

Writes docs/pictures/*.png, which the documents show, and docs/pictures/sheets/*.png, one for each state of a page with
light and dark, English and Chinese, wide and narrow. Needs Chromium; no key and no network are used.

    python -m docs.make_pictures            all
    python -m docs.make_pictures runs       those whose name holds "runs"
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from docs import compared as comparing
from docs import scenes
from docs.sheets import sheet

PROJECT = Path(__file__).resolve().parent.parent
PICTURES = PROJECT / "docs" / "pictures"
CHROMIUM = os.environ.get("CHROMIUM", shutil.which("chromium") or "/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ENVIRONMENT = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL")
"""Unset for the pictures, so that they show what a newcomer sees."""
WIDE, NARROW = (1440, 900), (420, 900)


@contextmanager
def server_of(home: Path, port: int = 0, wait_seconds: float = 60) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The app with this home folder, on this port or a free one. Gives its process and its address."""
    port = port or _free_port()
    env = {name: value for name, value in os.environ.items() if name not in ENVIRONMENT}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with (home / "server.log").open("ab") as log:
        server = subprocess.Popen(
            command, cwd=PROJECT, env={**env, "REFINE_HOME": str(home)}, stdout=log, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + wait_seconds
        while not _healthy(address):
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The app did not start: {(home / 'server.log').read_text()[-2000:]}")
            time.sleep(0.2)
        yield server, address
    finally:
        server.terminate()
        server.wait(10)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@contextmanager
def page(browser: Browser, size: tuple[int, int], *, dark: bool = False, locale: str = "en-GB") -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        locale=locale,
        reduced_motion="reduce",
    )
    try:
        yield context.new_page()
    finally:
        context.close()


# --- what an author does ---------------------------------------------------------------------------------------------


def open_start(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_test_id("stTextArea").locator("textarea").wait_for()
    settled(page)


def settled(page: Page, milliseconds: int = 700) -> None:
    """Until the page has been drawn and nothing more is on its way."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.get_by_test_id("stSkeleton").first.wait_for(state="hidden")
    page.wait_for_timeout(milliseconds)


def pick_sample(page: Page, title: str) -> None:
    page.get_by_role("button", name=title, exact=True).click()
    settled(page)


def pick_variant(page: Page, title: str) -> None:
    page.get_by_role("combobox").first.click()
    page.get_by_role("option").filter(has_text=title).first.click()
    settled(page)


def pick_models(page: Page, character: str) -> None:
    """A scripted character for every role."""
    for n in range(1, page.get_by_role("combobox").count()):
        page.get_by_role("combobox").nth(n).click()
        page.keyboard.type(f"scripted/{character}")
        page.keyboard.press("Enter")
        settled(page)


def press_start(page: Page) -> None:
    page.locator(".st-key-start button").click()
    page.wait_for_url("**run=*")


def wait_for_end(page: Page) -> None:
    page.locator(".st-key-download").wait_for(timeout=60_000)
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for()
    settled(page)


# --- states of the pages ---------------------------------------------------------------------------------------------

Steps = Callable[[Page], None]


@dataclass(frozen=True)
class State:
    """A page in a state: an address, in which `{lang}` is en or zh, and what is done there before the picture."""

    path: str
    steps: Steps = settled
    fresh: bool = False
    """In a folder in which nobody has run anything yet."""


def press(button: Locator) -> None:
    """In the middle of the page first: at its end the bar may cover the button."""
    button.evaluate("button => button.scrollIntoView({block: 'center'})")
    button.click()


def click(selector: str, before: Steps = settled) -> Steps:
    def steps(page: Page) -> None:
        before(page)
        press(page.locator(selector).first)
        settled(page)

    return steps


def drafted(page: Page) -> None:
    """With the sample of the page's language in the field."""
    press(page.locator(".st-key-sample-newsletter button, .st-key-sample-zh button").first)
    settled(page)


PROMPT = re.compile("(Prompt|提示词)$")


def with_roles(page: Page) -> None:
    """With a variant in which models write and judge."""
    drafted(page)
    press(page.get_by_role("combobox").first)
    page.get_by_role("option").filter(has_text=re.compile("^(Polish|润色) ")).first.click()
    settled(page)
    page.get_by_role("button", name=PROMPT).last.scroll_into_view_if_needed()


def prompt(page: Page) -> None:
    with_roles(page)
    press(page.get_by_role("button", name=PROMPT).first)
    page.get_by_role("dialog").wait_for()
    settled(page)


def table_drawn(page: Page) -> None:
    page.locator("[data-testid=stDataFrame] canvas").first.wait_for()
    settled(page)


def row_picked(n: int) -> Steps:
    def steps(page: Page) -> None:
        table_drawn(page)
        page.get_by_test_id("stDataFrame").first.click(position={"x": 200, "y": 52 + 33 * n})
        settled(page)
        page.mouse.move(5, 500)
        settled(page)

    return steps


def answered(page: Page) -> None:
    """With a sample task that a scripted model has played to its end."""
    page.locator(".st-key-world-notes button").click()
    page.wait_for_url("**run=*")
    table_drawn(page)
    page.get_by_text(re.compile("^(Verified|已核对)")).first.wait_for()
    settled(page)


def compared(page: Page) -> None:
    """With the draft of the page's language in the form of a new comparison."""
    press(page.locator(".st-key-sample-newsletter button, .st-key-sample-zh button").first)
    settled(page, 1_500)


def cell_picked(page: Page) -> None:
    table_drawn(page)
    wide = int(page.evaluate("window.innerWidth"))
    page.get_by_test_id("stDataFrame").first.click(position={"x": wide * 0.55 if wide > NARROW[0] else 250, "y": 52})
    settled(page, 1_500)
    page.mouse.move(5, 500)
    settled(page)


def streaming(page: Page) -> None:
    page.locator(".live:not([hidden]) .new").first.wait_for()
    settled(page, 2_500)


STATES = {
    "start-empty": State("/", fresh=True),
    "start-draft": State("/", drafted, fresh=True),
    "start-roles": State("/", with_roles, fresh=True),
    "start-prompt": State("/", prompt, fresh=True),
    "start-file": State("/", click(".st-key-open-file button", drafted), fresh=True),
    "runs-empty": State("/runs", table_drawn, fresh=True),
    "running": State("/?run=running-{lang}", streaming),
    "waiting-unclear": State("/?run=unclear-{lang}"),
    "waiting-review": State("/?run=review-{lang}"),
    "finished": State("/?run={example}"),
    "finished-offline": State("/?run=offline-{lang}"),
    "finished-limit": State("/?run=limit-{lang}"),
    "finished-calls": State("/?run=budget-{lang}"),
    "finished-failed": State("/?run=failed-{lang}"),
    "download": State("/?run={example}", click(".st-key-download button")),
    "runs": State("/runs", row_picked(2)),
    "runs-filters": State("/runs?status=approved", click(".st-key-more-filters button")),
    "trace": State("/runs?trace={example}", table_drawn),
    "compare-start": State("/compare", compared, fresh=True),
    "compare-results": State("/compare?comparison=compared-{lang}&view=results", table_drawn),
    "compare-texts": State("/compare?comparison=compared-{lang}&view=texts", cell_picked),
    "compare-vote": State("/compare?comparison=compared-{lang}&view=vote"),
    "compare-plan": State("/compare?comparison=compared-{lang}", table_drawn),
    "react-start": State("/react", fresh=True),
    "react-answered": State("/react", answered, fresh=True),
    "prompts": State("/prompts?variant=letters-{lang}&role=critic"),
    "prompts-changes": State("/prompts?variant=letters-{lang}&role=critic&view=changes"),
    "prompts-history": State("/prompts?variant=letters-{lang}&role=critic&view=history", table_drawn),
    "prompts-settings": State("/prompts?variant=letters-{lang}&role=settings"),
    "prompts-new": State("/prompts?variant=letters-{lang}&role=critic", click(".st-key-prompts-save-new button")),
    "fork": State("/runs?trace={example}", click(".st-key-fork button")),
}

PICTURES_OF = {
    "refine-start": ("start-draft", WIDE, False, "en-GB"),
    "refine-running": ("running", WIDE, False, "en-GB"),
    "refine-finished": ("finished", (1440, 1250), False, "en-GB"),
    "refine-finished-offline": ("finished-offline", (1440, 1250), False, "en-GB"),
    "refine-finished-zh-dark": ("finished", WIDE, True, "zh-CN"),
    "refine-start-zh-narrow": ("start-empty", NARROW, False, "zh-CN"),
    "refine-finished-narrow": ("finished", NARROW, True, "en-GB"),
    "compare-results": ("compare-results", (1440, 1250), False, "en-GB"),
    "compare-vote": ("compare-vote", WIDE, False, "en-GB"),
    "runs": ("runs", WIDE, False, "en-GB"),
    "trace": ("trace", WIDE, False, "en-GB"),
    "react": ("react-answered", WIDE, False, "en-GB"),
    "prompts": ("prompts-changes", WIDE, False, "en-GB"),
}
"""The pictures in the documents: state, size, dark?, locale."""
EXAMPLES = {"en": "example", "zh": "example-zh"}


# --- taking them -----------------------------------------------------------------------------------------------------


class Camera:
    """A browser before two servers: one on a folder of a newcomer, one on a folder with runs of every kind."""

    def __init__(self, browser: Browser, fresh: str, full: str) -> None:
        self._browser, self._fresh, self._full = browser, fresh, full
        self.missed: list[str] = []

    def shoot(self, name: str, size: tuple[int, int], dark: bool, locale: str) -> bytes:
        """One picture; of the page as it then is where a step cannot be done, which is remembered."""
        state, lang = STATES[name], locale[:2]
        path = state.path.format(lang=lang, example=EXAMPLES[lang])
        with page(self._browser, size, dark=dark, locale=locale) as shown:
            shown.goto((self._fresh if state.fresh else self._full) + path)
            try:
                settled(shown)
                state.steps(shown)
            except PlaywrightError as error:
                self.missed.append(f"{name} {locale} {size[0]}: {str(error).splitlines()[0]}")
            shown.mouse.move(5, 500)
            shown.wait_for_timeout(300)
            return shown.screenshot()


def take(camera: Camera, only: str) -> None:
    for name in STATES:
        if only in name:
            path = PICTURES / "sheets" / f"{name}.png"
            sheet(partial(camera.shoot, name), path)
            print(path.relative_to(PROJECT), path.stat().st_size // 1000, "kB", flush=True)
    for name, shot in PICTURES_OF.items():
        if only in name:
            (PICTURES / f"{name}.png").write_bytes(camera.shoot(*shot))
            print(f"{name}.png", flush=True)


def main() -> int:
    for variable in ENVIRONMENT:
        os.environ.pop(variable, None)
    with ExitStack() as stack:
        fresh, full = (Path(stack.enter_context(tempfile.TemporaryDirectory())) / "refine" for _ in range(2))
        fresh.mkdir(), full.mkdir()
        os.environ["REFINE_HOME"] = str(full)
        scenes.make(full)
        comparing.make(full)
        stack.enter_context(scenes.running(full))
        addresses = [stack.enter_context(server_of(home))[1] for home in (fresh, full)]
        play = stack.enter_context(sync_playwright())
        camera = Camera(play.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS]), *addresses)
        take(camera, "".join(sys.argv[1:2]))
    print(*camera.missed, sep="\n")
    return 1 if camera.missed else 0


if __name__ == "__main__":
    sys.exit(main())
