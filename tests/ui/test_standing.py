"""The bar of the start form says what a press will take."""

from __future__ import annotations

from decimal import Decimal

import pytest

from refine.forecast import Forecast
from refine.ledger import Cost
from refine.runs import Workbench
from refine.types import RunSpec, Task
from refine.ui import model_lists, role_settings
from refine.ui.standing import in_words
from tests.ui.conftest import Open, said

SPEC = RunSpec("refine", "x", Task())


def span(low: str, high: str, currency: str = "USD") -> tuple[Cost, Cost]:
    return Cost(Decimal(low), currency=currency), Cost(Decimal(high), currency=currency)


def test_calls_tokens_and_money_are_a_span_of_round_numbers() -> None:
    found = Forecast((3, 9), (8_120, 21_456), span("0.0123", "0.0311"))
    assert in_words(found, SPEC) == "About **3–9 calls**, 8,100–21,000 tokens, **\\$0.01–0.03**"
    same = Forecast((1, 1), (812, 812), span("0.0012", "0.0012", "CNY"))
    assert in_words(same, SPEC) == "About **1 call**, 810 tokens, **¥0.0012**"
    small = Forecast((3, 9), (812, 1_812), span("0.0068", "0.0131", "EUR"))
    assert in_words(small, SPEC) == "About **3–9 calls**, 810–1,800 tokens, **€0.007–0.013**"
    timed = Forecast((1, 1), (812, 812), span("0", "0"), (9.0, 130.0))
    assert in_words(timed, SPEC) == "About **1 call**, 810 tokens, free of charge, 9.0 s–2:10"


def test_two_currencies_stand_side_by_side() -> None:
    both = Cost(Decimal("0.1"), currency="EUR", others=(("CNY", Decimal("0.2")),))
    found = Forecast((3, 3), (810, 810), (both, both))
    assert in_words(found, SPEC) == "About **3 calls**, 810 tokens, **€0.10 + ¥0.20**"


def test_an_unknown_price_is_said_with_what_stops_the_run_instead() -> None:
    unknown = Cost(complete=False)
    found = Forecast((3, 9), (8_120, 21_456), (unknown, unknown))
    assert in_words(found, SPEC).endswith("price not known, stops at 400,000 tokens")
    free = RunSpec("refine", "x", Task(), limits={"tokens": None})
    assert in_words(found, free).endswith("price not known")


def test_the_bar_tells_it_as_soon_as_there_is_a_text_and_a_model_for_every_role(open_page: Open) -> None:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/steady")
    page.selectbox(key="classic.critic.model").set_value("scripted/steady").run()
    assert "About **" not in said(page)
    page.text_area(key="draft").set_value("The oven broke on Monday, and we baked nothing.").run()
    assert "About **3–7 calls**" in said(page)
    assert "free of charge" in said(page)


def test_what_works_without_a_key_is_said_of_checks_alone(open_page: Open) -> None:
    page = open_page()
    assert "No key set: checks fix" in said(page)
    page.selectbox(key="variant").set_value("classic").run()
    assert "Writer, Critic" in said(page)
    assert "No key set: checks fix" not in said(page)
    page.text_area(key="draft").set_value("楼下有一个旧书角，谁都可以拿书。").run()
    assert "Checks only" not in said(page)
    page.selectbox(key="classic.writer.model").set_value("scripted/steady").run()
    assert "No model yet" in said(page) and "Writer, Critic" not in said(page)


def test_a_model_for_every_role_ends_what_is_said_of_checks(open_page: Open) -> None:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/steady")
    page.selectbox(key="classic.critic.model").set_value("scripted/steady").run()
    assert "Every round, verdict, token and cent is kept." in said(page)


def test_the_only_model_that_an_endpoint_offers_will_do(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_lists, "offered", lambda: {"one": ["m"], "two": ["m", "n"], "none": []})
    assert role_settings.will_have_model("one", "") and role_settings.will_have_model("still-asked", "")
    assert not role_settings.will_have_model("two", "") and not role_settings.will_have_model("none", "")
    assert not role_settings.will_have_model("", "") and role_settings.will_have_model("", "m")


def test_the_price_table_of_the_author_counts(open_page: Open, bench: Workbench) -> None:
    (bench.settings.home / "prices.yaml").write_text("scripted: {'*': {input: 100, output: 100}}", encoding="utf-8")
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/steady")
    page.selectbox(key="classic.critic.model").set_value("scripted/steady")
    page.text_area(key="draft").set_value("The oven broke on Monday, and we baked nothing.").run()
    assert "tokens, **\\$0." in said(page)
