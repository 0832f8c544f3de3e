"""Fresh processes: what an import costs, and how much memory runs at once take."""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

from refine.bench.rows import Row, Size, above_noise
from refine.bench.tools import ENDLESS, KILOBYTE, STORED_WORDS, behave, draft_of, python, settings

IMPORT = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"
HELD = Path(__file__).with_name("held.py")
LATENCY = 0.25
"""Seconds before the server answers, so that all runs wait at the same time."""


def imports(size: Size, url: str) -> Iterator[Row]:
    pairs = [(_imported("refine"), _imported("openai")) for _ in range(size.starts)]
    mine, other = (statistics.median(side) * 1_000 for side in zip(*pairs, strict=True))
    yield Row("import refine / import openai", mine / other, 1.15, detail=f"{mine:.1f} of {other:.0f} ms of CPU")


def _imported(name: str) -> float:
    """Seconds of CPU in a fresh process."""
    return float(python("-c", IMPORT.format(name)))


def memory(size: Size, url: str) -> Iterator[Row]:
    """Of a program that does nothing but refine texts (`held.py`); while all of them wait for the server."""
    behave(url, latency=LATENCY)
    drafts = [draft_of(STORED_WORDS, number) for number in range(size.at_once)]
    order = {"base_url": url, "model": ENDLESS, "checks": "none", "set": settings()}
    loops = f"{size.at_once} loops"
    try:
        said = python("-P", HELD, given=json.dumps({"drafts": drafts, "order": order}))
    except subprocess.CalledProcessError:  # this system keeps no such account
        yield from (Row(what, None) for what in ("memory of a run in flight", "peak memory"))
        return
    before, peak = (int(number) / KILOBYTE for number in said.split())
    grown = (peak - before) / size.at_once * KILOBYTE
    yield Row(f"memory of a run in flight, {loops}", above_noise(grown), 64, "KB", "growth of the peak, a run")
    yield Row(f"peak memory of a process with {loops}", peak, 100, "MB", f"{before:.0f} MB with one run")
