"""One question worked on in several ways by the same model: tools asked for in text, native tool calls, one plain call.

Each is a run of its own, started beside the one that was asked first; their ids say which belong together. Knows
nothing of pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from refine import steps, variants
from refine.errors import StoreError
from refine.ledger import Cost, add_costs
from refine.orders import afresh
from refine.runs import Workbench
from refine.types import RunSpec
from refine.views import RunView

Way = Literal["json", "native", "plain"]
WAYS: tuple[Way, ...] = ("json", "native", "plain")
PLAIN = "without-tools"
"""The variant of the plain call."""

Result = Literal["verified", "answered", "unfinished", "failed", "waiting", "working"]
AT_WORK: tuple[Result, ...] = ("working", "waiting")


@dataclass(frozen=True, slots=True)
class Worked:
    """What became of the task in one of the ways; questions that came later are not in it."""

    run_id: str
    way: Way
    result: Result
    answer: str
    steps: int
    tokens: int
    cost: Cost
    seconds: float


def way_of(spec: RunSpec) -> Way:
    if not spec.tools:
        return "plain"
    return "native" if spec.options.get("protocol") == "native" else "json"


def first_of(run_id: str) -> str:
    """The run that was asked first: the others have its id and their way."""
    first, _, way = run_id.rpartition("-")
    return first if way in WAYS else run_id


def can_be_had(view: RunView) -> bool:
    """Not beside a run that uses no tools anyhow, or that goes on from steps of another."""
    return first_of(view.run_id) != view.run_id or bool(view.spec.tools and not view.spec.parent)


# --- starting --------------------------------------------------------------------------------------------------------


def start_others(bench: Workbench, run_id: str) -> None:
    """Starts the ways that there are no runs of yet. Raises SettingsError, PromptError, StoreError."""
    first = first_of(run_id)
    spec = bench.read(first).spec
    for way in WAYS:
        other = f"{first}-{way}"
        if way == way_of(spec) or bench.store.exists(other):
            continue
        try:
            bench.start(afresh(in_way(spec, way), first), run_id=other)
        except StoreError:
            if not bench.store.exists(other):  # else another click was quicker
                raise


def in_way(spec: RunSpec, way: Way) -> RunSpec:
    """The same task for the same model. It ends with its answer."""
    options = {name: value for name, value in spec.options.items() if name != "chat"}
    if way != "plain":
        return replace(spec, options={**options, "protocol": way})
    plain = variants.load(PLAIN).spec
    prompts = {role.name: role.prompt for role in plain.roles}
    return replace(
        spec,
        variant=PLAIN,
        roles=tuple(replace(role, prompt=prompts[role.name]) for role in spec.roles),
        tools=(),
        stops=plain.stops,
        limits={**spec.limits, "calls": questions(spec)},
        options={**options, **plain.options},
    )


def questions(spec: RunSpec) -> int:
    """Those that were given at the start."""
    return 1 + len(spec.options.get("questions") or ())


# --- what became of it -----------------------------------------------------------------------------------------------


def worked(bench: Workbench, run_id: str) -> list[Worked]:
    """Every way that there is a run of, the first run's own among them."""
    first = first_of(run_id)
    there = [name for name in (first, *(f"{first}-{way}" for way in WAYS)) if bench.store.exists(name)]
    return sorted((_worked(bench.read(name)) for name in there), key=lambda row: WAYS.index(row.way))


def _worked(view: RunView) -> Worked:
    asked = steps.asked(view)[: questions(view.spec)]
    return Worked(
        view.run_id,
        way_of(view.spec),
        _result(view, asked),
        asked[-1].answer or "",
        sum(len(one.steps) for one in asked),
        sum(one.tokens for one in asked),
        add_costs(one.cost for one in asked),
        sum(one.seconds for one in asked),
    )


def _result(view: RunView, asked: Sequence[steps.Asked]) -> Result:
    last = asked[-1]
    if last.approved and len(asked) == questions(view.spec):
        return "verified" if last.checked else "answered"
    if view.ended:
        return "unfinished" if last.answer else "failed"
    return "waiting" if view.question else "working"
