"""Every fault in every place: how a run ends, what it keeps, and how many requests that takes, to the last one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from refine.events import Replied
from refine.models.fake_faults import KINDS, REFUSALS, REPLIES
from refine.models.fake_server import Running, running
from refine.models.fake_shapes import TOOL_CALLS, USAGES
from refine.types import Step
from tests.faulty import BEFORE, CALLS, DRAFT, PARTS, Memory, Played, play, spec_for

PLACES = [(part, stream) for part in PARTS for stream in (True, False)]
ENDS = {"critic": "max_rounds", "writer": "max_rounds", "actor": "finished"}
"""How the runs end where nothing is wrong."""

Row = Mapping[str, str]
"""By part: what comes of a fault that is shown once (refusals of parameters: always).

    same        nothing: as many requests as without it (an actor that is told of a reply of no use answers at once)
    again       one request more, then all goes on
    again 2     two more
    error, refused ...     the run ends there, with that reason
"""


def each(critic: str, writer: str | None = None, actor: str | None = None) -> Row:
    return {"critic": critic, "writer": writer or critic, "actor": actor or critic}


FATAL = (
    "key", "key_page", "key_echo", "forbidden", "page_403", "not_found", "no_model", "address", "quota", "balance",
    "arrears", "quota_code", "redirect", "method", "html", "context", "context_figures", "context_local", "too_large",
    "bad_request", "text", "error_code",
)  # fmt: skip
MENDED_BY_TIME = (
    "rate", "server", "unavailable", "gateway", "gateway_time", "request_time", "overloaded", "error_200",
    "error_text", "error_detail", "error_base", "malformed", "empty", "words", "empty_choices", "error_chunk",
    "error_event", "drop", "cut", "no_resources", "stall", "silence",
)  # fmt: skip
REPAIRED = ("temperature", "only_default", "max_tokens", "seed", "unexpected", "system", "alternate")
EXPECTED: Mapping[str, Row] = {
    **dict.fromkeys(FATAL, each("error")),
    **dict.fromkeys(MENDED_BY_TIME, each("again")),
    **dict.fromkeys(REPAIRED, each("again")),
    **dict.fromkeys(("content_filter", "inspection", "filtered"), each("refused")),
    **dict.fromkeys(("stream", "stream_options"), each("again")),
    **dict.fromkeys(("json_schema", "response_format", "schema"), each("again", "same", "same")),
    "json_object": each("again 2", "same", "same"),
    "tools": each("same", "same", "error"),
    "reasoning_missing": each("same", "same", "again"),
    **dict.fromkeys(("max_completion_tokens", "developer", "reasoning_unwanted"), each("same")),
    **dict.fromkeys(("null_content", "null_message", "white"), each("again", "again", "same")),
    "refusal": each("again", "refused", "refused"),
    **dict.fromkeys(("length", "length_word"), each("again", "again", "same")),
    **dict.fromkeys(("think_cut", "reasoning_only"), each("again")),
}
"""What is not named here is odd, but whole: `same`."""
UNSTREAMED = {"stream": "same", "stream_options": "same"}
"""Where nothing is streamed, these are not sent."""
ALWAYS = {*REPAIRED, "stream", "stream_options", "json_schema", "response_format", "schema", "json_object", "tools",
          "reasoning_missing", "max_completion_tokens", "developer", "reasoning_unwanted"}  # fmt: skip
"""Faults that do not pass: the server is like that."""
LARGE = {"big_line"}
"""Whole texts of 2 MB are read in tests of the reader."""


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as server:
        yield server


def expected(kind: str, part: str, stream: bool) -> tuple[str, int]:
    """(reason, requests)"""
    word = EXPECTED.get(kind, each("same"))[part]
    word = UNSTREAMED.get(kind, word) if not stream else word
    what, _, more = word.partition(" ")
    if what in ("same", "again"):
        return ENDS[part], CALLS[part] + (int(more or 1) if what == "again" else 0)
    return what, BEFORE[part] + 1


def played(server: Running, kind: str, part: str, stream: bool) -> Played:
    server.script.reset()
    server.script.take({"pieces_per_write": 50})
    return play(server, spec_for(part, server, kind if kind in ALWAYS else f"{kind},times=1", stream))


@pytest.mark.parametrize("kind", sorted(KINDS - LARGE))
def test_a_fault_ends_as_it_should_after_exactly_so_many_requests(server: Running, kind: str) -> None:
    seen, wanted = {}, {}
    for part, stream in PLACES:
        run = played(server, kind, part, stream)
        seen[part, stream] = run.outcome.reason, run.requests
        wanted[part, stream] = expected(kind, part, stream)
        text = run.outcome.best.text if run.outcome.best else DRAFT
        assert run.requests == server.script.requests, "a request after the end"
        assert part == "actor" or "Anna pays 1,200 euros" in text, "the draft was lost"
        told_usage(kind, run, server)
    assert seen == wanted


def told_usage(kind: str, run: Played, server: Running) -> None:
    """Wherever a server tells its usage, what the log says is what it counted."""
    if kind not in USAGES and kind not in ("usage_null", "stream"):
        return
    usages = [record.event.reply.usage for record in run.log if isinstance(record.event, Replied)]
    known = [usage for usage in usages if usage and usage.input_tokens]
    count = server.script.count()
    assert not any(usage.estimated for usage in known)
    assert sum(usage.input_tokens for usage in known) == count["input_tokens"]
    assert sum(usage.output_tokens for usage in known) == count["output_tokens"]
    assert sum(usage.reasoning_tokens for usage in known) == count["reasoning_tokens"]


LOST = {"tools_empty", "tools_blank", "tools_null", "tools_missing", "tools_junk"}
"""Shapes in which the arguments cannot be known: the tool says what it misses."""


@pytest.mark.parametrize("kind", sorted({*TOOL_CALLS, "tools_text", "tools_named_again", "tools_stop"}))
@pytest.mark.parametrize("stream", [True, False])
def test_a_tool_call_of_any_shape_is_carried_out(server: Running, kind: str, stream: bool) -> None:
    first = played(server, kind, "actor", stream).outcome.rounds[0].attempt
    assert isinstance(first, Step)
    assert [call.name for call in first.calls] == ["calculator"]
    arguments = [dict(call.arguments) for call in first.calls]
    assert arguments == [{}] if kind in LOST else arguments == [{"expression": "12 * 12"}]
    assert bool(first.errors[0]) == (kind in LOST)
    assert kind in LOST or "144" in first.observations[0]


@pytest.mark.parametrize("kind", ["temperature", "seed", "json_object"])
def test_what_was_adapted_is_shown_and_learnt_once(server: Running, kind: str) -> None:
    server.script.reset()
    memory, spec = Memory(), spec_for("critic", server, kind, True)
    first, second = play(server, spec, memory), play(server, spec, memory)
    assert first.view.adapted == second.view.adapted != ()
    assert first.requests > second.requests == CALLS["critic"]
    assert memory.kept.keys() == {("faulty", "steady")}


def test_every_fault_is_expected_to_end_somehow() -> None:
    assert EXPECTED.keys() <= KINDS
    assert len(KINDS - LARGE) * len(PLACES) >= 240
    assert REFUSALS.keys() <= EXPECTED.keys()
    assert REPLIES.keys() - EXPECTED.keys()
