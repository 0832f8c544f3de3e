"""How a draft is rewritten: from the best reviewed round, with its open findings and one line per failed rewrite.

The history is not sent again: prompts grow with the rounds, not with their square.
"""

from __future__ import annotations

from collections.abc import Sequence

from refine import prompts, words
from refine.findings import blocking, judged, mend, open_findings
from refine.keeping import author_start, best_index, edit_pending, lost, set_aside
from refine.loop import Halt, ask_all
from refine.replies import read_draft
from refine.techniques.continuing import ask_whole
from refine.techniques.reviewing import check_calls, hole_values, locked, only_told, read_checks, token
from refine.types import Finding, Flow, Message, ModelCall, Reply, Role, Round, RunSpec

Checked = tuple[Finding, ...] | None
"""What the checks said of a text; None = they were not asked."""


def attempt(spec: RunSpec, rounds: Sequence[Round]) -> Flow[tuple[str, Checked]]:
    """The next text to review: the author's own, or a rewrite of the best round."""
    if (edited := edit_pending(rounds)) is not None:
        return edited, None
    if not rounds:
        draft = spec.task.draft or (yield from write(spec, rounds, "", ()))
        return draft, None
    draft, left = to_rewrite(spec, rounds)
    if spec.role("writer") and not (draft != rounds[best_index(rounds)].text and not blocking(left)):
        draft = with_ending(draft, (yield from write(spec, rounds, draft, left)))
    return (yield from tidy(spec, rounds, draft))


def to_rewrite(spec: RunSpec, rounds: Sequence[Round]) -> tuple[str, tuple[Finding, ...]]:
    """The best text so far with its sure replacements made, and the findings that are left for a writer."""
    base = best_index(rounds)
    todo = only_told(rounds[base].text, open_findings(rounds, base), locked(spec, rounds))
    return mend(rounds[base].text, todo), tuple(finding for finding in todo if finding.replacement is None)


def tidy(spec: RunSpec, rounds: Sequence[Round], draft: str) -> Flow[tuple[str, Checked]]:
    """Asks the checks and applies what they are sure of, until they are sure of nothing more (three times at most)."""
    if draft in {round.text for round in rounds}:
        return draft, None
    found: Checked = None
    for _ in range(3):
        found = read_checks(spec, rounds, draft, (yield from ask_all(check_calls(spec, rounds, draft))))
        mended = mend(draft, found)
        if mended == draft:
            break
        draft, found = mended, None
    return draft, found


def write(
    spec: RunSpec, rounds: Sequence[Round], draft: str, findings: tuple[Finding, ...], draw: int = 0
) -> Flow[str]:
    """A whole text by the writer. Raises Halt where its replies hold none: cut_off, refused, no_draft.

    Args:
        draw: which of several texts that are written from the same.
    """
    role = spec.role("writer")
    if role is None:
        raise Halt("no_draft")
    messages = writer_messages(spec, role, rounds, draft, findings)
    for reminder in (False, True):
        asked = ModelCall("writer", with_reminder(spec, messages) if reminder else messages, draw=draw)
        reply = yield from ask_whole(spec, asked)
        if reason := useless(reply):
            raise Halt(reason)
        if (text := read_draft(reply.content, token(spec))) is not None:
            return text
    raise Halt("no_draft")


def writer_messages(
    spec: RunSpec, role: Role, rounds: Sequence[Round], draft: str, findings: Sequence[Finding]
) -> tuple[Message, ...]:
    values = hole_values(spec, rounds, draft) | {
        "findings": prompts.findings_text(findings, spec.task.language),
        "lessons": "\n".join(lessons(spec, rounds)),
    }
    return prompts.messages(role.prompt, "writer", values, where=role.name)


def with_ending(draft: str, text: str) -> str:
    """Models drop the last line end of a file; the text keeps that of its draft."""
    return text.rstrip("\n") + draft[len(draft.rstrip("\n")) :]


def useless(reply: Reply) -> str | None:
    """A reply that was cut off or refused never replaces a whole text."""
    if reply.finish_reason in (None, "length"):
        return "cut_off"
    return "refused" if reply.refusal or reply.finish_reason == "content_filter" else None


def with_reminder(spec: RunSpec, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    *before, last = messages
    request = words.of(spec.task.language).WHOLE_TEXT
    return (*before, Message(last.role, (*last.parts, "\n\n" + request)))


def lessons(spec: RunSpec, rounds: Sequence[Round]) -> list[str]:
    """One line on what each failed rewrite since the best round did wrong."""
    if not rounds:
        return []
    table, aside, base = words.of(spec.task.language), set_aside(rounds), best_index(rounds)
    lines = []
    for n in range(max(base + 1, author_start(rounds) + 1), len(rounds)):
        gone = ", ".join(f"“{finding.quote}”" for finding in lost(judged(rounds, n)) if finding.quote)
        if gone:
            lines.append(table.LESSON_LOST.format(facts=gone))
        elif aside[n]:
            new = [f.quote or f.remark for f in rounds[n].verdict.findings if f.severity == "must"]
            lines.append(table.LESSON_MUST.format(what="; ".join(new)))
        else:
            lines.append(table.LESSON_NO_GAIN)
    return lines
