"""What a run of steps hands in is checked; each reason against it is a sentence in the task's language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from refine import tools
from refine.errors import SettingsError
from refine.tools import Surroundings
from refine.tools.results import KINDS, validate, verify
from refine.tools.workspace import folder, world


def reasons(answer: str, *checks: dict[str, Any], around: Surroundings | None = None) -> list[str]:
    return [finding.remark for finding in verify(answer, checks, around or Surroundings())]


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    return Surroundings(workspace=folder(tmp_path, "run"), source=world("notes", "en"))


def use(around: Surroundings, tool: str, **arguments: str) -> str:
    return tools.call(tool, arguments, tools.names(), around).text


def finish(around: Surroundings) -> None:
    for name in ("spring-fair.txt", "repair-table.txt"):
        use(around, "save_note", name=name, text=use(around, "clean_note", name=name))
        use(around, "summarise_note", name=name)
    use(around, "build_report", title="Notes")


NOTES_DONE: tuple[dict[str, Any], ...] = (
    {"is": "file", "name": "cleaned/spring-fair.txt", "holds": ["saturday 9 may"]},
    {"is": "file", "name": "cleaned/repair-table.txt"},
    {"is": "summaries"},
    {"is": "report"},
)


def test_finished_notes_pass(around: Surroundings) -> None:
    finish(around)
    assert reasons("Done.", *NOTES_DONE, around=around) == []


def test_unfinished_notes_are_told_what_is_missing(around: Surroundings) -> None:
    assert reasons("Done.", *NOTES_DONE, around=around) == [
        "The file cleaned/spring-fair.txt is missing or empty.",
        "The file cleaned/repair-table.txt is missing or empty.",
        "repair-table.txt has no summary.",
        "spring-fair.txt has no summary.",
        "The file report.md is missing or empty.",
    ]


def test_work_that_was_only_pretended_is_found_out(around: Surroundings) -> None:
    finish(around)
    assert around.workspace is not None
    (around.workspace / "cleaned" / "spring-fair.txt").write_text("  \n", encoding="utf-8")
    (around.workspace / "cleaned" / "repair-table.txt").unlink()
    (around.workspace / "summaries" / "repair-table.txt").write_text(
        "Bananas grow upwards in Ecuador.", encoding="utf-8"
    )
    (around.workspace / "report.md").write_text("# Report\n\nspring-fair.txt only", encoding="utf-8")
    assert reasons("Done.", *NOTES_DONE, around=around) == [
        "The file cleaned/spring-fair.txt is missing or empty.",
        "The file cleaned/repair-table.txt is missing or empty.",
        "The summary of repair-table.txt is not about that note.",
        "The report report.md does not name repair-table.txt.",
    ]


def test_a_reason_is_said_once(around: Surroundings) -> None:
    checks = {"is": "file", "name": "report.md"}, {"is": "report"}
    assert reasons("Done.", *checks, around=around) == ["The file report.md is missing or empty."]


def test_a_file_has_to_hold_its_texts(around: Surroundings) -> None:
    finish(around)
    check = {"is": "file", "name": "cleaned/spring-fair.txt", "holds": ["Saturday 9 May", "Sunday"]}
    assert reasons("", check, around=around) == ["The file cleaned/spring-fair.txt does not hold “Sunday”."]


def test_a_link_out_of_the_workspace_is_no_file(around: Surroundings, tmp_path: Path) -> None:
    finish(around)
    assert around.workspace is not None
    (tmp_path / "secret.txt").write_text("secret")
    (around.workspace / "cleaned" / "x.txt").symlink_to(tmp_path / "secret.txt")
    check = {"is": "file", "name": "cleaned/x.txt"}
    assert reasons("", check, around=around) == ["The file cleaned/x.txt is missing or empty."]


@pytest.mark.parametrize(
    ("answer", "check", "told"),
    [
        ("It is 18 °C.", {}, []),
        ("It is warm.", {}, ["The answer holds no number."]),
        ("It is 18 °C.", {"value": 18}, []),
        ("现在18度。", {"value": 18}, []),
        ("minus: -4", {"value": -4}, []),
        ("About 1,234.50 pounds", {"value": 1234.5}, []),
        ("二十一", {"value": 21}, []),
        ("twenty-one", {"value": 21}, []),
        ("3e2", {"value": 300}, []),
        ("It is 181 °C in version 18.5.1", {"value": 18}, ["The answer does not hold the number 18."]),
        ("112.9999", {"value": 113, "within": 0.001}, []),
        ("112.9", {"value": 113, "within": 0.001}, ["The answer does not hold the number 113."]),
        ("", {"value": 0}, ["The answer holds no number."]),
    ],
)
def test_an_answer_holds_its_number(answer: str, check: dict[str, Any], told: list[str]) -> None:
    assert reasons(answer, {"is": "number", **check}) == told


def test_an_answer_says_one_of_the_texts() -> None:
    check = {"is": "says", "texts": ["srv-001", "Server 001"]}
    assert reasons("SRV-001 is up again.", check) == []
    assert reasons("It is up again.", check) == ["The answer does not say “srv-001” or “Server 001”."]


SCHEMA = {
    "type": "object",
    "required": ["city", "degrees"],
    "properties": {"city": {"type": "string"}, "degrees": {"type": "number"}},
}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('{"city": "Beijing", "degrees": 18}', []),
        ('```json\n{"city": "Beijing", "degrees": 18}\n```', []),
        ("It is 18.", ["The answer is no JSON: "]),
        ("", ["The answer is no JSON: "]),
        ("[" * 100_000, ["The answer is no JSON: "]),
        ('{"city": "Beijing"}', ["The answer's JSON does not fit at $: 'degrees' is a required property."]),
        ('{"city": 1, "degrees": "x"}', ["The answer's JSON does not fit at $.city: 1 is not of type 'string'.",
                                         "The answer's JSON does not fit at $.degrees: 'x' is not of type 'number'."]),
    ],
)  # fmt: skip
def test_json_fits_its_schema(answer: str, told: list[str]) -> None:
    found = reasons(answer, {"is": "json", "schema": SCHEMA})
    assert len(found) == len(told) and all(one.startswith(start) for one, start in zip(found, told, strict=True))


def test_a_schema_fetches_nothing() -> None:
    for schema in ({"$ref": "https://schemas.example/x.json"}, {"allOf": [{"$ref": "file:///etc/passwd"}]}):
        with pytest.raises(SettingsError, match="Put that into the schema itself"):
            validate([{"is": "json", "schema": schema}])
    with pytest.raises(SettingsError, match="refers to what it does not hold"):
        reasons("{}", {"is": "json", "schema": {"$ref": "#/nowhere"}})
    own = {"$defs": {"day": {"type": "integer"}}, "$ref": "#/$defs/day"}
    assert reasons("3", {"is": "json", "schema": own}) == []


def test_a_draft_passes_its_checks_of_texts() -> None:
    check = {"is": "draft", "checks": {"length": {"max": 5}, "kept": {}}}
    around = Surroundings(draft="On 9 May we met 14 people.")
    assert reasons("On 9 May: 14.", check, around=around) == []
    told = reasons("We met some people on a day in May and were glad.", check, around=around)
    assert told[0].startswith("The draft fails the check length: ")
    assert any(reason.startswith("The draft fails the check kept: ") and "14" in reason for reason in told)


def test_reasons_are_in_the_task_s_language(tmp_path: Path) -> None:
    around = Surroundings(language="zh", workspace=folder(tmp_path, "run"), source=world("notes", "zh"))
    assert reasons("好。", {"is": "number"}, {"is": "report"}, around=around) == [
        "答案里没有数字。",
        "文件 report.md 不存在或是空的。",
    ]


def test_files_are_not_there_in_a_run_without_a_workspace() -> None:
    assert reasons("", {"is": "file", "name": "a.txt"}) == ["The file a.txt is missing or empty."]
    assert reasons("", {"is": "report"}) == ["This run has no workspace, so there are no files."]


def test_reasons_are_findings_that_must_be_met() -> None:
    (finding,) = verify("", [{"is": "number"}], Surroundings())
    assert (finding.rule, finding.severity, finding.critic) == ("result.number", "must", "result")


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (
            {"is": "magic"},
            "Result check 1 should have an `is` of file, report, summaries, number, says, json, draft; got",
        ),
        ({}, "should have an `is`"),
        ("number", "should have an `is`"),
        ({"is": "file"}, r"Result check 1 \(file\): 'name' is a required property. It takes name, holds."),
        ({"is": "file", "name": "../x"}, "no file of a workspace"),
        ({"is": "file", "name": "/etc/passwd"}, "no file of a workspace"),
        ({"is": "file", "name": "a/b/c"}, "no file of a workspace"),
        ({"is": "file", "name": "a", "hold": ["x"]}, "It takes name, holds"),
        ({"is": "number", "value": "many"}, "is not of type 'number'"),
        ({"is": "says", "texts": []}, "It takes texts"),
        ({"is": "json", "schema": {"type": "nonsense"}}, "no JSON schema"),
        ({"is": "draft", "checks": {"beauty": {}}}, "there is no check beauty"),
        ({"is": "draft", "checks": {"length": {"most": 3}}}, "has no option most"),
        ({"is": "summaries", "name": "x"}, "It takes nothing more"),
    ],
)
def test_a_check_that_cannot_work_is_refused_before_a_run(check: Any, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        validate([check])
    with pytest.raises(SettingsError):
        verify("1", [check], Surroundings())


def test_every_check_may_say_which_question_it_is_about() -> None:
    validate([{"is": "number", "value": 3, "question": 1}, *NOTES_DONE])
    assert all(kind.about for kind in KINDS.values())
