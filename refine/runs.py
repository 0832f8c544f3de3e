"""The use-cases: start a run, go on with it, cancel it, answer it, fork it, read it. Pages and commands call these.

Whoever executes a run reads what the author sent to it from the store's inbox, so any process may send.
"""

from __future__ import annotations

import asyncio
import copy
import datetime
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from refine import limits, steps, stops, variants, views, words
from refine.doors import PRICES_FILE, find_endpoint, needs_key, read_prices, verify_steps
from refine.errors import SettingsError
from refine.events import (
    Event,
    Noted,
    Record,
    RoundEnded,
    RoundRestarted,
    Started,
    Stopped,
    from_json,
    to_json,
)
from refine.forecast import Habit, Model, habit_of
from refine.ledger import Ledger
from refine.live import LiveTexts
from refine.loop import drive
from refine.models import prices
from refine.own_files import Kept
from refine.past import Past
from refine.perform import Changed, Doors, Edge, Inbox, Live, Suspended
from refine.schema import goes_on
from refine.settings import Keys, Settings, read_words
from refine.stops import MAX_ROUNDS
from refine.store import Store
from refine.store.journal import RunLog
from refine.techniques import TECHNIQUES
from refine.techniques.guards import MAX_STEPS
from refine.text.language import language_of
from refine.types import Endpoint, Finding, Json, ModelCall, Note, Role, Round, RunSpec, Task, Usage, Worst
from refine.views import RunView

if TYPE_CHECKING:
    from refine.worker import Worker

LISTEN = 0.1
"""Seconds between two looks for news from the author."""

LONGEST = 1_000_000
"""Characters of a draft: a long novel. Checks and models read the whole text in every round."""
MOST_HABITS = 64
"""So many are remembered: those of a model in the same runs before."""
MORE_ROUNDS = 2
"""How many rounds going on after the end adds."""
MEASURING = ("measure", "prefer")
"""Techniques that hold a text against others, which stand among their options."""


@dataclass(frozen=True)
class Order:
    """What a person asked for; `Workbench.prepare` makes a `RunSpec` of it."""

    draft: str = ""
    brief: str = ""
    title: str = ""
    variant: str | None = None
    technique: str | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    """`--set` keys and values."""
    checks: str | None = None
    """None = the variant's; "none" or a list of names with commas."""
    language: str = ""
    words: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """Phrases that must survive."""
    somebody: bool = False
    """Can somebody answer a question?"""
    result_checks: tuple[Json, ...] = ()
    """What an actor's answer has to pass: see `tools.results`."""


class Workbench:
    """One process's hands on a home folder."""

    def __init__(self, settings: Settings, store: Store, doors: Doors, keys: Keys, live: LiveTexts) -> None:
        self.settings, self.store, self.keys, self.live = settings, store, keys, live
        self._doors = doors
        self._edges: dict[str, Edge] = {}
        self._inboxes: dict[str, Inbox] = {}
        self._habits: dict[tuple[Model | str, ...], Habit] = {}
        self._prices = Kept(settings.home / PRICES_FILE, read_prices)

    def of_session(self, keys: Keys) -> Workbench:
        """The same hands for one browser session: keys typed in it serve its own runs only."""
        mine = copy.copy(self)
        mine.keys = keys
        return mine

    # --- before a run ----------------------------------------------------------------------------------------

    def prepare(self, order: Order) -> RunSpec:
        """The run's event 0. Raises SettingsError for whatever cannot work, before anything is stored or sent."""
        name = order.variant or self.default_variant(order.technique or "")
        variant = variants.load(name, own=self.settings.home / "prompts")
        spec = variants.apply_set(variant.spec, order.changes)
        draft = order.draft
        if not draft.strip() and not order.brief.strip():
            raise SettingsError("There is nothing to work on: the draft is empty. Give a draft or a brief.")
        if len(draft) > LONGEST:
            raise SettingsError(f"The draft has {len(draft):,} characters, and a run takes {LONGEST:,}: split it.")
        language = order.language or language_of(draft or order.brief) or "en"
        task = Task(
            order.title,
            draft if draft.strip() else "",
            order.brief,
            language,
            words=tuple(dict.fromkeys((*order.words, *read_words(self.settings.home)))),
            keep=order.keep,
            result_checks=order.result_checks,
        )
        spec = replace(
            spec,
            technique=order.technique or spec.technique,
            task=task,
            tools=_declared(spec, language),
            checks=_chosen_checks(spec, order),
            options={**spec.options, "somebody": order.somebody},
            roles=tuple(self._with_model(role) for role in spec.roles),
            endpoints=tuple(e for e in self.settings.endpoints.values() if e.name == "given"),
        )
        self.verify(spec)
        return spec

    def default_variant(self, technique: str = "") -> str:
        if technique == "react":
            return "react" if self.settings.default_endpoint else "react-tiny"
        return "polish" if self.settings.default_endpoint else "offline"

    def _with_model(self, role: Role) -> Role:
        endpoint = role.endpoint or self.settings.default_endpoint
        return replace(role, endpoint=endpoint, model=role.model or self._model_of(role, endpoint))

    def _model_of(self, role: Role, name: str) -> str:
        if not name:
            raise SettingsError(
                f"The {role.name} needs a model, and no endpoint is set. Set OPENAI_API_KEY or OPENAI_BASE_URL, "
                "give --base-url, or use the variant offline."
            )
        if self.settings.model:
            return self.settings.model
        endpoint = self.settings.endpoints.get(name)
        offered = self.models(endpoint) if endpoint and endpoint.kind == "openai" else []
        if len(offered) == 1:
            return offered[0]
        found = f"it offers {len(offered)}" if offered else "none is named"
        raise SettingsError(
            f"Which model should the {role.name} use at {name!r}? {found}: set REFINE_MODEL or give --model."
        )

    def models(self, endpoint: Endpoint) -> list[str]:
        """The models an endpoint offers; none where it does not say."""
        from refine.models.openai_chat import list_models

        return list_models(endpoint, self.keys)

    def verify(self, spec: RunSpec) -> None:
        """Raises SettingsError for whatever cannot work."""
        if spec.technique not in TECHNIQUES:
            raise SettingsError(f"Unknown technique {spec.technique!r}: known are {', '.join(TECHNIQUES)}.")
        if spec.technique in ("single", "best_of_n") and not spec.role("writer"):
            raise SettingsError(
                f"The technique {spec.technique} needs a writer, and this variant has none. Choose another variant."
            )
        if missing := _missing_judges(spec):
            raise SettingsError(missing)
        if (spec.technique == "react") != bool(spec.role("actor")):
            needs = "needs an actor" if spec.technique == "react" else "has no use for an actor"
            raise SettingsError(
                f"The technique {spec.technique} {needs}: the variant {spec.variant!r} does not fit it."
            )
        if spec.technique == "react" and not spec.task.brief.strip():
            raise SettingsError("The technique react needs a question to work on, and got none. Give it as the brief.")
        if not spec.task.draft and not (spec.role("writer") or spec.role("actor")):
            raise SettingsError("There is no draft, and this variant has no writer to make one. Give a draft.")
        if not spec.roles and not spec.checks:
            raise SettingsError("Nobody would review the text: this variant has no critic and all checks are off.")
        verify_steps(spec, self.settings.home)
        for role in spec.roles:
            endpoint = find_endpoint(spec, self.settings.endpoints, role)
            if needs_key(endpoint) and self.keys.find(endpoint) is None:
                raise SettingsError(
                    f"The key for {endpoint.name!r} is missing: set the environment variable {endpoint.key}, "
                    "give --api-key, or use the variant offline, which needs none."
                )
        if spec.limits.get("money"):
            self._verify_money(spec)

    def _verify_money(self, spec: RunSpec) -> None:
        """A limit on money needs prices in one currency, or a limit on tokens beside it."""
        worst = self.worst_cases(spec)
        unknown = [role for role, most in worst if most.money is None]
        if unknown and not {**limits.DEFAULTS, **spec.limits}["tokens"]:
            raise SettingsError(
                f"The money limit cannot be kept: the price of {unknown[0].model!r} at {unknown[0].endpoint!r} is not "
                "known, and the limit on tokens is off. Give the price in prices.yaml, or set limits.tokens."
            )
        currencies = dict.fromkeys(most.currency for _, most in worst if most.money)
        if len(currencies) > 1:
            raise SettingsError(
                f"The money limit cannot be kept: the models are paid in {' and '.join(currencies)}. Give their prices "
                "in one currency in prices.yaml, or set limits.tokens instead."
            )

    def unkept(self, spec: RunSpec) -> list[str]:
        """What a limit on money will not count, in words."""
        if not spec.limits.get("money"):
            return []
        roles = [role for role, most in self.worst_cases(spec) if most.money is None]
        return list(dict.fromkeys(limits.unkept(role.model, role.endpoint, spec.limits) for role in roles))

    def priced(self, spec: RunSpec, role: Role, usage: Usage) -> Usage:
        """The same usage with its cost, where the price is known; for `forecast`."""
        endpoint = find_endpoint(spec, self.settings.endpoints, role)
        return prices.priced(endpoint, role.model, usage, self._prices)

    def worst_cases(self, *specs: RunSpec) -> list[tuple[Role, Worst]]:
        """Each role, with the most that a call of it can use beside its prompt."""
        return [(role, self.worst(spec, ModelCall(role.name, ()))) for spec in specs for role in spec.roles]

    def worst(self, spec: RunSpec, call: ModelCall) -> Worst:
        """The most that a call can use."""
        return self._doors.worst(spec, call)

    def habits(self, spec: RunSpec, before: float | None = None) -> dict[Model, Habit]:
        """How the models of a run were in the runs before, or before a moment; for `forecast`."""
        return {model: self._habit(model, before) for model in {(role.endpoint, role.model) for role in spec.roles}}

    def _habit(self, model: Model, before: float | None) -> Habit:
        runs = self.store.runs_of(*model, before=before)
        if not runs:
            return Habit()
        found = self._habits.get((model, *runs))
        if found is None:
            if len(self._habits) >= MOST_HABITS:
                self._habits.clear()
            logs = [self.store.records(run_id) for run_id in runs]
            found = habit_of(model, [(cast(Started, log[0].event).spec, log) for log in logs if log])
            self._habits[model, *runs] = found
        return found

    # --- commands --------------------------------------------------------------------------------------------

    def start(self, spec: RunSpec, *, queue: bool = True, priority: int = 0, run_id: str | None = None) -> str:
        """Stores event 0 and returns the run's id. With `queue`, the worker of this folder will execute it.

        What a comparison's run was told to do may be started as well: the new run is the author's own.
        """
        run_id = run_id or new_id()
        spec = _of_author(spec)
        self.keys.lend(run_id)
        self.store.create(run_id, _with_workspace(spec, run_id), queue=queue, priority=priority)
        return run_id

    async def started(self, order: Order, run_id: str) -> None:
        """Prepares a run that this event loop will execute, and stores its event 0. Many at once share a commit."""
        spec = await asyncio.to_thread(self.prepare, order)
        await asyncio.wrap_future(self.store.creating(run_id, _with_workspace(spec, run_id), queue=False))

    def cancel(self, run_id: str) -> None:
        """A stop by the author: whoever drives the run closes its open calls; a run nobody drives ends here."""
        self.store.cancel(run_id)

    def pause(self, run_id: str) -> None:
        """The author wants to look before the run goes on: it waits where its next round ends without an approval."""
        self.store.inbox_put(run_id, "pause")

    def answer(self, run_id: str, text: str, *, queue: bool = True) -> None:
        """Answers the run's open question. Raises SettingsError if it has none."""
        question = self.read(run_id).question
        if question is None:
            raise SettingsError(f"Run {run_id} asks nothing just now: see `show {run_id}`.")
        if question.question == "key_missing":
            self._take_key(run_id, question.about, text)
        elif question.question == "review":
            added = [Note("add", finding=remark(text))] if text.strip() else []
            self.store.inbox_put(run_id, "notes", {"at": question.at, "notes": to_json(tuple(added))})
        else:
            self.store.inbox_put(run_id, "answer", {"at": question.at, "text": text})
        if queue:
            self.store.enqueue(run_id)

    def _take_key(self, run_id: str, name: str, key: str) -> None:
        """Whoever types a key for a run lends it to that run."""
        spec = self.read(run_id).spec
        asked = {role.endpoint: find_endpoint(spec, self.settings.endpoints, role) for role in spec.roles}
        if key.strip():
            self.keys.put(name, key, asked[name].base_url)
        self.keys.give_back(run_id)
        self.keys.lend(run_id)

    def note(self, run_id: str, notes: Sequence[Note]) -> None:
        """Gives the author's notes to a run: at its open review, at its next round end, or after its end."""
        view = self.read(run_id)
        if view.ended:
            at = self._round_places(run_id)[-1:] or ["0"]
            records = self.store.records(run_id)
            self.store.append(run_id, len(records), [Noted(at[0], tuple(notes))], urgent=True).result()
            self._summarise(self.store.records(run_id))
            return
        at_review = view.question.at if view.question and view.question.question == "review" else ""
        self.store.inbox_put(run_id, "notes", {"at": at_review, "notes": to_json(tuple(notes))})
        self.store.enqueue(run_id)

    def fork(
        self,
        run_id: str,
        at_round: int,
        *,
        changes: Mapping[str, str] | None = None,
        draft: str | None = None,
        say: str = "",
        queue: bool = True,
        new: str | None = None,
    ) -> str:
        """A new run that goes on from round `at_round`; its earlier rounds are shown, not paid again.

        Args:
            changes: `--set` keys and values for the new run. Where the round limit would end it at once and is not
                among them, it is raised.
            draft: the author's own text instead of that round's; it is reviewed first.
            say: what should be different; becomes a finding that must be met.
            new: the new run's id, for who has to know it beforehand.
        """
        view = self.read(run_id)
        if not goes_on(view.technique):
            raise SettingsError(
                f"Run {run_id} is complete: the technique {view.technique} takes no further round. Start a new run "
                "with its text as the draft."
            )
        if not 0 <= at_round < len(view.rounds):
            raise SettingsError(f"Run {run_id} has no round {at_round}: it has {len(view.rounds)}, counted from 0.")
        if draft is not None and not draft.strip():
            raise SettingsError("Your own text is empty. Give a draft, or none to go on from the round's text.")
        if draft is not None and view.spec.role("actor"):
            raise SettingsError(f"Run {run_id} has steps, no text that yours could replace. Fork it without a draft.")
        changes = dict(changes or {})
        done, most = _counted(view, at_round, say)
        if done >= most:
            changes.setdefault("stops.max_rounds", str(done + MORE_ROUNDS))
        spec = replace(variants.apply_set(_of_author(view.spec), changes), parent=(run_id, at_round))
        if "options.tools" in changes:
            spec = replace(spec, tools=_declared(spec, spec.task.language))
        self.verify(spec)
        inherited = self._inherited(run_id, at_round)
        notes = [Note("edit", draft)] if draft is not None else []
        notes += [Note("add", finding=remark(say))] if say.strip() else []
        if notes:
            inherited.append(Noted(self._round_places(run_id)[at_round], tuple(notes)))
        new = new or new_id()
        if "options.workspace" not in changes:
            spec = self._with_copied_files(spec, new)
        self.keys.lend(new)
        self.store.create(new, _with_workspace(spec, new), queue=queue, inherited=inherited)
        return new

    def _with_copied_files(self, spec: RunSpec, new: str) -> RunSpec:
        """A run of steps leaves the files of the one that it goes on from as they are: it has its own copy."""
        name = spec.options.get("workspace")
        if not name:
            return spec
        from refine.tools import workspace

        home = self.settings.home
        try:
            workspace.copy(workspace.folder(home, new), workspace.folder(home, str(name)))
        except OSError as error:
            raise SettingsError(
                f"The files of the run could not be copied: {error}. Mend that and try again."
            ) from error
        return replace(spec, options={**spec.options, "workspace": new})

    def changed_since(self, run_id: str, at_round: int) -> list[str]:
        """The files of a run of steps that were written after that step: a fork from it finds them as they are now."""
        name = self.read(run_id).spec.options.get("workspace")
        if not name:
            return []
        from refine.tools import workspace

        place = workspace.folder(self.settings.home, str(name))
        return workspace.changed_since(place, self._ended_at(run_id, at_round))

    def _ended_at(self, run_id: str, at_round: int) -> float:
        """When a round ended, in the run that took it."""
        records = self.store.records(run_id)
        parent = cast(Started, records[0].event).spec.parent
        if parent and at_round <= parent[1] and self.store.exists(parent[0]):
            return self._ended_at(parent[0], at_round)
        at = self._round_places(run_id)[at_round]
        return next(record.at for record in records if isinstance(record.event, RoundEnded) and record.event.at == at)

    def again(self, run_id: str, *, changes: Mapping[str, str] | None = None, brief: str = "") -> str:
        """The same order from its start. Files that were made for the first run are made anew for this one.

        Args:
            changes: `--set` keys and values.
            brief: the question instead of the first run's.
        """
        spec = variants.apply_set(self.read(run_id).spec, changes or {})
        if brief:
            spec = replace(spec, task=replace(spec.task, brief=brief, title=""))
        return self.start(afresh(spec, run_id))

    def go_on(self, run_id: str, more: int = MORE_ROUNDS, say: str = "") -> str:
        """At most `more` rounds after the end, from the best round or the one picked: a fork with a higher limit.

        Where the run would end again at once, as after an approval, asking for more is a remark of its own.
        """
        spec, rounds = self.read(run_id).spec, tuple(round for _, round in self._ended_rounds(run_id))
        if not rounds:
            raise SettingsError(f"Run {run_id} has no finished round to go on from. Start a new run.")
        most = len(rounds) + more
        if not say.strip() and any(stop(rounds) for stop in stops.of({**spec.stops, "max_rounds": most})):
            say = words.of(spec.task.language).GO_ON
        return self.fork(run_id, len(rounds) - 1, changes={"stops.max_rounds": str(most)}, say=say)

    def _ended_rounds(self, run_id: str) -> list[tuple[str, Round]]:
        past = Past(self.store.records(run_id))
        loop = views.outermost(past)
        return past.ended_rounds(loop) if loop else []

    def _round_places(self, run_id: str) -> list[str]:
        return [at for at, _ in self._ended_rounds(run_id)]

    def _inherited(self, run_id: str, at_round: int) -> list[Event]:
        kept = set(self._round_places(run_id)[: at_round + 1])
        events = [record.event for record in self.store.records(run_id)]
        return [event for event in events if isinstance(event, RoundEnded | Noted) and event.at in kept]

    # --- reading ---------------------------------------------------------------------------------------------

    def read(self, run_id: str) -> RunView:
        return views.read(self.store.records(run_id))

    def _summarise(self, records: Sequence[Record]) -> RunView:
        view = views.read(records)
        self.store.summarise(view.run_id, views.row(view))
        return view

    # --- executing -------------------------------------------------------------------------------------------

    async def execute(self, run_id: str) -> RunView:
        """Drives a run until it ends or has to wait, and returns what became of it.

        Replays what is on record. Raises Lost if another process drives it.
        """
        while True:
            records = self.store.records(run_id)
            if any(isinstance(record.event, Stopped) for record in records):
                self._forget(run_id)
                self.keys.give_back(run_id)
                return views.read(records)
            journal = self.store.run_log(run_id, len(records), _ledger_of(records))
            try:
                with self.keys.serving(run_id):
                    await self._drive(run_id, records, journal)
            except Changed as changed:
                journal.append(RoundRestarted(changed.at))
                await journal.durable()
                self._inboxes[run_id].answers.clear()  # they were about texts that are void now
                continue
            except Suspended:
                await journal.durable()
                if self._inboxes[run_id].cancelled:  # heard while other calls ran to their end
                    continue
            self._forget(run_id)
            view = self._summarise([*records, *journal.added])
            if view.ended:
                self.keys.give_back(run_id)
            return view

    async def _drive(self, run_id: str, records: list[Record], journal: RunLog) -> None:
        started = records[0].event
        assert isinstance(started, Started)
        inbox = self._inboxes.setdefault(run_id, Inbox())
        live = Live(
            lambda at, role, kind, piece: self.live.add(run_id, at, role, kind, piece),
            lambda at: self.live.over(run_id, at),
        )
        edge = Edge(started.spec, records, journal, self._doors, inbox=inbox, live=live)
        self._edges[run_id] = edge
        self._hear(run_id, Past(records))
        try:
            outcome = await drive(TECHNIQUES[started.spec.technique](started.spec), edge)
        except SettingsError as error:
            journal.append(Stopped("error", error=str(error)))
        else:
            best = next((n for n, round in enumerate(outcome.rounds) if round is outcome.best), None)
            beyond = outcome.best.text if outcome.best and best is None else None
            said = "" if outcome.reason in ("approved", "finished") else edge.failure
            journal.append(Stopped(outcome.reason, best, beyond, said))
        finally:
            self._edges.pop(run_id, None)
        await journal.durable()

    async def listen(self) -> None:
        """Hears what authors send to the runs that this process drives. Runs until cancelled."""
        seen = -1
        while True:
            await asyncio.sleep(LISTEN)
            now = self.store.version()
            if now != seen:
                seen = now
                for run_id in self.store.inbox_runs() & self._edges.keys():
                    self._hear(run_id)

    async def run(self, run_id: str) -> RunView:
        """Executes one run in this process, listening to its author meanwhile."""
        listening = asyncio.create_task(self.listen())
        try:
            return await self.execute(run_id)
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening

    def make_worker(self, limit: int = 20, *, beside: Sequence[Callable[[], Coroutine[Any, Any, None]]] = ()) -> Worker:
        """The worker that executes this folder's queue once it is started. `beside`: what its loop does meanwhile."""
        from refine.worker import Worker

        return Worker(
            self.store,
            self.execute,
            self.settings.home,
            limit,
            cancel=lambda run_id: self._hear(run_id) if run_id in self._edges else None,
            give_up=self.give_up,
            beside=(self.listen, *beside),
        )

    async def give_up(self, run_id: str, message: str) -> None:
        """Ends a run that cannot be driven, on record."""
        records = self.store.records(run_id)
        journal = self.store.run_log(run_id, len(records), _ledger_of(records))
        journal.append(Stopped("error", error=message))
        await journal.durable()
        self._summarise(self.store.records(run_id))

    async def aclose(self) -> None:
        """Closes the connections to models; in the event loop in which they were used."""
        await self._doors.aclose()

    def _hear(self, run_id: str, past: Past | None = None) -> None:
        """Moves what lies in the store's inbox to the run's own. It stays in the store until the run rests."""
        inbox = self._inboxes.setdefault(run_id, Inbox())
        for number, kind, payload in self.store.inbox_take(run_id):
            if number in inbox.heard:
                continue
            inbox.heard.add(number)
            if kind == "cancel":
                self._edges[run_id].stop()
            elif kind == "pause":
                inbox.pause = True
                inbox.pauses.add(number)
            elif kind == "answer" and not (past and payload["at"] in past.replies):
                inbox.answers[payload["at"]] = payload["text"]
            elif kind == "notes" and not (past and payload["at"] in past.notes):
                inbox.notes += [from_json(Note, note) for note in payload["notes"]]
                inbox.answers[payload["at"]] = ""
                inbox.unread.add(number)

    def _forget(self, run_id: str) -> None:
        inbox = self._inboxes.pop(run_id, None)
        if inbox and (done := inbox.heard - inbox.unread):
            self.store.inbox_done(*done)


def open_workbench(
    *, base_url: str | None = None, api_key: str | None = None, model: str | None = None, live: LiveTexts | None = None
) -> Workbench:
    """The workbench of REFINE_HOME, with the doors to the real world. Raises SettingsError, StoreError."""
    from refine.doors import world_doors
    from refine.settings import Keys, load

    settings = load(base_url=base_url, api_key=api_key, model=model)
    keys = Keys(settings.home)
    if api_key:
        keys.put(settings.default_endpoint, api_key)
    store = Store.open(settings.home, summarise=lambda records: views.row(views.read(records)))

    def publish(run_id: str, at: str, role: str, text: str) -> None:
        store.live_put(run_id, at, role, text)

    return Workbench(settings, store, world_doors(settings, keys, store), keys, live or LiveTexts(publish))


def remark(text: str) -> Finding:
    """The author's own wish as a finding."""
    return Finding(dimension="author", rule="author", severity="must", remark=text.strip(), critic="author")


def new_id(now: Callable[[], float] = time.time) -> str:
    """Sorts by time, short enough to type, never guessed twice."""
    stamp = datetime.datetime.fromtimestamp(now(), datetime.UTC).strftime("%y%m%d-%H%M%S")
    return f"{stamp}-{secrets.token_hex(4)}"


def _of_author(spec: RunSpec) -> RunSpec:
    """A run that is made of a comparison's is no part of it: it is listed, goes first, and may ask."""
    if not spec.options.get("comparison"):
        return spec
    left_out = ("comparison",) if spec.technique in MEASURING else ("comparison", "original", "other")
    options = {name: value for name, value in spec.options.items() if name not in left_out}
    return replace(spec, options={**options, "somebody": True})


def _ledger_of(records: Sequence[Record]) -> Ledger:
    return Ledger(cast(Started, records[0].event).spec, records)


def _missing_judges(spec: RunSpec) -> str:
    """Why nobody would choose between drafts, measure a text or prefer one; "" = somebody would."""
    by, judge = spec.options.get("choose_by") or "both", spec.role("judge")
    if spec.technique == "best_of_n" and by == "judge" and not judge:
        return "A judge is to choose between the drafts, and this variant has none. Set options.choose_by=checks."
    if spec.technique == "best_of_n" and not (spec.checks or (judge and by != "checks")):
        return "Nobody would choose between the drafts: no judge reads them and all checks are off. Switch a check on."
    if spec.technique == "measure" and not (spec.checks or judge):
        return "Nobody would measure the text: this variant has no judge and all checks are off. Switch a check on."
    if spec.technique == "prefer" and not (spec.role("pair") and spec.options.get("other")):
        return "To prefer one of two texts, a role pair and the other text are needed. Set options.other to that text."
    return ""


def _declared(spec: RunSpec, language: str) -> tuple[Json, ...]:
    """What the actor may call: the tools that the options name, else the usual ones."""
    if not spec.role("actor"):
        return ()
    from refine import tools

    named = spec.options.get("tools", tools.DEFAULT)
    return tools.declare(named or (), language)


def _counted(view: RunView, at_round: int, say: str) -> tuple[int, int]:
    """How many rounds count towards the limit there, and the limit: steps are counted for each question anew."""
    most = int(view.spec.stops.get("max_rounds") or 0)
    if view.technique != "react":
        return at_round + 1, most or MAX_ROUNDS
    begun = max(round.n for round in view.rounds[: at_round + 1] if not round.n or steps.step_of(round).question)
    another = bool(say.strip()) or view.rounds[at_round].kind == "approved"
    return 0 if another else at_round + 1 - begun, most or MAX_STEPS


def afresh(spec: RunSpec, run_id: str) -> RunSpec:
    """What that run was ordered to do, for another: without its folder, unless somebody else made what is in it."""
    own = spec.options.get("workspace") == run_id or spec.options.get("workspace_from")
    return replace(spec, options={key: value for key, value in spec.options.items() if not own or key != "workspace"})


def _with_workspace(spec: RunSpec, run_id: str) -> RunSpec:
    """Who uses tools has a workspace: the run's own where none was named."""
    if not spec.tools or spec.options.get("workspace"):
        return spec
    return replace(spec, options={**spec.options, "workspace": run_id})


def _chosen_checks(spec: RunSpec, order: Order) -> Mapping[str, Mapping[str, Json]]:
    """The checks named, and those that a setting of this order speaks of; None = the variant's."""
    if order.checks is None:
        return spec.checks
    wanted = [name.strip() for name in order.checks.split(",") if name.strip() and name.strip() != "none"]
    set_too = [key.split(".")[1] for key in order.changes if key.startswith("checks.")]
    wanted += [name for name in spec.checks if name in set_too and name not in wanted]
    if not wanted:  # who checks nothing does not wait for the word lists
        return {}
    from refine.checks import CHECKS

    unknown = [name for name in wanted if name not in CHECKS]
    if unknown:
        raise SettingsError(f"Unknown check {unknown[0]!r}: known are {', '.join(CHECKS)}, or none.")
    return {name: spec.checks.get(name, {}) for name in wanted}
