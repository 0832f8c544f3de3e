"""A page in one file: HTML that holds all it needs, runs nothing and loads nothing, on a screen or on paper.

It is made of parts, each a heading over blocks of plain values, and knows nothing of runs. Every text is escaped here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Literal

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from refine.documents import drawing, markdown
from refine.documents.drawing import Intervals, Points

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
STYLE = Path(__file__).with_name("page.css")
TAGS = {"same": "span", "old": "del", "new": "ins"}
TONES = ("plain", "green", "orange", "red", "blue")


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown, as the reader should see it."""

    source: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its changes, each piece as written: ("same" | "old" | "new", text)."""

    pieces: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Line:
    text: str


@dataclass(frozen=True, slots=True)
class Lead:
    """The sentence that a reader must not miss."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    strong: int | None = None
    """The row that stands out."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and what they stand for, side by side."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Card:
    """A remark on a quotation, under a line of labels; the first label carries the tone."""

    tone: str
    labels: Sequence[str]
    quote: str
    remark: str


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A text as it stands, line ends and spaces too."""

    text: str


@dataclass(frozen=True, slots=True)
class Fold:
    """What is shown on demand, under its label."""

    label: str
    blocks: Sequence[Block]


Block = Text | Marked | Line | Lead | Items | Table | Facts | Card | Verbatim | Fold | Intervals | Points


@dataclass(frozen=True, slots=True)
class Part:
    heading: str
    """Empty: the blocks stand right under the page's title."""
    blocks: Sequence[Block]
    level: int = 2


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    language: str
    parts: Sequence[Part]
    about: Sequence[str] = ()
    """One line under the title, in pieces."""
    badge: str = ""
    tone: str = "plain"
    notices: Sequence[str] = ()
    """What the reader must know before anything else."""
    measure: Literal["text", "tables"] = "text"
    """How wide the page is: as a text is read best, or as wide tables need."""


def render(page: Page) -> bytes:
    language = escape(page.language or "en", quote=True)
    about = _badge(page) + " · ".join(map(_bdi, page.about))
    notices = "".join(f'<p class="notice" role="note" dir="auto">{_plain(notice)}</p>' for notice in page.notices)
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{_plain(page.title)}</title>
<style>
{_style()}</style>
</head>
<body>
<main class="{page.measure}">
<header>
<h1 dir="auto">{_plain(page.title)}</h1>
<p class="about">{about}</p>
</header>
{notices}
{"".join(map(_part, page.parts))}</main>
</body>
</html>
""".encode()


@cache
def _style() -> str:
    return STYLE.read_text(encoding="utf-8")


def _plain(text: str) -> str:
    return escape(markdown.clean(text), quote=True)


def _bdi(text: str) -> str:
    """Marks that turn the direction of reading end with the text they stand in."""
    return f"<bdi>{_plain(text)}</bdi>"


def _tone(name: str) -> str:
    return name if name in TONES else "plain"


def _badge(page: Page) -> str:
    return f'<span class="badge {_tone(page.tone)}">{_plain(page.badge)}</span> ' if page.badge else ""


def _part(part: Part) -> str:
    tag = f"h{part.level}"
    return (
        f'<section>\n<{tag} dir="auto">{_plain(part.heading)}</{tag}>\n{"".join(map(_block, part.blocks))}</section>\n'
    )


def _block(block: Block) -> str:
    match block:
        case Text(source):
            return f'<article class="text">\n{body(source)}</article>\n'
        case Marked(pieces):
            marked = "".join(f"<{TAGS[kind]}>{_plain(text)}</{TAGS[kind]}>" for kind, text in pieces)
            return f'<div class="marked" dir="auto">{marked}</div>\n'
        case Line(text):
            return f'<p dir="auto">{_plain(text)}</p>\n'
        case Lead(text):
            return f'<p class="lead" dir="auto">{_plain(text)}</p>\n'
        case Items(texts):
            return "<ul>" + "".join(f'<li dir="auto">{_plain(text)}</li>' for text in texts) + "</ul>\n"
        case Table(head, rows, strong):
            return _table(head, rows, strong)
        case Facts(pairs):
            return "<dl>" + "".join(f"<dt>{_bdi(a)}</dt><dd>{_bdi(b)}</dd>" for a, b in pairs) + "</dl>\n"
        case Card(tone, labels, quote, remark):
            said = " ".join(f"<span>{_bdi(label)}</span>" for label in labels if label)
            quoted = f'<q dir="auto">{_plain(quote)}</q>' if quote else ""
            return (
                f'<div class="card {_tone(tone)}"><p class="labels">{said}</p>'
                f'{quoted}<p class="remark" dir="auto">{_plain(remark)}</p></div>\n'
            )
        case Verbatim(text):
            return f'<pre dir="auto">{_plain(text)}</pre>\n'
        case Fold(label, blocks):
            inside = "".join(map(_block, blocks))
            return f'<details><summary dir="auto">{_plain(label)}</summary>\n{inside}</details>\n'
        case Intervals():
            return drawing.intervals(block)
        case Points():
            return drawing.points(block)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], strong: int | None) -> str:
    top = "".join(f'<th scope="col">{_bdi(cell)}</th>' for cell in head)
    lines = "".join(_row(row, 'class="strong"' if n == strong else "") for n, row in enumerate(rows))
    table = f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{lines}</tbody>\n</table>"
    return f'<div class="wide" tabindex="0">{table}</div>\n'


def _row(row: Sequence[str], attribute: str) -> str:
    cells = "".join(f"<td>{_bdi(cell)}</td>" for cell in row[1:])
    return f'<tr {attribute}><th scope="row">{_bdi(row[0])}</th>{cells}</tr>\n'


# --- Markdown ----------------------------------------------------------------------------------------------------


class _Renderer(RendererHTML):
    """The parser's own, but for pictures, which stay words, and links, which tell nobody where they stood."""

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return escape(markdown.as_written(tokens[idx]), quote=True)

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        href = escape(str(tokens[idx].attrGet("href")), quote=True)
        return f'<a href="{href}" rel="noopener noreferrer">'

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return '<div class="wide" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>\n"


TURNING = frozenset({"paragraph_open", "heading_open", "list_item_open", "th_open", "td_open"})
"""Blocks that find their own direction: Arabic and Hebrew run from the right."""


def body(source: str) -> str:
    """Safe HTML of a Markdown text."""
    tokens = markdown.parse(markdown.clean(source))
    for token in tokens:
        if token.type in TURNING:
            token.attrSet("dir", "auto")
        if token.type == "fence":
            token.info = ""
    return _Renderer().render(tokens, markdown.parser().options, {})
