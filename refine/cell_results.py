"""What one cell of a comparison came to: all its measures as plain values, read from the views of its runs.

A cell is three runs: its own, the one that measures its result, and the one that holds it against the baseline's. What
is not known stays None. It knows nothing of the store, of other cells or of variants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import median
from typing import Literal

from refine.findings import KEPT
from refine.ledger import Cost, add_costs
from refine.prompts import prompt_hash
from refine.techniques.prefer import MINE, OTHER, preference_of
from refine.text import words
from refine.text.changes import ratio
from refine.types import Cell, Price, Role, RunSpec, Status, VerdictKind
from refine.views import RoundView, RunView

Preference = Literal["mine", "other", "same"]
"""mine: this cell's text was preferred in both orders; other: the baseline's was; same: neither."""
Measure = Literal["judge", "checks", ""]
"""What variants are ranked by: the judge's score (0 to 10, more is better); the weighted findings of the checks for
each 100 words (fewer is better); "" = nothing."""
ENDED = ("done", "failed", "cancelled")

WEIGHTS: Mapping[str, int] = {"must": 3, "should": 1, "lost": 3}
"""What a finding counts, and a fact lost, where no judge scored."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Findings of the measuring checks by severity. Facts lost are not among them."""

    must: int = 0
    should: int = 0
    may: int = 0

    @property
    def total(self) -> int:
        return self.must + self.should + self.may


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of a cell's own run."""

    n: int
    verdict: VerdictKind
    score: float | None
    """The critics' own."""
    findings: Counts
    text: str
    kept: bool
    set_aside: bool
    tokens_in: int
    tokens_out: int
    cost: Cost
    seconds: float


@dataclass(frozen=True, slots=True)
class RoleUsed:
    """Who played a part, and from which prompt."""

    role: str
    model: str
    endpoint: str
    temperature: float | None
    hash: str
    """Of the prompt: its version; "" = no prompt."""


@dataclass(frozen=True, slots=True)
class PriceUsed:
    """A price that costs were reckoned with."""

    endpoint: str
    model: str
    currency: str
    price: Price


@dataclass(frozen=True, slots=True)
class CellResult:
    cell: Cell
    run_id: str
    measure_run: str
    """Id of the run that measured the result; "" = there is none yet."""
    pair_run: str
    """Id of the run that held it against the baseline's; "" = there is none yet."""
    status: Status
    reason: str | None
    error: str
    measured: bool
    """Has the run that measures it ended?"""
    paired: bool
    """Has the run that holds it against the baseline's ended?"""
    text: str | None
    """The best reviewed text; None = there is none."""
    approved: bool | None
    """By its own critics or checks; None = it has neither, has not ended, or was stopped."""
    rounds: tuple[RoundLine, ...]
    rounds_to_approval: int | None
    """Reviews up to the first approval, that one included."""
    critic_score: float | None
    """Its own critics' score of the text. Critics differ, so it ranks nothing."""
    critic_last: float | None
    """The same of the last round."""
    before: Counts | None
    """Of the original; None = there was none, or no check measured it."""
    after: Counts | None
    """Of the result."""
    lost: tuple[str, ...] | None
    """The original's facts that the result lacks, as they stood there; None = no check looked for them."""
    score: float | None
    """The judge's, 0 to 10."""
    dimensions: Mapping[str, float]
    preference: Preference | None
    swayed: bool
    """Did the judge prefer whichever text stood at one place?"""
    length_before: int | None
    """Words, and Chinese characters."""
    length_after: int | None
    edits: float | None
    """Share of the original that changed, 0 to 1."""
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    tokens_reasoning: int
    estimated: bool
    """Were any tokens counted by us and not by the endpoint?"""
    calls: int
    cost: Cost
    judging: Cost
    """What measuring and comparing the result cost, apart from `cost`."""
    first_token_seconds: float | None
    """Median of its model calls."""
    seconds: float
    """Driving time of its own run."""
    at: float
    """When it began, seconds since the epoch."""
    language: str = ""
    """Of the text."""
    adapted: tuple[str, ...] = ()
    roles: tuple[RoleUsed, ...] = ()
    prices: tuple[PriceUsed, ...] = ()
    unpriced: tuple[str, ...] = field(default=())
    """Models of which some call's cost is not known."""

    failures: tuple[str, ...] = ()
    """Those of its runs that ended without what they were for: its own, else those that judge it."""

    @property
    def ended(self) -> bool:
        return self.status in ENDED

    @property
    def failed(self) -> bool:
        """Stopped counts too: there is no result of the whole loop."""
        return self.status in ("failed", "cancelled")

    @property
    def length_change(self) -> float | None:
        """Percent of the original's length."""
        if not self.length_before or self.length_after is None:
            return None
        return 100 * (self.length_after - self.length_before) / self.length_before

    @property
    def faults(self) -> float | None:
        """Weighted findings of the checks and facts lost, for each 100 words of the result; fewer is better."""
        if self.after is None or not self.length_after:
            return None
        counted = {"must": self.after.must, "should": self.after.should, "lost": len(self.lost or ())}
        return 100 * sum(WEIGHTS[name] * n for name, n in counted.items()) / self.length_after

    def quality(self, measure: Measure) -> float | None:
        """The measure that ranks, as it is shown. A loop that failed or was stopped has no result that could rank."""
        if self.failed:
            return None
        return self.score if measure == "judge" else self.faults if measure else None


def result_of(cell: Cell, run: RunView, measured: RunView | None = None, paired: RunView | None = None) -> CellResult:
    """A cell's measures as far as its runs have come."""
    draft = run.spec.task.draft
    before, after = _measured(measured) if measured else (None, None)
    kept = run.rounds[run.best_round] if run.best_round is not None else None
    votes = paired.rounds[-1].scores if paired and paired.rounds else {}
    others = [view for view in (measured, paired) if view]
    first = [call.first_token_seconds for call in run.attempts if call.first_token_seconds is not None]
    return CellResult(
        cell=cell,
        run_id=run.run_id,
        measure_run=measured.run_id if measured else "",
        pair_run=paired.run_id if paired else "",
        status=run.status,
        reason=run.reason,
        error=run.error,
        measured=measured is not None and measured.ended,
        paired=paired is not None and paired.ended,
        text=run.text,
        approved=_approved(run, kept),
        rounds=tuple(_line(run, round) for round in run.rounds),
        rounds_to_approval=next((round.n + 1 for round in run.rounds if round.kind == "approved"), None),
        critic_score=kept.score if kept else None,
        critic_last=run.rounds[-1].score if run.rounds else None,
        before=_by_checks(measured, before),
        after=_by_checks(measured, after),
        lost=after.lost if after and measured and KEPT in measured.spec.checks else None,
        score=after.score if after else None,
        dimensions=after.scores if after else {},
        preference=preference_of(votes),
        swayed=votes.get(MINE) == votes.get(OTHER) == 1,
        length_before=_length(draft) if draft else None,
        length_after=None if run.text is None else words.count(run.text),
        edits=None if run.text is None or not draft else ratio(draft, run.text),
        tokens_in=run.usage.input_tokens,
        tokens_out=run.usage.output_tokens,
        tokens_cached=run.usage.cached_tokens,
        tokens_reasoning=run.usage.reasoning_tokens,
        estimated=run.usage.estimated,
        calls=run.calls,
        cost=run.money,
        judging=add_costs(view.money for view in others),
        first_token_seconds=median(first) if first else None,
        seconds=run.seconds,
        at=run.at,
        language=run.spec.task.language,
        adapted=run.adapted,
        roles=tuple(map(role_used, run.spec.roles)),
        prices=_prices([run, *others]),
        unpriced=_unpriced([run, *others]),
        failures=_failures([run]) or _failures(others),
    )


def _failures(runs: Iterable[RunView]) -> tuple[str, ...]:
    return tuple(run.run_id for run in runs if run.ended and run.status != "done")


@lru_cache(maxsize=512)
def _length(draft: str) -> int:
    """The same draft is met by every variant, in every repeat."""
    return words.count(draft)


def role_used(role: Role) -> RoleUsed:
    version = prompt_hash(role.prompt) if role.prompt else ""
    return RoleUsed(role.name, role.model, role.endpoint, role.temperature, version)


def _approved(run: RunView, kept: RoundView | None) -> bool | None:
    if run.status not in ("done", "failed") or not (run.spec.critics or run.spec.checks):
        return None
    return kept is not None and kept.kind == "approved"


def _line(run: RunView, round: RoundView) -> RoundLine:
    counted = Counts(round.count("must"), round.count("should"), round.count("may"))
    kept = round.n == run.best_round
    tokens = round.usage.input_tokens, round.usage.output_tokens
    told = round.kind, round.score, counted, round.text, kept, round.set_aside
    return RoundLine(round.n, *told, *tokens, round.cost, round.seconds)


def _measured(view: RunView) -> tuple[RoundView | None, RoundView | None]:
    """The original as it was measured, and the result. A result that is the original was measured once."""
    task, original = view.spec.task, str(view.spec.options.get("original") or "")
    if not view.rounds:
        return None, None
    first, last = view.rounds[0], view.rounds[-1]
    if not original.strip():
        return None, last
    measured = view.ended and (len(view.rounds) > 1 or original == task.draft)
    return first, last if measured else None


def _by_checks(view: RunView | None, round: RoundView | None) -> Counts | None:
    """What the judge quotes is evidence for its score, and no check's finding."""
    if view is None or round is None or not view.spec.checks:
        return None
    models = {role.name for role in view.spec.roles}
    found = [
        finding.severity
        for finding, _ in round.findings
        if finding.critic not in models and (finding.dimension != KEPT or finding.severity != "must")
    ]
    return Counts(found.count("must"), found.count("should"), found.count("may"))


def _prices(views: Iterable[RunView]) -> tuple[PriceUsed, ...]:
    found: dict[PriceUsed, None] = {}
    for view in views:
        for call in view.attempts:
            if call.usage and call.usage.price:
                model, endpoint = _who(view.spec, call.role)
                found[PriceUsed(endpoint, model, call.usage.currency, call.usage.price)] = None
    return (*found,)


def _unpriced(views: Iterable[RunView]) -> tuple[str, ...]:
    return (
        *dict.fromkeys(
            _who(view.spec, call.role)[0]
            for view in views
            for call in view.attempts
            if call.usage and not call.money.complete
        ),
    )


def _who(spec: RunSpec, name: str) -> tuple[str, str]:
    role = spec.role(name)
    return (role.model, role.endpoint) if role else ("", "")
