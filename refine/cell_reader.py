"""Reads the cells of comparisons from the store, again and again: only what has grown since is read anew.

It keeps the results of the comparisons looked at last, so a page may ask as often as it likes. Every method may be
called from any thread.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from refine import scoreboard, views
from refine.cell_results import CellResult, result_of
from refine.cells import cells, earlier_tries, measure_id, pair_id, spec_of
from refine.errors import LogError
from refine.events import Event, Record, Started, Stopped
from refine.ledger import Cost
from refine.scoreboard import Board
from refine.store import Store, Wanted
from refine.types import Cell, Comparison, RunSpec, Vote
from refine.views import RunView

KEPT = 4
"""Comparisons."""

Seen = tuple[tuple[str, int], ...]
"""A cell's three runs (its own, the one that measures it, the one that holds it against the baseline's), and how long
their logs were; -1 = there was none."""


class Reader:
    """See the module."""

    def __init__(self, store: Store, keep: int = KEPT) -> None:
        self._store, self._keep = store, keep
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def results(self, comparison_id: str) -> tuple[CellResult, ...]:
        """The cells that were begun, in the order of the plan. Raises SettingsError for an unknown comparison."""
        with (kept := self._of(comparison_id)).lock:
            return kept.results(self._store)

    def board(self, comparison_id: str, language: str = "", against: str = "") -> Board:
        """The scoreboard as the runs stand now: the same object where nothing has changed.

        Args: see `scoreboard.board`. Raises SettingsError for an unknown comparison.
        """
        with (kept := self._of(comparison_id)).lock:
            return kept.board(self._store, language, against)

    def _of(self, comparison_id: str) -> _Kept:
        with self._lock:
            kept = self._kept.pop(comparison_id, None) or _Kept(comparison_id)
            self._kept[comparison_id] = kept
            while len(self._kept) > self._keep:
                self._kept.popitem(last=False)
            return kept


class _Kept:
    """One comparison as it was read last."""

    def __init__(self, comparison_id: str) -> None:
        self.lock = Lock()
        self._id = comparison_id
        self._version = -1
        """Of the store, when it was read."""
        self._comparison: Comparison | None = None
        self._plan: dict[str, Cell] = {}
        self._votes: Sequence[Vote] = ()
        self._cells: dict[str, tuple[Seen, CellResult]] = {}
        self._earlier: dict[str, Cost] = {}
        """What runs cost that failed and were tried again."""
        self._boards: dict[tuple[str, str], Board] = {}

    def results(self, store: Store) -> tuple[CellResult, ...]:
        self._read(store)
        return tuple(self._cells[run_id][1] for run_id in self._plan if run_id in self._cells)

    def board(self, store: Store, language: str, against: str) -> Board:
        results = self.results(store)
        assert self._comparison is not None
        key = language, against
        if key not in self._boards:
            self._boards[key] = scoreboard.board(
                self._id, self._comparison, results, self._votes, language, against, self._earlier
            )
        return self._boards[key]

    def _read(self, store: Store) -> None:
        version = store.version()
        if version == self._version:
            return
        comparison, votes = store.comparisons.read(self._id), store.comparisons.votes(self._id)
        if comparison != self._comparison:
            self._comparison, self._plan = comparison, cells(self._id, comparison)
            self._earlier = {run_id: _cost(store, run_id) for run_id in earlier_tries(comparison)}
            self._boards.clear()
        if votes != self._votes:
            self._votes = votes
            self._boards.clear()
        lengths = store.comparisons.lengths(self._id)
        for run_id, cell in self._plan.items():
            names = run_id, measure_id(comparison, run_id), pair_id(comparison, run_id)
            seen = tuple((name, lengths.get(name, -1)) for name in names)
            if run_id in lengths and (run_id not in self._cells or self._cells[run_id][0] != seen):
                self._cells[run_id] = seen, _result(store, cell, spec_of(self._id, comparison, cell), seen)
                self._boards.clear()
        self._version = version


def _result(store: Store, cell: Cell, spec: RunSpec, seen: Seen) -> CellResult:
    """A cell whose log is damaged counts as failed. One that is only measured in a damaged log has no measures."""
    (run_id, _), *judging = seen
    own, damage = _read(store, run_id, spec)
    begun = [name for name, last in judging if last >= 0]
    logs = {name: _read(store, name, spec) for name in begun if not damage}
    measured, paired = (logs[name][0] if name in logs else None for name, _ in judging)
    found = result_of(cell, own, measured, paired)
    if damage:
        return replace(found, cost=_unknown(found.cost), judging=_unknown(found.judging) if begun else found.judging)
    if unread := next((damage for _, damage in logs.values() if damage), ""):
        return replace(found, error=found.error or unread, judging=_unknown(found.judging))
    return found


def _cost(store: Store, run_id: str) -> Cost:
    try:
        return views.read(store.records(run_id)).money
    except LogError:
        return Cost(complete=False)


def _unknown(cost: Cost) -> Cost:
    return replace(cost, complete=False)


def _read(store: Store, run_id: str, spec: RunSpec) -> tuple[RunView, str]:
    """A run, and what is wrong with its log: "" = nothing."""
    try:
        return views.read(store.records(run_id)), ""
    except LogError as error:
        damage = str(error)
    at = next((row.at for row in store.runs(Wanted(search=run_id, comparison=None), limit=1)), 0.0)
    told: tuple[Event, ...] = (Started(spec), Stopped("error", error=damage))
    return views.read([Record(run_id, seq, at, event) for seq, event in enumerate(told)]), damage
