"""A dialog that keeps something as a variant of the author's own: it asks for a name, a title and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from refine import variants
from refine.errors import RefineError
from refine.types import RunSpec, Variant
from refine.ui import dialogs, form, parts
from refine.ui.words import _, language, plain

ByLanguage = Mapping[str, str]
Write = Callable[[str, ByLanguage, ByLanguage, bool], None]
"""Writes the folder: name, title and purpose of the new variant, and whether one of the author's own gives way."""


def button(variant: Variant, changes: Mapping[str, str]) -> None:
    if st.button(_("Save as my variant"), type="tertiary", icon=":material/bookmark_add:", key="save-variant"):
        name = variant.name if variant.own else f"my-{variant.name}"
        title = words(variant.title) if variant.own else ""
        caption = _("Kept are prompts, models, freedom, stops and checks; not the draft and not its brief.")
        write = partial(write_form, variant, dict(changes))
        ask(_("Save as my variant"), caption, (name, title, words(variant.purpose)), write)


def words(by_language: ByLanguage) -> str:
    return by_language.get(language()) or by_language.get("en", "")


def taken(name: str) -> bool:
    """Is there a variant of the author's own with that name?"""
    own = parts.own_variants()
    return name.strip() in variants.names(own) and name.strip() not in variants.names()


def ask(
    heading: str,
    caption: str,
    proposed: tuple[str, str, str],
    write: Write,
    may_give_way: Callable[[str], bool] = taken,
) -> None:
    """Opens the dialog.

    Args:
        proposed: name, title, purpose.
        may_give_way: whether the variant of a name may be replaced, if the author says so.
    """
    for before in ("variant_name", "variant_title", "variant_purpose", "variant_problem"):
        st.session_state.pop(before, None)
    dialogs.show(heading, partial(dialog, caption, proposed, write, may_give_way))


def dialog(caption: str, proposed: tuple[str, str, str], write: Write, may_give_way: Callable[[str], bool]) -> None:
    """The fields have what is proposed as their values, so that a browser that draws them late has it too."""
    name, title, purpose = proposed
    hint = _("letters, digits, - and _")
    name = st.text_input(_("Name, also of its folder"), name, key="variant_name", placeholder=hint)
    st.text_input(_("Title in the menu"), title, key="variant_title", placeholder=_("else the name"))
    st.text_input(_("What it does, in a few words"), purpose, key="variant_purpose")
    if may_give_way(name):
        st.checkbox(_("Replace the variant of that name"), key="variant_replace")
    if said := st.session_state.get("variant_problem"):
        st.error(plain(said), icon=":material/error:")
    st.caption(caption)
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(_("Save"), type="primary", on_click=save, args=(write,), key="variant-save")


def save(write: Write) -> None:
    """Writes the folder, unless it is refused: then the dialog stays and says why."""
    state = st.session_state
    name, purpose = state["variant_name"].strip(), state["variant_purpose"].strip()
    title = {language(): state["variant_title"].strip() or name}
    try:
        write(name, title, {language(): purpose} if purpose else {}, bool(state.get("variant_replace")))
    except RefineError as error:
        state["variant_problem"] = str(error)
        return
    state.pop("variant_problem", None)
    dialogs.done()


# --- what the start form describes -----------------------------------------------------------------------------------


def write_form(
    base: Variant, changes: Mapping[str, str], name: str, title: ByLanguage, purpose: ByLanguage, replacing: bool
) -> None:
    """Keeps the form's settings and picks the new variant."""
    spec: RunSpec = replace(variants.apply_set(base.spec, changes), variant=name)
    variants.save(Variant(name, spec, title, purpose, own=True), name, parts.own_variants(), replacing=replacing)
    form.forget(f"{base.name}.", f"{name}.")
    form.put("variant", name)
