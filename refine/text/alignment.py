"""Which tokens of two long sequences stay? It knows nothing of what a token is, and its answer never depends on time.

A short pair, or a long one that differs in few places, goes to the difference engine whole. A long pair that differs
in many places is first cut where both sides hold the same rare token in the same order, since the engine's time grows
with the square of the number of edits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise, repeat

import fast_diff_match_patch
from rapidfuzz.distance import Indel

Hunk = tuple[int, int, int, int]
"""old[start:end] became new[start:end]: old start, old end, new start, new end."""

SHORT = 3_000
"""Tokens of both sides together that the engine takes whole, whatever differs."""
FEW_EDITS = 4_000
"""Tokens deleted and inserted that the engine takes whole, whatever the length."""
STEP = 300
"""Tokens between two cuts: close ones would tear coherent changes apart. Whole sentences may be cut at each."""

_WORDS = range(0x20000, 0xF0000)
_SIGNS = range(0xF0000, 0x110000)


def hunks(old: Sequence[str], new: Sequence[str], step: int = STEP) -> list[Hunk]:
    """The places where two token sequences differ, in order, never touching each other.

    `step`: see `STEP`; 1 where the items are long enough to be cut at each.
    """
    found: list[Hunk] = []
    waiting = [(0, len(old), 0, len(new))]
    while waiting:
        gap = _trimmed(old, new, waiting.pop())
        a, b = old[gap[0] : gap[1]], new[gap[2] : gap[3]]
        if not a or not b:
            found.extend([gap] if a or b else [])
            continue
        coded = _coded(a, b)
        if coded is not None and _affordable(*coded):
            found.extend(_shifted(_engine(*coded), gap))
            continue
        cuts = _thinned(_anchors(a, b), step)
        # Reversed, so that the first gap is worked on first and `found` stays in order.
        waiting.extend(reversed([_shift(g, gap) for g in _gaps(cuts, len(a), len(b))]) if cuts else [])
        found.extend([] if cuts else [gap])
    return _joined(found)


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of places that hold the same item, which is rare enough to occur once on each side; both sides rise."""
    once_old, once_new = _once(old), _once(new)
    pairs = [(i, once_new[item]) for item, i in once_old.items() if item in once_new]
    return _longest_rising(pairs)


def _gaps(matched: Sequence[tuple[int, int]], old_length: int, new_length: int) -> Iterator[Hunk]:
    """What lies between matched places and at both ends; empty ones left out."""
    edges = [(-1, -1), *matched, (old_length, new_length)]
    for (i, j), (k, m) in pairwise(edges):
        if k > i + 1 or m > j + 1:
            yield (i + 1, k, j + 1, m)


def _once(items: Sequence[Hashable]) -> dict[Hashable, int]:
    seen = Counter(items)
    return {item: i for i, item in enumerate(items) if seen[item] == 1}


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of `pairs` (rising on the left) that rises on the right as well."""
    ends: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for row, (_, right) in enumerate(pairs):
        at = bisect_left(ends, right)
        before.append(rows[at - 1] if at else -1)
        if at == len(ends):
            ends.append(right)
            rows.append(row)
        else:
            ends[at], rows[at] = right, row
    chosen = []
    row = rows[-1] if rows else -1
    while row >= 0:
        chosen.append(pairs[row])
        row = before[row]
    return chosen[::-1]


def _thinned(pairs: list[tuple[int, int]], step: int) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    last = (-step, -step)
    for i, j in pairs:
        if i - last[0] >= step or j - last[1] >= step:
            kept.append((i, j))
            last = (i, j)
    return kept


def _trimmed(old: Sequence[str], new: Sequence[str], gap: Hunk) -> Hunk:
    i, k, j, m = gap
    while i < k and j < m and old[i] == new[j]:
        i, j = i + 1, j + 1
    while i < k and j < m and old[k - 1] == new[m - 1]:
        k, m = k - 1, m - 1
    return i, k, j, m


def _affordable(old: str, new: str) -> bool:
    if len(old) + len(new) <= SHORT:
        return True
    a, b = Counter(old), Counter(new)
    if (a - b).total() + (b - a).total() > FEW_EDITS:
        return False
    return Indel.distance(old, new, score_cutoff=FEW_EDITS) <= FEW_EDITS


def _coded(old: Sequence[str], new: Sequence[str]) -> tuple[str, str] | None:
    """One character for each token, or None where there are more different tokens than characters.

    Short signs stand for themselves, words become letters and the rest signs, since the engine prefers to place a
    change at a border of words, lines and sentences, and has to recognise them.
    """
    codes: dict[str, str] = {}
    words, signs = iter(_WORDS), iter(_SIGNS)
    for token in {**dict.fromkeys(old), **dict.fromkeys(new)}:
        if len(token) == 1 and token < "\ud800":
            codes[token] = token
            continue
        point = next(words if token[0].isalnum() else signs, None)
        if point is None:
            return None
        codes[token] = chr(point)
    return "".join(map(codes.__getitem__, old)), "".join(map(codes.__getitem__, new))


def _engine(old: str, new: str) -> Iterator[Hunk]:
    pieces = fast_diff_match_patch.diff(old, new, timelimit=0, checklines=False, cleanup="Semantic", counts_only=False)
    i = j = 0
    for sign, piece in pieces:
        deleted = len(piece) if sign == "-" else 0
        inserted = len(piece) if sign == "+" else 0
        if sign == "=":
            i, j = i + len(piece), j + len(piece)
            continue
        yield i, i + deleted, j, j + inserted
        i, j = i + deleted, j + inserted


def _shift(hunk: Hunk, gap: Hunk) -> Hunk:
    return hunk[0] + gap[0], hunk[1] + gap[0], hunk[2] + gap[2], hunk[3] + gap[2]


def _shifted(found: Iterator[Hunk], gap: Hunk) -> list[Hunk]:
    return list(map(_shift, found, repeat(gap)))


def _joined(found: Sequence[Hunk]) -> list[Hunk]:
    """Hunks that touch are one."""
    joined: list[Hunk] = []
    for hunk in found:
        if joined and joined[-1][1] == hunk[0] and joined[-1][3] == hunk[2]:
            joined[-1] = (joined[-1][0], hunk[1], joined[-1][2], hunk[3])
        else:
            joined.append(hunk)
    return joined
