"""Plain text in: what users really have on their disks, and no silent nonsense."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.documents import read_file
from refine.documents.plain import LIMIT, look
from refine.errors import DocumentError


def read(data: bytes, name: str = "", encoding: str = "") -> str:
    return look(data, name, encoding).text


SIMPLIFIED = "产品上线以后，团队发现用户增长明显放缓。原因有三个：价格、体验、服务。\n我们打算在三月修改方案！"
TRADITIONAL = "產品上線以後，團隊發現使用者增長明顯放緩。原因有三個：價格、體驗、服務。\n我們打算在三月修改方案！"
FRENCH = "L'été dernier, nous avons été très déçus par les résultats à l'école – c’est «fini».\nÇa va?"
ENGLISH = "It’s a “smart” quote — and 5 € for a café.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((text, e) for text in (SIMPLIFIED, TRADITIONAL, FRENCH, ENGLISH) for e in ("utf-8", "utf-8-sig")),
        *(
            (text, e)
            for text in (SIMPLIFIED, TRADITIONAL, FRENCH, ENGLISH)
            for e in ("utf-16", "utf-16-le", "utf-16-be")
        ),
        (SIMPLIFIED, "gb18030"),
        (SIMPLIFIED, "gbk"),
        (TRADITIONAL, "gb18030"),
        (TRADITIONAL, "big5"),
        (SIMPLIFIED, "utf-32"),
        ("中文", "gb18030"),
        ("编码测试文本", "gb18030"),
        ("编码测试文本", "utf-16-le"),
        ("繁體中文", "big5"),
        (FRENCH, "cp1252"),
        (ENGLISH, "cp1252"),
        ("Hello\nthere", "utf-16-le"),
        ("Plain.", "ascii"),
    ],
)
def test_a_text_is_read_in_the_encoding_it_was_saved_in(text: str, encoding: str) -> None:
    assert read(text.encode(encoding)) == text


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn"), exclude_characters="\ufeff"), max_size=50))
@settings(max_examples=200)
def test_every_utf8_text_is_read_as_it_stands(text: str) -> None:
    assert read(text.encode()) == text


@given(st.binary(max_size=60))
@settings(max_examples=200)
def test_bytes_give_clean_text_or_a_clear_error(data: bytes) -> None:
    try:
        said = read(data, "x.txt")
    except DocumentError as error:
        said = str(error).removeprefix("x.txt is")
    assert "x.txt" not in said
    assert "\r" not in said
    assert "\x00" not in said


def test_empty_stays_empty() -> None:
    assert read(b"") == ""
    assert read(b"\xef\xbb\xbf") == ""


def test_line_ends_become_one_kind() -> None:
    assert read(b"a\r\nb\rc\nd\r\r\ne") == "a\nb\nc\nd\n\ne"


def test_nul_and_controls_are_removed_and_counted() -> None:
    reading = look(b"It is a long enough te\x00xt with a b\x07ell.\tTab stays.\n")
    assert reading.text == "It is a long enough text with a bell.\tTab stays.\n"
    assert reading.removed == 2
    assert reading.encoding == "utf-8"


def test_the_user_may_choose_the_encoding() -> None:
    assert read("été".encode("cp1252"), encoding="cp1252") == "été"
    with pytest.raises(DocumentError, match="utf-8"):
        read(b"\xff\xff", encoding="utf-8")
    with pytest.raises(DocumentError, match="nonsense"):
        read(b"a", encoding="nonsense")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\x7fELF\x02", "program"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Word"),
        (b"{\\rtf1 hello}", "RTF"),
        (bytes(range(32)) * 20, "binary"),
        (b"\x00" * 500, "binary"),
    ],
)
def test_a_binary_file_is_named_for_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(DocumentError, match=what) as caught:
        read(data, "draft.md")
    assert "draft.md" in str(caught.value)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
def test_an_unknown_encoding_is_refused_rather_than_guessed(encoding: str) -> None:
    with pytest.raises(DocumentError, match="Save it as UTF-8"):
        read("Привет, как дела? Это текст на русском языке.".encode(encoding))


def test_a_broken_utf8_file_is_refused() -> None:
    with pytest.raises(DocumentError):
        read(SIMPLIFIED.encode()[:-2] + b"\xff\xff")


def test_a_file_that_is_too_large_is_refused() -> None:
    assert len(read(b"a" * LIMIT)) == LIMIT
    with pytest.raises(DocumentError, match="too large"):
        read(b"a" * (LIMIT + 1))


def test_files_are_read_whatever_their_name(tmp_path: Path) -> None:
    for name in ("测试.md", "מסמך.txt", "🙂.txt", "two words.md"):
        (tmp_path / name).write_bytes(SIMPLIFIED.encode())
        assert read_file(tmp_path / name).text == SIMPLIFIED
        assert read_file(str(tmp_path / name)).text == SIMPLIFIED


def test_a_missing_file_a_folder_and_a_bad_name_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="There is no file"):
        read_file(tmp_path / "none.md")
    with pytest.raises(DocumentError, match="folder"):
        read_file(tmp_path)
    with pytest.raises(DocumentError, match="cannot be read"):
        read_file("a\x00b")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DocumentError, match="cannot be read"):
        read_file(tmp_path / "file" / "below")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read every file")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("x")
    (tmp_path / "secret.md").chmod(0)
    with pytest.raises(DocumentError, match="permissions"):
        read_file(tmp_path / "secret.md")
