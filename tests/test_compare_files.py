"""A comparison as files: opened again, they say what the board says, and nothing in them runs."""

from __future__ import annotations

import csv
import io
import json
import time
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from html import unescape
from typing import Any

import openpyxl
import pytest

from refine import compare_files, compare_tables
from refine.cell_results import Counts
from refine.cells import cells
from refine.compare_files import as_json, render
from refine.errors import SettingsError
from refine.ledger import Cost
from refine.scoreboard import Board, board
from refine.types import Cell, Comparison, Role, Task, Vote
from refine.words import compare_en, compare_zh
from tests.comparing import ID, comparison, judge, results, variant
from tests.documents.hostile import HOSTILE
from tests.documents.test_drawing import DRAWN
from tests.documents.test_page import ALLOWED, LOADS, Seen


def better(cell: Cell) -> float:
    return (7.0 if cell.variant == "plain" else 7.9) + 0.1 * int(cell.task[-1])


def made(plan: Comparison | None = None, votes: tuple[Vote, ...] = (), language: str = "", **more: Any) -> Board:
    plan = plan or comparison()
    return board(ID, plan, results(plan, **({"score": better} | more)), votes, language)


def workbook(seen: Board) -> Any:
    return openpyxl.load_workbook(io.BytesIO(render(seen, "xlsx")))


def lines(data: bytes) -> list[list[str]]:
    return [*csv.reader(io.StringIO(data.decode("utf-8-sig")))]


def html(seen: Board) -> str:
    return render(seen, "html").decode()


def words(source: str) -> str:
    return " ".join(
        Seen(source.replace("\N{WORD JOINER}", "").partition("</style>")[2].replace("<", " <")).words.split()
    )


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_the_object_has_the_names_that_automation_relies_on() -> None:
    found = json.loads(render(made(), "json"))
    assert {"comparison_id", "title", "cells", "variants", "sentence", "warnings", "prompts", "prices"} <= found.keys()
    assert found["comparison_id"] == ID and found["sentence"].startswith("polish leads plain by 0.9 points")
    assert all({"variant", "draft", "repeat", "run_id"} <= cell.keys() for cell in found["cells"])
    assert len(found["cells"]) == 12 and found["cells"][0]["repeat"] == 1
    plain, polish = found["variants"]
    assert (plain["name"], plain["difference"], plain["low"], plain["high"]) == ("plain", None, None, None)
    assert polish["difference"] == pytest.approx(0.9) and polish["low"] < 0.9 < polish["high"]
    assert polish["name"] == found["leader"] and found["decisive"] is True and found["front"] == ["polish"]


def test_what_is_not_known_is_null_in_json_and_never_0() -> None:
    seen = made(score=None, cost=Cost(Decimal("0.5"), False), after=None, lost=None)
    cell = json.loads(render(seen, "json"))["cells"][0]
    assert (cell["judge"], cell["cost"], cell["at_least"], cell["must_after"], cell["lost"]) == (
        None,
        None,
        0.5,
        None,
        None,
    )


def test_an_empty_comparison_is_an_object_too() -> None:
    found = as_json(board(ID, comparison(), ()))
    assert found["cells"] == [] and found["leader"] is None and [row["open"] for row in found["variants"]] == [6, 6]
    json.dumps(found, allow_nan=False)


# --- spreadsheets ----------------------------------------------------------------------------------------------------


def test_every_table_is_a_sheet_and_numbers_and_dates_stay_what_they_are() -> None:
    book = workbook(made(votes=(Vote(*[*cells(ID, comparison())][:2], "second"),)))
    assert book.sheetnames == ["summary", *compare_tables.TABLES]
    sheet = {cell.value: column for column, cell in enumerate(book["cells"][1])}
    row = book["cells"][2]
    assert row[sheet["judge"]].value == 7.0 and row[sheet["cost"]].value == pytest.approx(0.003)
    assert row[sheet["approved"]].value is True and row[sheet["tokens_in"]].value == 300
    assert isinstance(row[sheet["at"]].value, datetime)
    said = {name.value: value.value for name, value, *_ in book["summary"].iter_rows(min_row=2)}
    assert said["sentence"].startswith("polish leads") and isinstance(said["first_run"], datetime)


RISKY = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("http://evil.example","x")', "=cmd|' /C calc'!A0"]


def risky(text: str) -> Board:
    """A comparison in which every text is this one."""
    named = replace(variant("x", text), name=text)
    named = replace(named, spec=replace(named.spec, roles=(Role("writer", text, text, text),)))
    plan = Comparison(text, (named, variant("other")), (Task(text, text, text),), judge=judge(text))
    one, two = cells(ID, plan)
    made_of = results(plan, text=text, error=text, lost=(text,), adapted=(text,), unpriced=(text,))
    return board(ID, plan, made_of, (Vote(one, two, "second", text),))


@pytest.mark.parametrize("text", [*RISKY, "a\x00\x07b", HOSTILE])
def test_no_cell_of_a_spreadsheet_is_a_formula_whatever_the_texts_are(text: str) -> None:
    seen = risky(text)
    for sheet in workbook(seen).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "f" and cell.hyperlink is None
    for table in compare_tables.TABLES:
        for row in lines(compare_files.csv(seen, table)):
            for said in row:
                assert not said.strip().startswith(("=", "+", "@", "＝")) and not said.startswith(("\t", "\r"))
                assert not said.startswith("-") or float(said) < 0


def test_a_table_of_commas_holds_numbers_that_can_be_read_back() -> None:
    head, *rows = lines(render(made(), "csv"))
    assert len(rows) == 12 and head[:3] == ["variant", "draft", "repeat"] and "apostrophe" in head[-1]
    assert float(rows[0][head.index("judge")]) == 7.0 and float(rows[0][head.index("cost")]) == pytest.approx(0.003)
    assert rows[0][head.index("approved")] == "yes" and rows[0][head.index("at")] == "2026-11-18T11:06:40+00:00"
    assert lines(compare_files.csv(made(), "variants"))[1][0] == "plain"


def test_an_unknown_cost_is_a_word_in_tables_beside_what_is_known() -> None:
    seen = made(cost=Cost(Decimal("0.5"), False))
    head, first, *_ = lines(compare_files.csv(seen, "cells"))
    assert first[head.index("cost")] == "unknown" and first[head.index("at_least")] == "0.5"


def test_an_unknown_kind_or_table_is_said() -> None:
    with pytest.raises(SettingsError, match="No such kind of file: got 'pdf'"):
        render(made(), "pdf")
    with pytest.raises(SettingsError, match="no table 'nothing'"):
        compare_files.csv(made(), "nothing")


# --- the page --------------------------------------------------------------------------------------------------------


def test_the_page_says_who_leads_first_and_then_every_measure() -> None:
    seen = made(cost=lambda cell: Cost(Decimal("0.012" if cell.variant == "polish" else "0.005")), lost=("12 May",))
    said = words(html(seen))
    assert said.index("polish leads plain by 0.9 points") < said.index("Variants")
    for piece in (
        "2 variants × 6 texts × 1 repeat",
        "A cell of polish costs 2.4 times what one of plain does.",
        "6 of 6 100 % (61–100) 2.0 3.0 → 0.0 6 in 6 cells 7.25 baseline",
        "baseline",
        "+0.90 (",
        "$0.0120",
        "Facts of the original were lost in: plain 6 of 6, polish 6 of 6.",
        "polish, repeat 1 · score of the judge 7.90",
        "Write plain.",
        "prices 0.2.3 2026-10-01",
        "judge-1",
    ):
        assert piece in said, (piece, said)
    assert "<del>Teh</del><ins>The</ins>" in html(seen)


def test_the_page_holds_each_prompt_in_full_under_its_version() -> None:
    seen = made()
    source = html(seen)
    for used in seen.prompts:
        assert used.used.hash in source and used.text in unescape(source)
    assert words(source).count("Judge it.") == 1  # both variants have this one


def test_the_page_speaks_chinese() -> None:
    plan = replace(comparison(tasks=1), tasks=(Task("渡口", "渡口的的清晨。", language="zh"),), language="zh")
    seen = made(plan, score=7.0, text="渡口的清晨。")
    said = words(html(seen))
    assert '<html lang="zh">' in html(seen) and seen.sentence in said
    for piece in ("2 个方案 × 1 篇文字 × 1 次", "通过", "提示词", "每百万词元", "基准", "意见", "只对比了一篇文字"):
        assert piece in said, piece
    assert not {"Variants", "Prompts", "Cost", "Text", "baseline"} & set(said.split())


@pytest.mark.parametrize("text", [HOSTILE, *RISKY, "a\x00\x07\ud800b"])
def test_whatever_the_texts_are_the_page_runs_nothing_and_loads_nothing(text: str) -> None:
    source = html(risky(text))
    seen = Seen(source)
    names = {name for name, _ in seen.attributes}
    assert set(seen.tags) <= ALLOWED | DRAWN
    assert not names & LOADS and not [name for name in names if name.startswith("on")]
    links = [value or "" for name, value in seen.attributes if name == "href"]
    assert all(link.startswith(("https://", "http://", "mailto:")) for link in links)
    assert "default-src 'none'" in source


def test_a_comparison_that_goes_on_or_has_nothing_yet_is_a_page_that_says_so() -> None:
    said = words(html(board(ID, comparison(), results(comparison())[:4])))
    assert "4 of 12 cells have their results: the comparison has not ended." in said
    assert "0 of 12 cells" in words(html(board(ID, comparison(), ())))
    assert "has not ended" not in words(html(made()))


def test_an_unmeasured_comparison_and_unknown_costs_still_make_every_file() -> None:
    plan = comparison(judge=None)
    seen = made(plan, score=None, after=None, before=None, lost=None, dimensions={}, cost=Cost(complete=False))
    assert "unknown" in words(html(seen)) and "nothing is ranked" in words(html(seen))
    for kind in compare_files.KINDS:
        assert render(seen, kind)


def test_both_languages_have_all_words() -> None:
    for name in ("BASIS", "WARNINGS", "REPORT"):
        assert getattr(compare_en, name).keys() == getattr(compare_zh, name).keys()
        for key, said in getattr(compare_en, name).items():
            holes = {piece.partition("}")[0] for piece in said.split("{")[1:]}
            assert holes == {piece.partition("}")[0] for piece in getattr(compare_zh, name)[key].split("{")[1:]}, key


def test_files_grow_in_step_with_the_cells() -> None:
    def seconds(tasks: int) -> float:
        seen = made(comparison([f"v{n}" for n in range(5)], tasks=tasks, repeats=1), score=7.0)
        return min(_timed(seen) for _ in range(2))

    assert seconds(20) < 10 * seconds(4)


def _timed(seen: Board) -> float:
    began = time.process_time()
    for kind in compare_files.KINDS:
        render(seen, kind)
    return time.process_time() - began


def test_findings_of_all_severities_are_counted_in_the_page() -> None:
    seen = made(before=Counts(1, 2, 3), after=Counts(0, 1, 1))
    assert "6.0 → 2.0" in words(html(seen))
