"""Changes: every pair of texts, every choice of changes."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.text.changes import Change, apply, diff, marked, ratio

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
NEAR = st.text(st.sampled_from("ab 。中文\n\u0301\ud83d\ude00👩\u200d.\x00"), max_size=40)


@given(old=ANY_TEXT | NEAR, new=ANY_TEXT | NEAR, chosen=st.sets(st.integers(0, 30)))
@settings(max_examples=200)
def test_all_changes_give_the_new_text_and_none_the_old(old: str, new: str, chosen: set[int]) -> None:
    changes = diff(old, new)
    everything = range(len(changes))
    assert apply(old, changes, everything) == new
    assert apply(old, changes, ()) == old
    some = chosen & set(everything)
    others = [change for i, change in enumerate(changes) if i not in some]
    assert apply(old, others, range(len(others))) == apply(old, changes, set(everything) - some)


@given(old=NEAR, new=NEAR)
@settings(max_examples=200)
def test_pieces_hold_the_whole_text_and_changes_never_touch(old: str, new: str) -> None:
    pieces = marked(old, diff(old, new))
    assert "".join(piece if isinstance(piece, str) else piece.old for piece in pieces) == old
    assert "".join(piece if isinstance(piece, str) else piece.new for piece in pieces) == new
    kinds = [isinstance(piece, str) for piece in pieces]
    assert all(a != b for a, b in pairwise(kinds))
    assert all(piece for piece in pieces if isinstance(piece, str))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", []),
        ("same", "same", []),
        ("", "new", [Change("", "new", 0)]),
        ("old", "", [Change("old", "", 0)]),
        ("他很高兴。", "他真高兴。", [Change("很", "真", 1)]),
        ("The colour is red.", "The color is red.", [Change("colour", "color", 4)]),
        ("3月14日之前采纳", "4月1日以前采用这个", [Change("3月14日之前采纳", "4月1日以前采用这个", 0)]),
        ("A 👩‍👩‍👧 B", "A 👩‍👩‍👦 B", [Change("👩‍👩‍👧", "👩‍👩‍👦", 2)]),
        ("cafe opens", "cafe\u0301 opens", [Change("cafe", "cafe\u0301", 0)]),
        ("One. Two.", "One. And. Two.", [Change("", "And. ", 5)]),
    ],
)
def test_a_change_is_as_wide_as_a_reader_would_mark_it(old: str, new: str, expected: list[Change]) -> None:
    assert diff(old, new) == expected


def test_an_index_without_a_change_is_refused() -> None:
    with pytest.raises(ValueError, match="no change 1"):
        apply("a", diff("a", "b"), {1})
    with pytest.raises(ValueError, match="no change -1"):
        apply("a", diff("a", "b"), {-1})


def test_changes_of_another_text_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        apply("something else", diff("a", "b"), {0})


def long_text(words: int, seed: int) -> list[str]:
    pick = random.Random(seed)
    vocabulary = [f"w{pick.randrange(10**6)}" for _ in range(2_000)]
    return [pick.choice(vocabulary) + (". " if pick.random() < 0.08 else " ") for _ in range(words)]


def test_long_texts_are_exact_and_small_edits_stay_small() -> None:
    words = long_text(30_000, seed=1)
    edited = [word if i % 500 else "edited " for i, word in enumerate(words)]
    old, new = "".join(words), "".join(edited)
    changes = diff(old, new)
    assert apply(old, changes, range(len(changes))) == new
    assert len(changes) == 60
    assert ratio(old, new) < 0.01


def test_long_texts_with_little_in_common_are_exact() -> None:
    old, new = "".join(long_text(15_000, seed=1)), "".join(long_text(15_000, seed=2))
    changes = diff(old, new)
    assert apply(old, changes, range(len(changes))) == new
    assert apply(old, changes, ()) == old
    assert ratio(old, new) > 0.9


def test_more_different_words_than_there_are_characters() -> None:
    old = " ".join(map(str, range(900_000)))
    new = old[:3_000_000] + "changed" + old[3_000_001:]
    changes = diff(old, new)
    assert apply(old, changes, range(len(changes))) == new
    assert len(changes) == 1
    assert len(changes[0].old) < 20


def test_ratio_is_the_share_of_changed_tokens() -> None:
    assert ratio("", "") == 0
    assert ratio("a b", "a b") == 0
    assert ratio("", "a b") == 1
    assert ratio("a b c", "a x c") == pytest.approx(2 / 10)
