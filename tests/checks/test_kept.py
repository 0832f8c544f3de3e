"""A lost fact is named as its author wrote it."""

from __future__ import annotations

import pytest

from refine.checks.kept import kept


@pytest.mark.parametrize(
    ("draft", "lost"),
    [
        ("A croissant will cost £2.60 then.", "£2.60"),
        ("We open on 3 March.", "3 March"),
        ("It came on March 14, 2024, late.", "March 14, 2024"),
        ("书架上有 420 本书。", "420"),
    ],
)
def test_a_lost_number_or_date_is_quoted_as_it_was_written(draft: str, lost: str) -> None:
    assert [finding.quote for finding in kept("Nothing of it.", {"against": draft, "language": "en"})] == [lost]
