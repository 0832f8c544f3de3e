"""Is another attempt worth it, and when? Pure: chance comes in as a number, time as seconds.

Knows nothing of who waits or how the wait is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from refine.errors import ModelError

FATAL: frozenset[str] = frozenset(
    {"key", "forbidden", "not_found", "quota", "settings", "bad_request", "context", "content_filter", "cancelled"}
)
"""Kinds that no repetition of the same request mends."""

ATTEMPTS: Mapping[str, int] = {
    "rate": 8, "server": 6, "connect": 6, "dropped": 6, "cut": 6, "malformed": 6, "idle": 5, "total": 2,
}  # fmt: skip
"""Most attempts at one call, by the kind of the latest failure. A run's own limit on failures may be lower."""

FIRST_WAIT = 0.5
LONGEST_BACK_OFF = 30.0
LONGEST_ASKED = 120.0
"""Seconds of a server's Retry-After that are taken at its word."""


def wait_before_next(error: ModelError, attempt: int, rng01: float) -> float | None:
    """Seconds to wait before attempt number `attempt + 1`; None = do not try again.

    Args:
        error: how the latest attempt ended.
        attempt: attempts made so far, 1 or more.
        rng01: chance between 0 and 1, spreads the waits of many runs.

    A server that asks for more than two minutes is asked again after two: the author sees the countdown and may stop
    it, and servers often let one in earlier than they said.
    """
    if error.kind in FATAL or attempt >= ATTEMPTS.get(error.kind, 1):
        return None
    if error.retry_after is not None and error.retry_after >= 0:
        return min(error.retry_after, LONGEST_ASKED)
    back_off = min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_BACK_OFF)
    return back_off * (0.5 + rng01 / 2)


def read_retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a server asks to wait, from its headers (names in lower case); None where it does not say.

    Args:
        now: seconds since 1970, to read a date.

    Negative numbers, dates in the past and anything unreadable count as not said.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    said = headers.get("retry-after", "").strip()
    seconds = _number(said)
    return seconds if seconds is not None else _until(said, now)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _until(text: str, now: float) -> float | None:
    try:
        wait = parsedate_to_datetime(text).timestamp() - now
    except (TypeError, ValueError, OverflowError):
        return None
    return wait if wait >= 0 else None
