"""What is measured with: the fake server and what it saw, drafts, runs of a known number of calls, fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import refine
from refine.types import Json
from refine.views import RunView

ENDLESS = "never-satisfied"
"""The character that always finds one more fault: so many rounds, so many calls."""
REVIEWS, CALLS = 3, 5
"""Of one run: three reviews, two rewrites between them."""
PIECES_PER_WRITE = 16
"""What the server sends at once: a server with other users sends several pieces together, and so does a network."""
STORED_WORDS = 265
"""A draft of 1.5 KB."""
KILOBYTE = 1024
PROJECT = Path(__file__).parents[2]


def settings(reviews: int = REVIEWS, **roles: Json) -> dict[str, Json]:
    """So many reviews and no stop before; `roles`: a setting of writer and critic alike."""
    both = {f"role.{role}.{name}": value for role in ("writer", "critic") for name, value in roles.items()}
    return {"stops.max_rounds": reviews, "stops.plateau": "none", **both}


async def refined(url: str, draft: str, model: str = ENDLESS, reviews: int = REVIEWS, **roles: Json) -> RunView:
    """One run of the default prompts, as a program asks for it. Without checks: those are no calls to a model."""
    chosen = settings(reviews, **roles)
    return await refine.arefine_text(draft, base_url=url, model=model, checks="none", set=chosen)


def draft_of(words: int, number: int = 0) -> str:
    """A text of so many words in paragraphs; texts of different numbers differ."""
    stock = ("the", "harbour", "was", "quiet", "before", "dawn", "and", "nobody", "saw", "how", "boats", "came", "in")
    told = [stock[(n * 7 + n // 11 + number) % len(stock)] for n in range(words - 2)]
    sentences = [" ".join(told[n : n + 13]).capitalize() + "." for n in range(0, len(told), 13)]
    paragraphs = [" ".join(sentences[n : n + 5]) for n in range(0, len(sentences), 5)]
    return "\n\n".join(paragraphs) + f" Number {number}."


def home() -> Path:
    """Where runs are kept just now."""
    return Path(os.environ["REFINE_HOME"])


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """These environment variables, and no others that name an endpoint, for as long as the block lasts."""
    before = dict(os.environ)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        os.environ.pop(name, None)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


# --- the fake server -----------------------------------------------------------------------------------------------


@contextmanager
def fake_server() -> Iterator[str]:
    """The shipped fake server in a process of its own, for as long as the block lasts. Gives its base URL."""
    command = [sys.executable, "-m", "refine", "fake", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=_env()) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
        finally:
            server.kill()


def behave(
    url: str,
    *,
    latency: float = 0.0,
    pieces_per_write: int = PIECES_PER_WRITE,
    seconds_per_piece: float = 0.0,
    actor: Sequence[str] = (),
) -> None:
    """Tells the fake server how to behave, and to forget what it has seen; see `fake_server.Script`."""
    _ask(url, "_reset", {})
    roles = {"roles": {"actor": [*actor]}} if actor else {}
    pace = {"pieces_per_write": pieces_per_write, "seconds_per_piece": seconds_per_piece}
    _ask(url, "_script", {"latency": latency, **pace, **roles})


def requests(url: str) -> list[dict[str, Json]]:
    """The bodies of the latest requests (200 at most), oldest first."""
    return [seen["body"] for seen in _ask(url, "_requests")]


def counted(url: str) -> dict[str, int]:
    """What the server has seen since `behave`: requests, input_tokens, output_tokens ..."""
    return dict(_ask(url, "_count"))


def _ask(url: str, path: str, data: Json = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(f"{url.removesuffix('v1')}{path}", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


# --- fresh processes -----------------------------------------------------------------------------------------------


def python(*arguments: object, given: str = "") -> bytes:
    """What a fresh Python prints that is started with these arguments and finds this package."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, input=given.encode(), capture_output=True, check=True, env=_env()).stdout


def _env() -> dict[str, str]:
    """For processes of ours: they find this package wherever the command was given."""
    return {**os.environ, "PYTHONPATH": str(PROJECT)}
