"""The door to endpoints: what is sent, what comes back, what each fault is called, and how many requests it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from refine.errors import ModelError
from refine.models.fake_server import Running, Script, running
from refine.models.openai_chat import NO_KEY, OpenAIChat, list_models
from refine.types import Endpoint, Message, ModelCall, Role, ToolUse
from tests.models.conftest import CRITIC, Caller, KeyFile, QuirkBook, until

pytestmark = pytest.mark.asyncio


# --- a reply -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [True, False])
async def test_a_reply_comes_whole_with_its_usage_in_one_request(caller: Caller, stream: bool) -> None:
    reply = await caller.ask(stream=stream)
    assert reply.content == caller.text
    assert reply.content.startswith("This needs another revision")
    assert reply.finish_reason == "stop"
    assert reply.usage is not None
    assert not reply.usage.estimated
    assert reply.usage.cost is None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (
        caller.server.script.input_tokens,
        caller.server.script.output_tokens,
    )
    assert reply.first_token_seconds is not None
    assert reply.first_token_seconds <= reply.seconds
    assert caller.requests == 1


async def test_the_headers_of_every_answer_are_told_refusals_included(caller: Caller) -> None:
    told: list[tuple[str, str, str | None]] = []

    def hear(place: Endpoint, model: str, headers: Mapping[str, str]) -> None:
        told.append((place.name, model, headers.get("retry-after")))

    caller.door = OpenAIChat(KeyFile(), QuirkBook(), on_headers=hear)
    with pytest.raises(ModelError):
        await caller.ask("rate,retry_after=7")
    await caller.ask()
    assert told == [("fake", "steady", "7"), ("fake", "steady", None)]


async def test_text_is_passed_on_once_per_network_read(caller: Caller) -> None:
    caller.server.script.take({"pieces_per_write": 1000, "replies": ["word " * 500]})
    await caller.ask()
    assert len(caller.heard) < 20


async def test_reasoning_is_heard_and_kept_apart(caller: Caller) -> None:
    reply = await caller.ask(model="thinking")
    assert "APPROVED" in reply.reasoning
    assert reply.reasoning == "".join(piece for kind, piece in caller.heard if kind == "reasoning")
    assert "APPROVED" not in reply.content


async def test_tool_calls_come_with_their_arguments_whole(caller: Caller) -> None:
    uses = [{"id": "a", "name": "calc", "arguments": {"x": "é"}}, {"id": "b", "name": "look", "arguments": {}}]
    caller.server.script.take({"replies": [{"tool_calls": uses}]})
    reply = await caller.ask(call={"tools": ({"name": "calc", "parameters": {}},)})
    assert reply.tool_calls == (ToolUse("a", "calc", '{"x": "é"}'), ToolUse("b", "look", "{}"))
    assert reply.finish_reason == "tool_calls"
    assert caller.last_body["tools"] == [{"type": "function", "function": {"name": "calc", "parameters": {}}}]


async def test_the_request_holds_what_was_set_and_no_null(caller: Caller) -> None:
    await caller.ask(role={"temperature": 0.2, "max_tokens": 50}, seed=7)
    assert caller.last_body == {
        "model": "steady",
        "messages": [{"role": m.role, "content": m.content} for m in CRITIC],
        "temperature": 0.2,
        "max_tokens": 50,
        "seed": 7,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_a_text_with_half_a_pair_in_it_can_be_sent(caller: Caller) -> None:
    await caller.ask(messages=(Message("user", ("odd \ud83d",)),))
    assert caller.last_body["messages"][0]["content"] == "odd ?"


# --- what is refused, repaired and remembered ----------------------------------------------------------------

SETTINGS: dict[str, Any] = {
    "role": {"temperature": 0.7, "max_tokens": 2000},
    "call": {"schema": {"type": "object"}},
    "seed": 1,
}
REPAIRED = [
    ("temperature", {"drop.temperature": True}, ("temperature was not applied: this model refuses it",)),
    ("seed", {"drop.seed": True}, ("seed was not applied: this model refuses it",)),
    ("max_tokens", {"limit_name": "max_completion_tokens"}, ()),
    ("stream_options", {"drop.stream_options": True}, ()),
    ("response_format", {"response_format.none": True},
     ("the reply's form was not enforced: this model takes no schema",)),
    ("json_schema", {"response_format.json_object": True}, ()),
    ("system", {"system": "user"}, ()),
    ("alternate", {"system": "user"}, ()),
    ("stream", {"stream": False}, ()),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "quirks", "words"), REPAIRED)
async def test_a_refused_parameter_costs_one_request_once(
    caller: Caller, fault: str, quirks: dict[str, Any], words: tuple[str, ...]
) -> None:
    first = await caller.ask(fault, **SETTINGS)
    assert first.adapted == words
    assert caller.requests == 2
    assert caller.quirks.kept == {("fake", "steady"): quirks}
    second = await caller.ask(fault, **SETTINGS)
    assert second.adapted == words
    assert second.content == first.content
    assert (caller.requests, caller.quirks.puts) == (3, 1)


async def test_what_was_learnt_is_known_to_the_next_process(server: Running) -> None:
    quirks = QuirkBook()
    quirks.put("fake", "steady", {"drop.temperature": True})
    caller = Caller(server)
    caller.door = OpenAIChat(KeyFile(), quirks)
    await caller.ask("temperature", **SETTINGS)
    await caller.door.aclose()
    assert caller.requests == 1


async def test_a_limit_refused_under_both_names_ends_after_one_swap(caller: Caller) -> None:
    error = {"error": {"message": "max_tokens and max_completion_tokens are not supported", "param": None}}
    caller.server.script.take({"replies": [{"status": 400, "error": error}] * 3})
    with pytest.raises(ModelError) as raised:
        await caller.ask(role={"max_tokens": 9})
    assert raised.value.kind == "bad_request"
    assert caller.requests == 2


async def test_usage_that_is_not_reported_is_estimated(caller: Caller) -> None:
    reply = await caller.ask("no_usage")
    assert reply.usage is not None
    assert reply.usage.estimated
    assert reply.usage.output_tokens > 0


async def test_a_limit_used_up_by_reasoning_is_doubled_once_and_both_requests_count(caller: Caller) -> None:
    reply = await caller.ask("reasoning_only", role={"max_tokens": 200})
    assert reply.content
    assert reply.adapted == (
        "the token limit was used up by reasoning, nothing was left for the text: "
        "asked again with max_tokens 400 instead of 200",
    )
    assert caller.last_body["max_tokens"] == 400
    assert caller.requests == 2
    assert reply.usage is not None
    assert reply.usage.output_tokens == caller.server.script.output_tokens


async def test_a_limit_used_up_by_thoughts_in_tags_is_doubled_too(caller: Caller) -> None:
    reply = await caller.ask("think_cut,times=1", role={"max_tokens": 200})
    assert reply.content.startswith("This needs")
    assert caller.last_body["max_tokens"] == 400


async def test_a_schema_is_given_up_step_by_step(caller: Caller) -> None:
    reply = await caller.ask("json_object", **SETTINGS)
    assert reply.adapted == ("the reply's form was not enforced: this model takes no schema",)
    assert (caller.requests, caller.quirks.puts) == (3, 2)
    await caller.ask("json_object", **SETTINGS)
    assert caller.requests == 4


async def test_a_prompt_that_a_server_cut_without_a_word_is_told(caller: Caller) -> None:
    long = (
        Message("system", ("You are a strict reviewer. Answer with APPROVED alone.",)),
        Message("user", ("word " * 9000,)),
    )
    usage = {"input_tokens": 2048, "output_tokens": 5}
    caller.server.script.take({"replies": [{"content": "APPROVED", "usage": usage}]})
    (said,) = (await caller.ask(messages=long)).adapted
    assert "2,048 tokens of a prompt of 45,0" in said
    assert (await caller.ask(messages=long)).adapted == ()


@pytest.mark.parametrize("words", ["max_tokens", "MAX_TOKENS", "model_length"])
async def test_a_cut_reply_is_known_by_every_servers_word(caller: Caller, words: str) -> None:
    caller.server.script.take({"replies": [{"content": "Half a", "finish_reason": words}]})
    assert (await caller.ask()).finish_reason == "length"


async def test_a_page_is_told_with_its_status_and_type(caller: Caller) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask("html")
    assert 'got status 200, "text/html: <!DOCTYPE html>' in raised.value.message
    with pytest.raises(ModelError) as raised:
        await caller.ask("words")
    assert 'got status 200, "text/plain' in raised.value.message


async def test_an_unchecked_certificate_is_told_in_every_reply(caller: Caller) -> None:
    reply = await caller.ask(endpoint={"verify": False})
    assert reply.adapted == ("the certificate of fake was not checked: verify is off",)


async def test_it_is_not_doubled_twice(caller: Caller) -> None:
    reply = await caller.ask("reasoning_only", role={"max_tokens": 20})
    assert (reply.content, reply.finish_reason) == ("", "length")
    assert caller.requests == 2


# --- faults --------------------------------------------------------------------------------------------------

FAULTS = [
    ("key", "key"), ("forbidden", "forbidden"), ("not_found", "not_found"), ("address", "not_found"),
    ("quota", "quota"), ("rate", "rate"), ("server", "server"), ("unavailable", "server"), ("gateway", "server"),
    ("context", "context"), ("content_filter", "content_filter"), ("bad_request", "bad_request"),
    ("text", "bad_request"), ("html", "settings"), ("redirect", "settings"), ("error_200", "rate"),
    ("malformed", "malformed"), ("empty_choices", "malformed"), ("drop", "dropped"),
]  # fmt: skip


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("fault", "kind"), FAULTS)
async def test_each_fault_has_its_kind_after_one_request(caller: Caller, fault: str, kind: str, stream: bool) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(fault, stream=stream)
    assert raised.value.kind == kind
    assert raised.value.message.count('"') >= 2
    assert raised.value.usage is not None
    assert caller.requests == 1


BROKEN = [("cut", "cut"), ("drop", "dropped"), ("error_chunk", "server"), ("malformed", "malformed"), ("stall", "idle")]


@pytest.mark.parametrize(("fault", "kind"), BROKEN)
async def test_a_broken_stream_leaves_its_partial_text_and_an_estimate(caller: Caller, fault: str, kind: str) -> None:
    with pytest.raises(ModelError) as raised:
        await (caller.ask_for(61, fault) if fault == "stall" else caller.ask(fault))
    error = raised.value
    assert error.kind == kind
    assert error.partial == caller.text
    assert error.partial.startswith("This needs")
    assert error.usage is not None
    assert error.usage.estimated
    assert error.usage.output_tokens > 0


async def test_what_was_refused_before_a_model_saw_it_is_known_to_cost_nothing(caller: Caller) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask("rate")
    assert raised.value.usage is not None
    assert raised.value.usage.cost == 0


@pytest.mark.parametrize(("asked", "seconds"), [("5", 5.0), ("3600", 3600.0), ("-1", None), ("soon", None)])
async def test_retry_after_is_handed_on(caller: Caller, asked: str, seconds: float | None) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(f"rate,retry_after={asked}")
    assert raised.value.retry_after == seconds


@pytest.mark.parametrize(("stream", "seconds", "kind"), [(True, 301, "idle"), (False, 601, "total")])
async def test_no_answer_at_all_ends_at_a_limit(caller: Caller, stream: bool, seconds: float, kind: str) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask_for(seconds, "silence", silent=True, stream=stream)
    assert raised.value.kind == kind
    assert not raised.value.partial


@pytest.mark.parametrize(
    ("limits", "seconds", "kind"),
    [
        ({"idle_seconds": 90.0}, 91, "idle"),
        ({"idle_seconds": 900.0}, 601, "total"),
        ({"idle_seconds": 900.0, "total_seconds": 700.0}, 701, "total"),
    ],
)
async def test_the_limits_are_the_endpoints_own(
    caller: Caller, limits: dict[str, float], seconds: float, kind: str
) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask_for(seconds, "stall", endpoint=limits)
    assert raised.value.kind == kind
    assert f"{limits.get('total_seconds', 600) if kind == 'total' else 90:g} seconds" in raised.value.message


async def test_a_reply_that_never_ends_is_closed_at_the_total_limit(caller: Caller) -> None:
    caller.server.script.take({"replies": ["word " * 2000]})
    with pytest.raises(ModelError) as raised:
        await caller.ask_for(601, model="slow")
    assert raised.value.kind == "total"
    assert raised.value.partial == caller.text != ""


@pytest.mark.parametrize("fault", ["crlf", "no_end", "plain_json", "big_line"])
async def test_odd_but_whole_replies_are_read(caller: Caller, fault: str) -> None:
    reply = await caller.ask(fault)
    assert reply.content.startswith("This needs")
    assert reply.content == caller.text
    assert reply.finish_reason == "stop"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("fault", ["null_content", "null_message", "refusal", "filtered", "length"])
async def test_replies_without_a_use_are_replies(caller: Caller, fault: str, stream: bool) -> None:
    reply = await caller.ask(fault, stream=stream)
    assert reply.finish_reason == {"filtered": "content_filter", "length": "length"}.get(fault, "stop")
    assert bool(reply.refusal) == (fault == "refusal")
    assert bool(reply.content) == (fault in ("filtered", "length"))
    assert caller.requests == 1


async def test_a_server_that_is_not_there_cannot_be_reached(caller: Caller) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(endpoint={"base_url": "http://127.0.0.1:9/v1"})
    assert raised.value.kind == "connect"
    assert "http://127.0.0.1:9/v1 cannot be reached" in raised.value.message


@pytest.mark.parametrize("url", ["", "localhost:8000/v1", "ftp://localhost/v1"])
async def test_what_is_no_address_is_a_setting_to_change(caller: Caller, url: str) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(endpoint={"base_url": url})
    assert raised.value.kind == "settings"


async def test_a_missing_certificate_file_is_named(caller: Caller) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(endpoint={"ca_file": "/nowhere/ca.pem"})
    assert raised.value.kind == "settings"
    assert "/nowhere/ca.pem" in raised.value.message


# --- closing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["stall", "silence"])
async def test_a_cancelled_call_is_closed_at_once_and_what_had_come_was_heard(caller: Caller, fault: str) -> None:
    script, before = caller.server.script, caller.requests
    call = asyncio.create_task(caller.ask(fault))
    await until(lambda: caller.requests > before and (fault == "silence" or bool(caller.text)))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await until(lambda: script.open == 0)
    assert caller.text.startswith("This" if fault == "stall" else "")


async def test_connections_are_used_again(caller: Caller) -> None:
    for _ in range(3):
        await caller.ask()
    ports = {request["client"] for request in caller.server.script.seen}
    assert len(ports) == 1


# --- keys ----------------------------------------------------------------------------------------------------


async def test_an_endpoint_without_a_key_never_gets_the_environments(caller: Caller) -> None:
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("OPENAI_API_KEY", "sk-canary")
        environment.setenv("OPENAI_ADMIN_KEY", "sk-canary-admin")
        environment.setenv("OPENAI_ORG_ID", "org-canary")
        environment.setenv("OPENAI_PROJECT_ID", "project-canary")
        environment.setenv("OPENAI_CUSTOM_HEADERS", "X-Canary: canary\nAuthorization: Bearer sk-canary")
        environment.setenv("HTTP_PROXY", "http://127.0.0.1:9")
        await caller.ask()
        list_models(Endpoint("fake", caller.server.url), KeyFile())
    headers = caller.server.script.seen[-1]["headers"]
    assert headers["authorization"] == f"Bearer {NO_KEY}"
    assert "canary" not in str(headers)


async def test_each_endpoint_gets_its_own_key_and_no_other(server: Running) -> None:
    with running(Script()) as other:
        keys = KeyFile({"one": "sk-one", "two": "sk-two"})
        door = OpenAIChat(keys, QuirkBook())
        for name, url in (("one", server.url), ("two", other.url), ("three", server.url)):
            await door(Endpoint(name, url), Role("critic", model="lenient"), ModelCall("c", CRITIC), on_text=ignored)
        await door.aclose()
        sent = [request["headers"]["authorization"] for request in (*server.script.seen, *other.script.seen)]
    assert sent == ["Bearer sk-one", f"Bearer {NO_KEY}", "Bearer sk-two"]


async def test_a_key_that_is_missing_is_asked_for_before_anything_is_sent(caller: Caller) -> None:
    with pytest.raises(ModelError) as raised:
        await caller.ask(endpoint={"base_url": "https://far.example/v1", "key": "FAR_KEY"})
    assert raised.value.kind == "key"
    assert "FAR_KEY" in raised.value.message


async def test_a_key_in_a_servers_words_is_masked(caller: Caller) -> None:
    error = {"error": {"message": "Incorrect API key provided: sk-canary"}}
    caller.server.script.take({"replies": [{"status": 401, "error": error}]})
    with pytest.raises(ModelError) as raised:
        await caller.ask()
    assert "sk-canary" not in raised.value.message
    assert "[key]" in raised.value.message


# --- models --------------------------------------------------------------------------------------------------


async def test_an_endpoint_names_its_models(server: Running) -> None:
    assert list_models(Endpoint("fake", server.url), KeyFile()) == list(server.script.models)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "nonsense", ""])
async def test_an_endpoint_that_does_not_say_has_none(url: str) -> None:
    assert list_models(Endpoint("fake", url), KeyFile()) == []


def ignored(kind: str, piece: str) -> None:
    pass
