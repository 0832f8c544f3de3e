"""From the fields of the brief to what a writer reads. Pure: knows nothing of pages, stores or runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refine.text.language import language_of

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "reader": "Reader: {}",
        "tone": "Tone: {}",
        "most": "Length: at most {} words",
        "phrases": "Must contain, word for word:",
    },
    "zh": {"reader": "读者：{}", "tone": "语气：{}", "most": "篇幅：不超过 {} 字", "phrases": "必须原样包含："},
}
"""By the language of the text, not of the page: a model reads them."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What an author said about the text that is wanted; all of it optional."""

    wish: str = ""
    reader: str = ""
    tone: str = ""
    most: int | None = None
    """Words, or Chinese characters, at most."""
    phrases: tuple[str, ...] = ()


def compose(brief: Brief, draft: str = "") -> str:
    """The brief as one text, in the language of the draft, else its own. A wish alone stays as it is."""
    said = [brief.wish, brief.reader, brief.tone, *brief.phrases]
    labels = LABELS[language_of(draft) or language_of("\n".join(said)) or "en"]
    lines = [
        brief.wish.strip(),
        *(labels[name].format(value.strip()) for name, value in (("reader", brief.reader), ("tone", brief.tone))
          if value.strip()),
        labels["most"].format(brief.most) if brief.most else "",
        "\n".join([labels["phrases"], *(f"- {phrase}" for phrase in brief.phrases)]) if brief.phrases else "",
    ]  # fmt: skip
    return "\n".join(filter(None, lines))


def lines(text: str) -> tuple[str, ...]:
    """One entry a line, each once."""
    return _distinct(text.splitlines())


def listed(text: str) -> tuple[str, ...]:
    """Entries on lines of their own or with commas between them, each once."""
    return _distinct(re.split(r"[\n,，、;；]", text))


def _distinct(entries: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.strip() for entry in entries if entry.strip()))


def to_add(phrases: Iterable[str], draft: str, checks: Iterable[str]) -> list[str]:
    """The phrases that have to come into the text; those of the draft are kept facts, where these are checked."""
    return [phrase for phrase in phrases if "kept" not in checks or phrase not in draft]
