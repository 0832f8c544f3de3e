"""Files in: what authors really have, what they give by mistake, and what is meant to do harm."""

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from refine.documents import ENCODINGS, ENDINGS, LIMIT, Opened, read, read_file
from refine.documents.word_in import MOST_WORDS
from refine.documents.word_out import render
from refine.errors import DocumentError
from refine.words import files_en, files_zh
from tests.documents.hostile import HOSTILE, RICH

CHINESE = "产品上线以后，团队发现用户增长明显放缓。\n我们打算在三月修改方案！\n"
OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500


def word(*paragraphs: str, body: str = "", **parts: bytes) -> bytes:
    """A Word file with these paragraphs, this XML behind them, and parts put in or replaced."""
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if body:
        document.element.body.insert(0, parse_xml(body))
    out = io.BytesIO()
    document.save(out)
    return repacked(out.getvalue(), **parts) if parts else out.getvalue()


def repacked(data: bytes, **parts: bytes) -> bytes:
    named = {name.replace("__", "/").replace("_xml", ".xml"): content for name, content in parts.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in named:
                new.writestr(name, old.read(name))
        for name, content in named.items():
            new.writestr(name, content)
    return out.getvalue()


# --- plain text and HTML -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "guessed"),
    [("utf-8", False), ("utf-8-sig", False), ("utf-16", False), ("gb18030", True), ("big5", True), ("utf-16-le", True)],
)
def test_the_encoding_is_told_and_whether_it_was_a_guess(encoding: str, guessed: bool) -> None:
    text = "產品上線以後，團隊發現使用者增長明顯放緩。" if encoding == "big5" else CHINESE
    opened = read("稿子.txt", text.encode(encoding))
    assert opened.text == text
    assert opened.guessed is guessed
    assert opened.encoding in ENCODINGS


def test_the_author_may_choose_another_encoding() -> None:
    data = "été".encode("cp1252") * 3
    assert read("a.txt", data, "cp1252") == Opened("été" * 3, "cp1252")
    with pytest.raises(DocumentError, match="Choose another encoding"):
        read("a.txt", data, "utf-8")


def test_controls_that_were_taken_out_are_told() -> None:
    assert read("a.md", b"a long enough line of te\x00xt\n", language="zh").warnings == (
        "已去掉 1 个不可见的控制字符。",
    )


@pytest.mark.parametrize("name", ["a.html", "A.HTM", "", "The standard input"])
def test_a_web_page_becomes_its_text(name: str) -> None:
    data = b"<!doctype html><title>t</title><h1>Head</h1><p>One <em>two</em>.<script>x</script><img src=//e.example/p>"
    opened = read(name, data)
    assert opened.text == "# Head\n\nOne *two*.\n"
    assert opened.warnings == (files_en.OPENED["pictures"].format(n=1),)


def test_html_in_a_text_file_is_left_alone() -> None:
    assert read("a.md", b"<html><p>x</p>").text == "<html><p>x</p>"


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", word(), word(" ")])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_file_without_text_is_refused(data: bytes, language: str) -> None:
    with pytest.raises(DocumentError, match=r"x\.docx is empty|x\.docx is no Word"):
        read("x.docx", data, language=language)


def test_endings_that_are_offered_are_opened() -> None:
    for ending in ENDINGS:
        data = word("Hello there.") if ending == ".docx" else b"Hello there."
        assert read(f"x{ending}", data).text.strip() == "Hello there."


# --- Word files --------------------------------------------------------------------------------------------------


def test_a_word_file_becomes_markdown_and_back() -> None:
    rest = RICH.partition("---\n\n")[2]
    once = read("a.docx", render(rest)).text
    assert read("b.docx", render(once)).text == once
    for piece in (
        "# Heading *one*\n",
        "A **bold** word, an *italic* one, a ~~gone~~ one, `code` and a [link](https://example.org/a?b=1&c=2).\n",
        "- one\n- two\n  - nested\n    1. deep\n    2. deeper\n- three\n",
        "## Second\n\n1. first\n2. second\n",
        "> A quotation.\n",
        '```\ndef f(x):\n    return "<x>"\n```\n',
        "| 1 | **2** |\n",
        "**注意**：中文“引号”，第二句🙂👩‍👩‍👧。",
    ):
        assert piece in once, piece


def test_hostile_words_come_through_a_word_file_as_words() -> None:
    once = read("a.docx", render(HOSTILE)).text
    assert read("a.docx", render(once)).text == once
    for said in ("script>alert(1)", "onerror=alert(2)", "=HYPERLINK(", "\u202eright to left\u202c"):
        assert said in once


def test_the_bytes_say_what_a_file_is_and_not_its_name() -> None:
    assert read("draft.txt", word("From Word.")).text == "From Word.\n"


W = nsdecls("w")
CHANGED = f"""<w:p {W}><w:r><w:t>Stays </w:t></w:r><w:ins w:id="1" w:author="a"><w:r><w:t>new</w:t></w:r></w:ins>
<w:del w:id="2" w:author="a"><w:r><w:delText>old</w:delText></w:r></w:del></w:p>"""
FORMULA = f'<w:p {W}><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"/></w:p>'


def test_tracked_changes_are_read_as_accepted_and_told() -> None:
    opened = read("a.docx", word(body=CHANGED))
    assert opened.text == "Stays new\n"
    assert opened.warnings == (files_en.OPENED["tracked"].format(n=2),)
    assert read("a.docx", word(body=CHANGED), language="zh").warnings == (files_zh.OPENED["tracked"].format(n=2),)


def test_comments_formulas_and_pictures_are_told() -> None:
    document = docx.Document()
    run = document.add_paragraph("A text.").runs[0]
    document.add_comment(run, text="why?", author="b")
    document.element.body.insert(0, parse_xml(FORMULA))
    document.element.body.insert(0, parse_xml(f"<w:p {W}><w:r><w:drawing/></w:r></w:p>"))
    out = io.BytesIO()
    document.save(out)
    opened = read("a.docx", out.getvalue())
    assert opened.text == "A text.\n"
    assert set(opened.warnings) == {files_en.OPENED[name].format(n=1) for name in ("comments", "formulas", "pictures")}


def test_a_link_that_runs_something_is_words() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph()
    name = document.part.relate_to("javascript:alert(1)", "http://x/hyperlink", is_external=True)
    r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    paragraph._p.append(parse_xml(f'<w:hyperlink {W} {r} r:id="{name}"><w:r><w:t>press</w:t></w:r></w:hyperlink>'))
    out = io.BytesIO()
    document.save(out)
    assert read("a.docx", out.getvalue()).text == "press\n"


# --- what must be refused ----------------------------------------------------------------------------------------


def entities() -> bytes:
    body = f'<!DOCTYPE w [<!ENTITY a "{"x" * 100}">]><w:document {W}><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p>'
    return word("x", word__document_xml=f"{body}</w:body></w:document>".encode())


def locked() -> bytes:
    data = bytearray(word("x"))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(sign)
        while start >= 0:
            data[start + at] |= 1
            start = data.find(sign, start + 4)
    return bytes(data)


def archive(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "make", "says"),
    [
        ("a.docx", lambda: b"Just words.", "no Word document"),
        ("a.docx", lambda: b"%PDF-1.7", "a PDF"),
        ("a.docx", lambda: OLD_WORD, "old Word"),
        ("a.doc", lambda: OLD_WORD, "old Word"),
        ("a.docx", lambda: OLD_WORD + "EncryptedPackage".encode("utf-16-le"), "locked by a password"),
        ("a.docx", locked, "locked by a password"),
        ("a.docx", lambda: b"\x89PNG\r\n\x1a\n", "PNG"),
        ("a.xlsx", lambda: archive("xl/workbook.xml"), "an Excel workbook"),
        ("a.odt", lambda: archive("content.xml"), "an OpenDocument file"),
        ("a.zip", lambda: archive("a.txt"), "a ZIP archive"),
        ("a.docx", lambda: word("x")[:-200], "damaged"),
        ("a.docx", lambda: b"PK\x03\x04 and no more", "damaged"),
        ("a.docx", lambda: word("x", word__document_xml=b"<w:document>"), "damaged"),
        ("a.docx", entities, "damaged"),
        ("a.docx", lambda: word("x", word__document_xml=b" " * (MOST_WORDS + 1)), "unpacks to"),
        ("a.docx", lambda: word("x", word__media__a=b"\0" * 100 * 2**20), "unpacks to"),
        ("a.docx", lambda: b"PK\x03\x04" + b"a" * LIMIT, "too large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_is_refused_in_one_sentence_before_it_costs_anything(
    name: str, make: Callable[[], bytes], says: str
) -> None:
    data = make()
    began = time.process_time()
    with pytest.raises(DocumentError, match=says) as raised:
        read(name, data)
    assert str(raised.value).startswith(name)
    assert "\n" not in str(raised.value)
    assert time.process_time() - began < 2


def test_a_word_file_takes_time_in_step_with_its_length() -> None:
    def seconds(n: int) -> float:
        data = render("A **bold** word.\n\n- item\n\n" * n)
        began = time.process_time()
        read("a.docx", data)
        return time.process_time() - began

    seconds(10)
    assert seconds(1_200) < 8 * seconds(300) + 0.5


# --- files on disk -----------------------------------------------------------------------------------------------


def test_a_word_file_on_disk_is_opened_whatever_its_name(tmp_path: Path) -> None:
    for name in ("测试.docx", "מסמך.docx", "🙂.docx"):
        (tmp_path / name).write_bytes(word("你好。"))
        assert read_file(tmp_path / name).text == "你好。\n"


def test_both_languages_have_the_same_words_for_files() -> None:
    for name in ("OPENED", "REPORT", "VERDICTS", "SEVERITIES", "STATES", "NAMES"):
        assert getattr(files_en, name).keys() == getattr(files_zh, name).keys()
