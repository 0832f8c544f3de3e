"""The finished runs that ship with the app."""

from __future__ import annotations

import asyncio
import re

import pytest
from streamlit.testing.v1 import AppTest

from refine import export, views
from refine.runs import Workbench
from refine.settings import PROJECT
from refine.ui import example, parts
from tests.ui.conftest import Open, Run, said
from tests.ui.test_runs_page import open_runs, titles

TEXT = "# Alpha\n\nThe the text."


def shown_card(language: str = "en") -> AppTest:
    def script(language: str) -> None:
        import streamlit as st

        from refine.ui import example

        st.session_state["language"] = language
        example.card()

    return AppTest.from_function(script, kwargs={"language": language}).run()


@pytest.mark.parametrize(("run_id", "file"), example.EXAMPLES.values())
def test_an_example_shows_rounds_a_loss_and_an_approval_and_says_who_spoke(run_id: str, file: str) -> None:
    data = (PROJECT / "data" / "samples" / file).read_bytes()
    view = views.read(export.read_log(data))
    assert (view.run_id, view.reason, view.best_round) == (run_id, "approved", 3)
    assert [round.set_aside for round in view.rounds] == [False, False, True, False]
    assert view.rounds[2].lost
    assert view.title.startswith(("Example: ", "示例："))
    assert {parts.model_words(role.endpoint, role.model) for role in view.spec.roles} == {
        "Scripted: replies written by hand"
    }
    assert not re.search(rb'"[^"]*(/(?:home|root|tmp|work)/|sk-)', data)


def test_the_examples_come_once_and_have_ended(bench: Workbench) -> None:
    example.bring(bench)
    first = bench.store.version()
    example.bring(bench)
    assert bench.store.version() == first
    assert {row.run_id for row in bench.store.runs()} == set(example.IDS)
    assert bench.store.unfinished() == bench.store.queued() == []


def test_a_store_that_takes_nothing_does_not_hold_the_app_up(bench: Workbench) -> None:
    bench.store.journal.close()
    example.bring(bench)


def test_an_example_is_opened_by_its_address_and_can_leave_as_a_file(open_page: Open, bench: Workbench) -> None:
    example.bring(bench)
    page = open_page(run="example")
    assert "is kept." in said(page)
    for kind in ("md", "json", "jsonl", "csv"):
        assert parts.file_bytes("example", kind)


def test_a_fork_of_an_example_goes_on_with_the_scripted_model(bench: Workbench) -> None:
    example.bring(bench)
    forked = bench.fork("example", 1)
    asyncio.run(bench.execute(forked))
    assert bench.read(forked).ended
    assert bench.read("example").rounds[3].kind == "approved"


def test_the_card_is_there_until_the_first_run_of_ones_own(bench: Workbench, make_run: Run) -> None:
    assert not shown_card().button
    example.bring(bench)
    page = shown_card()
    assert page.button(key="example").label == "Look at it"
    assert "18 findings became 2" in page.markdown[0].value
    assert "written by hand" in page.caption[0].value
    make_run(TEXT)
    assert not shown_card().button


def test_the_card_leads_to_the_example_in_the_pages_language(bench: Workbench) -> None:
    example.bring(bench)
    page = shown_card("zh")
    assert "条意见" in page.markdown[0].value
    page.button(key="example").click().run()
    assert page.query_params["run"] in ("example-zh", ["example-zh"])


def test_the_list_holds_the_example_of_its_language_and_counts_only_ones_own_runs(
    bench: Workbench, make_run: Run
) -> None:
    example.bring(bench)
    page = open_runs()
    assert titles(page) == ["Example: The hour before opening"]
    assert "No runs of your own yet." in said(page)
    make_run(TEXT)
    page = open_runs()
    assert titles(page) == ["Alpha", "Example: The hour before opening"]
    assert "1 in all" in said(page)
