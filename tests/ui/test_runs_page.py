"""The list of runs and the trace of one: what they show, find, and lead to."""

from __future__ import annotations

import asyncio
from decimal import Decimal

from streamlit.testing.v1 import AppTest

from refine.events import Called, Record, Replied, Started, Stopped
from refine.runs import Order, Workbench
from refine.store import RunRow
from refine.types import Message, ModelCall, Reply
from refine.ui import parts
from tests.ui.conftest import MAIN, Run, run_in_address, said

TEXT = "# Alpha\n\nI have have a letter. It is due to the fact that you wrote."
OTHER = "# Beta\n\nAnother text."
HOSTILE = "# <img src=x onerror=alert(1)> ![](http://evil.example/x.png) :red[boo] $x$"


def open_runs(**query: str) -> AppTest:
    page = AppTest.from_file(str(MAIN), default_timeout=20).run().switch_page("runs_page.py")
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def titles(page: AppTest) -> list[str]:
    assert not page.exception, page.exception
    return [*page.dataframe[0].value["title"]] if page.dataframe else []


def pick(page: AppTest, table: str, row: int) -> AppTest:
    page.session_state[table] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return page.run()


# --- the list --------------------------------------------------------------------------------------------------------


def test_an_empty_list_says_how_runs_come_into_it(bench: Workbench) -> None:
    assert "No runs of your own yet. Refine a draft and it will appear here." in said(open_runs())


def test_every_run_stands_there_with_state_rounds_and_cost(make_run: Run) -> None:
    make_run(TEXT, variant="polish")
    make_run(OTHER, execute=False)
    frame = open_runs().dataframe[0].value
    assert [*frame["title"]] == ["Beta", "Alpha"]
    assert [*frame["status"]] == [["Queued"], ["Approved"]]
    assert [*frame["cost"]] == ["", "$0"]
    assert frame["rounds"].isna()[0]
    assert frame["rounds"][1] >= 2
    assert len(frame["scores"][1]) == frame["rounds"][1]


def test_a_price_nobody_knows_is_said_and_nothing_reads_none(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    bench.store.summarise(run_id, RunRow(run_id, "", "", "", 0.0, "done", "approved", 2, None)).result()
    frame = open_runs().dataframe[0].value
    assert [*frame["cost"]] == ["unknown"]
    assert "None" not in frame.to_string()


def test_runs_under_way_stand_first_and_are_counted(make_run: Run) -> None:
    make_run(TEXT, execute=False)
    make_run(OTHER, changes={"role.critic.model": "malformed"})
    make_run("# Gamma\n\nDone.")
    page = open_runs()
    assert titles(page) == ["Beta", "Alpha", "Gamma"]
    assert "1 running" in said(page) and "1 waiting for you" in said(page)


def test_the_search_narrows_the_list_and_stands_in_the_address(make_run: Run) -> None:
    make_run(TEXT), make_run(OTHER)
    page = open_runs()
    page.text_input(key="runs-search").set_value("beta").run()
    assert titles(page) == ["Beta"]
    assert page.query_params["search"] == "beta"


def test_an_address_with_filters_shows_what_it_showed_before(make_run: Run) -> None:
    make_run(TEXT), make_run(OTHER, "never-satisfied", changes={"stops.max_rounds": "1"})
    page = open_runs(status="unapproved", technique="refine", model="scripted/never-satisfied")
    assert titles(page) == ["Beta"]
    assert page.selectbox(key="runs-model").value == "scripted/never-satisfied"
    assert "1 run fits" in said(page)
    page.button(key="clear-filters").click().run()
    assert len(titles(page)) == 2
    assert not {"status", "technique", "model"} & set(page.query_params)


def test_where_no_run_fits_all_are_one_click_away(make_run: Run) -> None:
    make_run(TEXT)
    page = open_runs(search="zzz")
    assert "No run fits." in said(page)
    page.button(key="show-all").click().run()
    assert titles(page) == ["Alpha"]


def test_a_variant_that_is_gone_can_still_be_seen_in_the_filters(make_run: Run) -> None:
    make_run(TEXT)
    page = open_runs(variant="gone")
    assert page.selectbox(key="runs-variant").value == "gone"
    assert "No run fits." in said(page)


def test_a_dear_run_is_found_by_its_cost(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    make_run(OTHER)
    dear = RunRow(run_id, "", "", "", 0.0, "done", "approved", 2, Decimal("0.5"))
    bench.store.summarise(run_id, dear).result()
    assert titles(open_runs(cost="0.1")) == ["Alpha"]


def test_long_lists_have_pages_and_the_page_stands_in_the_address(bench: Workbench) -> None:
    many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 101) "
    sql = "insert into runs select 'x' || i, i, 'Title ' || i, 'refine', 'polish', 'ended', '', '', '' from n"
    bench.store.journal.do(lambda db: db.exec_driver_sql(many + sql)).result()
    sql = "insert into summary select 'x' || i, 'done', '', 1, '0', 'USD', 1, 1, '', 0 from n"
    bench.store.journal.do(lambda db: db.exec_driver_sql(many + sql)).result()
    spec = "insert into log select 'x' || i, 0, i, (select event from log limit 1) from n"
    bench.start(bench.prepare(Order(draft=TEXT, variant="offline")), run_id="real")
    bench.store.journal.do(lambda db: db.exec_driver_sql(many + spec)).result()
    page = open_runs(page="3")
    assert titles(page) == ["Title 2", "Title 1"]
    assert titles(open_runs(page="99")) == ["Title 2", "Title 1"]


# --- the picked run --------------------------------------------------------------------------------------------------


def test_the_picked_run_says_what_became_of_it(make_run: Run) -> None:
    make_run(TEXT), make_run(OTHER)
    page = open_runs()
    assert page.subheader[0].value == "Beta"
    pick(page, "runs-table", 1)
    assert page.subheader[0].value == "Alpha"
    assert "The critic approved the text." in said(page)


def test_a_run_under_way_keeps_nothing_yet(make_run: Run, bench: Workbench) -> None:
    bench.fork(make_run(TEXT), 1)
    page = open_runs()
    assert "is the best so far." in said(page)
    assert "is kept." not in said(page)


def test_the_picked_run_stays_picked_when_another_one_comes(make_run: Run) -> None:
    make_run(TEXT), make_run(OTHER)
    page = pick(open_runs(), "runs-table", 1)
    make_run("# Gamma\n\nDone.")
    page.run()
    assert titles(page)[0] == "Gamma"
    assert page.subheader[0].value == "Alpha"


def test_open_shows_the_run_under_its_address(make_run: Run) -> None:
    run_id = make_run(TEXT)
    page = open_runs()
    page.button(key="open-run").click().run()
    assert run_in_address(page) == run_id
    assert page.header[0].value == "Alpha"


def test_a_title_is_never_markup(make_run: Run) -> None:
    make_run(HOSTILE)
    page = open_runs()
    assert "![" not in page.subheader[0].value.replace("\\!\\[", "")


def test_the_list_speaks_chinese(make_run: Run) -> None:
    make_run(TEXT)
    text = said(open_runs(lang="zh"))
    assert "共 1 个" in text
    assert "审稿人通过了这篇文字。" in text


# --- fork ------------------------------------------------------------------------------------------------------------


def asked(run_id: str) -> AppTest:
    """The fork dialog as a page of its own, as the test's own browser does not go on inside a dialog."""

    def script(run_id: str) -> None:
        from refine.ui import fork
        from refine.ui.parts import workbench

        fork.ask(workbench().read(run_id))

    return AppTest.from_function(script, kwargs={"run_id": run_id}).run()


def test_a_fork_says_which_rounds_are_not_paid_again(make_run: Run) -> None:
    page = asked(make_run(TEXT, "never-satisfied", changes={"stops.max_rounds": "3"}))
    assert page.caption[0].value == "Rounds 0–2 are not paid again."
    page.selectbox(key="fork-round").select_index(1).run()
    assert page.caption[0].value == "Rounds 0–1 are not paid again."
    page.selectbox(key="fork-round").select_index(0).run()
    assert page.caption[0].value == "Your draft is not reviewed and paid again."


def test_a_fork_goes_on_from_the_text_of_the_round_that_is_picked(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, "never-satisfied", changes={"stops.max_rounds": "2"})
    page = asked(run_id)
    page.selectbox(key="fork-round").select_index(0).run()
    assert page.text_area[0].value == bench.read(run_id).rounds[0].text


def test_a_fork_takes_the_authors_text_wish_models_and_temperatures(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, "never-satisfied", changes={"stops.max_rounds": "3"})
    page = asked(run_id)
    page.selectbox(key="fork-round").select_index(1).run()
    page.text_area(key="fork-text-1").set_value("My own text.")
    page.text_input(key="fork-say").set_value("Shorter")
    page.selectbox(key="fork-critic-model").set_value("lenient")
    page.number_input(key="fork-writer-temperature").set_value(0.2)
    page.button(key="fork-start").click().run()
    (forked,) = [row.run_id for row in bench.store.runs() if row.run_id != run_id]
    asyncio.run(bench.execute(forked))
    view = bench.read(forked)
    assert view.spec.parent == (run_id, 1)
    assert [note.text or (note.finding and note.finding.remark) for note in view.rounds[1].notes] == [
        "My own text.", "Shorter",
    ]  # fmt: skip
    assert [role.model for role in view.spec.roles] == ["never-satisfied", "lenient"]
    assert view.spec.roles[0].temperature == 0.2
    assert view.calls < bench.read(run_id).calls


def test_a_fork_that_cannot_be_made_says_why(make_run: Run, bench: Workbench) -> None:
    page = asked(make_run(TEXT))
    page.text_area[0].set_value(" ").run()
    page.button(key="fork-start").click().run()
    assert "empty" in page.error[0].value
    assert len(bench.store.runs()) == 1


def test_a_run_without_a_round_offers_no_fork(make_run: Run) -> None:
    make_run(TEXT, execute=False)
    assert "fork" not in [button.key for button in open_runs().button]


# --- the trace -------------------------------------------------------------------------------------------------------


def trace_of(run_id: str) -> AppTest:
    page = open_runs(trace=run_id)
    assert not page.exception, page.exception
    return page


def test_the_trace_shows_a_call_with_prompt_reply_and_tokens(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT, variant="polish")
    page = trace_of(run_id)
    call = next(call for call in bench.read(run_id).attempts if call.kind == "model")
    shown = [block.value for block in page.code]
    assert [message["parts"] and "".join(message["parts"]) for message in call.call["messages"]] == shown[:2]
    assert call.content in shown
    assert call.usage and f"{call.usage.input_tokens:,} tokens in" in said(page)
    assert "steady" in said(page)


def test_the_trace_lists_everything_in_order(make_run: Run) -> None:
    page = trace_of(make_run(TEXT))
    what = [*page.dataframe[0].value["what"]]
    assert what[0] == "Start"
    assert what[-1] == "End: Approved"
    assert what.index("Critic") < what.index("Your draft: revise") < what.index("Writer") < what.index(
        "Round 1: revise" if "Round 1: revise" in what else "Round 1: approved"
    )  # fmt: skip


def test_every_line_of_a_trace_can_be_looked_at(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(OTHER, changes={"role.critic.model": "malformed"})
    bench.answer(run_id, "approve")
    asyncio.run(bench.execute(run_id))
    page = trace_of(run_id)
    for row in range(len(page.dataframe[0].value)):
        assert not pick(page, "trace-table", row).exception
        assert page.subheader[0].value


def test_failed_attempts_stand_there_with_their_words(make_run: Run) -> None:
    page = trace_of(make_run(TEXT, "rate-limited"))
    labels = [expander.label for expander in page.expander]
    assert any(label.startswith("Attempt 1 failed") for label in labels)
    assert page.text[0].value


def test_a_longer_reply_than_a_browser_wraps_is_cut_and_says_so(make_run: Run) -> None:
    page = trace_of(make_run("word " * 20_000, "lenient"))
    assert all(len(block.value) <= 40_000 for block in page.code)
    assert "Only the first 40,000 characters are shown; the raw log has all." in said(page)


def test_no_line_of_a_trace_is_markup(make_run: Run) -> None:
    page = trace_of(make_run(f"{HOSTILE}\n\n{TEXT}"))
    for element in (*page.header, *page.markdown, *page.caption, *page.subheader):
        assert "![](" not in element.value and "<img" not in element.value.replace("\\<img", "")


def test_an_unknown_run_has_no_trace_and_nothing_breaks(bench: Workbench) -> None:
    assert trace_of("no-such-run").header[0].value == "No such run"


def test_the_raw_log_can_be_downloaded_from_the_trace(make_run: Run, bench: Workbench) -> None:
    run_id = make_run(TEXT)
    page = trace_of(run_id)
    assert [button.key for button in page.get("download_button")] == ["download-log"]
    assert parts.file_bytes(run_id, "jsonl").count(b"\n") == len(bench.store.records(run_id))


def test_the_trace_is_one_click_from_the_list_and_the_list_one_from_the_trace(make_run: Run) -> None:
    run_id = make_run(TEXT)
    page = open_runs(search="alpha")
    page.button(key="trace").click().run()
    assert page.query_params["trace"] in (run_id, [run_id])
    assert page.header[0].value == "Trace: Alpha"
    page.button(key="all-runs").click().run()
    assert titles(page) == ["Alpha"]
    assert page.query_params["search"] in ("alpha", ["alpha"])


def test_what_was_not_applied_and_what_was_thought_stand_in_the_trace(bench: Workbench) -> None:
    spec = bench.prepare(Order(draft=TEXT, variant="offline"))
    call = ModelCall("critic", (Message("system", ("Judge it.",)), Message("user", ("A text.",))))
    reply = Reply("Fine.", reasoning="Let me see.", adapted=("temperature was not applied",), finish_reason="length")
    events = (Started(spec), Called("1", call), Replied("1", reply), Stopped("cut_off"))
    bench.store.add([Record("r1", n, float(n), event) for n, event in enumerate(events)])
    page = trace_of("r1")
    assert "temperature was not applied" in said(page)
    assert "The reply ended with “length”." in said(page)
    assert [expander.label for expander in page.expander] == ["Instructions", "Reasoning before the reply"]
    assert [block.value for block in page.code] == ["Judge it.", "A text.", "Let me see.", "Fine."]
