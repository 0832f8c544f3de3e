"""Words looked up: in small files of the dictionaries' own form, in the real ones where installed, and in none."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from refine import tools
from refine.tools import Refused, Surroundings
from refine.tools.dictionary import CEDICT, MOST_SENSES, WORDNET, data_file, look_up

INSTALLED = [data_file(*place) for place in (WORDNET, CEDICT)]
needs_packages = pytest.mark.skipif(None in INSTALLED, reason="requirements-dictionary.txt is not installed")

SYNSETS = (
    "<SYNSET><ID>1</ID><SYNONYM><LITERAL>write<SENSE>1</SENSE></LITERAL></SYNONYM><POS>v</POS>"
    "<DEF>mark letters</DEF></SYNSET>\n"
    "<SYNSET><ID>2</ID><SYNONYM><LITERAL>write<SENSE>2</SENSE><SR>3<TYPE>A</TYPE></SR></LITERAL><LITERAL>pen<SENSE>1"
    "</SENSE></LITERAL></SYNONYM><POS>v</POS><DEF>make a text, e.g. a story &amp; more</DEF></SYNSET>\n"
    "<SYNSET><ID>3</ID><SYNONYM><LITERAL>stop<SENSE>1</SENSE></LITERAL></SYNONYM><POS>n</POS>"
    "<DEF>an end</DEF></SYNSET>\n"
    "<SYNSET><ID>4</ID><SYNONYM><LITERAL>Ann<SENSE>1</SENSE></LITERAL></SYNONYM><POS>n</POS>"
    "<DEF>a name</DEF></SYNSET>\n"
)
WRITE = ["(verb) make a text, e.g. a story & more (also: pen)", "(verb) mark letters"]
IRREGULAR = '<word name="wrote" root="write" pos="Verb"/>\n'
ENTRIES = (
    "# CC-CEDICT\r\n"
    "快樂 快乐 [kuai4 le4] /happy; joyful/\r\n"
    "寫 写 [xie3] /to write/to draw/\r\n"
    "行 行 [hang2] /row/line/\r\n"
    "行 行 [xing2] /to walk/\r\n"
    "銀行 银行 [yin2 hang2] /bank/\r\n"
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    wordnet, cedict = tmp_path / "wordnet.xml", tmp_path / "cedict.gz"
    wordnet.write_text(SYNSETS, encoding="utf-8")
    (tmp_path / "english_exception.xml").write_text(IRREGULAR, encoding="utf-8")
    cedict.write_bytes(gzip.compress(ENTRIES.encode()))
    return wordnet, cedict


@pytest.mark.parametrize(
    ("word", "language", "lines"),
    [
        ("write", "en", [*WRITE, "in Chinese: 写 [xie3]"]),
        ("Write", "zh", [
            "(动词) make a text, e.g. a story & more（近义：pen）", "(动词) mark letters", "中文：写 [xie3]",
        ]),
        ("wrote", "en", ["a form of “write”:", *WRITE]),
        ("writing", "en", ["a form of “write”:", *WRITE]),
        ("stopped", "en", ["a form of “stop”:", "(noun) an end"]),
        ("Ann", "en", ["(noun) a name"]),
        ("快乐", "en", ["快乐 (快樂) [kuai4 le4] happy; joyful"]),
        ("快樂", "zh", ["快乐 (快樂) [kuai4 le4] happy; joyful"]),
        ("行", "zh", ["行 [hang2] row; line", "行 [xing2] to walk"]),
        ("happy", "en", ["in Chinese: 快乐 [kuai4 le4]"]),
    ],
)  # fmt: skip
def test_a_word_is_looked_up(word: str, language: str, lines: list[str], files: tuple[Path, Path]) -> None:
    assert look_up(f"  {word} ", language, *files).splitlines() == lines


@pytest.mark.parametrize("word", ["ann", "xyzzy", "乐快", "<SENSE>", "writ.*", "LITERAL", "]", "[", "/", "to"])
def test_what_is_in_no_dictionary_is_said(word: str, files: tuple[Path, Path]) -> None:
    with pytest.raises(Refused, match="does not have"):
        look_up(word, "en", *files)


@pytest.mark.parametrize("word", ["", "   ", "x" * 61])
def test_only_a_word_is_looked_up(word: str, files: tuple[Path, Path]) -> None:
    with pytest.raises(Refused, match="at most 60"):
        look_up(word, "en", *files)


def test_an_absent_dictionary_is_named(files: tuple[Path, Path]) -> None:
    for word, wordnet, cedict, told in (
        ("write", None, files[1], "The dictionary WordNet is not installed here"),
        ("写", files[0], None, "The dictionary CC-CEDICT is not installed here"),
        ("write", None, None, "WordNet"),
    ):
        with pytest.raises(Refused, match=told):
            look_up(word, "en", wordnet, cedict)
    with pytest.raises(Refused, match="没有安装词典 CC-CEDICT"):
        look_up("写", "zh", None, None)
    assert look_up("write", "en", files[0], None).startswith("(verb)")


def test_a_package_that_is_not_there_has_no_file() -> None:
    assert data_file("no_such_package", "x") is None
    assert data_file("refine", "no-such-file") is None
    assert data_file("refine", "py.missing") is None


@needs_packages
def test_the_installed_dictionaries_answer() -> None:
    assert "dictionary" in tools.DEFAULT

    def use(word: str, language: str) -> str:
        seen = tools.call("dictionary", {"word": word}, ["dictionary"], Surroundings(language=language))
        assert not seen.error
        return seen.text

    happy = use("happy", "en")
    assert happy.startswith("(adjective) enjoying or showing or marked by joy or pleasure") and "in Chinese: " in happy
    assert "(动词) change location" in use("went", "zh")
    assert use("银行", "zh").startswith("银行 (銀行) [yin2 hang2] bank")
    assert len(use("run", "en").splitlines()) <= MOST_SENSES + 1


@pytest.mark.skipif(None not in INSTALLED, reason="requirements-dictionary.txt is installed")
def test_without_the_packages_the_tool_is_off_and_says_so() -> None:
    seen = tools.call("dictionary", {"word": "happy"}, ["dictionary"], Surroundings())
    assert seen.error == "failed" and "not installed" in seen.text
