"""Settings: the dialogs in which an endpoint is described and a key is given."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import count

import streamlit as st

from refine.errors import SettingsError
from refine.keys import remember_secret
from refine.settings import GIVEN, drop_endpoint, read_url, write_endpoint
from refine.types import Endpoint
from refine.ui import dialogs, settings_tests
from refine.ui.parts import attempt, problem, workbench
from refine.ui.words import N_, _, plain

NAME = re.compile(r"[\w.-]{1,40}")
VARIABLE = re.compile(r"([A-Z_][A-Z0-9_]*)?")
"""In capitals, so that a key that is pasted into the wrong field is not taken for a name."""
TAB, FILE = "tab", "file"
PLACES = {TAB: N_("Until you close this browser tab"), FILE: N_("In the key file of this computer")}
PLACE_NOTES = {
    TAB: N_("In memory only, for the runs that you start in this tab. A reload forgets it."),
    FILE: N_("For all runs from now on. Only your own account can read the file."),
}
NUMBERS = {
    "idle_seconds": N_("Longest silence, seconds"),
    "total_seconds": N_("Longest reply, seconds"),
    "concurrency": N_("Calls at once, 0 = usual"),
    "requests_per_minute": N_("Requests a minute, 0 = no limit"),
    "tokens_per_minute": N_("Tokens a minute, 0 = no limit"),
}

# --- an endpoint -----------------------------------------------------------------------------------------------------


def endpoint_dialog(endpoint: Endpoint | None) -> None:
    """None: a new one."""
    for name, value in fields_of(endpoint or Endpoint("")).items():
        st.session_state[field(name)] = value
    st.session_state.pop("problem", None)
    title = _("Edit an endpoint") if endpoint else _("Add an endpoint")
    dialogs.show(title, partial(endpoint_form, endpoint), width="medium")


def field(name: str) -> str:
    return f"endpoint.{name}"


def fields_of(endpoint: Endpoint) -> dict[str, str | bool | float]:
    texts = {name: getattr(endpoint, name) for name in ("name", "base_url", "key", "ca_file", "stream")}
    return texts | {name: getattr(endpoint, name) for name in NUMBERS}


def endpoint_form(endpoint: Endpoint | None) -> None:
    problem()
    st.text_input(
        _("Name"), key=field("name"), disabled=endpoint is not None, placeholder=_("How you call it"), max_chars=40
    )
    st.text_input(_("Address"), key=field("base_url"), placeholder="https://host/v1")
    st.text_input(
        _("Name of its key"),
        key=field("key"),
        placeholder=_("for example MY_SERVER_KEY; empty: it needs none"),
        help=_("The environment variable, or the entry of the key file, under which the key is found."),
        autocomplete="off",
    )
    with st.expander(_("More"), type="compact", key="endpoint-more"):
        st.text_input(_("File of its certificate authority"), key=field("ca_file"), placeholder=_("usually none"))
        for names in (
            ("idle_seconds", "total_seconds"),
            ("concurrency", "requests_per_minute"),
            ("tokens_per_minute",),
        ):
            for column, name in zip(st.columns(2), names, strict=False):
                whole = not name.endswith("_seconds")
                column.number_input(
                    _(NUMBERS[name]), 0 if whole else 1.0, key=field(name), step=1 if whole else 5.0,
                    format=None if whole else "%.0f",
                )  # fmt: skip
        st.toggle(_("Replies come word by word"), key=field("stream"))
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.button(_("Save"), type="primary", on_click=submit, args=(endpoint,), key="save-endpoint")
        if endpoint and endpoint.name in workbench().settings.endpoints.own:
            shipped = endpoint.name in workbench().settings.endpoints.shipped
            label, icon = _("Back to how it was shipped") if shipped else _("Remove"), ":material/delete:"
            st.button(label, type="tertiary", icon=icon, on_click=drop, args=(endpoint,), key="remove-endpoint")


def drop(endpoint: Endpoint) -> None:
    attempt(partial(drop_endpoint, workbench().settings.home, endpoint.name))
    settings_tests.changed(endpoint.name)
    st.session_state[settings_tests.REMOVED] = endpoint
    dialogs.done()


def undo() -> None:
    removed: Endpoint = st.session_state.pop(settings_tests.REMOVED)
    attempt(partial(write_endpoint, workbench().settings.home, removed))


def submit(before: Endpoint | None) -> None:
    """Saves what stands in the dialog, or says what is wrong with it and stays open."""
    state = st.session_state
    name, key = state[field("name")].strip(), state[field("key")].strip()
    if wrong := wrong_name(name, before) or wrong_variable(key, before):
        state["problem"] = wrong
        return
    numbers = {number: state[field(number)] for number in NUMBERS}
    made = Endpoint(
        name, key=key, ca_file=state[field("ca_file")].strip(), stream=state[field("stream")],
        kind="openai", verify=before.verify if before else True, **numbers,
    )  # fmt: skip
    if save_endpoint(made, state[field("base_url")]):
        dialogs.done()


def save_endpoint(endpoint: Endpoint, address: str) -> bool:
    """With that address, as it was typed but for what is said to be left out. False where it cannot be."""
    state, bench = st.session_state, workbench()
    try:
        url = read_url(address)
    except SettingsError:
        remember_secret(address.strip())
        state["problem"] = _("The address should look like https://host/v1, without a name, password or query.")
        return False
    before = bench.settings.endpoints.get(endpoint.name)
    endpoint = replace(endpoint, base_url=url)
    attempt(partial(write_endpoint, bench.settings.home, endpoint))
    if "problem" in state:
        return False
    if before and before.base_url != url:
        bench.store.quirks_forget(endpoint.name)
    settings_tests.changed(endpoint.name)
    if url != address.strip().rstrip("/"):
        words = _("The address of {name} is kept as {url}.")
        state[settings_tests.NOTICE] = words.format(name=plain(endpoint.name), url=f"`{url}`")
    return True


def use_address(endpoint: Endpoint, address: str) -> None:
    save_endpoint(endpoint, address)


def wrong_name(name: str, before: Endpoint | None) -> str:
    if before:
        return ""
    if not NAME.fullmatch(name):
        return _("Give it a name of letters, digits, dots and dashes.")
    taken = name in workbench().settings.endpoints or name == GIVEN
    return _("There is an endpoint of that name already: choose another name.") if taken else ""


def wrong_variable(key: str, before: Endpoint | None) -> str:
    if VARIABLE.fullmatch(key) or (before and key == before.key):
        return ""
    remember_secret(key)
    return _("The name of a key is written in capitals, such as MY_SERVER_KEY. The key itself is given under “Key”.")


# --- a key -----------------------------------------------------------------------------------------------------------


def key_dialog(endpoint: Endpoint) -> None:
    st.session_state["key-place"] = TAB
    st.session_state.pop("problem", None)
    dialogs.show(_("Key for {name}").format(name=plain(endpoint.name)), partial(key_form, endpoint))


def key_form(endpoint: Endpoint) -> None:
    problem()
    keys = workbench().keys
    source = keys.source(endpoint)
    st.text_input(
        _("Key for {address}").format(address=f"`{endpoint.base_url}`"),
        type="password",
        key="settings-key",
        placeholder=_("Key"),
        autocomplete="new-password",
    )
    st.radio(
        _("Keep it"),
        [*PLACES],
        format_func=lambda place: _(PLACES[place]),
        captions=[_(PLACE_NOTES[place]) for place in PLACES],
        key="key-place",
    )
    if source == "environment":
        words = _("{name} is set in the environment, which comes before the key file.")
        st.caption(words.format(name=f"`{endpoint.key}`"))
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        st.button(_("Use this key"), type="primary", on_click=take_key, args=(endpoint,), key="use-settings-key")
        if source in ("typed", "file"):
            label = _("Forget the typed key") if source == "typed" else _("Take it out of the key file")
            st.button(label, type="tertiary", on_click=forget_key, args=(endpoint, source), key="forget-key")


def take_key(endpoint: Endpoint) -> None:
    """For this tab, or into the file. The field is emptied at once, whatever comes of it."""
    state, bench = st.session_state, workbench()
    key = state.pop("settings-key", "").strip()
    state.pop("problem", None)
    if not key:
        state["problem"] = _("There is no key in the field yet.")
        return
    if state["key-place"] == FILE:
        named = endpoint.key or free_name(endpoint)
        attempt(partial(bench.keys.file, named, key))
        if not endpoint.key:
            attempt(partial(write_endpoint, bench.settings.home, replace(endpoint, key=named)))
        bench.keys.put(endpoint.name, "")
    else:
        bench.keys.put(endpoint.name, key, endpoint.base_url)
    settings_tests.changed(endpoint.name)
    if "problem" not in state:
        dialogs.done()


def free_name(endpoint: Endpoint) -> str:
    """A name for its key that no other endpoint has."""
    taken = {other.key for other in workbench().settings.endpoints.values()}
    stem = re.sub(r"\W", "_", endpoint.name, flags=re.ASCII).upper().strip("_") or "ENDPOINT"
    names = (f"{stem}{n or ''}_KEY" for n in count())
    return next(name for name in names if name not in taken)


def forget_key(endpoint: Endpoint, source: str) -> None:
    keys = workbench().keys
    if source == "typed":
        keys.put(endpoint.name, "")
    else:
        attempt(partial(keys.file, endpoint.key, ""))
    settings_tests.changed(endpoint.name)
    dialogs.done()
