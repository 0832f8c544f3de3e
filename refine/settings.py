"""What the user set: the environment, the home folder, endpoints, own words. Keys stand in `keys`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from refine.errors import SettingsError
from refine.keys import KEYS_FILE, Keys, read_keys, redact, remember_secret
from refine.own_files import Kept, change_table, place, read_table, write_secret, write_text
from refine.types import Endpoint, Json

__all__ = ["Keys", "Settings", "load", "read_words", "redact", "remember_secret", "write_secret"]

PROJECT = Path(__file__).resolve().parent.parent
DEFAULT_HOME = PROJECT / "data" / "runs"
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
GIVEN = "given"
"""Name of the endpoint that --base-url makes."""
GIVEN_KEY = "REFINE_KEY"
"""Names the key typed for that endpoint, so that a run whose key is gone asks for it instead of failing."""
ENDPOINTS_FILE = "endpoints.yaml"
WORDS_FILE = "words.txt"
NETWORK_DISKS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afpfs", "webdav", "davfs", "fuse.sshfs", "fuse.davfs2"}
)


class Endpoints(Mapping[str, Endpoint]):
    """By name: those that ship, the user's own, and `given` where a URL was given. Later ones win.

    What the user adds or changes while the program runs is there at once.
    """

    def __init__(self, shipped: Mapping[str, Endpoint], own: Kept[Endpoint], given: Mapping[str, Endpoint]) -> None:
        self.shipped, self.own, self._given = shipped, own, given
        self._seen: tuple[Mapping[str, Endpoint], dict[str, Endpoint]] = {}, {}

    def now(self) -> Mapping[str, Endpoint]:
        own = self.own.now()
        if own is not self._seen[0]:
            self._seen = own, {**self.shipped, **own, **self._given}
        return self._seen[1]

    def __getitem__(self, name: str) -> Endpoint:
        return self.now()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.now())

    def __len__(self) -> int:
        return len(self.now())


@dataclass(frozen=True)
class Settings:
    home: Path
    endpoints: Endpoints
    model: str
    """The model to use where a role names none; "" = none was set."""
    openai_set: bool
    """Was a key or an address for `openai` given by the environment or by the user?"""
    filed: Kept[str]
    """The key file."""

    @property
    def default_endpoint(self) -> str:
        """Name in `endpoints`; "" = no key and no endpoint was set anywhere, so the offline variant is the default."""
        if GIVEN in self.endpoints:
            return GIVEN
        if self.openai_set or OPENAI_KEY in self.filed:
            return "openai"
        return next(iter(self.endpoints.own), "")


def load(
    env: Mapping[str, str] | None = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
) -> Settings:
    """The settings of this process. Makes the home folder.

    `api_key` only decides the default endpoint and is masked from now on; hand it to `Keys.put` under that name.

    Args:
        env: instead of the process's environment.
        base_url, api_key, model: given by the user for this process; they win over the environment.

    Raises SettingsError for a bad home, URL or endpoints file.
    """
    env = os.environ if env is None else env
    home = Path(env.get("REFINE_HOME") or DEFAULT_HOME).expanduser().absolute()
    check_home(home)
    if api_key:
        remember_secret(api_key.strip())
    own = Kept(home / ENDPOINTS_FILE, _own_endpoints)
    openai_url = read_url(env.get("OPENAI_BASE_URL") or OPENAI_URL, "OPENAI_BASE_URL")
    shipped = {
        "scripted": Endpoint("scripted", kind="scripted"),
        "embedded": Endpoint("embedded", kind="embedded", concurrency=1, idle_seconds=120.0),
        "openai": Endpoint("openai", openai_url, OPENAI_KEY),
    }
    given = {}
    if base_url:
        given[GIVEN] = Endpoint(GIVEN, read_url(base_url, "--base-url"), GIVEN_KEY if api_key else "")
    return Settings(
        home,
        Endpoints(shipped, own, given),
        (model or env.get("REFINE_MODEL") or "").strip(),
        bool(api_key or env.get("OPENAI_BASE_URL") or env.get(OPENAI_KEY)),
        read_keys(home),
    )


def read_url(text: str, what: str = "The base URL") -> str:
    """A base URL as typed, without what people paste along (white space, slash, `/chat/completions`).

    Raises SettingsError, naming `what`, for anything that is not http(s), and for a URL that holds a password or a
    query: it is stored with the run.
    """
    url = text.strip().rstrip("/").removesuffix("/chat/completions").rstrip("/")
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good:
        raise SettingsError(
            f"{what} should look like http://localhost:1234/v1; got {redact(url)!r}. Correct the address."
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise SettingsError(
            f"{what} should be an address only, because it is stored with the run; got one with a name, password or "
            f"query for {parts.hostname}. Give the key as a key."
        )
    return url


# --- the home folder -----------------------------------------------------------------------------------------


def check_home(home: Path, mounts: Path = Path("/proc/self/mounts")) -> None:
    """Makes the folder. Raises SettingsError unless it is a folder on a local disk that we may write in.

    Args:
        mounts: where the system lists its disks, if it does.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        raise SettingsError(
            f"The home folder {home} cannot be used: {error.strerror}. Set REFINE_HOME to a folder of yours."
        ) from error
    if (kind := _disk(home, mounts)) in NETWORK_DISKS:
        raise SettingsError(
            f"The home folder {home} is on a network disk ({kind}), where runs could be damaged. Set REFINE_HOME to a "
            "folder on a disk of this computer."
        )


def _disk(folder: Path, mounts: Path) -> str:
    """The kind of file system, where the system tells; else ""."""
    try:
        lines = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return ""
    place = folder.resolve()
    found = [(Path(line[1].replace("\\040", " ")), line[2]) for line in lines if len(line) > 2]
    inside = [(len(mount.parts), kind) for mount, kind in found if place.is_relative_to(mount)]
    return max(inside, default=(0, ""))[1]


# --- files ---------------------------------------------------------------------------------------------------

_FORMS: dict[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "text"),
    "bool": ((bool,), "true or false"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
}


def _own_endpoints(path: Path) -> dict[str, Endpoint]:
    table = read_table(path)
    return {str(name): _endpoint(path, table, str(name), value) for name, value in table.items()}


def _endpoint(path: Path, table: Any, name: str, value: Json) -> Endpoint:
    known = {f.name: f for f in fields(Endpoint) if f.name != "name"}
    if not isinstance(value, Mapping):
        raise SettingsError(
            f"{place(path, table, name)}: {name} should hold base_url, key ...; got {value!r}. Indent them under it."
        )
    for key, part in value.items():
        where = place(path, value, key)
        if key not in known:
            raise SettingsError(f"{where}: an endpoint has no {key!r}. It has {', '.join(known)}.")
        types, words = _FORMS[str(known[key].type)]
        if not isinstance(part, types) or (isinstance(part, bool) and bool not in types):
            raise SettingsError(f"{where}: {key} should be {words}; got {part!r}.")
    if not re.fullmatch(r"\w*", value.get("key", ""), re.ASCII):
        raise SettingsError(
            f"{place(path, value, 'key')}: key should be a name like {OPENAI_KEY}; got something else. Put the key "
            f"itself into that environment variable or into {KEYS_FILE}."
        )
    given = {key: _plain(known[key], part) for key, part in value.items()}
    if given.get("kind", "openai") not in ("openai", "scripted"):
        raise SettingsError(f"{place(path, value, 'kind')}: kind should be openai or scripted; got {given['kind']!r}.")
    if given.get("kind", "openai") == "openai":
        given["base_url"] = read_url(given.get("base_url", ""), f"{place(path, table, name)}: base_url of {name}")
    return Endpoint(name, **given)


def _plain(f: Any, part: Any) -> Any:
    """The reader's own kinds of text and number as Python's."""
    kind = type(f.default) if f.default is not MISSING else str
    return kind(part)


def write_endpoint(home: Path, endpoint: Endpoint) -> None:
    """Adds an endpoint to the user's own, or changes it. Raises SettingsError where that cannot be."""

    def change(table: Any) -> None:
        row = table.setdefault(endpoint.name, {})
        for field in fields(Endpoint):
            value = getattr(endpoint, field.name)
            if field.name == "name":
                continue
            if value != field.default:
                row[field.name] = value
            else:
                row.pop(field.name, None)

    change_table(home / ENDPOINTS_FILE, change)


def drop_endpoint(home: Path, name: str) -> None:
    """Takes one of the user's own endpoints away; a shipped one is again as it was shipped."""
    change_table(home / ENDPOINTS_FILE, lambda table: table.pop(name, None))


def read_words(home: Path) -> tuple[str, ...]:
    """The words that the author's texts may hold, in every run."""
    path = home / WORDS_FILE
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {type(error).__name__}. Save it as UTF-8 text.") from error
    return tuple(dict.fromkeys(filter(None, map(str.strip, lines))))


def write_words(home: Path, words: Iterable[str]) -> None:
    write_text(home / WORDS_FILE, "".join(f"{word}\n" for word in words))
