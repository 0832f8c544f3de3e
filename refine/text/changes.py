"""What changed between two texts, and any part of it taken or refused. It knows nothing of rounds, pages or colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from refine.text.alignment import Hunk, hunks
from refine.text.tokens import tokens

LONG = 100_000
"""Characters of both texts together from which equal sentences are matched before tokens."""

# Every cut lies where no reader sees a sign broken: after a line's end, or before a letter, digit or opening sign.
_UNIT = re.compile(
    r"(?>(?:[^\n.!?。！？]++|[.!?](?! [A-Za-z0-9“\"(])|[。！？](?![一-鿿A-Za-z0-9“「]))*)(?:\n|[.!?] |[。！？]|\Z)"
)


@dataclass(frozen=True, slots=True)
class Change:
    """One place where the new text differs. Either side may be empty, never both."""

    old: str
    new: str
    start: int
    """Offset in the old text."""


def diff(old: str, new: str) -> list[Change]:
    """The changes that turn `old` into `new`, in order; between two of them stands unchanged text.

    The same two texts always give the same changes. They are cut at words, Chinese characters and whole signs.
    """
    if old == new:
        return []
    found = _by_sentence(old, new) if len(old) + len(new) > LONG else _by_token(old, new)
    return [Change(old[i:k], new[j:m], i) for i, k, j, m in found]


def apply(old: str, changes: Sequence[Change], accepted: Iterable[int]) -> str:
    """`old` with the changes whose indices are in `accepted`: all give the new text, none gives `old`.

    Raises:
        ValueError: an index without a change, or changes that do not belong to `old`.
    """
    taken = set(accepted)
    unknown = sorted(taken - set(range(len(changes))))
    if unknown:
        raise ValueError(f"There is no change {unknown[0]}; there are {len(changes)}, counted from 0. Read them again.")
    pieces, numbers = marked(old, changes), iter(range(len(changes)))
    return "".join(
        piece if isinstance(piece, str) else (piece.new if next(numbers) in taken else piece.old) for piece in pieces
    )


def marked(old: str, changes: Sequence[Change]) -> list[str | Change]:
    """The pieces of `old` in order, for display: unchanged text (never empty) and changes.

    Raises:
        ValueError: the changes do not belong to `old`.
    """
    pieces: list[str | Change] = []
    at = 0
    for change in changes:
        end = change.start + len(change.old)
        if change.start < at or old[change.start : end] != change.old:
            raise ValueError(
                f"The change at {change.start} does not fit the text; it expects {change.old[:40]!r} there. "
                "Take the changes of this very text."
            )
        pieces += [old[at : change.start], change] if change.start > at else [change]
        at = end
    return [*pieces, old[at:]] if at < len(old) else pieces


def ratio(old: str, new: str) -> float:
    """Share of tokens that changed, 0 (equal) to 1 (nothing stayed); both texts count."""
    if old == new:
        return 0.0
    changes = diff(old, new)
    changed = sum(len(tokens(change.old)) + len(tokens(change.new)) for change in changes)
    stayed = sum(len(tokens(piece)) for piece in marked(old, changes) if isinstance(piece, str))
    return changed / (changed + 2 * stayed)


def _by_token(old: str, new: str) -> Iterator[Hunk]:
    a, b = tokens(old), tokens(new)
    starts_old, starts_new = _starts(a), _starts(b)
    for i, k, j, m in hunks(a, b):
        yield starts_old[i], starts_old[k], starts_new[j], starts_new[m]


def _by_sentence(old: str, new: str) -> Iterator[Hunk]:
    a, b = _UNIT.findall(old), _UNIT.findall(new)
    starts_old, starts_new = _starts(a), _starts(b)
    for i, k, j, m in hunks(a, b, step=1):
        p, q, r, s = starts_old[i], starts_old[k], starts_new[j], starts_new[m]
        for hunk in _by_token(old[p:q], new[r:s]):
            yield hunk[0] + p, hunk[1] + p, hunk[2] + r, hunk[3] + r


def _starts(pieces: Sequence[str]) -> list[int]:
    return list(accumulate(map(len, pieces), initial=0))
