"""A run's own limits hold also while several of its calls are under way: each counts with the most it can use."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from refine.errors import ModelError
from refine.events import Called, Halted, Record
from refine.loop import Halt, ask, drive, together
from refine.perform import Edge
from refine.techniques import TECHNIQUES
from refine.types import Flow, ModelCall, Outcome, Reply, Role, RunSpec, Usage, Worst
from tests.fakes import FakeDoors, MemoryJournal, begin, go_on
from tests.golden import SPEC, model

MOST = Worst(tokens=20, money=Decimal("0.002"))
"""Of each call, as the fake doors have it."""


def dearest(call: Any, times: int) -> Reply:
    """Uses all that it can."""
    return Reply("APPROVED", usage=Usage(10, 10, cost=MOST.money))


def called(log: list[Record]) -> int:
    return sum(isinstance(record.event, Called) and isinstance(record.event.call, ModelCall) for record in log)


@pytest.mark.parametrize(
    ("limits", "calls", "reason"),
    [
        ({"money": 0.002}, 1, "budget"),
        ({"money": 0.0039}, 1, "budget"),
        ({"money": 0.004}, 2, "approved"),
        ({"tokens": 39}, 1, "tokens"),
        ({"tokens": 40}, 2, "approved"),
        ({"calls": 1}, 1, "calls"),
        ({"calls": 2}, 2, "approved"),
    ],
)
async def test_of_two_critics_at_once_the_second_is_asked_only_if_both_fit(
    limits: dict[str, float], calls: int, reason: str
) -> None:
    log, outcome = await go_on(TECHNIQUES["refine"], begin(replace(SPEC, limits=limits)), FakeDoors(dearest))
    assert outcome is not None
    assert (called(log), outcome.reason) == (calls, reason)


def strands(number: int) -> Any:
    """So many strands side by side, each with three calls in turn."""

    def strand(name: str) -> Flow[str]:
        said = ""
        for n in range(3):
            said = (yield from ask(model("writer", f"{name} {n}"))).content
        return said

    def flow(spec: RunSpec) -> Flow[Outcome]:
        yield from together([strand(str(n)) for n in range(number)])
        return Outcome(None, (), "finished")

    return flow


class Watched(FakeDoors):
    """Adds up what is used, with all that calls under way can use. Every fifth attempt fails and costs half."""

    used, under_way, most, seen = 0, 0, 0, 0

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
        self.under_way += 1
        self.seen += 1
        self.most = max(self.most, self.used + self.under_way * MOST.tokens)
        try:
            reply = await super().model(spec, call, attempt, on_text)
        except ModelError as error:
            self.used += error.usage.input_tokens if error.usage else 0
            raise
        finally:
            self.under_way -= 1
        self.used += reply.usage.input_tokens + reply.usage.output_tokens if reply.usage else 0
        return reply


@pytest.mark.parametrize("limit", [20, 50, 90, 130, 300, 1_000])
async def test_whatever_is_under_way_the_limit_is_never_passed(limit: int) -> None:
    def answer(call: Any, times: int) -> Any:
        if doors.seen % 5 == 4:
            return ModelError("server", "500", usage=Usage(10, 0, cost=Decimal(0)))
        return Reply("x", usage=Usage(doors.seen % 11, 9, cost=Decimal(0)))

    doors = Watched(answer)
    spec = replace(SPEC, limits={"tokens": limit, "failures": None})
    log = begin(spec)
    edge = Edge(spec, list(log), MemoryJournal(log), doors, sleep=doors.clock.sleep)
    try:
        await drive(strands(5)(spec), edge)
        ended = "finished"
    except Halt as halt:
        ended = halt.reason
    assert doors.most <= limit
    assert doors.seen >= 15 if ended == "finished" else ended == "tokens"
    assert limit < 300 or doors.most > MOST.tokens


async def test_a_call_that_has_ended_makes_room_by_what_it_did_not_use() -> None:
    def answer(call: Any, times: int) -> Any:
        return "A text." if call.role == "writer" else Reply("Too short.", usage=Usage(1, 1, cost=Decimal(0)))

    spec = replace(SPEC, roles=(*SPEC.roles, Role("critic_3", "Judge.")), limits={"tokens": 62})
    log, _ = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(answer))
    assert called(log) > 3
    assert [record.event.reason for record in log if isinstance(record.event, Halted)][:1] == ["tokens"]


async def test_a_run_cut_while_calls_were_under_way_keeps_its_limit_too() -> None:
    spec = replace(SPEC, limits={"money": 0.003})
    golden, _ = await go_on(TECHNIQUES["refine"], begin(spec), FakeDoors(dearest))
    for cut in range(1, len(golden)):
        log, outcome = await go_on(TECHNIQUES["refine"], golden[:cut], FakeDoors(dearest))
        assert outcome is not None
        assert outcome.reason == "budget"
        assert len({record.event.at for record in log if isinstance(record.event, Called)}) == 1
