"""The use-cases, with doors that answer from a script."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refine import views
from refine.errors import ModelError, SettingsError
from refine.events import Called, Event, Replied, Waiting
from refine.live import LiveTexts
from refine.perform import OnText
from refine.runs import Order, Workbench
from refine.settings import Keys, load
from refine.store import Store
from refine.types import Ask, Finding, ModelCall, Note, Reply, RunSpec
from tests.fakes import FakeDoors
from tests.golden import SPEC, WAITING, model


class OneKeyMissing(FakeDoors):
    """The second critic's key is gone; the first critic is slow."""

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: OnText) -> Reply:
        self.slow.set()
        await asyncio.sleep(60)
        raise ModelError("server", "never reached")

    def question(self, spec: RunSpec, call: ModelCall) -> Ask | None:
        return Ask("key_missing", about="given") if call.role == "critic_2" else None

    slow: asyncio.Event


LOCAL = replace(SPEC, roles=tuple(replace(role, endpoint="scripted") for role in SPEC.roles))


def workbench(home: Path, doors: Any) -> Workbench:
    store = Store.open(home, summarise=lambda records: views.row(views.read(records)))
    return Workbench(load({"REFINE_HOME": str(home)}), store, doors, Keys(home), LiveTexts())


async def test_a_stop_is_heard_though_the_run_also_waits_for_a_key(tmp_path: Path) -> None:
    doors = OneKeyMissing(lambda call, times: "")
    doors.slow = asyncio.Event()
    bench = workbench(tmp_path, doors)
    run_id = bench.start(SPEC, queue=False)
    running = asyncio.create_task(bench.run(run_id))
    await doors.slow.wait()
    bench.cancel(run_id)
    view = await asyncio.wait_for(running, 10)
    assert view.status == "cancelled"
    bench.store.close()


async def test_an_answer_about_a_text_that_is_reviewed_anew_approves_nothing(tmp_path: Path) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: "LGTM, I think"))
    run_id = bench.start(WAITING, queue=False)
    asked: list[Event] = [Called("1", model("critic", "older words")), Replied("1", Reply("LGTM"))]
    asked += [Called("2", model("critic", "older words again")), Replied("2", Reply("LGTM"))]
    question = Waiting("3", "verdict_unclear", ("approve", "revise"), "LGTM")
    bench.store.append(run_id, 1, [*asked, Called("3", Ask("verdict_unclear")), question], urgent=True).result()
    bench.answer(run_id, "approve", queue=False)
    view = await bench.run(run_id)
    assert (view.status, view.restarts) == ("waiting", 1)
    bench.store.close()


async def test_a_fork_of_the_last_round_goes_on_though_the_run_names_no_limit(tmp_path: Path) -> None:
    drafts = iter(range(100))

    def answer(call: Any, times: int) -> str:
        return f"Draft {next(drafts)}." if call.role == "writer" else "Too short."

    bench = workbench(tmp_path, FakeDoors(answer))
    run_id = bench.start(replace(LOCAL, stops={}), queue=False)
    first = await bench.run(run_id)
    assert (first.reason, len(first.rounds)) == ("max_rounds", 4)
    assert len((await bench.run(bench.fork(run_id, 3, queue=False))).rounds) == 6
    bench.store.close()


async def test_a_wish_after_the_end_reaches_the_writer_and_the_text_it_is_about(tmp_path: Path) -> None:
    told: list[str] = []

    def answer(call: Any, times: int) -> Any:
        if call.role == "writer":
            told.append("\n".join(message.content for message in call.messages))
            return "Two drafts."
        return "APPROVED" if "Two" in call.messages[-1].content else "Too short."

    bench = workbench(tmp_path, FakeDoors(answer))
    run_id = bench.start(LOCAL, queue=False)
    assert (await bench.run(run_id)).reason == "approved"
    await bench.run(bench.go_on(run_id, 1, "Warmer, please."))
    assert "Two drafts." in told[1]
    assert "Warmer, please." in told[1]
    bench.store.close()


async def test_an_empty_text_of_ones_own_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: "APPROVED"))
    run_id = bench.start(LOCAL, queue=False)
    await bench.run(run_id)
    with pytest.raises(SettingsError, match="is empty"):
        bench.fork(run_id, 0, draft=" \n")
    bench.store.close()


async def test_a_note_sent_while_another_question_is_open_waits_for_the_end_of_its_round(tmp_path: Path) -> None:
    def unclear(call: Any, times: int) -> Any:
        return Reply("A new draft.") if call.role == "writer" else "LGTM, I think"

    bench = workbench(tmp_path, FakeDoors(unclear))
    run_id = bench.start(replace(WAITING, stops={"max_rounds": 1}), queue=False)
    assert (await bench.run(run_id)).status == "waiting"
    bench.note(run_id, [Note("add", finding=Finding(remark="Warmer."))])
    assert (await bench.run(run_id)).status == "waiting"
    bench.answer(run_id, "revise", queue=False)
    view = await bench.run(run_id)
    assert [note.kind for note in view.rounds[0].notes] == ["add"]
    assert not bench.store.inbox_take(run_id)
    bench.store.close()


def test_a_draft_longer_than_a_novel_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: ""))
    with pytest.raises(SettingsError, match="1,000,001 characters"):
        bench.prepare(Order("x" * 1_000_001, variant="offline"))
    bench.store.close()


async def test_going_on_after_an_approval_without_a_wish_really_rewrites(tmp_path: Path) -> None:
    drafts = iter(("Two drafts.", "Three drafts."))
    bench = workbench(
        tmp_path, FakeDoors(lambda call, times: next(drafts) if call.role == "writer" else approves_but_the_first(call))
    )
    run_id = bench.start(LOCAL, queue=False)
    assert (await bench.run(run_id)).reason == "approved"
    view = await bench.run(bench.go_on(run_id, 3))
    assert (view.reason, view.text) == ("approved", "Three drafts.")
    assert view.rounds[1].notes[-1].finding is not None
    bench.store.close()


def approves_but_the_first(call: Any) -> str:
    return "APPROVED" if "drafts." in call.messages[-1].content else "Too short."


async def test_going_on_with_rounds_left_adds_no_wish_of_its_own(tmp_path: Path) -> None:
    drafts = iter(range(100))

    def answer(call: Any, times: int) -> str:
        return f"Draft {next(drafts)}." if call.role == "writer" else "Too short."

    bench = workbench(tmp_path, FakeDoors(answer))
    run_id = bench.start(replace(LOCAL, stops={"max_rounds": 2}), queue=False)
    await bench.run(run_id)
    view = await bench.run(bench.go_on(run_id, 1))
    assert (len(view.rounds), [round.notes for round in view.rounds]) == (3, [(), (), ()])
    bench.store.close()


async def test_a_round_picked_after_the_end_is_the_result_and_the_next_round_rewrites_it(tmp_path: Path) -> None:
    told: list[str] = []

    def answer(call: Any, times: int) -> str:
        if call.role != "writer":
            return "Too short."
        told.append("\n".join(message.content for message in call.messages))
        return f"Rewrite {len(told)}."

    bench = workbench(tmp_path, FakeDoors(answer))
    run_id = bench.start(replace(LOCAL, stops={"max_rounds": 3}), queue=False)
    assert (await bench.run(run_id)).text == "Rewrite 2."
    bench.note(run_id, [Note("pick", "1")])
    view = bench.read(run_id)
    assert (view.best_round, view.text, view.picked) == (1, "Rewrite 1.", True)
    await bench.run(bench.go_on(run_id, 1))
    assert "Rewrite 1." in told[-1]
    assert "Rewrite 2." not in told[-1]
    bench.store.close()


async def test_a_pause_lets_the_round_end_and_then_waits_for_the_author_once(tmp_path: Path) -> None:
    drafts = iter(range(100))

    def answer(call: Any, times: int) -> str:
        return f"Draft {next(drafts)}." if call.role == "writer" else "Too short."

    bench = workbench(tmp_path, FakeDoors(answer))
    run_id = bench.start(replace(LOCAL, stops={"max_rounds": 3}), queue=False)
    bench.pause(run_id)
    view = await bench.run(run_id)
    assert (view.status, len(view.rounds)) == ("waiting", 1)
    assert view.question is not None
    assert view.question.question == "review"
    assert not bench.store.inbox_take(run_id)
    bench.answer(run_id, "", queue=False)
    view = await bench.run(run_id)
    assert (view.reason, len(view.rounds)) == ("max_rounds", 3)
    bench.store.close()
