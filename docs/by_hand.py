"""Replies written by hand, spoken through the door of the scripted model: for the shipped example and for pictures.

Everything else of such a run is real: checks, verdicts, rounds, record. The role's model says whose words they are.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from refine.doors import world_doors
from refine.errors import ModelError
from refine.live import LiveTexts
from refine.models.scripted import counted, pieces
from refine.models.usage import NOTHING
from refine.perform import OnText
from refine.runs import Order, Workbench
from refine.settings import Keys, load
from refine.store import Store
from refine.types import Endpoint, ModelCall, Reply, Role

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"
MODEL = "example"
"""The name under which the replies written by hand stand on record."""
Plan = Mapping[str, Any]


def plans() -> Mapping[str, Plan]:
    """Language -> draft, variant and replies of the example."""
    found: Mapping[str, Plan] = YAML(typ="safe").load((SAMPLES / "finished.yaml").read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Halfway:
    """Of this reply only the first part comes, and then nothing until somebody stops the run."""

    said: Any
    share: float = 0.55


FAILS = "fails"
"""In the place of a reply: the server fails."""


class ByHand:
    """Gives each role's replies in their order: a verdict, the writer's edits, or a text."""

    def __init__(self, replies: Mapping[str, Sequence[Any]]) -> None:
        self._replies: dict[str, Iterator[Any]] = {role: iter(said) for role, said in replies.items()}

    async def __call__(
        self, endpoint: Endpoint, role: Role, call: ModelCall, *, seed: int | None, on_text: OnText, attempt: int
    ) -> Reply:
        said = next(self._replies[role.name])
        if said == FAILS:
            raise ModelError("key", "The server says: this key is no longer valid.", status=401, usage=NOTHING)
        text = spoken(said.said if isinstance(said, Halfway) else said, call)
        if isinstance(said, Halfway):
            await begin(text, said.share, on_text)
        reply = Reply(text)
        return replace(reply, usage=counted(call, reply))

    async def aclose(self) -> None: ...


async def begin(text: str, share: float, on_text: OnText) -> None:
    """Sends the first part of a text and never comes back by itself."""
    words = pieces(text)
    for word in words[: int(len(words) * share)]:
        on_text("text", word)
        await asyncio.sleep(0.01)
    await asyncio.Event().wait()


def spoken(said: Any, call: ModelCall) -> str:
    if isinstance(said, str):
        return said
    return verdict(said) if "verdict" in said else edited(draft_in(call), said)


def verdict(said: Mapping[str, Any]) -> str:
    names = ("severity", "dimension", "quote", "remark", "suggestion")
    findings = [dict(zip(names, finding, strict=True)) for finding in said["findings"]]
    data = {"findings": findings, "score": said["score"], "verdict": said["verdict"]}
    return json.dumps(data, ensure_ascii=False, indent=2)


def draft_in(call: ModelCall) -> str:
    sent = call.messages[-1].content
    return sent.partition("<draft>")[2].rpartition("</draft>")[0].strip("\n")


def edited(draft: str, edits: Mapping[str, str]) -> str:
    for old, new in edits.items():
        draft = draft.replace(old, new)
    return draft


def bench_of(home: Path, replies: Mapping[str, Sequence[Any]]) -> Workbench:
    """The workbench of a home folder (`REFINE_HOME` must name it) whose scripted model says this."""
    settings = load()
    keys, store = Keys(home), Store.open(home)

    def publish(run_id: str, at: str, role: str, text: str) -> None:
        store.live_put(run_id, at, role, text)

    doors = world_doors(settings, keys, store)
    doors = replace(doors, clients={**doors.clients, "scripted": ByHand(replies)})
    return Workbench(settings, store, doors, keys, LiveTexts(publish))


def start(bench: Workbench, plan: Plan, run_id: str, title: str = "", changes: Mapping[str, str] | None = None) -> str:
    """A new run on the plan's draft, both roles played by hand; not queued."""
    roles = {f"role.{role}.{name}": value for role in ("writer", "critic")
             for name, value in (("endpoint", "scripted"), ("model", MODEL))}  # fmt: skip
    draft = (SAMPLES / plan["draft"]).read_text(encoding="utf-8")
    order = Order(draft, title=title, variant=plan["variant"], changes={**roles, **(changes or {})}, somebody=True)
    return bench.start(bench.prepare(order), queue=False, run_id=run_id)
