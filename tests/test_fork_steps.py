"""A run of steps that goes on from one of them: what is paid, what the actor is told, whose files are written."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from refine import worlds
from refine.events import Called
from refine.runs import Workbench, open_workbench
from refine.tools.workspace import WORKSPACES
from refine.types import ModelCall
from refine.views import RunView

BEFORE, AFTER = 100, 4_000_000_000
"""Times of files: long before any step of a test, and long after it."""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    made = open_workbench()
    yield made
    made.store.close()


def played(bench: Workbench, world: str = "notes", protocol: str = "json") -> RunView:
    return go_on(bench, bench.start(bench.prepare(worlds.order(world, protocol=protocol)), queue=False))


def go_on(bench: Workbench, run_id: str) -> RunView:
    return asyncio.run(bench.execute(run_id))


def files(bench: Workbench, view: RunView) -> dict[str, str]:
    place = folder(bench, view)
    found = [path for path in place.rglob("*") if path.is_file()]
    return {path.relative_to(place).as_posix(): path.read_text(encoding="utf-8") for path in found}


def folder(bench: Workbench, view: RunView) -> Path:
    return bench.settings.home / WORKSPACES / str(view.spec.options["workspace"])


def test_steps_before_are_shown_and_not_paid_again(bench: Workbench) -> None:
    first = played(bench, "weather")
    view = go_on(bench, bench.fork(first.run_id, 0, queue=False))
    assert [round.step for round in view.rounds] == [round.step for round in first.rounds]
    assert (view.calls, first.calls) == (2, 3)
    assert view.text == first.text


def test_a_fork_writes_in_a_copy_and_leaves_the_files_of_the_first_run(bench: Workbench) -> None:
    first = played(bench)
    before = files(bench, first)
    assert "report.md" in before
    forked = bench.fork(first.run_id, 3, queue=False)
    copy = folder(bench, bench.read(forked))
    assert copy.name == forked and files(bench, bench.read(forked)) == before
    (copy / "report.md").unlink()
    (copy / "cleaned" / "repair-table.txt").write_text("Mine.\n", encoding="utf-8")
    view = go_on(bench, forked)
    assert view.reason == "finished"
    assert files(bench, first) == before


def test_a_fork_that_names_a_folder_works_in_that_one(bench: Workbench) -> None:
    first = played(bench)
    forked = bench.fork(first.run_id, 3, changes={"options.workspace": "mine"}, queue=False)
    assert bench.read(forked).spec.options["workspace"] == "mine"
    assert not folder(bench, bench.read(forked)).exists()


def test_files_that_later_steps_wrote_are_named_also_in_a_fork_of_a_fork(bench: Workbench) -> None:
    first = played(bench)
    place = folder(bench, first)
    for path in place.rglob("*.*"):
        os.utime(path, (BEFORE, BEFORE))
    assert bench.changed_since(first.run_id, 3) == []
    os.utime(place / "report.md", (AFTER, AFTER))
    assert bench.changed_since(first.run_id, 3) == ["report.md"]
    second = bench.fork(first.run_id, 5, queue=False)
    late = bench.store.records(first.run_id)[-1].at
    os.utime(folder(bench, bench.read(second)) / "report.md", (late, late))
    assert bench.changed_since(second, 3) == ["report.md"]


def test_the_same_order_again_has_files_of_its_own(bench: Workbench) -> None:
    first = played(bench)
    before = files(bench, first)
    view = go_on(bench, bench.again(first.run_id))
    assert folder(bench, view) != folder(bench, first)
    assert files(bench, view) == before


def test_an_order_may_be_given_again_with_a_higher_limit_or_another_question(bench: Workbench) -> None:
    first = played(bench, "weather")
    spec = bench.read(bench.again(first.run_id, changes={"limits.calls": "7"}, brief="And in Oslo?")).spec
    assert (spec.limits["calls"], spec.task.brief, spec.task.title) == (7, "And in Oslo?", "")
    assert spec.roles == first.spec.roles


def test_a_fork_keeps_the_limit_of_steps_where_it_leaves_room(bench: Workbench) -> None:
    first = played(bench)
    for forked in (bench.fork(first.run_id, 5, queue=False), bench.fork(first.run_id, 11, say="And?", queue=False)):
        assert bench.read(forked).spec.stops["max_rounds"] == 12
    few = bench.fork(first.run_id, 2, changes={"stops.max_rounds": "3"}, queue=False)
    view = go_on(bench, few)
    assert (view.reason, len(view.rounds)) == ("max_rounds", 3)
    assert bench.read(bench.fork(few, 2, queue=False)).spec.stops["max_rounds"] == 5


def test_a_correction_is_the_next_thing_that_the_actor_is_told(bench: Workbench) -> None:
    first = played(bench, "weather")
    forked = bench.fork(first.run_id, 0, say="Use Fahrenheit.", queue=False)
    view = go_on(bench, forked)
    assert told(bench, forked)[0].messages[-1].content.endswith("Use Fahrenheit.")
    assert view.rounds[1].step and view.rounds[1].step.question == "Use Fahrenheit."


@pytest.mark.parametrize(("was", "becomes"), [("native", "json"), ("json", "native")])
def test_a_fork_may_ask_for_tools_in_the_other_way_and_go_on(bench: Workbench, was: str, becomes: str) -> None:
    first = played(bench, "weather", was)
    forked = bench.fork(first.run_id, 0, changes={"options.protocol": becomes}, queue=False)
    view = go_on(bench, forked)
    assert (view.reason, view.text) == ("finished", first.text)
    call = told(bench, forked)[0]
    assert bool(call.tools) == (becomes == "native")
    if becomes == "json":
        assert not any(message.tool_calls or message.role == "tool" for message in call.messages)


def told(bench: Workbench, run_id: str) -> list[ModelCall]:
    events = [record.event for record in bench.store.records(run_id)]
    return [event.call for event in events if isinstance(event, Called) and isinstance(event.call, ModelCall)]
