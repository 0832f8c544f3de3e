"""Ctrl-C while work is at hand: the author's stop, whatever becomes of it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading

import pytest

from refine.errors import StoreError
from refine.foreground import heeding_signals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other signals")


async def test_a_stop_that_cannot_be_stored_is_told_and_leaves_the_work_unfinished() -> None:
    told: list[str] = []

    def stop() -> None:
        raise StoreError("The disk is full.")

    async def work() -> None:
        with heeding_signals(stop, told.append, lambda kept: None):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(20)

    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(work())
    assert told[0].startswith("Stopping") and told[1:] == ["The stop could not be kept. The disk is full."]


async def test_a_stop_that_is_stored_lets_the_work_end_by_itself() -> None:
    stopped = threading.Event()

    async def work() -> str:
        with heeding_signals(stopped.set, lambda said: None, lambda kept: None):
            os.kill(os.getpid(), signal.SIGINT)
            while not stopped.is_set():
                await asyncio.sleep(0.01)
            return "ended"

    assert await asyncio.create_task(work()) == "ended"


@pytest.mark.parametrize(
    ("stop", "kept"), [("time.sleep(0.3)", True), ("raise OSError", False), ("time.sleep(60)", False)]
)
def test_a_second_ctrl_c_leaves_only_when_it_is_known_whether_the_stop_is_on_record(stop: str, kept: bool) -> None:
    program = f"""
        import asyncio, os, signal, time
        from refine import foreground
        def stop():
            {stop}
        async def work():
            with foreground.heeding_signals(stop, lambda said: None, lambda kept: print(kept, flush=True)):
                os.kill(os.getpid(), signal.SIGINT)
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(2):
                    await asyncio.sleep(0)
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(20)
        asyncio.run(work())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=30)
    assert (done.stdout.strip(), done.returncode) == (str(kept), 130), done.stderr
