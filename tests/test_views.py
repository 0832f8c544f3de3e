"""What a run cost and what was picked, read from its log."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from refine import views
from refine.events import (
    Called,
    Event,
    Failed,
    Halted,
    Noted,
    Record,
    Replied,
    RoundEnded,
    RoundRestarted,
    Started,
    Stopped,
    from_json,
    to_json,
)
from refine.progress import money_words
from refine.types import Note, Reply, Round, Task, Usage, Verdict
from tests.golden import SPEC, model

CALL = model("writer", "x")
PAID = Replied("1", Reply("y", usage=Usage(1, 1, cost=Decimal("0.01"), currency="CNY")))
FIRST = RoundEnded("2", "0", Round("a", Verdict("approved")))
SECOND = RoundEnded("4", "0", Round("b", Verdict("approved")))


def read(*events: Event) -> views.RunView:
    return views.read([Record("run", n, float(n), event) for n, event in enumerate((Started(SPEC), *events))])


def test_an_attempt_without_a_price_leaves_what_is_known_of_the_call() -> None:
    view = read(Called("1", CALL), Failed("1", "rate", "429", wait=1.0), Called("1", CALL), PAID)
    assert view.money == views.Cost(Decimal("0.01"), False, "CNY")


def test_two_currencies_are_two_sums_and_no_single_cost() -> None:
    euro = Usage(1, 1, cost=Decimal("0.02"), currency="EUR")
    view = read(Called("1", CALL), PAID, Called("2", CALL), Replied("2", Reply("z", usage=euro)), SECOND)
    assert view.money == views.Cost(Decimal("0.01"), True, "CNY", (("EUR", Decimal("0.02")),))
    assert view.cost is None and view.usage.cost is None
    assert views.as_json(view)["costs"] == {"CNY": 0.01, "EUR": 0.02}
    assert money_words(view.money) == "0.01 CNY + 0.02 EUR"
    assert view.rounds[0].cost == view.money


@pytest.mark.parametrize("end", [Stopped("cancelled"), RoundRestarted("1")])
def test_a_call_that_nobody_waits_for_any_more_may_have_been_billed(end: Event) -> None:
    view = read(Called("1", CALL), end)
    assert not view.money.complete
    assert not view.attempts[0].open


def test_a_picked_round_is_the_result_until_a_newer_one_ends() -> None:
    picked = Noted("4", (Note("pick", "0"),))
    assert read(FIRST, SECOND, picked).text == "a"
    assert read(FIRST, SECOND, picked, RoundEnded("6", "0", Round("c", Verdict("approved")))).text == "c"


@pytest.mark.parametrize(
    ("reason", "status"), [("budget", "failed"), ("max_rounds", "failed"), ("cancelled", "cancelled")]
)
def test_a_run_that_ended_without_any_text_has_failed(reason: str, status: str) -> None:
    assert read(Stopped(reason)).status == status


def test_a_run_that_a_limit_ended_with_a_text_is_done() -> None:
    assert read(FIRST, Stopped("budget", 0)).status == "done"


@pytest.mark.parametrize(
    ("cap", "said", "chinese"),
    [
        (None, "it could have passed your money limit.", "下一次调用可能超出费用上限"),
        ("", "it could have passed the day's cap on money.", "今天的费用上限，"),
        ("lab", "it could have passed the day's cap on money at “lab”.", "今天的费用上限（接口“lab”），"),
    ],
)
def test_it_is_said_whether_a_limit_of_the_run_or_a_cap_of_the_day_spoke(
    cap: str | None, said: str, chinese: str
) -> None:
    view = read(FIRST, Halted("3", "budget", cap), Stopped("budget", 0))
    assert view.cap == cap
    assert said in views.reason_of(view)
    assert chinese in views.reason_of(view, "zh")


def test_of_several_halts_the_first_gave_the_reason() -> None:
    halts = Halted("3", "budget"), Halted("4", "budget", "lab")
    assert read(FIRST, *halts, Stopped("budget", 0)).cap is None
    assert read(FIRST, *reversed(halts), Stopped("budget", 0)).cap == "lab"


def test_a_halt_of_an_older_log_is_read_as_no_cap() -> None:
    assert from_json(Event, {"is": "Halted", "at": "3", "reason": "budget"}) == Halted("3", "budget")
    for halted in (Halted("3", "tokens"), Halted("3", "tokens", ""), Halted("3", "tokens", "lab")):
        assert from_json(Event, to_json(halted)) == halted


def test_a_round_tells_its_score_by_dimension() -> None:
    round = Round("a", Verdict("revise", 6.5, scores={"clarity": 6.0, "voice": 7.0}))
    assert read(RoundEnded("2", "0", round)).rounds[0].scores == {"clarity": 6.0, "voice": 7.0}


@pytest.mark.parametrize(
    ("technique", "title"), [("react", "How many words?"), ("refine", "A day"), ("single", "A day")]
)
def test_a_question_gives_its_run_the_title_and_not_the_text_it_is_about(technique: str, title: str) -> None:
    task = Task(draft="# A day\n\nIt rained.", brief="How many words?")
    assert views.title_of(replace(SPEC, technique=technique, task=task)) == title
    assert views.title_of(replace(SPEC, technique=technique, task=replace(task, brief="", title="Mine"))) == "Mine"
    assert views.title_of(replace(SPEC, technique=technique, task=Task())) == ""
