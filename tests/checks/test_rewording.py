"""Other words for a flagged sentence: offered where the grammar is plain, and never put in."""

import pytest

import refine
from refine.checks import run
from refine.checks.rewording import active, split
from refine.findings import mend
from refine.views import as_json


@pytest.mark.parametrize(
    ("sentence", "two"),
    [
        (
            "We opened the shop at eight in the morning, and the first customers came in before the lamps were warm.",
            "We opened the shop at eight in the morning. The first customers came in before the lamps were warm.",
        ),
        (
            "The bridge was closed for repairs during all of August, but most of the traffic had found another way.",
            "The bridge was closed for repairs during all of August. But most of the traffic had found another way.",
        ),
        (
            "The printer needs a new drum before the end of May; the old one has already made eleven thousand pages.",
            "The printer needs a new drum before the end of May. The old one has already made eleven thousand pages.",
        ),
        (
            "I cycled to the harbour on the first warm day of the year and they waited for me with hot coffee.",
            "I cycled to the harbour on the first warm day of the year. They waited for me with hot coffee.",
        ),
    ],
)
def test_a_sentence_is_split_where_both_halves_are_whole(sentence, two):
    assert split(sentence, "en") == two


@pytest.mark.parametrize(
    "sentence",
    [
        "He said that the sky was blue and calm that evening, and the wind had gone to sleep over the far hills.",
        "If the pump stops in the night, call the office at once, and the engineer on duty will come within the hour.",
        "We bought apples and pears at the market on Friday, the bread that was left, and the cheese nobody wanted.",
        "She was so tired that she could not stand any longer (it was late, and the last bus had left at ten).",
        "The old man who lived next to the bakery and the young woman who lived above it never spoke to each other.",
        "Did you open the shop at eight in the morning, and the first customers came in before the lamps were warm?",
        "We came early, and they left.",
    ],
)
def test_a_sentence_that_would_come_apart_is_not_split(sentence):
    assert split(sentence, "en") is None


def test_a_chinese_sentence_is_split_before_a_turn_but_not_within_a_pair():
    turn = "我们早上八点就到了车站等第一班车，但是车晚点了整整四十分钟才慢慢地开进站台。"
    assert split(turn, "zh") == turn.replace("，但是", "。但是")
    assert split("虽然" + turn, "zh") is None


@pytest.mark.parametrize(
    ("passive", "turned"),
    [
        ("The report was written by the committee.", "The committee wrote the report."),
        ("The letters are opened by him.", "He opens the letters."),
        ("The plan was quickly approved by the city council.", "The city council quickly approved the plan."),
        ("He was followed by the police.", "The police followed him."),
        (
            "It is assumed by the library that all files are in UTF-8.",
            "The library assumes that all files are in UTF-8.",
        ),
    ],
)
def test_a_short_passive_is_turned(passive, turned):
    assert active(passive) == turned


@pytest.mark.parametrize(
    "sentence",
    [
        "The house was built by the river.",
        "The door was closed by hand.",
        "The letters were written by Friday.",
        "The bill was paid by my sister yesterday, who was angry.",
        "The dog and the cat were fed by the neighbour.",
        "The cup was broken by the end of the day.",
    ],
)
def test_a_passive_with_no_plain_agent_stays(sentence):
    assert active(sentence) is None


@pytest.mark.parametrize(
    ("text", "quote", "offer"),
    [
        ("It was a very old house.", "a very old", "an old"),
        ("It was an extremely large cake.", "an extremely large", "a large"),
        ("He was really tired.", "really tired", "tired"),
        ("That was not very good.", "very", None),
        ("Thank you very much.", "very", None),
        ("At the end of the day, we won.", "At the end of the day", "In the end"),
        ("Approximately ten came.", "Approximately", "About"),
    ],
)
def test_emphasis_and_worn_phrases_come_with_plain_words_where_nothing_changes(text, quote, offer):
    (finding,) = run("wording", text)
    assert (finding.quote, finding.suggestion, finding.severity) == (quote, offer, "may")


def test_an_offer_stands_among_the_findings_and_is_never_put_in():
    long = (
        "We opened the shop at eight in the morning on the first day of the fair, as the mayor had asked us to do in"
        " March, and the first customers came in before the lamps were warm and the coffee was ready for anybody."
    )
    text = f"{long}\n\nThe report was written by the committee.\n"
    found = (*run("sentences", text), *run("wording", text))
    offers = {finding.rule: finding.suggestion for finding in found}
    assert "do in March. The first customers" in (offers["sentences.long"] or "")
    assert offers["wording.passive"] == "The committee wrote the report."
    assert all(finding.replacement is None and not finding.options for finding in found)
    assert mend(text, found) == text


def test_the_offers_of_a_run_are_in_its_json_and_the_text_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    text = "# Notes\n\nThe report was written by the committee.\n"
    view = refine.refine_text(text, variant="offline", set={"options.choose": "off"})
    offers = {finding["quote"]: finding["suggestion"] for finding in as_json(view)["rounds"][0]["findings"]}
    assert offers == {"The report was written by the committee.": "The committee wrote the report."}
    assert (view.reason, view.text) == ("approved", text)
