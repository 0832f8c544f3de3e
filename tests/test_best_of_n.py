"""Several drafts side by side: each is reviewed, the best is kept, and what cannot be used is left out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from refine import views
from refine.doors import world_doors
from refine.errors import SettingsError
from refine.events import to_json
from refine.forecast import forecast
from refine.live import LiveTexts
from refine.perform import Inbox
from refine.runs import Order, Workbench
from refine.settings import Keys, load
from refine.store import Store
from refine.techniques import TECHNIQUES
from refine.types import CheckCall, Finding, ModelCall, Outcome, Reply, Role, RunSpec, Task, Usage
from tests.fakes import Answer, FakeDoors, begin, go_on
from tests.golden import DRAFTS, four_drafts, scores

FLOW = TECHNIQUES["best_of_n"]
NAMES = ("Ash", "Birch", "Cedar", "Dogwood")


def answering(marks: Mapping[str, tuple[int, int, float | None]]) -> Answer:
    """name -> (must, should, score): what checks and judge say of the draft that holds it."""
    drafts = list(marks)

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            must, should, _ = next(mark for name, mark in marks.items() if name in call.text)
            found = [Finding(call.text[n], (n, n + 1), "length", severity="must") for n in range(must)]
            found += [Finding(call.text[n], (n, n + 1), "length") for n in range(must, must + should)]
            return to_json(tuple(found))
        if call.role == "writer":
            return f"{drafts[call.draw]} is a tree."
        score = next(mark[2] for name, mark in marks.items() if name in call.messages[1].content)
        return "Well." if score is None else scores(score, style=score, correctness=score, faithfulness=score)

    return answer


async def outcome_of(spec: RunSpec, answer: Answer) -> Outcome:
    _, outcome = await go_on(FLOW, begin(spec), FakeDoors(answer))
    assert outcome is not None
    return outcome


def chosen_by(by: str, n: int = 4) -> RunSpec:
    return replace(DRAFTS, options={"n": n, "choose_by": by})


MARKS = {"Ash": (1, 0, 9.0), "Birch": (0, 2, 8.0), "Cedar": (0, 0, 6.0), "Dogwood": (0, 1, 8.0)}


@pytest.mark.parametrize(("by", "kept"), [("judge", "Birch"), ("both", "Dogwood"), ("checks", "Cedar")])
async def test_the_draft_with_fewest_musts_is_kept_then_the_one_the_author_asked_for(by: str, kept: str) -> None:
    outcome = await outcome_of(chosen_by(by), answering(MARKS))
    assert outcome.best is not None
    assert outcome.best.text == f"{kept} is a tree."
    assert outcome.reason == "finished"
    assert [round.text.split()[0] for round in outcome.rounds] == list(MARKS)


async def test_a_score_that_could_not_be_read_comes_last() -> None:
    unread = answering({"Ash": (0, 0, None), "Birch": (0, 3, 0.0)})
    outcome = await outcome_of(chosen_by("both", 2), unread)
    assert outcome.best is not None
    assert outcome.best.text.startswith("Birch")
    assert outcome.rounds[0].verdict.score is None


async def test_of_equals_the_first_is_kept() -> None:
    outcome = await outcome_of(chosen_by("both"), answering(dict.fromkeys(NAMES, (0, 1, 7.0))))
    assert outcome.best is outcome.rounds[0]


async def test_where_checks_choose_no_judge_is_paid() -> None:
    doors = FakeDoors(answering(MARKS))
    await go_on(FLOW, begin(chosen_by("checks")), doors)
    assert sum("'role': 'judge'" in call for call in doors.made) == 0


async def test_all_drafts_are_asked_for_side_by_side_and_none_twice() -> None:
    asked: list[int] = []
    together = asyncio.Event()

    class Slow(FakeDoors):
        async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
            if call.role == "writer":
                asked.append(call.draw)
                if len(asked) == 4:
                    together.set()
                await together.wait()
            return await super().model(spec, call, attempt, on_text)

    await asyncio.wait_for(go_on(FLOW, begin(chosen_by("both")), Slow(answering(MARKS))), 10)
    assert sorted(asked) == [0, 1, 2, 3]


async def test_a_draft_that_was_refused_is_left_out_and_the_others_stand() -> None:
    outcome = await outcome_of(DRAFTS, four_drafts)
    assert [round.text[-2] for round in outcome.rounds] == ["0", "2", "3"]
    assert outcome.best is not None
    assert outcome.best.text.endswith("3.")
    assert outcome.reason == "finished"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("Half a text", finish_reason=None), "cut_off"),
        (Reply(refusal="No."), "refused"),
        (Reply("", usage=Usage(1, 0)), "no_draft"),
        (Reply("I have revised the text.", usage=Usage(1, 9)), "no_draft"),
    ],
)
async def test_where_no_draft_can_be_used_the_run_says_why(reply: Reply, reason: str) -> None:
    outcome = await outcome_of(chosen_by("both"), lambda call, times: reply)
    assert (outcome.best, outcome.rounds, outcome.reason) == (None, (), reason)


async def test_a_limit_in_the_midst_keeps_the_drafts_that_the_checks_have_read() -> None:
    spec = replace(chosen_by("both"), limits={"calls": 5})
    outcome = await outcome_of(spec, answering(MARKS))
    assert outcome.reason == "calls"
    assert len(outcome.rounds) == 4
    assert sum(round.verdict.score is not None for round in outcome.rounds) == 1
    assert outcome.best is not None
    assert not any(finding.severity == "must" for finding in outcome.best.verdict.findings)


async def test_a_draft_that_nobody_has_read_is_not_delivered() -> None:
    spec = replace(chosen_by("judge"), checks={}, limits={"calls": 5})
    outcome = await outcome_of(spec, answering(MARKS))
    assert outcome.reason == "calls"
    assert len(outcome.rounds) == 1


async def test_the_authors_stop_ends_the_run_as_such() -> None:
    inbox = Inbox()
    inbox.cancelled = True
    _, outcome = await go_on(FLOW, begin(DRAFTS), FakeDoors(four_drafts), inbox)
    assert outcome is not None
    assert (outcome.reason, outcome.rounds) == ("cancelled", ())


async def test_a_lost_fact_is_a_must_finding_of_the_draft_that_lost_it() -> None:
    seen: list[CheckCall] = []

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            seen.append(call)
            return []
        return scores(7) if call.role == "judge" else f"Text {call.draw}."

    await outcome_of(replace(DRAFTS, checks={"kept": {}}), answer)
    assert {call.options["against"] for call in seen} == {"One draft."}


# --- as it is read ---------------------------------------------------------------------------------------------------


async def test_each_draft_has_its_own_calls_and_its_own_open_findings() -> None:
    log, _ = await go_on(FLOW, begin(DRAFTS), FakeDoors(four_drafts))
    view = views.read(log)
    assert (view.status, view.reason, view.best_round) == ("done", "finished", 2)
    assert view.text == "Written draft number 3."
    assert view.side_by_side
    assert [round.usage.input_tokens for round in view.rounds] == [20, 30, 20]
    assert [round.cost.value for round in view.rounds] == [Decimal("0.002"), Decimal("0.003"), Decimal("0.002")]
    assert view.calls == 8
    assert not any(round.set_aside for round in view.rounds)
    assert all(state == "open" for round in view.rounds for _, state in round.findings)


async def test_two_drafts_that_are_alike_have_a_round_and_a_price_each() -> None:
    def alike(call: Any, times: int) -> Any:
        if isinstance(call, CheckCall):
            return []
        return scores(7) if call.role == "judge" else Reply("The same text.", usage=Usage(100 * call.draw, 5))

    log, _ = await go_on(FLOW, begin(DRAFTS), FakeDoors(alike))
    view = views.read(log)
    assert sorted(round.usage.input_tokens for round in view.rounds) == [10, 110, 210, 310]


async def test_a_draft_with_faults_of_its_own_is_neither_fixed_by_another_nor_set_aside_for_it() -> None:
    faulty = answering({"Ash": (0, 0, 9.0), "Birch": (2, 0, 5.0)})
    log, _ = await go_on(FLOW, begin(chosen_by("both", 2)), FakeDoors(faulty))
    view = views.read(log)
    assert {state for _, state in view.rounds[1].findings} == {"open"}
    assert not any(round.set_aside for round in view.rounds)


# --- a run on the real bench ----------------------------------------------------------------------------------------


def bench(home: Path) -> Workbench:
    settings = load({"REFINE_HOME": str(home)})
    store, keys = Store.open(home), Keys(home, {})
    return Workbench(settings, store, world_doors(settings, keys, store), keys, LiveTexts())


SCRIPTED = {f"role.{role}.{name}": value for role in ("writer", "judge")
            for name, value in (("endpoint", "scripted"), ("model", "steady"))}  # fmt: skip
DRAFT = "Due to the fact that it rains, we utilize a lot of boats.\n\nAnna pays 1,200 euros in order to sail.\n"


def prepared(workbench: Workbench, **changes: str) -> RunSpec:
    made = {**SCRIPTED, **{key.replace("__", "."): value for key, value in changes.items()}}
    return workbench.prepare(Order(DRAFT, variant="best-of-n", changes=made))


async def test_scripted_drafts_differ_and_the_judge_keeps_the_better_one(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    view = await workbench.run(workbench.start(prepared(workbench), queue=False))
    assert (view.status, view.reason, len(view.rounds), view.calls) == ("done", "finished", 4, 8)
    assert len({round.text for round in view.rounds}) > 1
    scored = [round.score for round in view.rounds if round.score is not None]
    assert view.best_round is not None
    assert view.rounds[view.best_round].score == max(scored) > min(scored)
    workbench.store.close()


async def test_a_seed_is_moved_on_from_draft_to_draft(tmp_path: Path) -> None:
    seeds: list[int | None] = []

    class Client:
        async def __call__(self, *args: Any, seed: int | None, **more: Any) -> Reply:
            seeds.append(seed)
            return Reply("A text.")

        async def aclose(self) -> None: ...

    workbench = bench(tmp_path)
    settings, store, keys = workbench.settings, workbench.store, workbench.keys
    doors = replace(world_doors(settings, keys, store), clients={"scripted": Client()})
    spec = prepared(workbench)
    for seed, draw in ((7, 0), (7, 3), (None, 3)):
        await doors.model(replace(spec, seed=seed), ModelCall("writer", (), draw=draw), 0, lambda *_: None)
    assert seeds == [7, 10, None]
    store.close()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"options__choose_by": "judge"}, "A judge is to choose"),
        ({"options__choose_by": "both"}, "Nobody would choose"),
        ({"options__choose_by": "checks"}, "Nobody would choose"),
    ],
)
def test_drafts_between_which_nobody_would_choose_are_refused(
    tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    workbench = bench(tmp_path)
    spec = prepared(workbench, **changes)
    bare = replace(spec, roles=spec.roles[:1], checks={})
    with pytest.raises(SettingsError, match=said):
        workbench.verify(bare)
    workbench.verify(replace(bare, roles=spec.roles, checks=spec.checks))
    workbench.store.close()


def test_a_variant_without_a_writer_cannot_write_drafts(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    with pytest.raises(SettingsError, match="best_of_n needs a writer"):
        workbench.prepare(Order(DRAFT, variant="offline", technique="best_of_n"))
    workbench.store.close()


async def test_a_run_that_knows_its_number_of_drafts_is_not_gone_on_with(tmp_path: Path) -> None:
    workbench = bench(tmp_path)
    view = await workbench.run(workbench.start(prepared(workbench, options__n="2"), queue=False))
    for go_on_with in (lambda: workbench.go_on(view.run_id), lambda: workbench.fork(view.run_id, 1)):
        with pytest.raises(SettingsError, match="takes no further round"):
            go_on_with()
    workbench.store.close()


def test_a_forecast_counts_each_draft_and_its_judge() -> None:
    roles = (Role("writer", "W" * 450), Role("judge", "J" * 450))
    spec = RunSpec("best_of_n", "x", Task(draft="word " * 900), roles, options={"n": 5, "choose_by": "both"})
    assert forecast(spec, lambda role, usage: usage).calls == (10, 10)
    written, judged = 100 + 1000 + 1000, 100 + 1000 + 1000 + 300 + 300
    assert forecast(spec, lambda role, usage: usage).tokens == (5 * (written + judged),) * 2
    alone = replace(spec, options={"n": 5, "choose_by": "checks"})
    assert forecast(alone, lambda role, usage: usage).calls == (5, 5)
