"""The steps of a run with tools as people read them: by question, what each did, what came of it. Reads views, logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from refine.events import Called, Record, Replied, RoundEnded
from refine.ledger import Cost, add_costs, minus
from refine.techniques.guards import canonical
from refine.techniques.tool_use import written
from refine.types import Ask, Json, Step, ToolCall
from refine.views import RoundView, RunView

Result = Literal["ok", "answer", "repeat", "refused", "sent_back", "error"]
MILD = {"", "repeat", "refused"}
"""Errors of an observation that are no fault of the actor's."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with its steps.

    `answer`: None while there is none. `passed`: the task's checks that this answer passed.
    """

    text: str
    steps: tuple[RoundView, ...]
    answer: str | None
    approved: bool
    passed: tuple[Json, ...]
    tokens: int
    cost: Cost
    seconds: float

    @property
    def checked(self) -> bool:
        return bool(self.passed)

    @property
    def without_tools(self) -> bool:
        return not any(step_of(round).calls for round in self.steps)

    def count(self, result: Result) -> int:
        return sum(result_of(step_of(round)) == result for round in self.steps)


def step_of(round: RoundView) -> Step:
    assert round.step is not None
    return round.step


def asked(view: RunView) -> tuple[Asked, ...]:
    """Every question that has a step, in order; the first one also before its first step."""
    starts = [0, *(round.n for round in view.rounds if round.n and step_of(round).question)]
    groups = [view.rounds[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return tuple(_asked(view, number, steps, number == len(groups) - 1) for number, steps in enumerate(groups))


def pending(view: RunView, records: Sequence[Record]) -> str:
    """A question that has been put and has no step yet; "" where there is none."""
    if not view.rounds:
        return ""
    last = view.rounds[-1]
    if said := [note.finding.remark for note in last.notes if note.kind == "add" and note.finding]:
        return "\n\n".join(said)
    if last.kind != "approved":
        return ""
    given = view.spec.options.get("questions") or ()
    put = sum(bool(step_of(round).question) for round in view.rounds)
    if put < len(given):
        return "" if view.ended else str(given[put])
    return _answered(records)


def _answered(records: Sequence[Record]) -> str:
    """What the author answered when asked for the next question, after the last step."""
    said, at = "", ""
    for record in records:
        match record.event:
            case RoundEnded():
                said, at = "", ""
            case Called(place, Ask("next_question")):
                at = place
            case Replied(place, reply) if at and place == at:
                said = reply.content.strip()
    return said


def _asked(view: RunView, number: int, steps: tuple[RoundView, ...], last: bool) -> Asked:
    approved = bool(steps) and steps[-1].kind == "approved"
    checks = tuple(check for check in view.spec.task.result_checks if check.get("question", 0) == number)
    tokens, cost, seconds = _spent(steps)
    if last:  # also what was called beyond the steps, as for a last answer
        all_tokens, all_cost, all_seconds = _spent(view.rounds)
        tokens += view.usage.input_tokens + view.usage.output_tokens - all_tokens
        cost = replace(add_costs([cost, view.money, minus(all_cost)]), complete=view.money.complete)
        seconds += sum(call.seconds for call in view.attempts) - all_seconds
    return Asked(
        text=step_of(steps[0]).question if number else view.spec.task.brief,
        steps=steps,
        answer=steps[-1].text if approved else _last_answer(view, steps) if last else None,
        approved=approved,
        passed=checks if approved else (),
        tokens=tokens,
        cost=cost,
        seconds=max(0.0, seconds),
    )


def _last_answer(view: RunView, steps: Sequence[RoundView]) -> str | None:
    """What was found when the run ended without an answer that passed."""
    if not view.ended or (view.best_round is not None and all(round.n != view.best_round for round in steps)):
        return None
    return view.text or None


def _spent(steps: Sequence[RoundView]) -> tuple[int, Cost, float]:
    return (
        sum(round.usage.input_tokens + round.usage.output_tokens for round in steps),
        add_costs(round.cost for round in steps),
        sum(round.seconds for round in steps),
    )


# --- one step ----------------------------------------------------------------------------------------------------


def result_of(step: Step) -> Result:
    """What came of it; the gravest, where several calls were made side by side."""
    if step.final is not None:
        return "sent_back" if step.errors else "answer"
    found = set(step.errors)
    if found - MILD:
        return "error"
    return "refused" if "refused" in found else "repeat" if "repeat" in found else "ok"


def action_of(step: Step) -> str:
    """Names of the tools; "" for an answer, and where no step could be read."""
    return ", ".join(dict.fromkeys(call.name for call in step.calls))


def told(step: Step) -> list[tuple[ToolCall | None, str, str]]:
    """Each call with its observation and error; None = an observation that belongs to no call."""
    calls = [*step.calls, *[None] * (len(step.observations) - len(step.calls))]
    texts = [*step.observations, *[""] * (len(calls) - len(step.observations))]
    errors = [*step.errors, *[""] * (len(calls) - len(step.errors))]
    return [*zip(calls, texts, errors, strict=True)]


def first_time(steps: Sequence[RoundView], call: ToolCall) -> int | None:
    """The number of the question's step, counted from 1, in which this call was made first."""
    same = canonical(call)
    return next((n for n, round in enumerate(steps, 1) if same in map(canonical, step_of(round).calls)), None)


def lasting(view: RunView, after: int) -> list[str]:
    """What steps behind that one did that nothing takes back, as calls."""
    asks = {tool["name"] for tool in view.spec.tools if tool.get("asks")}
    later = [made for round in view.rounds[after + 1 :] for made in told(step_of(round))]
    return [written(call) for call, _text, error in later if call and call.name in asks and not error]
