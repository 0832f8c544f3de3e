"""Which language, and how many words."""

import pytest

from refine.text.language import language_of
from refine.text.words import count, reading_minutes


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ""),
        ("The cat sat on the mat.", "en"),
        ("I was here.", "en"),
        ("We use 微信 to talk to the team, and it is fine for all of us.", "en"),
        ("用Python写代码很有趣。", "zh"),
        ("繁體中文也算。", "zh"),
        ("```\nfor the and of in\n```\n你好", "zh"),
        ("これは日本語のテキストです。", ""),
        ("Die Katze sitzt auf der Matte und es war in Berlin.", ""),
        ("Le chat est sur la table et il a faim.", ""),
        ("Привет, как дела?", ""),
        ("12345 !!!", ""),
    ],
)
def test_language_of_a_text(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("!? ... —", 0),
        ("It's a well-known 3.14 test.", 5),
        ("and/or", 2),
        ("See https://a.com/b?c=d now", 3),
        ("你好，世界。", 4),
        ("用Python写", 3),
        ("cafe\u0301 हिन्दी", 2),
    ],
)
def test_words_are_counted_as_a_reader_does(text: str, words: int) -> None:
    assert count(text) == words


def test_reading_time_is_rounded_up() -> None:
    assert reading_minutes("") == 0
    assert reading_minutes("word") == 1
    assert reading_minutes("word " * 231) == 2
    assert reading_minutes("字" * 800) == 2
