"""The page for comparing: its form, what it says before a start, results, texts, additions, and the blind vote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from refine import comparisons, conductor
from refine.plan import Entry, Plan, Text, read_plan
from refine.runs import Workbench
from refine.types import Comparison, Vote
from refine.ui import compare_downloads, compare_vote
from tests.ui.conftest import MAIN, Run, said

DRAFT = "# Alpha\n\nI have have a letter. It is due to the fact that you wrote on 5 May."
OTHER = "# Beta\n\nWe past ten years here. Nobody was suprised."
STEADY, LENIENT = ({f"role.{role}.{field}": value for role in ("writer", "critic")
                    for field, value in (("endpoint", "scripted"), ("model", model))}
                   for model in ("steady", "lenient"))  # fmt: skip

Make = Callable[..., str]


def plan(*texts: str, **more: Any) -> Plan:
    """Two variants that end apart: one mends its text, the other leaves it as it is."""
    entries = (Entry("classic", changes=STEADY), Entry("polish", changes=LENIENT))
    return Plan(entries, tuple(map(Text, texts or (DRAFT,))), title="Letters", **more)


@pytest.fixture
def make(bench: Workbench) -> Make:
    """A comparison, conducted to its end."""

    def make(*texts: str, conduct: bool = True, **more: Any) -> str:
        comparison_id = comparisons.begin(bench, comparisons.prepare(bench, plan(*texts, **more)))
        if conduct:
            asyncio.run(conductor.conduct(bench, comparison_id))
        return comparison_id

    return make


def open_compare(**query: str) -> AppTest:
    page = AppTest.from_file(str(MAIN), default_timeout=30).run().switch_page("compare_page.py")
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def with_draft(text: str = DRAFT) -> AppTest:
    page = open_compare()
    return page.text_area(key="compare.draft").set_value(text).run()


def press(page: AppTest, key: str) -> AppTest:
    return page.button(key=key).click().run()


def begun(bench: Workbench) -> list[Comparison]:
    store = bench.store.comparisons
    return [store.read(row.id) for row in store.all()]


def bar(page: AppTest) -> str:
    """What stands at the bottom."""
    found = [one.value for one in page.caption]
    return next((text for text in found if " run" in text and "·" in text), "")


# --- the form --------------------------------------------------------------------------------------------------------


def test_a_first_visit_shows_one_draft_two_variants_and_one_button(bench: Workbench) -> None:
    page = open_compare()
    assert [area.label for area in page.text_area if area.key == "compare.draft"] == ["Your draft"]
    assert page.pills(key="compare.variants").value == ["offline", "polish"]
    assert [button.label for button in page.button if button.key == "start-comparison"] == ["Start comparison"]
    assert all(not fold.proto.expanded for fold in page.expander)
    assert "a scripted one stands in" in said(page)


def test_the_draft_of_the_start_page_stands_there_until_another_is_written(bench: Workbench) -> None:
    bench.store.draft_put("page", {"draft": DRAFT})
    page = open_compare()
    assert page.text_area(key="compare.draft").value == DRAFT
    page.text_area(key="compare.draft").set_value(OTHER).run()
    assert bench.store.draft_get("page") == {"draft": DRAFT, "compare.draft": OTHER}


def test_what_is_typed_and_picked_is_there_in_another_tab(bench: Workbench) -> None:
    page = with_draft()
    page.pills(key="compare.variants").set_value(["polish", "classic"]).run()
    page.number_input(key="compare.repeats").set_value(3).run()
    other = open_compare()
    assert other.text_area(key="compare.draft").value == DRAFT
    assert other.pills(key="compare.variants").value == ["polish", "classic"]
    assert other.number_input(key="compare.repeats").value == 3


def test_a_start_without_a_text_says_what_is_missing_and_starts_nothing(bench: Workbench) -> None:
    page = press(open_compare(), "start-comparison")
    assert "Paste a draft, or pick a sample." in said(page).replace("\\", "")
    assert begun(bench) == []


def test_one_click_compares_two_variants_and_opens_the_results(bench: Workbench) -> None:
    page = press(with_draft(), "start-comparison")
    (made,) = begun(bench)
    assert [variant.name for variant in made.variants] == ["offline", "polish"]
    assert [task.draft for task in made.tasks] == [DRAFT]
    assert page.query_params["view"] in ("results", ["results"])
    assert "Offline / Polish" in said(page).replace("\\", "")


def test_a_second_click_makes_no_second_comparison(bench: Workbench) -> None:
    page = with_draft()
    comparison_id = page.session_state["next_comparison"]
    press(page, "start-comparison")
    page.session_state["next_comparison"] = comparison_id
    del page.query_params["comparison"]
    page.run()
    assert len(begun(bench)) == 1
    assert page.session_state["next_comparison"] != comparison_id


def test_the_bar_says_what_it_will_take_as_the_plan_changes(bench: Workbench) -> None:
    page = with_draft()
    assert bar(page).startswith("**2 runs** · ")
    assert " calls · " in bar(page) and " tokens · " in bar(page) and "free of charge" in bar(page)
    page.number_input(key="compare.repeats").set_value(3).run()
    assert bar(page).startswith("**6 runs** · ")
    page.checkbox(key="compare.one_prompt").check().run()
    assert bar(page).startswith("**9 runs** · ")


def test_a_sample_beside_a_written_text_is_one_more_text(bench: Workbench) -> None:
    page = press(with_draft(), "sample-newsletter")
    assert page.text_area(key="compare.draft").value == DRAFT
    assert bar(page).startswith("**4 runs**")
    page = press(page, "remove-0")
    assert bar(page).startswith("**2 runs**")


def in_dialog() -> None:
    import streamlit as st

    from refine.ui import compare_texts

    compare_texts.files_dialog(lambda found: st.session_state.update(taken=found))


def test_each_file_is_one_text_and_one_that_cannot_be_read_is_told(bench: Workbench) -> None:
    dialog = AppTest.from_function(in_dialog, default_timeout=20).run()
    files = [("Letter.md", DRAFT.encode()), ("Empty.txt", b" "), ("Note.txt", OTHER.encode())]
    dialog.file_uploader(key="files").set_value([(name, data, "text/plain") for name, data in files]).run()
    assert "Empty" in dialog.error[0].value and len(dialog.error) == 1
    assert dialog.button(key="use-files").label == "Use these 2 texts"
    dialog.button(key="use-files").click().run()
    assert dialog.session_state["taken"] == [("Letter", DRAFT), ("Note", OTHER)]


def test_a_judge_that_cannot_be_asked_is_told_in_its_own_fold(bench: Workbench) -> None:
    bench.store.draft_put("page", {"compare.draft": DRAFT, "compare.judge": "gpt-9"})  # a name that was typed
    page = open_compare()
    fold = next(fold for fold in page.expander if fold.label.startswith("Judge"))
    assert fold.proto.expanded
    assert "needs an endpoint" in fold.caption[-1].value
    assert "It cannot start yet" in said(page)


def test_a_scripted_judge_is_warned_of(bench: Workbench) -> None:
    page = with_draft()
    page.selectbox(key="compare.judge").set_value("scripted/steady").run()
    assert "A scripted model is no judge" in said(page)


def test_a_setting_that_is_varied_stands_in_the_variants_place(bench: Workbench) -> None:
    page = with_draft()
    page.selectbox(key="compare.vary.variant").set_value("polish").run()
    page.selectbox(key="compare.vary.setting").set_value("rounds").run()
    page.multiselect(key="compare.vary.rounds").set_value(["1", "2"]).run()
    press(page, "start-comparison")
    (made,) = begun(bench)
    named = {variant.name: variant.spec.stops["max_rounds"] for variant in made.variants}
    assert named == {"offline": 4, "Polish · 1 review at most": 1, "Polish · 2 reviews at most": 2}


def test_limits_and_a_name_go_into_the_comparison(bench: Workbench) -> None:
    page = with_draft()
    page.number_input(key="compare.money").set_value(1.5).run()
    page.number_input(key="compare.tokens").set_value(50_000).run()
    page.text_input(key="compare.title").set_value("My letters").run()
    press(page, "start-comparison")
    (made,) = begun(bench)
    assert (made.title, dict(made.limits)) == ("My letters", {"money": 1.5, "tokens": 50_000})


def test_a_finished_run_leads_to_a_comparison_of_its_draft_and_variant(bench: Workbench, make_run: Run) -> None:
    run_id = make_run(DRAFT, variant="classic")
    page = AppTest.from_file(str(MAIN), default_timeout=30)
    page.query_params["run"] = run_id
    page = press(page.run(), "compare-run")
    assert page.text_area(key="compare.draft").value == DRAFT
    picked = page.pills(key="compare.variants").value
    assert isinstance(picked, list)
    assert picked[0] == "classic" and len(picked) == 2


def test_earlier_comparisons_are_listed_and_one_opens_by_a_click(make: Make) -> None:
    comparison_id = make(conduct=False)
    page = open_compare()
    assert [*page.dataframe[0].value["title"]] == ["Letters"]
    assert [*page.dataframe[0].value["size"]] == ["2 variants × 1 text"]
    page = open_compare(comparison=comparison_id, view="results")
    assert "Letters" in said(page)


def test_an_unknown_comparison_is_told_in_words(bench: Workbench) -> None:
    page = open_compare(comparison="nowhere")
    assert "No such comparison" in said(page)


# --- results ---------------------------------------------------------------------------------------------------------


def test_one_text_shows_the_table_of_variants_and_both_texts_side_by_side(make: Make) -> None:
    page = open_compare(comparison=make(), view="results")
    table = page.dataframe[0].value
    assert [*table["name"]] == ["Classic", "Polish"]
    assert [*table["rounds"]] == [3.0, 2.0]
    assert "cost" in table and "findings" in table
    assert page.session_state["two-left-variant"] == "Classic"
    assert page.session_state["two-right-variant"] == "Polish"


def test_several_texts_have_a_matrix_and_a_picked_cell_shows_its_run(make: Make, bench: Workbench) -> None:
    comparison_id = make(DRAFT, OTHER, judge="scripted/steady")
    page = open_compare(comparison=comparison_id, view="results")
    matrix = page.dataframe[1].value
    assert [*matrix.columns] == ["draft", "Classic", "Polish"]
    assert [*matrix["draft"]] == ["Alpha", "Beta"]
    page.session_state["compare-matrix"] = {"selection": {"rows": [], "columns": [], "cells": [(1, "Polish")]}}
    page.run()
    shown = said(page)
    assert "Polish · Beta" in shown and "Found in the result" in shown
    page = press(page, "compare-open-run")
    assert page.query_params["run"]


def test_the_sentence_names_variants_as_the_tables_do(make: Make) -> None:
    page = open_compare(comparison=make(DRAFT, OTHER, judge="scripted/steady"), view="results")
    boxed = page.subheader[0].value
    assert "Classic" in boxed and "classic" not in boxed


def test_a_comparison_that_runs_can_be_stopped_and_goes_on(make: Make, bench: Workbench) -> None:
    comparison_id = make(conduct=False)
    page = open_compare(comparison=comparison_id, view="results")
    assert "The first results appear here" in said(page)
    page = press(page, "open-comparison")
    assert bench.store.comparisons.standing(comparison_id) == "stopped"
    press(page, "stopped-comparison")
    assert bench.store.comparisons.standing(comparison_id) == "open"


def test_a_limit_that_was_reached_is_doubled(make: Make, bench: Workbench) -> None:
    comparison_id = make(conduct=False, limits={"tokens": 30_000, "money": 0.25})
    bench.store.comparisons.stand(comparison_id, "budget")
    page = open_compare(comparison=comparison_id, view="results")
    page = press(page, "budget-comparison")
    assert dict(bench.store.comparisons.read(comparison_id).limits) == {"tokens": 60_000, "money": 0.5}
    assert bench.store.comparisons.standing(comparison_id) == "open"


def test_what_failed_is_tried_again_by_a_click(make: Make, bench: Workbench) -> None:
    failing = Entry("shorten", changes={**STEADY, "role.writer.model": "failing", "limits.failures": 1})
    comparison_id = comparisons.begin(
        bench, comparisons.prepare(bench, Plan((Entry("classic", changes=STEADY), failing), (Text(DRAFT),)))
    )
    asyncio.run(conductor.conduct(bench, comparison_id))
    page = open_compare(comparison=comparison_id, view="results")
    assert page.button(key="try-again").label == "Try 1 failed run again"
    press(page, "try-again")
    assert bench.store.comparisons.standing(comparison_id) == "open"
    assert [*bench.store.comparisons.read(comparison_id).again.values()] == [2]
    assert not any(one.key == "try-again" for one in open_compare(comparison=make(), view="results").button)


# --- additions -------------------------------------------------------------------------------------------------------


def test_an_addition_tells_its_cost_and_pays_nothing_again(make: Make, bench: Workbench) -> None:
    comparison_id = make()
    page = open_compare(comparison=comparison_id, view="plan")
    page.number_input(key="extend.repeats").set_value(2).run()
    assert bar(page).startswith("Adds **2 runs**") and "the 2 that exist are not paid again" in bar(page)
    page.text_area(key="extend.text").set_value(OTHER).run()
    assert bar(page).startswith("Adds **6 runs**")
    before = bench.store.comparisons.totals(comparison_id, "run_id")
    page = press(page, "extend-comparison")
    made = bench.store.comparisons.read(comparison_id)
    assert (made.repeats, [task.title for task in made.tasks]) == (2, ["Alpha", "Beta"])
    assert bench.store.comparisons.totals(comparison_id, "run_id") == before


def test_a_variant_that_is_added_has_the_model_of_those_that_are_there(make: Make, bench: Workbench) -> None:
    comparison_id = make(conduct=False)
    page = open_compare(comparison=comparison_id, view="plan")
    page.pills(key="extend.variants").set_value(["shorten"]).run()
    press(page, "extend-comparison")
    added = bench.store.comparisons.read(comparison_id).variants[-1]
    assert added.name == "shorten"
    assert {(role.endpoint, role.model) for role in added.spec.roles} == {("scripted", "steady")}


def test_pressing_add_with_nothing_to_add_changes_nothing(make: Make, bench: Workbench) -> None:
    comparison_id = make(conduct=False)
    before = bench.store.comparisons.read(comparison_id)
    press(open_compare(comparison=comparison_id, view="plan"), "extend-comparison")
    assert bench.store.comparisons.read(comparison_id) == before


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["xlsx", "html", "json"])
def test_a_comparison_leaves_as_a_file(make: Make, kind: str) -> None:
    made = compare_downloads.file_bytes(make(), kind, "en")
    assert len(made) > 500
    if kind == "html":
        assert "Polish" in made.decode("utf-8")
    if kind == "json":
        assert [one["name"] for one in json.loads(made)["variants"]] == ["classic", "polish"]


def test_a_table_leaves_as_csv_and_the_plan_as_a_file_that_makes_it_again(
    make: Make, bench: Workbench, tmp_path: Path
) -> None:
    comparison_id = make(judge="scripted/steady", pairs=True)
    table = compare_downloads.table_bytes(comparison_id, "variants", "en").decode("utf-8-sig")
    assert table.splitlines()[1].startswith("classic,")
    path = tmp_path / "plan.yaml"
    path.write_bytes(compare_downloads.plan_bytes(comparison_id))
    made = bench.store.comparisons.read(comparison_id)
    assert comparisons.prepare(bench, read_plan(path)) == made


# --- the blind vote --------------------------------------------------------------------------------------------------

SECRETS = ("classic", "polish", "lenient", "steady", "scripted", "letters", "$0", "usd")


def everything(page: AppTest) -> str:
    """All that the page would send, as far as the tree holds it."""
    return str([element.proto for element in page.main] + [str(block) for block in page.main.children.values()]).lower()


def test_the_vote_shows_two_texts_and_nothing_that_names_them(make: Make) -> None:
    comparison_id = make(judge="scripted/steady")
    page = open_compare(comparison=comparison_id, view="vote")
    assert "Which one would you rather sign?" in said(page)
    sent = everything(page)
    assert "which one would you rather sign" in sent
    assert [secret for secret in SECRETS if secret in sent] == []
    assert f"{comparison_id}-" not in sent


def test_a_vote_is_kept_with_its_note_and_closes_the_results(make: Make, bench: Workbench) -> None:
    comparison_id = make(DRAFT, OTHER)
    page = open_compare(comparison=comparison_id, view="vote")
    page.text_input(key="vote-note").set_value("shorter").run()
    page = press(page, "vote-first")
    (vote,) = bench.store.comparisons.votes(comparison_id)
    asked = compare_vote.kept(comparison_id).pairs
    assert vote == Vote(*asked[0], "first", "shorter")
    assert page.text_input(key="vote-note").value == ""
    shut = open_compare(comparison=comparison_id, view="results")
    assert "Closed while you vote" in said(shut)
    assert [secret for secret in SECRETS if secret in everything(shut)] == []


def test_after_the_last_pair_or_the_end_the_names_stand_beside_the_votes(make: Make, bench: Workbench) -> None:
    comparison_id = make(judge="scripted/steady")
    page = press(open_compare(comparison=comparison_id, view="vote"), "vote-second")
    assert "You voted on 1 pair." in said(page).replace("\\", "")
    assert {*page.dataframe[0].value["first"], *page.dataframe[0].value["second"]} == {"Classic", "Polish"}
    assert "The judge agrees with you on" in said(page)
    opened = open_compare(comparison=comparison_id, view="results")
    assert "votes" in opened.dataframe[0].value


def test_the_pair_before_can_be_voted_on_again(make: Make, bench: Workbench) -> None:
    comparison_id = make(DRAFT, OTHER)
    page = press(open_compare(comparison=comparison_id, view="vote"), "vote-first")
    page = press(page, "vote-back")
    press(page, "vote-same")
    assert [vote.choice for vote in bench.store.comparisons.votes(comparison_id)] == ["same"]


def test_voting_that_was_ended_early_can_go_on(make: Make, bench: Workbench) -> None:
    comparison_id = make(DRAFT, OTHER)
    page = press(open_compare(comparison=comparison_id, view="vote"), "vote-first")
    page = press(page, "vote-end")
    assert compare_vote.kept(comparison_id).ended
    page = press(page, "vote-more")
    assert "Which one would you rather sign?" in said(page)


def test_texts_that_come_after_the_vote_was_over_can_be_voted_on(make: Make, bench: Workbench) -> None:
    comparison_id = make()
    press(open_compare(comparison=comparison_id, view="vote"), "vote-first")
    assert compare_vote.kept(comparison_id).ended
    comparisons.extend(bench, comparison_id, Plan((), (Text(OTHER, "other"),)))
    asyncio.run(conductor.conduct(bench, comparison_id))
    page = press(open_compare(comparison=comparison_id, view="vote"), "vote-more")
    assert "Which one would you rather sign?" in said(page)
