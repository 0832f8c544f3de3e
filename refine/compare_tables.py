"""The tables of a comparison, made of its scoreboard: a list of declared columns each, as in `tables`.

Values are plain: counts, shares from 0 to 1, percent where a name says so below, seconds, moments in UTC. Words for
codes, and how a number looks, belong to who shows the table. What is not known is empty; a cost that is not is
`tables.UNKNOWN`, and `at_least` is what is known of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from refine import stats, tables
from refine.cell_results import CellResult, Counts, RoundLine
from refine.ledger import Cost
from refine.scoreboard import Board
from refine.tables import Column
from refine.text import words
from refine.text.changes import ratio
from refine.types import Vote
from refine.variant_rows import Means, Tally, by_draft, nested

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

SEVERITIES = ("must", "should", "may")


# --- what columns are made of ----------------------------------------------------------------------------------------


def _counted(name: str, of: Callable[[Any], Counts | Means | None]) -> Iterator[Column]:
    for severity in SEVERITIES:

        def value(one: Any, severity: str = severity) -> float | None:
            counts = of(one)
            return None if counts is None else getattr(counts, severity)

        yield Column(f"{severity}_{name}", value)


def _paid(name: str, of: Callable[[Any], Cost | None]) -> Iterator[Column]:
    """A cost, its currency, and what is known of it."""
    after = f"_{name}" if name else ""
    yield Column(f"cost{after}", lambda one: None if (cost := of(one)) is None else tables.costs(cost))
    yield Column(f"currency{after}", lambda one: None if (cost := of(one)) is None else cost.currency)
    yield Column(f"at_least{after}", lambda one: None if (cost := of(one)) is None else float(cost.known))


def _tally(name: str, of: Callable[[Any], Tally]) -> Iterator[Column]:
    yield Column(f"{name}_won", lambda one: of(one).won)
    yield Column(f"{name}_tied", lambda one: of(one).tied)
    yield Column(f"{name}_lost", lambda one: of(one).lost)


def _of_first(columns: Iterable[Column]) -> Iterator[Column]:
    """The same for rows that are about two things."""
    for column in columns:
        yield Column(column.name, lambda first, _, value=column.value: value(first))


def _of_second(columns: Iterable[Column]) -> Iterator[Column]:
    for column in columns:
        yield Column(column.name, lambda _, second, value=column.value: value(second))


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


@lru_cache(maxsize=8_192)
def _share_changed(old: str, new: str) -> float:
    return ratio(old, new)


@lru_cache(maxsize=8_192)
def _words(text: str) -> int:
    return words.count(text)


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


# --- columns ---------------------------------------------------------------------------------------------------------

NAMED = (
    Column("variant", lambda cell: cell.cell.variant),
    Column("draft", lambda cell: cell.cell.task),
    Column("repeat", lambda cell: cell.cell.repeat + 1),
)

CELL_COLUMNS = (
    *NAMED,
    Column("status", lambda cell: cell.status),
    Column("reason", lambda cell: cell.reason),
    Column("approved", lambda cell: cell.approved),
    Column("rounds", lambda cell: len(cell.rounds)),
    Column("rounds_to_approval", lambda cell: cell.rounds_to_approval),
    Column("judge", lambda cell: cell.score),
    Column("preference", lambda cell: cell.preference),
    *_counted("before", lambda cell: cell.before),
    *_counted("after", lambda cell: cell.after),
    Column("lost", lambda cell: None if cell.lost is None else len(cell.lost)),
    Column("lost_facts", lambda cell: "; ".join(cell.lost or ())),
    Column("faults", lambda cell: cell.faults),
    Column("words_before", lambda cell: cell.length_before),
    Column("words_after", lambda cell: cell.length_after),
    Column("length_change", lambda cell: cell.length_change),
    Column("changed", lambda cell: _percent(cell.edits)),
    Column("critic_score", lambda cell: cell.critic_score),
    Column("critic_last", lambda cell: cell.critic_last),
    Column("calls", lambda cell: cell.calls),
    Column("tokens_in", lambda cell: cell.tokens_in),
    Column("cached", lambda cell: cell.tokens_cached),
    Column("tokens_out", lambda cell: cell.tokens_out),
    Column("reasoning", lambda cell: cell.tokens_reasoning),
    Column("estimated", lambda cell: cell.estimated),
    *_paid("", lambda cell: cell.cost),
    *_paid("judging", lambda cell: cell.judging),
    Column("first_token_seconds", lambda cell: cell.first_token_seconds),
    Column("seconds", lambda cell: cell.seconds),
    Column("at", lambda cell: _moment(cell.at)),
    Column("run_id", lambda cell: cell.run_id),
    Column("measure_run", lambda cell: cell.measure_run),
    Column("pair_run", lambda cell: cell.pair_run),
    Column("adapted", lambda cell: "; ".join(cell.adapted)),
    Column("error", lambda cell: cell.error),
)
"""One row a cell that was begun: `length_change` and `changed` in percent."""

VARIANT_COLUMNS = (
    Column("variant", lambda row: row.name),
    Column("technique", lambda row: row.technique),
    Column("planned", lambda row: row.planned),
    Column("done", lambda row: row.done),
    Column("failed", lambda row: row.failed),
    Column("open", lambda row: row.open),
    Column("unscored", lambda row: row.unscored),
    Column("approved", lambda row: row.approved.share if row.approved else None),
    Column("approved_low", lambda row: row.approved.interval.low if row.approved else None),
    Column("approved_high", lambda row: row.approved.interval.high if row.approved else None),
    Column("approved_of", lambda row: row.approved.n if row.approved else 0),
    Column("consistency", lambda row: row.consistency),
    Column("spread", lambda row: row.spread),
    Column("reasons", lambda row: ", ".join(f"{reason} {n}" for reason, n in row.reasons.items())),
    Column("rounds", lambda row: row.rounds),
    Column("rounds_spread", lambda row: [*row.rounds_spread]),
    Column("rounds_to_approval", lambda row: row.rounds_to_approval),
    Column("findings_before", lambda row: row.before.total if row.before else None),
    Column("findings_after", lambda row: row.after.total if row.after else None),
    *_counted("before", lambda row: row.before),
    *_counted("after", lambda row: row.after),
    Column("lost", lambda row: row.lost),
    Column("losing", lambda row: row.losing),
    Column("measured", lambda row: row.measured),
    Column("faults", lambda row: row.faults),
    Column("judge", lambda row: row.judge),
    Column("difference", lambda row: row.difference.value if row.difference else None),
    Column("low", lambda row: row.difference.interval.low if row.difference and row.difference.interval else None),
    Column("high", lambda row: row.difference.interval.high if row.difference and row.difference.interval else None),
    Column("decisive", lambda row: row.difference.decisive if row.difference else None),
    Column("more_drafts", lambda row: row.difference.more_drafts if row.difference else None),
    *_tally("pairs", lambda row: row.pairs),
    *_tally("votes", lambda row: row.votes),
    Column("critic_score", lambda row: row.critic_score),
    Column("words_before", lambda row: row.length_before),
    Column("words_after", lambda row: row.length_after),
    Column("length_change", lambda row: row.length_change),
    Column("changed", lambda row: _percent(row.edits)),
    Column("tokens_in", lambda row: row.tokens_in),
    Column("tokens_out", lambda row: row.tokens_out),
    Column("estimated", lambda row: row.estimated),
    *_paid("", lambda row: row.run_cost),
    *_paid("total", lambda row: row.cost),
    *_paid("judging", lambda row: row.judging),
    Column("first_token_seconds", lambda row: row.first_token_seconds),
    Column("seconds", lambda row: row.seconds),
)
"""One row a variant: see `VariantRow`. Difference, low and high: more is better; `cost` is a cell's."""

ROUND_COLUMNS = (
    *_of_first(NAMED),
    Column("round", lambda cell, line: line.n),
    Column("verdict", lambda cell, line: line.verdict),
    Column("result", lambda cell, line: "kept" if line.kept else "set_aside" if line.set_aside else ""),
    Column("score", lambda cell, line: line.score),
    Column("must", lambda cell, line: line.findings.must),
    Column("should", lambda cell, line: line.findings.should),
    Column("may", lambda cell, line: line.findings.may),
    Column("words", lambda cell, line: _words(line.text)),
    Column("changed", lambda cell, line: _changed(cell, line)),
    Column("tokens_in", lambda cell, line: line.tokens_in),
    Column("tokens_out", lambda cell, line: line.tokens_out),
    *_of_second(_paid("", lambda line: line.cost)),
    Column("seconds", lambda cell, line: line.seconds),
    Column("run_id", lambda cell, line: cell.run_id),
)
"""One row a round of a cell: `changed` against the round before, in percent."""

TRANSITION_COLUMNS = (
    Column("variant", lambda change: change.variant),
    Column("draft", lambda change: change.draft),
    Column("became", lambda change: change.became),
    Column("before", lambda change: change.before),
    Column("after", lambda change: change.after),
)
"""One row a draft of a variant that the baseline has too: better, worse or same, and the measure that ranks."""

FRONT_COLUMNS = (
    Column("variant", lambda board, row: row.name),
    *_of_second(_paid("", lambda row: row.run_cost)),
    Column("quality", lambda board, row: board.quality(row)),
    Column("front", lambda board, row: row.name in board.front),
)
"""One row a variant: what a cell costs, the measure that ranks, and whether no variant is both better and cheaper."""

REPEAT_COLUMNS = (
    Column("variant", lambda spread: spread.variant),
    Column("draft", lambda spread: spread.draft),
    Column("repeats", lambda spread: len(spread.values)),
    Column("mean", lambda spread: fmean(spread.values)),
    Column("deviation", lambda spread: stdev(spread.values) if len(spread.values) > 1 else None),
    Column("low", lambda spread: spread.box.low),
    Column("lower", lambda spread: spread.box.lower),
    Column("middle", lambda spread: spread.box.middle),
    Column("upper", lambda spread: spread.box.upper),
    Column("high", lambda spread: spread.box.high),
)
"""One row a variant and draft: how the measure that ranks is spread over repeats."""

VOTE_COLUMNS = (
    Column("first", lambda first, second, vote: first.cell.variant),
    Column("second", lambda first, second, vote: second.cell.variant),
    Column("draft", lambda first, second, vote: first.cell.task),
    Column("chosen", lambda first, second, vote: _chosen(first, second, vote)),
    Column("note", lambda first, second, vote: vote.note),
    Column("first_run", lambda first, second, vote: vote.first),
    Column("second_run", lambda first, second, vote: vote.second),
)
"""One row a vote; `chosen`: a variant, or same."""

PROMPT_COLUMNS = (
    Column("variant", lambda prompt: prompt.variant or "judge"),
    Column("role", lambda prompt: prompt.used.role),
    Column("hash", lambda prompt: prompt.used.hash),
    Column("model", lambda prompt: prompt.used.model),
    Column("endpoint", lambda prompt: prompt.used.endpoint),
    Column("temperature", lambda prompt: prompt.used.temperature),
    Column("prompt", lambda prompt: prompt.text),
)

PRICE_COLUMNS = (
    Column("model", lambda used: used.model),
    Column("endpoint", lambda used: used.endpoint),
    Column("currency", lambda used: used.currency),
    Column("input", lambda used: float(used.price.input)),
    Column("output", lambda used: float(used.price.output)),
    Column("cached", lambda used: float(used.price.cached)),
    Column("source", lambda used: used.price.source),
    Column("date", lambda used: used.price.date),
)
"""Prices for a million tokens."""

TEXT_COLUMNS = (
    *_of_first(NAMED),
    Column("original", lambda cell, original: original),
    Column("text", lambda cell, original: cell.text),
    Column("run_id", lambda cell, original: cell.run_id),
)


def _changed(cell: CellResult, line: RoundLine) -> float | None:
    before = next((one for one in cell.rounds if one.n == line.n - 1), None)
    return None if before is None else _percent(_share_changed(before.text, line.text))


def _chosen(first: CellResult, second: CellResult, vote: Vote) -> str:
    return {"first": first.cell.variant, "second": second.cell.variant, "same": "same"}[vote.choice]


# --- tables ----------------------------------------------------------------------------------------------------------

Subjects = Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Change:
    variant: str
    draft: str
    became: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Spread:
    variant: str
    draft: str
    values: Sequence[float]
    box: stats.Spread


def _cells(board: Board) -> Subjects:
    return [(cell,) for cell in board.cells]


def _rounds(board: Board) -> Subjects:
    return [(cell, line) for cell in board.cells for line in cell.rounds]


def _texts(board: Board) -> Subjects:
    drafts = {task.title: task.draft for task in board.comparison.tasks}
    return [(cell, drafts[cell.cell.task]) for cell in board.cells if cell.text is not None]


def _transitions(board: Board) -> Subjects:
    means = {row.name: _by_draft(board, row.name) for row in board.variants}
    return [
        (Change(change.variant, draft, became, means[board.against][draft], means[change.variant][draft]),)
        for change in board.transitions
        for became in ("worse", "better", "same")
        for draft in getattr(change.drafts, became)
    ]


def _by_draft(board: Board, variant: str) -> dict[str, float]:
    mine = [cell for cell in board.cells if cell.cell.variant == variant]
    return {draft: fmean(values) for draft, values in by_draft(mine, board.quality).items()}


def _repeats(board: Board) -> Iterator[tuple[Spread]]:
    for row in board.variants:
        mine = [cell for cell in board.cells if cell.cell.variant == row.name]
        for draft, values in by_draft(mine, board.quality).items():
            if box := stats.spread(values):
                yield (Spread(row.name, draft, values, box),)


def _votes(board: Board) -> Subjects:
    known = {cell.run_id: cell for cell in board.cells}
    return [
        (known[vote.first], known[vote.second], vote)
        for vote in board.votes
        if vote.first in known and vote.second in known
    ]


def _dimensions(board: Board) -> list[Column]:
    """The judge's, by name."""
    names = dict.fromkeys(name for row in board.variants for name in row.dimensions)
    return [Column(f"judge_{name}", lambda one, name=name: one.dimensions.get(name)) for name in names]


def _with_dimensions(columns: Sequence[Column], board: Board) -> list[Column]:
    at = next(n for n, column in enumerate(columns) if column.name == "judge") + 1
    return [*columns[:at], *_dimensions(board), *columns[at:]]


# --- the matrix ------------------------------------------------------------------------------------------------------

MEASURES: Mapping[str, Callable[[Board, CellResult], float | None]] = {
    "quality": lambda board, cell: board.quality(cell),
    "judge": lambda board, cell: cell.score,
    "faults": lambda board, cell: cell.faults,
    "approved": lambda board, cell: None if cell.approved is None else float(cell.approved),
    "rounds": lambda board, cell: float(len(cell.rounds)) if cell.ended else None,
    "findings": lambda board, cell: float(cell.after.total) if cell.after else None,
    "lost": lambda board, cell: None if cell.lost is None else float(len(cell.lost)),
    "critic_score": lambda board, cell: cell.critic_score,
    "words": lambda board, cell: None if cell.length_after is None else float(cell.length_after),
    "length_change": lambda board, cell: cell.length_change,
    "changed": lambda board, cell: _percent(cell.edits),
    "tokens": lambda board, cell: float(cell.tokens_in + cell.tokens_out) if cell.ended else None,
    "cost": lambda board, cell: float(cell.cost.known) if cell.ended and cell.cost.value is not None else None,
    "seconds": lambda board, cell: cell.seconds if cell.ended else None,
}
"""What the matrix can show: means over the repeats of which it is known; `approved` is a share."""


def _drafts(board: Board) -> Subjects:
    found: dict[str, dict[str, list[CellResult]]] = {task.title: {} for task in board.comparison.tasks}
    for cell in board.cells:
        found[cell.cell.task].setdefault(cell.cell.variant, []).append(cell)
    return [*found.items()]


def _matrix_columns(board: Board, measure: str) -> list[Column]:
    def value(draft: str, cells: Mapping[str, list[CellResult]], variant: str) -> float | None:
        return nested(cells.get(variant, ()), lambda cell: MEASURES[measure](board, cell))

    named = {row.name for row in board.variants}
    own = next(name for n in itertools.count() if (name := "draft" + "_" * n) not in named)
    return [
        Column(own, lambda draft, cells: draft),
        *(
            Column(row.name, lambda draft, cells, variant=row.name: value(draft, cells, variant))
            for row in board.variants
        ),
    ]


# --- every table -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """What a table is about, and its columns for a board."""

    columns: Callable[[Board], Sequence[Column]]
    subjects: Callable[[Board], Iterable[tuple[Any, ...]]]


TABLES: Mapping[str, Table] = {
    "variants": Table(
        lambda board: _with_dimensions(VARIANT_COLUMNS, board), lambda board: [(row,) for row in board.variants]
    ),
    "cells": Table(lambda board: _with_dimensions(CELL_COLUMNS, board), _cells),
    "matrix": Table(lambda board: _matrix_columns(board, "quality"), _drafts),
    "rounds": Table(lambda board: ROUND_COLUMNS, _rounds),
    "transitions": Table(lambda board: TRANSITION_COLUMNS, _transitions),
    "front": Table(lambda board: FRONT_COLUMNS, lambda board: [(board, row) for row in board.variants]),
    "repeats": Table(lambda board: REPEAT_COLUMNS, _repeats),
    "votes": Table(lambda board: VOTE_COLUMNS, _votes),
    "texts": Table(lambda board: TEXT_COLUMNS, _texts),
    "prompts": Table(lambda board: PROMPT_COLUMNS, lambda board: [(prompt,) for prompt in board.prompts]),
    "prices": Table(lambda board: PRICE_COLUMNS, lambda board: [(price,) for price in board.prices]),
}
"""Every table that a comparison has, in the order in which a file holds them."""


def rows(board: Board, name: str) -> tuple[list[str], list[list[Any]]]:
    """A table as its names of columns and its rows."""
    table = TABLES[name]
    columns = table.columns(board)
    made = [[column.value(*subject) for column in columns] for subject in table.subjects(board)]
    return [column.name for column in columns], made


def frame(board: Board, name: str) -> pd.DataFrame:
    """A table as a data frame."""
    table = TABLES[name]
    return tables.frame(table.columns(board), [*table.subjects(board)])


def matrix(board: Board, measure: str = "quality") -> pd.DataFrame:
    """One row a draft, one column a variant. The first column names the drafts: `draft`, with a stroke behind it where
    a variant is called so."""
    return tables.frame(_matrix_columns(board, measure), _drafts(board))
