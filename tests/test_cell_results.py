"""One cell of a comparison, read from the logs of its three runs."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from refine import views
from refine.cell_results import CellResult, Counts, RoleUsed, result_of
from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, Started, Stopped
from refine.ledger import Cost
from refine.prompts import prompt_hash
from refine.types import (
    Cell,
    Finding,
    Message,
    ModelCall,
    Price,
    Reply,
    Role,
    Round,
    RunSpec,
    Task,
    Usage,
    Verdict,
)

DRAFT = "Teh hall opens at nine on 12 May."
TEXT = "The hall opens at nine."
CELL = Cell("polish", "Hall", 0)
TASK = Task("Hall", DRAFT, language="en")
ROLES = (Role("writer", "Write.", "far", "w-1", 0.7), Role("critic", "Judge.", "far", "c-1", 0.2))
SPEC = RunSpec("refine", "polish", TASK, ROLES, {"wording": {}})
JUDGE = RunSpec("measure", "judge", replace(TASK, draft=TEXT), (Role("judge", "Score.", "far", "j-1"),),
                {"wording": {}, "kept": {}}, options={"original": DRAFT})  # fmt: skip
PRICE = Price(Decimal(1), Decimal(2), source="prices 0.2.3", date="2026-10-01")

TEH = Finding("Teh", (0, 3), "spelling", "typo", "must", "Spell it.", critic="wording")
LOST = Finding("12 May", None, "kept", "date", "must", "Lost.", critic="kept")
QUOTED = Finding("nine", None, "clarity", "", "may", "Vague.", critic="judge")


def view(run_id: str, spec: RunSpec, *events: Event) -> views.RunView:
    return views.read([Record(run_id, n, 100.0 + n, event) for n, event in enumerate((Started(spec), *events))])


def asked(
    at: str, role: str, cost: Decimal | None = Decimal("0.002"), first: float | None = 0.5, price: Price | None = PRICE
) -> tuple[Event, ...]:
    usage = Usage(100, 20, 30, 5, cost=cost, price=price if cost is not None else None)
    call = ModelCall(role, (Message("user", (at,)),))
    return Called(at, call), Replied(at, Reply("x", usage=usage, seconds=2.0, first_token_seconds=first))


def run(*more: Event, spec: RunSpec = SPEC) -> views.RunView:
    return view("r", spec, *more)


DONE = (
    *asked("0", "critic", first=0.25),
    RoundEnded("1", "0", Round(DRAFT, Verdict("revise", 4.0, (TEH,)))),
    *asked("2", "writer", first=0.5),
    *asked("3", "critic", first=1.5),
    RoundEnded("4", "0", Round(TEXT, Verdict("approved", 8.0))),
    Stopped("approved", 1),
)
ORIGINAL = RoundEnded("0", "0", Round(DRAFT, Verdict("revise", findings=(TEH, replace(TEH, severity="may")))))
SCORED = RoundEnded("3", "0", Round(TEXT, Verdict("revise", 6.5, (LOST, QUOTED), {"clarity": 6.0, "voice": 7.0})))
MEASURED = view("r-m", JUDGE, ORIGINAL, *asked("2", "judge"), SCORED, Stopped("finished", 1))


def paired(mine: float, other: float) -> views.RunView:
    scores = {"mine": mine, "other": other}
    spec = replace(JUDGE, technique="prefer", roles=(Role("pair", "Choose.", "far", "j-1"),), checks={})
    round = RoundEnded("2", "0", Round(TEXT, Verdict("revise", scores=scores)))
    return view("r-p", spec, *asked("0", "pair"), *asked("1", "pair"), round, Stopped("finished", 0))


def read(run_view: views.RunView, *others: views.RunView) -> CellResult:
    return result_of(CELL, run_view, *others)


def test_a_cell_tells_its_rounds_its_approval_and_its_critics_own_scores() -> None:
    seen = read(run(*DONE))
    assert (seen.status, seen.reason, seen.approved, seen.text) == ("done", "approved", True, TEXT)
    assert [(line.verdict, line.score, line.findings.must, line.kept) for line in seen.rounds] == [
        ("revise", 4.0, 1, False),
        ("approved", 8.0, 0, True),
    ]
    assert (seen.rounds_to_approval, seen.critic_score, seen.critic_last) == (2, 8.0, 8.0)
    assert seen.length_before == 8 and seen.length_after == 5 and seen.length_change == pytest.approx(-37.5)
    assert seen.edits and 0 < seen.edits < 1


def test_a_cell_tells_what_it_used_and_with_what() -> None:
    seen = read(run(*DONE))
    assert (seen.tokens_in, seen.tokens_out, seen.tokens_cached, seen.tokens_reasoning) == (300, 60, 90, 15)
    assert (seen.calls, seen.cost, seen.first_token_seconds, seen.at) == (3, Cost(Decimal("0.006")), 0.5, 100.0)
    assert seen.roles == (
        RoleUsed("writer", "w-1", "far", 0.7, prompt_hash("Write.")),
        RoleUsed("critic", "c-1", "far", 0.2, prompt_hash("Judge.")),
    )
    assert [(used.model, used.currency, used.price) for used in seen.prices] == [
        ("c-1", "USD", PRICE),
        ("w-1", "USD", PRICE),
    ]
    assert seen.unpriced == ()


def test_the_measuring_checks_count_and_what_the_judge_quotes_does_not() -> None:
    seen = read(run(*DONE), MEASURED)
    assert seen.measured and seen.measure_run == "r-m"
    assert seen.before == Counts(1, 0, 1) and seen.after == Counts() and seen.lost == ("12 May",)
    assert (seen.score, seen.dimensions) == (6.5, {"clarity": 6.0, "voice": 7.0})
    assert seen.judging == Cost(Decimal("0.002")) and seen.cost == Cost(Decimal("0.006"))
    assert seen.faults == pytest.approx(100 * 3 / 5)
    assert ("j-1", "far") in {(used.model, used.endpoint) for used in seen.prices}


def test_a_measuring_that_goes_on_or_broke_off_gives_nothing_of_the_result() -> None:
    for rest in ((), (Stopped("error", error="down"),)):
        seen = read(run(*DONE), view("r-m", JUDGE, ORIGINAL, *rest))
        assert (seen.after, seen.lost, seen.score, seen.faults) == (None, None, None, None)
        assert seen.measured is bool(rest) and seen.before == Counts(1, 0, 1)
    assert read(run(*DONE), view("r-m", JUDGE)).before is None


def test_a_judge_that_gave_no_readable_score_leaves_it_unknown() -> None:
    round = RoundEnded("3", "0", Round(TEXT, Verdict("revise", None, (LOST,))))
    seen = read(run(*DONE), view("r-m", JUDGE, ORIGINAL, round, Stopped("finished", 1)))
    assert seen.score is None and seen.dimensions == {} and seen.after == Counts()


def test_a_text_from_a_brief_has_nothing_before_it() -> None:
    spec = replace(SPEC, task=Task("Hall", brief="Tell when the hall opens.", language="en"))
    measure = replace(JUDGE, task=replace(spec.task, draft=TEXT), options={"original": ""})
    seen = read(run(*DONE, spec=spec), view("r-m", measure, SCORED, Stopped("finished", 0)))
    assert (seen.before, seen.length_before, seen.length_change, seen.edits) == (None, None, None, None)
    assert seen.score == 6.5 and seen.after == Counts()


def test_a_result_that_is_the_original_may_be_measured_once() -> None:
    measure = replace(JUDGE, task=replace(TASK, draft=DRAFT))
    seen = read(run(*DONE), view("r-m", measure, ORIGINAL, Stopped("finished", 0)))
    assert seen.before == seen.after == Counts(1, 0, 1)


@pytest.mark.parametrize(
    ("votes", "preference", "swayed"),
    [
        ((2, 0), "mine", False),
        ((0, 2), "other", False),
        ((1, 1), "same", True),
        ((1, 0), "same", False),
        ((0, 0), "same", False),
    ],
)
def test_only_two_votes_are_a_preference(votes: tuple[int, int], preference: str, swayed: bool) -> None:
    seen = read(run(*DONE), MEASURED, paired(*votes))
    assert (seen.preference, seen.swayed, seen.paired) == (preference, swayed, True)
    assert seen.judging == Cost(Decimal("0.006"))


def test_a_pair_that_broke_off_or_could_not_be_read_is_no_tie() -> None:
    spec = replace(JUDGE, technique="prefer")
    broken = view("r-p", spec, Stopped("error", error="down"))
    unread = view("r-p", spec, RoundEnded("2", "0", Round(TEXT, Verdict("revise"))), Stopped("finished", 0))
    for pair in (broken, unread):
        seen = read(run(*DONE), MEASURED, pair)
        assert (seen.preference, seen.swayed, seen.paired) == (None, False, True)


def test_a_failed_run_keeps_the_best_text_that_it_had() -> None:
    seen = read(run(*DONE[:3], Stopped("failures", 0)))
    assert (seen.status, seen.failed, seen.text, seen.approved) == ("failed", True, DRAFT, False)
    empty = read(run(Stopped("error", error="down")))
    assert (empty.text, empty.error, empty.approved, empty.length_after, empty.edits) == (
        None,
        "down",
        False,
        None,
        None,
    )


def test_who_has_no_critic_and_no_checks_approves_nothing_and_a_stopped_run_says_nothing() -> None:
    alone = replace(SPEC, technique="single", roles=ROLES[:1], checks={})
    assert read(run(*DONE, spec=alone)).approved is None
    assert read(run(*DONE[:-1], Stopped("cancelled", 1))).approved is None
    assert read(run(*DONE[:-1])).approved is None


def test_unknown_costs_stay_unknown_and_name_the_model() -> None:
    seen = read(run(*asked("0", "critic", None), *DONE[2:]))
    assert seen.cost == Cost(Decimal("0.004"), False) and seen.unpriced == ("c-1",)
    broken = Failed("9", "server", "500")
    seen = read(run(Called("9", ModelCall("writer", (Message("user", ("x",)),))), broken, *DONE))
    assert not seen.cost.complete and seen.unpriced == ("w-1",)


def test_lengths_of_chinese_are_counted_in_characters() -> None:
    spec = replace(SPEC, task=Task("渡口", "渡口的的清晨。", language="zh"))
    rounds = RoundEnded("1", "0", Round("渡口的清晨。", Verdict("approved")))
    seen = read(run(rounds, Stopped("approved", 0), spec=spec))
    assert (seen.length_before, seen.length_after, seen.language) == (6, 5, "zh")
