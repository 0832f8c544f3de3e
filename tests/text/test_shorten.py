"""A long text within a size: what is kept, what is said, and that signs stay whole."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.text.shorten import shorten

LONG = "\n".join(f"line {n} of the log" for n in range(5_000))


@pytest.mark.parametrize("limit", [0, 5, 40, 80, 200, 1_000, 8_000])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_result_never_passes_the_limit(limit: int, language: str) -> None:
    assert len(shorten(LONG, limit, language)) <= limit


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert shorten(LONG, len(LONG)) == LONG


def test_head_and_tail_are_kept_and_the_note_counts_what_was_left_out() -> None:
    short = shorten(LONG, 1_000)
    head, note, tail = (
        short.partition("\n[")[0],
        short.partition("\n[")[2].partition("]\n")[0],
        short.rpartition("]\n")[2],
    )
    assert LONG.startswith(head) and LONG.endswith(tail) and len(head) > len(tail) > 200
    assert note == f"{len(LONG) - len(head) - len(tail):,} characters left out here"


def test_the_note_is_in_the_language_of_the_task() -> None:
    assert "[此处略去 " in shorten(LONG, 1_000, "zh")


@pytest.mark.parametrize(
    "line",
    [
        "Error: the disk is full",
        "job 7 failed",
        "request refused by host",
        "ValueError: bad date",
        "错误：磁盘已满",
        "第三步失败",
    ],
)
def test_lines_of_trouble_in_the_middle_are_kept(line: str) -> None:
    text = LONG[:40_000] + f"\n{line}\n" + LONG[40_000:]
    assert f"\n{line}\n" in shorten(text, 1_000)


@pytest.mark.parametrize("line", ["Total: 4,120 words", "the average is 17.5", "合计：318 元", "总共有42处"])
def test_lines_of_key_figures_in_the_middle_are_kept(line: str) -> None:
    text = LONG[:40_000] + f"\n{line}\n" + LONG[40_000:]
    assert f"\n{line}\n" in shorten(text, 1_000)


def test_trouble_comes_before_figures_where_both_do_not_fit() -> None:
    figures = "\n".join(f"total of part {n}: {n * 7}" for n in range(2_000))
    text = LONG + "\n" + figures + "\nError: part 3 is missing\n" + LONG
    assert "Error: part 3 is missing" in shorten(text, 1_000)


def test_of_a_line_without_end_only_what_is_near_the_trouble_is_kept() -> None:
    text = "x" * 50_000 + " error 42 " + "y" * 50_000
    short = shorten(text, 1_000)
    assert " error 42 " in short and len(short) <= 1_000


@pytest.mark.parametrize(
    "sign",
    ["e\u0301", "👩\u200d👩\u200d👧\u200d👦", "🇨🇳", "👍🏽", "각", "\r\n"],
    ids=["accent", "family", "flag", "skin", "jamo", "line"],
)
@pytest.mark.parametrize("limit", range(60, 75))
def test_what_a_reader_sees_as_one_sign_is_never_cut(sign: str, limit: int) -> None:
    short = shorten(sign * 500, limit)
    head, tail = short.partition("\n[")[0], short.rpartition("]\n")[2]
    assert head.replace(sign, "") == "" and tail.replace(sign, "") == ""


@given(st.text(alphabet="ab \n错误e:1🇨\u0301\u200d\r", max_size=400), st.integers(0, 300))
def test_any_text_fits_any_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= max(limit, 0)


@pytest.mark.parametrize("unit", ["error 1\n", "total 1 ", "\u0301", "🇨", "a" * 50 + "\n", "失败"])
def test_time_grows_with_the_length_and_not_with_its_square(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        began = time.process_time()
        shorten(text, 8_000)
        return time.process_time() - began

    seconds(10_000)
    small, large = min(seconds(50_000) for _ in range(3)), min(seconds(400_000) for _ in range(3))
    assert large < 30 * small + 0.02
