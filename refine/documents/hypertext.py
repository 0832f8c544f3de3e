"""HTML in: what an author wrote, as plain Markdown. Headings, lists, emphasis, links, quotes, code and tables stay.

Everything else falls away: no script, style, picture, form or attribute is looked at, and nothing is loaded.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lxml import etree

from refine.documents.markdown import clean, parser, safe_link

GONE = frozenset({
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "iframe", "object", "embed", "select",
    "textarea", "audio", "video", "canvas",
})  # fmt: skip
"""Elements whose inside is no text of the author's."""
SIGNS = {"strong": "**", "b": "**", "em": "*", "i": "*", "s": "~~", "del": "~~", "strike": "~~", "code": "`"}
DEEPEST = 20
"""Marks of emphasis inside each other; more are left out."""
HEADINGS = {f"h{n}": "#" * n + " " for n in range(1, 7)}
INLINE = frozenset({
    "span", "font", "u", "sub", "sup", "small", "big", "mark", "abbr", "cite", "q", "time", "ins", "label", "bdi",
    "bdo", "kbd", "samp", "var", "tt", "nobr", "br", "img", "wbr",
})  # fmt: skip
"""Elements that do not end a paragraph."""


def read(html: str) -> tuple[str, int]:
    """The text as Markdown, and how many pictures were left out."""
    reader = _Reader()
    parser: Any = etree.HTMLParser(target=reader, encoding="utf-8", no_network=True)
    with suppress(etree.XMLSyntaxError):  # nothing in it
        parser.feed(clean(html).encode())
        parser.close()
    reader.end_block()
    return "\n".join(reader.lines).strip("\n") + "\n" if reader.lines else "", reader.pictures


@dataclass(slots=True)
class _Box:
    """A list item or a quote that is open: what stands before its first line, and before the others."""

    tag: str
    first: str
    rest: str
    used: bool = False

    def take(self) -> str:
        sign = self.rest if self.used else self.first
        self.used = True
        return sign


@dataclass(slots=True)
class _List:
    ordered: bool
    sign: str
    n: int


class _Reader:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.pictures = 0
        self._gone = 0
        self._raw: list[str] = []
        self._words: list[str] = []
        self._open: list[tuple[str, int, str]] = []
        """Emphasis and links that are open: tag, where in `_words` they began, address."""
        self._boxes: list[_Box] = []
        self._lists: list[_List] = []
        self._list_before: _List | None = None
        """The list that has just ended: one that follows at once needs another sign, else both become one."""
        self._heading = ""
        self._pre = 0
        self._rows: list[list[str]] = []
        self._tables = 0
        self._after_item = False
        """Does the last line belong to a list that may go on?"""

    # --- what the parser tells

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._settle()
        if self._gone or tag in GONE:
            self._gone += 1
        elif tag in SIGNS or tag == "a":
            if not self._pre and len(self._open) < DEEPEST:
                self._open.append((tag, len(self._words), attributes.get("href", "").strip()))
        elif tag == "br":
            self._words.append("\n" if self._pre else "\0")
        elif tag == "img":
            self.pictures += 1
        elif tag not in INLINE:
            self._begin(tag, attributes)

    def end(self, tag: str) -> None:
        self._settle()
        if self._gone:
            self._gone -= 1
        elif tag in SIGNS or tag == "a":
            self._close(tag)
        elif tag not in INLINE:
            self._finish(tag)

    def data(self, data: str) -> None:
        if not self._gone:
            self._raw.append(data)

    def close(self) -> None: ...

    # --- pieces of a paragraph

    def _settle(self) -> None:
        """A text comes in pieces; only the whole of it can be escaped."""
        raw = "".join(self._raw)
        self._raw.clear()
        if raw:
            self._words.append(raw if self._pre or self._in_code() else _escaped(_SPACES.sub(" ", raw)))

    def _in_code(self) -> bool:
        return any(tag == "code" for tag, _, _ in self._open)

    def _close(self, tag: str) -> None:
        at = next((i for i in range(len(self._open) - 1, -1, -1) if self._open[i][0] == tag), None)
        if at is None:
            return
        _, start, address = self._open.pop(at)
        inside = "".join(self._words[start:])
        outer = {SIGNS.get(other) for other, _, _ in self._open}
        if tag == "a":
            self._words[start:] = [_link(inside, address)]
        elif tag == "code":
            self._words[start:] = [_code(inside)]
        elif SIGNS[tag] not in outer and not self._heading_is(tag):
            self._words[start:] = [_emphasis(inside, SIGNS[tag])]

    def _heading_is(self, tag: str) -> bool:
        """A heading is strong by itself."""
        return bool(self._heading) and SIGNS[tag] == "**"

    # --- blocks

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._tables:  # a cell is one line of text
            if tag == "table":
                self._tables += 1
            elif tag == "tr" and self._tables == 1:
                self._rows.append([])
            elif tag in ("td", "th") and self._tables == 1:
                self._words.clear()
            else:
                self._words.append(" ")
            return
        self.end_block()
        match tag:
            case "table":
                self._tables, self._rows = 1, []
            case "ul" | "ol":
                self._lists.append(self._new_list(tag == "ol", attributes.get("start", "")))
            case "li":
                self._boxes.append(self._new_item())
            case "blockquote":
                self._boxes.append(_Box(tag, "> ", "> "))
            case "pre":
                self._pre += 1
            case "hr":
                self._write(["---"])
            case _:
                self._heading = HEADINGS.get(tag, "")

    def _finish(self, tag: str) -> None:
        if self._tables:
            if tag == "table":
                self._tables -= 1
                if not self._tables:
                    self._table()
            elif tag in ("td", "th") and self._tables == 1 and self._rows:
                self._rows[-1].append(self._take().replace("\n", " "))
            elif self._tables > 1 or tag not in ("tr", "thead", "tbody", "tfoot"):
                self._words.append(" ")
            return
        self.end_block()
        if tag in ("ul", "ol") and self._lists:
            self._list_before = self._lists.pop()
            self._after_item &= bool(self._lists)
        elif tag in ("li", "blockquote"):
            at = next((i for i in range(len(self._boxes) - 1, -1, -1) if self._boxes[i].tag == tag), None)
            if at is not None:
                del self._boxes[at:]
        elif tag == "pre":
            self._pre = 0
        elif tag in HEADINGS:
            self._heading = ""

    def _new_list(self, ordered: bool, start: str) -> _List:
        before = self._list_before
        signs = (".", ")") if ordered else ("-", "*")
        same = before is not None and before.ordered == ordered and before.sign == signs[0]
        return _List(ordered, signs[same], int(start) if start.isascii() and start.isdigit() and len(start) < 10 else 1)

    def _new_item(self) -> _Box:
        if not self._lists:
            return _Box("li", "- ", "  ")
        listed = self._lists[-1]
        sign = f"{listed.n}{listed.sign} " if listed.ordered else f"{listed.sign} "
        listed.n += 1
        return _Box("li", sign, " " * len(sign))

    def end_block(self) -> None:
        """What has been read since the last block becomes one."""
        self._settle()
        if self._pre:
            code = "".join(self._words).strip("\n")
            self._words.clear()
            if code:
                fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
                self._write([fence, *code.split("\n"), fence])
            return
        text = self._take()
        if self._heading:
            text = text.replace("  \n", " ")
        if text:
            self._write((self._heading + text if self._heading else _first_escaped(text)).split("\n"))

    def _take(self) -> str:
        text = "".join(self._words)
        self._words.clear()
        self._open = [(tag, 0, address) for tag, _, address in self._open]
        lines = (" ".join(_SPACES.split(line)).strip(" ") for line in text.split("\0"))
        return "  \n".join(line for line in lines if line)

    def _table(self) -> None:
        rows = [row for row in self._rows if any(row)]
        width = max(map(len, rows), default=0)
        if not width:
            return
        head, *rest = [[*row, *[""] * (width - len(row))] for row in rows]
        shown = [head, ["---"] * width, *rest]
        self._write(["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in shown])

    def _write(self, lines: list[str]) -> None:
        """A block, with a blank line before it, but for items that follow each other."""
        item = any(not box.used and box.tag == "li" for box in self._boxes)
        inside = any(box.used and box.tag == "li" for box in self._boxes)
        follows = item and (inside or self._after_item)
        if self.lines and not follows:
            self.lines.append("".join(box.rest for box in self._boxes if box.used).rstrip())
        self.lines.append("".join(box.take() for box in self._boxes) + lines[0])
        before = "".join(box.rest for box in self._boxes)
        self.lines += [before + line if line else before.rstrip() for line in lines[1:]]
        self._after_item = any(box.tag == "li" for box in self._boxes)
        self._list_before = None


# --- signs that Markdown reads -----------------------------------------------------------------------------------

_SPACES = re.compile(r"[ \t\n\r\f\v]+")
_RISKY = re.compile(r"(\\(?=[^\w\s])|`|\*|(?<![^\W_])_|_(?![^\W_])|\[|\]|<(?=[\w/!?])|&(?=#?\w+;)|~(?=~))")
_FIRST = re.compile(r"(?=#{1,6}(?:\s|$)|>|\+\s|```|~~~|=+$|\[[^\]]+\]:)")


def _escaped(text: str) -> str:
    """Escaped only where Markdown would read something else than what stands there."""
    if not _RISKY.search(text):
        return text
    pieces = parser().parseInline(text)[0].children or []
    same = "".join(piece.content for piece in pieces if piece.type == "text") == text
    return text if same and len(pieces) == 1 else _RISKY.sub(r"\\\1", text)


def _first_escaped(line: str) -> str:
    """The first line of a paragraph must not begin a block. Lists typed by hand may."""
    return _FIRST.sub(r"\\", line, count=1) if _FIRST.match(line) else line


def _emphasis(inside: str, sign: str) -> str:
    """Spaces and Chinese marks at the ends stay outside, where Markdown wants them."""
    start, end = 0, len(inside)
    while start < end and _outside(inside[start]):
        start += 1
    while end > start and _outside(inside[end - 1]):
        end -= 1
    return f"{inside[:start]}{sign}{inside[start:end]}{sign}{inside[end:]}" if start < end else inside


def _outside(sign: str) -> bool:
    return sign.isspace() or sign == "\0" or (sign > "\x7f" and unicodedata.category(sign)[0] in "PZ")


def _link(inside: str, address: str) -> str:
    words = inside.replace("\0", " ").strip()
    if not words or not safe_link(address):
        return inside
    target = re.sub(r"[\s()<>\\]", lambda sign: f"%{ord(sign[0]):02X}", address)
    return f"[{words}]({target})"


def _code(inside: str) -> str:
    words = " ".join(_SPACES.split(inside.replace("\0", " "))).strip()
    if not words:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
    pad = " " if "`" in words[:1] + words[-1:] else ""
    return f"{fence}{pad}{words}{pad}{fence}"
