"""The page for one draft: the form that starts a run, or, with `?run=` in the address, that run."""

from __future__ import annotations

import streamlit as st

from refine.ui import run_page, start_page

run_id = st.query_params.get("run")
if run_id:
    run_page.show(run_id)
else:
    start_page.show()
