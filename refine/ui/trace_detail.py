"""One line of a trace in full: what was sent, what came back, what went wrong on the way. Texts stand as they were."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from refine import steps, words
from refine.events import (
    Called,
    Failed,
    Halted,
    Noted,
    RoundEnded,
    RoundRestarted,
    Started,
    Stopped,
    Waiting,
    to_json,
)
from refine.trace import Entry
from refine.types import Ask, CheckCall, ChoiceCall, Json, Message, ModelCall, Reply, Role, Round, Step, ToolCall
from refine.ui.parts import REASON_BADGES, VERDICTS, critic_name, model_words, role_words, round_name
from refine.ui.words import N_, _, language, money, ngettext, plain, seconds
from refine.views import RunView

MOST = 40_000
"""Characters of one text that are shown: a browser wraps no more at once. The raw log has all."""
LINES = 16
"""A longer text scrolls in a field of its own, so that prompt and reply fit on one screen."""

MESSAGES = {
    "system": N_("Instructions"),
    "user": N_("Message"),
    "assistant": N_("Earlier reply"),
    "tool": N_("What the tool gave"),
}


def name(view: RunView, entry: Entry) -> str:
    """What a line of the trace is, in a few words."""
    match entry.event:
        case Called(_at, ModelCall(role)):
            return role_words(Role(role))[0]
        case Called(_at, CheckCall(check)):
            return critic_name(check).capitalize()
        case Called(_at, ChoiceCall()):
            return _("Choice of a word")
        case Called(_at, ToolCall(tool)):
            return tool
        case Called(_at, Ask()):
            return _("Question to you")
        case Started():
            return _("Start")
        case RoundEnded(round=Round(attempt=Step() as step)):
            number = _("Step {n}").format(n=(entry.round or 0) + 1)
            result = words.of(language()).STEP_RESULTS[steps.result_of(step)]
            return _("{round}: {verdict}").format(round=number, verdict=result)
        case RoundEnded(round=round):
            which = _("Inner round") if entry.round is None else round_name(view, entry.round)
            return _("{round}: {verdict}").format(round=which, verdict=_(VERDICTS[round.verdict.kind]).lower())
        case Noted():
            return _("What you said")
        case Waiting():
            return _("Waits for you")
        case Halted(reason=reason):
            return _("No further call: {reason}").format(reason=reason_words(reason))
        case Stopped(reason=reason):
            return _("End: {reason}").format(reason=reason_words(reason))
        case RoundRestarted():
            return _("Round starts again")
        case _:
            return ""


def reason_words(reason: str) -> str:
    return _(REASON_BADGES[reason][1]) if reason in REASON_BADGES else reason


def show(view: RunView, entry: Entry) -> None:
    with st.container(border=True):
        st.subheader(plain(name(view, entry)), anchor=False)
        if entry.call is None:
            happened(view, entry)
            return
        if said := " · ".join(facts(view, entry)):
            st.caption(said)
        for applied in entry.reply.adapted if entry.reply else ():
            st.caption(f":material/build: {plain(applied)}")
        for n, failed in enumerate(entry.failed, 1):
            failure(n, failed)
        asked(entry)
        if entry.reply:
            answered(entry.reply)
        elif not entry.failed or entry.tries > len(entry.failed):
            st.caption(_("No reply on record.") if view.ended else _("No reply yet."))


def facts(view: RunView, entry: Entry) -> list[str]:
    """Who was asked and what it took, for the grey line."""
    said: list[str] = []
    if isinstance(entry.call, ModelCall) and (role := view.spec.role(entry.call.role)):
        said.append(plain(model_words(role.endpoint, role.model)))
        if role.temperature is not None:
            said.append(_("temperature {n}").format(n=f"{role.temperature:g}"))
    if usage := entry.usage:
        said.append(_("{n} tokens in").format(n=f"{usage.input_tokens:,}"))
        if usage.cached_tokens:
            said.append(_("{n} cached").format(n=f"{usage.cached_tokens:,}"))
        said.append(_("{n} out").format(n=f"{usage.output_tokens:,}"))
        said.append(money(usage.cost, usage.currency).replace("$", "\\$"))
    if entry.seconds:
        said.append(seconds(entry.seconds))
    first = entry.reply.first_token_seconds if entry.reply else None
    if first:
        said.append(_("first word after {time}").format(time=seconds(first)))
    return said


def failure(n: int, failed: Failed) -> None:
    label = _("Attempt {n} failed").format(n=n)
    with st.expander(f"{label} · {plain(failed.kind)}", icon=":material/error:", expanded=n == 1):
        st.text(failed.message)
        if failed.wait is not None:
            st.caption(_("The next attempt came after {time}.").format(time=seconds(failed.wait)))
        if failed.partial:
            block(_("What had come in"), failed.partial)


# --- what was asked and what came back -------------------------------------------------------------------------------


def asked(entry: Entry) -> None:
    match entry.call:
        case ModelCall(messages=messages, tools=tools, schema=schema):
            prompt(messages)
            if tools or schema is not None:
                with st.expander(_("Tools and form of the reply")):
                    block("", shown_json({"tools": to_json(tools), "schema": schema}))
        case CheckCall(_check, text, options):
            block(_("Text"), text)
            if options:
                block(_("Settings"), shown_json(dict(options)))
        case ChoiceCall(before, options, after):
            block(_("Which of these reads best?"), f"{before}[ {' | '.join(options)} ]{after}")
        case ToolCall(_tool, arguments):
            block(_("Arguments"), shown_json(dict(arguments)))
        case Ask() as ask:
            block(_("Question"), "\n\n".join(filter(None, (question_words(ask.question, ask.about), *ask.choices))))


def prompt(messages: Sequence[Message]) -> None:
    st.markdown(bold(_("Prompt")))
    for message in messages:
        label = _(MESSAGES[message.role]) if message.role in MESSAGES else plain(message.role)
        uses = "".join(f"\n{use.name}({use.arguments})" for use in message.tool_calls)
        if message.role == "system" and len(messages) > 1:  # the same in every call of a role, and long
            with st.expander(label):
                block("", message.content)
        else:
            block(label, message.content + uses)


def answered(reply: Reply) -> None:
    st.markdown(bold(_("Reply")))
    if reply.reasoning:
        with st.expander(_("Reasoning before the reply"), icon=":material/psychology:"):
            block("", reply.reasoning)
    if reply.refusal:
        block(_("Refused"), reply.refusal)
    if reply.content:
        block("", reply.content)
    for use in reply.tool_calls:
        block(_("Wants the tool {name}").format(name=plain(use.name)), use.arguments)
    if reply.value is not None:
        block("", reply.value if isinstance(reply.value, str) else shown_json(reply.value))
    if reply.finish_reason not in ("stop", "tool_calls"):
        st.caption(_("The reply broke off.") if reply.finish_reason is None else
                   _("The reply ended with “{reason}”.").format(reason=plain(reply.finish_reason)))  # fmt: skip


def happened(view: RunView, entry: Entry) -> None:
    """An event that is not a call."""
    match entry.event:
        case Started(spec):
            st.caption(_("With these settings. No key is among them."))
            block("", shown_json(to_json(spec)))
        case RoundEnded(round=round):
            verdict = _(VERDICTS[round.verdict.kind])
            score = f" · {round.verdict.score:g}" if round.verdict.score is not None else ""
            found = ngettext("{n} finding", "{n} findings", len(round.verdict.findings))
            st.caption(f"{verdict}{score} · {found.format(n=len(round.verdict.findings))}")
            block(_("Text"), round.text)
            if round.verdict.findings:
                block(_("Findings"), shown_json(to_json(round.verdict.findings)))
        case Noted(notes=notes):
            block("", shown_json(to_json(notes)))
        case Waiting() as waiting:
            block(_("Question"), question_words(waiting.question, waiting.about))
        case Halted():
            st.caption(_("What was still to be asked was not asked any more."))
        case Stopped() as stopped:
            if stopped.error:
                block("", stopped.error)
        case RoundRestarted():
            st.caption(_("The program has changed since and asks something else here."))


def question_words(code: str, about: str) -> str:
    sentence = words.of(language()).QUESTIONS.get(code, code)
    return str(sentence).replace("{about}", about)


def bold(words: str) -> str:
    return f"**{words}**"


def block(label: str, text: str) -> None:
    """A text as it stands."""
    if label:
        st.caption(label)
    shown = text[:MOST]
    long = shown.count("\n") + len(shown) // 60 > LINES
    st.code(shown, language=None, wrap_lines=True, height=280 if long else "content")
    if len(text) > MOST:
        st.caption(_("Only the first {n} characters are shown; the raw log has all.").format(n=f"{MOST:,}"))


def shown_json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
