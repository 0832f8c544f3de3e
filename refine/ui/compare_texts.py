"""The left half of the form of a comparison: the draft, and the texts beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st
from streamlit.typing import UploadedFile

from refine import documents
from refine.text import words as counting
from refine.text.language import language_of
from refine.ui import compare_form, dialogs, open_file
from refine.ui.compare_form import START, add_texts, draft, more_texts
from refine.ui.draft_side import FIRST_SAMPLES, samples
from refine.ui.words import _, coloured, language, length, ngettext, plain

Take = Callable[[Sequence[tuple[str, str]]], None]
HEIGHT = 340


def show(problem: str) -> None:
    """`problem`: what is wrong with the texts, once a start was tried."""
    st.text_area(
        _("Your draft"),
        height=HEIGHT,
        placeholder=_("Paste or type here. Markdown is fine."),
        **compare_form.field("draft", ""),
    )
    st.caption(coloured("orange", f":material/arrow_upward: {plain(problem)}") if problem else about(draft()))
    st.text_input(
        _("What should it become? (optional)"),
        placeholder=_("e.g. warmer, under 250 words, keep the last line"),
        **compare_form.field("brief", ""),
    )
    sources()
    more_fold()


def about(text: str) -> str:
    if not text.strip():
        return _("Nothing leaves this computer before you press Start.")
    return length_of(text)


def length_of(text: str) -> str:
    return length(counting.count(text), language_of(text) or "en")


# --- where texts come from -------------------------------------------------------------------------------------------


def sources() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        files_button(add_texts)
        own = compare_form.start_draft()
        if own.strip() and own.strip() != draft().strip():
            st.button(_("Your draft from Refine"), type="tertiary", on_click=take, args=(own,), key="take-own")
        st.markdown(coloured("gray", _("or try")), width="content")
        first = FIRST_SAMPLES[language()]
        for name in first:
            sample_button(name)
        with st.popover(_("More samples"), type="tertiary"):
            for name in samples():
                if name not in first:
                    sample_button(name)


def sample_button(name: str) -> None:
    title, text = samples()[name]
    st.button(plain(title), type="tertiary", on_click=take, args=(text, title), key=f"sample-{name}")


def take(text: str, title: str = "") -> None:
    """In place of nothing or of a sample; what the author wrote stays, and the text comes beside it."""
    known = {sample.strip() for _title, sample in samples().values()} | {compare_form.start_draft().strip(), ""}
    if draft().strip() in known:
        compare_form.put("draft", text)
    else:
        add_texts([(title, text)])


def files_button(add: Take) -> None:
    if st.button(_("Open files"), icon=":material/upload_file:", key="open-files"):
        dialogs.show(_("Open files"), lambda: files_dialog(add), width="medium")


def files_dialog(add: Take) -> None:
    files = st.file_uploader(
        _("Text, Markdown, Word or HTML, up to {n} MB").format(n=open_file.MEGABYTES),
        type=[ending.removeprefix(".") for ending in documents.ENDINGS],
        max_upload_size=open_file.MEGABYTES,
        accept_multiple_files=True,
        key="files",
    )
    found = read_all(files)
    if not found:
        st.caption(_("Each file is one text. The files are read on this computer."))
        return
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(_(", ").join(f"{plain(title)} ({length_of(text)})" for title, text in found))
        label = ngettext("Use this text", "Use these {n} texts", len(found)).format(n=len(found))
        st.button(label, type="primary", on_click=use, args=(add, found), key="use-files")


def read_all(files: Sequence[UploadedFile]) -> list[tuple[str, str]]:
    """(title, text) of each file that could be read; the others' faults are said."""
    found = []
    for file in files:
        opened, problem = open_file.attempt(file, None)
        if opened is None or not opened.text.strip():
            said = problem or _("There is no text in it.")
            st.error(f"{plain(file.name)}: {plain(said)}", icon=":material/error:")
            continue
        for warning in opened.warnings:
            st.warning(f"{plain(file.name)}: {plain(warning)}", icon=":material/warning:")
        found.append((Path(file.name).stem, opened.text))
    return found


def use(add: Take, found: Sequence[tuple[str, str]]) -> None:
    add(found)
    dialogs.done()


# --- more than one ---------------------------------------------------------------------------------------------------


def more_fold() -> None:
    more = more_texts()
    label = _("More texts: {n}").format(n=len(more)) if more else _("More texts: none")
    with st.expander(label, icon=":material/library_add:", key=START + "more"):
        rows(more)
        st.text_area(
            _("One more text"),
            height=120,
            placeholder=_("Paste another text here"),
            label_visibility="collapsed",
            **compare_form.field("another", ""),
        )
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(_("Add this text"), icon=":material/add:", on_click=add_another, key="add-another")
            st.caption(_("From about ten texts on, small differences can be told from chance."), width="content")


def rows(more: Sequence[dict[str, str]]) -> None:
    with st.container(gap="xsmall"):
        for n, text in enumerate(more):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(plain(title_of(text)), width="content")
                st.caption(length_of(text["draft"]), width="content")
                icon, told = ":material/close:", _("Remove this text")
                args = (n,)
                st.button("", type="tertiary", icon=icon, help=told, on_click=compare_form.remove_text, args=args,
                          key=f"remove-{n}")  # fmt: skip


def title_of(text: dict[str, str]) -> str:
    return text["title"] or next((line.lstrip("# ").strip() for line in text["draft"].splitlines() if line.strip()), "")


def add_another() -> None:
    add_texts([("", str(compare_form.recall("another") or ""))])
    compare_form.put("another", "")
