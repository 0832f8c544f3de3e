"""Settings: the most that all runs of a day may use together, and what they have used today."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import caps
from refine.caps import ALL, Cap
from refine.ledger import add_costs
from refine.own_files import change_table, read_table
from refine.store import Total
from refine.ui.parts import attempt, cost_words, workbench
from refine.ui.words import SYMBOLS, _

SAVED = "caps-saved"
LIMITS = ("money", "currency", "tokens", "calls")


def read() -> dict[str, Cap] | None:
    """The caps of the file; None where it cannot be read, which is then said."""
    path = workbench().settings.home / caps.FILE
    found: dict[str, Cap] | None = attempt(lambda: caps.read(read_table(path)))
    return found


def editor(found: Mapping[str, Cap]) -> pd.DataFrame:
    column = st.column_config
    number = partial(column.NumberColumn, min_value=0, width="small")
    return st.data_editor(
        frame(found),
        hide_index=True,
        key=f"caps-{st.session_state.get(SAVED, 0)}",
        placeholder=_("no limit"),
        disabled=["name", "used"],
        column_config={
            "place": None,
            "name": column.TextColumn(_("Endpoint")),
            "money": number(_("Money"), format="%.4g"),
            "currency": column.SelectboxColumn(_("Currency"), options=[*SYMBOLS], width="small"),
            "tokens": number(_("Tokens"), step=1, format="localized"),
            "calls": number(_("Calls"), step=1, format="localized"),
            "used": column.TextColumn(_("Used today"), width="medium"),
        },
        alt=_("Caps for a day"),
    )


def frame(found: Mapping[str, Cap]) -> pd.DataFrame:
    """A row for all endpoints together, then one for each that is asked over a network or has a cap."""
    bench = workbench()
    names = [name for name, endpoint in bench.settings.endpoints.items() if endpoint.kind == "openai"]
    today = bench.store.totals("endpoint", since=time.time())
    rows = [row(place, found.get(place, Cap()), today) for place in dict.fromkeys((ALL, *names, *found))]
    return pd.DataFrame(rows).astype({"money": float, "tokens": float, "calls": float})


def row(place: str, cap: Cap, today: Sequence[Total]) -> dict[str, Any]:
    mine = [total for total in today if place in (ALL, total.keys["endpoint"])]
    tokens = sum(total.usage.input_tokens + total.usage.output_tokens for total in mine)
    used = [cost_words(add_costs(total.cost for total in mine), "0"), _("{n} tokens").format(n=f"{tokens:,}")]
    return {
        "place": place,
        "name": place or _("All together"),
        "money": None if cap.money is None else float(cap.money),
        "currency": cap.currency,
        "tokens": cap.tokens,
        "calls": cap.calls,
        "used": " · ".join(used) if mine else "–",
    }


def limits_of(edited: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """What is set, by endpoint."""
    found = {}
    for line in edited.to_dict("records"):
        numbers = {name: line[name] for name in ("money", "tokens", "calls") if not pd.isna(line[name])}
        made = {name: int(n) if float(n).is_integer() else float(n) for name, n in numbers.items()}
        if "money" in made and line["currency"] != "USD":
            made["currency"] = line["currency"]
        found[line["place"]] = made
    return found


def save(edited: pd.DataFrame) -> None:
    """Leaves what the table does not show, such as a cap on time, as it is."""
    wanted = limits_of(edited)

    def change(table: Any) -> None:
        for place, made in wanted.items():
            holder = table if place == ALL else table.setdefault("endpoints", {})
            name = "day" if place == ALL else place
            kept = {key: value for key, value in (holder.get(name) or {}).items() if key not in LIMITS}
            holder[name] = kept | made
            if not holder[name]:
                del holder[name]
        if not table.get("endpoints"):
            table.pop("endpoints", None)

    attempt(partial(change_table, workbench().settings.home / caps.FILE, change))
    st.session_state[SAVED] = st.session_state.get(SAVED, 0) + 1
