"""The reader of replies: the same result wherever the network cuts, and a name for everything that is no reply."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.models.failures import read_said
from refine.models.stream import LONGEST_LINE, ErrorInBody, ReplyReader, Unreadable
from refine.types import ToolUse


def chunk(delta: Any, finish: str | None = None, **more: Any) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **more}
    return "data: " + json.dumps(frame, ensure_ascii=False, separators=(",", ":")) + "\n\n"


def said(*pieces: str) -> str:
    return "".join(chunk({"content": piece}) for piece in pieces)


END = chunk({}, "stop") + 'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\ndata: [DONE]\n\n'
ENGLISH = chunk({"role": "assistant", "content": ""}) + said("The ", "boats", ' "wait"\n', "\\ now.") + END
CHINESE = (
    chunk({"role": "assistant", "content": "", "reasoning_content": "先想一想"})
    + said("港口", "在三月", "👩‍👩‍👧 封冻", "。")
    + 'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"},"finish_reason":null}]}\n\n'
    + 'data: {"choices":[{"index":0,"delta":{"content":"\\ude00"},"finish_reason":null}]}\n\n'
    + END
)
TOOLS = (
    chunk({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "calc", "arguments": '{"x":'}}]})
    + chunk({"tool_calls": [{"index": 0, "function": {"arguments": ' "é"}'}}]})
    + chunk({"tool_calls": [{"index": 0, "id": "b", "function": {"name": "look", "arguments": "{}"}}]})
    + chunk({}, "tool_calls")
    + "data: [DONE]\n\n"
)
CRLF = (": hello\n\n" + chunk({"content": ""}) + ": keep-alive\n" + said("One ", "zwei ", "三") + END).replace(
    "\n", "\r\n"
)
ERROR = said("Half of ", "it") + 'data: {"error":{"message":"overloaded","code":503}}\n\n' + END

STREAMS = {"english": ENGLISH, "chinese": CHINESE, "tools": TOOLS, "crlf": CRLF, "error": ERROR}
TEXTS = {
    "english": 'The boats "wait"\n\\ now.',
    "chinese": "港口在三月👩‍👩‍👧 封冻。😀",
    "tools": "",
    "crlf": "One zwei 三",
}


def read(*reads: bytes) -> tuple[Any, ...]:
    """Everything a reader can tell of a reply; an error object ends it."""
    reader, heard = ReplyReader(), []
    error = None
    try:
        for data in reads:
            reader.feed(data)
            heard.append(reader.news()[1])
        reader.close()
    except ErrorInBody as failure:
        error = failure.body
    heard.append(reader.news()[1])
    assert "".join(heard) == reader.text
    return (reader.text, reader.reasoning, reader.refusal, reader.tool_calls, reader.finish_reason, reader.usage,
            reader.complete, str(error))  # fmt: skip


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_cut_at_any_byte_reads_the_same(name: str) -> None:
    data = STREAMS[name].encode()
    whole = read(data)
    assert whole[0] == TEXTS.get(name, "Half of it")
    for cut in range(1, len(data)):
        assert read(data[:cut], data[cut:]) == whole, cut


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_comes_byte_by_byte_reads_the_same(name: str) -> None:
    data = STREAMS[name].encode()
    assert read(*(data[n : n + 1] for n in range(len(data)))) == read(data)


def test_text_that_came_before_an_error_object_stays() -> None:
    text, *_, error = read(ERROR.encode())
    assert text == "Half of it"
    assert "overloaded" in error


def test_two_tool_calls_with_one_index_stay_two() -> None:
    assert read(TOOLS.encode())[3] == (ToolUse("a", "calc", '{"x": "é"}'), ToolUse("b", "look", "{}"))


def test_tool_calls_without_ids_or_with_objects_as_arguments_are_read() -> None:
    stream = chunk({"tool_calls": [{"function": {"name": "calc", "arguments": {"x": 1}}}]}) + chunk(
        {"tool_calls": [{"function": {"name": "look", "arguments": None}}]}
    )
    assert read(stream.encode())[3] == (ToolUse("call_0", "calc", '{"x": 1}'), ToolUse("call_1", "look", ""))


def test_reasoning_stands_apart_under_either_name() -> None:
    stream = chunk({"reasoning_content": "a"}) + chunk({"reasoning": "b", "content": None}) + said("c") + END
    assert read(stream.encode())[:2] == ("c", "ab")


def test_content_in_parts_is_joined_and_thinking_kept_apart() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Yes."}]
    assert read((chunk({"content": parts}) + END).encode())[:2] == ("Yes.", "hm")


def test_spaces_in_the_json_do_not_matter() -> None:
    spaced = ENGLISH.replace('":', '": ').replace(',"', ', "')
    assert read(spaced.encode())[0] == TEXTS["english"]


def test_text_that_looks_like_an_event_stays_text() -> None:
    trap = 'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
    pieces = (trap, '"error"', "\n\ndata: [DONE]\n\n")
    assert read((said(*pieces) + END).encode())[0] == "".join(pieces)


def test_other_choices_than_the_first_are_left_out() -> None:
    other = said("no").replace('"index":0', '"index":1')
    assert read((said("yes") + other + END).encode())[0] == "yes"


def test_without_done_the_finish_reason_ends_a_reply() -> None:
    assert read((said("a") + chunk({}, "stop")).encode())[6] is True


def test_without_either_a_reply_is_incomplete() -> None:
    assert read(said("a").encode())[6] is False
    assert read((said("a") + 'data: {"choices":[{"ind').encode())[6] is False


def test_a_last_event_without_its_blank_line_is_read() -> None:
    assert read((said("a") + chunk({"content": "b"}, "stop")).rstrip("\n").encode())[0] == "ab"


def test_data_lines_without_blank_lines_between_them_are_read() -> None:
    assert read((said("a", "b") + END).replace("\n\n", "\n").encode())[0] == "ab"


def test_a_json_body_is_read_although_a_stream_was_asked_for() -> None:
    message = {"content": "Hello.", "reasoning_content": "hm", "refusal": None}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1}}
    text, reasoning, _, _, finish, usage, complete, _ = read(json.dumps(body, indent=2).encode())
    assert (text, reasoning, finish, usage, complete) == ("Hello.", "hm", "stop", {"prompt_tokens": 1}, True)


@pytest.mark.parametrize("message", [None, {"content": None}, {}])
def test_a_missing_message_is_an_empty_reply(message: Any) -> None:
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    assert read(json.dumps(body).encode())[0] == ""


@pytest.mark.parametrize(
    "body",
    [{"error": {"code": 429}, "choices": None}, {"object": "error", "message": "no"}, [{"error": {"code": 400}}]],
)
def test_an_error_object_in_a_body_is_an_error(body: Any) -> None:
    with pytest.raises(ErrorInBody):
        read_strictly(json.dumps(body))


def test_an_event_named_error_is_an_error() -> None:
    with pytest.raises(ErrorInBody) as raised:
        read_strictly('event: error\ndata: {"message":"no"}\n\n')
    assert read_said(raised.value.body).message == "no"


def test_a_page_is_unreadable_and_named_as_one() -> None:
    with pytest.raises(Unreadable) as raised:
        read_strictly("<!DOCTYPE html><html>Sign in</html>")
    assert raised.value.html
    assert raised.value.sample.startswith("<!DOCTYPE")


@pytest.mark.parametrize(
    "body", ["", "upstream error", "{", '{"choices": []}', '{"choices": null}', "[]", ": ping\n\n"]
)
def test_what_holds_no_reply_is_unreadable(body: str) -> None:
    with pytest.raises(Unreadable):
        read_strictly(body)


def test_broken_json_in_mid_stream_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        read_strictly(said("a") + 'data: {"choices":[{\n\n' + END)


def test_a_line_of_two_megabytes_is_read_and_one_over_the_cap_is_not() -> None:
    data = (said("x" * 2_000_000) + END).encode()
    step = 65_536
    assert len(read(*(data[n : n + step] for n in range(0, len(data), step)))[0]) == 2_000_000
    endless = (b"x" * step for _ in range(LONGEST_LINE // step + 1))
    with pytest.raises(Unreadable):
        read(b"data: ", *endless)


def test_a_lone_half_of_a_pair_becomes_the_replacement_character() -> None:
    stream = 'data: {"choices":[{"index":0,"delta":{"content":"a\\ud83d"},"finish_reason":null}]}\n\n' + END
    assert read(stream.encode())[0] == "a\ufffd"


@given(st.lists(st.text(), max_size=8), st.data())
def test_any_text_in_any_pieces_and_reads_comes_out_whole(pieces: list[str], data: st.DataObject) -> None:
    clean = [piece.encode("utf-8", "ignore").decode() for piece in pieces]
    stream = (chunk({"role": "assistant", "content": ""}) + said(*clean) + END).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    reads = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(*reads)[0] == "".join(clean)


@given(st.binary(max_size=400))
def test_no_bytes_make_the_reader_raise_anything_else(noise: bytes) -> None:
    reader = ReplyReader()
    try:
        reader.feed(said("a").encode() + b"data: " + noise + b"\n\n")
        reader.close()
    except (ErrorInBody, Unreadable):
        pass


def read_strictly(text: str) -> ReplyReader:
    reader = ReplyReader()
    reader.feed(text.encode())
    reader.close()
    return reader


def test_what_stands_between_plain_pieces_is_read_in_its_place() -> None:
    framed = chunk({"content": "four "}, obfuscation="x")
    thought = chunk({"reasoning_content": "hm"})
    reader = ReplyReader()
    reader.feed((said("one ", "two ", '"three" ') + framed + thought + said("five ", "\\", "six") + END).encode())
    assert (reader.text, reader.reasoning) == ('one two "three" four five \\six', "hm")
    assert (reader.finish_reason, reader.ended, reader.usage["prompt_tokens"]) == ("stop", True, 7)


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n\n\n", ": still here\n\n\n"])
def test_empty_lines_between_events_are_nothing(between: str) -> None:
    reader = ReplyReader()
    reader.feed(between.join([said("One ", "two "), said("three."), END, ""]).encode())
    assert reader.text == "One two three." and reader.ended
