"""What a preview shows is what a run sends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from refine import worlds
from refine.events import Called, Record, RoundEnded, Started
from refine.runs import Order, open_workbench
from refine.techniques.previewing import told
from refine.types import Finding, Message, ModelCall, RunSpec

Run = Callable[[Order], list[Record]]
DRAFT = "# A letter\n\nIt is due to the fact that that you wrote. We met in 1987."


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    bench = open_workbench()

    def run(order: Order) -> list[Record]:
        run_id = bench.start(bench.prepare(order), queue=False)
        asyncio.run(bench.execute(run_id))
        return bench.store.records(run_id)

    yield run
    bench.store.close()


def sent(log: list[Record], role: str) -> tuple[Message, ...]:
    """The first call to that role."""
    calls = (record.event.call for record in log if isinstance(record.event, Called))
    return next(call.messages for call in calls if isinstance(call, ModelCall) and call.role == role)


def spec_of(log: list[Record]) -> RunSpec:
    started = log[0].event
    assert isinstance(started, Started)
    return started.spec


def scripted(*roles: str) -> dict[str, str]:
    named = {"endpoint": "scripted", "model": "steady"}
    return {f"role.{role}.{field}": value for role in roles for field, value in named.items()}


@pytest.mark.parametrize("variant", ["polish", "classic", "classic-zh"])
def test_critic_and_writer_are_told_what_a_run_tells_them(run: Run, variant: str) -> None:
    log = run(Order(DRAFT, brief="Warmer.", variant=variant, changes=scripted("writer", "critic")))
    spec = spec_of(log)
    writer, critic = (spec.role(name) for name in ("writer", "critic"))
    assert writer and critic
    assert told(spec, critic) == sent(log, "critic")
    first = next(record.event.round for record in log if isinstance(record.event, RoundEnded))
    assert told(spec, writer, [first]) == sent(log, "writer")


def test_an_actor_is_told_what_a_run_tells_it(run: Run) -> None:
    log = run(worlds.order("sum"))
    spec = spec_of(log)
    actor = spec.role("actor")
    assert actor
    assert told(spec, actor) == sent(log, "actor")


def test_findings_are_given_where_no_round_has_any(run: Run) -> None:
    log = run(Order(DRAFT, variant="polish", changes=scripted("writer", "critic")))
    spec = spec_of(log)
    writer = spec.role("writer")
    assert writer
    assert "No findings came with this draft" in told(spec, writer)[-1].content
    shown = told(spec, writer, findings=[Finding(quote="that that", remark="An example.")])[-1].content
    assert '[should] "that that": An example.' in shown
