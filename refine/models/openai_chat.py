"""The door to any OpenAI-compatible endpoint: one attempt at one call, streamed, and what it cost.

It repairs a request that an endpoint refuses (`quirks`), names what went wrong (`failures`) and nothing else: it knows
nothing of runs, rounds, further attempts or of where keys and quirks are kept. One instance belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

import aiohttp
import httpx2
import openai

from refine.errors import ModelError
from refine.models import quirks as repairs
from refine.models.addresses import is_loopback
from refine.models.clients import Client, new_client, plain_client
from refine.models.endings import GAVE_UP, finish_reason
from refine.models.failures import Place, Redact, Refused, broke, refused
from refine.models.requests import body_of
from refine.models.retry import read_retry_after
from refine.models.stream import ErrorInBody, ReplyReader, Unreadable
from refine.models.usage import NOTHING, estimate_prompt, estimate_usage, read_usage, together
from refine.replies import visible
from refine.types import Endpoint, Json, ModelCall, Reply, Role, Usage

OnText = Callable[[str, str], None]
"""Takes ("text" | "reasoning", piece) as a reply comes in, at most once each per network read."""

OnHeaders = Callable[[Endpoint, str, Mapping[str, str]], None]
"""Takes the model and the headers of every answer, refusals included, as soon as it is open; names in lower case."""

NO_KEY = "none"
"""What is sent to an endpoint without a key: the package takes the environment's real key if it is given nothing."""

IDLE_BEFORE_FIRST = 5.0
"""How many idle limits the first piece may take: prompts are read, and thoughts thought, before it."""
GRACE_AFTER_FINISH = 5.0
"""Seconds in which the usage may follow the finish reason."""
GRACE_AFTER_END = 0.25
"""Seconds in which a server may close its reply after it said that it is over; the connection is then used again."""
MOST_CHARACTERS_PER_TOKEN = 12
"""Where a server counts fewer tokens than this, it has cut the prompt without a word."""
LARGEST_DOUBLED_LIMIT = 32_768

NETWORK_ERRORS = (
    openai.OpenAIError, aiohttp.ClientError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError,
    OSError, EOFError, ValueError,
)  # fmt: skip
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Keys(Protocol):
    """Who knows keys. None: there is none for this endpoint."""

    def find(self, endpoint: Endpoint) -> str | None: ...


class Quirks(Protocol):
    """Where is kept what an endpoint refuses. A quirk is JSON, by name."""

    def get(self, endpoint_name: str, model: str) -> Mapping[str, Json]: ...

    def put(self, endpoint_name: str, model: str, quirks: dict[str, Json]) -> None: ...


class _IdleLimit(TimeoutError):
    pass


class _TotalLimit(TimeoutError):
    pass


class _BadStatus(Exception):
    """The server answered, but not with a reply. The answer is read."""

    def __init__(self, answer: httpx2.Response) -> None:
        super().__init__(f"status {answer.status_code}")
        self.answer = answer


@dataclass(frozen=True, slots=True)
class _Request:
    """One request of an attempt: whom it goes to, what it asks and what has to be known to judge its answer."""

    place: Place
    key: str
    role: Role
    call: ModelCall
    seed: int | None
    began: float
    on_text: OnText

    @property
    def endpoint(self) -> Endpoint:
        return self.place.endpoint

    def body(self, quirks: Mapping[str, Json]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The request's body, and words on what was not applied."""
        return repairs.apply(body_of(self.endpoint, self.role, self.call, self.seed), quirks)

    def sent(self, quirks: Mapping[str, Json]) -> _Sent:
        body, adapted = self.body(quirks)
        return _Sent(_dumps(body).encode("utf-8", "replace"), "stream" in body, adapted, dict(quirks))


@dataclass(frozen=True, slots=True)
class _Sent:
    """What is kept of a body while its answer is waited for; few servers refuse it, and then it is built again."""

    content: bytes
    streamed: bool
    adapted: tuple[str, ...]
    quirks: Mapping[str, Json]
    """What was known when it was built; others may learn more meanwhile."""


class OpenAIChat:
    """Call it with an endpoint, a role and a call; it gives back a `Reply` or raises a `ModelError`.

    Args:
        keys: who knows the endpoints' keys.
        quirks: where what was learnt about endpoints is kept.
        redact: masks keys in whatever a server says.
        on_headers: is told the headers of every answer, as what a server says of its limits stands there.
        clock: seconds, for durations.
        now: seconds since 1970, for dates in a server's answer.
    """

    def __init__(
        self,
        keys: Keys,
        quirks: Quirks,
        *,
        redact: Redact = lambda text: text,
        on_headers: OnHeaders = lambda endpoint, model, headers: None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keys, self._quirks, self._redact, self._on_headers = keys, quirks, redact, on_headers
        self._clock, self._now = clock, now
        self._clients: dict[tuple[Endpoint, str], Client] = {}
        self._known: dict[tuple[str, str], dict[str, Json]] = {}

    async def __call__(
        self,
        endpoint: Endpoint,
        role: Role,
        call: ModelCall,
        *,
        seed: int | None = None,
        on_text: OnText,
        attempt: int = 0,
    ) -> Reply:
        """One attempt. A request that the endpoint refuses for a parameter's sake is repaired and sent again.

        The usage has no cost yet: prices are another's. `attempt` makes no difference here.

        Raises:
            ModelError: see `ModelErrorKind`; `partial` is what `on_text` was given.
            asyncio.CancelledError: passed on once the request is closed.
        """
        began = self._clock()
        place = Place(endpoint, role.model, role.name, self._redact)
        request = _Request(place, self._key(place), role, call, seed, began, on_text)
        reply = await self._repaired(request)
        if _thought_only(reply):
            reply = await self._with_more_room(request, reply)
        notes = _notes(request, reply)
        return replace(reply, adapted=(*reply.adapted, *notes)) if notes else reply

    async def aclose(self) -> None:
        """Closes every connection."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.close()

    # --- one request after the other -----------------------------------------------------------------------

    async def _repaired(self, request: _Request) -> Reply:
        """Sends the request as the endpoint takes it. What it refuses is learnt, each thing once."""
        endpoint, model = request.endpoint, request.place.model
        known = self._known_quirks(endpoint.name, model)
        learnt: set[str] = set()
        while True:
            sent = request.sent(known)
            try:
                return await self._send(request, sent)
            except Refused as error:
                quirk = repairs.learn(request.body(sent.quirks)[0], error)
                if quirk is None or quirk.name in learnt:
                    raise
                learnt.add(quirk.name)
                known[quirk.name] = quirk.value
                self._quirks.put(endpoint.name, model, dict(known))

    async def _with_more_room(self, request: _Request, first: Reply) -> Reply:
        """The limit was used up by reasoning: asks once more with twice the room, and counts both."""
        role = request.role
        words = "the token limit was used up by reasoning, nothing was left for the text"
        if role.max_tokens is None or role.max_tokens >= LARGEST_DOUBLED_LIMIT:
            return replace(first, adapted=(*first.adapted, f"{words}: raise max_tokens"))
        more = min(2 * role.max_tokens, LARGEST_DOUBLED_LIMIT)
        try:
            second = await self._repaired(replace(request, role=replace(role, max_tokens=more)))
        except ModelError as error:
            error.usage = together(first.usage, error.usage)
            raise
        said = f"{words}: asked again with max_tokens {more} instead of {role.max_tokens}"
        return replace(second, usage=together(first.usage, second.usage), adapted=(*second.adapted, said))

    async def _send(self, request: _Request, sent: _Sent) -> Reply:
        """One request and its whole answer. Everything that can go wrong leaves as a ModelError."""
        reader, arrived = ReplyReader(), _Arrived(self._clock, request)
        try:
            await self._read(request, sent, reader, arrived)
        except (ErrorInBody, Unreadable, _BadStatus) as error:
            raise self._failure(request, reader, arrived, error) from error
        except NETWORK_ERRORS as error:
            # A connection that breaks, or stays open, behind the end of a reply takes nothing away from it.
            if not reader.complete:
                raise self._failure(request, reader, arrived, error) from error
        if not reader.complete or reader.finish_reason in GAVE_UP:
            raise self._failure(request, reader, arrived, None)
        return self._reply(request, sent, reader, arrived)

    async def _read(self, request: _Request, sent: _Sent, reader: ReplyReader, arrived: _Arrived) -> None:
        """Reads the answer to its end: each network read within the idle limit, all within the total limit.

        The answer is closed on every way out, a cancelled task included.
        """
        endpoint, loop = request.endpoint, asyncio.get_running_loop()
        limit = loop.time() + endpoint.total_seconds
        first = endpoint.idle_seconds * IDLE_BEFORE_FIRST if sent.streamed else endpoint.total_seconds
        try:
            async with asyncio.timeout_at(min(limit, loop.time() + first)) as timer:
                response = await self._client(request).complete(sent.content)
                try:
                    headers = _headers(response)
                    self._on_headers(endpoint, request.place.model, headers)
                    arrived.kind = headers.get("content-type", "")
                    if not response.is_success:
                        await response.aread()
                        raise _BadStatus(response)
                    async with aclosing(_reads(response, headers)) as reads:
                        async for data in reads:
                            self._feed(reader, data, arrived)
                            timer.reschedule(min(limit, loop.time() + _patience(reader, endpoint)))
                finally:
                    await response.aclose()
        except TimeoutError as error:
            raise (_TotalLimit() if loop.time() >= limit else _IdleLimit()) from error
        self._feed(reader, None, arrived)

    def _feed(self, reader: ReplyReader, data: bytes | None, arrived: _Arrived) -> None:
        """Passes one network read to the reader (None: there are no more), and what came of it to the listener."""
        try:
            if data is None:
                reader.close()
            else:
                reader.feed(data)
        finally:
            arrived.deliver(*reader.news())

    # --- what came of it -----------------------------------------------------------------------------------

    def _reply(self, request: _Request, sent: _Sent, reader: ReplyReader, arrived: _Arrived) -> Reply:
        reply = Reply(
            content=reader.text,
            reasoning=reader.reasoning,
            refusal=reader.refusal,
            tool_calls=reader.tool_calls,
            usage=read_usage(reader.usage),
            finish_reason=finish_reason(reader.finish_reason),
            seconds=self._clock() - request.began,
            first_token_seconds=arrived.first,
            adapted=sent.adapted,
        )
        usage = _usage(request, reply)
        return reply if usage is reply.usage else replace(reply, usage=usage)

    def _failure(
        self, request: _Request, reader: ReplyReader, arrived: _Arrived, error: Exception | None
    ) -> ModelError:
        """The error with all that is known about the attempt; None: the stream ended before the reply did."""
        failure = self._named(request, reader, arrived, error)
        failure.partial, failure.reasoning = reader.text, reader.reasoning
        failure.seconds, failure.first_token_seconds = self._clock() - request.began, arrived.first
        begun = bool(failure.partial or failure.reasoning)
        if isinstance(error, ErrorInBody) and not begun:
            failure.usage = NOTHING
        if failure.usage is None:
            partial = Reply(content=failure.partial, reasoning=failure.reasoning, usage=read_usage(reader.usage))
            failure.usage = _usage(request, partial)
        return failure

    def _named(self, request: _Request, reader: ReplyReader, arrived: _Arrived, error: Exception | None) -> ModelError:
        place, endpoint, kind = request.place, request.endpoint, arrived.kind.partition(";")[0] or "no content type"
        match error:
            case None:
                got = f"finish reason {reader.finish_reason}" if reader.complete else "the end without a finish reason"
                return ModelError("cut", place.say("cut", got))
            case _BadStatus():
                return self._status_failure(request, error.answer)
            case ErrorInBody():
                return refused(place, None, error.body, sent=estimate_prompt(request.call.messages))
            case Unreadable(html=True):
                return ModelError("settings", place.say("settings", f"{kind}: {error.sample}", 200), usage=NOTHING)
            case Unreadable():
                return ModelError("malformed", place.say("malformed", f"{kind}, {error}: {error.sample}", 200))
            case _TotalLimit():
                return ModelError("total", place.say("total", f"no end after {endpoint.total_seconds:g} seconds"))
            case _IdleLimit():
                return ModelError("idle", place.say("idle", f"silence; the limit is {endpoint.idle_seconds:g} seconds"))
            case _:
                return broke(place, error)

    def _status_failure(self, request: _Request, answer: httpx2.Response) -> ModelError:
        place, sent = request.place, estimate_prompt(request.call.messages)
        wait = read_retry_after({name.lower(): value for name, value in answer.headers.items()}, self._now())
        if location := answer.headers.get("location"):
            got = f"status {answer.status_code}, a redirect to {location}"
            return ModelError("settings", place.say("settings", got), status=answer.status_code, usage=NOTHING)
        kind = answer.headers.get("content-type", "")
        return refused(place, answer.status_code, answer.text, content_type=kind, retry_after=wait, sent=sent)

    # --- clients, keys, quirks -----------------------------------------------------------------------------

    def _key(self, place: Place) -> str:
        endpoint = place.endpoint
        if key := (self._keys.find(endpoint) or "").strip():
            return key
        if not endpoint.key or is_loopback(endpoint.base_url):
            return NO_KEY
        message = (
            f"There is no key for {endpoint.name}: got nothing under {endpoint.key}. "
            "Set that environment variable, or give the key with --api-key or on the page."
        )
        raise ModelError("key", message, usage=NOTHING)

    def _client(self, request: _Request) -> Client:
        """The one client of an endpoint and key, made when it is first needed."""
        owner = request.endpoint, request.key
        if owner not in self._clients:
            try:
                self._clients[owner] = new_client(request.place, request.key)
            except (ImportError, ValueError) as error:
                # The environment names a proxy of a kind that is not supported.
                raise ModelError("settings", request.place.say("proxy", str(error)), usage=NOTHING) from error
        return self._clients[owner]

    def _known_quirks(self, endpoint_name: str, model: str) -> dict[str, Json]:
        owner = endpoint_name, model
        if owner not in self._known:
            self._known[owner] = dict(self._quirks.get(endpoint_name, model) or {})
        return self._known[owner]


def list_models(endpoint: Endpoint, keys: Keys) -> list[str]:
    """The models an endpoint offers, in its order; none where it does not say. Blocks for ten seconds at most."""
    place = Place(endpoint, "", "", str)
    try:
        with plain_client(place, (keys.find(endpoint) or "").strip() or NO_KEY) as client:
            offered = client.get("/models", cast_to=object, options={"security": {"bearer_auth": True}})
    except (ModelError, *NETWORK_ERRORS):
        return []
    rows = offered.get("data") if isinstance(offered, dict) else None
    return [str(row["id"]) for row in rows or () if isinstance(row, dict) and row.get("id")]


class _Arrived:
    """Passes text on and notes when the first of it came."""

    def __init__(self, clock: Callable[[], float], request: _Request) -> None:
        self._clock, self._request = clock, request
        self.first: float | None = None
        self.kind = ""
        """The content type of the answer."""

    def deliver(self, reasoning: str, text: str) -> None:
        if self.first is None and (reasoning or text):
            self.first = self._clock() - self._request.began
        if reasoning:
            self._request.on_text("reasoning", reasoning)
        if text:
            self._request.on_text("text", text)


def _headers(response: httpx2.Response) -> dict[str, str]:
    """By name in lower case. The package's own table is searched from its beginning for each name."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers.raw}


def _reads(response: httpx2.Response, headers: Mapping[str, str]) -> AsyncGenerator[bytes]:
    """The body as it comes in; without the package's layers where nothing has to be unpacked."""
    if "content-encoding" in headers:
        return response.aiter_bytes()
    return cast("AsyncGenerator[bytes]", aiter(cast(httpx2.AsyncByteStream, response.stream)))


def _usage(request: _Request, reply: Reply) -> Usage:
    """As reported, or estimated where nothing was, or where nought was although text came."""
    if reply.usage is not None and reply.usage.output_tokens:
        return reply.usage
    guess = estimate_usage(request.call.messages, reply)
    return guess if reply.usage is None or guess.output_tokens else reply.usage


def _thought_only(reply: Reply) -> bool:
    """Did the limit end it before a word was said? Thoughts may also stand in tags within the text."""
    if reply.finish_reason != "length" or reply.tool_calls or reply.refusal:
        return False
    thought = reply.reasoning or (reply.usage and reply.usage.reasoning_tokens) or reply.content.strip()
    return bool(thought) and not visible(reply.content).strip()


def _notes(request: _Request, reply: Reply) -> tuple[str, ...]:
    """What an author should know of this call, though it went well."""
    notes = []
    if not request.endpoint.verify:
        notes.append(f"the certificate of {request.endpoint.name} was not checked: verify is off")
    usage = reply.usage
    if usage and usage.input_tokens and not usage.estimated and not usage.cached_tokens:
        sent = sum(sum(map(len, message.parts)) for message in request.call.messages)
        if sent > MOST_CHARACTERS_PER_TOKEN * usage.input_tokens:
            notes.append(
                f"the server read only {usage.input_tokens:,} tokens of a prompt of {sent:,} characters: "
                "raise its context length"
            )
    return tuple(notes)


def _patience(reader: ReplyReader, endpoint: Endpoint) -> float:
    """Seconds that the next network read may take."""
    if reader.ended:
        return GRACE_AFTER_END
    if reader.finish_reason is not None:
        return min(endpoint.idle_seconds, GRACE_AFTER_FINISH)
    return endpoint.idle_seconds
