"""The results of a comparison: one sentence, charts, a row for each variant, and what is folded under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import compare_tables
from refine.scoreboard import Board
from refine.ui import compare_cells
from refine.ui.compare_board import board_of
from refine.ui.compare_columns import COLUMNS, Shown
from refine.ui.compare_words import titles
from refine.ui.parts import RESULTS, VERDICTS, workbench
from refine.ui.words import _, ngettext, pgettext, plain, together

AGAINST = "compare-against"
RIGHT = ("Length", "Cost")
"""Texts that are numbers."""
FEW_TEXTS = 1
"""With so many texts there are no intervals, and a matrix of them says no more than the table of variants."""


def show(comparison_id: str) -> None:
    board = board_of(comparison_id, against(comparison_id))
    if not board.cells:
        st.caption(_("The first results appear here as soon as a run has ended."))
        return
    sentence_box(board)
    if len(board.comparison.tasks) > FEW_TEXTS:
        from refine.ui import compare_charts  # the library of charts: the simplest comparison does not wait for it

        compare_charts.show(board)
    st.subheader(_("Variants"), anchor=False)
    variants_table(board)
    if len(board.comparison.tasks) > FEW_TEXTS:
        compare_cells.matrix(board)
        compare_cells.picked_cell(board)
    else:
        compare_cells.side_by_side(board)
    transitions_fold(board, comparison_id)
    rounds_fold(board)


def against(comparison_id: str) -> str:
    """The variant that differences are against, where the author chose another."""
    chosen = st.session_state.get(AGAINST)
    known = {variant.name for variant in workbench().store.comparisons.read(comparison_id).variants}
    return str(chosen) if chosen in known else ""


# --- the sentence ----------------------------------------------------------------------------------------------------


def sentence_box(board: Board) -> None:
    with st.container(border=True):
        st.subheader(plain(board.sentence), anchor=False)
        st.markdown(plain(together(board.beside, board.basis)))
    with st.container(gap="xsmall"):
        for warning in board.warnings:
            st.caption(f":material/info: {plain(warning)}")


# --- the table of variants -------------------------------------------------------------------------------------------


def variants_table(board: Board) -> None:
    frame = pd.DataFrame(
        {name: [column.value(board, row) for row in board.variants] for name, column in COLUMNS.items()}
    )
    shown = [name for name in frame.columns if name == "name" or not empty(frame[name])]
    st.dataframe(
        frame[shown],
        hide_index=True,
        placeholder="",
        height="content",
        column_config={name: config(COLUMNS[name], frame[name]) for name in shown},
        key="compare-variants",
        alt=_("One row for each variant, a column for each measure."),
    )


def empty(column: Sequence[Any]) -> bool:
    return all(value is None or value == "" or value == [] or value != value for value in column)


def config(column: Shown, values: Sequence[Any]) -> Any:
    kinds = st.column_config
    about: dict[str, Any] = {"help": _(column.help) if column.help else None, "width": column.width}
    label = _(column.label)
    match column.kind:
        case "bar":
            return kinds.ProgressColumn(label, min_value=0, max_value=100, format="%.0f %%", **about)
        case "bars":
            most = max((n for counts in values for n in counts), default=1)
            return kinds.BarChartColumn(label, y_min=0, y_max=most, **about)
        case "percent":
            return kinds.NumberColumn(label, format="%.0f %%", **about)
        case "number":
            return kinds.NumberColumn(label, format=column.form, **about)
    return kinds.TextColumn(label, alignment="right" if column.label in RIGHT else None, **about)


# --- folded ----------------------------------------------------------------------------------------------------------


def transitions_fold(board: Board, comparison_id: str) -> None:
    """What became of the texts, against a baseline that can be chosen."""
    names = titles(workbench().store.comparisons.read(comparison_id))
    with st.expander(_("Better and worse, text by text"), icon=":material/swap_vert:", key="compare-transitions"):
        st.selectbox(
            _("Against"), [*names], index=[*names.values()].index(board.against), format_func=lambda name: names[name],
            key=AGAINST, width=260,
        )  # fmt: skip
        frame = pd.DataFrame(
            [
                {
                    "variant": change.variant,
                    "better": len(change.drafts.better),
                    "same": len(change.drafts.same),
                    "worse": len(change.drafts.worse),
                    "texts_better": [*change.drafts.better],
                    "texts_worse": [*change.drafts.worse],
                }
                for change in board.transitions
            ]
        )
        if frame.empty:
            st.caption(_("There is nothing to hold against each other yet."))
            return
        number, listed = st.column_config.NumberColumn, st.column_config.ListColumn
        st.dataframe(
            frame,
            hide_index=True,
            height="content",
            column_config={
                "variant": st.column_config.TextColumn(_("Variant"), width=170),
                "better": number(_("Better"), width=70),
                "same": number(_("Same"), width=70),
                "worse": number(_("Worse"), width=70),
                "texts_better": listed(_("Better on"), width="large"),
                "texts_worse": listed(_("Worse on"), width="large"),
            },
            key="compare-changes",
            alt=_("How many texts became better or worse than the baseline's, and which."),
        )


def rounds_fold(board: Board) -> None:
    """All rounds of all runs. Made only once it is opened: each round's share of changes takes a moment."""
    n = sum(len(cell.rounds) for cell in board.cells)
    label = ngettext("All rounds: {n}", "All rounds: {n}", n).format(n=f"{n:,}")
    fold = st.expander(label, icon=":material/table_rows:", key="compare-rounds", on_change="rerun")
    with fold:
        if fold.open:
            rounds_table(board)


def rounds_table(board: Board) -> None:
    frame = compare_tables.frame(board, "rounds")
    frame["verdict"] = [_(VERDICTS[kind]) for kind in frame["verdict"]]
    frame["result"] = [_(RESULTS[result]) if result else "" for result in frame["result"]]
    left_out = {"run_id", "currency", "at_least"}
    shown = [name for name in frame.columns if name not in left_out and not empty(frame[name])]
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        frame[shown],
        hide_index=True,
        placeholder="",
        height=420 if len(frame) > 10 else "content",
        column_config={
            "variant": text(_("Variant")),
            "draft": text(pgettext("compared", "Text")),
            "repeat": number(_("Repeat")),
            "round": number(_("Round")),
            "verdict": text(_("Verdict")),
            "result": text(_("Result")),
            "score": number(_("Score"), format="%.1f"),
            "must": number(_("Must")),
            "should": number(_("Should")),
            "may": number(_("May")),
            "words": number(_("Words"), format="localized"),
            "changed": number(_("Changed"), format="%.0f %%"),
            "tokens_in": number(_("Tokens in"), format="localized"),
            "tokens_out": number(_("Tokens out"), format="localized"),
            "cost": text(_("Cost")),
            "seconds": number(_("Seconds"), format="%.1f"),
        },
        key="compare-all-rounds",
        alt=_("One row for each round of each run."),
    )
