"""One variant of a comparison in one row: a value for each measure, from its cells. Pure.

A measure that a cell does not have is left out of its mean, never taken as 0. Scores are means over drafts of the mean
over repeats, so that a draft with more repeats does not count for more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median, stdev

from refine import stats
from refine.cell_results import CellResult, Counts, Measure
from refine.ledger import Cost, add_costs


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, with the interval that Wilson gives it."""

    k: int
    n: int
    interval: stats.Interval

    @property
    def share(self) -> float:
        return self.k / self.n


@dataclass(frozen=True, slots=True)
class Tally:
    won: int = 0
    tied: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Means:
    """Findings of a cell on average."""

    must: float
    should: float
    may: float

    @property
    def total(self) -> float:
        return self.must + self.should + self.may


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One variant: a value for each measure. None = not known, or not measured."""

    name: str
    technique: str
    planned: int
    done: int
    failed: int
    """Cells that ended without the whole loop's result: failed, or stopped by the author."""
    open: int
    """Cells that are not begun, not ended, or not measured yet."""
    unscored: int
    """Ended cells without the measure that ranks."""
    approved: Rate | None
    """By its own critics or checks; a failed cell is not approved, a stopped one does not count."""
    consistency: float | None
    """Share of drafts on which all repeats agree about approval; None where no draft has two."""
    spread: float | None
    """Standard deviation of the measure that ranks between repeats of a draft, on average."""
    reasons: Mapping[str, int]
    """Why its cells stopped, the most frequent first."""
    rounds: float | None
    """Reviews of a cell on average; of cells that are done."""
    rounds_spread: tuple[int, ...]
    """How many cells took one review, two, and so on."""
    rounds_to_approval: float | None
    before: Means | None
    """Of the originals whose results were measured."""
    after: Means | None
    lost: int
    """Facts lost, all cells together."""
    losing: int
    """Cells that lost one."""
    measured: int
    """Cells of which `after`, `lost` and `losing` are told."""
    faults: float | None
    """Weighted findings for each 100 words: mean over drafts of the mean over repeats."""
    judge: float | None
    """The judge's score: mean over drafts of the mean over repeats."""
    dimensions: Mapping[str, float]
    difference: stats.Difference | None
    """To the baseline, more is better; None for the baseline itself."""
    pairs: Tally
    """Against the comparison's baseline, as the judge chose in both orders; all else is a tie."""
    votes: Tally
    """The author's own."""
    critic_score: float | None
    """Its own critics' mean; not comparable where critics differ."""
    length_before: float | None
    length_after: float | None
    length_change: float | None
    """Percent, on average."""
    edits: float | None
    """Share of the text that changed, 0 to 1, on average."""
    tokens_in: float | None
    """Of an ended cell, on average."""
    tokens_out: float | None
    estimated: bool
    cost: Cost
    """Of all its runs, measuring left out."""
    run_cost: Cost | None
    """Of an ended cell, on average."""
    judging: Cost
    """What measuring and comparing its results cost, altogether."""
    first_token_seconds: float | None
    """Median of its ended cells."""
    seconds: float | None
    """Of an ended cell, on average."""

    def quality(self, measure: Measure) -> float | None:
        """The measure that ranks, as it is shown."""
        return self.judge if measure == "judge" else self.faults if measure else None


def row_of(
    name: str,
    technique: str,
    planned: int,
    cells: Sequence[CellResult],
    measure: Measure,
    *,
    settled: Callable[[CellResult], bool],
    difference: stats.Difference | None,
    votes: Tally,
) -> VariantRow:
    """The row of a variant from its cells that were begun.

    Args:
        settled: has a cell all its measures that it will ever have?
    """
    ended = [cell for cell in cells if cell.ended]
    done = [cell for cell in ended if not cell.failed]
    closed = [cell for cell in cells if settled(cell)]
    measured = [cell for cell in ended if cell.after is not None]
    failed = sum(cell.failed for cell in closed)
    return VariantRow(
        name=name,
        technique=technique,
        planned=planned,
        done=len(closed) - failed,
        failed=failed,
        open=planned - len(closed),
        unscored=sum(cell.quality(measure) is None for cell in closed) if measure else 0,
        approved=_rate([cell.approved for cell in ended if cell.approved is not None]),
        consistency=_consistency(ended),
        spread=_spread(ended, measure),
        reasons=dict(Counter(cell.reason or "" for cell in ended).most_common()),
        rounds=_mean(len(cell.rounds) for cell in done),
        rounds_spread=_histogram([len(cell.rounds) for cell in done]),
        rounds_to_approval=_mean(cell.rounds_to_approval for cell in done),
        before=_means([cell.before for cell in measured if cell.before is not None]),
        after=_means([cell.after for cell in measured if cell.after is not None]),
        lost=sum(len(cell.lost or ()) for cell in measured),
        losing=sum(bool(cell.lost) for cell in measured),
        measured=len(measured),
        faults=nested(ended, lambda cell: cell.faults),
        judge=nested(ended, lambda cell: cell.score),
        dimensions=_dimensions(ended),
        difference=difference,
        pairs=_pairs(ended),
        votes=votes,
        critic_score=_mean(cell.critic_score for cell in ended),
        length_before=_mean(cell.length_before for cell in ended),
        length_after=_mean(cell.length_after for cell in ended),
        length_change=_mean(cell.length_change for cell in ended),
        edits=_mean(cell.edits for cell in ended),
        tokens_in=_mean(cell.tokens_in for cell in ended),
        tokens_out=_mean(cell.tokens_out for cell in ended),
        estimated=any(cell.estimated for cell in cells),
        cost=add_costs(cell.cost for cell in cells),
        run_cost=_each(add_costs(cell.cost for cell in ended), len(ended)) if ended else None,
        judging=add_costs(cell.judging for cell in cells),
        first_token_seconds=_median(cell.first_token_seconds for cell in ended),
        seconds=_mean(cell.seconds for cell in ended),
    )


def by_draft(cells: Iterable[CellResult], value: Callable[[CellResult], float | None]) -> dict[str, list[float]]:
    """The values that are known of each draft, one for each repeat."""
    found: dict[str, list[float]] = {}
    for cell in cells:
        if (known := value(cell)) is not None:
            found.setdefault(cell.cell.task, []).append(known)
    return found


def nested(cells: Iterable[CellResult], value: Callable[[CellResult], float | None]) -> float | None:
    """Mean over drafts of the mean over repeats."""
    return _mean(fmean(values) for values in by_draft(cells, value).values())


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _rate(approvals: Sequence[bool]) -> Rate | None:
    k, n = sum(approvals), len(approvals)
    interval = stats.wilson(k, n)
    return Rate(k, n, interval) if interval else None


def _consistency(cells: Iterable[CellResult]) -> float | None:
    found: dict[str, list[bool]] = {}
    for cell in cells:
        if cell.approved is not None:
            found.setdefault(cell.cell.task, []).append(cell.approved)
    return _mean(len(set(approvals)) == 1 for approvals in found.values() if len(approvals) > 1)


def _spread(cells: Iterable[CellResult], measure: Measure) -> float | None:
    scores = by_draft(cells, lambda cell: cell.quality(measure))
    return _mean(stdev(values) for values in scores.values() if len(values) > 1)


def _histogram(counts: Sequence[int]) -> tuple[int, ...]:
    return tuple(counts.count(n) for n in range(1, max(counts, default=0) + 1))


def _means(counts: Sequence[Counts]) -> Means | None:
    if not counts:
        return None
    return Means(*(fmean(getattr(one, name) for one in counts) for name in ("must", "should", "may")))


def _dimensions(cells: Sequence[CellResult]) -> dict[str, float]:
    names = dict.fromkeys(name for cell in cells for name in cell.dimensions)
    means = {name: nested(cells, lambda cell, name=name: cell.dimensions.get(name)) for name in names}  # type: ignore[misc]
    return {name: mean for name, mean in means.items() if mean is not None}


def _pairs(cells: Iterable[CellResult]) -> Tally:
    chosen = [cell.preference for cell in cells]
    return Tally(chosen.count("mine"), chosen.count("same"), chosen.count("other"))


def _each(cost: Cost, n: int) -> Cost:
    """The mean of so many."""
    return replace(cost, known=cost.known / n, others=tuple((name, amount / n) for name, amount in cost.others))
