"""What a run will take, guessed before it starts: calls, tokens, money, time. Pure.

A first guess knows only texts and rounds; what earlier runs of the same model used corrects it (`habit_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from refine import prompts
from refine.events import Called, Record, Replied
from refine.ledger import Cost, add_costs, money_of
from refine.schema import DRAFTS, FIELDS
from refine.text.estimate import estimate_tokens
from refine.types import ModelCall, Reply, Role, RunSpec, Usage

Price = Callable[[Role, Usage], Usage]
"""The same usage with its cost, where that is known."""
Model = tuple[str, str]
"""(endpoint, model)"""

REMARKS = 300
"""Tokens of a critic's or a judge's reply, and of what the writer is told of it; of what checks find together."""
FIRST_DRAFT = 600
"""Tokens of a text that does not exist yet."""
STEP = 90
"""Tokens of an actor's thought and action, or of its answer."""
OBSERVATION = 150
"""Tokens of what a tool gives back, as the actor is told it."""
RUBRIC = 300
"""Tokens of what a judge scores by."""
JUDGING = ("critic", "judge", "pair")
"""How the names of roles begin that say what they think of a text."""
PER_MESSAGE = 4


@dataclass(frozen=True, slots=True)
class Habit:
    """What a model uses, beside what is guessed of any."""

    read: float = 1.0
    """Tokens of a prompt, for each that is guessed."""
    written: float = 1.0
    """Tokens of a reply, its thoughts included, for each that is guessed of its text."""
    remarks: int = REMARKS
    """Tokens of a critic's or a judge's reply."""
    step: int = STEP
    """Tokens of an actor's reply."""
    seconds: float | None = None
    """For each token written; None = not known."""


ANY = Habit()


@dataclass(frozen=True, slots=True)
class Forecast:
    """From a run that is approved after one rewrite, or answers after one use of a tool, to one that uses all its
    rounds."""

    calls: tuple[int, int]
    tokens: tuple[int, int]
    cost: tuple[Cost, Cost]
    seconds: tuple[float, float] | None = None
    """None: nothing is known of how fast a model is."""


def forecast(spec: RunSpec, price: Price, habits: Mapping[Model, Habit] | None = None) -> Forecast:
    habits = habits or {}
    make = CALLS.get(spec.technique, calls)
    low, high = (make(spec, rounds, habits) for rounds in spans(spec))
    times = seconds(low, habits, abreast(spec)), seconds(high, habits, abreast(spec))
    return Forecast(
        (len(low), len(high)),
        (tokens(low), tokens(high)),
        (money(low, price), money(high, price)),
        None if times[0] is None or times[1] is None else (times[0], times[1]),
    )


def spans(spec: RunSpec) -> tuple[int, int]:
    """The fewest and the most rounds that are to be expected; of a fork, those that are still to come."""
    field = FIELDS.get(spec.technique, {}).get("stops", {}).get("max_rounds")
    most = int(spec.stops.get("max_rounds") or field.default) if field else 1
    if spec.parent:
        left = max(1, most - spec.parent[1] - 1)
        return 1, left
    return min(2, most), most


def calls(spec: RunSpec, reviews: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """The calls of a run with so many reviews and a rewrite between any two of them; of a fork, before any of them."""
    told = estimate_tokens(spec.task.brief) + _text(spec)
    critics = [(role, _call(spec, role, habits, told, _habit(role, habits).remarks)) for role in spec.critics] * reviews
    remarks = sum(_habit(role, habits).remarks for role in spec.critics) or REMARKS
    writes = reviews - 1 if spec.task.draft and not spec.parent else reviews
    return critics + writing(spec, remarks, habits) * writes


def one_text(spec: RunSpec, rounds: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """The writer alone, who is told of no remarks."""
    return writing(spec, 0, habits) * rounds


def writing(spec: RunSpec, remarks: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """One call to the writer, where there is one."""
    writer, text = spec.role("writer"), _text(spec)
    if not writer:
        return []
    written = round(text * _habit(writer, habits).written)
    return [(writer, _call(spec, writer, habits, estimate_tokens(spec.task.brief) + text + remarks, written))]


def _text(spec: RunSpec) -> int:
    return estimate_tokens(spec.task.draft) or FIRST_DRAFT


def steps(spec: RunSpec, most: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """The calls of an actor with so many steps for each question that was given. Each is told all steps before it."""
    actor = spec.role("actor")
    if not actor:
        return []
    written = _habit(actor, habits).step
    told = estimate_tokens(spec.task.brief) + estimate_tokens(spec.task.draft)
    told += sum(estimate_tokens(f"{tool['name']} {tool['description']}") for tool in spec.tools)
    room = int(spec.options.get("context") or FIELDS["react"]["options"]["context"].default)
    questions = 1 if spec.parent else 1 + len(spec.options.get("questions") or ())
    return [
        (actor, _call(spec, actor, habits, min(room, told + n * (STEP + OBSERVATION)), written))
        for n in range(questions * most)
    ]


def drafts(spec: RunSpec, rounds: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """Several drafts, each written and judged once."""
    judge = [] if spec.options.get("choose_by") == "checks" else judging(spec, "judge", 1, habits)
    return (writing(spec, 0, habits) + judge) * abreast(spec)


def abreast(spec: RunSpec) -> int:
    """How many equal flows of calls run side by side."""
    if spec.technique == "best_of_n":
        return int(spec.options.get("n") or DRAFTS)
    return 2 if spec.technique == "prefer" else 1


def one_score(spec: RunSpec, rounds: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    return judging(spec, "judge", 1, habits)


def both_orders(spec: RunSpec, rounds: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    return judging(spec, "pair", 2, habits) * abreast(spec)


def judging(spec: RunSpec, name: str, texts: int, habits: Mapping[Model, Habit]) -> list[tuple[Role, Usage]]:
    """One call to a judge, where there is one: it reads so many texts beside the brief and the original."""
    role = spec.role(name)
    original = str(spec.options.get("original") or spec.task.draft)
    read = estimate_tokens(spec.task.brief) + estimate_tokens(original) + RUBRIC + texts * _text(spec)
    return [(role, _call(spec, role, habits, read, _habit(role, habits).remarks))] if role else []


CALLS = {"react": steps, "single": one_text, "best_of_n": drafts, "measure": one_score, "prefer": both_orders}
"""Technique -> the calls of so many rounds; of all others `calls`."""


def _call(spec: RunSpec, role: Role, habits: Mapping[Model, Habit], read: int, written: int) -> Usage:
    around = _around(role.prompt, role.name, spec.task.language, bool(spec.task.draft), bool(spec.task.brief))
    prompt = (around + read) * _habit(role, habits).read
    return Usage(round(prompt), written, estimated=True)


@lru_cache(maxsize=256)
def _around(prompt: str, name: str, language: str, draft: bool, brief: bool) -> int:
    """Tokens of a prompt as it will be filled, but for the texts: it may hold the same in two languages."""
    values = {"language": language, "draft": " " * draft, "brief": " " * brief, "other": " "}
    system, *_ = prompts.messages(prompt, name, values, where=name)
    told = system.content if system.role == "system" else ""
    return estimate_tokens(told) + estimate_tokens(prompts.split(prompt)[1] or "")


def _habit(role: Role, habits: Mapping[Model, Habit]) -> Habit:
    return habits.get((role.endpoint, role.model), ANY)


def tokens(calls: list[tuple[Role, Usage]]) -> int:
    return sum(usage.input_tokens + usage.output_tokens for _role, usage in calls)


def money(calls: list[tuple[Role, Usage]], price: Price) -> Cost:
    return add_costs(money_of(price(role, usage)) for role, usage in calls)


def seconds(calls: list[tuple[Role, Usage]], habits: Mapping[Model, Habit], abreast: int = 1) -> float | None:
    """One call after the other, but that critics work side by side, and so many flows of equal calls do."""
    by_role: dict[str, float] = {}
    for role, usage in calls:
        pace = _habit(role, habits).seconds
        if pace is None:
            return None
        by_role[role.name] = by_role.get(role.name, 0.0) + pace * usage.output_tokens
    critics = [taken for name, taken in by_role.items() if name.startswith("critic")]
    others = sum(taken for name, taken in by_role.items() if not name.startswith("critic"))
    return (max(critics, default=0.0) + others) / abreast


# --- what earlier runs say -------------------------------------------------------------------------------------------


def habit_of(model: Model, runs: Iterable[tuple[RunSpec, Sequence[Record]]]) -> Habit:
    """How a model was in these runs; what they do not tell is as of any."""
    made = [pair for spec, records in runs for pair in _made(model, spec, records)]
    read = [usage.input_tokens / guessed for _, call, _, usage in made if (guessed := _prompt(call))]
    written = [
        usage.output_tokens / guessed for _, _, reply, usage in made if (guessed := estimate_tokens(reply.content))
    ]
    remarks = [usage.output_tokens for role, _, _, usage in made if role.startswith(JUDGING)]
    acted = [usage.output_tokens for role, _, _, usage in made if role == "actor"]
    produced = sum(usage.output_tokens for *_, usage in made)
    return Habit(
        median(read) if read else ANY.read,
        median(written) if written else ANY.written,
        round(median(remarks)) if remarks else ANY.remarks,
        round(median(acted)) if acted else ANY.step,
        sum(reply.seconds for _, _, reply, _ in made) / produced if produced else None,
    )


def _made(model: Model, spec: RunSpec, records: Sequence[Record]) -> Iterator[tuple[str, ModelCall, Reply, Usage]]:
    """(role, call, reply, usage) of each call of this model whose usage was reported."""
    roles = {role.name for role in spec.roles if (role.endpoint, role.model) == model}
    asked: dict[str, ModelCall] = {}
    for record in records:
        match record.event:
            case Called(at, ModelCall() as call) if call.role in roles:
                asked[at] = call
            case Replied(at, reply) if at in asked and reply.usage and not reply.usage.estimated:
                yield asked[at].role, asked[at], reply, reply.usage


def _prompt(call: ModelCall) -> int:
    return sum(estimate_tokens(message.content) + PER_MESSAGE for message in call.messages)
