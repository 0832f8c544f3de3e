"""Comparisons made by hand, with known answers: a plan, and cells whose measures are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from refine.cell_results import CellResult, Counts, PriceUsed, RoundLine
from refine.cells import MEASURE, cells
from refine.ledger import Cost
from refine.types import Cell, Comparison, Price, Role, RunSpec, Task, Variant

ID = "cmp"
DRAFT = "Teh hour before opening. It opens on 12 May."
TEXT = "The hour before opening. It opens on 12 May."
PRICE = PriceUsed("far", "writer-1", "USD", Price(Decimal(1), Decimal(4), Decimal("0.5"), "prices 0.2.3", "2026-10-01"))


def variant(name: str, writer: str = "writer-1", critic: str = "critic-1", **more: Any) -> Variant:
    roles = (
        Role("writer", f"Write {name}.", "far", writer, 0.7),
        *([Role("critic", "Judge it.", "far", critic)] if critic else []),
    )
    return Variant(name, RunSpec("refine", name, Task(), roles, {"kept": {}}, **more))


def judge(model: str = "judge-1", endpoint: str = "far", pair: bool = False) -> RunSpec:
    names = ("judge", "pair") if pair else ("judge",)
    roles = tuple(Role(name, f"Be the {name}.", endpoint, model) for name in names)
    return RunSpec("measure", "judge", Task(), roles, {"wording": {}, "kept": {}})


def comparison(names: Sequence[str] = ("plain", "polish"), tasks: int = 6, repeats: int = 1, **more: Any) -> Comparison:
    made = Comparison(
        title="Newsletters",
        variants=tuple(map(variant, names)),
        tasks=tuple(Task(f"Text {n}", DRAFT, language="en") for n in range(tasks)),
        repeats=repeats,
        judge=judge(),
    )
    return replace(made, **more)


def result(run_id: str, cell: Cell, **more: Any) -> CellResult:
    """A cell that is done: approved in its second review, scored 7, without a fault."""
    lines = (
        RoundLine(0, "revise", 6.0, Counts(1, 2, 0), DRAFT, False, False, 100, 20, Cost(Decimal("0.001")), 1.0),
        RoundLine(1, "approved", 8.0, Counts(), TEXT, True, False, 200, 40, Cost(Decimal("0.002")), 2.0),
    )
    made = CellResult(
        cell=cell,
        run_id=run_id,
        measure_run=f"{run_id}{MEASURE}",
        pair_run="",
        status="done",
        reason="approved",
        error="",
        measured=True,
        paired=False,
        text=TEXT,
        approved=True,
        rounds=lines,
        rounds_to_approval=2,
        critic_score=8.0,
        critic_last=8.0,
        before=Counts(1, 2, 0),
        after=Counts(),
        lost=(),
        score=7.0,
        dimensions={"clarity": 7.0},
        preference=None,
        swayed=False,
        length_before=9,
        length_after=9,
        edits=0.1,
        tokens_in=300,
        tokens_out=60,
        tokens_cached=0,
        tokens_reasoning=0,
        estimated=False,
        calls=3,
        cost=Cost(Decimal("0.003")),
        judging=Cost(Decimal("0.001")),
        first_token_seconds=0.4,
        seconds=3.0,
        at=1_795_000_000.0,
        language="en",
        prices=(PRICE,),
    )
    return replace(made, **more)


def results(plan: Comparison, **more: Any) -> list[CellResult]:
    """Every cell of the plan. What a measure is given as a function of the cell is asked of each."""
    return [
        result(run_id, cell, **{name: value(cell) if callable(value) else value for name, value in more.items()})
        for run_id, cell in cells(ID, plan).items()
    ]
