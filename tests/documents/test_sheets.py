"""Tables as an .xlsx file, opened again: numbers are numbers, dates are dates, and texts are only texts."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import openpyxl
import pytest

from refine.documents import sheets
from refine.documents.sheets import Sheet
from tests.documents.hostile import HOSTILE


def opened(*made: Sheet) -> Any:
    return openpyxl.load_workbook(io.BytesIO(sheets.render(made, "A title")))


def cell(value: Any) -> Any:
    return opened(Sheet("s", ("a",), ((value,),)))["s"]["A2"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (7, "n"), (7.25, "n"), (-3, "n"), (True, "b"), ("7.25", "s"), ("", "n"), (None, "n"),
        (datetime(2026, 11, 20, 9, 30, tzinfo=UTC), "d"),
    ],
)  # fmt: skip
def test_a_value_stays_what_it_is(value: Any, kind: str) -> None:
    seen = cell(value)
    assert seen.data_type == kind
    plain = value.replace(tzinfo=None) if isinstance(value, datetime) else value or None
    assert seen.value == (plain if value is not False else False)


def test_a_moment_is_written_in_utc() -> None:
    assert cell(datetime(2026, 11, 20, 9, 30, tzinfo=timezone(timedelta(hours=8)))).value == datetime(
        2026, 11, 20, 1, 30
    )


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "=HYPERLINK(\"http://evil.example\",\"x\")", "=cmd|' /C calc'!A0",
     "＝1+1", "{=1+1}", "https://example.org/", "'=1", "mailto:a@example.org", "internal:s!A1", HOSTILE],
)  # fmt: skip
def test_no_text_becomes_a_formula_or_a_link(text: str) -> None:
    data = sheets.render([Sheet(text, (text,), ((text,),))], text)
    seen = openpyxl.load_workbook(io.BytesIO(data))
    for place in ("A1", "A2"):
        found = seen.worksheets[0][place]
        assert found.data_type == "s" and found.hyperlink is None
        assert found.value == sheets.markdown.clean(text)
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        page = parts.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in page and "<f " not in page and "hyperlink" not in page
        assert not [name for name in parts.namelist() if "externalLink" in name or "vba" in name.lower()]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "＝1", " =1", "\u200b=1"])
def test_a_text_that_would_become_a_formula_when_it_is_edited_is_marked_as_text(text: str) -> None:
    assert cell(text).quotePrefix
    assert not cell("plain").quotePrefix


def test_what_a_cell_cannot_hold_is_taken_out_and_what_is_too_long_is_cut_and_says_so() -> None:
    assert cell("a\x00\x07\x1b\ud800b\r\nc").value == "ab\nc"
    assert cell(float("nan")).value == "nan" and cell(float("inf")).data_type == "s"
    long = cell("渡🙂" * 20_000).value
    assert len(long.encode("utf-16-le")) <= 2 * sheets.LONGEST and long.endswith("[…]") and long.startswith("渡🙂")
    assert cell("_x0041_").value in ("_x0041_", "_x005F_x0041_") and cell([1, "a"]).value == "1, a"


def test_names_of_sheets_are_what_a_spreadsheet_allows_and_each_its_own() -> None:
    names = ["a/b[c]:*?", "x" * 40, "x" * 40, "X" * 40, "", "'quoted'", "History", "对比"]
    seen = opened(*(Sheet(name, ("a",), ()) for name in names)).sheetnames
    assert seen[0] == "a b c" and seen[4] == "sheet" and seen[5] == "quoted" and seen[7] == "对比"
    assert len({name.casefold() for name in seen}) == len(names) and max(map(len, seen)) <= 31
    assert seen[6].casefold() != "history"


def test_a_file_without_rows_opens() -> None:
    seen = opened(Sheet("s", (), ()), Sheet("t", ("a", "b"), ()))
    assert [cell.value for cell in seen["t"][1]] == ["a", "b"] and seen.properties.title == "A title"
