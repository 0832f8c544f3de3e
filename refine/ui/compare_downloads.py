"""What of a comparison can be taken along: tables, a report, the plan. Files are made when they are asked for."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from refine import compare_files, comparisons
from refine.compare_tables import TABLES
from refine.plan import write_plan
from refine.ui.compare_board import board_of, raw_board
from refine.ui.parts import shared
from refine.ui.words import N_, _, language

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FILES = {
    "xlsx": (N_("All tables, Excel (.xlsx)"), SHEET),
    "html": (N_("Report to read (.html)"), "text/html"),
    "json": (N_("All of it for programs (.json)"), "application/json"),
}
TABLE_NAMES = {
    "variants": N_("Variants"),
    "cells": N_("Runs"),
    "matrix": N_("Texts and variants"),
    "rounds": N_("Rounds"),
    "transitions": N_("Better and worse"),
    "front": N_("Quality and cost"),
    "repeats": N_("Repeats"),
    "votes": N_("Your votes"),
    "texts": N_("Texts, word for word"),
    "prompts": N_("Prompts"),
    "prices": N_("Prices"),
}


def popover(comparison_id: str, kind: Literal["primary", "secondary"]) -> None:
    with st.popover(_("Download"), type=kind, icon=":material/download:", key="compare-download"):
        for name, (label, mime) in FILES.items():
            data = partial(file_bytes, comparison_id, name, language())
            button(_(label), data, f"comparison.{name}", mime, name)
        plan_button(comparison_id)
        table = st.selectbox(
            _("One table"), [*TABLES], format_func=lambda name: _(TABLE_NAMES[name]), key="compare-table"
        )
        data = partial(table_bytes, comparison_id, table, language())
        button(_("This table (.csv)"), data, f"{table}.csv", "text/csv", "csv")


def plan_button(comparison_id: str) -> None:
    button(_("The plan (.yaml)"), partial(plan_bytes, comparison_id), "plan.yaml", "application/yaml", "plan")


def button(label: str, data: partial[bytes], name: str, mime: str, key: str) -> None:
    st.download_button(
        label, data, name, mime, on_click="ignore", type="tertiary", icon=":material/download:",
        key=f"compare-download-{key}",
    )  # fmt: skip


# --- made on a thread without a session ------------------------------------------------------------------------------


def file_bytes(comparison_id: str, kind: str, code: str) -> bytes:
    """The report calls the variants as the page does; data name them as the plan does."""
    board = board_of(comparison_id, code=code) if kind == "html" else raw_board(comparison_id, code)
    return compare_files.render(board, kind)


def table_bytes(comparison_id: str, table: str, code: str) -> bytes:
    return compare_files.csv(raw_board(comparison_id, code), table)


def plan_bytes(comparison_id: str) -> bytes:
    bench = shared()
    plan = comparisons.plan_of(bench, bench.store.comparisons.read(comparison_id))
    return write_plan(plan).encode("utf-8")
