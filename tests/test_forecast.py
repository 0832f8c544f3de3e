"""What a run will take is guessed from its texts, its roles and its rounds."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from refine.events import Called, Record, Replied
from refine.forecast import ANY, OBSERVATION, STEP, Habit, forecast, habit_of
from refine.ledger import Cost
from refine.text.estimate import estimate_tokens
from refine.types import Message, ModelCall, Reply, Role, RunSpec, Task, Usage

DRAFT = "word " * 900
SPEC = RunSpec("refine", "x", Task(draft=DRAFT), (Role("writer", "W" * 450), Role("critic", "C" * 450)),
               stops={"max_rounds": 5})  # fmt: skip


def unknown(_role: Role, usage: Usage) -> Usage:
    return usage


def a_cent_each(_role: Role, usage: Usage) -> Usage:
    return replace(usage, cost=Decimal("0.01"), currency="EUR")


def test_from_one_rewrite_to_all_rounds() -> None:
    assert forecast(SPEC, unknown).calls == (3, 9)
    assert forecast(replace(SPEC, stops={"max_rounds": 1}), unknown).calls == (1, 1)
    assert forecast(replace(SPEC, task=Task(brief="A note.")), unknown).calls == (4, 10)
    two = replace(SPEC, roles=(*SPEC.roles, Role("critic-2")))
    assert forecast(two, unknown).calls == (5, 14)


def test_tokens_are_those_of_prompts_texts_and_replies() -> None:
    review, rewrite = 100 + 1000 + 300, 100 + 1000 + 300 + 1000
    assert forecast(SPEC, unknown).tokens == (2 * review + rewrite, 5 * review + 4 * rewrite)


def test_money_is_known_only_where_every_price_is() -> None:
    found = forecast(SPEC, a_cent_each)
    assert found.cost == (Cost(Decimal("0.03"), currency="EUR"), Cost(Decimal("0.09"), currency="EUR"))
    assert not forecast(SPEC, unknown).cost[0].complete
    mixed = forecast(SPEC, lambda role, usage: a_cent_each(role, usage) if role.name == "writer" else usage)
    assert mixed.cost[1] == Cost(Decimal("0.04"), False, "EUR")


def test_a_prompt_in_two_languages_is_read_in_one() -> None:
    both = "{% if language != 'zh' %}\n" + "W" * 450 + "\n{% else %}\n" + "写" * 1000 + "\n{% endif %}"
    spec = replace(SPEC, roles=(Role("writer", both), SPEC.roles[1]), task=Task(draft=DRAFT, language="en"))
    assert forecast(spec, unknown).tokens == forecast(SPEC, unknown).tokens
    chinese = replace(spec, task=Task(draft=DRAFT, language="zh"))
    assert forecast(chinese, unknown).tokens[1] - forecast(spec, unknown).tokens[1] == 4 * (850 - 100)


def test_checks_alone_take_no_calls() -> None:
    assert forecast(replace(SPEC, roles=()), unknown).calls == (0, 0)


def test_one_call_is_foreseen_as_one_call() -> None:
    assert forecast(replace(SPEC, technique="single", stops={}), unknown).calls == (1, 1)


def test_of_a_fork_only_what_is_still_to_come_is_foreseen() -> None:
    fork = replace(SPEC, parent=("other", 2))
    assert forecast(fork, unknown).calls == (2, 4)
    assert forecast(replace(fork, stops={"max_rounds": 3}), unknown).calls == (2, 2)


ACTOR = RunSpec("react", "x", Task(brief="word " * 90), (Role("actor", "A" * 450, max_tokens=500),),
                stops={"max_rounds": 6})  # fmt: skip


def test_an_actor_takes_from_one_tool_to_all_its_steps_and_is_told_more_each_time() -> None:
    found = forecast(ACTOR, a_cent_each)
    assert found.calls == (2, 6)
    first, told = 100 + 100, STEP + OBSERVATION
    assert found.tokens == (2 * first + told + 2 * STEP, 6 * first + 15 * told + 6 * STEP)
    assert found.cost[1].value == Decimal("0.06")
    assert forecast(replace(ACTOR, stops={}), unknown).calls == (2, 12)
    assert forecast(replace(ACTOR, options={"questions": ["And then?"]}), unknown).calls == (4, 12)
    assert forecast(replace(ACTOR, parent=("other", 3)), unknown).calls == (1, 2)
    short = forecast(replace(ACTOR, options={"context": 500}), unknown)
    assert 6 * first + 6 * STEP < short.tokens[1] < found.tokens[1]
    tooled = forecast(replace(ACTOR, tools=({"name": "weather", "description": "Looks it up."},)), unknown)
    assert tooled.tokens[0] > found.tokens[0]


def test_an_actors_habit_is_how_much_it_says_in_a_step() -> None:
    spec = replace(ACTOR, roles=(Role("actor", "A" * 450, **BIG),))
    habit = habit_of(("far", "big"), [(spec, made("actor", 1, Usage(100, 40)))])
    assert habit.step == 40
    plain = replace(habit, read=1.0, seconds=None)
    assert forecast(spec, unknown, {("far", "big"): plain}).tokens[0] == 2 * 200 + STEP + OBSERVATION + 2 * 40


# --- what earlier runs say -------------------------------------------------------------------------------------------

BIG, SMALL = {"endpoint": "far", "model": "big"}, {"endpoint": "near", "model": "small"}
MODELS = replace(SPEC, roles=(Role("writer", **BIG), Role("critic", **BIG), Role("critic-2", **SMALL)))
PROMPT = "word " * 90


def made(role: str, at: int, usage: Usage, text: str = PROMPT, seconds: float = 2.0) -> list[Record]:
    call = ModelCall(role, (Message("user", (PROMPT,)),))
    events = Called(str(at), call), Replied(str(at), Reply(text, usage=usage, seconds=seconds))
    return [Record("run", at, 0.0, event) for event in events]


def test_a_habit_is_what_calls_of_that_model_used() -> None:
    guessed = estimate_tokens(PROMPT) + 4
    log = [
        *made("writer", 1, Usage(2 * guessed, 3 * estimate_tokens(PROMPT))),
        *made("critic", 2, Usage(2 * guessed, 80), "word " * 72),
        *made("critic-2", 3, Usage(9 * guessed, 900)),
        *made("writer", 4, Usage(7 * guessed, 9_999, estimated=True)),
    ]
    habit = habit_of(("far", "big"), [(MODELS, log)])
    assert (habit.read, habit.written, habit.remarks) == (2.0, 2.0, 80)
    assert habit.seconds == 4.0 / (3 * estimate_tokens(PROMPT) + 80)
    assert habit_of(("far", "other"), [(MODELS, log)]) == ANY == habit_of(("far", "big"), [])


def test_a_forecast_is_corrected_by_the_habits_of_its_models() -> None:
    habits = {("", ""): Habit(read=2.0, written=3.0, remarks=50, seconds=0.01)}
    review, rewrite = 2 * (100 + 1000) + 50, 2 * (100 + 1000 + 50) + 3000
    found = forecast(SPEC, unknown, habits)
    assert found.tokens == (2 * review + rewrite, 5 * review + 4 * rewrite)
    assert found.seconds == (2 * 0.5 + 30.0, 5 * 0.5 + 4 * 30.0)
    assert forecast(SPEC, unknown).seconds is None


def test_critics_side_by_side_take_as_long_as_the_slowest() -> None:
    slow, quick = Habit(remarks=100, seconds=1.0), Habit(remarks=100, seconds=0.5)
    spec = replace(SPEC, roles=(Role("critic", "", "a", "m"), Role("critic-2", "", "b", "m")), stops={"max_rounds": 1})
    assert forecast(spec, unknown, {("a", "m"): slow, ("b", "m"): quick}).seconds == (100.0, 100.0)
