"""Which addresses are this machine's own."""

from __future__ import annotations

import pytest

from refine.models.addresses import is_loopback, trimmed


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:80/v1", "http://127.8.9.1/v1", "http://[::1]:8000/v1", "http://localhost/v1",
            "http://LOCALHOST:1/", "http://a.localhost:3", "http://0.0.0.0:8080/v1"]
)  # fmt: skip
def test_loopback_addresses_are_this_machine(url: str) -> None:
    assert is_loopback(url)


@pytest.mark.parametrize(
    "url", ["https://api.openai.com/v1", "http://10.0.0.1/v1", "http://localhost.example.org/v1", "", "localhost:80",
            "http://127.0.0.1.example.org/", "http://[bad/"]
)  # fmt: skip
def test_everything_else_is_not(url: str) -> None:
    assert not is_loopback(url)


def test_an_address_is_trimmed_and_not_rewritten() -> None:
    assert trimmed("  https://a.example/api/paas/v4/ ") == "https://a.example/api/paas/v4"
