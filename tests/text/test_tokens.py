"""Tokens: whatever the text, nothing is lost, and nothing is cut that a reader sees as one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.text.tokens import tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
"""Lone surrogates, NUL and unassigned code points included."""

HARD = st.text(st.sampled_from("aé中。 \n\r\u0301\u200d\ufe0f👩💻🏽🇨🇳\ud83d\ude00.,'-3\x00あ"), max_size=40)


@given(ANY_TEXT | HARD)
@settings(max_examples=200)
def test_tokens_join_to_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text
    assert all(tokens(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("It's 3.14, well-known.", ["It's", " ", "3.14", ",", " ", "well-known", "."]),
        ("don’t  stop\n\nnow", ["don’t", "  ", "stop", "\n\n", "now"]),
        ("采纳3月。", ["采", "纳", "3", "月", "。"]),
        ("用Python写", ["用", "Python", "写"]),
        ("一ab", ["一", "ab"]),
        ("snake_case", ["snake", "_", "case"]),
        ("1,000,000 km", ["1,000,000", " ", "km"]),
        ("-5", ["-", "5"]),
        ("👩‍👩‍👧‍👦!", ["👩‍👩‍👧‍👦", "!"]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("🇨🇳🇫🇷", ["🇨🇳", "🇫🇷"]),
        ("❤️‍🔥❤️", ["❤️‍🔥", "❤️"]),
        ("1️⃣2", ["1️⃣2"]),
        ("cafe\u0301s", ["cafe\u0301s"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("हिन्दी भाषा", ["हिन्दी", " ", "भाषा"]),
        ("カ\u3099", ["カ\u3099"]),
    ],
)
def test_a_token_is_what_a_reader_sees_change(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected
