"""Who may call an endpoint now: all runs of a process stand in one line at each, first come, first served.

Runs of comparisons stand behind: an author who waits for a text is served before them.

How long to wait is decided in `models.rates`, whether a cap allows it in `spending`. Belongs to one event loop and goes
by its clock.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from refine.caps import Refusal
from refine.errors import ModelError
from refine.models.rates import Rates, Ticket
from refine.spending import Spending
from refine.types import Endpoint, Usage, Worst


class Line:
    """Those who want to call one endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.rates = Rates(endpoint)
        self.waiting: tuple[deque[asyncio.Event], deque[asyncio.Event]] = (deque(), deque())
        """An author's own runs, and those of comparisons."""

    @property
    def first(self) -> asyncio.Event | None:
        own, compared = self.waiting
        return own[0] if own else compared[0] if compared else None

    def wake(self) -> None:
        if self.first:
            self.first.set()


class Lines:
    """The lines of a process, by endpoint."""

    def __init__(self) -> None:
        self._lines: dict[Endpoint, Line] = {}

    def at(self, endpoint: Endpoint) -> Line:
        line = self._lines.get(endpoint)
        if line is None:
            line = self._lines[endpoint] = Line(endpoint)
        return line

    def heard(self, endpoint: Endpoint, model: str, headers: Mapping[str, str]) -> None:
        """An answer came; its headers may say something of limits. Most say nothing, which should cost nothing."""
        said = {name.lower(): value for name, value in headers.items() if "ratelimit" in name.lower()}
        if said:
            self.at(endpoint).rates.learn(_now(), model, said, datetime.now(UTC))


class Slot:
    """One call's place: see `perform.Slot`.

    Args:
        worst: the most that the call can use; asked only where it matters.
        behind: let those go first that are not.
    """

    def __init__(
        self,
        line: Line,
        spending: Spending,
        endpoint: str,
        model: str,
        worst: Callable[[], Worst],
        *,
        behind: bool = False,
    ) -> None:
        self._line, self._spending, self._endpoint, self._model = line, spending, endpoint, model
        self._worst, self._queue = worst, line.waiting[behind]
        self._ticket: Ticket | None = None
        self._began = 0.0
        self._usage: Usage | None = None

    @property
    def waits(self) -> bool:
        return bool(self._queue or self._line.waiting[0]) or self._wait() != 0

    async def free(self) -> None:
        line, mine = self._line, asyncio.Event()
        self._queue.append(mine)
        try:
            while line.first is not mine or (wait := self._wait()) != 0:
                mine.clear()
                if line.first is not mine or wait is None:
                    await mine.wait()
                else:
                    await _or_later(mine, wait)
        finally:
            self._queue.remove(mine)
            line.wake()

    def take(self) -> Refusal | None:
        if refused := self._spending.take(id(self), self._endpoint, self._worst):
            return refused
        self._began = _now()
        self._ticket = self._line.rates.take(self._began, self._model, self._tokens())
        return None

    def spent(self, usage: Usage | None) -> None:
        self._usage = usage

    def __enter__(self) -> Slot:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._ticket is None:
            return
        if isinstance(error, ModelError) and error.kind == "rate" and error.retry_after:
            self._line.rates.pause(_now(), self._model, error.retry_after)
        used = self._usage
        self._line.rates.ended(self._ticket, used.input_tokens + used.output_tokens if used else None)
        self._spending.ended(id(self), self._endpoint, used, _now() - self._began)
        self._line.wake()

    def _wait(self) -> float | None:
        return self._line.rates.wait(_now(), self._model, self._tokens())

    def _tokens(self) -> int:
        return self._worst().tokens if self._line.rates.counts_tokens else 0


async def _or_later(event: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


def _now() -> float:
    return asyncio.get_running_loop().time()
