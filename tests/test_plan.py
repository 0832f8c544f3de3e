"""Plans of comparisons: how their texts are found, and what of a file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from refine.errors import SettingsError
from refine.plan import read_plan, read_texts


def written(place: Path, *names: str) -> None:
    for name in names:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"Text {name}.", encoding="utf-8")


def test_a_file_of_that_very_name_goes_before_a_pattern(tmp_path: Path) -> None:
    written(tmp_path, "letter [1].md", "letter 1.md", "what?.md", "whats.md")
    found = read_texts(["letter [1].md", "what?.md"], tmp_path)
    assert [text.title for text in found] == ["letter [1]", "what?"]


@pytest.mark.parametrize("pattern", ["*/a.md", "t[ow]o/*.md", "**/a.md"])
def test_a_pattern_may_stand_in_the_folder_too(tmp_path: Path, pattern: str) -> None:
    written(tmp_path / "my [own] texts", "one/a.md", "two/a.md", "too/b.md")
    folder = tmp_path / "my [own] texts"
    expected = sorted(path.read_text() for path in folder.glob(pattern))
    assert [text.draft for text in read_texts([pattern], folder)] == expected
    assert len(expected) == 2


def test_a_pattern_from_the_root_is_found(tmp_path: Path) -> None:
    written(tmp_path, "one/a.md", "two/a.md")
    assert len(read_texts([f"{tmp_path}/*/a.md"])) == 2


def test_a_draft_with_both_a_file_and_a_text_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "a.md")
    (tmp_path / "plan.yaml").write_text("variants: [polish]\ndrafts: [{file: a.md, text: Other.}]\n")
    with pytest.raises(SettingsError, match="both a file and a text"):
        read_plan(tmp_path / "plan.yaml")
