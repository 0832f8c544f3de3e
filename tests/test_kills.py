"""kill -9 at random moments inside a stream: the run goes on, and no finished call is paid again."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from refine.events import Called, Replied
from refine.models.fake_server import Script, running
from refine.runs import open_workbench
from tests.fakes import calls_made_after_reply

KILLS = 4
ROUNDS = 5


def refine(home: Path, *words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "REFINE_HOME": str(home)}
    return subprocess.Popen(
        [sys.executable, "-m", "refine", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def asked(script: Script) -> int:
    return script.requests


def test_a_run_killed_again_and_again_ends_as_it_would_have_and_repeats_only_calls_in_flight(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    chance = random.Random(7)
    draft = tmp_path / "draft.md"
    draft.write_text("A draft that is never good enough for its critic.\n", encoding="utf-8")
    replies = [
        f"Draft number {n} of the same text, which goes on for a while so that it can be cut." for n in range(40)
    ]
    script = Script(
        roles={"writer": deque(replies), "critic": deque(["The opening is still weak."] * 40)}, seconds_per_piece=0.03
    )
    with running(script) as server:
        options = ["--base-url", server.url, "--model", "steady", "--max-rounds", str(ROUNDS), "--checks", "none"]
        words = ["run", str(draft), "--variant", "classic", *options, "--json"]
        kills = 0
        while True:
            before = asked(script)
            process = refine(tmp_path, *words)
            if kills == KILLS:
                out, err = process.communicate(timeout=120)
                assert process.returncode == 0, err
                break
            while asked(script) == before and process.poll() is None:
                time.sleep(0.02)
            time.sleep(chance.uniform(0, 0.4))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            bench = open_workbench()
            run_id = bench.store.runs()[0].run_id
            bench.store.close()
            words = ["resume", run_id, "--json"]
        ended = json.loads(out)
        bench = open_workbench()
        records = bench.store.records(ended["run_id"])
        bench.store.close()
        assert ended["reason"] == "max_rounds"
        assert [round["n"] for round in ended["rounds"]] == list(range(ROUNDS))
        finished = sum(isinstance(record.event, Replied) for record in records)
        assert finished == ROUNDS + ROUNDS - 1
        assert not calls_made_after_reply(records)
        assert asked(script) <= finished + kills
        assert sum(isinstance(record.event, Called) for record in records) <= finished + kills
