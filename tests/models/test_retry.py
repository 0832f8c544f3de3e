"""When another attempt is made, and after how long."""

from __future__ import annotations

import pytest

from refine.errors import ModelError, ModelErrorKind
from refine.models.retry import ATTEMPTS, FATAL, LONGEST_BACK_OFF, read_retry_after, wait_before_next

NOW = 1_800_000_000.0


@pytest.mark.parametrize("kind", sorted(FATAL))
def test_what_no_repetition_mends_is_not_repeated(kind: ModelErrorKind) -> None:
    assert wait_before_next(ModelError(kind, ""), 1, 0.5) is None


@pytest.mark.parametrize("kind", sorted(ATTEMPTS))
def test_each_other_kind_has_a_last_attempt(kind: ModelErrorKind) -> None:
    error = ModelError(kind, "")
    assert wait_before_next(error, ATTEMPTS[kind] - 1, 0.5) is not None
    assert wait_before_next(error, ATTEMPTS[kind], 0.5) is None


def test_waits_double_are_spread_by_chance_and_bounded() -> None:
    error = ModelError("server", "")
    assert [wait_before_next(error, n, 1.0) for n in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert wait_before_next(error, 3, 0.0) == 1.0
    assert all((wait_before_next(ModelError("rate", ""), n, 1.0) or 0) <= LONGEST_BACK_OFF for n in range(1, 8))


@pytest.mark.parametrize(("asked", "waited"), [(0.0, 0.0), (5.0, 5.0), (120.0, 120.0), (3600.0, 120.0)])
def test_a_server_is_taken_at_its_word_up_to_two_minutes(asked: float, waited: float) -> None:
    assert wait_before_next(ModelError("rate", "", retry_after=asked), 1, 0.5) == waited


def test_a_senseless_wait_means_the_usual_one() -> None:
    assert wait_before_next(ModelError("rate", "", retry_after=-1), 1, 1.0) == 0.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "5"}, 5.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}, 30.0),
        ({"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date_and_junk_is_not(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers, NOW) == seconds
