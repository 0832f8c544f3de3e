"""How models were in the runs before, read from their logs and remembered. It knows nothing of prices and limits."""

from __future__ import annotations

from typing import cast

from refine.events import Started
from refine.forecast import Habit, Model, habit_of
from refine.store import Store
from refine.types import RunSpec

MOST = 64
"""So many are remembered: those of a model in the same runs before."""


class Habits:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[Model | str, ...], Habit] = {}

    def of(self, spec: RunSpec, before: float | None = None) -> dict[Model, Habit]:
        """Those of the models of a run, in the runs before, or before a moment."""
        return {model: self._of(model, before) for model in {(role.endpoint, role.model) for role in spec.roles}}

    def _of(self, model: Model, before: float | None) -> Habit:
        runs = self._store.runs_of(*model, before=before)
        if not runs:
            return Habit()
        found = self._known.get((model, *runs))
        if found is None:
            if len(self._known) >= MOST:
                self._known.clear()
            logs = [self._store.records(run_id) for run_id in runs]
            found = habit_of(model, [(cast(Started, log[0].event).spec, log) for log in logs if log])
            self._known[model, *runs] = found
        return found
