"""What went wrong is named from a server's own words, in one sentence of three parts."""

from __future__ import annotations

from typing import Any

import pytest

from refine.models.failures import SENTENCES, Place, broke, holds_error, read_said, refused
from refine.types import Endpoint

PLACE = Place(Endpoint("far", "https://far.example/v1", "FAR_KEY"), "model-x", "critic", str)


def said(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, said("Incorrect API key"), "key"),
        (400, said("API key not valid. Please pass a valid API key."), "key"),
        (402, said("Insufficient Balance"), "quota"),
        (403, said("no access"), "forbidden"),
        (404, said("The model `x` does not exist", code="model_not_found"), "not_found"),
        (404, "<html>404</html>", "not_found"),
        (405, "", "settings"),
        (429, said("slow down", code="rate_limit_exceeded"), "rate"),
        (429, said("You exceeded your current quota", code="insufficient_quota"), "quota"),
        (429, said("余额不足或无可用资源包", code="1113"), "quota"),
        (400, said("too long", code="context_length_exceeded"), "context"),
        (400, {"object": "error", "message": "This model's maximum context length is 512 tokens"}, "context"),
        (413, "", "context"),
        (500, said("the request exceeds the available context size"), "context"),
        (400, said("filtered", code="content_filter"), "content_filter"),
        (400, said("x", code="data_inspection_failed"), "content_filter"),
        (400, said("temperature must be between 0 and 2", param="temperature"), "bad_request"),
        (422, {"detail": "nope"}, "bad_request"),
        (500, said("boom"), "server"),
        (503, "<html>busy</html>", "server"),
        (529, said("Overloaded", type="overloaded_error"), "server"),
        (None, said("Provider returned error", code=429), "rate"),
        (None, said("Provider returned error", code="401"), "key"),
        (None, said("Rate limit reached", type="rate_limit_error"), "rate"),
        (None, said("upstream went away"), "server"),
        (None, said("bad", type="invalid_request_error"), "bad_request"),
    ],
)
def test_kinds_follow_status_code_and_words(status: int | None, body: Any, kind: str) -> None:
    assert refused(PLACE, status, body).kind == kind


@pytest.mark.parametrize(
    ("body", "message", "param"),
    [
        (said("no", param="temperature"), "no", "temperature"),
        ({"error": "plain words"}, "plain words", ""),
        ({"message": "flat", "code": 40003}, "flat", ""),
        ({"error_msg": "bad", "error_code": 17}, "bad", ""),
        ([said("in a list")], "in a list", ""),
        ('{"error": {"message": "text that is JSON"}}', "text that is JSON", ""),
        ({"detail": [{"type": "extra_forbidden", "loc": ["body", "stream_options"], "msg": "Extra inputs"}]},
         "Extra inputs", "stream_options"),
        ({"error": {"message": "Provider returned error", "metadata": {"raw": "the real reason"}}},
         "Provider returned error: the real reason", ""),
        (None, "", ""),
        ([], "", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_words_are_found_in_bodies_of_any_shape(body: Any, message: str, param: str) -> None:
    found = read_said(body)
    assert (found.message, found.param) == (message, param)


def test_a_sentence_says_what_is_wrong_what_was_got_and_what_to_do() -> None:
    assert refused(PLACE, 401, said("Incorrect API key")).message == (
        'The key for far was not accepted: got status 401, "Incorrect API key". Check the key (FAR_KEY).'
    )


def test_a_404_is_about_the_model_only_if_the_server_says_so() -> None:
    assert "has no model model-x" in refused(PLACE, 404, said("model_not_found")).message
    assert "nothing at https://far.example/v1" in refused(PLACE, 404, "<html></html>").message


def test_words_are_cut_at_200_characters_after_the_keys_in_them_were_masked() -> None:
    place = Place(PLACE.endpoint, "m", "critic", lambda text: text.replace("sk-secret", "[key]"))
    message = refused(place, 400, said("x" * 195 + "sk-secret")).message
    assert "sk-sec" not in message
    assert "x" * 195 + "[key]" in message
    assert len(refused(place, 400, said("y" * 5000)).message) < 400


FIGURES = [
    ("This model's maximum context length is 4096 tokens. However, you requested 5120 tokens (4608 in the messages, "
     "512 in the completion).", "It takes 4,096 tokens and was sent 5,120. "),
    ("prompt is too long: 205000 tokens > 200000 maximum", "It takes 200,000 tokens and was sent 205,000. "),
    ("Requested tokens (5120) exceed context window of 4096", "It takes 4,096 tokens and was sent 5,120. "),
    ("The input (5,120 tokens) is longer than the model's context length (4,096 tokens).",
     "It takes 4,096 tokens and was sent 5,120. "),
    ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
     "It takes 1,048,576 tokens and was sent 1,200,000. "),
    ("Range of input length should be [1, 3072]", "It takes 3,072 tokens and was sent about 6,000. "),
    ("Your request exceeded model token limit: 8192", "It takes 8,192 tokens. "),
    ("too long", "It was sent about 6,000 tokens. "),
]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), FIGURES)
def test_a_text_that_is_too_long_is_told_with_its_figures(words: str, told: str) -> None:
    error = refused(PLACE, 400, said(words, code="context_length_exceeded"), sent=6000)
    assert (error.kind, told in error.message) == ("context", True), error.message


def test_the_figures_of_a_local_server_stand_beside_its_words() -> None:
    body = said("the request exceeds the available context size", n_prompt_tokens=5120, n_ctx=4096)
    assert "It takes 4,096 tokens and was sent 5,120." in refused(PLACE, 400, body).message


@pytest.mark.parametrize(
    "words",
    ["registry/small does not support tools", '"auto" tool choice requires --enable-auto-tool-choice to be set'],
)
def test_a_model_without_tool_calls_is_told_with_the_setting_to_change(words: str) -> None:
    assert "options.protocol" in refused(PLACE, 400, said(words)).message


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"error": "busy"}, True),
        ({"detail": "Rate limit exceeded"}, True),
        ({"code": 20012, "message": "Model does not exist"}, True),
        ({"base_resp": {"status_code": 1002, "status_msg": "rate limit"}}, True),
        ({"base_resp": {"status_code": 0, "status_msg": ""}, "choices": [{}]}, False),
        ({"message": {"role": "assistant", "content": "hi"}}, False),
        ({"choices": [], "usage": {}}, False),
        ({"choices": [{}], "error": None}, False),
    ],
)
def test_an_error_is_seen_in_a_body_that_says_all_is_well(body: Any, error: bool) -> None:
    assert holds_error(body) is error


def test_a_key_that_a_server_repeats_is_masked_in_all_that_is_kept() -> None:
    place = Place(PLACE.endpoint, "m", "critic", lambda text: text.replace("sk-secret", "***"))
    error = refused(place, 401, said("Incorrect API key provided: sk-secret"))
    assert "sk-secret" not in repr(vars(error))


class ClientConnectorError(OSError):
    """Stands for the network package's own: errors are known by name."""


class ServerDisconnectedError(Exception):
    pass


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ClientConnectorError("refused"), "connect"),
        (ServerDisconnectedError("gone"), "dropped"),
        (ConnectionResetError("reset"), "dropped"),
        (ValueError("bad bytes"), "malformed"),
        (RuntimeError("odd"), "server"),
    ],
)
def test_exceptions_are_named_also_as_the_cause_of_another(error: Exception, kind: str) -> None:
    assert broke(PLACE, error).kind == kind
    outer = RuntimeError("Connection error.")
    outer.__cause__ = error
    failure = broke(PLACE, outer)
    assert failure.kind == kind
    assert str(error) in failure.message


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_sentence_promises_another_attempt_as_it_may_be_the_last(sentence: str) -> None:
    assert "again" not in PLACE.say(sentence, "nothing")
