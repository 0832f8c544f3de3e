"""Reads a model's reply from network reads, as they come: server-sent events, or one JSON body.

Pure: bytes in, text out; no clock, no connection. Plain pieces of text are taken by one pattern over a whole read,
everything else goes through `json.loads`; no object is made per token.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from refine.models.failures import holds_error
from refine.models.tool_calls import ToolCalls, pieces_of, whole
from refine.types import Json, ToolUse

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes that may come without the end of an event."""

PLAIN = re.compile(
    r"data: ?\{[^{}\[\]\n]*\"choices\": ?\[\{(?:\"\w+\": ?(?:null|0), ?)*"
    r"\"delta\": ?\{(?:\"role\": ?\"assistant\", ?)?"
    r"\"content\": ?\"([^\"\\\n]*(?:\\.[^\"\\\n]*)*)\"(?:, ?\"\w+\": ?null)*\}"
    r"(?:, ?\"\w+\": ?(?:null|0))*\}\][^{}\[\]\n]*\}"
)
"""An event with nothing in it but a piece of text of choice 0."""

PIECE = re.compile(r"[^\"\\\n]*(?:\\.[^\"\\\n]*)*")
"""What may stand between the quotes of such an event."""

BOM = b"\xef\xbb\xbf"


class ErrorInBody(Exception):
    """The server answered with an error object although the status said all is well."""

    def __init__(self, body: Json) -> None:
        super().__init__("error object in the body")
        self.body = body


class Unreadable(Exception):
    """What came is no reply. `sample` is its beginning; `html`: a page for people."""

    def __init__(self, what: str, sample: str, *, html: bool = False) -> None:
        super().__init__(what)
        self.sample = sample
        self.html = html


class ReplyReader:
    """One reply. Feed it network reads, then `close` it; what was read stands in its attributes, error or not."""

    def __init__(self) -> None:
        self.finish_reason: str | None = None
        self.usage: Json = None
        self.ended = False
        """The server said that nothing more will come: [DONE], or the body was complete JSON."""
        self.choices = 0
        """Pieces of choice 0 that were read."""
        self._texts: list[str] = []
        self._reasonings: list[str] = []
        self._refusals: list[str] = []
        self._tools = ToolCalls()
        self._told = 0, 0
        self._held = ""
        self._buffer = bytearray()
        self._carriage_return = False
        self._body: bytearray | None = None
        self._started = False
        self._sample = b""
        self._frame = ("\n\n", "\n\n")
        """What stood before and behind the latest plain piece: most often the same in a whole reply."""

    @property
    def text(self) -> str:
        return "".join(self._texts)

    @property
    def reasoning(self) -> str:
        return "".join(self._reasonings)

    @property
    def refusal(self) -> str:
        return "".join(self._refusals)

    @property
    def tool_calls(self) -> tuple[ToolUse, ...]:
        return self._tools.read()

    @property
    def complete(self) -> bool:
        """Did the reply end as a reply ends, and not because the connection did?"""
        return self.ended or self.finish_reason is not None

    def feed(self, data: bytes) -> None:
        """Takes one network read. What was read before an error stands, and is told by `news`.

        Raises:
            ErrorInBody: an error object came.
            Unreadable: a line has no end, or is not JSON.
        """
        if not self._started and not (data := self._begin(data)):
            return
        if self._body is not None:
            self._body += data
            self._mind_length(self._body)
        else:
            self._take(data)

    def close(self) -> None:
        """The body is over: reads what is left. Raises as `feed` does; Unreadable too if there was no reply in it."""
        if self._body is not None:
            self._read_body(self._body.decode("utf-8", "replace"))
        else:
            self._read_rest(bytes(self._buffer).decode("utf-8", "replace"))
        if self._held:
            self._add_text("", last=True)
        if not self.choices:
            raise Unreadable("no reply", self._sample.decode("utf-8", "replace"))

    def news(self) -> tuple[str, str]:
        """(reasoning, text) that came since the last time."""
        reasonings, texts = self._told
        self._told = len(self._reasonings), len(self._texts)
        return "".join(self._reasonings[reasonings:]), "".join(self._texts[texts:])

    # --- bytes to events -----------------------------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        if self._carriage_return or b"\r" in data:
            data = self._with_line_feeds(data)
        buffer = self._buffer
        searched = max(0, len(buffer) - 1)
        buffer += data
        end = buffer.rfind(b"\n\n", searched)
        if end < 0:
            self._mind_length(buffer)
            return
        segment = buffer[: end + 2].decode("utf-8", "replace")
        del buffer[: end + 2]
        self._mind_length(buffer)
        self._read_segment(segment)

    def _begin(self, data: bytes) -> bytes:
        """Skips what may stand before a reply and tells events from a body by the first character."""
        self._buffer += data
        if BOM.startswith(bytes(self._buffer[:3])) and len(self._buffer) < 3:
            return b""
        start = bytes(self._buffer).removeprefix(BOM).lstrip()
        if not start:
            return b""
        self._started = True
        self._buffer.clear()
        self._sample = start[:200]
        if start[:1] in b"{[<":
            self._body = bytearray()
        return start

    def _with_line_feeds(self, data: bytes) -> bytes:
        """Line ends as the standard allows them (CRLF, CR), also split between two reads, become LF."""
        if self._carriage_return:
            data = b"\r" + data
        self._carriage_return = data.endswith(b"\r")
        if self._carriage_return:
            data = data[:-1]
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    def _mind_length(self, buffer: bytearray) -> None:
        if len(buffer) > LONGEST_LINE:
            raise Unreadable("a line of more than 16 MB", buffer[:200].decode("utf-8", "replace"))

    # --- events --------------------------------------------------------------------------------------------

    def _read_segment(self, segment: str) -> None:
        """Whole events. Plain ones that follow each other in one frame are cut apart at once."""
        if '"error"' in segment:
            self._read_events(segment)
            return
        at = 0
        while at < len(segment):
            end = segment.find("\n\n", at)
            end = len(segment) if end < 0 else end
            head, tail = self._frame
            if segment.startswith(head, at) and segment.endswith(tail, at + len(head), end):
                at = self._read_framed(segment, at)
            else:
                self._read_one(segment[at:end])
                at = end + 2

    def _read_framed(self, segment: str, at: int) -> int:
        """Reads on from a plain event to the last that ends as it does. Returns the place behind that."""
        head, tail = self._frame
        *parts, rest = segment[at:].split(f"{tail}\n\n")
        pieces = [part[len(head) :] for part in parts if part.startswith(head)]
        if len(pieces) == len(parts) and _are_pieces(pieces):
            self._add_pieces(pieces)
        else:
            self._read_parts(parts, head, tail)
        return len(segment) - len(rest)

    def _read_parts(self, parts: list[str], head: str, tail: str) -> None:
        """The same where some are no plain events, or have several before them."""
        pieces: list[str] = []
        for part in parts:
            piece = part[len(head) :]
            if part.startswith(head) and _is_piece(piece):
                pieces.append(piece)
                continue
            self._add_pieces(pieces)
            pieces = []
            for event in f"{part}{tail}".split("\n\n"):
                self._read_one(event)
        self._add_pieces(pieces)

    def _read_one(self, event: str) -> None:
        if match := PLAIN.fullmatch(event):
            self._frame = event[: match.start(1)], event[match.end(1) :]
            self._add_pieces([match[1]])
        elif event:
            self._read_event(event)

    def _add_pieces(self, pieces: list[str]) -> None:
        """Pieces as they stood in the JSON. Joined before they are unescaped: a pair of escapes may be split."""
        if not pieces:
            return
        self.choices += len(pieces)
        joined = "".join(pieces)
        self._add_text(_loaded(f'"{joined}"') if "\\" in joined else joined)

    def _read_events(self, text: str) -> None:
        for event in text.split("\n\n"):
            if event:
                self._read_event(event)

    def _read_event(self, event: str) -> None:
        name, lines = "", []
        for line in event.split("\n"):
            field, _, value = line.partition(":")
            if field == "data":
                lines.append(value.removeprefix(" "))
            elif field == "event":
                name = value.strip()
            elif line.startswith("{"):
                lines.append(line)
        for data in _objects(lines):
            self._read_data(data, name)

    def _read_data(self, data: Json, name: str) -> None:
        if data is DONE:
            self.ended = True
            return
        if holds_error(data):
            raise ErrorInBody(data)
        if name == "error":
            raise ErrorInBody({"error": data})
        if isinstance(data, Mapping):
            self._read_chunk(data)

    def _read_rest(self, text: str) -> None:
        """What stood behind the last whole event. Cut-off JSON there is a cut reply, not a malformed one."""
        if self._carriage_return:
            text += "\n"
        for event in text.split("\n\n"):
            if not event.strip():
                continue
            try:
                self._read_event(event)
            except Unreadable:
                return

    def _read_body(self, text: str) -> None:
        """A body that is no stream of events: one JSON object, or a page."""
        if text.startswith("<"):
            raise Unreadable("a page", text[:200], html=True)
        data = _loaded(text)
        if holds_error(data):
            raise ErrorInBody(data)
        if isinstance(data, Mapping):
            self._read_chunk(data)
        self.ended = True

    # --- chunks --------------------------------------------------------------------------------------------

    def _read_chunk(self, chunk: Mapping[str, Json]) -> None:
        self.usage = chunk.get("usage") or _usage_elsewhere(chunk) or self.usage
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and not choice.get("index"):
                self.choices += 1
                self._read_choice(choice)

    def _read_choice(self, choice: Mapping[str, Json]) -> None:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, Mapping):
            self._add_content(delta.get("content"))
            # By server; some send the same under two names.
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            self._add_reasoning(thought or delta.get("reasoning_details") or delta.get("thinking"))
            if isinstance(refusal := delta.get("refusal"), str):
                self._refusals.append(whole(refusal))
            for call in pieces_of(delta):
                self._tools.add(call)
        if reason := choice.get("finish_reason"):
            self.finish_reason = str(reason)
        # Usage of one choice, as some gateways send it.
        self.usage = self.usage or choice.get("usage") or None

    def _add_content(self, content: Json) -> None:
        if isinstance(content, str):
            if content:
                self._add_text(content)
            return
        for part in content if isinstance(content, list) else ():
            if isinstance(part, Mapping) and part.get("type") == "thinking":
                self._add_reasoning(part.get("thinking"))
            elif isinstance(part, Mapping) and isinstance(text := part.get("text"), str) and text:
                self._add_text(text)

    def _add_reasoning(self, reasoning: Json) -> None:
        if isinstance(reasoning, str) and reasoning:
            self._reasonings.append(whole(reasoning))
        elif isinstance(reasoning, list):
            texts = [part.get("text") if isinstance(part, Mapping) else part for part in reasoning]
            self._reasonings += [whole(text) for text in texts if isinstance(text, str)]

    def _add_text(self, text: str, *, last: bool = False) -> None:
        """Half of a surrogate pair at the end waits for its other half."""
        if self._held or not text.isascii():
            text, self._held = self._held + text, ""
            if not last and "\ud800" <= text[-1:] <= "\udbff":
                text, self._held = text[:-1], text[-1]
            text = whole(text)
        if text:
            self._texts.append(text)


DONE = object()


def _objects(lines: list[str]) -> list[Json]:
    """The JSON of one event. Several data lines are one object, or one object each where a server sends them so."""
    if not lines:
        return []
    try:
        return [_object("\n".join(lines))]
    except (ValueError, RecursionError):
        pass
    try:
        return [_object(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        raise Unreadable("no JSON", "\n".join(lines)[:200]) from None


def _object(text: str) -> Json:
    text = text.strip()
    if text == "[DONE]":
        return DONE
    return json.loads(text, strict=False) if text else None


def _loaded(text: str) -> Json:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        raise Unreadable("no JSON", text[:200]) from None


def _usage_elsewhere(chunk: Mapping[str, Json]) -> Json:
    """Usage that is told in a place of the server's own, by the usual names."""
    if isinstance(own := chunk.get("x_groq"), Mapping):
        return own.get("usage")
    if isinstance(own := chunk.get("timings"), Mapping):
        new, cached = (own[name] if isinstance(own.get(name), int) else 0 for name in ("prompt_n", "cache_n"))
        return {
            "prompt_tokens": new + cached,
            "completion_tokens": own.get("predicted_n"),
            "cached_tokens": cached,
        }
    if isinstance(own := chunk.get("usageMetadata"), Mapping):
        return {
            "prompt_tokens": own.get("promptTokenCount"),
            "completion_tokens": own.get("candidatesTokenCount"),
            "total_tokens": own.get("totalTokenCount"),
            "cached_tokens": own.get("cachedContentTokenCount"),
            "reasoning_tokens": own.get("thoughtsTokenCount"),
        }
    return None


def _is_piece(text: str) -> bool:
    """May it stand between the quotation marks of a plain event?"""
    return ('"' not in text and "\\" not in text and "\n" not in text) or bool(PIECE.fullmatch(text))


def _are_pieces(texts: list[str]) -> bool:
    """May each of them? Looks at all together; False also where only a look at each would tell."""
    joined = "".join(texts)
    if '"' in joined or "\n" in joined:
        return False
    return "\\" not in joined or not any(text.endswith("\\") for text in texts)
