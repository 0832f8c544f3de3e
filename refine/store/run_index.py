"""Table `runs`: what event 0 says of a run, and whether its log stands open. Made from the log alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Literal

from refine.events import TAG, Event, Started, Stopped, Waiting, from_json
from refine.prompts import prompt_hash
from refine.store.packing import stored, text_ids, unpack
from refine.types import RunSpec

State = Literal["open", "waiting", "ended"]
"""open: there is something to do; waiting: for the author."""

TITLE_CHARACTERS = 80
TEXT = "select text from texts where id = ?"
STATE_OF_KIND: dict[str, State] = {"Stopped": "ended", "Waiting": "waiting"}


def state_after(state: State, event: Event) -> State:
    """How a log stands after one more event. Notes may follow the end and change nothing."""
    if state == "ended" or isinstance(event, Stopped):
        return "ended"
    if isinstance(event, Waiting):
        return "waiting"
    return "open"


def state_of(events: Iterable[Event]) -> State:
    state: State = "open"
    for event in events:
        state = state_after(state, event)
    return state


def facts(spec: RunSpec) -> dict[str, str]:
    """The columns of `runs` that event 0 fixes."""
    return {
        "title": _title(spec),
        "technique": spec.technique,
        "variant": spec.variant,
        "models": _models(spec),
        "comparison": str(spec.options.get("comparison", "")),
        "prompts": _prompts(spec),
    }


def index_runs(db: sqlite3.Connection) -> None:
    """Fills the table from the log. For a file that was mended, or made before the table had its columns."""
    for run_id, at, line in db.execute("select run_id, at, event from log where seq = 0").fetchall():
        found = {key: stored(text) for key in text_ids(line) for (text,) in db.execute(TEXT, (key,))}
        started: Started = from_json(Event, unpack(line, found))
        row = {"run_id": run_id, "at": at, "state": _stored_state(db, run_id), **facts(started.spec)}
        db.execute(
            f"insert or replace into runs({', '.join(row)}) values({', '.join('?' * len(row))})", (*row.values(),)
        )


def _stored_state(db: sqlite3.Connection, run_id: str) -> State:
    kinds = [
        json.loads(line)[TAG]
        for (line,) in db.execute("select event from log where run_id = ? order by seq", (run_id,))
    ]
    if "Stopped" in kinds:
        return "ended"
    return STATE_OF_KIND.get(kinds[-1], "open")


def _models(spec: RunSpec) -> str:
    """Every model once as `endpoint/model`, between line ends, so that one can be looked for whole."""
    return _lines(f"{role.endpoint}/{role.model}" for role in spec.roles if role.model)


def _prompts(spec: RunSpec) -> str:
    """The version of every role's prompt as `role/hash`, in the same form."""
    return _lines(f"{role.name}/{prompt_hash(role.prompt)}" for role in spec.roles if role.prompt)


def _lines(names: Iterable[str]) -> str:
    named = dict.fromkeys(names)
    return "".join(f"\n{name}" for name in named) + "\n" if named else ""


def _title(spec: RunSpec) -> str:
    text = spec.task.title or spec.task.draft or spec.task.brief
    first = next((line.strip("#* \t") for line in text.splitlines() if line.strip("#* \t")), "")
    return first[:TITLE_CHARACTERS]
