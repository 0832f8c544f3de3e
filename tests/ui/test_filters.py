"""What the address of the list of runs says, and what the store is asked for."""

from __future__ import annotations

import datetime

import pytest

from refine.store import Wanted
from refine.ui import filters
from refine.ui.filters import Filters

DAY = datetime.date(2026, 11, 30)
ALL = Filters("a b", "approved", "polish", "refine", "openai/gpt", DAY, DAY, 0.25, 3, "critic/0a1b")


@pytest.mark.parametrize("chosen", [ALL, Filters(), Filters(cost=0.0), Filters(page=2)])
def test_the_address_gives_back_what_was_written_into_it(chosen: Filters) -> None:
    assert filters.read(filters.write(chosen)) == chosen


def test_nothing_set_leaves_the_address_as_it_is() -> None:
    assert filters.write(Filters()) == {}


@pytest.mark.parametrize(
    "address",
    [
        {"status": "great"}, {"since": "yesterday"}, {"cost": "-1"}, {"cost": "nan"}, {"page": "0"}, {"page": "1e9"},
        {"page": "99999999999"}, {"run": "x", "lang": "zh"},
    ],
)  # fmt: skip
def test_what_cannot_be_read_in_an_address_is_left_out(address: dict[str, str]) -> None:
    assert filters.read(address) == Filters()


def test_days_are_those_of_the_readers_time_zone_and_the_last_one_is_included() -> None:
    east = datetime.timezone(datetime.timedelta(hours=8))
    wanted = filters.wanted(Filters(since=DAY, until=DAY), east)
    began = datetime.datetime(2026, 11, 29, 16, tzinfo=datetime.UTC).timestamp()
    assert (wanted.since, wanted.before) == (began, began + 86_400)


def test_every_filter_reaches_the_store() -> None:
    wanted = filters.wanted(ALL, datetime.UTC)
    assert None not in (wanted.since, wanted.before)
    assert (wanted.search, wanted.status, wanted.variant, wanted.technique, wanted.model, wanted.cost) == (
        "a b", "approved", "polish", "refine", "openai/gpt", 0.25,
    )  # fmt: skip
    assert (wanted.prompt, wanted.comparison) == ("critic/0a1b", None)
    assert filters.wanted(Filters(), datetime.UTC) == Wanted()


def test_the_folded_filters_are_counted() -> None:
    assert (Filters().folded, ALL.folded, Filters("a", "failed", page=2).folded) == (0, 7, 0)
