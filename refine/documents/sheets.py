"""Tables as an .xlsx file: numbers, dates and texts stay what they are, and no text becomes a formula or a link.

It knows nothing of what the tables mean. Times are written in UTC, as a spreadsheet knows no time zones.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import xlsxwriter

from refine.documents import markdown

LONGEST = 32_767
"""Units of UTF-16 that a cell holds."""
LONGEST_NAME = 31
CUT = " […]"
RISKY = re.compile("[\\s\ufeff\u200b]*[=+\\-@＝＋－＠﹦﹢﹣﹫']|[\t\n]")
"""A text that begins so would become a formula when somebody edits its cell; it is marked as text."""
WIDEST = 60
"""Signs: columns are as wide as what they hold, up to this."""

Cell = str | float | int | bool | datetime | Sequence[Any] | None


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def render(sheets: Sequence[Sheet], title: str = "") -> bytes:
    """The file's bytes. Sheets are named as asked for, less what a spreadsheet forbids."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out,
        {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    book.set_properties({"title": _text(title)[:255]})
    styles = {
        "head": book.add_format({"bold": True, "bottom": 1, "quote_prefix": True}),
        "text": book.add_format({"valign": "top"}),
        "risky": book.add_format({"valign": "top", "quote_prefix": True}),
        "moment": book.add_format({"valign": "top", "num_format": "yyyy-mm-dd hh:mm:ss"}),
        "number": book.add_format({"valign": "top", "num_format": "#,##0.00####"}),
        "count": book.add_format({"valign": "top", "num_format": "#,##0"}),
    }
    names: list[str] = []
    for sheet in sheets:
        names.append(_name(sheet.name, names))
        _fill(book.add_worksheet(names[-1]), sheet, styles)
    book.close()
    return out.getvalue()


def _fill(page: Any, sheet: Sheet, styles: dict[str, Any]) -> None:
    widths = [len(name) for name in sheet.head]
    for column, name in enumerate(sheet.head):
        page.write_string(0, column, _text(name), styles["head"])
    for n, row in enumerate(sheet.rows, 1):
        for column, value in enumerate(row):
            widths[column] = max(widths[column], _write(page, n, column, value, styles))
    for column, width in enumerate(widths):
        page.set_column(column, column, min(width, WIDEST) + 2)
    page.freeze_panes(1, 0)
    if sheet.rows and sheet.head:
        page.autofilter(0, 0, len(sheet.rows), len(sheet.head) - 1)


def _write(page: Any, row: int, column: int, value: Cell, styles: dict[str, Any]) -> int:
    """Writes a cell as what it is; returns about how wide it is."""
    match value:
        case None | "":
            return 0
        case bool():
            page.write_boolean(row, column, value, styles["text"])
        case int():
            page.write_number(row, column, value, styles["count"])
        case float() if isfinite(value):
            page.write_number(row, column, value, styles["number"])
        case datetime():
            moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
            page.write_datetime(row, column, moment, styles["moment"])
            return 19
        case _:
            said = _text(value if isinstance(value, str) else _listed(value))
            page.write_string(row, column, said, styles["risky" if RISKY.match(said) else "text"])
            return max(map(len, said[:1_000].split("\n")))
    return 10


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, Sequence) else str(value)


def _text(value: str) -> str:
    """What a cell can hold: no control characters, no halves of signs, no more than there is room for."""
    clean = markdown.clean(value)
    wide = clean.encode("utf-16-le")
    if len(wide) <= 2 * LONGEST:
        return clean
    return wide[: 2 * (LONGEST - len(CUT))].decode("utf-16-le", "ignore") + CUT


FORBIDDEN = "[]:*?/\\"


def _name(wanted: str, taken: Sequence[str]) -> str:
    clean = "".join(" " if sign in FORBIDDEN else sign for sign in markdown.clean(wanted)).strip("' \n\t")
    stem = clean or "sheet"
    used = {name.casefold() for name in taken} | {"history"}
    ends = ["", *(f" {n}" for n in range(2, len(taken) + 4))]
    return next(
        name for end in ends if (name := stem[: LONGEST_NAME - len(end)].rstrip("' ") + end).casefold() not in used
    )
