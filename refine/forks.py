"""What a run hands on to one that goes on from it: its finished rounds with the notes on them, and its files.

It knows logs and views; nothing of the store, of models or of who executes a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from refine import steps, views
from refine.errors import SettingsError
from refine.events import Event, Noted, Record, RoundEnded
from refine.past import Past
from refine.schema import goes_on
from refine.stops import MAX_ROUNDS
from refine.techniques.guards import MAX_STEPS
from refine.types import Round, RunSpec
from refine.views import RunView


def verify(view: RunView, at_round: int, draft: str | None) -> None:
    """Raises SettingsError where a run cannot go on from that round, or with the author's own `draft`."""
    if not goes_on(view.technique):
        raise SettingsError(
            f"Run {view.run_id} is complete: the technique {view.technique} takes no further round. Start a new run "
            "with its text as the draft."
        )
    if not 0 <= at_round < len(view.rounds):
        raise SettingsError(f"Run {view.run_id} has no round {at_round}: it has {len(view.rounds)}, counted from 0.")
    if draft is not None and not draft.strip():
        raise SettingsError("Your own text is empty. Give a draft, or none to go on from the round's text.")
    if draft is not None and view.spec.role("actor"):
        raise SettingsError(f"Run {view.run_id} has steps, no text that yours could replace. Fork it without a draft.")


def counted(view: RunView, at_round: int, say: str) -> tuple[int, int]:
    """How many rounds count towards the limit there, and the limit: steps are counted for each question anew."""
    most = int(view.spec.stops.get("max_rounds") or 0)
    if view.technique != "react":
        return at_round + 1, most or MAX_ROUNDS
    begun = max(round.n for round in view.rounds[: at_round + 1] if not round.n or steps.step_of(round).question)
    another = bool(say.strip()) or view.rounds[at_round].kind == "approved"
    return 0 if another else at_round + 1 - begun, most or MAX_STEPS


def ended_rounds(records: Sequence[Record]) -> list[tuple[str, Round]]:
    """(place, round) of each round that is done, in order."""
    past = Past(records)
    loop = views.outermost(past)
    return past.ended_rounds(loop) if loop else []


def places(records: Sequence[Record]) -> list[str]:
    """Where in the flow the rounds ended, in order."""
    return [at for at, _ in ended_rounds(records)]


def inherited(records: Sequence[Record], at_round: int) -> list[Event]:
    """The rounds up to that one, and the notes on them."""
    kept = set(places(records)[: at_round + 1])
    events = [record.event for record in records]
    return [event for event in events if isinstance(event, RoundEnded | Noted) and event.at in kept]


def with_copied_files(spec: RunSpec, new: str, home: Path) -> RunSpec:
    """A run of steps leaves the files of the one that it goes on from as they are: it has its own copy."""
    name = spec.options.get("workspace")
    if not name:
        return spec
    from refine.tools import workspace

    try:
        workspace.copy(workspace.folder(home, new), workspace.folder(home, str(name)))
    except OSError as error:
        raise SettingsError(f"The files of the run could not be copied: {error}. Mend that and try again.") from error
    return replace(spec, options={**spec.options, "workspace": new})
