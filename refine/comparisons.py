"""The use-cases of comparing: prepare a plan, estimate it, begin, extend, stop, go on. `conductor` does the work.

It knows variants, texts and what they will take; nothing of how a run is driven or a result is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from refine import variants
from refine.allowance import NOTHING, ROOM, Share, at_once, fits, share
from refine.cells import JUDGES, cells, judging, measure_id, order, pair_id, task_of, tried_again, variant_of
from refine.errors import RefineError, SettingsError
from refine.forecast import Forecast, Habit, Model, forecast
from refine.ledger import Cost, add_costs
from refine.models.characters import CHARACTERS
from refine.orders import LONGEST, Order, new_id
from refine.plan import MOST_AT_ONCE, MOST_REPEATS, Entry, Plan, Text
from refine.runs import Workbench
from refine.settings import read_words
from refine.text.language import language_of
from refine.types import Cell, Comparison, Json, ModelCall, Role, RunSpec, Task, Variant
from refine.views import title_of

ONE_PROMPT, BEST_OF_N, JUDGE = "one-prompt", "best-of-n", "judge"
"""The shipped folders of the two baselines and of the judge."""
STAND_IN = ("scripted", "steady")
"""Endpoint and model that play a role where no key is set: they show how it works, and judge nothing."""


# --- before it begins ------------------------------------------------------------------------------------------------


def prepare(bench: Workbench, plan: Plan) -> Comparison:
    """What the plan means here and now. Raises SettingsError for whatever cannot work, before anything is stored."""
    _verify_numbers(plan)
    tasks = _tasks(bench, plan.texts)
    made = [_variant(bench, entry, plan, tasks[0]) for entry in _with_names(plan.variants)]
    matched: dict[str, str] = {}
    added = _baselines(bench, plan, made, tasks[0], matched)
    made += added
    _verify_roles(plan.changes, made)
    if len(made) < 2:
        raise SettingsError("There is nothing to compare: got one variant. Name two, or add a baseline.")
    baseline = plan.baseline or (added[0].name if plan.one_prompt else made[0].name)
    if baseline not in {variant.name for variant in made}:
        named = ", ".join(variant.name for variant in made)
        raise SettingsError(f"The baseline {baseline!r} is none of the variants: they are {named}. Choose one of them.")
    found = Comparison(
        title=plan.title or " / ".join(variant.name for variant in made[:4]),
        variants=tuple(made),
        tasks=tasks,
        repeats=plan.repeats,
        baseline=baseline,
        judge=_judge(bench, plan, replace(tasks[0], draft=tasks[0].draft or tasks[0].brief)),
        pairs=plan.pairs and bool(plan.judge),
        matched=matched,
        limits={name: limit for name, limit in plan.limits.items() if limit},
        concurrency=plan.concurrency,
        language=tasks[0].language,
    )
    return _with_kept_limits(bench, found)


def _verify_numbers(plan: Plan) -> None:
    if not 1 <= plan.repeats <= MOST_REPEATS:
        raise SettingsError(f"Repeats go from 1 to {MOST_REPEATS}; got {plan.repeats}. Correct it.")
    if not 1 <= plan.concurrency <= MOST_AT_ONCE:
        raise SettingsError(f"Runs at once go from 1 to {MOST_AT_ONCE}; got {plan.concurrency}. Correct it.")
    for name, limit in plan.limits.items():
        number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if limit is not None and not (number and 0 < limit < float("inf")):
            raise SettingsError(f"The limit {name} of the comparison must be above 0; got {limit!r}. Correct it.")


def _baselines(bench: Workbench, plan: Plan, made: list[Variant], task: Task, matched: dict[str, str]) -> list[Variant]:
    """Those that the plan adds, with names of their own; `matched` is told whose cost one is given."""
    added: list[Variant] = []
    for wanted, folder, roles in (
        (plan.one_prompt, ONE_PROMPT, ("writer",)),
        (plan.best_of_n, BEST_OF_N, ("writer", "judge")),
    ):
        if wanted:
            name = _unlike(folder, [variant.name for variant in (*made, *added)])
            changes = _models_of(made, roles)
            added.append(_variant(bench, Entry(folder, name, changes=changes), plan, task))
            if folder == BEST_OF_N:
                matched[name] = _a_loop(made).name
    return added


def _with_kept_limits(bench: Workbench, made: Comparison) -> Comparison:
    """With limits that can be kept, and under which every run can begin. Raises SettingsError."""
    kept = _with_tokens_beside_money(bench, made)
    _verify_room(bench, kept)
    return kept


def _with_tokens_beside_money(bench: Workbench, made: Comparison) -> Comparison:
    """A limit on money needs prices in one currency. What has no price is held by a limit on tokens beside it."""
    if not made.limits.get("money"):
        return made
    worst = bench.worst_cases(*made.specs)
    currencies = dict.fromkeys(most.currency for _role, most in worst if most.money)
    if len(currencies) > 1:
        raise SettingsError(
            f"The cap of the comparison cannot be kept: its models are paid in {' and '.join(currencies)}. Give their "
            "prices in one currency in prices.yaml, or limit its tokens instead."
        )
    if made.limits.get("tokens") or all(most.money is not None for _role, most in worst):
        return made
    enough = max(ROOM * estimate(bench, made).tokens[1], *(need.tokens for _cell, need in _needs(bench, made)))
    return replace(made, limits={**made.limits, "tokens": max(1, enough)})


def _verify_room(bench: Workbench, made: Comparison) -> None:
    """A limit under which some run could never begin is told now."""
    for cell, need in _needs(bench, made) if made.limits else ():
        if not fits(made.limits, NOTHING, (), need):
            money = f" and {need.money:.2g} in money" if need.money else ""
            raise SettingsError(
                f"The comparison's limit is too low: one run of {cell.variant!r} on {cell.task!r} alone may use up to "
                f"{need.tokens:,} tokens{money}. Raise it above that."
            )


def _needs(bench: Workbench, made: Comparison) -> Iterator[tuple[Cell, Share]]:
    """What each run may use of the limits, being measured included; of several repeats the first."""
    guess = Guess(bench, made)
    for cell in order(replace(made, repeats=1)):
        own = (spec for spec in guess.specs(cell) if spec.technique != "prefer")
        yield cell, sum(map(guess.set_aside, own), NOTHING)


def unkept(bench: Workbench, made: Comparison) -> list[str]:
    """What the comparison's limit on money will not count, in words."""
    said = [bench.unkept(replace(spec, limits=made.limits)) for spec in made.specs]
    return list(dict.fromkeys(sentence for sentences in said for sentence in sentences))


def _tasks(bench: Workbench, texts: tuple[Text, ...]) -> tuple[Task, ...]:
    if not texts:
        raise SettingsError("There is nothing to compare on: got no text. Name one draft at least.")
    own = read_words(bench.settings.home)
    found: list[Task] = []
    for text in texts:
        if not text.draft.strip() and not text.brief.strip():
            raise SettingsError(f"The text {text.title!r} is empty. Leave it out, or give it a brief.")
        if len(text.draft) > LONGEST:
            raise SettingsError(f"The text {text.title!r} has {len(text.draft):,} characters, {LONGEST:,} is the most.")
        language = text.language or language_of(text.draft or text.brief) or "en"
        draft = text.draft if text.draft.strip() else ""
        task = Task(text.title, draft, text.brief, language, keep=text.keep, words=own)
        found.append(replace(task, title=_unlike(_titled(task), [other.title for other in found])))
    return tuple(found)


def _titled(task: Task) -> str:
    return task.title or title_of(RunSpec("refine", "", task)) or "text"


def _with_names(entries: tuple[Entry, ...]) -> list[Entry]:
    """Names that tell the entries apart."""
    found: list[Entry] = []
    for entry in entries:
        found.append(replace(entry, name=_unlike(entry.called, [other.name for other in found])))
    return found


def _unlike(name: str, others: list[str]) -> str:
    n, made = 1, name
    while made in others:
        n += 1
        made = f"{name} {n}"
    return made


def _variant(bench: Workbench, entry: Entry, plan: Plan, task: Task) -> Variant:
    """The folder's variant with its settings, as a run on a text would have it."""
    folder = variants.load(entry.variant, own=bench.settings.home / "prompts")
    if folder.spec.technique not in ("refine", "single", "best_of_n"):
        raise SettingsError(f"The variant {entry.variant!r} works on no draft, so it cannot be compared. Leave it out.")
    changes = {**_stand_ins(bench, folder.spec), **_fitting(plan.changes, folder.spec), **entry.changes}
    order = Order(
        draft=task.draft,
        brief=task.brief,
        variant=entry.variant,
        technique=entry.technique or None,
        changes=changes,
        language=task.language,
    )
    spec = replace(bench.prepare(order), task=Task())
    return replace(folder, name=entry.called, spec=spec)


def _fitting(changes: Mapping[str, Json], spec: RunSpec) -> dict[str, Json]:
    """A setting for all variants is passed over by one without that role, as of a variant of checks alone."""
    roles = {role.name for role in spec.roles}
    return {key: value for key, value in changes.items() if not key.startswith("role.") or key.split(".")[1] in roles}


def _verify_roles(changes: Mapping[str, Json], made: list[Variant]) -> None:
    """What is set for all variants is for one of them at least."""
    known = dict.fromkeys(role.name for variant in made for role in variant.spec.roles)
    for key in changes:
        if key.startswith("role.") and key.split(".")[1] not in known:
            raise SettingsError(f"No variant has the role of {key}: they have {', '.join(known)}. Name one of these.")


def _stand_ins(bench: Workbench, spec: RunSpec) -> dict[str, Json]:
    if bench.settings.default_endpoint:
        return {}
    endpoint, model = STAND_IN
    lacking = [role.name for role in spec.roles if not role.endpoint]
    return {key: value for name in lacking for key, value in _played(name, endpoint, model).items()}


def _played(role: str, endpoint: str, model: str) -> dict[str, Json]:
    return {f"role.{role}.endpoint": endpoint, f"role.{role}.model": model}


def _models_of(made: list[Variant], roles: tuple[str, ...]) -> dict[str, Json]:
    """The models of the first loop: a baseline differs in its form alone. Who chooses is played by its critic."""
    spec = _a_loop(made).spec
    players = {"writer": spec.role("writer"), "judge": next(iter(spec.critics), None) or spec.role("writer")}
    found = [(role, player) for role in roles if (player := players[role])]
    return {key: value for role, who in found for key, value in _played(role, who.endpoint, who.model).items()}


def _a_loop(made: list[Variant]) -> Variant:
    """The first loop in which a model writes; else the first in which one does. Raises SettingsError."""
    writing = [variant for variant in made if variant.spec.role("writer") and variant.spec.technique != "best_of_n"]
    loops = [variant for variant in writing if variant.spec.technique == "refine"]
    for variant in (*loops, *writing, *made):
        return variant
    raise SettingsError("There is nothing to compare: got no variant. Name one at least.")


def _judge(bench: Workbench, plan: Plan, task: Task) -> RunSpec | None:
    """How every result is measured: by the same checks, and by the same judge where one is named. None: not at all."""
    folder = variants.load(JUDGE, own=bench.settings.home / "prompts").spec
    wanted = {"judge": bool(plan.judge), "pair": bool(plan.judge) and plan.pairs}
    spec = replace(folder, roles=tuple(role for role in folder.roles if wanted.get(role.name)))
    if plan.checks is not None:
        spec = variants.apply_set(spec, {f"checks.{name}": "off" for name in spec.checks if name not in plan.checks})
        spec = variants.apply_set(spec, {f"checks.{name}": "on" for name in plan.checks if name not in spec.checks})
    if plan.judge:
        endpoint, model = _place(bench, plan.judge)
        changes = {k: v for role in spec.roles for k, v in _played(role.name, endpoint, model).items()}
        spec = variants.apply_set(spec, changes)
        given = tuple(e for e in bench.settings.endpoints.values() if e.name == "given")
        spec = replace(spec, endpoints=given)
    if not spec.roles and not spec.checks:
        return None
    bench.verify(replace(spec, task=task))
    return spec


def _place(bench: Workbench, name: str) -> tuple[str, str]:
    """(endpoint, model): `endpoint/model` names another endpoint than the usual one."""
    where, slash, model = name.partition("/")
    if slash and where in bench.settings.endpoints:
        return where, model
    if bench.settings.default_endpoint:
        return bench.settings.default_endpoint, name
    if name in CHARACTERS:
        return STAND_IN[0], name
    raise SettingsError(
        f"The judge {name!r} needs an endpoint, and none is set. Set OPENAI_API_KEY or OPENAI_BASE_URL, write it as "
        "endpoint/model, or leave the judge away: then checks alone measure."
    )


# --- what it will take -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Estimate:
    """From comparisons in which each loop is approved early to those that use all their rounds."""

    runs: int
    """Cells."""
    calls: tuple[int, int]
    tokens: tuple[int, int]
    cost: tuple[Cost, Cost]
    seconds: tuple[float, float] | None
    """None: nothing is known of how fast a model is."""


class Guess:
    """What a comparison's cells will take, as far as can be guessed before."""

    def __init__(self, bench: Workbench, comparison: Comparison) -> None:
        self._bench, self._comparison = bench, comparison
        self._known: dict[tuple[str, str], tuple[Forecast, ...]] = {}
        self._habits: dict[frozenset[Model], Mapping[Model, Habit]] = {}

    def of(self, cell: Cell) -> tuple[Forecast, ...]:
        """Of the cell's run and of those that measure it."""
        key = (cell.variant, cell.task)
        if key not in self._known:
            self._known[key] = tuple(map(self.forecast, self.specs(cell)))
        return self._known[key]

    def specs(self, cell: Cell) -> Iterator[RunSpec]:
        """Of the cell's run and of those that measure it. A variant whose cost is given takes what the one takes that
        it is given from."""
        made = self._comparison
        task = task_of(made, cell.task)
        yield replace(variant_of(made, made.matched.get(cell.variant, cell.variant)).spec, task=task)
        for technique, role in JUDGES.items():
            alone = technique == "prefer" and cell.variant == made.against
            if made.judge and made.judge.role(role) and not alone:
                yield judging("", made, technique, cell, task.draft)

    def set_aside(self, spec: RunSpec) -> Share:
        """What a run may use of the comparison's limits."""
        worst = (self._bench.worst(spec, ModelCall(role, ())) for role in at_once(spec))
        return share(self.forecast(spec), worst)

    def forecast(self, spec: RunSpec) -> Forecast:
        models = frozenset((role.endpoint, role.model) for role in spec.roles)
        if models not in self._habits:
            self._habits[models] = self._bench.habits(spec)
        return forecast(spec, partial(self._bench.priced, spec), self._habits[models])


def estimate(bench: Workbench, comparison: Comparison, done: frozenset[Cell] = frozenset()) -> Estimate:
    """What a comparison will take. `done`: cells that exist and are not paid again."""
    guess = Guess(bench, comparison)
    todo = [cell for cell in order(comparison) if cell not in done]
    made = [one for cell in todo for one in guess.of(cell)]
    times = [one.seconds for one in made if one.calls[1]]
    low, high = (sum(time[end] for time in times if time) / comparison.concurrency for end in (0, 1))
    return Estimate(
        len(todo),
        (sum(one.calls[0] for one in made), sum(one.calls[1] for one in made)),
        (sum(one.tokens[0] for one in made), sum(one.tokens[1] for one in made)),
        (add_costs(one.cost[0] for one in made), add_costs(one.cost[1] for one in made)),
        None if None in times else (low, high),
    )


# --- commands --------------------------------------------------------------------------------------------------------


def begin(bench: Workbench, comparison: Comparison, comparison_id: str | None = None) -> str:
    """Stores a comparison and returns its id. Whoever conducts this folder's comparisons will find it."""
    comparison_id = comparison_id or new_id()
    _lend(bench, comparison_id, comparison)
    bench.store.comparisons.create(comparison_id, comparison)
    return comparison_id


def extend(bench: Workbench, comparison_id: str, plan: Plan, again: Sequence[str] = ()) -> Comparison:
    """Adds variants, texts or repeats of a plan to a comparison; cells that exist stay as they are.

    The judge, the baseline and the checks stay as they were. Raises SettingsError where another changed it meanwhile.

    Args:
        again: runs of it that failed, to be tried again.
    """
    before = bench.store.comparisons.read(comparison_id)
    made = widened(bench, before, plan, again)
    _lend(bench, comparison_id, made)
    bench.store.comparisons.extend(comparison_id, before, made)
    return made


def widened(bench: Workbench, before: Comparison, plan: Plan, again: Sequence[str] = ()) -> Comparison:
    """The comparison as `extend` would make it, before anything is stored. What is there already is not added again."""
    _verify_numbers(plan)
    tasks = list(before.tasks)
    for task in _tasks(bench, plan.texts) if plan.texts else ():
        if not any(_same_text(task, other) for other in tasks):
            tasks.append(replace(task, title=_unlike(task.title, [other.title for other in tasks])))
    made = list(before.variants)
    for entry in _with_names(plan.variants):
        variant = _variant(bench, entry, plan, tasks[0])
        if not any(_same_variant(variant, other) for other in made):
            made.append(replace(variant, name=_unlike(variant.name, [other.name for other in made])))
    matched = dict(before.matched)
    lacking = replace(
        plan,
        one_prompt=plan.one_prompt and all(variant.spec.variant != ONE_PROMPT for variant in made),
        best_of_n=plan.best_of_n and not matched,
    )
    made += _baselines(bench, lacking, made, tasks[0], matched)
    limits = {**before.limits, **{name: limit for name, limit in plan.limits.items() if limit}}
    wider = replace(
        before,
        variants=tuple(made),
        tasks=tuple(tasks),
        repeats=max(before.repeats, plan.repeats),
        matched=matched,
        limits=limits,
    )
    return _with_kept_limits(bench, tried_again(wider, again))


def _same_text(one: Task, other: Task) -> bool:
    return replace(one, title="", words=()) == replace(other, title="", words=())


def _same_variant(one: Variant, other: Variant) -> bool:
    """Under whatever name, as a comparison names the second of one folder itself."""
    return one.spec == other.spec and one.name in (other.name, one.spec.variant)


def plan_of(bench: Workbench, comparison: Comparison) -> Plan:
    """The plan that makes the same comparison again, as far as the folders of its variants are as they were."""
    own = bench.settings.home / "prompts"
    entries = [_entry_of(variant, own) for variant in comparison.variants if variant.name not in comparison.matched]
    judge = comparison.judge and comparison.judge.role("judge")
    usual = variants.load(JUDGE, own=own).spec.checks
    checks = tuple(comparison.judge.checks) if comparison.judge else None
    return Plan(
        variants=tuple(entries),
        texts=_texts_of(comparison),
        repeats=comparison.repeats,
        title=comparison.title,
        baseline=comparison.against,
        best_of_n=bool(comparison.matched),
        judge=f"{judge.endpoint}/{judge.model}" if judge else "",
        pairs=comparison.pairs,
        checks=None if checks is None or set(checks) == set(usual) else checks,
        limits=comparison.limits,
        concurrency=comparison.concurrency,
    )


def _entry_of(variant: Variant, own: Path) -> Entry:
    """What differs from the folder stands in `changes`; without the folder, the models alone."""
    spec, name = variant.spec, "" if variant.name == variant.spec.variant else variant.name
    try:
        folder = variants.load(spec.variant, own=own).spec
    except RefineError:
        folder = replace(spec, roles=tuple(Role(role.name, temperature=role.temperature) for role in spec.roles))
    changes: dict[str, Json] = {}
    for role in spec.roles:
        usual = folder.role(role.name) or Role(role.name)
        for part in ("endpoint", "model", "temperature", "max_tokens"):
            if (value := getattr(role, part)) != getattr(usual, part):
                changes[f"role.{role.name}.{part}"] = "none" if value is None else value
    for group in ("stops", "limits"):
        given, usually = getattr(spec, group), getattr(folder, group)
        for key, value in given.items():
            if value != usually.get(key):
                changes[f"{group}.{key}"] = "none" if value is None else value
    return Entry(spec.variant, name, "" if spec.technique == folder.technique else spec.technique, changes)


def _texts_of(comparison: Comparison) -> tuple[Text, ...]:
    return tuple(Text(t.draft, t.title, t.brief, t.keep, t.language) for t in comparison.tasks)


def stop(bench: Workbench, comparison_id: str) -> None:
    """What is done is kept; runs under way are left where they stand, and go on from there."""
    bench.store.comparisons.stand(comparison_id, "stopped")


def go_on(bench: Workbench, comparison_id: str) -> None:
    _lend(bench, comparison_id, bench.store.comparisons.read(comparison_id))
    bench.store.comparisons.stand(comparison_id, "open")


def _lend(bench: Workbench, comparison_id: str, comparison: Comparison) -> None:
    """Whoever begins a comparison lends the keys of the session to each of its runs, until it rests."""
    for run_id in cells(comparison_id, comparison):
        for name in (run_id, measure_id(comparison, run_id), pair_id(comparison, run_id)):
            bench.keys.lend(name)
