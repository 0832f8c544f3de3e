"""The left half of the start form: the draft, what it should become, samples."""

from __future__ import annotations

from functools import cache

import streamlit as st

from refine.settings import PROJECT
from refine.text import words as counting
from refine.text.language import language_of
from refine.ui import form, open_file, parts, role_settings
from refine.ui.briefing import Brief, compose, lines, listed
from refine.ui.form import field, late_field
from refine.ui.words import _, coloured, language, length, ngettext, pgettext, plain, reading_time

SAMPLES = PROJECT / "data" / "samples"
FIRST_SAMPLES = {"en": ("newsletter", "howto", "zh"), "zh": ("zh", "newsletter", "howto")}
MOST_WORDS = 1_000_000
DETAILS = ("title", "reader", "tone", "most_words", "phrases", "words")
"""Fields of the brief beside the wish."""


def draft_field() -> None:
    hint = _("Paste or type here. Markdown is fine.")
    kept = {**field("draft", ""), "on_change": typed, "args": ()}
    st.text_area(_("Your draft"), height=440, placeholder=hint, **kept)


def around_draft() -> None:
    st.caption(about_draft())
    parts.problem()
    if st.session_state.get("nothing") and (said := no_model()):
        parts.cannot(said)
    brief_row()
    samples_row()


def about_draft() -> str:
    """One line under the field: what is in it, or what is missing for a start."""
    draft = form.value("draft", "")
    if st.session_state.get("nothing") and not something():
        return coloured("orange", f":material/arrow_upward: {nothing()}")
    if not draft.strip():
        return _("Nothing leaves this computer before you press Refine.")
    n, code = counting.count(draft), language_of(draft) or "en"
    return " · ".join((length(n, code), reading_time(n, code), _("saved")))


def something() -> bool:
    """Is there anything to work on?"""
    return bool(form.value("draft", "").strip() or (form.value("brief", "").strip() and can_write()))


def can_write() -> bool:
    """Does the variant make a text where there is none? Checks alone do not."""
    variant = parts.readable_variant(st.session_state["variant"])
    return variant is None or bool(variant.spec.role("writer"))


def nothing() -> str:
    return _("Paste a draft, or say what you want written.") if can_write() else _("Paste a draft.")


def no_model() -> str:
    """Which role cannot work as the form stands, and what to do; "" where all can."""
    variant = parts.readable_variant(st.session_state["variant"])
    return role_settings.refusal(variant) if variant else ""


# --- the brief -------------------------------------------------------------------------------------------------------


def brief_row() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            _("What should it become? (optional)"),
            placeholder=_("e.g. warmer, under 250 words, keep the last line"),
            **field("brief", ""),
        )
        with st.popover(details_label(), icon=":material/tune:", key="details"), st.container(width=400):
            details()


def details_label() -> str:
    given = sum(bool(form.peek(name)) for name in DETAILS)
    return ngettext("Brief: {n} more", "Brief: {n} more", given).format(n=given) if given else _("Brief")


def details() -> None:
    text_field("title", _("Title"), _("else the first line of the text"))
    text_field("reader", _("Reader"), _("e.g. new volunteers"))
    text_field("tone", _("Tone"), _("e.g. friendly, no jargon"))
    st.number_input(
        pgettext("brief", "Words at most"),
        1,
        MOST_WORDS,
        step=10,
        placeholder=_("no limit; in Chinese, characters"),
        **late_field("most_words"),
    )
    text_lines("phrases", _("Must contain"), _("one phrase a line, word for word"))
    text_lines("words", _("Your own words"), _("names and terms, never a spelling mistake"))


def text_field(name: str, label: str, placeholder: str) -> None:
    st.text_input(label, placeholder=placeholder, **late_field(name, ""))


def text_lines(name: str, label: str, placeholder: str) -> None:
    st.text_area(label, height=96, placeholder=placeholder, **late_field(name, ""))


def brief() -> Brief:
    """As it was typed, whichever page is shown."""
    return Brief(
        form.peek("brief", ""),
        form.peek("reader", ""),
        form.peek("tone", ""),
        form.peek("most_words"),
        lines(form.peek("phrases", "")),
    )


def brief_text() -> str:
    return compose(brief(), form.peek("draft", ""))


def own_words() -> tuple[str, ...]:
    return listed(form.value("words", ""))


# --- samples ---------------------------------------------------------------------------------------------------------


def samples_row() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        open_file.button(take)
        st.markdown(coloured("gray", _("or try")), width="content")
        first = FIRST_SAMPLES[language()]
        for name in first:
            sample_button(name)
        with st.popover(_("More samples"), type="tertiary"):
            for name in samples():
                if name not in first:
                    sample_button(name)
        if form.value("draft"):
            st.button(_("Clear"), type="tertiary", icon=":material/close:", on_click=take, args=("",), key="clear")
        if st.session_state.get("replaced"):
            st.button(_("Undo"), type="tertiary", icon=":material/undo:", on_click=undo, key="undo-draft")


def sample_button(name: str) -> None:
    title, text = samples()[name]
    st.button(plain(title), type="tertiary", on_click=take, args=(text,), key=f"sample-{name}")


@cache
def samples() -> dict[str, tuple[str, str]]:
    """Name -> (first heading, text)."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(SAMPLES.glob("*.md"))}
    return {name: (_heading(text), text) for name, text in texts.items() if name != "README"}


def _heading(text: str) -> str:
    return next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), text[:40])


def take(text: str) -> None:
    """Puts a text into the field; what stood there can be had back."""
    state, before = st.session_state, form.value("draft", "")
    if before.strip() and before not in {sample for _title, sample in samples().values()}:
        state["replaced"] = before
    form.put("draft", text)


def typed() -> None:
    st.session_state.pop("replaced", None)
    form.keep("draft")


def undo() -> None:
    form.put("draft", st.session_state.pop("replaced"))
