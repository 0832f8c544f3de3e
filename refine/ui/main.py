"""The frame of all pages: language, navigation. `app.py` gives it to the server."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from refine.ui import language_switch, parts
from refine.ui.words import _, choose_language

st.set_page_config(page_title="Refine", page_icon="📝", layout="wide")
choose_language()
language_switch.keep_in_address()
st.logo(Path(__file__).parent / "logo.svg", size="medium")
pages = [
    st.Page("refine_page.py", title=_("Refine"), icon=":material/edit_note:", default=True),
    st.Page("compare_page.py", title=_("Compare"), icon=":material/compare_arrows:", url_path="compare"),
    st.Page("react_page.py", title="ReAct", icon=":material/account_tree:", url_path="react"),
    st.Page("runs_page.py", title=_("Runs"), icon=":material/history:", url_path="runs"),
    st.Page("prompts_page.py", title=_("Prompts"), icon=":material/article:", url_path="prompts"),
    st.Page("settings_page.py", title=_("Settings"), icon=":material/tune:", url_path="settings"),
]
page = st.navigation(pages, position="top")
parts.came_to(page.url_path)
page.run()
