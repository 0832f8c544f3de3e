"""The benchmark runs and says of every row what it is and whether it was reached. No figure of speed is tested here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import refine
from refine.bench import Row, line
from refine.bench.calls import taken
from refine.bench.rows import above_noise
from refine.bench.runs import lost
from refine.bench.tools import CALLS, settings

QUICK = (sys.executable, "-m", "refine", "bench", "--quick")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Of one quick run of the command."""
    done = subprocess.run([*QUICK, "--json"], capture_output=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def test_every_row_has_a_figure_and_says_whether_it_was_reached(rows: list[dict[str, Any]]) -> None:
    assert len(rows) >= 15
    assert all(row["what"] and (row["figure"] is None or row["figure"] >= 0) for row in rows)
    assert all((row["reached"] is None) == (row["figure"] is None or row["target"] is None) for row in rows)


def test_what_is_not_a_matter_of_speed_is_reached_on_any_computer(rows: list[dict[str, Any]]) -> None:
    figures = {row["what"]: row["figure"] for row in rows}
    assert figures["prompt tokens of 4 rounds / best draft, findings, lessons"] == 1.0
    assert figures["loops lost of 3 at 10 % injected faults"] == 0


def test_a_row_is_printed_as_soon_as_it_is_known() -> None:
    with subprocess.Popen(QUICK, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            assert running.stdout.readline().startswith("CPU, one loop after another")
            assert running.poll() is None
        finally:
            running.terminate()


def test_a_row_that_is_not_reached_says_so() -> None:
    assert " NO" in line(Row("slow", 2.0, 1.0)) and " yes" in line(Row("fast", 0.5, 1.0))
    assert "not measured" in line(Row("elsewhere", None, 1.0)) and Row("elsewhere", None, 1.0).reached is None


def test_a_difference_that_chance_hides_is_not_shown_as_a_figure() -> None:
    assert above_noise(0.2) == 0.2
    assert above_noise(-0.1) is None and "not measured" in line(Row("CPU", above_noise(-0.1), 0.2))


async def test_what_the_clock_says_is_shared_out_among_the_calls() -> None:
    times, done = iter([10.0, 13.0]), []

    async def job() -> None:
        done.append(1)

    assert await taken(job, 6, 3, lambda: next(times)) == 3.0 / (6 * CALLS) * 1_000
    assert len(done) == 6


@pytest.mark.parametrize(("critic", "gone"), [("never-satisfied", False), ("failing", True), ("steady", True)])
def test_a_loop_is_lost_that_does_not_end_with_all_its_rounds(
    critic: str, gone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    models = {"role.writer.model": "steady", "role.critic.model": critic, "limits.failures": 1}
    chosen = {**settings(endpoint="scripted"), **models}
    assert lost(refine.refine_text("We met at the gate.", variant="polish", checks="none", set=chosen)) == gone
