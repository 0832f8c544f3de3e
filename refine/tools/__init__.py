"""What an actor may call: small functions with one job each, as plain text in and out.

    declare(["calculator"], "en")            what a run's event 0 says of its tools
    call("calculator", {...}, allowed, around)    one call: always an observation, never an exception

A tool of your own is a typed function under `@tool()`. This package knows nothing of runs, models or techniques.
"""

from __future__ import annotations

from collections.abc import Sequence

from refine.errors import SettingsError
from refine.tools import calculator, dictionary, memory, notes, samples, texts
from refine.tools.registry import TOOLS, Observation, call, tool
from refine.tools.surroundings import Surroundings
from refine.tools.wrong import Fatal, Refused
from refine.types import Json

__all__ = [
    "DEFAULT",
    "Fatal",
    "Observation",
    "Refused",
    "Surroundings",
    "call",
    "declare",
    "names",
    "tool",
]

SHIPPED = (calculator, texts, dictionary, notes, memory, samples)
"""Their modules: each registers its tools when it is imported."""

DEFAULT: tuple[str, ...] = (
    "calculator",
    "word_length",
    "text_statistics",
    "find_in_draft",
    "count_in_draft",
    *(["dictionary"] if dictionary.present() else []),
)
"""On where a run names none: they change nothing and keep nothing."""


def names() -> tuple[str, ...]:
    """All registered tools."""
    return tuple(TOOLS)


def declare(names: Sequence[str], language: str) -> tuple[Json, ...]:
    """Each tool as a run's event 0 keeps it: name, description, parameters (JSON schema), asks.

    Raises SettingsError for a name that is no tool.
    """
    unknown = [name for name in names if name not in TOOLS]
    if unknown:
        raise SettingsError(f"There is no tool {', '.join(unknown)}. The tools are {', '.join(TOOLS)}.")
    return tuple(TOOLS[name].declared(language) for name in dict.fromkeys(names))
