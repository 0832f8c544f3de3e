"""Facts kept over runs, found again by plain search. Off unless a run names these tools."""

from __future__ import annotations

from collections.abc import Sequence

from refine.tools.registry import tool
from refine.tools.surroundings import Surroundings
from refine.tools.terms import terms
from refine.tools.wording import say
from refine.tools.wrong import Refused, clean

LONGEST_FACT = 500
MOST_FACTS = 1_000
MOST_FOUND = 10


@tool()
def remember(around: Surroundings, fact: str) -> str:
    """Keeps a fact for later runs.

    Args:
        fact: one short sentence that can be understood by itself.
    """
    said = " ".join(clean(fact).split())
    if not said or len(said) > LONGEST_FACT:
        raise Refused(say(around.language, "fact_size", limit=LONGEST_FACT))
    known = around.recall()
    if said in known:
        return say(around.language, "known_already")
    if len(known) >= MOST_FACTS:
        raise Refused(say(around.language, "memory_full", limit=MOST_FACTS))
    around.remember(said)
    return say(around.language, "remembered")


@tool()
def recall(around: Surroundings, words: str = "") -> str:
    """Finds facts that were kept in this or earlier runs.

    Args:
        words: what the facts should be about; without any, the newest facts.
    """
    known = around.recall()
    found = _search(known, words) if words.strip() else list(known)
    if not found:
        return say(around.language, "nothing_kept")
    return "\n".join(f"- {fact}" for fact in found[:MOST_FOUND])


def _search(known: Sequence[str], words: str) -> list[str]:
    """Facts that hold the words, those that hold most of them first, then the newest."""
    asked = words.casefold().split()
    about = terms(words)
    worth = {fact: 2 * sum(word in fact.casefold() for word in asked) + len(about & terms(fact)) for fact in known}
    return sorted((fact for fact in worth if worth[fact]), key=lambda fact: -worth[fact])
