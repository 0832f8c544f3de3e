"""Mended spelling is the same passage; another meaning is not."""

import pytest

from refine.text.likeness import same_but_spelling


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We recieved teh letter", "We received the letter"),
        ("its definately good", "It's definitely good."),
        ("alot of people came", "a lot of people came"),
        ("我们打算在三月修改放案", "我们打算在三月修改方案"),
    ],
)
def test_mended_spelling_is_the_same(old: str, new: str) -> None:
    assert same_but_spelling(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("it is possible to do this now", "it is impossible to do this now"),
        ("you can do this at any time", "you cannot do this at any time"),
        ("we paid 100 for all of this", "we paid 900 for all of this"),
        ("this is now what we wanted", "this is not what we wanted"),
        ("all that work and nothing more", "all the work and nothing more to say"),
        ("我们打算在三月不修改方案", "我们打算在三月再修改方案"),
    ],
)
def test_another_meaning_is_not(old: str, new: str) -> None:
    assert not same_but_spelling(old, new)
