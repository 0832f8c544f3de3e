"""What replies mean: the corpus of judged replies, and what must hold for any text at all."""

from __future__ import annotations

import gc
import os
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from refine.replies import read_draft, read_verdict, split_reasoning, visible
from refine.types import Finding, Verdict

CORPUS = Path(__file__).parent / "replies"
EXAMPLES = int(os.environ.get("REFINE_EXAMPLES", "100"))
"""Of any text at all, for each property. Run many more by hand: REFINE_EXAMPLES=5000 pytest tests/test_replies.py"""


def rows(pattern: str) -> list[Any]:
    found = []
    for path in sorted(CORPUS.glob(pattern)):
        for n, row in enumerate(YAML(typ="safe").load(path.read_text(encoding="utf-8"))):
            found.append(pytest.param(row, id=f"{path.stem}-{n}-{row['why'][:50]}"))
    return found


@pytest.mark.parametrize("row", rows("verdict-*.yaml"))
def test_a_verdict_is_read_as_a_human_judged_it(row: dict[str, Any]) -> None:
    assert read_verdict(row["text"], row.get("token", "APPROVED")).kind == row["kind"]


@pytest.mark.parametrize("row", rows("draft-*.yaml"))
def test_a_draft_is_read_as_a_human_judged_it(row: dict[str, Any]) -> None:
    assert read_draft(row["text"], row.get("token", "APPROVED")) == row["draft"]


# --- what a verdict holds besides its kind -------------------------------------------------------------------------


def test_each_item_of_a_list_is_a_finding_with_its_first_quotation_and_severity() -> None:
    verdict = read_verdict(
        '1. "very unique" is wrong: drop very.\n2. Must fix: "May 35" is no day.\n   It never was.\n3. Optional: a map.'
    )
    assert [(f.quote, f.severity) for f in verdict.findings] == [
        ("very unique", "should"),
        ("May 35", "must"),
        ("", "may"),
    ]
    assert verdict.findings[1].remark == 'Must fix: "May 35" is no day.\nIt never was.'


def test_a_heading_gives_the_items_under_it_their_severity() -> None:
    verdict = read_verdict('## Must fix\n- The date.\n- The name "Bob".\n\n## 可选\n- A map.')
    assert [f.severity for f in verdict.findings] == ["must", "must", "may"]


def test_free_text_without_quotations_is_one_finding() -> None:
    text = "The intro is too long. Please shorten it.\nThe ending is abrupt."
    assert [(f.remark, f.severity) for f in read_verdict(text).findings] == [(text, "should")]


def test_lines_with_quotations_are_findings_where_there_is_no_list() -> None:
    verdict = read_verdict("“其”指代不明。\n“据统计”没有出处。")
    assert [f.quote for f in verdict.findings] == ["其", "据统计"]


def test_the_remarks_in_an_approved_reply_are_optional() -> None:
    verdict = read_verdict("APPROVED\n\nOptional:\n- A map would be nice.\n- A shorter title, perhaps.")
    assert (verdict.kind, [f.severity for f in verdict.findings]) == ("approved", ["may", "may"])


def test_typed_findings_keep_their_fields() -> None:
    finding = '{"quote": "a", "severity": "critical", "dimension": "logic", "remark": "r", "suggestion": ""}'
    scores = '"score": "7/10", "scores": {"clarity": 8, "logic": 11}'
    verdict = read_verdict(f'Here it is:\n```json\n{{"findings": [{finding},], {scores}, "verdict": "revise"}}\n```')
    assert verdict == Verdict(
        "revise", 7.0, (Finding(quote="a", severity="must", dimension="logic", remark="r"),), {"clarity": 8.0}
    )


def test_a_score_is_read_from_words_and_nothing_outside_the_scale_counts() -> None:
    assert read_verdict("Clarity: 7/10\nOverall: 8.5/10\n\nAPPROVED") == Verdict("approved", 8.5, (), {"clarity": 7.0})
    assert read_verdict("评分：8\n结论：APPROVED").score == 8
    assert read_verdict('{"verdict": "approved", "score": 62}').score is None
    assert read_verdict('{"verdict": "approved", "score": true}').score is None


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "approved", "score": 6}',
        '{"verdict": "approved", "score": 62}',
        "Score: 6/10\n\nAPPROVED",
        '{"verdict": "approved", "score": 9, "findings": [{"severity": "must", "remark": "The date is wrong."}]}',
        '{"verdict": "approved", "comment": "Please fix the date first."}',
        '{"verdict": "approved"}\n\nBut please fix the title.',
        '{"verdict": "approved"}\n{"verdict": "revise"}',
        '{"verdict": "approved", "approved": false}',
    ],
)
def test_signals_that_disagree_do_not_approve(text: str) -> None:
    assert read_verdict(text, threshold=7).kind == "ambiguous"


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "APPROVED", "findings": [{"quote": "cut o',
        'The draft ends with {"verdict": "APPROVED"} and a blank page.',
        '> {"verdict": "APPROVED"}',
        "```\nAPPROVED\nGreat work.\n```",
        "APPROVED" + " Lovely." * 20_000,
    ],
)
def test_what_is_cut_off_quoted_in_code_or_endless_does_not_approve(text: str) -> None:
    assert read_verdict(text).kind != "approved"


@pytest.mark.parametrize(
    "text", ['{"approved": true}', '{"review": {"status": "Approved", "score": 9}}', '{"决定": "SHIP"}']
)
def test_a_field_that_approves_counts_as_a_verdict_line(text: str) -> None:
    assert read_verdict(text, "SHIP").kind == "approved"


@pytest.mark.parametrize("text", ["revise", "Verdict: REVISE", '{"verdict": "revise", "findings": []}', "不通过"])
def test_a_verdict_to_revise_always_has_a_finding(text: str) -> None:
    assert len(read_verdict(text).findings) == 1


def test_nothing_at_all_is_unclear_and_no_draft() -> None:
    assert read_verdict(None) == Verdict("ambiguous")
    assert read_draft(None) is None


def test_reasoning_is_told_apart_from_the_reply() -> None:
    assert split_reasoning("<think>a</think>\n\nb") == ("<think>a</think>", "b")
    assert split_reasoning("a</Thinking>b") == ("a</Thinking>", "b")
    assert split_reasoning("b <reasoning>a") == ("<reasoning>a", "b ")
    assert visible("analysisThe user wants a verdict.assistantfinalAPP\u200bROVED") == "APPROVED"


def test_tags_of_reasoning_that_a_text_is_about_stay_in_it() -> None:
    text = "Put it into `<think>` and `</think>`.\n\n```xml\n<think>\nfirst\n</think>\n```\n\nThat is all."
    assert read_draft(text) == text


# --- for any text ------------------------------------------------------------------------------------------------

PIECES = [
    "APPROVED", "approved", "Approved", "NOT", "not ", "通过", "不通过", "Verdict: ", "结论：", "REVISE",
    "LGTM", "if ", "once ", "?", "!", ".", "。", "\n", "\n\n", " ", "> ", "- ", "1. ", "# ", "**", "`", "```",
    "```md\n", "~~~", '"', "“", "”", "「", "」", "<think>", "</think>", "<THINKING>", "</reasoning>",
    "<|channel|>", "final", "<|message|>", "<|end|>", "{", "}", "[", "]", '{"verdict": "', '"}',
    '"approved": true', "\u200b", "\ufeff", "\u0301", "ＡＰＰＲＯＶＥＤ", "---", "***", "Changes made:",
    "Here is the revised version:", "Let me know if you want more changes.", "<draft>", "</draft>", "<final>",
    "</final>", "I have revised the text.", "Revised text:", "以下是修改后的版本：", "\r\n", "\r", "\x00",
    "\u2028", "please fix the title", "the intro is too long", "optional: ", "but ", "<verdict>", "</verdict>",
    "|", "❌", "☐",
]  # fmt: skip
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=14).map("".join)
tokens = st.sampled_from(["APPROVED", "通过", "DONE", "✅", "[[OK]]", "ship it"])


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, tokens)
def test_any_text_has_a_verdict_and_perhaps_a_draft(text: str, token: str) -> None:
    verdict = read_verdict(text, token, threshold=8.0)
    assert verdict.kind in ("approved", "revise", "ambiguous")
    assert verdict.score is None or 0 <= verdict.score <= 10
    assert verdict.findings or verdict.kind != "revise"
    assert read_draft(text, token) is None or read_draft(text, token)


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, tokens)
def test_nothing_is_approved_without_the_token_in_sight(text: str, token: str) -> None:
    if read_verdict(text, token).kind == "approved":
        seen = folded(visible(text))
        assert folded(token) in seen or "approve" in seen


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, tokens)
def test_a_draft_that_is_read_again_stays_as_it_is(text: str, token: str) -> None:
    draft = read_draft(text, token)
    if draft is not None:
        assert read_draft(draft, token) == draft


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts)
def test_reasoning_and_reply_hold_nothing_that_was_not_sent(text: str) -> None:
    reasoning, reply = split_reasoning(text)
    assert len(reasoning) + len(reply) <= len(text) + 2
    assert set(reply) <= set(text) | {"\n"}


ADVERSARIES = [
    "<think>", "</think>", "<think></think>", "`", "```\n", "```md\n", "approved ", "approved\n", "Approved. ",
    " ", '"', "“", "[", "{", '{"a":', "\n", "> ", "- ", "a", "中", "。", "不", "<draft>", "</draft>\n",
    "---\n\n", "not ", "| a ", "**", "~~", "<!--", "\u0301\u0323", "\u200b", "<|channel|>final<|message|>",
    "the text is wrong. ", '\\"', "1. ", "no ", "Here is the revised version:\n\n",
    "Let me know if you need changes.\n\n", "I revised the ", "nothing ", "with ", "Changes:\n", "please ",
    "thank you for the ", "已", "如需", "☐", "(", "Verdict: ", "结论", "a: ",
    "let me know if you ", "looked for ", "account of ", "the end – ", "gaps: ", "it explains why ", "|a|\n|-|\n",
    "(a)\n", "Is it? No. ", "Sure.\n\n", "I have now added ",
]  # fmt: skip


def seconds(read: Callable[[str], object], text: str) -> float:
    """CPU seconds, without the collector's walks over all that the other tests left behind."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        read(text)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.parametrize("piece", ADVERSARIES)
@pytest.mark.parametrize("read", [read_verdict, read_draft])
def test_time_grows_no_faster_than_the_reply(read: Callable[[str], object], piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (20_000, 80_000))
    read(piece * 50)
    limit = max(min(seconds(read, short) for _ in range(2)), 0.05) * 8
    assert min(seconds(read, long) for _ in range(2)) < limit
