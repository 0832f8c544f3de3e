"""A row of views of one page, of which the address names the one that is shown."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from refine.ui.words import _

VIEW = "view"


def show(views: Mapping[str, str], key: str) -> str:
    """`views`: name in the address -> words. The first is the one without a name in the address."""
    first, asked = next(iter(views)), st.query_params.get(VIEW, "")
    st.session_state[key] = asked if asked in views else first
    st.segmented_control(
        _("View"),
        [*views],
        required=True,
        format_func=lambda name: _(views[name]),
        key=key,
        label_visibility="collapsed",
        on_change=put,
        args=(key, first),
    )
    return str(st.session_state[key])


def put(key: str, first: str) -> None:
    if st.session_state[key] == first:
        st.query_params.pop(VIEW, None)
    else:
        st.query_params[VIEW] = st.session_state[key]
