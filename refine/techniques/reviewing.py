"""How a draft is reviewed: every critic is asked, models and checks alike, and their answers become one verdict.

Flows and pure functions. What a reply means is decided in `replies`, what a check is in `checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from refine import prompts, words
from refine.events import from_json
from refine.findings import blocking, count, key, locate, mend, merge, open_findings
from refine.keeping import author_start, edit_pending
from refine.loop import Halt, ask, ask_all
from refine.replies import read_verdict
from refine.techniques.choosing import choices, spans_of, touches
from refine.types import (
    Ask,
    CheckCall,
    Finding,
    Flow,
    Json,
    Message,
    ModelCall,
    Reply,
    Role,
    Round,
    RunSpec,
    Verdict,
)

SCHEMA: Json = {
    "name": "verdict",
    "schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["findings", "score", "verdict"],
        "properties": {
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["quote", "severity", "dimension", "remark", "suggestion"],
                    "properties": {
                        "quote": {"type": "string"},
                        "severity": {"type": "string", "enum": ["must", "should", "may"]},
                        "dimension": {"type": "string"},
                        "remark": {"type": "string"},
                        "suggestion": {"type": "string"},
                    },
                },
            },
            "score": {"type": "number", "minimum": 0, "maximum": 10},
            "verdict": {"type": "string", "enum": ["approved", "revise"]},
        },
    },
}
"""Findings stand first: strict servers write in this order, and a judgement is better after its evidence."""


def review(
    spec: RunSpec, rounds: Sequence[Round], draft: str, checked: tuple[Finding, ...] | None = None
) -> Flow[Verdict]:
    """Every critic's word on a draft, as one verdict. `checked`: what the checks said, if they were asked already."""
    checks = check_calls(spec, rounds, draft) if checked is None else ()
    critics = [critic_call(spec, role, rounds, draft) for role in spec.critics]
    replies = yield from ask_all([*checks, *critics])
    found = checked if checked is not None else read_checks(spec, rounds, draft, replies[: len(checks)])
    found = merge((*found, *(yield from choices(spec, rounds, draft, found, locked(spec, rounds)))))
    verdicts: dict[str, Verdict] = {}
    for role, call, reply in zip(spec.critics, critics, replies[len(checks) :], strict=True):
        verdicts[role.name] = yield from read_critic(spec, role, call, reply)
    return combine(spec, draft, found, verdicts)


# --- checks ----------------------------------------------------------------------------------------------------


def check_calls(spec: RunSpec, rounds: Sequence[Round], draft: str) -> tuple[CheckCall, ...]:
    return tuple(CheckCall(name, draft, check_options(spec, rounds, draft, name)) for name in spec.checks)


def check_options(spec: RunSpec, rounds: Sequence[Round], draft: str, name: str) -> Mapping[str, Json]:
    options = {"language": spec.task.language, **spec.checks[name]}
    if spec.task.words:
        options["words"] = list(spec.task.words)
    if name == "kept":
        kept = {
            "against": compared(spec, rounds, draft),
            "keep": list(spec.task.keep),
            "locked": list(locked(spec, rounds)),
        }
        options |= {key: value for key, value in kept.items() if value}
    return options


def locked(spec: RunSpec, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Passages that must survive: those of the task and those the author locked between rounds."""
    return (*spec.task.locked, *(note.text for round in rounds for note in round.notes if note.kind == "lock"))


def compared(spec: RunSpec, rounds: Sequence[Round], draft: str) -> str:
    """The text whose facts a draft must keep: the author's, with its sure replacements made.

    Else a heading whose slip is mended would count as lost. Where nobody writes, nothing but them changes a text, but
    one that was made elsewhere from an original. What the authors leave out of their own text is no loss.
    """
    if not rounds or edit_pending(rounds) is not None:
        return draft
    start = author_start(rounds)
    written = spec.role("writer") or spec.options.get("original")
    return mend(rounds[start].text, open_findings(rounds, start)) if written else ""


def read_checks(spec: RunSpec, rounds: Sequence[Round], draft: str, replies: Sequence[Reply]) -> tuple[Finding, ...]:
    """What the checks found in a draft."""
    found = merge(from_json(Finding, finding) for reply in replies for finding in reply.value or ())
    return only_told(draft, found, locked(spec, rounds))


def checked_once(spec: RunSpec, text: str) -> Flow[tuple[Finding, ...]]:
    """What the checks say of a text that was written in one go, held against the author's draft."""
    original = (Round(spec.task.draft, combine(spec, "", (), {})),) if spec.task.draft else ()
    replies = yield from ask_all(check_calls(spec, original, text))
    return read_checks(spec, original, text, replies)


def only_told(draft: str, findings: Iterable[Finding], passages: Iterable[str]) -> tuple[Finding, ...]:
    """The findings, where those of checks in locked passages ask for nothing."""
    spans = spans_of(draft, passages)
    return tuple(_told(finding) if touches(finding, spans) else finding for finding in findings)


def _told(finding: Finding) -> Finding:
    suggestion = finding.suggestion or finding.replacement
    return replace(finding, severity="may", replacement=None, options=(), suggestion=suggestion)


# --- model critics ---------------------------------------------------------------------------------------------


def critic_call(spec: RunSpec, role: Role, rounds: Sequence[Round], draft: str) -> ModelCall:
    messages = prompts.messages(role.prompt, "critic", hole_values(spec, rounds, draft), where=role.name)
    return ModelCall(role.name, messages, schema=SCHEMA if role.options.get("reply") == "json" else None)


def hole_values(spec: RunSpec, rounds: Sequence[Round], draft: str) -> dict[str, str]:
    """What the holes of a prompt are filled with, but for findings and lessons."""
    return {
        "draft": draft,
        "findings": "",
        "lessons": "",
        "brief": spec.task.brief,
        "language": spec.task.language,
        "token": token(spec),
        "style_sheet": spec.task.style_sheet,
        "locked": "\n".join(locked(spec, rounds)),
    }


def token(spec: RunSpec) -> str:
    return str(spec.options.get("token") or "APPROVED")


def read_critic(spec: RunSpec, role: Role, call: ModelCall, reply: Reply) -> Flow[Verdict]:
    """What a critic's reply means. An unclear one is asked once more, then the author decides.

    Where nobody can answer, unclear counts as revise with the reply as its remark: it never approves.
    """
    verdict = verdict_of(spec, reply)
    if verdict.kind != "ambiguous":
        return verdict
    again = yield from ask(asked_again(spec, call, reply))
    if not reply.content.strip() and not again.content.strip():
        raise Halt("failures")
    second = verdict_of(spec, again)
    if second.kind != "ambiguous":
        return decided(second.kind == "approved", second, verdict)
    shown = (reply.content.strip() or again.content.strip())[:2000]
    if spec.options.get("somebody"):
        answer = (yield from ask(Ask("verdict_unclear", ("approve", "revise"), shown))).content.strip()
        if answer.casefold() in ("approve", token(spec).casefold()):
            return decided(True, verdict)
        remark = Finding(remark=answer, critic="author") if answer.casefold() not in ("revise", "") else None
        return decided(False, replace(verdict, findings=(*verdict.findings, *filter(None, [remark]))))
    return decided(False, replace(verdict, findings=verdict.findings or (Finding(remark=shown),)))


def verdict_of(spec: RunSpec, reply: Reply) -> Verdict:
    """Raises Halt("refused") for a filtered reply. One that was cut off can never approve."""
    if reply.finish_reason == "content_filter":
        raise Halt("refused")
    verdict = read_verdict(reply.content, token(spec), threshold=spec.stops.get("score"))
    if verdict.kind == "approved" and (reply.finish_reason in (None, "length") or reply.refusal):
        return replace(verdict, kind="ambiguous")
    return verdict


def asked_again(spec: RunSpec, call: ModelCall, reply: Reply) -> ModelCall:
    if not reply.content.strip():
        return call
    request = words.of(spec.task.language).REASK.format(token=token(spec))
    said, wanted = Message("assistant", (reply.content,)), Message("user", (request,))
    return replace(call, messages=(*call.messages, said, wanted), schema=None)


def decided(approved: bool, verdict: Verdict, earlier: Verdict | None = None) -> Verdict:
    """A verdict whose kind was settled later. What was demanded in an approved text is a remark from then on."""
    findings = verdict.findings or (earlier.findings if earlier else ())
    if earlier and not approved:
        findings = earlier.findings or findings
    if approved:
        findings = tuple(replace(finding, severity="may") for finding in findings)
    else:
        findings = findings or (Finding(severity="should", remark=""),)
    score = verdict.score if verdict.score is not None or not earlier else earlier.score
    return replace(verdict, kind="approved" if approved else "revise", score=score, findings=findings)


# --- together --------------------------------------------------------------------------------------------------


def combine(spec: RunSpec, draft: str, found: tuple[Finding, ...], verdicts: Mapping[str, Verdict]) -> Verdict:
    """One verdict of all: all model critics must approve, or a majority; a check's `must` blocks approval.

    With checks alone, a text is approved when nothing must or should change.
    """
    said = [
        locate(draft, replace(finding, critic=finding.critic or name))
        for name, verdict in verdicts.items()
        for finding in verdict.findings
    ]
    findings = (*found, *{key(finding): finding for finding in said}.values())
    scores = {name: verdict.score for name, verdict in verdicts.items() if verdict.score is not None}
    score = round(sum(scores.values()) / len(scores), 2) if scores else None
    approvals = sum(verdict.kind == "approved" for verdict in verdicts.values())
    if not verdicts:
        approved = not blocking(found)
    elif spec.options.get("critics") == "majority":
        approved = approvals * 2 > len(verdicts)
    else:
        approved = approvals == len(verdicts)
    return Verdict("approved" if approved and not count(found, "must") else "revise", score, findings, scores)
