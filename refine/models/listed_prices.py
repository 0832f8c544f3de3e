"""List prices of known providers, from the table that the package genai-prices ships. Nothing is fetched.

A provider is known by the address of its endpoint, never by the name of a model: anybody may serve
the same name.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from refine.models.addresses import host_of
from refine.types import Price

if TYPE_CHECKING:
    from genai_prices.types import Provider

PACKAGE = "genai-prices"
RELEASED = {"0.2.3": "2026-11"}
"""When the versions we know came out: the package does not say how old its table is."""
CURRENCY = "USD"


def find(base_url: str, model: str, input_tokens: int, now: datetime | None = None) -> Price | None:
    """The list price of a call with so long a prompt; None where the table does not know the provider or the model."""
    from genai_prices.data_snapshot import get_snapshot  # a second of loading: only who pays waits for it

    provider = _provider(base_url)
    if provider is None or not model:
        return None
    try:
        _, found = get_snapshot().find_provider_model(model, None, provider.id, None)
    except LookupError:
        return None
    rates = found.get_prices(now or datetime.now(UTC))
    paid_in, paid_out = _rate(rates.input_mtok, input_tokens), _rate(rates.output_mtok, input_tokens)
    if paid_in is None or paid_out is None:
        return None
    cached = _rate(rates.cache_read_mtok, input_tokens)
    source = f"{PACKAGE} {_version()}, {provider.id}/{found.id}"
    return Price(paid_in, paid_out, paid_in if cached is None else cached, source, RELEASED.get(_version(), ""))


@cache
def _version() -> str:
    return version(PACKAGE)


def _rate(price: Any, input_tokens: int) -> Decimal | None:
    """The price that holds for a prompt of this length: past a threshold, all its tokens cost more."""
    if price is None or isinstance(price, Decimal):
        return price
    passed = [tier.price for tier in price.tiers if input_tokens > tier.start]  # in rising order
    return Decimal(passed[-1] if passed else price.base)


@cache
def _provider(base_url: str) -> Provider | None:
    from genai_prices.data_snapshot import get_snapshot

    return next((one for one in get_snapshot().providers if is_at(one.api_pattern, base_url)), None)


def is_at(pattern: str, base_url: str) -> bool:
    """Does an address belong to the provider whose addresses begin so? A longer host that begins alike does not."""
    place = f"https://{host_of(base_url)}"
    found = re.match(pattern, f"{place}/")
    if found is None and ".*" not in pattern:  # a provider that shares its host with others
        path = base_url.strip().partition("://")[2].partition("/")[2]
        found = re.match(pattern, f"{place}/{path}")
    if found is None:
        return False
    rest = place[found.end() :]
    return not rest or (found.group().endswith(".") and "." not in rest)
