"""One call of a tool: its schema, its arguments, its limits, and everything that can go wrong as text."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field

from refine import tools
from refine.errors import SettingsError
from refine.settings import remember_secret
from refine.tools import Fatal, Observation, Refused, Surroundings, registry, wrong
from refine.types import ERRORS
from refine.words import tools_en, tools_zh


@contextmanager
def registered(function: registry.Function, **settings: Any) -> Iterator[str]:
    """A tool for one test only."""
    tools.tool(**settings)(function)
    try:
        yield settings.get("name") or function.__name__
    finally:
        del registry.TOOLS[settings.get("name") or function.__name__]


def use(name: str, given: Any = None, language: str = "en") -> Observation:
    return tools.call(name, given, [name], Surroundings(language=language))


def order(
    count: Annotated[int, Field(ge=1, le=9)], size: Literal["small", "large"] = "small", gift: bool = False
) -> str:
    """Orders cups.

    Args:
        count: how many cups,
            at most nine.
        size: of each cup.
    """
    return f"{count} {size} {gift}"


# --- what the actor is told beforehand -----------------------------------------------------------------------------


def test_a_schema_comes_from_signature_and_docstring() -> None:
    with registered(order, asks=True):
        (declared,) = tools.declare(["order"], "en")
    assert declared == {
        "name": "order",
        "description": "Orders cups.",
        "asks": True,
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["count"],
            "properties": {
                "count": {"type": "integer", "minimum": 1, "maximum": 9, "description": "how many cups, at most nine."},
                "size": {
                    "type": "string",
                    "enum": ["small", "large"],
                    "default": "small",
                    "description": "of each cup.",
                },
                "gift": {"type": "boolean", "default": False},
            },
        },
    }


@pytest.mark.parametrize("language", ["en", "zh", "zh-CN"])
@pytest.mark.parametrize("name", tools.names())
def test_every_shipped_tool_describes_itself_and_its_arguments(name: str, language: str) -> None:
    (declared,) = tools.declare([name], language)
    Draft202012Validator.check_schema(declared["parameters"])
    described = [
        declared["description"],
        *(part["description"] for part in declared["parameters"]["properties"].values()),
    ]
    assert all(described) and all(
        any("一" <= sign <= "鿿" for sign in text) == (language != "en") for text in described
    )
    assert "around" not in declared["parameters"]["properties"]
    assert json.loads(json.dumps(declared)) == declared


def test_unknown_tools_are_refused_before_a_run_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"There is no tool shell, rm\. The tools are calculator,"):
        tools.declare(["calculator", "shell", "rm"], "en")


def test_what_is_on_by_default_keeps_nothing_and_asks_nothing() -> None:
    assert not {"remember", "recall", "save_note", "delete_note", "restart_server"} & set(tools.DEFAULT)
    assert not any(declared["asks"] for declared in tools.declare(tools.DEFAULT, "en"))
    assert [declared["name"] for declared in tools.declare(tools.names(), "en") if declared["asks"]] == ["delete_note"]


def test_a_name_is_taken_once() -> None:
    with registered(order), pytest.raises(SettingsError, match="a tool order already"):
        tools.tool()(order)


def test_both_languages_say_the_same_with_the_same_values() -> None:
    def holes(sentence: str) -> set[str]:
        return {part.partition("}")[0] for part in sentence.split("{")[1:]}

    assert tools_en.SAYINGS.keys() == tools_zh.SAYINGS.keys()
    assert [key for key in tools_en.SAYINGS if holes(tools_en.SAYINGS[key]) != holes(tools_zh.SAYINGS[key])] == []
    assert set(tools_zh.DESCRIPTIONS) == set(tools.names())


# --- arguments -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "count is missing"),
        ({"count": "many"}, "count should be a whole number; got 'many'"),
        ({"count": 0}, "count should be at least 1; got 0"),
        ({"count": 10}, "count should be at most 9; got 10"),
        ({"count": 1, "size": "huge"}, "size should be 'small' or 'large'; got 'huge'"),
        ({"count": 1, "gift": "perhaps"}, "gift should be true or false; got 'perhaps'"),
        ({"count": 1, "colour": "red"}, "there is no argument colour"),
        ({"count": None}, "count should be a whole number; got None"),
        ([1], "they should be a JSON object; got [1]"),
        ("{count: 1}", "they should be a JSON object; got '{count: 1}'"),
    ],
)
def test_bad_arguments_come_back_with_what_was_wrong(given: Any, told: str) -> None:
    with registered(order):
        seen = use("order", given)
    assert seen.error == "arguments"
    right = "It takes: count, size (may be left out), gift (may be left out)."
    assert seen.text == f"The arguments do not fit: {told}. {right}"


def test_bad_arguments_are_explained_in_chinese() -> None:
    with registered(order):
        seen = use("order", {"count": "x", "y": 1}, "zh")
    faults = "参数不合适：count 应为整数，得到的是 'x'；没有 y 这个参数。"
    assert seen.text == f"{faults}它的参数：count、size（可省略）、gift（可省略）。"


@pytest.mark.parametrize("nothing", [None, "", "  \n", "null", {}, "{}"])
def test_empty_blank_null_and_missing_arguments_mean_none(nothing: Any) -> None:
    def ping() -> str:
        """Answers."""
        return "pong"

    with registered(ping):
        assert use("ping", nothing) == Observation("pong")


def test_a_json_text_and_numbers_as_text_are_read() -> None:
    with registered(order):
        assert use("order", '{"count": "2"}') == Observation("2 small False")


# --- allow-list ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["shell", "delete_note", "Calculator", "calculater", "__import__", ""])
def test_only_what_the_run_allows_is_called_and_no_name_is_guessed(name: str) -> None:
    seen = tools.call(name, {"expression": "1"}, ["calculator", "word_length"], Surroundings())
    assert seen == Observation(f"There is no tool {name}. Available: calculator, word_length.", "unknown")


# --- what comes back ---------------------------------------------------------------------------------------------


class Nasty:
    """An object whose every habit is a trap."""

    where: list[str]

    def __init__(self, where: list[str]) -> None:
        self.where = where

    def __str__(self) -> str:
        self.where.append(threading.current_thread().name)
        return NastyText("what it says")

    def __repr__(self) -> str:
        raise SystemExit("repr")

    def __eq__(self, other: object) -> bool:
        raise SystemExit("eq")

    __hash__ = None  # type: ignore[assignment]

    def __del__(self) -> None:
        self.where.append(threading.current_thread().name)


class NastyText(str):
    def __str__(self) -> str:
        raise SystemExit("str")

    def __len__(self) -> int:
        return -1


def test_results_become_plain_text_inside_the_tool_and_no_object_is_kept() -> None:
    where: list[str] = []

    def trap() -> object:
        """Gives back a nasty object."""
        return Nasty(where)

    with registered(trap):
        seen = use("trap")
    assert seen == Observation("what it says") and type(seen.text) is str
    assert where == ["trap", "trap"]


@pytest.mark.parametrize(
    ("result", "text"),
    [(None, "Done; nothing to show."), ("", "Done; nothing to show."), (3, "3"), (0.5, "0.5"), (True, "true"),
     ({"城市": ["北京", 1]}, '{"城市": ["北京", 1]}'), ((1, "a"), '[1, "a"]')],
)  # fmt: skip
def test_any_result_is_told_as_text(result: object, text: str) -> None:
    def give() -> object:
        """Gives back a value."""
        return result

    with registered(give):
        assert use("give") == Observation(text)


def test_a_text_with_habits_of_its_own_is_told_as_plain_text() -> None:
    def give() -> object:
        """Gives back a text that is more than one."""
        return NastyText("text")

    with registered(give):
        seen = use("give")
    assert seen == Observation("text") and type(seen.text) is str


def test_a_result_without_end_is_capped_with_its_head_and_tail() -> None:
    def flood() -> str:
        """Says too much."""
        return "first\n" + "x" * 3_000_000 + "\nlast"

    with registered(flood):
        text = use("flood").text
    assert len(text) <= registry.LONGEST and text.startswith("first\n") and text.endswith("\nlast")
    assert "characters left out here" in text


# --- failures -------------------------------------------------------------------------------------------------------


def failing(error: BaseException) -> Observation:
    def fail() -> str:
        """Fails."""
        raise error

    with registered(fail):
        return use("fail")


class Answered(Exception):
    """As HTTP clients raise it."""

    def __init__(self, status: int) -> None:
        super().__init__(f"HTTP {status}")
        self.status_code = status


class Speechless(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "text", "kind"),
    [
        (ValueError("bad date"), "ValueError: bad date", "failed"),
        (KeyError("command"), "KeyError: 'command'", "failed"),
        (ZeroDivisionError(), "ZeroDivisionError", "failed"),
        (Speechless(), "Speechless", "failed"),
        (SystemExit(3), "SystemExit: 3", "failed"),
        (Refused("Clean it first."), "Clean it first.", "failed"),
        (Fatal("No such account."), "No such account.", "fatal"),
        (Answered(401), "Answered: HTTP 401", "fatal"),
        (Answered(403), "Answered: HTTP 403", "fatal"),
        (Answered(404), "Answered: HTTP 404", "fatal"),
        (Answered(500), "Answered: HTTP 500", "failed"),
        (Answered(429), "Answered: HTTP 429", "failed"),
    ],
)
def test_an_error_is_told_by_type_and_message(error: BaseException, text: str, kind: str) -> None:
    assert failing(error) == Observation(text, kind)
    assert kind in ERRORS


def test_a_long_message_is_cut() -> None:
    assert len(failing(ValueError("x" * 100_000)).text) <= wrong.LONGEST_REASON + 20


@pytest.mark.parametrize(
    "path",
    [
        "/home/ann/books/plans.md",
        "'/home/ann/my books/a.md'",
        '"C:\\Users\\ann\\a.md"',
        "C:\\Users\\ann\\a.md",
        "C:/Users/ann/a.md",
        "~/notes/a.md",
        "/etc/passwd",
        "/root",
        "\\\\server\\share\\ann",
        str(Path(__file__)),
    ],
)
def test_no_error_tells_a_path(path: str) -> None:
    text = failing(OSError(f"failed to open {path}: gone")).text
    assert "ann" not in text and "passwd" not in text and "root" not in text and "tests" not in text
    assert text.startswith("OSError: failed to open (path)")


def test_an_error_of_the_system_tells_no_path(tmp_path: Path) -> None:
    def read() -> str:
        """Reads a file that is not there."""
        return (tmp_path / "none.txt").read_text()

    with registered(read):
        assert use("read") == Observation("FileNotFoundError: [Errno 2] No such file or directory: (path)", "failed")


@pytest.mark.parametrize("harmless", ["3/4 of the text", "and/or", "https://example.org/a/b", "km/h", "24/7 service"])
def test_what_only_looks_like_a_path_stays(harmless: str) -> None:
    assert harmless in failing(ValueError(f"not {harmless} there")).text


@pytest.mark.parametrize(
    "secret",
    [
        "sk-proj-abcdefgh12345678",
        "Bearer abcdef.ghijkl-123456",
        "api_key=abcdef123456",
        "token: abcdef123456",
        "password = hunter2hunter2",
        "https://ann:abcdef123456@host.example/x",
        '{"Authorization": "Bearer abcdef123456"}',
    ],
)
def test_neither_errors_nor_results_tell_a_secret(secret: str) -> None:
    def leak() -> str:
        """Tells everything."""
        return f"the service said {secret} twice"

    with registered(leak):
        told = [failing(PermissionError(f"refused {secret} here")).text, use("leak").text]
    for text in told:
        assert "***" in text
        assert not any(piece in text for piece in ("abcdef", "hunter2", "12345678"))


def test_a_key_of_this_process_is_masked_in_results_and_errors() -> None:
    remember_secret("zq7-canary-0451-xx")

    def leak() -> str:
        """Tells a key."""
        return "it is zq7-canary-0451-xx!"

    with registered(leak):
        assert use("leak").text == "it is ***!"
    assert "canary" not in failing(ValueError("key zq7-canary-0451-xx")).text


def test_a_tool_that_hangs_is_given_up_and_holds_up_nobody() -> None:
    free = threading.Event()

    def hang() -> str:
        """Waits for ever."""
        free.wait(60)
        return "late"

    with registered(hang, seconds=0.05):
        began = time.monotonic()
        seen = use("hang")
        assert time.monotonic() - began < 2
        assert seen == Observation("hang took longer than 0.05 s and was given up.", "timeout")
        assert use("hang", language="zh").text == "hang 超过 0.05 秒仍未完成，已放弃。"
        left = [thread for thread in threading.enumerate() if thread.name == "hang"]
        assert left and all(thread.daemon for thread in left)
    free.set()


def test_a_tool_whose_work_is_bounded_needs_no_thread_of_its_own() -> None:
    def where() -> str:
        """Tells its thread."""
        return str(threading.get_ident())

    with registered(where, seconds=registry.AT_ONCE):
        assert use("where").text == str(threading.get_ident())
    with registered(where):
        assert use("where").text != str(threading.get_ident())


def test_a_text_that_hangs_while_it_is_made_is_given_up_as_well() -> None:
    free = threading.Event()

    class Slow:
        def __str__(self) -> str:
            free.wait(60)
            return "late"

    def hand_over() -> object:
        """Gives back what takes for ever to write down."""
        return Slow()

    with registered(hand_over, seconds=0.05):
        assert use("hand_over").error == "timeout"
    free.set()
