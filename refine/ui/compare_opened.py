"""One comparison, whatever its state: its name, one of its views, and in the bar how far it is and what can be done.

While it runs, what shows results is drawn again by itself every few seconds; what was opened or picked stays.
"""

from __future__ import annotations

import time
from decimal import Decimal
from functools import partial
from typing import Any

import streamlit as st

from refine import comparisons
from refine.errors import SettingsError
from refine.ledger import add_costs
from refine.plan import Plan
from refine.scoreboard import Board
from refine.store.comparison_table import Standing
from refine.types import Comparison
from refine.ui import (
    compare_cells,
    compare_downloads,
    compare_extend,
    compare_list,
    compare_results,
    compare_vote,
    language_switch,
    parts,
    view_switch,
)
from refine.ui.compare_board import board_of, standing_of
from refine.ui.compare_words import judge_words, minutes, safe_title, seconds_left, size_words
from refine.ui.parts import attempt, cost_words, workbench
from refine.ui.words import N_, _, ngettext, plain

VIEWS = {"plan": N_("Plan"), "results": N_("Results"), "texts": N_("Texts"), "vote": N_("Blind vote")}
RESULTS = ("results", "texts")
"""Views that are closed while the author votes."""
KEY = "compare-view"
EVERY_SECONDS = 2
"""How often results are read again while a comparison is under way."""


def show(comparison_id: str) -> None:
    try:
        made = workbench().store.comparisons.read(comparison_id)
    except SettingsError as error:
        nothing_here(str(error))
        return
    if st.query_params.get(view_switch.VIEW) == "vote":  # nothing of the other views is drawn beside it
        switch()
        compare_vote.show(comparison_id)
        return
    if st.query_params.get(view_switch.VIEW) in RESULTS and compare_vote.is_closed(comparison_id):
        switch()
        closed(comparison_id)
        return
    standing = standing_of(comparison_id)
    header(made, standing)
    view = switch()
    parts.problem()
    if view == "plan":
        compare_extend.show(comparison_id, made)
        return
    draw = compare_results.show if view == "results" else texts
    again = EVERY_SECONDS if standing == "open" else None
    st.fragment(draw, run_every=again)(comparison_id)
    with st.bottom, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(width=560, gap=None):
            st.fragment(progress, run_every=again)(comparison_id, standing)
        with st.container(horizontal=True, width="content", vertical_alignment="center", gap="small"):
            buttons(comparison_id, made, standing)


def nothing_here(said: str) -> None:
    st.header(_("No such comparison"), anchor=False)
    st.markdown(plain(said))
    compare_list.new_button()


def switch() -> str:
    return view_switch.show(VIEWS, KEY)


def header(made: Comparison, standing: Standing) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(safe_title(made.title), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            compare_list.badge(standing)
            language_switch.button()
            compare_list.new_button()
    size = size_words(len(made.variants), len(made.tasks), made.repeats)
    st.caption(f"{size} · {plain(judge_words(made))}")


def texts(comparison_id: str) -> None:
    board = board_of(comparison_id, compare_results.against(comparison_id))
    if not board.cells:
        st.caption(_("The first results appear here as soon as a run has ended."))
        return
    compare_cells.matrix(board)
    compare_cells.picked_cell(board)
    st.subheader(_("Side by side"), anchor=False)
    compare_cells.side_by_side(board)


def closed(comparison_id: str) -> None:
    """Not even the comparison's name stands here: it may name the variants."""
    st.header(_("Closed while you vote"), anchor=False)
    st.markdown(_("So you do not know whose text you read."))
    with st.container(horizontal=True, gap="small"):
        st.button(_("Go on voting"), type="primary", on_click=compare_list.open_comparison,
                  args=(comparison_id, "vote"), key="vote-on")  # fmt: skip
        st.button(_("End voting and open the results"), on_click=compare_vote.end,
                  args=(comparison_id, compare_vote.kept(comparison_id)), key="vote-end")  # fmt: skip


# --- how far it is ---------------------------------------------------------------------------------------------------


def progress(comparison_id: str, drawn: Standing) -> None:
    """Drawn alone, it draws the whole page again where the comparison has come to rest or goes on again."""
    if (standing := standing_of(comparison_id)) != drawn:
        st.rerun()
    board = board_of(comparison_id)
    done = board.planned - board.open
    if standing == "ended":
        st.caption(ended_words(board, done))
    else:
        st.progress(done / max(1, board.planned), text=under_way(board, done, standing, waiting(comparison_id)))


def ended_words(board: Board, done: int) -> str:
    return " · ".join(filter(None, (_("{n} of {all} runs").format(n=done, all=board.planned), paid(board))))


def under_way(board: Board, done: int, standing: Standing, waits: int) -> str:
    said = [_("**{n} of {all}**").format(n=done, all=board.planned)]
    if standing == "open":
        left = seconds_left([cell.at + cell.seconds for cell in board.cells if cell.ended], board.open, time.time())
        said.append(_("about {time} left").format(time=minutes(left)) if left else "")
    elif standing == "budget":
        said.append(_("the next run could have passed the limit"))
    else:
        said.append(_("what is done is kept"))
    if waits:
        said.append(ngettext("{n} waits for you", "{n} wait for you", waits).format(n=waits))
    return " · ".join(filter(None, (*said, paid(board))))


def waiting(comparison_id: str) -> int:
    """Runs that wait for an answer, as for a key."""
    return [*workbench().store.comparisons.runs(comparison_id).values()].count("waiting")


def paid(board: Board) -> str:
    """Judging included."""
    return cost_words(add_costs((board.cost, board.judging))).replace("$", "\\$")


# --- what can be done ------------------------------------------------------------------------------------------------


def buttons(comparison_id: str, made: Comparison, standing: Standing) -> None:
    """The likeliest wish stands last, as the primary one."""
    if standing != "open" and (failures := board_of(comparison_id).failures):
        n = len(failures)
        st.button(
            ngettext("Try {n} failed run again", "Try {n} failed runs again", n).format(n=n),
            icon=":material/replay:",
            help=_("The failed runs stay on record and on the bill."),
            on_click=try_again,
            args=(comparison_id, failures),
            key="try-again",
        )
    if standing == "ended":
        st.button(_("Add texts"), icon=":material/add:", on_click=compare_list.open_comparison,
                  args=(comparison_id, "plan"), key="add-texts")  # fmt: skip
        compare_downloads.popover(comparison_id, "primary")
        return
    compare_downloads.popover(comparison_id, "secondary")
    label, icon, act = {
        "open": (_("Stop"), ":material/stop:", partial(stop, comparison_id)),
        "stopped": (_("Go on"), ":material/play_arrow:", partial(go_on, comparison_id)),
        "waiting": (_("Go on"), ":material/play_arrow:", partial(go_on, comparison_id)),
        "budget": (
            _("Double the limit and go on"),
            ":material/play_arrow:",
            partial(raise_limits, comparison_id, made),
        ),
    }[standing]
    st.button(label, type="primary", icon=icon, on_click=act, key=f"{standing}-comparison")


def stop(comparison_id: str) -> None:
    attempt(partial(comparisons.stop, workbench(), comparison_id))


def go_on(comparison_id: str) -> None:
    attempt(partial(comparisons.go_on, workbench(), comparison_id))


def try_again(comparison_id: str, failures: tuple[str, ...]) -> None:
    attempt(partial(comparisons.extend, workbench(), comparison_id, Plan((), ()), failures))


def raise_limits(comparison_id: str, made: Comparison) -> None:
    doubled: dict[str, Any] = {name: _twice(limit) for name, limit in made.limits.items()}
    attempt(partial(comparisons.extend, workbench(), comparison_id, Plan((), (), limits=doubled)))


def _twice(limit: Any) -> float | int:
    return 2 * limit if isinstance(limit, int) else float(2 * Decimal(str(limit)))
