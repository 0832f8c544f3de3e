"""What a person at a command line sees of a run: one line for what has happened, and on a terminal a live foot below.

It reads records, views and texts that come in; it knows nothing of how a run is driven or stopped.
"""

from __future__ import annotations

import asyncio
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from refine.events import Called, Event, Failed, Record, Replied, RoundRestarted
from refine.findings import RANK, State
from refine.schema import SCORED_BY_JUDGE
from refine.settings import redact
from refine.types import CheckCall, Finding, ModelCall, Step

if TYPE_CHECKING:
    from refine.bill import Amount, Measure, What
    from refine.forecast import Forecast
    from refine.store import RunRow, Total
    from refine.views import Cost, RoundView, RunView

EVERY = 0.1
"""Seconds between two looks: at most ten redraws a second."""
MOST_FINDINGS = 5
TAIL = 60
"""Characters of a text that is coming in."""

LiveText = tuple[str, str, str, bool]
"""(address, role, text so far, thinking?)"""


def plain(text: str) -> str:
    """One line without signs that a terminal would obey, and without keys."""
    return redact("".join(" " if unicodedata.category(sign) in ("Cc", "Cs") else sign for sign in text))


# --- where lines go ------------------------------------------------------------------------------------------


class Shown(Protocol):
    def say(self, line: str) -> None:
        """A line that stays."""

    def foot(self, lines: Sequence[str]) -> None:
        """Lines that stand below until the next ones."""

    def close(self) -> None: ...


class Quiet:
    """For `--json`: nothing but errors is said, and not here."""

    def say(self, line: str) -> None: ...

    def foot(self, lines: Sequence[str]) -> None: ...

    def close(self) -> None: ...


class Lines(Quiet):
    """Standard error that leads into a file or a pipe."""

    def say(self, line: str) -> None:
        print(plain(line), file=sys.stderr, flush=True)


class Terminal:
    """Standard error that a person looks at."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self._console = Console(stderr=True, highlight=False)
        self._spinner = Spinner("dots")
        self._live = Live(console=self._console, transient=True, refresh_per_second=1 / EVERY)
        self._began = False

    def say(self, line: str) -> None:
        from rich.text import Text

        self._console.print(Text(plain(line)))

    def foot(self, lines: Sequence[str]) -> None:
        from rich.text import Text

        text = Text("\n".join(map(plain, lines)), overflow="ellipsis", no_wrap=True)
        self._spinner.update(text=text)
        self._live.update(self._spinner)
        if not self._began:
            self._began = True
            self._live.start()

    def close(self) -> None:
        if self._began:
            self._began = False
            self._live.stop()


def shown(quiet: bool = False) -> Shown:
    return Quiet() if quiet else Terminal() if sys.stderr.isatty() else Lines()


# --- following a run -----------------------------------------------------------------------------------------


async def follow(
    records: Callable[[int], list[Record]], live: Callable[[], list[LiveText]], shown: Shown, before: int = 0
) -> None:
    """Shows what happens until it is cancelled, and once more then.

    Args:
        records: gives the records behind a line of the log.
        live: gives the texts that are coming in.
        before: so many records are history: of them only rounds are told.
    """
    watch = Watch(before)
    try:
        while True:
            for line in watch.news(records(watch.last)):
                shown.say(line)
            shown.foot(watch.foot(live()))
            await asyncio.sleep(EVERY)
    finally:
        for line in watch.news(records(watch.last)):
            shown.say(line)


class Watch:
    """What has been told of a run, and what has not."""

    def __init__(self, before: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.records: list[Record] = []
        self._before, self._clock = before, clock
        self._view: RunView | None = None
        self._told = 0
        self._open: dict[str, tuple[str, float]] = {}

    @property
    def last(self) -> int:
        return len(self.records) - 1

    def news(self, records: Sequence[Record]) -> list[str]:
        """The lines for new records."""
        from refine.views import read

        self.records += records
        lines = [line for record in records for line in self._event(record.seq >= self._before, record.event)]
        if records:
            self._view = read(self.records)
            rounds = self._view.rounds
            lines += [line for round in rounds[self._told :] for line in round_lines(self._view, round)]
            self._told = max(self._told, len(rounds))
        return lines

    def _event(self, new: bool, event: Event) -> list[str]:
        match event:
            case Called(at, ModelCall(role)) if new:
                self._open[at] = role, self._clock()
            case Called(at, CheckCall(check)) if new:
                self._open[at] = f"check {check}", self._clock()
            case Replied(at, reply):
                self._open.pop(at, None)
                return [f"  Note: {words}" for words in reply.adapted if new]
            case Failed(at, _, message, wait=wait):
                self._open.pop(at, None)
                if new and wait is not None:
                    return [f"  {message} Next attempt in {wait:.0f} s."]
            case RoundRestarted():
                return ["  This round starts again, because the program has changed since."] if new else []
        return []

    def foot(self, live: Sequence[LiveText]) -> list[str]:
        """Who is at work, and what was used so far."""
        texts = {at: (text, thinking) for at, _, text, thinking in live}
        now = self._clock()
        calls = [_at_work(who, now - began, *texts.get(at, ("", False))) for at, (who, began) in self._open.items()]
        used = [f"{used_words(self._view)}, Ctrl-C stops"] if self._view else []
        return [*calls, *used]


def _at_work(who: str, seconds: float, text: str, thinking: bool) -> str:
    doing = "thinks" if thinking and not text else f"{len(text):,} characters" if text else "waits for an answer"
    tail = " ".join(text[-TAIL:].split())
    return f"{who} {seconds:.0f} s, {doing}{f': …{tail}' if tail else ''}"


# --- sentences -----------------------------------------------------------------------------------------------


def round_name(view: RunView, n: int) -> str:
    return f"Draft {n + 1}" if view.side_by_side else f"Round {n}"


def round_lines(view: RunView, round: RoundView, most: int = MOST_FINDINGS) -> list[str]:
    """A round's verdict and its gravest findings; of a step, what was done and what came of it."""
    if round.step:
        return step_lines(round.n, round.step)
    counts = [f"{round.count(severity)} {severity}" for severity in RANK if round.count(severity)]
    score = [] if round.score is None else [f"score {round.score:g}"]
    if view.technique in SCORED_BY_JUDGE:  # a judge says what its score is made of
        score += [f"{name} {part:g}" for name, part in round.scores.items()]
    aside = [f"set aside: it lost {', '.join(round.lost)}" if round.lost else "set aside"] if round.set_aside else []
    head = f"{round_name(view, round.n)}: {', '.join([round.kind, *score, *counts, *aside])}"
    grave = sorted((entry for entry in round.findings if entry[0].severity != "may"), key=_gravity)
    listed = [finding_line(*entry) for entry in grave[:most]]
    return [head, *listed, *([f"  … and {len(grave) - most} more"] if len(grave) > most else [])]


def step_lines(n: int, step: Step) -> list[str]:
    """A step: what was done, and what came of it."""
    asked = [f"Question: {_short(step.question, 200)}"] if step.question else []
    told = [*zip(step.observations, step.errors or [""] * len(step.observations), strict=True)]
    results = [f"  {f'{error}: ' if error else ''}{_short(text, 200)}" for text, error in told]
    done = [f"{call.name}({', '.join(map(_argument, call.arguments.items()))})" for call in step.calls]
    if step.final is not None:
        done = [f"answer: {_short(step.final, 200)}"]
    return [*asked, f"Step {n + 1}: {'; '.join(done) or 'no step'}", *results]


def _argument(named: tuple[str, object]) -> str:
    return f"{named[0]}={_short(str(named[1]), 40)}"


def _gravity(entry: tuple[Finding, State]) -> int:
    return RANK[entry[0].severity]


def finding_line(finding: Finding, state: State) -> str:
    about = " ".join(filter(None, [finding.severity, finding.dimension, "" if state == "open" else f"({state})"]))
    quote = f" “{_short(finding.quote)}”" if finding.quote else ""
    return f"  {about}{quote}: {_short(finding.remark, 200) or 'no remark'}"


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def used_words(view: RunView) -> str:
    """Calls, tokens and money so far."""
    usage = view.usage
    about = "about " if usage.estimated else ""
    tokens = f"{about}{usage.input_tokens + usage.output_tokens:,} tokens"
    return f"{view.calls} model {'call' if view.calls == 1 else 'calls'}, {tokens}, {money_words(view.money)}"


def money_words(cost: Cost) -> str:
    amount = " + ".join(f"{round_money(known)} {currency}" for currency, known in cost.amounts)
    return amount if cost.complete else f"at least {amount}" if cost.known else "cost unknown"


def round_money(amount: Decimal) -> str:
    """Without needless zeros, with at least four digits that count."""
    digits = max(2, 4 - amount.adjusted()) if amount else 0
    text = f"{amount:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def report(view: RunView, foreseen: Forecast | None = None) -> list[str]:
    """A whole run, but for its text."""
    from refine import views, words

    why = view.error or views.reason_of(view) or views.question_of(view) or ""
    edited = ["The text was edited by you."] if view.edited else []
    return [
        view.title,
        f"Run {view.run_id}, {when(view.at)}, technique {view.technique}, variant {view.variant}",
        f"{words.of('en').STATUSES[view.status]}. {why}".strip(),
        *[line for round in view.rounds for line in round_lines(view, round, most=1_000)],
        *filter(None, [result_words(view)]),
        *edited,
        *[f"Note: {adapted}" for adapted in view.adapted],
        f"{used_words(view)}, {view.seconds:.0f} s",
        *bill_lines(view, foreseen),
    ]


def bill_lines(view: RunView, foreseen: Forecast | None = None) -> list[str]:
    """What each role used; then what the run may use, and what was expected of it. None where no model was asked."""
    from refine import bill

    parts = bill.by_role(view)
    if not parts:
        return []
    shares = [f"{share:.0f} %" if share is not None else "" for share in bill.shares(parts)]
    roles = aligned([(*cells, share) for cells, share in zip(map(_used_cells, parts), shares, strict=True)])
    found = bill.measures(view, foreseen)
    most = [_amount(one.what, one.most, view.money.currency) for one in found if one.most]
    guess = [_span(one) for one in found if one.foreseen]
    listed = (("At most", most), ("Estimate before the run", guess))
    return [*(f"  {line}" for line in roles), *(f"{name}: {', '.join(words)}" for name, words in listed if words)]


def _amount(what: What, amount: Amount, currency: str = "USD") -> str:
    if isinstance(amount, int | float):
        return {
            "money": f"{amount:,g} {currency}",
            "tokens": f"{amount:,.0f} tokens",
            "calls": f"{amount:,.0f} {'call' if amount == 1 else 'calls'}",
            "time": f"{amount:,.0f} s",
        }[what]
    return money_words(amount)


def _span(measure: Measure) -> str:
    """From and to, roughly, the unit said once; what is the same is said once too."""
    from refine.bill import rough

    assert measure.foreseen
    low, high = (_amount(measure.what, rough(amount)) for amount in measure.foreseen)
    unit = high.rpartition(" ")[2]
    return high if low == high else f"{low.removesuffix(f' {unit}')}-{high}"


def result_words(view: RunView) -> str:
    """Which round is the result; "" where none is."""
    if view.best_round is None:
        return ""
    if view.rounds[0].step:
        return f"The answer is that of step {view.best_round + 1}."
    name = round_name(view, view.best_round)
    return f"The result is {name[0].lower()}{name[1:]}."


def listing(rows: Sequence[RunRow]) -> list[str]:
    """One line a run."""
    cells = [
        (row.run_id, when(row.at), row.status, row.reason or "-", row.variant, row.technique, _row_cost(row), row.title)
        for row in rows
    ]
    return aligned(cells)


def costs(totals: Sequence[Total]) -> list[str]:
    """One line a group: what its calls used."""
    return aligned([_used_cells(total) for total in totals])


def _used_cells(total: Total) -> tuple[str, ...]:
    used = total.usage
    notes = [f"{used.reasoning_tokens:,} thinking"] * bool(used.reasoning_tokens) + ["about"] * used.estimated
    return (
        *total.keys.values(),
        f"{total.calls:,} {'call' if total.calls == 1 else 'calls'}",
        f"{used.input_tokens:,} tokens in" + (f" ({used.cached_tokens:,} cached)" if used.cached_tokens else ""),
        f"{used.output_tokens:,} out" + (f" ({', '.join(notes)})" if notes else ""),
        money_words(total.cost),
    )


def aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    """Lines in columns, as a terminal shows them."""
    shown = [[plain(cell) for cell in line] for line in cells]
    widths = [max(map(_width, column)) for column in zip(*shown, strict=True)]
    return ["  ".join(map(_padded, line, widths)).rstrip() for line in shown]


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    """Chinese signs take two places, combining ones none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def _row_cost(row: RunRow) -> str:
    return "cost unknown" if row.cost is None else f"{round_money(row.cost)} {row.currency}"


def when(at: float) -> str:
    """Seconds since the epoch as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
