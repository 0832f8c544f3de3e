"""A fake model server: the characters of the scripted model behind an OpenAI-compatible address, with faults on demand.

For tests, teaching and benchmarks. What a reply looks like is in `fake_wire`, what faults there are in `fake_faults`.

    POST /v1/chat/completions            the model name picks the character: steady, lenient, slow ...
         model "steady+drop,times=1"     a fault behind a plus sign; "steady@critic" settles whose part it is
    POST /fault/KIND[,times=N|,every=K|,first=N][,retry_after=S]/v1/chat/completions      the same, by address
         X-Fault: KIND ...               the same, by a header; {"faults": [...]} posted to /_script: one a request
    GET  /v1/models
    GET  /_count                         requests, tokens, open answers and connections, attempts by path, faults shown
    GET  /_requests                      the last requests: path, client, headers, body
    POST /_script                        {"replies": [...], "roles": {"critic": [...]}, "latency": seconds, ...}
    POST /_reset                         forgets counts, requests and scripted replies
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from refine.models.characters import CHARACTERS, DEFAULT, Line, play
from refine.models.conversation import Scene, guess_part, part_of
from refine.models.fake_faults import REPLIES, Fault, read_fault, refusal_of
from refine.models.fake_refusals import Refusal
from refine.models.fake_wire import Wire, streamed, whole, with_fault
from refine.models.scripted import RATE_LIMITED_ATTEMPTS, SLOW_SECONDS, counted
from refine.types import Json, Message, ModelCall, Reply, ToolUse, Usage

FOR_EVER = 86_400.0
KEPT_REQUESTS = 200


class _Dropped(ConnectionError):
    """Raised inside a reply to break the connection off."""


@dataclass
class Script:
    """How the server behaves, and what it has seen."""

    latency: float = 0.0
    """Seconds before an answer begins."""
    seconds_per_piece: float = 0.0
    pieces_per_write: int = 1
    """Pieces that go out in one write: servers under load send many at once."""
    replies: deque[Json] = field(default_factory=deque)
    """Given out one by one before the characters speak: a text, or an object (see `line_of`)."""
    faults: deque[str] = field(default_factory=deque)
    """Faults of the requests to come, one each, "" for none."""
    roles: dict[str, deque[Json]] = field(default_factory=dict)
    """The same for one part only: critic, writer, actor."""
    models: tuple[str, ...] = tuple(CHARACTERS)
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    open: int = 0
    """Answers that are under way."""
    connections: Collection[object] = ()
    """Kept by whoever runs the server."""
    silences: int = 0
    """How often it has fallen silent on purpose."""
    pieces: int = 0
    """Pieces of streams that went out."""
    paths: Counter[str] = field(default_factory=Counter)
    asked_for: Counter[str] = field(default_factory=Counter)
    """How often each fault was asked for, by its text form."""
    shown: Counter[str] = field(default_factory=Counter)
    """How often each kind of fault was shown."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often the character `rate-limited` was asked the same thing."""
    seen: deque[Json] = field(default_factory=lambda: deque(maxlen=KEPT_REQUESTS))

    def count(self) -> dict[str, Json]:
        return {
            "requests": self.requests,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "open": self.open,
            "connections": len(self.connections),
            "paths": dict(self.paths),
            "faults": dict(self.shown),
        }

    def take(self, data: Mapping[str, Json]) -> None:
        """What is posted to /_script."""
        self.replies.extend(data.get("replies", ()))
        self.faults.extend(data.get("faults", ()))
        for role, replies in data.get("roles", {}).items():
            self.roles.setdefault(role, deque()).extend(replies)
        self.latency = float(data.get("latency", self.latency))
        self.seconds_per_piece = float(data.get("seconds_per_piece", self.seconds_per_piece))
        self.pieces_per_write = int(data.get("pieces_per_write", self.pieces_per_write))
        self.models = tuple(data.get("models", self.models))

    def reset(self) -> None:
        self.requests = self.input_tokens = self.output_tokens = self.cached_tokens = self.reasoning_tokens = 0
        counted = self.paths, self.asked_for, self.shown, self.asked
        for kept in (self.replies, self.faults, self.roles, self.seen, *counted):
            kept.clear()

    def count_tokens(self, usage: Usage) -> None:
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cached_tokens += usage.cached_tokens
        self.reasoning_tokens += usage.reasoning_tokens

    def next_reply(self, part: str) -> Json:
        """The next scripted reply for this part; None: the character speaks."""
        own = self.roles.get(part)
        return own.popleft() if own else self.replies.popleft() if self.replies else None


# --- what a request asks for -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """One request, read."""

    body: Mapping[str, Any]
    character: str
    scene: Scene
    fault: Fault | None
    key: str

    @property
    def limit(self) -> int | None:
        return self.body.get("max_completion_tokens") or self.body.get("max_tokens")


def _read(body: Mapping[str, Any], told: str, key: str, script: Script) -> _Asked:
    """`told`: the fault that address, header or script name; one behind the model's name comes last."""
    name, _, suffix = str(body.get("model", "")).partition("+")
    character, _, part = name.partition("@")
    messages = tuple(_message(message) for message in body.get("messages", ()))
    tools = tuple(body.get("tools") or ())
    form = body.get("response_format") or {}
    scene = Scene(
        part_of(part) if part else guess_part(messages, tools),
        messages,
        tools,
        form.get("json_schema"),
        bool(form) or "Answer with one JSON object" in str(body.get("messages")),
        int(body.get("seed") or 0),
    )
    text = told or suffix
    fault = read_fault(text)
    if fault is not None:
        script.asked_for[text] += 1
        fault = fault if fault.strikes(script.asked_for[text]) else None
    return _Asked(body, character or DEFAULT, scene, fault, key)


def _message(data: Mapping[str, Any]) -> Message:
    content = data.get("content") or ""
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    uses = tuple(
        ToolUse(call.get("id", ""), call["function"]["name"], call["function"].get("arguments", ""))
        for call in data.get("tool_calls") or ()
    )
    return Message(str(data.get("role", "")), (text,), uses, data.get("tool_call_id"))


def line_of(reply: Json) -> Line:
    """A scripted reply: a text, or an object with content, reasoning, refusal, tool_calls, finish_reason. Beside them
    it may hold a fault, usage, or the status, error and headers of a refusal."""
    if isinstance(reply, str):
        return Line(reply)
    uses = tuple(
        ToolUse(use.get("id", f"call_{number}"), use["name"], _arguments(use.get("arguments", {})))
        for number, use in enumerate(reply.get("tool_calls", ()))
    )
    return Line(
        reply.get("content", ""),
        reply.get("reasoning", ""),
        reply.get("refusal", ""),
        uses,
        reply.get("finish_reason", "tool_calls" if uses else "stop"),
    )


def _arguments(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- the app -----------------------------------------------------------------------------------------------


def build(script: Script) -> Starlette:
    """The server as an app. `script` says how it behaves and keeps what it has seen."""

    async def chat(request: Request) -> Response:
        try:
            body = json.loads(await request.body())
        except ValueError:
            return JSONResponse({"error": {"message": "The body is not JSON."}}, 400)
        _note(script, request, body)
        told = request.path_params.get("fault") or request.headers.get("x-fault") or ""
        told = told or (script.faults.popleft() if script.faults else "")
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        asked = _read(body, told, key, script)
        return await _answer(script, request, asked)

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in script.models]})

    async def count(request: Request) -> Response:
        return JSONResponse(script.count())

    async def requests(request: Request) -> Response:
        return JSONResponse(list(script.seen))

    async def take(request: Request) -> Response:
        script.take(await request.json())
        return JSONResponse({"replies": len(script.replies)})

    async def reset(request: Request) -> Response:
        script.reset()
        return JSONResponse(script.count())

    return Starlette(
        routes=[
            Route("/v1/chat/completions", chat, methods=["POST"]),
            Route("/fault/{fault}/v1/chat/completions", chat, methods=["POST"]),
            Route("/v1/models", models),
            Route("/fault/{fault}/v1/models", models),
            Route("/_count", count),
            Route("/_requests", requests),
            Route("/_script", take, methods=["POST"]),
            Route("/_reset", reset, methods=["POST"]),
        ]
    )


def _note(script: Script, request: Request, body: Json) -> None:
    script.requests += 1
    script.paths[request.url.path] += 1
    client = f"{request.client.host}:{request.client.port}" if request.client else ""
    script.seen.append({"path": request.url.path, "client": client, "headers": dict(request.headers), "body": body})


async def _answer(script: Script, request: Request, asked: _Asked) -> Response:
    fault = asked.fault
    await _wait(script, request, FOR_EVER if fault and fault.kind == "silence" else script.latency)
    scripted = script.next_reply(asked.scene.part)
    if isinstance(scripted, dict):
        if "status" in scripted:
            return _refuse(Refusal(scripted["status"], scripted.get("error", ""), scripted.get("headers", {})))
        fault = read_fault(scripted.get("fault", "")) or fault
    refused = refusal_of(fault, asked.body, asked.key) if fault else None
    kind = fault.kind if fault and fault.kind in REPLIES else ""
    if refused or kind:
        script.shown[fault.kind if fault else ""] += 1
    if refused := refused or _by_trade(script, asked):
        return _refuse(refused)
    line = play(asked.character, asked.scene) if scripted is None else line_of(scripted)
    line = with_fault(line, kind, asked.limit)
    usage = _usage(asked, line, scripted)
    script.count_tokens(usage)
    wire = Wire(f"chatcmpl-{script.requests}", str(asked.body.get("model", "")), line, usage, kind)
    if not asked.body.get("stream") or kind == "plain_json":
        return StreamingResponse(_whole(script, wire), media_type="application/json")
    pause = max(script.seconds_per_piece, SLOW_SECONDS if asked.character == "slow" else 0.0)
    return StreamingResponse(_stream(script, wire, asked, pause), media_type="text/event-stream")


def _by_trade(script: Script, asked: _Asked) -> Refusal | None:
    """What the characters `failing` and `rate-limited` answer with."""
    if asked.character == "failing":
        return Refusal(500, {"error": {"message": "failing by trade", "type": "server_error"}})
    if asked.character == "rate-limited":
        same = json.dumps(asked.body.get("messages"))
        script.asked[same] += 1
        if script.asked[same] <= RATE_LIMITED_ATTEMPTS:
            error = {"message": "too many requests", "type": "rate_limit_error", "code": "rate_limit_exceeded"}
            return Refusal(429, {"error": error}, {"retry-after": "0"})
    return None


def _refuse(refusal: Refusal) -> Response:
    headers = dict(refusal.headers)
    if isinstance(refusal.body, str):
        return HTMLResponse(refusal.body, refusal.status, headers)
    return JSONResponse(refusal.body, refusal.status, headers)


def _usage(asked: _Asked, line: Line, scripted: Json) -> Usage:
    given = scripted.get("usage") if isinstance(scripted, dict) else None
    if given:
        return Usage(**given)
    reply = Reply(line.content, line.reasoning, line.refusal, line.tool_calls)
    return counted(ModelCall("", asked.scene.messages), reply)


async def _wait(script: Script, request: Request, seconds: float) -> None:
    """Waits before an answer; a client that goes away ends the wait."""
    if not seconds:
        return
    script.open += 1
    script.silences += seconds == FOR_EVER
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while (await request.receive())["type"] != "http.disconnect":
                    pass
    finally:
        script.open -= 1


async def _whole(script: Script, wire: Wire) -> AsyncIterator[bytes]:
    script.open += 1
    try:
        text = whole(wire)
        if wire.fault in ("drop", "stall"):
            yield text[: len(text) // 2]
            await _strike(script, wire)
        yield text
    finally:
        script.open -= 1


async def _stream(script: Script, wire: Wire, asked: _Asked, pause: float) -> AsyncIterator[bytes]:
    script.open += 1
    waiting: list[bytes] = []
    try:
        for event, data in streamed(wire, bool((asked.body.get("stream_options") or {}).get("include_usage"))):
            waiting.append(data)
            script.pieces += 1
            if event == "half" and wire.fault in ("drop", "stall", "cut"):
                yield b"".join(waiting)
                if wire.fault == "cut":
                    return
                await _strike(script, wire)
            if event == "end" or len(waiting) >= (1 if pause else script.pieces_per_write):
                yield b"".join(waiting)
                waiting = []
                if pause:
                    await asyncio.sleep(pause)
    finally:
        script.open -= 1


async def _strike(script: Script, wire: Wire) -> None:
    if wire.fault == "stall":
        script.silences += 1
        await asyncio.sleep(FOR_EVER)
    # What was written before has to leave first.
    await asyncio.sleep(0.01)
    raise _Dropped("dropped on purpose")


# --- running it --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Running:
    """A fake server that runs in a thread of this process."""

    script: Script
    port: int
    scheme: str = "http"

    @property
    def url(self) -> str:
        """The base URL for an endpoint."""
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    def fault(self, text: str) -> str:
        """The base URL under which every reply has this fault."""
        return f"{self.scheme}://127.0.0.1:{self.port}/fault/{text}/v1"


@contextlib.contextmanager
def running(script: Script | None = None, port: int = 0, certificate: str | None = None) -> Iterator[Running]:
    """A fake server for as long as the `with` block lasts.

    Args:
        port: 0 = any free one.
        certificate: a file that holds one and its key; with it, the server speaks TLS.
    """
    script = script or Script()
    listener = _listener("127.0.0.1", port)
    server = _server(script, certificate)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield Running(script, listener.getsockname()[1], "https" if certificate else "http")
    finally:
        server.should_exit = server.force_exit = True
        thread.join(5)
        listener.close()


def serve(port: int, host: str = "127.0.0.1") -> None:
    """Runs the server until it is interrupted. The first line it prints is its address."""
    listener = _listener(host, port)
    print(f"Fake model server at http://{host}:{listener.getsockname()[1]}/v1", flush=True)
    print(f"Models: {', '.join(CHARACTERS)}", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        _server(Script()).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    """Bound and listening before the server starts: a client that comes early waits and is not refused."""
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    # Connections inherit it. Else the second small write of a reply waits 40 ms for the client's word on the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _server(script: Script, certificate: str | None = None) -> uvicorn.Server:
    app = build(script)
    config = uvicorn.Config(
        app,
        log_level="critical",
        lifespan="off",
        access_log=False,
        timeout_graceful_shutdown=1,
        ssl_certfile=certificate,
    )
    server = uvicorn.Server(config)
    script.connections = server.server_state.connections
    return server
