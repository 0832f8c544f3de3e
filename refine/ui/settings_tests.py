"""Settings: tests of endpoints, and what this browser session still knows of them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from refine.types import Endpoint
from refine.ui import model_lists
from refine.ui.parts import workbench

if TYPE_CHECKING:
    from refine.models.probe import Probe

TESTS = "endpoint-tests"
NOTICE = "endpoint-notice"
"""What the last command did besides what was asked."""
REMOVED = "endpoint-removed"
"""The endpoint that was removed last, for the way back."""


@dataclass(frozen=True)
class Tested:
    found: Probe
    at: float


def model_key(endpoint: Endpoint) -> str:
    return f"test-model-{endpoint.name}"


def last_test(endpoint: Endpoint) -> Tested | None:
    """That of the endpoint as it is now."""
    tested: Tested | None = st.session_state.get(TESTS, {}).get(endpoint.name)
    return tested if tested and tested.found.endpoint == endpoint else None


def test(endpoint: Endpoint) -> None:
    """Takes as long as the server does; what is learnt is kept for the runs."""
    from refine.models.probe import probe  # the package of the models: only who asks waits for it

    bench = workbench()
    model = (st.session_state.get(model_key(endpoint)) or "").strip()
    found = asyncio.run(probe(endpoint, bench.keys.find(endpoint), model))
    st.session_state.setdefault(TESTS, {})[endpoint.name] = Tested(found, time.time())
    st.session_state.pop(NOTICE, None)
    if found.quirks and not found.better:
        known = bench.store.quirks_get(endpoint.name, found.model) or {}
        bench.store.quirks_put(endpoint.name, found.model, {**known, **found.quirks})


def changed(name: str) -> None:
    """The endpoint or its key: what was found before says nothing any more."""
    st.session_state.get(TESTS, {}).pop(name, None)
    for said in (NOTICE, REMOVED):
        st.session_state.pop(said, None)
    model_lists.ask_again()
