"""Which models the endpoints offer: asked once a session, in threads, so that a slow endpoint holds up no page."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

import streamlit as st

from refine.doors import needs_key
from refine.types import Endpoint
from refine.ui.parts import workbench

PATIENCE = 1.5
"""Seconds that the page waits for all lists together, once."""


@st.cache_resource(show_spinner=False)
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(4, thread_name_prefix="models")


def usable() -> list[Endpoint]:
    """The endpoints that can be asked: those without a key that need one are left alone."""
    bench = workbench()
    network = [endpoint for endpoint in bench.settings.endpoints.values() if endpoint.kind == "openai"]
    return [e for e in network if bench.keys.find(e) or (e.name in named() and not needs_key(e))]


def named() -> set[str]:
    """The endpoints that somebody set up; `openai` is always there."""
    settings = workbench().settings
    return {name for name in settings.endpoints if name != "openai"} | {settings.default_endpoint}


def ask() -> None:
    """Begins to ask, if that has not happened in this session."""
    asked: dict[Endpoint, Future[list[str]]] = st.session_state.setdefault("asked", {})
    models: Callable[[Endpoint], list[str]] = workbench().models
    for endpoint in usable():
        if endpoint not in asked:
            asked[endpoint] = _threads().submit(models, endpoint)
            st.session_state["patience"] = PATIENCE


def offered() -> dict[str, list[str]]:
    """Endpoint -> the models it has named by now; none where it did not answer."""
    asked: dict[Endpoint, Future[list[str]]] = st.session_state.get("asked", {})
    wait(asked.values(), st.session_state.pop("patience", 0))
    done = {endpoint.name: future for endpoint, future in asked.items() if future.done()}
    return {name: [] if future.exception() else future.result() for name, future in done.items()}


def ask_again() -> None:
    """After a key was given."""
    st.session_state.pop("asked", None)
