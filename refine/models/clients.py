"""Connections to endpoints: the packages' clients without what they take from the environment or do unasked.

Knows nothing of calls, replies or what endpoints refuse. The client for calls belongs to one event loop.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast

import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient, OpenAI
from openai._models import FinalRequestOptions
from openai._types import Omit

from refine.errors import ModelError
from refine.models.addresses import is_loopback, trimmed
from refine.models.failures import Place
from refine.models.usage import NOTHING
from refine.types import Endpoint

CONNECT_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 4.0
"""Shorter than the five seconds of common servers, so that no request meets a connection that is just being closed."""
HEADERS: dict[str, str | Omit] = {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "User-Agent": "refine",
}


@dataclass(frozen=True, slots=True)
class Request:
    """All that a transport reads of a request. The package's own copies its headers and reads its URL once more."""

    method: str
    url: str
    headers: dict[str, str]
    extensions: dict[str, Any]
    content: bytes


class Client(AsyncOpenAI):
    """The package's client without what it takes from the environment: organisation, project, further headers."""

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        return HEADERS

    async def complete(self, content: bytes) -> httpx2.Response:
        """The open answer to one request for a chat completion, whatever its status.

        As `post` does it, but what never changes is built once, and nothing is done for what is not wanted here:
        attempts that are made elsewhere, redirects, cookies, signatures. That costs more than the connection.
        """
        transport, request = self._ready
        return await transport.handle_async_request(cast(httpx2.Request, request(content)))

    @cached_property
    def _ready(self) -> tuple[httpx2.AsyncBaseTransport, Callable[[bytes], Request]]:
        """Who carries a request, and a request as the package builds it but for its content."""
        built = self._build_request(
            FinalRequestOptions.construct(
                method="post", url="/chat/completions", content=b"", security={"bearer_auth": True}
            )
        )
        built.headers.pop("Content-Length", None)
        transport = self._client._transport_for_url(built.url)
        return transport, partial(Request, built.method, str(built.url), dict(built.headers), built.extensions)


class PlainClient(OpenAI):
    """The same for a question that is asked outside any event loop."""

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        return HEADERS


def new_client(place: Place, key: str) -> Client:
    connections = DefaultAioHttpClient(
        **_connection(place),
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx2.Limits(max_connections=1000, keepalive_expiry=KEEP_ALIVE_SECONDS),
    )
    url = trimmed(place.endpoint.base_url)
    return Client(api_key=key, base_url=url, max_retries=0, timeout=connections.timeout, http_client=connections)


def plain_client(place: Place, key: str) -> PlainClient:
    connections = httpx2.Client(**_connection(place), timeout=CONNECT_SECONDS)
    url = trimmed(place.endpoint.base_url)
    return PlainClient(api_key=key, base_url=url, max_retries=0, timeout=CONNECT_SECONDS, http_client=connections)


def _connection(place: Place) -> dict[str, Any]:
    """How connections to this endpoint are made. Raises ModelError for settings that cannot work."""
    endpoint = place.endpoint
    url = trimmed(endpoint.base_url)
    if "://" not in url:
        raise ModelError("settings", place.say("address", url), usage=NOTHING)
    try:
        verify = _trust(endpoint)
    except OSError as error:
        raise ModelError("settings", place.say("certificate", f"{endpoint.ca_file}: {error}"), usage=NOTHING) from error
    # A proxy cannot reach this machine's own servers; a redirect would carry the text to another host.
    return {"verify": verify, "trust_env": not is_loopback(url), "follow_redirects": False}


def _trust(endpoint: Endpoint) -> ssl.SSLContext | bool:
    if endpoint.verify and endpoint.ca_file:
        return ssl.create_default_context(cafile=endpoint.ca_file)
    # Without TLS there is nothing to trust, and no file of authorities to read.
    return endpoint.verify and trimmed(endpoint.base_url).casefold().startswith("https:")
