"""The page for questions with tools: the field for one, or, with `?run=` in the address, that conversation."""

from __future__ import annotations

import streamlit as st

from refine.ui import react_run, react_start

if run_id := st.query_params.get("run"):
    react_run.show(run_id)
else:
    react_start.show()
