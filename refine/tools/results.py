"""Is the work done? Checks of what a run of steps hands in: its answer, and the files of its workspace.

    verify(answer, [{"is": "number", "value": 18}], ...)    the reasons why it is not, in the task's language

Checks come from the task's author, never from a model. `KINDS` lists them all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing import Registry
from referencing.exceptions import Unresolvable

from refine import checks
from refine.checks.options import check_options
from refine.errors import SettingsError
from refine.text.numbers import quantities
from refine.tools.notes import NOTES, REPORT, SUMMARIES
from refine.tools.surroundings import Surroundings
from refine.tools.terms import terms
from refine.tools.wording import say
from refine.tools.workspace import Folder, good_name
from refine.tools.wrong import Refused, short
from refine.types import Finding, Json

ABOUT = 0.5
"""Share of a summary's terms that its note has to hold."""
MOST_PLACES = 3
"""Places of a bad JSON answer that are told."""

_NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_FENCE = re.compile(r"^\s*```\w*\n(.*?)\n?```\s*$", re.S)


@dataclass(frozen=True, slots=True)
class Handed:
    """What is checked."""

    answer: str
    around: Surroundings


Problems = Iterator[str]


def _file(check: Mapping[str, Json], given: Handed) -> Problems:
    kind, _, name = str(check["name"]).rpartition("/")
    try:
        text = Folder(given.around).read(kind, name)
    except Refused:
        text = ""
    if not text.strip():
        yield say(given.around.language, "result_file", name=check["name"])
        return
    for wanted in check.get("holds", ()):
        if wanted.casefold() not in text.casefold():
            yield say(given.around.language, "result_file_holds", name=check["name"], text=wanted)


def _report(check: Mapping[str, Json], given: Handed) -> Problems:
    folder, name = Folder(given.around), str(check.get("name") or REPORT)
    if not folder.has("", name):
        yield say(given.around.language, "result_file", name=name)
        return
    report = folder.read("", name)
    missing = [note for note in folder.names(NOTES) if note not in report]
    if missing:
        joined = say(given.around.language, "comma").join(missing)
        yield say(given.around.language, "result_report", name=name, missing=joined)


def _summaries(check: Mapping[str, Json], given: Handed) -> Problems:
    folder = Folder(given.around)
    for note in folder.names(NOTES):
        if not folder.has(SUMMARIES, note):
            yield say(given.around.language, "result_no_summary", name=note)
            continue
        said = terms(folder.read(SUMMARIES, note))
        if not said or len(said & terms(folder.read(NOTES, note))) < ABOUT * len(said):
            yield say(given.around.language, "result_summary", name=note)


def _number(check: Mapping[str, Json], given: Handed) -> Problems:
    found = list(_numbers(given.answer))
    if not found:
        yield say(given.around.language, "result_number")
    elif "value" in check:
        value, within = float(check["value"]), float(check.get("within", 0))
        allowed = within + 1e-9 * max(1.0, abs(value))
        if all(abs(number - value) > allowed for number in found):
            yield say(given.around.language, "result_value", value=check["value"])


def _numbers(answer: str) -> Iterator[float]:
    """Numbers in digits as they stand, and those in words."""
    for found in _NUMBER.findall(answer):
        yield float(found.replace(",", "").replace("−", "-"))
    for quantity in quantities(answer):
        try:
            yield float(quantity.number)
        except ValueError:
            continue


def _says(check: Mapping[str, Json], given: Handed) -> Problems:
    """One of the texts is enough; several checks ask for several."""
    answer = given.answer.casefold()
    if not any(text.casefold() in answer for text in check["texts"]):
        joined = say(given.around.language, "or").join(f"“{text}”" for text in check["texts"])
        yield say(given.around.language, "result_says", texts=joined)


def _json(check: Mapping[str, Json], given: Handed) -> Problems:
    fenced = _FENCE.match(given.answer)
    try:
        value = json.loads(fenced[1] if fenced else given.answer)
    except (ValueError, RecursionError) as error:
        yield say(given.around.language, "result_json", reason=short(str(error)))
        return
    validator = Draft202012Validator(check.get("schema", {}), registry=Registry())  # an empty one: nothing is fetched
    try:
        faults = sorted(validator.iter_errors(value), key=lambda fault: fault.json_path)
    except Unresolvable as error:
        raise SettingsError(f"The schema of a result check refers to what it does not hold: {error.ref}.") from error
    for fault in faults[:MOST_PLACES]:
        place, reason = short(fault.json_path), short(fault.message, 160)
        yield say(given.around.language, "result_schema", place=place, reason=reason)


def _draft(check: Mapping[str, Json], given: Handed) -> Problems:
    for name, options in _checks_of(check):
        against = {"against": given.around.draft} if name == "kept" else {}
        found = checks.run(name, given.answer, {"language": given.around.language, **against, **options})
        for finding in found:
            if finding.severity == "must":
                yield say(given.around.language, "result_draft", check=name, remark=finding.remark)


def _checks_of(check: Mapping[str, Json]) -> Iterator[tuple[str, Mapping[str, Json]]]:
    asked = check["checks"]
    return iter((name, options or {}) for name, options in asked.items())


# --- the table ---------------------------------------------------------------------------------------------------

ANY: Mapping[str, Json] = {"question": {"type": "integer", "minimum": 0}}
"""What every check may have besides: which of a run's questions it is about, counted from 0."""

_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}


@dataclass(frozen=True, slots=True)
class Kind:
    work: Callable[[Mapping[str, Json], Handed], Problems]
    about: str
    fields: Mapping[str, Json]
    """Name -> JSON schema of its value."""
    needs: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    "file": Kind(
        _file,
        "The workspace has this file with something in it, and it holds the texts.",
        {"name": _TEXT, "holds": _TEXTS},
        ("name",),
    ),
    "report": Kind(_report, "The report (report.md unless named) names every note.", {"name": _TEXT}),
    "summaries": Kind(_summaries, "Every note has a summary, and half of its terms are the note's.", {}),
    "number": Kind(
        _number,
        "The answer holds a number, or this one, or one within that distance of it.",
        {"value": {"type": "number"}, "within": {"type": "number", "minimum": 0}},
    ),
    "says": Kind(_says, "The answer holds one of the texts; capitals do not matter.", {"texts": _TEXTS}, ("texts",)),
    "json": Kind(_json, "The answer is JSON, fenced or not, and fits the schema.", {"schema": {"type": "object"}}),
    "draft": Kind(
        _draft,
        "The answer passes these checks of texts: nothing that must change is left.",
        {"checks": {"type": "object", "minProperties": 1}},
        ("checks",),
    ),
}
"""What `is` may be."""


def validate(asked: Sequence[Json]) -> None:
    """Raises SettingsError for a check that is none of ours or is not filled in rightly."""
    for number, check in enumerate(asked, start=1):
        where = f"Result check {number}"
        if not isinstance(check, Mapping) or check.get("is") not in KINDS:
            raise SettingsError(f"{where} should have an `is` of {', '.join(KINDS)}; got {short(repr(check))}.")
        kind = KINDS[check["is"]]
        schema = {
            "type": "object",
            "properties": {"is": {}, **ANY, **kind.fields},
            "required": list(kind.needs),
            "additionalProperties": False,
        }
        for fault in Draft202012Validator(schema, registry=Registry()).iter_errors(dict(check)):
            takes = ", ".join(kind.fields) or "nothing more"
            raise SettingsError(f"{where} ({check['is']}): {short(fault.message, 160)}. It takes {takes}.")
        _look_inside(where, check)


def _look_inside(where: str, check: Mapping[str, Json]) -> None:
    if check["is"] in ("file", "report") and "name" in check:
        folder, _, name = check["name"].rpartition("/")
        if not good_name(name) or (folder and not good_name(folder)):
            raise SettingsError(f"{where}: {check['name']!r} is no file of a workspace, such as cleaned/a.txt.")
    if check["is"] == "json":
        try:
            Draft202012Validator.check_schema(check.get("schema", {}))
        except SchemaError as error:
            raise SettingsError(f"{where}: that is no JSON schema: {short(error.message, 160)}.") from error
        if others := [ref for ref in _references(check.get("schema", {})) if not ref.startswith("#")]:
            raise SettingsError(f"{where}: the schema refers to {short(others[0])}. Put that into the schema itself.")
    if check["is"] == "draft":
        for name, options in _checks_of(check):
            if name not in checks.CHECKS:
                raise SettingsError(f"{where}: there is no check {name}. The checks are {', '.join(checks.CHECKS)}.")
            check_options(name, options)


def _references(schema: Json) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from (str(part) for key, part in schema.items() if key in ("$ref", "$dynamicRef"))
    for part in schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ():
        yield from _references(part)


def verify(answer: str, asked: Sequence[Json], around: Surroundings) -> list[Finding]:
    """The reasons why an answer is not accepted; none = it is. Raises SettingsError as `validate` does."""
    validate(asked)
    given = Handed(answer, around)
    found = {problem: check["is"] for check in asked for problem in _problems(check, given)}  # each said once
    return [
        Finding(dimension="result", rule=f"result.{kind}", severity="must", remark=problem, critic="result")
        for problem, kind in found.items()
    ]


def _problems(check: Mapping[str, Any], given: Handed) -> Iterator[str]:
    try:
        yield from KINDS[check["is"]].work(check, given)
    except Refused as error:  # a run without a workspace, a file too large to be read
        yield str(error)
