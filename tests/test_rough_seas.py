"""A hundred runs on a server that fails one request in ten: each of them comes to its end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest

from refine.models.fake_server import Running, running
from tests.faulty import PARTS, ChatDoors, Memory, drive_run, spec_for
from tests.test_faults import ENDS

RUNS = 100
SHARE = 0.1
PASSING = ("rate", "server", "unavailable", "gateway", "overloaded", "error_200", "malformed", "empty", "error_chunk",
           "drop", "cut", "no_resources", "reasoning_only", "usage_late")  # fmt: skip


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as server:
        yield server


async def test_no_run_is_lost_where_one_request_in_ten_fails(server: Running) -> None:
    chance = random.Random(5)
    shown = [chance.choice(PASSING) if chance.random() < SHARE else "" for _ in range(3 * RUNS)]
    server.script.take({"faults": shown, "pieces_per_write": 50})
    doors = ChatDoors(Memory())
    specs = [spec_for(PARTS[n % 3], server, "", n % 2 == 0) for n in range(RUNS)]
    ended = await asyncio.gather(*(drive_run(spec, doors) for spec in specs))
    await doors.chat.aclose()
    reasons = [outcome.reason for _, outcome in ended]
    assert reasons == [ENDS[PARTS[n % 3]] for n in range(RUNS)]
    assert sum(server.script.shown.values()) >= RUNS * SHARE
