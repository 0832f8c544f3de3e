"""How an actor's calls are carried out: by tools that the run allows, side by side, each answered under its own id.

A call that must not be made, or was made before, is answered without making it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from refine import words
from refine.loop import ask, ask_all
from refine.techniques.guards import SAME_ENDS, SAME_WARNS, Action, canonical
from refine.text.shorten import shorten
from refine.types import Ask, Flow, Json, RunSpec, Step, ToolCall

OBSERVATION = 8_000
"""Characters of a result that the actor is told, where the run does not say; the whole stands in the log."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the actor is told about one call. `error`: one of `types.ERRORS`, or ""."""

    text: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """One call that an actor asked for. `problem`: why its arguments cannot be read."""

    call: ToolCall
    id: str = ""
    problem: str = ""


def act(spec: RunSpec, here: Sequence[Sequence[Action]], thought: str, uses: Sequence[Use]) -> Flow[Step]:
    """Carries out the calls of one step.

    Args:
        here: what was done in each step of the present question.
    """
    told: dict[int, Told] = {}
    for n, use in enumerate(uses):
        answer = without_call(spec, here, [other.call for other in uses[:n]], use)
        answer = answer or (yield from unless_allowed(spec, use.call))
        if answer:
            told[n] = answer
    live = [n for n in range(len(uses)) if n not in told]
    replies = yield from ask_all([uses[n].call for n in live])
    most = int(spec.options.get("observation") or OBSERVATION)
    for n, reply in zip(live, replies, strict=True):
        error = (reply.value or {}).get("error") or ""
        told[n] = Told(shorten(reply.content, most, spec.task.language), error)
    answers = [told[n] for n in range(len(uses))]
    return Step(
        thought,
        tuple(use.call for use in uses),
        tuple(answer.text for answer in answers),
        errors=tuple(answer.error for answer in answers),
        ids=tuple(use.id for use in uses) if any(use.id for use in uses) else (),
    )


def without_call(spec: RunSpec, here: Sequence[Sequence[Action]], beside: Sequence[ToolCall], use: Use) -> Told | None:
    """The answer to a call that is not made: no such tool, unreadable arguments, or made twice before."""
    table = words.of(spec.task.language)
    known = [str(tool["name"]) for tool in spec.tools]
    if use.call.name not in known:
        said = table.NO_TOOLS if not known else table.UNKNOWN_TOOL
        return Told(said.format(name=use.call.name, known=", ".join(known)), "unknown")
    if use.problem:
        return Told(use.problem, "arguments")
    wanted = canonical(use.call)
    answers = [(n, told) for n, done in enumerate(here) for action, told in done if action == wanted]
    before = len(answers) + [canonical(call) for call in beside].count(wanted)
    if before + 1 < SAME_WARNS or not answers:
        return None
    number, text = answers[0]
    left = max(0, SAME_ENDS - before - 1)
    return Told(table.REPEATED.format(times=before + 1, step=number + 1, left=left, text=text), "repeat")


def unless_allowed(spec: RunSpec, call: ToolCall) -> Flow[Told | None]:
    """Asks the author before a tool has an effect outside the run; where nobody can be asked, it is not used."""
    declared = next(tool for tool in spec.tools if tool["name"] == call.name)
    if not declared.get("asks"):
        return None
    table = words.of(spec.task.language)
    if not spec.options.get("somebody"):
        return Told(table.NOBODY_ALLOWS.format(name=call.name), "refused")
    reply = yield from ask(Ask("allow_tool", ("allow", "refuse"), written(call)))
    return (
        None
        if reply.content.strip().casefold() == "allow"
        else Told(table.NOT_ALLOWED.format(name=call.name), "refused")
    )


def written(call: ToolCall) -> str:
    """A call as people read it: name(argument=value)."""
    return f"{call.name}({', '.join(f'{name}={_value(value)}' for name, value in call.arguments.items())})"


def _value(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
