"""A fake server for the whole folder, and doors to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

import pytest

from refine.models.fake_server import Running, running
from refine.models.openai_chat import OpenAIChat
from refine.types import Endpoint, Json, Message, ModelCall, Reply, Role
from tests.loops import SkippingLoop, skip

DRAFT = "Anna pays 1,200 euros in order to leave the harbour. The boats are very late. It rains until March 3."
CRITIC = (Message("system", ("You are a strict reviewer. Answer with APPROVED alone.",)), Message("user", (DRAFT,)))


def pytest_asyncio_loop_factories(config: object, item: object) -> Mapping[str, type[SkippingLoop]]:
    return {"skipping": SkippingLoop}


class KeyFile(dict[str, str]):
    """Keys by the name of the endpoint."""

    def find(self, endpoint: Endpoint) -> str | None:
        return self.get(endpoint.name)


class QuirkBook:
    """Quirks in memory; `puts` counts how often something was learnt."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], dict[str, Json]] = {}
        self.puts = 0

    def get(self, endpoint_name: str, model: str) -> dict[str, Json]:
        return self.kept.get((endpoint_name, model), {})

    def put(self, endpoint_name: str, model: str, quirks: dict[str, Json]) -> None:
        self.puts += 1
        self.kept[endpoint_name, model] = quirks


class Caller:
    """A door, and how a test goes through it."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.keys, self.quirks = KeyFile(), QuirkBook()
        self.door = OpenAIChat(self.keys, self.quirks, redact=lambda text: text.replace("sk-canary", "[key]"))
        self.heard: list[tuple[str, str]] = []

    async def ask(
        self,
        fault: str = "",
        *,
        model: str = "steady",
        stream: bool = True,
        messages: tuple[Message, ...] = CRITIC,
        role: dict[str, Any] | None = None,
        call: dict[str, Any] | None = None,
        endpoint: dict[str, Any] | None = None,
        seed: int | None = None,
    ) -> Reply:
        url = self.server.fault(fault) if fault else self.server.url
        place = {"base_url": url, "stream": stream, **(endpoint or {})}
        return await self.door(
            Endpoint("fake", **place),
            Role("critic", model=model, **(role or {})),
            ModelCall("critic", messages, **(call or {})),
            seed=seed,
            on_text=lambda kind, piece: self.heard.append((kind, piece)),
        )

    async def ask_for(self, seconds: float, fault: str = "", *, silent: bool = False, **asked: Any) -> Reply:
        """Asks, and moves the time on once the server has fallen silent: after half a reply, or before any of it."""
        self.server.script.take({"pieces_per_write": 1000})  # what comes, comes in one read
        before = self.requests  # what an earlier test left open may still be
        call = asyncio.create_task(self.ask(fault, **asked))
        await until(lambda: self.requests > before and (silent or bool(self.text)))
        skip(seconds)
        return await call

    @property
    def text(self) -> str:
        return "".join(piece for kind, piece in self.heard if kind == "text")

    @property
    def requests(self) -> int:
        return self.server.script.requests

    @property
    def last_body(self) -> dict[str, Any]:
        body: dict[str, Any] = self.server.script.seen[-1]["body"]
        return body


async def until(true: Callable[[], bool]) -> None:
    """Gives way to the server's thread until a condition holds; fails after half a minute."""
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.001)


@pytest.fixture(scope="session")
def one_server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture
def server(one_server: Running) -> Running:
    one_server.script.reset()
    one_server.script.take({"latency": 0, "seconds_per_piece": 0, "pieces_per_write": 1})
    return one_server


@pytest.fixture
async def caller(server: Running) -> AsyncIterator[Caller]:
    caller = Caller(server)
    yield caller
    await caller.door.aclose()
