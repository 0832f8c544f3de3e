"""The start form: a draft, what it should become, and who works on it. What is typed is kept in the store at once."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st

from refine import variants
from refine.errors import RefineError, StoreError
from refine.orders import Order, new_id
from refine.text.language import language_of
from refine.types import RunSpec, Task, Variant
from refine.ui import (
    components,
    day_caps,
    draft_side,
    end_settings,
    example,
    form,
    key_form,
    language_switch,
    model_lists,
    parts,
    prompt_drawer,
    role_settings,
    running,
    save_variant,
    standing,
)
from refine.ui.briefing import to_add
from refine.ui.form import field
from refine.ui.parts import attempt, open_run, workbench
from refine.ui.role_settings import endpoint, job_line
from refine.ui.words import _, language, pgettext


def show() -> None:
    st.session_state.pop("refused", None)  # what follows says so
    seed()
    model_lists.ask()
    header()
    left, right = st.columns([7, 4], gap="large")
    with left:
        with st.container(gap=None):
            live_ahead()
            draft_side.draft_field()
        draft_side.around_draft()
    with right:
        settings_side()
        example.card()
    with st.bottom, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(width=620, gap=None):
            st.caption(standing.standing(parts.readable_variant(st.session_state["variant"]), as_it_stands()))
        with st.container(horizontal=True, width="content", gap="small"):
            if not endpoint():
                key_form.button()
            start_button()


@st.fragment
def start_button() -> None:
    """Drawn by itself: after a press the form stays as it is, and the run's first words come over it.

    They would else have to wait until the browser has drawn another page.
    """
    st.button(
        pgettext("button", "Refine"),
        type="primary",
        icon=":material/play_arrow:",
        on_click=start,
        shortcut="Mod+Enter",
        key="start",
    )
    if "refused" in st.session_state:
        st.rerun()


def live_ahead() -> None:
    """Where the run's first words are shown before its page is drawn."""
    draft = form.value("draft", "")
    with suppress(RefineError):  # a broken variant is said where it stands
        components.live_ahead(
            parts.live_url(st.session_state["next_run"]),
            started_by=".st-key-start",
            base=draft,
            language=language_of(draft) or language(),
            words=running.said(parts.variant(st.session_state["variant"]).spec, bool(draft.strip()), ""),
            key="live-ahead",
        )


def seed() -> None:
    """The id that the next run will have, fixed before it is started; and a variant that is there."""
    state, bench = st.session_state, workbench()
    under_way = st.query_params.get("run")
    if "next_run" not in state or (state["next_run"] != under_way and bench.store.exists(state["next_run"])):
        state["next_run"] = new_id()
    if form.recall("variant") not in names():
        state["variant"] = "polish" if endpoint() else "offline"


def header() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Refine a draft"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            language_switch.button()
            if not endpoint():
                st.badge(_("No key"), icon=":material/key_off:", color="orange")


# --- who works on it -------------------------------------------------------------------------------------------------


def names() -> list[str]:
    return variants.for_drafts(parts.own_variants())


def in_menu(name: str) -> str:
    variant = parts.readable_variant(name)
    if variant is None:
        return name
    title, purpose = (words.get(language()) or words.get("en", "") for words in (variant.title, variant.purpose))
    return f"{title or name} — {purpose}" if purpose else title or name


def settings_side() -> None:
    st.selectbox(_("Variant"), names(), format_func=in_menu, **field("variant"))
    variant = parts.variant_or_why(st.session_state["variant"])
    if variant is None:
        return
    role_settings.role_cards(variant)
    if not variant.spec.roles:
        with st.container(border=True, gap="xsmall"):
            job_line(_("Checks"), _("find and mend what they are sure of"))
            st.caption(_("Nobody judges style or sense here. With a key, a model rewrites and judges too."))
    end_settings.stops_fold(variant)
    day_caps.line(variant)
    end_settings.checks_fold(variant)
    with st.container(horizontal=True, gap="small"):
        save_variant.button(variant, changes(variant))
        if any(name.startswith(f"{variant.name}.") for name in form.kept()):
            st.button(
                _("Back to the variant's settings"),
                type="tertiary",
                icon=":material/undo:",
                on_click=form.forget,
                args=(f"{variant.name}.",),
                key="undo-settings",
            )


def changes(variant: Variant) -> dict[str, str]:
    """What the form sets beyond the variant, as `--set` keys and values."""
    return {**role_settings.changes(variant), **end_settings.changes(variant)}


# --- the bar ---------------------------------------------------------------------------------------------------------


def as_it_stands() -> RunSpec | None:
    """The run that the form describes; None where it describes none."""
    if not draft_side.something():
        return None
    try:
        variant = parts.variant(st.session_state["variant"])
        asked = order(variant)
        spec = variants.apply_set(variant.spec, asked.changes)
    except RefineError:  # said when the run is started
        return None
    return replace(spec, task=Task(draft=asked.draft if asked.draft.strip() else "", brief=asked.brief))


def start() -> None:
    """Starts the run whose id was fixed before; a second click finds that it exists and only opens it."""
    state, run_id = st.session_state, st.session_state["next_run"]
    state.pop("problem", None)
    if not draft_side.something() or draft_side.no_model():
        state["nothing"] = True
        refuse()
    elif workbench().store.exists(run_id) or attempt(partial(begin, run_id)):
        open_run(run_id)
        state["just_started"] = run_id
    else:
        refuse()


def refuse() -> None:
    """The form is drawn again, with another id: so the browser waits no longer for the run that was to come."""
    st.session_state["refused"], st.session_state["next_run"] = True, new_id()


def begin(run_id: str) -> str:
    bench, variant = workbench(), parts.variant(st.session_state["variant"])
    spec = bench.prepare(order(variant))
    try:
        bench.start(spec, run_id=run_id)
    except StoreError:
        if not bench.store.exists(run_id):
            raise
    prompt_drawer.forget(variant)
    return run_id


def order(variant: Variant) -> Order:
    draft, brief = form.value("draft", ""), draft_side.brief()
    made = changes(variant)
    if brief.most:
        made["checks.length.max"] = str(brief.most)
    if phrases := to_add(brief.phrases, draft, end_settings.checks_on(variant)):
        required = [*variant.spec.checks.get("terms", {}).get("require", ()), *phrases]
        made["checks.terms.require"] = json.dumps(required, ensure_ascii=False)
    return Order(
        draft=draft,
        brief=draft_side.brief_text(),
        title=form.value("title", ""),
        variant=variant.name,
        changes=made,
        words=draft_side.own_words(),
        keep=brief.phrases,
        somebody=True,
    )
