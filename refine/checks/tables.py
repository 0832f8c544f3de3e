"""How word tables are read. Knows nothing of what stands in them."""

from __future__ import annotations


def word_list(table: str) -> tuple[str, ...]:
    """The words of a table, in order."""
    return tuple(table.split())


def word_set(table: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(table.split())
