"""Markdown out as a Word file: plain styles that Word knows by name, real lists, links and tables, fonts for Chinese.

It knows nothing of runs. The file holds the text and its title; nobody's name and no program's.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.run import Run
from markdown_it.token import Token

from refine.documents import markdown

INK, QUIET, LINK = RGBColor(0x27, 0x25, 0x20), RGBColor(0x61, 0x5C, 0x52), RGBColor(0x2A, 0x5B, 0x8F)
SERIF, SANS, MONO = ("Cambria", "SimSun"), ("Calibri", "Microsoft YaHei"), ("Consolas", "SimSun")
"""Latin font, Chinese font: such as Word has on every system, or replaces by a like one."""
HEADINGS = (18, 15, 13, 12, 11.5, 11)
"""Points, by level."""
INDENT = 0.63
"""Centimetres for each level of a list or quote."""
DEEPEST = 8
"""Word's lists have nine levels, counted from 0."""
ALIGNMENTS = {"text-align:center": WD_ALIGN_PARAGRAPH.CENTER, "text-align:right": WD_ALIGN_PARAGRAPH.RIGHT}


def render(
    text: str, *, title: str = "", language: str = "", notice: str = "", status: str = "", at: float = 0.0
) -> bytes:
    """The bytes of a .docx file.

    Args:
        notice: a line above the text, set apart from it.
        status: what the file's properties say of its state.
        at: seconds since the epoch, the file's date.
    """
    document = Document()
    _dress(document, language)
    _properties(document, title, language, status, at)
    writer = _Writer(document)
    if notice:
        writer.plain(markdown.clean(notice), "Notice")
    writer.write(markdown.parse(markdown.clean(text)))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


# --- styles ------------------------------------------------------------------------------------------------------


def _dress(document: Any, language: str) -> None:
    section, styles = document.sections[0], document.styles
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(2.5)
    _style(styles["Normal"], SERIF, 11, INK)
    chinese = language.startswith("zh")
    if chinese:  # else quotation marks are drawn as Latin ones
        styles["Normal"].element.rPr.rFonts.set(qn("w:hint"), "eastAsia")
    styles["Normal"].paragraph_format.space_after = Pt(8)
    styles["Normal"].paragraph_format.line_spacing = 1.5 if chinese else 1.3
    for level, size in enumerate(HEADINGS, 1):
        heading = styles[f"Heading {level}"]
        _style(heading, SANS, size, INK, bold=True, italic=False)
        heading.paragraph_format.space_before, heading.paragraph_format.space_after = Pt(size), Pt(6)
    for name in ("List Bullet", "List Number", "List Continue"):
        styles[name].paragraph_format.space_after = Pt(3)
    _style(styles["Quote"], SERIF, 11, QUIET, italic=False)
    code = styles.add_style("Code", 1)
    code.base_style = styles["Normal"]
    _style(code, MONO, 9.5, INK)
    code.paragraph_format.line_spacing = 1.15
    shade = parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:fill="F4F2EC"/>')
    code.element.get_or_add_pPr().insert_element_before(shade, "w:spacing")
    notice = styles.add_style("Notice", 1)
    notice.base_style = styles["Normal"]
    _style(notice, SANS, 10, QUIET, italic=True)
    link = styles.add_style("Hyperlink", 2)
    link.font.color.rgb, link.font.underline = LINK, True
    inline = styles.add_style("Code Sign", 2)
    _style(inline, MONO, 10, INK)


def _style(
    style: Any,
    fonts: tuple[str, str],
    size: float,
    colour: RGBColor,
    bold: bool | None = None,
    italic: bool | None = None,
) -> None:
    latin, chinese = fonts
    style.font.size, style.font.color.rgb, style.font.bold, style.font.italic = Pt(size), colour, bold, italic
    names = style.element.get_or_add_rPr().get_or_add_rFonts()
    names.attrib.clear()  # a theme's font would win over a named one
    for attribute, name in (("ascii", latin), ("hAnsi", latin), ("cs", latin), ("eastAsia", chinese)):
        names.set(qn(f"w:{attribute}"), name)


def _properties(document: Any, title: str, language: str, status: str, at: float) -> None:
    properties = document.core_properties
    properties.title = markdown.clean(title)[:255]
    properties.author = properties.last_modified_by = properties.comments = ""
    properties.content_status, properties.language = status, language
    properties.created = properties.modified = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    defaults = document.styles.element.find(f".//{qn('w:rPrDefault')}//{qn('w:lang')}")
    if defaults is not None:
        defaults.set(qn("w:eastAsia"), "zh-CN")


# --- numbering ---------------------------------------------------------------------------------------------------

BULLETS = "•◦▪"


def _levels(ordered: bool) -> Iterator[str]:
    for level in range(DEEPEST + 1):
        kind, sign = ("decimal", f"%{level + 1}.") if ordered else ("bullet", BULLETS[level % 3])
        left = round((level + 1) * INDENT * 567)
        yield (
            f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{sign}"/>'
            f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{left}" w:hanging="{round(INDENT * 567)}"/></w:pPr></w:lvl>'
        )


class _Numbering:
    """One numbering for each list, so that every list counts from its own first number."""

    def __init__(self, document: Any) -> None:
        self._part = document.part.numbering_part.element
        taken = [int(n.get(qn("w:abstractNumId"))) for n in self._part.findall(qn("w:abstractNum"))]
        self._forms = {ordered: max(taken, default=0) + 1 + ordered for ordered in (False, True)}
        for ordered, form in self._forms.items():
            levels = "".join(_levels(ordered))
            self._part.insert(
                0,
                parse_xml(
                    f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{form}">'
                    f'<w:multiLevelType w:val="hybridMultilevel"/>{levels}</w:abstractNum>'
                ),
            )
        self._next = max((int(n.get(qn("w:numId"))) for n in self._part.findall(qn("w:num"))), default=0) + 1

    def add(self, ordered: bool, level: int, start: int) -> int:
        number, self._next = self._next, self._next + 1
        begin = f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{start}"/></w:lvlOverride>' if ordered else ""
        self._part.append(
            parse_xml(
                f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{self._forms[ordered]}"/>'
                f"{begin}</w:num>"
            )
        )
        return number


# --- the text ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int
    begun: bool = False
    """Has the item that is open got its first paragraph?"""


class _Writer:
    def __init__(self, document: Any) -> None:
        self._document = document
        self._end = document.element.body.sectPr
        self._numbering = _Numbering(document)
        self._lists: list[_List] = []
        self._quotes = 0
        self._links: dict[str, str] = {}
        self._styles = {style.name: style.style_id for style in document.styles}

    def write(self, tokens: Sequence[Token]) -> None:
        i = 0
        while i < len(tokens):
            if tokens[i].type == "table_open":
                end = next(k for k in range(i, len(tokens)) if tokens[k].type == "table_close")
                self._table(tokens[i:end])
                i = end
            else:
                self._block(tokens[i], tokens[i - 1] if i else None)
            i += 1

    def plain(self, text: str, style: str) -> None:
        paragraph = self._paragraph(style)
        _run(paragraph, text)
        _turn(paragraph, text)

    def _block(self, token: Token, before: Token | None) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                ordered, level = token.type == "ordered_list_open", min(len(self._lists), DEEPEST)
                start = token.attrGet("start")
                self._lists.append(
                    _List(ordered, self._numbering.add(ordered, level, int(1 if start is None else start)))
                )
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._lists[-1].begun = False
            case "list_item_close" if not self._lists[-1].begun:
                self._paragraph()  # an empty item
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "fence" | "code_block":
                self.plain(token.content.removesuffix("\n"), "Code")
            case "hr":
                self._rule()
            case "inline" if before is not None:
                heading = f"Heading {before.tag[1]}" if before.type == "heading_open" else ""
                self._inline(self._paragraph(heading), token)
            case _:
                pass

    def _paragraph(self, style: str = "") -> Any:
        """A new paragraph where the text stands: in which list, at which depth."""
        paragraph = OxmlElement("w:p")
        self._end.addprevious(paragraph)
        shape = paragraph.get_or_add_pPr()
        depth = len(self._lists) + self._quotes
        listed = self._lists[-1] if self._lists else None
        first = listed is not None and not listed.begun and not style
        if listed and first:
            style = "List Number" if listed.ordered else "List Bullet"
            number = shape.get_or_add_numPr()
            number.get_or_add_ilvl().val = min(len(self._lists) - 1, DEEPEST)
            number.get_or_add_numId().val = listed.number
        elif depth:
            style = style or ("Quote" if self._quotes else "List Continue")
        if depth and (self._quotes or not first):
            shape.ind_left = Cm(INDENT * depth)
        for outer in self._lists:
            outer.begun = True
        if style:
            shape.style = self._styles[style]
        return paragraph

    def _rule(self) -> None:
        border = f'<w:pBdr {nsdecls("w")}><w:bottom w:val="single" w:sz="4" w:space="1" w:color="B9B3A6"/></w:pBdr>'
        shape = self._paragraph().get_or_add_pPr()
        shape.insert_element_before(parse_xml(border), "w:shd", "w:tabs", "w:spacing", "w:ind", "w:jc", "w:rPr")

    def _table(self, tokens: Sequence[Token]) -> None:
        """Rows have one length; the head repeats on every page."""
        rows: list[list[tuple[Token, Token]]] = []
        for before, token in pairwise(tokens):
            if before.type == "tr_open":
                rows.append([])
            if token.type == "inline":
                rows[-1].append((before, token))
        table = self._document.add_table(len(rows), len(rows[0]), self._document.styles["Table Grid"])
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        for row, cells in zip(table._tbl.tr_lst, rows, strict=True):
            for cell, (opening, token) in zip(row.tc_lst, cells, strict=True):
                paragraph = cell.p_lst[0]
                paragraph.get_or_add_pPr().jc_val = ALIGNMENTS.get(str(opening.attrGet("style")))
                self._inline(paragraph, token, bold=opening.type == "th_open")
        self._end.addprevious(OxmlElement("w:p"))  # two tables without a paragraph between them become one

    def _inline(self, paragraph: Any, token: Token, bold: bool = False) -> None:
        marks, place = {"strong": int(bold), "em": 0, "s": 0}, paragraph
        for piece in token.children or ():
            name, _, side = piece.type.rpartition("_")
            if name in marks:
                marks[name] += 1 if side == "open" else -1
            elif piece.type == "link_open":
                place = self._link(paragraph, str(piece.attrGet("href")))
            elif piece.type == "link_close":
                place = paragraph
            else:
                style = "Code Sign" if piece.type == "code_inline" else "Hyperlink" if place is not paragraph else ""
                _run(place, SIGNS.get(piece.type, markdown.as_written)(piece), marks, self._styles.get(style, ""))
        _turn(paragraph, token.content)

    def _link(self, paragraph: Any, address: str) -> Any:
        if address not in self._links:
            name = self._links[address] = f"link{len(self._links) + 1}"
            self._document.part.rels.add_relationship(RELATIONSHIP_TYPE.HYPERLINK, address, name, is_external=True)
        link = OxmlElement("w:hyperlink")
        link.set(qn("r:id"), self._links[address])
        paragraph.append(link)
        return link


SIGNS: Mapping[str, Callable[[Token], str]] = {
    "text": lambda piece: piece.content,
    "code_inline": lambda piece: piece.content,
    "softbreak": lambda piece: " ",
    "hardbreak": lambda piece: "\n",
}
"""Pieces of a paragraph as text; any other stays as it was written."""


def _run(place: Any, text: str, marks: Mapping[str, int] | None = None, style: str = "") -> None:
    if not text:
        return
    signs = OxmlElement("w:r")
    place.append(signs)
    signs.text = text
    if style:
        signs.style = style
    run = Run(signs, place)
    for mark, depth in (marks or {}).items():
        if depth > 0:
            setattr(run.font, MARKS[mark], True)


MARKS = {"strong": "bold", "em": "italic", "s": "strike"}


def _turn(paragraph: Any, text: str) -> None:
    """Arabic and Hebrew run from the right: the first letter decides."""
    strong = next((way for way in map(unicodedata.bidirectional, text) if way in ("L", "R", "AL")), "L")
    if strong == "L":
        return
    shape = paragraph.get_or_add_pPr()
    shape.insert_element_before(OxmlElement("w:bidi"), *AFTER_BIDI)
    for run in paragraph.iter(qn("w:r")):
        Run(run, paragraph).font.rtl = True


AFTER_BIDI = (
    "w:adjustRightInd", "w:snapToGrid", "w:spacing", "w:ind", "w:contextualSpacing", "w:mirrorIndents",
    "w:suppressOverlap", "w:jc", "w:textDirection", "w:textAlignment", "w:textboxTightWrap", "w:outlineLvl", "w:divId",
    "w:cnfStyle", "w:rPr", "w:sectPr", "w:pPrChange",
)  # fmt: skip
"""What the format wants behind it."""
