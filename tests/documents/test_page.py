"""A page in one file: it holds all it needs, runs nothing, loads nothing, and says everything it was given."""

from html.parser import HTMLParser

import pytest

from refine.documents import page
from refine.documents.page import Card, Facts, Items, Lead, Line, Marked, Page, Part, Table, Text, Verbatim
from tests.documents.hostile import HOSTILE, RICH

ALLOWED = frozenset({
    "html", "head", "meta", "title", "style", "body", "main", "header", "section", "article", "h1", "h2", "h3", "h4",
    "h5", "h6", "p", "div", "span", "bdi", "q", "a", "em", "strong", "s", "code", "pre", "ul", "ol", "li", "blockquote",
    "hr", "br", "table", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd", "ins", "del",
})  # fmt: skip
LOADS = {"src", "srcset", "background", "poster", "data", "action", "formaction"}


class Seen(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def whole(text: str, **more: object) -> str:
    parts = (
        Part("", (Text(text),)),
        Part(text, (Marked([("same", text), ("old", text), ("new", text)]), Line(text), Verbatim(text)), level=3),
        Part("Tables", (Table([text, "b"], [[text, text]], strong=0), Facts([(text, text)]))),
        Part("Lead", (Lead(text), Items((text, "b")))),
        Part("Cards", (Card("red", (text, "x"), text, text), Card("<b>", ("y",), "", text))),
    )
    return page.render(Page(text, "en", parts, about=(text,), badge=text, tone="<i>", notices=(text,))).decode()


@pytest.mark.parametrize("text", [HOSTILE, "a\x00\x07\ud800b", RICH])
def test_a_page_runs_nothing_and_loads_nothing(text: str) -> None:
    seen = Seen(whole(text))
    names = {name for name, _ in seen.attributes}
    assert set(seen.tags) <= ALLOWED
    assert not names & LOADS
    assert not [name for name in names if name.startswith("on")]
    links = [value or "" for name, value in seen.attributes if name == "href"]
    assert all(link.startswith(("https://", "http://", "mailto:")) for link in links)
    assert "url(" not in page.STYLE.read_text() and "@import" not in page.STYLE.read_text()


def test_hostile_text_is_shown_word_for_word() -> None:
    words = Seen(whole(HOSTILE)).words
    for said in (
        "<script>alert(1)</script>",
        "onerror=alert(2)",
        "[run](javascript:alert(3))",
        "=HYPERLINK(",
        "<iframe",
    ):
        assert words.count(said) >= 9, said
    assert '![remote](http://evil.example/pixel.png "look")' in Seen(page.body(HOSTILE)).words


def test_a_policy_stands_before_everything_that_could_load() -> None:
    source = whole("x")
    assert "default-src 'none'; style-src 'unsafe-inline'" in source
    assert source.index("Content-Security-Policy") < source.index("<style>")


def test_markdown_is_shown_as_it_is_meant() -> None:
    shown = page.body(RICH)
    for piece in (
        '<h1 dir="auto">Heading <em>one</em></h1>',
        "<strong>bold</strong>",
        "<s>gone</s>",
        '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer">link</a>',
        "<blockquote>",
        "title: A letter",
        "return &quot;&lt;x&gt;&quot;",
        "<strong>注意：</strong>中文",
    ):
        assert piece in shown, piece


def test_changes_are_marked_as_such() -> None:
    source = page.render(
        Page("t", "en", (Part("c", (Marked([("same", "a "), ("old", "<b>"), ("new", "c")]),)),))
    ).decode()
    assert "<span>a </span><del>&lt;b&gt;</del><ins>c</ins>" in source


def test_the_language_and_the_direction_are_carried() -> None:
    source = page.render(Page("شكرا", "zh", (Part("", (Text("שלום"),)),))).decode()
    assert '<html lang="zh">' in source and '<h1 dir="auto">شكرا</h1>' in source and '<p dir="auto">שלום</p>' in source


def test_light_dark_narrow_and_paper_have_their_styles() -> None:
    style = page.STYLE.read_text()
    assert all(f"@media {kind}" in style for kind in ("(prefers-color-scheme: dark)", "(max-width: 640px)", "print"))
