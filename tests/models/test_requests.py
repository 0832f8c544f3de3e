"""The body of a request."""

from __future__ import annotations

from refine.models.requests import body_of, message_of
from refine.types import Endpoint, Message, ModelCall, Role, ToolUse

CALL = ModelCall("critic", (Message("user", ("Draft ", "and more")),))


def test_nothing_is_sent_that_nobody_set() -> None:
    assert body_of(Endpoint("e", stream=False), Role("critic", model="m"), CALL, None) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Draft and more"}],
    }


def test_all_that_was_set_is_sent_and_extra_keys_go_as_they_are() -> None:
    role = Role("critic", model="m", temperature=0.0, max_tokens=9, options={"reply": "json", "extra": {"top_k": 3}})
    body = body_of(Endpoint("e"), role, CALL, 0)
    assert body["temperature"] == 0.0
    assert (body["max_tokens"], body["seed"], body["top_k"]) == (9, 0, 3)
    assert body["stream_options"] == {"include_usage": True}
    assert "reply" not in body


def test_the_limit_has_the_name_known_for_the_host() -> None:
    body = body_of(Endpoint("openai", "https://api.openai.com/v1"), Role("c", model="m", max_tokens=9), CALL, None)
    assert body["max_completion_tokens"] == 9
    assert "max_tokens" not in body


def test_a_schema_is_strict_only_where_it_is_closed() -> None:
    closed = {"type": "object", "additionalProperties": False}
    call = ModelCall("critic", CALL.messages, schema={"name": "verdict", "schema": closed})
    form = body_of(Endpoint("e"), Role("c", model="m"), call, None)["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "verdict", "schema": closed, "strict": True}}
    bare = ModelCall("critic", CALL.messages, schema={"type": "object"})
    form = body_of(Endpoint("e"), Role("c", model="m"), bare, None)["response_format"]
    assert form["json_schema"] == {"name": "reply", "schema": {"type": "object"}, "strict": False}


def test_a_limit_that_is_set_by_hand_is_the_only_one() -> None:
    role = Role("c", model="m", max_tokens=9, options={"extra": {"max_completion_tokens": 7}})
    body = body_of(Endpoint("e"), role, CALL, None)
    assert (body.get("max_tokens"), body["max_completion_tokens"]) == (None, 7)


def test_thoughts_stand_beside_the_tool_calls_they_led_to() -> None:
    asked = message_of(Message("assistant", (), (ToolUse("a", "calc"),), reasoning="Look."))
    assert asked["reasoning_content"] == "Look."


def test_tool_calls_and_their_results_keep_their_ids() -> None:
    asked = message_of(Message("assistant", (), (ToolUse("a", "calc", " "),)))
    assert asked["tool_calls"] == [{"id": "a", "type": "function", "function": {"name": "calc", "arguments": "{}"}}]
    assert message_of(Message("tool", ("2",), tool_call_id="a")) == {
        "role": "tool",
        "content": "2",
        "tool_call_id": "a",
    }
