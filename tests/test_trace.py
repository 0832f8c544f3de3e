"""The trace: each call once with all that came of it, in the order in which they began."""

from __future__ import annotations

from decimal import Decimal

from refine import tables
from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, RoundRestarted, Started, Stopped
from refine.trace import Entry, entries
from refine.types import CheckCall, Reply, Round, Usage, Verdict
from tests.golden import SPEC, model

CALL, CHECK = model("writer", "x"), CheckCall("grammar", "x")
ENDED = RoundEnded("2", "0", Round("a", Verdict("approved")))


def read(*events: Event) -> list[Entry]:
    return entries([Record("run", n, float(n), event) for n, event in enumerate((Started(SPEC), *events))])


def test_a_call_is_one_entry_with_all_its_attempts_and_what_they_cost() -> None:
    busy = Failed("1", "rate", "429", Usage(7, 1, cost=Decimal("0.1")), wait=1.0, seconds=0.5)
    reply = Reply("y", usage=Usage(5, 2, 3, cost=Decimal("0.2")), seconds=1.5)
    _, entry, _ = read(Called("1", CALL), busy, Called("1", CALL), Replied("1", reply), Stopped("approved"))
    assert (entry.tries, entry.failed, entry.reply, entry.seconds) == (2, (busy,), reply, 2.0)
    assert entry.usage == Usage(12, 3, 3, cost=Decimal("0.3"))


def test_calls_side_by_side_stand_in_the_order_in_which_they_began() -> None:
    found = read(Called("1", CALL), Called("2", CHECK), Replied("2", Reply(value=[])), Replied("1", Reply("y")), ENDED)
    assert [entry.seq for entry in found] == [0, 1, 2, 5]
    assert [entry.reply and entry.reply.content for entry in found] == [None, "y", "", None]


def test_a_round_that_starts_again_asks_anew() -> None:
    found = read(Called("1", CALL), Replied("1", Reply("y")), RoundRestarted("1"), Called("1", CALL))
    assert [(entry.tries, entry.reply is None) for entry in found] == [(0, True), (1, False), (0, True), (1, True)]


def test_only_models_cost_anything_and_an_attempt_without_a_price_is_unknown() -> None:
    found = read(Called("1", CALL), Failed("1", "server", "500"), Called("2", CHECK), Replied("2", Reply(value=[])))
    frame = tables.trace(found)
    assert [*frame.columns] == [column.name for column in tables.TRACE_COLUMNS]
    assert [value if value == value else None for value in frame["cost"]] == [None, tables.UNKNOWN, None]
    assert [value if value == value else None for value in frame["attempts"]] == [None, 1, 1]


def test_a_round_that_ended_says_which_one_it_was() -> None:
    inner = RoundEnded("3.1", "3.0", ENDED.round)
    found = read(ENDED, inner, RoundEnded("4", "0", ENDED.round))
    assert [entry.round for entry in found] == [None, 0, None, 1]
