"""The actor's own turn in a reply (A1): without what the server's template left, and without a fence around it all.

Knows nothing of labels and steps.
"""

from __future__ import annotations

import re

from refine.replies.text import split_reasoning


def own_turn(text: str) -> str:
    """What the actor said, without its reasoning; a call in a channel of its own as an envelope."""
    seen = split_reasoning(text)[1]
    return _unwrapped(_one_turn(seen if seen.strip() else _addressed(text)))


def unfenced(text: str) -> str:
    """The inside of a text that begins with a fence; prose behind the fence goes."""
    first, _, rest = text.partition("\n")
    opening = _FENCE_LINE.fullmatch(first.rstrip())
    if opening is None:
        return text
    inside, closed, _ = f"\n{rest}\n".partition(f"\n{opening['marks']}\n")
    return inside[1:] if closed else text


_OPENS = re.compile(
    r"\A\s{0,100}(?:(?:<s>|\[/INST\]|<\|begin_of_text\|>|(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>)?"
    r"(?:<\|assistant\|>|<｜Assistant｜>|\b(?:assistant|model)\b(?=<|\s{0,20}\n)|(?:assistant|ai|agent|助手)\s?[:：])"
    r"(?:<\|end_header_id\|>)?)\s{0,20}){0,3}",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"<\|(?:im_end|im_start|eot_id|eom_id|end|endoftext|end_of_text|start_header_id|user|assistant|observation)\|>"
    r"|<(?:end_of_turn|start_of_turn|eos)>|<｜(?:end▁of▁sentence|User|Assistant|tool▁outputs▁begin)｜>|</s>\s{0,100}\Z"
)
_QUOTES = "`'\"“‘「"
_ADDRESS = re.compile(
    r"\bto=(?:functions\.)?(?P<name>[A-Za-z_][\w.-]{0,80})(?:\s{0,5}<\|channel\|>\s{0,5}\w{1,20})?[^<\n]{0,40}"
    r"(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>\s{0,20}(?=\{)"
)
_FENCE_LINE = re.compile(r"[ ]{0,3}(?P<marks>`{3,}|~{3,})(?P<info>[^`\n]*)")


def _one_turn(text: str) -> str:
    """Without the signs by which models begin and end a turn, and without the turns that come after."""
    opening = _OPENS.match(text)
    text = text[opening.end() :] if opening else text
    for end in _ENDS.finditer(text):
        if not end.start() or text[end.start() - 1] not in _QUOTES:
            return text[: end.start()]
    return text


def _addressed(text: str) -> str:
    """A call in a channel of its own, _addressed to a tool, as an envelope."""
    found = _ADDRESS.search(text)
    return f"<tool_call>{found['name']}\n{text[found.end() :]}" if found else ""


def _unwrapped(text: str) -> str:
    """The inside of a fence around the whole reply. A fence that never ends is one up to the end."""
    read = text.strip("\r\n \t").split("\n")
    first = _FENCE_LINE.fullmatch(read[0].rstrip())
    if not first:
        return text
    depth = 1
    for at, line in enumerate(read[1:], 1):
        fence = _FENCE_LINE.fullmatch(line.rstrip()) if line.lstrip()[:3] in ("```", "~~~") else None
        if fence and fence["marks"][0] == first["marks"][0]:
            depth += 1 if fence["info"].strip() else -1
            if not depth:
                return "\n".join(read[1:at]) if at == len(read) - 1 else text
    return "\n".join(read[1:])
