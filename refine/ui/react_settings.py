"""Who works on a question: tools, actor, how tools are asked for and when it ends; and what all this changes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from refine import tools, variants
from refine.techniques.guards import MAX_STEPS
from refine.types import Json, RunSpec, Variant
from refine.ui import day_caps, end_settings, form, model_lists, parts, role_settings
from refine.ui.end_settings import Setting
from refine.ui.form import field
from refine.ui.role_settings import endpoint, job_line
from refine.ui.words import N_, _, coloured, language, ngettext, plain

VARIANT = "react_variant"
PROTOCOLS = {"json": N_("JSON text"), "native": N_("native tool calls")}
ENDS = (
    Setting("stops", "max_rounds", N_("Steps at most"), 1),
    Setting("limits", "money", N_("Money"), 0.1),
    Setting("limits", "tokens", N_("Tokens"), 10_000),
    Setting("limits", "time", N_("Minutes"), 1, per=60),
)


def seed() -> None:
    """The variant that was picked, else the one that can work here."""
    picked = form.kept().get(VARIANT)
    st.session_state[VARIANT] = picked if picked in names() else "react" if endpoint() else "react-tiny"


def names() -> list[str]:
    return variants.for_questions(parts.own_variants())


def picked() -> Variant:
    """Raises SettingsError, PromptError."""
    return parts.variant(st.session_state[VARIANT])


def cards(variant: Variant) -> None:
    tools_card(variant)
    for role in variant.spec.roles:
        role_settings.role_card(variant, role, model_lists.offered())
    fold(variant)
    day_caps.line(variant)
    if len(names()) > 1:
        st.selectbox(
            _("Variant"), names(), format_func=parts.variant_title, label_visibility="collapsed", **field(VARIANT)
        )


# --- tools -----------------------------------------------------------------------------------------------------------


def tools_card(variant: Variant) -> None:
    with st.container(border=True):
        job_line(_("Tools"), _("what the model may use"))
        st.pills(
            _("Tools"),
            tools.names(),
            selection_mode="multi",
            label_visibility="collapsed",
            **field(tools_key(variant), usual(variant)),
        )
        with st.popover(_("What each does"), type="tertiary", icon=":material/help:", width="content"):
            for tool in tools.declare(tools.names(), language()):
                asks = coloured("orange", _("asks you first")) if tool["asks"] else ""
                st.markdown(f"**{plain(tool['name'])}** {asks}  \n{plain(tool['description'])}")


def usual(variant: Variant) -> list[str]:
    return list(variant.spec.options.get("tools", tools.DEFAULT) or ())


def tools_key(variant: Variant) -> str:
    return f"{variant.name}.tools"


# --- protocol and ends -----------------------------------------------------------------------------------------------


def fold(variant: Variant) -> None:
    with st.expander(fold_label(variant), icon=":material/flag:", key="protocol"):
        protocol_field(**field(protocol_key(variant), protocol_of(variant)))
        for n in range(0, len(ENDS), 2):
            for column, setting in zip(st.columns(2), ENDS[n : n + 2], strict=False):
                with column:
                    end_settings.number_field(variant, setting)


def protocol_field(default: str | None = None, **given: Any) -> str:
    """`given`: key and the like."""
    return str(
        st.segmented_control(
            _("How tools are asked for"),
            list(PROTOCOLS),
            format_func=lambda name: _(PROTOCOLS[name]),
            default=default,
            required=True,
            help=_("Native calls need a model that knows them; JSON text works with any."),
            **given,
        )
    )


def fold_label(variant: Variant) -> str:
    protocol = str(form.recall(protocol_key(variant), protocol_of(variant)))
    steps, money = (end_settings.now(variant, setting) for setting in ENDS[:2])
    return ends_words(protocol, int(steps or MAX_STEPS), money)


def ends_words(protocol: str, steps: int, money: float | None) -> str:
    most = ngettext("at most {n} step", "at most {n} steps", steps).format(n=steps)
    most += _(" or ") + f"\\${money:,.2f}" if money else ""
    said = _("Protocol: {name}").format(name=_(PROTOCOLS[protocol])) if protocol else ""
    return f"{said} · {most}" if said else most[:1].upper() + most[1:]


def most_steps(spec: RunSpec) -> int:
    return int(spec.stops.get("max_rounds") or MAX_STEPS)


def protocol_key(variant: Variant) -> str:
    return f"{variant.name}.protocol"


def protocol_of(variant: Variant) -> str:
    return str(variant.spec.options.get("protocol") or "json")


def protocol(variant: Variant) -> str:
    return str(form.value(protocol_key(variant), protocol_of(variant)))


# --- what they change ------------------------------------------------------------------------------------------------


def changes(variant: Variant) -> dict[str, Json]:
    """What the cards set beyond the variant, as `--set` keys and values."""
    found: dict[str, Json] = {**role_settings.changes(variant), **end_settings.changes(variant)}
    chosen = form.value(tools_key(variant), usual(variant))
    if [*chosen] != usual(variant):
        found["options.tools"] = [*chosen]
    if protocol(variant) != protocol_of(variant):
        found["options.protocol"] = protocol(variant)
    return found
