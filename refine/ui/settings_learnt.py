"""Settings: what was learnt about models, each thing from one refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import streamlit as st

from refine.types import Json
from refine.ui.parts import workbench
from refine.ui.words import N_, _

QUIRKS = {
    "limit_name": N_("calls its reply limit {value}"),
    "stream": N_("sends its reply in one piece"),
    "system": N_("takes no instructions apart; they go before the first message"),
    "developer": N_("takes instructions under the name “system”"),
    "response_format.json_object": N_("takes JSON, but no schema"),
    "response_format.none": N_("takes no form for its reply"),
}
DROPPED = N_("takes no {name}, so it is left out")


def show() -> None:
    st.subheader(_("What was learnt about these models"), anchor=False)
    rows = [(endpoint, model, words(quirks)) for endpoint, model, quirks in workbench().store.quirks_all() if quirks]
    if not rows:
        st.caption(_("Nothing yet. What a model refuses is tried once, and left out from then on."))
        return
    names = (_("Endpoint"), _("Model"), _("It …"))
    st.table(
        [dict(zip(names, row, strict=True)) for row in rows],
        border="horizontal",
        hide_index=True,
        alt=_("What was learnt about these models"),
    )


def words(quirks: Mapping[str, Json]) -> str:
    return _("; ").join(_one(name, value) for name, value in quirks.items())


def _one(name: str, value: Json) -> str:
    if name in QUIRKS:
        return _(QUIRKS[name]).format(value=value)
    return _(DROPPED).format(name=name.removeprefix("drop."))


def listed(names: Iterable[str], most: int) -> str:
    """The first of many names, and how many more there are."""
    names = list(names)
    more = _(" and {n} more").format(n=len(names) - most) if len(names) > most else ""
    return _(", ").join(names[:most]) + more
