"""What the right half of the start form sets reaches the run, and can be kept as a variant."""

from __future__ import annotations

import socket
import time
from concurrent.futures import wait
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from refine import variants
from refine.models.fake_server import running
from refine.runs import Workbench
from refine.types import RunSpec
from refine.ui import parts, role_settings
from tests.ui.conftest import Open, said

TEXT = "I recieve the the letter. It is is short."
PROMPT = "Mend {{ draft }} by {{ findings }}."


def classic(page: AppTest) -> AppTest:
    """The form with a draft and scripted models."""
    page.text_area(key="draft").set_value(TEXT)
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/steady")
    return page.selectbox(key="classic.critic.model").set_value("scripted/steady").run()


def started(page: AppTest, bench: Workbench) -> RunSpec:
    page.button(key="start").click().run()
    assert not page.error, page.error
    return bench.read(bench.store.runs()[0].run_id).spec


def served(bench: Workbench, url: str) -> None:
    """The default endpoint is at this address."""
    openai = replace(bench.settings.endpoints["openai"], base_url=url)
    endpoints = {**bench.settings.endpoints, "openai": openai}
    bench.settings = replace(bench.settings, endpoints=endpoints, openai_set=True)


def offering(open_page: Open, bench: Workbench, *models: str) -> AppTest:
    """The form where the default endpoint offers these models."""
    with running() as server:
        server.script.take({"models": models})
        served(bench, server.url)
        page = open_page()
        wait(page.session_state["asked"].values())
        return page.run()


# --- stops and checks ------------------------------------------------------------------------------------------------


def test_stops_and_caps_reach_the_run_in_its_own_units(open_page: Open, bench: Workbench) -> None:
    page = classic(open_page())
    page.number_input(key="classic.stops.min_rounds").set_value(2)
    page.number_input(key="classic.stops.score").set_value(8.5)
    page.number_input(key="classic.limits.time").set_value(10)
    page.number_input(key="classic.limits.tokens").set_value(None)
    page.number_input(key="classic.limits.calls").set_value(7).run()
    assert "at score 8.5" in page.expander[0].label
    spec = started(page, bench)
    assert (spec.stops["min_rounds"], spec.stops["score"]) == (2, 8.5)
    assert (spec.limits["time"], spec.limits["tokens"], spec.limits["calls"]) == (600, None, 7)


def test_a_cleared_number_that_a_run_needs_is_the_variants(open_page: Open, bench: Workbench) -> None:
    page = classic(open_page())
    page.number_input(key="classic.stops.max_rounds").set_value(None).run()
    assert started(page, bench).stops["max_rounds"] == 4


def test_checks_alone_ask_for_no_model_limits(open_page: Open) -> None:
    shown = {element.key for element in open_page().number_input}
    assert {"offline.stops.max_rounds", "offline.limits.time"} <= shown
    assert not shown & {"offline.limits.tokens", "offline.limits.money", "offline.stops.score"}


def test_every_check_says_what_it_looks_for_and_can_be_switched(open_page: Open, bench: Workbench) -> None:
    page = classic(open_page())
    assert "numbers, names, links" in page.checkbox(key="classic.checks.kept").label
    page.checkbox(key="classic.checks.kept").uncheck()
    page.checkbox(key="classic.checks.grammar").check().run()
    assert page.expander[1].label == "Checks: grammar"
    assert list(started(page, bench).checks) == ["grammar"]


def test_settings_survive_a_new_session_and_can_be_undone(open_page: Open) -> None:
    page = classic(open_page())
    page.number_input(key="classic.writer.temperature").set_value(0.45).run()
    page.number_input(key="classic.stops.max_rounds").set_value(6).run()
    other = open_page()
    assert other.selectbox(key="variant").value == "classic"
    assert other.selectbox(key="classic.writer.model").value == "scripted/steady"
    assert other.number_input(key="classic.writer.temperature").value == 0.45
    other.get_by_key("undo-settings").click().run()
    assert other.number_input(key="classic.writer.temperature").value == 0.7
    assert other.number_input(key="classic.stops.max_rounds").value == 4
    assert open_page().selectbox(key="classic.writer.model").value is None


# --- prompts ---------------------------------------------------------------------------------------------------------


def test_a_prompt_is_changed_for_one_run(open_page: Open, bench: Workbench) -> None:
    page = classic(open_page())
    page.button(key="prompt-writer").click().run()
    assert page.text_area(key="prompt_text").value == variants.load("classic").spec.roles[0].prompt
    page.text_area(key="prompt_text").set_value(PROMPT)
    page.button(key="prompt-use").click().run()
    assert "changed" in said(page)
    assert started(page, bench).roles[0].prompt == PROMPT
    assert "changed" not in said(open_page())


@pytest.mark.parametrize(("text", "why"), [("Mend {{ draaft }}.", "Did you mean"), ("  ", "must be a text")])
def test_a_prompt_that_cannot_be_filled_is_refused_at_once(open_page: Open, text: str, why: str) -> None:
    page = classic(open_page())
    page.button(key="prompt-writer").click().run()
    page.text_area(key="prompt_text").set_value(text)
    page.button(key="prompt-use").click().run()
    assert why in page.session_state["prompt_problem"]
    assert "changed" not in said(page)


def test_the_drawer_shows_the_changed_prompt_and_the_way_back(open_page: Open) -> None:
    page = classic(open_page())
    page.button(key="prompt-writer").click().run()
    page.text_area(key="prompt_text").set_value(PROMPT)
    page.button(key="prompt-use").click().run()
    page.button(key="prompt-writer").click().run()
    assert page.text_area(key="prompt_text").value == PROMPT
    page.button(key="prompt-back").click().run()
    assert page.session_state["prompt_text"].startswith("You are")


# --- models ----------------------------------------------------------------------------------------------------------


def test_the_models_of_the_endpoint_can_be_picked(open_page: Open, bench: Workbench) -> None:
    options = offering(open_page, bench, "gpt-x", "gpt-y").selectbox(key="polish.writer.model").options
    assert options[:3] == ["gpt-x", "gpt-y", "Scripted: steady"]


def test_an_endpoint_that_names_no_models_costs_a_caption_and_no_patience(open_page: Open, bench: Workbench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        served(bench, f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        began = time.monotonic()
        page = open_page()
        assert time.monotonic() - began < 5
    assert page.selectbox(key="polish.writer.model").value is None
    served(bench, "http://127.0.0.1:9/v1")
    assert "type a name" in said(open_page())


def test_the_model_picked_for_one_role_is_the_first_guess_for_the_other(open_page: Open, bench: Workbench) -> None:
    page = offering(open_page, bench, "gpt-x", "gpt-y")
    page.selectbox(key="polish.writer.model").set_value("gpt-x").run()
    assert page.selectbox(key="polish.critic.model").value == "gpt-x"
    assert "Writer and critic are the same model" in said(page)
    page.selectbox(key="polish.critic.model").set_value("gpt-y").run()
    assert "Writer and critic are the same model" not in said(page)


def test_scripted_characters_may_play_both_parts() -> None:
    assert role_settings.same_model({"writer": ("openai", "m"), "critic-2": ("openai", "m")})
    assert not role_settings.same_model({"writer": ("openai", "m"), "critic": ("other", "m")})
    assert not role_settings.same_model({"writer": ("scripted", "steady"), "critic": ("scripted", "steady")})
    assert not role_settings.same_model({"writer": ("openai", ""), "critic": ("openai", "")})


def test_a_slash_in_a_models_name_names_no_endpoint_that_is_asked_anyway(open_page: Open, bench: Workbench) -> None:
    page = offering(open_page, bench, "openai/gpt-x")
    page.text_area(key="draft").set_value(TEXT)
    page.selectbox(key="polish.writer.model").set_value("openai/gpt-x")
    page.selectbox(key="polish.critic.model").set_value("scripted/steady").run()
    writer, critic = started(page, bench).roles
    assert (writer.endpoint, writer.model) == ("openai", "openai/gpt-x")
    assert (critic.endpoint, critic.model) == ("scripted", "steady")


# --- saving ----------------------------------------------------------------------------------------------------------


def save_as(page: AppTest, name: str, title: str = "") -> AppTest:
    page.button(key="save-variant").click().run()
    page.text_input(key="variant_name").set_value(name)
    page.text_input(key="variant_title").set_value(title)
    return page.button(key="variant-save").click().run()


def test_the_form_is_saved_as_a_variant_and_picked(open_page: Open, bench: Workbench) -> None:
    page = classic(open_page())
    page.number_input(key="classic.writer.temperature").set_value(0.45)
    page.number_input(key="classic.stops.max_rounds").set_value(6)
    page.number_input(key="most_words").set_value(100)
    page.checkbox(key="classic.checks.grammar").check().run()
    save_as(page, "mine", "My own")
    assert page.selectbox(key="variant").value == "mine"
    assert any(option.startswith("My own — ") for option in page.selectbox(key="variant").options)
    spec = variants.load("mine", own=parts.own_variants()).spec
    assert (spec.roles[0].temperature, spec.roles[0].endpoint, spec.roles[0].model) == (0.45, "scripted", "steady")
    assert (spec.stops["max_rounds"], list(spec.checks)) == (6, ["kept", "grammar"])
    page.selectbox(key="variant").set_value("classic").run()
    assert page.number_input(key="classic.stops.max_rounds").value == 4


@pytest.mark.parametrize("name", ["", "a b", "polish"])
def test_a_name_that_cannot_be_is_refused_in_the_dialog(open_page: Open, name: str) -> None:
    page = save_as(classic(open_page()), name)
    assert page.session_state["variant_problem"]
    assert page.selectbox(key="variant").value == "classic"


def test_an_own_variant_is_replaced_only_when_that_is_ticked(open_page: Open, bench: Workbench) -> None:
    page = save_as(classic(open_page()), "mine")
    page.number_input(key="mine.stops.max_rounds").set_value(6).run()
    save_as(page, "mine")
    assert "is taken" in page.session_state["variant_problem"]
    page.session_state["variant_replace"] = True
    save_as(page, "mine")
    assert variants.load("mine", own=parts.own_variants()).spec.stops["max_rounds"] == 6


# --- language --------------------------------------------------------------------------------------------------------


def test_the_language_is_switched_by_one_button_and_stands_in_the_address(open_page: Open) -> None:
    page = open_page()
    page.button(key="language-zh").click().run()
    assert page.header[0].value == "润色一篇稿子"
    assert page.query_params["lang"] in ("zh", ["zh"])
    assert page.button(key="language-en").label == "English"
