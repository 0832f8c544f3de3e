"""How long a call has to wait: by what the author set, and by what the endpoint says of itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.models.rates import IN_FLIGHT, Rates, read_headers, seconds
from refine.types import Endpoint

FAR = "https://models.example.org/v1"
TODAY = datetime(2026, 11, 20, 12, tzinfo=UTC)


def rates(**limits: int) -> Rates:
    return Rates(Endpoint("far", FAR, **limits))


def sent_at(rates: Rates, now: float, tokens: int = 0) -> float:
    """Sends a call as soon as it may be sent and ends it at once. Returns when that was."""
    while (wait := rates.wait(now, "m", tokens)) != 0:
        assert wait is not None and wait > 0
        now += wait
    rates.ended(rates.take(now, "m", tokens), None)
    return now


def test_without_limits_nobody_waits() -> None:
    one = rates(concurrency=1_000)
    assert [sent_at(one, 5.0, 10_000) for _ in range(200)] == [5.0] * 200


def test_the_request_over_the_limit_waits_until_a_minute_after_the_first() -> None:
    one = rates(requests_per_minute=3)
    assert [sent_at(one, now) for now in (0.0, 1.0, 2.0, 2.0, 2.0)] == [0.0, 1.0, 2.0, 60.0, 61.0]


@given(st.lists(st.floats(0, 30), min_size=1, max_size=60), st.integers(1, 9))
def test_no_sixty_seconds_hold_more_requests_than_allowed(pauses: list[float], limit: int) -> None:
    one, now, sent = rates(requests_per_minute=limit), 1_000.0, []
    for pause in pauses:
        now = sent_at(one, now + pause)
        sent.append(now)
    assert all(sum(start <= other < start + 59.999 for other in sent) <= limit for start in sent)


def test_tokens_count_as_guessed_until_the_call_is_over_and_then_as_used() -> None:
    one = rates(tokens_per_minute=1_000)
    ticket = one.take(0.0, "m", 900)
    assert one.wait(1.0, "m", 200) == 59.0
    one.ended(ticket, 300)
    assert one.wait(1.0, "m", 200) == 0
    assert one.wait(1.0, "m", 701) == 59.0


def test_what_is_larger_than_the_limit_goes_alone() -> None:
    one = rates(tokens_per_minute=1_000)
    assert [sent_at(one, 0.0, tokens) for tokens in (100, 5_000, 100)] == [0.0, 60.0, 120.0]


def test_at_most_so_many_calls_are_in_flight() -> None:
    one = rates(concurrency=2)
    first, _second = one.take(0.0, "m", 0), one.take(0.0, "m", 0)
    assert one.wait(0.0, "m", 0) is None
    one.ended(first, None)
    assert one.wait(0.0, "m", 0) == 0


def test_only_what_leaves_this_machine_has_a_number_of_calls_of_its_own() -> None:
    assert Rates(Endpoint("far", FAR)).most == IN_FLIGHT
    assert Rates(Endpoint("near", "http://localhost:1234/v1")).most == 0
    assert Rates(Endpoint("near", "http://localhost:1234/v1", concurrency=2)).most == 2


# --- what endpoints say ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("20ms", 0.02), ("8.64s", 8.64), ("6m0s", 360.0), ("1h2m3s", 3723.0), ("12", 12.0), ("2026-11-20T12:00:30Z", 30.0),
     ("2026-11-20T11:00:00Z", 0.0), ("soon", None), ("", None), ("-3", None), ("5 s", None), ("1d", 86_400.0)],
)  # fmt: skip
def test_spans_are_read_as_servers_write_them(text: str, value: float | None) -> None:
    assert seconds(text, TODAY) == value


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (
            {"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "2",
             "x-ratelimit-reset-requests": "1s", "x-ratelimit-remaining-tokens": "149984", "content-type": "text"},
            {"requests": {"limit": 60, "remaining": 2, "reset": 1}, "tokens": {"remaining": 149_984}},
        ),
        ({"anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "2026-11-20T12:01:00Z"},
         {"requests": {"remaining": 0, "reset": 60}}),
        ({"x-ratelimit-remaining-tokens-minute": "5", "x-ratelimit-remaining-requests-day": "7"},
         {"tokens": {"remaining": 5}}),
        ({"x-ratelimit-remaining-requests": "many"}, {}),
    ],
)  # fmt: skip
def test_headers_are_read(headers: dict[str, str], found: object) -> None:
    assert read_headers(headers, TODAY) == found


def said(rates: Rates, remaining: int, reset: str, limit: int | None = None, what: str = "requests") -> None:
    headers = {f"x-ratelimit-remaining-{what}": str(remaining), f"x-ratelimit-reset-{what}": reset}
    headers |= {f"x-ratelimit-limit-{what}": str(limit)} if limit else {}
    rates.learn(100.0, "m", headers, TODAY)


def test_when_nothing_is_left_calls_wait_until_it_is_there_again() -> None:
    one = rates()
    said(one, 1, "30s")
    assert [sent_at(one, now) for now in (101.0, 102.0)] == [101.0, 130.0]


def test_where_the_whole_is_known_requests_come_back_one_by_one() -> None:
    one = rates()
    said(one, 0, "60s", limit=60)
    assert sent_at(one, 100.0) == pytest.approx(101.0)
    assert sent_at(one, 100.0) == pytest.approx(102.0)


def test_tokens_left_are_minded_too_and_only_for_the_model_that_was_asked() -> None:
    one = rates()
    said(one, 500, "20s", what="tokens")
    assert one.counts_tokens
    assert one.wait(100.0, "m", 501) == 20.0
    assert one.wait(100.0, "m", 500) == 0
    assert one.wait(100.0, "other", 501) == 0


def test_a_pause_that_a_server_asks_for_holds_all_calls_of_that_model() -> None:
    one = rates()
    one.pause(100.0, "m", 7.0)
    assert one.wait(101.0, "m", 0) == 6.0
    assert one.wait(101.0, "other", 0) == 0
    assert one.wait(107.0, "m", 0) == 0
    one.pause(100.0, "m", 100_000.0)
    assert one.wait(100.0, "m", 0) == 120.0
