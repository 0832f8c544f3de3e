"""Files of the home folder that people and pages write: tables read again when they change, lists, secrets.

Knows nothing of what the tables mean.
"""

from __future__ import annotations

import io
import logging
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from refine.errors import SettingsError

T = TypeVar("T")
SECRET_BYTES = 32

_log = logging.getLogger("refine.settings")


class Kept(Mapping[str, T]):
    """A table that stands in a file, read again when the file has changed, whoever changed it.

    A later change that cannot be read leaves the table as it was, and is logged.

    Args:
        read: makes the table of the file. Raises SettingsError where it cannot.
    """

    def __init__(self, path: Path, read: Callable[[Path], Mapping[str, T]]) -> None:
        self._path, self._read = path, read
        self._name = os.fspath(path)
        self._stamp = _stamp(self._name)
        self._table = read(path)

    def now(self) -> Mapping[str, T]:
        """The table; the same object as long as the file stays as it is."""
        stamp = _stamp(self._name)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._table = self._read(self._path)
            except SettingsError as error:
                _log.warning("%s Until then what stood there before is used.", error)
        return self._table

    def __getitem__(self, name: str) -> T:
        return self.now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.now())

    def __len__(self) -> int:
        return len(self.now())


def _stamp(name: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_table(path: Path) -> Any:
    """A YAML file that holds a table; empty where there is none. Raises SettingsError with the line."""
    if not path.exists():
        return {}
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        data = YAML().load(path.read_text(encoding="utf-8-sig"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        problem = str(error.problem).partition(" with value")[0]  # the value may be a key
        raise SettingsError(f"{path}, line {line}: not YAML ({problem}). Correct that line.") from error
    except (YAMLError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read as YAML: {type(error).__name__}. Save it as UTF-8 text.") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}. Make it readable for you.") from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise SettingsError(
            f"{path}, line 1: should be a table of names; got {type(data).__name__}. Write `name: ...` lines."
        )
    return data


def place(path: Path, table: Any, key: Any) -> str:
    return f"{path}, line {table.lc.key(key)[0] + 1}"


def change_table(path: Path, change: Callable[[Any], None]) -> None:
    """Changes a table where it stands. The author's other lines and comments stay; readable by its owner only.

    Raises SettingsError where the file cannot be read or written.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap

    table = read_table(path) or CommentedMap()
    change(table)
    text = io.StringIO()
    if table:
        YAML().dump(table, text)
    write_text(path, text.getvalue())


def write_text(path: Path, text: str) -> None:
    """Writes a whole file at once, readable by its owner only. Raises SettingsError where that cannot be."""
    try:
        with _beside(path, text.encode()) as made:
            os.replace(made, path)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}. Make its folder writable.") from error


# --- secrets -------------------------------------------------------------------------------------------------


def write_secret(home: Path, name: str) -> bytes:
    """A secret of 32 bytes in a file that only its owner may read: made once, then always the same.

    Two processes that make it at once get the same one. Raises SettingsError when it cannot be kept.
    """
    path = home / name
    try:
        if not path.exists():
            with _beside(path, secrets.token_bytes(SECRET_BYTES)) as made, suppress(FileExistsError):
                os.link(made, path)  # fails where another process was first
        narrow(path)
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"The file {path} cannot be kept: {error.strerror}. Make its folder writable.") from error
    if len(content) < SECRET_BYTES:
        raise SettingsError(f"The file {path} is damaged: it has {len(content)} bytes. Delete it; a new one is made.")
    return content


@contextmanager
def _beside(path: Path, content: bytes) -> Iterator[str]:
    """A file with that content in the same folder, readable by its owner only; gone afterwards."""
    file, name = tempfile.mkstemp(dir=path.parent)  # 0600
    try:
        with os.fdopen(file, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        yield name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def narrow(path: Path) -> None:
    """Takes the rights of others away, and says so."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if sys.platform != "win32" and mode & 0o077:
        path.chmod(0o600)
        _log.warning(
            "%s could be read by others (mode %o). Now only you can; change what others may have read.", path, mode
        )
