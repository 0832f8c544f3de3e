"""The versions of a prompt: which runs had it word for word, when, and its text, also where no folder holds it."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.prompts import prompt_hash
from refine.store import PromptUse, Wanted
from refine.ui import parts, prompts_state, trace_detail
from refine.ui.parts import workbench
from refine.ui.prompts_state import Opened
from refine.ui.words import _, coloured, language, ngettext

TABLE, PLACE, VERSIONS = "prompts-versions", "prompts-place", "prompts-listed"
MOST_ROWS = 9
"""More rows scroll in the table."""


def uses_of(opened: Opened, role: str) -> list[PromptUse]:
    """The versions that runs had of a role's prompt, the one used last first."""
    return [use for use in workbench().store.prompts_used(opened.name) if use.role == role]


def gone_roles(opened: Opened) -> list[str]:
    """Roles that the variant has no more, and that its runs had."""
    used = {use.role for use in workbench().store.prompts_used(opened.name)}
    return sorted(used - opened.now.keys())


def gone_role(opened: Opened, role: str) -> None:
    """Its prompt as it was last, and a way to have the role back."""
    text = text_of(uses_of(opened, role)[0])
    trace_detail.block("", text)
    st.caption(_("The variant has no such role any more; its runs do."))
    icon, args = ":material/undo:", (opened.name, role, text)
    st.button(_("Put it back"), icon=icon, on_click=prompts_state.take, args=args, key="role-back")


def text_of(use: PromptUse) -> str:
    """A version's text, word for word, as its run keeps it."""
    spec = workbench().store.spec(use.run_id)
    assert spec is not None
    return next(role.prompt for role in spec.roles if role.name == use.role)


def show(opened: Opened, role: str, uses: list[PromptUse]) -> None:
    if not uses:
        st.caption(_("No run has used this prompt yet. Each run keeps its prompts word for word."))
        return
    use = uses[picked([use.version for use in uses])]
    st.dataframe(
        frame(opened, role, uses),
        hide_index=True,
        on_select="rerun",
        selection_mode=["single-row-required", "single-cell"],
        key=TABLE,
        placeholder="",
        height="content" if len(uses) < MOST_ROWS else 330,
        column_config=column_config(),
        alt=_("Versions of this prompt, the one used last first. The picked one is shown below."),
    )
    text = text_of(use)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        runs_link(opened.name, use)
        version_buttons(opened, role, use, text)
    trace_detail.block("", text)


def settings(opened: Opened) -> None:
    """The settings as a whole have no versions; the runs that had them are told."""
    n = workbench().store.count_runs(Wanted(variant=opened.name))
    st.caption(_("Each prompt has its own history: choose a role. What a run was set to stands in its trace."))
    if n:
        link(ngettext("{n} run of this variant", "{n} runs of this variant", n), n, variant=opened.name)


def runs_link(name: str, use: PromptUse) -> None:
    label = ngettext("{n} run with it", "{n} runs with it", use.runs)
    link(label, use.runs, variant=name, prompt=f"{use.role}/{use.version}")


def link(label: str, n: int, **address: str) -> None:
    st.page_link("runs_page.py", label=label.format(n=f"{n:,}"), icon=":material/history:", query_params=address)


def version_buttons(opened: Opened, role: str, use: PromptUse, text: str) -> None:
    if use.version == prompt_hash(opened.now.get(role, "")):
        st.markdown(coloured("gray", _("in the field now")), width="content")
        return
    st.button(
        _("What differs"),
        type="tertiary",
        icon=":material/difference:",
        on_click=prompts_state.compare,
        args=(f"version:{use.version}",),
        key="version-compare",
    )
    st.button(
        _("Put it into the field"),
        type="tertiary",
        icon=":material/input:",
        on_click=prompts_state.take,
        args=(opened.name, role, text),
        key="version-take",
    )


def picked(versions: list[str]) -> int:
    """The place of the picked version, also where rows have moved since it was picked."""
    state = st.session_state
    before, place = state.get(VERSIONS, []), parts.picked_row(TABLE, state.get(PLACE, 0))
    version = before[place] if place < len(before) else None
    place = versions.index(version) if version in versions else 0
    state[VERSIONS], state[PLACE] = versions, place
    parts.pick_row(TABLE, place)
    return place


def frame(opened: Opened, role: str, uses: list[PromptUse]) -> pd.DataFrame:
    zone = ZoneInfo(st.context.timezone) if st.context.timezone else datetime.UTC
    shown = pd.DataFrame(
        {
            "version": [use.version for use in uses],
            "where": [where(opened, role, use.version) for use in uses],
            "runs": [use.runs for use in uses],
            "last": [use.last for use in uses],
            "first": [use.first for use in uses],
        }
    )
    for name in ("last", "first"):
        shown[name] = pd.to_datetime(shown[name], unit="s", utc=True).dt.tz_convert(zone)
    return shown


def where(opened: Opened, role: str, version: str) -> str:
    if opened.kind != "gone" and version == prompt_hash(opened.saved.get(role, "")):
        return _("saved")
    return _("in the field") if role in opened.edits and version == prompt_hash(opened.now[role]) else ""


def column_config() -> dict[str, Any]:
    column = st.column_config
    day = "YYYY年M月D日 HH:mm" if language() == "zh" else "D MMM YYYY HH:mm"
    return {
        "version": column.TextColumn(_("Version"), width=110),
        "where": column.TextColumn(_("Now"), width=80),
        "runs": column.NumberColumn(_("Runs"), width=55, format="localized"),
        "last": column.DatetimeColumn(_("Last used"), format=day, width=140),
        "first": column.DatetimeColumn(_("First used"), format=day, width=140),
    }
