"""Who works on a draft: a card for each role with its model, its freedom and its prompt, and what they change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from refine.doors import needs_key
from refine.models.characters import CHARACTERS
from refine.schema import goes_on
from refine.types import Role, Variant
from refine.ui import form, model_lists, prompt_drawer
from refine.ui.form import field
from refine.ui.parts import EMBEDDED, SCRIPTED, model_words, role_words, workbench
from refine.ui.words import N_, _, coloured, plain, together

FREEDOM = {"careful": 0.3, "balanced": 0.7, "free": 1.0}
FREEDOM_NAMES = {"careful": N_("Careful"), "balanced": N_("Balanced"), "free": N_("Free")}


def endpoint() -> str:
    """Where models are asked by default; "" without a key or an endpoint."""
    bench = workbench()
    if bench.settings.default_endpoint:
        return bench.settings.default_endpoint
    openai = bench.settings.endpoints["openai"]
    return "openai" if not needs_key(openai) or bench.keys.find(openai) else ""


def key(variant: str, role: Role, name: str) -> str:
    return f"{variant}.{role.name}.{name}"


# --- the cards -------------------------------------------------------------------------------------------------------


def role_cards(variant: Variant) -> None:
    offered = model_lists.offered() if variant.spec.roles else {}
    for role in variant.spec.roles:
        role_card(variant, role, offered)
    for said in remarks(variant, offered):
        st.caption(said)


def role_card(variant: Variant, role: Role, offered: Mapping[str, list[str]]) -> None:
    name, job = role_words(role)
    if role.name == "writer" and not goes_on(variant.spec.technique):
        job = _("writes the whole text in one go")
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            job_line(plain(name), job)
            prompt_drawer.button(variant, role, name)
        st.selectbox(
            _("Model of the {role}").format(role=name),
            choices(role, offered),
            index=None,
            format_func=model_name,
            accept_new_options=True,
            placeholder=_("Type a model's name, or pick one"),
            label_visibility="collapsed",
            **model_field(variant, role),
        )
        freedom_row(variant, role)


def job_line(name: str, job: str) -> None:
    st.markdown(f"**{name}** {coloured('gray', job)}", width="content")


def remarks(variant: Variant, offered: Mapping[str, list[str]]) -> list[str]:
    """What is worth knowing about the models that are set."""
    if not variant.spec.roles:
        return []
    if not endpoint():
        scripted = any(where == SCRIPTED for where, _name in set_models(variant).values())
        words = _("No key set: a scripted model only shows how the loop works; it cannot judge a text.")
        return [words] if scripted else []
    said = []
    if endpoint() in offered and not offered[endpoint()]:
        said.append(_("The endpoint did not name its models, so type a name."))
    if same_model(set_models(variant)):
        said.append(
            _("Writer and critic are the same model; it may like its own text too well.")
            if variant.spec.critics
            else _("Writer and judge are the same model; it may like its own text too well.")
        )
    return said


def set_models(variant: Variant) -> dict[str, tuple[str, str]]:
    """Role -> (endpoint, model) as the form has them."""
    return {role.name: place(role, form.value(key(variant.name, role, "model"))) for role in variant.spec.roles}


def lacking(variant: Variant) -> str:
    """What the roles still need before a model can be asked, in a few words; "" where nothing is missing."""
    models = set_models(variant)
    if without := [role for role in variant.spec.roles if not will_have_model(*models[role.name])]:
        names = _(", ").join(role_words(role)[0] for role in without)
        return _("No model yet: {roles}.").format(roles=names)
    asked = dict.fromkeys(where or "openai" for where, _name in models.values())
    if keyless := [where for where in asked if not has_key(where)]:
        return _("No key yet: {endpoints}.").format(endpoints=_(", ").join(keyless))
    return ""


def will_have_model(where: str, name: str) -> bool:
    """Is one picked, or will the endpoint's only one do? A list that has not come yet may name just one."""
    if name or not where:
        return bool(name)
    return bool(workbench().settings.model) or len(model_lists.offered().get(where, [""])) == 1


def has_key(where: str) -> bool:
    """Can this endpoint be asked, as far as its key goes?"""
    endpoint = workbench().settings.endpoints.get(where)
    return endpoint is None or not needs_key(endpoint) or bool(workbench().keys.find(endpoint))


def refusal(variant: Variant) -> str:
    """Which role cannot work as the form stands, and what to do; "" where all can."""
    said = lacking(variant)
    return together(said, way_out()) if said else ""


def way_out() -> str:
    """What can be done where a role lacks something."""
    if endpoint():
        return _("Pick a model at the right, or choose a variant that needs none.")
    return _("Pick a model at the right, add a key, or choose a variant that needs none.")


def same_model(models: Mapping[str, tuple[str, str]]) -> bool:
    """Does a model judge what it wrote? Scripted characters have no taste, so with them it does not count."""
    where, name = models.get("writer", ("", ""))
    critics = [place for role, place in models.items() if role.startswith(("critic", "judge"))]
    return bool(name) and where != SCRIPTED and (where, name) in critics


# --- models ----------------------------------------------------------------------------------------------------------


def choices(role: Role, offered: Mapping[str, list[str]]) -> list[str]:
    """The model that is set, those the endpoints offer, the scripted ones. Any other name can be typed."""
    here = offered.get(endpoint(), [])
    elsewhere = [f"{where}/{name}" for where, names in offered.items() if where != endpoint() for name in names]
    scripted = [f"{SCRIPTED}/{name}" for name in CHARACTERS]
    return list(dict.fromkeys(filter(None, [default_choice(role), *here, *elsewhere, *scripted])))


def default_choice(role: Role) -> str | None:
    """The role's own model, else the one of the settings, else the one picked last."""
    if role.model:
        return f"{role.endpoint}/{role.model}" if role.endpoint not in ("", endpoint()) else role.model
    if role.endpoint not in ("", endpoint()) or not endpoint():
        return None
    return workbench().settings.model or form.recall("model") or None


def model_field(variant: Variant, role: Role) -> dict[str, Any]:
    name = key(variant.name, role, "model")
    made = field(name)
    if st.session_state[name] is None:
        st.session_state[name] = default_choice(role)
    return {**made, "on_change": picked, "args": (name,)}


def picked(name: str) -> None:
    """A model at the default endpoint is also the first guess for roles without one."""
    form.keep(name)
    choice = form.value(name)
    if endpoint() and choice and place(Role(""), choice)[0] == endpoint():
        form.put("model", choice)


def model_name(choice: str) -> str:
    where, _slash, name = choice.partition("/")
    return model_words(where, name) if where in (SCRIPTED, EMBEDDED) else choice


def place(role: Role, choice: str | None) -> tuple[str, str]:
    """(endpoint, model) of a choice: "endpoint/model" names another endpoint; else it is a model at the role's own.

    The default endpoint is never named: at many of them a model's own name has a slash in it.
    """
    where, slash, name = (choice or "").partition("/")
    if slash and where in workbench().settings.endpoints and where != endpoint():
        return where, name.strip()
    return role.endpoint or endpoint(), (choice or "").strip()


# --- freedom ---------------------------------------------------------------------------------------------------------


def freedom_row(variant: Variant, role: Role) -> None:
    """Careful, balanced or free, and the number that is sent."""
    number, name = key(variant.name, role, "temperature"), key(variant.name, role, "freedom")
    st.session_state.setdefault(name, freedom_of(form.recall(number, role.temperature)))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            _("Freedom"),
            list(FREEDOM),
            format_func=lambda freedom: _(FREEDOM_NAMES[freedom]),
            key=name,
            label_visibility="collapsed",
            on_change=number_from_name,
            args=(name, number),
        )
        with st.container(width=125):
            st.number_input(
                _("Temperature"),
                0.0,
                2.0,
                value=None,
                step=0.05,
                format="%.2f",
                key=number,
                label_visibility="collapsed",
                on_change=name_from_number,
                args=(name, number),
                placeholder=_("not sent"),
            )


def freedom_of(temperature: float | None) -> str | None:
    return next((name for name, number in FREEDOM.items() if number == temperature), None)


def number_from_name(name: str, number: str) -> None:
    if picked := form.value(name):
        form.put(number, FREEDOM[picked])


def name_from_number(name: str, number: str) -> None:
    st.session_state[name] = freedom_of(form.value(number))
    form.keep(number)


# --- what they change ------------------------------------------------------------------------------------------------


def changes(variant: Variant) -> dict[str, str]:
    """What the cards set beyond the variant, as `--set` keys and values."""
    found: dict[str, str] = {}
    for role in variant.spec.roles:
        where, name = place(role, form.value(key(variant.name, role, "model")))
        found |= {f"role.{role.name}.{part}": text for part, text in (("endpoint", where), ("model", name)) if text}
        temperature = form.value(key(variant.name, role, "temperature"), role.temperature)
        if temperature != role.temperature:
            found[f"role.{role.name}.temperature"] = "none" if temperature is None else f"{temperature:g}"
        if (prompt := prompt_drawer.edited(variant, role)) is not None:
            found[f"role.{role.name}.prompt"] = prompt
    return found
