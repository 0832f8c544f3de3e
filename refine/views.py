"""A run as people and programs see it, read from its log and from nothing else.

The log says what happened; old replies are never read again, so a mended reader does not rewrite history.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from refine import words
from refine.events import (
    Called,
    Failed,
    Halted,
    Record,
    Replied,
    RoundRestarted,
    Started,
    Stopped,
    Waiting,
    to_json,
)
from refine.findings import Key, State, judged, key, ledger
from refine.keeping import author_start, best_index, lost, picked, set_aside
from refine.ledger import Cost as Cost
from refine.ledger import add_costs, money_of
from refine.limits import spent
from refine.past import Past, split
from refine.schema import JUDGING, goes_on
from refine.store import RunRow
from refine.types import (
    Call,
    CheckCall,
    Finding,
    Json,
    ModelCall,
    Note,
    Round,
    RunSpec,
    Spent,
    Status,
    Step,
    Usage,
    VerdictKind,
)

FAILED = {"error", "failures"}
"""Reasons that mean failure whatever there is. For all others a run without any text has failed."""


NO_COST = Cost()


@dataclass(frozen=True, slots=True)
class CallView:
    """One call with its attempts, as the trace shows it."""

    at: str
    kind: str
    role: str
    asked: Call
    attempts: int = 0
    lost: int = 0
    """Attempts of which no end is on record, and will not be."""
    content: str = ""
    reasoning: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    money: Cost = NO_COST
    """What is known of its cost, also where `usage.cost` is not: one attempt without a price makes that None."""
    seconds: float = 0.0
    first_token_seconds: float | None = None
    failures: tuple[str, ...] = ()
    open: bool = True

    @property
    def call(self) -> Json:
        """What was asked, as JSON; made when it is looked at, as few are."""
        return to_json(self.asked)


@dataclass(frozen=True, slots=True)
class RoundView:
    n: int
    kind: VerdictKind
    score: float | None
    findings: tuple[tuple[Finding, State], ...]
    text: str
    step: Step | None
    notes: tuple[Note, ...]
    set_aside: bool
    lost: tuple[str, ...]
    usage: Usage
    cost: Cost
    seconds: float
    scores: Mapping[str, float] = field(default_factory=dict)
    """Score by dimension, or votes, where the verdict has them."""

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding, _ in self.findings)


@dataclass(frozen=True, slots=True)
class RunView:
    run_id: str
    spec: RunSpec
    title: str
    status: Status
    reason: str | None
    question: Waiting | None
    error: str
    text: str | None
    """The best reviewed text; None where there is none yet."""
    best_round: int | None
    rounds: tuple[RoundView, ...]
    usage: Usage
    money: Cost
    calls: int
    adapted: tuple[str, ...]
    attempts: tuple[CallView, ...]
    spent: Spent
    """As the run's own limits count it."""
    at: float
    """When it started, seconds since the epoch."""
    seconds: float
    picked: bool = False
    """The author made this round the result."""
    edited: bool = False
    """The text is the author's own edit, as it was reviewed."""
    restarts: int = 0
    cap: str | None = None
    """The endpoint whose cap of the day ended it, "" = that of all together; None = no cap did."""

    @property
    def technique(self) -> str:
        return self.spec.technique

    @property
    def variant(self) -> str:
        return self.spec.variant

    @property
    def original(self) -> str:
        """The author's own text; "" where there was none. What is judged was made from it elsewhere."""
        judged = self.technique in JUDGING
        return str(self.spec.options.get("original") or "") if judged else self.spec.task.draft

    @property
    def from_draft(self) -> bool:
        """Is its first round the author's own text, as it was?"""
        return self.technique in ("refine", "measure") and bool(self.original)

    @property
    def goes_on(self) -> bool:
        """Can it take another round after its end?"""
        return goes_on(self.technique)

    @property
    def side_by_side(self) -> bool:
        """Are its rounds drafts that were written side by side, none of them made from another?"""
        return self.technique == "best_of_n"

    @property
    def cost(self) -> Decimal | None:
        return self.money.value

    @property
    def ended(self) -> bool:
        return self.status in ("done", "failed", "cancelled")


def read(records: Sequence[Record]) -> RunView:
    """The whole of one run. `records` must begin with `Started`."""
    started = records[0].event
    if not isinstance(started, Started):
        raise ValueError("a log begins with Started")
    past = Past(records)
    loop = outermost(past)
    ended = past.ended_rounds(loop) if loop else []
    rounds = tuple(round for _, round in ended)
    stopped = next((r.event for r in reversed(records) if isinstance(r.event, Stopped)), None)
    calls = _calls(records)
    best = _best(rounds, stopped)
    beyond = stopped.text if stopped else None
    text = beyond if beyond is not None else rounds[best].text if best is not None else None
    reason = stopped.reason if stopped else _halted(records)
    total = spent(records)
    question = None if stopped else next(iter(reversed(past.waiting.values())), None)
    return RunView(
        run_id=records[0].run_id,
        spec=started.spec,
        title=title_of(started.spec),
        status=_status(stopped, question, calls, text, records),
        reason=reason,
        question=question,
        error=_error(stopped, rounds),
        text=text,
        best_round=best,
        rounds=_rounds(started.spec.technique, ended, rounds, best, calls),
        usage=add_up(call.usage for call in calls if call.usage),
        money=cost_of(calls),
        calls=sum(isinstance(r.event, Called) and isinstance(r.event.call, ModelCall) for r in records),
        adapted=tuple(dict.fromkeys(w for r in records if isinstance(r.event, Replied) for w in r.event.reply.adapted)),
        attempts=calls,
        spent=total,
        at=records[0].at,
        seconds=total.seconds,
        picked=best is not None and picked(rounds) == best,
        edited=best is not None and 0 < author_start(rounds) == best,
        restarts=sum(isinstance(r.event, RoundRestarted) for r in records),
        cap=_cap(records, reason),
    )


def title_of(spec: RunSpec) -> str:
    """The task's own title, or the first line of the draft, or of the brief, 60 characters at most. A question goes
    before the draft that it is about."""
    texts = (spec.task.brief, spec.task.draft) if spec.technique == "react" else (spec.task.draft, spec.task.brief)
    lines = next(filter(str.strip, (spec.task.title, *texts)), "").strip().splitlines()
    title = lines[0].lstrip("#>*- ").strip() if lines else ""
    return title if len(title) <= 60 else title[:59].rstrip() + "…"


def row(view: RunView) -> RunRow:
    """One line of the list of runs."""
    return RunRow(
        view.run_id,
        view.title,
        view.technique,
        view.variant,
        view.at,
        view.status,
        view.reason or "",
        len(view.rounds),
        view.cost,
        view.money.currency,
        view.usage.input_tokens,
        view.usage.output_tokens,
        tuple(round.score for round in view.rounds if round.score is not None),
        view.seconds,
    )


def outermost(past: Past) -> str | None:
    """The address of the loop whose rounds are the run's rounds."""
    loops = {event.loop for event in past.rounds.values()}
    return min(loops, key=lambda loop: (loop.count("."), split(loop)), default=None)


def _best(rounds: tuple[Round, ...], stopped: Stopped | None) -> int | None:
    if not rounds:
        return None
    if any(note.kind == "pick" for note in rounds[-1].notes):  # after the end
        return best_index(rounds)
    if isinstance(rounds[0].attempt, Step):
        return _best_answer(rounds, stopped)
    return stopped.best if stopped and stopped.best is not None else best_index(rounds)


def _best_answer(rounds: tuple[Round, ...], stopped: Stopped | None) -> int | None:
    """The last verified answer, else the last one; none where the answer was given beyond the steps, or not at all."""
    if stopped and stopped.text is not None:
        return None
    answers = [n for n, round in enumerate(rounds) if round.text]
    verified = [n for n in answers if rounds[n].verdict.kind == "approved"]
    return max(verified or answers, default=None)


def _error(stopped: Stopped | None, rounds: tuple[Round, ...]) -> str:
    """What went wrong: the failed call's words, or what the last step was told."""
    if stopped is None or stopped.error or stopped.reason not in FAILED or not rounds:
        return stopped.error if stopped else ""
    last = rounds[-1].attempt
    return last.observations[-1] if isinstance(last, Step) and last.observations else ""


def _halted(records: Sequence[Record]) -> str | None:
    last = records[-1].event
    return last.reason if isinstance(last, Halted) else None


def _cap(records: Sequence[Record], reason: str | None) -> str | None:
    """Whose cap gave the reason: the first that spoke, as the others only followed it."""
    halts = (record.event for record in records if isinstance(record.event, Halted))
    return next((halted.cap for halted in halts if halted.reason == reason), None)


def _status(
    stopped: Stopped | None,
    question: Waiting | None,
    calls: tuple[CallView, ...],
    text: str | None,
    records: Sequence[Record],
) -> Status:
    if stopped is None:
        return "waiting" if question else "running" if any(isinstance(r.event, Called) for r in records) else "queued"
    if stopped.reason == "cancelled":
        return "cancelled"
    return "failed" if stopped.reason in FAILED or text is None else "done"


# --- calls and their sums ------------------------------------------------------------------------------------


def _calls(records: Sequence[Record]) -> tuple[CallView, ...]:
    made: dict[str, CallView] = {}
    before: list[CallView] = []
    for record in records:
        match record.event:
            case Called(at, call):
                known = _cut(made[at]) if at in made else None
                if known and known.asked == call:
                    made[at] = replace(known, open=True, attempts=known.attempts + 1)
                    continue
                if known:
                    before.append(known)
                made[at] = CallView(at, _kind(call), getattr(call, "role", ""), call, attempts=1)
            case RoundRestarted() | Stopped():
                made = {at: _cut(call) for at, call in made.items()}
            case Replied(at, reply) if at in made:
                made[at] = replace(
                    made[at],
                    content=reply.content,
                    reasoning=reply.reasoning,
                    finish_reason=reply.finish_reason,
                    **_charged(made[at], reply.usage),
                    seconds=made[at].seconds + reply.seconds,
                    first_token_seconds=reply.first_token_seconds,
                    open=False,
                )
            case Failed(at, kind, message, usage, partial, seconds) if at in made:
                made[at] = replace(
                    made[at],
                    content=partial,
                    **_charged(made[at], usage),
                    seconds=made[at].seconds + seconds,
                    failures=(*made[at].failures, f"{kind}: {message}"),
                    open=False,
                )
    return (*before, *made.values())


def _charged(call: CallView, usage: Usage | None) -> dict[str, Any]:
    """The sums of a call with one more ended attempt."""
    if call.kind != "model":
        return {}
    return {"usage": add_usage(call.usage, usage), "money": add_costs([call.money, money_of(usage)])}


def _cut(call: CallView) -> CallView:
    """A call that nobody waits for any more. If it was open, nobody knows what its attempt cost."""
    return replace(call, open=False, lost=call.lost + 1, **_charged(call, None)) if call.open else call


def _kind(call: object) -> str:
    return {"ModelCall": "model", "CheckCall": "check", "ChoiceCall": "choice", "ToolCall": "tool"}.get(
        type(call).__name__, "question"
    )


def add_usage(one: Usage | None, other: Usage | None) -> Usage:
    """The sum of two attempts. What is not known of one makes the sum's cost unknown, never 0; so do two currencies."""
    other = other or Usage()
    if one is None:
        return other
    known = one.cost is not None and other.cost is not None
    known = known and (one.currency == other.currency or not one.cost or not other.cost)
    return Usage(
        one.input_tokens + other.input_tokens,
        one.output_tokens + other.output_tokens,
        one.cached_tokens + other.cached_tokens,
        one.reasoning_tokens + other.reasoning_tokens,
        one.estimated or other.estimated,
        (one.cost or Decimal(0)) + (other.cost or Decimal(0)) if known else None,
        one.currency if not other.cost else other.currency,
        one.price if one.price == other.price else None,
    )


def add_up(usages: Iterable[Usage]) -> Usage:
    total: Usage | None = None
    for usage in usages:
        total = add_usage(total, usage)
    return total or Usage(cost=Decimal(0))


def cost_of(calls: Iterable[CallView]) -> Cost:
    """What the ended model calls cost together; a call that is still open is not in it yet."""
    return add_costs(call.money for call in calls if call.usage)


# --- rounds ----------------------------------------------------------------------------------------------------


def _rounds(
    technique: str,
    ended: Sequence[tuple[str, Round]],
    rounds: tuple[Round, ...],
    best: int | None,
    calls: tuple[CallView, ...],
) -> tuple[RoundView, ...]:
    if not rounds:
        return ()
    alone = technique == "best_of_n"
    states = [_states((round,), 0) for round in rounds] if alone else [_states(rounds, best or 0)] * len(rounds)
    aside = set_aside(rounds) if technique == "refine" else (False,) * len(rounds)
    made = _by_strand(rounds, calls) if alone else _by_place([at for at, _ in ended], calls)
    views = []
    for n, (round, inside) in enumerate(zip(rounds, made, strict=True)):
        verdict = judged(rounds[: n + 1], n)
        raised = dict.fromkeys((*round.verdict.findings, *verdict.findings))
        usage = add_up(call.usage for call in inside if call.usage)
        views.append(
            RoundView(
                n=n,
                kind=verdict.kind,
                score=verdict.score,
                findings=tuple((finding, states[n][key(finding)]) for finding in raised),
                text=round.text,
                step=round.attempt if isinstance(round.attempt, Step) else None,
                notes=round.notes,
                set_aside=aside[n],
                lost=tuple(finding.quote for finding in lost(verdict)),
                usage=usage,
                cost=cost_of(inside),
                seconds=sum(call.seconds for call in inside),
                scores=verdict.scores,
            )
        )
    return tuple(views)


def _states(rounds: tuple[Round, ...], kept: int) -> Mapping[Key, State]:
    return {key(entry.finding): entry.state for entry in ledger(rounds, kept)}


def _by_place(ends: Sequence[str], calls: Iterable[CallView]) -> list[list[CallView]]:
    """The calls between the end of the round before and that of each. The rounds of a loop end in one scope."""
    found: list[list[CallView]] = [[] for _ in ends]
    scope, places = split(ends[0])[0], [split(end)[1] for end in ends]
    for call in calls:
        if call.at.startswith(scope):
            place = int(call.at[len(scope) :].partition(".")[0])
            n = bisect_left(places, place)
            if n < len(places) and place != places[n]:
                found[n].append(call)
    return found


def _by_strand(rounds: Iterable[Round], calls: Iterable[CallView]) -> list[list[CallView]]:
    """The calls of each of several drafts written side by side: those beside the one that read its text."""
    strands: dict[str, list[CallView]] = {}
    for call in calls:
        strands.setdefault(".".join(call.at.split(".")[:2]), []).append(call)
    found = []
    for round in rounds:
        name = next((name for name, made in strands.items() if any(_reads(call, round.text) for call in made)), "")
        found.append(strands.pop(name, []))
    return found


def _reads(call: CallView, text: str) -> bool:
    """Does a check or a judge look at this text?"""
    match call.asked:
        case CheckCall():
            return call.asked.text == text
        case ModelCall(role="judge", messages=messages):
            return any(text in message.parts for message in messages)
    return False


# --- JSON ------------------------------------------------------------------------------------------------------


def as_json(view: RunView, language: str = "en") -> Json:
    """The one object that `--json` prints. Its names are a promise; `costs` is there where currencies differ."""
    return {
        "run_id": view.run_id,
        "title": view.title,
        "technique": view.technique,
        "variant": view.variant,
        "status": view.status,
        "reason": view.reason,
        "question": question_of(view, language),
        "error": view.error or None,
        "text": view.text,
        "best_round": view.best_round,
        "rounds": [_round_json(round) for round in view.rounds],
        "usage": {
            "input_tokens": view.usage.input_tokens,
            "output_tokens": view.usage.output_tokens,
            "cached_tokens": view.usage.cached_tokens,
            "reasoning_tokens": view.usage.reasoning_tokens,
            "estimated": view.usage.estimated,
        },
        "cost": _money(view.cost),
        "currency": view.money.currency,
        "calls": view.calls,
        "adapted": list(view.adapted),
        **(
            {"costs": {currency: float(amount) for currency, amount in view.money.amounts}} if view.money.others else {}
        ),
    }


def _round_json(round: RoundView) -> Json:
    step = round.step
    return {
        "n": round.n,
        "kind": round.kind,
        "score": round.score,
        **({"scores": dict(round.scores)} if round.scores else {}),
        "findings": [
            {
                "severity": finding.severity,
                "dimension": finding.dimension,
                "quote": finding.quote,
                "remark": finding.remark,
                "critic": finding.critic,
                "suggestion": finding.suggestion,
                "state": state,
            }
            for finding, state in round.findings
        ],
        "text": round.text,
        "action": _one_or_all([call.name for call in step.calls]) if step else None,
        "arguments": _one_or_all([dict(call.arguments) for call in step.calls]) if step else None,
        "observation": _one_or_all(step.observations) if step else None,
        **({"question": step.question, "thought": step.thought, "errors": list(step.errors)} if step else {}),
        "input_tokens": round.usage.input_tokens,
        "output_tokens": round.usage.output_tokens,
        "cost": _money(round.cost.value),
        "seconds": float(f"{round.seconds:.3f}"),
    }


def _one_or_all(values: Sequence[Json]) -> Json:
    """A step has one action, or with native calls several; None where it has none."""
    return list(values) if len(values) > 1 else next(iter(values), None)


def _money(cost: Decimal | None) -> float | None:
    return None if cost is None else float(cost)


def reason_of(view: RunView, language: str = "en") -> str:
    """Why the run ended, in a sentence; "" while it goes on."""
    table = words.of(language)
    if view.cap is not None and view.reason in table.CAP_REASONS:
        where = table.CAP_OF.format(endpoint=view.cap) if view.cap else ""
        return str(table.CAP_REASONS[view.reason]).format(where=where)
    unchecked = view.reason == "finished" and not view.spec.task.result_checks
    if view.technique == "react" and view.reason in table.STEP_REASONS and not unchecked:
        return str(table.STEP_REASONS[view.reason])
    if view.reason == "approved" and not view.spec.critics:
        return str(table.APPROVED_BY_CHECKS)
    return str(table.REASONS.get(view.reason or "", ""))


def question_of(view: RunView, language: str = "en") -> str | None:
    """The sentence that the author has to answer, if the run waits for one."""
    if view.question is None:
        return None
    sentence = words.of(language).QUESTIONS.get(view.question.question, view.question.question)
    return str(sentence).replace("{about}", view.question.about)
