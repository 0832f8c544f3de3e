"""A run that is at work, or waits for its turn: the text as it comes in, and what can be done meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

import streamlit as st

from refine.events import Record
from refine.forecast import forecast
from refine.live_route import mark_of, written
from refine.types import RunSpec
from refine.ui import components, now, parts, run_costs, sentences
from refine.ui.frame import bar, loop_side, next_part, storage, two_sides
from refine.ui.parts import attempt, round_name, workbench
from refine.ui.rounds import findings_list, still_open
from refine.ui.texts import WIDTH, differences, pieces
from refine.ui.words import N_, _, money, ngettext, seconds
from refine.views import RunView

MARKS = {"since": N_("Changes since {round}"), "draft": N_("Against your draft"), "plain": N_("Plain")}
NOW = "now"


def show(view: RunView, records: Sequence[Record]) -> None:
    st.markdown(sentences.so_far(view))
    left, right = two_sides()
    with left:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            compared = marks_switch(view, watched(view))
            shown_text(view)
        next_part()
        live_text(view, records, compared, watched(view))
        storage(view)
        next_part()
    with right:
        loop_side(view, _("Findings the writer is working on"), working_on)
    next_part()
    bar(progress_text(view), partial(buttons, view), share(view))
    next_part()  # the form that has gone is cleared away


def working_on(view: RunView) -> None:
    if view.rounds:
        findings_list(still_open(view.rounds[view.best_round or 0]), key="working-on", counted=False)


def watched(view: RunView) -> int | None:
    """The round whose text is looked at; None = the one under way."""
    picked = str(st.session_state.get(f"watched-{view.run_id}", NOW))
    return int(picked) if picked.isdecimal() else None


def shown_text(view: RunView) -> None:
    names = {NOW: _("The text at work"), **{str(n): round_name(view, n) for n in reversed(range(len(view.rounds)))}}
    st.selectbox(
        _("Text shown"),
        list(names),
        format_func=lambda n: names[n],
        key=f"watched-{view.run_id}",
        label_visibility="collapsed",
        width=WIDTH,
    )


def base_of(view: RunView, shown: int | None) -> int:
    """The round that the shown text was made from."""
    return max(0, (view.best_round or 0) if shown is None else shown - 1)


def marks_switch(view: RunView, shown: int | None) -> str:
    """What a finished text is compared with."""
    base, draft = base_of(view, shown), bool(view.spec.task.draft)
    left_out = set() if draft else {"draft"}
    left_out |= set() if base or (view.rounds and not draft) else {"since"}
    choices = [name for name in MARKS if name not in left_out]
    picked = st.segmented_control(
        _("View"),
        choices,
        default=choices[0],
        required=True,
        format_func=lambda name: _(MARKS[name]).format(round=round_name(view, base).lower()),
        key="marks-view",
        label_visibility="collapsed",
    )
    return str(picked or "plain")


def live_text(view: RunView, records: Sequence[Record], compared: str, shown: int | None) -> None:
    at = time.time()
    base = now.base_now(view)
    components.live(
        parts.live_url(view.run_id),
        mark=mark_of(records),
        base=base,
        marked=marked_now(view, records, compared) if shown is None else ("", marked_round(view, shown, compared)),
        clock=(now.seconds_now(view, records, at), view.status == "running"),
        cost=" + ".join(money(known, currency) for currency, known in view.money.amounts if known),
        pause=now.pause_left(records, at),
        language=view.spec.task.language,
        words=said(view.spec, bool(view.rounds or base), pause_words(records)),
        on_change=lambda: None,
        key=f"live-{view.run_id}",
    )


def said(spec: RunSpec, rewriting: bool, pause: str) -> dict[str, str]:
    """What the pane says of who is at work."""
    beside = spec.technique == "best_of_n"
    writing = _("The writer is rewriting") if rewriting else _("The writer is writing")
    return {
        "writing": _("Several drafts are being written; this is the first") if beside else writing,
        "reading": _("The judge is reading") if beside else _("The critic is reading"),
        "thinking": _("Thinking before answering"),
        "checks": _("The checks are reading"),
        "queued": _("Waiting for the first words") if spec.roles else _("The checks are reading"),
        "pause": pause,
        "critic": _("The judge") if beside else _("The critic"),
        "seconds": _("for {n} s").format(n="{n}"),
    }


def marked_now(view: RunView, records: Sequence[Record], compared: str) -> tuple[str, components.Pieces] | None:
    """The finished text of the round under way with its changes, once the writer has handed it over."""
    said = written(records)
    if said is None or compared == "plain":
        return None
    base = view.spec.task.draft if compared == "draft" else now.base_now(view)
    return said.call, pieces(base, differences(base, now.text_now(view, records)))


def marked_round(view: RunView, shown: int, compared: str) -> components.Pieces:
    """The text of a round that has ended, with its changes."""
    text = view.rounds[shown].text
    if compared == "plain" or shown == 0:
        return [("same", text)]
    base = view.spec.task.draft if compared == "draft" else view.rounds[base_of(view, shown)].text
    return pieces(base, differences(base, text))


def pause_words(records: Sequence[Record]) -> str:
    asked = getattr(records[-1].event, "kind", "") == "rate"
    said = _("The server asked for a pause: {n} s left") if asked else _("No answer; the next try is in {n} s")
    return said.format(n="{n}")


# --- the bar -------------------------------------------------------------------------------------------------------


def share(view: RunView) -> float:
    """Rounds done of rounds allowed: how far it is at most, which is all that anybody knows. Of calls, where their
    number is known."""
    if not view.goes_on:
        done, most = calls_done(view)
        return done / most
    return min(1.0, len(view.rounds) / most_rounds(view))


def calls_done(view: RunView) -> tuple[int, int]:
    """Calls that have ended, of those that are to be expected."""
    most = forecast(view.spec, lambda role, usage: usage).calls[1]
    done = sum(call.kind == "model" and not call.open for call in view.attempts)
    return done, max(1, done, most)


def most_rounds(view: RunView) -> int:
    return int(view.spec.stops.get("max_rounds") or 4)


def progress_text(view: RunView) -> str:
    if not view.goes_on:
        ended, calls = calls_done(view)
        said = ngettext("**{done} of {n} call**", "**{done} of {n} calls**", calls).format(done=ended, n=calls)
        return " · ".join(filter(None, (said, run_costs.limit_words(view))))
    most = most_rounds(view)
    said = _("**Review {n} of at most {most}**").format(n=min(len(view.rounds) + 1, most), most=most)
    done = [round.seconds for round in view.rounds if round.seconds]
    pace = _("a round takes about {time}").format(time=seconds(sorted(done)[len(done) // 2])) if done else ""
    return " · ".join(filter(None, (said, run_costs.limit_words(view), pace)))


def buttons(view: RunView) -> None:
    sent = {kind for _id, kind, _payload in workbench().store.inbox_take(view.run_id)}
    if view.spec.technique == "refine":
        st.button(
            _("Pauses after this round") if "pause" in sent else _("Pause"),
            icon=":material/pause:",
            disabled=bool(sent & {"pause", "cancel"}),
            help=_("Lets this round end, then waits for you: read it, edit it, waive findings."),
            on_click=pause,
            args=(view.run_id,),
            key="pause",
        )
    st.button(
        _("Stopping …") if "cancel" in sent else _("Stop"),
        type="primary",
        icon=":material/stop:",
        disabled="cancel" in sent,
        on_click=stop,
        args=(view.run_id,),
        key="stop",
    )


def stop(run_id: str) -> None:
    attempt(partial(workbench().cancel, run_id))


def pause(run_id: str) -> None:
    attempt(partial(workbench().pause, run_id))
