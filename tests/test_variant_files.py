"""The folder of a variant is edited piece by piece; nobody's work is overwritten or lost."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from refine import variant_files, variants
from refine.errors import PromptError, SettingsError
from refine.types import Task
from refine.variant_files import bring_back, change, delete, deleted, files_of, of_run, pieces_of, read, titled

YAML = "# of the studio\ntechnique: refine\ntitle: Letters\nstops: {max_rounds: 3}  # enough\n"
WRITER = "---\n# a calm hand\ntemperature: 0.5\n---\n\nWrite.\n\nMind the rhythm.\n"
CRITIC = "Judge.\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    own = tmp_path / "prompts"
    put(own, "letters", writer=WRITER, critic=CRITIC)
    return own


def put(own: Path, name: str, settings: str = YAML, **roles: str) -> None:
    (own / name).mkdir(parents=True)
    (own / name / "variant.yaml").write_text(settings, encoding="utf-8")
    for role, text in roles.items():
        (own / name / f"{role}.md").write_text(text, encoding="utf-8")


def pieces(own: Path, name: str = "letters") -> dict[str, str]:
    found = read(name, own)
    assert found is not None
    return found


# --- pieces ----------------------------------------------------------------------------------------------------------


def test_a_folder_is_taken_apart_into_settings_and_prompts(own: Path) -> None:
    assert pieces(own) == {
        "variant.yaml": YAML,
        "writer.settings": "# a calm hand\ntemperature: 0.5",
        "writer": "Write.\n\nMind the rhythm.",
        "critic.settings": "",
        "critic": "Judge.",
    }


@pytest.mark.parametrize("name", variants.names())
def test_every_shipped_variant_put_together_again_is_the_same(name: str) -> None:
    found = read(name, Path("nowhere"))
    assert found is not None
    made = variants.made_of(files_of(found), name, Path(name), own=False)
    assert made == variants.load(name)


def test_settings_that_never_end_stay_in_the_text_where_they_can_be_mended() -> None:
    broken = "---\ntemperature: 0.5\nWrite.\n"
    found = pieces_of({"variant.yaml": "", "writer.md": broken})
    assert found["writer"] == broken.strip()
    assert files_of(found)["writer.md"] == broken


def test_the_writer_stands_first_then_the_critics() -> None:
    assert variant_files.roles_of({"variant.yaml": "", "critic-two": "", "critic": "", "writer": "", "a": ""}) == [
        "writer",
        "critic",
        "critic-two",
        "a",
    ]


def test_another_title_leaves_the_other_lines_and_comments() -> None:
    made = titled(YAML, {"zh": "家书"}, {"zh": "短而暖"})
    assert made.startswith("# of the studio\ntechnique: refine\ntitle:\n  zh: 家书\npurpose:\n  zh: 短而暖\n")
    assert "stops: {max_rounds: 3}  # enough" in made
    assert "purpose" not in titled(made, {"en": "Letters"}, {})


# --- changes ---------------------------------------------------------------------------------------------------------


def test_a_changed_prompt_leaves_settings_comments_and_other_files(own: Path) -> None:
    (own / "letters" / "README.md").write_text("Mine.")
    assert change("letters", own, {"writer": "Write well.\n"}, pieces(own)) == []
    assert (own / "letters" / "writer.md").read_text() == "---\n# a calm hand\ntemperature: 0.5\n---\nWrite well.\n"
    assert (own / "letters" / "critic.md").read_text() == CRITIC
    assert (own / "letters" / "README.md").read_text() == "Mine."
    assert variants.load("letters", own=own).spec.roles[0].prompt == "Write well."


def test_a_role_is_added_and_taken_away_again(own: Path) -> None:
    assert change("letters", own, {"critic-two": "Judge twice."}, {}) == []
    assert [role.name for role in variants.load("letters", own=own).spec.roles] == ["writer", "critic", "critic-two"]
    assert change("letters", own, {"critic-two": None}, {}) == ["critic-two"]
    assert change("letters", own, {"critic-two": None}, pieces(own)) == []
    assert not (own / "letters" / "critic-two.md").exists()


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(own: Path) -> None:
    before = pieces(own)
    assert change("letters", own, {"writer": "Theirs."}, before) == []
    assert change("letters", own, {"writer": "Mine.", "critic": "Mine too."}, before) == ["writer"]
    assert (pieces(own)["writer"], pieces(own)["critic"]) == ("Theirs.", "Judge.")
    assert change("letters", own, {"critic": "Mine too."}, before) == []


def test_of_many_that_save_at_once_one_wins_and_all_others_are_told(own: Path) -> None:
    before, told = pieces(own), []
    threads = [
        threading.Thread(target=lambda n=n: told.append(change("letters", own, {"writer": f"Text {n}."}, before)))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [[], *[["writer"]] * 7]
    assert not (own / ".lock").exists()


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({"writer": "Write {{ drfat }}."}, r"writer\.md, line 5: unknown hole {{ drfat }}.*Did you mean {{ draft }}"),
        ({"variant.yaml": "technique: refine\nstops: {max_rounds: 0}\n"}, r"variant\.yaml, line 2: stops\.max_rounds"),
        ({"variant.yaml": "technique: [refine"}, r"variant\.yaml, line 1: this is not YAML"),
        ({"writer.settings": "temprature: 1"}, r"writer\.md, line 2: unknown key 'temprature'.*temperature"),
    ],
)
def test_texts_that_make_no_variant_are_refused_with_file_and_line(own: Path, new: dict[str, str], words: str) -> None:
    before = pieces(own)
    with pytest.raises(PromptError, match=words):
        change("letters", own, new, before)
    assert pieces(own) == before


def test_a_link_in_the_folder_stays_one(own: Path, tmp_path: Path) -> None:
    (tmp_path / "shared.md").write_text("Judge all.\n")
    (own / "letters" / "critic.md").unlink()
    (own / "letters" / "critic.md").symlink_to(tmp_path / "shared.md")
    assert change("letters", own, {"critic": "Judge well."}, pieces(own)) == []
    assert (tmp_path / "shared.md").read_text() == "Judge well.\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(own: Path) -> None:
    before = pieces(own)
    (own / "letters").chmod(0o500)
    with pytest.raises(SettingsError, match="cannot be saved"):
        change("letters", own, {"writer": "x"}, before)
    (own / "letters").chmod(0o700)


# --- putting aside ---------------------------------------------------------------------------------------------------


def test_a_deleted_variant_can_be_read_and_comes_back_as_it_was(own: Path) -> None:
    before = pieces(own)
    delete("letters", own)
    assert (read("letters", own), deleted(own)) == (None, ["letters"])
    assert "letters" not in variants.names(own)
    assert variant_files.read_deleted("letters", own) == before
    with pytest.raises(SettingsError, match="it was deleted"):
        change("letters", own, {"writer": "x"}, before)
    bring_back("letters", own)
    assert (pieces(own), deleted(own)) == (before, [])


def test_the_last_deleted_one_of_a_name_comes_back_and_never_over_another(own: Path) -> None:
    delete("letters", own)
    put(own, "letters", writer="Second.")
    with pytest.raises(SettingsError, match="There is a variant letters again"):
        bring_back("letters", own)
    delete("letters", own)
    bring_back("letters", own)
    assert pieces(own)["writer"] == "Second."
    assert deleted(own) == ["letters"]


def test_what_was_never_there_cannot_be_deleted(own: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be deleted"):
        delete("none", own)
    assert deleted(own) == []
    with pytest.raises(SettingsError, match="cannot be brought back"):
        bring_back("none", own)


def test_a_variant_of_a_run_has_its_prompts_and_settings_and_nothing_of_the_run(own: Path) -> None:
    spec = variants.apply_set(
        variants.load("letters", own=own).spec,
        {"options.token": "通过", "role.critic.model": "big", "role.writer.endpoint": "given", "checks.grammar": "on"},
    )
    ran = replace(spec, task=Task(draft="A text."), options={**spec.options, "somebody": True, "workspace": "r1"})
    made = variant_files.variant_of(of_run(ran), "letters")
    assert [role.prompt for role in made.spec.roles] == ["Write.\n\nMind the rhythm.", "Judge."]
    assert [(role.endpoint, role.model) for role in made.spec.roles] == [("", ""), ("", "big")]
    assert (made.spec.stops["max_rounds"], made.spec.options["token"]) == (3, "通过")
    assert made.spec.checks == {"grammar": {}}
    assert not made.spec.task.draft
    assert "somebody" not in made.spec.options and "workspace" not in made.spec.options
