"""`app.py` stays what it is: the worker, the live route, the headers, and nothing else."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = (PROJECT / "app.py").read_text(encoding="utf-8")


def test_it_stays_short_and_knows_only_what_it_needs() -> None:
    imported = {node.module for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.ImportFrom)}
    assert len(SOURCE.splitlines()) <= 62
    ours = {name for name in imported if name and name.startswith("refine")}
    assert ours == {"refine", "refine.ui", "refine.ui.parts"}


def test_every_answer_forbids_outside_content_and_frames() -> None:
    headers = next(
        ast.literal_eval(node.value)
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "HEADERS"
    )
    policy = dict(rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";"))
    assert policy["img-src"] == "'self' data: blob:"
    assert policy["object-src"] == policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_server_listens_on_this_machine_only_and_tells_nobody() -> None:
    config = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["fileWatcherType"] == "none"
    assert config["server"]["maxUploadSize"] == 20
    assert config["browser"]["gatherUsageStats"] is False
