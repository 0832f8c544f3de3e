"""Tokens as providers report them, and as they are estimated where none does."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from refine.models.usage import NOTHING, estimate_tokens, estimate_usage, read_usage, together
from refine.types import Message, Reply, ToolUse, Usage


def test_the_usual_report_is_read() -> None:
    data = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "total_tokens": 150,
        "prompt_tokens_details": {"cached_tokens": 40},
        "completion_tokens_details": {"reasoning_tokens": 30},
    }
    assert read_usage(data) == Usage(100, 50, cached_tokens=40, reasoning_tokens=30)


@pytest.mark.parametrize(
    ("data", "usage"),
    [
        ({"input_tokens": 3, "output_tokens": 4}, Usage(3, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 5}, Usage(9, 1, cached_tokens=5)),
        ({"prompt_tokens": 9, "completion_tokens": 1, "prompt_tokens_details": None, "cached_tokens": 2},
         Usage(9, 1, cached_tokens=2)),
        ({"prompt_tokens": 3, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 8}},
         Usage(3, 1, cached_tokens=3)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 22},
         Usage(10, 12, reasoning_tokens=7)),
        ({"prompt_tokens": 10, "completion_tokens": 200, "total_tokens": 810,
          "completion_tokens_details": {"reasoning_tokens": 600}}, Usage(10, 800, reasoning_tokens=600)),
        ({"prompt_tokens": 10, "completion_tokens": 800, "total_tokens": 810,
          "completion_tokens_details": {"reasoning_tokens": 600}}, Usage(10, 800, reasoning_tokens=600)),
        ({"prompt_tokens": 800, "completion_tokens": 600, "completion_tokens_details": {"reasoning_tokens": 600}},
         Usage(800, 600, reasoning_tokens=600)),
    ],
)  # fmt: skip
def test_other_shapes_are_read(data: dict[str, Any], usage: Usage) -> None:
    assert read_usage(data) == usage


@pytest.mark.parametrize("data", [None, {}, "12", [], {"prompt_tokens": None}, {"prompt_tokens": "7"},
                                  {"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": True}])  # fmt: skip
def test_what_says_nothing_is_no_report(data: Any) -> None:
    assert read_usage(data) is None


def test_estimates_lie_on_the_upper_side() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("word " * 90) == 100
    assert estimate_tokens("港口封冻") == 4
    assert estimate_usage([Message("user", ("word " * 9,))], Reply("港口", reasoning="word " * 9)) == Usage(
        14, 12, reasoning_tokens=10, estimated=True
    )


def test_tool_calls_count_as_output() -> None:
    reply = Reply(tool_calls=(ToolUse("a", "calc", '{"x": 1}'),))
    assert estimate_usage([], reply).output_tokens == estimate_tokens('calc{"x": 1}')


def test_two_requests_of_one_attempt_add_up_and_an_unknown_cost_stays_unknown() -> None:
    assert together(None, Usage(1, 2)) == Usage(1, 2)
    both = together(Usage(1, 2, estimated=True, cost=Decimal(1)), Usage(3, 4, reasoning_tokens=2))
    assert both == Usage(4, 6, reasoning_tokens=2, estimated=True, cost=None)
    assert together(NOTHING, Usage(3, 4, cost=Decimal(2))) == Usage(3, 4, cost=Decimal(2))
