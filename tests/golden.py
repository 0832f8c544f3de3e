"""Runs whose logs are kept in tests/runs: what they do, and how they are written anew.

`python -m tests.golden` writes the files. Do that only when events are added on purpose: a released log must be read
for ever.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from refine.errors import ModelError
from refine.events import Event, Record, from_json, to_json
from refine.keeping import best
from refine.loop import ask, ask_all, loop, together
from refine.perform import Inbox
from refine.stops import max_rounds
from refine.techniques import TECHNIQUES
from refine.types import (
    CheckCall,
    Finding,
    Flow,
    Message,
    ModelCall,
    Outcome,
    Reply,
    Role,
    Round,
    RunSpec,
    Task,
    Usage,
    Verdict,
)
from tests.fakes import Answer, FakeDoors, begin, go_on

FlowOf = Callable[[RunSpec], Flow[Outcome]]
SPEC = RunSpec(
    "refine",
    "test",
    Task("A title", "One draft.", language="en"),
    (Role("writer", "Write."), Role("critic", "Judge."), Role("critic_2", "Judge again.")),
    stops={"max_rounds": 3},
)


def model(role: str, said: str) -> ModelCall:
    return ModelCall(role, (Message("user", (said,)),))


def two_critics(call: Any, times: int) -> Any:
    """Both critics revise twice, then approve; the writer numbers its drafts."""
    text = "".join(part for message in call.messages for part in message.parts)
    drafts = text.count("better")
    if call.role == "writer":
        return "One draft." + " better" * (drafts + 1)
    return "APPROVED" if drafts >= 2 else f"Too short, says {call.role} at {drafts}."


def re_ask(call: Any, times: int) -> Any:
    asked_again = any(message.role == "assistant" for message in call.messages)
    if call.role == "writer":
        return "A second draft."
    if asked_again:
        return "APPROVED"
    return "LGTM, I think" if "second" in call.messages[-1].content else "The opening is flat."


def failing_twice(call: Any, times: int) -> Any:
    if call.role == "critic" and times < 2:
        return ModelError("server", "500", usage=Usage(7, 0, cost=Decimal("0.0005")))
    return two_critics(call, times)


def never(call: Any, times: int) -> Any:
    if call.role == "writer":
        return call.messages[-1].parts[0] + " more"
    return "Not yet."


def nested(spec: RunSpec) -> Flow[Outcome]:
    """An outer loop whose turn holds an inner loop and one more call."""

    def inner(rounds: tuple[Round, ...]) -> Flow[Round]:
        reply = yield from ask(model("writer", f"inner {len(rounds)}"))
        return Round(reply.content, Verdict("revise", float(len(rounds))))

    def outer(rounds: tuple[Round, ...]) -> Flow[Round]:
        inside = yield from loop(inner, [max_rounds(2)], best)
        reply = yield from ask(model("critic", f"outer {len(rounds)}: {inside.best.text if inside.best else ''}"))
        return Round(reply.content, Verdict("revise", float(len(rounds))))

    return (yield from loop(outer, [max_rounds(2)], best))


def side_by_side(spec: RunSpec) -> Flow[Outcome]:
    """Three strands of their own loops, then a call on all of their results."""

    def strand(name: str) -> Flow[Outcome]:
        def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
            replies = yield from ask_all([model("writer", f"{name} {len(rounds)}"), CheckCall("length", name)])
            return Round(replies[0].content, Verdict("revise", float(len(rounds))))

        return (yield from loop(turn, [max_rounds(2)], best))

    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        outcomes = yield from together([strand("a"), strand("b"), strand("c")])
        texts = " | ".join(outcome.best.text for outcome in outcomes if outcome.best)
        reply = yield from ask(model("critic", texts))
        return Round(reply.content, Verdict("approved"))

    return (yield from loop(turn, [max_rounds(1)], best))


def echo(call: Any, times: int) -> Any:
    return [] if isinstance(call, CheckCall) else f"<{call.messages[-1].content}>"


def tool(name: str, asks: bool = False) -> dict[str, Any]:
    fields = {"type": "object", "properties": {"of": {"type": "string"}}, "required": []}
    return {"name": name, "description": f"Looks up {name}.", "parameters": fields, "asks": asks}


STEPS = RunSpec(
    "react",
    "test",
    Task(brief="How warm is it?", language="en", result_checks=({"is": "number", "question": 0},)),
    (Role("actor", "Work in steps.\n\nStep {{ step }} of {{ max_steps }}.\n\nuser:\n{{ brief }}\n"),),
    stops={"max_rounds": 6},
    options={"questions": ["And in Oslo?"], "somebody": True},
    tools=(tool("weather"), tool("send", asks=True)),
)


def actor(*moves: tuple[str, dict[str, str]]) -> Answer:
    """These moves, by the number of replies given so far; checks want a digit in the answer."""

    def answer(call: Any, times: int) -> Any:
        if isinstance(call, ModelCall):
            name, args = moves[min(sum(m.role == "assistant" for m in call.messages), len(moves) - 1)]
            return json.dumps({"thought": "Next.", "action": name, "args": args})
        if isinstance(call, CheckCall):
            return [] if any(sign.isdigit() for sign in call.text) else ["the answer holds no number"]
        return f"{call.name}: 18 °C"

    return answer


MOVES = (
    ("weather", {"of": "Beijing"}),
    ("finish", {"answer": "warm"}),
    ("finish", {"answer": "18 °C"}),
    ("send", {"of": "Oslo"}),
    ("finish", {"answer": "9 °C"}),
)

JUDGES = (Role("judge", "Score.", options={"reply": "json"}), Role("pair", "Choose."))
DRAFTS = RunSpec(
    "best_of_n",
    "test",
    Task("A title", "One draft.", language="en"),
    (Role("writer", "Write."), JUDGES[0]),
    checks={"length": {}},
    options={"n": 4, "choose_by": "both"},
)
MEASURED = replace(
    DRAFTS, technique="measure", task=replace(DRAFTS.task, draft="A text made of it."), roles=JUDGES[:1],
    options={"original": "One draft."},
)  # fmt: skip
PREFERRED = replace(MEASURED, technique="prefer", roles=JUDGES[1:], checks={}, options={"other": "Another text."})


def scores(clarity: float, **more: float) -> str:
    given = {"clarity": clarity, "style": 8, "correctness": 8, "faithfulness": 8, **more}
    return json.dumps({"evidence": [{"quote": "draft", "dimension": "clarity", "remark": "Short."}], "scores": given})


def four_drafts(call: Any, times: int) -> Any:
    """The second is refused; the judge is unclear about the third at first, and likes the fourth best."""
    if isinstance(call, CheckCall):
        return []
    if call.role == "writer":
        return Reply(refusal="No.") if call.draw == 1 else f"Written draft number {call.draw}."
    number = next(int(sign) for sign in call.messages[1].content if sign.isdigit())
    return "Rather good, I think." if number == 2 and len(call.messages) == 2 else scores(5 + number)


def a_judge(call: Any, times: int) -> Any:
    if isinstance(call, CheckCall):
        return [to_json(Finding(call.text[:3], (0, 3), "length", severity="should"))]
    return scores(7)


def a_swayed_judge(call: Any, times: int) -> Any:
    """Says nothing at first, then prefers whatever stands first."""
    return '{"evidence": [], "better": "1"}' if len(call.messages) > 2 else "Both are fine texts."


LIMITED = replace(SPEC, limits={"calls": 5}, stops={"max_rounds": 9})
WAITING = replace(SPEC, roles=SPEC.roles[:2], options={"somebody": True})

GOLDEN: dict[str, tuple[FlowOf, RunSpec, Answer, dict[str, str]]] = {
    "two critics at once": (TECHNIQUES["refine"], SPEC, two_critics, {}),
    "a re-ask": (TECHNIQUES["refine"], replace(SPEC, roles=SPEC.roles[:2]), re_ask, {}),
    "a wait with its answer": (
        TECHNIQUES["refine"],
        WAITING,
        lambda call, times: "A new draft." if call.role == "writer" else "LGTM, I think",
        {"verdict_unclear": "revise"},
    ),
    "a retry": (TECHNIQUES["refine"], SPEC, failing_twice, {}),
    "a nested loop": (nested, SPEC, echo, {}),
    "flows side by side": (side_by_side, SPEC, echo, {}),
    "a halt by a limit": (TECHNIQUES["refine"], LIMITED, never, {}),
    "steps with tools": (TECHNIQUES["react"], STEPS, actor(*MOVES), {"allow_tool": "allow"}),
    "steps to their limit": (
        TECHNIQUES["react"],
        replace(STEPS, stops={"max_rounds": 3}, options={}),
        actor(*((("weather", {"of": str(n)})) for n in range(3)), ("finish", {"answer": "about 18"})),
        {},
    ),
    "several drafts": (TECHNIQUES["best_of_n"], DRAFTS, four_drafts, {}),
    "a measured text": (TECHNIQUES["measure"], MEASURED, a_judge, {}),
    "one of two texts": (TECHNIQUES["prefer"], PREFERRED, a_swayed_judge, {}),
    "a fatal error": (TECHNIQUES["refine"], SPEC, lambda call, times: ModelError("key", "401"), {}),
}

RUNS = Path(__file__).parent / "runs"


def path(name: str) -> Path:
    return RUNS / f"{name.replace(' ', '-')}.jsonl"


async def whole(flow_of: FlowOf, records: list[Record], doors: FakeDoors, answers: dict[str, str]) -> list[Record]:
    """Drives on until the run ends, answering its questions."""
    inbox = Inbox()
    while True:
        records, outcome = await go_on(flow_of, records, doors, inbox)
        if outcome is not None:
            return records
        waiting = records[-1].event
        inbox.answers[waiting.at] = answers[waiting.question]  # type: ignore[union-attr]


def read(name: str) -> list[Record]:
    lines = path(name).read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Record(row["run_id"], row["seq"], row["at"], from_json(Event, row["event"])) for row in rows]


def write() -> None:
    for name, (flow_of, spec, answer, answers) in GOLDEN.items():
        log = asyncio.run(whole(flow_of, begin(spec), FakeDoors(answer), answers))
        rows = [{"run_id": r.run_id, "seq": r.seq, "at": r.at, "event": to_json(r.event)} for r in log]
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
