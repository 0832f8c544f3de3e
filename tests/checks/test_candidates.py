"""Places where another word may have been meant: which are named, with which words, and which are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine import checks
from refine.checks.candidates import candidates, plural, singular
from refine.checks.word_sets import read_sets


def options(text: str, quote: str) -> tuple[str, ...]:
    """The words that may have been meant at the first place of `quote`; none where it is not named."""
    found = [place.options[1:] for place in candidates(text, {"language": "en"}) if place.quote == quote]
    return found[0] if found else ()


@pytest.mark.parametrize(
    ("text", "quote", "meant"),
    [
        ("The dog hurt it's paw.", "it's", "its"),
        ("Tell me were it is.", "were", "where"),
        ("He let me no at once.", "no", "know"),
        ("We will look in to the matter.", "in to", "into"),
        ("Now, no body came.", "no body", "nobody"),
        ("She would of come.", "of", "have"),
        ("Please turn of the light.", "of", "off"),
        ("He go to school.", "go", "goes"),
        ("They goes to school.", "goes", "go"),
        ("The results of both tests shows it.", "shows", "show"),
        ("Nobody complain about it.", "complain", "complains"),
        ("He has went home.", "went", "gone"),
        ("It was already broke.", "broke", "broken"),
        ("She has spill the milk.", "spill", "spilled"),
        ("He wants to went.", "went", "go"),
        ("She left without give a reason.", "give", "giving"),
        ("I have two dog.", "dog", "dogs"),
        ("That is one of the bridge.", "bridge", "bridges"),
        ("I saw a dogs.", "dogs", "dog"),
        ("My sisters car is red.", "sisters", "sister's"),
        ("We sell apple's here.", "apple's", "apples"),
        ("Anna ran, and Annas hat flew.", "Annas", "Anna's"),
        ("We heard Mrs Ahmeds voice.", "Ahmeds", "Ahmed's"),
        ("It stays between you and I.", "I", "me"),
        ("Its late.", "Its", "It's"),
    ],
)
def test_what_may_have_been_meant_is_among_the_options(text: str, quote: str, meant: str) -> None:
    assert meant in options(text, quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Call `its` method.", "its"),
        ("See https://example.org/its/here for more.", "its"),
        ('He said, "its mine".', "its"),
        ("WE KNOW ITS NAME.", "ITS"),
        ("He nodded as though this were an ordinary thing.", "were"),
        ("Is it fine if he comes too?", "too"),
        ("The Break Group met.", "Break"),
        ("```\nits = 1\n```\n", "its"),
    ],
    ids=["code", "an address", "a quotation", "capitals", "a wish", "an end", "a name", "a code block"],
)
def test_nothing_is_named_in(text: str, quote: str) -> None:
    assert options(text, quote) == ()


def test_chinese_has_none() -> None:
    assert candidates("他说 its 很好。", {"language": "zh"}) == ()


def test_the_authors_apostrophe_is_kept() -> None:
    assert options("It’s late, and the dog’s hungry. Its dark, isn’t it?", "Its") == ("It’s",)


def test_they_are_no_findings_of_a_critic() -> None:
    assert "candidates" not in checks.CHECKS
    (place,) = checks.run("candidates", "Tell me, hear.", {"language": "en"})
    assert (place.quote, place.options, place.severity) == ("hear", ("hear", "here"), "may")


@given(st.text(st.sampled_from("abehintworys' .,I\n’"), max_size=80))
def test_places_stand_in_order_and_never_overlap_in_any_text(text: str) -> None:
    end = 0
    for place in candidates(text, {"language": "en"}):
        assert place.span and place.span[0] >= end
        assert text[slice(*place.span)] == place.quote == place.options[0]
        assert len(set(place.options)) == len(place.options) > 1
        end = place.span[1]


def test_sets_are_read_both_ways_and_one_way() -> None:
    table = read_sets("its it's\nwitch>which\n! bought brought\nin_to>into")
    assert table["its"] == ("it's",)
    assert table["it's"] == ("its",)
    assert table["witch"] == ("which",)
    assert "which" not in table
    assert table["bought"] == ("brought",)
    assert table["in to"] == ("into",)


@pytest.mark.parametrize(("one", "many"), [("dog", "dogs"), ("box", "boxes"), ("story", "stories"), ("man", "men")])
def test_nouns_have_their_plurals(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
