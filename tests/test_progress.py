"""What is told of a run at a command line."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from refine import views
from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, Started, Stopped
from refine.forecast import Forecast
from refine.progress import Watch, bill_lines, listing, money_words, plain, report, round_lines, when
from refine.store import RunRow
from refine.types import Finding, Message, ModelCall, Reply, Role, Round, RunSpec, Task, Usage, Verdict
from refine.views import Cost

SPEC = RunSpec("refine", "polish", Task("Spring", "Teh draft."))
FINDINGS = tuple(Finding(f"q{n}", dimension="wording", remark=f"Remark {n}.") for n in range(7))
FIRST = Round("Teh draft.", Verdict("revise", 6.5, (*FINDINGS, Finding("Teh", severity="must", remark="Spelling."))))
CALL = ModelCall("critic", (Message("user", ("Judge.",)),))


def log(*events: Event) -> list[Record]:
    return [Record("run-1", seq, 1_000.0 + seq, event) for seq, event in enumerate((Started(SPEC), *events))]


def told(*events: Event, before: int = 0) -> list[str]:
    return Watch(before).news(log(*events))


def test_a_round_is_told_with_its_gravest_findings_first() -> None:
    lines = told(RoundEnded("1", "0", FIRST))
    assert lines[0] == "Round 0: revise, score 6.5, 1 must, 7 should"
    assert lines[1] == "  must “Teh”: Spelling."
    assert lines[2] == "  should wording “q0”: Remark 0."
    assert lines[-1] == "  … and 3 more" and len(lines) == 7


def test_a_round_is_told_once() -> None:
    watch, records = Watch(), log(Called("1", CALL), RoundEnded("2", "0", FIRST), Stopped("max_rounds", 0))
    assert [bool(watch.news(records[n : n + 1])) for n in range(4)] == [False, False, True, False]


def test_a_failed_attempt_is_told_with_its_pause_but_not_again_after_a_resume() -> None:
    failed = Called("1", CALL), Failed("1", "rate", "given asks to slow down.", wait=4.0)
    assert told(*failed) == ["  given asks to slow down. Next attempt in 4 s."]
    assert told(*failed, before=3) == []


def test_what_was_not_applied_is_told() -> None:
    assert told(Called("1", CALL), Replied("1", Reply("x", adapted=("temperature was not applied",)))) == [
        "  Note: temperature was not applied"
    ]


def test_the_foot_says_who_is_at_work_and_what_was_used() -> None:
    watch = Watch(clock=lambda: 5.0)
    watch.news(log(Called("1", CALL)))
    assert watch.foot([]) == ["critic 0 s, waits for an answer", "1 model call, 0 tokens, 0 USD, Ctrl-C stops"]
    assert watch.foot([("1", "critic", "So far\nso good", False)])[0] == "critic 0 s, 14 characters: …So far so good"
    assert watch.foot([("1", "critic", "", True)])[0] == "critic 0 s, thinks"


def test_a_round_that_was_set_aside_says_what_it_lost() -> None:
    lost = Finding("March 2024", dimension="kept", severity="must", remark="The date is gone.")
    second = Round("The draft.", Verdict("revise", 7, (lost, lost, lost)))
    view = views.read(log(RoundEnded("1", "0", Round("x", Verdict("revise", 5))), RoundEnded("2", "0", second)))
    assert "set aside: it lost March 2024" in round_lines(view, view.rounds[1])[0]


@pytest.mark.parametrize(
    ("cost", "says"),
    [
        (Cost(), "0 USD"),
        (Cost(Decimal("0.00123456")), "0.0012346 USD"),
        (Cost(Decimal("12.5"), currency="CNY"), "12.5 CNY"),
        (Cost(Decimal("0.5"), complete=False), "at least 0.5 USD"),
        (Cost(complete=False), "cost unknown"),
    ],
)
def test_money_is_told_as_far_as_it_is_known(cost: Cost, says: str) -> None:
    assert money_words(cost) == says


def test_an_estimate_is_told_as_one() -> None:
    records = log(Called("1", CALL), Replied("1", Reply("x", usage=Usage(1000, 200, estimated=True, cost=Decimal(0)))))
    lines = report(views.read(records))
    assert any("about 1,200 tokens" in line for line in lines)
    assert lines[-2] == "  critic      1 call  1,000 tokens in  200 out (about)  0 USD  100 %"
    assert lines[-1] == "At most: 400,000 tokens, 100 calls, 1,800 s"


def test_a_bill_tells_each_role_the_limits_and_the_estimate_as_a_guess() -> None:
    usage = Usage(1000, 200, 400, 50, cost=Decimal("0.0123456"), currency="EUR")
    spec = replace(SPEC, roles=(Role("critic", "", "far", "m"),), limits={"money": 0.5, "tokens": None, "time": None})
    call = Called("1", CALL), Replied("1", Reply("x", usage=usage))
    view = views.read([Record("r", n, 1.0, event) for n, event in enumerate((Started(spec), *call))])
    costs = Cost(Decimal("0.010001"), currency="EUR"), Cost(Decimal("0.02345"), currency="EUR")
    assert bill_lines(view, Forecast((1, 1), (1_234, 56_789), costs, (3.4, 59.6))) == [
        "  critic  far  m  1 call  1,000 tokens in (400 cached)  200 out (50 thinking)  0.012346 EUR  100 %",
        "At most: 0.5 EUR, 100 calls",
        "Estimate before the run: 0.01-0.023 EUR, 1,200-57,000 tokens, 1 call, 3-60 s",
    ]


def test_a_terminal_is_told_no_orders() -> None:
    assert plain("a\x1b[2Jb\rc\x07d\x9b1m") == "a [2Jb c d 1m"


def test_a_list_of_runs_stands_in_columns() -> None:
    row = RunRow("run-1", "春天\nx", "refine", "polish", 0.0, "done", "approved", 2, None)
    assert listing([row]) == ["run-1  1970-01-01T00:00:00Z  done  approved  polish  refine  cost unknown  春天 x"]
    assert when(1_700_000_000.5) == "2023-11-14T22:13:20Z"
