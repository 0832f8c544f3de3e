"""The form of a new comparison: one draft, two variants, one button; all else is folded. Under it those made before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from refine import comparisons
from refine.board_words import shared_models
from refine.comparisons import BEST_OF_N, ONE_PROMPT, Estimate
from refine.errors import RefineError, StoreError
from refine.orders import new_id
from refine.plan import MOST_AT_ONCE, MOST_REPEATS, Plan
from refine.types import Comparison, Role
from refine.ui import (
    compare_form,
    compare_list,
    compare_texts,
    compare_words,
    key_form,
    language_switch,
    model_lists,
    parts,
    role_settings,
)
from refine.ui.compare_form import START, field, recall
from refine.ui.frame import bar
from refine.ui.parts import attempt, workbench
from refine.ui.role_settings import FREEDOM, FREEDOM_NAMES, endpoint
from refine.ui.words import _, coloured, language, ngettext, plain

ROUNDS = ("1", "2", "3", "4", "6", "8")
"""Reviews at most, as proposed."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What the form means; what is wrong with it, and where."""

    comparison: Comparison | None = None
    estimate: Estimate | None = None
    place: str = ""
    problem: str = ""

    def at(self, place: str) -> str:
        return self.problem if self.place == place else ""


def show() -> None:
    seed()
    model_lists.ask()
    header()
    parts.problem()
    checked = check(compare_form.plan())
    left, right = st.columns([7, 4], gap="large")
    with left:
        tried = checked.place == "texts" and st.session_state.get("nothing")
        compare_texts.show(checked.problem if tried else "")
    with right:
        settings_side(checked)
    compare_list.show()
    bar(standing(checked), partial(buttons, checked))


def seed() -> None:
    """The id that the next comparison will have, fixed before it is started."""
    if "next_comparison" not in st.session_state or known(st.session_state["next_comparison"]):
        st.session_state["next_comparison"] = new_id()
    compare_form.seed()


def header() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Compare variants"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            language_switch.button()
            if not endpoint():
                st.badge(_("No key"), icon=":material/key_off:", color="orange")


# --- is it a plan? ---------------------------------------------------------------------------------------------------


def check(plan: Plan) -> Checked:
    if not plan.texts:
        return Checked(place="texts", problem=_("Paste a draft, or pick a sample."))
    if compare_form.lacks_model():
        return Checked(place="model", problem=_("Pick the model that writes and judges."))
    bench = workbench()
    try:
        made = comparisons.prepare(bench, plan)
        return Checked(made, comparisons.estimate(bench, made))
    except RefineError as error:
        return Checked(place=place_of(plan), problem=str(error))


def place_of(plan: Plan) -> str:
    """The part of the form without which the plan would do; the variants, where none is."""
    less = {
        "judge": replace(plan, judge="", pairs=False),
        "baselines": replace(plan, judge="", pairs=False, one_prompt=False, best_of_n=False, baseline=""),
    }
    for place, smaller in less.items():
        try:
            comparisons.prepare(workbench(), smaller)
        except RefineError:
            continue
        return place
    return "variants"


# --- the right side --------------------------------------------------------------------------------------------------


def settings_side(checked: Checked) -> None:
    st.pills(
        _("Variants"),
        compare_form.names(),
        selection_mode="multi",
        format_func=parts.variant_title,
        wrap=True,
        **field("variants"),
    )
    with st.container(gap="xsmall"):
        for variant in compare_form.picked_variants():
            purpose = variant.purpose.get(language()) or variant.purpose.get("en", "")
            st.caption(f"**{plain(compare_words.title_of(variant, language()))}** {plain(purpose)}")
    problem(checked.at("variants"))
    model_row(checked.at("model"))
    baselines_fold(checked)
    judge_fold(checked)
    limits_fold()
    vary_fold()
    for said in remarks(checked):
        st.caption(said)


def problem(said: str) -> None:
    if said:
        st.caption(coloured("orange", f":material/error: {plain(said)}"))


def model_row(wrong: str) -> None:
    if not compare_form.without_model():
        return
    if not endpoint():
        st.caption(_("No key set: where a model is needed, a scripted one stands in. It shows how comparing works; it "
                     "cannot judge a text."))  # fmt: skip
        return
    model_field("model", _("Model of writers and critics"), compare_form.model() or None)
    problem(wrong)


def model_field(name: str, label: str, default: str | None = None, placeholder: str = "") -> None:
    offered = model_lists.offered()
    st.selectbox(
        label,
        role_settings.choices(Role("writer"), offered),
        index=None,
        format_func=role_settings.model_name,
        accept_new_options=True,
        placeholder=placeholder or _("Type a model's name, or pick one"),
        **field(name, default),
    )


# --- folds -----------------------------------------------------------------------------------------------------------


def baselines_fold(checked: Checked) -> None:
    added = {ONE_PROMPT: compare_form.one_prompt(), BEST_OF_N: compare_form.best_of_n()}
    named = [parts.variant_title(name) for name, wanted in added.items() if wanted]
    label = _("Baselines: {names}").format(names=_(", ").join(named) or _("none added"))
    with st.expander(label, icon=":material/balance:", key=START + "baselines", expanded=bool(checked.at("baselines"))):
        st.checkbox(
            _("Add one strong single prompt as baseline"),
            help=_("One call instead of a loop: is the loop worth its rounds?"),
            **field("one_prompt"),
        )
        st.checkbox(
            _("Add best of N at the same cost"),
            help=_("So many drafts side by side as cost what the first loop costs; the best is taken."),
            **field("best_of_n", False),
        )
        st.selectbox(
            _("Differences are against"),
            compare_form.baselines(),
            index=None,
            format_func=parts.variant_title,
            placeholder=parts.variant_title(usual_baseline()) if compare_form.baselines() else "",
            **field("baseline"),
        )
        problem(checked.at("baselines"))


def usual_baseline() -> str:
    return ONE_PROMPT if compare_form.one_prompt() else compare_form.baselines()[0]


def judge_fold(checked: Checked) -> None:
    model = recall("judge")
    said = role_settings.model_name(model) if model else _("none, checks measure")
    label = _("Judge: {model}").format(model=plain(said))
    with st.expander(label, icon=":material/gavel:", key=START + "judging", expanded=bool(checked.at("judge"))):
        model_field("judge", _("Model that scores every result"), placeholder=_("No judge: the checks measure"))
        st.checkbox(
            _("The judge also compares pairs"),
            help=_("Each result against the baseline's, in both orders; only who wins both has won."),
            disabled=not model,
            **field("pairs", False),
        )
        st.caption(_("The same judge for all. It never sees whose text it reads, nor what it cost."))
        problem(checked.at("judge"))


def limits_fold() -> None:
    repeats, at_once = (int(recall(name, usual) or usual) for name, usual in
                        (("repeats", compare_form.REPEATS), ("at_once", compare_form.AT_ONCE)))  # fmt: skip
    money, tokens = recall("money"), recall("tokens")
    said = [
        ngettext("each once", "{n} repeats", repeats).format(n=repeats),
        _("{n} at a time").format(n=at_once),
        _("at most {money}").format(money=f"\\${money:,.2f}") if money else "",
        _("at most {n} tokens").format(n=f"{tokens:,}") if tokens else "",
        "" if money or tokens else _("no limit"),
    ]
    label = _("Runs: {how}").format(how=_(", ").join(filter(None, said)))
    with st.expander(label, icon=":material/speed:", key=START + "limits"):
        one, two = st.columns(2)
        with one:
            st.number_input(_("Repeats"), 1, MOST_REPEATS, **field("repeats", compare_form.REPEATS))
            st.number_input(
                _("Money, all runs together"), 0.01, value=None, step=0.5, format="%.2f", placeholder=_("no limit"),
                **field("money"),
            )  # fmt: skip
        with two:
            st.number_input(_("Runs at a time"), 1, MOST_AT_ONCE, **field("at_once", compare_form.AT_ONCE))
            st.number_input(
                _("Tokens, all runs together"), 1_000, value=None, step=50_000, placeholder=_("no limit"),
                **field("tokens"),
            )  # fmt: skip
        st.text_input(_("Name of the comparison"), placeholder=_("else its variants"), **field("title", ""))


def vary_fold() -> None:
    name, setting, values = compare_form.varied_values()
    label = _("Vary a setting")
    if values:
        about = _("{setting} of {variant}").format(
            setting=_(compare_form.SETTINGS[setting].label), variant=plain(parts.variant_title(name))
        )
        label = _("Vary: {setting}, {n} values").format(setting=about, n=len(values))
    with st.expander(label, icon=":material/tune:", key=START + "vary"):
        st.selectbox(
            _("Variant"), compare_form.picked(), index=None, format_func=parts.variant_title,
            placeholder=_("none"), **field("vary.variant"),
        )  # fmt: skip
        found = next((one for one in compare_form.picked_variants() if one.name == recall("vary.variant")), None)
        if found is None:
            return
        choices = compare_form.settings_of(found)
        if recall("vary.setting") not in choices:
            st.session_state[START + "vary.setting"] = choices[0]
        st.selectbox(
            _("Setting"), choices, format_func=lambda one: _(compare_form.SETTINGS[one].label), **field("vary.setting")
        )
        values_field(str(recall("vary.setting")))
        if unread := compare_form.unread():
            problem(_("This cannot be a value: {values}.").format(values=_(", ").join(unread)))
        st.caption(_("The variant is run once with each value, in place of itself."))


def values_field(setting: str) -> None:
    options, say, free = offered_values(setting)
    there = [str(one) for one in recall(f"vary.{setting}", []) or []]
    st.multiselect(
        _("Values"),
        list(dict.fromkeys([*options, *there])),
        format_func=say,
        accept_new_options=free,
        placeholder=_("Pick or type some") if free else _("Pick some"),
        **field(f"vary.{setting}", []),
    )


def offered_values(setting: str) -> tuple[Sequence[str], Any, bool]:
    """Values to pick, how they are said, and whether others may be typed."""
    if setting.endswith(".model"):
        return role_settings.choices(Role("writer"), model_lists.offered()), role_settings.model_name, True
    if setting.endswith(".temperature"):
        return [f"{number:g}" for number in FREEDOM.values()], freedom_words, True
    if setting == "technique":
        return list(compare_form.TECHNIQUES), compare_form.say_technique, False
    return ROUNDS, str, True


def freedom_words(number: str) -> str:
    names: Mapping[str, str] = {f"{value:g}": name for name, value in FREEDOM.items()}
    return f"{_(FREEDOM_NAMES[names[number]])} {number}" if number in names else number


# --- what to know before ---------------------------------------------------------------------------------------------


def remarks(checked: Checked) -> list[str]:
    made = checked.comparison
    if made is None or checked.estimate is None:
        return []
    said = [same_model(model, players) for model, players in dict.fromkeys(shared_models(made))]
    if made.judge and any(role.endpoint == parts.SCRIPTED for role in made.judge.roles):
        said.append(_("A scripted model is no judge: its scores only show how a comparison looks."))
    if not checked.estimate.cost[1].complete:
        limited = made.limits.get("money")
        said.append(
            _("Not every price is known, so {n} tokens hold as well as the limit on money.").format(
                n=f"{made.limits['tokens']:,}"
            ) if limited else _("Not every price is known, so costs will say “at least”.")
        )  # fmt: skip
    if len(made.tasks) == 1:
        said.append(_("One text shows how the variants work; which is better takes more texts."))
    return said


def same_model(model: str, players: Sequence[str]) -> str:
    first, *others = (compare_words.role_name(Role(part)) for part in players)
    named = _(" and ").join((first, *(name.lower() for name in others)))
    return _("{players} are the same model, {model}; it may like its own text too well.").format(
        players=named, model=plain(model)
    )


# --- the bar ---------------------------------------------------------------------------------------------------------


def standing(checked: Checked) -> str:
    if checked.estimate:
        return compare_words.taking(checked.estimate)
    if checked.place == "texts":
        return coloured("orange", plain(checked.problem)) if st.session_state.get("nothing") else _(
            "A draft, two variants, and Start: then you see rounds, costs and both texts."
        )  # fmt: skip
    return coloured("orange", _("It cannot start yet: see the note beside the settings."))


def buttons(checked: Checked) -> None:
    if not endpoint():
        key_form.button()
    st.button(
        _("Start comparison"),
        type="primary",
        icon=":material/play_arrow:",
        on_click=start,
        shortcut="Mod+Enter",
        key="start-comparison",
    )


def start() -> None:
    """Begins the comparison whose id was fixed before; a second click only opens it."""
    comparison_id, plan = st.session_state["next_comparison"], compare_form.plan()
    if not plan.texts:
        st.session_state["nothing"] = True
        return
    if known(comparison_id) or attempt(partial(begin, comparison_id, plan)):
        compare_list.open_comparison(comparison_id)


def known(comparison_id: str) -> bool:
    return workbench().store.comparisons.exists(comparison_id)


def begin(comparison_id: str, plan: Plan) -> str:
    bench = workbench()
    made = comparisons.prepare(bench, replace(plan, title=plan.title or usual_title(plan)))
    try:
        comparisons.begin(bench, made, comparison_id)
    except StoreError:
        if not known(comparison_id):
            raise
    return comparison_id


def usual_title(plan: Plan) -> str:
    return " / ".join(parts.variant_title(entry.called) for entry in plan.variants[:4])
