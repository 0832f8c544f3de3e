"""The start form: what is typed is kept, and one form starts one run."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from refine.orders import new_id
from refine.runs import Workbench
from refine.ui.parts import DRAFT
from tests.ui.conftest import Open, run_in_address, said

TEXT = "I recieve the the letter. It is is short."


def test_a_newcomer_finds_a_field_samples_and_one_primary_button(open_page: Open) -> None:
    page = open_page()
    assert page.header[0].value == "Refine a draft"
    assert page.text_area(key="draft").value == ""
    assert page.button(key="start").label == "Refine"
    assert "The hour before opening" in said(page)


def test_without_a_key_the_page_says_what_works_and_what_does_not(open_page: Open) -> None:
    page = open_page()
    assert page.selectbox(key="variant").value == "offline"
    assert "No key set: checks fix what they are sure of" in said(page)
    assert "With a key, a model rewrites and judges too." in said(page)


def test_a_chinese_draft_without_a_key_gets_the_line_that_fits_it(open_page: Open) -> None:
    page = open_page()
    page.text_area(key="draft").set_value("楼下有一个旧书角，谁都可以拿书。").run()
    assert "Checks only: the small model knows no Chinese." in said(
        page
    ) or "checks fix what they are sure of." in said(page)


def test_a_key_typed_in_the_page_is_used_and_kept_nowhere_else(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.button(key="add-key").click().run()
    page.text_input(key="new_key").set_value("sk-canary-1234567890")
    page.button(key="use-key").click().run()
    openai = bench.settings.endpoints["openai"]
    assert page.session_state["session-keys"].find(openai) == "sk-canary-1234567890"
    assert bench.keys.find(openai) is None
    assert page.selectbox(key="variant").value == "polish"
    assert "No key set" not in said(page)
    assert "new_key" not in page.session_state
    bench.store.close()
    assert all(b"canary" not in file.read_bytes() for file in bench.settings.home.rglob("*") if file.is_file())


def test_every_variant_stands_in_the_menu_with_its_purpose(open_page: Open) -> None:
    options = open_page().selectbox(key="variant").options
    assert len(options) >= 3
    assert all(" — " in option for option in options)


def test_a_variant_with_roles_shows_a_model_and_a_number_for_each(open_page: Open) -> None:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    for role in ("writer", "critic"):
        assert page.selectbox(key=f"classic.{role}.model").value is None
        assert page.number_input(key=f"classic.{role}.temperature").value is not None


def test_a_name_sets_the_number_and_a_number_clears_the_name(open_page: Open) -> None:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    page.get_by_key("classic.writer.freedom").set_value("careful").run()
    assert page.number_input(key="classic.writer.temperature").value == 0.3
    page.number_input(key="classic.writer.temperature").set_value(0.45).run()
    assert page.session_state["classic.writer.freedom"] is None
    page.number_input(key="classic.writer.temperature").set_value(1.0).run()
    assert page.session_state["classic.writer.freedom"] == "free"


def test_a_sample_fills_the_field(open_page: Open) -> None:
    page = open_page()
    page.button(key="sample-newsletter").click().run()
    assert page.text_area(key="draft").value.startswith("# The hour before opening")
    assert "min read · saved" in said(page)


def test_what_is_typed_stands_there_in_any_other_browser(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.text_input(key="brief").set_value("shorter").run()
    assert bench.store.draft_get(DRAFT) == {"draft": TEXT, "brief": "shorter"}
    other = open_page()
    assert other.text_area(key="draft").value == TEXT
    assert other.text_input(key="brief").value == "shorter"


def test_pressed_with_nothing_to_do_it_says_so_in_a_sentence_and_starts_nothing(
    open_page: Open, bench: Workbench
) -> None:
    page = open_page()
    page.button(key="start").click().run()
    assert said(page).count("Paste a draft.") == 1
    assert bench.store.runs() == []
    page.text_area(key="draft").set_value(TEXT).run()
    assert "Paste a draft" not in said(page)


def test_a_brief_alone_will_do_only_where_somebody_writes(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_input(key="brief").set_value("A letter to Ines.").run()
    page.button(key="start").click().run()
    assert said(page).count("Paste a draft.") == 1
    page.text_input(key="brief").set_value("").run()
    page.selectbox(key="variant").set_value("classic").run()
    page.button(key="start").click().run()
    assert said(page).count("Paste a draft, or say what you want written.") == 1
    page.text_input(key="brief").set_value("A letter to Ines.").run()
    page.button(key="start").click().run()
    assert "Paste a draft" not in said(page)
    assert "No model yet" in page.error[0].value
    assert bench.store.runs() == []


def test_a_model_that_is_missing_is_said_in_the_pages_words_until_something_changes(
    open_page: Open, bench: Workbench
) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.selectbox(key="variant").set_value("classic").run()
    page.button(key="start").click().run()
    assert bench.store.runs() == []
    for _ in range(3):
        (error,) = page.run().error
        assert "Writer, Critic" in error.value
        assert "Pick a model at the right, add a key, or choose a variant" in error.value.replace("\\", "")
    page.selectbox(key="classic.writer.model").set_value("scripted/steady").run()
    assert not page.error
    page.button(key="start").click().run()
    page.button(key="language-zh").click().run()
    assert "还没有选模型：审稿人。请在右侧选一个模型" in page.error[0].value
    assert said(page).count("还没有选模型：审稿人。") == 2


def keyless() -> None:
    import streamlit as st

    from refine.ui import parts, role_settings

    for role, model in (("writer", "gpt-x"), ("critic", "scripted/steady")):
        st.session_state[f"classic.{role}.model"] = model
    st.text(role_settings.lacking(parts.variant("classic")))


def test_a_model_whose_endpoint_has_no_key_is_no_model_to_ask(bench: Workbench) -> None:
    assert AppTest.from_function(keyless, default_timeout=20).run().text[0].value == "No key yet: openai."
    bench.keys.put("openai", "sk-canary-1234567890", bench.settings.endpoints["openai"].base_url)
    assert AppTest.from_function(keyless, default_timeout=20).run().text[0].value == ""


def test_what_could_not_be_done_stays_while_the_form_is_drawn_again(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    for name in ("grammar", "wording", "typography", "repeats", "sentences", "kept"):
        page.checkbox(key=f"offline.checks.{name}").uncheck()
    page.run()
    page.button(key="start").click().run()
    assert "Nobody would review the text" in page.run().run().error[0].value
    page.text_area(key="draft").set_value(f"{TEXT} More.").run()
    assert not page.error


def test_a_broken_variant_is_said_beside_what_a_command_could_not_do(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    folder = bench.settings.home / "prompts" / "mine"
    folder.mkdir(parents=True)
    (folder / "variant.yaml").write_text("technique: [refine", encoding="utf-8")
    page.session_state["problem"] = "That run is gone"
    page.run().run()
    assert [error.value for error in page.error] == ["That run is gone"]
    page.selectbox(key="variant").set_value("mine").run()
    assert "YAML" in page.error[0].value
    page.session_state["problem"] = "That run is gone"
    command, variant = page.run().run().error
    assert command.value == "That run is gone" and "YAML" in variant.value


def test_a_start_opens_its_run_and_the_address_names_it(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.button(key="start").click().run()
    (row,) = bench.store.runs()
    assert run_in_address(page) == row.run_id
    assert bench.store.queued()[0].run_id == row.run_id


def test_a_second_press_of_the_same_form_starts_no_second_run(open_page: Open, bench: Workbench) -> None:
    first, second = open_page(), open_page()
    ticket = new_id()
    for page in (first, second):
        page.session_state["next_run"] = ticket
        page.text_area(key="draft").set_value(TEXT)
        page.button(key="start").click().run()
        assert run_in_address(page) == ticket
    assert [row.run_id for row in bench.store.runs()] == [ticket]


def test_the_next_form_starts_another_run(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.button(key="start").click().run()
    del page.query_params["run"]
    page.run()
    page.button(key="start").click().run()
    assert len(bench.store.runs()) == 2


def test_the_run_gets_what_the_form_says(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.text_input(key="brief").set_value("shorter").run()
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/never-satisfied")
    page.selectbox(key="classic.critic.model").set_value("scripted/steady")
    page.number_input(key="classic.writer.temperature").set_value(0.45)
    page.number_input(key="classic.stops.max_rounds").set_value(6).run()
    page.button(key="start").click().run()
    spec = bench.read(bench.store.runs()[0].run_id).spec
    writer, critic = spec.roles
    assert (writer.endpoint, writer.model, writer.temperature) == ("scripted", "never-satisfied", 0.45)
    assert (critic.endpoint, critic.model) == ("scripted", "steady")
    assert spec.stops["max_rounds"] == 6
    assert spec.task.brief == "shorter"
    assert spec.options["somebody"] is True


def test_a_link_can_choose_the_language(open_page: Open) -> None:
    page = open_page(lang="zh")
    assert page.header[0].value == "润色一篇稿子"
    assert page.button(key="start").label == "开始润色"
    assert page.selectbox(key="variant").options[0].count("—") == 1


def test_a_text_that_a_sample_replaced_can_be_had_back(open_page: Open) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT).run()
    page.button(key="sample-newsletter").click().run()
    page.button(key="sample-howto").click().run()
    page.button(key="undo-draft").click().run()
    assert page.text_area(key="draft").value == TEXT
    assert "undo-draft" not in {button.key for button in page.button}
    page.button(key="clear").click().run()
    assert page.text_area(key="draft").value == ""
    page.button(key="undo-draft").click().run()
    assert page.text_area(key="draft").value == TEXT
    page.button(key="clear").click().run()
    page.text_area(key="draft").set_value("Something else.").run()
    assert "undo-draft" not in {button.key for button in page.button}


def gone() -> None:
    from refine.ui import form, role_settings

    form.keep("classic.writer.model")
    role_settings.picked("classic.writer.model")
    role_settings.name_from_number("classic.writer.freedom", "classic.writer.temperature")
    role_settings.number_from_name("classic.critic.freedom", "classic.critic.temperature")


def test_a_browser_that_speaks_of_a_field_which_is_gone_does_no_harm(bench: Workbench) -> None:
    page = AppTest.from_function(gone, default_timeout=20).run()
    assert not page.exception
    assert not bench.store.draft_get(DRAFT)


def test_a_start_that_is_refused_keeps_the_form(open_page: Open) -> None:
    page = open_page()
    page.button(key="start").click().run()
    assert page.run().text_area(key="draft").value == ""
