"""Tables: a list of declared columns each, and the data frame made of them. The only pandas outside the pages.

Values are plain; words for codes, and how a number looks, belong to who shows the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from refine import bill, steps
from refine.bill import Amount, Measure
from refine.forecast import Forecast
from refine.ledger import Attempt, Cost, money_of
from refine.store import RunRow, Total
from refine.text import words
from refine.text.changes import ratio
from refine.trace import Entry
from refine.views import RoundView, RunView

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

UNKNOWN = "unknown"
"""A cost that nobody knows. It is not 0."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, and its value for what a row is about."""

    name: str
    value: Callable[..., Any]


def _result(view: RunView, round: RoundView) -> str:
    if round.n == view.best_round:
        return "kept"
    return "set_aside" if round.set_aside else ""


def _changed(view: RunView, round: RoundView) -> float | None:
    """Share of the text that changed against the round before, in percent; None for the first.

    A draft that was made from no other is held against the author's own.
    """
    before = view.spec.task.draft if view.side_by_side else view.rounds[round.n - 1].text if round.n else ""
    return _tenths(100 * ratio(before, round.text)) if before else None


def _tenths(value: float) -> float:
    return round(value, 1)


def _cost(cost: Decimal | None) -> float | str:
    return UNKNOWN if cost is None else float(cost)


def costs(cost: Cost) -> float | str:
    """A sum as a table holds it. In several currencies it is no number: each stands for itself."""
    if cost.complete and cost.others:
        return " + ".join(f"{known:.4f} {currency}" for currency, known in cost.amounts)
    return _cost(cost.value)


def _amount(amount: Amount) -> float | str:
    return costs(amount) if isinstance(amount, Cost) else amount if isinstance(amount, int) else _tenths(amount)


def _share(measure: Measure) -> float | None:
    used = measure.used.known if isinstance(measure.used, Cost) else measure.used
    return _tenths(100 * float(used) / measure.most) if measure.most else None


ROUND_COLUMNS = (
    Column("round", lambda view, round: round.n),
    Column("verdict", lambda view, round: round.kind),
    Column("result", _result),
    Column("score", lambda view, round: round.score),
    Column("must", lambda view, round: round.count("must")),
    Column("should", lambda view, round: round.count("should")),
    Column("may", lambda view, round: round.count("may")),
    Column("words", lambda view, round: words.count(round.text)),
    Column("changed", _changed),
    Column("tokens_in", lambda view, round: round.usage.input_tokens),
    Column("tokens_out", lambda view, round: round.usage.output_tokens),
    Column("cost", lambda view, round: costs(round.cost)),
    Column("seconds", lambda view, round: _tenths(round.seconds)),
)

STEP_COLUMNS = (
    Column("step", lambda view, round: round.n + 1),
    Column("action", lambda view, round: steps.action_of(steps.step_of(round))),
    Column("result", lambda view, round: steps.result_of(steps.step_of(round))),
    Column("tokens", lambda view, round: round.usage.input_tokens + round.usage.output_tokens),
    Column("cost", lambda view, round: costs(round.cost)),
    Column("seconds", lambda view, round: _tenths(round.seconds)),
)

RUN_COLUMNS = (
    Column("at", lambda row: row.at),
    Column("title", lambda row: row.title),
    Column("technique", lambda row: row.technique),
    Column("variant", lambda row: row.variant),
    Column("status", lambda row: row.status),
    Column("reason", lambda row: row.reason),
    Column("rounds", lambda row: row.rounds),
    Column("scores", lambda row: [*row.scores]),
    Column("cost", lambda row: _cost(row.cost)),
    Column("currency", lambda row: row.currency),
    Column("seconds", lambda row: _tenths(row.seconds)),
    Column("run_id", lambda row: row.run_id),
)

TOTAL_COLUMNS = (
    Column("calls", lambda total: total.calls),
    Column("failed", lambda total: total.failed),
    Column("tokens_in", lambda total: total.usage.input_tokens),
    Column("cached", lambda total: total.usage.cached_tokens),
    Column("tokens_out", lambda total: total.usage.output_tokens),
    Column("reasoning", lambda total: total.usage.reasoning_tokens),
    Column("estimated", lambda total: total.usage.estimated),
    Column("cost", lambda total: costs(total.cost)),
    Column("currency", lambda total: total.cost.currency),
    Column("at_least", lambda total: float(total.cost.known)),
    Column("seconds", lambda total: _tenths(total.seconds)),
)

ROLE_COLUMNS = (
    *(Column(name, lambda total, share, name=name: total.keys[name]) for name in ("role", "endpoint", "model")),
    *(Column(column.name, lambda total, share, value=column.value: value(total)) for column in TOTAL_COLUMNS),
    Column("share", lambda total, share: None if share is None else _tenths(share)),
)

MEASURE_COLUMNS = (
    Column("what", lambda measure: measure.what),
    Column("used", lambda measure: _amount(measure.used)),
    Column("foreseen_from", lambda measure: _amount(measure.foreseen[0]) if measure.foreseen else None),
    Column("foreseen_to", lambda measure: _amount(measure.foreseen[1]) if measure.foreseen else None),
    Column("at_most", lambda measure: measure.most),
    Column("share", lambda measure: _share(measure)),
)

ATTEMPT_COLUMNS = (
    Column("at", lambda attempt: attempt.at),
    Column("run_id", lambda attempt: attempt.run_id),
    Column("variant", lambda attempt: attempt.variant),
    Column("role", lambda attempt: attempt.role),
    Column("endpoint", lambda attempt: attempt.endpoint),
    Column("model", lambda attempt: attempt.model),
    Column("tokens_in", lambda attempt: attempt.usage.input_tokens if attempt.usage else None),
    Column("cached", lambda attempt: attempt.usage.cached_tokens if attempt.usage else None),
    Column("tokens_out", lambda attempt: attempt.usage.output_tokens if attempt.usage else None),
    Column("reasoning", lambda attempt: attempt.usage.reasoning_tokens if attempt.usage else None),
    Column("estimated", lambda attempt: attempt.usage.estimated if attempt.usage else None),
    Column("cost", lambda attempt: costs(money_of(attempt.usage))),
    Column("currency", lambda attempt: attempt.usage.currency if attempt.usage else None),
    Column("first_token_seconds", lambda attempt: attempt.first_token_seconds),
    Column("seconds", lambda attempt: attempt.seconds),
    Column("failure", lambda attempt: attempt.failure),
)

TRACE_COLUMNS = (
    Column("seq", lambda entry: entry.seq),
    Column("time", lambda entry: entry.time),
    Column("tokens_in", lambda entry: entry.usage.input_tokens if entry.usage else None),
    Column("cached", lambda entry: entry.usage.cached_tokens if entry.usage else None),
    Column("tokens_out", lambda entry: entry.usage.output_tokens if entry.usage else None),
    Column("cost", lambda entry: _cost(entry.usage.cost) if entry.usage else None),
    Column("seconds", lambda entry: None if entry.seconds is None else _tenths(entry.seconds)),
    Column("attempts", lambda entry: entry.tries or None),
)


def rounds(view: RunView, columns: Sequence[Column] = ROUND_COLUMNS) -> pd.DataFrame:
    """One row a round: tokens as counts, `changed` in percent, `cost` in the run's currency, in words where
    there are several, or `UNKNOWN`."""
    return frame(columns, [(view, round) for round in view.rounds])


def runs(rows: Sequence[RunRow], columns: Sequence[Column] = RUN_COLUMNS) -> pd.DataFrame:
    """One row a run; `at` in seconds since the epoch, `cost` in the run's currency or `UNKNOWN`."""
    return frame(columns, [(row,) for row in rows])


def totals(found: Sequence[Total], columns: Sequence[Column] = TOTAL_COLUMNS) -> pd.DataFrame:
    """One row a group, its keys first; `cost` as in `rounds`, `at_least` what is known of it in `currency`."""
    names = [*found[0].keys] if found else []
    keys = [Column(name, lambda total, name=name: total.keys[name]) for name in names]
    return frame([*keys, *columns], [(total,) for total in found])


def roles(view: RunView, columns: Sequence[Column] = ROLE_COLUMNS) -> pd.DataFrame:
    """One row for each role that was asked; `share` in percent, see `bill.shares`."""
    parts = bill.by_role(view)
    return frame(columns, [*zip(parts, bill.shares(parts), strict=True)])


def measures(
    view: RunView, foreseen: Forecast | None = None, columns: Sequence[Column] = MEASURE_COLUMNS
) -> pd.DataFrame:
    """A run's money, tokens, calls and seconds: used, foreseen, allowed; `share` in percent of what is allowed."""
    return frame(columns, [(measure,) for measure in bill.measures(view, foreseen)])


def attempts(found: Sequence[Attempt], columns: Sequence[Column] = ATTEMPT_COLUMNS) -> pd.DataFrame:
    """One row an attempt at a model; `at` in seconds since the epoch."""
    return frame(columns, [(attempt,) for attempt in found])


def trace(entries: Sequence[Entry], columns: Sequence[Column] = TRACE_COLUMNS) -> pd.DataFrame:
    """One row a call or other event; empty where a column says nothing of it."""
    return frame(columns, [(entry,) for entry in entries])


def frame(columns: Sequence[Column], subjects: Sequence[tuple[Any, ...]]) -> pd.DataFrame:
    """One row for each of `subjects`, which are what the columns' values are asked of."""
    rows = [[column.value(*subject) for column in columns] for subject in subjects]
    import pandas as pd  # some tenths of a second, for who looks at no frame

    return pd.DataFrame(rows, columns=[column.name for column in columns])
