"""A dialog that opens a file as the draft: what came out is shown before it is used."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.typing import UploadedFile

from refine import documents
from refine.errors import DocumentError
from refine.text import words as counting
from refine.text.language import language_of
from refine.ui import dialogs
from refine.ui.words import N_, _, language, length, plain

Take = Callable[[str], None]

PREVIEW = 1_500
"""Characters of the text that are shown."""
MEGABYTES = documents.LIMIT // 2**20
ENCODING_NAMES = {
    "utf-8": "UTF-8",
    "gb18030": N_("Chinese (GB 18030, GBK)"),
    "big5": N_("Chinese (Big5)"),
    "utf-16-le": "UTF-16",
    "utf-16-be": N_("UTF-16, other byte order"),
    "cp1252": N_("Western European (Windows-1252)"),
}


def button(take: Take) -> None:
    if st.button(_("Open a file"), icon=":material/upload_file:", key="open-file"):
        dialogs.show(_("Open a file"), partial(dialog, take), width="medium")


def dialog(take: Take) -> None:
    file = st.file_uploader(
        _("Text, Markdown, Word or HTML, up to {n} MB").format(n=MEGABYTES),
        type=[ending.removeprefix(".") for ending in documents.ENDINGS],
        max_upload_size=MEGABYTES,
        key="file",
    )
    if file is None:
        st.caption(_("The file is read on this computer; you see its text before it is used."))
        return
    opened = read(file)
    if opened is None:
        return
    for warning in opened.warnings:
        st.warning(plain(warning), icon=":material/warning:")
    with st.container(height=260, border=True):
        st.text(opened.text[:PREVIEW] + ("…" if len(opened.text) > PREVIEW else ""))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(about(opened.text))
        st.button(_("Use this text"), type="primary", on_click=use, args=(take, opened.text), key="use-file")


def about(text: str) -> str:
    code = language_of(text) or "en"
    return length(counting.count(text), code)


def read(file: UploadedFile) -> documents.Opened | None:
    """The file as it says it is to be read, or as the author chose; None, and why not, where that gives no text."""
    found, problem = attempt(file, None)
    if found and not found.encoding:
        return found
    wanted = encoding(file, found.encoding if found else "")
    if wanted and not (found and wanted == found.encoding):
        found, problem = attempt(file, wanted)
    elif found and found.guessed:
        st.caption(_("The file does not say how its letters are coded. If they look wrong, choose another coding."))
    if problem:
        st.error(plain(problem), icon=":material/error:")
    return found


def attempt(file: UploadedFile, encoding: str | None) -> tuple[documents.Opened | None, str]:
    """The file read, or a sentence why it cannot be."""
    try:
        return documents.read(file.name, file.getvalue(), encoding, language()), ""
    except DocumentError as error:
        return None, str(error)


def encoding(file: UploadedFile, found: str) -> str | None:
    """What the author chose; at first what was found."""
    if Path(file.name).suffix.lower() == ".docx":
        return None
    known = list(dict.fromkeys(filter(None, [found, *documents.ENCODINGS])))
    return st.selectbox(
        _("Letters are coded as"),
        known,
        index=0 if found else None,
        format_func=lambda name: _(ENCODING_NAMES[name]) if name in ENCODING_NAMES else name.upper(),
        placeholder=_("Choose a coding"),
        key=f"encoding-{file.file_id}",
    )


def use(take: Take, text: str) -> None:
    take(text)
    dialogs.done()
