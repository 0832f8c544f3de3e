"""What a conversation asks for, as far as can be told from its messages: whose turn it is, the draft, the findings.

For the shipped fakes only. Tolerant of any template; knows nothing of what is then said (`characters`).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from refine.text.estimate import CJK
from refine.types import Json, Message

RULE = "\n---\n"
FINDING_LINE = re.compile(r"\s*(?:[-*•]|\d+[.)、]|\[)\s*\S|\s+\S")
DRAFT_LABEL = re.compile(r"\s*(?:the |your |current )?(?:draft|text|草稿|稿件|原文)\s*[:：]\s*\n+", re.IGNORECASE)
FENCED = re.compile(r"\s*(```+|\"\"\")\w*\n(.*)\n\1\s*", re.DOTALL)
TOKEN = re.compile(
    r"(?:with|word|token|answer|line|reply|exactly|回答|回复|输出|写)\W{0,4}[\"“「'`*]+([^\s\"”」'`*]{2,20})[\"”」'`*]+"
)
TOKEN_ALONE = re.compile(r"answer with (\S{2,20}) alone|只(?:回答|回复|输出)\s*(\S{2,20})\s*(?:即可|二字)")
CRITIC_WORDS = re.compile(
    r"critic|reviewer|you decide whether|do not rewrite|verdict|评论者|评审|审稿|审校", re.IGNORECASE
)
WRITER_WORDS = re.compile(
    r"\bwriter\b|line editor|you rewrite|revise the|revises|rewrite the|作者|改写|修改", re.IGNORECASE
)
SCORES = re.compile(r"[\"']scores[\"']\s*:")
"""What a judge is asked for, and nobody else."""
ACTOR_WORDS = re.compile(r"\btools?\b|action|工具|行动", re.IGNORECASE)


@dataclass(frozen=True)
class Scene:
    """One call as a fake sees it. `part`: writer, critic, actor, judge, pair or the role's own name.

    `draw`: which of several equal calls it is; the seed, where one was sent.
    """

    part: str
    messages: tuple[Message, ...]
    tools: tuple[Json, ...] = ()
    schema: Json = None
    json: bool = False
    draw: int = 0

    @cached_property
    def system(self) -> str:
        return "\n".join(message.content for message in self.messages if message.role in ("system", "developer"))

    @cached_property
    def draft(self) -> str:
        return find_draft(self.messages)

    def marked(self, name: str) -> str:
        """What stands between the marks of that name in the message that asks; "" if nothing does."""
        found = re.search(rf"<{name}>\n?(.*?)\n?</{name}>", _asking(self.messages), re.DOTALL)
        return found[1] if found else ""

    @cached_property
    def remarks(self) -> str:
        """Findings and lessons as the writer got them; "" if there are none."""
        asked = _asking(self.messages)
        if "</draft>" in asked:
            return asked.rpartition("</draft>")[2].strip()
        return _split(asked)[1].strip()

    @cached_property
    def lessons(self) -> int:
        """How many failed rewrites the writer was told of."""
        told = self.remarks.partition("<lessons>")[2].partition("</lessons>")[0] or self.remarks.partition("\n\n")[2]
        return len([line for line in told.splitlines() if line.strip()])

    @cached_property
    def token(self) -> str:
        found = TOKEN_ALONE.search(self.system) or TOKEN.search(self.system)
        if "APPROVED" in self.system or not found:
            return "APPROVED"
        return next(group for group in found.groups() if group)

    @cached_property
    def chinese(self) -> bool:
        text = self.marked("text_1") or self.draft or self.system
        return len(CJK.findall(text)) * 5 > len(text)

    @cached_property
    def chance(self) -> int:
        """A number that depends on the whole conversation and on nothing else."""
        told = "\x00".join(f"{message.role}:{message.content}" for message in self.messages)
        return int.from_bytes(hashlib.sha256(told.encode("utf-8", "replace")).digest()[:6], "big")

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.chance % len(choices)]


def find_draft(messages: Sequence[Message]) -> str:
    """The text under work in the user message that asks for something; findings behind it are cut off."""
    asked = _asking(messages)
    if "<draft>" in asked and "</draft>" in asked:
        return asked.partition("<draft>")[2].rpartition("</draft>")[0].strip("\n")
    draft = DRAFT_LABEL.sub("", _split(asked)[0], count=1) if DRAFT_LABEL.match(asked) else _split(asked)[0]
    fenced = FENCED.fullmatch(draft)
    return fenced[2] if fenced else draft


def part_of(role: str) -> str:
    """The part that one of our roles plays: "critic2" is a critic."""
    return next((part for part in ("critic", "writer", "actor") if role.startswith(part)), role)


def guess_part(messages: Sequence[Message], tools: Sequence[Json] = ()) -> str:
    """Whose turn it is, where nobody says so: a server sees messages only."""
    told = [message.content for message in messages if message.role in ("system", "developer")]
    system = "\n".join(told) or _asking(messages)[:400]
    if tools:
        return "actor"
    if "</text_2>" in _asking(messages):
        return "pair"
    if SCORES.search(system):
        return "judge"
    critic, writer = CRITIC_WORDS.search(system), WRITER_WORDS.search(system[:200])
    if critic or "APPROVED" in system:  # a prompt names its own part first, then perhaps the other
        return "writer" if writer and not (critic and critic.start() < writer.start()) else "critic"
    if WRITER_WORDS.search(system) or _split(_asking(messages))[1]:
        return "writer"
    return "actor" if ACTOR_WORDS.search(system) else "writer"


def find_schema(schema: Json) -> Json:
    """The bare JSON schema of a call, whether or not it was given with a name around it."""
    return schema.get("schema", schema) if isinstance(schema, dict) else None


def example_of(schema: Json, text: str) -> Json:
    """A value that fits a JSON schema, as dull as can be."""
    if not isinstance(schema, dict):
        return text
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: example_of(inner, text) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return [example_of(schema.get("items"), text)] if schema.get("minItems") else []
        case "number" | "integer":
            return schema.get("maximum", 7)
        case "boolean":
            return True
        case "null":
            return None
    return text


def dumps(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _asking(messages: Sequence[Message]) -> str:
    """The user message that holds the work: the last one with marks in it, else the first."""
    asked = [message.content for message in messages if message.role == "user"]
    marked = [text for text in asked if "</draft>" in text or "</text_2>" in text or _split(text)[1]]
    return marked[-1] if marked else asked[0] if asked else ""


def _split(text: str) -> tuple[str, str]:
    """(draft, findings) at the last line of three hyphens that only findings follow."""
    head, rule, tail = text.rpartition(RULE)
    lines = [line for line in tail.splitlines() if line.strip()]
    if not rule or not lines or not FINDING_LINE.match(lines[0]):
        return text, ""
    return head.removesuffix("\n"), tail
