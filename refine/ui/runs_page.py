"""The list of runs, those under way first, then the newest; beside it the picked one. With `?trace=`, a run's trace."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import tables, views
from refine.store import RunRow, Wanted
from refine.types import Role, Status
from refine.ui import (
    compare_link,
    example,
    filters,
    fork,
    language_switch,
    parts,
    react_steps,
    sentences,
    trace_page,
    view_switch,
)
from refine.ui.filters import Filters
from refine.ui.parts import (
    REASON_BADGES,
    STATUS_BADGES,
    STATUSES,
    model_words,
    role_words,
    row_cost,
    variant_title,
    workbench,
)
from refine.ui.rounds import steps
from refine.ui.words import N_, _, coloured, language, ngettext, plain, together
from refine.views import RunView

AT_ONCE = 50
"""Runs on one page."""
EVERY_SECONDS = 2
"""How often the list is read again while a run is under way."""

VIEWS = {"runs": N_("Runs"), "costs": N_("Costs")}
GROUPS = {
    "going": N_("Running"),
    "waiting": N_("Waiting for you"),
    "approved": N_("Approved"),
    "unapproved": N_("Not approved"),
    "cancelled": N_("Stopped by you"),
    "failed": N_("Failed"),
}
TECHNIQUES = {"refine": N_("Rounds"), "single": N_("One call"), "react": "ReAct"}


def show() -> None:
    if run_id := st.query_params.get("trace"):
        trace_page.show(run_id)
        return
    chosen = seed()
    going = header()
    parts.problem()
    with st.container(horizontal=True, vertical_alignment="center"):
        if view_switch.show(VIEWS, "runs-view") == "runs":
            filter_row(chosen)
        else:
            from refine.ui import costs  # the library of charts: the list does not wait for it

            days = costs.period()
    if st.session_state["runs-view"] == "costs":
        costs.show(days)
        return
    total = workbench().store.count_runs(wanted(chosen))
    if not total:
        if chosen != Filters():
            nothing()
        return
    st.caption(above(chosen, total))
    page = min(chosen.page, -(-total // AT_ONCE))
    drawn: list[RunRow] = []
    left, right = st.columns([2, 1], gap="medium")
    with left:
        st.fragment(table, run_every=EVERY_SECONDS if going else None)(replace(chosen, page=page), drawn)
        pages(page, total)
    with right:
        drawn.append(st.session_state["runs-row"])
        panel(drawn[0].run_id)


def header() -> int:
    """The title and how things stand. Returns how many runs are under way."""
    going, waiting = workbench().store.standing()
    total = workbench().store.count_runs(wanted(Filters(), example.IDS))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Runs"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            if going:
                st.badge(_("{n} running").format(n=going), icon=":material/sync:", color="blue")
            if waiting:
                st.badge(_("{n} waiting for you").format(n=waiting), icon=":material/front_hand:", color="orange")
            if total:
                st.markdown(coloured("gray", _("{n} in all").format(n=f"{total:,}")), width="content")
            language_switch.button()
    if not total:
        st.caption(_("No runs of your own yet. Refine a draft and it will appear here."))
    return going


# --- filters ---------------------------------------------------------------------------------------------------------


def seed() -> Filters:
    """What the address says, put into the fields where somebody else than the fields wrote it."""
    state, chosen = st.session_state, filters.read(st.query_params)
    if state.get("runs-filters") != chosen or key("search") not in state:
        for field in fields(chosen):
            state[key(field.name)] = getattr(chosen, field.name)
        state["runs-filters"] = chosen
    return chosen


def key(name: str) -> str:
    return f"runs-{name}"


def changed(page: int | None = 1) -> None:
    """Writes the fields into the address, so that a reload keeps them. Other filters begin at the first page."""
    state = st.session_state
    values: dict[str, Any] = {field.name: state.get(key(field.name)) for field in fields(Filters)}
    values |= {"search": values["search"] or "", "page": page or values["page"]}
    state["runs-filters"] = Filters(**values)
    address(state["runs-filters"])


def address(chosen: Filters) -> None:
    said = filters.write(chosen)
    for name in filters.READERS:
        if name in said:
            st.query_params[name] = said[name]
        elif name in st.query_params:
            del st.query_params[name]


def wanted(chosen: Filters, without: tuple[str, ...] = ()) -> Wanted:
    """Of the examples only the one in the page's language."""
    return filters.wanted(chosen, zone(), (*example.others(), *without))


def zone() -> datetime.tzinfo:
    return ZoneInfo(st.context.timezone) if st.context.timezone else datetime.UTC


def filter_row(chosen: Filters) -> None:
    st.text_input(
        _("Search"),
        key=key("search"),
        on_change=changed,
        label_visibility="collapsed",
        placeholder=_("Search title, variant or id"),
        icon=":material/search:",
        width=300,
    )
    st.pills(
        _("Status"),
        [*GROUPS],
        format_func=lambda group: _(GROUPS[group]),
        key=key("status"),
        on_change=changed,
        label_visibility="collapsed",
    )
    label = _("More filters") + (f" · {chosen.folded}" if chosen.folded else "")
    with st.popover(label, icon=":material/filter_list:", key="more-filters"):
        more_filters()


def more_filters() -> None:
    used = workbench().store.used_in_runs
    choice(_("Variant"), "variant", used("variant"), variant_title)
    models = sorted({name for group in used("models") for name in group.split("\n") if name})
    choice(_("Model"), "model", models, lambda name: model_words(*name.split("/", 1)))
    choice(_("Technique"), "technique", used("technique"), technique_words)
    if st.session_state.get(key("prompt")):
        choice(_("Prompt"), "prompt", [], prompt_words)
    since, until = st.columns(2)
    with since:
        st.date_input(_("From"), None, key=key("since"), on_change=changed, format="YYYY-MM-DD")
    with until:
        st.date_input(_("Until"), None, key=key("until"), on_change=changed, format="YYYY-MM-DD")
    st.number_input(
        _("Cost at least"), 0.0, key=key("cost"), value=None, format="%.4f", step=0.01, on_change=changed,
        placeholder=_("any"),
    )  # fmt: skip
    st.button(_("Clear filters"), type="tertiary", on_click=address, args=(Filters(),), key="clear-filters")


def choice(label: str, name: str, options: list[str], words: Any) -> None:
    """A value in the address that no run has stays choosable, so that it can be seen and taken away."""
    set_one = st.session_state.get(key(name))
    listed = options if set_one in (None, *options) else [*options, set_one]
    st.selectbox(
        label, listed, None, key=key(name), on_change=changed, format_func=words, placeholder=_("any"),
        filter_mode=None,
    )  # fmt: skip


def technique_words(name: str) -> str:
    return _(TECHNIQUES[name]) if name in TECHNIQUES else name


def prompt_words(name: str) -> str:
    role, _slash, version = name.partition("/")
    return f"{role_words(Role(role))[0]} · {version}"


def nothing() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_("No run fits."), width="content")
        st.button(_("Show all runs"), type="tertiary", on_click=address, args=(Filters(),), key="show-all")


def above(chosen: Filters, total: int) -> str:
    """What the list holds. The table's own tools come up at the end of this line."""
    if replace(chosen, page=1) == Filters():
        return _("Those under way first, then the newest")
    return ngettext("{n} run fits", "{n} runs fit", total).format(n=f"{total:,}")


# --- the list --------------------------------------------------------------------------------------------------------


def table(chosen: Filters, drawn: Sequence[RunRow]) -> None:
    """The list. Drawn alone, it draws the whole page again where another run is picked or the picked one has moved on.

    Args:
        drawn: the row of the run shown beside the list; empty while the whole page is being drawn.
    """
    rows = workbench().store.runs(wanted(chosen), limit=AT_ONCE, offset=(chosen.page - 1) * AT_ONCE)
    row = rows[keep_picked([row.run_id for row in rows])]
    if drawn and drawn[0] != row:
        st.rerun()
    st.session_state["runs-row"] = row
    st.dataframe(
        frame(rows),
        hide_index=True,
        on_select="rerun",
        selection_mode=["single-row-required", "single-cell"],
        key="runs-table",
        placeholder="",
        height="content",
        column_config=column_config(rows),
        alt=_("Runs, those under way first, then the newest. The picked one is shown beside the list."),
    )


def keep_picked(ids: list[str]) -> int:
    """The place of the picked run, also where rows have moved since it was picked."""
    state = st.session_state
    before, place = state.get("runs-ids", []), parts.picked_row("runs-table", state.get("runs-place", 0))
    picked = before[place] if place < len(before) else None
    place = ids.index(picked) if picked in ids else 0
    state["runs-ids"], state["runs-place"] = ids, place
    parts.pick_row("runs-table", place)
    return place


def frame(rows: list[RunRow]) -> pd.DataFrame:
    shown = tables.runs(rows)
    shown["at"] = pd.to_datetime(shown["at"], unit="s", utc=True).dt.tz_convert(zone())
    shown["title"] = [row.title or _("A text from a brief") for row in rows]
    shown["kind"] = [kind_words(row) for row in rows]
    shown["status"] = [[status_of(row)[1]] for row in rows]
    counted = [not uncounted(row) for row in rows]
    shown["cost"] = [row_cost(row) if known else "" for row, known in zip(rows, counted, strict=True)]
    shown[["rounds", "seconds"]] = shown[["rounds", "seconds"]].where(pd.Series(counted), None)
    names = ["at", "title", "kind", "status", "rounds", "scores", "cost", "seconds"]
    return shown[[name for name in names if name != "scores" or any(row.scores for row in rows)]]


def uncounted(row: RunRow) -> bool:
    """Under way for the first time: its rounds, cost and time are counted when it rests."""
    return row.status in ("queued", "running") and not row.rounds and row.cost is None


def kind_words(row: RunRow) -> str:
    title = variant_title(row.variant)
    return title if row.technique == "refine" else f"{technique_words(row.technique)} · {title}"


def status_of(row: RunRow) -> tuple[str, str]:
    """Colour and words: why a run ended, once it has; else how it stands."""
    ended: tuple[Status, ...] = ("done", "failed", "cancelled")
    if row.status in ended and row.reason in REASON_BADGES:
        colour, words = REASON_BADGES[row.reason]
        return colour, _(words)
    return STATUS_BADGES[row.status][0], _(STATUSES[row.status])


def column_config(rows: list[RunRow]) -> dict[str, Any]:
    column = st.column_config
    chips = dict(sorted({words: colour for colour, words in map(status_of, rows)}.items()))
    this_year = all(datetime.datetime.fromtimestamp(row.at).year == datetime.datetime.now().year for row in rows)
    day = ("M月D日" if this_year else "YYYY年M月D日") if language() == "zh" else "D MMM" if this_year else "D MMM YYYY"
    return {
        "at": column.DatetimeColumn(_("When"), format=f"{day} HH:mm", width=105),
        "title": column.TextColumn(_("Title"), width=195),
        "kind": column.TextColumn(_("Kind"), width=95),
        "status": column.MultiselectColumn(_("Status"), options=[*chips], color=[*chips.values()], width=150),
        "rounds": column.NumberColumn(_("Rounds"), width=60),
        "scores": column.LineChartColumn(_("Score"), y_min=0, y_max=10, width=70),
        "cost": column.TextColumn(_("Cost"), width=70, alignment="right"),
        "seconds": column.NumberColumn(_("Seconds"), format="%.0f", width=65),
    }


def pages(page: int, total: int) -> None:
    count = -(-total // AT_ONCE)
    if count > 1:
        st.session_state[key("page")] = page
        st.pagination(count, key=key("page"), on_change=changed, args=(None,))


# --- the picked run --------------------------------------------------------------------------------------------------


def panel(run_id: str) -> None:
    """What became of the picked run, and where to go from here."""
    view = workbench().read(run_id)
    with st.container(border=True):
        st.subheader(plain(view.title) or _("A text from a brief"), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            parts.status_badge(view)
            st.markdown(f":gray[{plain(variant_title(view.variant))}]", width="content")
        said = said_of(view)
        if said:
            st.markdown(said)
        react_steps.brief(view) if view.technique == "react" else steps(view)
        buttons(view)


def said_of(view: RunView) -> str:
    """One sentence or two, then money and time in grey."""
    cost = sentences.price_and_time(view).replace("$", "\\$") if view.attempts else ""
    return " ".join(filter(None, (what_became(view), f":gray[{cost}]" if cost else "")))


def what_became(view: RunView) -> str:
    if view.question:
        return plain(views.question_of(view, language()) or "")
    if view.technique == "react":
        return react_steps.outcome(view)
    return together(sentences.outcome(view), sentences.why_stopped(view)) if view.ended else sentences.so_far(view)


def buttons(view: RunView) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button(_("Open"), type="primary", key="open-run"):
            st.switch_page(parts.page_of(view), query_params={"run": view.run_id})
        fork.button(view)
        with st.popover(_("More"), type="tertiary", key="more"):
            trace_page.button(view.run_id)
            compare_link.button(view)
            parts.download_buttons(view)


show()
