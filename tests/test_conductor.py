"""Comparisons at work: every cell once, whatever happens, behind an author's own runs and within limits."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refine import comparisons
from refine.cell_reader import Reader
from refine.cells import cells, measure_id, pair_id
from refine.conductor import conduct, keep, work_on
from refine.errors import SettingsError, StoreError
from refine.events import Called, Replied, Started
from refine.locks import run_lock
from refine.models.fake_server import Script, running
from refine.plan import Entry, Plan, Text
from refine.runs import Workbench, open_workbench
from refine.types import ModelCall
from tests.fakes import calls_made_after_reply
from tests.test_store import leave_pages

DRAFT = "The garden is quiet now, and nobody comes by before noon. I have have a letter for you from number {n}."
TEXTS = tuple(Text(DRAFT.format(n=n), f"letter {n}") for n in range(3))
PLAN = Plan(
    (Entry("classic"), Entry("classic", name="lenient", changes={"role.critic.model": "lenient"})),
    TEXTS,
    repeats=2,
    judge="scripted/steady",
    checks=("kept",),
)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    found = open_workbench()
    yield found
    found.store.close()


def conducted(bench: Workbench, plan: Plan) -> str:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, plan))
    assert asyncio.run(conduct(bench, comparison_id)) == bench.store.comparisons.standing(comparison_id)
    return comparison_id


def model_calls(bench: Workbench, comparison_id: str) -> int:
    logs = [bench.store.records(run_id) for run_id in bench.store.comparisons.runs(comparison_id)]
    return sum(isinstance(r.event, Called) and isinstance(r.event.call, ModelCall) for log in logs for r in log)


def test_every_cell_is_run_once_and_measured_once(bench: Workbench) -> None:
    comparison_id = conducted(bench, replace(PLAN, pairs=True))
    made = bench.store.comparisons.read(comparison_id)
    planned = cells(comparison_id, made)
    against = {pair_id(made, run_id) for run_id, cell in planned.items() if cell.variant != made.against}
    wanted = planned.keys() | {measure_id(made, run_id) for run_id in planned} | against
    states = bench.store.comparisons.runs(comparison_id)
    assert states == dict.fromkeys(wanted, "ended") and len(planned) == 12
    assert bench.store.comparisons.standing(comparison_id) == "ended"
    assert bench.store.runs() and not bench.store.queued()
    board = Reader(bench.store).board(comparison_id)
    assert board.finished and all(cell.score is not None for cell in board.cells)


def test_repeats_have_seeds_of_their_own_and_the_judge_sees_no_names(bench: Workbench) -> None:
    comparison_id = conducted(bench, PLAN)
    made = bench.store.comparisons.read(comparison_id)
    for run_id, cell in cells(comparison_id, made).items():
        started = bench.store.records(run_id)[0].event
        assert isinstance(started, Started) and started.spec.seed == 1 + 1000 * cell.repeat
        asked = [r.event.call for r in bench.store.records(measure_id(made, run_id)) if isinstance(r.event, Called)]
        told = "".join(m.content for call in asked if isinstance(call, ModelCall) for m in call.messages)
        assert "number" in told and "lenient" not in told and "classic" not in told


def test_what_is_done_is_not_done_again(bench: Workbench) -> None:
    comparison_id = conducted(bench, PLAN)
    paid = model_calls(bench, comparison_id)
    comparisons.go_on(bench, comparison_id)
    asyncio.run(conduct(bench, comparison_id))
    assert model_calls(bench, comparison_id) == paid


def test_an_extension_pays_for_the_new_cells_alone(bench: Workbench) -> None:
    comparison_id = conducted(bench, PLAN)
    before = {run_id: bench.store.records(run_id) for run_id in bench.store.comparisons.runs(comparison_id)}
    comparisons.extend(bench, comparison_id, Plan((), (Text(DRAFT.format(n=9), "nine"),)))
    asyncio.run(conduct(bench, comparison_id))
    after = bench.store.comparisons.runs(comparison_id)
    assert {run_id: bench.store.records(run_id) for run_id in before} == before
    assert len(after) == len(before) + 2 * 2 * 2 and set(after.values()) == {"ended"}


def test_a_stop_leaves_what_is_under_way_where_it_stands_and_going_on_ends_it(bench: Workbench) -> None:
    slow = replace(PLAN, changes={f"role.{role}.model": "slow" for role in ("writer", "critic")}, concurrency=2)
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, slow))

    async def stopped() -> str:
        work = asyncio.create_task(conduct(bench, comparison_id))
        while not bench.store.comparisons.runs(comparison_id):
            await asyncio.sleep(0.01)
        comparisons.stop(bench, comparison_id)
        return await work

    assert asyncio.run(stopped()) == "stopped"
    states = bench.store.comparisons.runs(comparison_id)
    assert 0 < len(states) < 24 and "open" in states.values()
    assert bench.store.unfinished() == []  # nobody else takes them up
    comparisons.go_on(bench, comparison_id)
    assert asyncio.run(conduct(bench, comparison_id)) == "ended"
    logs = [bench.store.records(run_id) for run_id in bench.store.comparisons.runs(comparison_id)]
    assert len(logs) == 24 and not any(calls_made_after_reply(log) for log in logs)


def test_a_comparison_that_nobody_conducts_is_found(bench: Workbench) -> None:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, replace(PLAN, repeats=1)))

    async def kept() -> None:
        keeping = asyncio.create_task(keep(bench))
        while bench.store.comparisons.standing(comparison_id) != "ended":
            await asyncio.sleep(0.02)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    asyncio.run(asyncio.wait_for(kept(), 60))


def test_the_best_of_n_has_as_many_drafts_as_cost_what_the_loop_cost(bench: Workbench) -> None:
    endless = {"stops.max_rounds": 12, "stops.no_change": False, "stops.oscillation": False}
    loop = Entry("classic", changes={"role.critic.model": "never-satisfied", **endless})
    comparison_id = conducted(bench, Plan((loop,), TEXTS, best_of_n=True, checks=("kept",)))
    board = Reader(bench.store).board(comparison_id)
    used: Counter[str] = Counter()
    for cell in board.cells:
        used[cell.cell.variant] += cell.tokens_in + cell.tokens_out
    assert 0.7 <= used["best-of-n"] / used["classic"] <= 1.4  # by a forecast


def test_a_limit_on_tokens_holds_for_all_runs_together(bench: Workbench) -> None:
    whole = conducted(bench, PLAN)
    used = sum(t.usage.input_tokens + t.usage.output_tokens for t in bench.store.comparisons.totals(whole))
    cap = used // 2 + 20_000  # a call may use 4,096 tokens beside its prompt
    many = replace(PLAN, repeats=8, limits={"tokens": cap})
    comparison_id = conducted(bench, many)
    assert bench.store.comparisons.standing(comparison_id) == "budget"
    (total,) = bench.store.comparisons.totals(comparison_id)
    assert used // 4 < total.usage.input_tokens + total.usage.output_tokens <= cap
    assert set(bench.store.comparisons.runs(comparison_id).values()) == {"ended"}
    reasons = {cell.reason for cell in Reader(bench.store).board(comparison_id).cells}
    assert not reasons & {"tokens", "budget"}
    comparisons.extend(bench, comparison_id, Plan((), (), limits={"tokens": used * 20}))
    assert asyncio.run(conduct(bench, comparison_id)) == "ended"


def test_a_cap_leaves_every_baseline_room_for_its_calls(bench: Workbench) -> None:
    whole = Plan((Entry("classic"),), TEXTS, one_prompt=True, best_of_n=True, checks=("kept",))
    comparison_id = conducted(bench, replace(whole, limits={"tokens": 10_000_000}))
    board = Reader(bench.store).board(comparison_id)
    assert {cell.reason for cell in board.cells} <= {"approved", "finished", "max_rounds", "no_change"}
    for run_id in bench.store.comparisons.runs(comparison_id):
        started = bench.store.records(run_id)[0].event
        assert isinstance(started, Started) and 0 < started.spec.limits["tokens"] <= 400_000


def test_what_is_paid_already_needs_no_money_to_be_read_again(bench: Workbench) -> None:
    comparison_id = conducted(bench, replace(PLAN, limits={"tokens": 10_000_000}))
    used = sum(t.usage.input_tokens + t.usage.output_tokens for t in bench.store.comparisons.totals(comparison_id))
    made = bench.store.comparisons.read(comparison_id)
    bench.store.comparisons.extend(comparison_id, made, replace(made, limits={"tokens": used}))
    assert asyncio.run(conduct(bench, comparison_id)) == "ended"


def test_an_extension_that_comes_as_the_last_cell_ends_is_worked_on(bench: Workbench) -> None:
    comparison_id = conducted(bench, PLAN)
    made = bench.store.comparisons.read(comparison_id)
    wider = comparisons.extend(bench, comparison_id, replace(PLAN, variants=(), texts=(), repeats=3))
    assert not bench.store.comparisons.rest(comparison_id, "ended", made)
    assert bench.store.comparisons.standing(comparison_id) == "open"
    assert bench.store.comparisons.rest(comparison_id, "ended", wider)


def test_an_extension_that_comes_while_limited_runs_are_under_way_is_worked_on(bench: Workbench) -> None:
    slow = replace(PLAN, changes={f"role.{role}.model": "slow" for role in ("writer", "critic")}, concurrency=2)
    limited = replace(slow, variants=PLAN.variants[:1], one_prompt=True, limits={"tokens": 10_000_000}, repeats=1)
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, limited))

    async def extended() -> str:
        work = asyncio.create_task(conduct(bench, comparison_id))
        while not bench.store.comparisons.runs(comparison_id):
            await asyncio.sleep(0.01)
        comparisons.extend(bench, comparison_id, Plan((), TEXTS, repeats=2))
        return await work

    assert asyncio.run(extended()) == "ended"
    assert len(Reader(bench.store).board(comparison_id).cells) == 12


def test_of_two_extensions_at_once_the_second_is_told(bench: Workbench) -> None:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, PLAN))
    before = bench.store.comparisons.read(comparison_id)
    bench.store.comparisons.extend(comparison_id, before, replace(before, repeats=5))
    with pytest.raises(SettingsError, match="changed meanwhile"):
        bench.store.comparisons.extend(comparison_id, before, replace(before, repeats=7))


def test_a_run_that_another_process_holds_is_waited_for(bench: Workbench) -> None:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, replace(PLAN, repeats=1)))
    first = next(iter(cells(comparison_id, bench.store.comparisons.read(comparison_id))))

    async def held() -> str:
        with run_lock(bench.settings.home, first):
            work = asyncio.create_task(conduct(bench, comparison_id))
            while len(bench.store.comparisons.runs(comparison_id)) < 10:
                await asyncio.sleep(0.01)
        return await work

    assert asyncio.run(asyncio.wait_for(held(), 60)) == "ended"
    assert len(bench.store.comparisons.runs(comparison_id)) == 12


def test_a_variant_that_pauses_for_its_author_does_not_wait_for_nobody(bench: Workbench) -> None:
    pausing = Entry("classic", name="pausing", changes={"options.pause": True})
    comparison_id = conducted(bench, replace(PLAN, variants=(Entry("classic"), pausing), repeats=1))
    assert bench.store.comparisons.standing(comparison_id) == "ended"


def test_a_loop_that_failed_has_no_result_is_not_measured_and_is_told_of(bench: Workbench) -> None:
    broken = Entry("classic", name="broken", changes={"role.writer.model": "failing", "limits.failures": 1})
    comparison_id = conducted(bench, replace(PLAN, variants=(Entry("classic"), broken), repeats=1))
    board = Reader(bench.store).board(comparison_id)
    row = board.row("broken")
    assert (row.failed, row.unscored, board.quality(row)) == (3, 3, None)
    assert any("broken 3 of 3" in said and "500" in said for said in board.warnings)
    failed = [cell.measure_run for cell in board.cells if cell.cell.variant == "broken"]
    assert failed == ["", "", ""]


def test_what_failed_is_tried_again_beside_what_is_done(bench: Workbench) -> None:
    with running(Script(faults=deque(["not_found", "not_found"]))) as server, asyncio.Runner() as runner:
        given = open_workbench(base_url=server.url, model="steady")
        plan = replace(PLAN, variants=(Entry("classic"), Entry("shorten")), judge="", repeats=1, concurrency=1)
        comparison_id = comparisons.begin(given, comparisons.prepare(given, plan))
        runner.run(conduct(given, comparison_id))
        reader = Reader(given.store)
        assert len(reader.board(comparison_id).failures) == 2
        logs = {run_id: given.store.records(run_id) for run_id in given.store.comparisons.runs(comparison_id)}
        for fault in ("not_found", ""):
            server.script.faults.append(fault)
            comparisons.extend(given, comparison_id, Plan((), ()), reader.board(comparison_id).failures)
            assert runner.run(conduct(given, comparison_id)) == "ended"
            assert {run_id: given.store.records(run_id) for run_id in logs} == logs
        board = reader.board(comparison_id)
        assert board.finished and len(board.cells) == 6 and all(cell.text is not None for cell in board.cells)
        assert not board.failures and len(board.earlier) == 3
        assert len(given.store.comparisons.runs(comparison_id)) == len(logs) + 3 + 2  # and what measures the two
        runner.run(given.aclose())
        given.store.close()


def test_where_the_judge_failed_the_judging_alone_is_tried_again(bench: Workbench) -> None:
    with running(Script(faults=deque(["not_found"] * 12))) as server, asyncio.Runner() as runner:
        given = open_workbench(base_url=server.url, model="steady")
        scripted = {f"role.{role}.endpoint": "scripted" for role in ("writer", "critic")}
        plan = replace(PLAN, judge="steady", changes=scripted, repeats=1, pairs=True, concurrency=1)
        comparison_id = comparisons.begin(given, comparisons.prepare(given, plan))
        runner.run(conduct(given, comparison_id))
        reader = Reader(given.store)
        before, failures = reader.results(comparison_id), reader.board(comparison_id).failures
        assert len(failures) == 9 and all(cell.score is None and cell.text for cell in before)
        server.script.faults.clear()
        comparisons.extend(given, comparison_id, Plan((), ()), failures)
        assert runner.run(conduct(given, comparison_id)) == "ended"
        again = reader.results(comparison_id)
        assert [cell.run_id for cell in again] == [cell.run_id for cell in before]
        assert all(cell.score is not None and not cell.failures for cell in again)
        assert len(given.store.comparisons.runs(comparison_id)) == 6 + 2 * 9
        runner.run(given.aclose())
        given.store.close()


def test_a_judge_at_an_address_given_for_this_comparison_is_found_by_whoever_goes_on(bench: Workbench) -> None:
    with running(Script()) as server:
        given = open_workbench(base_url=server.url, model="steady")
        made = comparisons.prepare(given, replace(PLAN, judge="steady", repeats=1))
        comparison_id = comparisons.begin(given, made)
        given.store.close()
        assert asyncio.run(conduct(bench, comparison_id)) == "ended"
        board = Reader(bench.store).board(comparison_id)
        assert board.finished and all(cell.score is not None for cell in board.cells)


def test_on_a_full_disk_it_stays_open_says_so_once_and_goes_on_when_there_is_room(bench: Workbench) -> None:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, PLAN))
    leave_pages(bench.store, 4)
    with pytest.raises(StoreError, match="disk is full"):
        asyncio.run(asyncio.wait_for(work_on(bench, comparison_id), 20))
    assert bench.store.comparisons.standing(comparison_id) == "open"
    leave_pages(bench.store, 100_000)
    assert asyncio.run(conduct(bench, comparison_id)) == "ended"
    logs = [bench.store.records(run_id) for run_id in bench.store.comparisons.runs(comparison_id)]
    assert len(logs) == 24 and not any(calls_made_after_reply(log) for log in logs)


def test_two_conductors_share_nothing(bench: Workbench) -> None:
    comparison_id = comparisons.begin(bench, comparisons.prepare(bench, PLAN))

    async def both() -> list[Any]:
        return await asyncio.gather(*(conduct(bench, comparison_id) for _ in range(2)))

    assert sorted(asyncio.run(both())) == ["ended", "open"]
    assert len(bench.store.comparisons.runs(comparison_id)) == 24


def test_a_comparison_killed_again_and_again_ends_whole_and_pays_no_finished_call_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    drafts = [tmp_path / f"{n}.md" for n in range(3)]
    for n, draft in enumerate(drafts):
        draft.write_text(DRAFT.format(n=n), encoding="utf-8")
    with running(script := Script(seconds_per_piece=0.005)) as server:
        begun = ["--drafts", *map(str, drafts), "--variants", "classic", "plain-language", "--repeats", "2"]
        words = [*begun, "--concurrency", "3", "--base-url", server.url, "--model", "steady"]
        for kill in range(4):
            process = subprocess.Popen(
                [sys.executable, "-m", "refine", "compare", *words, "--json"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
            )  # fmt: skip
            before = script.requests
            if kill == 3:
                _out, err = process.communicate(timeout=180)
                assert process.returncode == 0, err
                break
            while script.requests < before + 4 and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
            process.wait()
            bench = open_workbench()
            (row,) = bench.store.comparisons.all()
            bench.store.close()
            words = ["--extend", row.id]
    bench = open_workbench()
    states = bench.store.comparisons.runs(row.id)
    logs = [bench.store.records(run_id) for run_id in states]
    bench.store.close()
    assert len(states) == 24 and set(states.values()) == {"ended"}
    assert not any(calls_made_after_reply(log) for log in logs)
    replied = sum(isinstance(r.event, Replied) and r.event.reply.usage is not None for log in logs for r in log)
    assert replied <= script.requests <= replied + 3 * 3  # the calls in flight at each kill
