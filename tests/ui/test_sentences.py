"""What is said of a run in sentences that stand on no page of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refine import views
from refine.events import Called, Record, Started
from refine.types import Endpoint, ModelCall, Role, RunSpec
from refine.ui import sentences
from tests.golden import SPEC

AWAY = Endpoint("openai", "https://api.openai.com/v1", "OPENAI_API_KEY")
NEAR = Endpoint("local", "http://localhost:11434/v1")
HERE = Endpoint("scripted", kind="scripted")
ENDPOINTS = {endpoint.name: endpoint for endpoint in (AWAY, NEAR, HERE)}


def view_of(spec: RunSpec, *called: str) -> views.RunView:
    events = [Started(spec), *(Called(str(n), ModelCall(role, ())) for n, role in enumerate(called, 1))]
    return views.read([Record("run", n, float(n), event) for n, event in enumerate(events)])


def spec_with(endpoint: str) -> RunSpec:
    return replace(SPEC, roles=(Role("writer", "", endpoint, "gpt-4o-mini"), Role("critic", "", "scripted", "steady")))


@pytest.mark.parametrize(
    ("endpoint", "said"),
    [
        ("openai", "Sent to `api.openai.com` · gpt\\-4o\\-mini"),
        ("local", "Sent to `localhost`, on this computer · gpt\\-4o\\-mini"),
        ("gone", "Sent to `gone` · gpt\\-4o\\-mini"),
        ("scripted", "Sent nowhere: everything stays on this computer"),
    ],
)
def test_it_says_where_a_text_was_sent(endpoint: str, said: str) -> None:
    assert sentences.sent_to(view_of(spec_with(endpoint), "writer", "critic"), ENDPOINTS) == said


def test_a_model_that_was_not_asked_was_sent_nothing() -> None:
    assert sentences.sent_to(view_of(spec_with("openai"), "critic"), ENDPOINTS).startswith("Sent nowhere")


def test_a_fork_was_sent_where_its_run_was() -> None:
    spec = replace(spec_with("openai"), parent=("other", 0))
    assert "api.openai.com" in sentences.sent_to(view_of(spec), ENDPOINTS)


def test_a_folder_is_named_as_its_owner_knows_it() -> None:
    here, owner = Path("/srv/app"), Path("/home/ines")
    assert sentences.folder_words(Path("/srv/app/data/runs"), here, owner) == "data/runs"
    assert sentences.folder_words(Path("/home/ines/refine"), here, owner) == "~/refine"
    assert sentences.folder_words(Path("/mnt/x/y/refine"), here, owner) == "…/refine"
