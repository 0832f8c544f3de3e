"""What went wrong with a call, in words for the actor: no paths, no secrets, no traceback. Pure but for known keys."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import BaseModel, ValidationError

from refine.keys import MASK, redact
from refine.text.shorten import shorten
from refine.tools.wording import say
from refine.types import Json

LONGEST_REASON = 1_000
LONGEST_MESSAGE = 20_000
NO_RETRY = {401, 403, 404}
"""Statuses of an outside service that no repetition mends."""

_PATH = re.compile(
    r"""(?P<quote>['"])(?:~?/|[A-Za-z]:[\\/]|\\\\)[^'"\n]*(?P=quote)"""
    r"""|(?<![\w/:.~-])(?:~?/[\w.@+~-]+/[^\s'",;:()\[\]]*|~/[^\s'",;:()\[\]]*|/(?:etc|tmp|root|home|proc|dev|var)\b[^\s'",;:()]*"""
    r"""|[A-Za-z]:[\\/][^\s'",;()\[\]]*|\\\\[\w.-]+\\[^\s'",;()\[\]]*)"""
)
_SECRET = re.compile(
    r"(?P<before>\b(?:bearer|basic)\s+|\b(?:authorization|api[-_ ]?key|access[-_]?token|token|password|passwd|secret)"
    r"""['"]?\s*[:=]\s*['"]?(?:bearer\s+)?)(?P<secret>[^\s'",;&]{4,500})|\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{12,}"""
    r"|(?P<scheme>\b\w{1,20}://)[^\s/@:]{1,200}:[^\s/@]{1,200}@",
    re.I,
)


class Refused(Exception):
    """Raised by a tool that says in a sentence of its own why it does nothing."""


class Fatal(Refused):
    """As `Refused`, and no repetition can mend it: the actor is told so, and the run stops calling."""


class NotAnObject(Exception):
    """Arguments that are no JSON object at all."""

    def __init__(self, given: Json) -> None:
        super().__init__(str(type(given)))
        self.given = given


def kind(error: BaseException) -> str:
    response = getattr(error, "response", None)
    status = next(
        (
            value
            for holder in (error, response)
            for name in ("status", "status_code", "code")
            if isinstance(value := getattr(holder, name, None), int)
        ),
        None,
    )
    return "fatal" if isinstance(error, Fatal) or status in NO_RETRY else "failed"


def told(error: BaseException) -> str:
    """Type and message, or a refusal's own sentence."""
    try:
        message = "".join([str(error)])
    except Exception:
        message = ""
    if isinstance(error, Refused):
        return clean(message)
    reason = shorten(without_paths(clean(message[:LONGEST_MESSAGE])), LONGEST_REASON)
    return f"{type(error).__name__}: {reason}" if reason else type(error).__name__


def clean(text: str) -> str:
    """Without any key, known or looking like one."""
    return _SECRET.sub(_masked, redact(text))


def without_paths(text: str) -> str:
    return _PATH.sub("(path)", text)


def _masked(found: re.Match[str]) -> str:
    if found["scheme"]:
        return f"{found['scheme']}{MASK}@"
    return f"{found['before'] or ''}{MASK}"


def short(text: str, most: int = 60) -> str:
    line = " ".join(str(text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


# --- arguments -------------------------------------------------------------------------------------------------


def arguments(error: ValidationError | NotAnObject, model: type[BaseModel], language: str) -> str:
    """What is wrong with each argument, and what would be right."""
    if isinstance(error, NotAnObject):
        faults: Iterable[str] = [say(language, "not_an_object", given=short(clean(repr(error.given))))]
    else:
        faults = [_fault(dict(entry), language) for entry in error.errors(include_url=False)]
    takes = [
        name if field.is_required() else say(language, "optional", name=name)
        for name, field in model.model_fields.items()
    ]
    joint = say(language, "comma")
    right = say(language, "takes", names=joint.join(takes)) if takes else say(language, "takes_none")
    return f"{say(language, 'bad_arguments')}{say(language, 'semicolon').join(faults)}{say(language, 'stop')}{right}"


def _fault(entry: dict[str, Json], language: str) -> str:
    name = ".".join(map(str, entry["loc"])) or "?"
    if entry["type"] == "missing":
        return say(language, "argument_missing", name=name)
    if entry["type"] == "extra_forbidden":
        return say(language, "argument_unknown", name=short(name))
    values = {"name": name, "given": short(clean(repr(entry["input"])))}
    ctx = entry.get("ctx") or {}
    for word, hole in (("ge", "least"), ("gt", "least"), ("le", "most"), ("lt", "most")):
        if word in ctx:
            return say(language, f"argument_{hole}", **values, limit=str(ctx[word]))
    for length in ("min_length", "max_length"):
        if length in ctx:
            return say(language, f"argument_{length}", **values, limit=str(ctx[length]))
    if "expected" in ctx:
        return say(language, "argument_choice", **values, expected=str(ctx["expected"]))
    return say(language, "argument_wrong", **values, form=say(language, _form(str(entry["type"]))))


def _form(kind: str) -> str:
    """What an argument should have been, from pydantic's name of the fault."""
    forms = ("int", "float", "string", "bool", "list", "dict", "decimal", "date")
    return next((f"form_{form}" for form in forms if kind.startswith(form)), "form_other")
