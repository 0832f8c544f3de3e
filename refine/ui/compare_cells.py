"""The texts of a comparison: a matrix of variants and texts, the picked cell in full, any two results side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import compare_tables
from refine.cell_results import CellResult
from refine.cells import task_of
from refine.scoreboard import Board
from refine.types import Cell, Task
from refine.ui import components, parts, sentences, texts
from refine.ui.parts import cost_words, workbench
from refine.ui.rounds import Shown, findings_list, steps
from refine.ui.words import N_, _, language, ngettext, pgettext, plain, seconds
from refine.views import RunView
from refine.words.rubric import RUBRIC

MATRIX, MEASURE, REPEAT = "compare-matrix", "compare-measure", "compare-repeat"
GOOD, BAD = "79, 158, 107", "201, 90, 80"
"""Red, green, blue of the tints: translucent, so that they suit light and dark."""
STRONGEST = 0.42
MOST_ROWS = 15
"""More rows scroll in the matrix."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of the matrix: its name, how a number is written, and which way is better."""

    label: str
    form: str
    better: int
    """1: more is better; -1: less; 0: neither."""


MEASURES: Mapping[str, Measured] = {
    "judge": Measured(N_("Judge"), "{:.1f}", 1),
    "faults": Measured(N_("Findings per 100 words"), "{:.1f}", -1),
    "findings": Measured(N_("Findings"), "{:.1f}", -1),
    "lost": Measured(N_("Facts lost"), "{:.1f}", -1),
    "rounds": Measured(N_("Rounds"), "{:.1f}", -1),
    "length_change": Measured(N_("Length, %"), "{:+.0f}", 0),
    "cost": Measured(N_("Cost"), "{:.4f}", -1),
    "seconds": Measured(N_("Seconds"), "{:.1f}", -1),
}
"""Of those that `compare_tables.matrix` knows."""


# --- the matrix ------------------------------------------------------------------------------------------------------


def matrix(board: Board) -> None:
    """A row for each text, a column for each variant. A click on a cell picks it."""
    found = {name: compare_tables.matrix(board, name) for name in MEASURES}
    ranking = "judge" if board.measure == "judge" else "faults"
    known = {name: frame.iloc[:, 1:].notna().any(axis=None) for name, frame in found.items()}
    to_come = not board.finished and any(known.values())
    offered = [name for name in MEASURES if known[name] or (name == ranking and to_come)]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.subheader(_("Texts"), anchor=False, width="content")
        if offered:
            measure_switch(offered, ranking if ranking in offered else offered[0])
    if not offered:
        st.caption(_("No run has ended yet."))
        return
    name = str(st.session_state[MEASURE])
    texts_column = found[name].columns[0]  # another name where a variant has the usual one
    shown, apart = written(found[name].set_index(texts_column), board.against, MEASURES[name].form)
    column = st.column_config.TextColumn
    st.dataframe(
        shown.reset_index().style.apply(lambda _frame: tints(apart, MEASURES[name].better, texts_column), axis=None),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key=MATRIX,
        placeholder="",
        height="content" if len(shown) <= MOST_ROWS else 560,
        column_config={
            texts_column: column(pgettext("compared", "Text"), width=220),
            **{one: column(one, alignment="right") for one in apart.columns},
        },
        alt=_("A row for each text, a column for each variant: the measure, and its difference to the baseline."),
    )
    if picked(board) is None:
        st.caption(_("Pick a cell to read the text, its changes and its trace."))


def measure_switch(offered: Sequence[str], first: str) -> None:
    if st.session_state.get(MEASURE) not in offered:
        st.session_state[MEASURE] = first
    st.segmented_control(
        _("Measure"), offered, required=True, format_func=lambda name: _(MEASURES[name].label), key=MEASURE,
        label_visibility="collapsed",
    )  # fmt: skip


def written(values: pd.DataFrame, against: str, form: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What stands in each cell, and how far it is from the baseline's."""
    values = values.astype(float)
    apart = values.sub(values[against], axis=0)
    apart[against] = float("nan")
    shown = pd.DataFrame(
        {
            name: [in_cell(*pair, form) for pair in zip(values[name], apart[name], strict=True)]
            for name in values.columns
        },
        index=values.index,
    )
    return shown, apart


def in_cell(value: float, difference: float, form: str) -> str:
    """A number that is none is not known."""
    if value != value:
        return ""
    said = form.format(value)
    if difference == difference:
        digits = form if "+" in form else form.replace(":", ":+")
        said = f"{said}  ({digits.format(difference)})"
    return said.replace("-", "−")


def tints(apart: pd.DataFrame, better: int, texts_column: str = "draft") -> pd.DataFrame:
    """The better, the greener. The largest difference of all has the strongest tint. The texts' names have none."""
    largest = float(apart.abs().max(axis=None)) if apart.notna().any(axis=None) else 0.0

    def tint(difference: float) -> str:
        if not better or not largest or difference != difference or not difference:
            return ""
        colour = GOOD if difference * better > 0 else BAD
        return f"background-color: rgba({colour}, {STRONGEST * abs(difference) / largest:.2f})"

    found = apart.map(tint).reset_index(drop=True)
    found.insert(0, texts_column, "")
    return found


def picked(board: Board) -> tuple[str, str] | None:
    """(variant, text) of the cell that was clicked."""
    cells = (st.session_state.get(MATRIX) or {}).get("selection", {}).get("cells", ())
    names = {row.name for row in board.variants}
    for row, column in cells:
        if row < len(board.comparison.tasks) and column in names:
            return str(column), board.comparison.tasks[row].title
    return None


# --- one cell --------------------------------------------------------------------------------------------------------


def picked_cell(board: Board) -> None:
    chosen = picked(board)
    if chosen is None:
        return
    found = [cell for cell in board.cells if (cell.cell.variant, cell.cell.task) == chosen]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(f"{plain(chosen[0])} · {plain(chosen[1])}", anchor=False, width="content")
        cell = repeat_of(found)
    if cell is None:
        st.caption(_("This run has not begun yet."))
        return
    one_cell(cell)


def repeat_of(found: Sequence[CellResult]) -> CellResult | None:
    if len(found) < 2:
        return found[0] if found else None
    numbers = [cell.cell.repeat for cell in found]
    if st.session_state.get(REPEAT) not in numbers:
        st.session_state[REPEAT] = numbers[0]
    st.segmented_control(
        _("Repeat"), numbers, required=True, format_func=lambda n: str(n + 1), key=REPEAT, label_visibility="collapsed"
    )
    return next(cell for cell in found if cell.cell.repeat == st.session_state[REPEAT])


def one_cell(cell: CellResult) -> None:
    view = workbench().read(cell.run_id)
    st.caption(" · ".join(filter(None, facts(cell))))
    left, right = st.columns([7, 4], gap="large")
    with left:
        texts.text_views(view)
    with right:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            parts.status_badge(view)
            open_links(view)
        if said := sentences.outcome(view):
            st.markdown(said)
        steps(view)
        measured(cell)


def open_links(view: RunView) -> None:
    if st.button(_("Open run"), type="tertiary", icon=":material/open_in_new:", key="compare-open-run"):
        st.switch_page("refine_page.py", query_params={"run": view.run_id})
    if st.button(_("Trace"), type="tertiary", icon=":material/list_alt:", key="compare-open-trace"):
        st.switch_page("runs_page.py", query_params={"trace": view.run_id})


def facts(cell: CellResult) -> list[str]:
    """What was measured, in a line."""
    said = [judged_words(cell), preference_words(cell)]
    if cell.lost:
        quoted = _(", ").join(f"“{plain(fact[:40])}”" for fact in cell.lost[:3])
        said.append(_("{n} lost: {facts}").format(n=len(cell.lost), facts=quoted))
    if cell.calls and cell.tokens_in:
        said.append(cost_words(cell.cost).replace("$", "\\$"))
    said.append(seconds(cell.seconds))
    if cell.failed and cell.error:
        said.append(plain(cell.error))
    return said


def judged_words(cell: CellResult) -> str:
    if cell.score is None:
        return ""
    by_name = _(", ").join(f"{rubric_words(name)} {score:g}" for name, score in cell.dimensions.items())
    judged = _("Judge {score}").format(score=f"{cell.score:.1f}")
    return f"{judged} ({by_name})" if by_name else judged


def preference_words(cell: CellResult) -> str:
    if cell.preference is None:
        return ""
    said = {"mine": N_("preferred to the baseline's"), "other": N_("the baseline's was preferred"),
            "same": N_("no better or worse than the baseline's")}  # fmt: skip
    return _(said[cell.preference])


def rubric_words(name: str) -> str:
    known = RUBRIC.get(name)
    return known.names.get(language(), name) if known else name


def measured(cell: CellResult) -> None:
    """What the measuring checks, and the judge, still find in the result."""
    rounds = workbench().read(cell.measure_run).rounds if cell.measured else ()
    if rounds:
        st.subheader(_("Found in the result"), anchor=False)
        shown: Shown = [(finding, "open") for finding, _state in rounds[-1].findings]
        findings_list(shown, key="compare-findings", counted=False)


# --- any two ---------------------------------------------------------------------------------------------------------

SIDES = ("left", "right")


def side_by_side(board: Board) -> None:
    """Two texts of any variants, texts, repeats and rounds, with the changes from the left to the right."""
    found = []
    for n, (side, column) in enumerate(zip(SIDES, st.columns(2, gap="medium"), strict=True)):
        with column:
            found.append(chosen_text(board, side, n))
    (left, one), (right, two) = found
    if left is None or right is None:
        lacking = [name for text, name in found if text is None]
        st.caption(_("No result yet: {names}").format(names=_(", ").join(map(plain, lacking))))
        return
    changed = texts.differences(left, right)
    sides = [texts.pieces(left, changed, old=True, new=False), texts.pieces(left, changed, old=False, new=True)]
    count = " · ".join((f"{one} → {two}", ngettext("{n} change", "{n} changes", len(changed)).format(n=len(changed))))
    words = {"copy": _("Copy"), "copied": _("Copied")}
    components.marked(sides, count=count, copy=right, language=board.cells[0].language, words=words, key="compare-two")


def chosen_text(board: Board, side: str, n: int) -> tuple[str | None, str]:
    """The text that was picked on a side, and how it is called. At first it is the result of the n-th variant."""
    names = [row.name for row in board.variants]
    tasks = [task.title for task in board.comparison.tasks]
    repeats = range(board.comparison.repeats)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        variant = pick(_("Variant"), names, f"two-{side}-variant", names[min(n, len(names) - 1)])
        task = pick(pgettext("compared", "Text"), tasks, f"two-{side}-text", tasks[0])
        repeat = pick(_("Repeat"), repeats, f"two-{side}-repeat", 0, lambda r: _("Repeat {n}").format(n=r + 1))
        cell = next((one for one in board.cells if one.cell == Cell(variant, task, repeat)), None)
        if cell is None:
            return None, variant
        versions = texts_of(cell, task_of(board.comparison, task))
        name = pick(_("Round"), [*versions], f"two-{side}-round", next(iter(versions)))
    return versions[name], f"{variant} · {name}"


def pick(label: str, options: Sequence[Any], key: str, first: Any, say: Callable[[Any], str] = str) -> Any:
    """What was picked of several; without a field where there is nothing to pick."""
    if len(options) < 2:
        return first
    if st.session_state.get(key) not in options:
        st.session_state[key] = first
    return st.selectbox(label, options, format_func=say, key=key, label_visibility="collapsed", width=170)


def texts_of(cell: CellResult, task: Task) -> dict[str, str | None]:
    """The result first, then every round, then the draft where no round reviewed it."""
    found: dict[str, str | None] = {_("Result"): cell.text if cell.ended else None}
    for line in cell.rounds:
        name = _("Your draft") if line.n == 0 and task.draft else _("Round {n}").format(n=line.n)
        found[name] = line.text
    if task.draft:
        found.setdefault(_("Your draft"), task.draft)
    return found
