"""A dialog in which a key is given, for this browser session only."""

from __future__ import annotations

import streamlit as st

from refine.ui import dialogs, form, model_lists
from refine.ui.parts import workbench
from refine.ui.role_settings import endpoint
from refine.ui.words import _


def button() -> None:
    if st.button(_("Add a key"), icon=":material/key:", key="add-key"):
        dialogs.show(_("Add a key"), dialog)


def dialog() -> None:
    openai = workbench().settings.endpoints["openai"]
    st.text_input(
        _("Key for {address}").format(address=f"`{openai.base_url}`"),
        type="password",
        key="new_key",
        placeholder=_("Key"),
        autocomplete="off",
    )
    st.caption(_("Kept until you close or reload this browser tab, for the runs that you start in it."))
    st.page_link("settings_page.py", label=_("To keep it, or to use another server: Settings"), icon=":material/tune:")
    st.button(_("Use this key"), type="primary", on_click=use, key="use-key")


def use() -> None:
    bench = workbench()
    bench.keys.put("openai", st.session_state.pop("new_key", ""), bench.settings.endpoints["openai"].base_url)
    model_lists.ask_again()
    if endpoint():
        form.put("variant", "polish")
        dialogs.done()
