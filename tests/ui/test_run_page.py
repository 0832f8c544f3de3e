"""A run on the page: the same in every browser, whatever its state; and every command exactly once."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from refine.runs import Workbench
from refine.settings import write_endpoint
from refine.ui import parts
from tests.ui.conftest import Open, Run, run_in_address, said

TEXT = "I have have a letter. It is due to the fact that you wrote."
HOSTILE = "<img src=x onerror=alert(1)> ![](http://evil.example/x.png) :red[boo] $x$ **b** [a](javascript:alert(1))"


def test_a_finished_run_says_what_became_of_the_text_and_why_it_stopped(open_page: Open, make_run: Run) -> None:
    page = open_page(run=make_run(TEXT))
    text = said(page)
    assert "is kept." in text
    assert "The critic approved the text." in text
    assert len(page.dataframe[0].value) >= 2


def test_every_browser_shows_the_same_run(open_page: Open, make_run: Run) -> None:
    run_id = make_run(TEXT)
    assert said(open_page(run=run_id)) == said(open_page(run=run_id))


def test_the_table_has_a_row_a_round(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    frame = open_page(run=run_id).dataframe[0].value
    assert [*frame["round"]][:2] == ["Your draft", "Round 1"]
    assert len(frame) == len(bench.read(run_id).rounds)


def test_all_five_files_can_be_downloaded(open_page: Open, make_run: Run) -> None:
    run_id = make_run(TEXT)
    page = open_page(run=run_id)
    assert {button.key for button in page.get("download_button")} == {f"download-{kind}" for kind in parts.FILES}
    for kind in parts.FILES:
        assert parts.file_bytes(run_id, kind)


def test_an_unknown_run_is_named_and_nothing_breaks(open_page: Open) -> None:
    page = open_page(run="no-such-run")
    assert page.header[0].value == "No such run"


@pytest.mark.parametrize("character", ["steady", "never-satisfied", "degrading", "oscillating", "cut-off", "refusing"])
def test_whatever_a_model_does_the_page_says_why_it_stopped(open_page: Open, make_run: Run, character: str) -> None:
    page = open_page(run=make_run(TEXT, character))
    assert not page.exception
    assert page.get("badge") or said(page)


def test_hostile_text_is_never_markup(open_page: Open, make_run: Run) -> None:
    page = open_page(run=make_run(f"{HOSTILE}\n\n{TEXT}"))
    assert not page.exception
    for element in (*page.header, *page.markdown, *page.caption):
        assert not re.search(r"(?<!\\)(!\[|<img|:red\[boo|\$x)", element.value)


def test_a_queued_run_can_be_stopped_once(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, execute=False)
    page = open_page(run=run_id)
    page.button(key="stop").click().run()
    assert page.button(key="stop").disabled
    assert page.button(key="stop").label == "Stopping …"
    assert [kind for _id, kind, _payload in bench.store.inbox_take(run_id)] == ["cancel"]
    asyncio.run(bench.execute(run_id))
    assert "Stopped by you." in said(page.run())


def test_an_unclear_verdict_is_answered_in_place(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, changes={"role.critic.model": "malformed"})
    page = open_page(run=run_id)
    assert "unclear" in page.warning[0].value
    page.button(key="approve").click().run()
    asyncio.run(bench.execute(run_id))
    assert bench.read(run_id).reason == "approved"


def test_two_more_rounds_pressed_twice_are_one_fork(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, "never-satisfied", changes={"stops.max_rounds": "2"})
    page = open_page(run=run_id)
    page.button(key="carry-on").click().run()
    forked = run_in_address(page)
    page.query_params["run"] = run_id
    page.run()
    page.button(key="carry-on").click().run()
    assert run_in_address(page) == forked
    assert len(bench.store.runs()) == 2
    assert bench.read(forked).spec.parent == (run_id, 1)


def test_a_paused_run_takes_edit_waiver_lock_and_wish_as_one_answer(
    open_page: Open, make_run: Run, bench: Workbench
) -> None:
    run_id = make_run(TEXT, execute=False)
    page = open_page(run=run_id)
    page.button(key="pause").click().run()
    assert page.button(key="pause").disabled
    asyncio.run(bench.execute(run_id))
    page.run()
    assert "change something first" in page.warning[0].value
    page.session_state["text-view"] = "edit"
    page.session_state[f"review-{run_id}-1"] = {"waived": [0], "locked": [1]}
    page.run()
    page.text_area(key=f"edit-{run_id}-1").set_value("My own letter. It is short.").run()
    page.session_state["text-view"] = "changes"
    page.text_input(key=f"wish-{run_id}-1").set_value("Warmer, please.").run()
    page.button(key="go-on").click().run()
    asyncio.run(bench.execute(run_id))
    view = bench.read(run_id)
    kinds = {note.kind: note for note in view.rounds[0].notes}
    assert {*kinds} >= {"edit", "waive", "add"}
    assert kinds["edit"].text == "My own letter. It is short."
    assert view.rounds[1].text == "My own letter. It is short."


def test_an_edit_under_way_survives_a_reload(open_page: Open, make_run: Run) -> None:
    run_id = make_run(TEXT, changes={"options.pause": "on"})
    page = open_page(run=run_id)
    page.session_state["text-view"] = "edit"
    page.run()
    page.text_area(key=f"edit-{run_id}-1").set_value("Half an edit").run()
    again = open_page(run=run_id)
    again.session_state["text-view"] = "edit"
    again.run()
    assert again.text_area(key=f"edit-{run_id}-1").value == "Half an edit"


def test_an_unclear_draft_can_be_edited_first(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, changes={"role.critic.model": "malformed"})
    page = open_page(run=run_id)
    page.button(key="edit").click().run()
    asyncio.run(bench.execute(run_id))
    page.run()
    view = bench.read(run_id)
    assert (view.status, len(view.rounds)) == ("waiting", 1)
    assert page.text_area(key=f"edit-{run_id}-1").value == TEXT


def test_a_must_of_the_checks_makes_going_on_the_likeliest_answer(open_page: Open, make_run: Run) -> None:
    slips = make_run("I have have a letter.", variant="polish", changes={"role.critic.model": "malformed"})
    clean = make_run("I have a letter.", variant="polish", changes={"role.critic.model": "malformed"})
    assert primary(open_page(run=slips)) == ["revise"]
    assert primary(open_page(run=clean)) == ["approve"]


def primary(page: AppTest) -> list[str | None]:
    return [button.key for button in page.button if button.proto.type == "primary"]


def test_a_key_that_is_missing_is_asked_for_and_kept_nowhere(open_page: Open, make_run: Run, bench: Workbench) -> None:
    endpoint = replace(bench.settings.endpoints["openai"], base_url="http://refine.invalid/v1")
    write_endpoint(bench.settings.home, endpoint)
    bench.keys.put("openai", "sk-first")
    run_id = make_run(TEXT, execute=False, changes={"role.critic.endpoint": "openai", "role.critic.model": "m"})
    bench.keys.put("openai", "")
    asyncio.run(bench.execute(run_id))
    page = open_page(run=run_id)
    assert "The key for" in page.warning[0].value
    page.text_input(key="typed_key").set_value("sk-canary-987654321").run()
    page.button(key="go-on").click().run()
    assert page.session_state["session-keys"].find(endpoint) == "sk-canary-987654321"
    assert bench.keys.find(endpoint) is None
    with bench.keys.serving(run_id):
        assert bench.keys.find(endpoint) == "sk-canary-987654321"
    assert page.text_input(key="typed_key").value == ""
    assert not any("sk-canary" in str(record.event) for record in bench.store.records(run_id))


def test_any_round_can_be_shown_against_any_other(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    view = bench.read(run_id)
    page = open_page(run=run_id)
    shown, against = page.selectbox(key=f"shown-{run_id}"), page.selectbox(key=f"against-{run_id}-{view.best_round}")
    assert shown.value == view.best_round
    assert against.options[0] == "against: your draft"
    page.button(key="show-1").click().run()
    assert page.selectbox(key=f"shown-{run_id}").value == 1


def test_another_round_made_the_result_is_shown_downloaded_and_gone_on_from(
    open_page: Open, make_run: Run, bench: Workbench
) -> None:
    run_id = make_run(TEXT)
    first = bench.read(run_id)
    assert first.best_round != 1
    page = open_page(run=run_id)
    page.button(key="pick-1").click().run()
    assert "Round 1 is kept, chosen by you." in said(page)
    assert parts.file_bytes(run_id, "txt").decode().strip() == first.rounds[1].text.strip()
    page.number_input(key="more").set_value(1).run()
    page.button(key="continue").click().run()
    assert bench.read(run_in_address(page)).best_round == 1


def test_so_many_more_rounds_can_be_had_after_any_end(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, "never-satisfied", changes={"stops.max_rounds": "2"})
    page = open_page(run=run_id)
    page.number_input(key="more").set_value(3).run()
    assert page.button(key="continue").label == "Continue: 3 more rounds"
    page.button(key="continue").click().run()
    forked = run_in_address(page)
    asyncio.run(bench.execute(forked))
    assert len(bench.read(forked).rounds) == 5


def test_it_says_where_the_text_is_and_was_sent(open_page: Open, make_run: Run, bench: Workbench) -> None:
    text = said(open_page(run=make_run(TEXT)))
    assert "Sent nowhere: everything stays on this computer" in text
    assert str(bench.settings.home) not in text
    assert bench.settings.home.name in text


def test_a_limit_is_a_warning_and_a_fault_an_error(open_page: Open, make_run: Run) -> None:
    limited = open_page(run=make_run(TEXT, "never-satisfied", changes={"limits.calls": "3"}))
    assert "The limit on calls was reached." in limited.warning[0].value
    failed = open_page(run=make_run(TEXT, "failing", changes={"limits.failures": "1"}))
    assert "The service kept failing. The server had an error of its own." in failed.error[0].value
    chinese = open_page(run=run_in_address(failed), lang="zh")
    assert "服务方出现内部错误。" in chinese.error[0].value


def test_charts_are_drawn_only_where_there_is_a_course_to_see(open_page: Open, make_run: Run) -> None:
    assert len(open_page(run=make_run(TEXT, variant="polish")).get("vega_lite_chart")) == 2
    assert len(open_page(run=make_run("I am well.", "lenient")).get("vega_lite_chart")) == 0


def test_another_round_says_what_should_change(open_page: Open, make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    page = open_page(run=run_id)
    page.text_input(key="wish").set_value("A warmer ending").run()
    page.button(key="again").click().run()
    forked = bench.read(run_in_address(page))
    assert forked.rounds[-1].notes[-1].finding is not None
    assert forked.rounds[-1].notes[-1].finding.remark == "A warmer ending"


def test_a_run_in_chinese_words(open_page: Open, make_run: Run) -> None:
    text = said(open_page(run=make_run(TEXT), lang="zh"))
    assert "审稿人通过了这篇文字。" in text
    assert "采用第" in text


def test_a_new_draft_is_one_click_away_from_any_run(open_page: Open, make_run: Run) -> None:
    page = open_page(run=make_run(TEXT))
    page.button(key="new").click().run()
    assert "run" not in page.query_params
