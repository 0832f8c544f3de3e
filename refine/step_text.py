"""A run of steps as Markdown for people: each question, how it was worked on, the answer. Knows nothing of files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from refine import steps, words
from refine.steps import Asked
from refine.views import RoundView, RunView, reason_of

_MARKS = re.compile(r"([\\`*_\[\]<>!#|~$])")
_TICKS = re.compile(r"`+")


def markdown(view: RunView) -> str:
    """What people and models said stands as text: only the answers are read as Markdown, as they are the result."""
    return "\n\n".join(_blocks(view)) + "\n"


def _blocks(view: RunView) -> Iterator[str]:
    language = view.spec.task.language
    told = words.files(language)
    yield f"# {_plain(view.title) or told.REPORT['untitled']}"
    if not view.ended:
        yield str(told.GOES_ON)
    for asked in steps.asked(view):
        yield f"## {told.REPORT['question']}"
        yield _quoted(asked.text)
        for round in asked.steps:
            yield from _step(round, language)
        if asked.answer is not None:
            yield f"## {told.REPORT['answer']}"
            yield asked.answer.strip()
            yield f"*{verified(asked, language)}*"
    if said := reason_of(view, language):
        yield f"*{said}*"


def verified(asked: Asked, language: str) -> str:
    """How far an answer can be trusted: its checks, and whether any tool was used."""
    report = words.files(language).REPORT
    said = [report["verified" if asked.checked else "not_verified"]]
    return " ".join([*said, *([report["without_tools"]] if asked.without_tools else [])])


def _step(round: RoundView, language: str) -> Iterator[str]:
    step, report = steps.step_of(round), words.files(language).REPORT
    result = words.of(language).STEP_RESULTS[steps.result_of(step)]
    yield f"### {report['step'].format(n=round.n + 1)}: {_plain(steps.action_of(step)) or result}"
    if step.thought:
        yield f"{report['thought']}"
        yield _quoted(step.thought)
    if step.final is not None and step.errors:
        yield report["answer"]
        yield _quoted(step.final)
    for call, text, error in steps.told(step):
        if call:
            yield f"{report['action']}: `{_no_ticks(call.name)}`"
            yield _fenced(json.dumps(dict(call.arguments), ensure_ascii=False), "json")
        if text:
            yield f"{report['observation']}{f' ({words.of(language).STEP_ERRORS[error]})' if error else ''}"
            yield _fenced(text)


def _plain(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _escaped(line: str) -> str:
    return _MARKS.sub(r"\\\1", line)


def _quoted(text: str) -> str:
    return "\n".join(f"> {_escaped(line)}".rstrip() for line in text.strip().splitlines())


def _no_ticks(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _fenced(text: str, language: str = "") -> str:
    """In a fence longer than any inside it."""
    fence = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
