"""Settings: endpoints, keys, tests, words and prices; and what is typed in one session stays with it."""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from refine.doors import read_prices
from refine.models.fake_server import Running, running
from refine.runs import Order, Workbench
from refine.settings import write_endpoint
from refine.types import Endpoint
from refine.ui import settings_prices
from refine.views import RunView
from tests.ui.conftest import Open, said

KEY = "sk-canary-4711-abcdefgh"


@pytest.fixture
def fake() -> Iterator[Running]:
    with running() as fake:
        yield fake


def settings(open_page: Open, view: str = "models") -> AppTest:
    page = open_page().switch_page("settings_page.py").run()
    return page if view == "models" else page.get_by_key("settings-view").set_value(view).run()


def fill(page: AppTest, **fields: str) -> AppTest:
    """The endpoint's dialog, filled in and saved."""
    for name, value in fields.items():
        page.text_input(key=f"endpoint.{name}").set_value(value)
    page.button(key="save-endpoint").click().run()
    return page


def give_key(page: AppTest, name: str, key: str, place: str = "tab") -> AppTest:
    page.button(key=f"key-{name}").click().run()
    page.text_input(key="settings-key").set_value(key)
    page.radio(key="key-place").set_value(place)
    page.button(key="use-settings-key").click().run()
    return page


# --- endpoints -----------------------------------------------------------------------------------------------------


def test_an_endpoint_is_added_and_changed_and_runs_find_it_at_once(open_page: Open, bench: Workbench) -> None:
    page = settings(open_page)
    page.button(key="add-endpoint").click().run()
    fill(page, name="lab", base_url=" https://lab.example/v1/ ", key="LAB_KEY")
    assert bench.settings.endpoints["lab"] == Endpoint("lab", "https://lab.example/v1", "LAB_KEY")
    assert "`https://lab.example/v1` · key `LAB_KEY`: not set" in said(page)
    page.button(key="edit-lab").click().run()
    assert page.text_input(key="endpoint.base_url").value == "https://lab.example/v1"
    fill(page, base_url="https://other.example/v1")
    assert bench.settings.endpoints["lab"].base_url == "https://other.example/v1"


def test_an_address_is_kept_as_typed_and_what_is_left_out_is_said(open_page: Open, bench: Workbench) -> None:
    page = settings(open_page)
    page.button(key="add-endpoint").click().run()
    fill(page, name="lab", base_url="https://lab.example/v1/chat/completions")
    assert bench.settings.endpoints["lab"].base_url == "https://lab.example/v1"
    page.run()
    assert "The address of lab is kept as `https://lab.example/v1`." in page.info[0].value


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "", "base_url": "https://h/v1"}, "Give it a name"),
        ({"name": "a/b", "base_url": "https://h/v1"}, "Give it a name"),
        ({"name": "openai", "base_url": "https://h/v1"}, "of that name already"),
        ({"name": "given", "base_url": "https://h/v1"}, "of that name already"),
        ({"name": "lab", "base_url": "lab.example"}, "should look like"),
        ({"name": "lab", "base_url": f"https://me:{KEY}@h/v1"}, "should look like"),
        ({"name": "lab", "base_url": "https://h/v1", "key": KEY}, "written in capitals"),
    ],
)
def test_what_cannot_be_an_endpoint_is_refused_and_nothing_is_kept(
    open_page: Open, bench: Workbench, fields: dict[str, str], words: str
) -> None:
    page = settings(open_page)
    page.button(key="add-endpoint").click().run()
    fill(page, **fields)
    assert any(words.replace("-", r"\-") in re.sub(r"\\(?=[^-])", "", error.value) for error in page.error)
    assert not any(KEY in error.value for error in page.error)
    assert not (bench.settings.home / "endpoints.yaml").exists()


def test_an_endpoint_that_was_removed_comes_back_with_undo(open_page: Open, bench: Workbench) -> None:
    lab = Endpoint("lab", "https://lab.example/v1", concurrency=2)
    write_endpoint(bench.settings.home, lab)
    page = settings(open_page)
    page.button(key="edit-lab").click().run()
    page.button(key="remove-endpoint").click().run()
    assert "lab" not in bench.settings.endpoints
    page.run()
    page.button(key="undo-remove").click().run()
    assert bench.settings.endpoints["lab"] == lab


def test_another_address_forgets_what_was_learnt_at_the_old_one(open_page: Open, bench: Workbench) -> None:
    write_endpoint(bench.settings.home, Endpoint("lab", "https://lab.example/v1"))
    bench.store.quirks_put("lab", "small", {"drop.temperature": True, "limit_name": "max_completion_tokens"})
    bench.store.quirks_put("openai", "m", {"system": "user"})
    page = settings(open_page)
    assert "takes no temperature, so it is left out" in str(page.table[0].value)
    page.button(key="edit-lab").click().run()
    fill(page, base_url="https://other.example/v1")
    assert [name for name, _model, _quirks in bench.store.quirks_all()] == ["openai"]


# --- tests of endpoints ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "badge", "words"),
    [
        ("", "works", "steady answered in"),
        ("key", "key refused", "The key was refused: check it, or give another one."),
        ("html", "does not work", "there is a web page and no model server"),
        ("address", "does not work", "There is nothing at"),
        ("temperature", "works", "Adapted to: takes no temperature"),
    ],
)
def test_a_test_says_in_one_sentence_what_it_found(
    open_page: Open, bench: Workbench, fake: Running, fault: str, badge: str, words: str
) -> None:
    url = fake.fault(fault) if fault else fake.url
    write_endpoint(bench.settings.home, Endpoint("lab", url, "LAB_KEY"))
    page = settings(open_page)
    assert "not tested" in said(page)
    give_key(page, "lab", KEY)
    page.button(key="test-lab").click().run()
    found = said(page).replace("\\", "")
    assert f"{badge}]" in found
    assert words in found
    assert KEY[:8] not in found


def test_an_address_without_its_version_is_proposed_and_only_then_used(
    open_page: Open, bench: Workbench, fake: Running
) -> None:
    typed = f"http://127.0.0.1:{fake.port}"
    write_endpoint(bench.settings.home, Endpoint("lab", typed))
    page = settings(open_page)
    page.button(key="test-lab").click().run()
    assert bench.settings.endpoints["lab"].base_url == typed
    assert f"answers at `{fake.url}`" in said(page)
    page.button(key="better-lab").click().run()
    assert bench.settings.endpoints["lab"].base_url == fake.url
    assert "not tested" in said(page)


def test_what_a_test_learns_is_kept_for_the_runs(open_page: Open, bench: Workbench, fake: Running) -> None:
    write_endpoint(bench.settings.home, Endpoint("lab", fake.fault("temperature")))
    page = settings(open_page)
    page.button(key="test-lab").click().run()
    assert ("lab", "steady", {"drop.temperature": True}) in bench.store.quirks_all()


# --- keys ------------------------------------------------------------------------------------------------------------


def test_a_key_is_kept_for_the_tab_unless_the_file_is_chosen(open_page: Open, bench: Workbench) -> None:
    lab = Endpoint("lab", "https://lab.example/v1", "LAB_KEY")
    write_endpoint(bench.settings.home, lab)
    page = settings(open_page)
    give_key(page, "lab", KEY)
    page.run()
    assert "key `LAB_KEY`: typed in this tab" in said(page)
    assert bench.keys.find(lab) is None
    assert not (bench.settings.home / "keys.yaml").exists()
    page.button(key="key-lab").click().run()
    page.button(key="forget-key").click().run()
    page.run()
    assert "key `LAB_KEY`: not set" in said(page)
    give_key(page, "lab", KEY, place="file")
    page.run()
    assert "key `LAB_KEY`: from the key file" in said(page)
    assert bench.keys.find(lab) == KEY
    assert stat.S_IMODE((bench.settings.home / "keys.yaml").stat().st_mode) == 0o600
    assert KEY not in said(page)
    assert KEY not in str(page.session_state)


def test_a_key_for_the_file_without_a_name_gets_one_that_no_other_endpoint_has(
    open_page: Open, bench: Workbench
) -> None:
    for name, key in (("实验", ""), ("other", "ENDPOINT_KEY")):
        write_endpoint(bench.settings.home, Endpoint(name, f"https://{name}.example/v1", key))
    page = settings(open_page)
    give_key(page, "实验", KEY, place="file")
    assert bench.settings.endpoints["实验"].key == "ENDPOINT1_KEY"
    assert bench.keys.find(bench.settings.endpoints["实验"]) == KEY
    assert bench.keys.find(bench.settings.endpoints["other"]) is None


# --- sessions apart --------------------------------------------------------------------------------------------------


def test_ten_sessions_each_with_its_own_key_and_text_see_nothing_of_each_other(
    open_page: Open, bench: Workbench, fake: Running, caplog: pytest.LogCaptureFixture
) -> None:
    keys = [f"sk-canary-{n}{n}{n}-{'abcdefghij'[n] * 12}" for n in range(10)]
    lab = Endpoint("lab", fake.url.replace("127.0.0.1", "localhost"), "LAB_KEY")
    write_endpoint(bench.settings.home, lab)
    pages = [settings(open_page) for _key in keys]
    for page, key in zip(pages, keys, strict=True):
        give_key(page, "lab", key)
    models = {f"role.{role}.{field}": value for role in ("writer", "critic")
              for field, value in (("endpoint", "lab"), ("model", "steady"))}  # fmt: skip
    started = []
    for n, page in enumerate(pages):
        hands = bench.of_session(page.session_state["session-keys"])
        text = f"Canary text number {n}{n}{n}. The the bird sings."
        started.append(hands.start(hands.prepare(Order(draft=text, variant="classic", changes=models))))
    started.append(bench.start(bench.prepare(Order(draft="Nobody's text.", variant="classic", changes=models))))

    async def all_at_once() -> None:
        await asyncio.gather(*map(bench.execute, started))
        await bench.aclose()

    asyncio.run(all_at_once())
    seen = {
        (request["headers"]["authorization"], *set(re.findall(r"number (\d)\d\d", str(request["body"]))))
        for request in fake.script.seen
    }
    assert seen == {(f"Bearer {key}", str(n)) for n, key in enumerate(keys)} | {("Bearer none",)}
    for n, run_id in enumerate(started[:10]):
        log = str(bench.store.records(run_id))
        assert f"number {n}{n}{n}" in log
        assert not any(f"number {m}{m}{m}" in log for m in range(10) if m != n)
    for n, page in enumerate(pages):
        page.run()
        assert page.session_state["session-keys"].find(lab) == keys[n]
        assert not any(key[:16] in said(page) for key in keys)
    for run_id in started:
        with bench.keys.serving(run_id):
            assert bench.keys.find(lab) is None
    bench.store.close()
    kept = b"".join(file.read_bytes() for file in bench.settings.home.rglob("*") if file.is_file())
    assert b"sk-canary" not in kept
    assert "sk-canary" not in caplog.text


def test_a_run_whose_session_is_gone_waits_for_a_key(open_page: Open, bench: Workbench) -> None:
    write_endpoint(bench.settings.home, Endpoint("lab", "http://refine.invalid/v1", "LAB_KEY"))
    page = settings(open_page)
    give_key(page, "lab", KEY)
    hands = bench.of_session(page.session_state["session-keys"])
    changes = {f"role.{role}.{field}": value for role in ("writer", "critic")
               for field, value in (("endpoint", "lab"), ("model", "m"))}  # fmt: skip
    run_id = hands.start(hands.prepare(Order(draft="A text.", variant="classic", changes=changes, somebody=True)))
    bench.keys.give_back(run_id)  # as a restart does
    view = asyncio.run(bench.execute(run_id))
    assert view.question is not None
    assert (view.status, view.question.question, view.question.about) == ("waiting", "key_missing", "lab")


# --- prices ----------------------------------------------------------------------------------------------------------

OWN = """# by contract
lab:
  small: {input: 0.5, output: 2, cached: 0.05, date: 2020-01-02}
  "*": {input: 7, output: 8, currency: cny}
"""


def table_of(bench: Workbench) -> Mapping[str, Any]:
    return read_prices(bench.settings.home / "prices.yaml")


def test_a_changed_price_has_todays_date_and_the_others_keep_theirs(bench: Workbench) -> None:
    (bench.settings.home / "prices.yaml").write_text(OWN)
    before = table_of(bench)
    rows = settings_prices.rows_of(settings_prices.frame(before))
    assert settings_prices.written(rows, before, "2030-01-01")["lab"]["small"]["date"] == "2020-01-02"
    rows[0]["input"] = 0.25
    made = settings_prices.written(rows, before, "2030-01-01")["lab"]
    assert made["small"] == {"input": 0.25, "output": 2, "cached": 0.05, "date": "2030-01-01"}
    assert made["*"] == {"input": 7, "output": 8, "currency": "CNY", "date": before["lab"]["*"]["date"]}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"endpoint": "lab", "model": "m", "input": 1.0}, "Row 1 needs"),
        ({"endpoint": "lab", "input": 1.0, "output": 1.0}, "Row 1 needs"),
        ({"endpoint": "lab", "model": "m", "input": 0.0, "output": 1.0}, ""),
    ],
)
def test_a_price_that_lacks_a_part_is_not_saved(row: dict[str, Any], words: str) -> None:
    said = settings_prices.wrong([row])
    assert said.startswith(words)
    assert bool(said) == bool(words)
    assert "twice" in settings_prices.wrong([{**row, "output": 1.0, "model": "m"}] * 2)


def test_the_price_of_a_model_in_use_is_shown_with_where_it_stands(
    open_page: Open, bench: Workbench, fake: Running
) -> None:
    (bench.settings.home / "prices.yaml").write_text(OWN)
    write_endpoint(bench.settings.home, Endpoint("lab", fake.url))
    models = {f"role.{role}.{field}": value for role in ("writer", "critic")
              for field, value in (("endpoint", "lab"), ("model", "small"))}  # fmt: skip
    bench.start(bench.prepare(Order(draft="A text.", variant="classic", changes=models)))
    page = settings(open_page, "prices")
    shown = page.table[0].value
    assert [*shown.iloc[0]] == ["lab · small", "$0.5", "$2", "your own · 2020-01-02"]


def test_a_price_holds_for_the_next_call_of_the_running_program(bench: Workbench, fake: Running) -> None:
    write_endpoint(bench.settings.home, Endpoint("lab", fake.url))
    models = {f"role.{role}.{field}": value for role in ("writer", "critic")
              for field, value in (("endpoint", "lab"), ("model", "steady"))}  # fmt: skip
    order = Order(draft="A text.", variant="classic", changes=models)

    async def two() -> list[RunView]:
        first = await bench.execute(bench.start(bench.prepare(order)))
        (bench.settings.home / "prices.yaml").write_text("lab:\n  steady: {input: 1000, output: 1000}\n")
        return [first, await bench.execute(bench.start(bench.prepare(order)))]

    first, second = asyncio.run(two())
    assert first.cost == 0
    assert second.cost


# --- words and language ----------------------------------------------------------------------------------------------


def test_own_words_are_saved_and_every_run_knows_them(open_page: Open, bench: Workbench) -> None:
    page = settings(open_page, view="words")
    page.text_area(key="own-words").set_value("Refactorium\n\n recieve \nRefactorium").run()
    page.button(key="save-words").click().run()
    spec = bench.prepare(Order(draft="They recieve a letter.", variant="offline", words=("Ines",)))
    assert spec.task.words == ("Ines", "Refactorium", "recieve")
    view = bench.read(bench.start(spec))
    asyncio.run(bench.execute(view.run_id))
    assert bench.read(view.run_id).text == "They recieve a letter."


def test_the_language_is_chosen_for_the_session_and_the_address(open_page: Open) -> None:
    page = settings(open_page, view="language")
    page.radio(key="language-picked").set_value("zh").run()
    assert page.header[0].value == "设置"
