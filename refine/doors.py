"""The doors to the world that a run uses: models by endpoint, checks in threads, and what each model call costs.

Routing only: what a provider does wrong is known in `models`, what a check finds in `checks`.
"""

from __future__ import annotations

import datetime
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ruamel.yaml.error import YAMLError

from refine import caps, limits, words
from refine.beside import beside
from refine.errors import ModelError, RefineError, SettingsError
from refine.events import to_json
from refine.models import prices, retry, usage
from refine.models.addresses import is_loopback
from refine.models.embedded import Embedded, Keyed
from refine.own_files import Kept, read_table
from refine.perform import OnText
from refine.schema import plain_yaml
from refine.settings import Settings, redact
from refine.slots import Lines, Slot
from refine.spending import Spending
from refine.store import Store
from refine.types import (
    Ask,
    CheckCall,
    ChoiceCall,
    Endpoint,
    Finding,
    Json,
    ModelCall,
    Reply,
    Role,
    RunSpec,
    ToolCall,
    Usage,
    Worst,
)

if TYPE_CHECKING:
    from refine.tools import Observation, Surroundings

PRICES_FILE = prices.OWN
RESULT = "result"
"""The check that looks at what a run of steps hands in, and at its workspace."""
REPLY_GUESS = 4_096
"""Output tokens a call may use when its role sets no limit: only for judging limits beforehand."""


class ModelClient(Protocol):
    async def __call__(
        self, endpoint: Endpoint, role: Role, call: ModelCall, *, seed: int | None, on_text: OnText, attempt: int
    ) -> Reply: ...

    async def aclose(self) -> None: ...


class OnFirstUse:
    """A client that is made when it is first called: who needs no model does not wait for its package."""

    def __init__(self, make: Callable[[], ModelClient]) -> None:
        self._make = make
        self._made: ModelClient | None = None

    async def __call__(
        self, endpoint: Endpoint, role: Role, call: ModelCall, *, seed: int | None, on_text: OnText, attempt: int
    ) -> Reply:
        self._made = self._made or self._make()
        return await self._made(endpoint, role, call, seed=seed, on_text=on_text, attempt=attempt)

    async def aclose(self) -> None:
        if self._made:
            await self._made.aclose()


class Chooser(Protocol):
    async def choice(self, call: ChoiceCall) -> Reply: ...


class FindsKeys(Protocol):
    def find(self, endpoint: Endpoint) -> str | None: ...


class KeepsFacts(Protocol):
    def fact_put(self, fact: str) -> None: ...

    def facts(self) -> list[str]: ...


@dataclass(frozen=True)
class WorldDoors:
    """See `perform.Doors`."""

    endpoints: Mapping[str, Endpoint]
    clients: Mapping[str, ModelClient]
    """By kind of endpoint: openai, scripted, embedded."""
    keys: FindsKeys
    price_table: Mapping[str, Json]
    chooser: Chooser
    home: Path
    facts: KeepsFacts
    """What tools remember over runs."""
    lines: Lines
    spending: Spending
    chance: Callable[[], float] = random.random

    async def model(self, spec: RunSpec, call: ModelCall, attempt: int, on_text: OnText) -> Reply:
        role, endpoint = self._asked(spec, call)
        client = self.clients[endpoint.kind]
        try:
            seed = None if spec.seed is None else spec.seed + call.draw
            reply = await client(endpoint, role, call, seed=seed, on_text=on_text, attempt=attempt)
        except ModelError as error:
            if error.usage:
                error.usage = prices.priced(endpoint, role.model, error.usage, self.price_table)
            raise
        known = reply.usage or usage.estimate_usage(call.messages, reply)
        paid = prices.priced(endpoint, role.model, known, self.price_table)
        return replace(reply, usage=paid, adapted=(*reply.adapted, *self._unkept(spec, endpoint, role, paid)))

    def _unkept(self, spec: RunSpec, endpoint: Endpoint, role: Role, paid: Usage) -> Iterator[str]:
        """What limits on money count by tokens only, in words."""
        if paid.cost is None and spec.limits.get("money"):
            yield limits.unkept(role.model, endpoint.name, spec.limits)
        if said := self.spending.unkept(endpoint.name, Worst(0, paid.cost, paid.currency)):
            yield said

    async def aclose(self) -> None:
        for client in self.clients.values():
            await client.aclose()

    async def check(self, call: CheckCall) -> Reply:
        return await _timed(beside(self._result if call.check == RESULT else _check, call))

    async def choice(self, call: ChoiceCall) -> Reply:
        return await self.chooser.choice(call)

    async def tool(self, spec: RunSpec, call: ToolCall) -> Reply:
        began = time.monotonic()
        seen = await beside(self._use, spec, call)
        value = {"error": seen.error} if seen.error else None
        return Reply(content=seen.text, value=value, seconds=round(time.monotonic() - began, 3))

    def _use(self, spec: RunSpec, call: ToolCall) -> Observation:
        from refine import tools  # pydantic, word lists: only who uses tools waits for them

        allowed = [str(tool["name"]) for tool in spec.tools]
        around = self._surroundings(spec.options, spec.task.draft, spec.task.language)
        return tools.call(call.name, call.arguments, allowed, around)

    def _result(self, call: CheckCall) -> Json:
        """The reasons why what a run of steps hands in is not accepted; none = it is."""
        from refine.tools import results

        options = call.options
        around = self._surroundings(options, str(options.get("draft") or ""), str(options.get("language") or ""))
        return [finding.remark for finding in results.verify(call.text, options.get("checks") or (), around)]

    def _surroundings(self, options: Mapping[str, Json], draft: str, language: str) -> Surroundings:
        from refine.tools import Surroundings, workspace

        name, world = options.get("workspace"), options.get("workspace_from")
        return Surroundings(
            draft,
            language,
            workspace.folder(self.home, str(name)) if name else None,
            workspace.world(str(world), language) if world else None,
            self.facts.fact_put,
            self.facts.facts,
        )

    def question(self, spec: RunSpec, call: ModelCall) -> Ask | None:
        endpoint = self._asked(spec, call)[1]
        if needs_key(endpoint) and self.keys.find(endpoint) is None:
            return Ask("key_missing", about=endpoint.name)
        return None

    def worst(self, spec: RunSpec, call: ModelCall) -> Worst:
        role, endpoint = self._asked(spec, call)
        most = Usage(usage.estimate_prompt(call.messages), role.max_tokens or REPLY_GUESS)
        price, currency = prices.price_of(endpoint, role.model, most.input_tokens, self.price_table)
        money = prices.cost(price, most) if price else None
        return Worst(most.input_tokens + most.output_tokens, money, currency)

    def slot(self, spec: RunSpec, call: ModelCall) -> Slot:
        role, endpoint = self._asked(spec, call)
        line = self.lines.at(endpoint)
        behind = "comparison" in spec.options
        return Slot(line, self.spending, endpoint.name, role.model, lambda: self.worst(spec, call), behind=behind)

    def cut(self, spec: RunSpec, call: ModelCall, text: str, reasoning: str) -> Usage:
        role, endpoint = self._asked(spec, call)
        guess = usage.estimate_usage(call.messages, Reply(text, reasoning))
        return prices.priced(endpoint, role.model, guess, self.price_table)

    def wait(self, error: ModelError, attempt: int) -> float | None:
        return retry.wait_before_next(error, attempt, self.chance())

    def _asked(self, spec: RunSpec, call: ModelCall) -> tuple[Role, Endpoint]:
        role = spec.role(call.role)
        if role is None:
            raise SettingsError(f"The run has no role {call.role!r}: it has {[r.name for r in spec.roles]}.")
        return role, find_endpoint(spec, self.endpoints, role)


@dataclass(frozen=True)
class StoredQuirks:
    """What was learnt about endpoints, in the store."""

    store: Store

    def get(self, endpoint_name: str, model: str) -> Mapping[str, Json]:
        return self.store.quirks_get(endpoint_name, model) or {}

    def put(self, endpoint_name: str, model: str, quirks: dict[str, Json]) -> None:
        self.store.quirks_put(endpoint_name, model, quirks)


def world_doors(settings: Settings, keys: FindsKeys, store: Store) -> WorldDoors:
    """The doors to the real world, and to the scripted characters. Raises SettingsError for a broken price table."""

    lines = Lines()

    def chat() -> ModelClient:
        from refine.models.openai_chat import OpenAIChat

        return OpenAIChat(keys, StoredQuirks(store), redact=redact, on_headers=lines.heard)

    def scripted() -> ModelClient:
        from refine.models.scripted import Scripted

        return Scripted()

    def chat_with_child(key: Keyed) -> ModelClient:
        from refine.models.openai_chat import OpenAIChat

        return OpenAIChat(key, StoredQuirks(store))

    embedded = Embedded(chat_with_child)
    clients: dict[str, ModelClient] = {
        "openai": OnFirstUse(chat),
        "scripted": OnFirstUse(scripted),
        "embedded": embedded,
    }
    price_table = Kept(settings.home / PRICES_FILE, read_prices)
    spending = Spending(Kept(settings.home / caps.FILE, lambda path: caps.read(read_table(path))), store.totals)
    return WorldDoors(settings.endpoints, clients, keys, price_table, embedded, settings.home, store, lines, spending)


def read_prices(path: Path) -> Mapping[str, Json]:
    """The author's own prices, as `models.prices` has them; empty where there is no file.

    A price that gives no date of its own has that of the file.
    """
    try:
        table = plain_yaml().load(path.read_text(encoding="utf-8-sig"))
        date = datetime.date.fromtimestamp(path.stat().st_mtime).isoformat()
    except FileNotFoundError:
        return {}
    except (OSError, YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise SettingsError(f"The prices in {path} cannot be read: {reason}. Correct the file.") from error
    good = isinstance(table, dict) and all(
        isinstance(models, dict) and all(isinstance(row, dict) for row in models.values()) for models in table.values()
    )
    if table is not None and not good:
        raise SettingsError(f"The prices in {path} should stand as endpoint: model: input, output. Correct the file.")
    rows = (table or {}).items()
    return {str(name): {str(model): {"date": date, **row} for model, row in models.items()} for name, models in rows}


def find_endpoint(spec: RunSpec, endpoints: Mapping[str, Endpoint], role: Role) -> Endpoint:
    """The run's own endpoint of that name, else the settings'. Raises SettingsError for an unknown name."""
    own = next((endpoint for endpoint in spec.endpoints if endpoint.name == role.endpoint), None)
    found = own or endpoints.get(role.endpoint)
    if found is None:
        known = sorted({*endpoints, *(endpoint.name for endpoint in spec.endpoints)})
        raise SettingsError(f"Unknown endpoint {role.endpoint!r} for {role.name}: known are {', '.join(known)}.")
    return found


def verify_steps(spec: RunSpec, home: Path) -> None:
    """Raises SettingsError for checks of results, or a workspace, that cannot work."""
    if not spec.tools and not spec.task.result_checks:
        return
    from refine.tools import results, workspace

    results.validate(spec.task.result_checks)
    if name := spec.options.get("workspace"):
        workspace.folder(home, str(name))
    if world := spec.options.get("workspace_from"):
        workspace.world(str(world), spec.task.language)


def needs_key(endpoint: Endpoint) -> bool:
    return bool(endpoint.key) and endpoint.kind == "openai" and not is_loopback(endpoint.base_url)


def _check(call: CheckCall) -> Json:
    """A check that breaks on a text is left out, in words: the rest of the review is worth having."""
    from refine import checks  # word lists: only who checks waits for them

    try:
        return [to_json(finding) for finding in checks.run(call.check, call.text, call.options)]
    except RefineError:
        raise
    except Exception as error:
        table = words.of(str(call.options.get("language", "")))
        remark = table.CHECK_FAILED.format(check=call.check, error=type(error).__name__)
        return [
            to_json(Finding(dimension="check", rule="check.failed", severity="may", remark=remark, critic=call.check))
        ]


async def _timed(work: Awaitable[Json]) -> Reply:
    began = time.monotonic()
    value = await work
    return Reply(value=value, seconds=round(time.monotonic() - began, 3))
