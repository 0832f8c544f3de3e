"""Where the parts of a step stand in a reply: labels, objects, fenced blocks, tool-call envelopes, in their order.

Knows nothing of which of them is the step.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from refine.replies.objects import balanced, loaded
from refine.replies.steps_words import labels
from refine.replies.text import INVISIBLE
from refine.replies.words import SIMPLIFIED
from refine.types import Json

Kind = Literal[
    "thought", "action", "tool", "input", "arguments", "observation", "result", "answer",  # labels
    "object", "call", "fence", "cut",
]  # fmt: skip

LABELS: tuple[Kind, ...] = ("thought", "action", "tool", "input", "arguments", "observation", "result", "answer")


@dataclass(frozen=True, slots=True)
class Mark:
    kind: Kind
    start: int
    end: int
    """Of a label: where its text begins."""
    body: tuple[int, int] = (0, 0)
    """Of an object or a call: where the object itself stands, or what is between the tags."""
    name: str = ""
    """Of a call whose tool is named outside the object."""
    bold: bool = False
    """Of a label: its line is in bold to the end."""


# --- the form in which marks are looked for -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """A reply twice: as it is, and in a form of as many characters in which marks are found."""

    shape: str
    clean: str
    """Without characters of no width; as long as `shape`."""
    raw: str
    at: Sequence[int]
    """Where each character of `clean`, and its end, stands in `raw`."""

    @classmethod
    def of(cls, raw: str) -> Source:
        at: Sequence[int] = range(len(raw) + 1)
        clean = raw
        if not raw.isascii() and INVISIBLE.search(raw):
            unseen = {offset for match in INVISIBLE.finditer(raw) for offset in range(match.start(), match.end())}
            at = [offset for offset in range(len(raw) + 1) if offset not in unseen]
            clean = INVISIBLE.sub("", raw)
        return cls(clean.translate({ord(char): _plain(char) for char in set(clean)}), clean, raw, at)

    def text(self, start: int, end: int | None = None) -> str:
        """What stands between two places, as it was sent."""
        stop = len(self.clean) if end is None else end
        return self.raw[self.at[start] : self.at[stop]]


def _plain(char: str) -> str:
    if char in "\r\x0b\x0c\x85\u2028\u2029":
        return "\n"
    form = unicodedata.normalize("NFKC", char)
    return (form if len(form) == 1 else char).translate(SIMPLIFIED)


# --- marks ----------------------------------------------------------------------------------------------------------

_SIGNS = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
TYPED = r"(?:\{(?=\s{0,200}[\"'}])|\[(?=\s{0,200}\{))"
"""An object, or a list of objects."""
_OBJECT = rf"^[ \t]{{0,20}}(?:(?P<ticks>`{{1,3}})[a-z_]{{0,12}}[ \t]{{0,20}})?(?P<object>{TYPED})"
_FENCE = r"^[ ]{0,8}(?P<fence>`{3,}|~{3,})[^`\n]*$"
_ANSWERED = r"^[ \t]{0,20}<(?P<answered>tool_response|tool_results?|tool_outputs?|function_results?|observation)>"
_NUMBER = r"(?:\d{1,3}|[一二三四五六七八九十]{1,3})"
_LABEL = rf"""(?x:
    ^[ \t]{{0,20}}
    (?:(?:[-+*•●▶►][ \t]|\(?\d{{1,3}}(?:[.)、:]|(?=[^\d\s:])|[ \t])|(?P<heading>\#{{1,6}}))[ \t]{{0,8}}){{0,2}}
    (?:[{_SIGNS}]{{1,3}}[ \t]{{0,3}})?
    (?P<open>[*_]{{1,3}}|【|\[)?[ \t]{{0,3}}
    (?:(?:step|round|turn|步骤|第)[ ]?{_NUMBER}(?:步|轮)?[ \t]?(?:[.:,、|—–-]{{1,2}}[ \t]?)?)?
    (?:{labels()})
    (?:[ \t_]?\#?{_NUMBER}|[ ]?\({_NUMBER}\))?
    [ \t]{{0,3}}(?P<close>[*_]{{1,3}}|】|\])?[ \t]{{0,3}}
    (?:(?P<colon>:)|(?<=】)|(?=[ \t]{{0,20}}$))
    (?(open)(?P<late>[ \t]{{0,3}}[*_]{{1,3}}(?![*_]))?)
)"""
_OPENER = (
    r"(?:<\|?(?:tool_?calls?|function_?calls?|tools|python_tag|action_start)\|?>|<\|plugin\|>|\[TOOL_CALLS\]"
    r"|<\|tool_calls_section_begin\|>|<\|tool_call_begin\|>|<\|tool▁calls?▁begin\|>|✿FUNCTION✿:?)"
)
_BETWEEN = r"(?:<\|tool▁sep\|>|\[ARGS\]|\[CALL_ID\]\w{1,20}|<\|tool_call_argument_begin\|>|✿ARGS✿:?)"
_CALL = rf"""(?x:
    (?P<call>{_OPENER}(?:\s{{0,20}}{_OPENER}){{0,2}})\s{{0,20}}
    (?:function<\|tool▁sep\|>)?
    (?:(?:functions\.)?(?P<called>[a-z_][\w.-]{{0,80}})(?::\d{{1,3}})?\s{{0,20}}(?:{_BETWEEN}\s{{0,20}}){{0,2}})?
    (?:```[a-z]{{0,10}}\s{{0,20}})?(?={TYPED})
)"""
_NAMED = (
    rf"(?:{_OPENER}\s{{0,20}})?"
    r"<(?:(?P<function>function)(?:=|\s+name=)|(?P<invoke>invoke)\s+name=)"
    r"[\"']?(?P<named>[^<>\"'\n]{1,80})[\"']?\s{0,5}>"
)
_PAIRED = r"<tool_call>\s{0,20}(?P<paired>[a-z_][\w.-]{0,80})\s{0,20}(?=<arg_key>|</tool_call>)"

_ENVELOPE = re.compile(f"{_CALL}|{_NAMED}|{_PAIRED}", re.IGNORECASE)
_MARK = re.compile("|".join((_OBJECT, _FENCE, _ANSWERED, _LABEL, _CALL, _NAMED, _PAIRED)), re.IGNORECASE | re.MULTILINE)
_INSIDE = re.compile(rf"\s{{0,200}}(?P<object>{TYPED})")
_AFTER_LABEL = re.compile(
    rf"[ \t]{{0,20}}(?:(?P<ticks>`{{1,3}})(?:[a-z_]{{0,12}}\s{{0,200}}))?(?P<object>{TYPED})", re.IGNORECASE
)
_AFTER_NAME = re.compile(rf"[ \t*`]{{0,8}}[A-Za-z_][\w.-]{{0,63}}[*`]{{0,3}}[ \t]{{1,8}}(?P<object>{TYPED})")
_FENCE_AFTER_LABEL = re.compile(r"[ \t]{0,20}(?P<fence>`{3,}|~{3,})[^`\n]*$", re.MULTILINE)
_TICK_ENDS = re.compile(r"[ \t]{0,20}`[ \t]{0,20}$", re.MULTILINE)
_CLOSING = {
    "paired": re.compile("</tool_call>", re.IGNORECASE),
    "function": re.compile("</function>", re.IGNORECASE),
    "invoke": re.compile("</invoke>", re.IGNORECASE),
}
_PARAMETER = re.compile(r"""<parameter(?:=|\s+name=)["']?(?P<key>[^<>"'\n]{1,80})["']?[^<>\n]{0,40}>""", re.IGNORECASE)
_ARG_KEY = re.compile(r"<arg_key>(?P<key>[^<>\n]{1,80})</arg_key>\s{0,20}<arg_value>", re.IGNORECASE)
_QUOTES = "`'\"“‘「"


def marks(source: Source) -> Iterator[Mark]:
    """All marks, in order. What lies inside an object or a fenced block is none; nothing comes after a `cut`."""
    at = 0
    while found := _MARK.search(source.shape, at):
        for mark in _marks_at(source, found):
            yield mark
            at = mark.end
        at = max(at, found.end())


def _marks_at(source: Source, found: re.Match[str]) -> Iterator[Mark]:
    if found["object"]:
        yield from _object(source, found.start(), found.start("object"), found["ticks"] or "")
    elif found["fence"]:
        yield from _fence(source, found)
    elif found["answered"]:
        yield Mark("observation", found.start(), found.end())
    elif found["call"] or found["named"] or found["paired"]:
        if not _quoted(source.shape, found.start()):
            yield _envelope(source, found)
    else:
        yield from _label(source, found)


def _quoted(text: str, at: int) -> bool:
    return at > 0 and text[at - 1] in _QUOTES


def _label(source: Source, found: re.Match[str]) -> Iterator[Mark]:
    kind = next(kind for kind in LABELS if found[kind])
    bare = found["heading"] or (found["open"] and found["close"]) or kind == "observation"
    if not (found["colon"] or bare):
        return
    bold = bool(found["open"] and found["open"] in "***___" and not (found["close"] or found["late"]))
    yield Mark(kind, found.start(), found.end(), bold=bold)
    if value := _AFTER_LABEL.match(source.shape, found.end()):
        yield from _object(source, found.end(), value.start("object"), value["ticks"] or "")
    elif kind == "action" and (named := _AFTER_NAME.match(source.shape, found.end())):
        yield from _object(source, named.start("object"), named.start("object"), "")
    elif fence := _FENCE_AFTER_LABEL.match(source.shape, found.end()):
        yield from _fence(source, fence)


def _object(source: Source, start: int, at: int, ticks: str) -> Iterator[Mark]:
    if source.clean[at] not in "{[":
        return
    end = balanced(source.clean, at)
    if end is None:
        yield Mark("cut", start, len(source.clean))
        return
    mark = Mark("object", start, end, (at, end))
    if not ticks or len(ticks) > 2 or _TICK_ENDS.match(source.shape, end):
        yield mark
    if ticks:
        yield Mark("fence", start, _close(source, ticks, end) or len(source.clean) if len(ticks) > 2 else end)


def _fence(source: Source, found: re.Match[str]) -> Iterator[Mark]:
    if inside := _INSIDE.match(source.shape, found.end()):
        yield from _object(source, found.start(), inside.start("object"), found["fence"])
        return
    start = found.end() + 1
    if (call := _ENVELOPE.match(source.shape, start)) is not None:
        yield _envelope(source, call)
    end = _close(source, found["fence"], found.end())
    yield Mark("fence" if end else "cut", found.start(), end or len(source.clean))


def _close(source: Source, ticks: str, at: int) -> int | None:
    """The end of a fenced block, seen from inside."""
    marks = f"{ticks[0]}{{{len(ticks)},}}"
    line_end = re.compile(rf"[ \t]{{0,20}}{marks}").match(source.shape, at)
    closing = line_end or re.compile(rf"^[ ]{{0,8}}{marks}[ \t]*$", re.MULTILINE).search(source.shape, at)
    return closing.end() if closing else None


# --- tool-call envelopes --------------------------------------------------------------------------------------------


def _envelope(source: Source, found: re.Match[str]) -> Mark:
    start, end = found.span()
    if found["call"]:
        stop = balanced(source.clean, end)
        if stop is None:
            return Mark("cut", start, len(source.clean))
        return Mark("call", start, stop, (end, stop), source.clean[slice(*found.span("called"))])
    name = "paired" if found["paired"] else "named"
    closing = _CLOSING["paired" if found["paired"] else "function" if found["function"] else "invoke"]
    if (close := closing.search(source.shape, end)) is None:
        return Mark("cut", start, len(source.clean))
    return Mark("call", start, close.end(), (end, close.start()), source.clean[slice(*found.span(name))].strip())


def held(source: Source, mark: Mark) -> Json:
    """What an object or a call holds; None where it is not valid."""
    start, stop = mark.body
    body = source.clean[start:stop]
    if mark.kind == "call" and not body.lstrip().startswith(("{", "[")):
        return _parameters(source, start, stop) if body.strip() else {}
    value = loaded(source.text(start, stop))
    return loaded(body) if value is None and len(source.raw) > len(source.clean) else value


def _parameters(source: Source, start: int, stop: int) -> Json:
    """Texts by their names, in tags."""
    found: dict[str, Json] = {}
    for opener, closing in ((_PARAMETER, "</parameter>"), (_ARG_KEY, "</arg_value>")):
        at = start
        while key := opener.search(source.shape, at, stop):
            end = source.shape.find(closing, key.end(), stop)
            if end < 0:
                return None
            found[source.clean[slice(*key.span("key"))].strip()] = source.text(key.end(), end).strip("\r\n")
            at = end
    return found or None
