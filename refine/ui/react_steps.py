"""A conversation with tools as the page shows it: questions, steps, answers, the table of steps. Reads views only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from refine import steps, tables, views, words
from refine.steps import Asked, Result
from refine.types import Json, Step, ToolCall
from refine.ui.parts import cost_words
from refine.ui.rounds import badge, cost_cell
from refine.ui.words import N_, _, coloured, language, ngettext, plain, seconds
from refine.views import RoundView, RunView

ICONS: dict[Result, str] = {
    "ok": ":material/check_circle:",
    "answer": ":material/chat:",
    "repeat": ":material/replay:",
    "refused": ":material/block:",
    "sent_back": ":material/undo:",
    "error": ":material/error:",
}
COLOURS: dict[Result, str] = {
    "ok": "green",
    "answer": "blue",
    "repeat": "gray",
    "refused": "gray",
    "sent_back": "orange",
    "error": "red",
}
SHORT = 70
"""Characters of an outcome in a step's label."""
AT_ONCE = 400
"""Characters of an observation that are shown before it is asked for in full."""
AT_ONCE_LINES = 6
FEW = 8
"""Steps of a question in short."""

PASSED = {
    "number": N_("the answer holds a number"),
    "says": N_("the answer names what it has to"),
    "json": N_("the answer has the form asked for"),
    "file": N_("the file is there"),
    "report": N_("the report names every note"),
    "summaries": N_("every note has its summary"),
    "draft": N_("nothing that must change is left"),
}
"""Kind of a result check -> what is true once it has passed."""


# --- the conversation ------------------------------------------------------------------------------------------------


def question(text: str) -> None:
    """In bold, line by line as it was typed."""
    lines = [f"**{plain(line)}**" if line.strip() else "" for line in text.strip().splitlines()]
    with st.chat_message("question", avatar=":material/person:"):
        st.markdown("  \n".join(lines).replace("\n  \n", "\n\n"))


def answered(view: RunView, asked: Asked) -> None:
    """The work on one question that has ended, folded, and its answer."""
    with st.chat_message("work", avatar=":material/account_tree:"):
        if asked.steps:
            with st.expander(worked(asked), icon=":material/check:", type="compact"):
                timeline(asked)
        if asked.answer is not None:
            st.text(asked.answer)
        st.caption(grey_line(view, asked))


def timeline(asked: Asked) -> None:
    for round in asked.steps:
        with st.expander(label(asked, round), icon=ICONS[steps.result_of(steps.step_of(round))], type="step"):
            body(asked, round)


def worked(asked: Asked) -> str:
    """ "Worked 6.8 s in 5 steps · 1 error, 1 repeat"."""
    n = len(asked.steps)
    if asked.seconds >= 0.05:
        said = ngettext("Worked {time} in {n} step", "Worked {time} in {n} steps", n)
        said = said.format(time=seconds(asked.seconds), n=n)
    else:
        said = ngettext("Worked in {n} step", "Worked in {n} steps", n).format(n=n)
    errors, repeats, back = asked.count("error"), asked.count("repeat"), asked.count("sent_back")
    counted = (
        (errors, ngettext("{n} error", "{n} errors", errors)),
        (repeats, ngettext("{n} repeat", "{n} repeats", repeats)),
        (back, ngettext("{n} answer sent back", "{n} answers sent back", back)),
    )
    trouble = _(", ").join(form.format(n=n) for n, form in counted if n)
    return f"{said} · {trouble}" if trouble else said


def grey_line(view: RunView, asked: Asked) -> str:
    """How far the answer can be trusted, and what it took."""
    n = len(asked.steps)
    said = [trust(asked)] if asked.answer is not None else []
    said += [ngettext("{n} step", "{n} steps", n).format(n=n)] if n else []
    said += [_("{n} tokens").format(n=f"{asked.tokens:,}")] if asked.tokens else []
    said += [cost_words(asked.cost).replace("$", "\\$")] if asked.tokens else []
    said += [seconds(asked.seconds)] if asked.seconds >= 0.05 else []
    return " · ".join(filter(None, said))


def trust(asked: Asked) -> str:
    if asked.checked:
        known = dict.fromkeys(_(PASSED[str(check["is"])]) for check in asked.passed if check["is"] in PASSED)
        return _("Verified: {what}").format(what=_(", ").join(known) or _("it passed its checks"))
    if asked.approved:
        return _("Answered without tools") if asked.without_tools else ""
    return _("Not finished: an answer with what was known")


# --- one step --------------------------------------------------------------------------------------------------------


def label(asked: Asked, round: RoundView) -> str:
    """What was done and what came of it: "weather · Beijing → 18 °C, clear"."""
    step = steps.step_of(round)
    if step.final is not None:
        if not step.errors:
            return _("Answer")
        reason = next((finding.remark for finding, _state in round.findings), "")
        return " ".join((_("Answer"), badge("orange", error_words("unverified") + _after_colon(reason))))
    if not step.calls:
        return badge("red", error_words(step.errors[0] if step.errors else "format"))
    told = [one for one in steps.told(step) if one[0]]
    return " ; ".join(_call_label(asked, round, call, text, error) for call, text, error in told if call)


def _call_label(asked: Asked, round: RoundView, call: ToolCall, text: str, error: str) -> str:
    said = " · ".join(filter(None, (plain(call.name), plain(main_argument(call)))))
    if error == "repeat":
        first = steps.first_time(asked.steps, call)
        repeat = _("repeat, answered from step {n}").format(n=_number(asked, first))
        return f"{said} {badge('gray', repeat)}"
    if error == "refused":
        return f"{said} {badge('gray', error_words(error))}"
    if error:
        return f"{said} {badge('red', error_words(error) + _after_colon(text))}"
    return f"{said} → {plain(shortened(text))}" if text else said


def _number(asked: Asked, first: int | None) -> int:
    """The step's number in the whole run, as the table has it."""
    return asked.steps[(first or 1) - 1].n + 1


def _after_colon(text: str) -> str:
    return _(": ") + plain(shortened(text)) if text.strip() else ""


def main_argument(call: ToolCall) -> str:
    """The arguments in a few words: their values alone."""
    return shortened(_(", ").join(map(_value, call.arguments.values())), 40)


def _value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shortened(text: str, most: int = SHORT) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def error_words(code: str) -> str:
    return str(words.of(language()).STEP_ERRORS[code])


def body(asked: Asked, round: RoundView) -> None:
    step = steps.step_of(round)
    if step.thought.strip():
        named(_("Thought"), step.thought)
    if step.said.strip():
        observation(_("What it replied"), step.said)
    if step.final is not None and step.errors:
        observation(_("Answer"), step.final)
    for call, text, error in steps.told(step):
        if call:
            written = {"tool": call.name, "args": dict(call.arguments)}
            st.code(json.dumps(written, ensure_ascii=False), language="json", wrap_lines=True)
        if text:
            name = _("Observation")
            observation(f"{name} ({error_words(error)})" if error else name, text)
    st.caption(spent(round))


def spent(round: RoundView) -> str:
    tokens = round.usage.input_tokens + round.usage.output_tokens
    said = [_("{n} tokens").format(n=f"{tokens:,}") if tokens else _("paid in an earlier run")]
    said += [cost_words(round.cost).replace("$", "\\$")] if tokens else []
    said += [seconds(round.seconds)] if round.seconds >= 0.05 else []
    return " · ".join(filter(None, said))


def named(name: str, text: str) -> None:
    """A line, its name in grey."""
    st.markdown(f"{coloured('gray', plain(name))} {plain(text)}")


def observation(name: str, text: str) -> None:
    """A short one as a line; of a long one the beginning, and all of it on demand."""
    text = text.strip()
    lines = text.splitlines()
    if len(lines) <= 1 and len(text) <= AT_ONCE:
        named(name, text)
        return
    st.markdown(coloured("gray", plain(name)))
    start = "\n".join(lines[:AT_ONCE_LINES])[:AT_ONCE].rstrip()
    st.code(start if start == text else f"{start}\n…", language=None, wrap_lines=True)
    if start != text:
        everything = ngettext("All of it: {n} character", "All of it: {n} characters", len(text))
        with st.popover(everything.format(n=f"{len(text):,}"), type="tertiary", width="content"):
            st.code(text, language=None, wrap_lines=True, height=420)


# --- in short --------------------------------------------------------------------------------------------------------


def outcome(view: RunView) -> str:
    """What became of it in a sentence or two, for Markdown."""
    n = len(view.rounds)
    groups = steps.asked(view)
    said = ngettext("{n} question", "{n} questions", len(groups)).format(n=len(groups))
    said += _(", ") + ngettext("{n} step", "{n} steps", n).format(n=n)
    return " · ".join(filter(None, (said, plain(views.reason_of(view, language())))))


def brief(view: RunView) -> None:
    """Each question and what was done for it, a line a step; of many the last ones."""
    for asked in steps.asked(view):
        st.markdown(f"**{plain(shortened(asked.text, 120))}**")
        for round in asked.steps[-FEW:]:
            st.caption(label(asked, round))


# --- the table -------------------------------------------------------------------------------------------------------


def table(view: RunView) -> int | None:
    """A row for each step. Returns the one of which a cell is picked."""
    frame = tables.rounds(view, tables.STEP_COLUMNS)
    results = words.of(language()).STEP_RESULTS
    frame["action"] = [action_words(steps.step_of(round)) for round in view.rounds]
    frame["result"] = [[str(results[result])] for result in frame["result"]]
    paid = any(round.cost.known or not round.cost.complete for round in view.rounds)
    frame["cost"] = [cost_cell(cost) for cost in frame["cost"]]
    shown = [name for name in frame.columns if name != "cost" or paid]
    picked = st.dataframe(
        frame[shown],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key=f"steps-{view.run_id}",
        column_config={name: config for name, config in column_config(view).items() if name in shown},
        placeholder="",
        height="content",
        alt=_("One row for each step: action, result, tokens, cost and seconds."),
    )
    return next((row for row, _column in picked.selection.cells if row < len(view.rounds)), None)


def action_words(step: Step) -> str:
    return steps.action_of(step) or (_("answer") if step.final is not None else "")


def column_config(view: RunView) -> dict[str, Any]:
    results = words.of(language()).STEP_RESULTS
    column = st.column_config
    named: Sequence[tuple[str, str]] = [(str(results[code]), colour) for code, colour in COLOURS.items()]
    return {
        "step": column.NumberColumn(_("Step"), width=45),
        "action": column.TextColumn(_("Action"), width=105),
        "result": column.MultiselectColumn(
            _("Result"), options=[said for said, _colour in named], color=[colour for _said, colour in named], width=80
        ),
        "tokens": column.NumberColumn(_("Tokens"), format="localized", width=65),
        "cost": column.TextColumn(_("Cost"), width=75),
        "seconds": column.NumberColumn(_("Seconds"), format="%.1f", width=65),
    }
