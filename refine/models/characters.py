"""The characters of the scripted model: what each of them says in a scene. Pure: the same scene, the same words.

Knows nothing of pace, failures or connections; those belong to who plays them (`scripted`, `fake_server`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from refine.models import actors, judges, manuscript
from refine.models.conversation import Scene, dumps, example_of, find_schema
from refine.models.manuscript import Fault
from refine.types import Json, ToolUse


@dataclass(frozen=True, slots=True)
class Line:
    """What is said in one call."""

    content: str = ""
    reasoning: str = ""
    refusal: str = ""
    tool_calls: tuple[ToolUse, ...] = ()
    finish_reason: str = "stop"


def steady_judge(scene: Scene) -> Line:
    return Line(judges.scored(scene))


def steady_pair(scene: Scene) -> Line:
    return Line(judges.preferred(scene))


class Character(NamedTuple):
    """`about` says in a sentence what is special; the others are how it plays these parts."""

    about: str
    writer: Callable[[Scene], Line]
    critic: Callable[[Scene], Line]
    judge: Callable[[Scene], Line] = steady_judge
    pair: Callable[[Scene], Line] = steady_pair


DEFAULT = "steady"


def play(name: str, scene: Scene) -> Line:
    """What the named character says; an unknown name, and any other part, is played as the steady one would."""
    character = CHARACTERS.get(name, CHARACTERS[DEFAULT])
    if scene.part == "critic":
        return character.critic(scene)
    if scene.part == "writer":
        return character.writer(scene)
    if scene.part == "judge":
        return character.judge(scene)
    if scene.part == "pair":
        return character.pair(scene)
    if move := actors.move_of(name, scene):
        return _moved(scene, move)
    ordered = obeyed(scene) if name == "obedient" else None
    return ordered or (acted(scene) if scene.part == "actor" else remarked(scene))


# --- verdicts ----------------------------------------------------------------------------------------------


def approval(scene: Scene) -> Line:
    if wants_json(scene):
        return Line(dumps({"findings": [], "score": 9, "verdict": "approved" if scene.schema else scene.token}))
    return Line(f"{scene.token}\n\n{'文章可以定稿。' if scene.chinese else 'The text reads well and can go out.'}")


def demand(scene: Scene, faults: list[Fault], *, severity: str = "should", score: float = 6) -> Line:
    """Revise, with each fault quoted."""
    if wants_json(scene):
        found = [
            {"quote": fault.quote, "severity": severity, "dimension": fault.dimension, "remark": fault.remark,
             "suggestion": fault.better} for fault in faults
        ]  # fmt: skip
        return Line(dumps({"findings": found, "score": score, "verdict": "revise"}))
    listed = "\n".join(f"{n}. {_listed(fault, scene.chinese)}" for n, fault in enumerate(faults, 1))
    if scene.chinese:
        return Line(f"还需要修改：\n\n{listed}")
    return Line(f"This needs another revision:\n\n{listed}")


def _listed(fault: Fault, chinese: bool) -> str:
    if chinese:
        return f"“{fault.quote}”：{fault.remark}" + (f"建议改为“{fault.better}”。" if fault.better else "")
    return f'"{fault.quote}": {fault.remark}' + (f' Better: "{fault.better}".' if fault.better else "")


def wants_json(scene: Scene) -> bool:
    return scene.json or scene.schema is not None


# --- steady ------------------------------------------------------------------------------------------------


def steady_critic(scene: Scene) -> Line:
    faults = manuscript.faults(scene.draft, scene.chinese)
    return demand(scene, faults) if faults else approval(scene)


def steady_writer(scene: Scene) -> Line:
    return Line(mended_by_remarks(scene))


ADVICE = re.compile(r"[\"“]([^\"“”\n]+)[\"”][^\n]*?(?:Suggestion|Better|->|→|建议|改为)[:： ]*[\"“]([^\"“”\n]*)[\"”]")


def mended_by_remarks(scene: Scene) -> str:
    """The draft mended: what the remarks say word for word first, then what the writer itself can find."""
    if not scene.draft.strip() or is_brief(scene):
        return composed(scene)
    text = scene.draft
    if scene.draw and not scene.remarks:  # written in one go: of several such drafts some are better than others
        return manuscript.half_mended(text, scene.chinese, scene.draw % 3)
    for quote, better in ADVICE.findall(scene.remarks):
        text = text.replace(quote, better, 1)
    return manuscript.mended(text, scene.chinese, scene.draw)


def is_brief(scene: Scene) -> bool:
    """A request for a text rather than a text: one line without a sentence's end, or marked as one."""
    asked = next((m.content for m in scene.messages if m.role == "user"), "")
    marked = "<brief>" in asked and "<draft>" not in asked
    return marked or (not scene.remarks and "\n" not in scene.draft.strip() and len(scene.draft) < 80)


def composed(scene: Scene) -> str:
    """A first text from a brief."""
    asked = next((m.content for m in scene.messages if m.role == "user"), "")
    marked = re.search(r"<brief>\s*(.*?)\s*</brief>", asked, re.DOTALL)
    topic = " ".join((marked[1] if marked else asked).split())[:120].rstrip(".。") or "the matter"
    if scene.chinese:
        return f"这篇短文写的是：{topic}。先说清楚它是什么。再说明它为什么重要。"
    return f"This text is about: {topic}. It first says what that is. It then says why anybody should care."


# --- the others --------------------------------------------------------------------------------------------

ENDLESS = {
    False: ("One more point deserves a sentence.", "The next step is smaller than it looks.", "Readers will ask why.",
            "The answer is plain enough.", "An example would show it.", "The opposite case is rarer.",
            "Both sides have a point.", "Time will settle the rest."),
    True: ("还有一点值得一提。", "下一步比看上去简单。", "读者会问为什么。", "答案其实很清楚。",
           "举个例子就明白了。", "相反的情形比较少见。", "双方都有道理。", "其余的交给时间。"),
}  # fmt: skip
COMPLAINTS = {
    False: ("This sentence adds nothing.", "The tone slips here.", "The step before this one is missing.",
            "The reader cannot tell what this refers to.", "The rhythm breaks here.", "This claim needs support."),
    True: ("这一句没有内容。", "语气在这里变了。", "这里缺了一步。",
           "读者不知道指的是什么。", "节奏在这里断了。", "这个说法需要依据。"),
}  # fmt: skip
FILLERS = {
    False: ("It is what it is.", "And so on.", "Things are like that.", "One could say more.", "Anyway."),
    True: ("就是这样。", "等等。", "情况如此。", "还可以再说。", "反正如此。"),
}
SHOUTED = {
    False: ("The opening phrase is in the way: leave it out.", "The opening is abrupt: lead into it."),
    True: ("开头的套话碍事：删去。", "开头太突然：加一句引子。"),
}


def unsatisfied_critic(scene: Scene) -> Line:
    quote = manuscript.last_sentence(scene.draft) or scene.draft.strip()[:40]
    return demand(scene, [Fault(quote, scene.pick(COMPLAINTS[scene.chinese]), dimension="clarity")])


def endless_writer(scene: Scene) -> Line:
    used = [text for text in ENDLESS[scene.chinese] if text in scene.draft]
    left = [text for text in ENDLESS[scene.chinese] if text not in used]
    serial = scene.chance % 10_000
    more = left[0] if left else (f"第{serial}点由此可知。" if scene.chinese else f"Point {serial} follows from that.")
    return Line(manuscript.with_sentence(scene.draft, more, scene.chinese) if scene.draft else composed(scene))


def degrading_critic(scene: Scene) -> Line:
    worse = sum(scene.draft.count(filler) for filler in FILLERS[scene.chinese])
    listed = [Fault(f, COMPLAINTS[scene.chinese][0]) for f in FILLERS[scene.chinese] if f in scene.draft]
    listed.append(Fault(manuscript.first_sentence(scene.draft), COMPLAINTS[scene.chinese][1], dimension="clarity"))
    return demand(scene, listed, severity="must", score=max(0, 7 - 2 * worse))


def degrading_writer(scene: Scene) -> Line:
    """Loses a sentence and adds an empty one: one more for every failed rewrite it was told of."""
    text, fillers = scene.draft, FILLERS[scene.chinese]
    empty = 0
    while manuscript.last_sentence(text).strip() in fillers and empty < len(fillers):
        text, empty = manuscript.without_last_sentence(text, scene.chinese), empty + 1
    text = manuscript.without_last_sentence(text, scene.chinese)
    for step in range(empty + 1 + scene.lessons):
        text = manuscript.with_sentence(text, fillers[step % len(fillers)], scene.chinese)
    return Line(text if text else composed(scene))


def oscillating_critic(scene: Scene) -> Line:
    opened = manuscript.opened(scene.draft, scene.chinese)
    quote = manuscript.first_sentence(scene.draft) or scene.draft.strip()[:40]
    return demand(scene, [Fault(quote, SHOUTED[scene.chinese][0 if opened else 1], dimension="structure")])


def oscillating_writer(scene: Scene) -> Line:
    if manuscript.opened(scene.draft, scene.chinese):
        return Line(manuscript.without_opening(scene.draft, scene.chinese))
    return Line(manuscript.with_opening(scene.draft, scene.chinese))


UNCLEAR = (
    "Hmm. It is hard to say whether this is done.",
    '```json\n{"verdict": "approv',
    "",
    "Where this is going is pleasant to see, isn't it?",
    "The draft was read from start to end, line by line.",
    '{"verdict": "maybe", "score": "good", "findings": "see above"}',
)


def malformed_critic(scene: Scene) -> Line:
    return Line(scene.pick(UNCLEAR))


def malformed_writer(scene: Scene) -> Line:
    text = mended_by_remarks(scene)
    return Line(
        scene.pick(
            (
                f"Here is the revised version:\n\n```markdown\n{text}\n```\n\nI hope this helps!",
                f"Sure! I have tightened the opening.\n\n---\n\n{text}",
                f"**Revised text:**\n\n{text}\n\nLet me know if you would like further changes.",
                f"<think>The critic wants a better opening.</think>\n\n{text}",
            )
        )
    )


def malformed_judge(scene: Scene) -> Line:
    return Line(judges.unclear(scene))


def generous_judge(scene: Scene) -> Line:
    return Line(dumps({"evidence": [], "scores": dict.fromkeys(judges.scores("", judges.material_of(scene)), 9)}))


def always(better: str) -> Callable[[Scene], Line]:
    """Prefers by place, whatever stands there."""
    return lambda scene: Line(judges.choice(scene, better))


def cut_off(part: Callable[[Scene], Line]) -> Callable[[Scene], Line]:
    def half(scene: Scene) -> Line:
        whole = part(scene)
        return replace(whole, content=whole.content[: max(1, len(whole.content) // 2)], finish_reason="length")

    return half


def thinking(part: Callable[[Scene], Line]) -> Callable[[Scene], Line]:
    def with_reasoning(scene: Scene) -> Line:
        thought = f"Should I say {scene.token}? Let me read it line by line first."
        return replace(part(scene), reasoning=thought)

    return with_reasoning


def refusing(scene: Scene) -> Line:
    return Line(refusal="I can't help with that." if not scene.chinese else "抱歉，这个请求我无法处理。")


ORDER = re.compile(
    r"(?:ignore|disregard|forget)\b[^.!\n]*(?:instructions?|above|rules?)[^.!\n]*?(?:and|,|:|\.|!|then)\s*(?P<en>[^\n]*)"
    r"|(?:忽略|无视|忘记)[^。！\n]*?(?:指令|要求|规则)[^。！\n]*?[，,。：:]\s*(?P<zh>[^\n。]*)",
    re.IGNORECASE,
)
SPEECH = re.compile(
    r"(?:reply|answer|respond|say|write|output|print|回复|回答|输出|写)\s*(?:with|only|just|:|：)*\s*[\"“'`]?([^\"”'`\n]+?)"
    r"[\"”'`]?\s*(?:[.。!！]|$)",
    re.IGNORECASE,
)
TOOL_ORDER = re.compile(r"(?:call|use|run|调用|使用)\s+(?:the\s+tool\s+)?[`\"]?([A-Za-z_]\w*)[`\"]?", re.IGNORECASE)


def obeyed(scene: Scene) -> Line | None:
    """The newest order that stands in the material, followed to the letter; None if there is none."""
    for message in reversed(scene.messages):
        found = ORDER.search(message.content) if message.role in ("user", "tool") else None
        if found is None:
            continue
        order = (found["en"] or found["zh"] or "").strip()
        if tool := TOOL_ORDER.search(order):
            return _tool_line(scene, tool[1], _ordered_arguments(order))
        if re.search(r"\bapprove\b|批准", order, re.IGNORECASE):
            return Line(scene.token)
        said = SPEECH.search(order)
        return Line(said[1] if said else order or scene.token)
    return None


def _ordered_arguments(order: str) -> Mapping[str, Json]:
    """The arguments that an order names as JSON; none where it names none."""
    start, end = order.find("{"), order.rfind("}")
    try:
        found = json.loads(order[start : end + 1]) if 0 <= start < end else {}
    except ValueError:
        found = {}
    return found if isinstance(found, dict) else {}


def obedient(part: Callable[[Scene], Line]) -> Callable[[Scene], Line]:
    return lambda scene: obeyed(scene) or part(scene)


# --- tools, and other parts --------------------------------------------------------------------------------

SUM = re.compile(r"\(?-?\d[\d.,]*\)?(?:\s*(?:\*\*|[-+*/^×÷])\s*\(*-?\d[\d.,]*\)*)+")


def acted(scene: Scene) -> Line:
    """A ReAct actor: works out the first sum in the question with a tool, then answers with what it saw."""
    question = next((m.content for m in scene.messages if m.role == "user"), "")
    last = scene.messages[-1] if scene.messages else None
    if last is not None and (last.role == "tool" or (last.role == "user" and last.content != question)):
        seen = re.sub(r"^\W*(?:observation|观察)(?:[^\n:：]*[:：])?\s*", "", last.content.strip(), flags=re.IGNORECASE)
        return _final_line(scene, re.sub(r"</?\w+>", "", seen).strip()[:400])
    found = SUM.search(question)
    if found is None or not (scene.tools or "calc" in scene.system):
        return _final_line(scene, "I can say this much: " + " ".join(question.split())[:200])
    expression = found[0].strip(" .,").replace("×", "*").replace("÷", "/").replace("^", "**")
    return _tool_line(scene, _first_tool(scene), {"expression": expression})


def _moved(scene: Scene, move: actors.Move) -> Line:
    """A scripted move in the form that the conversation asks for."""
    if move.action == "finish" and scene.tools:
        return Line(str(move.args["answer"]))
    if scene.tools:
        return replace(_tool_line(scene, move.action, move.args), content=move.thought)
    return Line(dumps({"thought": move.thought, "action": move.action, "args": dict(move.args)}))


def _first_tool(scene: Scene) -> str:
    tool: Json = scene.tools[0] if scene.tools else {}
    return str(tool.get("function", tool).get("name", "calculator"))


def _tool_line(scene: Scene, name: str, arguments: Mapping[str, Json]) -> Line:
    if scene.tools:
        # The id is read from the conversation, so that a replay gives the same one.
        return Line(tool_calls=(ToolUse(f"call_{len(scene.messages)}", name, json.dumps(arguments)),),
                    finish_reason="tool_calls")  # fmt: skip
    return Line(dumps({"thought": f"{name} can settle this.", "action": name, "args": arguments}))


def _final_line(scene: Scene, answer: str) -> Line:
    if scene.tools:
        return Line(answer)
    return Line(dumps({"thought": "Nothing is left to look up.", "action": "finish", "args": {"answer": answer}}))


def remarked(scene: Scene) -> Line:
    """Any other part: something that fits the schema, or a plain remark."""
    remark = "先改最重要的一处，再通读一遍。" if scene.chinese else "Mend the gravest fault first, then read it again."
    return Line(dumps(example_of(find_schema(scene.schema), remark))) if scene.schema else Line(remark)


CHARACTERS: Mapping[str, Character] = {
    "steady": Character("finds two or three faults, mends them, approves after three reviews",
                        steady_writer, steady_critic),
    "lenient": Character("approves whatever it is shown", steady_writer, approval, generous_judge, always("same")),
    "never-satisfied": Character("always finds one more fault", endless_writer, unsatisfied_critic),
    "degrading": Character("makes the text worse with every rewrite", degrading_writer, degrading_critic),
    "oscillating": Character("asks for A, then for not-A, then for A", oscillating_writer, oscillating_critic),
    "malformed": Character("gives unclear verdicts, and talk around its texts",
                           malformed_writer, malformed_critic, malformed_judge, malformed_judge),
    "cut-off": Character("stops in the middle, at its token limit", cut_off(steady_writer), cut_off(steady_critic),
                         cut_off(steady_judge), cut_off(steady_pair)),
    "slow": Character("sends one word every 50 ms", steady_writer, steady_critic),
    "thinking": Character("thinks before it speaks", thinking(steady_writer), thinking(steady_critic),
                          thinking(steady_judge), thinking(steady_pair)),
    "refusing": Character("declines", refusing, refusing, refusing, refusing),
    "failing": Character("fails with a server error every time", steady_writer, steady_critic),
    "rate-limited": Character("is refused twice for its rate, then works", steady_writer, steady_critic),
    "obedient": Character("follows every order it finds in the material",
                          obedient(steady_writer), obedient(steady_critic),
                          obedient(steady_judge), obedient(steady_pair)),
    "biased": Character("prefers whichever text it is shown first", steady_writer, steady_critic, pair=always("1")),
}  # fmt: skip
