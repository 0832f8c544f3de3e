"""No name, link or size leads out of a workspace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from refine import tools
from refine.errors import SettingsError
from refine.tools import Refused, Surroundings, workspace
from refine.tools.workspace import Folder, changed_since, copy, folder, good_name, prepare, world

BAD_NAMES = [
    "", " ", ".", "..", "../x", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "..\\x", "C:\\x", "C:x", "~",
    "~/x", "$HOME", ".hidden", ".new-1", "a/../b", "a..b/..", "x\x00y", "x\ny", "x\ty", "-rf", " a", "a ", "a.",
    "CON", "con.txt", "nul", "LPT1", "aux.md", "％2e％2e", "..%2fx", "%2e%2e/x", "．．／x", "∕etc", "a:b", "a|b",
    "a*b", "a?b", 'a"b', "a<b", "a" * 101, "e\u0301.md", "\u202etxt.md", "file:///etc/passwd", "//host/x",
    "\\\\host\\x", "a\u2028b", "..",
]  # fmt: skip
GOOD_NAMES = ["a", "note-1.txt", "旧书角.txt", "Spring fair 2.md", "v1.2_final.txt", "é.md", "2026-04-18.txt"]


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    place = folder(tmp_path, "run-1")
    (place / "notes").mkdir(parents=True)
    (place / "notes" / "a.txt").write_text("A note of some words.\n", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    return Surroundings(workspace=place)


@pytest.mark.parametrize("name", BAD_NAMES)
def test_what_is_no_plain_name_is_refused_everywhere(name: str, around: Surroundings, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert not good_name(name)
    with pytest.raises(SettingsError, match="cannot name a workspace"):
        folder(tmp_path, name)
    for kind in ("notes", "cleaned", ""):
        with pytest.raises(Refused):
            Folder(around).read(kind, name)
        with pytest.raises(Refused):
            Folder(around).write(kind, name, "x")
        with pytest.raises(Refused):
            Folder(around).delete(kind, name)
    for tool in ("read_note", "clean_note", "summarise_note", "delete_note"):
        seen = tools.call(tool, {"name": name}, [tool], around)
        assert seen.error == "failed" and "secret" not in seen.text
    assert tools.call("save_note", {"name": name, "text": "x"}, ["save_note"], around).error == "failed"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", GOOD_NAMES)
def test_ordinary_names_are_names(name: str, around: Surroundings) -> None:
    assert good_name(name)
    Folder(around).write("cleaned", name, "text")
    assert Folder(around).read("cleaned", name) == "text"
    assert Folder(around).names("cleaned") == [name]


def test_a_link_to_a_file_outside_is_neither_listed_nor_read_nor_written(around: Surroundings, tmp_path: Path) -> None:
    assert around.workspace is not None
    (around.workspace / "notes" / "b.txt").symlink_to(tmp_path / "secret.txt")
    box = Folder(around)
    assert box.names("notes") == ["a.txt"]
    with pytest.raises(Refused):
        box.read("notes", "b.txt")
    with pytest.raises(Refused):
        box.write("notes", "b.txt", "overwritten")
    box.delete("notes", "b.txt")
    assert (tmp_path / "secret.txt").read_text() == "secret"


def test_another_name_of_a_file_outside_is_not_read(around: Surroundings, tmp_path: Path) -> None:
    assert around.workspace is not None
    os.link(tmp_path / "secret.txt", around.workspace / "notes" / "b.txt")
    assert Folder(around).names("notes") == ["a.txt"]
    with pytest.raises(Refused):
        Folder(around).read("notes", "b.txt")


@pytest.mark.parametrize("kind", ["notes", "cleaned"])
def test_a_folder_that_is_a_link_leads_nowhere(kind: str, around: Surroundings, tmp_path: Path) -> None:
    assert around.workspace is not None
    place = around.workspace / kind
    if place.exists():
        place.rename(around.workspace / "moved")
    place.symlink_to(tmp_path, target_is_directory=True)
    for act in (
        lambda box: box.names(kind),
        lambda box: box.read(kind, "secret.txt"),
        lambda box: box.write(kind, "x", "y"),
    ):
        with pytest.raises(Refused, match="leads out of the workspace"):
            act(Folder(around))
    assert not (tmp_path / "x").exists()


def test_pipes_and_folders_are_no_files(around: Surroundings) -> None:
    assert around.workspace is not None
    os.mkfifo(around.workspace / "notes" / "pipe.txt")
    (around.workspace / "notes" / "inner").mkdir()
    box = Folder(around)
    assert box.names("notes") == ["a.txt"]
    for name in ("pipe.txt", "inner"):
        with pytest.raises(Refused):
            box.read("notes", name)
        with pytest.raises(Refused):
            box.write("notes", name, "x")


def test_sizes_are_limited(around: Surroundings) -> None:
    assert around.workspace is not None
    box = Folder(around)
    with pytest.raises(Refused, match="larger than 200 KB"):
        box.write("cleaned", "big.txt", "好" * 100_000)
    (around.workspace / "notes" / "big.txt").write_bytes(b"x" * 200_001)
    with pytest.raises(Refused, match="larger than 200 KB"):
        box.read("notes", "big.txt")
    for n in range(workspace.MOST_FILES):
        box.write("cleaned", f"{n}.txt", "x")
    with pytest.raises(Refused, match="200 files already"):
        box.write("cleaned", "one-more.txt", "x")
    box.write("cleaned", "7.txt", "an old one may be written again")


def test_nothing_half_written_is_left(around: Surroundings) -> None:
    box = Folder(around)
    box.write("", "report.md", "one")
    box.write("", "report.md", "two")
    assert around.workspace is not None
    assert sorted(path.name for path in around.workspace.iterdir()) == ["notes", "report.md"]
    assert box.read("", "report.md") == "two"


def test_any_bytes_are_read_as_text(around: Surroundings) -> None:
    assert around.workspace is not None
    (around.workspace / "notes" / "b.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree \xff\n")
    assert Folder(around).read("notes", "b.txt") == "one\ntwo\nthree \ufffd\n"


@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_a_sample_world_fills_a_workspace_once(language: str, tmp_path: Path) -> None:
    place, source = tmp_path / "workspaces" / "w", world("notes", language)
    prepare(place, source)
    names = sorted(path.name for path in (place / "notes").iterdir())
    assert len(names) == 2
    (place / "notes" / names[0]).unlink()
    prepare(place, source)
    assert sorted(path.name for path in (place / "notes").iterdir()) == names[1:]
    assert [path.name for path in place.parent.iterdir()] == ["w"]


@pytest.mark.parametrize("name", ["", "..", "../..", "notes/en", "weather", "/etc"])
def test_only_known_worlds_fill_a_workspace(name: str) -> None:
    with pytest.raises(SettingsError, match="known are notes"):
        world(name, "en")


def test_a_run_without_a_workspace_says_so() -> None:
    seen = tools.call("list_notes", {}, ["list_notes"], Surroundings(language="zh"))
    assert (seen.text, seen.error) == ("本次运行没有工作区，因此没有文件。", "failed")


# --- a workspace made of another ---------------------------------------------------------------------------------


def test_a_copy_holds_the_files_and_no_link_and_is_a_workspace_of_its_own(around: Surroundings, tmp_path: Path) -> None:
    place, new = folder(tmp_path, "run-1"), folder(tmp_path, "run-2")
    (place / "notes" / "link.txt").symlink_to(tmp_path / "secret.txt")
    os.link(tmp_path / "secret.txt", place / "notes" / "hard.txt")
    (place / "out").symlink_to(tmp_path)
    (place / "notes" / ".new-x").write_text("half a no")
    copy(new, place)
    assert sorted(path.relative_to(new).as_posix() for path in new.rglob("*")) == ["notes", "notes/a.txt"]
    Folder(Surroundings(workspace=new)).write("notes", "a.txt", "Mine.")
    assert (place / "notes" / "a.txt").read_text() == "A note of some words.\n"


def test_where_there_is_no_workspace_yet_none_is_copied(tmp_path: Path) -> None:
    copy(folder(tmp_path, "run-2"), folder(tmp_path, "run-1"))
    assert not folder(tmp_path, "run-2").exists()


def test_files_that_were_written_later_are_named_with_their_kind(around: Surroundings, tmp_path: Path) -> None:
    place = folder(tmp_path, "run-1")
    for name, at in (("report.md", 300), ("cleaned/a.txt", 200), ("notes/a.txt", 100)):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("x")
        os.utime(place / name, (at, at))
    assert changed_since(place, 100) == ["cleaned/a.txt", "report.md"]
    assert changed_since(place, 300) == []
    assert changed_since(folder(tmp_path, "nowhere"), 0) == []
