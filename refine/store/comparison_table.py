"""Comparisons and votes in the store: what is compared, whether it goes on, and what the author chose.

The cells' runs are ordinary runs: of them it knows only which belong to a comparison, and how their logs stand. What is
stored is a comparison's whole plan; the results are readings of the runs.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from threading import Lock
from typing import Literal, Protocol, cast

from sqlalchemy import Column, ColumnElement, Connection, delete, func, insert, select, update

from refine.errors import LogError, SettingsError, StoreError
from refine.events import from_json, to_json
from refine.store import ledger_table
from refine.store.ledger_table import Total
from refine.store.packing import dumps
from refine.store.run_index import State
from refine.store.tables import attempts, compared, comparisons, log, runs, votes
from refine.types import Comparison, Vote

Standing = Literal["open", "stopped", "budget", "waiting", "ended"]
"""open: to be worked on; stopped: by the author, or by what cannot work; budget: what is left may pass its limits;
waiting: runs wait for the author, as for a key; ended: nothing is left to do."""
MOST_SUMS = 32
"""Of comparisons asked about last, one for each kind of groups."""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One line of the list of comparisons."""

    id: str
    title: str
    at: float
    """When it was made, seconds since the epoch."""
    standing: Standing
    variants: int
    tasks: int
    repeats: int


@dataclass(frozen=True, slots=True)
class _Sum:
    """What the attempts up to one used."""

    last: int = 0
    """Its id."""
    totals: Sequence[Total] = ()


class Tables(Protocol):
    """What is needed of the store."""

    def _reading(self) -> AbstractContextManager[Connection]: ...

    def _write(self, act: Callable[[Connection], object]) -> object: ...


class Comparisons:
    """The comparisons of a store. Every method may be called from any thread; writes are durable on return."""

    def __init__(self, tables: Tables, now: Callable[[], float] = time.time) -> None:
        self._tables, self._now = tables, now
        self._sums: OrderedDict[tuple[str, tuple[str, ...]], _Sum] = OrderedDict()
        self._lock = Lock()

    def create(self, comparison_id: str, comparison: Comparison) -> None:
        """Raises StoreError where there is one of this id."""
        row = {"id": comparison_id, "at": self._now(), "state": "open", "data": _text(comparison)}
        told = _told(comparison_id, comparison)

        def act(db: Connection) -> None:
            if db.scalar(select(comparisons.c.id).where(comparisons.c.id == comparison_id)):
                raise StoreError(f"There is a comparison {comparison_id} already. Choose another id.")
            db.execute(insert(comparisons).values(row))
            db.execute(insert(compared).values(told))

        self._tables._write(act)

    def extend(self, comparison_id: str, before: Comparison, comparison: Comparison) -> None:
        """Puts the extended plan in the place of the one that was; there is something to do again.

        Raises SettingsError where it is no longer as it was `before`.
        """
        values = {"data": _text(comparison), "state": "open"}
        if not self._change(comparison_id, before, values):
            raise SettingsError(
                "The comparison was changed meanwhile, as from another tab. Look at it, then try again."
            )

    def rest(self, comparison_id: str, standing: Standing, plan: Comparison) -> bool:
        """Nothing is left to do. False where it was extended or stopped meanwhile, and stands as it did."""
        return self._change(comparison_id, plan, {"state": standing}, only="open")

    def _change(self, comparison_id: str, before: Comparison, values: dict[str, str], only: str = "") -> bool:
        def act(db: Connection) -> bool:
            where = comparisons.c.id == comparison_id
            row = db.execute(select(comparisons.c.state, comparisons.c.data).where(where)).one_or_none()
            if row is None or _value(row.data) != before or only not in ("", row.state):
                return False
            db.execute(update(comparisons).where(where).values(values))
            if "data" in values:
                db.execute(delete(compared).where(compared.c.id == comparison_id))
            return True

        return bool(self._tables._write(act))

    def stand(self, comparison_id: str, standing: Standing) -> None:
        where = comparisons.c.id == comparison_id
        self._tables._write(lambda db: db.execute(update(comparisons).where(where).values(state=standing)))

    def read(self, comparison_id: str) -> Comparison:
        """Raises SettingsError for an unknown one."""
        with self._tables._reading() as db:
            data = db.scalar(select(comparisons.c.data).where(comparisons.c.id == comparison_id))
        if data is None:
            raise _unknown(comparison_id)
        return _value(data)

    def exists(self, comparison_id: str) -> bool:
        with self._tables._reading() as db:
            return db.scalar(select(comparisons.c.id).where(comparisons.c.id == comparison_id)) is not None

    def standing(self, comparison_id: str) -> Standing:
        """Raises SettingsError for an unknown one."""
        with self._tables._reading() as db:
            state = db.scalar(select(comparisons.c.state).where(comparisons.c.id == comparison_id))
        if state is None:
            raise _unknown(comparison_id)
        return cast(Standing, state)

    def resolve(self, prefix: str) -> str:
        """The comparison whose id begins so. Raises SettingsError where there is none, or more than one."""
        with self._tables._reading() as db:
            query = select(comparisons.c.id).where(comparisons.c.id.startswith(prefix, autoescape=True)).limit(4)
            found = list(db.scalars(query))
        if prefix in found or (len(found) == 1 and prefix):
            return prefix if prefix in found else str(found[0])
        if not found or not prefix:
            raise SettingsError(f"There is no comparison {prefix!r}. See the page Compare for those there are.")
        raise SettingsError(f"Several comparisons begin with {prefix!r}: {', '.join(found)}. Give more of the id.")

    def all(self) -> list[ComparisonRow]:
        """The newest first. One whose plan cannot be read is left out."""
        with self._tables._reading() as db:
            query = select(comparisons.c.id).outerjoin(compared, compared.c.id == comparisons.c.id)
            missing = list(db.scalars(query.where(compared.c.id.is_(None))))
        if missing:
            self._tables._write(partial(_list_anew, ids=missing))
        columns = comparisons.c.id, compared.c.title, comparisons.c.at, comparisons.c.state
        counts = compared.c.variants, compared.c.tasks, compared.c.repeats
        listed = select(*columns, *counts).join(compared, compared.c.id == comparisons.c.id)
        with self._tables._reading() as db:
            rows = db.execute(listed.order_by(comparisons.c.at.desc(), comparisons.c.id.desc()))
            return [ComparisonRow(*row) for row in rows]

    def open(self) -> list[str]:
        """Those to be worked on, oldest first."""
        with self._tables._reading() as db:
            query = select(comparisons.c.id).where(comparisons.c.state == "open").order_by(comparisons.c.at)
            return list(db.scalars(query))

    # --- its runs --------------------------------------------------------------------------------------------

    def runs(self, comparison_id: str) -> dict[str, State]:
        """Run id -> how its log stands, of all runs that were begun."""
        with self._tables._reading() as db:
            query = select(runs.c.run_id, runs.c.state).where(runs.c.comparison == comparison_id)
            return {run_id: cast(State, state) for run_id, state in db.execute(query)}

    def lengths(self, comparison_id: str) -> dict[str, int]:
        """Run id -> the number of its log's last line, of all runs that were begun. What has not grown is the same."""
        mine = _of(comparison_id, log.c.run_id)
        with self._tables._reading() as db:
            return dict(db.execute(select(log.c.run_id, func.max(log.c.seq)).where(*mine).group_by(log.c.run_id)).all())

    def totals(self, comparison_id: str, *by: str) -> list[Total]:
        """What its calls used, in groups as in `Store.totals`. Only what came since it was asked last is added up."""
        with self._lock:
            kept = self._sums.pop((comparison_id, by), _Sum())
            with self._tables._reading() as db:
                last = db.scalar(select(func.max(attempts.c.id))) or 0
                mine = attempts.c.id > kept.last, attempts.c.id <= last, *_of(comparison_id, attempts.c.run_id)
                new = ledger_table.totals(list(db.execute(ledger_table.summing(by, mine))), by)
            found = ledger_table.together([*kept.totals, *new])
            self._sums[comparison_id, by] = _Sum(last, found)
            while len(self._sums) > MOST_SUMS:
                self._sums.popitem(last=False)
        return sorted(found, key=lambda total: (*total.keys.values(),))

    # --- votes -----------------------------------------------------------------------------------------------

    def vote(self, comparison_id: str, vote: Vote) -> None:
        """Keeps a vote; a later one on the same pair takes its place in `votes`."""
        row = {"comparison": comparison_id, "at": self._now(), "data": dumps(to_json(vote))}
        self._tables._write(lambda db: db.execute(insert(votes).values(row)))

    def votes(self, comparison_id: str) -> list[Vote]:
        """The last on each pair, in the order in which the pairs were first voted on."""
        with self._tables._reading() as db:
            rows = db.scalars(select(votes.c.data).where(votes.c.comparison == comparison_id).order_by(votes.c.id))
            found: Sequence[Vote] = [from_json(Vote, json.loads(data)) for data in rows]
        return [*{frozenset((vote.first, vote.second)): vote for vote in found}.values()]


def _unknown(comparison_id: str) -> SettingsError:
    return SettingsError(f"There is no comparison {comparison_id!r}. See the page Compare for those there are.")


def _text(comparison: Comparison) -> str:
    return dumps(to_json(comparison))


@lru_cache(maxsize=8)
def _value(data: str) -> Comparison:
    """Whoever conducts a comparison reads it again and again, mostly unchanged."""
    found: Comparison = from_json(Comparison, json.loads(data))
    return found


def _told(comparison_id: str, made: Comparison) -> dict[str, str | int]:
    """A row of `compared`."""
    counts = {"variants": len(made.variants), "tasks": len(made.tasks), "repeats": made.repeats}
    return {"id": comparison_id, "title": made.title, **counts}


def _list_anew(db: Connection, ids: Sequence[str]) -> None:
    for comparison_id in ids:
        data = db.scalar(select(comparisons.c.data).where(comparisons.c.id == comparison_id))
        there = db.scalar(select(compared.c.id).where(compared.c.id == comparison_id))
        if data is not None and there is None:
            with suppress(LogError, ValueError):
                db.execute(insert(compared).values(_told(comparison_id, _value(data))))


def _of(comparison_id: str, run_id: Column[str]) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """The runs named after a comparison."""
    return run_id >= f"{comparison_id}-", run_id < f"{comparison_id}."  # "." follows "-"
