"""The scoreboard of a comparison: what its cells say together of each variant. A pure reading of cells, plan and votes.

Each measure stands for itself; none is mixed into another. Variants are ranked by one of them: the judge's score where
there is a judge, else what the checks found. A cell without that measure is counted as missing, never as 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from refine import board_words, stats
from refine.board_words import Choosing
from refine.cell_results import CellResult, Measure, Preference, PriceUsed, RoleUsed, role_used
from refine.cells import cell_id, cells
from refine.ledger import Cost, add_costs
from refine.types import Choice, Comparison, RunSpec, Vote
from refine.variant_rows import Tally, VariantRow, by_draft, row_of

EQUAL = 1e-9
"""Scores of a draft that differ by no more are the same: what computing leaves."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of the drafts under a variant, against the baseline."""

    variant: str
    drafts: stats.Transitions


@dataclass(frozen=True, slots=True)
class PromptUsed:
    """A role of a variant, or of the judge, with its prompt word for word."""

    variant: str
    """ "" = the judge's."""
    used: RoleUsed
    text: str


@dataclass(frozen=True, slots=True)
class Board:
    comparison_id: str
    comparison: Comparison
    language: str
    """Of its sentences."""
    against: str
    """The variant that differences are against."""
    measure: Measure
    cells: tuple[CellResult, ...]
    """Those begun, in the order of the plan."""
    planned: int
    variants: tuple[VariantRow, ...]
    """In the order of the plan."""
    lead: stats.Lead | None
    differences: tuple[stats.Difference, ...]
    transitions: tuple[Change, ...]
    front: tuple[str, ...]
    """Variants that none beats in both quality and cost; the cheapest first."""
    votes: tuple[Vote, ...]
    agreement: stats.Agreement | None
    """Of the author with the judge; None where there is no vote that the judge could be held against."""
    choosing: Choosing
    prompts: tuple[PromptUsed, ...]
    prices: tuple[PriceUsed, ...]
    sentence: str
    """Who leads by how much, and how sure that is."""
    beside: str
    """What the leader costs against who it leads; "" = not known."""
    basis: str
    """What ranks, in words."""
    warnings: tuple[str, ...]
    earlier: Mapping[str, Cost]
    """Run that failed and was tried again -> what it cost."""

    @property
    def open(self) -> int:
        """Cells that are not begun, not ended, or not measured yet."""
        return sum(row.open for row in self.variants)

    @property
    def finished(self) -> bool:
        return not self.open

    def row(self, name: str) -> VariantRow:
        return next(row for row in self.variants if row.name == name)

    def quality(self, one: CellResult | VariantRow) -> float | None:
        """The measure that ranks, as it is shown."""
        return one.quality(self.measure)

    @property
    def cost(self) -> Cost:
        """Of all runs, measuring left out."""
        failed = (cost for run_id, cost in self.earlier.items() if cell_id(run_id) == run_id)
        return add_costs([*(row.cost for row in self.variants), *failed])

    @property
    def judging(self) -> Cost:
        failed = (cost for run_id, cost in self.earlier.items() if cell_id(run_id) != run_id)
        return add_costs([*(row.judging for row in self.variants), *failed])

    @property
    def failures(self) -> tuple[str, ...]:
        """The runs that could be tried again."""
        return tuple(run_id for cell in self.cells for run_id in cell.failures)


def board(
    comparison_id: str,
    comparison: Comparison,
    results: Iterable[CellResult],
    votes: Sequence[Vote] = (),
    language: str = "",
    against: str = "",
    earlier: Mapping[str, Cost] | None = None,
) -> Board:
    """The scoreboard as far as the cells have come.

    Args:
        earlier: what runs cost that failed and were tried again.
        language: of sentence and warnings; "" = the comparison's.
        against: the variant that differences are against; "" = the comparison's own baseline.
    """
    plan, language = cells(comparison_id, comparison), language or comparison.language
    known = {result.run_id: result for result in results}
    begun = tuple(known[run_id] for run_id in plan if run_id in known)
    settled = _Settled(comparison, begun)
    measure = _measure(comparison, begun, goes_on=sum(map(settled, begun)) < len(plan))
    baseline = against or comparison.against
    scores = _scores(comparison, begun, measure)
    differences = stats.differences(scores, baseline)
    lead = stats.lead(scores, baseline, against=differences)
    won = _tallies(known, votes)
    rows = tuple(
        row_of(
            variant.name,
            variant.spec.technique,
            len(comparison.tasks) * comparison.repeats,
            _of(begun, variant.name),
            measure,
            settled=settled,
            difference=next((one for one in differences if one.name == variant.name), None),
            votes=won.get(variant.name, Tally()),
        )
        for variant in comparison.variants
    )
    agreement, choosing = _agreement(comparison, known, votes), _choosing(begun)
    told = board_words.Told(comparison, measure, begun, rows, lead, agreement, choosing, language)
    return Board(
        comparison_id=comparison_id,
        comparison=comparison,
        language=language,
        against=baseline,
        measure=measure,
        cells=begun,
        planned=len(plan),
        variants=rows,
        lead=lead,
        differences=tuple(differences),
        transitions=tuple(_changes(scores, baseline)),
        front=_front(measure, rows),
        votes=tuple(votes),
        agreement=agreement,
        choosing=choosing,
        prompts=tuple(_prompts(comparison)),
        prices=tuple(dict.fromkeys(price for cell in begun for price in cell.prices)),
        sentence=told.sentence(),
        beside=told.beside(),
        basis=told.basis(),
        warnings=tuple(told.warnings()),
        earlier=earlier or {},
    )


class _Settled:
    """Has a cell all the measures that it will ever have?"""

    def __init__(self, comparison: Comparison, begun: Iterable[CellResult]) -> None:
        self._measured = comparison.judge is not None
        self._paired = self._measured and comparison.pairs
        self._against = comparison.against
        self._without = {
            (result.cell.task, result.cell.repeat)
            for result in begun
            if result.cell.variant == comparison.against and result.ended and _without_result(result)
        }
        """Where the baseline has no result to be held against."""

    def __call__(self, result: CellResult) -> bool:
        if not result.ended or _without_result(result):
            return result.ended
        alone = result.cell.variant == self._against or (result.cell.task, result.cell.repeat) in self._without
        return (result.measured or not self._measured) and (result.paired or alone or not self._paired)


def _without_result(result: CellResult) -> bool:
    return result.text is None or result.failed


def _scores(comparison: Comparison, begun: Sequence[CellResult], measure: Measure) -> dict[str, dict[str, list[float]]]:
    """As the statistics want them: more is better."""
    sign = 1 if measure == "judge" else -1
    found = {v.name: by_draft(_of(begun, v.name), lambda cell: cell.quality(measure)) for v in comparison.variants}
    return {
        name: {draft: [sign * value for value in values] for draft, values in drafts.items()}
        for name, drafts in found.items()
    }


def _of(results: Iterable[CellResult], variant: str) -> list[CellResult]:
    return [result for result in results if result.cell.variant == variant]


def _measure(comparison: Comparison, begun: Sequence[CellResult], goes_on: bool) -> Measure:
    if comparison.judge is None:
        return ""
    judged = any(result.score is not None for result in begun)
    return "judge" if judged or (goes_on and comparison.judge.role("judge")) else "checks"


def _changes(scores: stats.Scores, baseline: str) -> Iterator[Change]:
    means = {name: {draft: fmean(values) for draft, values in drafts.items()} for name, drafts in scores.items()}
    for name in scores:
        if name != baseline:
            yield Change(name, stats.transitions(means[baseline], means[name], EQUAL))


def _front(measure: Measure, rows: Sequence[VariantRow]) -> tuple[str, ...]:
    """Costs in several currencies, or not known, cannot be held against each other."""
    points = {}
    for row in rows:
        worth = row.quality(measure)
        if worth is not None and row.run_cost and row.run_cost.value is not None:
            points[row.name] = (float(row.run_cost.known), worth if measure == "judge" else -worth)
    return () if board_words.several_currencies(rows) else tuple(stats.front(points))


# --- who chose what --------------------------------------------------------------------------------------------------


def _tallies(known: Mapping[str, CellResult], votes: Iterable[Vote]) -> dict[str, Tally]:
    found: dict[str, Counter[str]] = {}
    for vote in votes:
        if vote.first in known and vote.second in known:
            pair = known[vote.first].cell.variant, known[vote.second].cell.variant
            if pair[0] != pair[1]:
                for name, side in zip(pair, ("first", "second"), strict=True):
                    outcome = "tied" if vote.choice == "same" else "won" if vote.choice == side else "lost"
                    found.setdefault(name, Counter())[outcome] += 1
    return {name: Tally(**counted) for name, counted in found.items()}


def _choosing(begun: Iterable[CellResult]) -> Choosing:
    paired = [result for result in begun if result.preference is not None]
    return Choosing(len(paired), sum(result.swayed for result in paired))


def _agreement(
    comparison: Comparison, known: Mapping[str, CellResult], votes: Iterable[Vote]
) -> stats.Agreement | None:
    chosen = [
        (vote.choice, judged)
        for vote in votes
        if vote.first in known
        and vote.second in known
        and (judged := _judged(comparison.against, known[vote.first], known[vote.second]))
    ]
    return stats.agreement(chosen) if chosen else None


OF_FIRST: Mapping[Preference, Choice] = {"mine": "first", "other": "second", "same": "same"}
OF_SECOND: Mapping[Preference, Choice] = {"mine": "second", "other": "first", "same": "same"}


def _judged(baseline: str, first: CellResult, second: CellResult) -> Choice | None:
    """What the judge says of a pair: it compared the two, or it scored each."""
    if (first.cell.task, first.cell.repeat) == (second.cell.task, second.cell.repeat):
        if second.cell.variant == baseline and first.preference:
            return OF_FIRST[first.preference]
        if first.cell.variant == baseline and second.preference:
            return OF_SECOND[second.preference]
    if first.score is None or second.score is None:
        return None
    return "first" if first.score > second.score else "second" if second.score > first.score else "same"


# --- with what -------------------------------------------------------------------------------------------------------


def _prompts(comparison: Comparison) -> Iterator[PromptUsed]:
    specs: list[tuple[str, RunSpec]] = [(variant.name, variant.spec) for variant in comparison.variants]
    for name, spec in [*specs, *([("", comparison.judge)] if comparison.judge else [])]:
        for role in spec.roles:
            yield PromptUsed(name, role_used(role), role.prompt)
