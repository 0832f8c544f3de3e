"""Small pieces of page that Streamlit has no command for. Each is one JavaScript and at most one style file here.

Whatever people and models wrote reaches the page as text nodes only. They know nothing of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


def _component(name: str, html: str) -> Callable[..., Any]:
    styles = [HERE / file for file in ("changes.css", f"{name}.css") if (HERE / file).exists()]
    css = "".join(style.read_text(encoding="utf-8") for style in styles)
    js = (HERE / f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"refine_{name}", html=html, css=css, js=js)


@st.cache_resource(show_spinner=False)
def _registered(name: str) -> Callable[..., Any]:
    return _component(name, HTML[name])


HTML = {
    "live": """<section class="live">
<header><b class="who"></b> <span class="since"></span> <span class="spent"></span></header>
<div class="pane" tabindex="0"><span class="new"></span><span class="marks" hidden></span><span
class="caret" hidden></span><span class="rest"></span></div>
<div class="critics" hidden></div>
</section>""",
    "marked": """<section class="marked">
<header><span class="count"></span> <button type="button" hidden></button></header>
<div class="panes"></div>
</section>""",
    "findings": """<section class="findings">
<div class="filters" hidden></div>
<div class="cards"></div>
</section>""",
    "thinking": """<div class="thinking" role="status"><span class="who"></span> <span class="since"></span> <span
class="thought" aria-live="off"></span></div>""",
    "typed": "<span></span>",
}


Pieces = Sequence[tuple[str, str]]
"""A text with its changes: ("same" | "old" | "new", text)."""


def live(
    url: str,
    *,
    mark: str,
    base: str,
    marked: tuple[str, Pieces] | None,
    clock: tuple[float, bool],
    cost: str,
    pause: float,
    language: str,
    words: dict[str, str],
    on_change: Callable[[], None],
    key: str,
) -> None:
    """A run's text as it comes in, asked for at `url`. Reruns the page once when the run's mark is no longer `mark`.

    Args:
        base: what stands in the pane before anything new comes; the part not yet rewritten stays, dimmed.
        marked: a call and its finished text with changes, shown in place of the plain text once nobody writes it.
            Without a call: a text that is shown in any case.
        clock: seconds so far, and whether it ticks.
        pause: seconds until the next attempt; 0 = nobody waits.
        words: by role and state, what is said while it works.
    """
    data: dict[str, Any] = {"url": url, "mark": mark, "base": base, "language": language, "words": words}
    data |= {"marked": {"call": marked[0], "pieces": [*marked[1]]} if marked else None}
    data |= {"elapsed": clock[0], "counting": clock[1], "cost": cost, "pause": pause}
    _registered("live")(key=key, data=data, on_changed_change=on_change)


def watch(url: str, *, mark: str, key: str) -> None:
    """Shows nothing: reruns the page when the run's mark is no longer `mark`, as after an answer in another tab."""
    data = {"url": url, "mark": mark, "quiet": True, "language": ""}
    _registered("live")(key=key, data=data, height=1, on_changed_change=lambda: None)


def thinking(
    url: str, *, mark: str, clock: tuple[float, bool], pause: float, language: str, words: dict[str, str], key: str
) -> None:
    """What an actor thinks just now, in a line or three. Reruns the page as `live` does.

    Args:
        clock: seconds of the present step so far, and whether it ticks.
        pause: seconds until the next attempt; 0 = nobody waits.
        words: `thinking`, `pause` and `seconds`.
    """
    data: dict[str, Any] = {"url": url, "mark": mark, "language": language, "words": words, "pause": pause}
    data |= {"elapsed": clock[0], "counting": clock[1]}
    _registered("thinking")(key=key, data=data, on_changed_change=lambda: None)


def typed(field: str, on_typed: Callable[[str], None], *, key: str) -> None:
    """Shows nothing: `on_typed` gets what stands in the page's widget with the key `field`, soon after each change.

    For `st.chat_input`, which says nothing of a text before it is sent.
    """

    def told() -> None:
        said = st.session_state.get(key, {}).get("typed")  # nothing where the page has moved on meanwhile
        if isinstance(said, str):
            on_typed(said)

    _registered("typed")(key=key, data={"field": field}, height=1, on_typed_change=told)


def live_ahead(url: str, *, started_by: str, base: str, language: str, words: dict[str, str], key: str) -> None:
    """Shows nothing until what is pressed that starts the run of `url`; then its first text, and reruns the page.

    Args:
        started_by: what is pressed, as a selector.
        base, words: as for `live`.
    """
    data: dict[str, Any] = {"url": url, "ahead": started_by, "mark": "", "base": base, "language": language}
    data |= {"words": words, "marked": None, "elapsed": 0, "counting": True, "cost": "", "pause": 0}
    _registered("live")(key=key, data=data, on_changed_change=lambda: None)


def marked(
    panes: Sequence[Pieces],
    *,
    count: str,
    copy: str,
    language: str,
    words: dict[str, str],
    key: str,
) -> None:
    """Texts side by side.

    Args:
        copy: what the button copies; no button where it is empty.
    """
    data = {"panes": [[*pane] for pane in panes], "count": count, "copy": copy, "language": language, "words": words}
    _registered("marked")(key=key, data=data)


def findings(
    cards: Sequence[dict[str, str]],
    *,
    filters: Sequence[tuple[str, str, str]],
    actions: Mapping[str, tuple[str, str]],
    language: str,
    more: str,
    key: str,
) -> dict[str, list[int]]:
    """Findings as cards, five shown and the rest folded under `more`. Returns the cards' numbers chosen, by action.

    Args:
        cards: severity, severity_label, about, times, who, quote, remark, state, state_label, suggestion, passage.
        filters: (field, value, label) of buttons that leave only the cards with that value.
        actions: "waived" or "locked" -> what its button says before and after; "locked" only with a passage.
    """
    chosen = {name: [*st.session_state.get(key, {}).get(name, [])] for name in ("waived", "locked")}
    data = {"cards": [*cards], "filters": [*filters], "actions": dict(actions), "language": language, "more": more}
    _registered("findings")(
        key=key,
        data={**data, "chosen": chosen},
        default={"waived": [], "locked": []},
        on_waived_change=lambda: None,
        on_locked_change=lambda: None,
    )
    return chosen
