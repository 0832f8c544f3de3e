"""Settings: endpoints and keys, prices and limits, own words, language. All of it holds from the next call on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from refine.ui import language_switch, settings_endpoints, settings_prices, settings_words, view_switch
from refine.ui.words import LANGUAGES, N_, _, language

VIEWS = {
    "models": N_("Models and keys"),
    "prices": N_("Prices and limits"),
    "words": N_("Own words"),
    "language": N_("Language"),
}


def show() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Settings"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            language_switch.button()
    SHOWN[view_switch.show(VIEWS, "settings-view")]()


def languages() -> None:
    st.radio(
        _("Language of the pages"),
        [*LANGUAGES],
        index=[*LANGUAGES].index(language()),
        format_func=LANGUAGES.__getitem__,
        key="language-picked",
        on_change=lambda: language_switch.choose(st.session_state["language-picked"]),
    )
    st.caption(_("A draft keeps its own language, whichever the pages speak. Light or dark is chosen in the menu ⋮."))


SHOWN: dict[str, Callable[[], None]] = {
    "models": settings_endpoints.show,
    "prices": settings_prices.show,
    "words": settings_words.show,
    "language": languages,
}

show()
