"""A writer's reply that its length limit cut off: asked for the rest, and joined where that can be done for sure.

Flows and pure functions. The writer begins the rest with words it has written, so the place of the seam is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from refine import words
from refine.loop import ask
from refine.replies import visible
from refine.text.estimate import CJK
from refine.types import Flow, Message, ModelCall, Reply, RunSpec

MOST = 2
"""How often a rest is asked for."""
ANCHOR = 16
"""Characters that the rest must share with the text at the seam."""
LINES_BEFORE = 3
"""Lines of talk that may stand before the rest."""
PLACES = 20
"""Places that are looked at for the seam."""
_WORD = re.compile(r"\w+")
_LAST_WORD = re.compile(r"\S+\Z")


def ask_whole(spec: RunSpec, call: ModelCall) -> Flow[Reply]:
    """The reply to a call, with its rests. It still ends as one that was cut where they do not fit or never end."""
    reply = yield from ask(call)
    for _ in range(MOST):
        if not is_cut(reply):
            break
        rest = yield from ask(asking_on(spec, call, reply.content))
        if rest.refusal or rest.finish_reason not in ("stop", "length"):
            break
        if (text := joined(reply.content, visible(rest.content))) is None:
            break
        reply = replace(rest, content=text)
    return reply


def is_cut(reply: Reply) -> bool:
    """Did the limit end a text, and not only thoughts?"""
    return reply.finish_reason == "length" and bool(visible(reply.content).strip())


def asking_on(spec: RunSpec, call: ModelCall, text: str) -> ModelCall:
    request = words.of(spec.task.language).GO_ON_WRITING
    return replace(call, messages=(*call.messages, Message("assistant", (text,)), Message("user", (request,))))


def joined(text: str, rest: str) -> str | None:
    """Text and rest as one; None where nothing came. The rest may also be the whole text again."""
    if not rest.strip():
        return None
    for start in _line_starts(rest):
        said = rest[start:]
        if said[:ANCHOR] == visible(text).lstrip()[:ANCHOR]:
            return said
        if (seam := _seam(text, said)) is not None:
            return text[:seam] + said
    return text + _between(text, rest) + rest


def _line_starts(rest: str) -> Iterator[int]:
    at = len(rest) - len(rest.lstrip())
    for _ in range(LINES_BEFORE + 1):
        yield at
        end = rest.find("\n", at)
        if end < 0:
            return
        at = end + 1


def _seam(text: str, rest: str) -> int | None:
    """Where in the text the rest begins: it says again all that stands from there on, but for a last half word."""
    head, at = rest[:ANCHOR], len(text)
    for _ in range(PLACES if len(head) == ANCHOR else 0):
        if (at := text.rfind(head, 0, at + ANCHOR - 1)) < 0:
            return None
        tail = text[at:]
        but_one = _LAST_WORD.sub("", tail)
        if rest.startswith(tail) or (len(but_one) >= ANCHOR and rest.startswith(but_one)):
            return at
    return None


def _between(text: str, rest: str) -> str:
    """What stands between the halves where the rest goes on without a word from before: a space, unless both halves
    make a word that the text knows, or a sign follows."""
    last, first = text[-1:], rest[:1]
    if not (last.strip() and first.strip()) or CJK.match(last) or CJK.match(first) or not (first.isalnum()):
        return ""
    before, after = re.search(r"\w+$", text), _WORD.match(rest)
    if before and after and before[0] + after[0] in set(_WORD.findall(text[: before.start()])):
        return ""
    return " "
