"""Whole runs against the fake server: a writer, a critic or a tool loop, one of whose endpoints has a fault.

No time is waited: the pause between two attempts is skipped, and the loop's time moves on where the server is silent.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from refine import tools, views
from refine.errors import ModelError
from refine.events import Failed, Record, Started, Stopped
from refine.keys import redact
from refine.loop import drive
from refine.models import retry
from refine.models.fake_server import Running
from refine.models.openai_chat import OpenAIChat
from refine.perform import Edge
from refine.techniques import TECHNIQUES
from refine.types import Endpoint, Json, ModelCall, Outcome, Reply, Role, RunSpec, Task, ToolCall
from refine.views import RunView
from tests.fakes import FakeDoors, MemoryJournal
from tests.loops import SkippingLoop, skip

DRAFT = "Anna pays 1,200 euros in order to leave the harbour. The boats are very late. It rains until March 3."
PARTS = ("critic", "writer", "actor")
SETTINGS: dict[str, Any] = {"model": "steady", "temperature": 0.7, "max_tokens": 300}
TEXT = RunSpec(
    "refine",
    "test",
    Task(draft=DRAFT, language="en"),
    (
        Role("writer", "You are a writer who revises texts.\n\nuser:\n{{ draft }}\n---\n{{ findings }}", **SETTINGS),
        Role("critic", "You are a critic. Answer APPROVED or what is wrong.\n\nuser:\n{{ draft }}",
             options={"reply": "json"}, **SETTINGS),
    ),
    stops={"max_rounds": 2},
    seed=1,
)  # fmt: skip
"""Three calls: the draft is reviewed, rewritten and reviewed again."""
STEPS = RunSpec(
    "react",
    "test",
    Task(brief="What is 12 * 12?", language="en"),
    (Role("actor", "Use tools.\n\nuser:\n{{ brief }}", **SETTINGS),),
    stops={"max_rounds": 6},
    options={"protocol": "native"},
    tools=tools.declare(["calculator"], "en"),
    seed=1,
)
"""Two calls: the calculator is used, then the answer is given."""
CALLS = {"critic": 3, "writer": 3, "actor": 2}
BEFORE = {"critic": 0, "writer": 1, "actor": 0}
"""Calls of others before the first of this part."""


class Memory:
    """Keys and quirks of a test."""

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.kept: dict[tuple[str, str], dict[str, Json]] = {}

    def find(self, endpoint: Endpoint) -> str | None:
        return self.key or None

    def get(self, endpoint_name: str, model: str) -> dict[str, Json]:
        return self.kept.get((endpoint_name, model), {})

    def put(self, endpoint_name: str, model: str, quirks: dict[str, Json]) -> None:
        self.kept[endpoint_name, model] = quirks


class ChatDoors(FakeDoors):
    """The real door to models, and real tools; all else as in other tests."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(lambda call, times: None)
        self.chat = OpenAIChat(memory, memory, redact=redact)

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: Any) -> Reply:
        role = spec.role(call.role)
        assert role is not None
        endpoint = next(endpoint for endpoint in spec.endpoints if endpoint.name == role.endpoint)
        return await self.chat(endpoint, role, call, seed=spec.seed, on_text=on_text, attempt=attempt)

    async def tool(self, spec: RunSpec, call: ToolCall) -> Reply:
        seen = tools.call(call.name, call.arguments, [tool["name"] for tool in spec.tools], tools.Surroundings())
        return Reply(seen.text, value={"error": seen.error} if seen.error else None)

    def wait(self, error: ModelError, attempt: int) -> float | None:
        return retry.wait_before_next(error, attempt, 0.5)


@dataclass(frozen=True)
class Played:
    view: RunView
    outcome: Outcome
    log: list[Record]
    requests: int

    @property
    def failures(self) -> list[Failed]:
        return [record.event for record in self.log if isinstance(record.event, Failed)]


def spec_for(part: str, server: Running, fault: str, stream: bool) -> RunSpec:
    """The run in which this part's endpoint has the fault."""
    spec = STEPS if part == "actor" else TEXT
    good = Endpoint("good", server.url, stream=stream)
    faulty = Endpoint("faulty", server.fault(fault) if fault else server.url, stream=stream)
    roles = tuple(replace(role, endpoint="faulty" if role.name == part else "good") for role in spec.roles)
    return replace(spec, roles=roles, endpoints=(good, faulty))


async def drive_run(spec: RunSpec, doors: ChatDoors) -> tuple[list[Record], Outcome]:
    log = [Record("run", 0, 0.0, Started(spec))]
    journal = MemoryJournal(log)
    edge = Edge(spec, list(log), journal, doors, sleep=lambda seconds: asyncio.sleep(0))
    outcome = await drive(TECHNIQUES[spec.technique](spec), edge)
    best = next((n for n, round in enumerate(outcome.rounds) if round is outcome.best), None)
    journal.append(Stopped(outcome.reason, best))
    return log, outcome


def play(server: Running, spec: RunSpec, memory: Memory | None = None) -> Played:
    """The run from its beginning to its end."""
    before = server.script.requests

    async def played() -> tuple[list[Record], Outcome]:
        doors = ChatDoors(memory or Memory())
        passing = asyncio.create_task(pass_silences(server, all(endpoint.stream for endpoint in spec.endpoints)))
        try:
            return await drive_run(spec, doors)
        finally:
            passing.cancel()
            await doors.chat.aclose()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        log, outcome = runner.run(played())
    return Played(views.read(log), outcome, log, server.script.requests - before)


async def pass_silences(server: Running, stream: bool) -> None:
    """Moves the time on, once for each time that the server falls silent."""
    passed = server.script.silences
    while True:
        await asyncio.sleep(0.002)
        if server.script.silences > passed:
            passed += 1
            skip(301 if stream else 601)
