"""Work in threads, as a program sees it that is told to end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from refine.beside import MOST, beside, busy

LEFT = """
import asyncio, threading
from refine.beside import beside

async def main():
    left = asyncio.create_task(beside(threading.Event().wait))
    await asyncio.sleep(0)
    left.cancel()

asyncio.run(main())
"""


def test_work_that_nobody_waits_for_holds_up_no_exit() -> None:
    assert subprocess.run([sys.executable, "-c", LEFT], timeout=30).returncode == 0


async def test_more_work_than_threads_is_all_done_each_with_its_own_result() -> None:
    assert await asyncio.gather(*(beside(divmod, n, 7) for n in range(5 * MOST))) == [
        divmod(n, 7) for n in range(5 * MOST)
    ]


async def test_what_the_work_raises_reaches_who_waits() -> None:
    with pytest.raises(ZeroDivisionError):
        await beside(divmod, 1, 0)


async def test_it_tells_whether_work_goes_on() -> None:
    begun, go_on = threading.Event(), threading.Event()
    work = asyncio.create_task(beside(lambda: begun.set() or go_on.wait()))  # type: ignore[func-returns-value]
    await beside(begun.wait)
    assert busy()
    go_on.set()
    assert await work
    assert not busy()
