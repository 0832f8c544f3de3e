"""What a tool may see of its run besides its arguments. It knows nothing of runs, stores or models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


def _nowhere(fact: str) -> None:
    raise LookupError("nothing is kept here")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Given to a tool whose first parameter is annotated so; it is no part of what the actor sees."""

    draft: str = ""
    language: str = "en"
    """Of what tools say."""
    workspace: Path | None = None
    """The only folder that tools may read and write; None where the run has none."""
    source: Path | None = None
    """What the workspace is filled from at its first use."""
    remember: Callable[[str], None] = _nowhere
    recall: Callable[[], Sequence[str]] = tuple
    """All facts kept over runs, the newest first."""
