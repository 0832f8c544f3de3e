"""Conducts comparisons: drives their cells, so many at once, and has every result measured.

Each cell is an ordinary run that `Workbench.execute` drives, beside the queue and behind an author's own calls. Who
conducts holds the comparison's lock. What is done stands in the store alone: after a stop, a crash or an extension,
whoever comes next goes on, no cell is made twice and no finished call is paid again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from traceback import format_exception
from typing import Any

from refine.allowance import NOTHING, Share, candidates, fits, held_to, known
from refine.cells import cell_id, cells, judging, measure_id, pair_id, spec_of, task_of
from refine.comparisons import Guess
from refine.errors import Lost, RefineError, StoreError
from refine.ledger import add_costs
from refine.locks import run_lock
from refine.runs import Workbench
from refine.settings import redact
from refine.store.comparison_table import Standing
from refine.types import Cell, Comparison, RunSpec
from refine.views import RunView

LOOK_SECONDS = 0.2
"""Between two looks whether the author stopped or extended a comparison."""
KEEP_SECONDS = 1.0
"""Between two looks for comparisons that nobody conducts."""
BUSY_SECONDS = 1.0
"""Until what another process held is tried again."""
STORE_SECONDS = 10.0
"""Until a comparison is tried again of which nothing could be stored, as on a full disk."""
TRIES = 3
"""Unexpected failures in a row after which a run is given up."""
log = logging.getLogger("refine.conductor")


class Busy(Exception):
    """Another process drives that run."""


async def keep(bench: Workbench) -> None:
    """Conducts every open comparison of the folder that nobody else conducts. Runs until cancelled."""
    under_way: dict[str, asyncio.Task[Standing]] = {}
    try:
        while True:
            try:
                for comparison_id in bench.store.comparisons.open():
                    if comparison_id not in under_way or under_way[comparison_id].done():
                        under_way[comparison_id] = asyncio.create_task(conduct(bench, comparison_id))
            except StoreError as error:
                log.error("comparisons: %s", error)
            await asyncio.sleep(KEEP_SECONDS)
    finally:
        await _cut(under_way.values())


async def conduct(bench: Workbench, comparison_id: str) -> Standing:
    """Works on a comparison until it rests; does nothing where another works on it."""
    with run_lock(bench.settings.home, comparison_id) as mine:
        if not mine:
            return bench.store.comparisons.standing(comparison_id)
        try:
            return await work_on(bench, comparison_id)
        except StoreError as error:
            log.error("comparison %s: %s", comparison_id, error)
            await asyncio.sleep(STORE_SECONDS)
            return "open"


async def work_on(bench: Workbench, comparison_id: str) -> Standing:
    """As `conduct`, for who holds the comparison's lock. What cannot work stops it, with a line in the log.

    Raises StoreError where nothing can be stored: the comparison stays open, and whoever comes next goes on.
    """
    try:
        return await Conductor(bench, comparison_id).work()
    except StoreError:
        raise
    except Exception as error:
        log.error("comparison %s: %s", comparison_id, redact(str(error)) or type(error).__name__)
        bench.store.comparisons.stand(comparison_id, "stopped")
        return "stopped"


class Conductor:
    """The work on one comparison. Its pieces are named by run ids: a cell, and a cell held against the baseline's."""

    def __init__(self, bench: Workbench, comparison_id: str) -> None:
        self._bench, self._id = bench, comparison_id
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._waiting: set[str] = set()
        """Pieces that wait for the author, as for a key."""
        self._busy: set[str] = set()
        """Pieces that another process works on; tried again."""
        self._unstored: StoreError | None = None
        """Why nothing can be stored."""
        self._texts: dict[str, str | None] = {}
        """Results of the cells that are done."""
        self._take(bench.store.comparisons.read(comparison_id))

    async def work(self) -> Standing:
        store = self._bench.store.comparisons
        try:
            while (standing := store.standing(self._id)) == "open":
                if (plan := store.read(self._id)) != self.plan:  # it was extended
                    self._take(plan)
                waits_for_money = self._begin_more()
                if self._under_way or self._busy:
                    await self._some_end()
                    if self._unstored:
                        raise self._unstored
                    continue
                standing = "budget" if waits_for_money else "waiting" if self._waiting else "ended"
                if store.rest(self._id, standing, self.plan):
                    return standing
            return standing
        finally:
            await _cut(self._under_way.values())
            for name in self._runs():
                self._bench.keys.give_back(name)

    async def _some_end(self) -> None:
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(BUSY_SECONDS)
            self._busy.clear()
        self._under_way = {name: task for name, task in self._under_way.items() if not task.done()}

    def _take(self, plan: Comparison) -> None:
        self.plan = plan
        self.cells = cells(self._id, plan)
        self.ids = {cell: run_id for run_id, cell in self.cells.items()}
        self.guess = Guess(self._bench, plan)
        self._states = self._bench.store.comparisons.runs(self._id)
        self._shares: dict[str, Share] = {}
        self._done: set[str] = set()
        """Pieces about which nothing is left to do."""

    def _runs(self) -> Iterator[str]:
        for run_id in self.cells:
            yield from (run_id, measure_id(self.plan, run_id), pair_id(self.plan, run_id))

    # --- what to do next -------------------------------------------------------------------------------------

    def _begin_more(self) -> bool:
        """Begins what there is room for. True: something was left, but for the comparison's limits."""
        left = False
        if self.plan.limits:
            self._spent = self._used()
        for name, cell, work in self._todo():
            if len(self._under_way) >= self.plan.concurrency:
                return False
            if self._affordable(name):
                self._under_way[name] = asyncio.create_task(self._piece(name, cell, work))
            else:
                left = True
        return left

    def _used(self) -> Share:
        totals = self._bench.store.comparisons.totals(self._id)
        tokens = sum(total.usage.input_tokens + total.usage.output_tokens for total in totals)
        return Share(known(add_costs(total.cost for total in totals)), tokens)

    def _todo(self) -> Iterator[tuple[str, Cell, Callable[[str, Cell], Coroutine[Any, Any, bool]]]]:
        """Cells first, as all else hangs on them. One whose cost is given waits for the cell that it is given from."""
        passed = self._done | self._waiting | self._busy | self._under_way.keys()
        for run_id, cell in self.cells.items():
            model = self._model_of(cell)
            if run_id not in passed and (model is None or model in self._done):
                yield run_id, cell, self._cell
        if not self.plan.pairs:
            return
        for run_id, cell in self.cells.items():
            name = pair_id(self.plan, run_id)
            ended = run_id in self._done and self._baseline_of(cell) in self._done
            if cell.variant != self.plan.against and name not in passed and ended:
                yield name, cell, self._pair

    def _model_of(self, cell: Cell) -> str | None:
        """The cell whose cost this one is given."""
        model = self.plan.matched.get(cell.variant)
        return None if model is None else self.ids[replace(cell, variant=model)]

    def _baseline_of(self, cell: Cell) -> str:
        return self.ids[replace(cell, variant=self.plan.against)]

    # --- limits ----------------------------------------------------------------------------------------------

    def _affordable(self, name: str) -> bool:
        """May a piece be begun? Those under way count with all that they may use."""
        if not self.plan.limits:
            return True
        need = self._share(name)
        return need == NOTHING or fits(self.plan.limits, self._spent, map(self._share, self._under_way), need)

    def _share(self, name: str) -> Share:
        """What a piece may use; nothing where its runs have ended."""
        if name not in self._shares:
            self._shares[name] = sum(map(self.guess.set_aside, self._to_be_driven(name)), NOTHING)
        return self._shares[name]

    def _to_be_driven(self, name: str) -> Iterator[RunSpec]:
        cell, states = self.cells[cell_id(name)], self._states
        draft = task_of(self.plan, cell.task).draft
        if name not in self.cells:
            if states.get(name) != "ended":
                yield self._judging("prefer", cell, draft)
            return
        if states.get(name) != "ended":
            yield self._spec(cell)
        if self.plan.judge and states.get(measure_id(self.plan, name)) != "ended":
            yield self._judging("measure", cell, draft)

    def _limited(self, spec: RunSpec) -> RunSpec:
        """A run of a comparison with limits is held to what is set aside for it."""
        return held_to(spec, self.plan.limits, self.guess.set_aside(spec)) if self.plan.limits else spec

    # --- pieces of work --------------------------------------------------------------------------------------

    async def _piece(self, name: str, cell: Cell, work: Callable[[str, Cell], Coroutine[Any, Any, bool]]) -> None:
        """One piece, whatever happens in it. `work` says whether nothing is left to do about it."""
        try:
            (self._done if await work(name, cell) else self._waiting).add(name)
        except (Busy, Lost):
            self._busy.add(name)
        except StoreError as error:
            self._unstored = error
        except Exception as error:
            log.error("comparison %s, run %s: %s", self._id, name, redact(str(error)) or type(error).__name__)
            self._waiting.add(name)

    async def _cell(self, run_id: str, cell: Cell) -> bool:
        view = await self._run(run_id, partial(self._spec, cell))
        self._texts[run_id] = view.text if view.status == "done" else None
        if view.status != "done" or view.text is None or not self.plan.judge:
            return view.ended  # a loop that failed or was stopped has no result to be measured
        measured = await self._run(measure_id(self.plan, run_id), partial(self._judging, "measure", cell, view.text))
        return measured.ended

    async def _pair(self, name: str, cell: Cell) -> bool:
        mine, other = self._texts[self.ids[cell]], self._texts[self._baseline_of(cell)]
        if mine is None or other is None:
            return True
        return (await self._run(name, partial(self._judging, "prefer", cell, mine, other=other))).ended

    async def _run(self, run_id: str, spec: Callable[[], RunSpec]) -> RunView:
        """Drives a run as far as it goes, and makes it where it is not yet. Raises Busy."""
        with run_lock(self._bench.settings.home, run_id) as mine:
            if not mine:
                raise Busy(run_id)
            if not self._bench.store.exists(run_id):
                made = self._limited(spec())
                await asyncio.wrap_future(self._bench.store.creating(run_id, made, queue=False))
            return await self._driven(run_id)

    async def _driven(self, run_id: str) -> RunView:
        """A run that fails in an unexpected way again and again is given up, on record."""
        for n in range(1, TRIES + 1):
            try:
                return await self._bench.execute(run_id)
            except RefineError:
                raise
            except Exception as error:
                trace = redact("".join(format_exception(error)))
                log.error("comparison %s: run %s failed\n%s", self._id, run_id, trace)
                if n == TRIES:
                    await self._bench.give_up(run_id, redact(str(error)) or type(error).__name__)
        return self._bench.read(run_id)

    def _spec(self, cell: Cell) -> RunSpec:
        spec = spec_of(self._id, self.plan, cell)
        if (model := self._model_of(cell)) is None:
            return spec
        view, two = self._bench.read(model), replace(spec, options={**spec.options, "n": 2})
        used = view.usage.input_tokens + view.usage.output_tokens
        return replace(spec, options={**spec.options, "n": candidates(self.guess.forecast(two), view.cost, used)})

    def _judging(self, technique: str, cell: Cell, text: str, **more: str) -> RunSpec:
        return judging(self._id, self.plan, technique, cell, text, **more)


async def _cut(tasks: Any) -> None:
    """Runs that are cut stay unfinished, and go on from their logs."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
