"""What the pages share: the workbench of this process, badges, tables and small things drawn the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from refine import export, live_route, outlook, variants, views
from refine.checks import CHECKS
from refine.errors import RefineError
from refine.live import token
from refine.runs import Workbench, open_workbench
from refine.settings import Keys, write_secret
from refine.store import RunRow
from refine.types import Role, Status, Variant
from refine.ui.words import N_, _, language, money, plain
from refine.views import Cost, RunView
from refine.worlds import worlds

DRAFT = "page"
"""Under which name what is being typed is kept in the store: the same in every tab and browser."""

SECRET = "page.secret"
SCRIPTED = "scripted"
"""The endpoint of the shipped characters."""
EMBEDDED = "embedded"
"""That of the small model that ships with Refine."""


@st.cache_resource(show_spinner=False)
def shared() -> Workbench:
    """The one of this process: the app's worker drives runs with it, pages read its store and send it commands."""
    return open_workbench()


def workbench() -> Workbench:
    """The same; within a page, as far as keys go, that of its browser session."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return shared()
    keys: Keys = st.session_state.setdefault("session-keys", shared().keys.session())
    return shared().of_session(keys)


@st.cache_resource(show_spinner=False)
def live_reader() -> live_route.LiveReader:
    bench = workbench()
    return live_route.LiveReader(bench.store, bench.live)


@st.cache_resource(show_spinner=False)
def page_secret() -> bytes:
    return write_secret(workbench().settings.home, SECRET)


def live_url(run_id: str) -> str:
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{'/' if base else ''}{base}/live/{run_id}?t={token(page_secret(), run_id)}"


# --- commands ----------------------------------------------------------------------------------------------------


def attempt(command: Callable[[], Any]) -> Any:
    """What the command gives back; None, and its sentence for the page, where it cannot be done."""
    st.session_state.pop("problem", None)
    try:
        return command()
    except RefineError as error:
        st.session_state["problem"] = str(error)
        return None


def problem() -> None:
    """The sentence of the last command that could not be done."""
    if said := st.session_state.get("problem"):
        cannot(said)


def came_to(page: str) -> None:
    """What could not be done on one page is not said on another, nor after coming back."""
    if st.session_state.get("page") != page:
        for said in ("problem", "nothing"):
            st.session_state.pop(said, None)
        st.session_state["page"] = page


def cannot(said: str) -> None:
    """A sentence for what cannot be done."""
    st.error(plain(said), icon=":material/error:")


def open_run(run_id: str | None) -> None:
    """From now on the address shows this run; the start form without one."""
    st.session_state.pop("problem", None)
    with suppress(KeyError):
        del st.query_params["run"]
    if run_id:
        st.query_params["run"] = run_id


def once(name: str, command: Callable[[], str]) -> None:
    """Makes a run and opens it; the same wish again, as by a double click, opens the run that it made."""
    made = st.session_state.setdefault("made", {})
    if name not in made:
        made[name] = attempt(command)
    if run_id := made[name]:
        open_run(run_id)
    else:
        del made[name]


# --- words for codes ---------------------------------------------------------------------------------------------

STATUS_BADGES: dict[Status, tuple[str, str]] = {
    "queued": ("gray", ":material/schedule:"),
    "running": ("blue", ":material/sync:"),
    "waiting": ("orange", ":material/front_hand:"),
    "done": ("green", ":material/check:"),
    "failed": ("red", ":material/error:"),
    "cancelled": ("gray", ":material/stop_circle:"),
}

REASON_BADGES = {
    "approved": ("green", N_("Approved")),
    "score": ("green", N_("Score reached")),
    "finished": ("green", N_("Finished")),
    "max_rounds": ("gray", N_("Round limit reached")),
    "budget": ("orange", N_("Money limit reached")),
    "tokens": ("orange", N_("Token limit reached")),
    "time": ("orange", N_("Time limit reached")),
    "calls": ("orange", N_("Limit on calls reached")),
    "no_change": ("gray", N_("No further gain")),
    "plateau": ("gray", N_("No further gain")),
    "oscillation": ("gray", N_("No further gain")),
    "repeated_action": ("gray", N_("Kept repeating itself")),
    "failures": ("red", N_("The service kept failing")),
    "error": ("red", N_("Stopped by an error")),
    "cut_off": ("orange", N_("Reply not usable")),
    "no_draft": ("orange", N_("Reply not usable")),
    "refused": ("orange", N_("Reply not usable")),
    "cancelled": ("gray", N_("Stopped by you")),
}

END_ICONS = {
    "green": ":material/check:",
    "gray": ":material/flag:",
    "orange": ":material/warning:",
    "red": ":material/error:",
}

STATUSES = {
    "queued": N_("Queued"),
    "running": N_("Running"),
    "waiting": N_("Waiting for you"),
    "done": N_("Done"),
    "failed": N_("Failed"),
    "cancelled": N_("Stopped by you"),
}

VERDICTS = {"approved": N_("Approved"), "revise": N_("Revise"), "ambiguous": N_("Unclear")}
VERDICT_COLOURS = {"approved": "green", "revise": "orange", "ambiguous": "gray"}
RESULTS = {"kept": N_("kept"), "set_aside": N_("set aside"), "": ""}
SEVERITIES = {"must": N_("must"), "should": N_("should"), "may": N_("may")}
STATES = {"open": "", "fixed": N_("fixed"), "reopened": N_("reopened"), "waived": N_("waived by you")}

CHECK_NAMES = {
    "grammar": N_("grammar"),
    "wording": N_("wording"),
    "typography": N_("typography"),
    "length": N_("length"),
    "terms": N_("terms"),
    "repeats": N_("repeats"),
    "sentences": N_("long sentences"),
    "kept": N_("kept facts"),
}

DIMENSIONS = {
    **CHECK_NAMES,
    "spelling": N_("spelling"),
    "accuracy": N_("accuracy"),
    "clarity": N_("clarity"),
    "logic": N_("logic"),
    "structure": N_("structure"),
    "style": N_("style"),
    "correctness": N_("correctness"),
    "faithfulness": N_("faithfulness"),
    "brief": N_("what was asked"),
    "tone": N_("tone"),
    "author": N_("your wish"),
    "model": N_("word choice"),
}

ROLES = {
    "writer": (N_("Writer"), N_("rewrites the best version")),
    "critic": (N_("Critic"), N_("reads and judges it")),
    "actor": (N_("Actor"), N_("thinks, acts, answers")),
    "judge": (N_("Judge"), N_("scores a finished text")),
    "pair": (N_("Judge of two texts"), N_("says which one is better")),
}


CHARACTER_NAMES = {
    "steady": N_("steady"),
    "lenient": N_("lenient"),
    "never-satisfied": N_("never satisfied"),
    "degrading": N_("makes it worse"),
    "oscillating": N_("to and fro"),
    "malformed": N_("unclear verdicts"),
    "cut-off": N_("cut off"),
    "slow": N_("slow"),
    "thinking": N_("thinks first"),
    "refusing": N_("refuses"),
    "failing": N_("server fails"),
    "rate-limited": N_("rate limited"),
    "obedient": N_("obeys the text"),
    "biased": N_("prefers the first"),
    "example": N_("replies written by hand"),
}


def model_words(endpoint: str, model: str) -> str:
    """A model's name; a scripted one, and the one that ships with Refine, says that it is one."""
    if endpoint == EMBEDDED:
        return _("{model}, built in").format(model=model)
    if endpoint != SCRIPTED:
        return model
    if world := worlds().get(model.removeprefix("world-")):
        return _("Scripted: {character}").format(character=world.title.get(language()) or world.name)
    return _("Scripted: {character}").format(character=_(CHARACTER_NAMES.get(model, model)))


def role_words(role: Role) -> tuple[str, str]:
    """A role's name and its job."""
    kind = "critic" if role.name.startswith("critic") else role.name
    name, job = ROLES.get(kind, (role.name, ""))
    extra = role.name.removeprefix("critic").strip("-_ ") if kind == "critic" else ""
    return " ".join(filter(None, (_(name), extra))), _(job) if job else ""


OTHER_CRITICS = {"author": N_("you"), "model": N_("small built-in model"), "candidates": N_("word choice check")}


def critic_name(critic: str) -> str:
    """Who raised a finding, for people."""
    if critic in CHECKS:
        return _("{check} check").format(check=_(CHECK_NAMES.get(critic, critic)))
    if critic in OTHER_CRITICS:
        return _(OTHER_CRITICS[critic])
    return role_words(Role(critic))[0] if critic else ""


def own_variants() -> Path:
    return workbench().settings.home / "prompts"


def variant(name: str) -> Variant:
    """The variant of that name, read again only when a file of it has changed. Raises SettingsError."""
    return variants.load(name, own=own_variants())


def readable_variant(name: str) -> Variant | None:
    """The same for a page that is being drawn; None where it is broken or no longer there."""
    try:
        return variant(name)
    except RefineError:
        return None


def variant_or_why(name: str) -> Variant | None:
    """The same where its sentence belongs: one that is broken or no longer there says so."""
    try:
        return variant(name)
    except RefineError as error:
        cannot(str(error))
        return None


def variant_title(name: str) -> str:
    """A variant's title in the page's language; its name where it is no longer there."""
    found = readable_variant(name)
    title = found.title if found else {}
    return title.get(language()) or title.get("en") or name


def page_of(view: RunView) -> str:
    """The page that shows this run."""
    return "react_page.py" if view.technique == "react" else "refine_page.py"


def status_badge(view: RunView) -> None:
    """The state of a run as one badge: why it ended, once it has."""
    colour, icon = STATUS_BADGES[view.status]
    label = _(STATUSES[view.status])
    if view.ended and view.reason in REASON_BADGES:
        colour, words = REASON_BADGES[view.reason]
        icon, label = END_ICONS[colour], _("Cap of the day reached") if view.cap is not None else _(words)
        if view.reason == "approved" and view.best_round and not view.picked:
            label = _("Approved in round {n}").format(n=view.best_round)
    st.badge(label, color=colour, icon=icon)  # type: ignore[arg-type]


def cost_words(cost: Cost, free: str = "") -> str:
    """Money of some calls; "at least" where a price is not known, `free` where nothing was to be paid."""
    amount = " + ".join(money(known, currency) for currency, known in cost.amounts)
    if not cost.complete:
        return _("at least {money}").format(money=amount) if cost.known else _("cost unknown")
    return amount if cost.known else free


def row_cost(row: RunRow) -> str:
    return money(row.cost if row.cost is None else Decimal(row.cost), row.currency)


AUTHORS = -1
"""Stands for the author's own text where no round holds it."""


def round_name(view: RunView, n: int) -> str:
    if n == AUTHORS or (n == 0 and view.from_draft):
        return _("Your draft")
    if view.side_by_side:
        return _("Draft {n}").format(n=n + 1)
    if not view.goes_on:
        return _("The text")
    return _("Round {n}").format(n=n) if n else _("First draft")


# --- tables of which one row is picked ------------------------------------------------------------------------------


def picked_row(table: str, last: int) -> int:
    """The row that was picked since row `last` was, by its marker or by any cell of it; else `last`."""
    selection = (st.session_state.get(table) or {}).get("selection", {})
    touched = [row for row, _column in selection.get("cells", ())] + list(selection.get("rows", ()))
    return next((row for row in touched if row != last), last)


def pick_row(table: str, row: int) -> None:
    """Marks a row of a table that is still to be drawn."""
    selection = (st.session_state.get(table) or {}).get("selection", {})
    cells = [cell for cell in selection.get("cells", ()) if cell[0] == row]
    st.session_state[table] = {"selection": {"rows": [row], "columns": [], "cells": cells}}


# --- files -------------------------------------------------------------------------------------------------------

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
FILES = {
    "docx": (N_("Word (.docx)"), WORD),
    "txt": (N_("Text (.txt)"), "text/plain"),
    "md": (N_("Text, Markdown (.md)"), "text/markdown"),
    "html": (N_("Page with changes and findings (.html)"), "text/html"),
    "json": (N_("Result with all rounds (.json)"), "application/json"),
    "csv": (N_("Table of rounds (.csv)"), "text/csv"),
    "jsonl": (N_("Raw log (.jsonl)"), "application/x-ndjson"),
}


STEP_FILES = {
    "md": N_("Steps to read (.md)"),
    "html": N_("Page with all steps (.html)"),
    "txt": N_("The answer alone (.txt)"),
    "docx": N_("The answer alone, Word (.docx)"),
    "csv": N_("Table of steps (.csv)"),
    "json": N_("Result with all steps (.json)"),
}
"""The same for a run with tools."""


def download_buttons(view: RunView) -> None:
    """One button for each kind of file; the file is made when it is asked for."""
    steps = STEP_FILES if export.has_steps(view) else {}
    for kind, (label, mime) in FILES.items():
        if kind in ("docx", "md", "txt") and view.text is None and not (steps and kind == "md"):
            continue
        st.download_button(
            _(steps.get(kind, label)),
            partial(file_bytes, view.run_id, kind),
            export.name(view, kind),
            mime,
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            key=f"download-{kind}",
        )


def file_bytes(run_id: str, kind: str) -> bytes:
    """Runs on a thread without a session."""
    bench = workbench()
    records = bench.store.records(run_id)
    view = views.read(records)
    return export.render(view, records, kind, outlook.foreseen(bench, view) if kind == "html" else None)
