"""A file in, whatever its kind: bytes become the text of a draft, with all that the author should know about it.

It knows nothing of pages or runs. The bytes decide what a file is; its name only where bytes cannot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from refine import words
from refine.documents import plain
from refine.errors import DocumentError

ENDINGS = (".md", ".txt", ".docx", ".html", ".htm", ".markdown")
"""Names of files that a page should offer to open; others are tried as text."""

_LOCKED = "EncryptedPackage".encode("utf-16-le")
_HTML = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html)[\s>]", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Opened:
    """A file as the text of a draft."""

    text: str
    encoding: str
    """How its bytes were read; "" for a Word file, which leaves no choice."""
    guessed: bool = False
    """The bytes did not say how to read them: show the author what came out, and let `plain.ENCODINGS` be tried."""
    warnings: tuple[str, ...] = ()
    """Sentences: what the file held that the draft does not."""


def read(name: str, data: bytes, encoding: str | None = None, language: str = "en") -> Opened:
    """Opens a file.

    Args:
        name: as the author knows it, for messages.
        encoding: the author's choice, one of `plain.ENCODINGS`; for a Word file it means nothing.
        language: of the warnings.

    Raises:
        DocumentError: empty, too large, damaged, locked, or of a kind that holds no text we can read.
    """
    shown = name or "This file"
    plain.refuse_too_large(len(data), shown)
    ending = Path(name).suffix.lower()
    if data.startswith(b"\xd0\xcf\x11\xe0") and _LOCKED in data:
        raise DocumentError(f"{shown} is locked by a password. Take the password away in Word and give it again.")
    if data.startswith(b"PK\x03\x04"):
        from refine.documents import word_in

        text, losses = word_in.read(data, shown)
        return _opened(shown, text, "", False, losses, language)
    if ending == ".docx" and data:
        plain.refuse_known_formats(data, shown)
        raise DocumentError(f"{shown} is no Word document, whatever its name says. Save it again in Word as .docx.")
    reading = plain.look(data, name, encoding or "")
    if ending in (".html", ".htm", ".xhtml") or (not ending and _HTML.match(data[:10_000])):
        from refine.documents import hypertext

        text, pictures = hypertext.read(reading.text)
        return _opened(shown, text, reading.encoding, reading.guessed, {"pictures": pictures}, language)
    return _opened(shown, reading.text, reading.encoding, reading.guessed, {"controls": reading.removed}, language)


def read_file(path: str | Path, encoding: str | None = None, language: str = "en") -> Opened:
    """`read` for a file on disk.

    Raises:
        DocumentError: as `read`; or the file is missing, is a folder, or may not be read.
    """
    file = Path(path)
    try:
        size = file.stat().st_size
        if file.is_dir():
            raise DocumentError(f"A draft must be a file; got the folder {path}. Name a text file inside it.")
        plain.refuse_too_large(size, str(path))
        data = file.read_bytes()
    except FileNotFoundError:
        raise DocumentError(f"There is no file {path}. Check its name and the folder you are in.") from None
    except PermissionError:
        raise DocumentError(f"The file {path} may not be read. Change its permissions, or copy it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentError(f"The file {path} cannot be read: {reason}. Copy it to another place.") from None
    return read(file.name, data, encoding, language)


def _opened(shown: str, text: str, encoding: str, guessed: bool, losses: Mapping[str, int], language: str) -> Opened:
    if not text.strip():
        raise DocumentError(f"{shown} is empty: there is no text in it. Give a file with your draft.")
    told = words.files(language).OPENED
    warnings = tuple(str(told[name]).format(n=n) for name, n in losses.items() if n)
    return Opened(text, encoding, guessed, warnings)
