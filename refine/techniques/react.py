"""ReAct: think, act, observe, until there is an answer that passes its checks.

After Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models", 2023. A step is a round: an unverified
one says "revise", a verified finish "approved". Where a limit ends the loop, a last answer is asked for with what is
known; it stands behind the loop and so survives the halt. What a reply means is decided in `replies`, what a tool does
in `tools`; the prompts of a step are made in `acting`, its guards in `guards`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from refine import words
from refine.loop import Halt, ask, loop
from refine.techniques import guards
from refine.techniques.acting import Wish, actor_call, question_at, read_answer, read_wish, since_question, tells
from refine.techniques.guards import Action
from refine.techniques.rewriting import useless
from refine.techniques.tool_use import act
from refine.types import Ask, CheckCall, Finding, Flow, Json, ModelCall, Outcome, Reply, Round, RunSpec, Step, Verdict

ANSWERED_AT = ("max_rounds", "repeated_action", "budget", "tokens", "time", "calls")
"""Reasons after which a last answer is asked for."""
REVISE = Verdict("revise")


def react(spec: RunSpec) -> Flow[Outcome]:
    told, done = tells(spec), guards.Each(guards.actions)

    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        question = yield from next_question(spec, rounds)
        call = actor_call(spec, rounds, question, told(rounds))
        return (yield from take_step(spec, rounds, question, call, done(rounds)))

    outcome = yield from loop(turn, guards.of(spec), answered)
    if outcome.reason not in ANSWERED_AT:
        return outcome
    call = actor_call(spec, outcome.rounds, "", told(outcome.rounds), closing=True)
    return replace(outcome, best=(yield from last_answer(call)) or outcome.best)


def answered(rounds: Sequence[Round]) -> Round:
    """The last verified answer, else the last answer, else the last step."""
    finals = [round for round in rounds if round.text]
    verified = [round for round in finals if round.verdict.kind == "approved"]
    return (verified or finals or list(rounds))[-1]


# --- questions -------------------------------------------------------------------------------------------------


def next_question(spec: RunSpec, rounds: Sequence[Round]) -> Flow[str]:
    """The question that the next step begins with; "" while it goes on with one. Halts where none follows."""
    if not rounds or not (guards.is_answered(rounds) or guards.asked_after(rounds)):
        return ""
    if asked := guards.asked_after(rounds):
        return asked
    if waiting := guards.waiting_questions(spec, rounds):
        return waiting[0]
    reply = yield from ask(Ask("next_question"))
    if not reply.content.strip():
        raise Halt("finished")
    return reply.content.strip()


# --- one step --------------------------------------------------------------------------------------------------


def take_step(
    spec: RunSpec, rounds: Sequence[Round], question: str, call: ModelCall, done: Sequence[Sequence[Action]]
) -> Flow[Round]:
    reply = yield from ask(call)
    if useless(reply) == "refused":
        raise Halt("refused")
    wish = read_wish(spec, reply)
    if wish.final is not None:
        step, verdict = yield from finish(spec, rounds, question, wish.final)
    elif wish.uses:
        here = () if question else done[guards.first_of_question(rounds) :]
        step, verdict = (yield from act(spec, here, wish.thought, wish.uses)), REVISE
    else:
        step, verdict = _none(reply, wish), REVISE
    reasoning = reply.reasoning if step.ids else ""
    return Round(replace(step, thought=wish.thought, question=question, reasoning=reasoning), verdict)


def _none(reply: Reply, wish: Wish) -> Step:
    """A reply without a step, or a cut-off one, which is never carried out."""
    return Step(observations=(wish.problem,), errors=("format",), said=reply.content)


def finish(spec: RunSpec, rounds: Sequence[Round], question: str, answer: str) -> Flow[tuple[Step, Verdict]]:
    """A verified finish approves; one that fails its checks goes back with the reasons."""
    here = () if question else since_question(rounds)
    if spec.options.get("tool_first") and spec.tools and not guards.reminded(here) and not guards.used_a_tool(here):
        return _refused(spec, answer, [words.of(spec.task.language).TOOL_FIRST])
    number = question_at(rounds) + bool(question)
    if checks := [check for check in spec.task.result_checks if check.get("question", 0) == number]:
        options: dict[str, Json] = {
            "checks": checks,
            "language": spec.task.language,
            "workspace": spec.options.get("workspace", ""),
            "workspace_from": spec.options.get("workspace_from", ""),
            "draft": spec.task.draft,
        }
        reply = yield from ask(CheckCall("result", answer, options))
        if reasons := [str(reason) for reason in reply.value or ()]:
            return _refused(spec, answer, reasons)
    return Step(final=answer), Verdict("approved")


def _refused(spec: RunSpec, answer: str, reasons: Sequence[str]) -> tuple[Step, Verdict]:
    told = words.of(spec.task.language).FINISH_REFUSED.format(reasons="\n".join(f"- {reason}" for reason in reasons))
    findings = tuple(Finding(dimension="result", severity="must", remark=reason, critic="result") for reason in reasons)
    return Step(final=answer, observations=(told,), errors=("unverified",)), Verdict("revise", findings=findings)


def last_answer(call: ModelCall) -> Flow[Round | None]:
    """What the actor can say with what it knows; None where it says nothing of use."""
    try:
        reply = yield from ask(call)
    except Halt:
        return None
    answer = read_answer(reply)
    return Round(Step(final=answer), REVISE) if answer else None
