"""Prompts: a variant's texts at the left, to read and to edit; at the right what they amount to and their history.

Shipped variants stay as they are: what is changed in one becomes a new variant. Runs keep their prompts word for word,
so nothing here touches an old result.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from refine import variant_files
from refine.errors import RefineError
from refine.schema import JUDGING
from refine.types import Role, Variant
from refine.ui import (
    form,
    language_switch,
    parts,
    prompt_drawer,
    prompts_changes,
    prompts_history,
    prompts_preview,
    prompts_settings,
    prompts_state,
    save_variant,
    view_switch,
)
from refine.ui.parts import attempt, role_words
from refine.ui.prompts_state import Opened, problem_of
from refine.ui.words import N_, _, coloured, plain
from refine.variants import SETTINGS as FILE

VIEWS = {"preview": N_("Preview"), "changes": N_("Changes"), "history": N_("History")}
KINDS = {
    "own": ("blue", ":material/person:", N_("yours")),
    "shipped": ("gray", ":material/lock:", N_("comes with Refine")),
    "gone": ("orange", ":material/delete:", N_("deleted")),
}
SETTINGS = prompts_changes.SETTINGS
VARIANT, ROLE = "prompts-variant", "prompts-role"
SHOWN = "prompts-shown"
FIRST = "polish"
HEIGHT = 400


def show() -> None:
    names = prompts_state.names()
    opened = prompts_state.opened(chosen(names))
    header(opened)
    left, right = st.columns([6, 5], gap="large")
    with left:
        variant_field(names)
        if opened.problem:
            st.error(plain(opened.problem), icon=":material/error:", title=_("This variant cannot be read"))
            return
        role = role_switch(opened)
        with st.container():  # there also when it is empty, so that the field keeps its place and the caret
            conflict(opened)
        texts(opened, role)
    with right:
        view = view_switch.show(VIEWS, "prompts-view")
        try:
            right_side(opened, role, view)
        except RefineError as error:  # a run whose log is damaged
            st.error(plain(str(error)), icon=":material/error:")
    bar(opened, role)


# --- which one -------------------------------------------------------------------------------------------------------


def chosen(names: list[str]) -> str:
    """That of the address, else the one shown last, else the one picked on the page Refine."""
    asked = st.query_params.get("variant"), st.session_state.get(SHOWN), form.kept().get("variant")
    st.session_state[SHOWN] = next((name for name in asked if name in names), FIRST)
    return str(st.session_state[SHOWN])


def variant_field(names: list[str]) -> None:
    st.session_state[VARIANT] = chosen(names)
    words = prompts_state.distinct({name: in_menu(name) for name in names})
    st.selectbox(_("Variant"), names, format_func=words.__getitem__, key=VARIANT, on_change=picked, filter_mode=None)


def picked() -> None:
    for said in (prompts_state.DONE, "problem"):
        st.session_state.pop(said, None)
    if st.session_state[VARIANT] in prompts_state.names():
        prompts_state.show(st.session_state[VARIANT])


def in_menu(name: str) -> str:
    """Title and purpose; why it is special, where it is no variant to run."""
    try:
        variant = parts.variant(name)
    except RefineError:
        return " — ".join((name, _("deleted") if prompts_state.is_gone(name) else _("has a mistake in it")))
    title, purpose = save_variant.words(variant.title) or name, save_variant.words(variant.purpose)
    return f"{title} — {purpose}" if purpose else title


def role_switch(opened: Opened) -> str:
    """The role whose prompt is shown, or all settings. In the address too."""
    roles = [*variant_files.roles_of(opened.now), *prompts_history.gone_roles(opened)]
    first, asked = (roles or [SETTINGS])[0], st.query_params.get("role", "")
    st.session_state[ROLE] = asked if asked in (*roles, SETTINGS) else first
    st.segmented_control(
        _("Role"),
        [*roles, SETTINGS],
        format_func=lambda role: _("Settings") if role == SETTINGS else role_words(Role(role))[0],
        required=True,
        key=ROLE,
        label_visibility="collapsed",
        on_change=role_picked,
    )
    return str(st.session_state[ROLE])


def role_picked() -> None:
    st.query_params["role"] = st.session_state[ROLE]


def header(opened: Opened) -> None:
    colour, icon, words = KINDS[opened.kind]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Prompts"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            st.badge(_(words), color=colour, icon=icon)  # type: ignore[arg-type]
            if opened.edits:
                st.badge(_("not saved"), color="orange", icon=":material/edit:")
            language_switch.button()


# --- the texts at the left -------------------------------------------------------------------------------------------


def conflict(opened: Opened) -> None:
    """Somebody else has saved what is being edited here: both texts are there, and the author decides."""
    if opened.kind != "own" or not opened.conflicts:
        return
    names = _(", ").join(plain(piece_words(piece)) for piece in opened.conflicts)
    said = _("Saved meanwhile in another tab or program: {names}. What you typed here is not lost.")
    st.warning(said.format(names=names), icon=":material/call_split:")
    with st.container(horizontal=True, gap="small"):
        st.button(_("What differs"), on_click=see_conflict, args=(opened.conflicts[0],), key="conflict-compare")
        theirs, mine = (opened.name, opened.conflicts), (opened.name, opened.saved)
        st.button(_("Take the saved text"), on_click=prompts_state.discard, args=theirs, key="conflict-theirs")
        st.button(_("Save mine over it"), on_click=prompts_state.save_over, args=mine, key="conflict-mine")


def piece_words(piece: str) -> str:
    role = piece.removesuffix(variant_files.ABOVE)
    if piece == FILE:
        return FILE
    return prompts_settings.label_of(role) if role != piece else role_words(Role(role))[0]


def see_conflict(piece: str) -> None:
    plain_prompt = piece != FILE and not piece.endswith(variant_files.ABOVE)
    st.query_params["role"] = piece if plain_prompt else SETTINGS
    prompts_state.compare("saved")


def texts(opened: Opened, role: str) -> None:
    if role == SETTINGS:
        prompts_settings.edit(opened)
    elif role not in opened.now:
        prompts_history.gone_role(opened, role)
        return
    else:
        prompts_state.field(opened, role, role_words(Role(role))[0], HEIGHT)
    for said in dict.fromkeys(filter(None, (problem_of(opened), st.session_state.get("problem")))):
        st.error(plain(said), icon=":material/error:")
    st.caption(" ".join(about(opened, role)))
    with st.container(horizontal=True, gap="small"):
        pieces = shown_pieces(opened, role)
        if any(piece in opened.edits for piece in pieces):
            st.button(
                _("Back to the saved text"),
                type="tertiary",
                icon=":material/undo:",
                on_click=prompts_state.discard,
                args=(opened.name, pieces),
                key="prompts-back",
            )
        if opened.kind == "own":
            st.button(
                _("Delete this variant"),
                type="tertiary",
                icon=":material/delete:",
                on_click=prompts_state.delete,
                args=(opened.name,),
                key="prompts-delete",
            )


def shown_pieces(opened: Opened, role: str) -> list[str]:
    if role != SETTINGS:
        return [role]
    return [piece for piece in opened.now if piece == FILE or piece.endswith(variant_files.ABOVE)]


def about(opened: Opened, role: str) -> list[str]:
    """What may stand in the field, and what becomes of a change."""
    said = []
    if role != SETTINGS:
        names = " ".join(f"`{{{{ {name} }}}}`" for name in prompt_drawer.fields(Role(role)))
        said.append(_("Fields: {names}. Unknown fields are refused when you save.").format(names=names))
    if opened.kind == "shipped":
        said.append(_("This variant comes with Refine and stays as it is: a change becomes a new variant."))
    if opened.kind == "gone":
        said.append(_("No folder holds this variant any more; its runs do. Save it as a new one to use it again."))
    return said


# --- what they amount to ---------------------------------------------------------------------------------------------


def right_side(opened: Opened, role: str, view: str) -> None:
    if view == "preview":
        preview(opened, role)
        return
    uses = [] if role == SETTINGS else prompts_history.uses_of(opened, role)
    if view == "changes":
        prompts_changes.show(opened, role, uses)
    elif role == SETTINGS:
        prompts_history.settings(opened)
    else:
        prompts_history.show(opened, role, uses)


def preview(opened: Opened, role: str) -> None:
    variant = readable(opened)
    if role not in (*opened.now, SETTINGS):
        st.caption(_("The variant has no such role any more. Its versions stand under History."))
    elif variant is None:
        st.caption(_("There is something to see here as soon as the mistake is mended."))
    elif role == SETTINGS:
        prompts_settings.show(variant)
    else:
        prompts_preview.show(variant, next(found for found in variant.spec.roles if found.name == role))


def readable(opened: Opened) -> Variant | None:
    try:
        return prompts_state.variant_of(opened)
    except RefineError:
        return None


# --- the bar ---------------------------------------------------------------------------------------------------------


def bar(opened: Opened, role: str) -> None:
    """What the last command did, with a way back, else how things stand; and what can be done."""
    said, back = st.session_state.get(prompts_state.DONE) or (standing(opened, role), None)
    with st.bottom, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(horizontal=True, width=520, vertical_alignment="center", gap="small"):
            st.caption(said, width="content")
            if back:
                icon = ":material/undo:"
                st.button(_("Undo"), type="tertiary", icon=icon, on_click=prompts_state.undo, key="prompts-undo")
        with st.container(horizontal=True, width="content", vertical_alignment="center", gap="small"):
            buttons(opened)


def standing(opened: Opened, role: str) -> str:
    variant = readable(opened)
    if variant is None:
        return coloured("orange", _("There is a mistake in it, so it cannot be saved or tried."))
    roles = [found for found in variant.spec.roles if role in (SETTINGS, found.name)]
    if not roles:
        return "" if variant.spec.roles else _("Checks alone: no prompt goes out.")
    counts = [(role_words(found)[0], prompts_preview.tokens_before(variant.spec, found)) for found in roles]
    if len(counts) == 1:
        return _("≈ {n} tokens before the draft").format(n=f"{counts[0][1]:,}")
    listed = _(", ").join(f"{plain(name)} {n:,}" for name, n in counts)
    return _("Tokens before the draft: {listed}").format(listed=listed)


def buttons(opened: Opened) -> None:
    if opened.kind == "gone":
        if prompts_state.can_come_back(opened.name):
            args = (opened.name,)
            st.button(_("Bring it back"), on_click=prompts_state.bring_back, args=args, key="prompts-bring-back")
    elif can_be_tried(opened) and st.button(_("Try on a draft"), icon=":material/play_arrow:", key="prompts-try"):
        try_it(opened)
    changed = opened.kind == "own" and bool(opened.edits)
    if opened.kind == "own":
        save = partial(prompts_state.save, opened.name)
        st.button(_("Save"), type=weight(changed), disabled=not changed, on_click=save, key="prompts-save")
    icon = ":material/bookmark_add:"
    if st.button(_("Save as a new variant"), type=weight(not changed), icon=icon, key="prompts-save-new"):
        ask_name(opened)


def weight(likely: bool) -> Literal["primary", "secondary"]:
    """The likelier of two buttons stands out."""
    return "primary" if likely else "secondary"


def can_be_tried(opened: Opened) -> bool:
    """Not a judge of texts that were made elsewhere. One with a mistake in it says so when it is tried."""
    variant = readable(opened)
    return variant is None or variant.spec.technique not in JUDGING


def try_it(opened: Opened) -> None:
    """Opens the form with this variant, or says why not."""
    page = attempt(partial(prompts_state.put_into_form, opened))
    if page:
        st.switch_page(page)
    st.rerun()


def ask_name(opened: Opened) -> None:
    variant = attempt(partial(prompts_state.variant_of, opened))
    if variant is None:
        st.rerun()
    name = f"{opened.name}-2" if opened.kind == "own" else f"my-{opened.name}"
    proposed = name, "", save_variant.words(variant.purpose)
    caption = _("A new folder is made from what stands in the fields. The variant that it came from stays as it is.")
    write = partial(prompts_state.save_new, opened.name)
    save_variant.ask(_("Save as a new variant"), caption, proposed, write, may_give_way=lambda _name: False)


show()
