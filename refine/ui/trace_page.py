"""The trace of one run: every call and what else happened, in order; beside it the picked one in full."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from functools import partial
from zoneinfo import ZoneInfo

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import export, tables, views
from refine.trace import Entry, entries
from refine.types import ModelCall
from refine.ui import fork, parts, trace_detail
from refine.ui.parts import FILES, file_bytes, variant_title, workbench
from refine.ui.words import _, money, plain
from refine.views import RunView

EVERY_SECONDS = 2
"""How often the list is read again while the run is under way."""
TABLE = "trace-table"
MOST_ROWS = 18
"""More rows scroll in the table."""


def link(run_id: str) -> None:
    """Leads to a run's trace."""
    label, icon = _("Trace: every call"), ":material/list_alt:"
    st.page_link("runs_page.py", label=label, icon=icon, query_params={"trace": run_id})


def button(run_id: str) -> None:
    """The same on the list of runs, where a link would look like the place where one is."""
    label, icon = _("Trace: every call"), ":material/list_alt:"
    st.button(label, type="tertiary", icon=icon, on_click=open_trace, args=(run_id,), key="trace")


def open_trace(run_id: str | None) -> None:
    """From now on the address shows this run's trace; the list of runs without one."""
    if run_id:
        st.query_params["trace"] = run_id
    else:
        del st.query_params["trace"]


def show(run_id: str) -> None:
    records = workbench().store.records(run_id)
    if not records:
        st.header(_("No such run"), anchor=False)
        said = _("There is no run {name} here. The list of runs shows all that are kept.")
        st.markdown(said.format(name=plain(run_id)))
        all_runs()
        return
    view, found = views.read(records), entries(records)
    header(view, round_at(found, picked(run_id, found)))
    drawn: list[Entry] = []
    left, right = st.columns([7, 5], gap="medium")
    with left:
        if view.ended:
            table(run_id, drawn)
        else:
            st.fragment(table, run_every=EVERY_SECONDS)(run_id, drawn)
    with right:
        drawn.append(found[min(st.session_state["trace-place"], len(found) - 1)])
        trace_detail.show(view, drawn[0])


def round_at(found: Sequence[Entry], place: int) -> int | None:
    """The round or step to which the line belongs; None while that has not ended."""
    return next((entry.round for entry in found[place:] if entry.round is not None), None)


def header(view: RunView, at: int | None) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        title = plain(view.title) or _("A text from a brief")
        st.header(_("Trace: {title}").format(title=title), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            parts.status_badge(view)
            st.markdown(f":gray[{plain(variant_title(view.variant))}]", width="content")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        all_runs()
        if st.button(_("Open the run"), icon=":material/open_in_new:", key="open-run"):
            st.switch_page(parts.page_of(view), query_params={"run": view.run_id})
        fork.button(view, at)
        label, mime = FILES["jsonl"]
        data, name = partial(file_bytes, view.run_id, "jsonl"), export.name(view, "jsonl")
        icon = ":material/download:"
        st.download_button(_(label), data, name, mime, on_click="ignore", icon=icon, key="download-log")


def all_runs() -> None:
    icon = ":material/arrow_back:"
    st.button(_("All runs"), type="tertiary", icon=icon, on_click=open_trace, args=(None,), key="all-runs")


def table(run_id: str, drawn: Sequence[Entry]) -> None:
    """The calls and events. Drawn alone, it draws the whole page again where what is shown beside it has changed."""
    records = workbench().store.records(run_id)
    view, found = views.read(records), entries(records)
    place = picked(run_id, found)
    if drawn and (view.ended or drawn[0] != found[place]):
        st.rerun()
    st.dataframe(
        frame(view, found),
        hide_index=True,
        on_select="rerun",
        selection_mode=["single-row-required", "single-cell"],
        key=TABLE,
        placeholder="",
        height="content" if len(found) < MOST_ROWS else 620,
        column_config={
            "seq": st.column_config.NumberColumn(_("No."), width=50),
            "time": st.column_config.DatetimeColumn(_("Time"), format="HH:mm:ss", width=80),
            "what": st.column_config.TextColumn(_("What"), width="medium"),
            "tokens_in": st.column_config.NumberColumn(_("Tokens in"), format="localized"),
            "cached": st.column_config.NumberColumn(_("of them cached"), format="localized"),
            "tokens_out": st.column_config.NumberColumn(_("Tokens out"), format="localized"),
            "cost": st.column_config.TextColumn(_("Cost"), alignment="right"),
            "seconds": st.column_config.NumberColumn(_("Seconds"), format="%.1f"),
            "attempts": st.column_config.NumberColumn(_("Attempts")),
        },
        alt=_("Everything that happened in this run, in order. The picked line is shown beside the list."),
    )


def picked(run_id: str, found: Sequence[Entry]) -> int:
    """The place of the picked line; of the first call of a model, where nobody has picked one yet."""
    state = st.session_state
    if state.get("trace-run") != run_id:
        state["trace-run"] = run_id
        place = next((place for place, entry in enumerate(found) if isinstance(entry.call, ModelCall)), 0)
    else:
        place = min(parts.picked_row(TABLE, state["trace-place"]), len(found) - 1)
    state["trace-place"] = place
    parts.pick_row(TABLE, place)
    return place


def frame(view: RunView, found: Sequence[Entry]) -> pd.DataFrame:
    shown = tables.trace(found)
    zone = ZoneInfo(st.context.timezone) if st.context.timezone else datetime.UTC
    shown["time"] = pd.to_datetime(shown["time"], unit="s", utc=True).dt.tz_convert(zone)
    shown.insert(2, "what", [trace_detail.name(view, entry) for entry in found])
    shown["cost"] = [money(entry.usage.cost, entry.usage.currency) if entry.usage else "" for entry in found]
    if not any(entry.usage for entry in found):
        return shown.drop(columns=["tokens_in", "cached", "tokens_out", "cost"])
    return shown if shown["cached"].any() else shown.drop(columns="cached")
