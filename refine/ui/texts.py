"""The left side of a run that does not write just now: one of its texts, clean or with its changes against another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from refine.text import changes
from refine.ui import components
from refine.ui.components import Pieces
from refine.ui.parts import AUTHORS, round_name
from refine.ui.words import N_, _, ngettext
from refine.views import RunView


@dataclass(frozen=True, slots=True)
class Version:
    """A text of a run. `n`: its round; that of the round under way is one more than the last that ended."""

    n: int
    name: str
    text: str


VIEWS = {
    "edit": N_("Edit"),
    "changes": N_("Changes"),
    "clean": N_("Clean text"),
    "draft": N_("Your draft"),
    "both": N_("Side by side"),
}

WIDTH = 180
"""Pixels of a choice among texts: two of them stand beside the view switch, or in one row of a phone."""


def versions(view: RunView, under_way: str | None = None) -> list[Version]:
    """The text of every round; last the one that is being decided upon, where there is one."""
    found = [Version(round.n, version_name(view, round.n), round.text) for round in view.rounds]
    if under_way is None:
        return found
    n = len(found)
    return [*found, Version(n, _("{round} · not decided").format(round=round_name(view, n)), under_way)]


def version_name(view: RunView, n: int) -> str:
    name = round_name(view, n)
    if n != view.best_round:
        return name
    return _("{round} · kept").format(round=name) if view.ended else _("{round} · best so far").format(round=name)


def text_views(view: RunView, under_way: str | None = None, editor: Callable[[], None] | None = None) -> None:
    """A text to choose, with its changes against another, clean, or beside it. `editor` draws one more view."""
    found = versions(view, under_way)
    if not found:
        draft = view.original
        pane(view, [[("same", draft)]], _("Your draft") if draft else _("No text yet"), "")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = view_switch(view, editor is not None)
        shown = shown_version(view, found, under_way is not None) if name != "edit" else found[-1]
        base = base_version(view, found, shown) if name in ("changes", "both") else None
    if name == "edit" and editor:
        editor()
    elif name == "draft":
        pane(view, [[("same", view.original)]], _("Your draft"), "")
    else:
        compared(view, name, shown, base)


def view_switch(view: RunView, editable: bool) -> str:
    left_out = {"draft"} if not view.original else set()
    left_out |= set() if editable else {"edit"}
    choices = [name for name in VIEWS if name not in left_out]
    if st.session_state.get("text-view") not in choices:
        st.session_state["text-view"] = "changes"
    picked = st.segmented_control(
        _("View"),
        choices,
        required=True,
        format_func=lambda name: _(VIEWS[name]),
        key="text-view",
        label_visibility="collapsed",
    )
    return str(picked or "changes")


def shown_key(run_id: str) -> str:
    return f"shown-{run_id}"


def shown_version(view: RunView, found: Sequence[Version], undecided: bool) -> Version:
    """The text to show: the result, or the one to decide upon, until the author chooses another.

    A choice's words never change: they are how the page remembers what was chosen.
    """
    first = len(found) - 1 if undecided else view.best_round or 0
    if len(found) < 2:
        return found[first]
    n = st.selectbox(
        _("Text shown"),
        range(len(found)),
        index=first,
        format_func=lambda n: round_name(view, n),
        key=shown_key(view.run_id),
        label_visibility="collapsed",
        width=WIDTH,
    )
    return found[n]


def base_version(view: RunView, found: Sequence[Version], shown: Version) -> Version | None:
    """What it is compared with: the author's draft, or the first text, until the author chooses another."""
    others = [version for version in found if version.n != shown.n]
    if view.from_draft and shown.n == 0:
        return None
    if view.original and not view.from_draft:
        others.insert(0, Version(AUTHORS, round_name(view, AUTHORS), view.original))
    if not others or (shown.n == 0 and not view.original):
        return None
    n = st.selectbox(
        _("Compared with"),
        range(len(others)),
        format_func=lambda n: _("against: {round}").format(round=round_name(view, others[n].n).lower()),
        key=f"against-{view.run_id}-{shown.n}",
        label_visibility="collapsed",
        width=WIDTH,
    )
    return others[n]


def compared(view: RunView, name: str, shown: Version, base: Version | None) -> None:
    if name == "clean" or base is None:
        pane(view, [[("same", shown.text)]], shown.name, shown.text)
        return
    found = differences(base.text, shown.text)
    count = " · ".join((shown.name, ngettext("{n} change", "{n} changes", len(found)).format(n=len(found))))
    if name == "both":
        sides = [pieces(base.text, found, old=True, new=False), pieces(base.text, found, old=False, new=True)]
        pane(view, sides, count, shown.text)
    else:
        pane(view, [pieces(base.text, found)], count, shown.text)


@lru_cache(128)
def differences(old: str, new: str) -> tuple[changes.Change, ...]:
    """Kept: a page is drawn again at every click, and a long text takes a tenth of a second."""
    return tuple(changes.diff(old, new))


def pieces(base: str, found: Sequence[changes.Change], *, old: bool = True, new: bool = True) -> Pieces:
    marked: list[tuple[str, str]] = []
    for piece in changes.marked(base, found):
        if isinstance(piece, str):
            marked.append(("same", piece))
            continue
        marked += [("old", piece.old)] if old and piece.old else []
        marked += [("new", piece.new)] if new and piece.new else []
    return marked


def pane(view: RunView, shown: Sequence[Pieces], count: str, copy: str) -> None:
    words = {"copy": _("Copy"), "copied": _("Copied")}
    components.marked(
        shown, count=count, copy=copy, language=view.spec.task.language, words=words, key=f"text-{view.run_id}"
    )
