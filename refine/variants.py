"""Variants: folders of prompts and settings. Load one, save one, list them, change one by `--set`.

A folder holds `variant.yaml` and one `<role>.md` for each role; `schema` says what may stand in them. Knows nothing of
keys, of endpoints' addresses or of runs.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from refine import prompts
from refine.errors import PromptError, SettingsError
from refine.schema import CHECK_FIELDS, JUDGING, REQUIRED_HOLES, Field, Fields, Refused, plain_yaml, read_value, short
from refine.schema import FIELDS as FIELDS
from refine.types import Json, Role, RunSpec, Task, Variant

_FRONT_MATTER = ("model", "endpoint", "temperature", "max_tokens", "reply")
_FILE_KEYS = ("technique", "title", "purpose", "checks", "stops", "limits", "options", "critics")
_LANGUAGES = ("en", "zh")
SETTINGS = "variant.yaml"
_NAME = re.compile(r"[^\W_][\w-]{0,63}")
"""Of a variant or a role: letters of any script, digits, - and _."""


# --- which variants there are -----------------------------------------------------------------------------------


def shipped() -> Path:
    """The folder of the variants that come with Refine."""
    return Path(__file__).resolve().parent.parent / "prompts"


def names(own: Path | None = None) -> list[str]:
    """All variants, the shipped ones first. `own`: the folder of the user's own, if there is one."""
    return list(dict.fromkeys(name for folder in (shipped(), own) if folder for name in _inside(folder)))


def for_drafts(own: Path | None = None) -> list[str]:
    """Those that work on a draft. A broken one counts, so that whoever picks it is told what is wrong."""
    return [name for name in names(own) if _technique(name, own) not in ("react", *JUDGING)]


def for_questions(own: Path | None = None) -> list[str]:
    """Those that work on a question with tools."""
    return [name for name in names(own) if _technique(name, own) == "react"]


def _technique(name: str, own: Path | None) -> str:
    try:
        return load(name, own=own).spec.technique
    except SettingsError:
        return ""


def _inside(folder: Path) -> list[str]:
    return sorted(name for name in _listed(folder) if _NAME.fullmatch(name) and _holds(folder, name))


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # there is no such folder
        return []


def _holds(folder: Path, name: str) -> bool:
    """Is there a variant of that name?"""
    return os.path.exists(os.path.join(folder, name, SETTINGS))


def load(name: str, *, own: Path | None = None) -> Variant:
    """The variant of that name, defaults filled in; the user's own goes before a shipped one of the same name.

    Raises SettingsError for a name that is not known, PromptError (file and line) for a folder that is broken.
    """
    wanted = unicodedata.normalize("NFC", name)
    if folder := place(wanted, own):
        return _load(folder, wanted, folder.parent == own, _stamp(folder))
    known = names(own)
    raise SettingsError(
        f"There is no variant {short(name)}; known are {', '.join(known)}.{_guess(name, known)} Choose one of them."
    )


def place(name: str, own: Path | None = None) -> Path | None:
    """The folder of the variant of that name, as `load` finds it; None where there is none."""
    folders = (own, shipped()) if _NAME.fullmatch(name) else ()
    # as it is spelt: some file systems find "Classic" where "classic" is
    return next((at / name for at in folders if at and name in _listed(at) and _holds(at, name)), None)


def _stamp(folder: Path) -> tuple[object, ...]:
    """Differs when a file in the folder does."""
    try:
        found = [(entry.name, entry.stat()) for entry in os.scandir(folder)]
    except OSError:  # whoever reads the files says what is wrong
        return (object(),)
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size, stat.st_ino) for name, stat in found))


@lru_cache(maxsize=64)
def _load(folder: Path, name: str, own: bool, stamp: tuple[object, ...]) -> Variant:
    """`stamp`: so that what is read again is only what has changed."""
    return made_of(read_files(folder), name, folder, own=own)


def read_files(folder: Path) -> dict[str, str]:
    """The texts of a variant's files, by their names. Raises PromptError for one that cannot be read."""
    found = sorted(filter(_is_role, folder.glob("*.md")), key=lambda path: path.stem)
    return {path.name: _read(path) for path in (folder / SETTINGS, *found)}


def made_of(files: Mapping[str, str], name: str, folder: Path, *, own: bool) -> Variant:
    """The variant that files with these texts make. Raises PromptError (file and line) where they make none.

    Args:
        folder: where messages say that they stand.
    """
    page = _Page(folder / SETTINGS, *_mapping(folder / SETTINGS, files[SETTINGS]))
    page.refuse_others((), page.data, _FILE_KEYS)
    technique = page.choice("technique", tuple(FIELDS), "refine")
    groups = FIELDS[technique]
    settings = {group: page.group((group,), groups[group]) for group in ("stops", "limits", "options")}
    roles = _order(_load_role(folder / file, text, technique) for file, text in files.items() if file != SETTINGS)
    spec = RunSpec(
        technique,
        name,
        Task(),
        roles=page.critics(roles),
        checks=page.checks(),
        stops=settings["stops"],
        limits=settings["limits"],
        options=settings["options"],
    )
    try:
        _agree(spec)
    except Refused as problem:
        raise PromptError(f"{page.path}: {problem}.") from None
    return Variant(name, spec, page.words("title") or dict.fromkeys(_LANGUAGES, name), page.words("purpose"), own)


def _is_role(path: Path) -> bool:
    return not path.name.startswith(".") and path.stem.casefold() != "readme"


def _order(roles: Iterable[Role]) -> tuple[Role, ...]:
    """The writer, the critics, the others."""
    rank = {"writer": 0, "critic": 1}
    return tuple(sorted(roles, key=lambda role: rank.get(prompts.kind_of(role.name), 2)))


def _load_role(path: Path, written: str, technique: str) -> Role:
    fields = _role_fields(technique, path.stem)
    if fields is None:
        kinds = _role_kinds(technique)
        raise PromptError(
            f"{path}: the technique {technique} has no role {path.stem}; it knows {', '.join(kinds)}."
            f"{_guess(path.stem, kinds)} Rename the file or move it elsewhere."
        )
    head, text, line = _front_matter(path, written)
    page = _Page(path, *_mapping(path, head, 1), offset=1)
    page.refuse_others((), page.data, _FRONT_MATTER)
    found = page.read_all((), page.data, {name: fields[name] for name in _FRONT_MATTER})
    kind = prompts.kind_of(path.stem)
    required = REQUIRED_HOLES.get((technique, kind), ())
    prompts.validate(text, kind, str(path), first_line=line, required=required)
    return _with_fields(Role(path.stem, text), {**_defaults(fields), **found})


def _with_fields(role: Role, values: Mapping[str, Json]) -> Role:
    """The role with these values; `reply` belongs to its options."""
    plain = {name: value for name, value in values.items() if name != "reply"}
    options = {**role.options, **{name: value for name, value in values.items() if name == "reply"}}
    return replace(role, **plain, options=options)


def _role_fields(technique: str, name: str) -> Fields | None:
    return FIELDS[technique].get(f"role.{prompts.kind_of(name)}") if _NAME.fullmatch(name) else None


def _role_kinds(technique: str) -> list[str]:
    return [group.removeprefix("role.") for group in FIELDS[technique] if group.startswith("role.")]


def _defaults(fields: Fields) -> dict[str, Json]:
    return {name: field.default for name, field in fields.items() if field.default is not None}


def _agree(spec: RunSpec) -> None:
    """What no field can see alone. Raises Refused."""
    least, most = spec.stops.get("min_rounds", 1), spec.stops.get("max_rounds", 1)
    if "max_rounds" in spec.stops and least > most:
        raise Refused(f"stops.min_rounds must not be above stops.max_rounds; got {least} and {most}. Lower the first")
    lengths = spec.checks.get("length", {})
    if lengths.get("min", 0) > lengths.get("max", float("inf")):
        raise Refused(
            f"checks.length.min must not be above checks.length.max; got {lengths['min']} and {lengths['max']}. "
            "Lower the first"
        )


def _guess(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f" Did you mean {near[0]}?" if near else ""


# --- reading files ----------------------------------------------------------------------------------------------


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(
            f"{path} cannot be read; got {error}. Save it as UTF-8 text that this user may read."
        ) from error


def _front_matter(path: Path, text: str) -> tuple[str, str, int]:
    """(front matter, prompt, number of the prompt's first line). Without front matter the whole file is prompt."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return "", text.strip("\n"), 1 + _leading_breaks(text)
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise PromptError(
            f"{path}, line 1: the front matter never ends; got no second line ---. Add it above the text."
        )
    body = "\n".join(lines[end + 1 :])
    return "\n".join(lines[1:end]), body.strip("\n"), end + 2 + _leading_breaks(body)


def _leading_breaks(text: str) -> int:
    return len(text) - len(text.lstrip("\n"))


def _mapping(path: Path, text: str, offset: int = 0) -> tuple[dict[str, Json], Node | None]:
    """The text as a mapping, and its nodes, which know their lines. `offset`: lines that stand before it."""
    try:
        data, node = plain_yaml().load(text), plain_yaml().compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1 + offset}" if mark else ""
        raise PromptError(f"{path}{line}: this is not YAML; got {error.problem or error.context}. Mend it.") from error
    except (YAMLError, ValueError, RecursionError) as error:
        raise PromptError(f"{path}: this is not YAML; got {str(error).splitlines()[0]}. Mend it.") from error
    if data is None:
        return {}, None
    if not isinstance(data, dict):
        raise PromptError(
            f"{path}, line {offset + 1}: lines like key: value are needed; got {short(data)}. Write one key a line."
        )
    return data, node


@dataclass(frozen=True, slots=True)
class _Page:
    """A mapping read from a file, which can say where in it something is wrong."""

    path: Path
    data: dict[str, Json]
    node: Node | None
    offset: int = 0

    def error(self, at: tuple[Json, ...], problem: str) -> PromptError:
        return PromptError(f"{self.path}, line {self._line(at)}: {problem}.")

    def _line(self, at: tuple[Json, ...]) -> int:
        node, line = self.node, 0
        for key in at:
            found = _child(node, key)
            if found is None:
                break
            line, node = found
        return line + 1 + self.offset

    def refuse_others(self, at: tuple[str, ...], data: Mapping[str, Json], known: Iterable[str]) -> None:
        known = list(known)
        for key in data:
            if key not in known:
                guess = _guess(str(key), known)
                raise self.error((*at, key), f"unknown key {short(key)}; {_known(known)}.{guess} Rename or remove it")

    def read_all(self, at: tuple[str, ...], data: Mapping[str, Json], fields: Fields) -> dict[str, Json]:
        self.refuse_others(at, data, fields)
        return {name: self.read((*at, name), field, data[name]) for name, field in fields.items() if name in data}

    def read(self, at: tuple[str, ...], field: Field, value: Json) -> Json:
        try:
            return read_value(field, value)
        except Refused as problem:
            raise self.error(at, f"{'.'.join(at)} {problem}") from None

    def group(self, at: tuple[str, ...], fields: Fields) -> dict[str, Json]:
        return {**_defaults(fields), **self.read_all(at, self.inner(at, self.data.get(at[-1])), fields)}

    def inner(self, at: tuple[str, ...], data: Json) -> dict[str, Json]:
        if data is None:
            return {}
        if not isinstance(data, dict):
            raise self.error(at, f"{'.'.join(at)} must hold lines like key: value; got {short(data)}")
        return data

    def choice(self, key: str, choices: tuple[str, ...], default: str) -> str:
        return str(self.read((key,), Field("choice", choices=choices), self.data.get(key, default)))

    def checks(self) -> dict[str, dict[str, Json]]:
        data = self.data.get("checks")
        asked = dict.fromkeys(data) if isinstance(data, list) and all(isinstance(c, str) for c in data) else data
        found = self.inner(("checks",), asked)
        self.refuse_others(("checks",), found, CHECK_FIELDS)
        return {
            name: self.read_all(("checks", name), self.inner(("checks", name), options), CHECK_FIELDS[name])
            for name, options in found.items()
        }

    def words(self, key: str) -> dict[str, str]:
        """A few words by language; a text alone serves for all."""
        data = self.data.get(key)
        if isinstance(data, str):
            data = dict.fromkeys(_LANGUAGES, data)
        return self.read_all((key,), self.inner((key,), data), {lang: Field("line") for lang in _LANGUAGES})

    def critics(self, roles: tuple[Role, ...]) -> tuple[Role, ...]:
        """The roles with the critics that the key `critics` names, in its order; all of them without that key."""
        if "critics" not in self.data:
            return roles
        wanted = self.read(("critics",), Field("list"), self.data["critics"])
        there = {role.name: role for role in roles if prompts.kind_of(role.name) == "critic"}
        for name in wanted:
            if name not in there:
                raise self.error(("critics",), f"no critic {name} is here; {_known(there)}. Add {name}.md or remove it")
        return _order(
            [role for role in roles if role.name not in there] + [there[name] for name in dict.fromkeys(wanted)]
        )


def _child(node: Node | None, key: Json) -> tuple[int, Node] | None:
    """(line of the entry, its value)."""
    if isinstance(node, MappingNode):
        return next(((k.start_mark.line, v) for k, v in node.value if k.value == str(key)), None)
    if isinstance(node, SequenceNode):
        return next(((item.start_mark.line, item) for item in node.value if item.value == str(key)), None)
    return None


def _known(known: Iterable[str]) -> str:
    listed = ", ".join(known)
    return f"known are {listed}" if listed else "none is known here"


# --- settings given by hand ---------------------------------------------------------------------------------------


def apply_set(spec: RunSpec, settings: Mapping[str, Json]) -> RunSpec:
    """The spec with `--set KEY=VALUE` pairs applied, in order.

    Keys: role.<name>.<field>, stops.<name>, limits.<name>, options.<name>, checks.<name>=on|off,
    checks.<name>.<option> (which adds the check). Raises SettingsError for a key or a value that is not allowed.
    """
    for key, value in settings.items():
        group, _, rest = key.strip().partition(".")
        if group not in _SETTERS:
            raise SettingsError(
                f"--set knows no key {short(key)}; keys begin with {', '.join(_SETTERS)}.{_guess(group, _SETTERS)} "
                "Write it like stops.max_rounds=6."
            )
        spec = _SETTERS[group](spec, rest, value)
    try:
        _agree(spec)
    except Refused as problem:
        raise SettingsError(f"{problem}.") from None
    return spec


def _set_role(spec: RunSpec, key: str, value: Json) -> RunSpec:
    name, _, entry = key.partition(".")
    role = spec.role(name)
    if role is None:
        known = [role.name for role in spec.roles]
        raise SettingsError(
            f"The variant {spec.variant or spec.technique} has no role {short(name)}; {_known(known)}."
            f"{_guess(name, known)} Write role.NAME.FIELD=VALUE with a role that it has."
        )
    fields = _role_fields(spec.technique, name) or {}
    found = _given(f"role.{name}.{entry}", entry, value, fields)
    if entry == "prompt":
        required = REQUIRED_HOLES.get((spec.technique, prompts.kind_of(name)), ())
        prompts.validate(found, name, f"role.{name}.prompt", required=required)
    changed = _with_fields(role, {entry: found})
    return replace(spec, roles=tuple(changed if other is role else other for other in spec.roles))


def _set_stop(spec: RunSpec, key: str, value: Json) -> RunSpec:
    return replace(spec, stops={**spec.stops, key: _given(f"stops.{key}", key, value, _fields(spec, "stops"))})


def _set_limit(spec: RunSpec, key: str, value: Json) -> RunSpec:
    return replace(spec, limits={**spec.limits, key: _given(f"limits.{key}", key, value, _fields(spec, "limits"))})


def _set_option(spec: RunSpec, key: str, value: Json) -> RunSpec:
    return replace(spec, options={**spec.options, key: _given(f"options.{key}", key, value, _fields(spec, "options"))})


def _set_check(spec: RunSpec, key: str, value: Json) -> RunSpec:
    name, _, option = key.partition(".")
    if name not in CHECK_FIELDS:
        raise SettingsError(
            f"There is no check {short(name)}; {_known(CHECK_FIELDS)}.{_guess(name, CHECK_FIELDS)} Name one of them."
        )
    others = {check: options for check, options in spec.checks.items() if check != name}
    options = spec.checks.get(name, {})
    if option:
        found = _given(f"checks.{name}.{option}", option, value, CHECK_FIELDS[name])
        return replace(spec, checks={**spec.checks, name: {**options, option: found}})
    wanted = _given(f"checks.{name}", name, value, {name: Field("switch")})
    return replace(spec, checks={**spec.checks, name: options} if wanted else others)


_SETTERS = {"role": _set_role, "stops": _set_stop, "limits": _set_limit, "options": _set_option, "checks": _set_check}


def _fields(spec: RunSpec, group: str) -> Fields:
    if spec.technique not in FIELDS:
        raise SettingsError(f"There is no technique {short(spec.technique)}; {_known(FIELDS)}. Choose one of them.")
    return FIELDS[spec.technique][group]


def _given(key: str, entry: str, value: Json, fields: Fields) -> Json:
    if entry not in fields:
        raise SettingsError(
            f"--set knows no key {short(key)}; {_known(fields)}.{_guess(entry, fields)} Write {key.rpartition('.')[0]}"
            ".NAME=VALUE with one of these."
        )
    try:
        return read_value(fields[entry], value)
    except Refused as problem:
        raise SettingsError(f"{key} {problem}. Set it to something it takes.") from None


# --- saving -------------------------------------------------------------------------------------------------------


def save(variant: Variant, name: str, own: Path, *, replacing: bool = False) -> Path:
    """Writes the variant as a new folder under `own`, whole or not at all, and returns that folder.

    Args:
        replacing: a variant of the user's own with exactly this name gives way; a shipped one never does.

    Raises SettingsError for a name that is taken or not allowed, and where nothing can be written.
    """
    return save_files(files_of(variant), name, own, replacing=replacing)


def save_files(files: Mapping[str, str], name: str, own: Path, *, replacing: bool = False) -> Path:
    """As `save`, for the texts of a variant's files, by their names."""
    name = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"A variant's name is made of letters, digits, - and _, at most 64; got {short(name)}. Choose another."
        )
    gives_way = replacing and name in _inside(own) and name not in names()
    taken = name.casefold() in {other.casefold() for other in names(own)} or (own / name).exists()
    if taken and not gives_way:
        raise SettingsError(f"The name {name} is taken by a variant, and none is overwritten. Choose another name.")
    try:
        own.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".", dir=own))
        try:
            for file, text in files.items():
                (made / file).write_text(text, encoding="utf-8", newline="\n")
            made.chmod(0o755)
            if gives_way:
                _swap(made, own / name)
            else:
                os.rename(made, own / name)
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)
            raise
    except OSError as error:
        raise SettingsError(f"The variant {name} cannot be saved; got {error}. Make {own} writable.") from error
    return own / name


def _swap(made: Path, old: Path) -> None:
    """The new folder in the old one's place; the old one comes back if that fails."""
    aside = made.with_name(f"{made.name}.old")
    os.rename(old, aside)
    try:
        os.rename(made, old)
    except OSError:
        os.rename(aside, old)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def files_of(variant: Variant) -> dict[str, str]:
    """The texts of the files that hold a variant, by their names."""
    roles = {f"{role.name}.md": f"---\n{_dump(_head(role))}---\n{role.prompt}\n" for role in variant.spec.roles}
    return {SETTINGS: _dump(_settings(variant)), **roles}


def _settings(variant: Variant) -> dict[str, Json]:
    spec = variant.spec
    groups = FIELDS[spec.technique]
    critics = [role.name for role in spec.critics]
    data = {
        "technique": spec.technique,
        "title": dict(variant.title),
        "purpose": dict(variant.purpose),
        "checks": {check: dict(options) or None for check, options in spec.checks.items()},
        "stops": _changed(spec.stops, groups["stops"]),
        "limits": _changed(spec.limits, groups["limits"]),
        "options": _changed(spec.options, groups["options"]),
        "critics": critics if critics != sorted(critics) else None,
    }
    return {key: value for key, value in data.items() if value}


def _head(role: Role) -> dict[str, Json]:
    values = {name: getattr(role, name) for name in ("model", "endpoint", "temperature", "max_tokens")}
    values["reply"] = role.options.get("reply")
    return {name: value for name, value in values.items() if value or name == "temperature"}


def _changed(values: Mapping[str, Json], fields: Fields) -> dict[str, Json]:
    """Only what differs from the defaults: a short file says what is special about its variant."""
    return {name: value for name, value in values.items() if name in fields and value != fields[name].default}


def _dump(data: Mapping[str, Json]) -> str:
    if not data:
        return ""
    yaml = YAML()
    yaml.allow_unicode = True
    yaml.width = 1_000_000
    out = io.StringIO()
    yaml.dump(data, out)
    return out.getvalue()
