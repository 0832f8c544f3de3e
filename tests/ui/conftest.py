"""A workbench of its own for every test of a page, and the pages on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from refine.runs import Order, Workbench
from refine.ui import parts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MAIN = Path(__file__).resolve().parents[2] / "refine" / "ui" / "main.py"
NO_KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL")

Open = Callable[..., AppTest]
Run = Callable[..., str]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """The workbench that the pages find, without a worker: tests execute runs themselves."""
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    for name in NO_KEYS:
        monkeypatch.delenv(name, raising=False)
    st.cache_resource.clear()
    found = parts.workbench()
    yield found
    found.store.close()
    st.cache_resource.clear()


@pytest.fixture
def open_page(bench: Workbench) -> Open:
    """A page as a new browser sees it."""

    def open_page(**query: str) -> AppTest:
        page = AppTest.from_file(str(MAIN), default_timeout=20)
        for name, value in query.items():
            page.query_params[name] = value
        return page.run()

    return open_page


@pytest.fixture
def make_run(bench: Workbench) -> Run:
    """A run with scripted models, executed as far as it goes."""

    def make_run(
        draft: str,
        character: str = "steady",
        variant: str = "classic",
        execute: bool = True,
        changes: dict[str, str] | None = None,
    ) -> str:
        roles = ("writer", "critic") if variant != "offline" else ()
        models = {f"role.{role}.{field}": value for role in roles
                  for field, value in (("endpoint", "scripted"), ("model", character))}  # fmt: skip
        spec = bench.prepare(Order(draft=draft, variant=variant, changes={**models, **(changes or {})}, somebody=True))
        run_id = bench.start(spec)
        if execute:
            asyncio.run(bench.execute(run_id))
        return run_id

    return make_run


def said(page: AppTest) -> str:
    """All that a page says in its own elements, for looking a word up."""
    assert not page.exception, page.exception
    kinds = ("header", "subheader", "markdown", "caption", "error", "warning", "text", "button", "expander", "status")
    found = [element for kind in kinds for element in page.get(kind)]
    return "\n".join(str(getattr(element, "value", "") or getattr(element, "label", "")) for element in found)


def run_in_address(page: AppTest) -> str:
    """The run that the page's address names."""
    (named,) = [page.query_params["run"]] if isinstance(page.query_params["run"], str) else page.query_params["run"]
    return named


# --- a real browser: for modules that drive one; playwright is imported only there ---------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's home folder, one for a module."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    """The app on that folder."""
    from docs.make_pictures import server_of

    with server_of(home) as (_server, address):
        yield address


@pytest.fixture(scope="module")
def browser(home: Path) -> Iterator[Browser]:
    """After the home folder was made: while the browser is open, no other event loop may run in this thread."""
    from playwright.sync_api import sync_playwright

    from docs.make_pictures import CHROMIUM, FLAGS

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield browser
        browser.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    from docs.make_pictures import WIDE, page

    with page(browser, WIDE) as tab:
        yield tab
