"""What a refusal teaches, and what is done to later requests."""

from __future__ import annotations

from typing import Any

import pytest

from refine.models.failures import Place, Refused, refused
from refine.models.quirks import adapt, apply, folded, learn
from refine.types import Endpoint

PLACE = Place(Endpoint("far", "https://far.example/v1"), "m", "critic", str)
BODY: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "Be strict."}, {"role": "user", "content": "Draft."}],
    "temperature": 0.7,
    "max_tokens": 100,
    "stream": True,
    "stream_options": {"include_usage": True},
    "response_format": {"type": "json_schema", "json_schema": {"name": "r", "schema": {}}},
    "seed": 1,
    "top_k": 40,
}


def refusal(message: str, *, status: int = 400, code: str | None = None, param: str | None = None) -> Refused:
    error = refused(PLACE, status, {"error": {"message": message, "code": code, "param": param}})
    assert isinstance(error, Refused)
    return error


EXTRA = refused(
    PLACE, 422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra"}]}
)

CASES: list[tuple[Any, str | None]] = [
    (refusal("Unsupported value: 'temperature' does not support 0 with this model.", code="unsupported_value",
             param="temperature"), "drop.temperature"),
    (refusal("Unrecognized request argument supplied: top_k"), "drop.top_k"),
    (refusal("seed is not supported"), "drop.seed"),
    (EXTRA, "drop.stream_options"),
    (refusal("stream_options: Extra inputs are not permitted", status=422), "drop.stream_options"),
    (refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param="max_tokens"),
     "limit_name"),
    (refusal("'response_format.type' must be 'text'"), "response_format.none"),
    (refusal("json_schema is not supported, use json_object"), "response_format.json_object"),
    (refusal("This response_format type is unavailable now"), "response_format.none"),
    (refusal("Your organization must be verified to stream this model.", param="stream"), "stream"),
    (refusal("Conversation roles must alternate user/assistant", status=500), "system"),
    (refusal("System role not supported"), "system"),
    (refusal("Unsupported value: 'messages[0].role' does not support 'system' with this model."), "system"),
    (refusal("invalid temperature: only 1 is allowed for this model"), "drop.temperature"),
    (refusal("`temperature` and `top_k` cannot both be specified for this model."), "drop.temperature"),
    (refusal("create() got an unexpected keyword argument 'seed'", status=500), "drop.seed"),
    (refusal("Invalid schema for response_format 'step'", param="response_format"), "response_format.none"),
    (refusal("temperature must be between 0 and 2", param="temperature"), None),
    (refusal("messages is required", param="messages"), None),
    (refusal("model does not support tools", param="tools"), None),
    (refusal("temperature is not supported", status=500), None),
    (refusal("slow down", status=429), None),
]  # fmt: skip


@pytest.mark.parametrize(("error", "name"), CASES)
def test_a_refusal_teaches_one_thing_or_nothing(error: Any, name: str | None) -> None:
    quirk = learn(BODY, error)
    assert (quirk.name if quirk else None) == name
    assert (adapt(BODY, error) is None) == (name is None)


def test_what_the_author_set_in_vain_is_said() -> None:
    body, words = apply(BODY, {"drop.temperature": True, "drop.seed": True, "drop.stream_options": True})
    assert body.keys() == BODY.keys() - {"temperature", "seed", "stream_options"}
    assert words == (
        "temperature was not applied: this model refuses it",
        "seed was not applied: this model refuses it",
    )


def test_nothing_is_said_of_what_was_not_sent() -> None:
    assert apply({"model": "m", "messages": []}, {"drop.temperature": True, "limit_name": "max_completion_tokens"}) == (
        {"model": "m", "messages": []},
        (),
    )


def test_the_limit_changes_its_name_and_is_never_sent_twice() -> None:
    body, words = apply(BODY, {"limit_name": "max_completion_tokens"})
    assert "max_tokens" not in body
    assert body["max_completion_tokens"] == 100
    assert words == ()
    back = learn(body, refusal("max_completion_tokens: extra inputs are not permitted", status=422))
    assert back is not None
    assert back.value == "max_tokens"


def test_a_schema_falls_back_to_an_object_and_then_to_text() -> None:
    assert apply(BODY, {"response_format.json_object": True})[0]["response_format"] == {"type": "json_object"}
    body, words = apply(BODY, {"response_format.json_object": True, "response_format.none": True})
    assert "response_format" not in body
    assert words == ("the reply's form was not enforced: this model takes no schema",)


def test_without_streaming_its_options_go_too() -> None:
    assert apply(BODY, {"stream": False})[0].keys() == BODY.keys() - {"stream", "stream_options"}


def test_system_text_moves_into_the_first_user_message_and_neighbours_merge() -> None:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Be strict."},
        {"role": "user", "content": "A"},
        {"role": "user", "content": "B"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "2", "tool_call_id": "1"},
    ]
    assert folded(messages) == [{"role": "user", "content": "Be strict.\n\nA\n\nB"}, *messages[3:]]
    assert folded([messages[0]]) == [{"role": "user", "content": "Be strict."}]


THOUGHTFUL: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "user", "content": "How warm?"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1"}], "reasoning_content": "Look."},
        {"role": "tool", "content": "18", "tool_call_id": "1"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "2"}]},
    ],
}


def test_thoughts_beside_tool_calls_are_sent_again_only_where_they_are_missed() -> None:
    plain, _ = apply(THOUGHTFUL, {})
    assert "reasoning_content" not in str(plain)
    missed = learn(plain, refusal("reasoning_content is missing in assistant tool call message at index 1"))
    assert missed == ("thoughts", True)
    full, words = apply(THOUGHTFUL, {"thoughts": True})
    assert [message.get("reasoning_content") for message in full["messages"]] == [None, "Look.", None, ""]
    assert words == ()
    unwanted = learn(full, refusal("Please remove the reasoning_content from your message."))
    assert unwanted == ("thoughts", False)
    assert apply(THOUGHTFUL, {"thoughts": False})[0] == plain


def test_thoughts_are_not_missed_where_no_tool_was_called() -> None:
    body = {"model": "m", "messages": THOUGHTFUL["messages"][:1]}
    assert learn(body, refusal("reasoning_content is required")) is None


def test_the_body_that_was_given_stays_as_it_was() -> None:
    before = repr(BODY)
    apply(BODY, {"system": "user", "drop.seed": True, "stream": False, "response_format.none": True})
    assert repr(BODY) == before
