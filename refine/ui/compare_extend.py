"""The plan of a comparison that has begun: what is compared, and what can be added; what exists is not paid again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine import comparisons
from refine.cells import cells
from refine.comparisons import Estimate
from refine.errors import RefineError
from refine.plan import MOST_REPEATS, Entry, Plan, Text
from refine.types import Comparison, Json, Role
from refine.ui import (
    compare_downloads,
    compare_form,
    compare_list,
    compare_plan,
    compare_texts,
    compare_words,
    model_lists,
    parts,
)
from refine.ui.frame import bar
from refine.ui.parts import attempt, workbench
from refine.ui.words import _, coloured, language, ngettext, pgettext, plain

ADD = "extend."
"""With what the names of the fields for additions begin. They are of one comparison and forgotten with its page."""


@dataclass(frozen=True, slots=True)
class Addition:
    """What would be added; what is wrong with it."""

    made: Comparison | None = None
    estimate: Estimate | None = None
    there: int = 0
    """Runs that exist and are not paid again."""
    problem: str = ""

    @property
    def adds(self) -> bool:
        return self.estimate is not None and self.estimate.runs > 0


def show(comparison_id: str, made: Comparison) -> None:
    model_lists.ask()
    left, right = st.columns([7, 4], gap="large")
    with left:
        whats_there(comparison_id, made)
    with right:
        st.subheader(_("Add"), anchor=False)
        additions(made)
        added = addition(comparison_id, made)
        if said := models_words(made):
            st.caption(said)
        compare_plan.problem(added.problem)
    bar(words_of(added), partial(buttons, comparison_id))


# --- what is compared ------------------------------------------------------------------------------------------------


def whats_there(comparison_id: str, made: Comparison) -> None:
    text = st.column_config.TextColumn
    names, baseline = compare_words.titles(made), _("baseline")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "variant": names[variant.name] + (f" · {baseline}" if variant.name == made.against else ""),
                    "purpose": variant.purpose.get(language()) or variant.purpose.get("en", ""),
                    "models": compare_words.models(variant),
                }
                for variant in made.variants
            ]
        ),
        hide_index=True,
        height="content",
        column_config={
            "variant": text(_("Variant"), width=170),
            "purpose": text(_("What it does"), width=340),
            "models": text(_("Models"), width=250),
        },
        key="plan-variants",
        alt=_("The variants that are compared."),
    )
    listed = {
        "text": [task.title for task in made.tasks],
        "length": [compare_texts.length_of(task.draft) if task.draft else "" for task in made.tasks],
    }
    if any(task.brief for task in made.tasks):
        listed["brief"] = [task.brief for task in made.tasks]
    st.dataframe(
        pd.DataFrame(listed),
        hide_index=True,
        height="content" if len(made.tasks) <= 8 else 330,
        column_config={
            "text": text(pgettext("compared", "Text"), width=260),
            "length": text(_("Length"), width="small"),
            "brief": text(_("What it should become"), width="medium"),
        },
        key="plan-texts",
        alt=_("The texts on which they are compared."),
    )
    st.caption(plain(settings_words(made)).replace("$", "\\$"))
    compare_downloads.plan_button(comparison_id)


def settings_words(made: Comparison) -> str:
    money, tokens = (made.limits.get(name) for name in ("money", "tokens"))
    said = [
        ngettext("each once", "{n} repeats", made.repeats).format(n=made.repeats),
        _("{n} at a time").format(n=made.concurrency),
        _("at most {money}").format(money=f"${money:,.2f}") if isinstance(money, int | float) else "",
        _("at most {n} tokens").format(n=f"{tokens:,}") if isinstance(tokens, int | float) else "",
        compare_words.judge_words(made),
        _("the judge also compares pairs") if made.pairs else "",
    ]
    return " · ".join(filter(None, said))


# --- what can be added -----------------------------------------------------------------------------------------------


def additions(made: Comparison) -> None:
    there = {variant.name for variant in made.variants}
    st.pills(
        _("Variants"),
        [name for name in compare_form.names() if name not in there],
        selection_mode="multi",
        format_func=parts.variant_title,
        wrap=True,
        key=ADD + "variants",
    )
    for n, text in enumerate(more_texts()):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(plain(compare_texts.title_of(text)), width="content")
            st.caption(compare_texts.length_of(text["draft"]), width="content")
            st.button("", type="tertiary", icon=":material/close:", help=_("Remove this text"), on_click=remove,
                      args=(n,), key=f"extend-remove-{n}")  # fmt: skip
    st.text_area(_("One more text"), height=140, placeholder=_("Paste another text here"), key=ADD + "text")
    compare_texts.files_button(add_texts)
    if ADD + "repeats" not in st.session_state:
        st.session_state[ADD + "repeats"] = made.repeats
    st.number_input(_("Repeats"), made.repeats, MOST_REPEATS, key=ADD + "repeats")


def more_texts() -> list[dict[str, str]]:
    return [*st.session_state.get(ADD + "texts", [])]


def add_texts(found: Any) -> None:
    new = [{"title": title, "draft": text} for title, text in found if text.strip()]
    st.session_state[ADD + "texts"] = [*more_texts(), *new]


def remove(n: int) -> None:
    st.session_state[ADD + "texts"] = [text for m, text in enumerate(more_texts()) if m != n]


def models_words(made: Comparison) -> str:
    """Whose model new variants take, where some are added."""
    writer = first_writer(made)
    if not writer or not st.session_state.get(ADD + "variants"):
        return ""
    return _("New variants use {model}, as those that are there do.").format(
        model=plain(parts.model_words(writer.endpoint, writer.model))
    )


def first_writer(made: Comparison) -> Role | None:
    return next((writer for variant in made.variants if (writer := variant.spec.role("writer"))), None)


def models_of(made: Comparison, name: str) -> dict[str, Json]:
    """As `--set`: the model of those that are there, for each role that names none."""
    variant, writer = parts.variant(name), first_writer(made)
    if writer is None:
        return compare_form.models_of(variant)
    place = writer.endpoint, writer.model
    lacking = [role.name for role in variant.spec.roles if not role.model]
    return {key: value for role in lacking for key, value in compare_form.played(role, place).items()}


def plan(made: Comparison) -> Plan:
    state = st.session_state
    names: list[str] = state.get(ADD + "variants") or []
    typed = str(state.get(ADD + "text") or "")
    texts = [Text(text["draft"], text["title"]) for text in more_texts()] + ([Text(typed)] if typed.strip() else [])
    return Plan(
        variants=tuple(Entry(name, changes=models_of(made, name)) for name in names),
        texts=tuple(texts),
        repeats=int(state.get(ADD + "repeats") or 1),
    )


def addition(comparison_id: str, made: Comparison) -> Addition:
    bench = workbench()
    begun = bench.store.comparisons.runs(comparison_id)
    done = frozenset(cell for run_id, cell in cells(comparison_id, made).items() if run_id in begun)
    try:
        wider = comparisons.widened(bench, made, plan(made))
        before = frozenset(cells(comparison_id, made).values())
        return Addition(wider, comparisons.estimate(bench, wider, before), len(done))
    except RefineError as error:
        return Addition(problem=str(error))


# --- the bar ---------------------------------------------------------------------------------------------------------


def words_of(added: Addition) -> str:
    if added.problem:
        return coloured("orange", _("It cannot be added yet: see the note beside it."))
    if added.estimate is None or not added.adds:
        return _("Add a variant, a text or repeats: what exists is not paid again.")
    said = _("Adds {what}").format(what=compare_words.taking(added.estimate))
    kept = ngettext("the {n} that exists is not paid again", "the {n} that exist are not paid again", added.there)
    return f"{said}; {kept.format(n=added.there)}"


def buttons(comparison_id: str) -> None:
    st.button(
        _("Add to the comparison"), type="primary", icon=":material/add:", on_click=extend, args=(comparison_id,),
        key="extend-comparison",
    )  # fmt: skip


def extend(comparison_id: str) -> None:
    """Adds what is chosen; with nothing chosen it does nothing."""
    bench = workbench()
    made = bench.store.comparisons.read(comparison_id)
    wanted = plan(made)
    if not wanted.variants and not wanted.texts and wanted.repeats <= made.repeats:
        return
    if attempt(partial(comparisons.extend, bench, comparison_id, wanted)):
        for name in ("variants", "texts", "text", "repeats"):
            st.session_state.pop(ADD + name, None)
        compare_list.open_comparison(comparison_id)
