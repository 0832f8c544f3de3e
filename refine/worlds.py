"""Sample tasks for an actor, each a small file under data/samples/tasks: what is asked, with which tools, and how the
result is checked. Makes orders of them; knows nothing of how they are worked on.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from refine.errors import SettingsError
from refine.orders import Order
from refine.schema import plain_yaml, short
from refine.settings import PROJECT
from refine.types import Json

FOLDER = PROJECT / "data" / "samples" / "tasks"
Words = Mapping[str, str]
"""By language."""


@dataclass(frozen=True, slots=True)
class World:
    name: str
    title: Words
    teaches: Words
    questions: Mapping[str, tuple[str, ...]]
    """By language: the first question and those that follow."""
    tools: tuple[str, ...]
    checks: tuple[Json, ...] = ()
    files: bool = False
    """Does it work on files of its own?"""
    tiny: bool = False
    """Can the small built-in model play it?"""


@cache
def worlds() -> Mapping[str, World]:
    """All of them, by name, the simplest first."""
    found = [_read(path.stem, plain_yaml().load(path.read_text(encoding="utf-8"))) for path in FOLDER.glob("*.yaml")]
    return {world.name: world for world in sorted(found, key=lambda world: len(world.tools))}


def _read(name: str, data: Json) -> World:
    questions = {language: tuple(asked) for language, asked in data["questions"].items()}
    checks = tuple({"question": 0, **check} for check in data.get("checks") or ())
    flags = bool(data.get("files")), bool(data.get("tiny"))
    return World(name, data["title"], data["teaches"], questions, tuple(data["tools"]), checks, *flags)


def order(
    name: str, language: str = "en", *, protocol: str | None = None, scripted: bool = True, somebody: bool = False
) -> Order:
    """The order for a world. Raises SettingsError for a name that is not known.

    Args:
        scripted: played by the scripted model, without key or network; else by the endpoint that is set.
    """
    if name not in worlds():
        raise SettingsError(f"There is no sample task {short(name)}: known are {', '.join(worlds())}. Choose one.")
    world = worlds()[name]
    first, *more = world.questions[language]
    changes: dict[str, Json] = {"options.tools": list(world.tools), "options.protocol": protocol or "json"}
    if more:
        changes["options.questions"] = more
    if world.files:
        changes |= {"options.workspace": f"{name}-{secrets.token_hex(4)}", "options.workspace_from": name}
    if scripted:
        changes |= {"role.actor.endpoint": "scripted", "role.actor.model": f"world-{name}"}
    return Order(
        brief=first,
        title=world.title[language],
        variant="react",
        technique="react",
        changes=changes,
        language=language,
        somebody=somebody,
        result_checks=world.checks,
    )
