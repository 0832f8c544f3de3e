"""Prompts: variants are read, edited, compared and saved; what is typed is kept; old results never change."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from refine import export, variant_files, variants, views
from refine.events import Started
from refine.prompts import prompt_hash
from refine.runs import Order, Workbench
from refine.schema import FIELDS
from refine.store import Wanted
from refine.types import Variant
from refine.ui import prompts_changes, prompts_history, prompts_preview, prompts_settings, prompts_state
from refine.ui.prompts_state import key
from tests.ui.conftest import Open, Run, run_in_address, said

DRAFT = "# A letter\n\nI have have a letter. It is due to the fact that you wrote to us in 1987."


@pytest.fixture
def own(bench: Workbench) -> Path:
    return bench.settings.home / "prompts"


@pytest.fixture
def mine(own: Path) -> str:
    """A variant of the author's own, made of the shipped one with the shortest prompts."""
    shipped = variants.load("classic")
    variants.save(Variant("mine", shipped.spec, {"en": "Mine", "zh": "我的"}, {"en": "For letters"}), "mine", own)
    return "mine"


def pieces(own: Path, name: str) -> dict[str, str]:
    found = variant_files.read(name, own)
    assert found is not None
    return found


def prompts(open_page: Open, variant: str = "", role: str = "", view: str = "") -> AppTest:
    """The page, as a new tab shows it."""
    page = open_page().switch_page("prompts_page.py")
    for name, value in {"variant": variant, "role": role, "view": view}.items():
        if value:
            page.query_params[name] = value
    return page.run()


def text(page: AppTest, variant: str, piece: str) -> str:
    return str(page.text_area(key=key(variant, piece)).value)


def type_in(page: AppTest, variant: str, piece: str, text: str) -> AppTest:
    return page.text_area(key=key(variant, piece)).set_value(text).run()


def press(page: AppTest, name: str) -> AppTest:
    return page.button(key=f"prompts-{name}").click().run()


def has_button(page: AppTest, key: str) -> bool:
    return any(button.key == key for button in page.button)


def likely(page: AppTest) -> list[str | None]:
    """The buttons that stand out."""
    return [button.key for button in page.button if button.proto.type == "primary"]


def save_as(page: AppTest, name: str, title: str = "") -> AppTest:
    press(page, "save-new")
    page.text_input(key="variant_name").set_value(name)
    page.text_input(key="variant_title").set_value(title)
    page.button(key="variant-save").click().run()
    return page.run()


def in_address(page: AppTest, name: str) -> str:
    value = page.query_params[name]
    return value if isinstance(value, str) else value[0]


def shown(page: AppTest) -> list[str]:
    """The texts that stand in a field of their own."""
    return [code.value for code in page.code]


# --- reading ---------------------------------------------------------------------------------------------------------


def test_every_variant_is_in_the_menu_with_its_purpose_and_every_role_can_be_read(open_page: Open, mine: str) -> None:
    page = prompts(open_page)
    assert "Mine — For letters" in page.selectbox(key="prompts-variant").options
    assert len(page.selectbox(key="prompts-variant").options) == len(variants.names()) + 1
    for name in variants.names():
        page.selectbox(key="prompts-variant").set_value(name).run()
        for role in variants.load(name).spec.roles:
            page.get_by_key("prompts-role").set_value(role.name).run()
            assert text(page, name, role.name) == role.prompt
        assert not page.error and not page.exception
    assert in_address(page, "variant") == variants.names()[-1]


def test_the_page_opens_on_the_variant_picked_for_drafts_and_stays_on_the_one_shown_last(
    open_page: Open, mine: str
) -> None:
    start = open_page()
    start.selectbox(key="variant").set_value("shorten").run()
    page = start.switch_page("prompts_page.py").run()
    assert page.selectbox(key="prompts-variant").value == "shorten"
    page.selectbox(key="prompts-variant").set_value("mine").run()
    page = page.switch_page("runs_page.py").run().switch_page("prompts_page.py").run()
    assert page.selectbox(key="prompts-variant").value == "mine"


def test_an_address_that_names_nothing_known_shows_something_and_no_file(open_page: Open) -> None:
    page = prompts(open_page, variant="../../etc", role="nobody", view="nothing")
    assert page.selectbox(key="prompts-variant").value == "polish"
    assert not page.exception


def test_a_role_names_the_fields_that_fit_it(open_page: Open) -> None:
    critic = said(prompts(open_page, "polish", "critic"))
    assert "`{{ draft }}`" in critic and "`{{ findings }}`" not in critic
    assert "`{{ findings }}`" in said(prompts(open_page, "polish", "writer"))
    actor = said(prompts(open_page, "react", "actor"))
    assert "`{{ max_steps }}`" in actor and "`{{ token }}`" not in actor
    assert "Unknown fields are refused when you save." in actor


def test_settings_are_told_with_all_that_is_not_said_filled_in(open_page: Open) -> None:
    page = prompts(open_page, "classic-zh", "settings")
    found = said(page).replace("\\", "")
    assert text(page, "classic-zh", "variant.yaml").startswith("technique: refine\n")
    assert text(page, "classic-zh", "writer.settings") == "temperature: 0.7"
    assert "Word that approves: 通过" in found
    assert "Reviews at most: 4" in found
    assert "kept facts" in found
    assert ":gray[not set: model, endpoint, tokens of a reply at most, form of its replies]" in found


def test_the_rounds_of_an_actor_are_called_steps(open_page: Open) -> None:
    found = said(prompts(open_page, "react", "settings"))
    assert "Steps at most: 12" in found and "Reviews at most" not in found


def test_all_that_can_be_set_has_a_word_unless_only_a_program_sets_it() -> None:
    groups = {name for fields in FIELDS.values() for group in ("stops", "limits", "options") for name in fields[group]}
    assert groups - set(variant_files.OF_A_RUN) <= prompts_settings.NAMES.keys()


def test_a_judge_is_read_and_previewed_but_not_tried_on_a_draft(open_page: Open) -> None:
    page = prompts(open_page, "judge", "judge")
    assert len(shown(page)) == 2 and "<draft>" in shown(page)[1]
    assert "`{{ rubric }}`" in said(page)
    assert not has_button(page, "prompts-try")


# --- editing ---------------------------------------------------------------------------------------------------------


def test_what_is_typed_is_there_after_a_reload_and_on_the_way_back_from_another_page(
    open_page: Open, mine: str, own: Path
) -> None:
    page = type_in(prompts(open_page, "mine"), "mine", "writer", "Write {{ draft }} {{ findings }}  \n\n ")
    page.get_by_key("prompts-role").set_value("critic").run()
    page = page.switch_page("runs_page.py").run().switch_page("prompts_page.py").run()
    page.get_by_key("prompts-role").set_value("writer").run()
    assert text(page, "mine", "writer") == "Write {{ draft }} {{ findings }}  \n\n "
    again = prompts(open_page, "mine")
    assert text(again, "mine", "writer") == "Write {{ draft }} {{ findings }}  \n\n "
    assert "not saved" in said(again)
    assert pieces(own, "mine")["writer"] == variants.load("classic").spec.roles[0].prompt


def test_a_save_writes_the_prompt_and_undo_takes_it_back(open_page: Open, mine: str, own: Path) -> None:
    page = prompts(open_page, "mine", "critic")
    before = pieces(own, "mine")
    type_in(page, "mine", "critic", "Judge {{ draft }} kindly.")
    press(page, "save")
    assert pieces(own, "mine") == {**before, "critic": "Judge {{ draft }} kindly."}
    assert "not saved" not in said(page)
    assert "Saved." in said(page)
    press(page, "undo")
    assert pieces(own, "mine") == before
    assert text(page, "mine", "critic") == "Judge {{ draft }} kindly."
    assert "not saved" in said(page)


@pytest.mark.parametrize("command", ["save", "save-new", "try"])
def test_a_command_that_comes_with_the_last_words_takes_them_along(
    open_page: Open, mine: str, own: Path, command: str
) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "The last")
    page.text_area(key=key("mine", "critic")).set_value("The last words {{ token }}.")
    press(page, command)
    if command == "save-new":
        page.text_input(key="variant_name").set_value("mine-2")
        page.button(key="variant-save").click().run()
        assert pieces(own, "mine-2")["critic"] == "The last words {{ token }}."
    elif command == "try":
        assert prompts(open_page, "mine").session_state["mine.critic.prompt"] == "The last words {{ token }}."
    else:
        assert pieces(own, "mine")["critic"] == "The last words {{ token }}."


def test_a_save_takes_along_a_text_that_the_page_was_not_yet_told_of(open_page: Open, mine: str, own: Path) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "The last")
    page.session_state[key("mine", "critic")] = "The last words {{ token }}."
    press(page, "save")
    assert pieces(own, "mine")["critic"] == "The last words {{ token }}."


def test_what_can_be_saved_is_the_likelier_button_and_nothing_is_saved_unchanged(open_page: Open, mine: str) -> None:
    page = prompts(open_page, "mine", "critic")
    assert page.button(key="prompts-save").disabled
    assert likely(page) == ["prompts-save-new"]
    type_in(page, "mine", "critic", "Judge {{ draft }} kindly.")
    assert not page.button(key="prompts-save").disabled
    assert likely(page) == ["prompts-save"]
    press(page, "save")
    assert page.button(key="prompts-save").disabled
    shipped = type_in(prompts(open_page, "polish", "critic"), "polish", "critic", "Judge {{ draft }} kindly.")
    assert likely(shipped) == ["prompts-save-new"]


def test_an_undo_never_takes_back_what_somebody_else_has_saved_since(open_page: Open, mine: str, own: Path) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Judge {{ draft }} kindly.")
    press(page, "save")
    variant_files.change("mine", own, {"critic": "Theirs."}, pieces(own, "mine"))
    press(page, "undo")
    assert "was saved again meanwhile" in said(page)
    assert pieces(own, "mine")["critic"] == "Theirs."


def test_what_was_typed_can_be_dropped_and_had_back(open_page: Open, mine: str) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Other words.")
    press(page, "back")
    assert text(page, "mine", "critic") == variants.load("classic").spec.roles[1].prompt
    assert "not saved" not in said(page)
    press(page, "undo")
    assert text(page, "mine", "critic") == "Other words."
    assert text(prompts(open_page, "mine", "critic"), "mine", "critic") == "Other words."


@pytest.mark.parametrize(
    ("piece", "typed", "words"),
    [
        ("writer", "One.\n\nMend {{ drfat }}.", "Writer, line 3: unknown hole {{ drfat }}"),
        ("writer", "Mend.\n\nuser:\n{{ draft }}", "needs {{ findings }}"),
        ("variant.yaml", "technique: refine\nstops:\n  max_rounds: 0\n", "variant.yaml, line 3: stops.max_rounds"),
        ("variant.yaml", "technique: [refine", "variant.yaml, line 1: this is not YAML"),
        ("critic.settings", "temperature: 7", "critic.md, line 2: temperature must be a number from 0 to 2"),
    ],
)
def test_what_cannot_work_is_said_with_its_line_and_not_saved(
    open_page: Open, mine: str, own: Path, piece: str, typed: str, words: str
) -> None:
    before = pieces(own, "mine")
    page = prompts(open_page, "mine", piece if piece == "writer" else "settings")
    type_in(page, "mine", piece, typed)
    assert words in page.error[0].value.replace("\\", "").replace("\u2060", "")
    press(page, "save")
    press(page, "save-new")
    assert not page.text_input
    assert pieces(own, "mine") == before
    assert text(page, "mine", piece) == typed
    assert "so it cannot be saved or tried" in said(page)


def test_a_shipped_variant_says_that_it_stays_and_a_change_makes_a_new_one(open_page: Open, own: Path) -> None:
    page = prompts(open_page, "polish", "critic")
    assert "comes with Refine and stays as it is" in said(page)
    assert not has_button(page, "prompts-save") and not has_button(page, "prompts-delete")
    shipped = text(page, "polish", "critic")
    type_in(page, "polish", "critic", shipped + "\n\nBe brief.")
    save_as(page, "kurz", "Short words")
    assert page.selectbox(key="prompts-variant").value == "kurz"
    assert text(page, "kurz", "critic") == shipped + "\n\nBe brief."
    made = variants.load("kurz", own=own)
    assert (made.title, made.purpose["en"]) == ({"en": "Short words"}, "Keeps your voice, clears clutter and slips")
    assert made.spec.roles[1].prompt == shipped + "\n\nBe brief."
    assert made.spec.checks == variants.load("polish").spec.checks
    page.selectbox(key="prompts-variant").set_value("polish").run()
    assert text(page, "polish", "critic") == shipped


def test_a_name_that_is_taken_is_refused_and_nothing_is_written(open_page: Open, mine: str, own: Path) -> None:
    page = prompts(open_page, "polish")
    for name in ("mine", "Polish", "a/b", ""):
        save_as(page, name)
        assert page.session_state["variant_problem"], name
    assert sorted(path.name for path in own.iterdir()) == ["mine"]


def test_settings_are_saved_with_their_comments(open_page: Open, mine: str, own: Path) -> None:
    page = prompts(open_page, "mine", "settings")
    written = "# mine\n" + text(page, "mine", "variant.yaml") + "  max_rounds: 6  # more\n"
    type_in(page, "mine", "variant.yaml", written)
    type_in(page, "mine", "writer.settings", "temperature: 0.2\nmodel: big")
    press(page, "save")
    assert (own / "mine" / "variant.yaml").read_text() == written
    made = variants.load("mine", own=own).spec
    assert (made.stops["max_rounds"], made.roles[0].temperature, made.roles[0].model) == (6, 0.2, "big")


def test_a_chinese_variant_is_edited_saved_and_compared(open_page: Open, own: Path, make_run: Run) -> None:
    page = prompts(open_page, "zh-polish", "critic")
    type_in(page, "zh-polish", "critic", text(page, "zh-polish", "critic") + "\n\n少说套话。")
    save_as(page, "中文方案", "会员来信")
    make_run("我们的的信。", variant="中文方案")
    type_in(page, "中文方案", "critic", text(page, "中文方案", "critic").replace("少说", "不说"))
    press(page, "save")
    assert variants.load("中文方案", own=own).spec.roles[1].prompt.endswith("不说套话。")
    page.get_by_key("prompts-view").set_value("history").run()
    assert any(found.endswith("少说套话。") for found in shown(page))
    press(page, "delete")
    assert text(page, "中文方案", "critic").endswith("不说套话。")
    press(page, "undo")
    assert "中文方案" in variants.names(own)


# --- two who edit ----------------------------------------------------------------------------------------------------


def test_of_two_tabs_the_later_save_overwrites_nothing_unasked(open_page: Open, mine: str, own: Path) -> None:
    one, two = prompts(open_page, "mine", "critic"), prompts(open_page, "mine", "critic")
    type_in(one, "mine", "critic", "Judge {{ draft }} as one.")
    type_in(two, "mine", "critic", "Judge {{ draft }} as two.")
    press(one, "save")
    press(two, "save")
    assert pieces(own, "mine")["critic"] == "Judge {{ draft }} as one."
    assert "Saved meanwhile in another tab or program: Critic." in two.warning[0].value
    assert text(two, "mine", "critic") == "Judge {{ draft }} as two."
    two.button(key="conflict-mine").click().run()
    assert pieces(own, "mine")["critic"] == "Judge {{ draft }} as two."
    assert not two.warning
    press(two, "undo")
    assert pieces(own, "mine")["critic"] == "Judge {{ draft }} as one."


def test_what_was_typed_in_one_tab_and_saved_in_another_is_no_quarrel(open_page: Open, mine: str, own: Path) -> None:
    one = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Judge {{ draft }} as both.")
    two = prompts(open_page, "mine", "critic")
    press(one, "save")
    two.run()
    assert not two.warning and "not saved" not in said(two)
    assert text(two, "mine", "critic") == "Judge {{ draft }} as both."


def test_the_other_tabs_text_can_be_taken_and_mine_had_back(open_page: Open, mine: str, own: Path) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Mine.")
    variant_files.change("mine", own, {"critic": "Theirs."}, pieces(own, "mine"))
    page.run().button(key="conflict-theirs").click().run()
    assert text(page, "mine", "critic") == "Theirs."
    assert not page.warning
    press(page, "undo")
    assert text(page, "mine", "critic") == "Mine."
    assert page.warning


def test_a_text_that_is_not_being_edited_follows_what_others_save(open_page: Open, mine: str, own: Path) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Mine.")
    variant_files.change("mine", own, {"writer": "Theirs."}, pieces(own, "mine"))
    page.get_by_key("prompts-role").set_value("writer").run()
    assert text(page, "mine", "writer") == "Theirs."
    assert not page.warning
    press(page, "save")
    assert (pieces(own, "mine")["writer"], pieces(own, "mine")["critic"]) == ("Theirs.", "Mine.")


def test_two_tabs_that_type_in_different_prompts_keep_both(open_page: Open, mine: str) -> None:
    one, two = prompts(open_page, "mine", "writer"), prompts(open_page, "mine", "critic")
    type_in(one, "mine", "writer", "Of one.")
    type_in(two, "mine", "critic", "Of two.")
    again = prompts(open_page, "mine", "writer")
    assert text(again, "mine", "writer") == "Of one."
    again.get_by_key("prompts-role").set_value("critic").run()
    assert text(again, "mine", "critic") == "Of two."


# --- broken folders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("variant.yaml", "technique: refine\nstops: [a\n", "mine/variant.yaml, line 3: this is not YAML"),
        ("writer.md", "---\nmodel: m\n---\nOne.\nMend {{ nam }}.\n", "mine/writer.md, line 5: unknown hole {{ nam }}"),
        ("writer.md", "---\ntemperature: 1\nOne.\n", "mine/writer.md, line 1: the front matter never ends"),
    ],
)  # fmt: skip
def test_a_broken_folder_is_told_with_file_and_line_and_mended_here(
    open_page: Open, mine: str, own: Path, file: str, content: str, words: str
) -> None:
    whole = (own / "mine" / file).read_text()
    (own / "mine" / file).write_text(content)
    page = prompts(open_page, "mine", "settings" if file == "variant.yaml" else "writer")
    assert words in page.error[0].value.replace("\\", "").replace("\u2060", "")
    assert "mine — has a mistake in it" in page.selectbox(key="prompts-variant").options
    for view in ("changes", "history", "preview"):
        page.get_by_key("prompts-view").set_value(view).run()
        assert not page.exception
    type_in(page, "mine", "writer" if file == "writer.md" else file, whole)
    press(page, "save")
    assert not page.error
    assert variants.load("mine", own=own)
    (own / "mine" / file).write_text(content)
    page.run().selectbox(key="prompts-variant").set_value("polish").run()
    assert not page.error and page.text_area


def test_a_file_that_is_no_text_leaves_the_other_variants_usable(open_page: Open, mine: str, own: Path) -> None:
    (own / "mine" / "critic.md").write_bytes(b"\xff\xfe\x00")
    page = prompts(open_page, "mine")
    assert "cannot be read" in page.error[0].value
    page.selectbox(key="prompts-variant").set_value("polish").run()
    assert not page.error and text(page, "polish", "writer")


def test_what_an_editor_leaves_in_the_folder_disturbs_no_page(open_page: Open, mine: str, own: Path) -> None:
    (own / "mine" / ".#writer.md").symlink_to("somebody@somewhere.4711")
    (own / "mine" / "writer.md~").write_text("An older one.")
    page = prompts(open_page, "mine", "writer")
    assert not page.error and text(page, "mine", "writer")
    start = page.switch_page("refine_page.py").run()
    assert not start.exception and "Mine — For letters" in start.selectbox(key="variant").options


# --- preview ---------------------------------------------------------------------------------------------------------


def test_the_preview_is_filled_with_a_sample_the_own_draft_or_a_past_run(
    open_page: Open, mine: str, make_run: Run, bench: Workbench
) -> None:
    make_run(DRAFT, variant="polish")
    start = open_page()
    start.text_area(key="draft").set_value("My own words, not yet run.").run()
    start.text_input(key="brief").set_value("Much warmer.").run()
    page = start.switch_page("prompts_page.py")
    page.query_params["variant"] = "polish"
    page.run()
    instructions, message = shown(page)
    assert "Much warmer." in instructions
    assert message.startswith("<draft>\nMy own words, not yet run.")
    assert "An example of a finding." in message
    field = page.selectbox(key="prompts-material-draft")
    field.set_value("sample:memo").run()
    assert "My own words" not in shown(page)[-1]
    (run,) = [option for option in field.options if option.startswith("Run: A letter")]
    field.select(run).run()
    assert "I have a letter." in shown(page)[-1]
    assert "An example" not in shown(page)[-1]
    assert "With the findings of that run's first review." in said(page)


def test_what_is_typed_is_in_the_preview_and_its_size_in_the_bar(open_page: Open, mine: str) -> None:
    page = prompts(open_page, "mine", "critic")
    type_in(page, "mine", "critic", "Judge with a cool head.")
    assert shown(page)[0] == "Judge with a cool head."
    assert "≈ 6 tokens before the draft" in said(page)


def test_an_actors_prompt_is_shown_with_a_question_and_its_tools(open_page: Open) -> None:
    page = prompts(open_page, "react", "actor")
    page.selectbox(key="prompts-material-question").set_value("task:sum").run()
    instructions, question = shown(page)
    assert "- calculator(expression: string)" in instructions
    assert "This is step 1 of 12." in instructions
    assert question


def test_tokens_before_the_draft_leave_the_draft_out() -> None:
    spec = variants.load("classic").spec
    critic = spec.roles[1]
    alone = prompts_preview.tokens_before(spec, critic)
    assert alone == prompts_preview.estimate_tokens(critic.prompt.replace("{{ token }}", "APPROVED"))


# --- history and changes ---------------------------------------------------------------------------------------------


def test_history_lists_the_versions_with_their_runs_also_when_no_folder_holds_them(
    open_page: Open, mine: str, own: Path, make_run: Run
) -> None:
    first = pieces(own, "mine")["critic"]
    runs = [make_run(DRAFT, variant="mine", execute=False) for _ in range(2)]
    variant_files.change("mine", own, {"critic": "Second {{ token }}."}, pieces(own, "mine"))
    make_run(DRAFT, variant="mine", execute=False)
    page = prompts(open_page, "mine", "critic", "history")
    table = page.dataframe[0].value
    assert [*table["version"]] == [prompt_hash("Second {{ token }}."), prompt_hash(first)]
    assert [*table["runs"]] == [1, 2]
    assert [*table["where"]] == ["saved", ""]
    assert shown(page) == ["Second {{ token }}."]
    page.session_state["prompts-versions"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    page.run()
    assert shown(page) == [first]
    (link,) = page.get("page_link")
    assert link.label == "2 runs with it"
    address = {name: value for name, (value,) in parse_qs(urlsplit(f"?{link.proto.query_string}").query).items()}
    assert address == {"variant": "mine", "prompt": f"critic/{prompt_hash(first)}"}
    listed = open_page().switch_page("runs_page.py")
    for name, value in address.items():
        listed.query_params[name] = value
    listed.run()
    assert "2 runs fit" in said(listed)
    assert {*listed.session_state["runs-ids"]} == {*runs}


def test_an_old_version_is_put_into_the_field_and_taken_out_again(
    open_page: Open, mine: str, own: Path, make_run: Run
) -> None:
    first = pieces(own, "mine")["critic"]
    make_run(DRAFT, variant="mine", execute=False)
    variant_files.change("mine", own, {"critic": "Second."}, pieces(own, "mine"))
    page = prompts(open_page, "mine", "critic", "history")
    page.button(key="version-take").click().run()
    assert text(page, "mine", "critic") == first
    assert pieces(own, "mine")["critic"] == "Second."
    press(page, "undo")
    assert text(page, "mine", "critic") == "Second."
    page.button(key="version-compare").click().run()
    assert in_address(page, "view") == "changes"
    assert page.selectbox(key="prompts-from").value == f"version:{prompt_hash(first)}"


def test_any_two_of_field_saved_text_versions_and_variants_are_compared(
    open_page: Open, mine: str, own: Path, make_run: Run, bench: Workbench
) -> None:
    first = pieces(own, "mine")["critic"]
    make_run(DRAFT, variant="mine", execute=False)
    variant_files.change("mine", own, {"critic": "Second."}, pieces(own, "mine"))
    page = type_in(prompts(open_page, "mine", "critic", "changes"), "mine", "critic", "Third.")
    options = page.selectbox(key="prompts-from").options
    assert options[:3] == ["from: In the field", "from: Saved", f"from: Version {prompt_hash(first)}"]
    assert "from: Polish" in options and "from: Offline" not in options
    opened = prompts_state.Opened("mine", "own", pieces(own, "mine"), {"critic": ("Second.", "Third.")})
    uses = [use for use in bench.store.prompts_used("mine") if use.role == "critic"]
    texts = prompts_changes.choices(opened, "critic", uses)
    assert texts["here"]() == "Third."
    assert texts["saved"]() == "Second."
    assert texts[f"version:{prompt_hash(first)}"]() == first
    assert texts["variant:polish"]() == variants.load("polish").spec.roles[1].prompt
    assert "temperature: 0.3" in prompts_changes.choices(opened, "settings", [])["variant:polish"]()


def test_a_run_whose_log_is_damaged_is_told_and_the_page_goes_on(
    open_page: Open, mine: str, own: Path, make_run: Run, bench: Workbench
) -> None:
    make_run(DRAFT, variant="mine", execute=False)
    variant_files.change("mine", own, {"critic": "Second."}, pieces(own, "mine"))
    bench.store.journal.do(lambda db: db.exec_driver_sql("delete from texts where text like '%reader%'")).result()
    page = prompts(open_page, "mine", "critic", "history")
    assert "A text of this run is missing" in page.error[0].value
    assert text(page, "mine", "critic") == "Second."
    shutil.rmtree(own / "mine")
    assert "A text of this run is missing" in prompts(open_page, "mine").error[0].value


def test_nothing_that_differs_is_said_and_not_shown_as_an_empty_field(open_page: Open, mine: str) -> None:
    assert "Nothing differs." in said(prompts(open_page, "mine", "critic", "changes"))


# --- deleting --------------------------------------------------------------------------------------------------------


def test_a_deleted_variant_is_had_back_at_once_or_later(open_page: Open, mine: str, own: Path) -> None:
    before = pieces(own, "mine")
    page = press(prompts(open_page, "mine"), "delete")
    assert "mine" not in variants.names(own)
    assert "Deleted. Its runs keep their prompts." in said(page)
    press(page, "undo")
    assert pieces(own, "mine") == before
    press(page, "delete")
    later = prompts(open_page, "mine", "critic")
    assert "mine — deleted" in later.selectbox(key="prompts-variant").options
    assert text(later, "mine", "critic") == before["critic"]
    assert not has_button(later, "prompts-try") and not has_button(later, "prompts-save")
    press(later, "bring-back")
    assert pieces(own, "mine") == before
    assert has_button(later, "prompts-save")


def test_a_variant_that_only_runs_still_have_is_read_compared_and_saved_as_a_new_one(
    open_page: Open, mine: str, own: Path, make_run: Run
) -> None:
    before = pieces(own, "mine")
    make_run(DRAFT, variant="mine", execute=False)
    shutil.rmtree(own / "mine")
    page = prompts(open_page, "mine", "critic", "history")
    assert text(page, "mine", "critic") == before["critic"]
    assert shown(page) == [before["critic"]]
    assert "No folder holds this variant any more" in said(page)
    page.get_by_key("prompts-view").set_value("changes").run()
    page.selectbox(key="prompts-from").set_value("variant:classic").run()
    assert "Nothing differs." in said(page)
    save_as(page, "again")
    assert pieces(own, "again")["critic"] == before["critic"]
    assert "somebody" not in (own / "again" / "variant.yaml").read_text()


def test_a_role_that_only_runs_still_have_is_read_and_put_back(
    open_page: Open, mine: str, own: Path, make_run: Run
) -> None:
    second = own / "mine" / "critic-two.md"
    second.write_text("Judge twice {{ token }}.\n")
    roles = {"role.critic-two.endpoint": "scripted", "role.critic-two.model": "steady"}
    make_run(DRAFT, variant="mine", execute=False, changes=roles)
    second.unlink()
    page = prompts(open_page, "mine", "critic-two")
    assert shown(page) == ["Judge twice {{ token }}."]
    for view in ("changes", "history"):
        page.get_by_key("prompts-view").set_value(view).run()
        assert not page.exception
    page.button(key="role-back").click().run()
    assert text(page, "mine", "critic-two") == "Judge twice {{ token }}."
    press(page, "save")
    assert second.read_text() == "Judge twice {{ token }}.\n"
    press(page, "undo")
    assert not second.exists()
    assert text(page, "mine", "critic-two") == "Judge twice {{ token }}."
    press(page, "back")
    assert shown(page)[0] == "Judge twice {{ token }}."


def test_what_was_typed_in_a_variant_that_another_tab_deletes_is_not_lost(
    open_page: Open, mine: str, own: Path
) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Mine {{ token }}.")
    variant_files.delete("mine", own)
    page.run()
    assert not page.exception
    assert text(page, "mine", "critic") == "Mine {{ token }}."
    save_as(page, "again")
    assert pieces(own, "again")["critic"] == "Mine {{ token }}."


# --- trying it -------------------------------------------------------------------------------------------------------


def test_a_prompt_is_tried_before_it_is_saved_and_the_run_carries_it(
    open_page: Open, mine: str, bench: Workbench, own: Path
) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "Judge {{ token }} twice.")
    press(page, "try")
    page = page.switch_page("refine_page.py").run()
    assert page.selectbox(key="variant").value == "mine"
    page.text_area(key="draft").set_value(DRAFT)
    for role in ("writer", "critic"):
        page.selectbox(key=f"mine.{role}.model").set_value("scripted/steady")
    page.run().button(key="start").click().run()
    spec = bench.read(run_in_address(page)).spec
    assert [role.prompt for role in spec.roles] == [pieces(own, "mine")["writer"], "Judge {{ token }} twice."]


def test_a_saved_prompt_is_what_the_form_uses_though_another_was_tried_before(
    open_page: Open, mine: str, own: Path
) -> None:
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "First try.")
    press(page, "try")
    page = prompts(open_page, "mine", "critic")
    type_in(page, "mine", "critic", "Second try.")
    press(page, "save")
    start = page.switch_page("refine_page.py").run()
    assert "changed" not in said(start)


def test_settings_are_not_tried_before_they_are_saved(open_page: Open, mine: str) -> None:
    page = type_in(prompts(open_page, "mine", "settings"), "mine", "writer.settings", "temperature: 1")
    press(page, "try")
    assert "The settings of mine are not saved" in page.error[0].value.replace("\\", "")


def test_a_variant_for_questions_is_tried_on_the_page_for_them(open_page: Open) -> None:
    page = press(prompts(open_page, "react", "actor"), "try")
    assert page.header[0].value == "Ask with tools"


# --- old results -----------------------------------------------------------------------------------------------------


def test_old_results_stand_when_their_variant_is_edited_and_deleted(
    open_page: Open, mine: str, own: Path, make_run: Run, bench: Workbench
) -> None:
    """The run's page, its trace, the list with its filters, a fork and every file: all work, with the old prompt."""
    old = pieces(own, "mine")["critic"]
    run_id = make_run(DRAFT, variant="mine", character="never-satisfied")
    before = views.as_json(bench.read(run_id))
    page = type_in(prompts(open_page, "mine", "critic"), "mine", "critic", "New words {{ token }}.")
    press(page, "save")
    press(page, "delete")
    shutil.rmtree(own / ".deleted")
    assert "mine" not in variants.names(own)

    result = open_page(run=run_id)
    assert "Round limit reached" in said(result) and not result.error
    trace = open_page().switch_page("runs_page.py")
    trace.query_params["trace"] = run_id
    trace.run()
    assert any("strict" in found for found in shown(trace)) or old.split("\n")[0] in "".join(shown(trace))
    listed = open_page().switch_page("runs_page.py")
    listed.query_params["variant"] = "mine"
    listed.query_params["prompt"] = f"critic/{prompt_hash(old)}"
    listed.run()
    assert "1 run fits" in said(listed)
    assert bench.store.count_runs(Wanted(variant="mine", prompt=f"critic/{prompt_hash('New words {{ token }}.')}")) == 0
    forked = bench.fork(run_id, 1, queue=False)
    asyncio.run(bench.execute(forked))
    assert bench.read(forked).spec.roles[1].prompt == old
    assert bench.read(forked).ended
    records = bench.store.records(run_id)
    for kind in export.KINDS:
        assert export.render(bench.read(run_id), records, kind), kind
    assert old in export.render(bench.read(run_id), records, "jsonl").decode().replace("\\n", "\n")
    assert views.as_json(bench.read(run_id)) == before
    again = bench.start(bench.read(run_id).spec, queue=False)
    started = bench.store.records(again)[0].event
    assert isinstance(started, Started) and started.spec.roles[1].prompt == old


def test_a_run_that_goes_on_after_its_variant_was_deleted_keeps_its_prompt(
    mine: str, own: Path, make_run: Run, bench: Workbench
) -> None:
    old = pieces(own, "mine")["critic"]
    run_id = make_run(DRAFT, variant="mine", execute=False)
    variant_files.change("mine", own, {"critic": "New words."}, pieces(own, "mine"))
    shutil.rmtree(own / "mine")
    asyncio.run(bench.execute(run_id))
    told = str([record.event for record in bench.store.records(run_id)])
    assert bench.read(run_id).ended
    assert old.split("\n")[0] in told and "New words." not in told


def test_versions_are_read_word_for_word_from_the_runs(mine: str, own: Path, make_run: Run, bench: Workbench) -> None:
    make_run(DRAFT, variant="mine", execute=False, changes={"role.critic.prompt": "For one run {{ token }}."})
    (use,) = [use for use in bench.store.prompts_used("mine") if use.role == "critic"]
    assert prompts_history.text_of(use) == "For one run {{ token }}."


def test_a_variant_of_questions_that_was_deleted_keeps_its_runs_readable(
    open_page: Open, own: Path, bench: Workbench
) -> None:
    variants.save(variants.load("react"), "frager", own)
    changes = {"role.actor.endpoint": "scripted", "role.actor.model": "world-sum", "options.tools": "calculator"}
    run_id = bench.start(bench.prepare(Order(brief="12 * 7?", variant="frager", technique="react", changes=changes)))
    asyncio.run(bench.execute(run_id))
    shutil.rmtree(own / "frager")
    assert not open_page(run=run_id).exception
    page = prompts(open_page, "frager", "actor", "history")
    assert shown(page) == [variants.load("react").spec.roles[0].prompt]
