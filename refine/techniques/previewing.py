"""What a role would be told: its messages made as the technique makes them, and sent to nobody. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from refine import prompts
from refine.techniques.acting import ACTOR, actor_call
from refine.techniques.judging import JUDGE, PAIR, judge_call, pair_call
from refine.techniques.reviewing import critic_call
from refine.techniques.rewriting import to_rewrite, writer_messages
from refine.types import Finding, Message, Role, Round, RunSpec


def told(
    spec: RunSpec, role: Role, rounds: Sequence[Round] = (), findings: Sequence[Finding] = ()
) -> tuple[Message, ...]:
    """The messages of the role's next call. Raises PromptError for a prompt that cannot be filled.

    Args:
        rounds: that have ended: a critic judges the last text, a writer rewrites the best. Without any both work on
            the task's draft. An actor takes its first step. A judge is shown the last text beside that draft.
        findings: what a writer is to mend where no round has said so.
    """
    if role.name == ACTOR:
        return actor_call(spec, (), "", ()).messages
    if prompts.kind_of(role.name) == "critic":
        return critic_call(spec, role, rounds, rounds[-1].text if rounds else spec.task.draft).messages
    if role.name in (JUDGE, PAIR):
        text, original = rounds[-1].text if rounds else spec.task.draft, spec.task.draft
        if role.name == JUDGE:
            return judge_call(spec, role, text, original).messages
        return pair_call(spec, role, text, original, original).messages
    draft, left = to_rewrite(spec, rounds) if rounds else (spec.task.draft, tuple(findings))
    return writer_messages(spec, role, rounds, draft, left)
