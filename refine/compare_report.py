"""A comparison as one page for people: who leads and how sure that is, every measure, every text with its changes, and
the prompts, models, prices and dates that it rests on.

It chooses what stands on the page, in the language of the board; how the page looks is up to `documents.page`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from refine import compare_tables, words
from refine.cell_results import CellResult
from refine.documents.drawing import Interval, Intervals, Point, Points
from refine.documents.page import (
    Block,
    Facts,
    Fold,
    Items,
    Lead,
    Line,
    Page,
    Part,
    Table,
    Text,
    Verbatim,
)
from refine.report import Numbers, date, marked
from refine.scoreboard import Board
from refine.text import changes
from refine.types import Task
from refine.variant_rows import Tally, VariantRow
from refine.words.rubric import RUBRIC


def page_of(board: Board) -> Page:
    told = _Words(board)
    plan = board.comparison
    about = told("about", variants=len(plan.variants), tasks=len(plan.tasks), repeats=plan.repeats, cells=board.planned)
    return Page(
        title=plan.title or told("untitled"),
        language=board.language or "en",
        about=(about, *([told.dates()] if board.cells else ())),
        notices=() if board.finished else (told("so_far", n=board.planned - board.open, all=board.planned),),
        parts=tuple(_parts(board, told)),
        measure="tables",
    )


class _Words(Numbers):
    """Words and numbers in the language of the board."""

    def __init__(self, board: Board) -> None:
        super().__init__(words.files(board.language))
        self._compare = words.compare(board.language).REPORT
        self._language = board.language
        self._board = board

    def __call__(self, name: str, /, **holes: object) -> str:
        return str(self._compare.get(name) or self.table.REPORT[name]).format(**holes)

    def dates(self) -> str:
        first, last = (date(end(cell.at for cell in self._board.cells)) for end in (min, max))
        return first if first == last else f"{first} – {last}"

    def head(self, name: str) -> str:
        """Of a column: a measure, or a dimension of the judge's."""
        return self(name) if name in self._compare else self.dimension(name)

    def dimension(self, name: str) -> str:
        said = RUBRIC[name].names.get(self._language, name) if name in RUBRIC else self.name(name)
        return said[:1].upper() + said[1:]

    def reason(self, code: str) -> str:
        """Who approved differs by variant, so it is not said."""
        if code == "approved":
            return self("approved")
        table = words.of(self._language)
        return str(table.REASONS.get(code, table.STATUSES.get(code, code)))

    def tally(self, tally: Tally) -> str:
        if not (tally.won or tally.tied or tally.lost):
            return ""
        return self("tally", won=tally.won, tied=tally.tied, lost=tally.lost)

    def list(self, names: Sequence[str]) -> str:
        return self("list").join(names)


def _parts(board: Board, told: _Words) -> Iterator[Part]:
    yield Part("", tuple(_summary(board, told)))
    yield Part(told("variants"), (_table(QUALITY, board, told), *_intervals(board, told)))
    if board.measure or board.votes:
        yield Part(told("judgements"), (_table((*JUDGED, *_dimensions(board)), board, told),))
    yield Part(told("costs"), (_table(COSTS, board, told), *_front(board, told)))
    if board.measure and board.cells:
        yield Part(told(f"matrix_{board.measure}"), (_matrix(board, told),))
    if any(change.drafts.better or change.drafts.worse for change in board.transitions):
        yield Part(told("transitions"), (_transitions(board, told),))
    if any(row.reasons for row in board.variants):
        yield Part(told("stops"), (_stops(board, told),))
    yield Part(told("texts"), tuple(_texts(board, told)))
    yield Part(told("prompts"), (_roles(board, told), *_prompts(board, told)))
    if board.prices:
        yield Part(told("prices"), (_prices(board, told),))
    yield Part(told("with"), (_facts(board, told),))


def _summary(board: Board, told: _Words) -> Iterator[Block]:
    yield Lead(board.sentence)
    if board.beside:
        yield Line(board.beside)
    yield Line(board.basis)
    if board.warnings:
        yield Items(board.warnings)


# --- one row a variant -----------------------------------------------------------------------------------------------


Said = Callable[[VariantRow, Board, _Words], str]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the page: its heading, and its words for a variant; left out where it says nothing of any."""

    name: str
    said: Said


def _number(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _percent(share: float | None) -> str:
    return "" if share is None else _whole(f"{100 * share:.0f} %")


def _signed(value: float, digits: int = 2) -> str:
    return f"{value:+.{digits}f}".replace("-", "−")


def _whole(said: str) -> str:
    """Never broken at a line's end."""
    return said.replace(" ", "\N{NO-BREAK SPACE}").replace("–", "\N{WORD JOINER}–\N{WORD JOINER}")


def _results(row: VariantRow, board: Board, told: _Words) -> str:
    said = _whole(told("results_said", done=row.done, all=row.planned))
    return f"{said}, {told('failed_said', failed=row.failed)}" if row.failed else said


def _approved(row: VariantRow, board: Board, told: _Words) -> str:
    if row.approved is None:
        return ""
    low, high = row.approved.interval.low, row.approved.interval.high
    return _whole(f"{_percent(row.approved.share)} ({100 * low:.0f}–{100 * high:.0f})")


def _findings(row: VariantRow, board: Board, told: _Words) -> str:
    ends = [_number(means.total) for means in (row.before, row.after) if means]
    return _whole(" → ".join(ends))


def _lost(row: VariantRow, board: Board, told: _Words) -> str:
    if not row.measured:
        return ""
    return told("lost_said", n=row.lost, cells=row.losing) if row.lost else "0"


def _difference(row: VariantRow, board: Board, told: _Words) -> str:
    if row.name == board.against:
        return told("baseline")
    if row.difference is None:
        return ""
    value, interval = row.difference.value, row.difference.interval
    said = f"{_signed(interval.low)} … {_signed(interval.high)}" if interval else told("no_interval")
    return f"{_signed(value)} ({_whole(said)})"


def _length(row: VariantRow, board: Board, told: _Words) -> str:
    change = "" if row.length_change is None else f" ({_signed(row.length_change, 0)} %)"
    return _whole(f"{_number(row.length_after, 0)}{change}")


def _tokens(row: VariantRow, board: Board, told: _Words) -> str:
    if row.tokens_in is None or row.tokens_out is None:
        return ""
    ends = (told.count(round(n), row.estimated) for n in (row.tokens_in, row.tokens_out))
    return _whole(" / ".join(ends))


NAME = Column("variant", lambda row, board, told: row.name)
QUALITY = (
    NAME,
    Column("results", _results),
    Column("approved", _approved),
    Column("consistency", lambda row, board, told: _percent(row.consistency)),
    Column("rounds", lambda row, board, told: _number(row.rounds)),
    Column("findings", _findings),
    Column("lost", _lost),
    Column("judge_score", lambda row, board, told: _number(row.judge, 2)),
    Column("difference", _difference),
)
JUDGED = (
    NAME,
    Column("faults", lambda row, board, told: _number(row.faults, 2)),
    Column("pairs", lambda row, board, told: told.tally(row.pairs)),
    Column("votes", lambda row, board, told: told.tally(row.votes)),
)
COSTS = (
    NAME,
    Column("length", _length),
    Column("edits", lambda row, board, told: _percent(row.edits)),
    Column("tokens", _tokens),
    Column("cost", lambda row, board, told: told.money(row.run_cost) if row.run_cost else ""),
    Column("total", lambda row, board, told: told.money(row.cost)),
    Column("judging", lambda row, board, told: told.money(row.judging)),
    Column(
        "first",
        lambda row, board, told: "" if row.first_token_seconds is None else told.seconds(row.first_token_seconds),
    ),
    Column("time", lambda row, board, told: "" if row.seconds is None else told.seconds(row.seconds)),
)


def _dimensions(board: Board) -> Iterator[Column]:
    for name in dict.fromkeys(name for row in board.variants for name in row.dimensions):
        yield Column(name, _score_in(name))


def _score_in(dimension: str) -> Said:
    return lambda row, board, told: _number(row.dimensions.get(dimension))


def _table(columns: Sequence[Column], board: Board, told: _Words) -> Table:
    rows = [[column.said(row, board, told) for column in columns] for row in board.variants]
    kept = [n for n, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    lead = board.lead if board.lead and board.lead.decisive else None
    best = next((n for n, row in enumerate(board.variants) if lead and row.name == lead.best), None)
    heads = [told.head(columns[n].name) for n in kept]
    return Table(heads, [[row[n] for n in kept] for row in rows], strong=best)


# --- pictures --------------------------------------------------------------------------------------------------------


def _scale(board: Board, told: _Words) -> str:
    return told(f"front_{board.measure}") if board.measure else ""


def _intervals(board: Board, told: _Words) -> Iterator[Block]:
    if not board.differences:
        return
    said = told("differences", variant=board.against, scale=told(f"scale_{board.measure}"))
    rows = [
        Interval(
            one.name,
            one.value,
            one.interval.low if one.interval else None,
            one.interval.high if one.interval else None,
            _signed(one.value),
        )
        for one in board.differences
    ]
    yield Line(said)
    yield Intervals(said, rows)


def _front(board: Board, told: _Words) -> Iterator[Block]:
    points = [
        Point(row.name, float(row.run_cost.known), worth, row.name in board.front)
        for row in board.variants
        if (worth := board.quality(row)) is not None and row.run_cost and row.run_cost.value is not None
    ]
    if not board.front or len(points) < 2 or not any(point.x for point in points):
        return
    currency = next((row.run_cost.currency for row in board.variants if row.run_cost and row.run_cost.known), "USD")
    yield Line(told("front_joined") if len(board.front) > 1 else told("front"))
    yield Points(told("front"), points, told("front_x", currency=currency), _scale(board, told))


# --- texts -----------------------------------------------------------------------------------------------------------


def _matrix(board: Board, told: _Words) -> Table:
    _, rows = compare_tables.rows(board, "matrix")
    head = [told("text"), *(row.name for row in board.variants)]
    return Table(head, [[str(draft), *(_number(value, 2) for value in values)] for draft, *values in rows])


def _transitions(board: Board, told: _Words) -> Table:
    head = [told("variant"), *map(told, ("better", "worse", "same"))]
    rows = [
        [change.variant, *(told.list(drafts) for drafts in (found.better, found.worse, found.same))]
        for change in board.transitions
        for found in (change.drafts,)
    ]
    return Table(head, rows)


def _stops(board: Board, told: _Words) -> Table:
    """How many cells of each variant stopped for each reason."""
    codes = [*dict.fromkeys(code for row in board.variants for code in row.reasons)]
    rows = [[row.name, *(str(row.reasons.get(code, "")) for code in codes)] for row in board.variants]
    return Table([told("variant"), *(told.reason(code).rstrip(".。") for code in codes)], rows)


def _texts(board: Board, told: _Words) -> Iterator[Block]:
    for task in board.comparison.tasks:
        mine = [cell for cell in board.cells if cell.cell.task == task.title]
        blocks = [*_asked(task, told), *(_cell(board, task, cell, told) for cell in mine)]
        yield Fold(task.title, blocks)


def _asked(task: Task, told: _Words) -> Iterator[Block]:
    if task.brief:
        yield Facts([(told("brief"), task.brief)])
    if task.draft:
        yield Fold(told("draft"), (Text(task.draft),))


def _cell(board: Board, task: Task, cell: CellResult, told: _Words) -> Fold:
    label = told("cell", variant=cell.cell.variant, n=cell.cell.repeat + 1)
    worth = board.quality(cell)
    said = [
        label,
        *([] if worth is None else [f"{_scale(board, told)} {_number(worth, 2)}"]),
        told.reason(cell.reason or cell.status),
    ]
    return Fold(" · ".join(said), (*_text(task, cell, told), _told(board, cell, told)))


def _text(task: Task, cell: CellResult, told: _Words) -> Iterator[Block]:
    if cell.text is None:
        yield Line(cell.error or told("no_text"))
    elif not task.draft:
        yield Text(cell.text)
    elif found := changes.diff(task.draft, cell.text):
        yield marked(task.draft, found)
    else:
        yield Line(told("unchanged"))


def _told(board: Board, cell: CellResult, told: _Words) -> Facts:
    ends = [str(counts.total) for counts in (cell.before, cell.after) if counts]
    pairs = [
        (told("judge_score"), _number(cell.score, 2)),
        *((told.dimension(name), _number(value)) for name, value in cell.dimensions.items()),
        (told("findings"), " → ".join(ends)),
        (told("lost"), told.list(cell.lost or ())),
        (told("rounds"), str(len(cell.rounds))),
        (
            told("tokens"),
            f"{told.count(cell.tokens_in, cell.estimated)} / {told.count(cell.tokens_out, cell.estimated)}",
        ),
        (told("cost"), told.money(cell.cost)),
        (told("time"), told.seconds(cell.seconds)),
        (told("date"), date(cell.at)),
        (told("adapted"), told.list(cell.adapted)),
        (told("run"), cell.run_id),
    ]
    return Facts([(name, value) for name, value in pairs if value])


# --- with what -------------------------------------------------------------------------------------------------------


def _roles(board: Board, told: _Words) -> Table:
    head = [told(name) for name in ("variant", "role", "model", "endpoint", "temperature", "hash")]
    rows = [
        [
            used.variant or told("judge"),
            told.name(used.used.role),
            used.used.model,
            used.used.endpoint,
            told("default") if used.used.temperature is None else f"{used.used.temperature:g}",
            used.used.hash,
        ]
        for used in board.prompts
    ]
    return Table(head, rows)


def _prompts(board: Board, told: _Words) -> Iterator[Block]:
    """Each text once, whoever has it."""
    having: dict[tuple[str, str], list[str]] = {}
    texts = {used.used.hash: used.text for used in board.prompts if used.text}
    for used in board.prompts:
        if used.text:
            having.setdefault((used.used.hash, used.used.role), []).append(used.variant or told("judge"))
    for (version, role), variants in having.items():
        yield Fold(f"{told.list(variants)} · {told.name(role)} · {version}", (Verbatim(texts[version]),))


def _prices(board: Board, told: _Words) -> Table:
    head = [told(name) for name in ("model", "endpoint", "input", "output", "cached", "million", "source", "date")]
    rows = [
        [
            used.model,
            used.endpoint,
            *(f"{amount.normalize():f}" for amount in (used.price.input, used.price.output, used.price.cached)),
            used.currency,
            used.price.source,
            used.price.date,
        ]
        for used in board.prices
    ]
    return Table(head, rows)


def _facts(board: Board, told: _Words) -> Facts:
    judge = board.comparison.judge
    models = [role.model for role in judge.roles if role.model] if judge else []
    pairs = [
        (told("comparison"), board.comparison_id),
        (told("date"), told.dates() if board.cells else ""),
        (told("judge"), told.list([*dict.fromkeys(models)])),
        (told("checks"), told.list([told.name(name) for name in judge.checks]) if judge else ""),
        (told("spent"), told.money(board.cost)),
        (told("judging"), told.money(board.judging)),
    ]
    return Facts([(name, value) for name, value in pairs if value])
