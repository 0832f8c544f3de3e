"""Files out of a run, and a log file in again."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import unicodedata
from dataclasses import replace
from decimal import Decimal

import docx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refine import export, views
from refine.errors import LogError, SettingsError
from refine.events import Called, Event, Noted, Record, Replied, RoundEnded, Started, Stopped
from refine.types import Finding, Message, ModelCall, Note, Reply, Role, Round, RunSpec, Task, Usage, Verdict

SPEC = RunSpec("refine", "polish", Task("A title", "Teh draft."), (Role("critic", "Judge."), Role("writer", "Write.")))
FIRST = Round("Teh draft.", Verdict("revise", 6, (Finding("Teh", (0, 3), "spelling", severity="must", remark="Fix."),)))
SECOND = Round("The draft.\n", Verdict("approved", 9))


def log(*events: Event, spec: RunSpec = SPEC) -> list[Record]:
    return [Record("run-1", seq, 1_000.0 + seq, event) for seq, event in enumerate((Started(spec), *events))]


def call(at: str, cost: Decimal | None = Decimal("0.002")) -> tuple[Event, Event]:
    asked = ModelCall("critic", (Message("user", ("Judge this.",)),))
    return Called(at, asked), Replied(at, Reply("APPROVED", usage=Usage(100, 20, cost=cost)))


FINISHED = log(
    *call("1"), RoundEnded("2", "0", FIRST), *call("3"), RoundEnded("4", "0", SECOND), Stopped("approved", 1)
)  # fmt: skip
HALF_WAY = FINISHED[:4]


def rendered(records: list[Record], kind: str) -> bytes:
    return export.render(views.read(records), records, kind)


def rows(records: list[Record]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(rendered(records, "csv").decode("utf-8-sig"), newline="")))


def with_text(text: str) -> list[Record]:
    return log(RoundEnded("1", "0", Round(text, Verdict("approved"))), Stopped("approved", 0))


# --- texts and objects ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["md", "txt"])
def test_a_text_leaves_as_it_is(kind: str) -> None:
    text = "---\ntitle: x\n---\n# Kopf\r\n\n这是**稿子**。\t\n"
    assert rendered(with_text(text), kind) == text.encode()


def test_a_run_without_a_reviewed_text_has_no_text_to_export() -> None:
    with pytest.raises(SettingsError, match=r"no reviewed text yet.* Export it later"):
        rendered(log(), "md")


def test_a_run_that_ended_without_a_text_is_not_to_be_exported_later() -> None:
    with pytest.raises(SettingsError, match=r"no text to export.* Export it as html"):
        rendered(log(Stopped("failures", error="It broke.")), "docx")


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="md, txt, json, jsonl, csv, html, docx"):
        rendered(FINISHED, "exe")


def test_the_object_is_that_of_the_command_line_and_says_that_it_is_whole() -> None:
    data = json.loads(rendered(FINISHED, "json"))
    assert data["run_id"] == "run-1" and data["text"] == "The draft.\n" and data["cost"] == 0.004
    assert data["complete"] is True and data["notice"] == ""


def test_an_export_while_a_run_goes_on_holds_the_finished_rounds_and_says_so() -> None:
    records = [*HALF_WAY, Record("run-1", 4, 1_004.0, call("3")[0])]
    data = json.loads(rendered(records, "json"))
    assert [round["n"] for round in data["rounds"]] == [0]
    assert data["complete"] is False and "finished rounds" in data["notice"]
    assert rows(records)[0][export.RULE] == export.GOES_ON
    assert rendered(records, "md") == b"Teh draft."


def test_half_a_sign_does_not_stop_an_export() -> None:
    for kind in export.KINDS:
        assert rendered(with_text("a\ud800b"), kind)


def test_a_page_and_a_word_file_hold_the_text() -> None:
    assert b"The draft." in rendered(FINISHED, "html")
    assert [p.text for p in docx.Document(io.BytesIO(rendered(FINISHED, "docx"))).paragraphs] == ["The draft."]


def test_a_word_file_of_a_run_that_goes_on_says_so_in_its_first_line() -> None:
    paragraphs = docx.Document(io.BytesIO(rendered(HALF_WAY, "docx"))).paragraphs
    assert [p.text for p in paragraphs] == [export.GOES_ON, "Teh draft."]


@pytest.mark.parametrize("kind", ["docx", "html"])
def test_libraries_for_documents_are_loaded_when_a_document_is_asked_for(kind: str) -> None:
    code = "import sys, refine.export; print({'docx', 'lxml', 'mammoth', 'markdown_it'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
    assert rendered(FINISHED, kind)


# --- names ---------------------------------------------------------------------------------------------------


def named(title: str, kind: str = "md", edited: bool = False, language: str = "") -> str:
    view = views.read(log(spec=replace(SPEC, task=Task(title, "x", language=language))))
    return export.name(replace(view, edited=edited), kind)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("春天的通知", "春天的通知.md"),
        ("Offer: 3/4 <new>?", "Offer 3 4 new.md"),
        ("../../etc/passwd", "etc passwd.md"),
        ("  dots...  ", "dots.md"),
        ("NUL", "refine run-1.md"),
        ("com1.txt", "refine run-1.md"),
        ("???", "refine run-1.md"),
        ("exe\u202egpj.md", "exe gpj.md.md"),
        ("a\nb", "a.md"),
    ],
)
def test_a_file_name_comes_from_the_title_and_is_safe(title: str, name: str) -> None:
    assert named(title) == name


def test_a_text_that_the_author_edited_says_so_in_its_name() -> None:
    assert named("Spring", "txt", edited=True) == "Spring (edited by you).txt"
    assert named("春天", "docx", edited=True, language="zh") == "春天 (由你编辑).docx"


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_title_gives_a_name_that_every_system_takes(title: str) -> None:
    name = named(title)
    assert 0 < len(name.encode("utf-8", "replace")) <= 255
    assert not set(name) & set('<>:"/\\|?*')
    assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name)
    assert name == name.strip() and not name.startswith(".")


# --- logs ----------------------------------------------------------------------------------------------------


def test_a_log_comes_back_as_it_was() -> None:
    assert export.read_log(rendered(FINISHED, "jsonl")) == FINISHED


def test_a_log_line_has_the_promised_names() -> None:
    line = json.loads(rendered(FINISHED, "jsonl").splitlines()[0])
    assert list(line) == ["run_id", "seq", "at", "event"]


@given(st.text())
@settings(max_examples=60, deadline=None)
def test_any_text_survives_a_log(text: str) -> None:
    records = with_text(text)
    assert export.read_log(rendered(records, "jsonl")) == records


def test_a_log_with_a_mark_and_windows_line_ends_is_read() -> None:
    data = b"\xef\xbb\xbf" + rendered(FINISHED, "jsonl").replace(b"\n", b"\r\n")
    assert export.read_log(data) == FINISHED


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "first line is not a start"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"hello", "Line 1 is not a line of a log"),
        (b"[1, 2]", "Line 1 is not a line of a log"),
        (b'{"run_id": "a"}', "Line 1 is not a line of a log"),
        (b'{"run_id": "a", "seq": 0, "at": 1, "event": null}', "Line 1 is not a line of a log"),
        (b'{"run_id": "a", "seq": 0, "at": 1, "event": {"is": "Dreamt"}}', "Line 1: Unknown kind of record"),
        (b'{"run_id": "a", "seq": 0, "at": "x", "event": {"is": "Stopped", "reason": "x"}}', "Line 1 is not"),
        (b'{"run_id": "a", "seq": 0, "at": 1, "event": {"is": "Stopped", "reason": "x"}}', "first line is not a start"),
        (b"[" * 100_000, "Line 1 is not a line of a log"),
        (rendered(FINISHED, "jsonl").replace(b'"seq": 2', b'"seq": 5'), "Line 3 is not the next one"),
        (rendered(FINISHED, "jsonl") + rendered(FINISHED, "jsonl"), "Line 9 is not the next one"),
        (rendered(FINISHED, "jsonl")[:-30], "Line 8 is not a line of a log"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused_with_its_line(data: bytes, says: str) -> None:
    with pytest.raises(LogError, match=says):
        export.read_log(data)


# --- tables --------------------------------------------------------------------------------------------------


def test_the_table_has_a_row_a_round_and_a_mark_for_spreadsheets() -> None:
    assert rendered(FINISHED, "csv").startswith(b"\xef\xbb\xbfround,verdict,score,must,should,may,best,")
    first, second = rows(FINISHED)
    assert (first["verdict"], first["score"], first["must"], first["best"]) == ("revise", "6", "1", "")
    assert (second["verdict"], second["best"], second["text"]) == ("approved", "yes", "The draft.\n")
    assert (first["cost"], first["currency"], first["input_tokens"]) == ("0.002", "USD", "100")
    assert first["findings"] == "fixed must spelling “Teh”: Fix. ()"


def test_an_unknown_cost_is_not_0() -> None:
    records = log(*call("1", cost=None), RoundEnded("2", "0", FIRST))
    assert rows(records)[0]["cost"] == "unknown"


def test_a_round_that_reviewed_the_authors_edit_says_so() -> None:
    edit = Noted("2", (Note("edit", "The draft.\n"),))
    records = log(*call("1"), RoundEnded("2", "0", FIRST), edit, *call("3"), RoundEnded("4", "0", SECOND))
    assert [row["edited_by_you"] for row in rows(records)] == ["", "yes"]


RISKY = [
    "=HYPERLINK(1)",
    "+1",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    " =1",
    "\ufeff=1",
    "'=1",
]


@pytest.mark.parametrize("text", RISKY)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert rows(with_text(text))[0]["text"] == "'" + text


@example("\x1f=1+1")
@given(st.text())
@settings(max_examples=100, deadline=None)
def test_taking_one_apostrophe_away_gives_every_cell_back(text: str) -> None:
    cell = export.safe(text)
    assert (cell[1:] if cell.startswith("'") else cell) == text
    assert not cell.lstrip().startswith(tuple("=+-@＝＋－＠"))


def test_numbers_stay_numbers() -> None:
    assert export.safe(-1) == -1 and export.safe(0.5) == 0.5 and export.safe(None) is None


def test_the_rule_stands_in_the_head_of_the_table() -> None:
    assert "apostrophe" in list(rows(FINISHED)[0])[-1]
