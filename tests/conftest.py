"""What holds for every test."""

from __future__ import annotations

import pytest

from refine import keys


@pytest.fixture(autouse=True)
def _no_key_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process masks every key it has ever seen; another test's key would mask pieces of this one's words."""
    monkeypatch.setattr(keys, "_known_secrets", set(keys._known_secrets))
