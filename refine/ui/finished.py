"""A run that has ended: the text first, why it stopped and which round won, and every way to go on from there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from refine import variants
from refine.events import Record
from refine.types import Note
from refine.ui import compare_link, day_caps, parts, run_costs, sentences, trace_page
from refine.ui.frame import bar, loop_side, storage, two_sides
from refine.ui.parts import attempt, once, workbench
from refine.ui.rounds import findings_list, raised, rounds_table
from refine.ui.texts import shown_key, text_views
from refine.ui.words import N_, _, ngettext, together
from refine.views import RoundView, RunView

ALERTS = {
    "failures": st.error,
    "error": st.error,
    "budget": st.warning,
    "tokens": st.warning,
    "time": st.warning,
    "calls": st.warning,
}


def show(view: RunView, records: Sequence[Record]) -> None:
    stands = day_caps.still(view) if view.cap is not None else False
    ending(view, stands)
    left, right = two_sides()
    with left:
        text_views(view)
        storage(view)
    with right:
        details(view)
        loop_side(view, _("Findings"), findings, partial(round_actions, view))
    if view.rounds:
        history(view)
    run_costs.fold(view)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        trace_page.link(view.run_id)
        compare_link.button(view)
    bar(open_findings(view), partial(buttons, view, stands))


def ending(view: RunView, stands: bool) -> None:
    """What became of the text and why it stopped. `stands`: the cap that ended it would end it again now."""
    helps = day_caps.what_helps(stands) if view.cap is not None else ""
    said = together(sentences.outcome(view), sentences.why_stopped(view), helps)
    cost = sentences.price_and_time(view).replace("$", "\\$")
    alert = ALERTS.get(view.reason or "", st.markdown)
    alert(f"{said} :gray[{cost}]".strip())


def details(view: RunView) -> None:
    """A fault in the server's words."""
    if view.error and view.reason != "cancelled":
        with st.expander(_("What was said about it"), icon=":material/info:", expanded=not view.rounds):
            st.text(view.error)


def findings(view: RunView) -> None:
    findings_list(raised(view), key="findings")


def history(view: RunView) -> None:
    """Charts where there is a course to see, and the table."""
    st.subheader(_("All drafts") if view.side_by_side else _("Rounds"), anchor=False)
    if len(view.rounds) > 1:
        from refine.ui import charts  # takes half a second to load, which a run that starts or stops has no time for

        charts.show(view)
    rounds_table(view)


def open_findings(view: RunView) -> str:
    if view.best_round is None:
        return _("No round has ended, so there is no reviewed text.")
    left = len(sentences.open_in(view.rounds[view.best_round]))
    if not left:
        return _("No finding is open.")
    return ngettext("{n} finding is still open.", "{n} findings are still open.", left).format(n=left)


# --- one round of several ------------------------------------------------------------------------------------------


def round_actions(view: RunView, round: RoundView) -> None:
    if len(view.rounds) < 2:
        return
    with st.container(horizontal=True, gap="small"):
        args = (view.run_id, round.n)
        st.button(_("Show this text"), type="tertiary", on_click=show_round, args=args, key=f"show-{round.n}")
        if round.n != view.best_round:
            st.button(_("Make it the result"), type="tertiary", on_click=pick, args=args, key=f"pick-{round.n}")


def show_round(run_id: str, n: int) -> None:
    st.session_state[shown_key(run_id)] = n
    if st.session_state.get("text-view") == "draft":
        st.session_state["text-view"] = "changes"


def pick(run_id: str, n: int) -> None:
    """From now on this round is what is shown, downloaded and gone on from."""
    attempt(partial(workbench().note, run_id, [Note("pick", str(n))]))
    st.session_state[shown_key(run_id)] = n


# --- going on ------------------------------------------------------------------------------------------------------


def buttons(view: RunView, stands: bool) -> None:
    likeliest = way_on(view)
    if view.rounds and view.goes_on:
        another_round(view)
    if stands:
        day_caps.raise_button()
    elif likeliest:
        label, carry_on = likeliest
        wish = f"{view.run_id} {view.best_round} {label}", partial(carry_on, view)
        st.button(_(label), type="primary", on_click=once, args=wish, key="carry-on")
    kind: Literal["primary", "secondary"] = "secondary" if likeliest else "primary"
    with st.popover(_("Download"), type=kind, icon=":material/download:", key="download"):
        parts.download_buttons(view)


def way_on(view: RunView) -> tuple[str, Callable[[RunView], str]] | None:
    """The likeliest wish and what it does; None = the download."""
    return (N_("Continue"), as_before) if view.cap is not None else ENDINGS.get(view.reason or "")


def another_round(view: RunView) -> None:
    """Both ways to go on: so many more rounds, or one with the author's remark."""
    with st.popover(_("Another round"), icon=":material/replay:", key="another"):
        more = int(st.number_input(_("How many more rounds?"), 1, 20, 2, key="more"))
        label = ngettext("Continue: {n} more round", "Continue: {n} more rounds", more).format(n=more)
        st.button(label, icon=":material/play_arrow:", on_click=go_on, args=(view, more), key="continue")
        st.text_input(_("What should be different?"), key="wish", placeholder=_("e.g. a warmer ending"))
        st.button(
            _("One more round with this remark"), icon=":material/replay:", on_click=again, args=(view,), key="again"
        )


def go_on(view: RunView, more: int, say: str = "") -> None:
    name = f"{view.run_id} {view.best_round} {more} {say}"
    once(name, partial(workbench().go_on, view.run_id, more, say))


def again(view: RunView) -> None:
    go_on(view, 1, (st.session_state.get("wish") or "").strip())


def two_more(view: RunView) -> str:
    return workbench().go_on(view.run_id, 2)


def once_more(view: RunView) -> str:
    """The same from where it stood; from the start where nothing stood yet, or nothing goes on from it."""
    return two_more(view) if view.rounds and view.goes_on else workbench().start(view.spec)


def as_before(view: RunView) -> str:
    """From where it stood, with the limits that it had."""
    bench = workbench()
    return bench.fork(view.run_id, len(view.rounds) - 1) if view.rounds else bench.start(view.spec)


def doubled(limit: str, view: RunView) -> str:
    """The same with twice that limit."""
    bench = workbench()
    raised = {f"limits.{limit}": f"{2 * float(view.spec.limits.get(limit) or 1):g}"}
    if view.rounds and view.goes_on:
        return bench.fork(view.run_id, len(view.rounds) - 1, changes=raised)
    return bench.start(variants.apply_set(view.spec, raised))


ENDINGS: dict[str, tuple[str, Callable[[RunView], str]]] = {
    "max_rounds": (N_("Two more rounds"), two_more),
    "cancelled": (N_("Continue"), once_more),
    "failures": (N_("Try again"), once_more),
    "error": (N_("Try again"), once_more),
    "cut_off": (N_("Try again"), once_more),
    "no_draft": (N_("Try again"), once_more),
    "refused": (N_("Try again"), once_more),
    "budget": (N_("Double the limit and continue"), partial(doubled, "money")),
    "tokens": (N_("Double the limit and continue"), partial(doubled, "tokens")),
    "time": (N_("Double the limit and continue"), partial(doubled, "time")),
    "calls": (N_("Double the limit and continue"), partial(doubled, "calls")),
}
"""Reason -> the likeliest wish then. For all others it is the download."""
