"""What an actor is told before each step, and what it wishes after it.

Two ways of asking for a tool give the same steps: JSON in the text, or native tool calls. The prompt is kept within a
set size: the oldest observations are shortened first, then the oldest steps told in a line each, and it says so. The
system message, the questions, their answers and the last steps stay whole; a call and its result are never parted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain

from refine import prompts, words
from refine.errors import FormatError
from refine.replies import read_step, read_tool_use, visible
from refine.techniques.guards import MAX_STEPS, Each, first_of_question, questions
from refine.techniques.tool_use import Use, written
from refine.text.estimate import estimate_tokens
from refine.text.shorten import shorten
from refine.types import Json, Message, ModelCall, Reply, Round, RunSpec, Step, ToolCall, ToolUse

ACTOR = "actor"
FINISH = "finish"
CONTEXT = 12_000
"""Tokens of a prompt, estimated, where the run does not say."""
LAST_STEPS = 4
"""They are always told in full."""
SHORT = 200
"""Characters of an old observation that was shortened."""
LINE = 120
"""Characters of an old step that is told in a line."""
UNREAD = 600
"""Characters of a reply without a step that the actor is shown again."""
PLACE = "\ue000"
"""Stands for the number of the step until the constant text before it has been set apart."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a reply asks for: calls, or an answer; else what is wrong with it."""

    thought: str = ""
    uses: tuple[Use, ...] = ()
    final: str | None = None
    problem: str = ""


# --- reading a reply ---------------------------------------------------------------------------------------------


def read_wish(spec: RunSpec, reply: Reply) -> Wish:
    """Never raises. Native calls count whatever else the reply says; a reply that was cut off is no step."""
    table = words.of(spec.task.language)
    if reply.finish_reason in (None, "length"):
        return Wish(problem=table.STEP_CUT_OFF)
    if reply.tool_calls:
        return Wish(visible(reply.content).strip(), tuple(read_use(use) for use in reply.tool_calls))
    try:
        step = read_step(reply.content)
    except FormatError as error:
        said = visible(reply.content).strip()
        if is_native(spec) and said:  # there, a text without a call is the answer
            return Wish(final=said)
        return Wish(problem=table.NO_STEP.format(error=error, known=", ".join(_names(spec)) or FINISH))
    if step.final is not None:
        return Wish(step.thought, final=step.final)
    return Wish(step.thought, (Use(ToolCall(step.action or "", step.args)),))


def read_use(use: ToolUse) -> Use:
    try:
        return Use(ToolCall(*read_tool_use(use)), use.id)
    except FormatError as error:
        return Use(ToolCall(use.name), use.id, str(error))


def read_answer(reply: Reply) -> str:
    """The answer in a closing reply, also where it is given plainly; "" where there is only scaffolding."""
    if reply.tool_calls or reply.finish_reason in (None, "length"):
        return ""
    try:
        return read_step(reply.content).final or ""
    except FormatError:
        return "" if is_scaffolding(reply.content) else visible(reply.content).strip()


_SCAFFOLDING = re.compile(r"^\W*(?:\{|(?:thought|action|observation|思考|行动|观察)\W*[:：])", re.IGNORECASE)


def is_scaffolding(text: str) -> bool:
    """A reply in the form of a step that is none: never an answer."""
    return bool(_SCAFFOLDING.match(visible(text)))


def is_native(spec: RunSpec) -> bool:
    return spec.options.get("protocol") == "native"


def _names(spec: RunSpec) -> list[str]:
    return [str(tool["name"]) for tool in spec.tools]


# --- making a call -----------------------------------------------------------------------------------------------


def actor_call(
    spec: RunSpec, rounds: Sequence[Round], question: str, told: Sequence[Exchanges], *, closing: bool = False
) -> ModelCall:
    """The next call to the actor.

    Args:
        question: what the step begins with; "" where it goes on.
        told: how each step is told, as `tells` has it.
        closing: asks for the answer with what is known.
    """
    role = spec.role(ACTOR)
    assert role is not None
    here = 0 if question else len(since_question(rounds))
    values = {
        "brief": spec.task.brief,
        "draft": spec.task.draft,
        "language": spec.task.language,
        "tools": "" if is_native(spec) else listed(spec.tools),
        "step": PLACE,
        "max_steps": str(int(spec.stops.get("max_rounds") or MAX_STEPS)),
        "style_sheet": spec.task.style_sheet,
    }
    *system, asked = prompts.messages(role.prompt, ACTOR, values, where=role.name)
    asking = words.of(spec.task.language).LAST_ANSWER if closing else question
    history = [*chain.from_iterable(told), *([said_by_user(asking)] if asking else [])]
    head = [*(with_number(message, here + 1) for message in system), asked]
    room = int(spec.options.get("context") or CONTEXT) - sum(size(message) for message in head)
    messages = merged([*head, *fitted(spec, history, room)])
    force = role.options.get("reply") == "json" and not closing
    return ModelCall(
        ACTOR,
        messages,
        tools=tuple(bare(tool) for tool in spec.tools) if is_native(spec) and not closing else (),
        schema=schema_of(spec.tools) if force and not is_native(spec) else None,
        closing=closing,
    )


def with_number(system: Message, step: int) -> Message:
    """The system message as two parts: what is the same in every step, and what holds its number."""
    text = system.content
    cut = text.rfind("\n", 0, text.find(PLACE)) + 1 if PLACE in text else len(text)
    parts = (text[:cut], text[cut:].replace(PLACE, str(step)))
    return Message(system.role, tuple(filter(None, parts)))


def listed(tools: Sequence[Json]) -> str:
    """The tools as the prompt shows them, one a line."""
    return "\n".join(f"- {tool['name']}({_signature(tool)}): {tool['description']}" for tool in tools)


def _signature(tool: Json) -> str:
    schema = tool.get("parameters") or {}
    needed = schema.get("required") or ()
    return ", ".join(
        f"{name}: {_type(field)}" + ("" if name in needed else " = optional")
        for name, field in (schema.get("properties") or {}).items()
    )


def _type(field: Json) -> str:
    if "enum" in field:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in field["enum"])
    return str(field.get("type") or "any")


def bare(tool: Json) -> Json:
    """A tool in the wire's form."""
    return {name: tool[name] for name in ("name", "description", "parameters")}


def schema_of(tools: Sequence[Json]) -> Json:
    """A step as a JSON schema: which tool, with its own arguments, or the answer."""
    steps = [_action(tool["name"], tool.get("parameters") or {"type": "object"}) for tool in tools]
    answer = {"type": "object", "required": ["answer"], "properties": {"answer": {"type": "string"}}}
    return {"name": "step", "schema": {"anyOf": [*steps, _action(FINISH, answer)]}}


def _action(name: str, arguments: Json) -> Json:
    fields = {
        "thought": {"type": "string", "maxLength": 240},
        "action": {"type": "string", "enum": [name]},
        "args": arguments,
    }
    return {"type": "object", "required": [*fields], "properties": fields}


# --- what went before --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exchange:
    """Messages that are never parted, and the step that they tell, if they can be told shorter."""

    messages: tuple[Message, ...]
    n: int = 0
    step: Step | None = None

    @cached_property
    def size(self) -> int:
        return sum(map(size, self.messages))


Exchanges = tuple[Exchange, ...]
"""Of one step: its question, where it begins with one, and what was said and done."""


def since_question(rounds: Sequence[Round]) -> Sequence[Round]:
    """The steps of the present question."""
    return rounds[first_of_question(rounds) :]


def question_at(rounds: Sequence[Round]) -> int:
    """The number of the present question, the first being 0."""
    return questions(rounds)


def tells(spec: RunSpec) -> Each[Exchanges]:
    """How each step is told to the actor. A later prompt holds the very same messages."""
    return Each(partial(exchanges, spec))


def exchanges(spec: RunSpec, n: int, step: Step) -> Exchanges:
    asked = (said_by_user(step.question),) if step.question else ()
    return (*asked, exchange(spec, n, step))


def said_by_user(text: str) -> Exchange:
    return Exchange((Message("user", (text,)),))


def exchange(spec: RunSpec, n: int, step: Step) -> Exchange:
    """One step as the actor sees it again."""
    said = spoken(spec, step)
    if step.final is not None and not step.observations:
        return Exchange((said,))
    return Exchange((said, *answers(spec, step, step.observations)), n, step)


def spoken(spec: RunSpec, step: Step) -> Message:
    """What the actor said, in the form it should keep to; a reply without a step as it was, shortened."""
    if step.final is not None:
        text = step.final if is_native(spec) else as_text(step.thought, FINISH, {"answer": step.final})
        return Message("assistant", (text,))
    if not step.calls:
        return Message("assistant", (shorten(visible(step.said).strip(), UNREAD, spec.task.language) or "…",))
    if ids := told_ids(spec, step):
        uses = [
            ToolUse(id, call.name, json.dumps(dict(call.arguments), ensure_ascii=False))
            for id, call in zip(ids, step.calls, strict=True)
        ]
        return Message(
            "assistant", tuple(filter(None, (step.thought,))), tool_calls=tuple(uses), reasoning=step.reasoning
        )
    thoughts = (step.thought, *[""] * (len(step.calls) - 1))
    said = (as_text(thought, call.name, call.arguments) for thought, call in zip(thoughts, step.calls, strict=True))
    return Message("assistant", ("\n".join(said),))


def told_ids(spec: RunSpec, step: Step) -> tuple[str, ...]:
    """Under which ids the step's calls are told; none where they are told as text, as the run asks for them."""
    return step.ids if is_native(spec) and spec.tools else ()


def as_text(thought: str, action: str, arguments: Json) -> str:
    step = {"thought": thought, "action": action, "args": dict(arguments)}
    return json.dumps({name: value for name, value in step.items() if value or name != "thought"}, ensure_ascii=False)


def answers(spec: RunSpec, step: Step, texts: Sequence[str]) -> Iterator[Message]:
    """What came back, fenced as data where it came from a tool."""
    if ids := told_ids(spec, step):
        for id, text in zip(ids, texts, strict=True):
            yield Message("tool", (text,), tool_call_id=id)
    elif step.calls:
        label = words.of(spec.task.language).OBSERVATION
        told = (f"{label}\n<observation>\n{fenced(text)}\n</observation>" for text in texts)
        yield Message("user", ("\n\n".join(told),))
    else:
        yield Message("user", tuple(texts))


def fenced(text: str) -> str:
    """An observation cannot end its own fence."""
    return text.replace("</observation", "< /observation")


def shorter(spec: RunSpec, exchange: Exchange) -> tuple[Message, ...]:
    """The same with its observations shortened."""
    assert exchange.step is not None
    texts = [shorten(text, SHORT, spec.task.language) for text in exchange.step.observations]
    return (exchange.messages[0], *answers(spec, exchange.step, texts))


def line_of(spec: RunSpec, exchange: Exchange) -> str:
    """The same in a line."""
    step = exchange.step
    assert step is not None
    made = "; ".join(
        f"{written(call)} → {' '.join(text.split())}" for call, text in zip(step.calls, step.observations, strict=False)
    )
    return f"{exchange.n + 1}. {shorten(made or ' '.join(step.observations), LINE, spec.task.language)}"


# --- keeping within the set size -----------------------------------------------------------------------------------


def fitted(spec: RunSpec, history: Sequence[Exchange], room: int) -> list[Message]:
    """The history in at most `room` tokens where that can be: shortened from its beginning, and it says so."""
    over = sum(exchange.size for exchange in history) - room
    if over <= 0:
        return [message for exchange in history for message in exchange.messages]
    old = [n for n, exchange in enumerate(history[: max(0, len(history) - LAST_STEPS)]) if exchange.step]
    short, lines, untold = dict[int, tuple[Message, ...]](), dict[int, str](), 0
    for n in old:
        if over > 0:
            short[n] = shorter(spec, history[n])
            over -= history[n].size - sum(map(size, short[n]))
    if over > 0:
        over += size(_folded([], 1, spec.task.language))
    for n in old:
        if over > 0:
            lines[n] = line_of(spec, history[n])
            over -= sum(map(size, short.pop(n))) - estimate_tokens(lines[n] + "\n")
    for n in lines:
        if over > 0:
            over -= estimate_tokens(lines[n] + "\n")
            untold += 1
    told_whole = [short.get(n, exchange.messages) for n, exchange in enumerate(history) if n not in lines]
    folded = [_folded([*lines.values()][untold:], untold, spec.task.language)] if lines else []
    return [*folded, *(message for messages in told_whole for message in messages)]


def _folded(lines: Sequence[str], untold: int, language: str) -> Message:
    table = words.of(language)
    said = [table.EARLIER_STEPS, *([table.STEPS_UNTOLD.format(n=untold)] if untold else []), *lines]
    return Message("user", ("\n".join(said),))


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Neighbours of the same role as one message: many servers want roles to alternate."""
    joined: list[Message] = []
    for message in messages:
        before = joined[-1] if joined else None
        if before and before.role == message.role == "user":
            joined[-1] = Message("user", (*before.parts, "\n\n", *message.parts))
        else:
            joined.append(message)
    return tuple(joined)


def size(message: Message) -> int:
    """Tokens, estimated."""
    called = sum(estimate_tokens(use.name + use.arguments) for use in message.tool_calls)
    return sum(map(estimate_tokens, message.parts)) + called + 4
