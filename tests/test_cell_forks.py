"""An author goes on from a comparison's run: the new run is the author's own, and the comparison stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from refine.cells import spec_of
from refine.events import RoundEnded, Stopped
from refine.runs import Workbench
from refine.store import Wanted
from refine.types import Cell, Comparison, Role, Round, RunSpec, Task, Variant, Verdict
from tests.fakes import FakeDoors
from tests.golden import SPEC
from tests.test_runs import LOCAL, workbench

ID, RUN = "cmp", "cmp-1"
NAME = "critical \u00b7 stops max_rounds 4"
TASK = Task("letter", "A draft.", language="en")
PLAN = Comparison("Letters", (Variant(NAME, LOCAL), Variant("other", LOCAL)), (TASK,))


def with_cell(bench: Workbench) -> None:
    """A comparison with one run, which ended after a round."""
    bench.store.comparisons.create(ID, PLAN)
    bench.store.create(RUN, spec_of(ID, PLAN, Cell(NAME, TASK.title, 0)), queue=False)
    ended = RoundEnded("1", "0", Round("Better.", Verdict("revise")))
    bench.store.append(RUN, 1, [ended, Stopped("max_rounds", 0)], urgent=True).result()


MADE: dict[str, Callable[[Workbench], str]] = {
    "fork": lambda bench: bench.fork(RUN, 0),
    "go on": lambda bench: bench.go_on(RUN),
    "again": lambda bench: bench.again(RUN),
    "start": lambda bench: bench.start(bench.read(RUN).spec),
}


@pytest.mark.parametrize("how", MADE)
def test_what_is_made_of_a_cell_is_listed_queued_asks_and_names_its_folder(tmp_path: Path, how: str) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: ""))
    with closing(bench.store):
        with_cell(bench)
        made = MADE[how](bench)
        spec = bench.read(made).spec
        assert "comparison" not in spec.options and spec.options["somebody"] is True
        assert spec.variant == SPEC.variant
        assert [row.run_id for row in bench.store.runs(Wanted())] == [made]
        assert bench.store.unfinished() == [made]
        assert [*bench.store.comparisons.runs(ID)] == [RUN]


def test_what_an_author_sets_is_heeded(tmp_path: Path) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: ""))
    with closing(bench.store):
        with_cell(bench)
        assert bench.read(bench.fork(RUN, 0, changes={"options.somebody": "off"})).spec.options["somebody"] is False


@pytest.mark.parametrize(("technique", "kept"), [("measure", True), ("prefer", True), ("refine", False)])
def test_only_a_measuring_run_keeps_the_texts_that_it_was_held_against(
    tmp_path: Path, technique: str, kept: bool
) -> None:
    bench = workbench(tmp_path, FakeDoors(lambda call, times: ""))
    options = {"comparison": ID, "somebody": False, "original": "Once.", "other": "Another."}
    with closing(bench.store):
        made = bench.start(RunSpec(technique, "judge", TASK, (Role("pair"),), options=options), queue=False)
        found = bench.read(made).spec.options
        assert ("original" in found, "other" in found, "comparison" in found) == (kept, kept, False)
