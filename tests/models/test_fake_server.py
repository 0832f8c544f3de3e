"""The fake server: it plays the characters, does what it is told, and counts."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from refine.errors import ModelError
from refine.models.fake_faults import KINDS, REPLIES, read_fault
from refine.models.openai_chat import OpenAIChat
from refine.models.scripted import Scripted
from refine.types import Endpoint, Message, ModelCall, Role
from tests.models.conftest import CRITIC, Caller, KeyFile, QuirkBook, until

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("model", ["steady", "lenient", "never-satisfied", "malformed", "cut-off", "refusing"])
async def test_a_character_says_behind_an_address_what_it_says_in_this_process(caller: Caller, model: str) -> None:
    here = await Scripted()(
        Endpoint("scripted", kind="scripted"),
        Role("critic", model=model),
        ModelCall("critic", CRITIC),
        on_text=lambda kind, piece: None,
    )
    there = await caller.ask(model=model)
    assert (there.content, there.refusal, there.finish_reason) == (here.content, here.refusal, here.finish_reason)
    assert there.usage is not None
    assert here.usage is not None
    assert there.usage.output_tokens == here.usage.output_tokens


async def test_it_tells_a_writer_from_a_critic_and_can_be_told(caller: Caller) -> None:
    writer = (Message("system", ("You are a careful writer who revises texts.",)), CRITIC[1])
    assert (await caller.ask(messages=writer)).content.startswith(("In short", "Put simply", "In brief"))
    assert "revision" in (await caller.ask(messages=writer, model="steady@critic")).content


async def test_scripted_replies_come_first_in_order_and_by_part(caller: Caller) -> None:
    caller.server.script.take({"replies": ["one", {"content": "two", "finish_reason": "length"}]})
    caller.server.script.take({"roles": {"critic": ["own"]}})
    replies = [await caller.ask() for _ in range(4)]
    assert [reply.content for reply in replies[:3]] == ["own", "one", "two"]
    assert replies[2].finish_reason == "length"
    assert replies[3].content.startswith("This needs")


async def test_a_fault_may_strike_a_few_times_or_each_kth_time(caller: Caller) -> None:
    async def works(fault: str) -> bool:
        try:
            return bool((await caller.ask(fault)).content)
        except Exception:
            return False

    assert [await works("server,times=2") for _ in range(4)] == [False, False, True, True]
    assert [await works("drop,every=3") for _ in range(6)] == [True, True, False, True, True, False]
    assert [await works("rate") for _ in range(3)] == [False, False, True]


async def test_a_fault_may_stand_behind_the_models_name(caller: Caller) -> None:
    reply = await caller.ask(model="lenient+no_usage")
    assert reply.content.startswith("APPROVED")
    assert reply.usage is not None
    assert reply.usage.estimated


async def test_a_fault_may_come_by_a_header_or_by_a_script(caller: Caller) -> None:
    caller.server.script.take({"faults": ["server"], "replies": ["one", {"fault": "quota"}, "two"]})
    outcomes = []
    for _ in range(3):
        try:
            outcomes.append((await caller.ask()).content)
        except ModelError as error:
            outcomes.append(error.kind)
    assert outcomes == ["server", "quota", "two"]
    async with aiohttp.ClientSession() as session:
        body = {"model": "steady", "messages": []}
        for header, status in (("balance", 402), ("", 200)):
            url = f"{caller.server.url}/chat/completions"
            async with session.post(url, json=body, headers={"X-Fault": header}) as answer:
                assert answer.status == status
    assert caller.server.script.count()["faults"] == {"server": 1, "quota": 1, "balance": 1}


async def test_every_fault_is_told_what_it_does(caller: Caller) -> None:
    assert len(KINDS) >= 100
    assert all(REPLIES.values())


async def test_the_character_rate_limited_is_refused_twice_for_each_request(caller: Caller) -> None:
    outcomes = []
    for _ in range(3):
        try:
            outcomes.append((await caller.ask(model="rate-limited")).finish_reason)
        except Exception as error:
            outcomes.append(getattr(error, "kind", None))
    assert outcomes == ["rate", "rate", "stop"]


async def test_it_counts_requests_tokens_paths_and_what_is_open(caller: Caller) -> None:
    await caller.ask("no_end")
    await caller.ask()
    await until(lambda: len(caller.server.script.connections) == 1)  # those of tests before are closed
    count = caller.server.script.count()
    assert (count["requests"], count["open"]) == (2, 0)
    assert count["paths"] == {"/fault/no_end/v1/chat/completions": 1, "/v1/chat/completions": 1}
    assert count["input_tokens"] > 0 < count["output_tokens"]


async def test_many_calls_side_by_side_are_all_answered(caller: Caller) -> None:
    replies = await asyncio.gather(*(caller.ask() for _ in range(20)))
    assert len({reply.content for reply in replies}) == 1
    assert caller.requests == 20


async def test_every_fault_can_be_asked_for_and_others_are_none() -> None:
    assert all(read_fault(kind) for kind in KINDS)
    assert read_fault("") is None
    assert read_fault("unheard-of") is None


async def test_a_server_stops_with_a_call_still_open() -> None:
    from refine.models.fake_server import running

    with running() as server:
        door = OpenAIChat(KeyFile(), QuirkBook())
        endpoint, call = Endpoint("fake", server.fault("stall")), ModelCall("critic", CRITIC)
        task = asyncio.create_task(door(endpoint, Role("critic", model="steady"), call, on_text=lambda *_: None))
        while not server.script.open:
            await asyncio.sleep(0)
    with pytest.raises(Exception, match="got"):
        await task
    await door.aclose()
