"""A comparison of whole loops: how long it takes beside what its calls take at least, and whether its bill is right."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator

import refine
from refine.bench.rows import Row, Size
from refine.bench.tools import ENDLESS, KILOBYTE, STORED_WORDS, behave, counted, draft_of, settings

VARIANTS = ("classic", "polish", "plain-language", "shorten", "technical-review")
REPEATS = 5
AT_ONCE = 16
LATENCY = 0.5
"""Seconds before the server answers."""
CHECKS = ("grammar", "wording", "typography", "repeats", "sentences")
"""Switched off: they are no calls to a model, and take the processor whatever the number of runs at once."""


def comparison(size: Size, url: str) -> Iterator[Row]:
    """Five variants, so many texts, five repeats: every run five calls, one after another."""
    behave(url, latency=LATENCY)
    drafts = [draft_of(STORED_WORDS, number) for number in range(size.texts)]
    changes = {**settings(), **{f"checks.{name}": "off" for name in CHECKS}}
    began, before = time.perf_counter(), _peak()
    board = refine.compare(
        drafts,
        VARIANTS,
        repeats=REPEATS,
        checks=["kept"],
        concurrency=AT_ONCE,
        base_url=url,
        model=ENDLESS,
        set=changes,
    )
    wall, grown = time.perf_counter() - began, _peak() - before
    seen = counted(url)
    runs = f"a comparison of {len(board.cells)} runs"
    ideal = seen["requests"] * LATENCY / AT_ONCE
    detail = f"{wall:.1f} of {ideal:.1f} s, {seen['requests']} calls, {grown:.0f} MB more memory"
    yield Row(f"wall of {runs}, {AT_ONCE} at once / its calls alone", wall / ideal, 1.3, detail=detail)
    mine = sum(cell.tokens_in + cell.tokens_out for cell in board.cells)
    other = seen["input_tokens"] + seen["output_tokens"]
    yield Row(f"tokens on record of {runs}, off from the server's count", abs(mine - other), 0, detail=f"{mine:,}")


def _peak() -> float:
    """Megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KILOBYTE / (KILOBYTE if sys.platform == "darwin" else 1)
