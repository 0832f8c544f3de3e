"""Files out of a comparison: its tables as .csv and .xlsx, the whole as one page for people and as JSON for programs.

It knows a scoreboard; nothing of where a file goes or of the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from refine import compare_report, compare_tables, tables
from refine.documents import page, sheets
from refine.documents.sheets import Sheet
from refine.errors import SettingsError
from refine.export import RULE, json_bytes, sheet
from refine.schema import short
from refine.scoreboard import Board
from refine.types import Json


def render(board: Board, kind: str) -> bytes:
    """The file's bytes, of one of `KINDS`. Raises SettingsError for another."""
    if kind not in KINDS:
        raise SettingsError(f"No such kind of file: got {short(kind)}. Choose one of {', '.join(KINDS)}.")
    return KINDS[kind](board)


def csv(board: Board, table: str = "cells") -> bytes:
    """One table of `compare_tables.TABLES`. Raises SettingsError for another.

    No cell can run as a formula: the head says how such texts are marked.
    """
    if table not in compare_tables.TABLES:
        known = ", ".join(compare_tables.TABLES)
        raise SettingsError(f"A comparison has no table {short(table)}. Choose one of {known}.")
    names, rows = compare_tables.rows(board, table)
    return sheet([*names, RULE], ([*map(_plain, row), ""] for row in rows))


def _plain(value: Any) -> Any:
    """As a file of commas holds it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.isoformat(timespec="seconds")
        case list():
            return " ".join(map(str, value))
    return value


def _xlsx(board: Board) -> bytes:
    made = [Sheet(name, *compare_tables.rows(board, name)) for name in compare_tables.TABLES]
    return sheets.render([Sheet("summary", ("what", "value"), _summary(board)), *made], board.comparison.title)


def _summary(board: Board) -> list[list[Any]]:
    said = [("sentence", board.sentence), ("beside", board.beside), ("basis", board.basis)]
    lines = [*(line for line in said if line[1]), *(("warning", warning) for warning in board.warnings)]
    cells = [("planned", board.planned), ("open", board.open)]
    moments = [datetime.fromtimestamp(cell.at, UTC) for cell in board.cells]
    ends = [("first_run", min(moments, default=None)), ("last_run", max(moments, default=None))]
    return [
        ["title", board.comparison.title],
        ["comparison_id", board.comparison_id],
        *([name, value] for name, value in (*lines, ("baseline", board.against), *cells, *ends)),
    ]


def _html(board: Board) -> bytes:
    return page.render(compare_report.page_of(board))


# --- JSON ------------------------------------------------------------------------------------------------------------


def as_json(board: Board) -> Json:
    """The one object that `--json` prints. Its names are a promise; null = not known."""
    return {
        "comparison_id": board.comparison_id,
        "title": board.comparison.title,
        "sentence": board.sentence,
        "beside": board.beside,
        "basis": board.basis,
        "warnings": [*board.warnings],
        "measure": board.measure or None,
        "baseline": board.against,
        "leader": board.lead.best if board.lead and board.lead.value > 0 else None,
        "decisive": board.lead.decisive if board.lead else None,
        "planned": board.planned,
        "open": board.open,
        "variants": [_variant(made) for made in _objects(board, "variants")],
        "cells": [
            {**made, "lost_facts": [*(cell.lost or ())], "adapted": [*cell.adapted]}
            for made, cell in zip(_objects(board, "cells"), board.cells, strict=True)
        ],
        "transitions": [
            {
                "variant": change.variant,
                "better": [*change.drafts.better],
                "worse": [*change.drafts.worse],
                "same": [*change.drafts.same],
            }
            for change in board.transitions
        ],
        "front": [*board.front],
        "votes": _objects(board, "votes"),
        "agreement": board.agreement
        and {"share": board.agreement.share, "kappa": board.agreement.kappa, "pairs": board.agreement.n},
        "swayed": {"pairs": board.choosing.pairs, "swayed": board.choosing.swayed},
        "prompts": _objects(board, "prompts"),
        "prices": _objects(board, "prices"),
    }


def _objects(board: Board, table: str) -> list[dict[str, Json]]:
    names, rows = compare_tables.rows(board, table)
    return [{name: _value(name, value) for name, value in zip(names, row, strict=True)} for row in rows]


def _value(name: str, value: Any) -> Json:
    if name.startswith("cost") and value == tables.UNKNOWN:
        return None
    return value.isoformat(timespec="seconds") if isinstance(value, datetime) else value


def _variant(made: dict[str, Json]) -> dict[str, Json]:
    return {"name": made.pop("variant"), **made}


def _json(board: Board) -> bytes:
    return json_bytes(as_json(board), indent=2) + b"\n"


KINDS: Mapping[str, Callable[[Board], bytes]] = {"xlsx": _xlsx, "html": _html, "json": _json, "csv": csv}
"""Kind -> the whole comparison in it; csv holds the cells alone, see `csv`."""
