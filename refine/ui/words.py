"""The pages' own words. English stands in the code; other languages in `locale/<language>/LC_MESSAGES/refine.po`.

Also numbers, money and lengths as people read them, and any text made safe for Markdown. Sentences of runs (why one
stopped, what a check says) stand in `refine.words`. Knows nothing of runs.

After a change of words, from the project's folder (a test says which are missing):
    pybabel extract -k N_ -k pgettext:1c,2 --no-location -o /tmp/refine.pot refine/ui
    pybabel update -i /tmp/refine.pot -D refine -d refine/ui/locale -l zh --no-wrap -N --ignore-obsolete
    pybabel compile -D refine -d refine/ui/locale
"""

from __future__ import annotations

import gettext
import re
from decimal import Decimal
from functools import cache
from pathlib import Path

import streamlit as st

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = {"en": "English", "zh": "中文"}
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "JPY": "¥"}
READING = {"en": 200, "zh": 400}
"""Words, or Chinese characters, read in a minute."""


def choose_language() -> None:
    """Fixes the session's language: the link's `?lang=`, else the one chosen before, else the browser's."""
    asked = st.query_params.get("lang") or st.session_state.get("language") or st.context.locale
    st.session_state["language"] = known_language(asked)


def known_language(code: str | None) -> str:
    """The nearest language that the pages speak; English for any other."""
    first = (code or "").replace("_", "-").partition("-")[0].casefold()
    return first if first in LANGUAGES else "en"


def language() -> str:
    return known_language(st.session_state.get("language"))


@cache
def catalogue(code: str) -> gettext.NullTranslations:
    return gettext.translation("refine", LOCALE, [code], fallback=True)


def _(text: str) -> str:
    return catalogue(language()).gettext(text)


def ngettext(one: str, many: str, n: int) -> str:
    return catalogue(language()).ngettext(one, many, n)


def pgettext(context: str, text: str) -> str:
    """For an English word that is two words elsewhere."""
    return catalogue(language()).pgettext(context, text)


def together(*sentences: str) -> str:
    """Sentences one after the other, as the language writes them."""
    return ("" if language() == "zh" else " ").join(filter(None, sentences))


def N_(text: str) -> str:
    """Marks a text for the catalogue; it is translated where it is shown."""
    return text


# --- text of people and models -----------------------------------------------------------------------------------

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&^=@:/\"'])")


def plain(text: str) -> str:
    """A text as it stands, for where Streamlit reads Markdown: no mark-up, link, formula or colour works."""
    return _MARKS.sub(r"\\\1", " ".join(text.split())).replace("\\:", "\\:\u2060")


def coloured(colour: str, words: str) -> str:
    """Our own words in a colour of the theme, as Streamlit writes it."""
    return f":{colour}[{words}]"


# --- numbers -----------------------------------------------------------------------------------------------------


def money(cost: Decimal | None, currency: str = "USD") -> str:
    """With four decimals, as one call may cost that little."""
    if cost is None:
        return _("unknown")
    sign = SYMBOLS.get(currency, f"{currency} ")
    return f"{sign}{cost:,.4f}" if cost else f"{sign}0"


def cents(amount: Decimal, currency: str = "USD") -> str:
    """A round sum, as limits are set."""
    sign = SYMBOLS.get(currency, f"{currency} ")
    return f"{sign}{amount:,.2f}" if not amount or amount >= Decimal("0.01") else f"{sign}{amount:,.4f}"


def seconds(value: float) -> str:
    if value < 60:
        return _("{n} s").format(n=f"{value:.1f}" if value < 10 else f"{value:.0f}")
    return f"{int(value) // 60}:{int(value) % 60:02d}"


def length(n: int, code: str) -> str:
    """Words; characters (字) for a Chinese text."""
    if code == "zh":
        return ngettext("{n} character", "{n} characters", n).format(n=f"{n:,}")
    return ngettext("{n} word", "{n} words", n).format(n=f"{n:,}")


def reading_time(n: int, code: str) -> str:
    return _("{n} min read").format(n=max(1, round(n / READING.get(code, 200))))
