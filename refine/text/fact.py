"""The value that all finders of facts give. It knows nothing of how one is found or compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FactKind = Literal[
    "number", "date", "name", "link", "citation", "quotation", "code", "heading", "front_matter",
    "keep", "locked",  # given by the author, never found in a text
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """Something in a text that a rewrite must not lose."""

    kind: FactKind
    value: str
    """Normalised so that two ways of writing the same are equal: 1000 for 1,000, 2024-03-14 for March 14, 2024."""
    span: tuple[int, int]
    """Character offsets; (0, 0) for what the author asked for and the text never held."""
