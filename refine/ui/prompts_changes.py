"""What differs between two texts of a prompt: the one in the field, the saved one, older versions, other variants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from refine import variant_files, variants
from refine.errors import RefineError
from refine.prompts import prompt_hash
from refine.store import PromptUse
from refine.ui import components, parts, prompts_history
from refine.ui.prompts_state import FROM, TO, Opened, distinct
from refine.ui.texts import differences, pieces
from refine.ui.words import _, language, ngettext

SETTINGS = "settings"

Texts = Mapping[str, Callable[[], str]]
"""Name of a text -> the text, read when it is wanted."""


def show(opened: Opened, role: str, uses: list[PromptUse]) -> None:
    """`role`: SETTINGS for all settings."""
    texts = choices(opened, role, uses)
    first, second = st.columns(2)
    with first:
        before = choice(_("from: {text}"), texts, opened, FROM, "saved")
    with second:
        after = choice(_("to: {text}"), texts, opened, TO, "here")
    old, new = texts[before](), texts[after]()
    found = differences(old, new)
    if not found:
        st.caption(_("Nothing differs. Choose another version or another variant to compare with."))
        return
    words = {"copy": _("Copy"), "copied": _("Copied")}
    count = ngettext("{n} change", "{n} changes", len(found)).format(n=len(found))
    components.marked(
        [pieces(old, found)], count=count, copy=new, language=language(), words=words, key=f"prompts-diff-{role}"
    )


def choice(label: str, texts: Texts, opened: Opened, key: str, first: str) -> str:
    """What somebody chose before is kept as long as it is there. `label`: words around the name of a text."""
    state = st.session_state
    if state.get(key) not in texts:
        state[key] = first if first in texts else next(iter(texts))
    said = distinct({name: words(opened, name) for name in texts})
    picked = st.selectbox(
        label.format(text=""),
        [*texts],
        format_func=lambda name: label.format(text=said[name]),
        key=key,
        label_visibility="collapsed",
        filter_mode=None,
    )
    return str(picked)


def words(opened: Opened, name: str) -> str:
    kind, _colon, which = name.partition(":")
    if kind == "version":
        return _("Version {version}").format(version=which)
    if kind == "variant":
        return parts.variant_title(which)
    return _("In the field") if kind == "here" else _("Saved") if opened.kind != "gone" else _("As it was last")


def choices(opened: Opened, role: str, uses: list[PromptUse]) -> Texts:
    mine = {"here": opened.now, "saved": opened.saved}
    found: dict[str, Callable[[], str]] = {
        name: partial(text_of, there, role) for name, there in mine.items() if role in (*there, SETTINGS)
    }
    known = {prompt_hash(text()) for text in found.values()}
    for use in uses:
        if use.version not in known:
            found[f"version:{use.version}"] = partial(prompts_history.text_of, use)
    for name in variants.names(parts.own_variants()):
        if name != opened.name and (other := read(name)) and role in (*other, SETTINGS):
            found[f"variant:{name}"] = partial(text_of, other, role)
    return found


def text_of(there: Mapping[str, str], role: str) -> str:
    return variant_files.settings_text(there) if role == SETTINGS else there[role]


def read(name: str) -> Mapping[str, str] | None:
    """None for one whose files are no text."""
    try:
        return variant_files.read(name, parts.own_variants())
    except RefineError:
        return None
