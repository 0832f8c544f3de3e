"""The command line as people and programs use it: what is printed where, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from refine import export, read
from refine.cli import main
from refine.documents import word_out
from refine.models.fake_server import running
from refine.runs import Order, open_workbench

KEY = "sk-canary-0123456789abcdef"
DRAFT = "# Spring\n\nWe met at at the gate in March 2024. It was cold.\n"
VARIABLES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL")


def scripted(model: str, *more: str) -> list[str]:
    """Options of a run whose writer and critic are this character."""
    roles = [f"role.{role}.{key}" for role in ("writer", "critic") for key in ("endpoint=scripted", f"model={model}")]
    return ["--variant", "polish", "--checks", "none", "--set", *roles, *more]


@dataclass
class Said:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Shell:
    """Runs commands in this process, in a home of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.draft = folder / "draft.md"
        self.draft.write_text(DRAFT, encoding="utf-8")

    def __call__(self, *words: object) -> Said:
        status = main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return Said(status, out, err)

    def run(self, model: str = "steady", *more: str, options: Sequence[str] = ("--json",)) -> Any:
        """The object of a finished scripted run."""
        return self("run", self.draft, *options, *scripted(model, *more)).json


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path / "home"))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capsys)


# --- run -----------------------------------------------------------------------------------------------------


def test_the_text_goes_to_standard_output_and_the_rounds_to_standard_error(shell: Shell) -> None:
    said = shell("run", shell.draft, *scripted("steady"))
    assert said.status == 0
    assert said.out.startswith("# Spring") and said.out.endswith("\n") and "Round" not in said.out
    assert "Round 0: revise" in said.err and "Round 1: " in said.err and "model calls" in said.err


def test_without_a_key_the_offline_variant_mends_what_is_sure(shell: Shell) -> None:
    said = shell("run", shell.draft)
    assert said.status == 0
    assert "met at the gate" in said.out and "variant offline" in said.err


def test_the_object_has_the_promised_names(shell: Shell) -> None:
    said = shell("run", shell.draft, "--json", *scripted("steady"))
    assert said.status == 0 and said.err == ""
    assert list(said.json) == [
        "run_id", "title", "technique", "variant", "status", "reason", "question", "error", "text", "best_round",
        "rounds", "usage", "cost", "currency", "calls", "adapted",
    ]  # fmt: skip
    assert said.json["status"] == "done" and said.json["reason"] == "approved" and said.json["title"] == "Spring"


def test_a_draft_behind_the_settings_is_the_draft(shell: Shell) -> None:
    said = shell("run", "--json", *scripted("steady"), shell.draft)
    assert said.status == 0 and said.json["title"] == "Spring"


def test_costs_are_added_up_by_what_is_asked_for(shell: Shell) -> None:
    shell("run", shell.draft, "--json", *scripted("steady"))
    data = shell("costs", "--by", "role", "--json").json
    assert [row["role"] for row in data] == ["critic", "writer"]
    assert all(row["calls"] and row["output_tokens"] and row["cost"] == 0 for row in data)
    lines = shell("costs", "--by", "model").out.splitlines()
    assert len(lines) == 1 and lines[0].startswith("steady  ") and lines[0].endswith("  0 USD")
    assert shell("costs", "--by", "colour").status == 2


def test_max_rounds_is_the_stop_of_that_name(shell: Shell) -> None:
    data = shell.run("never-satisfied", options=("--json", "--max-rounds", "2"))
    assert len(data["rounds"]) == 2 and data["reason"] == "max_rounds"


def test_a_brief_alone_has_the_first_draft_written(shell: Shell) -> None:
    said = shell("run", "--brief", "A note for new members", "--json", *scripted("steady"))
    assert said.status == 0 and said.json["title"] == "A note for new members" and said.json["text"]


def test_where_nobody_can_answer_an_unclear_verdict_never_approves(shell: Shell) -> None:
    data = shell.run("malformed")
    assert data["status"] in ("done", "failed") and data["reason"] != "approved" and data["question"] is None


def test_a_run_that_fails_for_good_still_prints_its_object(shell: Shell) -> None:
    said = shell("run", shell.draft, "--json", *scripted("failing", "limits.failures=1"))
    assert said.status == 3
    assert said.json["status"] == "failed" and said.json["reason"] == "failures" and "failing by trade" in said.err
    assert said.err.count("\n") == 1 and said.json["error"] in said.err


BAD: list[tuple[list[str], str]] = [
    (["run"], "neither a draft nor a brief"),
    (["run", "empty.md"], "empty.md is empty"),
    (["run", "binary.md"], "binary data"),
    (["run", "picture.md"], "PNG picture"),
    (["run", "large.md"], "too large"),
    (["run", "nowhere.md"], "There is no file"),
    (["run", "."], "folder"),
    (["run", "draft.md", "--variant", "polnish"], "no variant 'polnish'"),
    (["run", "draft.md", "--technique", "magic"], "Unknown technique 'magic'"),
    (["run", "draft.md", "--checks", "smell"], "Unknown check 'smell'"),
    (["run", "draft.md", "--set", "colour"], "--set takes KEY=VALUE"),
    (["run", "draft.md", "--set", "colour=red"], "no key 'colour'"),
    (["run", "draft.md", "--max-rounds", "many"], "stops.max_rounds must be a whole number"),
    (["run", "draft.md", "--base-url", "nonsense"], "--base-url should look like"),
    (["run", "draft.md", "--base-url", "http://127.0.0.1:9/v1"], "REFINE_MODEL"),
    (["run", "draft.md", "--variant", "polish"], "no endpoint is set"),
    (["run", "draft.md", *scripted("steady"), "role.writer.endpoint=moon"], "Unknown endpoint 'moon'"),
    (["run", "draft.md", "--variant", "broken"], "variant.yaml, line 3"),
    (["run", "draft.md", "--variant", "holes"], "writer.md"),
    (["run", "draft.md", "spare"], "more words than it takes"),
    (["run", "draft.md", "--colour", "red"], "no option --colour"),
    (["frob"], "invalid choice"),
    ([], "required: COMMAND"),
    (["show", "nothing"], "python -m refine runs` lists them"),
    (["show", ""], "There is no run ''"),
    (["show", "missing.jsonl"], "cannot be read"),
    (["show", "draft.md"], "not a line of a log"),
    (["resume", "nothing"], "There is no run"),
    (["answer", "nothing", "approve"], "There is no run"),
    (["fork", "nothing", "--round", "0"], "There is no run"),
    (["fork", "nothing", "--round", "first"], "invalid int"),
    (["fake", "--port", "80000"], "port 80000 cannot be used"),
    (["export", "nothing", "--as", "pdf", "--out", "x"], "invalid choice"),
    (["export", "nothing", "--as", "md", "--out", "x"], "There is no run"),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=[" ".join(words)[:60] for words, _ in BAD])
def test_what_cannot_work_is_one_sentence_and_status_2(shell: Shell, words: list[str], says: str) -> None:
    lay_traps(shell.folder)
    said = shell(*words)
    assert (said.status, said.out) == (2, "")
    assert says in said.err and said.err.count("\n") == 1 and "Traceback" not in said.err


def lay_traps(folder: Path) -> None:
    files = {
        "empty.md": b" \n",
        "binary.md": bytes(range(256)) * 20,
        "picture.md": b"\x89PNG\r\n\x1a\n" + bytes(100),
        "home/prompts/broken/variant.yaml": b"technique: refine\nstops: [\n",
        "home/prompts/holes/variant.yaml": b"technique: refine\n",
        "home/prompts/holes/critic.md": b"Judge.",
        "home/prompts/holes/writer.md": b"Write.\nuser:\n{{ drafft }}",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    with (folder / "large.md").open("wb") as large:
        large.truncate(21 * 2**20)


def test_a_home_that_is_a_file_is_one_sentence(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFINE_HOME", str(shell.draft))
    said = shell("run", shell.draft)
    assert said.status == 2 and "Set REFINE_HOME" in said.err and said.err.count("\n") == 1


def test_a_store_of_a_newer_refine_is_one_sentence_and_status_3(shell: Shell) -> None:
    import sqlite3

    (shell.folder / "home").mkdir()
    with sqlite3.connect(shell.folder / "home" / "refine.db") as db:
        db.execute("pragma user_version = 999")
    said = shell("runs")
    assert said.status == 3 and "Update Refine" in said.err and said.err.count("\n") == 1


def test_a_damaged_store_is_set_aside_with_a_word(shell: Shell) -> None:
    shell.run()
    file = shell.folder / "home" / "refine.db"
    file.write_bytes(b"no database at all" * 1000)
    said = shell("runs", "--json")
    assert said.status == 0 and "was set aside as refine.db.damaged-" in said.err


# --- keys ----------------------------------------------------------------------------------------------------


def test_a_key_is_found_nowhere_afterwards(shell: Shell) -> None:
    words = ["run", shell.draft, "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--api-key", KEY]
    said = shell(*words, "--set", "limits.failures=1")
    assert said.status == 3 and "cannot be reached" in said.err
    shown = shell("show", shell("runs", "--json").json[0]["run_id"])
    assert KEY[:8] not in said.out + said.err + shown.out
    stored = [path.read_bytes() for path in (shell.folder / "home").rglob("*") if path.is_file()]
    assert stored and not any(KEY.encode() in content for content in stored)


WRONG = "wrong-canary-7f3kQ9m2X5w8Z1v4"


@pytest.mark.parametrize("fault", ["key", "key_echo", "key_page"])
@pytest.mark.parametrize("words", [["run", "draft.md", "--checks", "none"], ["react", "What is 12 * 12?"]])
@pytest.mark.parametrize("as_json", [False, True])
def test_a_wrong_key_ends_a_run_in_one_sentence_after_one_call(
    shell: Shell, fault: str, words: list[str], as_json: bool
) -> None:
    with running() as server:
        given = ["--base-url", server.fault(fault), "--model", "steady", "--api-key", WRONG]
        said = shell(*words, *given, *(["--json"] if as_json else []))
        keys = [request["headers"]["authorization"] for request in server.script.seen]
    assert (said.status, keys) == (3, [f"Bearer {WRONG}"])
    sentence = said.err.splitlines()[-1]
    assert sentence.startswith("The key for given was not accepted: got status 401")
    assert sentence.endswith("Check the key (--api-key or REFINE_KEY).")
    if as_json:
        assert said.err.count("\n") == 1
        assert (said.json["status"], said.json["reason"], said.json["error"]) == ("failed", "error", sentence)
        assert (said.json["calls"], said.json["cost"]) == (1, 0.0)
    else:
        assert said.out == ""
    stored = {path.name: path.read_bytes() for path in (shell.folder / "home").rglob("*") if path.is_file()}
    assert "refine.db" in stored
    log = shell("export", shell("runs", "--json").json[0]["run_id"], "--as", "jsonl", "--out", "-").out
    assert "status 401" in log
    pieces = [WRONG[n : n + 8] for n in range(len(WRONG) - 7)]
    for content in (said.out.encode(), said.err.encode(), log.encode(), *stored.values()):
        assert not any(piece.encode() in content for piece in pieces)


@pytest.mark.parametrize("words", [["--api-kye", KEY], [f"--apikey={KEY}"], ["--api-key", KEY, KEY], [KEY]])
def test_a_key_at_the_wrong_place_is_not_repeated(shell: Shell, words: list[str]) -> None:
    said = shell("run", shell.draft, *words)
    assert said.status == 2 and KEY[:12] not in said.err


def test_a_run_whose_typed_key_is_gone_asks_for_it(shell: Shell) -> None:
    workbench = open_workbench(base_url="https://example.org/v1", api_key=KEY, model="m")
    run_id = workbench.start(workbench.prepare(Order(draft=DRAFT)), queue=False)
    workbench.store.close()
    said = shell("resume", run_id, "--json")
    assert said.status == 4 and "The key for “given” is missing" in said.json["question"] and said.json["calls"] == 0
    assert shell("cancel", run_id).status == 0


# --- after a run ---------------------------------------------------------------------------------------------


def test_a_word_file_is_a_draft_and_what_is_left_out_is_said(shell: Shell) -> None:
    (shell.folder / "draft.docx").write_bytes(word_out.render(DRAFT))
    data = shell("run", "draft.docx", *scripted("steady"), "--json").json
    assert data["text"].startswith("# Spring")
    (shell.folder / "page.html").write_text("<h1>Spring</h1><p>It is teh end.<img src=x>")
    said = shell("run", "page.html", *scripted("steady"))
    assert said.status == 0 and said.out.startswith("# Spring") and "pictures" in said.err


def test_a_run_is_listed_shown_and_exported(shell: Shell) -> None:
    data = shell.run()
    (row,) = shell("runs", "--json").json
    assert list(row) == ["run_id", "title", "status", "variant", "technique", "reason", "at", "cost"]
    assert (row["run_id"], row["status"], row["reason"], row["cost"]) == (data["run_id"], "done", "approved", 0.0)
    assert row["at"].endswith("Z") and data["run_id"] in shell("runs").out
    assert shell("show", data["run_id"][:-2], "--json").json == data
    shown = shell("show", data["run_id"]).out
    assert "Round 0: revise" in shown and "The critic approved" in shown and data["text"] in shown
    lines = shown.splitlines()
    assert [line.split()[:3] for line in lines if line.endswith(" %")] == [
        ["writer", "scripted", "steady"],
        ["critic", "scripted", "steady"],
    ]
    assert "At most: 400,000 tokens, 100 calls, 1,800 s" in lines
    assert any(line.startswith("Estimate before the run: 0 USD, ") for line in lines)
    page = shell("export", data["run_id"], "--as", "html", "--out", "-").out
    assert "Estimate before the run" in page


def test_every_kind_of_export_is_written(shell: Shell) -> None:
    data = shell.run()
    for kind in export.KINDS:
        said = shell("export", data["run_id"], "--as", kind, "--out", f"out.{kind}")
        assert said.status == 0 and (shell.folder / f"out.{kind}").stat().st_size > 0
    assert (shell.folder / "out.md").read_text("utf-8") == data["text"]
    assert shell("export", data["run_id"], "--as", "md", "--out", ".").status == 0
    assert (shell.folder / "Spring.md").exists()
    assert shell("export", data["run_id"], "--as", "md", "--out", "nowhere/x.md").status == 2


def test_an_exported_log_is_replayed_without_a_store(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    data = shell.run()
    shell("export", data["run_id"], "--as", "jsonl", "--out", "run.jsonl")
    monkeypatch.setenv("REFINE_HOME", str(shell.draft))
    assert shell("show", "run.jsonl", "--json").json == data
    assert shell("export", "run.jsonl", "--as", "md", "--out", "again.md").status == 0


def test_a_waiting_run_is_answered_and_goes_on(shell: Shell) -> None:
    said = shell("run", shell.draft, "--json", *scripted("steady", "options.pause=on"))
    run_id = said.json["run_id"]
    assert said.status == 4 and said.json["status"] == "waiting" and said.json["question"] in said.err
    assert shell("resume", run_id, "--json").status == 4
    again = shell("answer", run_id, "", "--json")
    assert len(again.json["rounds"]) == 2 and again.json["calls"] > said.json["calls"]
    while again.status == 4:
        again = shell("answer", run_id, "", "--json")
    assert again.status == 0 and again.json["reason"] == "approved"
    assert shell("answer", run_id, "approve").status == 2


def test_a_remark_in_an_answer_must_be_met(shell: Shell) -> None:
    run_id = shell.run("steady", "options.pause=on")["run_id"]
    rounds = shell("answer", run_id, "Say who came.", "--json").json["rounds"]
    assert "Say who came." in [finding["remark"] for finding in rounds[0]["findings"]]


def test_cancel_ends_a_run_that_nobody_drives(shell: Shell) -> None:
    run_id = shell.run("steady", "options.pause=on")["run_id"]
    assert shell("cancel", run_id).status == 0
    data = shell("show", run_id, "--json").json
    assert (data["status"], data["reason"]) == ("cancelled", "cancelled") and data["text"]
    assert shell("resume", run_id, "--json").status == 130
    assert "nothing to stop" in shell("cancel", run_id).err


def test_a_fork_shows_earlier_rounds_and_does_not_pay_them_again(shell: Shell) -> None:
    first = shell.run("never-satisfied", options=("--json", "--max-rounds", "2"))
    (shell.folder / "mine.md").write_text("# Spring\n\nMy own words of March 2024.\n", encoding="utf-8")
    said = shell(
        "fork", first["run_id"], "--round", 1, "--draft", "mine.md", "--json", "--set", "stops.max_rounds=3",
        "role.critic.model=lenient",
    )  # fmt: skip
    assert said.status == 0 and said.json["run_id"] != first["run_id"]
    assert [round["text"] for round in said.json["rounds"][:2]] == [round["text"] for round in first["rounds"]]
    assert said.json["text"] == "# Spring\n\nMy own words of March 2024.\n" and said.json["calls"] == 1
    assert shell("fork", first["run_id"], "--round", 7).status == 2


def test_a_fork_of_the_last_round_goes_on_although_the_limit_was_reached(shell: Shell) -> None:
    first = shell.run("never-satisfied", options=("--json", "--max-rounds", "2"))
    assert len(shell("fork", first["run_id"], "--round", 1, "--json").json["rounds"]) == 4


def test_a_fork_with_other_tools_may_use_those_and_no_others(shell: Shell) -> None:
    first = shell("demo", "sum", "--json").json["run_id"]
    unknown = shell("fork", first, "--round", 0, "--set", "options.tools=nope")
    assert unknown.status == 2 and "There is no tool nope." in unknown.err
    said = shell("fork", first, "--round", 0, "--set", "options.tools=dictionary", "--json")
    assert [tool["name"] for tool in read(said.json["run_id"]).spec.tools] == ["dictionary"]


def test_a_fork_of_steps_takes_no_text_of_ones_own(shell: Shell) -> None:
    first = shell("demo", "sum", "--json").json["run_id"]
    said = shell("fork", first, "--round", 0, "--draft", shell.draft)
    assert said.status == 2 and "no text that yours could replace" in said.err


def test_steps_without_a_question_are_refused(shell: Shell) -> None:
    said = shell("run", shell.draft, "--technique", "react")
    assert said.status == 2 and "needs a question" in said.err


@pytest.mark.parametrize("limit", ["-1", "99999999999999999999"])
def test_a_list_of_impossible_length_is_refused(limit: str, shell: Shell) -> None:
    said = shell("runs", "--limit", limit)
    assert said.status == 2 and "--limit takes a number" in said.err


@pytest.mark.parametrize("command", ["run", "react"])
def test_a_language_without_checks_and_words_is_refused(command: str, shell: Shell) -> None:
    said = shell(command, shell.draft, "--lang", "xx")
    assert said.status == 2 and "--lang" in said.err


def test_a_run_that_another_process_holds_is_not_driven_twice(shell: Shell) -> None:
    from refine.locks import run_lock

    run_id = shell.run("steady", "options.pause=on")["run_id"]
    with run_lock(shell.folder / "home", run_id):
        said = shell("resume", run_id)
        assert said.status == 2 and "another process" in said.err
        assert shell("answer", run_id, "").status == 0


# --- processes of their own ----------------------------------------------------------------------------------


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "refine", *words]


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**kept, "REFINE_HOME": str(folder / "home"), "PYTHONPATH": str(Path(__file__).parent.parent)}


@pytest.fixture
def slow_run(shell: Shell) -> Iterator[subprocess.Popen[str]]:
    """A run of the slow character that is in the middle of a call."""
    process = subprocess.Popen(
        command("run", "draft.md", "--json", *scripted("slow")),
        cwd=shell.folder, env=environment(shell.folder), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 20
    while not rounds_of_newest(shell) and time.monotonic() < until:
        select.select([], [], [], 0.1)
    yield process
    process.kill()
    process.communicate()


def rounds_of_newest(shell: Shell) -> int:
    rows = shell("runs", "--json").json
    return len(shell("show", rows[0]["run_id"], "--json").json["rounds"]) if rows else 0


def test_a_closed_standard_error_spoils_no_text(shell: Shell) -> None:
    words = [*command("run", "draft.md", *scripted("steady")), "2>&-"]
    done = subprocess.run(" ".join(words), shell=True, cwd=shell.folder, env=environment(shell.folder), text=True,
                          stdout=subprocess.PIPE, check=False)  # fmt: skip
    assert done.returncode == 0 and "fault" not in done.stdout and len(done.stdout.split()) > 3


def test_a_closed_standard_output_is_told_before_anything_is_paid(shell: Shell) -> None:
    words = [*command("run", "draft.md", *scripted("steady")), ">&-"]
    done = subprocess.run(" ".join(words), shell=True, cwd=shell.folder, env=environment(shell.folder), text=True,
                          stderr=subprocess.PIPE, check=False)  # fmt: skip
    assert done.returncode == 2 and done.stderr.startswith("Standard output is closed")
    assert shell("runs", "--json").json == []


def test_ctrl_c_is_a_stop_on_record(slow_run: subprocess.Popen[str], shell: Shell) -> None:
    slow_run.send_signal(signal.SIGINT)
    out, err = slow_run.communicate(timeout=10)
    data = json.loads(out)
    assert slow_run.returncode == 130 and "Traceback" not in err
    assert (data["status"], data["reason"]) == ("cancelled", "cancelled") and data["text"]
    assert shell("show", data["run_id"], "--json").json == data


def test_a_run_ended_from_outside_goes_on_without_paying_twice(slow_run: subprocess.Popen[str], shell: Shell) -> None:
    slow_run.send_signal(signal.SIGTERM)
    out, err = slow_run.communicate(timeout=10)
    left = json.loads(out)
    assert slow_run.returncode == 143 and "resume" in err and left["reason"] is None
    said = shell("resume", left["run_id"], "--json")
    assert said.status == 0
    assert [said.json["rounds"][0][name] for name in ("text", "seconds")] == [
        left["rounds"][0][name] for name in ("text", "seconds")
    ]
    assert said.json["calls"] <= 2 * len(said.json["rounds"])


def test_cancel_stops_a_run_of_another_process(slow_run: subprocess.Popen[str], shell: Shell) -> None:
    run_id = shell("runs", "--json").json[0]["run_id"]
    said = shell("cancel", run_id)
    assert said.status == 0 and "is stopped" in said.err
    assert slow_run.wait(timeout=10) == 130


def test_a_draft_comes_in_by_standard_input_and_a_closed_pipe_is_no_error(shell: Shell) -> None:
    words = command("run", "-", *scripted("steady"))
    done = subprocess.run(
        words, cwd=shell.folder, env=environment(shell.folder), input=DRAFT.encode("utf-16"), capture_output=True
    )
    assert done.returncode == 0 and done.stdout.startswith(b"# Spring")
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run(words, cwd=shell.folder, env=environment(shell.folder), input=DRAFT.encode(),
                            stdout=writer, stderr=subprocess.PIPE)  # fmt: skip
    os.close(writer)
    assert closed.returncode == 0 and b"Traceback" not in closed.stderr and b"Broken" not in closed.stderr


def test_a_person_at_a_terminal_is_asked_there(shell: Shell) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("run", "draft.md", *scripted("steady", "options.pause=on")),
        cwd=shell.folder, env={**environment(shell.folder), "TERM": "xterm"}, stdin=theirs, stderr=theirs,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    seen, until = b"", time.monotonic() + 30
    while process.poll() is None and time.monotonic() < until:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
            seen += piece
            if b"> " in piece:
                os.write(ours, b"\n")
    out, _ = process.communicate(timeout=10)
    os.close(ours)
    assert process.returncode == 0 and out.startswith(b"# Spring")
    assert b"A round has ended." in seen and b"Round 1: " in seen


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom refine.cli import main\ntry: main(['run', '--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('sqlalchemy', 'openai', 'pandas', 'streamlit', 'rich', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
