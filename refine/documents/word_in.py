"""Word files in: a .docx becomes Markdown, and what it holds that a draft cannot keep is counted.

Nothing is loaded from outside, no picture is opened, and a file that would unpack to too much is refused unopened.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any

import mammoth

from refine.documents import hypertext
from refine.errors import DocumentError

MOST_WORDS = 12 * 1024 * 1024
"""Bytes of XML in a file, unpacked: a novel has 3 MB; reading takes 2 s and 50 MB of memory for each."""
MOST = 300 * 1024 * 1024
"""Bytes of all that is in a file, unpacked."""
MOST_PARTS = 10_000
MOST_RATIO = 200
"""Unpacked to packed, where the unpacked size is worth a look."""
WORTH_A_LOOK = 20 * 1024 * 1024

STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Quotations'] => blockquote > p:fresh
p[style-name='Block Text'] => blockquote > p:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
r[style-name='Code Sign'] => code
r[style-name='HTML Code'] => code
r[style-name='Source Text'] => code
"""

OTHER_ARCHIVES = {
    "xl/workbook.xml": "an Excel workbook",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "content.xml": "an OpenDocument file",
    "META-INF/container.xml": "an e-book (EPUB)",
    "index/document.iwa": "a Pages document",
    "Index/Document.iwa": "a Pages document",
}

LOSSES = {
    "tracked": re.compile(rb"<w:(?:ins|del|moveFrom|moveTo)[ >]"),
    "formulas": re.compile(rb"<m:oMath[ />]"),
    "pictures": re.compile(rb"<(?:w:drawing|w:pict|w:object)[ />]"),
}
"""What `words/` has a warning for, and how it shows in the file."""
COMMENT = re.compile(rb"<w:comment ")
BODY = "word/document.xml"


def read(data: bytes, shown: str) -> tuple[str, Mapping[str, int]]:
    """The text as Markdown, and how often it held what a draft cannot keep.

    Raises:
        DocumentError: not a Word file, damaged, locked by a password, or too large when unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check(archive, len(data), shown)
            body = archive.read(BODY)
            comments = archive.read("word/comments.xml") if "word/comments.xml" in archive.namelist() else b""
        if b"<!DOCTYPE" in body[:1000]:  # Word writes none, and one may stand for more text than there is
            raise _damaged(shown)
        html = mammoth.convert_to_html(io.BytesIO(data), style_map=STYLES, convert_image=_no_picture).value
    except DocumentError:
        raise
    except Exception as error:  # mammoth lets through whatever its parsers raise
        raise _damaged(shown) from error
    text, _ = hypertext.read(html)
    found = {name: len(pattern.findall(body)) for name, pattern in LOSSES.items()}
    return text, {name: n for name, n in {**found, "comments": len(COMMENT.findall(comments))}.items() if n}


def _no_picture(picture: Any) -> list[Any]:
    return []


def _check(archive: zipfile.ZipFile, size: int, shown: str) -> None:
    parts = archive.infolist()
    names = {part.filename for part in parts}
    if BODY not in names:
        what = next((what for name, what in OTHER_ARCHIVES.items() if name in names), "a ZIP archive")
        raise DocumentError(f"{shown} is no Word document; it is {what}. Save its text as .docx, .md or .txt.")
    if any(part.flag_bits & 1 for part in parts):
        raise DocumentError(f"{shown} is locked by a password. Take the password away in Word and give it again.")
    unpacked = sum(part.file_size for part in parts)
    words = sum(part.file_size for part in parts if part.filename.endswith((".xml", ".rels")))
    bomb = unpacked > WORTH_A_LOOK and unpacked > MOST_RATIO * size
    if bomb or words > MOST_WORDS or unpacked > MOST or len(parts) > MOST_PARTS:
        raise DocumentError(
            f"{shown} unpacks to {unpacked / 2**20:,.0f} MB in {len(parts):,} parts, which is too much for a draft. "
            "Copy its text into a new document."
        )


def _damaged(shown: str) -> DocumentError:
    return DocumentError(f"{shown} is a damaged Word file. Open it in Word, save it again and give that file.")
