"""The page for comparing loops: the form of a new comparison, or, with `?comparison=` in the address, that one."""

from __future__ import annotations

import streamlit as st

from refine.ui import compare_opened, compare_plan

if comparison_id := st.query_params.get("comparison"):
    compare_opened.show(comparison_id)
else:
    compare_plan.show()
