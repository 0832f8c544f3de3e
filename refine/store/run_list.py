"""The list of runs: which ones are wanted, in which order, and a line of it as a value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Float, Row, Select, cast, func, literal_column, or_, select

from refine.store.run_index import State
from refine.store.tables import runs, summary
from refine.types import Status

STATUS_OF_STATE: dict[State, Status] = {"open": "running", "waiting": "waiting", "ended": "done"}
"""For a run whose summary row is missing."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One line of the list of runs: a hint made from the log, newer or older than it by moments."""

    run_id: str
    title: str
    technique: str
    variant: str
    at: float
    """When the run was made, seconds since the epoch."""
    status: Status
    reason: str = ""
    rounds: int = 0
    cost: Decimal | None = None
    """None = unknown."""
    currency: str = "USD"
    input_tokens: int = 0
    output_tokens: int = 0
    scores: tuple[float, ...] = ()
    """Of the rounds that have one, in order."""
    seconds: float = 0.0
    """Driving time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which runs a list shows. What is not set leaves nothing out."""

    search: str = ""
    """Part of a title, id, technique or variant."""
    status: str = ""
    """A name of `GROUPS`."""
    variant: str = ""
    technique: str = ""
    model: str = ""
    """As `endpoint/model`."""
    prompt: str = ""
    """As `role/hash`."""
    since: float | None = None
    before: float | None = None
    """Seconds since the epoch."""
    cost: float | None = None
    """This much or more, in whatever currency; runs of unknown cost are left out."""
    without: tuple[str, ...] = ()
    """Ids."""
    comparison: str | None = ""
    """The runs of this comparison alone; "" = those of none; None = whether or not they belong to one."""

    @property
    def by_summary(self) -> bool:
        """Do summary rows decide?"""
        return bool(self.status) or self.cost is not None


@dataclass(frozen=True, slots=True)
class PromptUse:
    """A role's prompt as runs of one variant had it."""

    role: str
    version: str
    """Its `prompt_hash`."""
    first: float
    last: float
    """When the first and the last of these runs were made, seconds since the epoch."""
    runs: int
    run_id: str
    """One of them: its log holds the text."""


EVERY_RUN = Wanted(comparison=None)
GOOD_ENDS = ("approved", "score", "finished")

GROUPS: Mapping[str, ColumnElement[bool]] = {
    "going": summary.c.status.in_(("queued", "running")),
    "waiting": summary.c.status == "waiting",
    "approved": (summary.c.status == "done") & summary.c.reason.in_(GOOD_ENDS),
    "unapproved": (summary.c.status == "done") & summary.c.reason.not_in(GOOD_ENDS),
    "cancelled": summary.c.status == "cancelled",
    "failed": summary.c.status == "failed",
}
"""The states by which a list is narrowed."""

ENDED: ColumnElement[bool] = literal_column("runs.state = 'ended'")
ORDER = ENDED, runs.c.at.desc(), runs.c.run_id.desc()
"""Written as the index `runs_listed` is, which SQLite takes only then."""


def listing(wanted: Wanted) -> Select[Any]:
    """The runs wanted; the summary's columns are None where its row is missing."""
    columns = [column for column in summary.c if column.name != "run_id"]
    joined = select(runs, *columns).outerjoin(summary, runs.c.run_id == summary.c.run_id)
    return joined.where(*_conditions(wanted)).order_by(*ORDER)


def count(wanted: Wanted) -> Select[Any]:
    query = select(func.count()).select_from(runs)
    if wanted.by_summary:
        query = query.join(summary, runs.c.run_id == summary.c.run_id)
    return query.where(*_conditions(wanted))


NOT_ENDED = (
    select(runs.c.state, func.count()).where(literal_column("(runs.state = 'ended') = 0")).group_by(runs.c.state)
)


def missing() -> Select[Any]:
    """Runs without a summary row."""
    return listing(EVERY_RUN).where(summary.c.run_id.is_(None))


def _conditions(wanted: Wanted) -> Iterator[ColumnElement[bool]]:
    if wanted.search:
        places = runs.c.title, runs.c.run_id, runs.c.technique, runs.c.variant
        yield or_(*(place.icontains(wanted.search, autoescape=True) for place in places))
    if wanted.status:
        yield GROUPS[wanted.status]
    if wanted.variant:
        yield runs.c.variant == wanted.variant
    if wanted.technique:
        yield runs.c.technique == wanted.technique
    if wanted.model:
        yield runs.c.models.contains(f"\n{wanted.model}\n", autoescape=True)
    if wanted.prompt:
        yield runs.c.prompts.contains(f"\n{wanted.prompt}\n", autoescape=True)
    if wanted.since is not None:
        yield runs.c.at >= wanted.since
    if wanted.before is not None:
        yield runs.c.at < wanted.before
    if wanted.cost is not None:
        yield cast(summary.c.cost, Float) >= wanted.cost
    if wanted.comparison is not None:
        yield runs.c.comparison == wanted.comparison
    if wanted.without:
        yield runs.c.run_id.not_in(wanted.without)


def prompts_in(variant: str) -> Select[Any]:
    """Which prompts the runs of a variant had together, for `prompt_uses`."""
    columns = runs.c.prompts, func.min(runs.c.at), func.max(runs.c.at), func.count(), func.max(runs.c.run_id)
    return select(*columns).where(runs.c.variant == variant, runs.c.prompts != "").group_by(runs.c.prompts)


def prompt_uses(rows: Iterable[Sequence[Any]]) -> list[PromptUse]:
    """Each prompt once, the one used last first."""
    found: dict[str, PromptUse] = {}
    for together, first, last, count, run_id in rows:
        for name in together.split():
            role, _, version = name.rpartition("/")
            use = found.setdefault(name, PromptUse(role, version, first, last, 0, run_id))
            dates = min(first, use.first), max(last, use.last)
            found[name] = PromptUse(role, version, *dates, use.runs + count, use.run_id)
    return sorted(found.values(), key=lambda use: use.last, reverse=True)


def row(found: Row[Any]) -> RunRow:
    head = found.run_id, found.title, found.technique, found.variant, found.at
    if found.status is None:
        return RunRow(*head, STATUS_OF_STATE[found.state])
    return RunRow(
        *head,
        found.status,
        found.reason,
        found.rounds,
        None if found.cost is None else Decimal(found.cost),
        found.currency,
        found.input_tokens,
        found.output_tokens,
        tuple(float(score) for score in found.scores.split()),
        found.seconds,
    )


def summary_values(row: RunRow) -> dict[str, Any]:
    return {
        "run_id": row.run_id,
        "status": row.status,
        "reason": row.reason,
        "rounds": row.rounds,
        "cost": None if row.cost is None else str(row.cost),
        "currency": row.currency,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "scores": " ".join(f"{score:g}" for score in row.scores),
        "seconds": row.seconds,
    }
