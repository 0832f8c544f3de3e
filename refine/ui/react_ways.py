"""The same question in several ways: a switch that starts them, a row for each, and a way to each of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import same_task
from refine.same_task import AT_WORK, Result, Way, Worked
from refine.ui.parts import attempt, cost_words, open_run, workbench
from refine.ui.react_steps import shortened
from refine.ui.words import N_, _
from refine.views import RunView

EVERY_SECONDS = 1
"""How often the rows are read again while a run is under way."""
SHORT = 120
"""Characters of an answer in its row."""
WAYS: dict[Way, str] = {
    "json": N_("Tools, JSON text"),
    "native": N_("Tools, native calls"),
    "plain": N_("One plain call"),
}
RESULTS: dict[Result, tuple[str, str]] = {
    "verified": ("green", N_("verified")),
    "answered": ("blue", N_("answered")),
    "unfinished": ("orange", N_("not finished")),
    "failed": ("red", N_("failed")),
    "waiting": ("orange", N_("waits for you")),
    "working": ("gray", N_("working")),
}


def section(view: RunView) -> None:
    """Under a conversation."""
    if not same_task.can_be_had(view):
        return
    rows = same_task.worked(workbench(), view.run_id)
    name = f"ways-{same_task.first_of(view.run_id)}"
    on = st.toggle(
        _("Same task, several techniques"),
        len(rows) > 1,
        key=name,
        help=_("Asks the same model the same question with native tool calls, in JSON text, and once without tools."),
        on_change=switched,
        args=(name, view.run_id),
    )
    if on and len(rows) > 1:
        under_way = any(row.result in AT_WORK for row in rows)
        st.fragment(table, run_every=EVERY_SECONDS if under_way else None)(view.run_id, under_way)
        links(view, rows)


def switched(name: str, run_id: str) -> None:
    if st.session_state[name]:
        attempt(partial(same_task.start_others, workbench(), run_id))


def table(run_id: str, under_way: bool) -> None:
    """Drawn alone, it draws the whole page again once all of them rest."""
    rows = same_task.worked(workbench(), run_id)
    if under_way and not any(row.result in AT_WORK for row in rows):
        st.rerun()
    paid = any(row.cost.known or not row.cost.complete for row in rows)
    shown = frame(rows)
    column = st.column_config
    st.dataframe(
        shown if paid else shown.drop(columns="cost"),
        hide_index=True,
        column_config={
            "way": column.TextColumn(_("Technique"), width=135),
            "result": column.MultiselectColumn(
                _("Result"),
                options=[_(said) for _colour, said in RESULTS.values()],
                color=[colour for colour, _said in RESULTS.values()],
                width=95,
            ),
            "steps": column.NumberColumn(_("Steps"), width=55),
            "tokens": column.NumberColumn(_("Tokens"), format="localized", width=65),
            "cost": column.TextColumn(_("Cost"), width=75),
            "seconds": column.NumberColumn(_("Seconds"), format="%.1f", width=65),
            "answer": column.TextColumn(_("Answer"), width="medium"),
        },
        placeholder="",
        height="content",
        alt=_("One row for each technique: result, steps, tokens, cost, seconds and answer."),
    )


def frame(rows: Sequence[Worked]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "way": [_(WAYS[row.way]) for row in rows],
            "result": [[_(RESULTS[row.result][1])] for row in rows],
            "steps": [row.steps for row in rows],
            "tokens": [row.tokens for row in rows],
            "cost": [cost_words(row.cost) if row.tokens else "" for row in rows],
            "seconds": [row.seconds for row in rows],
            "answer": [shortened(row.answer, SHORT) for row in rows],
        }
    )


def links(view: RunView, rows: Sequence[Worked]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for row in rows:
            if row.run_id != view.run_id:
                label, icon = _("Open: {name}").format(name=_(WAYS[row.way])), ":material/open_in_new:"
                st.button(
                    label, type="tertiary", icon=icon, on_click=open_run, args=(row.run_id,), key=f"way-{row.way}"
                )
