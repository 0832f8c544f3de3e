"""The finished runs that ship with the app, one a language, so that one sees the product before pressing anything."""

from __future__ import annotations

import logging

import streamlit as st

from refine import export
from refine.errors import RefineError
from refine.runs import Workbench
from refine.settings import PROJECT
from refine.store import Wanted
from refine.ui import sentences
from refine.ui.parts import open_run, workbench
from refine.ui.words import _, language

EXAMPLES = {"en": ("example", "finished.jsonl"), "zh": ("example-zh", "finished.zh.jsonl")}
"""Language of the page -> the run's id, and its log among the samples."""
IDS = tuple(run_id for run_id, _file in EXAMPLES.values())

log = logging.getLogger("refine")


def bring(bench: Workbench) -> None:
    """Puts the finished runs into a store that has never had them. The app works without them too."""
    for run_id, file in EXAMPLES.values():
        try:
            if not bench.store.exists(run_id):
                bench.store.add(export.read_log((PROJECT / "data" / "samples" / file).read_bytes()))
        except (RefineError, OSError) as error:
            log.warning("the finished example %s was not put into the store: %s", run_id, error)


def run_id() -> str:
    """The example in the page's language."""
    return EXAMPLES[language()][0]


def others() -> tuple[str, ...]:
    """The examples in other languages."""
    return tuple(other for other in IDS if other != run_id())


def card() -> None:
    """What the finished run shows, and the way to it; nothing as soon as there is a run of the user's own."""
    store = workbench().store
    if store.count_runs(Wanted(without=IDS)) or not store.exists(run_id()):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(width="stretch", gap="xsmall"):
            what = sentences.outcome(workbench().read(run_id()))
            st.markdown(_("**A finished example.** {what}").format(what=what))
            st.caption(_("Its replies were written by hand; checks, rounds and verdicts are real."))
        st.button(_("Look at it"), icon=":material/visibility:", on_click=open_run, args=(run_id(),), key="example")
