"""Which runs a comparison consists of, and how they are named. Pure: a cell's id follows from the plan alone.

So a comparison that was cut off, stopped or extended never makes a cell twice, and what exists is not paid again. A
cell's result is measured by a run of its own, and held against the baseline's by another: they are named after it. What
failed and is tried again is another run: its name ends in the number of the try.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from refine.events import to_json
from refine.types import Cell, Comparison, Json, RunSpec, Task, Variant

DIGITS = 12
MEASURE, PAIR = "-m", "-p"
_TRY = re.compile(r"-(\d{1,3})$")
_JUDGED = re.compile(r"-[mp](-\d{1,3})?$")
JUDGES = {"measure": "judge", "prefer": "pair"}
"""Technique -> the role that judges."""
SEEDS = 1_000
"""Between the seeds of two repeats."""


def cells(comparison_id: str, comparison: Comparison) -> dict[str, Cell]:
    """Run id -> cell, in the order in which they are run: every variant on every text once, then again."""
    known = _Known(comparison)
    return {_latest(comparison, known.id(comparison_id, cell)): cell for cell in order(comparison)}


def order(comparison: Comparison) -> Iterator[Cell]:
    """So that whatever is cut off holds as much of each variant. A variant stands behind those whose cost it is
    given."""
    names = sorted((v.name for v in comparison.variants), key=lambda name: name in comparison.matched)
    for repeat in range(comparison.repeats):
        for task in comparison.tasks:
            for name in names:
                yield Cell(name, task.title, repeat)


def measure_id(comparison: Comparison, run_id: str) -> str:
    """The run that measures a cell's result."""
    return _latest(comparison, run_id + MEASURE)


def pair_id(comparison: Comparison, run_id: str) -> str:
    """The run that holds a cell's result against the baseline's."""
    return _latest(comparison, run_id + PAIR)


def cell_id(run_id: str) -> str:
    """The cell that a run is, or that it judges."""
    return _JUDGED.sub("", run_id)


def tried_again(comparison: Comparison, run_ids: Iterable[str]) -> Comparison:
    """The comparison with another try of these runs, which have failed."""
    firsts = [_TRY.sub("", run_id) for run_id in run_ids]
    return replace(
        comparison, again={**comparison.again, **{name: comparison.again.get(name, 1) + 1 for name in firsts}}
    )


def earlier_tries(comparison: Comparison) -> Iterator[str]:
    """The runs that failed and were tried again."""
    for first, tries in comparison.again.items():
        yield from (first, *(f"{first}-{n}" for n in range(2, tries)))


def _latest(comparison: Comparison, first: str) -> str:
    """The latest try of what was named so at first."""
    return f"{first}-{comparison.again[first]}" if first in comparison.again else first


def spec_of(comparison_id: str, comparison: Comparison, cell: Cell) -> RunSpec:
    """Event 0 of a cell. Each repeat has seeds of its own, for endpoints that take one."""
    spec, task = variant_of(comparison, cell.variant).spec, task_of(comparison, cell.task)
    options = {**spec.options, "comparison": comparison_id, "somebody": False, "pause": False}
    return replace(spec, task=task, options=options, seed=seed_of(cell))


def judging(comparison_id: str, comparison: Comparison, technique: str, cell: Cell, text: str, **more: str) -> RunSpec:
    """Event 0 of a run that judges a cell's result: `measure`, or `prefer` with the `other` result beside it."""
    judge, task = comparison.judge, task_of(comparison, cell.task)
    assert judge is not None
    return replace(
        judge,
        technique=technique,
        roles=tuple(role for role in judge.roles if role.name == JUDGES[technique]),
        checks=judge.checks if technique == "measure" else {},
        task=replace(task, draft=text),
        options={**judge.options, "comparison": comparison_id, "somebody": False, "original": task.draft, **more},
        seed=seed_of(cell),
    )


def seed_of(cell: Cell) -> int:
    """Equal calls of one run move it on by one each."""
    return cell.repeat * SEEDS + 1


def variant_of(comparison: Comparison, name: str) -> Variant:
    return next(variant for variant in comparison.variants if variant.name == name)


def task_of(comparison: Comparison, title: str) -> Task:
    return next(task for task in comparison.tasks if task.title == title)


class _Known:
    """The digests of variants and tasks, each made once."""

    def __init__(self, comparison: Comparison) -> None:
        self._variants = {variant.name: _digest(to_json(variant)) for variant in comparison.variants}
        self._tasks = {task.title: _digest(to_json(task)) for task in comparison.tasks}

    def id(self, comparison_id: str, cell: Cell) -> str:
        return f"{comparison_id}-{_digest([self._variants[cell.variant], self._tasks[cell.task], cell.repeat])}"


def _digest(value: Json) -> str:
    said = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(said.encode()).hexdigest()[:DIGITS]
