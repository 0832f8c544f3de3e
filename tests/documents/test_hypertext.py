"""HTML in: what an author wrote stays, all else falls away."""

import time

import pytest

from refine.documents.hypertext import read
from refine.documents.page import body


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>A <b>head</b></h2><p>One <b>bold </b>two <i>it</i>.</p>", "## A head\n\nOne **bold** two *it*.\n"),
        ("<p>a<br>b</p>", "a  \nb\n"),
        ("<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>", "- a\n- b\n  1. c\n"),
        ("<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n4. b\n\n   c\n"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n* b\n"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"),
        ("<pre>a\n  b <b>c</b></pre>", "```\na\n  b c\n```\n"),
        ("<pre>```</pre>", "````\n```\n````\n"),
        ("<table><tr><th>A</th></tr><tr><td>1|2</td><td>x<p>y</p></td></tr></table>",
         "| A |  |\n| --- | --- |\n| 1\\|2 | x y |\n"),
        ('<a href="https://a.example/b (c)">t</a>', "[t](https://a.example/b%20%28c%29)\n"),
        ('<a href="javascript:x">t</a> <a href="/rel">u</a>', "t u\n"),
        ("<p><b>注意：</b>后文</p>", "**注意**：后文\n"),
        ("<code>a`b</code>", "``a`b``\n"),
        ("<title>t</title><script>x</script><style>y</style><p>z<img src=x onerror=1></p>", "z\n"),
        ("no tags at all", "no tags at all\n"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_an_author_wrote_becomes_markdown(html: str, text: str) -> None:
    assert read(html)[0] == text


@pytest.mark.parametrize(
    "said",
    ["5*4*3", "__init__", "a_b", "1 < 2 & 3 > 2", "&amp;copy;", "[1]: http://a.b", "# 5 priority", "> more", "C:\\*",
     "x*", "<b>", "```", "+ plus", "[a](http://b.c)", "~~no~~", "<http://a.b>", "==="],
)  # fmt: skip
def test_words_that_look_like_markdown_stay_words(said: str) -> None:
    import html

    text = read(f"<p>{html.escape(said)}</p>")[0]
    assert body(text) == f'<p dir="auto">{html.escape(said)}</p>\n'


def test_pictures_are_counted_and_left_out() -> None:
    assert read("<p>a <img src=http://evil.example/x.png alt=b> c</p>") == ("a c\n", 1)


HARD = ["<", "<a ", "<b>", "<div>", "<p>x", "<ul><li>", "<!--", "&", "</b>", "<table><tr><td>a", "<script>", "[", "\0"]


@pytest.mark.parametrize("unit", HARD)
def test_broken_html_takes_time_in_step_with_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        html = unit * (size // len(unit))
        began = time.process_time()
        read(html)
        return time.process_time() - began

    read(unit)
    assert seconds(40_000) < 8 * seconds(10_000) + 0.5
