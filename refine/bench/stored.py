"""The store: what recording a call costs, what a run takes up, how soon a long list of runs shows its first rows."""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from refine.bench.rows import Row, Size
from refine.bench.tools import CALLS, KILOBYTE, REVIEWS, STORED_WORDS, behave, draft_of, environment, home, refined
from refine.events import Called, Event, Replied
from refine.store import Store, Wanted
from refine.store.database import NAME
from refine.types import Message, ModelCall, Reply, RunSpec, Task, Usage

SHOWN = 50
"""Rows of one page."""


# --- the journal: the one row below the public API, as it measures the store itself ----------------------------------


def journal(size: Size, url: str) -> Iterator[Row]:
    """CPU of recording a call: Called, durable before it is made, and Replied."""
    for what, target, loops, appends in (
        ("durable journal (FULL), CPU a call, in sequence", 0.6, 1, size.appends),
        (f"durable journal (FULL), CPU a call, {size.at_once} loops", 0.12, size.at_once, CALLS),
    ):
        found = [asyncio.run(_recorded(home() / f"{loops}-{n}", loops, appends)) for n in range(size.blocks)]
        yield Row(what, statistics.median(found), target, "ms", "blocks " + " ".join(f"{ms:.3f}" for ms in found))


async def _recorded(folder: Path, loops: int, calls: int) -> float:
    """Milliseconds of CPU a call."""
    folder.mkdir(parents=True)
    store = Store.open(folder)
    told = {str(n): [_told(n, call) for call in range(calls)] for n in range(loops)}
    for run_id in told:
        store.create(run_id, RunSpec("refine", "bench", Task(draft=run_id)), queue=False)

    async def record(run_id: str) -> None:
        log = store.run_log(run_id, 1)
        for called, replied in told[run_id]:
            log.append(called)
            await log.durable()
            log.append(replied)
        await log.durable()

    began = time.process_time()
    await asyncio.gather(*map(record, told))
    spent = time.process_time() - began
    store.close()
    return spent / (loops * calls) * 1_000


def _told(number: int, call: int) -> tuple[Event, Event]:
    text = draft_of(STORED_WORDS, number * 1_000 + call)
    system = Message("system", ("You are a line editor. " * 40,))
    asked = ModelCall("writer", (system, Message("user", (text,))))
    return Called(str(call), asked), Replied(str(call), Reply(content=text + ".", usage=Usage(700, 350)))


# --- what a run takes up -----------------------------------------------------------------------------------------


def storage(size: Size, url: str) -> Iterator[Row]:
    """What a run takes up in the store's file, and what each further round does."""
    behave(url)
    kept = {n: _kept(home() / str(n), url, size.stored, n) for n in (REVIEWS, 2 * REVIEWS, 4 * REVIEWS)}
    yield Row(f"storage of a run of {CALLS} calls, 1.5 KB draft", kept[REVIEWS], 12, "KB", f"{size.stored} runs")
    early = (kept[2 * REVIEWS] - kept[REVIEWS]) / REVIEWS
    late = (kept[4 * REVIEWS] - kept[2 * REVIEWS]) / (2 * REVIEWS)
    detail = f"{late:.1f} of {early:.1f} KB; the texts themselves grow by a sentence a round"
    yield Row("storage of a round, rounds 7 to 12 / rounds 4 to 6", late / early, 1.25, detail=detail)


def _kept(folder: Path, url: str, runs: int, reviews: int) -> float:
    """Kilobytes a run in the file, where every run has a draft of its own."""

    async def add(numbers: range) -> None:
        for number in numbers:
            await refined(url, draft_of(STORED_WORDS, number), reviews=reviews)

    with environment(REFINE_HOME=str(folder)):
        asyncio.run(add(range(1)))  # the prompts are stored once
        empty = (folder / NAME).stat().st_size
        asyncio.run(add(range(1, runs + 1)))
    return ((folder / NAME).stat().st_size - empty) / runs / KILOBYTE


# --- the list of runs --------------------------------------------------------------------------------------------


def listed(size: Size, url: str) -> Iterator[Row]:
    """What the page of runs waits for: the store's opening, the number of runs and the first rows of the list."""
    behave(url)
    asyncio.run(refined(url, draft_of(STORED_WORDS)))
    _copied(home() / NAME, size.listed)
    lists = {
        "all": Wanted(),
        "few found": Wanted(search=f"{size.listed // 2} "),
        "none found": Wanted(search="whale"),
        "in one state": Wanted(status="unapproved"),
    }
    found = {what: statistics.median(_shown(wanted) for _ in range(size.blocks)) for what, wanted in lists.items()}
    detail = "the slowest of: " + ", ".join(f"{what} {seconds:.2f} s" for what, seconds in found.items())
    yield Row(f"first rows of the list of {size.listed:,} runs", max(found.values()), 1, "s", detail)


def _copied(file: Path, runs: int) -> None:
    """So many runs in the list, made of the rows of the one that is there."""
    copied = {"run_id": "printf('%s-%06d', run_id, n.n)", "at": "at - 60 * n.n", "title": "n.n || ' ' || title"}
    with closing(sqlite3.connect(file)) as db:
        for table in ("runs", "summary"):
            columns = [name for _, name, *_ in db.execute(f"pragma table_info({table})")]
            values = ", ".join(copied.get(name, name) for name in columns)
            db.execute(
                f"with recursive n(n) as (select 1 union all select n + 1 from n where n < {runs - 1}) "
                f"insert into {table}({', '.join(columns)}) select {values} from {table}, n"
            )
        db.commit()


def _shown(wanted: Wanted) -> float:
    """Seconds until the rows are there."""
    began = time.perf_counter()
    store = Store.open(home())
    store.count_runs(wanted)
    store.runs(wanted, limit=SHOWN)
    taken = time.perf_counter() - began
    store.close()
    return taken
