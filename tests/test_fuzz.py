"""Many texts and streams of chance for each reader: it never breaks, and never sees what is not there.

`make fuzz` reads a million of each; a test run 10,000, the same ones each time.
"""

from __future__ import annotations

import json
import os
import random
import time
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from refine.errors import FormatError
from refine.models.characters import Line
from refine.models.fake_faults import REPLIES
from refine.models.fake_wire import Wire, streamed, with_fault
from refine.models.stream import ErrorInBody, ReplyReader, Unreadable
from refine.replies import read_draft, read_step, read_verdict, visible
from refine.types import ToolUse, Usage
from tests.test_replies import PIECES
from tests.test_steps import PIECES as STEP_PIECES

EXAMPLES = max(10_000, int(os.environ.get("REFINE_EXAMPLES", "0")))
SEED = 1 if EXAMPLES == 10_000 else time.time_ns()
SIGNS = "aAz 09.,:;!?\n\t\"'`{}[]()<>|*#-_/\\é中文。：“”\u200b\ufeff\ud83d\U0001f600"
MOST_PIECES = 12


def texts(pieces: list[str], seed: int = SEED) -> Iterator[str]:
    """Pieces that mean something, and signs that do not."""
    chance = random.Random(seed)
    for _ in range(EXAMPLES):
        yield "".join(
            chance.choice(pieces) if chance.random() < 0.75 else chance.choice(SIGNS) * chance.choice([1, 1, 2, 7])
            for _ in range(chance.randint(0, MOST_PIECES))
        )


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def test_no_text_is_approved_without_the_token_in_sight() -> None:
    for text in texts(PIECES):
        verdict = read_verdict(text)
        assert verdict.kind in ("approved", "revise", "ambiguous"), (SEED, text)
        assert verdict.kind != "approved" or "approve" in folded(visible(text)), (SEED, text)


def test_a_draft_that_is_read_again_stays_as_it_is() -> None:
    for text in texts(PIECES):
        draft = read_draft(text)
        assert draft is None or (draft.strip() and read_draft(draft) == draft), (SEED, text)


def test_every_text_is_a_step_or_none() -> None:
    for text in texts([*STEP_PIECES, *FORMS]):
        try:
            step = read_step(text)
        except FormatError:
            continue
        assert (step.final is None) != (step.action is None), (SEED, text)


FORMS = [
    '{"action": "look", "args": {"of": "x"}}', '{"action": "finish", "args": {"answer": "18"}}', "Action: look\n",
    "Action Input: ", '{"of": ', "Final Answer: 18\n", "<tool_call>", "</tool_call>", "```json\n", "Observation: ",
]  # fmt: skip


# --- streams -----------------------------------------------------------------------------------------------------

LINE = Line("The boats wait “outside”. 船在外面等👩‍👩‍👧。\n\n\\ and \"so\"", "hm, APPROVED?", "",
            (ToolUse("a", "calc", '{"x": "é"}'), ToolUse("b", "look", "{}")))  # fmt: skip
USAGE = Usage(70, 30, cached_tokens=20, reasoning_tokens=10)
RECORDED = {
    kind: b"".join(data for _, data in streamed(Wire("c", "m", with_fault(LINE, kind, 100), USAGE, kind), True))
    for kind in ("", *REPLIES)
    if kind != "big_line"
}
"""A stream of every kind that the fake server knows."""
EVERY = 1 if EXAMPLES > 10_000 else 61
"""Bytes between two cuts."""


def read(*reads: bytes) -> tuple[Any, ...]:
    """All that a reader can tell of a stream, however it ends."""
    reader, end = ReplyReader(), ""
    try:
        for data in reads:
            reader.feed(data)
        reader.close()
    except (ErrorInBody, Unreadable) as error:
        end = repr(error)
    return reader.text, reader.reasoning, reader.refusal, reader.tool_calls, reader.finish_reason, reader.usage, end


@pytest.mark.parametrize("kind", RECORDED)
def test_a_stream_of_any_kind_reads_the_same_wherever_it_is_cut(kind: str) -> None:
    data = RECORDED[kind]
    whole = read(data)
    for cut in range(1, len(data), EVERY):
        assert read(data[:cut], data[cut:]) == whole, cut


def test_there_are_fifty_streams() -> None:
    assert len(RECORDED) >= 50


VALUES = [None, "", "x", 0, 1, -1, True, [], {}, "stop", [None], {"a": 1}, 1e99, "APPROVED", [[["x"]]], "\ud83d"]
NAMES = ["choices", "delta", "message", "content", "reasoning_content", "reasoning", "reasoning_details", "refusal",
         "tool_calls", "function_call", "function", "name", "arguments", "id", "index", "finish_reason", "usage",
         "error", "object", "type", "text", "thinking", "timings", "x_groq", "usageMetadata", "prompt_tokens", "code",
         "base_resp", "status_code", "detail", "loc", "prompt_n", "cache_n"]  # fmt: skip


def value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.random()
    if depth > 5 or kind < 0.4:
        return chance.choice(VALUES)
    if kind < 0.6:
        return [value(chance, depth + 1) for _ in range(chance.randint(0, 2))]
    return {chance.choice(NAMES): value(chance, depth + 1) for _ in range(chance.randint(0, 3))}


def chunk(chance: random.Random) -> bytes:
    delta = {chance.choice(NAMES): value(chance) for _ in range(chance.randint(0, 3))}
    frame: Any = {"choices": [{"index": 0, "delta": delta, chance.choice(NAMES): value(chance)}]}
    if chance.random() < 0.3:
        frame = value(chance)
    return f"data: {json.dumps(frame)}\n\n".encode()


def noise(chance: random.Random) -> bytes:
    """A piece of a recorded stream, a chunk of any form, or bytes."""
    kind = chance.random()
    if kind < 0.5:
        data = RECORDED[chance.choice(list(RECORDED))]
        start = chance.randrange(len(data))
        return data[start : start + chance.choice([1, 40, 400])]
    return chunk(chance) if kind < 0.9 else chance.randbytes(chance.randint(0, 30))


def test_no_stream_breaks_its_reader() -> None:
    chance = random.Random(SEED)
    for _ in range(EXAMPLES):
        reads = [noise(chance) for _ in range(chance.randint(1, 4))]
        cut, whole = read(*reads), read(b"".join(reads))
        # What is no JSON may pass for a plain piece of text, or be refused, by what else came with it.
        assert cut == whole or "no JSON" in cut[-1] + whole[-1], (SEED, reads)


@pytest.mark.parametrize("nest", ["[", '{"a":', '{"error":', '{"choices":[{"delta":{"content":['])
def test_deep_nesting_breaks_nothing(nest: str) -> None:
    for data in (nest * 100_000, f"data: {nest * 100_000}\n\n"):
        assert read(data.encode())[-1]


REPEATED = [b"data: ", b"\n", b"\r", b"data: {\n\n", b": x\n", b'data: {"choices":[]}\n\n', RECORDED[""],
            RECORDED["crlf"], b'data: {"choices":[{"delta":{"content":"\\']  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED, ids=range(len(REPEATED)))
def test_a_megabyte_is_read_within_a_second(piece: bytes) -> None:
    data = piece * (1_000_000 // len(piece))
    took = min(_seconds(lambda: read(*(data[n : n + 1000] for n in range(0, len(data), 1000)))) for _ in range(2))
    assert took < 1


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began
