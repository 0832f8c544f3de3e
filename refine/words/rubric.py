"""The rubric by which a judge scores a text: what each dimension is called, and what 0, 5 and 10 of it mean.

One table for both languages. Who judges is told in these words; who reads the scores knows the dimensions by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dimension:
    """By language: its name, and what 0, 5 and 10 mean. `also`: other names that models give it."""

    names: Mapping[str, str]
    levels: Mapping[str, tuple[str, str, str]]
    also: tuple[str, ...] = ()


RUBRIC: Mapping[str, Dimension] = {
    "clarity": Dimension(
        {"en": "clarity", "zh": "清楚"},
        {
            "en": (
                "the readers it is meant for cannot make out what it says",
                "they can follow it, but read several sentences twice, or dig the point out of padding",
                "they understand every sentence the first time, and nothing stands in the way",
            ),
            "zh": (
                "它的读者看不出在说什么",
                "读者跟得上，但好几句要读两遍，或者要从空话里找要点",
                "读者每一句都一遍读懂，没有一处碍事",
            ),
        },
        ("clear", "clearness", "readability", "清晰", "清晰度", "清楚度", "明晰", "明白", "可读性"),
    ),
    "style": Dimension(
        {"en": "style", "zh": "口吻"},
        {
            "en": (
                "it could be anybody's: stiff, swollen or strung together from set phrases",
                "the author can be recognised, but in places it is smoother, stiffer or longer than that voice",
                "one voice throughout, the author's own where there is an original, and it suits the purpose",
            ),
            "zh": (
                "谁写的都可以：僵硬、浮夸，或由套话拼成",
                "还认得出作者，但有些地方比那个口吻更圆、更硬或更长",
                "通篇一个口吻，有原文时就是作者自己的，也合乎目的",
            ),
        },
        ("voice", "tone", "style and voice", "voice kept", "风格", "文风", "语气", "文体", "作者口吻", "口吻保留"),
    ),
    "correctness": Dimension(
        {"en": "correctness", "zh": "正确"},
        {
            "en": (
                "most sentences hold a fault of grammar, spelling, punctuation or logic",
                "some plain faults, none of which misleads",
                "no fault of grammar, spelling, punctuation or logic",
            ),
            "zh": (
                "多数句子有语病、错别字、标点或逻辑错误",
                "有几处明显的差错，但不致误解",
                "没有语病、错别字、标点或逻辑错误",
            ),
        },
        ("correct", "accuracy", "language", "grammar", "正确性", "准确", "准确性", "语言", "语言正确", "规范"),
    ),
    "faithfulness": Dimension(
        {"en": "faithfulness", "zh": "忠实"},
        {
            "en": (
                "the original's meaning is lost or turned round, or facts are made up",
                "the main points stand, but a fact, a condition or a degree of certainty is lost, changed or added",
                "every fact, name, number and shade of meaning of the original is there, and none was added",
            ),
            "zh": (
                "丢了或颠倒了原文的意思，或者编造事实",
                "主要意思还在，但有一处事实、条件或把握的分寸丢了、变了或多了",
                "原文的事实、人名、数字和意思的分寸一个不少，也没有添加",
            ),
        },
        (
            "faithful", "fidelity", "meaning", "meaning kept", "facts",
            "忠实度", "忠实性", "忠于原文", "保真", "意思保留",
        ),
    ),
    "brief": Dimension(
        {"en": "brief", "zh": "要求"},
        {
            "en": (
                "it does not do what the brief asks",
                "it does the main thing, but misses a part of it or does more than was asked",
                "it does all that the brief asks, and nothing that it does not ask",
            ),
            "zh": (
                "没有做到要求的事",
                "做到了主要的一项，但漏了一部分，或者做过了头",
                "要求的全做到了，没要求的一样没做",
            ),
        },
        (
            "task", "the brief", "instructions", "instruction following", "adherence", "brief adherence", "compliance",
            "任务", "符合要求", "达到要求", "完成要求", "切题", "指令遵循",
        ),
    ),
}  # fmt: skip
"""Dimension -> what it means. The order is that of every table."""

FACES_ORIGINAL, FACES_BRIEF = "faithfulness", "brief"
"""The dimensions that mean something only beside an original, or a brief."""


def dimensions(*, original: bool, brief: bool) -> tuple[str, ...]:
    """Those that a text can be judged by that has an original, a brief, both or neither."""
    without = {FACES_ORIGINAL: not original, FACES_BRIEF: not brief}
    return tuple(name for name in RUBRIC if not without.get(name))


def told(wanted: Iterable[str], language: str) -> str:
    """The rubric as a judge reads it, a dimension a line. Its English name is the key of the answer."""
    return "\n".join(_line(name, "zh" if language.casefold().startswith("zh") else "en") for name in wanted)


def _line(name: str, language: str) -> str:
    known = RUBRIC[name]
    none, half, full = known.levels[language]
    if language == "zh":
        return f"- {name}（{known.names[language]}）：0 = {none}；5 = {half}；10 = {full}"
    return f"- {name}: 0 = {none}; 5 = {half}; 10 = {full}"
