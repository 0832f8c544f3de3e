"""The settings of a variant: as texts that can be edited, and in plain rows as a run gets them, defaults filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from refine import variant_files
from refine.schema import FIELDS, Fields
from refine.types import Json, Role, Variant
from refine.ui import prompts_state
from refine.ui.end_settings import SETTINGS as NUMBERS
from refine.ui.parts import CHECK_NAMES, role_words
from refine.ui.prompts_state import Opened
from refine.ui.react_settings import PROTOCOLS
from refine.ui.words import N_, _, coloured, plain
from refine.variant_files import ABOVE
from refine.variants import SETTINGS

NAMES = {
    **{setting.name: setting.label for setting in NUMBERS},
    "time": N_("Seconds at work"),
    "max_steps": N_("Steps at most"),
    "model": N_("Model"),
    "endpoint": N_("Endpoint"),
    "temperature": N_("Temperature"),
    "max_tokens": N_("Tokens of a reply at most"),
    "reply": N_("Form of its replies"),
    "no_change": N_("Stops when nothing changes"),
    "oscillation": N_("Stops when it goes to and fro"),
    "failures": N_("Failures in a row"),
    "token": N_("Word that approves"),
    "critics": N_("Critics that must approve"),
    "pause": N_("Waits for you after a round"),
    "choose": N_("Small model chooses words"),
    "choose_by": N_("Chosen by"),
    "protocol": N_("How tools are asked for"),
    "tools": N_("Tools"),
    "context": N_("Tokens of a prompt at most"),
    "observation": N_("Characters of a result at most"),
    "tool_first": N_("A tool before the answer"),
}
VALUES = {
    ("critics", "all"): N_("all"),
    ("choose_by", "judge"): N_("a judge"),
    ("choose_by", "checks"): N_("checks"),
    ("choose_by", "both"): N_("checks and a judge"),
    ("critics", "majority"): N_("a majority"),
    ("reply", "text"): N_("plain text"),
    ("reply", "json"): "JSON",
    **{("protocol", name): words for name, words in PROTOCOLS.items()},
}
GROUPS = {"stops": N_("Stops"), "limits": N_("Limits"), "options": N_("Options")}
HEIGHT, HEIGHT_ABOVE = 330, 100


def edit(opened: Opened) -> None:
    """The texts at the left."""
    prompts_state.field(opened, SETTINGS, SETTINGS, HEIGHT, show_label=True)
    for role in variant_files.roles_of(opened.now):
        if role + ABOVE in opened.now:
            prompts_state.field(opened, role + ABOVE, label_of(role), HEIGHT_ABOVE, show_label=True)


def label_of(role: str) -> str:
    return _("{role}: model, temperature and the like").format(role=plain(role_words(Role(role))[0]))


def show(variant: Variant) -> None:
    """The rows at the right."""
    st.caption(_("What a run gets, with all that is not said here filled in"))
    for heading, rows in groups(variant):
        if rows:
            st.markdown("  \n".join((f"**{heading}**", *row_words(rows))))


def row_words(rows: Sequence[tuple[str, Json]]) -> Iterator[str]:
    """A line for each, and one for all that are not set."""
    for name, value in rows:
        if value is True and name in CHECK_NAMES:
            yield label_words(name)
        elif value is not None:
            said = _(VALUES[name, value]) if (name, str(value)) in VALUES else value_words(value)
            yield _("{name}: {value}").format(name=label_words(name), value=plain(said))
    if without := [label_words(name).lower() for name, value in rows if value is None]:
        yield coloured("gray", _("not set: {names}").format(names=_(", ").join(without)))


def label_words(name: str) -> str:
    return _(NAMES[name]) if name in NAMES else _(CHECK_NAMES.get(name, name))


def groups(variant: Variant) -> Iterator[tuple[str, list[tuple[str, Json]]]]:
    """Heading -> names and values; None where nothing is set."""
    spec, known = variant.spec, FIELDS[variant.spec.technique]
    for role in spec.roles:
        values = {"model": role.model or None, "endpoint": role.endpoint or None, "temperature": role.temperature}
        values |= {"max_tokens": role.max_tokens, "reply": role.options.get("reply")}
        yield plain(role_words(role)[0]), [*values.items()]
    for group, words in GROUPS.items():
        found = rows(getattr(spec, group), known[group])
        steps = spec.technique == "react"  # each of whose steps is a round
        yield _(words), [("max_steps" if steps and name == "max_rounds" else name, value) for name, value in found]
    yield _("Checks"), [(name, dict(options) or True) for name, options in spec.checks.items()]


def rows(values: Mapping[str, Json], fields: Fields) -> list[tuple[str, Json]]:
    """Those that people set; what only a program gives to a run is left out."""
    return [(name, values.get(name)) for name in fields if name in NAMES]


def value_words(value: Json) -> str:
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, Mapping):
        return " · ".join(f"{name} {value_words(part)}" for name, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _(", ").join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)
