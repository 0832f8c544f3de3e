"""Keys: where they are found, whom they serve, and the one place that masks them.

Keys are never in a spec, a log, an export or an error: whoever finds a key remembers it here, and `redact` masks it.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal

from refine.errors import SettingsError
from refine.own_files import Kept, change_table, narrow, place, read_table
from refine.types import Endpoint

KEYS_FILE = "keys.yaml"

KeySource = Literal["typed", "environment", "file", ""]

_serving: ContextVar[Keys | None] = ContextVar("serving", default=None)
"""Whose run this task drives."""


class Keys:
    """Where keys are found: typed, then the environment, then `keys.yaml` in the home folder.

    What is typed in a browser session (`session`) is found by that session, and while a run is driven that it started
    (`lend`, `serving`). No other session and no other run finds it.

    Args:
        env: instead of the process's environment.
    """

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self._path, self._env = home / KEYS_FILE, os.environ if env is None else env
        self._filed = read_keys(home)
        self._process: dict[str, tuple[str, str]] = {}
        self._typed = self._process
        """Name of an endpoint -> the key, and the only address it is meant for, if it was given."""
        self._lent: dict[str, Keys] = {}
        for key in self._filed.values():
            remember_secret(key)

    def session(self) -> Keys:
        """The keys of one browser session."""
        made = copy.copy(self)
        made._typed = {}
        return made

    def put(self, name: str, key: str, base_url: str = "") -> None:
        """A key for the endpoint of that name, kept in memory only. An empty one takes it away.

        Args:
            base_url: where it may be sent; "" = wherever the endpoint is.
        """
        self._typed.pop(name, None)
        if key.strip():
            self._typed[name] = key.strip(), base_url
            remember_secret(key.strip())

    def file(self, name: str, key: str) -> None:
        """Puts a key into the key file under that name; an empty one is taken out. Raises SettingsError."""
        from ruamel.yaml.scalarstring import DoubleQuotedScalarString

        remember_secret(key.strip())

        def change(table: Any) -> None:
            table.pop(name, None)
            if key.strip():
                table[name] = DoubleQuotedScalarString(key.strip())

        change_table(self._path, change)

    def find(self, endpoint: Endpoint) -> str | None:
        """The key for an endpoint; None where there is none. Never the environment's key for another host."""
        key = self._found(endpoint)[0]
        if key:
            remember_secret(key)
        return key or None

    def source(self, endpoint: Endpoint) -> KeySource:
        """Where `find` finds it."""
        return self._found(endpoint)[1]

    def _found(self, endpoint: Endpoint) -> tuple[str, KeySource]:
        lender = _serving.get()
        for typed in (lender._typed if lender else {}, self._typed, self._process):
            key, meant_for = typed.get(endpoint.name, ("", ""))
            if key and meant_for in ("", endpoint.base_url):
                return key, "typed"
        if endpoint.key and (key := self._env.get(endpoint.key, "").strip()):
            return key, "environment"
        if endpoint.key and (key := self._filed.get(endpoint.key, "")):
            return key, "file"
        return "", ""

    # --- runs of a session -------------------------------------------------------------------------------

    def lend(self, run_id: str) -> None:
        """That run is of this session: it may use what is typed here, now or later."""
        if self._typed is not self._process:
            self._lent.setdefault(run_id, self)

    def give_back(self, run_id: str) -> None:
        """The run has ended."""
        self._lent.pop(run_id, None)

    @contextmanager
    def serving(self, run_id: str) -> Iterator[None]:
        """Within it, `find` also finds what the session of this run has typed."""
        token = _serving.set(self._lent.get(run_id))
        try:
            yield
        finally:
            _serving.reset(token)


def read_keys(home: Path) -> Kept[str]:
    """The key file, by name. Raises SettingsError where it cannot be read."""
    return Kept(home / KEYS_FILE, _key_file)


def _key_file(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    narrow(path)
    table = read_table(path)
    for name, key in table.items():
        if not isinstance(key, str):
            raise SettingsError(f"{place(path, table, name)}: the key {name} should be text. Put it in quotes.")
    return {str(name): str(key).strip() for name, key in table.items()}


# --- redaction -----------------------------------------------------------------------------------------------

MASK = "***"
SHORTEST = 8
"""Characters of a key that give it away."""
_known_secrets: set[str] = set()


def remember_secret(key: str) -> None:
    """From now on `redact` masks this key."""
    if key:
        _known_secrets.add(key)


def redact(text: str, secrets: Iterable[str] | None = None) -> str:
    """The text with every known key masked, and every piece of one that has 8 or more characters.

    Args:
        secrets: instead of those remembered in this process.
    """
    spans = sorted(
        span for secret in (_known_secrets if secrets is None else [*secrets]) for span in _spans(text, secret)
    )
    out, at = [], 0
    for start, end in _merged(spans):
        out += [text[at:start], MASK]
        at = end
    return "".join([*out, text[at:]])


def _spans(text: str, secret: str) -> list[tuple[int, int]]:
    if not secret:
        return []
    if len(secret) < SHORTEST:
        return [span for span in _places(text, secret) if _stands_alone(text, *span)]
    pieces = {secret[start : start + SHORTEST] for start in range(len(secret) - SHORTEST + 1)}
    return [span for piece in pieces for span in _places(text, piece)]


def _places(text: str, piece: str) -> list[tuple[int, int]]:
    places, at = [], text.find(piece)
    while at >= 0:
        places.append((at, at + len(piece)))
        at = text.find(piece, at + 1)
    return places


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged
