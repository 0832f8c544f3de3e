"""How endpoints are reached: certificates, proxies, and what is said where one of them is in the way."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from refine.errors import ModelError
from refine.models.fake_server import Running, running
from refine.models.openai_chat import OpenAIChat
from refine.types import Endpoint, ModelCall, Reply, Role
from tests.models.conftest import CRITIC, KeyFile, QuirkBook

pytestmark = pytest.mark.asyncio


async def ask(endpoint: Endpoint) -> Reply:
    door = OpenAIChat(KeyFile(), QuirkBook())
    try:
        call = ModelCall("critic", CRITIC)
        return await door(endpoint, Role("critic", model="lenient"), call, on_text=lambda kind, piece: None)
    finally:
        await door.aclose()


async def refused(endpoint: Endpoint) -> ModelError:
    with pytest.raises(ModelError) as raised:
        await ask(endpoint)
    return raised.value


# --- certificates ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate that signs itself, and its key, in one file."""
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate, and is not here")
    folder = tmp_path_factory.mktemp("tls")
    made = [*["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"],
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "own.pem"]  # fmt: skip
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "own.pem").read_text() + (folder / "key.pem").read_text())
    return both


@pytest.fixture(scope="module")
def secure(certificate: Path) -> Iterator[Running]:
    with running(certificate=str(certificate)) as server:
        yield server


async def test_a_certificate_that_nobody_vouches_for_is_named_and_nothing_is_sent(secure: Running) -> None:
    before = secure.script.requests
    error = await refused(Endpoint("own", secure.url))
    assert error.kind == "settings"
    assert "certificate" in error.message and "ca_file" in error.message
    assert secure.script.requests == before


async def test_an_authority_of_ones_own_is_trusted_by_its_file(secure: Running, certificate: Path) -> None:
    reply = await ask(Endpoint("own", secure.url, ca_file=str(certificate.with_name("own.pem"))))
    assert (reply.content[:8], reply.adapted) == ("APPROVED", ())


async def test_without_a_check_it_works_and_says_so(secure: Running) -> None:
    reply = await ask(Endpoint("own", secure.url, verify=False))
    assert reply.adapted == ("the certificate of own was not checked: verify is off",)


# --- proxies -----------------------------------------------------------------------------------------------------


@pytest.fixture
def proxied(server: Running, monkeypatch: pytest.MonkeyPatch) -> Running:
    """All that leaves this machine goes through the fake server."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{server.port}")
    return server


async def test_a_proxy_is_used_for_other_machines(proxied: Running) -> None:
    error = await refused(Endpoint("far", "http://model.invalid/fault/quota/v1"))
    assert error.kind in ("quota", "not_found")  # the fake server answered, as no such machine can


async def test_no_proxy_is_honoured(proxied: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "model.invalid")
    error = await refused(Endpoint("far", "http://model.invalid/v1"))
    assert (error.kind, proxied.script.requests) == ("connect", 0)


async def test_this_machine_is_reached_without_the_proxy(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert (await ask(Endpoint("here", server.url))).content.startswith("APPROVED")


@pytest.mark.parametrize("proxy", ["socks5h://127.0.0.1:9", "nonsense://x", "http://127.0.0.1:9"])
async def test_a_proxy_that_cannot_be_used_is_a_setting_to_change(
    proxied: Running, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("HTTP_PROXY", proxy)
    error = await refused(Endpoint("far", "http://model.invalid/v1"))
    assert error.kind == "settings"
    assert "HTTP_PROXY" in error.message
