"""The comparisons made before, the newest first; and which one the address shows."""

from __future__ import annotations

import datetime
from contextlib import suppress
from zoneinfo import ZoneInfo

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.store.comparison_table import ComparisonRow, Standing
from refine.ui.compare_words import size_words
from refine.ui.parts import workbench
from refine.ui.words import N_, _

TABLE = "comparisons"
STANDINGS: dict[Standing, tuple[str, str, str]] = {
    "open": ("blue", ":material/sync:", N_("Running")),
    "stopped": ("gray", ":material/stop_circle:", N_("Stopped")),
    "budget": ("orange", ":material/warning:", N_("Limit reached")),
    "waiting": ("orange", ":material/front_hand:", N_("Waiting for you")),
    "ended": ("green", ":material/check:", N_("Done")),
}
MOST_ROWS = 8
"""More rows scroll in the table."""


def show() -> None:
    rows = workbench().store.comparisons.all()
    if not rows:
        return
    st.subheader(_("Earlier comparisons"), anchor=False)
    st.dataframe(
        frame(rows),
        hide_index=True,
        on_select=picked,
        selection_mode="single-cell",
        key=TABLE,
        placeholder="",
        height="content" if len(rows) <= MOST_ROWS else 330,
        column_config={
            "at": st.column_config.DatetimeColumn(_("When"), format="YYYY-MM-DD HH:mm", width=130),
            "title": st.column_config.TextColumn(_("Name"), width="large"),
            "size": st.column_config.TextColumn(_("Size"), width="medium"),
            "standing": st.column_config.MultiselectColumn(
                _("Status"),
                options=[_(words) for _colour, _icon, words in STANDINGS.values()],
                color=[colour for colour, _icon, _words in STANDINGS.values()],
                width="small",
            ),
        },
        alt=_("Comparisons, the newest first. A click opens one."),
    )


def frame(rows: list[ComparisonRow]) -> pd.DataFrame:
    zone = ZoneInfo(st.context.timezone) if st.context.timezone else datetime.UTC
    return pd.DataFrame(
        {
            "at": pd.to_datetime([row.at for row in rows], unit="s", utc=True).tz_convert(zone),
            "title": [row.title for row in rows],
            "size": [size_words(row.variants, row.tasks, row.repeats) for row in rows],
            "standing": [[_(STANDINGS[row.standing][2])] for row in rows],
        }
    )


def picked() -> None:
    """Opens the comparison of the row that was clicked, wherever in it."""
    cells = st.session_state[TABLE]["selection"]["cells"]
    found = workbench().store.comparisons.all()
    del st.session_state[TABLE]
    if cells and cells[0][0] < len(found):
        open_comparison(found[cells[0][0]].id)


def open_comparison(comparison_id: str | None, view: str = "results") -> None:
    """From now on the address shows this comparison; the form of a new one without."""
    st.session_state.pop("problem", None)
    for name in ("comparison", "view"):
        with suppress(KeyError):
            del st.query_params[name]
    if comparison_id:
        st.query_params["comparison"], st.query_params["view"] = comparison_id, view


def badge(standing: Standing) -> None:
    colour, icon, words = STANDINGS[standing]
    st.badge(_(words), color=colour, icon=icon)  # type: ignore[arg-type]


def new_button() -> None:
    st.button(
        _("New comparison"), type="tertiary", icon=":material/add:", on_click=open_comparison, args=(None,),
        key="new-comparison",
    )  # fmt: skip
