"""Markdown understood once for every format that goes out: a list of tokens, in which nothing of the text is lost.

HTML in a text is text. A link goes to the web or to an address of mail; any other, and every picture, stays as written.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from refine.text.markup import marks

NESTING = 30
"""Levels of quotes and lists. A text with more is not Markdown, and is kept as it stands."""
SHORT = 60
"""Characters. Where every line of a paragraph is shorter (a verse, an address), its line ends are meant."""

_SAFE = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x20]", re.IGNORECASE)
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef“”‘’—…]")


def clean(text: str) -> str:
    """The text without what XML cannot hold (control characters, halves of signs), lines ended by LF."""
    return _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n"))


def safe_link(address: str) -> bool:
    return bool(_SAFE.match(address.strip()))


def parse(text: str) -> list[Token]:
    """The blocks of a cleaned text; an `inline` token holds its pieces as children.

    Front matter is a `fence`. Line ends that are meant are `hardbreak`s, all others are spaces.
    """
    front, rest = _front(text)
    found: dict[str, Any] = {}
    tokens = parser().parse(rest, found)
    if any(token.level >= NESTING - 1 for token in tokens):
        return [*front, _code(rest)]
    for token in tokens:
        if token.children:
            _settle_line_ends(token.content, token.children)
    return [*front, *tokens, *_unused(found.get("references", {}), tokens, rest.split("\n"))]


@cache
def parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING}).enable(["table", "strikethrough"])
    made.validateLink = safe_link  # type: ignore[method-assign, assignment]
    made.inline = _Inline()
    return made


class _State(StateInline):
    """Beside Chinese, which has no spaces, punctuation does not decide: `**注意：**后文` is meant to be strong."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        found = super().scanDelims(start, canSplitWord)
        before, after = self.src[max(start - 1, 0) : start], self.src[start + found.length : start + found.length + 1]
        if not canSplitWord or not (_CJK.match(before) or _CJK.match(after)):
            return found
        opens, closes = bool(after) and not after.isspace(), bool(before) and not before.isspace()
        return Scanned(opens, closes, found.length)


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _front(text: str) -> tuple[list[Token], str]:
    found = marks(text) if text.startswith(("---", "+++")) else ()
    if not found or found[0].kind != "front_matter":
        return [], text
    return [_code(text[: found[0].end])], text[found[0].end :]


def _code(text: str) -> Token:
    return Token("fence", "code", 0, content=text)


def _settle_line_ends(content: str, pieces: list[Token]) -> None:
    short = max(map(len, content.split("\n"))) < SHORT
    for i, piece in enumerate(pieces):
        if piece.type == "softbreak" and (short or _between_cjk(pieces, i)):
            piece.type = "hardbreak"


def _between_cjk(pieces: list[Token], i: int) -> bool:
    """A space there would part two Chinese characters."""
    before = next((piece.content for piece in reversed(pieces[:i]) if piece.content), "")
    after = next((piece.content for piece in pieces[i + 1 :] if piece.content), "")
    return bool(_CJK.match(before[-1:]) and _CJK.match(after))


def _unused(references: dict[str, Any], tokens: list[Token], lines: list[str]) -> list[Token]:
    """Definitions of links that no link uses, which Markdown would swallow: a paragraph of them as written."""
    pieces = [piece for token in tokens for piece in token.children or ()]
    used = {piece.attrGet("href") or piece.attrGet("src") for piece in pieces}
    left = [found["map"] for found in references.values() if found["href"] not in used]
    if not left:
        return []
    shown = [line.strip() for first, end in left for line in lines[first:end]]
    text = [piece for line in shown for piece in (Token("text", "", 0, content=line), Token("hardbreak", "br", 0))]
    inline = Token("inline", "", 0, content="\n".join(shown), children=text[:-1], level=1)
    return [Token("paragraph_open", "p", 1), inline, Token("paragraph_close", "p", -1)]


def as_written(picture: Token) -> str:
    """A picture's own Markdown: it is never loaded."""
    given = picture.attrGet("title")
    title = f' "{given}"' if given else ""
    return f"![{picture.content}]({picture.attrGet('src')}{title})"
