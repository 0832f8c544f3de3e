"""What tools say, by name and language: the sentences stand in `words`, English descriptions in docstrings."""

from __future__ import annotations

from collections.abc import Mapping

from refine.words import tools_en, tools_zh

_SAYINGS: Mapping[str, Mapping[str, str]] = {"en": tools_en.SAYINGS, "zh": tools_zh.SAYINGS}


def tongue(language: str) -> str:
    """The language of ours that stands for it."""
    short = language.replace("_", "-").partition("-")[0].casefold()
    return short if short in _SAYINGS else "en"


def say(language: str, key: str, /, **values: object) -> str:
    return _SAYINGS[tongue(language)][key].format_map(values)


def described(tool: str, language: str) -> tuple[str, Mapping[str, str]]:
    """A tool's description and those of its arguments; "" and none where the docstring serves."""
    if tongue(language) == "zh":
        return tools_zh.DESCRIPTIONS.get(tool, ("", {}))
    return "", {}
