"""Repetition: doubled words, sentences, beginnings."""

import pytest

from refine.checks import run
from tests.checks.mending import mended


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("We met the the mayor.", "We met the mayor."),
        ("We met the\nthe mayor.", "We met the mayor."),
        ("The the mayor came.", "The mayor came."),
        ("It is is fine.", "It is fine."),
        ("She was was late.", "She was late."),
    ],
)
def test_a_doubled_word_goes(wrong, right):
    assert mended(wrong) == right


@pytest.mark.parametrize(
    "text",
    [
        "He had had enough, and that that was so.",
        "What it is is a mistake.",
        "She gave her her coat.",
        "We saw Duran Duran in New York.",
        "It was a long, long way, and very very far.",
        "We slipped in in silence.",
        "Call 555 555 now.",
    ],
)
def test_twice_on_purpose_stays(text):
    assert mended(text) == text


def test_a_sentence_said_again_soon_is_a_slip():
    sentence = "The council agreed to mend the roof of the hall before the winter came."
    found = run("repeats", f"{sentence} Nobody was against it at all. {sentence} Then they went home.")
    assert [finding.severity for finding in found if finding.rule == "repeats.sentence"] == ["should"]


def test_a_refrain_is_not():
    verse = "and still we walk the line,\nand still we bend and turn\n"
    assert not [f for f in run("repeats", f"{verse}\nthe tide\n\n{verse}") if f.severity != "may"]


def test_three_sentences_that_begin_alike_are_a_hint():
    found = run("repeats", "She came in. She sat down. She said nothing. We waited.")
    assert [(finding.rule, finding.severity) for finding in found] == [("repeats.start", "may")]


GERMAN = (
    "Das ist das Haus, das das Kind gesehen hat. Wir haben gestern mit den Leuten gesprochen, die die Stadt kennen. "
    "Er sagt, dass er morgen kommt und nicht nach Hause geht, weil er dort keine Freunde mehr hat.\n"
)


@pytest.mark.parametrize("language", ["de", "en", ""])
@pytest.mark.parametrize("check", ["repeats", "grammar", "wording", "typography"])
def test_the_rules_of_english_keep_away_from_other_languages(check, language):
    assert run(check, GERMAN, {"language": language}) == ()


def test_a_short_text_that_tells_little_is_read_as_english():
    assert mended("Teh harbour harbour.") == "The harbour."
