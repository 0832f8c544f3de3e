"""Tool calls put together from the pieces of a reply, in every shape that servers were seen to send. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from refine.types import Json, ToolUse

SURROGATE = re.compile("[\ud800-\udfff]")


class ToolCalls:
    """A new id with a name opens a call, the same id always means its call, whatever the index says."""

    def __init__(self) -> None:
        self._calls: list[dict[str, str]] = []
        self._by_id: dict[str, dict[str, str]] = {}
        self._by_index: dict[str, dict[str, str]] = {}

    def add(self, piece: Mapping[str, Json]) -> None:
        function = piece.get("function")
        function = function if isinstance(function, Mapping) else {}
        name = function.get("name")
        name = name if isinstance(name, str) else ""
        call = self._call_of(_text(piece.get("id")), _text(piece.get("index")), name)
        call["name"] = call["name"] or name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            call["arguments"] += whole(arguments)
        elif arguments is not None:
            call["arguments"] += json.dumps(arguments, ensure_ascii=False)

    def _call_of(self, id: str, index: str, name: str) -> dict[str, str]:
        known = self._by_id.get(id) if id else None
        if known is None and not (id and name):
            known = self._by_index.get(index) if index else None
            known = known or (self._calls[-1] if self._calls and not index and not name else None)
            if known and name and _is_whole(known["arguments"]):
                known = None
        if known is None:
            known = {"id": id, "name": "", "arguments": ""}
            self._calls.append(known)
        if id:
            known["id"] = known["id"] or id
            self._by_id[id] = known
        if index:
            self._by_index[index] = known
        return known

    def read(self) -> tuple[ToolUse, ...]:
        return tuple(
            ToolUse(call["id"] or f"call_{number}", call["name"], call["arguments"])
            for number, call in enumerate(self._calls)
            if call["name"]
        )


def pieces_of(delta: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Pieces of tool calls in a piece of a reply: a list, one object, or the one call of the form before."""
    calls = delta.get("tool_calls")
    if isinstance(calls, Mapping):
        calls = [calls]
    if not calls and isinstance(function := delta.get("function_call"), Mapping):
        calls = [{"index": 0, "function": function}]
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


def whole(text: str) -> str:
    """The text with halves of pairs joined; a half that stays alone becomes the replacement character."""
    if text.isascii() or not SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(value: Json) -> str:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _is_whole(arguments: str) -> bool:
    """Is nothing missing from these arguments? Then what comes with a name is another call."""
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False
