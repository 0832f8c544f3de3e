"""When a run stops and which checks read along: two folds, whose labels say what is set in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from refine.schema import DRAFTS, FIELDS, Field, goes_on
from refine.types import Json, Variant
from refine.ui import form, sentences
from refine.ui.form import field
from refine.ui.parts import CHECK_NAMES
from refine.ui.words import N_, _, coloured, pgettext, plain

OFFERED = ("grammar", "wording", "typography", "repeats", "sentences", "kept")
"""Checks that need no more than to be switched on."""
LOOKS_FOR = {
    "grammar": N_("agreement, confused words, spelling"),
    "wording": N_("padding and worn phrases"),
    "typography": N_("quotation marks, dashes, spaces, full-width marks"),
    "repeats": N_("words and sentences that stand there twice"),
    "sentences": N_("sentences that are hard to follow"),
    "kept": N_("numbers, names, links and quotations of your draft"),
    "length": N_("the length that is asked for"),
    "terms": N_("words that must or must not occur"),
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A number that ends a run, and how the form shows it."""

    group: str
    name: str
    label: str
    step: float
    per: int = 1
    """What the form shows is so many times the setting's own unit."""


SETTINGS = (
    Setting("options", "n", N_("Drafts"), 1),
    Setting("stops", "max_rounds", N_("Reviews at most"), 1),
    Setting("stops", "min_rounds", N_("Reviews at least"), 1),
    Setting("stops", "score", N_("Score that is enough"), 0.5),
    Setting("stops", "plateau", N_("Rounds without gain"), 1),
    Setting("limits", "money", N_("Money"), 0.1),
    Setting("limits", "tokens", N_("Tokens"), 10_000),
    Setting("limits", "time", N_("Minutes"), 1, per=60),
    Setting("limits", "calls", N_("Model calls"), 10),
)
WITHOUT_MODELS = ("max_rounds", "time")
"""What can end a run of checks alone."""
HELP = {
    "n": N_("They are written side by side; the best is kept."),
    "max_rounds": N_("The review of your draft counts as the first."),
    "min_rounds": N_("Until then an approval that leaves remarks open does not end the run."),
    "score": N_("A text with this score ends the run, approved or not."),
    "plateau": N_("So many rounds that make nothing better end the run."),
    "money": N_("In the currency of the price; a call that could pass it is not made."),
    "tokens": N_("Prompts and replies together."),
    "time": N_("Time at work; waiting for you does not count."),
    "calls": N_("Every question to a model."),
}


def key(variant: Variant, setting: Setting) -> str:
    return f"{variant.name}.{setting.group}.{setting.name}"


def shown(variant: Variant, setting: Setting) -> float | int | None:
    """The variant's own value, in the unit of the form."""
    given = getattr(variant.spec, setting.group).get(setting.name)
    return fitting(setting, None if given is None else given / setting.per)


def fitting(setting: Setting, number: float | None) -> float | int | None:
    """As the field wants it: whole numbers for whole steps, else fractions."""
    if number is None:
        return None
    return float(number) if isinstance(setting.step, float) else round(number)


def now(variant: Variant, setting: Setting) -> Any:
    return form.recall(key(variant, setting), shown(variant, setting))


# --- the folds -------------------------------------------------------------------------------------------------------


CHOOSERS = {"judge": N_("the judge"), "checks": N_("the checks"), "both": N_("both")}


def stops_fold(variant: Variant) -> None:
    with st.expander(stops_label(variant), icon=":material/flag:", key="stops"):
        if "choose_by" in _fields(variant, "options"):
            st.segmented_control(
                _("Chosen by"),
                list(CHOOSERS),
                required=True,
                format_func=lambda by: _(CHOOSERS[by]),
                help=_("A draft with fewer musts always goes first."),
                **field(chooser_key(variant), chooser(variant)),
            )
        meant = settings(variant)
        for n in range(0, len(meant), 2):
            for column, setting in zip(st.columns(2), meant[n : n + 2], strict=False):
                with column:
                    number_field(variant, setting)


def settings(variant: Variant) -> list[Setting]:
    """Those that mean something for this variant."""
    known = [setting for setting in SETTINGS if setting.name in _fields(variant, setting.group)]
    return [setting for setting in known if variant.spec.roles or setting.name in WITHOUT_MODELS]


def chooser_key(variant: Variant) -> str:
    return f"{variant.name}.options.choose_by"


def chooser(variant: Variant) -> str:
    """Who chooses between drafts in the variant."""
    return str(variant.spec.options.get("choose_by") or "both")


def stops_label(variant: Variant) -> str:
    values = {setting.name: now(variant, setting) for setting in SETTINGS}
    if "choose_by" in _fields(variant, "options"):
        by = form.recall(chooser_key(variant), chooser(variant))
        return sentences.drafts(int(values["n"] or DRAFTS), by)
    if not goes_on(variant.spec.technique):
        return _("One call, within limits")
    return sentences.stops(int(values["max_rounds"] or 1), values["money"], values["score"])


def _fields(variant: Variant, group: str) -> dict[str, Field]:
    return dict(FIELDS[variant.spec.technique][group])


def number_field(variant: Variant, setting: Setting) -> None:
    allowed = _fields(variant, setting.group)[setting.name]
    low, high = (fitting(setting, bound / setting.per) for bound in (allowed.low, allowed.high))
    st.number_input(
        _(setting.label),
        low if isinstance(setting.step, float) else max(1, low or 0),
        high,
        value=None,
        step=setting.step,
        format="%.2f" if setting.name == "money" else None,
        placeholder=placeholder(setting, allowed),
        help=_(HELP[setting.name]),
        **field(key(variant, setting), shown(variant, setting)),
    )


def placeholder(setting: Setting, allowed: Field) -> str:
    """What an empty field means."""
    if not allowed.none:
        return _("as the variant has it")
    return _("no limit") if setting.group == "limits" else pgettext("stop", "off")


def checks_fold(variant: Variant) -> None:
    offered = [*OFFERED, *(name for name in variant.spec.checks if name not in OFFERED)]
    on = {name: form.recall(check_key(variant, name), name in variant.spec.checks) for name in offered}
    listed = _(", ").join(_(CHECK_NAMES.get(name, name)) for name, wanted in on.items() if wanted)
    with st.expander(
        _("Checks: {names}").format(names=plain(listed or _("none"))), icon=":material/checklist:", key="checks"
    ):
        with st.container(gap="xsmall"):
            for name in offered:
                words = coloured("gray", _(LOOKS_FOR[name])) if name in LOOKS_FOR else ""
                st.checkbox(f"{_(CHECK_NAMES.get(name, name))} {words}", **field(check_key(variant, name)))
        st.caption(_("Checks need no model. What they call a must blocks approval, whoever approved."))


def check_key(variant: Variant, name: str) -> str:
    return f"{variant.name}.checks.{name}"


def checks_on(variant: Variant) -> list[str]:
    names = dict.fromkeys((*OFFERED, *variant.spec.checks))
    return [name for name in names if form.value(check_key(variant, name), name in variant.spec.checks)]


# --- what they change ------------------------------------------------------------------------------------------------


def changes(variant: Variant) -> dict[str, str]:
    """What the folds set beyond the variant, as `--set` keys and values."""
    found: dict[str, str] = {}
    for setting in SETTINGS:
        allowed = _fields(variant, setting.group).get(setting.name)
        number = form.value(key(variant, setting), shown(variant, setting))
        if allowed and number != shown(variant, setting) and (number is not None or allowed.none):
            found[f"{setting.group}.{setting.name}"] = as_text(number, setting)
    if "choose_by" in _fields(variant, "options"):
        by = form.value(chooser_key(variant), chooser(variant))
        found |= {"options.choose_by": by} if by != chooser(variant) else {}
    on = checks_on(variant)
    for name in dict.fromkeys((*OFFERED, *variant.spec.checks)):
        if (name in on) != (name in variant.spec.checks):
            found[f"checks.{name}"] = "on" if name in on else "off"
    return found


def as_text(number: Json, setting: Setting) -> str:
    return "none" if number is None else f"{number * setting.per:.10g}"
