"""The pictures of a comparison: differences with their intervals, score against cost, what repeats came to."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.scoreboard import Board
from refine.ui.compare_columns import signed
from refine.ui.words import SYMBOLS, _, coloured, pgettext, plain

COLOURS = ("#4A7DB5", "#C0782B", "#4F8A63", "#8A5A9E", "#B5493F", "#8C857A")
ROW, AXIS, LEAST, TITLE = 34, 46, 150, 40
"""Pixels: of one variant, of what stands under them, of a whole chart, of the line above it."""
GREY = "#8C857A"
NEAR = 0.3
"""Share of an axis within which two labels touch."""
LEAST_REACH = 0.1
"""Of the axis of differences, to both sides."""


def show(board: Board) -> None:
    """Each only where it has something to show. Before the first difference its place is kept: nothing jumps."""
    if not board.differences and not board.finished:
        with st.container(height=height(len(board.variants) - 1) + TITLE, border=False):
            st.caption(_("Differences appear as soon as two variants have a result of the same text."))
        return
    left, right = bool(board.differences), worth_costs(board)
    if left and right:
        for column, draw in zip(st.columns([7, 4], gap="large"), (differences, costs), strict=True):
            with column:
                draw(board)
    elif left or right:
        (differences if left else costs)(board)
    if board.comparison.repeats > 1 and any(board.quality(cell) is not None for cell in board.cells):
        repeats(board)


def colours(board: Board) -> alt.Color:
    """Each variant has the same one in all charts."""
    names = [row.name for row in board.variants]
    return alt.Color(
        "variant:N",
        legend=None,
        scale=alt.Scale(domain=names, range=[COLOURS[n % len(COLOURS)] for n in range(len(names))]),
    )


def by_variant(names: Sequence[str]) -> alt.Y:
    """A row for each, in this order, whichever of them have a value."""
    axis = alt.Axis(labelLimit=220, ticks=False, domain=False)
    return alt.Y("variant:N", title=None, sort=[*names], scale=alt.Scale(domain=[*names]), axis=axis)


def title(strong: str, grey: str) -> None:
    st.markdown(f"**{strong}** {coloured('gray', grey)}")


def measure_words(board: Board) -> str:
    return _("Judge's score") if board.measure == "judge" else _("Findings per 100 words")


# --- differences -----------------------------------------------------------------------------------------------------


def differences(board: Board) -> None:
    """A dot and its interval for each variant, against the baseline at zero. Better is right."""
    found = board.differences
    frame = pd.DataFrame(
        {
            "variant": [one.name for one in found],
            "value": [one.value for one in found],
            "low": [one.interval.low if one.interval else None for one in found],
            "high": [one.interval.high if one.interval else None for one in found],
            "said": [signed(one.value) for one in found],
        }
    )
    strong = _("{measure} against {baseline}").format(measure=measure_words(board), baseline=plain(board.against))
    unit = _("points") if board.measure == "judge" else _("fewer findings are right")
    title(strong, _("{unit}, 95 % interval").format(unit=unit) if any(one.interval for one in found) else unit)
    reach = 1.15 * max(LEAST_REACH, float(frame[["value", "low", "high"]].astype(float).abs().max(axis=None)))
    scale = alt.Scale(domain=[-reach, reach])
    base = alt.Chart(frame).encode(y=by_variant([one.name for one in found]), color=colours(board))
    x = alt.X("value:Q", title=None, scale=scale, axis=alt.Axis(format="+.2~f", tickCount=5, grid=True))
    zero = (
        alt.Chart(pd.DataFrame({"x": [0]})).mark_rule(strokeDash=[4, 3], color=GREY).encode(x=alt.X("x:Q", scale=scale))
    )
    bars = base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q", scale=scale, title=None), x2="high:Q")
    hover = [alt.Tooltip("variant:N", title=_("Variant")), alt.Tooltip("said:N", title=_("Difference"))]
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(x=x, tooltip=hover)
    labels = base.mark_text(dy=-13, fontSize=12).encode(x=x, text="said:N")
    drawn = alt.layer(zero, bars, dots, labels).properties(height=height(len(found)))
    st.altair_chart(drawn, alt=_("Each variant's difference to the baseline, with its interval."))


def height(rows: int) -> int:
    return max(LEAST, ROW * rows + AXIS)


# --- score against cost ----------------------------------------------------------------------------------------------


def worth_costs(board: Board) -> bool:
    """Is there anything paid that quality could be held against?"""
    return bool(board.front) and any(cost_of(board, row.name) for row in board.variants)


def cost_of(board: Board, name: str) -> float | None:
    """Of a run, where it is known."""
    cost = board.row(name).run_cost
    return float(cost.value) if cost and cost.value is not None else None


def costs(board: Board) -> None:
    """A point for each variant; those that none beats in both are joined."""
    points = [
        (row.name, cost, quality)
        for row in board.variants
        if (cost := cost_of(board, row.name)) is not None and (quality := board.quality(row)) is not None
    ]
    sign = SYMBOLS.get(board.cost.currency, board.cost.currency).replace("$", "\\$")
    title(_("{measure} against cost").format(measure=measure_words(board)), _("{sign} per run").format(sign=sign))
    up = board.measure == "judge"
    frame = pd.DataFrame(points, columns=["variant", "cost", "quality"])
    x_axis, y_axis = alt.Axis(tickCount=4, format="~g"), alt.Axis(tickCount=4)
    x = alt.X("cost:Q", title=None, scale=padded(frame["cost"]), axis=x_axis)
    y = alt.Y("quality:Q", title=None, scale=padded(frame["quality"], reverse=not up), axis=y_axis)
    base = alt.Chart(frame).encode(x=x, y=y)
    front = frame[frame["variant"].isin(board.front)]
    line = alt.Chart(front).mark_line(strokeDash=[2, 3], color=GREY, strokeWidth=1.5)
    joined = line.encode(x=x, y=y, order="cost:Q")
    hover = [
        alt.Tooltip("variant:N", title=_("Variant")),
        alt.Tooltip("cost:Q", title=_("Cost"), format=".4f"),
        alt.Tooltip("quality:Q", title=measure_words(board), format=".2f"),
    ]
    dots = base.mark_point(filled=True, size=120, opacity=1).encode(color=colours(board), tooltip=hover)
    frame["below"] = crowded(frame)
    names = [
        alt.Chart(frame[frame["below"] == below])
        .mark_text(dy=17 if below else -13, fontSize=12)
        .encode(x=x, y=y, text="variant:N", color=colours(board))
        for below in (False, True)
    ]
    drawn = alt.layer(*([joined] if len(front) > 1 else []), dots, *names).properties(
        height=height(len(board.differences))
    )
    st.altair_chart(drawn, alt=_("A point for each variant: what a run costs, and how good its texts are."))


def crowded(points: pd.DataFrame) -> list[bool]:
    """Which labels go below their points, as another would be written over them."""
    wide, high = (max(float(points[name].max() - points[name].min()), 1e-12) for name in ("cost", "quality"))
    above: list[int] = []
    for n in points["cost"].argsort():
        here = points.iloc[n]
        near = points.iloc[above]
        over = (abs(near["cost"] - here["cost"]) < NEAR * wide) & (abs(near["quality"] - here["quality"]) < NEAR * high)
        if not over.any():
            above.append(n)
    return [n not in above for n in range(len(points))]


def padded(values: pd.Series, reverse: bool = False) -> alt.Scale:
    """Room for the labels at the points."""
    low, high = float(values.min()), float(values.max())
    room = 0.25 * (high - low) or 0.1 * abs(high) or 1
    return alt.Scale(domain=[low - room, high + room], reverse=reverse, nice=False)


# --- repeats ---------------------------------------------------------------------------------------------------------


def repeats(board: Board) -> None:
    """Each run as a tick, the mean of a variant as a dot: how far apart repeats of the same come."""
    rows = [
        {"variant": cell.cell.variant, "text": cell.cell.task, "repeat": cell.cell.repeat + 1, "value": value}
        for cell in board.cells
        if (value := board.quality(cell)) is not None
    ]
    up = board.measure == "judge"
    title(_("Spread over texts and repeats"), measure_words(board).lower())
    frame = pd.DataFrame(rows)
    names = [row.name for row in board.variants]
    x = alt.X("value:Q", title=None, scale=alt.Scale(zero=False, reverse=not up), axis=alt.Axis(tickCount=6))
    hover = [
        alt.Tooltip("variant:N", title=_("Variant")),
        alt.Tooltip("text:N", title=pgettext("compared", "Text")),
        alt.Tooltip("repeat:Q", title=_("Repeat")),
        alt.Tooltip("value:Q", title=measure_words(board), format=".2f"),
    ]
    base = alt.Chart(frame).encode(y=by_variant(names), color=colours(board))
    ticks = base.mark_tick(thickness=2, size=16, opacity=0.45).encode(x=x, tooltip=hover)
    middle = base.mark_point(filled=True, size=110, opacity=1).encode(x=alt.X("mean(value):Q"))
    st.altair_chart(
        alt.layer(ticks, middle).properties(height=height(len(names))),
        alt=_("Every run as a tick, the mean of a variant as a dot."),
    )
