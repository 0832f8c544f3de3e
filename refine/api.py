"""What a Python program calls. Runs are kept under REFINE_HOME, as those of the app and the command line are.

It knows the use-cases and nothing below them. All functions raise SettingsError for what cannot work, before anything
is stored or sent, and StoreError where nothing can be stored; a run that fails says so in its view.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from refine.errors import SettingsError
from refine.locks import run_lock
from refine.orders import Order, new_id
from refine.runs import Workbench, open_workbench
from refine.settings import DEFAULT_HOME
from refine.types import AT_ONCE, Json
from refine.views import RunView

if TYPE_CHECKING:
    from refine.scoreboard import Board

Checks = Sequence[str] | str | None
"""Names of checks, or "none"; None = the variant's."""


def refine_text(
    draft: str,
    variant: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    checks: Checks = None,
    set: Mapping[str, Json] | None = None,
) -> RunView:
    """Runs a draft through the rounds of a variant and returns the run, whatever it came to: see `RunView`.

    Nobody can answer here, so an unclear verdict counts as "revise".

    Args:
        variant: a folder of prompts; None = polish where an endpoint is set, offline where none is.
        base_url, api_key, model: an OpenAI-compatible endpoint; None = what the environment says. The key is not
            stored.
        checks: the checks to use instead of the variant's.
        set: settings as in `--set`, e.g. {"stops.max_rounds": 6}.
    """
    _outside_a_loop("refine_text", "Write `await refine.arefine_text(...)`.")
    return asyncio.run(arefine_text(draft, variant, base_url, api_key, model, checks, set))


def _outside_a_loop(name: str, instead: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise SettingsError(f"{name} cannot wait inside an event loop: it got a call from one. {instead}")


async def arefine_text(
    draft: str,
    variant: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    checks: Checks = None,
    set: Mapping[str, Json] | None = None,
) -> RunView:
    """As `refine_text`, inside an event loop. When it is cancelled, the run stays unfinished and can be resumed."""
    order = Order(draft=_text(draft), variant=variant, checks=_names(checks), changes=_changes(set))
    async with _shared(base_url, api_key, model) as workbench:
        return await _executed(workbench, order)


async def _executed(workbench: Workbench, order: Order) -> RunView:
    run_id = new_id()
    with run_lock(workbench.settings.home, run_id):
        return await workbench.execute(run_id, await workbench.started(order, run_id))


async def areact(
    question: str,
    tools: Sequence[str] | None = None,
    variant: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    protocol: str | None = None,
    max_steps: int | None = None,
    draft: str = "",
    set: Mapping[str, Json] | None = None,
) -> RunView:
    """Works on a question in steps, each one use of a tool, and returns the run: its `text` is the answer.

    Nobody can be asked here, so a tool with effects outside the run is not used.

    Args:
        tools: names of the tools that may be used, and no others; None = the usual ones.
        variant: a folder of prompts; None = react where an endpoint is set, react-tiny where none is.
        base_url, api_key, model: an OpenAI-compatible endpoint; None = what the environment says. The key is not
            stored.
        protocol: "json" (tools are asked for in the text) or "native" (tool calls); None = the variant's.
        max_steps: of the question.
        draft: a text that the tools may read.
        set: settings as in `--set`.
    """
    named = {"options.tools": list(tools) if tools else "none"} if tools is not None else {}
    given = {"options.protocol": protocol, "stops.max_rounds": max_steps}
    changes = {**named, **{key: value for key, value in given.items() if value is not None}, **_changes(set)}
    order = Order(
        draft=_text(draft), brief=_text(question, "question"), variant=variant, technique="react", changes=changes
    )
    async with _shared(base_url, api_key, model) as workbench:
        return await _executed(workbench, order)


def start(
    draft: str = "",
    *,
    brief: str = "",
    title: str = "",
    variant: str | None = None,
    base_url: str | None = None,
    model: str | None = None,
    checks: Checks = None,
    set: Mapping[str, Json] | None = None,
) -> str:
    """Puts a run into the queue and returns its id at once. The app, or `python -m refine worker`, executes it."""
    with _opened(base_url, None, model) as workbench:
        order = Order(
            draft=_text(draft),
            brief=_text(brief, "brief"),
            title=_text(title, "title"),
            variant=variant,
            checks=_names(checks),
            changes=_changes(set),
            somebody=True,
        )
        return workbench.start(workbench.prepare(order))


def compare(
    drafts: Sequence[str] | Mapping[str, str],
    variants: Sequence[str],
    *,
    repeats: int = 1,
    baseline: str = "",
    one_prompt: bool = False,
    best_of_n: bool = False,
    judge: str = "",
    pairs: bool = False,
    checks: Checks = None,
    cap: float | None = None,
    concurrency: int = AT_ONCE,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    set: Mapping[str, Json] | None = None,
) -> Board:
    """Runs each variant on each draft so many times, and returns the scoreboard: see `Board`. Waits for the end.

    Args:
        drafts: texts, or names and texts.
        baseline: the variant that differences are against; "" = the single prompt where it is added, else the first.
        one_prompt, best_of_n: adds the baselines of one call, and of as many drafts as cost what the first loop costs.
        judge: a model that scores every result; "" = checks alone measure.
        pairs: does the judge also hold each result against the baseline's?
        checks: that measure every result; None = the usual ones, "none" or [] = none, as where a judge alone measures.
        cap: most that all runs together may cost.
        concurrency: runs at once.
        set: settings for every variant, as in `--set`.
    """
    from refine.cell_reader import Reader
    from refine.comparisons import begin, prepare
    from refine.conductor import work_on
    from refine.plan import Entry, Plan, Text, checks_of

    _outside_a_loop("compare", "It waits for its runs: call it in a thread (asyncio.to_thread).")
    if isinstance(drafts, str) or isinstance(variants, str):
        raise SettingsError('Drafts and variants are lists: got one text. Write ["..."], or names and texts.')
    _number(repeats, "repeats")
    _number(concurrency, "concurrency")
    named = drafts if isinstance(drafts, Mapping) else {f"text {n}": draft for n, draft in enumerate(drafts, 1)}
    plan = Plan(
        variants=tuple(Entry(_text(name, "variant")) for name in variants),
        texts=tuple(Text(_text(draft), _text(name, "name of a draft")) for name, draft in named.items()),
        repeats=repeats,
        baseline=baseline,
        one_prompt=one_prompt,
        best_of_n=best_of_n,
        judge=_text(judge, "judge"),
        pairs=pairs,
        checks=None if checks is None else checks_of((_names(checks) or "").split(",")),
        limits={} if cap is None else {"money": cap},
        concurrency=concurrency,
        changes=_changes(set),
    )

    async def conducted(workbench: Workbench, comparison_id: str) -> None:
        try:
            await work_on(workbench, comparison_id)
        finally:
            await workbench.aclose()

    with _opened(base_url, api_key, model) as workbench:
        comparison, comparison_id = prepare(workbench, plan), new_id()
        with run_lock(workbench.settings.home, comparison_id):  # before an app on the same folder finds it
            begin(workbench, comparison, comparison_id)
            asyncio.run(conducted(workbench, comparison_id))
        return Reader(workbench.store).board(comparison_id)


def cancel(run_id: str) -> None:
    """Stops a run, whoever works on it. Its rounds are kept."""
    with _opened() as workbench:
        workbench.cancel(workbench.store.resolve(run_id))


def answer(run_id: str, text: str) -> None:
    """Answers a run's open question; the queue's worker goes on with it."""
    with _opened() as workbench:
        workbench.answer(workbench.store.resolve(run_id), text)


def fork(run_id: str, at_round: int, *, draft: str | None = None, set: Mapping[str, Json] | None = None) -> str:
    """Puts a new run into the queue that goes on from round `at_round` of another. Returns its id.

    Args:
        draft: your own text instead of that round's; it is reviewed first.
        set: settings for the new run.
    """
    own = None if draft is None else _text(draft)
    with _opened() as workbench:
        return workbench.fork(workbench.store.resolve(run_id), at_round, changes=_changes(set), draft=own)


def read(run_id: str) -> RunView:
    """A run as it stands now."""
    with _opened() as workbench:
        return workbench.read(workbench.store.resolve(run_id))


@contextmanager
def _opened(base_url: str | None = None, api_key: str | None = None, model: str | None = None) -> Iterator[Workbench]:
    workbench = open_workbench(base_url=base_url, api_key=api_key, model=model)
    try:
        yield workbench
    finally:
        workbench.store.close()


IDLE_SECONDS = 10.0
"""How long a store and its connections wait for the next call."""

_Key = tuple[object, ...]


@dataclass
class _Share:
    workbench: Workbench
    users: int = 0
    left: float = 0.0
    """When the last user left, in the event loop's time."""
    keeper: asyncio.Task[None] | None = None
    """Held here, as an event loop holds its tasks but weakly."""


_shares: dict[_Key, _Share] = {}


@asynccontextmanager
async def _shared(*endpoint: str | None) -> AsyncIterator[Workbench]:
    """One workbench for all calls that go on at once in an event loop, or soon after: one store, one set of
    connections."""
    loop = asyncio.get_running_loop()
    key: _Key = (loop, *endpoint, *_surroundings())
    if key not in _shares:
        base_url, api_key, model = endpoint
        _shares[key] = _Share(open_workbench(base_url=base_url, api_key=api_key, model=model))
        _shares[key].keeper = loop.create_task(_keep(key, _shares[key]))
    share = _shares[key]
    share.users += 1
    try:
        yield share.workbench
    finally:
        share.users -= 1
        share.left = loop.time()


def _surroundings() -> Iterator[object]:
    """What settings are read from but once; a change in a file of the home folder is seen by those who read it."""
    yield Path(os.environ.get("REFINE_HOME") or DEFAULT_HOME).expanduser().absolute()
    yield from map(os.environ.get, ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"))


async def _keep(key: _Key, share: _Share) -> None:
    """Listens for a share's runs; closes it when nobody has used it for a while, or when the event loop ends."""
    loop, listening = asyncio.get_running_loop(), asyncio.create_task(share.workbench.listen())
    try:
        while share.users or loop.time() < share.left + IDLE_SECONDS:
            await asyncio.sleep(IDLE_SECONDS / 10)
    finally:
        del _shares[key]
        while share.users:  # they are being cancelled as well, and may still have to write
            await asyncio.sleep(0.01)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await share.workbench.aclose()
        share.workbench.store.close()


def _names(checks: Checks) -> str | None:
    return checks if checks is None or isinstance(checks, str) else ",".join(checks) or "none"


def _changes(set: Mapping[str, Json] | None) -> dict[str, Json]:
    if set is not None and not isinstance(set, Mapping):
        raise SettingsError(
            f'set must be a mapping of settings; got {type(set).__name__}. Write it like {{"stops.max_rounds": 6}}.'
        )
    return dict(set or {})


def _number(value: object, what: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SettingsError(f"{what} must be a whole number; got {type(value).__name__}. Write it like 3.")


def _text(value: object, what: str = "draft") -> str:
    """Programs without types pass what they have, such as bytes of a file."""
    if not isinstance(value, str):
        raise SettingsError(f"The {what} must be a text (str); got {type(value).__name__}. Read or decode it first.")
    return value
