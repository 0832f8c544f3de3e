"""Before a question: the field for it, five sample tasks, and who will work on it. What is typed is kept at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from refine import worlds
from refine.errors import SettingsError, StoreError
from refine.orders import Order, new_id
from refine.text.language import language_of
from refine.types import Variant
from refine.ui import (
    components,
    form,
    key_form,
    language_switch,
    model_lists,
    parts,
    react_settings,
    role_settings,
    standing,
)
from refine.ui.parts import attempt, open_run, workbench
from refine.ui.role_settings import endpoint
from refine.ui.words import _, language, plain

NEXT = "next_question_run"
FIELD = "question"
TEXT = "react_draft"


def show() -> None:
    seed()
    model_lists.ask()
    header()
    parts.problem()
    variant = parts.variant_or_why(st.session_state[react_settings.VARIANT])
    left, right = st.columns([7, 4], gap="large")
    with left:
        st.caption(standing_words(variant))
        chat_field(FIELD, _("Ask a question"), ask)
        a_text()
        samples()
    with right:
        if variant:
            react_settings.cards(variant)


def seed() -> None:
    """The id that the next run will have, fixed before it is started: a second click finds that it exists."""
    state, bench = st.session_state, workbench()
    if NEXT not in state or bench.store.exists(state[NEXT]):
        state[NEXT] = new_id()
    react_settings.seed()


def header() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Ask with tools"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            language_switch.button()
            if not endpoint():
                st.badge(_("No key"), icon=":material/key_off:", color="orange")
                key_form.button()


def standing_words(variant: Variant | None) -> str:
    """What a question will get here."""
    if endpoint() or variant is None or variant.name != "react-tiny":
        return _("A model thinks, uses a tool, looks at the result, and goes on until it can answer.")
    if not standing.small_model():
        return _("No key set, and the small model is not installed: the sample tasks work without either.")
    return _("No key set: the small built-in model can hand a sum to the calculator, little more, and only in English.")


# --- the question ----------------------------------------------------------------------------------------------------


def chat_field(name: str, placeholder: str, send: Callable[[], None], *, disabled: bool = False) -> None:
    """A field for a question. What is typed is kept, also before it is sent."""
    state = st.session_state
    if name not in state and (kept := (workbench().store.draft_get(kept_as(name)) or {}).get("text")):
        state[name] = kept
    st.chat_input(placeholder, key=name, on_submit=send, disabled=disabled)
    components.typed(name, partial(keep, name), key=f"typed-{name}")


def kept_as(name: str) -> str:
    return f"react.{name}"


def keep(name: str, text: str) -> None:
    workbench().store.draft_put(kept_as(name), {"text": text})


def a_text() -> None:
    """What the tools for drafts read."""
    words = len(str(form.recall(TEXT, "") or "").split())
    label = _("With a text: {n} words").format(n=f"{words:,}") if words else _("Give it a text (optional)")
    with st.expander(label, type="compact", key="with-text"):
        st.text_area(
            _("A text that the question is about"),
            height=160,
            label_visibility="collapsed",
            placeholder=_("Tools such as find_in_draft read it."),
            **form.field(TEXT, ""),
        )


def ask() -> None:
    """Starts a run with what was sent. Where that cannot be, the question stands in the field again."""
    text = st.session_state[FIELD] or ""
    if not text.strip():
        return
    keep(FIELD, text)
    run_id = st.session_state[NEXT]
    if attempt(partial(begin, partial(own_order, text), run_id)):
        keep(FIELD, "")
        open_run(run_id)
    else:
        st.session_state[FIELD] = text


def own_order(text: str) -> Order:
    """Raises SettingsError, in the page's language where the actor has no model or no key."""
    variant = react_settings.picked()
    if refusal := role_settings.refusal(variant):
        raise SettingsError(refusal)
    return Order(
        draft=form.value(TEXT, "") or "",
        brief=text.strip(),
        variant=variant.name,
        technique="react",
        changes={**react_settings.changes(variant), "options.chat": "on"},
        language=language_of(text) or "",
        somebody=True,
    )


def begin(order: Callable[[], Order], run_id: str) -> str:
    bench = workbench()
    if not bench.store.exists(run_id):
        spec = bench.prepare(order())
        try:
            bench.start(spec, run_id=run_id)
        except StoreError:
            if not bench.store.exists(run_id):
                raise
    return run_id


# --- sample tasks ----------------------------------------------------------------------------------------------------


def samples() -> None:
    st.subheader(_("Or try a task"), anchor=False)
    st.caption(_("Played by a scripted model with real tools: no key, no network, nothing to pay."))
    for name, world in worlds.worlds().items():
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            title, icon = plain(world.title[language()]), ":material/play_arrow:"
            st.button(title, type="tertiary", icon=icon, on_click=play, args=(name,), key=f"world-{name}")
            st.caption(plain(world.teaches[language()]), width="content")


def play(name: str) -> None:
    run_id = st.session_state[NEXT]
    if attempt(partial(begin, partial(sample_order, name), run_id)):
        open_run(run_id)


def sample_order(name: str) -> Order:
    """With chat on, so that one sees where a next question goes."""
    order = worlds.order(name, language(), protocol=react_settings.protocol(react_settings.picked()), somebody=True)
    return replace(order, changes={**order.changes, "options.chat": "on"})
