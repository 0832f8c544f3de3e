"""The question from which round or step of a run to go on, and with what: a new run, in which those before it stand
unpaid.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from refine import steps, tools
from refine.errors import SettingsError
from refine.models.characters import CHARACTERS
from refine.types import Json, Role
from refine.ui import parts, react_settings, react_steps
from refine.ui.parts import SCRIPTED, model_words, role_words, round_name, workbench
from refine.ui.words import _, plain, together
from refine.views import RunView


def button(view: RunView, at: int | None = None) -> None:
    """Opens the question; nothing for a run that never goes on.

    Args:
        at: the round or step that is picked on the page; None = the best one, or the last step.
    """
    if not view.rounds or not view.goes_on:
        return
    label, question = _("Fork from a round"), ask
    if view.technique == "react":
        label = _("Fork from a step") if at is None else _("Fork from step {n}").format(n=at + 1)
        question = ask_steps
    if st.button(label, icon=":material/call_split:", key="fork"):
        st.dialog(label, width="medium")(question)(view, at)


def start(view: RunView, command: Callable[[], str]) -> None:
    """The dialog's button. It leads to the new run, or says why there is none."""
    if st.button(_("Start"), type="primary", icon=":material/call_split:", key="fork-start"):
        made = parts.attempt(command)
        if made:
            st.switch_page(parts.page_of(view), query_params={"run": made})
    parts.problem()


# --- rounds ----------------------------------------------------------------------------------------------------------


def ask(view: RunView, at: int | None = None) -> None:
    """In the dialog."""
    rounds = [round.n for round in view.rounds]
    best = view.best_round if view.best_round is not None else rounds[-1]
    first = best if at is None else at
    at = st.selectbox(_("Go on from"), rounds, first, format_func=partial(with_score, view), key="fork-round")
    st.caption(paid_words(view, at))
    text = st.text_area(
        _("The text to go on from"),
        view.rounds[at].text,
        height=220,
        key=f"fork-text-{at}",
        help=_("Change it, and your own text is reviewed first."),
    )
    say = st.text_input(_("What should change? (optional)"), key="fork-say", placeholder=_("e.g. a warmer ending"))
    changes: dict[str, Json] = {}
    for role in view.spec.roles:
        changes |= role_changes(role)
    own = text if text != view.rounds[at].text else None
    start(view, partial(workbench().fork, view.run_id, at, changes=changes, draft=own, say=say))


def with_score(view: RunView, n: int) -> str:
    score = view.rounds[n].score
    return round_name(view, n) + (f" · {score:g}" if score is not None else "")


def paid_words(view: RunView, at: int) -> str:
    if at == 0:
        return _("{round} is not reviewed and paid again.").format(round=round_name(view, 0))
    return _("Rounds {first}–{last} are not paid again.").format(first=0, last=at)


# --- steps -----------------------------------------------------------------------------------------------------------


def ask_steps(view: RunView, at: int | None = None) -> None:
    """In the dialog."""
    done = [round.n for round in view.rounds]
    first = done[-1] if at is None else at
    at = st.selectbox(_("Go on from"), done, first, format_func=partial(step_name, view), key="fork-step")
    st.caption(together(kept_words(at), *files_words(view, at)))
    say = st.text_area(
        _("What should the model be told? (optional)"), height=90, key="fork-say",
        placeholder=_("e.g. take the price with tax"),
    )  # fmt: skip
    changes = step_changes(view)
    for role in view.spec.roles:
        changes |= role_changes(role)
    start(view, partial(fork_steps, view, at, changes, say))


def fork_steps(view: RunView, at: int, changes: dict[str, Json], say: str) -> str:
    if view.rounds[at].kind == "approved" and not say.strip():
        raise SettingsError(_("Step {n} is the answer: say what the model should do next.").format(n=at + 1))
    return workbench().fork(view.run_id, at, changes=changes, say=say)


def step_name(view: RunView, n: int) -> str:
    step = steps.step_of(view.rounds[n])
    about = react_steps.main_argument(step.calls[0]) if step.calls else ""
    return " · ".join(filter(None, (_("Step {n}").format(n=n + 1), react_steps.action_words(step), about)))


def kept_words(at: int) -> str:
    if at == 0:
        return _("Step 1 is not paid again.")
    return _("Steps {first}–{last} are not paid again.").format(first=1, last=at + 1)


def files_words(view: RunView, at: int) -> list[str]:
    """What cannot be had as it was at that step."""
    said = []
    if changed := workbench().changed_since(view.run_id, at):
        told = _("It works on a copy of the files as they are now; later steps wrote {files}.")
        said.append(told.format(files=plain(_(", ").join(changed))))
    if lasting := steps.lasting(view, at):
        said.append(_("What later steps did stays done: {calls}.").format(calls=plain(_(", ").join(lasting))))
    return said


def step_changes(view: RunView) -> dict[str, Json]:
    """Rows for tools, protocol and steps at most; what of them is changed, as `--set` keys and values."""
    named = [str(tool["name"]) for tool in view.spec.tools]
    known = [name for name in tools.names() if name in named]
    chosen = st.pills(_("Tools"), tools.names(), selection_mode="multi", default=known, key="fork-tools")
    left, right = st.columns([3, 1])
    protocol, most = str(view.spec.options.get("protocol") or "json"), react_settings.most_steps(view.spec)
    with left:
        way = react_settings.protocol_field(protocol, key="fork-protocol")
    with right:
        limit = st.number_input(_("Steps at most"), 1, value=most, step=1, key="fork-most")
    changes: dict[str, Json] = {}
    if sorted(chosen) != sorted(named):
        changes["options.tools"] = [*chosen] or "none"
    if way != protocol:
        changes["options.protocol"] = way
    if limit != most:
        changes["stops.max_rounds"] = str(limit)
    return changes


# --- who works -------------------------------------------------------------------------------------------------------


def role_changes(role: Role) -> dict[str, Json]:
    """A row for a role's model and temperature; what of them is changed, as `--set` keys and values."""
    name, _job = role_words(role)
    scripted = role.endpoint == SCRIPTED
    left, right = st.columns([3, 1])
    with left:
        model = st.selectbox(
            _("Model of the {role}").format(role=plain(name)),
            [*dict.fromkeys((role.model, *(CHARACTERS if scripted else ())))],
            key=f"fork-{role.name}-model",
            format_func=partial(model_words, role.endpoint),
            accept_new_options=not scripted,
        )
    with right:
        set_now = None if role.temperature is None else float(role.temperature)
        temperature = st.number_input(
            _("Temperature"), 0.0, 2.0, set_now, 0.05, key=f"fork-{role.name}-temperature", placeholder=_("not sent")
        )
    changes: dict[str, Json] = {f"role.{role.name}.model": model} if model and model != role.model else {}
    if temperature != role.temperature:
        changes[f"role.{role.name}.temperature"] = "none" if temperature is None else f"{temperature:g}"
    return changes
