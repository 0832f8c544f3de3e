"""What the tests of checks share: all checks on a text, and the text mended as the engine does it."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path

from refine.checks import merge, run
from refine.findings import mend
from refine.types import Finding

HERE = Path(__file__).parent
MENDERS = ("grammar", "wording", "typography", "repeats")


def found(text: str, *, language: str = "en") -> tuple[Finding, ...]:
    return merge(finding for check in MENDERS for finding in run(check, text, {"language": language}))


def serious(text: str, *, language: str = "en") -> list[Finding]:
    return [finding for finding in found(text, language=language) if finding.severity != "may"]


def mended(text: str, *, language: str = "en") -> str:
    for _ in range(3):
        text = mend(text, found(text, language=language))
    return text


def planted(name: str) -> tuple[str, str]:
    """A draft with faults, written {wrong|right/also right|kind}, and the same draft without them."""
    source = (HERE / "drafts" / name).read_text("utf-8")
    draft = re.sub(r"\{([^{}|]*)\|[^{}]*\}", r"\1", source)
    right = re.sub(r"\{([^{}|]*)\|([^{}/]*?)(?:/[^{}]*)?\|(\w?[\w/]*)\}", _right, source)
    return draft, right


def _right(match: re.Match[str]) -> str:
    wrong, right, kind = match.groups()
    return right if kind else wrong


def words(text: str) -> list[str]:
    return re.findall(r"\w+(?:['’]\w+)*|[^\w\s]", text)


def left_over(text: str, right: str) -> int:
    """How many places still differ from the right text, in words."""
    pieces = SequenceMatcher(None, words(text), words(right), autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in pieces if tag != "equal")
