"""Costs: of an endpoint and model, unknown rather than 0, and free on this machine."""

from __future__ import annotations

from decimal import Decimal

import pytest

from refine.errors import SettingsError
from refine.models.prices import LOCAL, Table, price_of, priced
from refine.types import Endpoint, Price, Usage

FAR = Endpoint("far", "https://models.example.org/v1")
NEAR = Endpoint("near", "http://localhost:11434/v1")
KNOWN = Endpoint("known", "https://api.openai.com/v1")
TABLE: Table = {
    "far": {
        "m": {"input": 2, "output": "8", "cached": 0.5, "currency": "eur", "date": "2026-05-01"},
        "free": {"input": 0, "output": 0},
    },
    "near": {"*": {"input": 1, "output": 1}},
    "known": {"gpt-5": {"input": 3, "output": 3}},
}


def cost(endpoint: Endpoint, model: str, usage: Usage, table: Table | None = None) -> tuple[Decimal | None, str]:
    found = priced(endpoint, model, usage, table)
    return found.cost, found.currency


def test_an_unknown_price_is_unknown_and_not_nought() -> None:
    assert cost(FAR, "m", Usage(10, 10)) == (None, "USD")
    assert cost(FAR, "other", Usage(10, 10), TABLE) == (None, "USD")
    assert cost(FAR, "gpt-5", Usage(10, 10)) == (None, "USD")
    assert price_of(FAR, "m") == (None, "USD")


def test_this_machine_and_the_scripted_model_are_free() -> None:
    assert cost(NEAR, "m", Usage(10, 10)) == (Decimal(0), "USD")
    assert cost(Endpoint("scripted", kind="scripted"), "steady", Usage(10, 10)) == (Decimal(0), "USD")
    assert price_of(NEAR, "gpt-5") == (LOCAL, "USD")


def test_the_same_name_costs_nothing_here_what_it_costs_there() -> None:
    assert cost(NEAR, "m", Usage(10, 10), {"far": TABLE["far"]})[0] == 0


def test_cached_tokens_have_their_own_price() -> None:
    spent = cost(FAR, "m", Usage(1_000_000, 500_000, cached_tokens=400_000), TABLE)
    assert spent == (Decimal("0.6") * 2 + Decimal("0.4") * Decimal("0.5") + 4, "EUR")


def test_reasoning_is_a_part_of_the_output_and_paid_once() -> None:
    assert cost(FAR, "m", Usage(0, 800, reasoning_tokens=600), TABLE) == cost(FAR, "m", Usage(0, 800), TABLE)


def test_the_authors_own_table_wins_and_nought_is_a_price() -> None:
    assert cost(NEAR, "any", Usage(1_000_000, 0), TABLE)[0] == 1
    assert cost(FAR, "free", Usage(9, 9), TABLE)[0] == 0
    assert cost(KNOWN, "gpt-5", Usage(1_000_000, 0), TABLE)[0] == 3


def test_a_known_provider_has_its_list_price() -> None:
    listed = priced(KNOWN, "gpt-5", Usage(1_000_000, 1_000_000), {"far": TABLE["far"]})
    assert listed.cost is not None and listed.cost > 1
    assert listed.price is not None and listed.price.source.startswith("genai-prices ")


def test_a_price_that_is_half_known_is_unknown() -> None:
    assert cost(FAR, "m", Usage(9, 9), {"far": {"m": {"input": 3}}})[0] is None


@pytest.mark.parametrize("wrong", ["much", -1, "NaN", None])
def test_a_table_with_something_else_in_it_is_a_settings_error(wrong: object) -> None:
    with pytest.raises(SettingsError, match="price input of m at far"):
        cost(FAR, "m", Usage(9, 9), {"far": {"m": {"input": wrong, "output": 1}}})


def test_the_price_used_stands_with_the_usage_with_its_source_and_date() -> None:
    used = Price(Decimal(2), Decimal(8), Decimal("0.5"), "prices.yaml", "2026-05-01")
    found = priced(FAR, "m", Usage(1_000_000, 0), TABLE)
    assert found == Usage(1_000_000, 0, cost=Decimal(2), currency="EUR", price=used)


def test_a_cost_that_is_known_stays() -> None:
    assert priced(FAR, "m", Usage(9, 9, cost=Decimal(7)), TABLE).cost == 7
