"""A judge's reply: a text's scores by the rubric with the evidence for them, or which of two texts is better.

What counts are fields, as they were asked for or nearly so, or lines that hold a label and a value and nothing else. A
score or a choice is never guessed from prose; where a reply says two things, it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, TypeVar

from refine.replies.json import finding_of, table_of
from refine.replies.objects import loaded, spans, stands_alone, unended
from refine.replies.text import lines, normal, unfenced, visible
from refine.types import Finding, Json
from refine.words.rubric import RUBRIC

Preference = Literal["1", "2", "same"]
Value = TypeVar("Value")

LONGEST = 100_000
"""Characters of a reply that are read."""
LABEL = 100
"""Characters of a name or a choice, at most."""
MOST_EVIDENCE = 20
"""Pieces of evidence that are kept of one reply."""

SCORES = (
    "scores", "score", "ratings", "rating", "dimensions", "criteria", "各项评分", "分项评分", "评分", "得分", "分数",
    "维度",
)  # fmt: skip
DIMENSION = ("dimension", "criterion", "name", "aspect", "维度", "方面", "名称")
NUMBER = ("score", "rating", "value", "points", "评分", "得分", "分数", "分值", "分")
EVIDENCE = ("evidence", "evidences", "findings", "quotes", "reasons", "证据", "依据", "理由", "引文")
BETTER = (
    "better", "better text", "the better text", "which is better", "winner", "preferred", "preference", "choice",
    "verdict", "更好", "较好", "更好的", "更好的文本", "更好的文章", "哪篇更好", "哪个更好", "胜者", "选择", "结论",
)  # fmt: skip
CHOICES: Mapping[Preference, tuple[str, ...]] = {
    "1": (
        "1", "one", "text 1", "text one", "first", "the first", "first text", "the first text", "一", "文本1", "文本一",
        "文章1", "文章一", "稿件1", "稿件一", "第1篇", "第一篇", "第一个", "第一",
    ),
    "2": (
        "2", "two", "text 2", "text two", "second", "the second", "second text", "the second text", "二", "文本2",
        "文本二", "文章2", "文章二", "稿件2", "稿件二", "第2篇", "第二篇", "第二个", "第二",
    ),
    "same": (
        "same", "the same", "equal", "equally good", "tie", "a tie", "draw", "neither", "both", "no difference",
        "一样", "一样好", "相同", "平", "平手", "持平", "相当", "差不多", "不分上下", "不相上下",
    ),
}  # fmt: skip

_DIMENSIONS = {normal(other): name for name, known in RUBRIC.items() for other in (*known.names.values(), *known.also)}
_DIMENSIONS |= {name: name for name in RUBRIC}
_CHOICES = {said: choice for choice, names in CHOICES.items() for said in names}
_DECORATION = " \t*_`\"'“”‘’「」『』()[]{}<>.,;:!。，；：！、"
_NAMED_TWICE = re.compile(r"(.{1,40}?)\s*\(([^()]{1,40})\)")
_SCORE = re.compile(
    r"(\d{1,2}(?:[.,]\d{1,2})?)\s*(?:/\s*10(?:\s*分)?|分|points?|out of 10)?"
    r"(?:\s*[(\[,;:|–—][^\d]*|\s+-\s[^\d]*|\.)?"
)
"""A number, perhaps with its scale, perhaps with a remark behind it that holds no other."""
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|“([^”]*)”|[：，｛｝［］]', re.DOTALL)
_MARKS = str.maketrans("：，｛｝［］", ":,{}[]")
_FENCE = re.compile(r"[`~]{0,4}\s*(?:json)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Judgement:
    scores: Mapping[str, float]
    """Dimension of the rubric -> 0 to 10. What was not given, or was outside, is not in it."""
    evidence: tuple[Finding, ...] = ()


def read_judgement(text: str | None) -> Judgement | None:
    """The scores in a judge's reply and their evidence; None where it holds no score. Never raises."""
    seen = _seen(text)
    objects = _objects(seen)
    scores = _agreed(pair for value in objects for pair in _scores(value))
    if not objects and unended(seen) is None:
        scores = _agreed(_lines(seen, _dimension, _score))
    return Judgement({name: scores[name] for name in RUBRIC if name in scores}, _evidence(objects)) if scores else None


def read_preference(text: str | None) -> Preference | None:
    """Which of two texts a reply prefers; None where it does not say so in one way. Never raises."""
    seen = _seen(text)
    objects = _objects(seen)
    said: list[tuple[str, Preference]] = []
    for table in (table for value in objects for table in _inner(value)):
        said += _fields(table, _is_better, _choice)
    if not objects and unended(seen) is None:
        said = [("better", alone)] if (alone := _choice(seen)) else list(_lines(seen, _is_better, _choice))
    return _agreed(said).get("better") if said else None


def read_evidence(text: str | None) -> tuple[Finding, ...]:
    """What a reply brings forward: quotes with remarks, none of which has to be acted on. Never raises."""
    return _evidence(_objects(_seen(text)))


def _seen(text: str | None) -> str:
    return visible(text or "")[:LONGEST]


def _agreed(said: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """What was said of each name; nothing at all where two different things were said of one."""
    found: dict[str, Value] = {}
    for name, value in said:
        if found.setdefault(name, value) != value:
            return {}
    return found


# --- objects ---------------------------------------------------------------------------------------------------------


def _objects(seen: str) -> list[Json]:
    """The objects and lists that stand for themselves; none of a reply that was cut off in one."""
    if unended(seen) is not None:
        return []
    found = [loaded(seen[start:end]) for start, end in spans(seen) if _for_itself(seen, start)]
    found = [value for value in found if value]
    return found or _with_plain_marks(seen)


def _for_itself(seen: str, start: int) -> bool:
    line = seen[seen.rfind("\n", 0, start) + 1 : start].strip()
    return stands_alone(seen, start) or _FENCE.fullmatch(line) is not None


def _with_plain_marks(seen: str) -> list[Json]:
    """The one object of a reply that writes JSON with full-width marks or curly quotation marks."""
    inside = seen.strip().strip("`").removeprefix("json").strip()
    if not inside.startswith(("{", "｛")):
        return []
    value = loaded(_PIECE.sub(_plain, inside))
    return [value] if value else []


def _plain(piece: re.Match[str]) -> str:
    if piece[1] is not None:
        return '"' + piece[1].replace('"', '\\"') + '"'
    return piece[0] if piece[0].startswith('"') else piece[0].translate(_MARKS)


def _inner(value: Json) -> Iterator[Mapping[str, Json]]:
    """The tables of a value: itself, and the one object inside it that wraps all the rest."""
    if isinstance(value, dict):
        table = table_of(value)
        yield table
        held = [inner for inner in table.values() if isinstance(inner, dict)]
        if len(table) == len(held) == 1:
            yield table_of(held[0])


def _first(table: Mapping[str, Json], names: tuple[str, ...]) -> Json:
    return next((table[name] for name in names if table.get(name) is not None), None)


def _scores(value: Json) -> list[tuple[str, float]]:
    """What an object says of each dimension: in a field of its own, in one for each, or in a list."""
    if isinstance(value, list):
        return _listed(value)
    for table in _inner(value):
        held = _first(table, SCORES)
        found = _listed(held) if isinstance(held, list) else _fields(held, _dimension, _score)
        if found := found or _fields(table, _dimension, _score):
            return found
    return []


def _listed(held: list[Json]) -> list[tuple[str, float]]:
    tables = [table_of(entry) for entry in held if isinstance(entry, dict)]
    read = [(_dimension(_first(table, DIMENSION)), _score(_first(table, NUMBER))) for table in tables]
    return [(name, score) for name, score in read if name and score is not None]


def _fields(
    held: Json, name_of: Callable[[Json], str | None], value_of: Callable[[Json], Value | None]
) -> list[tuple[str, Value]]:
    """The fields of an object whose name and value both mean something."""
    if not isinstance(held, dict):
        return []
    read = [(name_of(key), value_of(inner)) for key, inner in held.items()]
    return [(name, value) for name, value in read if name and value is not None]


def _evidence(objects: list[Json]) -> tuple[Finding, ...]:
    """Each has a quote or a remark, in a list under one of the names for it."""
    lists = (_first(table, EVIDENCE) for value in objects for table in _inner(value))
    entries = (entry for held in lists if isinstance(held, list) for entry in held if isinstance(entry, dict))
    read = (finding_of(entry) for entry in islice(entries, MOST_EVIDENCE))
    return tuple(
        replace(one, dimension=_dimension(one.dimension) or one.dimension, severity="may", suggestion=None)
        for one in read
        if one.quote or one.remark
    )


# --- lines -----------------------------------------------------------------------------------------------------------


def _lines(
    seen: str, name_of: Callable[[Json], str | None], value_of: Callable[[Json], Value | None]
) -> Iterator[tuple[str, Value]]:
    """Lines, and rows of a table, that hold a label and a value: “Clarity: 8/10”, “更好：2”."""
    inside = unfenced(seen)
    for line in lines(seen if inside is None else inside):
        if line.form in ("quote", "code", "blank"):
            continue
        label, mark, rest = line.text.strip("|").partition("|" if line.text.startswith("|") else ":")
        name, value = name_of(label), value_of(rest.strip(" |*_"))
        if mark and name and value is not None:
            yield name, value


# --- values ----------------------------------------------------------------------------------------------------------


def _dimension(name: Json) -> str | None:
    """The rubric's dimension of that name; also “清楚（clarity）”."""
    if not isinstance(name, str) or len(name) > LABEL:
        return None
    said = normal(name).replace("_", " ").replace("-", " ").strip(_DECORATION)
    twice = _NAMED_TWICE.fullmatch(normal(name).strip(" *_"))
    found = [_DIMENSIONS.get(part.strip(_DECORATION)) for part in (said, *(twice.groups() if twice else ()))]
    return next(filter(None, found), None)


def _score(value: Json) -> float | None:
    """0 to 10; also “8/10”, “8 分”, and an object that holds one."""
    if isinstance(value, dict):
        held = _first(table_of(value), NUMBER)
        return None if isinstance(held, dict) else _score(held)
    if isinstance(value, str) and (match := _SCORE.fullmatch(normal(value[:500]).strip(" *_"))):
        value = float(match[1].replace(",", "."))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 10 else None


def _is_better(name: Json) -> str | None:
    """ "better" where a field or a label asks which text is."""
    if not isinstance(name, str) or len(name) > LABEL:
        return None
    said = normal(name).replace("_", " ").replace("-", " ").strip(_DECORATION)
    return "better" if said in BETTER else None


def _choice(value: Json) -> Preference | None:
    """1, 2 or same, where the value says that and nothing more."""
    if not isinstance(value, bool) and value in (1, 2):
        value = str(int(value))
    if not isinstance(value, str) or len(value) > LABEL:
        return None
    said = normal(value).replace("_", " ").strip(_DECORATION)
    return _CHOICES.get(said) or _CHOICES.get(said.replace(" ", ""))
