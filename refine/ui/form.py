"""What stands in the start form. Every change goes to the store at once, so no reload, tab or restart loses it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from refine.ui.parts import DRAFT, workbench


def kept() -> dict[str, Any]:
    """What was typed, in this tab or another."""
    return workbench().store.draft_get(DRAFT) or {}


def field(name: str, default: Any = None) -> dict[str, Any]:
    """What makes a widget the field of that name: it shows what was kept, else the default, and keeps its changes."""
    recall(name, default)
    return {"key": name, "on_change": keep, "args": (name,)}


def recall(name: str, default: Any = None) -> Any:
    """The value of a field, shown or not."""
    state = st.session_state
    if name not in state:
        state[name] = kept().get(name, default)
    return state[name]


def late_field(name: str, default: Any = None) -> dict[str, Any]:
    """As `field`, for what the browser draws only once it is opened: the value goes along every time."""
    return {"key": name, "on_change": keep, "args": (name,), "value": peek(name, default)}


def peek(name: str, default: Any = None) -> Any:
    """The value of a late field before it is drawn."""
    return st.session_state[name] if name in st.session_state else kept().get(name, default)


def value(name: str, default: Any = None) -> Any:
    """The value of a field that the page has drawn."""
    return st.session_state.get(name, default)


def put(name: str, value: Any) -> None:
    st.session_state[name] = value
    keep(name)


def keep(*names: str) -> None:
    """Stores these fields; the others stay as any tab left them. What could not be done before is forgotten.

    A browser may still speak of a field that the page has given up; that one has nothing to keep.
    """
    state = st.session_state
    for said in ("problem", "nothing"):
        state.pop(said, None)
    workbench().store.draft_put(DRAFT, {**kept(), **{name: state[name] for name in names if name in state}})


def forget(*starts: str) -> None:
    """Fields whose name begins like this have their defaults again."""
    state = st.session_state
    for name in [name for name in state if isinstance(name, str) and name.startswith(starts)]:
        del state[name]
    left = {name: value for name, value in kept().items() if not name.startswith(starts)}
    workbench().store.draft_put(DRAFT, left)
