"""A dialog that closes when its work is done, and stays open to say why it could not be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

DONE = "dialog_done"

Width = Literal["small", "medium", "large"]
Position = Literal["center", "left", "right"]


def show(title: str, body: Callable[[], None], *, width: Width = "small", position: Position = "center") -> None:
    """Opens it. Buttons of `body` act in their `on_click`, where `done()` closes the dialog."""
    st.session_state.pop(DONE, None)

    def inside() -> None:
        if st.session_state.pop(DONE, False):
            st.rerun()
        body()

    st.dialog(title, width=width, position=position)(inside)()


def done() -> None:
    st.session_state[DONE] = True
