"""Words measured, texts counted, and the draft looked into, in both languages."""

from __future__ import annotations

import pytest

from refine import tools
from refine.tools import Observation, Surroundings

DRAFT = "The Cat sat. A cat and two cats!\n\nConcatenate  the\ncat.\n\n猫在这里。一只猫。"


def use(tool: str, language: str = "en", draft: str = DRAFT, **arguments: str) -> Observation:
    return tools.call(tool, arguments, [tool], Surroundings(draft, language))


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("strawberry", "letters in “strawberry”: 10"),
        ("well-known", "letters in “well-known”: 9"),
        ("don't", "letters in “don't”: 4"),
        ("nai\u0308ve", "letters in “nai\u0308ve”: 5"),
        ("two words", "letters in “two”: 3\nletters in “words”: 5"),
        ("436", "letters and digits in “436”: 3"),
        ("草莓", "Chinese characters in “草莓”: 2"),
        ("A股市场", "Chinese characters in “A股市场”: 3"),
    ],
)
def test_letters_and_characters_are_counted(word: str, text: str) -> None:
    assert use("word_length", word=word) == Observation(text)


def test_letters_are_counted_in_chinese_words() -> None:
    assert use("word_length", "zh", word="草莓").text == "草莓：2 个汉字"
    assert use("word_length", "zh", word="cat").text == "cat：3 个字母"


@pytest.mark.parametrize("word", ["", "  ", "?!"])
def test_no_word_has_no_length(word: str) -> None:
    assert use("word_length", word=word) == Observation("There is no word in that. Give a word.", "failed")


def test_a_text_is_measured() -> None:
    assert use("text_statistics").text.splitlines() == [
        "words: 18",
        "Chinese characters: 7",
        "characters: 66 (52 without spaces)",
        "sentences: 5",
        "paragraphs: 3",
        "words in a sentence, on average: 3.6",
        "longest sentence: 5 words, “A cat and two cats!”",
        "reading time: about 1 min",
    ]


def test_a_given_text_is_measured_instead_of_the_draft() -> None:
    assert use("text_statistics", text="One two three.").text.startswith("words: 3\n")
    assert use("text_statistics", "zh", text="我们走吧。").text.startswith("词数：4\n汉字：4\n")
    assert use("text_statistics", text="!").text.startswith("words: 0\n")


@pytest.mark.parametrize("tool", ["text_statistics", "find_in_draft", "count_in_draft"])
def test_without_a_draft_there_is_nothing_to_look_into(tool: str) -> None:
    arguments = {} if tool == "text_statistics" else {"text": "cat"}
    assert use(tool, draft="", **arguments) == Observation("This run has no draft. Give the text itself.", "failed")
    assert use(tool, "zh", draft=" ", **arguments).text == "本次运行没有草稿。请直接给出文字。"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cat", "“cat” in the draft: 3 as a whole word, 2 inside other words"),
        ("CATS", "“CATS” in the draft: 1"),
        ("the cat", "“the cat” in the draft: 2"),
        ("猫", "“猫” in the draft: 2"),
        ("dog", "“dog” in the draft: 0"),
        (".*", "“.*” in the draft: 0"),
    ],
)
def test_words_and_passages_of_the_draft_are_counted(text: str, told: str) -> None:
    assert use("count_in_draft", text=text) == Observation(told)


def test_places_in_the_draft_are_shown_with_what_stands_around_them() -> None:
    seen = use("find_in_draft", text="the cat").text.splitlines()
    assert seen[0] == "places of “the cat” in the draft: 2, shown: 2"
    assert seen[1] == "line 1: The Cat sat. A cat and two cats! Concatenate…"
    assert seen[2].startswith("line 3: ") and "Concatenate the cat." in seen[2]
    assert use("find_in_draft", "zh", text="猫").text.startswith("“猫”在草稿中出现 2 次，列出 2 处：\n第 6 行：")
    assert use("find_in_draft", text="dog").text == "“dog” does not stand in the draft."


def test_of_many_places_ten_are_shown() -> None:
    seen = use("find_in_draft", draft="word " * 500, text="word").text
    assert seen.startswith("places of “word” in the draft: 500, shown: 10\n") and len(seen.splitlines()) == 11


@pytest.mark.parametrize("tool", ["find_in_draft", "count_in_draft"])
def test_nothing_is_not_looked_for(tool: str) -> None:
    assert use(tool, text="  ").error == "failed"
