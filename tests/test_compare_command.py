"""The command `compare`: what it takes, prints, writes and returns."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refine.cli import main
from refine.compare_command import watch_over
from refine.comparisons import begin, prepare
from refine.locks import FileLock
from refine.models.fake_server import running
from refine.plan import Entry, Plan, Text
from refine.runs import open_workbench

KEY = "sk-canary-0123456789abcdef"
TEXTS = {"one": "I have have a letter for number 7.", "two": "It has has rained in Bonn since May."}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path / "home"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    return tmp_path


def given(home: Path, *more: str) -> list[str]:
    return ["compare", "--drafts", str(home / "*.md"), "--variants", "classic", "shorten", *more]


def test_without_a_key_it_ends_with_tables_intervals_and_the_sentence(home: Path, capsys: Any) -> None:
    assert main(given(home, "--repeats", "2", "--json")) == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert {"comparison_id", "cells", "variants", "sentence"} <= said.keys() and said["sentence"]
    assert len(said["cells"]) == 8 and all(cell["run_id"] for cell in said["cells"])
    first, second = said["variants"]
    assert first["name"] == said["baseline"] == "classic" and second["low"] <= second["difference"] <= second["high"]
    assert "2 variants x 2 texts x 2 repeats; 8 runs" in err and "no key is set" in err
    assert [line for line in err.splitlines() if line.endswith("runs done")][-1] == "8 of 8 runs done"
    assert any("Scripted characters play" in warning for warning in said["warnings"])


def test_a_cell_is_a_run_like_any_other(home: Path, capsys: Any) -> None:
    main(given(home, "--json"))
    run_id = json.loads(capsys.readouterr().out)["cells"][0]["run_id"]
    assert main(["show", run_id, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run_id"] == run_id


def test_the_list_of_runs_holds_those_of_a_comparison_only_if_it_is_named(home: Path, capsys: Any) -> None:
    main(given(home, "--json"))
    said = json.loads(capsys.readouterr().out)
    assert main(["runs", "--json"]) == 0 and json.loads(capsys.readouterr().out) == []
    assert main(["runs", "--comparison", said["comparison_id"][:15], "--json"]) == 0
    listed = {run["run_id"] for run in json.loads(capsys.readouterr().out)}
    assert {cell["run_id"] for cell in said["cells"]} < listed
    assert main(["runs", "--comparison", "nobody"]) == 2


def test_comparisons_are_listed_and_stopped_by_the_id_or_how_it_begins(home: Path, capsys: Any) -> None:
    assert main(["compare", "--list"]) == 0 and "No comparisons yet" in capsys.readouterr().out
    with_runs = main(given(home, "--title", "Two", "--json"))
    comparison_id = json.loads(capsys.readouterr().out)["comparison_id"]
    assert with_runs == 0 and main(["cancel", comparison_id]) == 0
    assert "nothing to stop" in capsys.readouterr().err
    bench = open_workbench()
    bench.store.comparisons.stand(comparison_id, "open")
    assert main(["cancel", comparison_id[:15]]) == 0
    assert bench.store.comparisons.standing(comparison_id) == "stopped"
    bench.store.close()
    assert f"--extend {comparison_id} goes on" in capsys.readouterr().err
    main(["compare", "--list"])
    line = capsys.readouterr().out
    assert line.startswith(comparison_id) and "stopped  2 variants x 2 texts x 1 repeat  Two" in line
    main(["compare", "--list", "--json"])
    assert json.loads(capsys.readouterr().out)[0]["standing"] == "stopped"


def test_names_are_whole_in_the_table_and_wide_signs_keep_its_columns(home: Path, capsys: Any) -> None:
    (home / "plan.yaml").write_text(
        "drafts: [one.md]\nvariants:\n- shorten\n"
        "- {variant: classic, name: 新闻稿, vary: {role.writer.temperature: [0.1234567891, 0.1234567892]}}\n",
        encoding="utf-8",
    )
    assert main(["compare", "--plan", str(home / "plan.yaml")]) == 0
    lines = capsys.readouterr().out.splitlines()
    header, _, first, second = lines[-4:]
    name = "新闻稿 · writer temperature 0.1234567891"
    assert first.startswith(name) and second.startswith(f"{name[:-1]}2")
    at = header.index("done") - 3  # three signs are twice as wide
    assert first[at] == second[at] == "1" and first[at - 1] == second[at - 1] == " "


def test_going_on_with_one_that_is_done_pays_nothing(home: Path, capsys: Any) -> None:
    main(given(home, "--json"))
    first = json.loads(capsys.readouterr().out)
    assert main(["compare", "--extend", first["comparison_id"], "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["cells"] == first["cells"] and "4 runs exist and are not paid again" in err


def test_it_is_extended_by_what_is_named(home: Path, capsys: Any) -> None:
    main(given(home, "--json"))
    first = json.loads(capsys.readouterr().out)
    assert main(["compare", "--extend", first["comparison_id"][:12], "--variants", "polish", "--json"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert [variant["name"] for variant in after["variants"]] == ["classic", "shorten", "polish"]
    assert {cell["run_id"] for cell in first["cells"]} < {cell["run_id"] for cell in after["cells"]}


def test_what_failed_is_tried_again_when_it_is_asked_for(home: Path, capsys: Any) -> None:
    main(given(home, "--set", "role.writer.model=failing", "limits.failures=1", "--json"))
    first = json.loads(capsys.readouterr().out)
    words = ["compare", "--extend", first["comparison_id"], "--json"]
    main([*words, "--again"])
    out, err = capsys.readouterr()
    failed = [cell["run_id"] for cell in first["cells"] if cell["status"] == "failed"]
    assert failed and f"{len(failed)} runs, " in err
    assert [cell["run_id"] for cell in json.loads(out)["cells"] if cell["status"] == "failed"] == [
        f"{run_id}-2" for run_id in failed
    ]


def test_trying_again_needs_a_comparison_in_which_something_failed(home: Path, capsys: Any) -> None:
    assert main(given(home, "--again")) == 2 and "by --extend ID" in capsys.readouterr().err
    main(given(home, "--json"))
    comparison_id = json.loads(capsys.readouterr().out)["comparison_id"]
    assert main(["compare", "--extend", comparison_id, "--again"]) == 2
    assert "has failed" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["xlsx", "html", "json", "csv"])
def test_it_writes_what_the_files_name_ends_in(home: Path, kind: str, capsys: Any) -> None:
    out = home / f"result.{kind}"
    assert main(given(home, "--out", str(out))) == 0
    assert out.stat().st_size > 500
    printed = capsys.readouterr().out
    assert "classic" in printed and "shorten" in printed and "findings after" in printed


@pytest.mark.parametrize("out", ["nowhere/a.html", "one.md/a.html", "n" * 300 + ".html"])
def test_a_place_that_cannot_be_written_is_found_out_before_anything_is_paid(home: Path, out: str, capsys: Any) -> None:
    assert main(given(home, "--out", str(home / out))) == 2
    said, err = capsys.readouterr()
    assert not said and "cannot be written" in err and len(err.strip().splitlines()) == 1
    main(["compare", "--extend", "2"])
    assert "no comparison" in capsys.readouterr().err


def test_a_file_that_fails_at_the_end_can_be_written_for_nothing(home: Path, capsys: Any) -> None:
    (home / "full.json").symlink_to("/dev/full")
    assert main(given(home, "--out", str(home / "full.json"))) == 3
    out, err = capsys.readouterr()
    assert "classic" in out and "cannot be written" in err and "--out OTHER.json" in err
    comparison_id = err.partition("Comparison ")[2].partition(":")[0]
    assert main(["compare", "--extend", comparison_id, "--out", str(home) + "/other.json"]) == 0
    assert json.loads((home / "other.json").read_text())["comparison_id"] == comparison_id


def test_a_plan_file_says_it_all(home: Path, capsys: Any) -> None:
    plan = home / "plan.yaml"
    plan.write_text("title: Two\ndrafts: [one.md]\nvariants: [classic]\none_prompt: true\njudge: scripted/steady\n")
    assert main(["compare", "--plan", str(plan), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["title"] == "Two" and said["baseline"] == "one-prompt" and said["measure"] == "judge"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to compare"),
        (["--drafts", "x.md"], "nothing to compare"),
        (["--drafts", "nowhere.md", "--variants", "classic", "polish"], "nowhere.md"),
        (["--plan", "nowhere.yaml"], "cannot be read"),
        (["--plan", "a.yaml", "--variants", "classic"], "names its own drafts"),
        (["--drafts", "README.md", "--variants", "classic", "polish", "--pairs"], "none is named. Give --judge"),
        (["--extend", "nobody"], "no comparison 'nobody'"),
        (["--drafts", "README.md", "--variants", "classic", "polish", "--repeats", "two"], "whole number"),
        (["--drafts", "README.md", "--variants", "classic", "polish", "--cap", "free"], "amount above 0"),
        (["--drafts", "README.md", "--variants", "classic", "polish", "--out", "a.pdf"], "ends in xlsx, html"),
        (["--drafts", "README.md", "--variants", "classic"], "got one variant"),
    ],
)
def test_what_cannot_work_is_one_sentence(words: list[str], said: str, capsys: Any) -> None:
    assert main(["compare", *words]) == 2
    out, err = capsys.readouterr()
    assert not out and said in err and len(err.strip().splitlines()) == 1


def test_who_watches_another_process_goes_on_when_that_one_dies(capsys: Any) -> None:
    bench = open_workbench()
    comparison_id = begin(bench, prepare(bench, Plan((Entry("classic"), Entry("shorten")), (Text(TEXTS["one"]),))))
    other = FileLock(bench.settings.home / "locks" / f"{comparison_id}.lock")

    async def left_alone() -> str:
        assert other.take()
        watching = asyncio.create_task(watch_over(bench, comparison_id))
        await asyncio.wait([watching], timeout=0.01)
        assert not watching.done()
        other.release()
        try:
            return await asyncio.wait_for(watching, 30)
        finally:
            await bench.aclose()

    assert asyncio.run(left_alone()) == "ended"
    bench.store.close()
    assert "this one goes on" in capsys.readouterr().err


EXTENDED = "drafts: [one.md]\nvariants: [classic, shorten]\n"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("judge: scripted/lenient", "part judge differs"),
        ("pairs: true", "part pairs differs"),
        ("checks: none", "part checks differs"),
        ("baseline: shorten", "part baseline differs"),
        ("title: Other", "part title differs"),
        ("concurrency: 3", "part concurrency differs"),
    ],
)
def test_a_plan_that_would_change_what_a_comparison_keeps_is_refused(
    home: Path, written: str, said: str, capsys: Any
) -> None:
    bench = open_workbench()
    made = prepare(bench, Plan((Entry("classic"), Entry("shorten")), (Text(TEXTS["one"]),), concurrency=2))
    comparison_id = begin(bench, made)
    bench.store.close()
    (home / "plan.yaml").write_text(f"{EXTENDED}{written}\n")
    assert main(["compare", "--extend", comparison_id, "--plan", str(home / "plan.yaml")]) == 2
    err = capsys.readouterr().err
    assert said in err and len(err.strip().splitlines()) == 1


def test_the_plan_that_made_a_comparison_extends_it_by_nothing(home: Path, capsys: Any) -> None:
    (home / "plan.yaml").write_text(
        f"{EXTENDED}judge: scripted/steady\npairs: true\nchecks: [wording]\nbaseline: shorten\nconcurrency: 3\n"
    )
    assert main(["compare", "--plan", str(home / "plan.yaml"), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    words = ["--extend", first["comparison_id"], "--plan", str(home / "plan.yaml"), "--json"]
    assert main(["compare", *words]) == 0
    assert json.loads(capsys.readouterr().out)["cells"] == first["cells"]


@pytest.mark.parametrize("words", [["--set", "stops.max_rounds=2"], ["--model", "steady"]])
def test_settings_that_no_added_variant_takes_are_refused(home: Path, words: list[str], capsys: Any) -> None:
    bench = open_workbench()
    comparison_id = begin(bench, prepare(bench, Plan((Entry("classic"), Entry("shorten")), (Text(TEXTS["one"]),))))
    bench.store.close()
    assert main(["compare", "--extend", comparison_id, *words]) == 2
    assert f"{words[0]} changes no variant" in capsys.readouterr().err


def at(home: Path, **places: str) -> None:
    lines = [f"{name}: {{base_url: '{url}', key: {name.upper()}_KEY}}" for name, url in places.items()]
    (home / "home").mkdir(exist_ok=True)
    (home / "home" / "endpoints.yaml").write_text("\n".join(lines), encoding="utf-8")


def begun_with_keys(writer: str, critic: str) -> str:
    """A comparison at these endpoints, whose keys were typed and are gone."""
    bench = open_workbench()
    roles = {"writer": writer, "critic": critic}
    for name in roles.values():
        bench.keys.put(name, KEY)
    changes = {f"role.{role}.endpoint": name for role, name in roles.items()}
    changes |= {f"role.{role}.model": "steady" for role in roles}
    plan = Plan((Entry("classic"), Entry("shorten")), (Text(TEXTS["one"]),), changes=changes)
    comparison_id = begin(bench, prepare(bench, plan))
    bench.store.close()
    return comparison_id


def test_a_missing_key_is_named_and_one_that_is_typed_goes_there(home: Path, capsys: Any) -> None:
    at(home, far="http://far.invalid/v1")
    comparison_id = begun_with_keys("far", "far")
    assert main(["compare", "--extend", comparison_id]) == 4
    err = capsys.readouterr().err
    assert "wait for you, for the key of far: " in err and f"runs --comparison {comparison_id}" in err
    with running() as server:
        at(home, far=server.url)
        assert main(["compare", "--extend", comparison_id, "--api-key", KEY]) == 0
        assert {request["headers"]["authorization"] for request in server.script.seen} == {f"Bearer {KEY}"}
    out, err = capsys.readouterr()
    assert "wait for you" not in err and KEY not in out + err


def test_a_key_of_which_it_is_not_clear_where_it_goes_is_refused(home: Path, capsys: Any) -> None:
    at(home, far="http://far.invalid/v1", farther="http://farther.invalid/v1")
    comparison_id = begun_with_keys("far", "farther")
    assert main(["compare", "--extend", comparison_id, "--api-key", KEY]) == 2
    assert "the comparison uses far, farther" in capsys.readouterr().err


# --- ended by signals ------------------------------------------------------------------------------------------------


@pytest.fixture
def slow(home: Path) -> Iterator[subprocess.Popen[str]]:
    """A comparison of a slow character, at work."""
    words = given(home, "--set", *(f"role.{role}.{part}" for role in ("writer", "critic")
                                   for part in ("endpoint=scripted", "model=slow")))  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "refine", *words],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    said_by(process, "0 of 4 runs done")
    yield process
    process.kill()
    process.communicate()


def said_by(process: subprocess.Popen[str], words: str) -> None:
    assert process.stderr
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"It never said {words!r}.")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_end_from_outside_leaves_it_open_and_says_how_to_go_on(
    slow: subprocess.Popen[str], number: signal.Signals
) -> None:
    slow.send_signal(number)
    out, err = slow.communicate(timeout=20)
    assert slow.returncode == 143 and "Left unfinished" in err and "--extend" in err and "classic" in out


def test_a_second_ctrl_c_leaves_at_once_and_says_how_to_go_on(slow: subprocess.Popen[str], home: Path) -> None:
    db = sqlite3.connect(home / "home" / "refine.db")
    db.execute("begin immediate")  # the stop cannot be stored
    slow.send_signal(signal.SIGINT)
    said_by(slow, "Stopping")
    slow.send_signal(signal.SIGINT)
    _, err = slow.communicate(timeout=20)
    db.close()
    assert slow.returncode == 130 and "Left at once" in err and "--extend" in err
