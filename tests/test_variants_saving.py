"""A variant is saved over another only where its author says so, and never over a shipped one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refine import variants
from refine.errors import SettingsError
from refine.types import Variant


def titled(title: str) -> Variant:
    return replace(variants.load("classic"), title={"en": title}, purpose={})


def test_an_own_variant_gives_way_where_that_was_said(tmp_path: Path) -> None:
    variants.save(titled("First"), "mine", tmp_path)
    (tmp_path / "mine" / "critic-two.md").write_text("Judge {{ draft }}.", encoding="utf-8")
    variants.save(titled("Second"), "mine", tmp_path, replacing=True)
    now = variants.load("mine", own=tmp_path)
    assert now.title == {"en": "Second"}
    assert [role.name for role in now.spec.roles] == ["writer", "critic"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["polish", "Polish", "MINE"])
def test_a_shipped_name_and_another_spelling_are_never_replaced(tmp_path: Path, name: str) -> None:
    variants.save(titled("First"), "mine", tmp_path)
    with pytest.raises(SettingsError, match="is taken by a variant"):
        variants.save(titled("Second"), name, tmp_path, replacing=True)
    assert variants.load("mine", own=tmp_path).title == {"en": "First"}


def test_a_folder_that_is_no_variant_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("x")
    with pytest.raises(SettingsError, match="is taken"):
        variants.save(titled("Mine"), "notes", tmp_path, replacing=True)
    assert (tmp_path / "notes" / "a.txt").read_text() == "x"


def test_replacing_a_name_that_is_free_saves_it(tmp_path: Path) -> None:
    variants.save(titled("Mine"), "mine", tmp_path, replacing=True)
    assert variants.load("mine", own=tmp_path).title == {"en": "Mine"}


def test_a_copy_that_hides_a_shipped_variant_is_not_written_over(tmp_path: Path) -> None:
    (variants.save(titled("Mine"), "mine", tmp_path)).rename(tmp_path / "polish")
    with pytest.raises(SettingsError, match="is taken by a variant"):
        variants.save(titled("Second"), "polish", tmp_path, replacing=True)
