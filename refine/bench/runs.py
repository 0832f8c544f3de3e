"""Whole runs: what they send, whether faults of the server lose any, how long one takes without a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import refine
from refine import export, prompts
from refine.bench.rows import Row, Size
from refine.bench.tools import (
    ENDLESS,
    PROJECT,
    REVIEWS,
    STORED_WORDS,
    behave,
    draft_of,
    python,
    refined,
    requests,
)
from refine.events import RoundEnded
from refine.findings import open_findings
from refine.keeping import best_index
from refine.techniques.reviewing import hole_values
from refine.techniques.rewriting import lessons
from refine.text.estimate import estimate_tokens
from refine.types import Message, Role, Round, RunSpec
from refine.views import RunView

WORSE = "degrading"
"""The character whose rewrites all fail: each adds a line on what was wrong with it to the next prompt."""
FAULTS = ("rate", "server", "unavailable", "gateway", "error_200", "drop", "cut", "malformed", "error_chunk",
          "empty_choices")  # fmt: skip
"""Kinds of fault that another attempt mends, and that show at once: silence only takes longer. See `fake_faults`."""
EVERY = 10
"""Of how many requests one meets its fault."""
SAMPLE = PROJECT / "data" / "samples" / "newsletter.md"
"""300 words with a dozen faults."""


# --- prompts -----------------------------------------------------------------------------------------------------


def prompt_tokens(size: Size, url: str) -> Iterator[Row]:
    """All that the server was sent in a run whose every rewrite fails, beside what has to be sent."""
    behave(url)
    view = asyncio.run(refined(url, draft_of(STORED_WORDS), WORSE, size.rounds))
    sent = sum(estimate_tokens(message["content"]) for body in requests(url) for message in body["messages"])
    log = export.read_log(python("-m", "refine", "export", view.run_id, "--as", "jsonl", "--out", "-"))
    rounds = tuple(record.event.round for record in log if isinstance(record.event, RoundEnded))
    needed = sum(estimate_tokens(message.content) for prompt in _needed(view.spec, rounds) for message in prompt)
    what = f"prompt tokens of {size.rounds} rounds / best draft, findings, lessons"
    yield Row(what, sent / needed, 1.0, detail=f"{sent} of {needed} tokens")


def _needed(spec: RunSpec, rounds: tuple[Round, ...]) -> Iterator[tuple[Message, ...]]:
    """The prompts of a run that are made of the best draft, its open findings and the lessons alone."""
    for n, ended in enumerate(rounds):
        if n:
            yield _rewrite(spec, rounds[:n])
        if ended.text not in {earlier.text for earlier in rounds[:n]}:
            values = hole_values(spec, rounds[:n], ended.text)
            yield prompts.messages(_prompt(spec.role("critic")), "critic", values, where="bench")


def _rewrite(spec: RunSpec, rounds: tuple[Round, ...]) -> tuple[Message, ...]:
    best = best_index(rounds)
    findings = prompts.findings_text(open_findings(rounds, best), spec.task.language)
    values = hole_values(spec, rounds, rounds[best].text)
    values |= {"findings": findings, "lessons": "\n".join(lessons(spec, rounds))}
    return prompts.messages(_prompt(spec.role("writer")), "writer", values, where="bench")


def _prompt(role: Role | None) -> str:
    assert role is not None
    return role.prompt


# --- faults ------------------------------------------------------------------------------------------------------


def faults(size: Size, url: str) -> Iterator[Row]:
    """Loops at once against a server of whose replies every tenth fails, each loop with one kind of fault."""
    behave(url)
    views = asyncio.run(_with_faults(url, size.at_once))
    attempts = sum(call.attempts for view in views for call in view.attempts)
    failed = sum(len(call.failures) for view in views for call in view.attempts)
    gone = sum(map(lost, views))
    detail = f"{failed} of {attempts} attempts failed, {len(FAULTS)} kinds of fault"
    yield Row(f"loops lost of {size.at_once} at {100 // EVERY} % injected faults", gone, 0, detail=detail)


def lost(view: RunView) -> bool:
    """Did the run not come to the end it was given, with all its rounds?"""
    return (view.status, view.reason, len(view.rounds)) != ("done", "max_rounds", REVIEWS)


async def _with_faults(url: str, loops: int) -> list[RunView]:
    kinds = [f"{ENDLESS}+{FAULTS[n % len(FAULTS)]},every={EVERY}" for n in range(loops)]
    return await asyncio.gather(*[refined(url, draft_of(STORED_WORDS, n), model=kind) for n, kind in enumerate(kinds)])


# --- without a server --------------------------------------------------------------------------------------------


def offline(size: Size, url: str) -> Iterator[Row]:
    """Time of an offline run: the first in a process, and the next."""
    text, taken = " ".join(SAMPLE.read_text(encoding="utf-8").split(" ")[: size.words]), []
    for draft in (text, f"{text}\n"):
        began = time.perf_counter()
        refine.refine_text(draft, variant="offline")
        taken.append(time.perf_counter() - began)
    yield Row(
        "time of an offline run of 300 words", taken[1], None, "s", f"{taken[0]:.1f} s for the first in a process"
    )
