"""The form of the sample drafts and of their faults files; the sealed ones fare no worse than when measured."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from refine.text.facts import lost
from tests.checks.mending import mended as by_checks

SAMPLES = Path(__file__).parent.parent / "data" / "samples"
SEALED = ("sealed", "sealed-letter", "sealed-notes", "sealed-trip")
ENGLISH = ("newsletter", "howto", "memo", "blog", "letter", *SEALED)
KINDS_EN = {
    "misspelling",
    "doubled-word",
    "article",
    "agreement",
    "confused-word",
    "apostrophe-or-capital",
    "punctuation",
    "wordy",
}
KINDS_ZH = {"half-width", "spacing", "doubled-mark", "doubled-character", "said-twice", "long-sentence"}


def draft(name: str) -> str:
    return (SAMPLES / f"{name}.md").read_text(encoding="utf-8")


def faults(name: str) -> list[dict[str, object]]:
    with (SAMPLES / f"{name}.faults.yaml").open(encoding="utf-8") as file:
        return list(YAML(typ="safe").load(file))


def rights(fault: dict[str, object]) -> list[str]:
    right = fault["right"]
    assert isinstance(right, list)
    return [str(one) for one in right]


def corrected(name: str) -> str:
    text = draft(name)
    for fault in faults(name):
        text = text.replace(str(fault["wrong"]), rights(fault)[0])
    return text


@pytest.mark.parametrize("name", [*ENGLISH, "zh"])
def test_each_fault_stands_exactly_once_in_its_draft_and_in_the_order_of_the_text(name: str) -> None:
    text = draft(name)
    wrongs = [str(fault["wrong"]) for fault in faults(name)]
    assert {wrong: text.count(wrong) for wrong in wrongs} == dict.fromkeys(wrongs, 1)
    ends = [(text.index(wrong), text.index(wrong) + len(wrong)) for wrong in wrongs]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))


@pytest.mark.parametrize("name", [*ENGLISH, "zh"])
def test_no_correction_stands_in_the_draft_already_or_keeps_the_fault(name: str) -> None:
    text = draft(name)
    for fault in faults(name):
        assert rights(fault)
        if fault["kind"] != "said-twice":
            assert [right for right in rights(fault) if right in text] == []
        assert [right for right in rights(fault) if str(fault["wrong"]) in right] == []


@pytest.mark.parametrize("name", [*ENGLISH, "zh"])
def test_the_corrected_draft_keeps_no_fault(name: str) -> None:
    text = corrected(name)
    assert [fault["wrong"] for fault in faults(name) if str(fault["wrong"]) in text] == []


@pytest.mark.parametrize("name", ENGLISH)
def test_an_english_draft_has_enough_faults_of_enough_kinds(name: str) -> None:
    kinds = {str(fault["kind"]) for fault in faults(name)}
    assert kinds <= KINDS_EN
    assert len(kinds) >= 7
    assert len(faults(name)) >= 15


@pytest.mark.parametrize("name", [*ENGLISH, "clean"])
def test_an_english_text_has_250_to_400_words_and_begins_with_a_title(name: str) -> None:
    assert 250 <= len(draft(name).split()) <= 400
    assert draft(name).startswith("# ")


@pytest.mark.parametrize("name", ["zh", "zh-clean"])
def test_a_chinese_text_has_300_to_500_characters_and_begins_with_a_title(name: str) -> None:
    assert 300 <= len(re.findall(r"[\u4e00-\u9fff]", draft(name))) <= 500
    assert draft(name).startswith("# ")


def test_the_chinese_draft_has_faults_of_every_chinese_kind() -> None:
    assert {str(fault["kind"]) for fault in faults("zh")} == KINDS_ZH


@pytest.mark.parametrize("name", SEALED)
def test_the_checks_alone_mend_much_of_a_sealed_draft_and_lose_no_fact(name: str) -> None:
    text, mended = draft(name), by_checks(draft(name))
    gone = [str(fault["wrong"]) not in mended and any(r in mended for r in rights(fault)) for fault in faults(name)]
    assert sum(gone) >= len(gone) * 0.5
    assert lost(text, mended) == ()
    assert by_checks(mended) == mended


def test_the_table_names_every_text_with_its_number_of_faults() -> None:
    table = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for path in SAMPLES.glob("*.md"):
        if path.name == "README.md":
            continue
        row = next(line for line in table.splitlines() if line.startswith(f"| `{path.name}` |"))
        count = len(faults(path.stem)) if (SAMPLES / f"{path.stem}.faults.yaml").exists() else 0
        assert row.endswith(f"| {count} |")
