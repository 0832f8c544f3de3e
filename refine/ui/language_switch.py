"""One quiet button that names the other language."""

from __future__ import annotations

import streamlit as st

from refine.ui.words import LANGUAGES, language


def button() -> None:
    for code, name in LANGUAGES.items():
        if code != language():
            icon = ":material/translate:"
            st.button(name, type="tertiary", icon=icon, key=f"language-{code}", on_click=choose, args=(code,))


def choose(code: str) -> None:
    """For the session, and in the address, so that a link and a reload keep it."""
    st.session_state["language"] = st.query_params["lang"] = code
    st.session_state["language_chosen"] = True


def keep_in_address() -> None:
    """A click on a page's name drops what the address said."""
    if st.session_state.get("language_chosen") and "lang" not in st.query_params:
        st.query_params["lang"] = language()
