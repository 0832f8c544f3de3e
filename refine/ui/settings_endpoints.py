"""Settings: a row for each endpoint with its key and its last test, and what was learnt about its models."""

from __future__ import annotations

import time

import streamlit as st

from refine.types import Endpoint
from refine.ui import parts, settings_forms, settings_learnt
from refine.ui.frame import bar
from refine.ui.parts import workbench
from refine.ui.settings_tests import NOTICE, REMOVED, Tested, last_test, model_key, test
from refine.ui.words import N_, _, coloured, ngettext, plain, together
from refine.ui.words import seconds as seconds_words

SHOWN_MODELS = 30

FAULTS = {
    "no_key": N_("It wants a key, and none is set: give it one."),
    "key": N_("The key was refused: check it, or give another one."),
    "forbidden": N_("The key was accepted, but what it belongs to may not do this: check the account."),
    "quota": N_("The account has no quota left: top it up, or use another endpoint."),
    "model": N_("It answers, but it has no model “{model}”: name one that it has, and test again."),
    "not_found": N_("There is nothing at {url}: check the address; most end in /v1."),
    "page": N_("At {url} there is a web page and no model server: check the address; most end in /v1."),
    "redirect": N_("{url} points to another address: give that one, so that your text goes nowhere unasked."),
    "certificate": N_("The certificate of {url} is not trusted: name your authority's file under “More”."),
    "proxy": N_("The proxy on the way to {url} cannot be used: check HTTP_PROXY, HTTPS_PROXY and NO_PROXY."),
    "address": N_("{url} cannot be called: give an address such as https://host/v1."),
    "connect": N_("Nothing answers at {url}: check that the server runs and that the address is right."),
    "dropped": N_("The connection to {url} broke off: look at the network and the server."),
    "cut": N_("The reply broke off before its end: look at the server."),
    "idle": N_("It sent nothing for too long: it may be loading its model; test again."),
    "total": N_("The reply took too long: it may be loading its model; test again."),
    "rate": N_("It works, but asks to slow down just now: test again in a minute."),
    "server": N_("The server failed: look at it, or test again later."),
    "malformed": N_("What {url} answers cannot be read: check the address; most end in /v1."),
}
REFUSED = N_("It refused the test's question: see the details.")
NO_NAME = N_("It answers, but names no models: type a model's name, and test again.")

SOURCES = {
    "typed": N_("typed in this tab"),
    "environment": N_("from the environment"),
    "file": N_("from the key file"),
    "": N_("not set"),
}


def show() -> None:
    left, right = st.columns([7, 4], gap="large")
    with left:
        parts.problem()
        notice()
        for endpoint in workbench().settings.endpoints.values():
            if endpoint.kind == "openai":
                row(endpoint)
        st.caption(_("Built in and always there, without a key: the demo model and the scripted characters."))
    with right:
        settings_learnt.show()
    bar(_("A key stands in no log, no file that leaves, and no address."), add_button)


def add_button() -> None:
    if st.button(_("Add an endpoint"), type="primary", icon=":material/add:", key="add-endpoint"):
        settings_forms.endpoint_dialog(None)


def notice() -> None:
    """What the last command did besides what was asked; what was removed, with a way back."""
    if said := st.session_state.get(NOTICE):
        st.info(said, icon=":material/info:")
    removed: Endpoint | None = st.session_state.get(REMOVED)
    if removed:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_("{name} was removed.").format(name=f"**{plain(removed.name)}**"), width="content")
            st.button(
                _("Undo"), type="tertiary", icon=":material/undo:", on_click=settings_forms.undo, key="undo-remove"
            )


# --- one endpoint ----------------------------------------------------------------------------------------------------


def row(endpoint: Endpoint) -> None:
    tested = last_test(endpoint)
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
                st.markdown(f"**{plain(endpoint.name)}**", width="content")
                badge(endpoint, tested)
            with st.container(horizontal=True, width="content", gap="small"):
                asked = st.button(_("Test"), icon=":material/network_check:", key=f"test-{endpoint.name}")
                if st.button(_("Key"), type="tertiary", icon=":material/key:", key=f"key-{endpoint.name}"):
                    settings_forms.key_dialog(endpoint)
                if st.button(_("Edit"), type="tertiary", icon=":material/edit:", key=f"edit-{endpoint.name}"):
                    settings_forms.endpoint_dialog(endpoint)
        st.caption(about(endpoint, tested))
        if tested:
            result(endpoint, tested)
        if asked:
            with st.spinner(_("Asking {name} …").format(name=plain(endpoint.name)), show_time=True):
                test(endpoint)
            st.rerun()


def about(endpoint: Endpoint, tested: Tested | None) -> str:
    said = [f"`{endpoint.base_url}`", key_words(endpoint)]
    if tested:
        ago = max(0, round((time.time() - tested.at) / 60))
        minutes = ngettext("tested {n} minute ago", "tested {n} minutes ago", ago).format(n=ago)
        said.append(minutes if ago else _("tested just now"))
    return " · ".join(said)


def key_words(endpoint: Endpoint) -> str:
    """Under which name its key is looked for, and where it was found."""
    source = workbench().keys.source(endpoint)
    if not endpoint.key:
        return _("key typed in this tab") if source else _("without a key")
    return _("key {name}: {source}").format(name=f"`{endpoint.key}`", source=_(SOURCES[source]))


def badge(endpoint: Endpoint, tested: Tested | None) -> None:
    if tested is None:
        st.badge(_("not tested"), color="gray")
    elif tested.found.works and tested.found.better:
        st.badge(_("another address"), color="orange", icon=":material/alt_route:")
    elif tested.found.works:
        st.badge(_("works"), color="green", icon=":material/check:")
    elif tested.found.fault in ("key", "forbidden"):
        st.badge(_("key refused"), color="red", icon=":material/key_off:")
    elif tested.found.fault == "no_key":
        st.badge(_("no key"), color="orange", icon=":material/key_off:")
    else:
        st.badge(_("does not work"), color="red", icon=":material/error:")


def result(endpoint: Endpoint, tested: Tested) -> None:
    """One sentence; what can be done at once; the server's own words in a fold."""
    found = tested.found
    st.markdown(sentence(endpoint, tested) if found.works else coloured("red", sentence(endpoint, tested)))
    if found.better:
        st.button(
            _("Use {url}").format(url=plain(found.better)),
            key=f"better-{endpoint.name}",
            on_click=settings_forms.use_address,
            args=(endpoint, found.better),
        )
    if found.fault == "model" or (found.works and not found.models):
        st.text_input(
            _("Model for the test"), key=model_key(endpoint), placeholder=_("A model's name"), persist_state="page"
        )
    if found.models and (found.works or found.fault == "model"):
        with st.expander(_("Models: {n}").format(n=len(found.models)), type="compact"):
            st.text(settings_learnt.listed(found.models, SHOWN_MODELS))
    if found.said:
        with st.expander(_("Details"), type="compact"):
            st.text(found.said)


def sentence(endpoint: Endpoint, tested: Tested) -> str:
    found, url = tested.found, f"`{endpoint.base_url}`"
    if found.fault == "model" and not found.model:
        return _(NO_NAME)
    if not found.works:
        return _(FAULTS.get(found.fault, REFUSED)).format(url=url, model=plain(found.model))
    said = _("{model} answered in {time}.").format(
        model=plain(found.model), time=seconds_words(max(0.1, found.seconds))
    )
    if found.better:
        words = _("{model} answers at {better}, not at the address that is set.")
        said = words.format(model=plain(found.model), better=f"`{found.better}`")
    if not found.quirks:
        return said
    return together(said, _("Adapted to: {quirks}.").format(quirks=plain(settings_learnt.words(found.quirks))))
