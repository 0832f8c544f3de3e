"""The faults that the fake server can show, as tables: what real providers were seen to do.

Pure: a fault refuses a request (`REFUSALS`), or changes the form of a reply (`REPLIES`, carried out in `fake_wire`).
Knows nothing of sockets or time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from refine.models.fake_refusals import REFUSALS, Body, Refusal


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault as asked for: `rate,times=2,retry_after=1`."""

    kind: str
    options: Mapping[str, str] = field(default_factory=dict)

    def strikes(self, number: int) -> bool:
        """Does it show at the `number`th request (from 1) that asked for it? `times`: at the first ones, `every`: at
        each of that many, `first`: not before that one."""
        if "every" in self.options:
            return number % int(self.options["every"]) == 0
        if number < int(self.options.get("first", 1)):
            return False
        times = self.options.get("times", "2" if self.kind == "rate" else "")
        return not times or number < int(times) + int(self.options.get("first", 1))


def read_fault(text: str) -> Fault | None:
    """A fault from its text form; None for "" and for kinds that do not exist."""
    kind, *options = text.split(",")
    if kind not in KINDS:
        return None
    return Fault(kind, dict(option.partition("=")[::2] for option in options))


def refusal_of(fault: Fault, body: Body, key: str = "") -> Refusal | None:
    """What is answered instead of a reply; None: this request is served. `key`: the one that came with it."""
    refuse = REFUSALS.get(fault.kind)
    return refuse(body, {"key": key, **fault.options}) if refuse else None


REPLIES: Mapping[str, str] = {
    "drop": "the connection breaks off after half the reply",
    "cut": "the reply ends half-way, without finish reason and end mark",
    "stall": "half the reply, then silence",
    "silence": "no answer at all",
    "malformed": "a piece that is no JSON",
    "error_chunk": "an error object after half the reply",
    "error_event": "the same as an event named error",
    "no_resources": "half the reply, then a finish reason that means the server gave up",
    "empty_choices": "no choice in the reply",
    "null_content": "content null",
    "null_message": "message null",
    "white": "nothing but white space",
    "refusal": "content null, refusal filled",
    "filtered": "finish reason content_filter after half the reply",
    "length": "finish reason length after half the reply",
    "length_word": "finish reason max_tokens after half the reply",
    "end_turn": "finish reason end_turn",
    "no_finish": "no finish reason, but [DONE]",
    "no_end": "finish reason but no [DONE]",
    "reasoning_only": "a limit below 400 tokens is used up by reasoning",
    "reasoning_field": "thoughts under `reasoning`",
    "reasoning_details": "thoughts in a list under `reasoning_details`",
    "reasoning_both": "the same thoughts under both names",
    "reasoning_parts": "thoughts and text as parts of the content",
    "reasoning_thinking": "thoughts under `thinking`",
    "think_tags": "thoughts in tags within the text",
    "think_closing": "the same without the opening tag",
    "think_cut": "an opening tag, thoughts, and the limit",
    "content_parts": "the text as parts",
    "no_usage": "no usage is reported",
    "usage_zero": "usage of nought although text came",
    "usage_null": "usage null in every piece, and told at the end",
    "usage_finish": "usage beside the finish reason",
    "usage_choice": "usage within the choice",
    "usage_every": "usage so far in every piece",
    "usage_late": "usage behind [DONE]",
    "usage_names": "input_tokens and output_tokens",
    "usage_cache_hit": "prompt_cache_hit_tokens",
    "usage_flat": "cached_tokens without details around it",
    "usage_apart": "reasoning counted beside the completion",
    "usage_groq": "usage under x_groq",
    "usage_timings": "timings instead of usage",
    "usage_metadata": "usageMetadata",
    "tools_same_index": "every tool call with index 0",
    "tools_no_index": "tool calls without index",
    "tools_bare": "tool calls without index, id and type",
    "tools_no_id": "tool calls with id null",
    "tools_empty": 'arguments ""',
    "tools_blank": "arguments of white space",
    "tools_null": "arguments null",
    "tools_missing": "no arguments",
    "tools_object": "arguments as an object",
    "tools_junk": "arguments that break off",
    "tools_twice_coded": "arguments as JSON within JSON",
    "tools_single": "one object instead of a list of tool calls",
    "tools_legacy": "function_call",
    "tools_text": "tool calls written into the text",
    "tools_named_again": "name and id in every piece of a call",
    "tools_stop": "finish reason stop although there are tool calls",
    "crlf": "CRLF line ends, comments, and first a piece without choices",
    "azure": "first a piece without choices",
    "bom": "a byte order mark before the first piece",
    "comments": "a comment before every piece",
    "no_space": "no space behind data:",
    "event_names": "a name and a number for every event",
    "line_ends": "one line end between events",
    "escaped": "every character outside ASCII escaped",
    "spaced": "JSON with spaces",
    "two_choices": "pieces of a second choice in between",
    "plain_json": "a JSON body although a stream was asked for",
    "big_line": "one piece of 2 MB",
}
"""What changes the form of a reply."""

KINDS = frozenset({*REFUSALS, *REPLIES})
