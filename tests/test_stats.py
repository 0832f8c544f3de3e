"""What is said of variants holds as often as it is said to, and is never surer than the texts allow."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.stats import (
    Difference,
    Interval,
    Lead,
    Scores,
    Spread,
    agreement,
    differences,
    front,
    lead,
    sentence,
    spread,
    transitions,
    wilson,
)
from refine.words import leads_en, leads_zh

FEW = 499
"""Resamples, where many trials are made."""


def made(rng: np.random.Generator, drafts: int, repeats: int, effects: dict[str, float], own: float = 1.0) -> Scores:
    """Drafts that differ much and with heavy tails, variants that suit some drafts better than others, and noise."""
    hardness = 2 * rng.standard_t(3, drafts)
    suits = own * rng.standard_t(3, (len(effects), drafts))
    noise = rng.normal(size=(len(effects), drafts, repeats))
    return {
        name: {f"d{at}": (effect + hardness[at] + suits[n, at] + noise[n, at]).tolist() for at in range(drafts)}
        for n, (name, effect) in enumerate(effects.items())
    }


def once(**variants: list[float]) -> Scores:
    """One repeat of each draft."""
    return {name: {f"d{at}": [value] for at, value in enumerate(values)} for name, values in variants.items()}


def only(scores: Scores, baseline: str = "base") -> Difference:
    (one,) = differences(scores, baseline)
    return one


def width(one: Difference) -> float:
    assert one.interval
    return one.interval.high - one.interval.low


# --- how often it is right -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drafts", "repeats"), [(5, 1), (5, 3), (10, 1), (10, 3), (20, 2), (50, 2)])
def test_the_interval_holds_a_planted_difference_as_often_as_it_says(drafts: int, repeats: int) -> None:
    rng = np.random.default_rng(drafts)
    held = 0
    for _ in range(300):
        found = differences(made(rng, drafts, repeats, {"base": 0, "new": 0.7}), "base", resamples=FEW)[0]
        held += found.interval is not None and found.interval.holds(0.7)
    assert held / 300 >= 0.92


@pytest.mark.parametrize("drafts", [2, 5, 12])
def test_intervals_of_several_variants_hold_all_at_once(drafts: int) -> None:
    rng = np.random.default_rng(drafts)
    effects = {"base": 0.0, "a": 0.5, "b": -1.0, "c": 0.0, "d": 2.0}
    held = 0
    for _ in range(300):
        found = differences(made(rng, drafts, 1, effects), "base", resamples=FEW)
        held += all(one.interval is not None and one.interval.holds(effects[one.name]) for one in found)
    assert held / 300 >= 0.92


def test_ten_equal_variants_have_no_winner() -> None:
    rng = np.random.default_rng(1)
    leads = [lead(made(rng, 8, 2, dict.fromkeys("abcdefghij", 0)), resamples=FEW) for _ in range(150)]
    assert sum(one is not None and not one.decisive for one in leads) / 150 >= 0.9


def test_the_truly_best_is_the_leader_or_not_told_apart_from_it() -> None:
    rng = np.random.default_rng(2)
    effects = {"a": 0.0, "b": 0.1, "best": 0.3, "d": 0.0, "e": 0.2}
    leads = [lead(made(rng, 10, 2, effects), resamples=FEW) for _ in range(200)]
    assert sum(one is not None and "best" in (one.best, *one.tied) for one in leads) / 200 >= 0.95


def test_a_large_planted_lead_is_found() -> None:
    rng = np.random.default_rng(3)
    effects = {"base": 0.0, "worse": -1.0, "good": 3.0}
    leads = [lead(made(rng, 20, 2, effects, own=0.5), "base", resamples=FEW) for _ in range(50)]
    assert sum(one is not None and one.best == "good" and one.decisive for one in leads) >= 48


def test_as_many_more_drafts_as_said_settle_it() -> None:
    def like(drafts: int) -> Difference:
        apart = [0.4 + (1 if at % 2 else -1) for at in range(drafts)]
        return only(once(base=[0.0] * drafts, new=apart))

    today = like(10)
    assert not today.decisive and today.more_drafts
    assert like(10 + today.more_drafts + 2).decisive
    assert not like(10 + today.more_drafts // 2).decisive


def test_on_a_known_example_it_is_near_students_interval() -> None:
    """Student's ten sleepers (Biometrika 6 (1908) 1-25), whose paired t interval is 0.70 to 2.46, p = 0.0028."""
    one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    other = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = only(once(base=one, new=other))
    assert found.value == pytest.approx(1.58)
    assert found.interval and found.interval.low == pytest.approx(0.70, abs=0.25)
    assert found.interval.high == pytest.approx(2.46, abs=0.25)
    assert found.p is not None and 0.002 < found.p < 0.02


# --- what is compared with what --------------------------------------------------------------------------------------


def test_drafts_are_compared_with_themselves() -> None:
    hardness = [100.0 * at for at in range(10)]
    found = only(once(base=hardness, new=[hard + 1 + 0.1 * (at % 3) for at, hard in enumerate(hardness)]))
    assert found.value == pytest.approx(1.09)
    assert found.decisive and width(found) < 0.5


def test_what_is_hard_for_all_variants_counts_for_nobody() -> None:
    apart = [0.0, 0.1, -0.2, 0.0, 0.1, 5.0, 0.2, -0.1]
    easy = once(base=[0.0 + at for at in range(8)], new=[at + apart[at] for at in range(8)])
    hard = once(base=[4.0**at for at in range(8)], new=[4.0**at + apart[at] for at in range(8)])
    assert width(only(hard)) == pytest.approx(width(only(easy)))


def test_repeats_are_not_more_drafts() -> None:
    rng = np.random.default_rng(4)
    own = rng.normal(size=6)
    few, many = (
        {"base": {f"d{at}": [0.0] * n for at in range(6)}, "new": {f"d{at}": [own[at]] * n for at in range(6)}}
        for n in (1, 40)
    )
    assert width(only(many)) == pytest.approx(width(only(few)), rel=0.15)

    held = 0
    for _ in range(200):
        found = differences(made(rng, 6, 10, {"base": 0, "new": 0}), "base", resamples=FEW)[0]
        held += not found.decisive
    assert held / 200 >= 0.92


def test_repeats_are_drawn_anew_inside_each_draft() -> None:
    base = {f"d{at}": [0.0, 0.0, 0.0] for at in range(8)}
    calm = {"base": base, "new": {f"d{at}": [at / 4 + 0.0] * 3 for at in range(8)}}
    wild = {"base": base, "new": {f"d{at}": [at / 4 - 2, at / 4, at / 4 + 2] for at in range(8)}}
    assert only(calm).value == only(wild).value
    assert width(only(calm)) != width(only(wild))


def test_only_the_drafts_both_have_are_compared() -> None:
    scores = {
        "base": {"d1": [1.0], "d2": [2.0, 4.0], "d3": [], "d4": [9.0]},
        "new": {"d1": [3.0], "d2": [6.0], "d3": [5.0], "d5": [70.0]},
        "elsewhere": {"d5": [1.0]},
        "empty": {},
    }
    found = only(scores)
    assert (found.name, found.drafts, found.value) == ("new", 2, 2.5)
    assert differences(scores, "not there") == []


def test_variants_with_other_drafts_are_looked_at_together() -> None:
    rng = np.random.default_rng(5)
    scores = {name: dict(drafts) for name, drafts in made(rng, 9, 2, dict.fromkeys("abcd", 0)).items()}
    alone = only({"a": scores["a"], "b": scores["b"]}, "a")
    del scores["c"]["d3"], scores["d"]["d0"]
    found = differences(scores, "a")
    assert [(one.name, one.drafts) for one in found] == [("b", 9), ("c", 8), ("d", 8)]
    assert width(found[0]) > width(alone)


def test_the_order_of_variants_changes_nothing() -> None:
    scores = made(np.random.default_rng(10), 8, 2, dict.fromkeys("abcde", 0))
    turned = {name: scores[name] for name in reversed("abcde")}
    assert differences(turned, "c") == differences(scores, "c")[::-1]


def test_looking_at_more_variants_makes_nobody_surer() -> None:
    scores = made(np.random.default_rng(6), 10, 2, dict.fromkeys(["base", "a", "b", "c", "d", "e"], 0))
    alone = only({name: scores[name] for name in ("base", "a")})
    among = differences(scores, "base")[0]
    assert among.name == "a" and among.value == alone.value
    assert width(among) > width(alone)
    assert among.p is not None and alone.p is not None and among.p > alone.p


# --- where little can be said ----------------------------------------------------------------------------------------


def test_one_draft_allows_no_interval() -> None:
    found = only({"base": {"d": [1.0, 2.0, 1.0]}, "new": {"d": [5.0, 5.0, 6.0]}})
    assert found == Difference("new", pytest.approx(4.0), None, None, 1, False, None)


def test_equal_values_are_no_difference_and_no_certainty() -> None:
    found = only(once(base=[0.1 + 0.2] * 9, new=[0.3] * 9))
    assert found == Difference("new", 0.0, None, None, 9, False, None)


def test_the_same_difference_on_every_draft_is_as_sure_as_its_signs() -> None:
    three, five, six, twelve = (only(once(base=[0.0] * n, new=[1.0] * n)) for n in (3, 5, 6, 12))
    assert (three.p, five.p, six.p, twelve.p) == (0.25, 2**-4, 2**-5, 2**-11)
    assert [one.decisive for one in (three, five, six, twelve)] == [False, False, True, True]
    assert (three.more_drafts, five.more_drafts, six.more_drafts) == (3, 1, 0)
    assert width(three) > width(five) > width(six) > width(twelve) > 0.5


def test_a_variant_without_spread_takes_its_share_of_what_may_go_wrong() -> None:
    rng = np.random.default_rng(7)
    apart = rng.normal(0.4, size=12).tolist()
    alone = only(once(base=[0.0] * 12, new=apart))
    one, same = differences(once(base=[0.0] * 12, new=apart, up=[1.0] * 12), "base")
    assert width(one) > 1.05 * width(alone)
    assert one.p is not None and alone.p is not None and one.p == pytest.approx(2 * alone.p, rel=0.15)
    assert same.p == 2 * 2**-11


def test_a_hopelessly_small_lead_is_given_no_number_of_drafts() -> None:
    found = only(once(base=[0.0] * 10, new=[0.001 + (5 if at % 2 else -5) for at in range(10)]))
    assert found.interval and not found.decisive and found.more_drafts is None


def test_too_few_resamples_allow_no_interval() -> None:
    scores = made(np.random.default_rng(8), 10, 1, {"base": 0, "new": 5})
    assert differences(scores, "base", resamples=9)[0] == replace(
        only(scores), interval=None, p=None, decisive=False, more_drafts=None
    )


CELL = st.lists(st.floats(-10, 10) | st.integers(0, 10).map(float), max_size=3)
SCORES = st.dictionaries(
    st.sampled_from("abcd"), st.dictionaries(st.sampled_from("uvwxyz"), CELL, max_size=6), min_size=1, max_size=4
)


@given(SCORES)
@settings(max_examples=150, deadline=None)
def test_intervals_hold_their_value_and_never_contradict_what_is_called_decisive(scores: Scores) -> None:
    for one in differences(scores, "a", resamples=FEW):
        assert one.decisive == (one.interval is not None and not one.interval.holds(0))
        assert one.interval is None or one.interval.holds(one.value)
        assert (one.p is None) == (one.interval is None)
        assert one.p is None or one.decisive == (one.p <= 0.05)
        assert (one.more_drafts == 0) == one.decisive
    found = lead(scores, "a", resamples=FEW)
    if found:
        assert found.decisive == (not found.tied)
        assert found.interval is None or found.interval.holds(found.value)
        assert not found.decisive or (found.interval and found.interval.low > 0)
        for language in ("en", "zh"):
            assert sentence(found, language)


@given(SCORES, st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_order_and_the_names_of_drafts_change_nothing(scores: Scores, chance: random.Random) -> None:
    new = dict(zip("uvwxyz", chance.sample("UVWXYZ", 6), strict=True))
    mixed = {
        name: {
            new[draft]: chance.sample(cell, len(cell)) for draft, cell in chance.sample([*drafts.items()], len(drafts))
        }
        for name, drafts in scores.items()
    }
    assert differences(mixed, "a", resamples=FEW) == differences(scores, "a", resamples=FEW)
    assert lead(mixed, resamples=FEW) == lead(scores, resamples=FEW)


@given(
    st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4), min_size=1, max_size=5)
)
@settings(max_examples=80, deadline=None)
def test_no_finite_number_is_too_much(rows: list[list[float]]) -> None:
    scores = {f"v{at}": {f"d{draft}": [value] for draft, value in enumerate(row)} for at, row in enumerate(rows)}
    found = lead(scores, "v0", resamples=FEW)
    assert (found is None) == (len(rows) < 2)
    assert found is None or sentence(found, "en")


# --- who leads -------------------------------------------------------------------------------------------------------

CLOSE = once(
    base=[5.0, 6.1, 4.0, 7.2, 5.5, 6.0, 3.9, 5.2],
    good=[7.1, 8.0, 6.2, 9.1, 7.4, 8.3, 5.8, 7.4],
    near=[7.0, 8.2, 6.0, 9.2, 7.3, 8.2, 6.0, 7.2],
)


def test_the_lead_over_the_baseline_is_that_of_the_differences() -> None:
    found = lead(CLOSE, "base")
    of_good = differences(CLOSE, "base")[0]
    assert found and (found.best, found.over, found.value) == ("good", "base", of_good.value)
    assert found.interval == of_good.interval and of_good.decisive


@pytest.mark.parametrize("baseline", ["base", "good", "near"])
def test_differences_that_are_known_are_not_drawn_again_and_change_nothing(baseline: str) -> None:
    known = differences(CLOSE, baseline)
    assert lead(CLOSE, baseline, against=known) == lead(CLOSE, baseline)
    marked = [replace(one, value=77.0) for one in known]
    found = lead(CLOSE, baseline, against=marked)
    assert found and abs(found.value) == 77.0


def test_a_leader_that_one_other_may_equal_is_no_decisive_winner() -> None:
    found = lead(CLOSE, "base")
    assert found and not found.decisive and found.tied == ("near",)
    assert found.more_drafts == (differences(CLOSE, "near")[1].more_drafts)


def test_without_a_baseline_the_lead_is_over_the_next_best() -> None:
    for baseline in (None, "not there", "good"):
        found = lead(CLOSE, baseline)
        assert found and (found.best, found.over, found.decisive) == ("good", "near", False)
        assert found.value == pytest.approx(0.025)


def test_where_drafts_are_missing_the_leader_is_the_one_that_beats_most_others() -> None:
    scores = {
        "easy": {"d1": [8.0], "d2": [8.1], "d5": [9.0]},
        "all": {"d1": [9.0], "d2": [9.2], "d3": [1.9], "d4": [2.1]},
        "hard": {"d3": [1.0], "d4": [1.0], "d5": [1.0]},
    }
    found = lead(scores)
    assert found and (found.best, found.over, found.drafts) == ("all", "hard", 2)
    assert found.value == pytest.approx(1.0)


def test_a_variant_without_a_common_draft_is_not_told_apart() -> None:
    scores = {**CLOSE, "elsewhere": {"other": [99.0]}}
    found = lead(scores, "base")
    assert found and found.best == "good" and found.tied == ("near", "elsewhere") and found.more_drafts is None


def test_nobody_leads_by_a_draft_that_most_others_lack() -> None:
    scores = {**CLOSE, "base": {**CLOSE["base"], "other": [1.0]}, "elsewhere": {"other": [99.0]}}
    found = lead(scores, "base")
    assert found and found.best == "good"


def test_in_a_ring_where_each_beats_the_next_nobody_is_said_to_lead() -> None:
    high, low = [2.0] * 8, [1.0] * 8
    first, second, third = ([f"{part}{at}" for at in range(8)] for part in "xyz")

    def drafts(one: list[str], other: list[str]) -> dict[str, list[float]]:
        return {draft: [value] for draft, value in zip(one + other, high + low, strict=True)}

    found = lead({"a": drafts(first, third), "b": drafts(second, first), "c": drafts(third, second)})
    assert found and found.value == -1 and not found.decisive and len(found.tied) == 1
    assert sentence(found, "en") == "No variant leads so far: none is ahead of every other on 8 texts."


def test_nothing_to_compare_has_no_leader() -> None:
    assert lead({}) is None
    assert lead(once(alone=[1.0, 2.0])) is None
    assert lead({"a": {"d1": [1.0]}, "b": {"d2": [2.0]}}) is None


# --- shares, votes, pictures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_that_of_the_published_table(successes: int, n: int, low: float, high: float) -> None:
    """Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3."""
    found = wilson(successes, n)
    assert found and (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_a_share_is_inside_its_interval(counts: tuple[int, int], level: float) -> None:
    found = wilson(*counts, level=level)
    assert found and 0 <= found.low <= counts[0] / counts[1] <= found.high <= 1


def test_kappa_is_that_of_a_known_table() -> None:
    votes = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    found = agreement(votes)
    assert (found.share, found.n) == (0.7, 50)
    assert found.kappa == pytest.approx(0.4)
    assert found.interval == wilson(35, 50)


def test_agreement_counts_ties_as_votes() -> None:
    found = agreement([("tie", "tie"), ("a", "tie"), ("b", "b"), ("b", "a")])
    assert (found.share, found.kappa) == (0.5, pytest.approx(3 / 11))


def test_kappa_is_unknown_where_chance_would_agree_as_well() -> None:
    assert agreement([("a", "a")] * 4).kappa is None
    empty = agreement([])
    assert (empty.share, empty.kappa, empty.n, empty.interval) == (None, None, 0, None)


def test_drafts_are_told_by_what_became_of_them() -> None:
    before = {"up": 1.0, "down": 3.0, "same": 2.0, "little": 2.0, "gone": 5.0}
    after = {"up": 4.0, "down": 1.0, "same": 2.0, "little": 2.5, "new": 5.0}
    plain, calm = transitions(before, after), transitions(before, after, 0.5)
    assert (plain.better, plain.worse, plain.same) == (("up", "little"), ("down",), ("same",))
    assert (calm.better, calm.worse, calm.same) == (("up",), ("down",), ("same", "little"))


def test_the_front_leaves_out_who_costs_more_and_is_no_better() -> None:
    points = {"dear": (3.0, 9.0), "poor": (2.0, 4.0), "cheap": (1.0, 5.0), "twin": (1.0, 5.0), "wasteful": (4.0, 9.0)}
    assert front(points) == ["cheap", "twin", "dear"]
    assert front({}) == []


def test_a_spread_is_told_by_five_numbers() -> None:
    assert spread([4, 1, 3, 2, 10]) == Spread(1, 2, 3, 4, 10)
    assert spread([1.0, 2.0]) == Spread(1, 1.25, 1.5, 1.75, 2)
    assert spread([]) is None


# --- in words --------------------------------------------------------------------------------------------------------

SURE = Lead("plain", "single", 0.7, Interval(0.3, 1.1), True, 0, (), 10)
EARLY = Lead("polish", "classic", 0.3, Interval(-0.2, 0.8), False, 14, ("classic",), 8)
NAMES = {"plain": "Plain language", "single": "a single strong prompt", "polish": "Polish", "classic": "Classic"}


@pytest.mark.parametrize(
    ("one", "english", "chinese"),
    [
        (
            SURE,
            "Plain language leads a single strong prompt by 0.7 points (95 % interval 0.3 to 1.1, 10 texts).",
            "“Plain language”比“a single strong prompt”高 0.7 分（95% 区间 0.3 至 1.1，10 篇稿子）。",
        ),
        (
            EARLY,
            "Too early to say: Polish is ahead of Classic by 0.3 points, but the interval runs from -0.2 to 0.8; "
            "about 14 more texts would settle it.",
            "现在下结论还太早：“Polish”比“Classic”高 0.3 分，但区间从 -0.2 到 0.8；再有约 14 篇稿子就能分出高下。",
        ),
        (
            replace(EARLY, more_drafts=1, interval=Interval(-0.004, 0.604)),
            "Too early to say: Polish is ahead of Classic by 0.300 points, but the interval runs from -0.004 to 0.604; "
            "about 1 more text would settle it.",
            "现在下结论还太早：“Polish”比“Classic”高 0.300 分，但区间从 -0.004 到 0.604；再有约 1 篇稿子就能分出高下。",
        ),
        (
            replace(EARLY, more_drafts=None),
            "Too early to say: Polish is ahead of Classic by 0.3 points, but the interval runs from -0.2 to 0.8; "
            "more than 200 more texts would be needed to settle it.",
            "现在下结论还太早：“Polish”比“Classic”高 0.3 分，但区间从 -0.2 到 0.8；要分出高下，还需要超过 200 篇稿子。",
        ),
        (
            replace(SURE, decisive=False, tied=("polish", "other"), more_drafts=6),
            "Plain language leads a single strong prompt by 0.7 points (95 % interval 0.3 to 1.1, 10 texts), "
            "but is not told apart from Polish or other; about 6 more texts would settle it.",
            "“Plain language”比“a single strong prompt”高 0.7 分（95% 区间 0.3 至 1.1，10 篇稿子），"
            "但与“Polish”、“other”尚分不出高下；再有约 6 篇稿子就能分出高下。",
        ),
        (
            replace(SURE, decisive=False, tied=("polish",), more_drafts=None),
            "Plain language leads a single strong prompt by 0.7 points (95 % interval 0.3 to 1.1, 10 texts), "
            "but is not told apart from Polish.",
            "“Plain language”比“a single strong prompt”高 0.7 分（95% 区间 0.3 至 1.1，10 篇稿子），"
            "但与“Polish”尚分不出高下。",
        ),
        (
            replace(EARLY, value=1.2, interval=None, more_drafts=None, drafts=1),
            "One text only: Polish is ahead of Classic by 1.2 points here, which says nothing of other texts.",
            "只有一篇稿子：“Polish”在这一篇上比“Classic”高 1.2 分，对其他稿子说明不了什么。",
        ),
        (
            replace(EARLY, interval=None, more_drafts=None),
            "Too early to say: Polish is ahead of Classic by 0.3 points on 8 texts, which allow no interval.",
            "现在下结论还太早：“Polish”在 8 篇稿子上比“Classic”高 0.3 分，但算不出区间。",
        ),
        (
            replace(EARLY, value=0.0, interval=None),
            "No variant leads so far: none is ahead of every other on 8 texts.",
            "目前没有方案领先：在 8 篇稿子上，没有一个方案胜过其余所有方案。",
        ),
    ],
)
def test_one_plain_sentence_says_who_leads_and_how_sure(one: Lead, english: str, chinese: str) -> None:
    assert sentence(one, "en", names=NAMES) == english
    assert sentence(one, "zh-CN", names=NAMES) == chinese


def test_the_sentence_speaks_in_the_units_of_the_measure() -> None:
    findings = replace(SURE, value=2.1, interval=Interval(0.02, 4.0))
    assert sentence(findings, "en", names=NAMES, unit="open findings", better="fewer") == (
        "Plain language leads a single strong prompt with 2.10 fewer open findings "
        "(95 % interval 0.02 to 4.00, 10 texts)."
    )
    assert "比“a single strong prompt”少 2.10 条未解决的意见（" in sentence(
        findings, "zh", names=NAMES, unit="条未解决的意见", better="fewer"
    )
    assert "with 2.10 s less (90 % interval" in sentence(findings, "en", unit="s", better="less", level=0.9)


def test_the_words_of_both_languages_have_the_same_holes() -> None:
    for name in ("SENTENCES", "BY"):
        english, chinese = getattr(leads_en, name), getattr(leads_zh, name)
        assert english.keys() == chinese.keys()
        for key in english:
            assert {*re.findall(r"{\w+}", english[key])} == {*re.findall(r"{\w+}", chinese[key])}
