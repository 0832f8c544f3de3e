"""Sections: headings divide a text without losing a character."""

from hypothesis import given, settings
from hypothesis import strategies as st

from refine.text.sections import Section, sections


def test_headings_of_both_kinds_divide_a_text() -> None:
    text = "Before.\n# One #\ntext\n## Two\n\nThree\n-----\nend"
    assert [(s.heading, s.level) for s in sections(text)] == [("", 0), ("One", 1), ("Two", 2), ("Three", 2)]


def test_what_only_looks_like_a_heading_is_none() -> None:
    text = "#no\n```\n# code\n```\n---\n# not: matter\n---\nlong\nparagraph\n---\n- item\n---\n####### seven"
    assert [s.heading for s in sections(text)] == ["", "not: matter"]
    assert [s.heading for s in sections("---\n# yaml comment\na: b\n---\n# Real C#\n")] == ["", "Real C#"]


def test_a_text_without_headings_is_one_section() -> None:
    assert sections("") == []
    assert sections("a") == [Section("", 0, 0, 1)]


@given(st.text(st.sampled_from("#ab \n=-`"), max_size=40))
@settings(max_examples=200)
def test_sections_cover_the_text(text: str) -> None:
    assert "".join(text[s.start : s.end] for s in sections(text)) == text
