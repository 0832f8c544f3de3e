"""The promise that nothing finished is ever lost or paid twice: logs cut at every event and driven on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from refine import views
from refine.errors import ModelError
from refine.events import Event as AnyEvent
from refine.events import Failed, Noted, Record, from_json, to_json
from refine.keeping import best
from refine.loop import Halt, ask, drive, loop
from refine.perform import Edge, Inbox
from refine.techniques import TECHNIQUES
from refine.types import Ask, Flow, Message, ModelCall, Note, Outcome, Reply, Round, RunSpec, Usage, Verdict
from tests.fakes import FakeDoors, MemoryJournal, begin, calls_made_after_reply, events, go_on
from tests.golden import GOLDEN, SPEC, echo, model, nested, read, two_critics, whole


@pytest.mark.parametrize("name", GOLDEN)
async def test_a_log_cut_at_every_event_goes_on_to_the_same_events_and_repeats_no_finished_call(name: str) -> None:
    flow_of, _, answer, answers = GOLDEN[name]
    golden = read(name)
    assert len(golden) > 5
    for cut in range(1, len(golden) + 1):
        doors = FakeDoors(answer)
        replay_counts(doors, golden[:cut])
        resumed = await whole(flow_of, golden[:cut], doors, answers) if not ended(golden[:cut]) else golden
        assert events(resumed) == events(golden), f"cut after event {cut}: {golden[cut - 1].event}"
        assert not calls_made_after_reply(resumed)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_released_log_is_read_as_the_run_it_was(name: str) -> None:
    golden = read(name)
    view = views.read(golden)
    assert view.ended
    assert view.reason == golden[-1].event.reason  # type: ignore[union-attr]
    assert len(view.rounds) >= (0 if name == "a fatal error" else 1)


def ended(records: list[Record]) -> bool:
    return type(records[-1].event).__name__ == "Stopped"


def replay_counts(doors: FakeDoors, records: list[Record]) -> None:
    """The server remembers what it was asked before the crash."""
    asked: dict[str, str] = {}
    for record in records:
        kind = type(record.event).__name__
        if kind == "Called":
            asked[record.event.at] = repr(to_json(record.event.call))  # type: ignore[union-attr]
        elif kind in ("Replied", "Failed"):
            doors.made[asked[record.event.at]] += 1  # type: ignore[union-attr]


@pytest.mark.parametrize("name", GOLDEN)
def test_every_event_survives_its_json_form(name: str) -> None:
    for record in read(name):
        assert from_json(AnyEvent, to_json(record.event)) == record.event


async def test_newer_code_that_asks_something_else_starts_the_unfinished_round_again_on_record() -> None:
    golden, _ = await go_on(TECHNIQUES["refine"], begin(SPEC), FakeDoors(two_critics))
    rounds = [n for n, record in enumerate(golden) if type(record.event).__name__ == "RoundEnded"]
    cut = golden[: rounds[0] + 3]
    changed = [replace(record, event=other_prompt(record.event)) for record in cut]
    resumed, outcome = await go_on(TECHNIQUES["refine"], changed, FakeDoors(two_critics))
    kinds = [type(record.event).__name__ for record in resumed]
    assert kinds.count("RoundRestarted") == 1
    assert outcome is not None
    assert outcome.reason == "approved"
    assert outcome.rounds[0] == golden[rounds[0]].event.round  # type: ignore[union-attr]


def other_prompt(event: AnyEvent) -> AnyEvent:
    """The same log as older code with another reminder would have written it, from round 1 on."""
    call = getattr(event, "call", None)
    if not isinstance(call, ModelCall) or call.role != "writer":
        return event
    return replace(event, call=replace(call, messages=(*call.messages, Message("user", ("old words",)))))  # type: ignore[call-arg]


async def test_a_paused_run_waits_at_its_round_and_takes_the_authors_edit_as_the_next_text() -> None:
    spec = replace(SPEC, options={"pause": True})
    inbox = Inbox()
    log, outcome = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(two_critics), inbox)
    assert outcome is None
    again, _ = await go_on(TECHNIQUES["refine"], log, FakeDoors(two_critics), inbox)
    assert events(again) == events(log), "a run that waits stays as it is"
    inbox.notes.append(Note("edit", "My own better better words."))
    log, outcome = await go_on(TECHNIQUES["refine"], log, FakeDoors(two_critics), inbox)
    assert outcome is not None
    assert outcome.best is not None
    assert outcome.best.text == "My own better better words."
    assert outcome.reason == "approved"
    assert sum(isinstance(record.event, Noted) for record in log) == 1


async def test_a_halt_reaches_outer_loops_and_keeps_what_was_reviewed() -> None:
    spec = replace(SPEC, limits={"calls": 4})
    _log, outcome = await go_on(nested, begin(spec), FakeDoors(echo))
    assert outcome is not None
    assert outcome.reason == "calls"
    assert len(outcome.rounds) == 1


async def test_one_closing_answer_survives_a_limit_and_only_one() -> None:
    def flow(spec: RunSpec) -> Flow[Outcome]:
        outcome = yield from loop(step, [], best)
        reply = yield from ask(replace(model("writer", "close"), closing=True))
        try:
            yield from ask(replace(model("writer", "again"), closing=True))
        except Halt as halt:
            return Outcome(None, outcome.rounds, f"{reply.content} {halt.reason}")
        return outcome

    def step(rounds: tuple[Round, ...]) -> Flow[Round]:
        reply = yield from ask(model("writer", f"{len(rounds)}"))
        return Round(reply.content, Verdict("revise"))

    spec = replace(SPEC, limits={"calls": 2})
    log, outcome = await go_on(flow, begin(spec), FakeDoors(echo))
    assert outcome is not None
    assert outcome.reason == "<close> calls"
    for cut in range(1, len(log)):
        again, _ = await go_on(flow, log[:cut], FakeDoors(echo))
        assert events(again) == events(log)


async def test_a_batch_runs_to_its_end_before_a_failure_is_raised() -> None:
    def answer(call: Any, times: int) -> Any:
        return ModelError("key", "401") if call.role == "critic" else "Needs work."

    log, outcome = await go_on(TECHNIQUES["refine"], begin(SPEC), FakeDoors(answer))
    assert [type(r.event).__name__ for r in log].count("Replied") == 1
    assert outcome is not None
    assert outcome.reason == "error"


async def test_a_missing_key_makes_the_run_wait_and_costs_nothing() -> None:
    doors = FakeDoors(two_critics, missing_key=True)
    log, outcome = await go_on(TECHNIQUES["refine"], begin(SPEC), doors)
    assert outcome is None
    assert not doors.made
    doors.missing_key = False
    _, outcome = await go_on(TECHNIQUES["refine"], log, doors)
    assert outcome is not None
    assert outcome.reason == "approved"


async def test_the_authors_stop_closes_open_calls_and_sends_none_after() -> None:
    inbox = Inbox()
    inbox.cancelled = True
    doors = FakeDoors(two_critics)
    _, outcome = await go_on(TECHNIQUES["refine"], begin(SPEC), doors, inbox)
    assert outcome is not None
    assert outcome.reason == "cancelled"
    assert not doors.made


async def test_an_unclear_verdict_waits_only_where_somebody_can_answer() -> None:
    def unclear(call: Any, times: int) -> Any:
        return Reply("New text.") if call.role == "writer" else "LGTM, I think"

    spec = replace(SPEC, roles=SPEC.roles[:2], stops={"max_rounds": 2})
    log, outcome = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(unclear))
    assert outcome is not None
    assert outcome.reason == "max_rounds"
    assert all(round.verdict.kind == "revise" for round in outcome.rounds)
    spec = replace(spec, options={"somebody": True})
    log, outcome = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(unclear))
    assert outcome is None
    assert any(isinstance(getattr(record.event, "call", None), Ask) for record in log)


async def test_a_limit_that_a_failed_attempt_reached_holds_over_a_crash() -> None:
    def answer(call: Any, times: int) -> Any:
        return ModelError("server", "500") if times == 0 else "Too short."

    golden, outcome = await go_on(TECHNIQUES["refine"], begin(replace(SPEC, limits={"calls": 2})), FakeDoors(answer))
    assert outcome is not None
    assert outcome.reason == "calls"
    for cut in range(1, len(golden)):
        doors = FakeDoors(answer)
        replay_counts(doors, golden[:cut])
        resumed, _ = await go_on(TECHNIQUES["refine"], golden[:cut], doors)
        assert events(resumed) == events(golden), f"cut after event {cut}"


async def test_a_stop_while_a_call_is_being_recorded_makes_no_call() -> None:
    log, doors = begin(SPEC), FakeDoors(two_critics)

    class Stopping(MemoryJournal):
        async def durable(self) -> None:
            edge.stop()
            await super().durable()

    edge = Edge(SPEC, list(log), Stopping(log), doors)
    outcome = await drive(TECHNIQUES["refine"](SPEC), edge)
    assert outcome.reason == "cancelled"
    assert not doors.made
    assert [r.event.kind for r in log if isinstance(r.event, Failed)] == ["cancelled"]


async def test_a_call_cut_by_a_stop_is_charged_by_an_estimate_of_what_had_come() -> None:
    begun = asyncio.Event()

    class Slow(FakeDoors):
        async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
            self.clock.now += 2
            on_text("reasoning", "Hm. ")
            on_text("text", "Half a")
            self.clock.now += 1
            begun.set()
            await asyncio.sleep(60)
            return Reply()

    log, doors = begin(SPEC), Slow(echo)
    edge = Edge(SPEC, list(log), MemoryJournal(log), doors, clock=doors.clock, sleep=doors.clock.sleep)
    running = asyncio.create_task(drive(nested(SPEC), edge))
    await begun.wait()
    edge.stop()
    await running
    (failed,) = [record.event for record in log if isinstance(record.event, Failed)]
    assert (failed.kind, failed.partial, failed.usage) == ("cancelled", "Half a", Usage(10, 10, estimated=True))
    assert (failed.seconds, failed.first_token_seconds) == (3.0, 2.0)


async def test_a_second_stop_does_not_disturb_calls_that_are_closing() -> None:
    started, closing = asyncio.Event(), asyncio.Event()

    class Slow(FakeDoors):
        async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
            started.set()
            try:
                await asyncio.sleep(60)
            finally:
                closing.set()
                await asyncio.sleep(0.01)
            return Reply()

    log = begin(SPEC)
    edge = Edge(SPEC, list(log), MemoryJournal(log), Slow(echo))
    running = asyncio.create_task(drive(TECHNIQUES["refine"](SPEC), edge))
    await started.wait()
    edge.stop()
    await closing.wait()
    edge.stop()
    assert (await running).reason == "cancelled"
