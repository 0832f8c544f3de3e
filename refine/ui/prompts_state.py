"""What is being edited on the page of prompts, kept in the store as it is typed, and every command of that page.

An edit is kept with the text that it began from, so that a save never overwrites what somebody else has saved since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from refine import prompts, variant_files, variants
from refine.errors import RefineError, SettingsError
from refine.store import Wanted
from refine.types import Role, Variant
from refine.ui import components, form, parts, prompt_drawer
from refine.ui.parts import workbench
from refine.ui.words import _
from refine.variant_files import Pieces

EDITS = "prompts-edits"
FIELDS = "prompts-fields"
DONE = "prompts-done"
"""What the last command did, and how it is undone."""

FROM, TO = "prompts-from", "prompts-to"
"""Which texts are compared."""

Edit = tuple[str, str]
"""The text that an edit began from, and the text now."""


@dataclass(slots=True)
class Field:
    """A text field of this tab, and what is known of it."""

    name: str
    piece: str
    seen: str
    """What stands in it in the browser, as far as it has said so."""
    sent: str
    """What it last sent as the field's value; what is being typed may be newer."""
    saved: str = ""
    """The saved text, as this tab has shown it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A variant as it is kept, and what is being made of it."""

    name: str
    kind: str
    """own, shipped, or gone: no folder holds it any more."""
    saved: Pieces
    edits: Mapping[str, Edit]
    problem: str = ""
    """Why its files cannot be read; there are no pieces then."""

    @property
    def now(self) -> Pieces:
        return {**self.saved, **{piece: text for piece, (_before, text) in self.edits.items()}}

    @property
    def conflicts(self) -> list[str]:
        """Pieces that were edited here and saved by somebody else."""
        return [piece for piece, (before, _text) in self.edits.items() if before != self.saved.get(piece, "")]


def names() -> list[str]:
    """The variants that are there, then those that were deleted or that only runs still have."""
    own = parts.own_variants()
    there = variants.names(own)
    return [*there, *sorted({*variant_files.deleted(own), *workbench().store.used_in_runs("variant")} - {*there})]


def distinct(words: Mapping[str, str]) -> dict[str, str]:
    """Words for a choice, with the name where two would be the same: a choice is remembered by its words."""
    often = Counter(words.values())
    return {name: f"{said} ({name})" if often[said] > 1 else said for name, said in words.items()}


def is_gone(name: str) -> bool:
    return variants.place(name, parts.own_variants()) is None


def can_come_back(name: str) -> bool:
    return name in variant_files.deleted(parts.own_variants())


def opened(name: str) -> Opened:
    own = parts.own_variants()
    kind = "own" if variant_files.is_own(name, own) else "shipped" if variants.place(name) else "gone"
    try:
        saved = variant_files.read(name, own) or variant_files.read_deleted(name, own) or of_last_run(name)
    except RefineError as error:
        return Opened(name, kind, {}, {}, str(error))
    for piece, (_before, text) in [*edits(name).items()]:
        if text == saved.get(piece):  # as after a save in another tab
            drop(name, piece)
    return Opened(name, kind, saved, dict(edits(name)))


def of_last_run(name: str) -> Pieces:
    (row,) = workbench().store.runs(Wanted(variant=name, comparison=None), limit=1)
    spec = workbench().store.spec(row.run_id)
    assert spec is not None
    return variant_files.of_run(spec)


def variant_of(opened: Opened) -> Variant:
    """As it would be saved. Raises PromptError; of a prompt that is being edited with the line in its field."""
    for role in opened.edits:
        if role in variant_files.roles_of(opened.now):
            where = parts.role_words(Role(role))[0]
            prompts.validate(opened.now[role], role, where)
    return variant_files.variant_of(opened.now, opened.name, own=opened.kind == "own")


# --- what is typed ---------------------------------------------------------------------------------------------------


def kept_as(name: str) -> str:
    return f"prompts.{name}"


def edits(name: str) -> dict[str, Edit]:
    """Of this tab; at first those that were kept in any tab."""
    mine: dict[str, dict[str, Edit]] = st.session_state.setdefault(EDITS, {})
    if name not in mine:
        kept = workbench().store.draft_get(kept_as(name)) or {}
        mine[name] = {piece: (before, text) for piece, (before, text) in kept.items()}
    return mine[name]


def put(name: str, piece: str, saved: str, text: str) -> None:
    """The text of a piece from now on. `saved`: as this tab has seen it."""
    before = edits(name).get(piece, (saved, ""))[0]
    if text == before:
        drop(name, piece)
        return
    edits(name)[piece] = (before, text)
    keep(name, piece)


def drop(name: str, *pieces: str) -> None:
    for piece in pieces:
        edits(name).pop(piece, None)
    keep(name, *pieces)


def keep(name: str, *pieces: str) -> None:
    """In the store; pieces that other tabs edit stay as they left them."""
    kept = workbench().store.draft_get(kept_as(name)) or {}
    mine = edits(name)
    others = {piece: edit for piece, edit in kept.items() if piece not in pieces}
    workbench().store.draft_put(kept_as(name), {**others, **{piece: mine[piece] for piece in pieces if piece in mine}})


def key(name: str, piece: str) -> str:
    """Of a field: made of letters and digits only, as it is also a name of a style."""
    return f"prompt-{prompts.prompt_hash(f'{name}/{piece}')}"


def field(opened: Opened, piece: str, label: str, height: int, *, show_label: bool = False) -> None:
    """A piece as a text that can be typed into. The browser's text is only touched where a command has changed it."""
    state, name, text = st.session_state, key(opened.name, piece), opened.now[piece]
    fields: dict[str, Field] = state.setdefault(FIELDS, {})
    if name not in state or name not in fields or fields[name].seen != text:
        state[name] = text
        fields[name] = Field(opened.name, piece, text, text)
    fields[name].saved = opened.saved.get(piece, "")
    st.text_area(
        label,
        height=height,
        key=name,
        on_change=hear,
        args=(opened.name,),
        label_visibility="visible" if show_label else "collapsed",
    )
    components.typed(name, partial(typed, name), key=f"typed-{name}")


def hear(name: str) -> None:
    """Takes in what the browser has sent. A command calls this too: it may come with the last words that were typed."""
    for place, known in st.session_state.get(FIELDS, {}).items():
        sent = st.session_state.get(place, known.sent)
        if known.name == name and sent != known.sent:
            known.sent = sent
            typed(place, sent)


def typed(place: str, text: str) -> None:
    """`place`: the key of the field in which this stands now, sent or only typed."""
    known: Field = st.session_state[FIELDS][place]
    if text == known.seen:
        return
    known.seen = text
    for said in (DONE, "problem"):
        st.session_state.pop(said, None)
    put(known.name, known.piece, known.saved, text)


# --- commands --------------------------------------------------------------------------------------------------------


def done(said: str, undo: Callable[[], Any] | None = None) -> None:
    st.session_state[DONE] = (said, undo)


def undo() -> None:
    _said, back = st.session_state.pop(DONE, ("", None))
    if back:
        parts.attempt(back)


def heard(name: str) -> Opened:
    """The variant with the last words that were typed."""
    hear(name)
    return opened(name)


def restore(name: str, before: Mapping[str, Edit]) -> None:
    """These edits stand in the fields again."""
    edits(name).update(before)
    keep(name, *before)


def discard(name: str, pieces: Iterable[str]) -> None:
    """The saved text in place of what was typed."""
    mine = heard(name).edits
    gone = {piece: mine[piece] for piece in pieces if piece in mine}
    drop(name, *gone)
    done(_("The saved text is in the field."), partial(restore, name, gone))


def take(name: str, piece: str, text: str) -> None:
    """Another text into the field, such as an older version."""
    there = heard(name)
    edit = there.edits.get(piece)
    put(name, piece, there.saved.get(piece, ""), text)
    back = partial(restore, name, {piece: edit}) if edit else partial(drop, name, piece)
    done(_("The text stands in the field now; nothing is saved yet."), back)


def save(name: str) -> None:
    """Writes the edits into the folder, unless somebody else has saved one of the pieces; the page says so then."""
    there = heard(name)
    if not there.edits:
        done(_("Nothing has changed since it was saved."))
        return
    _save(there, {piece: before for piece, (before, _text) in there.edits.items()})


def save_over(name: str, shown: Mapping[str, str]) -> None:
    """The same over what somebody else has saved, as far as this tab has shown it."""
    _save(heard(name), shown)


def _save(there: Opened, before: Mapping[str, str]) -> None:
    name, own = there.name, parts.own_variants()
    new = {piece: text for piece, (_before, text) in there.edits.items()}

    def write() -> bool:
        variant_of(there)
        return not variant_files.change(name, own, new, before)

    if parts.attempt(write):
        drop(name, *new)
        written = variant_files.read(name, own) or {}
        old = {piece: there.saved.get(piece) for piece in new}
        form.forget(*(f"{name}.{role.name}.prompt" for role in parts.variant(name).spec.roles))
        done(_("Saved."), partial(write_back, name, old, written))


def write_back(name: str, old: Mapping[str, str | None], written: Mapping[str, str]) -> None:
    """Undoes a save: the text that it wrote stands in the fields again, not saved."""
    mine = {piece: (before or "", written[piece]) for piece, before in old.items()}
    if variant_files.change(name, parts.own_variants(), old, written):
        done(_("This variant was saved again meanwhile, so the save before was not undone."))
        return
    restore(name, mine)


def save_new(base: str, name: str, title: Mapping[str, str], purpose: Mapping[str, str], _over: bool) -> None:
    """Writes a new folder and shows it; the edits now belong to it. Raises SettingsError, PromptError."""
    there = heard(base)
    variant_of(there)
    settings = variant_files.titled(there.now[variants.SETTINGS], title, purpose)
    files = variant_files.files_of({**there.now, variants.SETTINGS: settings})
    made = variants.save_files(files, name, parts.own_variants()).name
    drop(base, *there.edits)
    show(made)
    done(_("Saved as a new variant."))


def delete(name: str) -> None:
    hear(name)
    parts.attempt(partial(variant_files.delete, name, parts.own_variants()))
    if "problem" not in st.session_state:
        done(_("Deleted. Its runs keep their prompts."), partial(bring_back, name))


def bring_back(name: str) -> None:
    hear(name)
    parts.attempt(partial(variant_files.bring_back, name, parts.own_variants()))
    if "problem" not in st.session_state:
        done(_("The variant is back."))


def put_into_form(there: Opened) -> str:
    """The start form has this variant, for its next run with the prompts that are not saved yet.

    Returns the page that has the form. Raises PromptError, SettingsError.
    """
    variant = variant_of(there)
    if any(piece not in variant_files.roles_of(there.now) for piece in there.edits):
        raise SettingsError(
            f"The settings of {there.name} are not saved, and a try would not have them. Save the variant first."
        )
    for role in variant.spec.roles:
        form.forget(prompt_drawer.kept_as(variant, role))
        if role.name in there.edits:
            form.put(prompt_drawer.kept_as(variant, role), role.prompt)
    steps = variant.spec.technique == "react"
    form.put("react_variant" if steps else "variant", variant.name)
    return "react_page.py" if steps else "refine_page.py"


def show(name: str) -> None:
    """From now on the address shows this variant."""
    st.query_params["variant"] = name


def compare(text: str) -> None:
    """From now on the page shows what differs between that text and the one in the field."""
    st.session_state[FROM], st.session_state[TO] = text, "here"
    st.query_params["view"] = "changes"


def problem_of(opened: Opened) -> str:
    """Why these texts make no variant; "" where they do."""
    try:
        variant_of(opened)
    except RefineError as error:
        return str(error)
    return ""
