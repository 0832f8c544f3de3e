"""A prompt as the model receives it, filled with a draft that can be chosen: what is shown is what a run would send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from refine import tools, worlds
from refine.events import RoundEnded, Started
from refine.store import Wanted
from refine.techniques.previewing import told
from refine.text.estimate import estimate_tokens
from refine.text.language import language_of
from refine.types import Finding, Json, Message, Role, Round, RunSpec, Task, Variant
from refine.ui import draft_side, example, form, prompts_state, react_start, trace_detail
from refine.ui.parts import workbench
from refine.ui.trace_detail import MESSAGES
from refine.ui.words import _, language

PICKED = "prompts-material"
RUNS = 20
"""Past runs to choose from."""


@dataclass(frozen=True, slots=True)
class Material:
    """What fills a prompt. Rounds: those of a past run that say what is to be mended."""

    task: Task
    rounds: tuple[Round, ...] = ()
    tools: tuple[str, ...] | None = None
    """None: those of the variant."""


def show(variant: Variant, role: Role) -> None:
    steps = variant.spec.technique == "react"
    choices = questions() if steps else drafts()
    picked = st.selectbox(
        _("As the model receives it, filled with"),
        [*choices],
        format_func=choices.__getitem__,
        key=f"{PICKED}-{'question' if steps else 'draft'}",
        filter_mode=None,
    )
    chosen = material(str(picked))
    made = received(variant.spec, role, chosen)
    if chosen.task.draft and variant.spec.technique == "refine" and role.name == "writer":
        st.caption(
            _("With the findings of that run's first review.")
            if chosen.rounds
            else _("The finding in it is an example; in a run they are the critic's and the checks'.")
        )
    for message in made:
        trace_detail.block(_(MESSAGES[message.role]), message.content)


def received(spec: RunSpec, role: Role, material: Material) -> tuple[Message, ...]:
    """Raises PromptError for a prompt that cannot be filled."""
    task = material.task
    code = language_of(task.draft or task.brief) or language()
    filled = replace(spec, task=replace(task, language=code), tools=declared(spec, material.tools, code))
    shown = (sample_finding(task.draft),) if spec.technique == "refine" and task.draft else ()
    return told(filled, role, material.rounds, shown)


def declared(spec: RunSpec, named: Sequence[str] | None, code: str) -> tuple[Json, ...]:
    """`named`: None = those of the variant."""
    if spec.technique != "react":
        return ()
    return tools.declare(spec.options.get("tools", tools.DEFAULT) or () if named is None else named, code)


def sample_finding(draft: str) -> Finding:
    quote = " ".join(next((line for line in draft.splitlines() if line.strip("#-*> ")), "").split()[:4])
    return Finding(quote=quote[:40], severity="should", remark=_("An example of a finding."))


def tokens_before(spec: RunSpec, role: Role) -> int:
    """About how many tokens every call to the role costs before there is a draft. Raises PromptError."""
    text = "x"
    task = Task(draft=text, language=language())
    made = told(replace(spec, task=task, tools=declared(spec, None, task.language)), role)
    return sum(estimate_tokens(part) for message in made for part in message.parts if part != text)


# --- what it can be filled with -------------------------------------------------------------------------------------


def drafts() -> Mapping[str, str]:
    """Name -> words: the draft on the page Refine, the samples, the last runs."""
    found = {"page": _("Your draft on the page Refine")} if form.peek("draft") or form.peek("brief") else {}
    samples = draft_side.samples()
    for name in dict.fromkeys((*draft_side.FIRST_SAMPLES[language()], *samples)):
        found[f"sample:{name}"] = _("Sample: {title}").format(title=samples[name][0])
    return {**found, **runs("refine")}


def questions() -> Mapping[str, str]:
    found = {"question": _("Your question on the page ReAct")} if typed_question() else {}
    for name, world in worlds.worlds().items():
        found[f"task:{name}"] = _("Sample task: {title}").format(title=world.title[language()])
    return {**found, **runs("react")}


def typed_question() -> str:
    kept = workbench().store.draft_get(react_start.kept_as(react_start.FIELD)) or {}
    return str(kept.get("text", ""))


def runs(technique: str) -> Mapping[str, str]:
    rows = workbench().store.runs(Wanted(technique=technique, without=example.others()), limit=RUNS)
    titles = {row.run_id: row.title or _("A text from a brief") for row in rows}
    return {f"run:{n}": _("Run: {title}").format(title=title) for n, title in prompts_state.distinct(titles).items()}


def material(picked: str) -> Material:
    kind, _colon, name = picked.partition(":")
    if kind == "sample":
        return Material(Task(draft=draft_side.samples()[name][1]))
    if kind == "task":
        world = worlds.worlds()[name]
        return Material(Task(brief=world.questions[language()][0]), tools=world.tools)
    if kind == "run":
        return of_run(name)
    if kind == "question":
        return Material(Task(draft=form.peek(react_start.TEXT, "") or "", brief=typed_question()))
    return Material(Task(draft=form.peek("draft", ""), brief=draft_side.brief_text()))


def of_run(run_id: str) -> Material:
    records = workbench().store.records(run_id)
    started = records[0].event
    assert isinstance(started, Started)
    ended = [record.event.round for record in records if isinstance(record.event, RoundEnded)]
    rounds = tuple(ended[:1]) if started.spec.technique == "refine" else ()
    return Material(started.spec.task, rounds, tuple(tool["name"] for tool in started.spec.tools))
