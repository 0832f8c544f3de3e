"""Word files out, opened again: by the library Word files are made with, and by another that reads them."""

import io
import time
import zipfile
from typing import Any

import docx
import mammoth
import pytest
from docx.oxml.ns import qn
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.documents.word_out import render
from tests.documents.hostile import HOSTILE, RICH

ORDER = (
    "pStyle", "keepNext", "keepLines", "pageBreakBefore", "framePr", "widowControl", "numPr", "suppressLineNumbers",
    "pBdr", "shd", "tabs", "suppressAutoHyphens", "kinsoku", "wordWrap", "overflowPunct", "topLinePunct", "autoSpaceDE",
    "autoSpaceDN", "bidi", "adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents",
    "suppressOverlap", "jc", "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl", "divId", "cnfStyle",
    "rPr", "sectPr", "pPrChange",
)  # fmt: skip
"""In which the format wants the properties of a paragraph."""


def opened(text: str, **more: Any) -> Any:
    return docx.Document(io.BytesIO(render(text, **more)))


def html(text: str) -> str:
    return str(mammoth.convert_to_html(io.BytesIO(render(text))).value)


def test_headings_quotes_and_code_have_styles_that_word_knows() -> None:
    styles = {p.style.name: p.text for p in opened(RICH).paragraphs}
    assert styles["Heading 1"] == "Heading one" and styles["Heading 2"] == "Second"
    assert styles["Quote"] == "A quotation."
    assert styles["Code"] == 'def f(x):\n    return "<x>"'


def test_lists_are_real_and_each_counts_from_its_own_first_number() -> None:
    listed = [p for p in opened(RICH).paragraphs if p.style.name.startswith("List")]
    numbers = {p.text: p._p.pPr.numPr for p in listed}
    assert [(p.text, p.style.name, numbers[p.text].ilvl.val) for p in listed] == [
        ("one", "List Bullet", 0),
        ("two", "List Bullet", 0),
        ("nested", "List Bullet", 1),
        ("deep", "List Number", 2),
        ("deeper", "List Number", 2),
        ("three", "List Bullet", 0),
        ("first", "List Number", 0),
        ("second", "List Number", 0),
    ]
    assert numbers["one"].numId.val == numbers["three"].numId.val != numbers["first"].numId.val
    assert "<ul><li>one</li><li>two<ul><li>nested<ol><li>deep</li><li>deeper</li></ol></li></ul></li>" in html(RICH)


def test_a_list_begins_with_its_own_number() -> None:
    document = opened("7. seven\n8. eight\n\ntext\n\n1. one\n")
    starts = [n.get(qn("w:val")) for n in document.part.numbering_part.element.iter(qn("w:startOverride"))]
    assert starts[-2:] == ["7", "1"]


def test_emphasis_links_and_tables_are_real() -> None:
    document = opened(RICH)
    paragraph = next(p for p in document.paragraphs if "bold" in p.text)
    looks = {r.text: (r.bold, r.italic, r.font.strike) for r in paragraph.runs}
    assert looks["bold"][0] and looks["italic"][1] and looks["gone"][2]
    link = paragraph.hyperlinks[0]
    assert (link.text, link.address) == ("link", "https://example.org/a?b=1&c=2")
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [["A", "B"], ["1", "2"]]


def test_chinese_has_a_font_of_its_own() -> None:
    for name in ("Normal", "Heading 1", "Code"):
        fonts = opened("你好", language="zh").styles[name].element.rPr.rFonts
        assert fonts.get(qn("w:eastAsia")) and not fonts.get(qn("w:asciiTheme"))


def test_hostile_text_stays_text_and_nothing_is_loaded() -> None:
    document = opened(HOSTILE)
    text = "\n".join(p.text for p in document.paragraphs)
    for said in (
        "<script>alert(1)</script>",
        "onerror=alert(2)",
        "[run](javascript:alert(3))",
        "=HYPERLINK(",
        "\u202e",
    ):
        assert said in text
    assert '![remote](http://evil.example/pixel.png "look")' in text
    assert not [rel for rel in document.part.rels.values() if rel.is_external]
    with zipfile.ZipFile(io.BytesIO(render(HOSTILE))) as parts:
        assert b"fldSimple" not in parts.read("word/document.xml") and b"instrText" not in parts.read(
            "word/document.xml"
        )


def test_arabic_and_hebrew_run_from_the_right() -> None:
    right, left = opened("# שלום עולם\n\nHello שלום\n").paragraphs
    assert right._p.pPr.find(qn("w:bidi")) is not None and right.runs[0].font.rtl
    assert left._p.pPr.find(qn("w:bidi")) is None


def test_a_notice_stands_above_the_text_and_properties_tell_title_date_and_state() -> None:
    document = opened("Text.", title="A\x07 title", language="zh", notice="Not ended.", status="edited by you", at=1e9)
    assert [p.text for p in document.paragraphs] == ["Not ended.", "Text."]
    properties = document.core_properties
    assert (properties.title, properties.content_status, properties.language) == ("A title", "edited by you", "zh")
    assert (properties.author, properties.comments, properties.modified.year) == ("", "", 2001)


@pytest.mark.parametrize("text", ["", "- ", "> ", "- - - a", "1. > - a\n\n   b", "```", "|a|\n|-|", "***", "- \n- a"])
def test_odd_markdown_gives_a_file_that_opens(text: str) -> None:
    opened(text)


@given(st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_text_gives_a_file_that_opens(text: str) -> None:
    opened(text, title=text, notice=text)


@pytest.mark.parametrize("text", [RICH, HOSTILE, "> 1. שלום\n>\n>    ---\n", "# שלום\n\n- > ```\n  > x\n  > ```\n"])
def test_properties_of_paragraphs_stand_in_the_order_of_the_format(text: str) -> None:
    document = opened(text, language="zh", notice="שלום")
    for shape in [*document.element.iter(qn("w:pPr")), *document.styles.element.iter(qn("w:pPr"))]:
        names = [child.tag.partition("}")[2] for child in shape]
        assert names == sorted(names, key=ORDER.index)
    assert document.element.body[-1].tag == qn("w:sectPr")


@pytest.mark.parametrize(
    "unit", ["Text **b** [x](http://e.example/{n}).\n\n", "- item\n", "- a\n\nt\n\n1. x\n\n", "word "]
)
def test_a_file_takes_time_in_step_with_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = "".join(unit.replace("{n}", str(n)) for n in range(size))
        began = time.process_time()
        render(text)
        return time.process_time() - began

    seconds(1)
    assert seconds(1_200) < 8 * seconds(300) + 0.5
