"""Wording: the phrase table mends, taste only tells."""

import re

import pytest

from refine.checks import run
from refine.checks.phrases import SURE, TASTE
from refine.checks.wording import phrases
from tests.checks.mending import mended


@pytest.mark.parametrize(
    ("wordy", "short"),
    [
        ("Due to the fact that it rained, we stayed.", "Because it rained, we stayed."),
        ("We came in order to help.", "We came to help."),
        ("At this point in time nothing is known.", "Now nothing is known."),
        ("A large number of people came.", "Many people came."),
        ("The tool has the ability to read files.", "The tool can read files."),
        ("The vast majority of the houses are old.", "Most of the houses are old."),
        ("It should be noted that the lamp is hot.", "The lamp is hot."),
        ("We meet on a weekly basis.", "We meet weekly."),
        ("He made a decision to leave.", "He decided to leave."),
        ("It was an unexpected surprise.", "It was a surprise."),
    ],
)
def test_a_wordy_phrase_gets_short(wordy, short):
    assert mended(wordy) == short


@pytest.mark.parametrize(
    "sentence",
    [
        "They don't have the ability to pay.",
        "She will have the ability to choose.",
        "He put the books in order to please her.",
        "We must know whether or not he has done it.",
        "The front-end result was fine.",
        "She wrote a book on the subject of whales.",
        "So as not to wake him, she whispered.",
        "As far as regards him, nothing is known.",
    ],
)
def test_a_phrase_with_a_reason_stays(sentence):
    assert mended(sentence) == sentence


def test_taste_never_mends():
    found = run("wording", "The report was written by Anna, and it was very good at the end of the day.")
    assert {finding.rule for finding in found} >= {"wording.passive", "wording.intensifier", "wording.cliche"}
    assert all(finding.severity == "may" and finding.replacement is None for finding in found)


def test_legal_language_is_only_suggested_to():
    text = "The Tenant shall pay. The Landlord shall, prior to entry, give notice pursuant to clause 3 hereof."
    assert all(finding.replacement is None for finding in run("wording", text))


def test_a_quotation_keeps_its_words():
    text = "He wrote “we came in order to help” on the wall."
    assert mended(text) == text


def test_a_phrase_across_a_line_end_is_seen():
    assert mended("We came in\norder to help.") == "We came to help."


def test_every_row_can_be_filled():
    for table in (SURE, TASTE):
        for phrase in phrases(table):
            groups = phrase.find.groups
            phrase.short.format(*["x"] * groups)
            assert re.search(r"\w", phrase.wordy)


def test_the_table_is_worth_its_name():
    assert len(phrases(SURE)) + len(phrases(TASTE)) >= 200
