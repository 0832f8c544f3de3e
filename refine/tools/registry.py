"""Plain typed functions as tools: the schema that an actor sees, and one call with all that can go wrong as text.

    @tool(asks=True)
    def publish(around: Surroundings, title: str) -> str:
        "Publishes the draft."

Whatever a tool gives back is made plain text inside its time limit. It knows nothing of runs or models.
"""

from __future__ import annotations

import inspect
import json
import queue
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from refine.errors import SettingsError
from refine.text.shorten import shorten
from refine.tools import wrong
from refine.tools.surroundings import Surroundings
from refine.tools.wording import described, say
from refine.types import Json

SECONDS = 10.0
"""Time limit of a tool that sets none."""
AT_ONCE = 0.0
"""Time limit of a tool whose work is bounded whatever it is given: no thread is made that could be left behind."""
LONGEST = 1_000_000
"""Characters of a result that are kept."""

Function = Callable[..., object]
F = TypeVar("F", bound=Function)


@dataclass(frozen=True)
class Tool:
    name: str
    function: Function
    asks: bool = False
    """True: it has effects that outlast the run, so the author is asked before each call."""
    seconds: float = SECONDS

    @cached_property
    def description(self) -> str:
        return " ".join(inspect.cleandoc(self.function.__doc__ or "").partition("\n\n")[0].split())

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model that arguments are read with."""
        hints = get_type_hints(self.function, include_extras=True)
        about = _about_arguments(self.function.__doc__ or "")
        fields: dict[str, Any] = {}
        for name, parameter in list(inspect.signature(self.function).parameters.items())[self.sees :]:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hints[name], Field(default, description=about.get(name)))
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)

    @cached_property
    def sees(self) -> bool:
        """Does it take the surroundings?"""
        hints = get_type_hints(self.function)
        first = next(iter(inspect.signature(self.function).parameters), "")
        return hints.get(first) is Surroundings

    def declared(self, language: str) -> Json:
        description, arguments = described(self.name, language)
        schema = _plain(self.arguments.model_json_schema())
        for name, words in arguments.items():
            schema["properties"][name]["description"] = words
        return {
            "name": self.name,
            "description": description or self.description,
            "parameters": schema,
            "asks": self.asks,
        }


TOOLS: dict[str, Tool] = {}
"""Every registered tool, by name."""


def tool(*, name: str = "", asks: bool = False, seconds: float = SECONDS) -> Callable[[F], F]:
    """Registers a function as a tool and gives it back as it was.

    Its signature becomes the schema, its docstring the description; a section `Args:` describes arguments.
    """

    def register(function: F) -> F:
        known = Tool(name or function.__name__, function, asks, seconds)
        if known.name in TOOLS:
            raise SettingsError(f"There is a tool {known.name} already. Give yours another name.")
        TOOLS[known.name] = known
        return function

    return register


def _about_arguments(docstring: str) -> dict[str, str]:
    section = inspect.cleandoc(docstring).partition("Args:\n")[2].partition("\n\n")[0]
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", section, re.M)
    return {name: " ".join(words.split()) for name, words in entries}


def _plain(schema: Json) -> Json:
    """Without the titles that pydantic adds: they say nothing and cost tokens."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: part for key, part in schema.items() if key != "title" or not isinstance(part, str)}
    return {key: _plain(part) for key, part in kept.items()}


# --- one call ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Observation:
    text: str
    error: str = ""
    """See `types.ERRORS`; "" = all went well."""


def call(name: str, given: Json, allowed: Sequence[str], around: Surroundings) -> Observation:
    """What comes of one call: always an observation, within the tool's time limit.

    Args:
        given: arguments as the actor gave them; nothing, "" and null mean none.
        allowed: names of the tools that this run may use.
    """
    known = TOOLS.get(name) if name in allowed else None
    if known is None:
        listed = ", ".join(allowed) or say(around.language, "none")
        return Observation(say(around.language, "unknown", name=wrong.short(name), known=listed), "unknown")
    try:
        arguments = _read(known, given)
    except (wrong.NotAnObject, ValidationError) as error:
        return Observation(wrong.arguments(error, known.arguments, around.language), "arguments")
    return _within(known, arguments, around)


def _read(known: Tool, given: Json) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given) if given.strip() else {}
        except ValueError as error:
            raise wrong.NotAnObject(given) from error
    if not isinstance(given, Mapping | None):
        raise wrong.NotAnObject(given)
    read = known.arguments.model_validate(dict(given or {}))
    return {name: getattr(read, name) for name in known.arguments.model_fields}


def _within(known: Tool, arguments: dict[str, Any], around: Surroundings) -> Observation:
    """Calls the tool in a thread of its own: one that hangs holds up nobody, and ends with the process."""
    if known.seconds == AT_ONCE:
        return _perform(known, arguments, around)
    done: queue.SimpleQueue[Observation] = queue.SimpleQueue()
    worker = threading.Thread(target=lambda: done.put(_perform(known, arguments, around)), daemon=True, name=known.name)
    worker.start()
    try:
        return done.get(timeout=known.seconds)
    except queue.Empty:
        return Observation(say(around.language, "timeout", name=known.name, seconds=f"{known.seconds:g}"), "timeout")


def _perform(known: Tool, arguments: dict[str, Any], around: Surroundings) -> Observation:
    try:
        result = known.function(*([around] if known.sees else []), **arguments)
        text = _text(result)
        del result
    except BaseException as error:  # a tool may raise SystemExit as well
        return Observation(wrong.told(error), wrong.kind(error))
    return Observation(shorten(wrong.clean(text), LONGEST, around.language) or say(around.language, "empty"))


def _text(result: object) -> str:
    """A plain string, whatever the object is."""
    if result is None:
        return ""
    if isinstance(result, dict | list | tuple | int | float):
        return json.dumps(result, ensure_ascii=False, default=str)
    return str.__str__(result if isinstance(result, str) else str(result))  # a subclass of str may do anything
