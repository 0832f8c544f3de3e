"""The pages' words: every one translated, and nobody's text is mark-up."""

from __future__ import annotations

import ast
import io
import re
from decimal import Decimal
from pathlib import Path

import pytest
from babel.messages import Catalog, extract, mofile, pofile

from refine.ui import words

UI = Path(words.__file__).parent
SOURCES = sorted(UI.rglob("*.py"))
CATALOGUE = UI / "locale" / "zh" / "LC_MESSAGES" / "refine.po"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def used() -> set[object]:
    """Every text that the pages give to a translating function."""
    found: set[object] = set()
    for path in SOURCES:
        messages = extract.extract("python", io.BytesIO(path.read_bytes()), keywords=KEYWORDS)
        found |= {
            message[0] if isinstance(message, tuple) else message for _line, message, _notes, _context in messages
        }
    return found - {""}


def test_every_word_of_the_pages_has_its_chinese_one() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = pofile.read_po(file)
    translated = {message.id[0] if isinstance(message.id, tuple) else message.id for message in catalogue if message.id}
    assert used() == translated
    assert [message.id for message in catalogue if message.fuzzy or (message.id and not all(message.string))] == []


def test_the_compiled_catalogue_is_the_written_one() -> None:
    with CATALOGUE.open("rb") as file:
        written = pofile.read_po(file)
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = mofile.read_mo(file)
    assert meanings(compiled) == meanings(written)


def meanings(catalogue: Catalog) -> list[tuple[str, str]]:
    return sorted(("".join(message.id), "".join(message.string)) for message in catalogue if message.id)


def test_a_translation_keeps_the_holes_of_its_text() -> None:
    with CATALOGUE.open("rb") as file:
        catalogue = pofile.read_po(file)
    for message in catalogue:
        ids, strings = (part if isinstance(part, tuple) else (part,) for part in (message.id, message.string))
        wanted = set(re.findall(r"{\w+}", "".join(ids)))
        assert set(re.findall(r"{\w+}", "".join(strings))) == wanted, message.id


def test_no_word_hides_in_a_formatted_string() -> None:
    """The extractor does not look into f-strings, so a text in one would never be translated."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inside = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
            calls = [call for call in inside if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)]
            hidden = [
                call for call in calls
                if call.func.id in ("_", "ngettext", "N_") and isinstance(call.args[0], ast.Constant)
            ]  # fmt: skip
            assert not hidden, f"{path.name}, line {node.lineno}"


def test_components_say_nothing_of_their_own() -> None:
    for path in (UI / "components").glob("*.js"):
        strings = re.findall(r"textContent = \"([^\"]+)\"", path.read_text(encoding="utf-8"))
        assert strings == []


@pytest.mark.parametrize(
    "text",
    [
        "<b>x</b>",
        "![](http://x.example/a.png)",
        ":red[x]",
        "$x^2$",
        "**b** _i_ `c`",
        "[a](http://x.example)",
        "# h",
        "~~s~~",
    ],
)
def test_plain_text_has_no_mark_left_unescaped(text: str) -> None:
    assert not re.search(r"(?<!\\)[<>\[\]()*_`$~#!]", words.plain(text))


def test_emoji_codes_and_line_ends_are_text_too() -> None:
    assert ":smile:" not in words.plain(":smile:").replace("\\", "")
    assert words.plain("one\ntwo") == "one two"


def test_an_unknown_cost_is_not_zero() -> None:
    assert words.money(None) == "unknown"
    assert words.money(Decimal("0.0158")) == "$0.0158"
    assert words.money(Decimal("1.5"), "CNY") == "¥1.5000"
    assert words.money(Decimal(0)) == "$0"


@pytest.mark.parametrize(
    ("code", "known"), [("zh-CN", "zh"), ("zh_TW", "zh"), ("de-DE", "en"), ("EN", "en"), (None, "en"), ("", "en")]
)
def test_the_nearest_language_is_spoken(code: str | None, known: str) -> None:
    assert words.known_language(code) == known
