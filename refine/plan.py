"""What an author wants to compare, before it is made a `Comparison`: named variants, texts, repeats, judge, limits.

Also as a small YAML file, for `python -m refine compare --plan`. Knows nothing of endpoints or of the store.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import glob
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import LiteralScalarString

from refine import documents
from refine.errors import SettingsError
from refine.schema import plain_yaml, short
from refine.types import AT_ONCE, Json

MOST_REPEATS = 100
MOST_AT_ONCE = 64
PARTS = (
    "title", "variants", "drafts", "repeats", "baseline", "one_prompt", "best_of_n", "judge", "pairs", "checks",
    "limits", "cap", "concurrency", "set",
)  # fmt: skip
VARIANT_PARTS = ("variant", "name", "technique", "set", "vary")
DRAFT_PARTS = ("file", "text", "title", "brief", "keep", "language")


@dataclass(frozen=True, slots=True)
class Entry:
    """One variant of a plan: a folder of prompts, with single settings overridden."""

    variant: str
    name: str = ""
    """In tables; "" = the folder's."""
    technique: str = ""
    changes: Mapping[str, Json] = field(default_factory=dict)
    """As in `--set`."""

    @property
    def called(self) -> str:
        return self.name or self.variant


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a plan."""

    draft: str = ""
    title: str = ""
    brief: str = ""
    keep: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    variants: tuple[Entry, ...]
    texts: tuple[Text, ...]
    repeats: int = 1
    title: str = ""
    baseline: str = ""
    """Name of the variant that differences are against; "" = the single prompt where it is in, else the first."""
    one_prompt: bool = False
    """Adds one call with a strong prompt."""
    best_of_n: bool = False
    """Adds the best of so many drafts as cost what the first loop costs."""
    judge: str = ""
    """Model that scores every result, as `model` or `endpoint/model`; "" = none."""
    pairs: bool = False
    """Does the judge also hold each result against the baseline's?"""
    checks: tuple[str, ...] | None = None
    """That measure every result; None = the usual ones, () = none."""
    limits: Mapping[str, Json] = field(default_factory=dict)
    """money, tokens: of all runs together."""
    concurrency: int = AT_ONCE
    changes: Mapping[str, Json] = field(default_factory=dict)
    """`--set` for every variant."""


def varied(entry: Entry, key: str, values: Iterable[Json]) -> tuple[Entry, ...]:
    """The same variant once with each value of a setting."""
    said = key.removeprefix("role.").replace(".", " ")
    return tuple(
        replace(entry, name=f"{entry.called} · {said} {value}", changes={**entry.changes, key: value})
        for value in values
    )


# --- as a file -------------------------------------------------------------------------------------------------------


def read_plan(path: Path) -> Plan:
    """A plan from a YAML file; texts are found from the file's folder. Raises SettingsError, with the place."""
    try:
        data = plain_yaml().load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The plan {path} cannot be read: {error}. Check its name and rights.") from error
    except YAMLError as error:
        said = " ".join(str(error).split())
        raise SettingsError(f"{path} is no YAML: {said}. Correct it there.") from error
    page = _Page(path)
    found = page.mapping(data, "the plan", PARTS)
    limits = page.mapping(found.get("limits") or {}, "limits", ("money", "tokens"))
    if found.get("cap") is not None:
        limits = {**limits, "money": found["cap"]}
    return Plan(
        variants=tuple(entry for one in page.some(found, "variants") for entry in _entries(page, one)),
        texts=tuple(text for one in page.some(found, "drafts") for text in _texts(page, one)),
        repeats=page.number(found, "repeats", 1),
        title=str(found.get("title") or path.stem),
        baseline=str(found.get("baseline") or ""),
        one_prompt=page.switch(found, "one_prompt"),
        best_of_n=page.switch(found, "best_of_n"),
        judge=_judge(page, found.get("judge")),
        pairs=page.switch(found, "pairs"),
        checks=_checks(page, found),
        limits=limits,
        concurrency=page.number(found, "concurrency", AT_ONCE),
        changes=page.mapping(found.get("set") or {}, "set"),
    )


def write_plan(plan: Plan) -> str:
    """The same as a YAML file, the texts word for word in it. What is as usual is left out."""
    data = {
        "title": plan.title,
        "variants": [_written(one, ENTRY_FIELDS) for one in plan.variants],
        "drafts": [_written(one, TEXT_FIELDS) for one in plan.texts],
        "repeats": plan.repeats,
        "baseline": plan.baseline,
        "one_prompt": plan.one_prompt,
        "best_of_n": plan.best_of_n,
        "judge": plan.judge,
        "pairs": plan.pairs,
        "checks": None if plan.checks is None else list(plan.checks),
        "limits": {name: limit for name, limit in plan.limits.items() if limit is not None},
        "concurrency": plan.concurrency,
        "set": dict(plan.changes),
    }
    yaml = YAML()
    yaml.allow_unicode, yaml.width = True, 1_000_000
    out = io.StringIO()
    kept = {name: value for name, value in data.items() if value or name == "title" or (name, value) == ("checks", [])}
    yaml.dump(kept, out)
    return out.getvalue()


ENTRY_FIELDS = {"variant": "variant", "name": "name", "technique": "technique", "set": "changes"}
TEXT_FIELDS = {"title": "title", "brief": "brief", "keep": "keep", "language": "language", "text": "draft"}


def _written(one: Entry | Text, fields: Mapping[str, str]) -> dict[str, Json]:
    found = {name: getattr(one, field) for name, field in fields.items() if getattr(one, field)}
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: Any) -> Any:
    """A text as its lines, where YAML reads them back as they are; with escapes where not."""
    if isinstance(value, str) and "\n" in value and all(line.isprintable() for line in value.split("\n")):
        return LiteralScalarString(value)
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value


def read_texts(sources: Sequence[str], folder: Path | None = None) -> tuple[Text, ...]:
    """Files, also by patterns such as texts/*.md where no file has that very name.

    Raises SettingsError for one that cannot be read, or is none.
    """
    found = []
    for source in sources:
        place = Path(source) if folder is None else folder / source
        paths = [place]
        if any(sign in source for sign in "*?[") and not os.path.exists(place):
            paths = sorted(Path(folder or "", name) for name in glob(source, root_dir=folder, recursive=True))
            if not paths:
                raise SettingsError(f"No file fits {source!r}. Check the folder's name.")
        found += [Text(documents.read_file(str(path)).text, path.stem) for path in paths]
    return tuple(found)


def _entries(page: _Page, one: Any) -> tuple[Entry, ...]:
    if isinstance(one, str):
        return (Entry(one),)
    found = page.mapping(one, "a variant", VARIANT_PARTS)
    if not found.get("variant"):
        raise SettingsError(f"{page.path}: a variant of the plan has no name. Write `variant: NAME`.")
    changes = page.mapping(found.get("set") or {}, "set")
    name, technique = str(found.get("name") or ""), str(found.get("technique") or "")
    entries: tuple[Entry, ...] = (Entry(str(found["variant"]), name, technique, changes),)
    for key, values in page.mapping(found.get("vary") or {}, "vary").items():
        listed = values if isinstance(values, list) else [values]
        entries = tuple(made for entry in entries for made in varied(entry, key, listed))
    return entries


def _texts(page: _Page, one: Any) -> tuple[Text, ...]:
    if isinstance(one, str):
        return read_texts([one], page.path.parent)
    found = page.mapping(one, "a draft", DRAFT_PARTS)
    if found.get("file") and found.get("text"):
        raise SettingsError(f"{page.path}: a draft has both a file and a text. Leave one of them away.")
    files = (
        read_texts([str(found["file"])], page.path.parent) if found.get("file") else (Text(page.text(found, "text")),)
    )
    given = {
        "title": str(found.get("title") or "") if len(files) == 1 else "",
        "brief": str(found.get("brief") or ""),
        "language": str(found.get("language") or ""),
    }
    keep = tuple(map(str, page.some(found, "keep"))) if found.get("keep") else ()
    return tuple(replace(text, keep=keep, **{k: v for k, v in given.items() if v}) for text in files)


def _checks(page: _Page, found: Mapping[str, Any]) -> tuple[str, ...] | None:
    if found.get("checks") is None:
        return None
    return checks_of(map(str, [] if found["checks"] == [] else page.some(found, "checks")))


def checks_of(named: Iterable[str]) -> tuple[str, ...]:
    """Names of checks as a person lists them; `none` names none."""
    return tuple(name.strip() for name in named if name.strip() not in ("", "none"))


def _judge(page: _Page, judge: Any) -> str:
    if judge is None or isinstance(judge, str):
        return judge or ""
    found = page.mapping(judge, "judge", ("model", "endpoint"))
    return "/".join(filter(None, (str(found.get("endpoint") or ""), str(found.get("model") or ""))))


@dataclass(frozen=True, slots=True)
class _Page:
    """Reads parts of the file; errors name it."""

    path: Path

    def mapping(self, data: Any, what: str, known: Sequence[str] = ()) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise SettingsError(f"{self.path}: {what} must be a mapping; got {short(data)}. Write it as `name: value`.")
        unknown = [str(name) for name in data if known and name not in known]
        if unknown:
            raise SettingsError(f"{self.path}: {what} knows no {unknown[0]!r}; it knows {', '.join(known)}.")
        return {str(name): value for name, value in data.items()}

    def some(self, found: Mapping[str, Any], name: str) -> list[Any]:
        value = found.get(name)
        listed = value if isinstance(value, list) else [value] if value else []
        if not listed:
            raise SettingsError(f"{self.path}: {name} must be a list of at least one; got {short(value)}. Name some.")
        return listed

    def text(self, found: Mapping[str, Any], name: str) -> str:
        """YAML takes some texts for numbers or dates, whose signs are lost."""
        value = found.get(name)
        if value is not None and not isinstance(value, str):
            raise SettingsError(f"{self.path}: {name} must be a text; got {short(value)}. Put it in quotes.")
        return value or ""

    def number(self, found: Mapping[str, Any], name: str, usual: int) -> int:
        value = found.get(name, usual)
        if not isinstance(value, int) or isinstance(value, bool):
            raise SettingsError(f"{self.path}: {name} must be a whole number; got {short(value)}. Correct it.")
        return value

    def switch(self, found: Mapping[str, Any], name: str) -> bool:
        value = found.get(name, False)
        if not isinstance(value, bool):
            raise SettingsError(f"{self.path}: {name} must be true or false; got {short(value)}. Correct it.")
        return value
