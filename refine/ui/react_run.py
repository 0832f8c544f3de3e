"""A conversation with tools in whatever state: the questions and their steps at the left, who works at the right."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from refine import steps, tools, views
from refine.events import Called, Record, RoundEnded
from refine.live_route import mark_of
from refine.steps import Asked
from refine.ui import (
    components,
    day_caps,
    fork,
    now,
    parts,
    react_settings,
    react_steps,
    react_ways,
    run_costs,
    run_page,
    running,
    trace_page,
    waiting,
)
from refine.ui.frame import bar, storage, two_sides
from refine.ui.parts import END_ICONS, REASON_BADGES, attempt, model_words, once, open_run, workbench
from refine.ui.react_settings import most_steps
from refine.ui.react_start import chat_field, keep
from refine.ui.role_settings import job_line
from refine.ui.words import N_, _, coloured, language, ngettext, plain, together
from refine.views import RunView

FOLLOW = "follow"
ALERTS = {"failures": st.error, "error": st.error}


def show(run_id: str) -> None:
    records = workbench().store.records(run_id)
    if not records:
        run_page.nothing_here(run_id)
        return
    view = views.read(records)
    if view.technique != "react":
        st.switch_page("refine_page.py", query_params={"run": run_id})
    sent = heard(view)
    at_work = not view.ended and (view.question is None or sent is not None)
    header(view)
    parts.problem()
    left, right = two_sides()
    with left:
        conversation(view, records, sent or steps.pending(view, records), at_work)
        if not at_work:
            at_rest(view)
        react_ways.section(view)
        storage(view)
    with right:
        side(view)
    if at_work:
        bar(progress_words(view), partial(running.buttons, view), min(1.0, steps_now(view) / most_steps(view.spec)))
        return
    run_costs.fold(view)
    if view.question:
        components.watch(parts.live_url(run_id), mark=mark_of(records), key=f"watch-{run_id}")


def heard(view: RunView) -> str | None:
    """What the author has answered to the open question, though the run has not heard it yet."""
    if view.question is None:
        return None
    messages = workbench().store.inbox_take(view.run_id)
    sent = [payload for _id, kind, payload in messages if kind == "answer" and payload["at"] == view.question.at]
    if not sent:
        return None
    return str(sent[-1]["text"]) if view.question.question == "next_question" else ""


# --- the head --------------------------------------------------------------------------------------------------------


def header(view: RunView) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(plain(view.title) or _("Ask with tools"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            state_badge(view)
            icon = ":material/add:"
            st.button(_("New question"), key="new", type="tertiary", icon=icon, on_click=open_run, args=(None,))


def state_badge(view: RunView) -> None:
    """As everywhere, but in steps."""
    n = len(view.rounds)
    if view.question and view.question.question == "next_question" and heard(view) is None:
        said = ngettext("Answered in {n} step", "Answered in {n} steps", n)
        st.badge(said.format(n=n), color="green", icon=":material/check:")
    elif view.ended and view.reason == "finished":
        said = ngettext("Finished in {n} step", "Finished in {n} steps", n)
        st.badge(said.format(n=n), color="green", icon=":material/check:")
    elif view.ended and view.reason in OWN_BADGES:
        colour, _said = REASON_BADGES[view.reason]
        st.badge(_(OWN_BADGES[view.reason]), color=colour, icon=END_ICONS[colour])  # type: ignore[arg-type]
    else:
        parts.status_badge(view)


OWN_BADGES = {"max_rounds": N_("Step limit reached"), "failures": N_("Kept failing")}


# --- the conversation ------------------------------------------------------------------------------------------------


def conversation(view: RunView, records: Sequence[Record], pending: str, at_work: bool) -> None:
    groups = steps.asked(view)
    for n, asked in enumerate(groups):
        react_steps.question(asked.text)
        open_one = not view.ended and n == len(groups) - 1 and not asked.approved
        if not open_one:
            react_steps.answered(view, asked)
        else:
            under_way(view, records, asked, at_work)
    if pending:
        react_steps.question(pending)
    if at_work and groups[-1].approved:
        under_way(view, records, None, at_work)


def under_way(view: RunView, records: Sequence[Record], asked: Asked | None, at_work: bool) -> None:
    """The steps so far, open, and under them what the actor thinks just now, or what it waits for."""
    with st.chat_message("work", avatar=":material/account_tree:"):
        icon = "spinner" if at_work else ":material/front_hand:"
        with st.expander(_("Working") if at_work else _("Waiting for you"), icon=icon, type="compact", expanded=True):
            if asked:
                react_steps.timeline(asked)
            if at_work:
                thinking(view, records)
            else:
                open_question(view)


def thinking(view: RunView, records: Sequence[Record]) -> None:
    at = time.time()
    called = any(isinstance(record.event, Called) for record in records)
    components.thinking(
        parts.live_url(view.run_id),
        mark=mark_of(records),
        clock=(at - began(records) if called else 0.0, called),
        pause=now.pause_left(records, at),
        language=view.spec.task.language,
        words={
            "thinking": _("Thinking …") if called else _("It starts as soon as there is room."),
            "pause": running.pause_words(records),
            "seconds": _("for {n} s").format(n="{n}"),
        },
        key=f"thinking-{view.run_id}",
    )


def began(records: Sequence[Record]) -> float:
    """When the present step was begun."""
    ends = [n for n, record in enumerate(records) if isinstance(record.event, RoundEnded)]
    since = records[ends[-1] + 1 if ends else 0 :]
    return next((record.at for record in since if isinstance(record.event, Called)), records[-1].at)


def steps_now(view: RunView) -> int:
    """Steps of the present question that are done."""
    last = steps.asked(view)[-1]
    return 0 if last.approved else len(last.steps)


def progress_words(view: RunView) -> str:
    most = most_steps(view.spec)
    said = _("**Step {n} of at most {most}**").format(n=min(steps_now(view) + 1, most), most=most)
    return " · ".join(filter(None, (said, run_costs.limit_words(view))))


# --- at rest: waiting for the author, or ended -----------------------------------------------------------------------


def open_question(view: RunView) -> None:
    """What a tool with lasting effects would do. The answers are the bar's buttons."""
    assert view.question is not None
    if view.question.question != "allow_tool":
        st.markdown(plain(views.question_of(view, language()) or ""))
        return
    name = view.question.about.partition("(")[0]
    here = tools.declare([name], language()) if name in tools.names() else view.spec.tools
    what = next((plain(str(tool["description"])) for tool in here if tool["name"] == name), "")
    said = _("May “{tool}” be used this once? It has effects that stay.").format(tool=plain(name))
    st.warning(together(said, what), icon=":material/front_hand:")
    st.code(view.question.about, language=None, wrap_lines=True)


def at_rest(view: RunView) -> None:
    question = view.question.question if view.question else ""
    if view.ended:
        ending(view)
    if view.ended or question == "next_question":
        chat_field(f"{FOLLOW}-{view.run_id}", _("Ask a follow-up question"), partial(follow, view.run_id))
        after_answer(view)
    elif question == "allow_tool":
        bar(_("Nothing is spent while it waits for you."), partial(allow_buttons, view))
    elif question == "key_missing":
        waiting.key_missing(view, ())


def ending(view: RunView) -> None:
    """Why it ended, where the answer does not say it; a fault in its own words."""
    said = views.reason_of(view, language())
    if view.reason != "finished" and said:
        alert = ALERTS.get(view.reason or "", st.caption)
        alert(plain(said))
    if view.error and view.reason != "cancelled":
        with st.expander(_("What was said about it"), icon=":material/info:", expanded=not view.rounds):
            st.text(view.error)
    if view.cap is not None and day_caps.still(view):
        bar(day_caps.what_helps(True), day_caps.raise_button)
    elif view.cap is not None:
        wish = f"{view.run_id} continue", partial(on, view)
        bar(day_caps.what_helps(False), lambda: _button(N_("Continue"), wish))
    elif view.reason in CARRY_ON:
        label, carry_on = CARRY_ON[view.reason]
        wish = f"{view.run_id} {label}", partial(carry_on, view)
        bar(_("Earlier steps are kept and not paid again."), lambda: _button(label, wish))


def _button(label: str, wish: tuple[str, Callable[[], str]]) -> None:
    st.button(_(label), type="primary", icon=":material/play_arrow:", on_click=once, args=wish, key="carry-on")


def after_answer(view: RunView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if scripted(view):
            st.caption(_("A scripted model plays this task: it knows this task's questions only."), width="content")
        if not view.ended:
            icon = ":material/flag:"
            st.button(_("End here"), type="tertiary", icon=icon, on_click=end_here, args=(view.run_id,), key="end-here")


def scripted(view: RunView) -> bool:
    return any(role.endpoint == parts.SCRIPTED and role.model.startswith("world-") for role in view.spec.roles)


def end_here(run_id: str) -> None:
    attempt(partial(workbench().answer, run_id, ""))


def allow_buttons(view: RunView) -> None:
    for text, label, kind in (("refuse", N_("Refuse"), "secondary"), ("allow", N_("Allow once"), "primary")):
        st.button(_(label), type=kind, on_click=waiting.answer, args=(view.run_id, text), key=text)  # type: ignore[arg-type]


# --- going on --------------------------------------------------------------------------------------------------------


def follow(run_id: str) -> None:
    """The next question: to the run that waits for one, else to one that goes on where this one ended."""
    name = f"{FOLLOW}-{run_id}"
    text = (st.session_state[name] or "").strip()
    if not text:
        return
    keep(name, text)
    view = workbench().read(run_id)
    if not view.ended:
        attempt(partial(workbench().answer, run_id, text))
    else:
        once(f"{run_id} {text}", partial(asked_on, view, text))
    if st.session_state.get("problem"):
        st.session_state[name] = text
    else:
        keep(name, "")


def asked_on(view: RunView, text: str) -> str:
    """From the last step; from the start where there is none."""
    return forked(view, say=text) if view.rounds else workbench().again(view.run_id, brief=text)


def forked(view: RunView, more: int = 0, changes: dict[str, str] | None = None, say: str = "") -> str:
    most = {"stops.max_rounds": str(most_steps(view.spec) + more)}
    return workbench().fork(view.run_id, len(view.rounds) - 1, changes={**most, **(changes or {})}, say=say)


def on(view: RunView, more: int = 0) -> str:
    return forked(view, more) if view.rounds else workbench().again(view.run_id)


def more_steps(view: RunView) -> str:
    return on(view, most_steps(view.spec))


def anew(view: RunView) -> str:
    """The last question once more, without the steps that led nowhere."""
    groups = steps.asked(view)
    if len(groups) == 1:
        return workbench().again(view.run_id)
    before = groups[-1].steps[0].n - 1
    return workbench().fork(
        view.run_id, before, changes={"stops.max_rounds": str(most_steps(view.spec))}, say=groups[-1].text
    )


def doubled(limit: str, view: RunView) -> str:
    raised = {f"limits.{limit}": f"{2 * float(view.spec.limits.get(limit) or 1):g}"}
    return forked(view, changes=raised) if view.rounds else workbench().again(view.run_id, changes=raised)


CARRY_ON: dict[str, tuple[str, Callable[[RunView], str]]] = {
    "max_rounds": (N_("More steps"), more_steps),
    "repeated_action": (N_("Ask again"), anew),
    "cancelled": (N_("Continue"), on),
    "failures": (N_("Try again"), on),
    "error": (N_("Try again"), on),
    "cut_off": (N_("Try again"), on),
    "refused": (N_("Try again"), on),
    "budget": (N_("Double the limit and continue"), partial(doubled, "money")),
    "tokens": (N_("Double the limit and continue"), partial(doubled, "tokens")),
    "time": (N_("Double the limit and continue"), partial(doubled, "time")),
    "calls": (N_("Double the limit and continue"), partial(doubled, "calls")),
}
"""Reason -> the likeliest wish then; else it is the next question."""


# --- who works, the table, the files ---------------------------------------------------------------------------------


def side(view: RunView) -> None:
    with st.container(border=True, gap="small"):
        job_line(_("Tools"), _("what the model may use"))
        names = [str(tool["name"]) for tool in view.spec.tools]
        st.markdown(" ".join(f":blue-badge[{plain(name)}]" for name in names) or _("none"))
    for role in view.spec.roles:
        with st.container(border=True, gap="small"):
            name, job = parts.role_words(role)
            job_line(plain(name), job)
            free = _("temperature {n}").format(n=f"{role.temperature:g}") if role.temperature is not None else ""
            st.markdown(
                " · ".join(filter(None, (plain(model_words(role.endpoint, role.model)), coloured("gray", free))))
            )
    money = view.spec.limits.get("money")
    protocol = str(view.spec.options.get("protocol") or "json")
    st.caption(react_settings.ends_words(protocol if view.spec.tools else "", most_steps(view.spec), money))
    if view.rounds:
        st.subheader(_("Steps"), anchor=False)
        fork.button(view, react_steps.table(view))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover(_("Download"), icon=":material/download:", key="download"):
            parts.download_buttons(view)
        trace_page.link(view.run_id)
