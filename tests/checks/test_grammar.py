"""Grammar: what must be mended, and what must not be touched."""

import pytest

from refine.checks import run
from tests.checks.mending import HERE, mended, serious

MENDED = [line.split(" => ") for line in (HERE / "mended_sentences.txt").read_text("utf-8").splitlines()]
RIGHT = (HERE / "right_sentences.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(("wrong", "right"), MENDED)
def test_a_slip_is_mended(wrong, right):
    assert mended(wrong) == right


@pytest.mark.parametrize("sentence", RIGHT)
def test_a_right_sentence_is_left_alone(sentence):
    assert serious(sentence) == []
    assert mended(sentence) == sentence


def test_words_in_quotation_marks_are_only_remarked_on():
    text = "He said “I seen the the cat”, and left."
    assert mended(text) == text
    assert {finding.severity for finding in run("grammar", text)} == {"may"}


def test_code_and_addresses_are_not_read():
    text = "Use `teh dont` and see https://example.org/teh/dont for more.\n\n```\nwe was ,here  the the\n```\n"
    assert not serious(text)


def test_the_authors_words_are_no_mistakes():
    text = "The zorgle was late."
    assert run("grammar", text)
    assert not run("grammar", text, {"words": ["Zorgle"]})


def test_a_word_of_the_code_is_no_mistake():
    text = "Call `fastcsvx` twice. The fastcsvx tool is small."
    assert not run("grammar", text)


def test_names_inside_a_sentence_are_nobodys_business():
    assert not run("grammar", "We met Jonas Wrabel and Ines Quillot in Thessolny.")


def test_british_and_american_texts_are_both_right():
    assert not serious("The colour of the harbour was grey, and we organised a programme.")
    assert not serious("The color of the harbor was gray, and we organized a program.")


def test_an_unknown_word_near_a_common_one_is_a_question():
    finding = run("grammar", "The noice was loud.")[0]
    assert finding.replacement is None
    assert "noise" in finding.options
    assert finding.severity == "should"


def test_an_unknown_word_near_nothing_is_no_more_than_a_hint():
    finding = run("grammar", "The snarklewump was loud.")[0]
    assert (finding.severity, finding.replacement) == ("may", None)


def test_a_bare_verb_in_a_story_is_a_choice_of_tenses():
    story = "It was cold. She had walked for hours and was tired. He hold out a letter and she looked at it."
    finding = next(f for f in run("grammar", story) if f.quote == "hold")
    assert finding.replacement is None
    assert set(finding.options) == {"held", "holds"}


def test_the_capital_of_a_sentence_and_the_curly_apostrophe_stay():
    assert mended("Its a nice day. It’s fine. I’m sure.") == "It’s a nice day. It’s fine. I’m sure."


def test_a_fact_is_worth_more_than_a_correction():
    finding = next(f for f in run("grammar", "We are late, and Im sorry.") if f.quote == "Im")
    assert (finding.replacement, finding.suggestion) in {("I'm", None), (None, "I'm")}


def test_chinese_has_no_english_grammar():
    assert not run("grammar", "今天天气很好，我们去公园。")


def test_remarks_come_in_the_language_of_the_text():
    assert "apostrophe" in run("grammar", "We dont know.")[0].remark
    assert "全角" in run("typography", "今天很好,我们走。")[0].remark
