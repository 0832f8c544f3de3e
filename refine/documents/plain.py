"""Plain text files in: bytes become text, or an error that says what they are and what to do.

It knows nothing of other formats, pages or runs. Undecodable bytes are never replaced by question marks: a guess that
does not look like writing is refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from refine.errors import DocumentError

LIMIT = 20 * 1024 * 1024
"""Bytes; a larger file is refused."""

ENCODINGS = ("utf-8", "gb18030", "big5", "utf-16-le", "utf-16-be", "cp1252")
"""What a user may choose where the guess is wrong."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_MAGIC = (
    (b"%PDF", "a PDF", "Copy its text into the page, or save it as .docx or .txt."),
    (b"PK\x05\x06", "an empty ZIP archive", "Save the text as .txt or .md."),
    (b"\xd0\xcf\x11\xe0", "an old Word, Excel or PowerPoint file", "Open it and save it as .docx or .txt."),
    (b"{\\rtf", "an RTF file", "Open it and save it as .docx or .txt."),
    (b"\x89PNG", "a PNG picture", "Give a text file instead."),
    (b"\xff\xd8\xff", "a JPEG picture", "Give a text file instead."),
    (b"GIF8", "a GIF picture", "Give a text file instead."),
    (b"II*\x00", "a TIFF picture", "Give a text file instead."),
    (b"\x7fELF", "a program", "Give a text file instead."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it first."),
    (b"7z\xbc\xaf", "a 7z archive", "Unpack it first."),
    (b"SQLite format 3\x00", "a database", "Give a text file instead."),
)

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff\ud800-\udfff]")
_CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\r\x0c\x1b"))
_SAMPLE = 100_000
"""Bytes that are looked at for a guess."""
_PLAUSIBLE = 0.8


@dataclass(frozen=True, slots=True)
class Reading:
    """A decoded file and what was done to it, so that the page can say so."""

    text: str
    encoding: str
    removed: int
    """Control characters taken out, NUL included."""
    guessed: bool
    """Neither a choice, nor a mark, nor UTF-8 said how."""


def look(data: bytes, name: str = "", encoding: str = "") -> Reading:
    """The text of a plain text file: LF line ends, no byte order mark, no control characters. `b""` gives `""`.

    Args:
        data: at most `LIMIT` bytes.
        name: as the user knows the file, for messages.
        encoding: the user's choice; empty = by byte order mark, then UTF-8, then a guess.

    Raises:
        DocumentError: too large, not text, or in no encoding that looks right.
    """
    shown = name or "This file"
    refuse_too_large(len(data), shown)
    refuse_known_formats(data, shown)
    certain = encoding or _by_mark(data)
    chosen = certain or _by_content(data, shown)
    try:
        text = data.decode(chosen)
    except (UnicodeDecodeError, LookupError):
        raise DocumentError(
            f"{shown} is not text in the encoding {chosen}. Choose another encoding, or save the file as UTF-8."
        ) from None
    return _cleaned(text, chosen, guessed=not certain and chosen != "utf-8")


def refuse_too_large(size: int, shown: str) -> None:
    if size > LIMIT:
        raise DocumentError(
            f"{shown} is too large: {size / 2**20:.1f} MB, at most {LIMIT // 2**20} MB. Split it into parts."
        )


def refuse_known_formats(data: bytes, shown: str) -> None:
    for magic, what, advice in _MAGIC:
        if data.startswith(magic):
            raise DocumentError(f"{shown} is not plain text; it is {what}. {advice}")


def _cleaned(text: str, encoding: str, guessed: bool) -> Reading:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    kept, removed = _CONTROLS.subn("", lines)
    return Reading(kept, encoding, removed, guessed)


def _by_mark(data: bytes) -> str:
    return next((encoding for mark, encoding in _BOMS if data.startswith(mark)), "")


def _by_content(data: bytes, shown: str) -> str:
    """The encoding of bytes without a byte order mark.

    Raises:
        DocumentError: nothing gives plausible text.
    """
    wide = _by_nul_places(data)
    if wide:
        return wide
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if controls * 10 > len(sample) and max(_wide_score(sample), _wide_be_score(sample)) < _PLAUSIBLE:
        raise DocumentError(f"{shown} is not plain text; it holds binary data. Give a text file instead.")
    if _decodes(data, "utf-8"):
        return "utf-8"
    scores = {encoding: score(sample) for encoding, score in _SCORES.items() if _decodes(data, encoding)}
    # On a tie the first wins, which is the likelier one.
    best = max(scores, key=lambda encoding: scores[encoding], default="")
    if not best or scores[best] < _PLAUSIBLE:
        raise DocumentError(f"{shown} is not text in an encoding we know. Save it as UTF-8 and give it again.")
    return best


def _by_nul_places(data: bytes) -> str:
    """UTF-16 of mostly Latin text shows as a NUL in every second byte, which UTF-8 would let pass."""
    sample = data[:_SAMPLE]
    half = len(sample) // 2
    if half < 2 or len(data) % 2:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if odd > 0.3 * half and even < 0.05 * half and _decodes(data, "utf-16-le"):
        return "utf-16-le"
    if even > 0.3 * half and odd < 0.05 * half and _decodes(data, "utf-16-be"):
        return "utf-16-be"
    return ""


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


_HAN = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uff5e‘’“”…—·€°×÷é]")
_RARE = re.compile("[\x80-\U0010ffff]")


def _han_score(sample: bytes, encoding: str) -> float:
    """Share of the non-ASCII characters that everyday Chinese uses, in either script."""
    foreign = _RARE.findall(sample.decode(encoding, errors="replace"))
    common = sum(map(_is_common, foreign))
    return common / len(foreign) if foreign else 0.0


@cache
def _is_common(sign: str) -> bool:
    """Among the 3,755 characters of the first level of GB 2312, or the 5,401 of Big5, or a Chinese mark."""
    if not _HAN.match(sign):
        return False
    gb = sign.encode("gb2312", errors="ignore")
    big5 = sign.encode("big5", errors="ignore")
    return (bool(gb) and gb[0] <= 0xD7) or (bool(big5) and big5[0] <= 0xC6)


def _gb_score(sample: bytes) -> float:
    # Korean bytes are Chinese ones as well, but all from the first half of the table, and without Chinese marks.
    if len(sample) > 24 and not re.search(rb"[\xa1\xa3\xc9-\xf7][\xa1-\xfe]", sample):
        return 0.0
    return _han_score(sample, "gb18030")


def _big5_score(sample: bytes) -> float:
    return _han_score(sample, "big5")


_LATIN_SIGNS = frozenset("‘’“”–—…€£©®°§«»·•ªº¿¡½¼¾±×÷\xa0")


def _latin_score(sample: bytes) -> float:
    """Share of the high bytes that are accented letters inside Latin words, or usual signs."""
    text = sample.decode("cp1252", errors="replace")
    high = [i for i, sign in enumerate(text) if sign >= "\x80"]
    if not high or len(high) > 0.3 * len(text):
        return 0.0
    return sum(text[i] in _LATIN_SIGNS or _inside_word(text, i) for i in high) / len(high)


def _inside_word(text: str, i: int) -> bool:
    around = text[max(i - 1, 0) : i] + text[i + 1 : i + 2]
    return text[i].isalpha() and any(sign.isascii() and sign.isalpha() for sign in around)


def _wide_score(sample: bytes, encoding: str = "utf-16-le") -> float:
    """Any two bytes make a character, most of them an unusual one."""
    text = sample[: len(sample) // 2 * 2].decode(encoding, errors="replace")
    common = [_is_common(sign) for sign in text if not " " <= sign <= "~" and sign not in "\n\r\t"]
    return sum(common) / len(common) if len(text) > 3 and common else 0.0


def _wide_be_score(sample: bytes) -> float:
    return _wide_score(sample, "utf-16-be")


_SCORES: dict[str, Callable[[bytes], float]] = {
    "gb18030": _gb_score,
    "cp1252": _latin_score,
    "big5": _big5_score,
    "utf-16-le": _wide_score,
    "utf-16-be": _wide_be_score,
}
