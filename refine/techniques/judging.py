"""How a judge is asked: to score one text by the rubric, or to prefer one of two. Flows and pure functions.

A judge sees the brief, the author's text and what is judged; never who wrote it or what it cost. What is judged is
material: its own marks cannot end the place where it stands, and what is quoted from it counts only if it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from refine import prompts, words
from refine.findings import locate, occurs
from refine.loop import ask
from refine.replies.judgements import Judgement, Preference, read_evidence, read_judgement, read_preference
from refine.techniques.reviewing import hole_values
from refine.types import Finding, Flow, Json, Message, ModelCall, Reply, Role, RunSpec, Verdict
from refine.words.rubric import FACES_BRIEF, FACES_ORIGINAL, RUBRIC, dimensions, told

JUDGE, PAIR = "judge", "pair"

_MARK = re.compile(rf"<(?=/?(?:{'|'.join(prompts.MARKS)})>)", re.IGNORECASE)


def schema_of(name: str, last: Json, wanted: Sequence[str] = tuple(RUBRIC)) -> Json:
    """Evidence stands first: strict servers write in this order, and a judgement is better after its evidence."""
    quoted = {
        "quote": {"type": "string"},
        "dimension": {"type": "string", "enum": list(wanted)},
        "remark": {"type": "string"},
    }
    return {"name": name, "schema": _object({"evidence": {"type": "array", "items": _object(quoted)}, **last})}


def _object(fields: Mapping[str, Json]) -> Json:
    return {"type": "object", "additionalProperties": False, "required": [*fields], "properties": dict(fields)}


# --- one text --------------------------------------------------------------------------------------------------------


def judge(spec: RunSpec, text: str, original: str) -> Flow[Judgement]:
    """A judge's scores of a text, with what it quotes for them. What cannot be read is asked for once more.

    Args:
        original: the author's own text; "" where there was none.
    """
    role = spec.role(JUDGE)
    assert role is not None
    wanted = asked_for(spec, original)
    call = judge_call(spec, role, text, original)
    request = words.of(spec.task.language).REASK_JUDGE.format(names=", ".join(wanted))
    scores: dict[str, float] = {}
    evidence: tuple[Finding, ...] = ()
    for again in (False, True):
        reply = yield from ask(call)
        found = read_judgement(reply.content) or Judgement({})
        scores = {name: score for name, score in {**found.scores, **scores}.items() if name in wanted}
        evidence = evidence or grounded(found.evidence, (text,), original, spec.task.brief)
        if len(scores) == len(wanted) or again:
            break
        call = asked_again(call, reply, request)
    return Judgement({name: scores[name] for name in wanted if name in scores}, evidence)


def asked_for(spec: RunSpec, original: str) -> tuple[str, ...]:
    return dimensions(original=bool(original.strip()), brief=bool(spec.task.brief.strip()))


def judge_call(spec: RunSpec, role: Role, text: str, original: str) -> ModelCall:
    wanted = asked_for(spec, original)
    values = material(spec, draft=text, original=original) | {"rubric": told(wanted, spec.task.language)}
    number = {"type": "number", "minimum": 0, "maximum": 10}
    schema = schema_of("judgement", {"scores": _object(dict.fromkeys(wanted, number))}, wanted)
    return _call(role, values, schema)


def with_judgement(spec: RunSpec, text: str, original: str, verdict: Verdict, found: Judgement) -> Verdict:
    """The checks' verdict on a text with the judge's scores. Theirs is the mean of all dimensions, or there is none."""
    wanted = asked_for(spec, original)
    whole = len(found.scores) == len(wanted)
    score = round(sum(found.scores.values()) / len(wanted), 2) if whole else None
    evidence = tuple(replace(locate(text, finding), critic=JUDGE) for finding in found.evidence)
    return replace(verdict, score=score, scores=found.scores, findings=(*verdict.findings, *evidence))


# --- two texts -------------------------------------------------------------------------------------------------------


def prefer(spec: RunSpec, one: str, two: str, original: str) -> Flow[tuple[Preference | None, tuple[Finding, ...]]]:
    """Which of two texts a judge prefers, and what it quotes for that. None: it could not be read, twice."""
    role = spec.role(PAIR)
    assert role is not None
    call = pair_call(spec, role, one, two, original)
    request = words.of(spec.task.language).REASK_PAIR
    preferred: Preference | None = None
    evidence: tuple[Finding, ...] = ()
    for again in (False, True):
        reply = yield from ask(call)
        preferred = read_preference(reply.content)
        evidence = evidence or grounded(read_evidence(reply.content), (one, two), original, spec.task.brief)
        if preferred or again:
            break
        call = asked_again(call, reply, request)
    return preferred, evidence


def pair_call(spec: RunSpec, role: Role, one: str, two: str, original: str) -> ModelCall:
    wanted = asked_for(spec, original)
    values = material(spec, draft=one, other=two, original=original) | {"rubric": told(wanted, spec.task.language)}
    choice = {"better": {"type": "string", "enum": ["1", "2", "same"]}}
    return _call(role, values, schema_of("preference", choice, wanted))


# --- for both --------------------------------------------------------------------------------------------------------


def material(spec: RunSpec, **texts: str) -> dict[str, str]:
    """What fills the holes of a judge's prompt: its texts cannot close the marks around them."""
    values = hole_values(spec, (), "") | texts
    return {name: _MARK.sub("< ", value) for name, value in values.items()}


def _call(role: Role, values: Mapping[str, str], schema: Json) -> ModelCall:
    messages = prompts.messages(role.prompt, role.name, values, where=role.name)
    return ModelCall(role.name, messages, schema=schema if role.options.get("reply") == "json" else None)


def asked_again(call: ModelCall, reply: Reply, request: str) -> ModelCall:
    if not reply.content.strip():
        return call
    said, wanted = Message("assistant", (reply.content,)), Message("user", (request,))
    return replace(call, messages=(*call.messages, said, wanted), schema=None)


def grounded(evidence: Sequence[Finding], texts: Sequence[str], original: str, brief: str) -> tuple[Finding, ...]:
    """The evidence whose quote stands in a text that is judged; what is lost or was asked for, where it came from."""
    sources = {FACES_ORIGINAL: (original,), FACES_BRIEF: (brief,)}
    return tuple(
        finding
        for finding in evidence
        if finding.quote.strip()
        and any(occurs(finding.quote, text) for text in (*texts, *sources.get(finding.dimension, ())))
    )
