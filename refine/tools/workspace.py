"""The one folder that a run's tools may read and write. No name, link or size leads out of it.

It knows nothing of what the files mean.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from refine.errors import SettingsError
from refine.settings import PROJECT
from refine.tools.surroundings import Surroundings
from refine.tools.wording import say
from refine.tools.wrong import Refused, short

WORKSPACES = "workspaces"
"""The folder of all workspaces, inside the home folder."""
WORLDS = PROJECT / "data" / "samples" / "worlds"
MOST_BYTES = 200_000
"""Size of one file."""
MOST_FILES = 200
"""Files of one kind."""

NEW = ".new-"
"""How names of what is just being made begin."""

Ignore = Callable[[str, list[str]], Iterable[str]]
"""Takes a folder and the names in it."""

_NAME = re.compile(r"\w[\w .-]{0,99}")
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)


def good_name(name: str) -> bool:
    """Is it the name of one file or folder, and of nothing else, on every system?"""
    plain = unicodedata.normalize("NFC", name)
    return (
        plain == name
        and _NAME.fullmatch(name) is not None
        and not name.endswith((".", " "))
        and ".." not in name
        and _DEVICES.fullmatch(name) is None
    )


def folder(home: Path, name: str) -> Path:
    """The workspace of that name. Raises SettingsError for a name that is not one."""
    if not good_name(name):
        raise SettingsError(
            f"{short(name)!r} cannot name a workspace: letters, digits, spaces, dots, hyphens and underscores only, "
            "a letter or digit first. Choose another name."
        )
    return home / WORKSPACES / name


def world(name: str, language: str) -> Path:
    """The files of a sample world. Raises SettingsError for an unknown one."""
    known = sorted(path.parent.name for path in WORLDS.glob("*/en") if path.is_dir())
    if name not in known:
        raise SettingsError(f"There is no sample world {short(name)!r} with files: known are {', '.join(known)}.")
    own = WORLDS / name / language
    return own if own.is_dir() else WORLDS / name / "en"


def prepare(place: Path, source: Path | None, ignore: Ignore | None = None) -> None:
    """Makes the workspace where there is none, with a copy of what `source` holds, but for what `ignore` names."""
    if place.is_dir():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=NEW, dir=place.parent))
    try:
        if source is not None:
            shutil.copytree(source, made, ignore=ignore, dirs_exist_ok=True)
        made.rename(place)
    except OSError:
        if not place.is_dir():  # else another call was quicker
            raise
    finally:
        shutil.rmtree(made, ignore_errors=True)


def copy(place: Path, other: Path) -> None:
    """Makes the workspace as another is now; nothing where that one has not been made yet."""
    if other.is_dir():
        prepare(place, other, _foreign)


def changed_since(place: Path, when: float) -> list[str]:
    """The files that were written after this moment (seconds since the epoch), as `kind/name`."""
    files = [path for path in place.rglob("*") if _is_own_file(path) and good_name(path.name)]
    return sorted(path.relative_to(place).as_posix() for path in files if path.stat().st_mtime > when)


def _foreign(place: str, names: Sequence[str]) -> list[str]:
    """What is not the workspace's own: links, and what is just being written."""
    return [name for name in names if name.startswith(NEW) or not _is_own(Path(place, name))]


# --- what tools do in it -----------------------------------------------------------------------------------------


class Folder:
    """A workspace in the hands of a tool. Every method raises Refused for what may not be."""

    def __init__(self, around: Surroundings) -> None:
        if around.workspace is None:
            raise Refused(say(around.language, "no_workspace"))
        prepare(around.workspace, around.source)
        self._root, self._language = around.workspace.resolve(), around.language

    def names(self, kind: str) -> list[str]:
        """The files of one kind (a folder of the workspace), by name."""
        place = self._inside(self._root / kind)
        if not place.is_dir():
            return []
        return sorted(path.name for path in place.iterdir() if good_name(path.name) and _is_own_file(path))

    def has(self, kind: str, name: str) -> bool:
        return name in self.names(kind)

    def read(self, kind: str, name: str) -> str:
        path = self._file(kind, name)
        if not _is_own_file(path):
            known = ", ".join(self.names(kind)) or say(self._language, "none")
            raise Refused(say(self._language, "no_such_file", name=short(name), known=known))
        if path.stat().st_size > MOST_BYTES:
            raise Refused(say(self._language, "file_too_large", name=name, limit=MOST_BYTES // 1_000))
        return path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")

    def write(self, kind: str, name: str, text: str) -> None:
        """Puts a whole file in place at once."""
        path = self._file(kind, name)
        data = text.encode("utf-8", "replace")
        if len(data) > MOST_BYTES:
            raise Refused(say(self._language, "file_too_large", name=name, limit=MOST_BYTES // 1_000))
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise Refused(say(self._language, "bad_name", name=short(name)))
        if not path.exists() and len(self.names(kind)) >= MOST_FILES:
            raise Refused(say(self._language, "too_many_files", limit=MOST_FILES))
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=NEW, delete=False) as made:
            made.write(data)
        os.replace(made.name, path)

    def delete(self, kind: str, name: str) -> None:
        path = self._file(kind, name)
        if _is_own_file(path):
            path.unlink()

    def _file(self, kind: str, name: str) -> Path:
        if not good_name(name):
            raise Refused(say(self._language, "bad_name", name=short(name)))
        return self._inside(self._root / kind) / name

    def _inside(self, path: Path) -> Path:
        """The path, unless a link leads it out of the workspace."""
        if path.resolve().is_relative_to(self._root):
            return path
        raise Refused(say(self._language, "outside"))


def _is_own(path: Path) -> bool:
    return _is_own_file(path) or (path.is_dir() and not path.is_symlink())


def _is_own_file(path: Path) -> bool:
    """A regular file that is no link: neither to another file nor another name of one."""
    return not path.is_symlink() and path.is_file() and path.stat().st_nlink == 1
