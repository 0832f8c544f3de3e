"""The small model's part in a review: between words that are taken for each other it chooses the one that fits.

It does not write and does not judge: a check names the places and the words, the model scores them in their place,
and what wins clearly becomes a finding with a sure replacement, which the author can see and waive. Flows and pure
functions; how a model scores is known in `models`, which words are taken for each other in `checks`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from refine import words
from refine.events import from_json
from refine.findings import blocking, merge
from refine.loop import ask, ask_all
from refine.text.sentences import sentences
from refine.text.words import count
from refine.types import CheckCall, ChoiceCall, Finding, Flow, Json, Reply, Round, RunSpec

CRITIC = "model"
RULE = "choice"
MARGIN = 3.0
"""Natural logarithm of how many times likelier another word must be: 20 times."""
MARGINS = {"choice.spelling": 2.0, "choice.alike": 5.0}
"""By rule, where it is not MARGIN. A word in no dictionary is wrong in any case."""
NEAR = 1.5
"""Of options that are no more than so much behind the best, the first named is taken: it changes the least."""
LARGEST = 600
"""Words; in longer texts only sentences with a finding are asked about."""
AFTER = 3
"""Words behind the place that are scored with it."""
BLOCK = 500
"""Characters of a paragraph after which what stands before a place begins anew, one sentence back."""

Span = tuple[int, int]


def choices(
    spec: RunSpec, rounds: Sequence[Round], draft: str, found: Sequence[Finding], locked: Sequence[str] = ()
) -> Flow[tuple[Finding, ...]]:
    """What the model chose in a draft whose checks found `found`; nothing where the run does not ask for it.

    Sure replacements count as made: the model reads the mended text. What it has read in an earlier round it does not
    read again.

    Args:
        locked: passages that stay as they are.
    """
    if not spec.options.get("choose") or spec.task.language.partition("-")[0] != "en":
        return ()
    mended = mended_by(draft, found)
    spans = sentences(mended.text)
    to_read = _unread(spans, rounds, mended, found)
    if not to_read:
        return ()
    check = yield from ask(CheckCall("candidates", mended.text, {"language": spec.task.language}))
    named = (from_json(Finding, place) for place in check.value or ())
    kept = spans_of(mended.text, (*locked, *spec.task.words))
    places = [place for place in merge((*_spelling(mended, found), *named)) if not touches(place, kept)]
    chosen: list[Finding] = []
    for sentence in to_read:
        inside = [place for place in places if _within(place, sentence)]
        replies = yield from ask_all([choice_call(mended.text, spans, place) for place in inside])
        if any(reply.value is None for reply in replies):
            return (*chosen, _missing(spec, replies))
        for place, reply in zip(inside, replies, strict=True):
            chosen += filter(None, [_chosen(spec, mended, place, reply.value)])
    return tuple(chosen)


# --- what is read ----------------------------------------------------------------------------------------------------


def _unread(spans: Sequence[Span], rounds: Sequence[Round], mended: Mended, found: Sequence[Finding]) -> list[Span]:
    """The sentences to ask about: all that are new, in long texts only those in which something was found."""
    known = {sentence for round in rounds for sentence in _read_in(round)}
    new = [span for span in spans if mended.text[slice(*span)] not in known]
    if count(mended.text) <= LARGEST:
        return new
    marks = [mended.forward(f.span) or f.span for f in blocking(found) if f.span]
    return [(start, end) for start, end in new if any(start < b and a < end for a, b in marks)]


def _read_in(round: Round) -> Iterator[str]:
    """The sentences that the model read when this round was reviewed."""
    text = mended_by(round.text, (f for f in round.verdict.findings if f.critic != CRITIC)).text
    return (text[start:end] for start, end in sentences(text))


def _spelling(mended: Mended, found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of checks that leave a choice, as places in the mended text."""
    for finding in found:
        span = mended.forward(finding.span) if finding.options and finding.replacement is None else None
        if span:
            options = tuple(dict.fromkeys((finding.quote, *finding.options)))
            yield replace(finding, span=span, rule=f"{RULE}.{finding.dimension}", options=options)


def spans_of(text: str, passages: Iterable[str]) -> list[Span]:
    """Where the passages stand."""
    return [match.span() for passage in passages if passage for match in re.finditer(re.escape(passage), text)]


def touches(finding: Finding, spans: Iterable[Span]) -> bool:
    """Does the finding's place overlap one of them?"""
    start, end = finding.span or (0, 0)
    return any(start < b and a < end for a, b in spans)


def _within(place: Finding, sentence: Span) -> bool:
    return place.span is not None and sentence[0] <= place.span[0] < sentence[1]


def choice_call(text: str, spans: Sequence[Span], place: Finding) -> ChoiceCall:
    """The question about a place: its paragraph up to there, and the next words of its sentence.

    Args:
        spans: the sentences of the text.
    """
    start, end = place.span or (0, 0)
    at = max((n for n, span in enumerate(spans) if span[0] <= start), default=0)
    after = re.match(rf"(?:\s*\S+){{0,{AFTER + (not text[end : end + 1].isspace())}}}", text[end : spans[at][1]])
    return ChoiceCall(
        _one_line(text[_beginning(text, spans[: at + 1]) : start]),
        place.options,
        _one_line(after[0] if after else ""),
    )


def _beginning(text: str, spans: Sequence[Span]) -> int:
    """Where to begin reading for a place in the last of the spans: places nearby begin at the same point."""
    first = len(spans) - 1
    while first and "\n\n" not in text[spans[first - 1][1] : spans[first][0]]:
        first -= 1
    begin = spans[first][0]
    for earlier, span in zip(spans[first:], spans[first + 1 :], strict=False):
        if span[0] - begin > BLOCK:
            begin = earlier[0]
    return begin


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


# --- what was chosen ------------------------------------------------------------------------------------------------


def _chosen(spec: RunSpec, mended: Mended, place: Finding, value: Json) -> Finding | None:
    """The finding for a word that fits clearly better than what stands there."""
    at, margin = _pick(value["scores"])
    put, span = place.options[at], mended.back(place.span)
    if span is None or put == place.quote or margin <= MARGINS.get(place.rule, MARGIN):
        return None
    table = words.of(spec.task.language)
    times = _rounded(min(1000.0, math.exp(margin)))
    return Finding(
        quote=place.quote,
        span=span,
        dimension=place.dimension,
        rule=place.rule,
        severity="should",
        remark=table.CHOSEN.format(quote=place.quote, put=put, times=times),
        replacement=put,
        critic=CRITIC,
    )


def _pick(scores: Sequence[float | None]) -> tuple[int, float]:
    """The option to take, and by how much it is better than what stands there; that one itself where it is best."""
    known = {n: score for n, score in enumerate(scores) if score is not None}
    best = max(known.values(), default=0.0)
    if not known or known[0] == best:
        return 0, 0.0
    at = min(n for n in known if n and known[n] >= best - NEAR)
    return at, known[at] - known[0]


def _rounded(number: float) -> int:
    """With one digit only: 47 is 40."""
    unit = 10 ** int(math.log10(number))
    return int(number // unit * unit)


def _missing(spec: RunSpec, replies: Sequence[Reply]) -> Finding:
    """Says that the model could not be asked."""
    why = next((sentence for reply in replies for sentence in reply.adapted), "")
    remark = words.of(spec.task.language).NO_CHOICE.format(why=why).strip()
    return Finding(dimension="model", rule=f"{RULE}.missing", severity="may", remark=remark, critic=CRITIC)


# --- a text and its mended self ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mended:
    """A text with its sure replacements made, and where a place of one stands in the other."""

    text: str
    edits: tuple[tuple[int, int, int], ...] = ()
    """Start and end in the old text, length in the new one; in order."""

    def forward(self, span: Span | None) -> Span | None:
        """A place of the old text in the new one; None where an edit touches it."""
        if span is None or any(start < span[1] and span[0] < end for start, end, _ in self.edits):
            return None
        moved = sum(length - (end - start) for start, end, length in self.edits if end <= span[0])
        return span[0] + moved, span[1] + moved

    def back(self, span: Span | None) -> Span | None:
        """A place of the new text in the old one; None where an edit touches it."""
        moved = 0
        for start, end, length in self.edits:
            if span is None or start + moved >= span[1]:
                break
            if start + moved + length > span[0]:
                return None
            moved += length - (end - start)
        return None if span is None else (span[0] - moved, span[1] - moved)


def mended_by(text: str, findings: Iterable[Finding]) -> Mended:
    """What `findings.mend` makes of a text, with the places."""
    pieces: list[str] = []
    edits: list[tuple[int, int, int]] = []
    at = 0
    for finding in merge(f for f in findings if f.replacement is not None and f.span is not None):
        start, end = finding.span or (0, 0)
        if start >= at and text[start:end] == finding.quote:
            put = finding.replacement or ""
            pieces += [text[at:start], put]
            edits.append((start, end, len(put)))
            at = end
    return Mended("".join([*pieces, text[at:]]), tuple(edits))
