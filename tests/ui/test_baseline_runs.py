"""The baselines of a loop on the pages: one strong prompt, and several drafts of which the best is kept."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from refine import variants
from refine.forecast import forecast
from refine.runs import Order, Workbench
from refine.ui import parts
from refine.ui.running import calls_done
from tests.ui.conftest import Open, said

TEXT = "I have have a letter. It is due to the fact that you wrote in order to utilize it.\n\nIt rains.\n"
ROLES = {"one-prompt": ("writer",), "best-of-n": ("writer", "judge")}


def ended(bench: Workbench, variant: str, **changes: str) -> str:
    models = {f"role.{role}.{name}": value for role in ROLES[variant]
              for name, value in (("endpoint", "scripted"), ("model", "steady"))}  # fmt: skip
    spec = bench.prepare(Order(TEXT, variant=variant, changes={**models, **changes}, somebody=True))
    run_id = bench.start(replace(spec, seed=3))
    asyncio.run(bench.execute(run_id))
    return run_id


def chosen(page: AppTest, variant: str) -> AppTest:
    page.text_area(key="draft").set_value(TEXT)
    page.selectbox(key="variant").set_value(variant).run()
    for role in ROLES[variant]:
        page.selectbox(key=f"{variant}.{role}.model").set_value("scripted/steady")
    return page.run()


# --- the form --------------------------------------------------------------------------------------------------------


def test_how_many_drafts_and_who_chooses_reach_the_run(open_page: Open, bench: Workbench) -> None:
    page = chosen(open_page(), "best-of-n")
    assert "4 drafts, chosen by judge and checks" in page.expander[0].label
    page.number_input(key="best-of-n.options.n").set_value(6)
    page.button_group(key="best-of-n.options.choose_by").set_value("checks").run()
    assert "6 drafts, chosen by the checks" in page.expander[0].label
    page.button(key="start").click().run()
    options = bench.read(bench.store.runs()[0].run_id).spec.options
    assert (options["n"], options["choose_by"]) == (6, "checks")


def test_the_cards_say_what_writer_and_judge_do(open_page: Open) -> None:
    words = said(chosen(open_page(), "best-of-n"))
    assert "writes the whole text in one go" in words
    assert "scores a finished text" in words
    assert "rewrites the best version" not in words


def test_what_the_form_sets_is_kept_as_a_variant(open_page: Open, bench: Workbench) -> None:
    page = chosen(open_page(), "best-of-n")
    page.number_input(key="best-of-n.options.n").set_value(7).run()
    page.button(key="save-variant").click().run()
    page.text_input(key="variant_name").set_value("seven")
    page.button(key="variant-save").click().run()
    spec = variants.load("seven", own=bench.settings.home / "prompts").spec
    assert (spec.technique, spec.options["n"]) == ("best_of_n", 7)
    assert [role.name for role in spec.roles] == ["writer", "judge"]
    assert spec.role("judge").prompt == variants.load("judge").spec.role("judge").prompt  # type: ignore[union-attr]


def test_one_call_promises_no_rounds(open_page: Open) -> None:
    page = chosen(open_page(), "one-prompt")
    assert "One call, within limits" in page.expander[0].label
    assert not any("stops" in (field.key or "") for field in page.number_input)


def test_a_judge_is_not_offered_for_drafting(open_page: Open) -> None:
    offered = open_page().selectbox(key="variant").options
    assert not any(option.startswith("Judge") for option in offered)
    assert any(option.startswith("One strong prompt") for option in offered)


# --- the run ---------------------------------------------------------------------------------------------------------


def test_the_page_says_which_draft_is_kept_and_shows_them_all(open_page: Open, bench: Workbench) -> None:
    page = open_page(run=ended(bench, "best-of-n"))
    words = said(page)
    assert re.search(r"Draft \d is kept\. ", words)
    assert "All drafts" in words
    assert "your draft stays as it is" not in words
    frame = page.dataframe[0].value
    assert [*frame["round"]] == ["Draft 1", "Draft 2", "Draft 3", "Draft 4"]
    assert all(tokens > 0 for tokens in frame["tokens_in"])
    assert all(changed > 0 for changed in frame["changed"])


@pytest.mark.parametrize("variant", ROLES)
def test_a_run_that_takes_no_further_round_offers_none(open_page: Open, bench: Workbench, variant: str) -> None:
    run_id = ended(bench, variant)
    page = open_page(run=run_id)
    offered = {button.key for button in page.button}
    assert not offered & {"continue", "again", "carry-on", "fork"}
    for kind in parts.FILES:
        assert parts.file_bytes(run_id, kind)


def test_the_one_text_stands_against_the_authors_draft(open_page: Open, bench: Workbench) -> None:
    page = open_page(run=ended(bench, "one-prompt"))
    against = next(box for box in page.selectbox if box.label == "Compared with")
    assert against.options == ["against: your draft"]
    assert [*page.dataframe[0].value["round"]] == ["The text"]


def test_a_limit_is_doubled_by_starting_again(open_page: Open, bench: Workbench) -> None:
    page = open_page(run=ended(bench, "best-of-n", **{"limits.calls": "5"}))
    page.button(key="carry-on").click().run()
    assert not page.error
    again = bench.read(next(row.run_id for row in bench.store.runs() if row.status == "queued"))
    assert (again.spec.limits["calls"], again.rounds) == (10, ())


def test_calls_are_counted_towards_those_that_are_expected(bench: Workbench) -> None:
    view = bench.read(ended(bench, "best-of-n"))
    expected = forecast(view.spec, lambda role, usage: usage).calls[1]
    assert calls_done(view) == (8, 8) == (expected, expected)


def test_a_measured_text_stands_beside_the_authors_own(open_page: Open, bench: Workbench) -> None:
    judge = variants.load("judge").spec
    roles = tuple(replace(role, endpoint="scripted", model="steady") for role in judge.roles)
    task = replace(bench.prepare(Order(TEXT, variant="offline")).task, draft="It rains.")
    spec = replace(judge, roles=roles, task=task, options={"original": TEXT})
    run_id = bench.start(spec)
    asyncio.run(bench.execute(run_id))
    page = open_page(run=run_id)
    assert [*page.dataframe[0].value["round"]] == ["Your draft", "The text"]
    assert bench.read(run_id).original == TEXT
    for kind in parts.FILES:
        assert parts.file_bytes(run_id, kind)
