"""Guards of a run of steps: when it ends, judged between steps. Steps, failures and repeats count per question.

Pure functions on rounds whose attempts are steps.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Generic, TypeVar

from refine.types import Json, Round, RunSpec, Step, Stop, ToolCall

T = TypeVar("T")
Rounds = Sequence[Round]
MAX_STEPS = 12
SAME_ENDS = 5
"""The same action so many times ends the run."""
SAME_WARNS = 3
"""From this time on it is answered from its first result."""
IN_A_ROW = 3
"""Replies that cannot be read, or steps in which every call failed."""
BROKEN = frozenset({"unknown", "arguments", "failed", "timeout"})


def of(spec: RunSpec) -> tuple[Stop, ...]:
    """In the order in which they speak."""
    steps = int(spec.stops.get("max_rounds") or MAX_STEPS)
    return (finished(spec), fatal, failures, repeated_action(), max_steps(steps))


def step_of(round: Round) -> Step:
    assert isinstance(round.attempt, Step)
    return round.attempt


class Each(Generic[T]):
    """What is made of each step, given the steps: made once, as in one loop steps are only ever added."""

    def __init__(self, make: Callable[[int, Step], T]) -> None:
        self._make = make
        self._made: list[T] = []

    def __call__(self, rounds: Rounds) -> Sequence[T]:
        for n in range(len(self._made), len(rounds)):
            self._made.append(self._make(n, step_of(rounds[n])))
        return self._made


def first_of_question(rounds: Rounds) -> int:
    """The number of the step that began the present question."""
    return next((n for n in range(len(rounds) - 1, 0, -1) if step_of(rounds[n]).question), 0)


def questions(rounds: Rounds) -> int:
    """How many questions came after the first."""
    return sum(bool(step_of(round).question) for round in rounds)


# --- what has been asked ----------------------------------------------------------------------------------------


def is_answered(rounds: Rounds) -> bool:
    return bool(rounds) and rounds[-1].verdict.kind == "approved"


def asked_after(rounds: Rounds) -> str:
    """What the author said behind the last step: a wish, or the next question."""
    said = [note.finding.remark for note in rounds[-1].notes if note.kind == "add" and note.finding] if rounds else []
    return "\n\n".join(said)


def waiting_questions(spec: RunSpec, rounds: Rounds) -> Sequence[str]:
    """The questions given at the start that have not been put yet."""
    return [str(question) for question in spec.options.get("questions") or ()][questions(rounds) :]


def reminded(here: Rounds) -> bool:
    return any("unverified" in step_of(round).errors for round in here)


def used_a_tool(here: Rounds) -> bool:
    return any(step_of(round).calls for round in here)


# --- stops -----------------------------------------------------------------------------------------------------


def finished(spec: RunSpec) -> Stop:
    """There is a verified answer, and no question follows."""
    chat = bool(spec.options.get("chat") and spec.options.get("somebody"))

    def stop(rounds: Rounds) -> str | None:
        if not is_answered(rounds) or asked_after(rounds) or waiting_questions(spec, rounds):
            return None
        return None if chat else "finished"

    return stop


def fatal(rounds: Rounds) -> str | None:
    """The last step met what no repetition can mend."""
    return "error" if rounds and "fatal" in step_of(rounds[-1]).errors else None


def failures(rounds: Rounds) -> str | None:
    """The last three replies held no step, or in the last three steps every call failed."""
    last = [set(step_of(round).errors) for round in rounds[first_of_question(rounds) :][-IN_A_ROW:]]
    if len(last) < IN_A_ROW:
        return None
    unread = all(errors == {"format"} for errors in last)
    return "failures" if unread or all(errors and errors <= BROKEN for errors in last) else None


def repeated_action() -> Stop:
    done = Each(actions)

    def stop(rounds: Rounds) -> str | None:
        if not rounds:
            return None
        here = done(rounds)[first_of_question(rounds) :]
        times = Counter(action for action, _ in chain.from_iterable(here))
        return "repeated_action" if any(times[action] >= SAME_ENDS for action, _ in here[-1]) else None

    return stop


def max_steps(limit: int) -> Stop:
    """Of one question."""

    def stop(rounds: Rounds) -> str | None:
        if is_answered(rounds) or (rounds and asked_after(rounds)):
            return None
        return "max_rounds" if len(rounds) - first_of_question(rounds) >= limit else None

    return stop


# --- actions ---------------------------------------------------------------------------------------------------


Action = tuple[str, str]
"""What was done, in its canonical form, and what it was answered with."""


def actions(n: int, step: Step) -> list[Action]:
    """Those of step `n`, in their order."""
    return [(canonical(call), told) for call, told in zip(step.calls, step.observations, strict=False)]


def canonical(call: ToolCall) -> str:
    """The same for every way to write the same action: order of arguments, white space, 5 and 5.0."""
    return f"{call.name} {_ENCODER.encode(_plain(call.arguments))}"


_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return " ".join(value.split()) if isinstance(value, str) else value
