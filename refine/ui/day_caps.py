"""The caps of the day where a run begins and where one has ended it: how they stand, and what helps."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from refine import outlook
from refine.caps import ALL, Cap, Used
from refine.errors import RefineError
from refine.outlook import Day
from refine.types import Variant
from refine.ui import role_settings
from refine.ui.parts import workbench
from refine.ui.words import _, cents, coloured, ngettext, plain, seconds
from refine.views import RunView

SETTINGS = {"view": "prices"}
"""Where caps are set, in the address of the settings."""


def line(variant: Variant) -> None:
    """What is used of the caps that hold for a run as the form has it, in one short line; nothing without any."""
    endpoints = {place for place, _model in role_settings.set_models(variant).values()}
    try:
        days = outlook.days(workbench())
    except RefineError:  # said in the settings, where it can be mended
        return
    told = [tightest(day) for day in days if endpoints and day.whose in (ALL, *endpoints)]
    if not told:
        return
    said = _("Today: {what} used").format(what=_(", ").join(words for _share, words in told)).replace("$", "\\$")
    full = max(share for share, _words in told) >= 1
    st.caption(coloured("orange", said) if full else said)


def tightest(day: Day) -> tuple[float, str]:
    """The share of a cap that is used up, by what is used up most of all that it holds; and that in words."""
    share, words = max(shares(day.cap, day.used), default=(0.0, ""))
    return share, _("{what} at {endpoint}").format(what=words, endpoint=plain(day.whose)) if day.whose else words


def shares(cap: Cap, used: Used) -> list[tuple[float, str]]:
    """(share, words) of everything that a cap holds."""
    form = _("{used} of {most}")
    found: list[tuple[float, str]] = []
    if cap.money is not None:
        paid = used.money.get(cap.currency, Decimal(0))
        words = form.format(used=cents(paid, cap.currency), most=cents(cap.money, cap.currency))
        found.append((share_of(paid, cap.money), words))
    if cap.tokens is not None:
        words = _("{n} tokens").format(n=form.format(used=f"{used.tokens:,}", most=f"{cap.tokens:,}"))
        found.append((share_of(used.tokens, cap.tokens), words))
    if cap.calls is not None:
        told = form.format(used=f"{used.calls:,}", most=f"{cap.calls:,}")
        words = ngettext("{n} call", "{n} calls", cap.calls).format(n=told)
        found.append((share_of(used.calls, cap.calls), words))
    if cap.time is not None:
        words = form.format(used=seconds(used.seconds), most=seconds(cap.time))
        found.append((share_of(used.seconds, cap.time), words))
    return found


def share_of(used: Decimal | float, most: Decimal | float) -> float:
    return float(used) / float(most) if most else 1.0


# --- after a cap ended a run -----------------------------------------------------------------------------------------


def still(view: RunView) -> bool:
    """Would the cap that ended a run, or another, stop it again now?"""
    try:
        return outlook.refused(workbench(), view.spec) is not None
    except RefineError:  # the file of caps is broken: there it is said
        return True


def what_helps(stands: bool) -> str:
    return _("Raise the cap, or continue tomorrow.") if stands else _("There is room again, so it can go on.")


def raise_button() -> None:
    """To where caps are set."""
    if st.button(_("Raise the cap"), type="primary", icon=":material/tune:", key="raise-cap"):
        st.switch_page("settings_page.py", query_params=SETTINGS)
