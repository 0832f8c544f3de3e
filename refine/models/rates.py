"""How often an endpoint may be asked: requests and tokens in a minute, calls in flight. Pure: time is passed in.

What the author set holds for the endpoint; what the endpoint says of itself, in the headers of its answers, for the
model that was asked. It knows nothing of who waits.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from refine.models.addresses import is_free
from refine.types import Endpoint

MINUTE = 60.0
IN_FLIGHT = 16
"""Calls at once where the author sets no number, unless the endpoint is on this machine."""
LONGEST_PAUSE = 120.0
"""Seconds of what a server asks for that are taken at its word."""

HEADER = re.compile(
    r"(?:x-|anthropic-)?ratelimit-(?:(limit|remaining|reset)-(requests|tokens)(?:-minute)?|"
    r"(requests|tokens)-(limit|remaining|reset))"
)
SPAN = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


@dataclass(slots=True)
class Taken:
    """A request, or its tokens, in the minute that it counts for."""

    at: float
    amount: float


@dataclass(slots=True)
class Meter:
    """At most `limit` in any sixty seconds; 0 = no limit."""

    limit: int = 0
    taken: deque[Taken] = field(default_factory=deque)

    def wait(self, now: float, amount: float) -> float:
        """Seconds until so much may be taken. More than the limit may, once nothing else counts."""
        if not self.limit:
            return 0.0
        while self.taken and self.taken[0].at <= now - MINUTE:
            self.taken.popleft()
        over = sum(one.amount for one in self.taken) + amount - self.limit
        for one in self.taken:
            if over <= 0:
                break
            over -= one.amount
            if over <= 0 or one is self.taken[-1]:
                return one.at + MINUTE - now
        return 0.0

    def take(self, now: float, amount: float) -> Taken | None:
        if not self.limit:
            return None
        self.taken.append(Taken(now, amount))
        return self.taken[-1]


@dataclass(slots=True)
class Said:
    """What an endpoint said: so much was left then, and all of it is there again after `reset` seconds."""

    left: float
    reset: float
    at: float
    refill: float
    """What comes back in a second, where the whole is known; 0 = all of it at the end."""

    def wait(self, now: float, amount: float) -> float:
        """Seconds until so much is there."""
        rest = self.at + self.reset - now
        missing = amount - self.left - self.refill * (now - self.at)
        if rest <= 0 or missing <= 0:
            return 0.0
        return min(rest, missing / self.refill) if self.refill else rest


@dataclass(slots=True)
class Ticket:
    """What one call took."""

    model: str
    tokens: Taken | None
    """None: tokens are not counted."""


class Rates:
    """The limits of one endpoint, and what was taken of them by all runs."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.most = endpoint.concurrency or (0 if is_free(endpoint) else IN_FLIGHT)
        """Calls in flight; 0 = no limit."""
        self.in_flight = 0
        self._requests = Meter(max(0, endpoint.requests_per_minute))
        self._tokens = Meter(max(0, endpoint.tokens_per_minute))
        self._said: dict[tuple[str, str], Said] = {}
        self._paused: dict[str, float] = {}

    @property
    def counts_tokens(self) -> bool:
        return bool(self._tokens.limit) or any(what == "tokens" for _, what in self._said)

    def wait(self, now: float, model: str, tokens: int) -> float | None:
        """Seconds until a call may be sent, 0 = now; None: when a call in flight ends."""
        if self.most and self.in_flight >= self.most:
            return None
        wait = max(self._requests.wait(now, 1), self._tokens.wait(now, tokens))
        if self._said:
            for what, amount in (("requests", 1), ("tokens", tokens)):
                if said := self._said.get((model, what)):
                    wait = max(wait, said.wait(now, amount))
        return max(wait, self._paused.get(model, now) - now) if self._paused else wait

    def take(self, now: float, model: str, tokens: int) -> Ticket:
        """A call is sent."""
        self.in_flight += 1
        self._requests.take(now, 1)
        for what, amount in (("requests", 1), ("tokens", tokens)):
            if said := self._said.get((model, what)):
                said.left -= amount
        return Ticket(model, self._tokens.take(now, tokens))

    def ended(self, ticket: Ticket, tokens: int | None) -> None:
        """The call is over, and used so many tokens; None: nobody knows."""
        self.in_flight -= 1
        if ticket.tokens and tokens is not None:
            ticket.tokens.amount = tokens

    def pause(self, now: float, model: str, seconds: float) -> None:
        """The endpoint asks for so long a pause."""
        until = now + min(seconds, LONGEST_PAUSE)
        self._paused[model] = max(until, self._paused.get(model, until))

    def learn(self, now: float, model: str, headers: Mapping[str, str], today: datetime) -> None:
        """Takes in what an answer says of limits; names in lower case.

        Args:
            today: the same moment by the calendar, for headers that give one.
        """
        for what, said in read_headers(headers, today).items():
            if "remaining" in said and "reset" in said:
                left, reset = said["remaining"], said["reset"]
                refill = max(0.0, said.get("limit", 0.0) - left) / reset if reset else 0.0
                self._said[model, what] = Said(left, reset, now, refill)


def read_headers(headers: Mapping[str, str], today: datetime) -> dict[str, dict[str, float]]:
    """requests or tokens -> limit, remaining, reset (in seconds), as far as they are given. Of minutes, not of days."""
    found: dict[str, dict[str, float]] = {}
    for name, text in headers.items():
        if match := HEADER.fullmatch(name):
            field, what = match[1] or match[4], match[2] or match[3]
            value = seconds(text, today) if field == "reset" else _number(text)
            if value is not None:
                found.setdefault(what, {})[field] = value
    return found


def seconds(text: str, today: datetime) -> float | None:
    """A span as servers write it: 20ms, 1m30.5s, 12, or the moment of its end by the calendar."""
    if (value := _number(text)) is not None:
        return value
    parts = SPAN.findall(text)
    if parts and "".join(number + unit for number, unit in parts) == text.strip():
        return sum(float(number) * SECONDS[unit] for number, unit in parts)
    try:
        return max(0.0, (datetime.fromisoformat(text.strip()) - today).total_seconds())
    except (ValueError, TypeError):
        return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < 1e12 else None
