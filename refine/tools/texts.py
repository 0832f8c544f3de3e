"""Tools that measure words and texts, and look into the draft. They know nothing of what is good style."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.text.characters import CJK
from refine.text.sentences import sentences
from refine.text.tokens import tokens
from refine.text.words import count, reading_minutes
from refine.tools.registry import tool
from refine.tools.surroundings import Surroundings
from refine.tools.wording import say
from refine.tools.wrong import Refused, short

MOST_WORDS = 50
MOST_PLACES = 10
"""Places shown of a find."""
AROUND = 40
"""Characters shown on either side of a place."""

_CJK = re.compile(f"[{CJK}]")


@tool()
def word_length(around: Surroundings, word: str) -> str:
    """Counts the letters of a word, or of each word of a phrase; in Chinese, the characters.

    Args:
        word: a word or a short phrase.
    """
    if _CJK.search(word):
        return say(around.language, "length_characters", word=word.strip(), count=len(_CJK.findall(word)))
    words = [token for token in tokens(word) if any(map(str.isalnum, token))][:MOST_WORDS]
    if not words:
        raise Refused(say(around.language, "no_word"))
    return "\n".join(say(around.language, _kind(one), word=one, count=sum(map(str.isalnum, one))) for one in words)


def _kind(word: str) -> str:
    return "length_digits" if any(map(str.isdigit, word)) else "length_letters"


@tool()
def text_statistics(around: Surroundings, text: str = "") -> str:
    """Counts words, characters, sentences and paragraphs of a text, and its reading time.

    Args:
        text: the text to measure; without one, the draft.
    """
    measured = text if text.strip() else _draft(around)
    spans = sentences(measured)
    lengths = [count(measured[start:end]) for start, end in spans]
    words = count(measured)
    longest = max(range(len(spans)), key=lengths.__getitem__, default=None)
    values = {
        "words": words,
        "han": len(_CJK.findall(measured)),
        "characters": len(measured),
        "solid": sum(1 for sign in measured if not sign.isspace()),
        "sentences": len(spans),
        "paragraphs": len([block for block in re.split(r"\n\s*\n", measured) if block.strip()]),
        "average": f"{sum(lengths) / len(lengths):.1f}" if lengths else 0,
        "longest": lengths[longest] if longest is not None else 0,
        "quote": short(measured[slice(*spans[longest])]) if longest is not None else "",
        "minutes": reading_minutes(measured),
    }
    return say(around.language, "statistics", **values)


@tool()
def find_in_draft(around: Surroundings, text: str) -> str:
    """Finds where a word or passage stands in the draft, with what stands around it. Capitals do not matter.

    Args:
        text: what to look for.
    """
    draft, wanted = _draft(around), _wanted(text, around.language)
    places = list(_places(draft, wanted))
    if not places:
        return say(around.language, "not_found", text=short(wanted))
    shown = [
        say(around.language, "place", line=draft.count("\n", 0, start) + 1, context=_context(draft, start, end))
        for start, end in places[:MOST_PLACES]
    ]
    head = say(around.language, "found", text=short(wanted), count=len(places), shown=len(shown))
    return "\n".join([head, *shown])


@tool()
def count_in_draft(around: Surroundings, text: str) -> str:
    """Counts how often a word or passage stands in the draft. Capitals do not matter.

    Args:
        text: what to count.
    """
    draft, wanted = _draft(around), _wanted(text, around.language)
    places = list(_places(draft, wanted))
    whole = sum(1 for start, end in places if _stands_alone(draft, start, end))
    if _CJK.search(wanted) or whole == len(places):
        return say(around.language, "counted", text=short(wanted), count=len(places))
    return say(around.language, "counted_parts", text=short(wanted), count=whole, parts=len(places) - whole)


def _draft(around: Surroundings) -> str:
    if not around.draft.strip():
        raise Refused(say(around.language, "no_draft"))
    return around.draft


def _wanted(text: str, language: str) -> str:
    if not text.strip():
        raise Refused(say(language, "nothing_to_find"))
    return text.strip()


def _places(draft: str, wanted: str) -> Iterator[tuple[int, int]]:
    pattern = r"\s+".join(map(re.escape, wanted.split()))
    for found in re.finditer(pattern, draft, re.I):
        yield found.start(), found.end()


def _stands_alone(draft: str, start: int, end: int) -> bool:
    return not (draft[start - 1 : start].isalnum() or draft[end : end + 1].isalnum())


def _context(draft: str, start: int, end: int) -> str:
    before, after = max(0, start - AROUND), min(len(draft), end + AROUND)
    piece = " ".join(draft[before:after].split())
    return f"{'…' if before else ''}{piece}{'…' if after < len(draft) else ''}"
