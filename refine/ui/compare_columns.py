"""The columns of the table of variants: one measure, one column, with its name and what it tells. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from refine.scoreboard import Board
from refine.ui.parts import REASON_BADGES, cost_words
from refine.ui.words import N_, _
from refine.variant_rows import Tally, VariantRow

Kind = Literal["text", "number", "percent", "bar", "bars"]
"""percent, bar: of 0 to 100; bars: a list of counts."""


@dataclass(frozen=True, slots=True)
class Shown:
    label: str
    help: str
    value: Callable[[Board, VariantRow], Any]
    kind: Kind = "text"
    form: str = ""
    width: int | None = None


def signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def results(board: Board, row: VariantRow) -> str:
    return "" if board.finished else f"{row.done + row.failed} / {row.planned}"


def findings(_board: Board, row: VariantRow) -> str:
    if row.after is None:
        return ""
    return f"{row.before.total:.1f} → {row.after.total:.1f}" if row.before else f"{row.after.total:.1f}"


def difference(board: Board, row: VariantRow) -> str:
    if row.name == board.against:
        return _("baseline")
    if row.difference is None:
        return ""
    interval = row.difference.interval
    said = f" ({signed(interval.low)} … {signed(interval.high)})" if interval else ""
    return signed(row.difference.value) + said


def tally(counted: Tally) -> str:
    if not (counted.won or counted.tied or counted.lost):
        return ""
    return _("{won} won, {tied} same, {lost} lost").format(won=counted.won, tied=counted.tied, lost=counted.lost)


def length(_board: Board, row: VariantRow) -> str:
    return "" if row.length_change is None else f"{row.length_change:+.0f} %".replace("-", "−")


def tokens(_board: Board, row: VariantRow) -> int | None:
    return round((row.tokens_in or 0) + (row.tokens_out or 0)) or None


def cost(_board: Board, row: VariantRow) -> str:
    return "" if row.run_cost is None else cost_words(row.run_cost, "0")


def first_word(_board: Board, row: VariantRow) -> float | None:
    """Of scripted models it says nothing."""
    return row.first_token_seconds if row.first_token_seconds and row.first_token_seconds >= 0.05 else None


def reasons(_board: Board, row: VariantRow) -> str:
    named: dict[str, int] = {}
    for reason, n in row.reasons.items():
        words = _(REASON_BADGES[reason][1]) if reason in REASON_BADGES else reason
        named[words] = named.get(words, 0) + n
    return _(", ").join(f"{words} {n}" for words, n in named.items() if words)


COLUMNS: Mapping[str, Shown] = {
    "name": Shown(N_("Variant"), "", lambda _board, row: row.name, width=165),
    "results": Shown(
        N_("Results"), N_("Runs that have all their measures, of those planned."), results, width=75
    ),
    "failed": Shown(
        N_("Failed"),
        N_("Runs that ended without a whole result."),
        lambda _board, row: row.failed or None,
        "number", "%d", 65,
    ),
    "approved": Shown(
        N_("Approved"),
        N_("Share of runs that the variant's own critic or checks approved."),
        lambda _board, row: 100 * row.approved.share if row.approved else None,
        "bar", width=105,
    ),
    "rounds": Shown(
        N_("Rounds"),
        N_("Reviews of a run on average, that of the draft included."),
        lambda _board, row: row.rounds,
        "number", "%.1f", 70,
    ),
    "spread": Shown(
        N_("Spread of rounds"),
        N_("How many runs took one review, two, and so on."),
        lambda _board, row: [*row.rounds_spread],
        "bars", width=120,
    ),
    "findings": Shown(
        N_("Findings"),
        N_("What the same checks found before and after, on average. Facts lost are not among them."),
        findings, width=95,
    ),
    "lost": Shown(
        N_("Facts lost"),
        N_("Numbers, names, links and quotations of the drafts that the results lack, all runs together."),
        lambda _board, row: row.lost if row.measured else None,
        "number", "%d", 80,
    ),
    "judge": Shown(
        N_("Judge"),
        N_("The same judge's score for all, 0 to 10: mean over texts of the mean over repeats."),
        lambda _board, row: row.judge,
        "number", "%.2f", 65,
    ),
    "difference": Shown(
        N_("Against baseline"),
        N_("Difference text by text with its 95 % interval; more is better. All intervals hold together."),
        difference, width=160,
    ),
    "pairs": Shown(
        N_("Judge's pairs"),
        N_("Each result held against the comparison's baseline, in both orders; only who wins both has won."),
        lambda _board, row: tally(row.pairs), width=150,
    ),
    "votes": Shown(N_("Your votes"), N_("Your own blind choice."), lambda _board, row: tally(row.votes), width=150),
    "length": Shown(N_("Length"), N_("Change of length on average."), length, width=65),
    "cost": Shown(N_("Cost"), N_("Of a run, on average; what judging cost is not in it."), cost, width=85),
    "seconds": Shown(
        N_("Seconds"), N_("Of a run, on average."), lambda _board, row: row.seconds, "number", "%.0f", 75
    ),
    "first": Shown(
        N_("First word"),
        N_("Seconds until a model's first word, the median."),
        first_word,
        "number", "%.1f", 85,
    ),
    "tokens": Shown(N_("Tokens"), N_("In and out of a run, on average."), tokens, "number", "localized", 75),
    "edits": Shown(
        N_("Changed"),
        N_("Share of the draft that was changed, on average."),
        lambda _board, row: None if row.edits is None else 100 * row.edits,
        "percent", width=80,
    ),
    "to_approval": Shown(
        N_("Rounds to approval"),
        N_("Reviews up to the first approval, of the runs that were approved."),
        lambda _board, row: row.rounds_to_approval,
        "number", "%.1f", 135,
    ),
    "consistency": Shown(
        N_("Repeats agree"),
        N_("Share of texts on which all repeats agree about approval."),
        lambda _board, row: None if row.consistency is None else 100 * row.consistency,
        "percent", width=105,
    ),
    "stops": Shown(N_("Why they stopped"), N_("How many runs ended for which reason."), reasons, width=220),
    "critic": Shown(
        N_("Own critic"),
        N_("The variant's own critics' score. Critics differ, so it ranks nothing."),
        lambda _board, row: row.critic_score,
        "number", "%.1f", 90,
    ),
}  # fmt: skip
"""The order is that of the table."""
