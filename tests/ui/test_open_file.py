"""A file becomes the draft once its author has seen what came out."""

from __future__ import annotations

import io

import pytest
from docx import Document
from streamlit.testing.v1 import AppTest

from tests.ui.conftest import Open, said

CHINESE = "楼下有一个旧书角，谁都可以拿书。看完了放回来就行。"


def word_file(*paragraphs: str) -> bytes:
    made, out = Document(), io.BytesIO()
    for paragraph in paragraphs:
        made.add_paragraph(paragraph)
    made.save(out)
    return out.getvalue()


def in_dialog() -> None:
    import streamlit as st

    from refine.ui import open_file

    open_file.dialog(lambda text: st.session_state.update(taken=text))


@pytest.fixture
def dialog() -> AppTest:
    """The inside of the dialog, as a page of its own."""
    return AppTest.from_function(in_dialog, default_timeout=20).run()


def given(dialog: AppTest, name: str, data: bytes) -> AppTest:
    dialog.file_uploader(key="file").set_value((name, data, "application/octet-stream"))
    return dialog.run()


def taken(dialog: AppTest) -> str:
    dialog.button(key="use-file").click().run()
    return str(dialog.session_state["taken"])


def test_the_button_opens_the_dialog(open_page: Open) -> None:
    page = open_page()
    page.button(key="open-file").click().run()
    assert ".docx" in page.file_uploader(key="file").allowed_type
    assert "you see its text before it is used" in said(page)


def test_a_word_file_is_shown_and_used(dialog: AppTest) -> None:
    given(dialog, "Letter.docx", word_file("Dear Ines,", "we open at five."))
    assert "we open at five." in said(dialog)
    assert not dialog.selectbox
    assert taken(dialog).strip() == "Dear Ines,\n\nwe open at five."


def test_a_guessed_encoding_is_said_and_can_be_changed(dialog: AppTest) -> None:
    given(dialog, "测试.txt", CHINESE.encode("gb18030"))
    assert dialog.selectbox[0].value == "gb18030"
    assert CHINESE in said(dialog)
    assert "does not say how its letters are coded" in said(dialog)
    dialog.selectbox[0].set_value("big5").run()
    assert CHINESE not in said(dialog)
    dialog.selectbox[0].set_value("gb18030").run()
    assert taken(dialog) == CHINESE


def test_plain_utf_8_needs_no_remark(dialog: AppTest) -> None:
    given(dialog, "a.md", b"# Title\r\n\r\nText.\x00")
    assert dialog.selectbox[0].value == "utf-8"
    assert "does not say" not in said(dialog)
    assert len(dialog.warning) == 1
    assert taken(dialog) == "# Title\n\nText."


def test_bytes_that_are_no_text_are_an_error_and_nothing_can_be_used(dialog: AppTest) -> None:
    given(dialog, "scan.txt", b"%PDF-1.7 ...")
    assert "it is a PDF" in dialog.error[0].value.replace("\\", "")
    assert not dialog.button


def test_a_choice_that_does_not_fit_says_so_and_another_can_be_made(dialog: AppTest) -> None:
    given(dialog, "a.txt", CHINESE.encode("gb18030") + b"\xff")
    dialog.selectbox[0].set_value("utf-8").run()
    assert "is not text in the encoding" in dialog.error[0].value.replace("\\", "")
    dialog.selectbox[0].set_value("cp1252").run()
    assert not dialog.error
