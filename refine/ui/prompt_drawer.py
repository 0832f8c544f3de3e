"""A role's prompt in a drawer: to read, and to change for the next run only."""

from __future__ import annotations

from functools import partial

import streamlit as st

from refine import prompts, variants
from refine.errors import RefineError
from refine.types import Role, Variant
from refine.ui import dialogs, form
from refine.ui.words import _, coloured, plain

FIELDS = {
    "writer": ("draft", "findings", "lessons", "brief", "language", "token", "style_sheet", "locked"),
    "critic": ("draft", "brief", "language", "token", "style_sheet", "locked"),
    "actor": ("draft", "brief", "language", "style_sheet", "tools", "step", "max_steps"),
    "judge": ("draft", "original", "rubric", "brief", "language", "style_sheet", "locked"),
    "pair": ("draft", "other", "original", "rubric", "brief", "language", "style_sheet", "locked"),
}
"""Kind of role -> what is filled into its prompt; the others are empty there."""
TEXT = "prompt_text"


def edited(variant: Variant, role: Role) -> str | None:
    """The prompt for the next run, where it is not the variant's."""
    text = form.recall(kept_as(variant, role))
    return text if text is not None and text != role.prompt else None


def kept_as(variant: Variant, role: Role) -> str:
    return f"{variant.name}.{role.name}.prompt"


def button(variant: Variant, role: Role, title: str) -> None:
    """Opens the drawer; a grey mark beside it says that the prompt was changed."""
    with st.container(horizontal=True, width="content", vertical_alignment="center", gap="small"):
        if edited(variant, role) is not None:
            st.markdown(coloured("gray", _("changed")), width="content")
        name = f"prompt-{role.name}"
        if st.button(_("Prompt"), type="tertiary", icon=":material/edit:", key=name):
            st.session_state[TEXT] = edited(variant, role) or role.prompt
            st.session_state.pop("prompt_problem", None)
            heading = _("{role}: prompt").format(role=plain(title))
            dialogs.show(heading, partial(drawer, variant, role), position="right", width="medium")


def drawer(variant: Variant, role: Role) -> None:
    st.text_area(_("Prompt"), height=560, key=TEXT, label_visibility="collapsed")
    if said := st.session_state.get("prompt_problem"):
        st.error(plain(said), icon=":material/error:")
    st.caption(_("Fields it may use: {names}").format(names=" ".join(f"`{{{{ {name} }}}}`" for name in fields(role))))
    st.caption(_("For this run only. To keep it, save it as a variant."))
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(_("Back to the variant's text"), on_click=back, args=(role,), key="prompt-back")
        st.button(_("Use for this run"), type="primary", on_click=use, args=(variant, role), key="prompt-use")


def fields(role: Role) -> list[str]:
    """What a prompt of this role has a use for."""
    return [*FIELDS.get(prompts.kind_of(role.name), prompts.HOLES)]


def back(role: Role) -> None:
    st.session_state.pop("prompt_problem", None)
    st.session_state[TEXT] = role.prompt


def use(variant: Variant, role: Role) -> None:
    """Keeps the text for the next run, unless it cannot be filled: then the drawer stays and says why."""
    text = st.session_state[TEXT]
    try:
        variants.apply_set(variant.spec, {f"role.{role.name}.prompt": text})
    except RefineError as error:
        st.session_state["prompt_problem"] = str(error)
        return
    st.session_state.pop("prompt_problem", None)
    form.put(kept_as(variant, role), text)
    dialogs.done()


def forget(variant: Variant) -> None:
    """After a start: what was for one run is over."""
    form.forget(*(kept_as(variant, role) for role in variant.spec.roles))
