"""Settings: words that every run takes as they are."""

from __future__ import annotations

from functools import partial

import streamlit as st

from refine.settings import read_words, write_words
from refine.ui import parts
from refine.ui.frame import bar
from refine.ui.parts import attempt, workbench
from refine.ui.words import _, ngettext

FIELD = "own-words"


def show() -> None:
    home = workbench().settings.home
    kept = attempt(partial(read_words, home))
    parts.problem()
    if kept is None:
        return
    left, right = st.columns([7, 4], gap="large")
    with left:
        st.session_state.setdefault(FIELD, "\n".join(kept))
        st.text_area(
            _("Words that are right as they are, one a line"),
            key=FIELD,
            height=420,
            placeholder=_("Names, terms, spellings of your own"),
            persist_state="page",
        )
    with right:
        st.caption(_("No check calls these words a mistake, in any run. They are used from the next run on."))
        st.caption(_("Words for one text alone stand with its draft."))
    typed = listed()
    bar(said(typed, kept), partial(buttons, typed != kept))


def listed() -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(str.strip, st.session_state[FIELD].splitlines()))))


def said(typed: tuple[str, ...], kept: tuple[str, ...]) -> str:
    count = ngettext("{n} word", "{n} words", len(typed)).format(n=f"{len(typed):,}")
    return " · ".join((count, _("saved") if typed == kept else _("not saved yet")))


def buttons(changed: bool) -> None:
    st.button(_("Save"), type="primary", key="save-words", disabled=not changed, on_click=save)


def save() -> None:
    attempt(partial(write_words, workbench().settings.home, listed()))
