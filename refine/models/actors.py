"""How the scripted model plays the sample tasks: one small script each, which looks at what the tools gave back.

A script is a list of moves; the number of replies given so far says which is next. What is answered is taken from the
observations, never known beforehand. Pure: the same conversation, the same reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from refine.models.conversation import Scene
from refine.text.estimate import CJK
from refine.types import Json

PREFIX = "world-"


@dataclass(frozen=True, slots=True)
class Move:
    """One step: a tool with its arguments, or with `finish` the answer."""

    thought: str
    action: str
    args: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the actor has before it."""

    results: Sequence[str]
    """What the tools gave back, in order."""
    chinese: bool

    def say(self, en: str, zh: str) -> str:
        return zh if self.chinese else en

    def last(self, n: int = 1) -> str:
        return self.results[-n] if len(self.results) >= n else ""

    def number(self, n: int = 1) -> str:
        """The first number in the `n`th last result."""
        found = re.search(r"-?\d+(?:\.\d+)?", self.last(n))
        return found[0] if found else "0"


Script = Sequence[Callable[[Seen], Move]]


def move_of(name: str, scene: Scene) -> Move | None:
    """The next move in the world of that name; None where no such world is."""
    script = SCRIPTS.get(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else None
    if script is None:
        return None
    now = seen(scene)
    if not now.results and not has_tools(scene):
        return _empty_handed(now)
    turns = sum(message.role == "assistant" for message in scene.messages)
    return script[min(turns, len(script) - 1)](now)


def has_tools(scene: Scene) -> bool:
    """Are there any, native ones or a list in the prompt?"""
    return bool(scene.tools or re.search(r"^- \w+\(", scene.system, re.MULTILINE))


def _empty_handed(now: Seen) -> Move:
    answer = now.say(
        "I have no tools here, so I cannot find that out, and I will not guess.", "这里没有工具，我查不到，也不乱猜。"
    )
    return finish(now.say("There are no tools.", "没有工具。"), answer)


def seen(scene: Scene) -> Seen:
    results: list[str] = []
    for message in scene.messages:
        if message.role == "tool":
            results.append(message.content.strip())
        elif message.role == "user":
            results += [found.strip() for found in re.findall(FENCE, message.content, re.DOTALL)]
    question = next((message.content for message in scene.messages if message.role == "user"), "")
    return Seen(results, bool(CJK.search(question)))


FENCE = r"<observation>\n(.*?)\n</observation>"


def finish(thought: str, answer: str) -> Move:
    return Move(thought, "finish", {"answer": answer})


# --- weather, sum, talk ------------------------------------------------------------------------------------------


def _look(now: Seen) -> Move:
    return Move(
        now.say("First I need the temperature in Beijing.", "先查北京现在的气温。"),
        "weather",
        {"city": now.say("Beijing", "北京")},
    )


def _warmer(now: Seen) -> Move:
    thought = now.say("Five degrees warmer is a sum for the calculator.", "再高五度，用计算器算。")
    return Move(thought, "calculator", {"expression": f"{now.number()} + 5"})


def _both_temperatures(now: Seen) -> Move:
    return finish(
        now.say("Both figures are known.", "两个数都有了。"),
        now.say(
            f"Beijing has {now.number(2)} °C now; five degrees warmer would be {now.number()} °C.",
            f"北京现在 {now.number(2)} °C，再高 5 度是 {now.number()} °C。",
        ),
    )


def _sum(now: Seen) -> Move:
    thought = now.say("The sum first.", "先算出结果。")
    return Move(thought, "calculator", {"expression": "(17*23) + (5*9)"})


def _length(now: Seen) -> Move:
    thought = now.say("Now how long that is.", "再数它有几个字符。")
    return Move(thought, "word_length", {"word": now.number()})


def _sum_and_length(now: Seen) -> Move:
    result, length = now.number(2), _count(now)
    return finish(
        now.say("Both are known.", "都知道了。"),
        now.say(f"{result}; the result has {length} characters.", f"{result}，结果有 {length} 个字符。"),
    )


def _count(now: Seen) -> str:
    """The number that a length was: the last one told, as the word itself is one."""
    return re.findall(r"\d+", now.last())[-1] if re.search(r"\d", now.last()) else "0"


def _first_talk(now: Seen) -> Move:
    return Move(now.say("The calculator knows.", "用计算器算。"), "calculator", {"expression": "3*17+24"})


def _first_answer(now: Seen) -> Move:
    return finish(now.say("That is it.", "算好了。"), now.number())


def _talk_length(now: Seen) -> Move:
    thought = now.say("The result before is still known.", "前面的结果还记得。")
    return Move(thought, "word_length", {"word": now.number()})


def _talk_end(now: Seen) -> Move:
    return finish(
        now.say("Counted.", "数好了。"),
        now.say(f"{now.number(2)} has {_count(now)} characters.", f"{now.number(2)} 有 {_count(now)} 个字符。"),
    )


# --- server ------------------------------------------------------------------------------------------------------


def _restart(now: Seen) -> Move:
    thought = now.say("The id was given: 001.", "编号已经给出：001。")
    return Move(thought, "restart_server", {"id": "001"})


def _restart_again(now: Seen) -> Move:
    thought = now.say("Ids must begin with srv-, it says; so srv-001.", "它说编号要以 srv- 开头，那就是 srv-001。")
    return Move(thought, "restart_server", {"id": "srv-001"})


def _status(now: Seen) -> Move:
    thought = now.say("I look whether it runs again.", "看看它是否又在运行。")
    return Move(thought, "server_status", {"id": "srv-001"})


def _restarted(now: Seen) -> Move:
    return finish(
        now.say("It runs.", "已在运行。"),
        now.say(f"srv-001 was restarted. {now.last()}", f"srv-001 已重启。{now.last()}"),
    )


# --- notes -------------------------------------------------------------------------------------------------------


def _list(now: Seen) -> Move:
    return Move(now.say("Which notes are there?", "有哪些笔记？"), "list_notes")


def _names(now: Seen) -> list[str]:
    """The file names in the first list of notes."""
    return re.findall(r"[\w\u4e00-\u9fff-]+\.(?:md|txt)", now.results[0] if now.results else "")


def _name(now: Seen, n: int) -> str:
    names = _names(now)
    return names[min(n, len(names) - 1)] if names else "note.md"


def _read(now: Seen) -> Move:
    return Move(now.say("I read the first one.", "先读第一篇。"), "read_note", {"name": _name(now, 0)})


def _save_too_soon(now: Seen) -> Move:
    thought = now.say("I save it as it is.", "就这样存下来。")
    return Move(thought, "save_note", {"name": _name(now, 0), "text": now.last()})


def _clean(n: int) -> Callable[[Seen], Move]:
    def clean(now: Seen) -> Move:
        thought = (
            now.say("It has to be cleaned first.", "要先清理。")
            if n == 0
            else now.say("Now the other.", "再看另一篇。")
        )
        return Move(thought, "clean_note", {"name": _name(now, n)})

    return clean


def _save(n: int) -> Callable[[Seen], Move]:
    def save(now: Seen) -> Move:
        thought = now.say("Clean now, so it can be saved.", "清理好了，可以存。")
        return Move(thought, "save_note", {"name": _name(now, n), "text": now.last()})

    return save


def _summarise(n: int) -> Callable[[Seen], Move]:
    def summarise(now: Seen) -> Move:
        return Move(now.say("Its summary.", "写摘要。"), "summarise_note", {"name": _name(now, n)})

    return summarise


def _finish_too_soon(now: Seen) -> Move:
    done = now.say("Both notes are cleaned and summarised.", "两篇笔记都已清理并写好摘要。")
    return finish(now.say("All is done.", "都做完了。"), done)


def _report(now: Seen) -> Move:
    thought = now.say("The report is missing, it says.", "它说还缺报告。")
    return Move(thought, "build_report", {"title": now.say("Notes of the week", "本周笔记")})


def _reported(now: Seen) -> Move:
    names = now.say(" and ", "和").join(_names(now))
    return finish(
        now.say("Now all is there.", "现在齐了。"),
        now.say(
            f"{names} are cleaned and summarised; report.md names both.",
            f"{names}已清理并写好摘要，report.md 里都列出了。",
        ),
    )


SCRIPTS: Mapping[str, Script] = {
    "weather": (_look, _warmer, _both_temperatures),
    "sum": (_sum, _length, _sum_and_length),
    "talk": (_first_talk, _first_answer, _talk_length, _talk_end),
    "server": (_restart, _restart_again, _status, _restarted),
    "notes": (
        _list, _read, _save_too_soon, _clean(0), _save(0), _summarise(0), _clean(1), _save(1), _summarise(1),
        _finish_too_soon, _report, _reported,
    ),
}  # fmt: skip
