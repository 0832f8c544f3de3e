"""Blocking work beside an event loop, in a few threads that hold up no exit: they end with the process.

The loop's own threads are waited for when a program ends, so one long check would outlast a stop by minutes.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

MOST = min(32, (os.cpu_count() or 1) + 4)
"""Threads; more work waits."""

_waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
_threads: list[threading.Thread] = []
_at_work: set[Future[Any]] = set()


def busy() -> bool:
    """Is work going on? Then `os._exit` ends the program: Python's own way aborts where a thread is in native code."""
    return bool(_at_work)


async def beside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What the work gives back. Who stops waiting for it leaves it behind."""
    promised: Future[Any] = Future()

    def fulfil() -> None:
        if not promised.set_running_or_notify_cancel():
            return
        _at_work.add(promised)
        try:
            result = work(*given, **named)
        except BaseException as error:  # whoever waits hears of it
            _at_work.discard(promised)
            promised.set_exception(error)
        else:
            _at_work.discard(promised)
            promised.set_result(result)

    _waiting.put(fulfil)
    if len(_threads) < MOST:
        _threads.append(threading.Thread(target=_work, daemon=True, name="beside"))
        _threads[-1].start()
    return cast(T, await asyncio.wrap_future(promised))


def _work() -> None:
    while True:
        _waiting.get()()
