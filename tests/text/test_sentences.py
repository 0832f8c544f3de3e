"""Sentences, in both languages and in Markdown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.text.sentences import sentences


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("...", []),
        ("Hello world", ["Hello world"]),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith met J. K. Rowling. They spoke.", ["Dr. Smith met J. K. Rowling.", "They spoke."]),
        ("Fruit, e.g. Apples, is sweet. Yes.", ["Fruit, e.g. Apples, is sweet.", "Yes."]),
        ("See No. 5 and Fig. 3. No. I won't.", ["See No. 5 and Fig. 3.", "No.", "I won't."]),
        (
            "The U.S. Senate sat. I love the U.S. The sun rose.",
            ["The U.S. Senate sat.", "I love the U.S.", "The sun rose."],
        ),
        ("It costs 3.5 dollars. Version 1.2.3 is out.", ["It costs 3.5 dollars.", "Version 1.2.3 is out."]),
        ("At 5 p.m. EST we go. At 5 p.m. John left.", ["At 5 p.m. EST we go.", "At 5 p.m.", "John left."]),
        ("Go to plan B. Then stop.", ["Go to plan B.", "Then stop."]),
        ("“Stop!” he said. “Go.” She left.", ["“Stop!” he said.", "“Go.”", "She left."]),
        ("He (really!) left. (He did.) She stayed.", ["He (really!) left.", "(He did.)", "She stayed."]),
        ("Well... maybe. Wait... What?", ["Well... maybe.", "Wait...", "What?"]),
        ("We sell phones. iPhone sales rose.", ["We sell phones.", "iPhone sales rose."]),
        ("Read https://a.com/b.C. Then `x. Y` runs.", ["Read https://a.com/b.C.", "Then `x. Y` runs."]),
        ("**Bold.** Next.", ["**Bold.**", "Next."]),
        ("wrapped\nline. End.", ["wrapped\nline.", "End."]),
        ("他走了。真的吗？！是的……也许。", ["他走了。", "真的吗？！", "是的……", "也许。"]),
        ("“你好！”他说。（他走了。）她留下。", ["“你好！”", "他说。", "（他走了。）", "她留下。"]),
        ("他看《你好！》这本书（真的！）很久。", ["他看《你好！》这本书（真的！）很久。"]),
        ("版本3.5发布了。价格是1.5万元！", ["版本3.5发布了。", "价格是1.5万元！"]),
        ("# Title\nText. More", ["Title", "Text.", "More"]),
        ("Title\n=====\nText", ["Title", "Text"]),
        ("- one\n- two. Three\n  wrapped\n1. four\n- [ ] five", ["one", "two.", "Three\n  wrapped", "four", "five"]),
        ("1、第一点\n2、第二点", ["第一点", "第二点"]),
        ("a\n\nb", ["a", "b"]),
        ("> quoted. Text", ["quoted.", "Text"]),
        ("| a | b c |\n|---|---|\n| d | e |", ["a", "b c", "d", "e"]),
        ("Run:\n\n```py\na. B\n\nc. D\n```\nDone.", ["Run:", "```py\na. B\n\nc. D\n```", "Done."]),
        ("---\ntitle: A. B\n---\nText.", ["---\ntitle: A. B\n---", "Text."]),
    ],
)
def test_sentences_end_where_a_reader_stops(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from('.。!?…"”’ \n#-`>|1aA'), max_size=60))
@settings(max_examples=200)
def test_places_rise_and_hold_no_outer_space(text: str) -> None:
    last = 0
    for start, end in sentences(text):
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        last = end
