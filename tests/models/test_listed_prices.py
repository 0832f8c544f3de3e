"""List prices come from a shipped table, by the address of the provider."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from genai_prices import Usage as Counted
from genai_prices import calc_price

from refine.models.listed_prices import RELEASED, find, is_at
from refine.models.prices import cost
from refine.types import Usage

OPENAI = "https://api.openai.com/v1"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("url", "model", "used"),
    [
        (OPENAI, "gpt-5", (9_000, 4_000, 2_000)),
        (OPENAI, "gpt-5-2025-08-07", (9_000, 0, 1)),
        (GEMINI, "gemini-2.5-pro", (199_000, 0, 2_000)),
        (GEMINI, "gemini-2.5-pro", (200_001, 100_000, 2_000)),
        ("https://api.deepseek.com", "deepseek-chat", (9_000, 4_000, 2_000)),
        ("https://openrouter.ai/api/v1", "openai/gpt-5", (9_000, 4_000, 2_000)),
        ("https://api.moonshot.cn/v1", "kimi-k2", (9_000, 0, 2_000)),
    ],
)
def test_a_cost_is_what_the_package_itself_says(url: str, model: str, used: tuple[int, int, int]) -> None:
    tokens_in, cached, tokens_out = used
    price = find(url, model, tokens_in, NOW)
    assert price is not None
    said = calc_price(
        Counted(input_tokens=tokens_in, cache_read_tokens=cached, output_tokens=tokens_out),
        model,
        provider_api_url=url,
        genai_request_timestamp=NOW,
    )
    assert cost(price, Usage(tokens_in, tokens_out, cached)) == said.total_price > 0


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("https://models.example.org/v1", "gpt-5"),
        ("http://192.168.1.20:8000/v1", "deepseek-chat"),
        ("https://api.openai.com.example.org/v1", "gpt-5"),
        ("https://api.openai.community/v1", "gpt-5"),
        ("https://models.example.org/api.googleapis.com", "gemini-2.5-pro"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen-max"),
        (OPENAI, "no-such-model"),
        (OPENAI, ""),
        ("", "gpt-5"),
    ],
)
def test_nobody_else_has_the_price_of_a_provider(url: str, model: str) -> None:
    assert find(url, model, 10) is None


def test_an_address_is_known_however_it_is_written() -> None:
    assert find("HTTPS://API.OpenAI.com:443/v1/", "gpt-5", 10) == find(OPENAI, "gpt-5", 10)
    assert is_at(r"https://router\.example\.co/groq", "https://router.example.co/groq/v1")
    assert not is_at(r"https://router\.example\.co/groq", "https://router.example.co/other/v1")


def test_a_price_tells_the_version_of_its_table_and_the_model_it_was_found_under() -> None:
    price = find(OPENAI, "gpt-5-2025-08-07", 10)
    assert price is not None
    assert price.source.startswith("genai-prices ") and price.source.endswith(", openai/gpt-5")
    pinned = next(
        line for line in Path("requirements.txt").read_text().splitlines() if line.startswith("genai-prices==")
    )
    assert price.date == RELEASED[pinned.partition("==")[2]]


def test_no_price_is_fetched() -> None:
    watch = "import sys; sys.addaudithook(lambda event, args: event == 'socket.connect' and sys.exit('a connection'))"
    ask = f"from refine.models.listed_prices import find; print(find({OPENAI!r}, 'gpt-5', 10))"
    done = subprocess.run([sys.executable, "-c", f"{watch}; {ask}"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Price(")
