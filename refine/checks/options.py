"""What may be said to a check: the names of its options and the shape of each. Knows nothing of what a check does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refine.errors import SettingsError
from refine.types import Json

Shape = tuple[str, Callable[[Json], bool]]


def _texts(value: Json) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _pairs(value: Json) -> bool:
    return isinstance(value, Mapping) and all(isinstance(k, str) and isinstance(v, str) for k, v in value.items())


def _count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


TEXT: Shape = ("a text", lambda value: isinstance(value, str))
TEXTS: Shape = ("a list of texts", _texts)
BANS: Shape = ("a list of texts, or a mapping of texts to texts", lambda value: _texts(value) or _pairs(value))
COUNT: Shape = ("a whole number, 0 or more", _count)

COMMON: Mapping[str, Shape] = {"language": TEXT, "words": TEXTS, "off": TEXTS}
"""Every check takes these: the text's language (en, zh), the author's own words, and ids of rules to switch off."""

OPTIONS: Mapping[str, Mapping[str, Shape]] = {
    "grammar": {"dialect": TEXT},
    "wording": {},
    "typography": {},
    "length": {"min": COUNT, "max": COUNT},
    "terms": {"require": TEXTS, "ban": BANS},
    "repeats": {},
    "sentences": {"max": COUNT},
    "candidates": {},
    "kept": {"against": TEXT, "keep": TEXTS, "locked": TEXTS},
}


def check_options(name: str, options: Mapping[str, Json]) -> None:
    """Raises SettingsError for an option that check `name` does not have, or a value of the wrong shape."""
    known = {**COMMON, **OPTIONS[name]}
    for option, value in options.items():
        if option not in known:
            raise SettingsError(f"Check {name} has no option {option}. It takes {', '.join(sorted(known))}.")
        words, fits = known[option]
        if value is not None and not fits(value):
            raise SettingsError(f"Option {option} of check {name} must be {words}; got {value!r}. Change it.")


def texts(options: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """The option as a tuple of texts; empty where it is not given."""
    return tuple(options.get(name) or ())


def number(options: Mapping[str, Json], name: str, default: int = 0) -> int:
    value = options.get(name)
    return default if value is None else int(value)
