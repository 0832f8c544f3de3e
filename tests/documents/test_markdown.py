"""Markdown understood: nothing of a text is lost, and nothing in it is more than text."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.token import Token

from refine.documents.markdown import clean, parse, safe_link
from refine.documents.page import body
from tests.documents.hostile import HOSTILE


def words(tokens: list[Token]) -> str:
    pieces = [piece for token in tokens for piece in (token.children or [token])]
    return " ".join(piece.content for piece in pieces)


@given(st.text(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), min_size=1, max_size=40))
@settings(max_examples=100, deadline=None)
def test_no_word_is_lost(text: str) -> None:
    assert text in words(parse(clean(text)))


def test_front_matter_is_kept_as_code() -> None:
    tokens = parse("---\ntitle: x\n---\n# Head\n")
    assert (tokens[0].type, tokens[0].content) == ("fence", "---\ntitle: x\n---\n")
    assert tokens[1].type == "heading_open"


def test_a_definition_that_no_link_uses_is_kept_as_written() -> None:
    assert "[Note]: http://a.example" in words(parse("Text.\n\n[Note]: http://a.example\n"))
    assert "[n]:" not in words(parse("A [link][n].\n\n[n]: http://a.example\n"))


def test_a_text_with_too_many_levels_is_kept_as_it_stands() -> None:
    deep = "> " * 60 + "deep inside"
    assert [token.type for token in parse(deep)] == ["fence"]
    assert "deep inside" in words(parse(deep))


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://a.example", True),
        ("HTTP://a.example", True),
        ("mailto:a@b.example", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        ("//a.example", False),
        ("a.html", False),
        ("", False),
    ],
)
def test_only_links_to_the_web_and_to_mail_are_links(address: str, safe: bool) -> None:
    assert safe_link(address) is safe


@pytest.mark.parametrize(
    "text", ["[a](/b)", "[a](//b.example)", "[a](ftp://b.example)", "[a](javascript:b)", "<ftp:b>"]
)
def test_any_other_link_is_shown_as_written(text: str) -> None:
    assert words(parse(text)).strip() == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Kind regards,\nAnna", "Kind regards,<br />\nAnna"),
        ("第一行文字\n第二行文字" * 10, "第一行文字<br />\n第二行文字"),
        (f"{'word ' * 14}\nand so on", "word\nand so on"),
    ],
)
def test_line_ends_that_are_meant_are_kept(text: str, shown: str) -> None:
    assert shown in body(text)


@pytest.mark.parametrize("text", ["**注意：**后文", "他说**“好。”**然后**走**了"])
def test_emphasis_needs_no_spaces_in_chinese(text: str) -> None:
    assert "*" not in words(parse(text))


def test_escaped_stars_stay_stars() -> None:
    assert body(r"\*\*中：\*\*文") == '<p dir="auto">**中：**文</p>\n'


def test_controls_and_halves_of_signs_are_taken_out() -> None:
    assert clean("a\x00b\x07c\ud800d\r\ne\rf\tg\ufffe") == "abcd\ne\nf\tg"


HARD = [
    "[",
    "![",
    "*a ",
    "_",
    "`a``b",
    "<a",
    "](",
    "&amp",
    "\\",
    "~~a ",
    "字",
    "> ",
    "- ",
    "|a",
    "[a](http://x ",
    "=1+1 ",
]


@pytest.mark.parametrize("unit", HARD)
def test_a_long_line_takes_time_in_step_with_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        began = time.process_time()
        body(text)
        return time.process_time() - began

    body(unit)
    assert seconds(40_000) < 8 * seconds(10_000) + 0.5


def test_hostile_words_are_all_still_there() -> None:
    said = words(parse(HOSTILE))
    for word in ("onerror=alert(2)", "remote", "javascript:alert(3)", "file:///etc/passwd", "=HYPERLINK", "<iframe"):
        assert word in said
