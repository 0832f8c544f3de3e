"""The course of a run in three small charts: score, findings, cost. Each only where it has something to show."""

from __future__ import annotations

from collections.abc import Callable

import altair as alt
import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.ui.parts import SEVERITIES
from refine.ui.words import _, coloured
from refine.views import RunView

HEIGHT = 130
COLOURS = {"must": "#C4554A", "should": "#D39A3F", "may": "#B9B3A6"}
BLUE = "#4A7DB5"


def show(view: RunView) -> None:
    drawn = [draw for draw, worth in CHARTS if worth(view)]
    for column, draw in zip(st.columns(3, gap="medium"), drawn, strict=False) if drawn else ():
        with column:
            draw(view)


def score(view: RunView) -> None:
    frame = pd.DataFrame(
        [{"round": name(view, round.n), "score": round.score} for round in view.rounds if round.score is not None]
    )
    line = alt.Chart(frame).mark_line(point={"size": 50, "filled": True}, color=BLUE)
    y = alt.Y("score:Q", title=None, scale=alt.Scale(domain=[0, 10]), axis=alt.Axis(values=[0, 5, 10], grid=True))
    title = _("Critic's score") if view.spec.critics else _("Judge's score")
    chart(title, line.encode(x=rounds_axis(view), y=y), _("The score of every round."))


def findings(view: RunView) -> None:
    rows = [
        {"round": name(view, round.n), "severity": code, "order": n, "count": round.count(code)}
        for round in view.rounds
        for n, code in enumerate(SEVERITIES)
    ]
    colour = alt.Color("severity:N", legend=None, scale=alt.Scale(domain=[*COLOURS], range=[*COLOURS.values()]))
    y = alt.Y("count:Q", title=None, axis=alt.Axis(tickCount=3, tickMinStep=1, format="d"))
    bars = alt.Chart(pd.DataFrame(rows)).mark_bar(size=18)
    words = {"must": "red", "should": "orange", "may": "gray"}
    said = _(", ").join(coloured(words[code], _(label)) for code, label in SEVERITIES.items())
    encoded = bars.encode(x=rounds_axis(view), y=y, color=colour, order=alt.Order("order:O"))
    chart(_("Findings: {severities}").format(severities=said), encoded, _("Findings of every round by severity."))


def cost(view: RunView) -> None:
    rows = [{"round": name(view, round.n), "cost": float(round.cost.known)} for round in view.rounds]
    y = alt.Y("cost:Q", title=None, axis=alt.Axis(tickCount=3))
    bars = alt.Chart(pd.DataFrame(rows)).mark_bar(size=18, color=BLUE).encode(x=rounds_axis(view), y=y)
    title = _("Cost of the round, {currency}").format(currency=view.money.currency)
    chart(title, bars, _("The cost of every round."))


def chart(title: str, drawn: alt.Chart, alternative: str) -> None:
    st.caption(title)
    st.altair_chart(drawn.properties(height=HEIGHT), alt=alternative)


def rounds_axis(view: RunView) -> alt.X:
    names = [name(view, round.n) for round in view.rounds]
    return alt.X("round:N", title=None, sort=None, scale=alt.Scale(domain=names), axis=alt.Axis(labelAngle=0))


def name(view: RunView, n: int) -> str:
    first = str(n + 1) if view.side_by_side else _("Draft") if n == 0 else str(n)
    return _("{round} · kept").format(round=first) if n == view.best_round else first


CHARTS: tuple[tuple[Callable[[RunView], None], Callable[[RunView], bool]], ...] = (
    (score, lambda view: sum(round.score is not None for round in view.rounds) > 1),
    (findings, lambda view: any(round.findings for round in view.rounds)),
    (cost, lambda view: any(round.cost.known for round in view.rounds)),
)
