"""Text while it comes in: kept in memory for this process, and as one row per call for others. Not events.

Also who may read it over HTTP: a token per run, made from a secret that only this folder's owner can read.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Publish = Callable[[str, str, str, str], None]
"""(run id, address, role, whole text so far) -> stored for other processes."""

EVERY = 0.2
"""Seconds between two rows of one call, and before its first: a reply that is over by then needs none."""


@dataclass
class Text:
    """One call's text so far. `pieces` are joined when somebody looks."""

    role: str
    pieces: list[str] = field(default_factory=list)
    thinking: bool = False
    published: float = 0.0

    def so_far(self) -> str:
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class LiveTexts:
    """Texts of the calls in flight, by run and address. Safe for threads: one writes, pages read."""

    def __init__(self, publish: Publish | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._texts: dict[str, dict[str, Text]] = {}
        self._lock = threading.Lock()
        self._publish, self._clock = publish, clock

    def add(self, run_id: str, at: str, role: str, kind: str, piece: str) -> None:
        with self._lock:
            now = self._clock()
            calls = self._texts.setdefault(run_id, {})
            if (text := calls.get(at)) is None:
                text = calls[at] = Text(role, published=now)
            text.thinking = kind == "reasoning"
            if kind == "text":
                text.pieces.append(piece)
            due = self._publish and now - text.published >= EVERY
            if due:
                text.published = now
                whole = text.so_far()
        if due and self._publish:
            self._publish(run_id, at, role, whole)

    def over(self, run_id: str, at: str) -> None:
        """The call has ended; its text is in the log from now on."""
        with self._lock:
            calls = self._texts.get(run_id, {})
            calls.pop(at, None)
            if not calls:
                self._texts.pop(run_id, None)

    def read(self, run_id: str) -> list[tuple[str, str, str, bool]]:
        """(address, role, text so far, thinking?) of every call in flight, in the order they began."""
        with self._lock:
            return [(at, text.role, text.so_far(), text.thinking) for at, text in self._texts.get(run_id, {}).items()]


def token(secret: bytes, run_id: str) -> str:
    """Who has it may read this run's live text, and nothing else. Stable over restarts, as the secret is."""
    return hmac.new(secret, run_id.encode(), hashlib.sha256).hexdigest()[:32]


def allowed(secret: bytes, run_id: str, given: str) -> bool:
    return hmac.compare_digest(token(secret, run_id).encode(), given.encode("utf-8", "replace"))
