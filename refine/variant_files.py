"""The folder of a variant as pieces of text that a person edits: taken apart, put together, written, put aside.

A piece is `variant.yaml`, a role's prompt (`writer`), or the settings above it in its file (`writer.settings`). Only
folders of the user's own are changed, and what is deleted is put aside. What the texts mean is known to `variants`.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from refine import prompts, variants
from refine.errors import SettingsError
from refine.locks import FileLock
from refine.types import RunSpec, Variant
from refine.variants import SETTINGS

Pieces = dict[str, str]

ABOVE = ".settings"
"""What the name of a role's settings ends in."""
ASIDE = ".deleted"
"""Folder beside the user's own variants: `<variant>/<number>` for each that was deleted."""
OF_A_RUN = ("somebody", "workspace", "workspace_from", "questions", "chat", "comparison", "original", "other")
"""Options that a run was given and no variant has."""
FENCE = "---"


# --- pieces ------------------------------------------------------------------------------------------------------


def pieces_of(files: Mapping[str, str]) -> Pieces:
    """The texts of a variant's files, by their names, as pieces. A role without settings has an empty one."""
    found = {SETTINGS: files[SETTINGS]}
    for file, text in files.items():
        if file != SETTINGS:
            role = file.removesuffix(".md")
            found[role + ABOVE], found[role] = _apart(text)
    return found


def files_of(pieces: Mapping[str, str]) -> dict[str, str]:
    """The reverse of `pieces_of`."""
    return {
        SETTINGS: pieces[SETTINGS],
        **{f"{role}.md": _together(pieces.get(role + ABOVE, ""), pieces[role]) for role in roles_of(pieces)},
    }


def roles_of(pieces: Mapping[str, str]) -> list[str]:
    """The writer, the critics, the others."""
    rank = {"writer": 0, "critic": 1}
    names = sorted(piece for piece in pieces if piece != SETTINGS and not piece.endswith(ABOVE))
    return sorted(names, key=lambda name: rank.get(prompts.kind_of(name), 2))


def variant_of(pieces: Mapping[str, str], name: str, *, own: bool = True) -> Variant:
    """The variant that they make. Raises PromptError, which names file and line, where they make none."""
    return variants.made_of(files_of(pieces), name, Path(name), own=own)


def settings_text(pieces: Mapping[str, str]) -> str:
    """All settings as one text, to be compared."""
    above = {role: pieces.get(role + ABOVE, "").strip("\n") for role in roles_of(pieces)}
    blocks = [pieces[SETTINGS].strip("\n"), *(f"{role}.md:\n{text}" for role, text in above.items() if text)]
    return "\n\n".join(blocks) + "\n"


def _apart(text: str) -> tuple[str, str]:
    """(settings, prompt). Settings that never end are part of the prompt, where they can be mended."""
    lines = text.split("\n")
    if lines[0].rstrip() == FENCE:
        for end, line in enumerate(lines[1:], 1):
            if line.rstrip() == FENCE:
                return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :]).strip("\n")
    return "", text.strip("\n")


def _together(above: str, prompt: str) -> str:
    body = prompt.strip("\n") + "\n"
    return f"{FENCE}\n{above.strip(chr(10))}\n{FENCE}\n{body}" if above.strip() else body


def titled(settings: str, title: Mapping[str, str], purpose: Mapping[str, str]) -> str:
    """`variant.yaml` with another title and purpose; the other lines and comments stay."""
    yaml = YAML()
    yaml.allow_unicode, yaml.width = True, 1_000_000
    data = yaml.load(settings) or CommentedMap()
    for n, (key, words) in enumerate((("title", title), ("purpose", purpose)), 1):
        if not words:
            data.pop(key, None)
        elif key in data:
            data[key] = dict(words)
        else:
            data.insert(min(n, len(data)), key, dict(words))
    out = io.StringIO()
    yaml.dump(data, out)
    return out.getvalue()


# --- folders -----------------------------------------------------------------------------------------------------


def read(name: str, own: Path) -> Pieces | None:
    """Those of the variant of that name; None where there is none. Raises PromptError for a file that is no text."""
    folder = variants.place(name, own)
    return pieces_of(variants.read_files(folder)) if folder else None


def is_own(name: str, own: Path) -> bool:
    return (own / name / SETTINGS).exists()


def change(name: str, own: Path, new: Mapping[str, str | None], before: Mapping[str, str]) -> list[str]:
    """Writes pieces of a variant of the user's own. Its other files and pieces stay as they are.

    Args:
        new: None in place of a prompt takes the role away.
        before: what these pieces were when the change was begun; a role that was not there is an empty one.

    Returns:
        The pieces that somebody has changed since; where there are any, nothing is written.

    Raises SettingsError where the folder is gone or cannot be written, PromptError where the texts make no variant.
    """
    folder = own / name
    with _alone(own):
        if not is_own(name, own):
            raise SettingsError(f"The variant {name} is no longer there: it was deleted. Save it as a new variant.")
        files = variants.read_files(folder)
        now = pieces_of(files)
        others = [piece for piece in new if now.get(piece, "") != before.get(piece, "")]
        if others:
            return others
        made = files_of({piece: text for piece, text in {**now, **new}.items() if text is not None})
        variants.made_of(made, name, folder, own=True)
        touched = {SETTINGS if piece == SETTINGS else f"{piece.removesuffix(ABOVE)}.md" for piece in new}
        try:
            for file in touched:
                if file in made:
                    _write(folder / file, made[file])
                else:
                    (folder / file).unlink()
        except OSError as error:
            raise SettingsError(f"The variant {name} cannot be saved; got {error}. Make {folder} writable.") from error
    return []


def delete(name: str, own: Path) -> None:
    """Puts a folder of the user's own aside. Raises SettingsError where that cannot be."""
    with _alone(own):
        there = own / ASIDE / name
        try:
            there.mkdir(parents=True, exist_ok=True)
            os.rename(own / name, there / str(max(_numbers(there), default=0) + 1))
        except OSError as error:
            raise SettingsError(f"The variant {name} cannot be deleted; got {error}. Make {own} writable.") from error


def bring_back(name: str, own: Path) -> None:
    """The reverse of `delete`, for the last one of that name. Raises SettingsError where that cannot be."""
    with _alone(own):
        if (own / name).exists():
            raise SettingsError(f"There is a variant {name} again. Rename its folder first.")
        folder = _last(name, own)
        try:
            os.rename(folder, own / name)
        except OSError as error:
            raise SettingsError(f"The variant {name} cannot be brought back; got {error}. Look into {own}.") from error


def deleted(own: Path) -> list[str]:
    """Names of variants that were put aside."""
    found = sorted((own / ASIDE).glob("*")) if (own / ASIDE).exists() else []
    return [folder.name for folder in found if _numbers(folder)]


def read_deleted(name: str, own: Path) -> Pieces | None:
    """As `read`, for the last one of that name that was put aside."""
    return pieces_of(variants.read_files(_last(name, own))) if _numbers(own / ASIDE / name) else None


def of_run(spec: RunSpec) -> Pieces:
    """A variant as a run had it, also where no folder holds it any more."""
    options = {name: value for name, value in spec.options.items() if name not in OF_A_RUN}
    roles = [replace(role, endpoint="", model="") if role.endpoint == "given" else role for role in spec.roles]
    kept = replace(spec, options=options, roles=tuple(roles))
    return pieces_of(variants.files_of(Variant(spec.variant, kept)))


def _last(name: str, own: Path) -> Path:
    there = own / ASIDE / name
    return there / str(max(_numbers(there), default=0))


def _numbers(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.glob("*") if path.name.isdecimal()]


@contextmanager
def _alone(own: Path) -> Iterator[None]:
    """Nobody else, in this process or another, changes the user's variants meanwhile."""
    lock = FileLock(own / ".lock")
    lock.take(wait=True)
    try:
        yield
    finally:
        lock.release()


def _write(path: Path, text: str) -> None:
    """A whole file at once, with the rights that it had. Where a link stands, what it leads to."""
    path = path.resolve()
    handle, made = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if path.exists():
            shutil.copymode(path, made)
        os.replace(made, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(made)
