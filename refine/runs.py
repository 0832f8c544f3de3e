"""The use-cases: start a run, go on with it, cancel it, answer it, fork it, read it. Pages and commands call these.

Whoever executes a run reads what the author sent to it from the store's inbox, so any process may send. What is pure
stands in `orders` and `forks`.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from refine import forks, limits, orders, stops, variants, views, words
from refine.doors import PRICES_FILE, find_endpoint, needs_key, read_prices, verify_steps
from refine.errors import SettingsError
from refine.events import Noted, Record, RoundEnded, RoundRestarted, Started, Stopped, from_json, to_json
from refine.forecast import Habit, Model
from refine.habits import Habits
from refine.ledger import Ledger
from refine.live import LiveTexts
from refine.loop import drive
from refine.models import prices
from refine.orders import LONGEST
from refine.orders import Order as Order
from refine.own_files import Kept
from refine.past import Past
from refine.perform import Changed, Doors, Edge, Inbox, Live, Suspended
from refine.settings import Keys, Settings, read_words
from refine.store import Store
from refine.store.journal import RunLog
from refine.techniques import TECHNIQUES
from refine.text.language import language_of
from refine.types import Endpoint, ModelCall, Note, Role, RunSpec, Task, Usage, Worst
from refine.views import RunView

if TYPE_CHECKING:
    from refine.worker import Worker

LISTEN = 0.1
"""Seconds between two looks for news from the author."""
MORE_ROUNDS = 2
"""How many rounds going on after the end adds."""


class Workbench:
    """One process's hands on a home folder."""

    def __init__(self, settings: Settings, store: Store, doors: Doors, keys: Keys, live: LiveTexts) -> None:
        self.settings, self.store, self.keys, self.live = settings, store, keys, live
        self._doors = doors
        self._edges: dict[str, Edge] = {}
        self._inboxes: dict[str, Inbox] = {}
        self._habits = Habits(store)
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
            tools=orders.declared(spec, language),
            checks=orders.chosen_checks(spec, order),
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
                "or give --base-url. The variant offline, for drafts, needs none."
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
        orders.verify(spec)
        verify_steps(spec, self.settings.home)
        for role in spec.roles:
            endpoint = find_endpoint(spec, self.settings.endpoints, role)
            if needs_key(endpoint) and self.keys.find(endpoint) is None:
                raise SettingsError(
                    f"The key for {endpoint.name!r} is missing: set the environment variable {endpoint.key}, "
                    "or give --api-key. The variant offline, for drafts, needs none."
                )
        if spec.limits.get("money"):
            orders.verify_money(spec, self.worst_cases(spec))

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
        return self._habits.of(spec, before)

    # --- commands --------------------------------------------------------------------------------------------

    def start(self, spec: RunSpec, *, queue: bool = True, priority: int = 0, run_id: str | None = None) -> str:
        """Stores event 0 and returns the run's id. With `queue`, the worker of this folder will execute it.

        What a comparison's run was told to do may be started as well: the new run is the author's own.
        """
        run_id = run_id or orders.new_id()
        spec = orders.of_author(spec)
        self.keys.lend(run_id)
        self.store.create(run_id, orders.with_workspace(spec, run_id), queue=queue, priority=priority)
        return run_id

    async def started(self, order: Order, run_id: str) -> list[Record]:
        """Prepares a run that this event loop will execute, and stores its event 0. Many at once share a commit.

        Returns its log, for `execute`.
        """
        spec = orders.with_workspace(await asyncio.to_thread(self.prepare, order), run_id)
        return await asyncio.wrap_future(self.store.creating(run_id, spec, queue=False))

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
            added = [Note("add", finding=orders.remark(text))] if text.strip() else []
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
            records = self.store.records(run_id)
            at = forks.places(records)[-1:] or ["0"]
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
        records = self.store.records(run_id)
        view = views.read(records)
        forks.verify(view, at_round, draft)
        changes = dict(changes or {})
        done, most = forks.counted(view, at_round, say)
        if done >= most:
            changes.setdefault("stops.max_rounds", str(done + MORE_ROUNDS))
        spec = replace(variants.apply_set(orders.of_author(view.spec), changes), parent=(run_id, at_round))
        if "options.tools" in changes:
            spec = replace(spec, tools=orders.declared(spec, spec.task.language))
        self.verify(spec)
        inherited = forks.inherited(records, at_round)
        notes = [Note("edit", draft)] if draft is not None else []
        notes += [Note("add", finding=orders.remark(say))] if say.strip() else []
        if notes:
            inherited.append(Noted(forks.places(records)[at_round], tuple(notes)))
        new = new or orders.new_id()
        if "options.workspace" not in changes:
            spec = forks.with_copied_files(spec, new, self.settings.home)
        self.keys.lend(new)
        self.store.create(new, orders.with_workspace(spec, new), queue=queue, inherited=inherited)
        return new

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
        at = forks.places(records)[at_round]
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
        return self.start(orders.afresh(spec, run_id))

    def go_on(self, run_id: str, more: int = MORE_ROUNDS, say: str = "") -> str:
        """At most `more` rounds after the end, from the best round or the one picked: a fork with a higher limit.

        Where the run would end again at once, as after an approval, asking for more is a remark of its own.
        """
        spec = self.read(run_id).spec
        rounds = tuple(round for _, round in forks.ended_rounds(self.store.records(run_id)))
        if not rounds:
            raise SettingsError(f"Run {run_id} has no finished round to go on from. Start a new run.")
        most = len(rounds) + more
        if not say.strip() and any(stop(rounds) for stop in stops.of({**spec.stops, "max_rounds": most})):
            say = words.of(spec.task.language).GO_ON
        return self.fork(run_id, len(rounds) - 1, changes={"stops.max_rounds": str(most)}, say=say)

    # --- reading ---------------------------------------------------------------------------------------------

    def read(self, run_id: str) -> RunView:
        return views.read(self.store.records(run_id))

    def _summarise(self, records: Sequence[Record]) -> RunView:
        view = views.read(records)
        self.store.summarise(view.run_id, views.row(view))
        return view

    # --- executing -------------------------------------------------------------------------------------------

    async def execute(self, run_id: str, begun: Sequence[Record] = ()) -> RunView:
        """Drives a run until it ends or has to wait, and returns what became of it.

        Replays what is on record. Raises Lost if another process drives it.

        Args:
            begun: the log of a run that `started` has just made, which need not be read back.
        """
        while True:
            records, begun = [*begun] or self.store.records(run_id), ()
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


def _ledger_of(records: Sequence[Record]) -> Ledger:
    return Ledger(cast(Started, records[0].event).spec, records)
