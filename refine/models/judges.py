"""How the scripted characters judge: from plain features of a text, so that the better text gets the better score.

Pure: the same texts, the same judgement. It sees slips, wordy phrases, lost numbers and lost words; it has no taste.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from refine.models import manuscript
from refine.models.conversation import Scene, dumps
from refine.models.manuscript import Fault
from refine.text.estimate import CJK
from refine.types import Json

COSTS: Mapping[str, float] = {"wording": 1.5, "clarity": 1.0, "structure": 1.0}
"""What a fault takes off the score of a text's clarity."""
SLIP, LOST = 2.0, 3.0
"""What a slip takes off correctness, and a lost or made-up number off faithfulness."""
APART = 0.3
"""By how much the mean of one text must pass the other's."""
MET, PASSED = 9.0, 3.0
"""Scores for the brief: nothing speaks against it; the length that it allows is passed."""

_SLIPS = re.compile(r"\b(\w+) \1\b|(?<=\w) +[,.;:!?](?=\s|$)|([一-鿿])\2(?=\2)|(?<=[一-鿿])[,;:!?]", re.IGNORECASE)
_SLIP_WORDS = {False: "A slip: a word twice, or a mark out of place.", True: "差错：字词重复，或标点不对。"}
_LOST_WORDS = {False: "The text no longer says this.", True: "文章里没有了这一处。"}
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MOST = re.compile(
    r"(?:at most|no more than|under|up to)\s+(\d+)\s+(?:words|characters)|(\d+)\s*字(?:以内|之内|以下)", re.I
)
_WORD = re.compile(r"[一-鿿]|[^\W\d_]+")
_UNCLEAR = (
    "Both have their charm. It is hard to put a number on it.",
    '```json\n{"evidence": [{"quote": "the",',
    "",
    '{"scores": {"clarity": "good", "style": "very good"}, "better": "it depends"}',
    "I read every line twice.",
)


@dataclass(frozen=True, slots=True)
class Material:
    """What a judge has before it, beside the texts."""

    original: str
    brief: str
    chinese: bool


def material_of(scene: Scene) -> Material:
    return Material(scene.marked("original"), scene.marked("brief"), scene.chinese)


def scored(scene: Scene) -> str:
    """The reply of a judge that is asked for scores."""
    material, text = material_of(scene), scene.marked("draft") or scene.draft
    evidence = [_quoted(*found) for found in faults(text, material)][:8]
    return dumps({"evidence": evidence, "scores": scores(text, material)})


def preferred(scene: Scene) -> str:
    """The reply of a judge that is asked for the better one of two."""
    material, one, two = material_of(scene), scene.marked("text_1"), scene.marked("text_2")
    ahead = mean(one, material) - mean(two, material)
    better = "same" if abs(ahead) < APART else "1" if ahead > 0 else "2"
    return choice(scene, better)


def choice(scene: Scene, better: str) -> str:
    material = material_of(scene)
    found = [fault for name in ("text_1", "text_2") for fault in [*faults(scene.marked(name), material)][:4]]
    return dumps({"evidence": [_quoted(*fault) for fault in found], "better": better})


def unclear(scene: Scene) -> str:
    return scene.pick(_UNCLEAR)


def scores(text: str, material: Material) -> dict[str, float]:
    """By dimension, in halves; those alone that mean something here."""
    found = list(faults(text, material))
    clarity = 10 - sum(COSTS.get(fault.dimension, 0) for name, fault in found if name == "clarity")
    lost = sum(name == "faithfulness" for name, _ in found) + len(_numbers(text) - _numbers(material.original))
    given: dict[str, float] = {
        "clarity": clarity,
        "style": 10 * _alike(text, material.original) if material.original else 8,
        "correctness": 10 - SLIP * sum(name == "correctness" for name, _ in found),
    }
    if material.original:
        given["faithfulness"] = 10 - LOST * lost
    if material.brief:
        given["brief"] = PASSED if _too_long(text, material.brief) else MET
    return {name: max(0.0, round(2 * score) / 2) for name, score in given.items()}


def mean(text: str, material: Material) -> float:
    given = scores(text, material)
    return sum(given.values()) / len(given)


def faults(text: str, material: Material) -> Iterator[tuple[str, Fault]]:
    """(dimension of the rubric, fault)."""
    others = [fault for fault in manuscript.faults(text, material.chinese) if fault.dimension != "wording"]
    for fault in (*manuscript.wordy(text, material.chinese), *others):
        yield "clarity", fault
    for slip in _SLIPS.finditer(text):
        yield "correctness", Fault(_around(text, slip), _SLIP_WORDS[material.chinese])
    for number in sorted(_numbers(material.original) - _numbers(text)):
        yield "faithfulness", Fault(number, _LOST_WORDS[material.chinese])


def _quoted(dimension: str, fault: Fault) -> Json:
    return {"quote": fault.quote, "dimension": dimension, "remark": fault.remark}


def _around(text: str, slip: re.Match[str]) -> str:
    """The slip with the word before it, so that it can be found."""
    before = re.search(r"\S*\s?$", text[max(0, slip.start() - 20) : slip.start()])
    return ((before[0] if before else "") + slip[0]).strip()


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _alike(text: str, original: str) -> float:
    """The share of the original's words that are still there: a voice is made of them."""
    words = {word.casefold() for word in _WORD.findall(original)}
    kept = words & {word.casefold() for word in _WORD.findall(text)}
    return len(kept) / len(words) if words else 1.0


def _too_long(text: str, brief: str) -> bool:
    most = _MOST.search(brief)
    length = len(CJK.findall(text)) if CJK.search(text) else len(text.split())
    return most is not None and length > int(most[1] or most[2])
