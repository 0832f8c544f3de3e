"""What an attempt cost, by endpoint and model.

A price belongs to an endpoint, never to a bare model name: the same name may be free here and dear there. The author's
own table comes first, then an endpoint on this machine is free, then the list prices of known providers count. What is
not known is None and never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from refine.errors import SettingsError
from refine.models import listed_prices
from refine.models.addresses import is_free
from refine.types import Endpoint, Json, Price, Usage

Table = Mapping[str, Mapping[str, Mapping[str, Json]]]
"""endpoint -> model, or "*" for every model -> input, output, cached (per million tokens), currency, date."""

Listed = Callable[[str, str, int], Price | None]
"""The list price in US dollars for (base URL, model, tokens of the prompt)."""

MILLION = Decimal(1_000_000)
OWN = "prices.yaml"
LOCAL = Price(source="local")
"""Nobody sends a bill for what runs on this machine."""


def price_of(
    endpoint: Endpoint,
    model: str,
    input_tokens: int = 0,
    table: Table | None = None,
    listed: Listed = listed_prices.find,
) -> tuple[Price | None, str]:
    """The price of a call and its currency. None: unknown.

    Raises:
        SettingsError: the table holds something that is not a price.
    """
    models = (table.get(endpoint.name) if table is not None else None) or {}
    row = models.get(model, models.get("*"))
    if row is not None:
        return _own(row, endpoint.name, model)
    if is_free(endpoint):
        return LOCAL, listed_prices.CURRENCY
    return listed(endpoint.base_url, model, input_tokens), listed_prices.CURRENCY


def priced(
    endpoint: Endpoint,
    model: str,
    usage: Usage,
    table: Table | None = None,
    listed: Listed = listed_prices.find,
) -> Usage:
    """The same usage with its cost and the price used in it; a cost that is already known stays."""
    if usage.cost is not None:
        return usage
    price, currency = price_of(endpoint, model, usage.input_tokens, table, listed)
    return replace(usage, cost=cost(price, usage) if price else None, currency=currency, price=price)


def cost(price: Price, usage: Usage) -> Decimal:
    fresh = usage.input_tokens - usage.cached_tokens
    total = fresh * price.input + usage.cached_tokens * price.cached + usage.output_tokens * price.output
    return total / MILLION


def _own(row: Mapping[str, Json], endpoint: str, model: str) -> tuple[Price | None, str]:
    read = {name: _amount(row[name], endpoint, model, name) for name in ("input", "output", "cached") if name in row}
    currency = str(row.get("currency") or "USD").strip().upper()
    if "input" not in read or "output" not in read:
        return None, currency
    cached = read.get("cached", read["input"])
    return Price(read["input"], read["output"], cached, OWN, str(row.get("date") or "")), currency


def _amount(value: Json, endpoint: str, model: str, name: str) -> Decimal:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise SettingsError(
            f"The price {name} of {model} at {endpoint} is not an amount: got {value!r}. "
            "Give a number, in currency units per million tokens."
        )
    return amount
