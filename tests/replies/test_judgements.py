"""What a judge's reply means: read where it says so in a field or a line of its own, and never guessed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from refine.replies import read_verdict
from refine.replies.judgements import (
    LONGEST,
    MOST_EVIDENCE,
    Judgement,
    read_evidence,
    read_judgement,
    read_preference,
)
from refine.text.language import language_of
from refine.types import Finding
from refine.words.rubric import RUBRIC, dimensions, told

CORPUS = YAML(typ="safe").load((Path(__file__).parent / "judgements.yaml").read_text(encoding="utf-8"))
EXAMPLES = 1_000


def scores(text: str | None) -> dict[str, float]:
    found = read_judgement(text)
    return dict(found.scores) if found else {}


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["why"][:60])
def test_a_reply_is_read_as_a_person_would_read_it(case: dict[str, Any]) -> None:
    if "scores" in case:
        assert scores(case["text"]) == case["scores"]
        assert (read_judgement(case["text"]) is None) == (case["scores"] == {})
    if "better" in case:
        assert (read_preference(case["text"]) or "none") == case["better"]
    if "quotes" in case:
        assert [finding.quote for finding in read_evidence(case["text"])] == case["quotes"]


def test_the_corpus_speaks_both_languages() -> None:
    assert len(CORPUS) >= 60
    chinese = [case for case in CORPUS if any("一" <= sign <= "鿿" for sign in case["text"])]
    assert len(chinese) >= 20


def test_what_is_missing_is_none_and_nothing_has_to_be_acted_on() -> None:
    assert read_judgement(None) is None
    assert read_preference(None) is None
    piece = {"quote": "a", "dimension": "Readability", "severity": "must", "remark": "r", "suggestion": "s"}
    assert read_judgement(json.dumps({"evidence": [piece], "scores": {"clarity": 5}})) == Judgement(
        {"clarity": 5.0}, (Finding("a", dimension="clarity", severity="may", remark="r"),)
    )


def test_scores_come_in_the_order_of_the_rubric() -> None:
    backwards = dict.fromkeys(reversed([*RUBRIC]), 5)
    assert list(scores(json.dumps({"scores": backwards}))) == list(RUBRIC)


def test_a_flood_of_evidence_is_cut() -> None:
    flood = [{"quote": f"q{n}", "remark": "r"} for n in range(500)]
    assert len(read_evidence(json.dumps({"evidence": flood, "scores": {"clarity": 1}}))) == MOST_EVIDENCE


def test_a_reply_that_never_ends_is_not_read() -> None:
    reply = json.dumps({"evidence": [{"quote": "q" * LONGEST}], "scores": {"clarity": 1}})
    assert read_judgement(reply) is None


@pytest.mark.parametrize("digits", [30, 400, 5_000])
def test_a_number_too_large_for_any_scale_is_left_out(digits: int) -> None:
    number = "1" + "0" * digits
    assert scores(f'{{"scores": {{"clarity": {number}, "style": 8}}}}') in ({"style": 8}, {})
    assert read_preference(f'{{"better": {number}}}') is None
    assert read_verdict(f'{{"verdict": "approved", "score": {number}}}').score is None


# --- the rubric --------------------------------------------------------------------------------------------------


def test_the_rubric_says_in_both_languages_what_0_5_and_10_mean() -> None:
    assert list(RUBRIC) == ["clarity", "style", "correctness", "faithfulness", "brief"]
    for known in RUBRIC.values():
        assert known.names.keys() == known.levels.keys() == {"en", "zh"}
        assert all(len(set(levels)) == 3 for levels in known.levels.values())
    for language in ("en", "zh"):
        lines = told(RUBRIC, language).splitlines()
        assert [line[2:].partition(":")[0].partition("（")[0] for line in lines] == list(RUBRIC)
        assert language_of(told(RUBRIC, language)) == language


def test_no_name_stands_for_two_dimensions() -> None:
    names = [name for known in RUBRIC.values() for name in (*known.names.values(), *known.also)]
    assert len(names) == len(set(names))


def test_a_text_is_not_asked_to_keep_what_there_was_not() -> None:
    assert dimensions(original=True, brief=True) == tuple(RUBRIC)
    assert dimensions(original=False, brief=False) == ("clarity", "style", "correctness")


# --- for any text ------------------------------------------------------------------------------------------------

PIECES = [
    '{"scores": {', '{"evidence": [', '"clarity": 8', '"style": "7/10"', ", ", "}", "}}", "]", '{"better": ', '"1"',
    "2", '"same"', "{“", "”：", "｛", "｝", "，", "：", "```json\n", "```", "\n", "> ", "| clarity | 8 |\n",
    "Clarity: 8\n", "清楚：8 分\n", "Better: 1", "更好：2", "<think>", "</think>",
    "clarity", "清楚", "（", "）", "(", ")", "8", "10", "11",
    "-1", "/10", "分", "true", "null", "'", '"', "\\", "\u200b", "\x00", "{", "[", "1e999", "NaN", "**", ": ",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=14).map("".join)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_any_text_is_read_or_not_and_nothing_leaves_the_scale(text: str) -> None:
    found = read_judgement(text)
    assert found is None or (found.scores and found.scores.keys() <= RUBRIC.keys())
    assert found is None or all(0 <= score <= 10 for score in found.scores.values())
    assert read_preference(text) in (None, "1", "2", "same")
    assert all(finding.severity == "may" for finding in read_evidence(text))


numbers = st.one_of(st.integers(0, 10), st.floats(0, 10, allow_nan=False).map(lambda number: round(number, 2)))
judgements = st.dictionaries(st.sampled_from(list(RUBRIC)), numbers, min_size=1)


@settings(max_examples=200, deadline=None)
@given(judgements, st.text(max_size=40), st.sampled_from(["{}", "```json\n{}\n```", "Well:\n{}\nThat is all.", "{}\n"]))
def test_whatever_was_written_as_asked_is_read_as_it_was(
    given_scores: dict[str, float], quote: str, around: str
) -> None:
    reply = around.replace("{}", json.dumps({"evidence": [{"quote": quote, "remark": "r"}], "scores": given_scores}))
    assert scores(reply) == {name: float(score) for name, score in given_scores.items()}


@settings(max_examples=200, deadline=None)
@given(judgements, st.integers(1, 10_000))
def test_what_was_cut_off_gives_no_score(given_scores: dict[str, float], cut: int) -> None:
    whole = json.dumps({"evidence": [{"quote": "q", "remark": "r"}], "scores": given_scores})
    assert read_judgement(whole[: min(cut, len(whole) - 1)]) is None


ADVERSARIES = [
    '{"a":1}', '{"scores": {"clarity": 8}}', "clarity: 8\n", "“", "｛", '{"a"：', '"', '[{"name":"clarity","score":8},',
    "(a", "Better: 1\n", "clarity (", "{“a”", "|a|\n", "8 ", "：", "<think>", "{", "[", "\\\"",
]  # fmt: skip


@pytest.mark.parametrize("piece", ADVERSARIES)
@pytest.mark.parametrize("read", [read_judgement, read_preference, read_evidence])
def test_time_grows_no_faster_than_the_reply(read: Callable[[str], object], piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        began = time.process_time()
        read(text)
        return time.process_time() - began

    read(piece * 50)
    limit = max(min(seconds(20_000) for _ in range(2)), 0.05) * 8
    assert min(seconds(80_000) for _ in range(2)) < limit
