"""What a model's reply means: a critic's verdict, a writer's draft, an actor's step.

Each reader is a pipeline of small steps, one per rule; the words stand in tables, one per language. Pure: knows
nothing of models, rounds or runs. A wrong approval is the worst of errors: what is in doubt is never approved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from refine.replies.drafts import read_draft
from refine.replies.findings import findings_in, read_score, read_scores
from refine.replies.json import typed_in
from refine.replies.lines import Signal, Token, read_line
from refine.replies.sections import Block, blocks
from refine.replies.sense import sense, sentences, words
from refine.replies.steps import ReadStep, read_step, read_tool_use, read_tool_uses
from refine.replies.text import folded, lines, split_reasoning, unfenced, visible
from refine.types import Finding, Verdict, VerdictKind

__all__ = [
    "ReadStep",
    "read_draft",
    "read_step",
    "read_tool_use",
    "read_tool_uses",
    "read_verdict",
    "split_reasoning",
    "visible",
]

LONGEST = 100_000
"""Characters of a critic's reply that are read. A longer one is never an approval."""

AGAINST: frozenset[Signal] = frozenset({"revise", "withheld", "criterion_no", "fault"})
UNSURE: frozenset[Signal] = frozenset({"doubt", "question"})
NAMED: frozenset[Signal] = frozenset({"doubt", "fault"})
VERDICTS: frozenset[Signal] = frozenset({"approved", "revise", "withheld", "criterion_no"})


def read_verdict(text: str | None, token: str = "APPROVED", *, threshold: float | None = None) -> Verdict:
    """What a critic's reply means. Never raises.

    Args:
        text: the reply; its reasoning does not count.
        token: the word that approves, as it was told to the critic.
        threshold: the score from 0 to 10 below which an approval is not believed.

    Returns:
        The verdict. One to revise always has a finding; in an approved text, remarks in prose are `may`.
    """
    seen = visible(text or "")
    typed, prose = typed_in(seen[:LONGEST], token)
    inside = unfenced(prose)
    read = lines(prose if inside is None else inside)
    said = blocks(read)
    signals = [*typed.signals, *_signals(said, Token.of(token))]
    kind = _kind(signals)
    score, scored = (typed.score, True) if typed.scored else read_score(read)
    doubts = (
        len(seen) > LONGEST,
        _in_code(inside, token),
        not typed.signals and not _in_sight(token, seen),
        any(finding.severity == "must" for finding in typed.findings),
        threshold is not None and scored and (score is None or score < threshold),
    )
    if kind == "approved" and any(doubts):
        kind = "ambiguous"
    findings = typed.findings or findings_in(said, kind)
    if kind == "revise" and not findings:
        findings = (Finding(remark=prose.strip() or typed.remark or seen.strip()),)
    return Verdict(kind, score, findings, {**read_scores(read), **typed.scores})


def _kind(signals: Iterable[Signal]) -> VerdictKind:
    """V5, V6 and V7: what all signals say together."""
    found = set(signals)
    against = bool(found & AGAINST)
    if "approved" in found:
        return "ambiguous" if against or found & UNSURE else "approved"
    return "revise" if against else "ambiguous"


def _in_sight(token: str, seen: str) -> bool:
    """The last guard: whatever the steps made of it, the token stands in the visible text, letter for letter."""
    return folded(visible(token).strip() or "APPROVED") in folded(seen)


def _in_code(inside: str | None, token: str) -> bool:
    """V2: a fence around the whole reply is a mark only where the token is all that it holds."""
    return inside is not None and Token.of(inside).text != Token.of(token).text


def _signals(read: list[Block], token: Token) -> Iterator[Signal]:
    """Line by line, under the heading that stands above."""
    memo: dict[str, tuple[Signal, ...]] = {}
    for at, block in enumerate(read):
        text = block.line.text
        if text not in memo:
            memo[text] = read_line(text, token)
        found = memo[text]
        if block.title and not set(found) & VERDICTS:
            if _demands(block) and not (at + 1 < len(read) and _says_nothing(read[at + 1].line.text)):
                yield "fault"
            continue
        if "approved" in found and at and _taken_back(read[at - 1]):
            yield "withheld"
            continue
        yield from (signal for signal in found if signal not in NAMED or not _excused(block))
        listed = block.line.form == "item" or (at > 0 and read[at - 1].title)
        if block.section in ("bad", "must") and listed and not set(found) & VERDICTS and not _says_nothing(text):
            yield "fault"


def _excused(block: Block) -> bool:
    """What stands under strengths or optional remarks is no fault, unless it is expressly compulsory."""
    return block.section in ("good", "may") and not words("strong").search(block.line.text)


def _demands(block: Block) -> bool:
    """A label or a line in bold that is a demand itself: “Please fix the following:”."""
    return block.line.form != "heading" and words("strong").search(block.line.text) is not None


def _says_nothing(text: str) -> bool:
    """Whether nothing is left to be changed by what a line says."""
    return all(sense(sentence) in ("nothing", "praise", "optional", "past") for sentence in sentences(text))


def _taken_back(above: Block) -> bool:
    """V4 over a line break: “Once the typo is fixed I will say:” above the token."""
    text = above.line.text
    ended = text.rstrip("*_\"' ").endswith((".", "!", "?", "。", ";", "|"))
    if ended or (above.title and above.line.form == "heading"):
        return False
    return words("withhold").search(words("no_change").sub("", text)) is not None or sense(text) == "instruct"
