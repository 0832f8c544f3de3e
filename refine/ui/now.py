"""What a run that has not ended is about just now: the text being reviewed, what the checks said. Reads the log."""

from __future__ import annotations

from collections.abc import Sequence

from refine.events import Called, Event, Failed, Record, Replied, RoundEnded, RoundRestarted, from_json
from refine.live_route import written
from refine.replies import read_draft
from refine.types import CheckCall, Finding
from refine.views import RunView


def text_now(view: RunView, records: Sequence[Record]) -> str:
    """The text of the round that has not ended: as the checks read it, else the writer's, else the author's."""
    checked = [call.text for call in _checks(records).values()]
    if checked:
        return checked[-1]
    said = written(records)
    token = str(view.spec.options.get("token") or "APPROVED")
    return (said and read_draft(said.text, token)) or base_now(view)


def base_now(view: RunView) -> str:
    """What that round begins with: the author's own edit, else the best text so far, else the draft."""
    edits = [note.text for note in view.rounds[-1].notes if note.kind == "edit"] if view.rounds else []
    return edits[-1] if edits else view.text or view.spec.task.draft


def checked_now(view: RunView, records: Sequence[Record]) -> tuple[Finding, ...]:
    """What the checks found in that text so far."""
    text, checks = text_now(view, records), _checks(records)
    replies = [event for event in _unfinished(records) if isinstance(event, Replied) and event.at in checks]
    about = [reply.reply.value or () for reply in replies if checks[reply.at].text == text]
    return tuple(from_json(Finding, finding) for findings in about for finding in findings)


def seconds_now(view: RunView, records: Sequence[Record], now: float) -> float:
    """Driving time so far, that of the call in flight included."""
    at_work = view.status == "running" and any(isinstance(record.event, Called) for record in records[-1:])
    return view.seconds + (max(0.0, now - records[-1].at) if at_work else 0.0)


def pause_left(records: Sequence[Record], now: float) -> float:
    """Seconds until the next attempt, where a server asked for a pause or an attempt failed; 0 = nobody waits."""
    last = records[-1]
    wait = last.event.wait if isinstance(last.event, Failed) else None
    return max(0.0, last.at + wait - now) if wait else 0.0


def _checks(records: Sequence[Record]) -> dict[str, CheckCall]:
    made = [event for event in _unfinished(records) if isinstance(event, Called)]
    return {event.at: event.call for event in made if isinstance(event.call, CheckCall)}


def _unfinished(records: Sequence[Record]) -> list[Event]:
    """What happened since the last round ended."""
    ends = [n for n, record in enumerate(records) if isinstance(record.event, RoundEnded | RoundRestarted)]
    return [record.event for record in records[ends[-1] + 1 if ends else 0 :]]
