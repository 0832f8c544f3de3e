"""What a Python program may rely on."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import refine
from refine.errors import SettingsError

SCRIPTED = {f"role.{role}.endpoint": "scripted" for role in ("writer", "critic")}
STEADY = {**SCRIPTED, "role.writer.model": "steady", "role.critic.model": "steady"}
SLOW = {**SCRIPTED, "role.writer.model": "slow", "role.critic.model": "slow"}
DRAFT = "# Spring\n\nWe met at the gate in March 2024. It was cold.\n"
HEAVY = ("openai", "sqlalchemy", "pandas", "numpy", "streamlit", "ruamel.yaml", "jinja2", "rich", "aiohttp")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REFINE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert refine.__all__ == sorted(refine.__all__)
    assert all(callable(getattr(refine, name)) for name in refine.__all__)
    assert set(refine.__all__) <= set(dir(refine))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'refine_everything'"):
        _ = refine.refine_everything


def test_the_import_loads_nothing_heavy() -> None:
    code = f"import refine, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_text_is_refined_in_one_call() -> None:
    view = refine.refine_text(DRAFT, variant="polish", checks="none", set=STEADY)
    assert (view.status, view.reason) == ("done", "approved")
    assert view.text and view.text.startswith("# Spring") and view.cost == 0 and view.usage.input_tokens > 0
    assert refine.read(view.run_id) == view


def test_without_an_endpoint_the_offline_variant_is_used() -> None:
    view = refine.refine_text("We met at at the gate.\n")
    assert (view.variant, view.text) == ("offline", "We met at the gate.\n")


@pytest.mark.parametrize(
    ("checks", "used"), [(None, 4), ("none", 0), ([], 0), (["grammar"], 1), ("grammar,kept", 2)]
)  # fmt: skip
def test_checks_are_a_list_of_names_or_none(checks: list[str] | str | None, used: int) -> None:
    view = refine.refine_text(DRAFT, variant="polish", checks=checks, set={**STEADY, "stops.max_rounds": 1})
    assert len(view.spec.checks) == used


def test_settings_may_be_numbers() -> None:
    view = refine.refine_text(DRAFT, variant="polish", checks="none", set={**STEADY, "stops.max_rounds": 1})
    assert len(view.rounds) == 1 and view.reason == "max_rounds"


def test_nobody_can_answer_so_an_unclear_verdict_never_approves() -> None:
    malformed = {**SCRIPTED, "role.writer.model": "steady", "role.critic.model": "malformed"}
    view = refine.refine_text(DRAFT, variant="polish", checks="none", set=malformed)
    assert view.status != "waiting" and view.reason != "approved"


def test_a_run_that_fails_comes_back_as_failed() -> None:
    failing = {**STEADY, "role.critic.model": "failing", "limits.failures": 1}
    view = refine.refine_text(DRAFT, variant="polish", checks="none", set=failing)
    assert (view.status, view.reason) == ("failed", "failures") and "failing" in view.error


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"variant": "nowhere"}, "no variant 'nowhere'"),
        ({"checks": ["smell"]}, "Unknown check 'smell'"),
        ({"set": {"colour": "red"}}, "no key 'colour'"),
        ({"variant": "polish"}, "no endpoint is set"),
        ({"base_url": "nonsense"}, "should look like"),
        ({"set": "stops.max_rounds=6"}, "set must be a mapping of settings; got str"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_refused_before_anything_is_stored(options: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        refine.refine_text(DRAFT, **options)  # type: ignore[arg-type]


def test_an_empty_draft_is_refused() -> None:
    with pytest.raises(SettingsError, match="nothing to work on"):
        refine.refine_text(" \n")


@pytest.mark.parametrize(("draft", "kind"), [(None, "NoneType"), (b"A draft.", "bytes"), (Path("draft.md"), "Path")])
def test_a_draft_that_is_no_text_is_refused_in_words(draft: object, kind: str) -> None:
    with pytest.raises(SettingsError, match=f"draft must be a text .* got .*{kind}"):
        refine.refine_text(draft)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=f"draft must be a text .* got .*{kind}"):
        refine.start(draft)  # type: ignore[arg-type]


async def test_inside_an_event_loop_the_other_function_is_named() -> None:
    with pytest.raises(SettingsError, match="arefine_text"):
        refine.refine_text(DRAFT)


async def test_an_endpoint_written_between_two_calls_is_used_by_the_second(home: Path) -> None:
    await refine.arefine_text(DRAFT, variant="polish", checks="none", set=STEADY)
    (home / "endpoints.yaml").write_text("mine: {kind: scripted}\n", encoding="utf-8")
    moved = {key: "mine" if value == "scripted" else value for key, value in STEADY.items()}
    view = await refine.arefine_text(DRAFT, variant="polish", checks="none", set=moved)
    assert (view.reason, {role.endpoint for role in view.spec.roles}) == ("approved", {"mine"})


async def test_many_texts_are_refined_at_once() -> None:
    views = await asyncio.gather(
        *(refine.arefine_text(f"{DRAFT}Text {n}.\n", "polish", checks="none", set=STEADY) for n in range(8))
    )
    assert {view.status for view in views} == {"done"} and len({view.run_id for view in views}) == 8
    assert all(f"Text {n}." in (view.text or "") for n, view in enumerate(views))


async def test_a_call_that_is_given_up_leaves_an_unfinished_run() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await refine.arefine_text(DRAFT, "polish", checks="none", set=SLOW)
    from refine.api import _opened

    with _opened() as workbench:
        (run_id,) = workbench.store.unfinished()
        assert workbench.read(run_id).reason is None


def test_a_started_run_waits_in_the_queue_and_can_be_cancelled_and_forked() -> None:
    run_id = refine.start(DRAFT, variant="polish", checks="none", set=STEADY)
    assert refine.read(run_id).status == "queued"
    refine.cancel(run_id)
    done = refine.refine_text(DRAFT, variant="polish", checks="none", set=STEADY)
    fork = refine.fork(done.run_id, 0, draft="My own words.\n", set={"stops.max_rounds": 2})
    assert [round.text for round in refine.read(fork).rounds] == [DRAFT]


def test_an_answer_needs_a_question() -> None:
    run_id = refine.start(DRAFT, variant="polish", checks="none", set=STEADY)
    with pytest.raises(SettingsError, match="asks nothing"):
        refine.answer(run_id, "approve")


@pytest.mark.parametrize("checks", ["none", []])
def test_a_comparison_may_be_measured_by_no_check(checks: str | list[str]) -> None:
    changes = {f"role.{role}.endpoint": "scripted" for role in ("writer", "critic")}
    seen = refine.compare([DRAFT], ["classic", "shorten"], checks=checks, judge="steady", set=changes)
    assert seen.finished and seen.comparison.judge and not seen.comparison.judge.checks
    assert seen.row("shorten").judge is not None and seen.row("shorten").faults is None
    assert (seen.cells[0].after, seen.cells[0].lost) == (None, None)
    unmeasured = refine.compare([DRAFT], ["classic", "shorten"], checks=checks, set=changes)
    assert unmeasured.comparison.judge is None and unmeasured.finished


@pytest.mark.parametrize(
    ("drafts", "variants", "more"),
    [
        ("one text", ["classic", "polish"], {}),
        (["one text"], "classic", {}),
        ({5: "one text"}, ["classic", "polish"], {}),
        (["one text"], ["classic", 5], {}),
        (["one text"], ["classic", "polish"], {"repeats": "3"}),
        (["one text"], ["classic", "polish"], {"concurrency": 1.5}),
        (["one text"], ["classic", "polish"], {"judge": 5}),
    ],
)
def test_what_is_compared_is_lists_of_texts(drafts: Any, variants: Any, more: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        refine.compare(drafts, variants, **more)
