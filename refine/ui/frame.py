"""What every state of a run's page shares: where its two sides, its bar and its small print are. Nothing jumps."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from refine.ui import sentences
from refine.ui.parts import workbench
from refine.ui.rounds import steps
from refine.ui.words import plain
from refine.views import RoundView, RunView

DRAWING = 0.04
"""Seconds in which a browser draws a part of a page."""


def follows_its_start(run_id: str) -> None:
    """This drawing of the run's page comes in parts if it is the first after the press that started the run."""
    state = st.session_state
    state["in_parts"] = state.pop("just_started", None) == run_id


def next_part() -> None:
    """Lets the browser draw what has come so far. Drawn all at once, a page would hold up the text that comes in."""
    if st.session_state.get("in_parts"):
        time.sleep(DRAWING)


def two_sides() -> tuple[DeltaGenerator, DeltaGenerator]:
    """The text, and the loop."""
    left, right = st.columns([7, 4], gap="large")
    return left, right


def loop_side(
    view: RunView,
    title: str,
    findings: Callable[[RunView], None],
    actions: Callable[[RoundView], None] | None = None,
) -> None:
    """The rounds so far as steps, with what can be done with each, and findings under them."""
    steps(view, actions)
    if view.rounds:
        st.subheader(title, anchor=False)
        findings(view)


def storage(view: RunView) -> None:
    """Where the text is kept and where it was sent; what was adapted for a model."""
    settings = workbench().settings
    st.caption(f"{sentences.stored_in(settings.home)} · {sentences.sent_to(view, settings.endpoints)}")
    for words in view.adapted:
        st.caption(plain(words))


def bar(text: str, buttons: Callable[[], None], progress: float | None = None) -> None:
    with st.bottom, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(width=560, gap=None):
            if progress is None:
                st.caption(text)
            else:
                st.progress(progress, text=text)
        with st.container(horizontal=True, width="content", vertical_alignment="center", gap="small"):
            buttons()
