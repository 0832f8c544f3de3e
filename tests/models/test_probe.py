"""A test of an endpoint names what is wrong with it, and finds the address that was meant."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest

from refine.models.fake_server import Running, Script, running
from refine.models.probe import NO_WRITER, Probe, probe
from refine.types import Endpoint

KEY = "sk-canary-4711-abcdefgh"


@pytest.fixture(scope="module")
def fake() -> Iterator[Running]:
    with running() as fake:
        yield fake


def found_at(url: str, key: str | None = None, model: str = "", name: str = "") -> Probe:
    return asyncio.run(probe(Endpoint("there", url, name), key, model))


def test_an_endpoint_that_works_lists_its_models_and_answers(fake: Running) -> None:
    found = found_at(fake.url)
    assert found.works
    assert "steady" in found.models
    assert found.model == found.models[0]
    assert (found.better, found.said, dict(found.quirks)) == ("", "", {})


@pytest.mark.parametrize(
    ("fault", "key", "named"),
    [
        ("key", KEY, "key"),
        ("key", None, "no_key"),
        ("key_echo", KEY, "key"),
        ("forbidden", KEY, "forbidden"),
        ("quota", KEY, "quota"),
        ("not_found", KEY, "model"),
        ("no_model", KEY, "model"),
        ("address", KEY, "not_found"),
        ("html", KEY, "page"),
        ("redirect", KEY, "redirect"),
        ("server", KEY, "server"),
        ("cut", KEY, "cut"),
        ("drop", KEY, "dropped"),
        ("rate,times=9", KEY, "rate"),
    ],
)
def test_what_is_wrong_is_named_and_no_key_is_said(fake: Running, fault: str, key: str | None, named: str) -> None:
    found = found_at(fake.fault(fault), key)
    assert found.fault == named
    assert found.said
    assert KEY[:8] not in found.said


def test_a_dead_host_and_a_name_that_does_not_exist_are_told_from_a_wrong_address(fake: Running) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert found_at(f"http://127.0.0.1:{port}/v1").fault == "connect"
    assert found_at("http://refine.invalid/v1").fault in ("connect", "proxy")
    assert found_at(f"https://127.0.0.1:{fake.port}/v1").fault in ("connect", "certificate")
    assert found_at(f"http://127.0.0.1:{fake.port}/elsewhere/v1").fault == "not_found"


def test_the_address_is_tried_as_typed_and_then_with_its_version(fake: Running) -> None:
    typed = f"http://127.0.0.1:{fake.port}"
    found = found_at(typed)
    assert found.works
    assert (found.endpoint.base_url, found.better) == (typed, fake.url)
    refused = found_at(fake.fault("key").removesuffix("/v1"), KEY)
    assert (refused.fault, refused.better) == ("key", fake.fault("key"))
    nothing = found_at(f"{typed}/nothing/here")
    assert (nothing.fault, nothing.better) == ("not_found", "")


def test_what_a_model_refuses_is_reported(fake: Running) -> None:
    found = found_at(fake.fault("temperature"))
    assert found.works
    assert dict(found.quirks) == {"drop.temperature": True}


def test_a_named_model_is_asked_and_others_only_if_they_can_answer() -> None:
    with running(Script(models=("text-embedding-3-small", "whisper-1", "small"))) as fake:
        assert found_at(fake.url).model == "small"
        assert found_at(fake.url, model="other").model == "other"
    assert not NO_WRITER.search("gpt-5-mini")


def test_a_server_that_names_no_models_asks_for_a_name() -> None:
    with running(Script(models=())) as fake:
        found = found_at(fake.fault("text"))
        assert (found.fault, found.model) == ("model", "")


def test_the_key_goes_along_and_only_to_that_address(fake: Running) -> None:
    fake.script.reset()
    found_at(fake.url, KEY)
    assert {request["headers"].get("authorization") for request in fake.script.seen} == {f"Bearer {KEY}"}
