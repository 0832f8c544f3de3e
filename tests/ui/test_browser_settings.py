"""Settings in a real browser: what is wrong with an endpoint, in one sentence; keys show up nowhere; prices typed."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect  # noqa: E402

from docs.make_pictures import CHROMIUM, WIDE, page, server_of, settled  # noqa: E402
from refine.models.fake_server import Running, running  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason=f"there is no Chromium at {CHROMIUM}; set CHROMIUM"),
]

KEY = "sk-canary-4711-abcdefgh"


@pytest.fixture(scope="module")
def fake() -> Iterator[Running]:
    with running() as fake:
        yield fake


@pytest.fixture(scope="module")
def dead() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    with server_of(home) as (_server, address):
        yield f"{address}/settings"


@pytest.fixture
def tab(browser: Browser, address: str) -> Iterator[Page]:
    with page(browser, WIDE) as tab:
        opened(tab, address)
        yield tab


def opened(tab: Page, address: str) -> None:
    tab.goto(address)
    tab.get_by_role("heading", name="Settings").wait_for()
    settled(tab)


def add(tab: Page, name: str, url: str, key: str = "") -> None:
    tab.get_by_role("button", name="Add an endpoint").click()
    dialog = tab.get_by_role("dialog")
    for label, value in (("Name", name), ("Address", url), ("Name of its key", key)):
        dialog.get_by_label(label, exact=True).fill(value)
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")
    settled(tab)


def give_key(tab: Page, name: str, key: str, *, file: bool = False) -> None:
    tab.locator(f".st-key-key-{name} button").click()
    dialog = tab.get_by_role("dialog")
    dialog.get_by_placeholder("Key").fill(key)
    if file:
        dialog.get_by_text("In the key file of this computer").click()
    dialog.get_by_role("button", name="Use this key").click()
    dialog.wait_for(state="detached")
    settled(tab)


def press_test(tab: Page, name: str) -> None:
    tab.locator(f".st-key-test-{name} button").click()
    settled(tab)


def kept(home: Path) -> bytes:
    files = [file for file in home.rglob("*") if file.is_file() and file.name != "keys.yaml"]
    return b"".join(file.read_bytes() for file in files)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("wrong-key", "The key was refused: check it, or give another one."),
        ("wrong-url", "There is nothing at {url}: check the address; most end in /v1."),
        ("dead-host", "Nothing answers at {url}: check that the server runs and that the address is right."),
        ("web-page", "At {url} there is a web page and no model server: check the address; most end in /v1."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_and_the_key_stands_nowhere(
    tab: Page, home: Path, fake: Running, dead: str, name: str, sentence: str
) -> None:
    urls = {
        "wrong-key": fake.fault("key_echo"),
        "wrong-url": f"http://127.0.0.1:{fake.port}/nothing/here",
        "dead-host": dead,
        "web-page": fake.fault("html"),
    }
    spoken: list[str] = []
    tab.on("console", lambda message: spoken.append(message.text))
    add(tab, name, urls[name], "LAB_KEY")
    give_key(tab, name, KEY)
    press_test(tab, name)
    expect(tab.get_by_text(sentence.format(url=urls[name]), exact=True)).to_be_visible(timeout=30_000)
    tab.get_by_text("Details", exact=True).first.click()
    settled(tab)
    assert KEY not in tab.content()
    assert KEY not in tab.url
    assert KEY not in " ".join(spoken)
    assert KEY.encode() not in kept(home)


def test_a_key_typed_in_one_tab_is_not_in_another_and_gone_after_a_reload(
    tab: Page, browser: Browser, address: str, fake: Running
) -> None:
    add(tab, "mine", fake.url, "MINE_KEY")
    give_key(tab, "mine", KEY)
    expect(tab.get_by_text("typed in this tab")).to_have_count(1)
    with page(browser, WIDE) as other:
        opened(other, address)
        expect(other.get_by_text("MINE_KEY: not set")).to_have_count(1)
    press_test(tab, "mine")
    expect(tab.get_by_text("steady answered in")).to_have_count(1)
    assert fake.script.seen[-1]["headers"]["authorization"] == f"Bearer {KEY}"
    opened(tab, address)
    expect(tab.get_by_text("MINE_KEY: not set")).to_have_count(1)


def test_a_key_put_into_the_file_is_there_for_every_tab(
    tab: Page, browser: Browser, address: str, fake: Running, home: Path
) -> None:
    add(tab, "filed", fake.url, "FILED_KEY")
    give_key(tab, "filed", KEY, file=True)
    with page(browser, WIDE) as other:
        opened(other, address)
        expect(other.get_by_text("FILED_KEY: from the key file")).to_have_count(1)
        assert KEY not in other.content()
    assert (home / "keys.yaml").stat().st_mode & 0o077 == 0


def test_the_view_stands_in_the_address_and_survives_a_reload(tab: Page) -> None:
    tab.get_by_role("radio", name="Own words").or_(tab.get_by_role("button", name="Own words")).first.click()
    tab.wait_for_url("**view=words*")
    tab.reload()
    expect(tab.get_by_label("Words that are right as they are, one a line")).to_be_visible()


def test_a_price_typed_into_the_table_is_in_the_file_and_stays_in_the_table(
    tab: Page, address: str, home: Path
) -> None:
    (home / "prices.yaml").write_text("# of the studio\nstudio:\n  small: {input: 1, output: 2, date: 2020-01-02}\n")
    opened(tab, f"{address}?view=prices")
    table = tab.get_by_test_id("stDataFrame").first
    table.locator("canvas").first.wait_for()
    settled(tab)
    box = table.bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + 0.45 * box["width"], box["y"] + 50)
    tab.keyboard.press("Enter")
    field = tab.locator("#portal input")
    expect(field).to_be_focused()
    field.fill("1.5")
    field.press("Enter")
    expect(tab.get_by_text("not saved yet")).to_be_visible()
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_text("saved", exact=True)).to_be_visible()
    expect(tab.get_by_role("button", name="Save")).to_be_disabled()
    text = (home / "prices.yaml").read_text()
    assert "# of the studio" in text
    assert "1.5" in text
    assert "2020-01-02" not in text
