"""A model's reply as text: its reasoning taken off, its marks taken off, cut into lines and sentences.

Knows nothing of verdicts, drafts or steps, and no words of any language but the names of tags.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from refine.replies.words import SIMPLIFIED

# --- reasoning (V1, W1) ----------------------------------------------------------------------------------------

_NAMES = "think|thinking|reasoning"
_TAG = re.compile(
    rf"<(?P<end>/?)(?:[a-z]{{1,12}}:)?(?P<name>{_NAMES})(?:\s[^<>\n]{{0,200}})?\s{{0,20}}>"
    rf"|\[(?P<end2>/?)(?P<name2>THINK)\]|◁(?P<end3>/?)(?P<name3>think)▷",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,20}(?P<name>[a-z_]{1,20})[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>",
    re.IGNORECASE,
)
_CHANNEL_END = re.compile(r"<\|(?:end|return|start|call|channel)\|>", re.IGNORECASE)
_BARE_CHANNEL = re.compile(r"\s{0,100}analysis(?=[A-Z\W])")
_BARE_FINAL = "assistantfinal"
_FENCE = re.compile(r"^[ ]{0,3}(?P<marks>`{3,}|~{3,})(?P<info>[^`\n]*)$", re.MULTILINE)
_LEADING_BLANK = re.compile(r"\A(?:[ \t]*[\r\n]+)+|\A[ \t]+")
_MENTION = "`'\"“”‘’「」『』"


def split_reasoning(text: str) -> tuple[str, str]:
    """The reasoning in a reply, and the reply without it. Nothing else is touched.

    Goes: what stands in paired tags, up to a last closing tag that was never opened, and from an opening tag that
    is never closed; of leaked channels all but the final one.
    """
    channels, text = _split_channels(text)
    tags, text = _split_tags(text)
    return channels + tags, text


def visible(text: str) -> str:
    """The reply as its reader sees it: without reasoning and without characters of no width."""
    return INVISIBLE.sub("", split_reasoning(text)[1])


def _split_channels(text: str) -> tuple[str, str]:
    marks = [mark for mark in _CHANNEL.finditer(text) if not _is_mention(text, mark.start(), mark.end())]
    if marks:
        final: list[str] = []
        other = [text[: marks[0].start()]]
        for mark in marks:
            end = _CHANNEL_END.search(text, mark.end())
            content = text[mark.end() : end.start() if end else len(text)]
            (final if mark["name"].lower() == "final" else other).append(content)
        return "\n".join(other), "\n".join(final)
    if _BARE_CHANNEL.match(text) and (at := text.rfind(_BARE_FINAL)) >= 0:
        return text[:at], text[at + len(_BARE_FINAL) :]
    return "", text


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    closes: bool


def _split_tags(text: str) -> tuple[str, str]:
    tags = [tag for tag in _tags(text) if not _is_mention(text, tag.start, tag.end)]
    if not tags:
        return "", text
    gone, orphans, unclosed = _paired(tags, _fences(text))
    cut = max(orphans, default=0)
    end = min((at for at in unclosed if at >= cut), default=len(text))
    gone = [(0, cut), *((start, stop) for start, stop in gone if cut <= start < end), (end, len(text))]
    kept, at = [], 0
    for start, stop in gone:
        kept.append(text[at:start])
        at = max(at, stop)
    reply = "".join(kept)
    at_start = any(not text[:start].strip() and stop > start for start, stop in gone[:-1])
    return "".join(text[start:stop] for start, stop in gone), _LEADING_BLANK.sub("", reply) if at_start else reply


def _tags(text: str) -> Iterator[_Tag]:
    for match in _TAG.finditer(text):
        name = match["name"] or match["name2"] or match["name3"]
        closes = bool(match["end"] or match["end2"] or match["end3"])
        yield _Tag(match.start(), match.end(), name.lower(), closes)


def _paired(tags: list[_Tag], fences: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Spans of paired tags, ends of closing tags without an opening one, starts of opening ones never closed."""
    last_close = {tag.name: tag.start for tag in tags if tag.closes}
    pairs: list[tuple[int, int]] = []
    orphans: list[int] = []
    unclosed: list[int] = []
    opened: _Tag | None = None
    fence = 0
    for tag in tags:
        if opened is not None:
            if tag.closes and tag.name == opened.name:
                while fence < len(fences) and fences[fence][1] < opened.start:
                    fence += 1
                if not (fence < len(fences) and fences[fence][0] < opened.start and tag.end <= fences[fence][1]):
                    pairs.append((opened.start, tag.end))
                opened = None
        elif tag.closes:
            orphans.append(tag.end)
        elif last_close.get(tag.name, -1) > tag.start:
            opened = tag
        else:
            unclosed.append(tag.start)
    return pairs, orphans, unclosed


def _fences(text: str) -> list[tuple[int, int]]:
    """Spans of the fenced blocks that are closed. Tags that stand in one as a pair are code."""
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match["marks"].startswith(opened["marks"]) and not match["info"].strip():
            spans.append((opened.start(), match.end()))
            opened = None
    return spans


def _is_mention(text: str, start: int, end: int) -> bool:
    """A tag right between quotation marks or back ticks is talked about, not used."""
    return start > 0 and end < len(text) and text[start - 1] in _MENTION and text[end] in _MENTION


# --- the form in which words are compared ------------------------------------------------------------------------

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_BREAKS = re.compile(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_ALIKE = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "−": "-", "\t": " ", "\xa0": " "})
_SPACES = re.compile(r"[ \x00-\x09\x0b-\x1f]{2,}|[\x00-\x09\x0b-\x1f]")
"""A blank alone stays as it is, and is not looked at twice."""
_PIECE = 500
"""NFKC takes quadratic time over a long run of accents, so text is normalised in pieces of this many characters."""


def one_break(text: str) -> str:
    """Every kind of line break as a line feed."""
    return _BREAKS.sub("\n", text)


def normal(text: str) -> str:
    """Text in the form in which it is compared: NFKC, no case, simplified characters, plain apostrophes and spaces."""
    text = folded(text)
    return _SPACES.sub(" ", text if text.isascii() else text.translate(_ALIKE).translate(SIMPLIFIED))


def folded(text: str) -> str:
    """NFKC without case."""
    if not text.isascii():
        pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
        text = "".join(unicodedata.normalize("NFKC", piece) for piece in pieces)
    return text.casefold()


# --- lines -------------------------------------------------------------------------------------------------------

Form = Literal["text", "item", "heading", "quote", "code", "blank"]

_FENCE_LINE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})([^`]*)$")
_ITEM = re.compile(
    r"\s{0,12}(?:[-*+•◦▪‣·–—]\s+|\(?\d{1,3}[.)、．）]\s*(?!\d)|[（(][一二三四五六七八九十\d]{1,3}[)）]\s*"
    r"|[一二三四五六七八九十]{1,3}、|[①-⑳]\s*)"
)
_SIGN_ITEM = re.compile(r"\s{0,12}[❌✗✘⚠☐☑✔✅✖]")
_RULE = re.compile(r"[ ]{0,3}[-*_=|: ]{3,}")
_COMMENT = re.compile(r"<!--(?:(?!<!--|-->).){0,2000}-->", re.DOTALL)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")


@dataclass(frozen=True, slots=True)
class Line:
    raw: str
    """As it stood in the reply, without its line break."""
    text: str
    """In normal form, without blanks at its ends and without the marks of a list item."""
    form: Form


def lines(text: str) -> list[Line]:
    """The lines of a reply and what Markdown makes of each.

    Comments, struck-out words and the names over the columns of a table are not there to be read.
    """
    found: list[Line] = []
    fence = ""
    for raw in textwrap.dedent(_STRUCK.sub("", _COMMENT.sub("", one_break(text)))).split("\n"):
        if not raw.strip() or _RULE.fullmatch(raw):
            if raw.lstrip().startswith("|") and found and found[-1].text.startswith("|"):
                found[-1] = Line(found[-1].raw, "", "blank")
            found.append(Line(raw, "", "code" if fence else "blank"))
            continue
        mark = _FENCE_LINE.match(raw)
        if mark and (not fence or (mark[1].startswith(fence) and not mark[2].strip())):
            fence = "" if fence else mark[1]
            found.append(Line(raw, "", "code"))
        else:
            found.append(_line(raw, "code" if fence else _form(raw, found)))
    return found


def _form(raw: str, before: list[Line]) -> Form:
    if raw.startswith(("    ", "\t")) and (not before or before[-1].form in ("blank", "code")) and not _in_list(before):
        return "code"
    if raw.lstrip().startswith(">"):
        return "quote"
    if re.match(r"\s{0,3}#{1,6}\s", raw):
        return "heading"
    return "item" if _ITEM.match(raw) or _SIGN_ITEM.match(raw) else "text"


def _in_list(before: list[Line]) -> bool:
    last = next((line for line in reversed(before[-4:]) if line.form != "blank"), None)
    return last is not None and last.form == "item"


def _line(raw: str, form: Form) -> Line:
    return Line(raw, normal(_after_mark(raw) if form == "item" else raw).strip(), form)


def _after_mark(raw: str) -> str:
    mark = _ITEM.match(raw)
    return raw[mark.end() :] if mark else raw


def unfenced(text: str) -> str | None:
    """The inside of a reply that is one fenced block from its first line to its last; None where it is not."""
    parts = text.strip().split("\n")
    first, last = _FENCE_LINE.match(parts[0]), _FENCE_LINE.match(parts[-1])
    if len(parts) < 2 or not first or not last or last[2].strip():
        return None
    inside = parts[1:-1]
    return None if any(_FENCE_LINE.match(part) for part in inside) else "\n".join(inside)


def unmarked(raw: str) -> str:
    """A line without the mark of a list item or a heading."""
    return _after_mark(raw).strip().lstrip("#").strip()
