"""Typed replies: a critic's JSON, as it was asked for or nearly so.

Finds the objects in a reply (fenced, with prose around, with the small slips that models make), and reads verdict,
score and findings from them. Never closes cut-off JSON. Knows nothing of lines of prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from refine.replies.lines import Signal, Token, read_line
from refine.replies.objects import loaded, spans, stands_alone, unended
from refine.replies.sense import sense, sentences
from refine.replies.text import normal
from refine.types import Finding, Json, Severity

KEYS: Mapping[str, tuple[str, ...]] = {
    "verdict": (
        "verdict", "final verdict", "overall verdict", "status", "decision", "final decision", "approved",
        "is approved", "approval", "结论", "最终结论", "审核结论", "评审结论", "审核结果", "评审结果", "状态", "决定",
        "是否通过",
    ),
    "score": ("score", "overall score", "total score", "rating", "overall", "评分", "分数", "总分", "得分"),
    "scores": ("scores", "ratings", "criteria", "各项评分", "分项", "评分明细"),
    "findings": (
        "findings", "issues", "problems", "comments", "suggestions", "remarks", "changes", "required changes", "errors",
        "feedback", "faults", "weaknesses", "问题", "意见", "修改意见", "修改建议", "发现", "建议",
    ),
    "quote": ("quote", "passage", "excerpt", "original", "text", "quoted", "引文", "原文"),
    "severity": ("severity", "level", "priority", "importance", "严重程度", "级别", "优先级"),
    "dimension": ("dimension", "category", "type", "criterion", "aspect", "area", "维度", "类别", "类型"),
    "remark": (
        "remark", "comment", "issue", "problem", "description", "message", "explanation", "reason", "details", "note",
        "feedback", "rationale", "summary", "意见", "问题", "说明", "理由", "原因",
    ),
    "suggestion": ("suggestion", "fix", "replacement", "recommendation", "suggested", "proposal", "建议", "改为"),
}  # fmt: skip
SEVERITIES: Mapping[str, Severity] = {
    "must": "must", "critical": "must", "high": "must", "major": "must", "blocker": "must", "blocking": "must",
    "error": "must", "severe": "must", "required": "must", "必须": "must", "严重": "must", "高": "must",
    "may": "may", "optional": "may", "minor": "may", "low": "may", "nit": "may", "trivial": "may", "info": "may",
    "suggestion": "may", "可选": "may", "轻微": "may", "低": "may",
}  # fmt: skip
_COMPULSORY = re.compile(
    r"\b(?:must|mandatory|required|requires?|block\w*|critical|needs?|fix(?:es)?|unresolved|outstanding|revise|"
    r"revisions?)\b"
    r"|必须?改|必须|严重|阻断|未解决|需要?修改"
)
"""Names of fields that hold what has to be changed."""
_FAULTS = re.compile(r"\b(?:issues|problems|errors|faults|weaknesses|flaws|gaps|concerns)\b|问题|不足|缺陷|错误")
_KIND = re.compile(r"\b(?:strengths?|positives?|praise|pros|optional|minor|nits?|nice to have)\b|优点|亮点|可选")
"""Names of fields that hold faults, and of such as hold none."""
_SILENT = frozenset(key for name in ("verdict", "quote", "severity", "dimension") for key in KEYS[name])
APPROVING = ("approved", "approve")
_FENCED = re.compile(r"(?:^[ ]{0,3}```[a-z0-9]{0,10}[ ]*\n)?\0(?:\n[ ]{0,3}```[ ]*$)?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Typed:
    """What a reply says in its fields."""

    signals: tuple[Signal, ...] = ()
    score: float | None = None
    scored: bool = False
    """A score was given, perhaps one that is no score from 0 to 10."""
    findings: tuple[Finding, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    remark: str = ""


def typed_in(text: str, token: str) -> tuple[Typed, str]:
    """What the JSON in a reply says, and the reply without that JSON."""
    read: list[Typed] = []
    prose: list[str] = []
    at = 0
    if cut := _cut_off(text):
        return cut
    for start, end in spans(text):
        value = loaded(text[start:end])
        typed = _typed(value, token) if value is not None and stands_alone(text, start) else Typed()
        if typed != Typed():
            read.append(typed)
            prose.append(text[at:start])
            at = end
    if not read:
        return Typed(), text
    return _together(read), _FENCED.sub("", "\0".join([*prose, text[at:]]))


def _cut_off(text: str) -> tuple[Typed, str] | None:
    """An object that begins like a verdict and never ends: nothing in it can approve."""
    start = unended(text)
    return None if start is None else (Typed(signals=("doubt",)), text[:start])


# --- one value -------------------------------------------------------------------------------------------------------


def _typed(value: Json, token: str) -> Typed:
    if isinstance(value, list):
        return Typed(findings=_findings(value), signals=("fault",)) if _is_findings(value) else Typed()
    table = table_of(value)
    verdict = _first(table, "verdict")
    if verdict is None and (inner := _only_inner(table)) is not None:
        return _typed(inner, token)
    score = _first(table, "score")
    listed = _first(table, "findings")
    findings = _findings(listed if isinstance(listed, list) else [])
    signals = _verdict_signals(table, token)
    if "approved" in signals:
        signals = (*signals, *_taken_back(table), *(("fault",) if _blocks(table) else ()))
    if not signals and (findings or score is not None):
        signals = ("fault",) if any(finding.severity != "may" for finding in findings) else ("mention",)
    scores = _scores(_first(table, "scores"))
    remark = _words(_first(table, "remark")) or _words(_first(table, "verdict"))
    return Typed(signals, _number(score), score is not None, findings, scores, remark if signals else "")


def _taken_back(table: Mapping[str, Json]) -> tuple[Signal, ...]:
    """What an approving object demands all the same, in words and not by a severity."""
    return ("fault",) if any(_objects(held, key) for key, held in table.items()) else ()


def _objects(held: Json, key: str) -> bool:
    """Whether a field, or one inside it, names a fault. Every entry in a list of faults does, unless it is optional."""
    if key in _SILENT or _KIND.search(key):
        return False
    if isinstance(held, dict):
        inner = table_of(held)
        if severity_of(_words(_first(inner, "severity"))) == "may":
            return False
        return any(_objects(value, name) for name, value in inner.items())
    if isinstance(held, list):
        return any(_objects(entry, key) or (_FAULTS.search(key) and _is_fault(entry)) for entry in held)
    kinds = {sense(said) for line in _words(held).splitlines() for said in sentences(normal(line))}
    return bool(kinds & {"fault", "doubt"})


def _is_fault(entry: Json) -> bool:
    """An entry in a list of faults, also one whose words are not known for a fault."""
    said = finding_of(entry)
    if said.severity == "may":
        return False
    text = normal(said.remark or said.suggestion or said.quote)
    return any(sense(sentence) not in ("nothing", "praise", "optional", "past") for sentence in sentences(text))


def _blocks(held: Json, key: str = "") -> bool:
    """Whether a field that names compulsory changes holds any: {"must_fix": ["…"]}, {"needs_revision": true}."""
    if isinstance(held, dict):
        inner = table_of(held)
        grave = severity_of(_words(_first(inner, "severity"))) == "must"
        return (
            (bool(inner) and _COMPULSORY.search(key) is not None)
            or grave
            or any(_blocks(value, name) for name, value in inner.items())
        )
    if isinstance(held, list):
        return any(_blocks(value, key) for value in held)
    if not held or not _COMPULSORY.search(key):
        return False
    return not isinstance(held, str) or any(
        sense(said) not in ("nothing", "praise") for said in sentences(normal(held))
    )


def table_of(value: Mapping[str, Json]) -> dict[str, Json]:
    return {normal(str(key)).replace("_", " ").replace("-", " ").strip(): held for key, held in value.items()}


def _first(table: Mapping[str, Json], name: str) -> Json:
    return next((table[key] for key in KEYS[name] if table.get(key) is not None), None)


def _only_inner(table: Mapping[str, Json]) -> Json:
    """{"review": {"verdict": …}}: the one object inside that has a verdict."""
    inner = [
        held for held in table.values() if isinstance(held, dict) and _first(table_of(held), "verdict") is not None
    ]
    return inner[0] if len(inner) == 1 else None


def _verdict_signals(table: Mapping[str, Json], token: str) -> tuple[Signal, ...]:
    """Every field that gives a verdict counts like a verdict line."""
    found: list[Signal] = []
    for key in KEYS["verdict"]:
        if key in table and not isinstance(table[key], dict):
            found.extend(_verdict_signal(key, table[key], token))
    for key, held in table.items():
        if isinstance(held, dict) and key not in KEYS["scores"]:
            verdict = _first(table_of(held), "verdict")
            signals = _verdict_signal(key, verdict, token) if isinstance(verdict, str | bool) else ()
            found.extend("criterion_no" for signal in signals if signal in ("revise", "withheld"))
    return tuple(found)


def _verdict_signal(key: str, value: Json, token: str) -> tuple[Signal, ...]:
    yes_or_no = key in ("approved", "is approved", "approval", "是否通过")
    if yes_or_no and (value is True or value is False):
        return ("approved",) if value else ("revise",)
    said = _words(value)
    if yes_or_no and normal(said) in ("yes", "true", "是", "no", "false", "否"):
        return ("approved",) if normal(said) in ("yes", "true", "是") else ("revise",)
    if not said:
        return ("mention",)
    said = said.replace("\n", " ")
    if normal(said).strip(" .!") in APPROVING:
        return ("approved",)
    signals = read_line("verdict: " + normal(said), Token.of(token))
    if not signals and "revise" in read_line("verdict: " + normal(said).replace("_", " "), Token.of(token)):
        return ("revise",)
    return signals or read_line("verdict: " + normal(said), Token.of(APPROVING[0])) or ("mention",)


def _number(value: Json) -> float | None:
    """A score from 0 to 10; also “8/10”. None where it is anything else."""
    if isinstance(value, str) and (match := re.fullmatch(r"\s*(\d{1,2}(?:\.\d{1,3})?)\s*(?:/\s*10|分)?\s*", value)):
        value = float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 10 else None


def _scores(value: Json) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    read = {str(name): _number(held.get("score") if isinstance(held, dict) else held) for name, held in value.items()}
    return {name: score for name, score in read.items() if score is not None}


# --- findings ---------------------------------------------------------------------------------------------------------


def _is_findings(value: list[Json]) -> bool:
    return bool(value) and all(isinstance(held, dict) and finding_of(held) != Finding() for held in value)


def _findings(value: list[Json]) -> tuple[Finding, ...]:
    read = (finding_of(held) for held in value)
    return tuple(finding for finding in read if finding.quote or finding.remark or finding.suggestion)


def finding_of(value: Json) -> Finding:
    if not isinstance(value, dict):
        return Finding(remark=_words(value))
    table = table_of(value)
    quote, dimension, remark, suggestion = (
        _words(_first(table, name)) for name in ("quote", "dimension", "remark", "suggestion")
    )
    return Finding(
        quote=quote,
        dimension=dimension,
        severity=severity_of(_words(_first(table, "severity"))),
        remark=remark,
        suggestion=suggestion or None,
    )


def severity_of(word: str) -> Severity:
    return SEVERITIES.get(normal(word).strip(), "should")


def _words(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def _together(read: list[Typed]) -> Typed:
    """Several objects in one reply: the first score counts, all signals and findings do."""
    scored = next((typed for typed in read if typed.scored), Typed())
    return Typed(
        tuple(signal for typed in read for signal in typed.signals),
        scored.score,
        scored.scored,
        tuple(finding for typed in read for finding in typed.findings),
        {name: score for typed in read for name, score in typed.scores.items()},
        next((typed.remark for typed in read if typed.remark), ""),
    )
