"""One run, whatever its state: the text at the left, the loop at the right, what can be done at the bottom."""

from __future__ import annotations

import streamlit as st

from refine import views
from refine.ui import finished, frame, parts, running, waiting
from refine.ui.parts import open_run, workbench
from refine.ui.words import _, plain
from refine.views import RunView


def show(run_id: str) -> None:
    records = workbench().store.records(run_id)
    if not records:
        nothing_here(run_id)
        return
    view = views.read(records)
    if parts.page_of(view) != "refine_page.py":
        st.switch_page(parts.page_of(view), query_params={"run": run_id})
    frame.follows_its_start(run_id)
    header(view)
    parts.problem()
    frame.next_part()
    state = finished if view.ended else waiting if view.question else running
    state.show(view, records)


def nothing_here(run_id: str) -> None:
    st.header(_("No such run"), anchor=False)
    st.markdown(_("There is no run {name} here. The list of runs shows all that are kept.").format(name=plain(run_id)))
    st.button(_("Start a new one"), type="primary", on_click=open_run, args=(None,))


def header(view: RunView) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(plain(view.title) or _("A text from a brief"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            parts.status_badge(view)
            st.markdown(f":gray[{plain(parts.variant_title(view.variant))}]", width="content")
            icon = ":material/add:"
            st.button(_("New draft"), key="new", type="tertiary", icon=icon, on_click=open_run, args=(None,))
