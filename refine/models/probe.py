"""A test of an endpoint: which models it lists, and what one short call comes to. It knows nothing of pages or runs.

The address is tried as it was typed. Where nothing of the kind is there, it is tried with /v1 at its end as well; which
of the two to use is for the author to say.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from refine.errors import ModelError
from refine.keys import redact, remember_secret
from refine.models.addresses import trimmed
from refine.models.failures import Refused
from refine.models.openai_chat import OpenAIChat, list_models
from refine.models.stream import Unreadable
from refine.types import Endpoint, Json, Message, ModelCall, Role

SECONDS = 20.0
"""The whole short call, its first word included."""
VERSION = "/v1"
QUESTION = (
    Message("system", ("You are asked whether you are there.",)),
    Message("user", ("Answer with the one word: here.",)),
)
ROLE = Role("test", temperature=0.3, max_tokens=64)
"""What runs send too, so that a refusal of it shows here."""
NO_WRITER = re.compile(r"embed|whisper|tts|audio|image|dall-e|moderation|rerank|transcribe|realtime|sora|ocr", re.I)
"""Names of models that answer no question."""
ADDRESS_FAULTS = ("not_found", "page", "malformed", "bad_request", "redirect")
"""What a server says where the address leads to something else."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What a test found."""

    endpoint: Endpoint
    """As it was tested: with the address that was typed."""
    fault: str = ""
    """Empty: it works. Else a kind of ModelError, or no_key, model, page, redirect, certificate, proxy, address."""
    said: str = ""
    """The fault in full, keys masked."""
    models: tuple[str, ...] = ()
    model: str = ""
    """Whom the short call was for."""
    quirks: Mapping[str, Json] = field(default_factory=dict)
    seconds: float = 0.0
    better: str = ""
    """Another address, at which all this was found; "" = at the endpoint's own."""

    @property
    def works(self) -> bool:
        return not self.fault


@dataclass(frozen=True)
class _Given:
    """The one key that was found for the endpoint."""

    key: str | None

    def find(self, _endpoint: Endpoint) -> str | None:
        return self.key


class _Learnt:
    """What is learnt in a test that begins with knowing nothing."""

    def __init__(self) -> None:
        self.quirks: dict[str, Json] = {}

    def get(self, _endpoint_name: str, _model: str) -> Mapping[str, Json]:
        return self.quirks

    def put(self, _endpoint_name: str, _model: str, quirks: dict[str, Json]) -> None:
        self.quirks = quirks


async def probe(endpoint: Endpoint, key: str | None, model: str = "") -> Probe:
    """Lists the models and asks one of them: `model`, or the first that can answer."""
    remember_secret(key or "")
    found = await _once(endpoint, key, model)
    address = trimmed(endpoint.base_url)
    if found.fault not in ADDRESS_FAULTS or address.endswith(VERSION):
        return found
    better = await _once(replace(endpoint, base_url=address + VERSION), key, model)
    if better.fault in (*ADDRESS_FAULTS, "connect", "dropped", "idle", "total"):
        return found
    return replace(better, endpoint=endpoint, better=address + VERSION)


async def _once(endpoint: Endpoint, key: str | None, model: str) -> Probe:
    keys, learnt, began = _Given(key), _Learnt(), time.monotonic()
    models = await asyncio.to_thread(list_models, endpoint, keys)
    asked = model or next((name for name in models if not NO_WRITER.search(name)), "")
    chat = OpenAIChat(keys, learnt, redact=redact)
    patient = replace(endpoint, total_seconds=SECONDS, idle_seconds=min(endpoint.idle_seconds, SECONDS))
    found = Probe(endpoint, models=tuple(models), model=asked)
    try:
        role = replace(ROLE, endpoint=endpoint.name, model=asked)
        await chat(patient, role, ModelCall(ROLE.name, QUESTION), on_text=lambda _kind, _piece: None)
    except ModelError as error:
        fault = _fault(error, has_key=bool(key), named=bool(asked))
        found = replace(found, fault=fault, said=redact(error.message))
    finally:
        await chat.aclose()
    return replace(found, quirks=learnt.quirks, seconds=round(time.monotonic() - began, 1))


def _fault(error: ModelError, *, has_key: bool, named: bool) -> str:
    if error.kind == "key" and not has_key:
        return "no_key"
    if error.kind == "settings":
        return _settings_fault(error)
    if error.kind == "not_found" and "model" in _words(error):
        return "model"
    return "model" if error.kind == "bad_request" and not named else error.kind


def _words(error: ModelError) -> str:
    said = error.said.message if isinstance(error, Refused) else error.message
    return f"{error.code} {error.param} {said}".casefold()


def _settings_fault(error: ModelError) -> str:
    if error.status is not None and 300 <= error.status < 400:
        return "redirect"
    if isinstance(error.__cause__, Unreadable):
        return "page"
    names = {type(one).__name__ for one in _causes(error)}
    for word, fault in (("Cert", "certificate"), ("SSL", "certificate"), ("Proxy", "proxy"), ("URL", "address")):
        if any(word in name for name in names):
            return fault
    if "OSError" in names or "FileNotFoundError" in names:
        return "certificate"  # the file that was named cannot be read
    return "address" if error.__cause__ is None and error.status is None else "page"


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
