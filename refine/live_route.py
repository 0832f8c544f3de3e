"""GET /live/{run}?at=CURSOR&t=TOKEN: what is new in a run's texts, answered at once.

The answer is `{"at": cursor, "calls": [[call, role, start, text, thinking]], "mark": ..., "over": ...}`. `text` begins
at character `start` of that call's reply; `mark` differs whenever a page about the run has to be drawn again. With
`&ahead=1` a run that is only about to begin is no error: the answer is `{"begun": false}`. Knows nothing of pages, and
executes nothing: it reads the texts in memory, or the live rows of another process, and the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from refine.events import Called, Event, Failed, Noted, Record, Replied, RoundEnded, RoundRestarted, Stopped, Waiting
from refine.live import LiveTexts, allowed
from refine.types import ModelCall

FOLLOWED = 256
"""Runs whose logs are not read anew at every request."""

NO_STORE = {"Cache-Control": "no-store"}


class Log(Protocol):
    """What is needed of the store."""

    def version(self) -> int: ...

    def records(self, run_id: str, after: int = -1) -> list[Record]: ...

    def live_get(self, run_id: str) -> list[tuple[str, str, str]]: ...


@dataclass(frozen=True, slots=True)
class Said:
    """One model call's text so far. A second attempt at the same address is another call."""

    call: str
    role: str
    text: str
    thinking: bool = False


@dataclass(slots=True)
class Followed:
    """What a run's log says, read up to line `seq`."""

    seq: int = -1
    version: int | None = None
    started: bool = False
    rounds: int = 0
    failures: int = 0
    state: str = "open"
    roles: dict[str, str] = field(default_factory=dict)
    """Address -> role, of the model calls of the round that has not ended."""
    attempts: dict[str, int] = field(default_factory=dict)
    replies: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[str, str, str, bool]] = field(default_factory=list)
    """Live rows of another process: address, role, text so far, thinking?"""

    @property
    def mark(self) -> str:
        texts = sum(self.roles[at] == "writer" for at in self.replies)
        return f"{self.started:d}.{self.rounds}.{texts}.{self.failures}.{self.state}"

    def read(self, records: Iterable[Record]) -> None:
        for record in records:
            self.seq = record.seq
            self._take(record.event)

    def _take(self, event: Event) -> None:
        self.state = _state_after(self.state, event)
        self.started |= isinstance(event, Called)
        match event:
            case Called(at, ModelCall(role)):
                self.roles[at] = role
                self.attempts[at] = self.attempts.get(at, 0) + 1
                self.replies.pop(at, None)
            case Replied(at, reply) if at in self.roles:
                self.replies[at] = reply.content
            case Failed():
                self.failures += 1
            case RoundEnded() | RoundRestarted():
                self.rounds += 1
                self.roles.clear()
                self.replies.clear()

    def said(self, live: Iterable[tuple[str, str, str, bool]]) -> list[Said]:
        """Replies on record first, then what is coming in."""
        settled = [Said(self._name(at), self.roles[at], text) for at, text in self.replies.items()]
        coming = [
            Said(self._name(at), role, text, thinking) for at, role, text, thinking in live if at not in self.replies
        ]
        return settled + coming

    def _name(self, at: str) -> str:
        return f"{at}~{self.attempts.get(at, 1)}"


def _state_after(state: str, event: Event) -> str:
    if state == "ended" or isinstance(event, Stopped):
        return "ended"
    if isinstance(event, Waiting):
        return "waiting"
    return "open" if isinstance(event, Called | Replied | Noted) else state


def mark_of(records: Iterable[Record]) -> str:
    """The mark of a run whose log is `records`: what a page that shows it was drawn for."""
    followed = Followed()
    followed.read(records)
    return followed.mark


def written(records: Iterable[Record]) -> Said | None:
    """The text that the writer has finished in the round that has not ended; None = there is none yet."""
    followed = Followed()
    followed.read(records)
    return next((said for said in reversed(followed.said(())) if said.role == "writer"), None)


class LiveReader:
    """Reads what is new in runs. One per process; safe for threads."""

    def __init__(self, log: Log, live: LiveTexts) -> None:
        self._log, self._live = log, live
        self._runs: dict[str, Followed] = {}
        self._lock = Lock()

    def news(self, run_id: str, cursor: str) -> dict[str, object] | None:
        """The answer to a request; None for a run that does not exist."""
        with self._lock:
            followed = self._follow(run_id)
            if followed is None:
                return None
            said = followed.said(self._live.read(run_id) or followed.rows)
            mark, over = followed.mark, followed.state == "ended"
        seen = read_cursor(cursor)
        calls = [[one.call, one.role, start, one.text[start:], one.thinking] for one, start in _starts(said, seen)]
        at = ",".join(f"{one.call}:{len(one.text)}" for one in said)
        return {"at": at, "calls": calls, "mark": mark, "over": over}

    def _follow(self, run_id: str) -> Followed | None:
        followed = self._runs.get(run_id) or Followed()
        version = self._log.version()
        if version != followed.version:
            followed.read(self._log.records(run_id, followed.seq))
            followed.rows = [(*row, False) for row in self._log.live_get(run_id)]
            followed.version = version
        if followed.seq < 0:
            return None
        if len(self._runs) >= FOLLOWED:
            self._runs.clear()
        self._runs[run_id] = followed
        return followed


def read_cursor(cursor: str) -> dict[str, int]:
    """Call -> characters already seen. Whatever is not one of our cursors counts as nothing seen."""
    parts = (part.rpartition(":") for part in cursor.split(","))
    return {call: int(seen) for call, _, seen in parts if seen.isascii() and seen.isdigit() and len(seen) < 12}


def _starts(said: list[Said], seen: Mapping[str, int]) -> list[tuple[Said, int]]:
    starts = [seen.get(one.call, 0) for one in said]
    return [(one, start if start <= len(one.text) else 0) for one, start in zip(said, starts, strict=True)]


def route(reader: Callable[[], LiveReader], secret: Callable[[], bytes]) -> Route:
    """The route, for a server whose reader and secret exist only once it runs."""

    def live(request: Request) -> Response:
        run_id = request.path_params["run"]
        if not allowed(secret(), run_id, request.query_params.get("t", "")):
            return JSONResponse({"error": "This link does not belong to this run."}, 403, NO_STORE)
        news = reader().news(run_id, request.query_params.get("at", ""))
        if news is None and "ahead" in request.query_params:
            return JSONResponse({"begun": False}, headers=NO_STORE)
        if news is None:
            return JSONResponse({"error": "There is no such run."}, 404, NO_STORE)
        return JSONResponse(news, headers=NO_STORE)

    return Route("/live/{run}", live)
