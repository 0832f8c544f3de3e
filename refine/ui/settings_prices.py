"""Settings: the author's own prices, and the prices that hold for the models in use."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.doors import PRICES_FILE, read_prices
from refine.errors import RefineError
from refine.models import prices
from refine.own_files import change_table
from refine.types import Endpoint, Json
from refine.ui import parts, settings_caps
from refine.ui.frame import bar
from refine.ui.parts import attempt, model_words, workbench
from refine.ui.words import N_, SYMBOLS, _, plain

EVERY = "*"
"""Stands for every model of an endpoint."""
AMOUNTS = ("input", "output", "cached")
COLUMNS = ("endpoint", "model", *AMOUNTS, "currency")
SAVED = "prices-saved"
"""How often prices were saved: afterwards another table is edited, the one that was saved."""

Table = Mapping[str, Mapping[str, Mapping[str, Json]]]
Row = Mapping[str, Any]

SOURCES = {prices.OWN: N_("your own"), "local": N_("this computer")}


def show() -> None:
    home = workbench().settings.home
    parts.problem()
    table: Table | None = attempt(partial(read_prices, home / PRICES_FILE))
    found = settings_caps.read() if table is not None else None
    if table is None or found is None:
        parts.problem()
        return
    left, right = st.columns([7, 4], gap="large")
    with left:
        st.subheader(_("Your own prices"), anchor=False)
        edited = editor(table)
        st.caption(_("For a million tokens. The model * stands for every model of its endpoint."))
        st.subheader(_("Caps for a day"), anchor=False)
        capped = settings_caps.editor(found)
        st.caption(_("No call is made that could pass a cap. What one run may take is set where it is started."))
    with right:
        st.subheader(_("Prices that hold now"), anchor=False)
        in_use(table)
        st.caption(_("Your own prices come before list prices. A call keeps the price that held when it was made."))
    new_prices = rows_of(edited) != rows_of(frame(table))
    new_caps = settings_caps.limits_of(capped) != settings_caps.limits_of(settings_caps.frame(found))

    def save_button() -> None:
        if st.button(_("Save"), type="primary", key="save-prices", disabled=not (new_prices or new_caps)):
            if new_caps:
                settings_caps.save(capped)
            if new_prices:
                save(rows_of(edited), table)
            st.rerun()

    bar(_("not saved yet") if new_prices or new_caps else _("saved"), save_button)


# --- the table -------------------------------------------------------------------------------------------------------


def frame(table: Table) -> pd.DataFrame:
    rows = [
        {"endpoint": endpoint, "model": model, "currency": str(row.get("currency") or "USD").upper()}
        | {name: float(row[name]) if name in row else None for name in AMOUNTS}
        for endpoint, models in table.items()
        for model, row in models.items()
    ]
    made = pd.DataFrame(rows, columns=[*COLUMNS])
    return made.astype(dict.fromkeys(AMOUNTS, float) | {n: object for n in COLUMNS if n not in AMOUNTS})


def editor(table: Table) -> pd.DataFrame:
    column = st.column_config
    names = [name for name, endpoint in workbench().settings.endpoints.items() if endpoint.kind == "openai"]
    price = partial(column.NumberColumn, min_value=0.0, format="%.4g", width="small")
    return st.data_editor(
        frame(table),
        num_rows="dynamic",
        hide_index=True,
        key=f"prices-{st.session_state.get(SAVED, 0)}",
        placeholder="",
        column_config={
            "endpoint": column.SelectboxColumn(_("Endpoint"), options=[*dict.fromkeys([*names, *table])]),
            "model": column.TextColumn(_("Model"), default=EVERY),
            "input": price(_("In")),
            "output": price(_("Out")),
            "cached": price(_("Cached")),
            "currency": column.SelectboxColumn(_("Currency"), options=[*SYMBOLS], default="USD", width="small"),
        },
        alt=_("Your own prices"),
    )


def rows_of(edited: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows in which anything stands, without what is empty."""
    rows = [
        {name: value for name, value in row.items() if not pd.isna(value) and str(value).strip()}
        for row in edited.to_dict("records")
    ]
    return [row for row in rows if row.keys() - {"model", "currency"}]


def wrong(rows: Sequence[Row]) -> str:
    """What keeps these rows from being saved."""
    for n, row in enumerate(rows, 1):
        if not row.keys() >= {"endpoint", "model", "input", "output"}:
            return _("Row {n} needs an endpoint, a model, and what goes in and out.").format(n=n)
    places = [(row["endpoint"], row["model"]) for row in rows]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice:
        return _("{model} at {endpoint} stands there twice.").format(model=plain(twice[1]), endpoint=plain(twice[0]))
    return ""


def written(rows: Sequence[Row], before: Table, today: str) -> dict[str, dict[str, dict[str, Json]]]:
    """The file's new content: a price that was changed has today's date, the others keep theirs."""
    made: dict[str, dict[str, dict[str, Json]]] = {}
    for row in rows:
        prior = before.get(row["endpoint"], {}).get(row["model"], {})
        new: dict[str, Json] = {name: number(row[name]) for name in AMOUNTS if name in row}
        if row.get("currency", "USD") != "USD":
            new["currency"] = row["currency"]
        date = str(prior.get("date") or today) if same(new, prior) else today
        made.setdefault(row["endpoint"], {})[str(row["model"]).strip()] = new | {"date": date}
    return made


def number(amount: float) -> int | float:
    return int(amount) if float(amount).is_integer() else float(amount)


def same(new: Mapping[str, Json], prior: Mapping[str, Json]) -> bool:
    def amounts(row: Mapping[str, Json]) -> list[Any]:
        return [*(row.get(name) for name in AMOUNTS), str(row.get("currency") or "USD").upper()]

    return amounts(new) == amounts(prior)


def save(rows: Sequence[Row], before: Table) -> None:
    if said := wrong(rows):
        st.session_state["problem"] = said
        return
    made = written(rows, before, datetime.date.today().isoformat())

    def change(table: Any) -> None:
        for name in [name for name in table if name not in made]:
            del table[name]
        table.update(made)

    attempt(partial(change_table, workbench().settings.home / PRICES_FILE, change))
    st.session_state[SAVED] = st.session_state.get(SAVED, 0) + 1


# --- what holds ------------------------------------------------------------------------------------------------------


def in_use(table: Table) -> None:
    """The models of the runs so far, each with its price and where that stands."""
    bench = workbench()
    known = [(where, model) for where, _slash, model in (name.partition("/") for name in bench.store.models_used())]
    rows = [
        [f"{where} · {model_words(where, model)}", *price_words(bench.settings.endpoints[where], model, table)]
        for where, model in known
        if where in bench.settings.endpoints and bench.settings.endpoints[where].kind == "openai"
    ]
    if not rows:
        st.caption(_("As soon as a model has been used, its price and where it comes from stand here."))
        return
    names = (_("Model"), _("In"), _("Out"), _("From"))
    st.table(
        [dict(zip(names, row, strict=True)) for row in rows],
        border="horizontal",
        hide_index=True,
        alt=_("Prices that hold now"),
    )


def price_words(endpoint: Endpoint, model: str, table: Table) -> tuple[str, str, str]:
    try:
        price, currency = prices.price_of(endpoint, model, 0, table)
    except RefineError:
        price, currency = None, ""
    if price is None:
        return _("unknown"), _("unknown"), ""
    source = _(SOURCES[price.source]) if price.source in SOURCES else price.source
    return rate(price.input, currency), rate(price.output, currency), " · ".join(filter(None, (source, price.date)))


def rate(amount: Decimal, currency: str) -> str:
    return f"{SYMBOLS.get(currency, f'{currency} ')}{amount.normalize():f}" if amount else "0"
