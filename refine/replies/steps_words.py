"""The words by which steps are read: one table per language, in rows as in `words`.

A new label or a new way to say that nothing is to be done is a row there. Knows nothing of the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache

from refine.replies.words import rows


@dataclass(frozen=True, slots=True)
class StepWords:
    """Labels stand at the start of a line, before a colon; between their words may be a space, a hyphen or nothing."""

    input: str
    observation: str
    answer: str
    thought: str
    action: str
    tool: str
    """An action only where an input follows."""
    arguments: str
    """An input only right after an action."""
    result: str
    """Ends an action or its input, and else is text: an observation or another speaker."""
    void: str
    """No action at all: the whole of what is named as one."""
    finish: str
    """The action that ends the work, in letters and digits alone."""


EN = StepWords(
    input=r"(action|tool|function) (inputs?|arguments?|args|parameters?|params)",
    observation=r"observations? / obs",
    answer=r"(my )?final (answer|response|reply|output) / the final answer( is)? / answer / final",
    thought=r"(my )?thoughts?( process)? / thinking / reasoning",
    action=r"(next )?actions? / act / action (to take|name)",
    tool=r"(selected |chosen )?tool( name| to use| call)? / function( name| call)?",
    arguments=r"inputs? / arguments? / args / parameters? / params",
    result=r"""
        (tool |function |action )?(results?|outputs?|responses?) / user / human / system / assistant / ai / question /
        user question / pause
    """,
    void=r"""
        (none|nothing|null|nil|n/?a|not (applicable|needed|required|necessary))( (is )?(needed|required|necessary))? /
        (i )?(do not|don't) need (a|any|to use a) (tool|action)s? / undefined / no-?op /
        no (further )?(tools?|actions?)( calls?)?( (is|are))?( (needed|required|necessary|to take|call))?
    """,
    finish=r"finish / final / finalanswer / finalresponse / answer / finishanswer",
)
ZH = StepWords(
    input=r"(行动|动作|操作|工具)的?(输入|参数)",
    observation=r"[观觀](察|测|測)(结果)?",
    answer=r"最终(的)?(答案|回答|回复|答复|结果) / 答案 / 回答 / 答复",
    thought=r"(我的)?思考(过程)? / 思路 / 想法 / 推理(过程)? / 思维(过程)?",
    action=r"(下一步)?(行动|动作|操作)(名称)?",
    tool=r"(使用|调用|选择)?的?(工具|函数)(名称|名|调用)? / 调用",
    arguments=r"输入(参数)? / 参数",
    result=r"(工具|函数|执行|运行|返回|调用)?(结果|输出|返回|响应) / 用户 / 系统 / 助手 / 问题",
    void=r"""
        无 / 没有 / 空 / 暂无 / 不需要 / 无需 / 不用 / 不适用 /
        (无|无需|不需要|不必|没有)(要|用|使用|调用|任何|再)*(工具|行动|动作|操作|函数)
    """,
    finish=r"完成 / 结束 / 最终答案 / 最终回答 / 答案 / 回答",
)


@cache
def step_words(field: str) -> re.Pattern[str]:
    """One field of all languages, for text in its normal form."""
    return re.compile("|".join(row for table in (EN, ZH) for row in rows(getattr(table, field))))


def labels() -> str:
    """All labels as one regular expression, a group for each kind."""
    kinds = [field.name for field in fields(StepWords) if field.name not in ("void", "finish")]
    spaced = {
        kind: "|".join(row.replace(" ", "[ _-]{0,2}") for table in (EN, ZH) for row in rows(getattr(table, kind)))
        for kind in kinds
    }
    return "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in spaced.items())
