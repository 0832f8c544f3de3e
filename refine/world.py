"""What the edge needs of the world: a log to append to, and doors to whoever answers. Promises only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from refine.caps import Refusal
from refine.errors import ModelError
from refine.events import Event
from refine.types import Ask, CheckCall, ChoiceCall, ModelCall, Reply, RunSpec, ToolCall, Usage, Worst

OnText = Callable[[str, str], None]
"""Called with ("text" | "reasoning", piece) as a reply comes in."""


class Journal(Protocol):
    """The log of one run. `append` may return before the events are durable; `durable` may not. Raises Lost.

    `done`: messages of the author that these events answer; they leave the inbox in the same commit.
    """

    def append(self, *events: Event, done: Sequence[int] = ()) -> None: ...

    async def durable(self) -> None: ...


class Slot(Protocol):
    """One call's place among those that an endpoint takes at once. What was taken is given back at the exit."""

    @property
    def waits(self) -> bool:
        """Has the call to wait until the endpoint takes one more?"""

    async def free(self) -> None:
        """Returns when it need not wait any longer."""

    def take(self) -> Refusal | None:
        """Takes the place, or says why the call may not be made."""

    def spent(self, usage: Usage | None) -> None:
        """What the call used, as far as known."""

    def __enter__(self) -> Slot: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None: ...


class Doors(Protocol):
    """The way out to whoever answers a kind of call. One attempt; raises ModelError."""

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: OnText) -> Reply: ...

    async def check(self, call: CheckCall) -> Reply: ...

    async def choice(self, call: ChoiceCall) -> Reply: ...

    async def tool(self, spec: RunSpec, call: ToolCall) -> Reply: ...

    def question(self, spec: RunSpec, call: ModelCall) -> Ask | None:
        """What has to be asked of the author before this call can be made (a key is missing)."""

    def worst(self, spec: RunSpec, call: ModelCall) -> Worst: ...

    def slot(self, spec: RunSpec, call: ModelCall) -> Slot: ...

    def cut(self, spec: RunSpec, call: ModelCall, text: str, reasoning: str) -> Usage:
        """What a call was billed, as far as can be guessed, that was closed after so much of its reply."""

    def wait(self, error: ModelError, attempt: int) -> float | None:
        """Seconds until the next attempt; None = there is none."""

    async def aclose(self) -> None:
        """Closes connections."""
