"""The scripted model: characters that play writer, critic and actor in this process, without key or network.

It has the same door as a real model and no state: the model name picks the character, and all it says depends on the
call alone, so that replays and parallel runs agree.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from decimal import Decimal

from refine.errors import ModelError
from refine.models.characters import Line, play
from refine.models.conversation import Scene, part_of
from refine.models.usage import NOTHING, estimate_usage
from refine.types import Endpoint, ModelCall, Reply, Role, Usage

SLOW_SECONDS = 0.05
RATE_LIMITED_ATTEMPTS = 2
RETRY_AFTER = 0.05
PIECE = re.compile("\\s*[\u2e80-\u9fff\uff00-\uff60]{1,2}|\\s*[^\\s\u2e80-\u9fff\uff00-\uff60]+|\\s+")


class Scripted:
    """Called like `openai_chat.OpenAIChat`.

    Args:
        seconds_per_piece: pause between two pieces of text; the character `slow` has 0.05 of its own.
        sleep: waits; a test may pass one that does not.
    """

    def __init__(
        self, *, seconds_per_piece: float = 0.0, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._seconds_per_piece = seconds_per_piece
        self._sleep = sleep

    async def __call__(
        self,
        endpoint: Endpoint,
        role: Role,
        call: ModelCall,
        *,
        seed: int | None = None,
        on_text: Callable[[str, str], None],
        attempt: int = 0,
    ) -> Reply:
        """One attempt. `attempt`: how many were made before it, which the character `rate-limited` needs.

        Raises:
            ModelError: the character is failing or rate-limited.
        """
        began = time.monotonic()
        refuse(role.model, attempt)
        asks_json = role.options.get("reply") == "json" and part_of(role.name) == "critic"
        draw = call.draw if seed is None else seed
        line = play(role.model, Scene(part_of(role.name), call.messages, call.tools, call.schema, asks_json, draw))
        first = await self._speak(role.model, line, on_text, began)
        reply = Reply(
            content=line.content,
            reasoning=line.reasoning,
            refusal=line.refusal,
            tool_calls=line.tool_calls,
            finish_reason=line.finish_reason,
            seconds=time.monotonic() - began,
            first_token_seconds=first,
        )
        return replace(reply, usage=counted(call, reply))

    async def aclose(self) -> None:
        """There is nothing to close."""

    async def _speak(self, model: str, line: Line, on_text: Callable[[str, str], None], began: float) -> float | None:
        """Sends the pieces at the character's pace. Returns the seconds until the first, None if there was none."""
        pause = max(self._seconds_per_piece, SLOW_SECONDS if model == "slow" else 0.0)
        first: float | None = None
        await self._sleep(0)
        for kind, piece in spoken(line):
            if pause and first is not None:
                await self._sleep(pause)
            first = time.monotonic() - began if first is None else first
            on_text(kind, piece)
        return first


def refuse(model: str, attempt: int) -> None:
    """Raises what the characters `failing` and `rate-limited` answer with."""
    if model == "failing":
        message = 'The scripted model fails: got status 500, "failing by trade". Choose another character.'
        raise ModelError("server", message, status=500, usage=NOTHING)
    if model == "rate-limited" and attempt < RATE_LIMITED_ATTEMPTS:
        message = 'The scripted model asks to slow down: got status 429, "too many requests". It gives in later.'
        raise ModelError("rate", message, status=429, retry_after=RETRY_AFTER, usage=NOTHING)


def spoken(line: Line) -> Iterator[tuple[str, str]]:
    """("reasoning" | "text", piece): a word, or two CJK characters, with the white space before it."""
    for piece in pieces(line.reasoning):
        yield "reasoning", piece
    for piece in pieces(line.content):
        yield "text", piece


def pieces(text: str) -> list[str]:
    """The text cut into pieces of about a token; joined they are the text."""
    return PIECE.findall(text)


def counted(call: ModelCall, reply: Reply) -> Usage:
    """Its own count, and so no estimate; it costs nothing."""
    return replace(estimate_usage(call.messages, reply), estimated=False, cost=Decimal(0))
