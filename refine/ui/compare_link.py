"""One quiet button that leads from a run to a comparison of its variant with another, on the same draft."""

from __future__ import annotations

import streamlit as st

from refine.ui.words import _
from refine.views import RunView


def button(view: RunView) -> None:
    if view.technique == "react" or not view.spec.task.draft:
        return
    label, icon = _("Compare with another variant"), ":material/compare_arrows:"
    if st.button(label, type="tertiary", icon=icon, key="compare-run"):
        from refine.ui import compare_form  # what makes plans: a run that has ended has no time for it

        compare_form.take_run(view)
        st.switch_page("compare_page.py")
