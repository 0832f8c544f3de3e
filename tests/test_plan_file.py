"""A plan as a file: what is written is read back as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refine.errors import SettingsError
from refine.plan import Entry, Plan, Text, read_plan, write_plan

WHOLE = Plan(
    variants=(
        Entry("polish"),
        Entry("classic", "Classic, once", "single", {"role.writer.temperature": 0.3, "role.writer.prompt": "a\n  b\n"}),
    ),
    texts=(
        Text("# Heading\n\n  indented: yes", "Title: with a colon", "shorter\nplease", ("a", "b"), "en"),
        Text("  A first line that is indented\n\n# no comment\n\n\n", "two"),
        Text("渡口\n\n天还没亮。", "渡口"),
    ),
    repeats=3,
    title="渡口",
    baseline="Classic, once",
    one_prompt=True,
    best_of_n=True,
    judge="openai/gpt-4o-mini",
    pairs=True,
    checks=("grammar", "kept"),
    limits={"money": 1.5},
    concurrency=4,
    changes={"stops.max_rounds": 3},
)


def read_back(plan: Plan, folder: Path) -> Plan:
    path = folder / "plan.yaml"
    path.write_text(write_plan(plan), encoding="utf-8", newline="")
    return read_plan(path)


def test_a_plan_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    assert read_back(WHOLE, tmp_path) == WHOLE


@pytest.mark.parametrize(
    "draft",
    [
        "line\r\nline",
        "a\x07b\nc",
        "tab\tand\nspace \n x",
        "\n\nfirst lines empty",
        "u\u2028v\nw",
        "- a\n- b",
        "null",
        "1.5",
    ],
)
def test_a_text_survives_whatever_characters_it_has(draft: str, tmp_path: Path) -> None:
    plan = Plan((Entry("polish"),), (Text(draft, "odd"),), title="t")
    assert read_back(plan, tmp_path).texts[0].draft == draft


def test_no_checks_at_all_are_read_back_as_none_and_not_as_the_usual_ones(tmp_path: Path) -> None:
    plan = replace(WHOLE, checks=())
    assert read_back(plan, tmp_path) == plan
    assert read_back(replace(WHOLE, checks=None), tmp_path).checks is None


@pytest.mark.parametrize(
    ("said", "checks"),
    [("[]", ()), ("none", ()), ("[none]", ()), ("kept", ("kept",)), ("[kept, terms]", ("kept", "terms")), ("~", None)],
)
def test_checks_are_a_list_a_name_or_none(said: str, checks: tuple[str, ...] | None, tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"variants: [polish]\ndrafts: [{{text: One.}}]\nchecks: {said}\n", encoding="utf-8")
    assert read_plan(path).checks == checks


@pytest.mark.parametrize("text", ["2024", "1.50", "2024-01-01", "true", "false", "0", "[a]", "{a: b}"])
def test_a_text_that_yaml_takes_for_something_else_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"variants: [polish]\ndrafts: [{{text: {text}}}]\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"text must be a text; got .*Put it in quotes"):
        read_plan(path)


def test_what_is_as_usual_is_not_written() -> None:
    written = write_plan(Plan((Entry("polish"), Entry("classic")), (Text("one line", "a"),), title="t"))
    assert [line.split(":")[0] for line in written.splitlines() if not line.startswith((" ", "-"))] == [
        "title", "variants", "drafts", "repeats", "concurrency",
    ]  # fmt: skip
