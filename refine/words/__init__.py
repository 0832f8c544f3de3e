"""Words for codes: one table per language, all with the same names. Nobody else writes such a sentence.

`of(language)` gives the table: `REASONS`, `STATUSES`, `QUESTIONS` ...; `files(language)` that of files that come in and
go out, `leads(language)` that of who leads a comparison, `compare(language)` that of all else of one. A language
without one of its own gets English.
"""

from __future__ import annotations

from types import ModuleType

from refine.words import compare_en, compare_zh, en, files_en, files_zh, leads_en, leads_zh, zh

TABLES = {"en": en, "zh": zh}
FILES = {"en": files_en, "zh": files_zh}
COMPARE = {"en": compare_en, "zh": compare_zh}
LEADS = {"en": leads_en, "zh": leads_zh}


def of(language: str) -> ModuleType:
    return TABLES[_known(language)]


def files(language: str) -> ModuleType:
    return FILES[_known(language)]


def leads(language: str) -> ModuleType:
    return LEADS[_known(language)]


def compare(language: str) -> ModuleType:
    return COMPARE[_known(language)]


def _known(language: str) -> str:
    code = language.replace("_", "-").partition("-")[0].casefold()
    return code if code in TABLES else "en"
