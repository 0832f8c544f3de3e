"""A run that waits for its author: the question, what it is about, and the answers. Nothing is spent meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from refine import views
from refine.events import Record
from refine.live_route import mark_of
from refine.orders import remark
from refine.types import Note
from refine.ui import components, now, parts
from refine.ui.frame import bar, storage, two_sides
from refine.ui.parts import attempt, round_name, workbench
from refine.ui.rounds import findings_list, steps
from refine.ui.texts import text_views
from refine.ui.words import _, language, plain
from refine.views import RunView


def show(view: RunView, records: Sequence[Record]) -> None:
    question = view.question
    assert question is not None
    st.warning(plain(views.question_of(view, language()) or ""), icon=":material/front_hand:")
    kind = KINDS.get(question.question, free)
    left, right = two_sides()
    with left:
        if question.question == "review":
            if st.session_state.pop("edit-first", "") == view.run_id:
                st.session_state["text-view"] = "edit"
            text_views(view, editor=partial(editor, view))
        else:
            text_views(view, under_way=now.text_now(view, records))
        storage(view)
    with right:
        kind(view, records)
    components.watch(parts.live_url(view.run_id), mark=mark_of(records), key=f"watch-{view.run_id}")


def answered(view: RunView) -> bool:
    """Has the answer been sent, though the run has not heard it yet?"""
    at = view.question.at if view.question else ""
    sent = [payload for _id, kind, payload in workbench().store.inbox_take(view.run_id) if kind in ("answer", "notes")]
    return any(payload["at"] == at for payload in sent)


def answer(run_id: str, text: str) -> None:
    attempt(partial(workbench().answer, run_id, text))


def typed_answer(run_id: str, field: str) -> None:
    """Answers with what was typed, and forgets it: it may have been a key."""
    answer(run_id, st.session_state.pop(field, "") or "")


# --- the verdict was unclear ---------------------------------------------------------------------------------------


def unclear(view: RunView, records: Sequence[Record]) -> None:
    steps(view)
    assert view.question is not None
    if view.question.about:
        with st.expander(_("What the critic answered"), expanded=True, icon=":material/forum:"):
            st.text(view.question.about)
    found = now.checked_now(view, records)
    if found:
        st.subheader(_("What the checks found"), anchor=False)
        findings_list([(finding, "open") for finding in found], key="checked", counted=False)
    must = any(finding.severity == "must" for finding in found)
    bar(_("Nothing is spent while it waits for you."), partial(verdict_buttons, view, must))


def verdict_buttons(view: RunView, must: bool) -> None:
    """The likeliest answer stands out: to approve, unless a check found what must change."""
    sent = answered(view)
    st.button(
        _("Edit the draft first"),
        icon=":material/edit:",
        disabled=sent,
        on_click=edit_first,
        args=(view.run_id,),
        key="edit",
    )
    st.button(
        _("Go on with another round"),
        type="primary" if must else "secondary",
        disabled=sent,
        on_click=answer,
        args=(view.run_id, "revise"),
        key="revise",
    )
    st.button(
        _("Approve {round}").format(round=round_name(view, len(view.rounds)).lower()),
        type="secondary" if must else "primary",
        disabled=sent,
        on_click=answer,
        args=(view.run_id, "approve"),
        key="approve",
    )


def edit_first(run_id: str) -> None:
    """Lets the round end as one to revise, and then waits with the text open for editing."""
    attempt(partial(workbench().pause, run_id))
    answer(run_id, "revise")
    st.session_state["edit-first"] = run_id


# --- the author's review -------------------------------------------------------------------------------------------


def review(view: RunView, records: Sequence[Record]) -> None:
    steps(view)
    st.text_input(
        _("What should be different?"),
        key=wish_key(view),
        placeholder=_("A wish for the next round (optional)"),
        persist_state="page",
    )
    st.subheader(_("Findings"), anchor=False)
    best = view.rounds[view.best_round or 0]
    notes = findings_list(best.findings, key=f"review-{view.run_id}-{len(view.rounds)}", counted=False, review=True)
    bar(_("Nothing is spent while it waits for you."), partial(review_buttons, view, notes))


def review_buttons(view: RunView, notes: list[Note]) -> None:
    st.button(
        _("Stop here"),
        icon=":material/stop:",
        on_click=lambda: attempt(partial(workbench().cancel, view.run_id)),
        key="stop-here",
    )
    st.button(
        _("Continue"),
        type="primary",
        icon=":material/play_arrow:",
        disabled=answered(view),
        on_click=go_on,
        args=(view, notes),
        key="go-on",
    )


def editor(view: RunView) -> None:
    """The best text so far as the author would have it. What is typed is kept, whatever happens to the page."""
    key = edit_key(view)
    if key not in st.session_state:
        kept = workbench().store.draft_get(key) or {}
        st.session_state[key] = kept.get("text") or view.text or ""
    st.text_area(
        _("Your edit"),
        key=key,
        height=510,
        label_visibility="collapsed",
        persist_state="page",
        on_change=keep,
        args=(key,),
    )


def keep(key: str) -> None:
    workbench().store.draft_put(key, {"text": st.session_state[key]})


def edit_key(view: RunView) -> str:
    return f"edit-{view.run_id}-{len(view.rounds)}"


def wish_key(view: RunView) -> str:
    return f"wish-{view.run_id}-{len(view.rounds)}"


def go_on(view: RunView, notes: list[Note]) -> None:
    """Everything the author changed goes to the run as one answer."""
    edited = st.session_state.get(edit_key(view)) or view.text
    wish = (st.session_state.get(wish_key(view)) or "").strip()
    notes = [*notes, *([Note("edit", edited)] if edited and edited != view.text else [])]
    notes += [Note("add", finding=remark(wish))] if wish else []
    attempt(partial(workbench().note, view.run_id, notes))


# --- other questions -----------------------------------------------------------------------------------------------


def key_missing(view: RunView, records: Sequence[Record]) -> None:
    typed(view, "typed_key", _("Key"), _("The key stays in this program's memory and is never stored."), secret=True)


def free(view: RunView, records: Sequence[Record]) -> None:
    typed(view, "typed_answer", _("Your answer"), _("The run waits for your answer."), secret=False)


def typed(view: RunView, field: str, label: str, said: str, *, secret: bool) -> None:
    steps(view)
    st.text_input(label, type="password" if secret else "default", key=field, autocomplete="off")

    def buttons() -> None:
        st.button(_("Continue"), type="primary", on_click=typed_answer, args=(view.run_id, field), key="go-on")

    bar(said, buttons)


KINDS: dict[str, Callable[[RunView, Sequence[Record]], None]] = {
    "verdict_unclear": unclear,
    "review": review,
    "key_missing": key_missing,
}
