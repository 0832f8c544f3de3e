"""A key is looked for in everything that a run leaves behind, also where a server repeats it. It is nowhere."""

from __future__ import annotations

import io
import json
import logging
import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from refine import events, export, trace, views
from refine.cli import main
from refine.errors import ModelError, SettingsError
from refine.keys import remember_secret
from refine.models.fake_server import Running, running
from refine.runs import Order, open_workbench
from refine.settings import load, read_url
from tests.faulty import DRAFT, ChatDoors, Memory, drive_run, spec_for

KEY = "sk-canary-7f3kQ9m2X5w8Z1v4T6y0"
SHORTEST = 8


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def found_in(artefacts: dict[str, str | bytes]) -> list[str]:
    """The names of the artefacts that hold eight characters of the key or more."""
    pieces = {KEY[n : n + SHORTEST] for n in range(len(KEY) - SHORTEST + 1)}
    return [name for name, content in artefacts.items() if any(piece in text_of(content) for piece in pieces)]


def text_of(content: str | bytes) -> str:
    """As text; what is packed is unpacked."""
    if isinstance(content, str):
        return content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "\n".join(text_of(archive.read(name)) for name in archive.namelist())
    return content.decode("utf-8", "replace")


def files_under(folder: Path) -> dict[str, str | bytes]:
    return {f"file {path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_search_finds_a_key() -> None:
    assert found_in({"a": f"x{KEY[3:12]}y", "b": KEY.encode(), "c": "nothing"}) == ["a", "b"]


@pytest.mark.parametrize("fault", ["", "key_echo", "context,first=2"])
async def test_what_a_run_leaves_behind_holds_no_key(
    server: Running, home: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    url = server.fault(fault) if fault else server.url
    bench = open_workbench(base_url=url, api_key=KEY, model="steady")
    spec = bench.prepare(Order(draft=DRAFT, checks="none", variant="polish"))
    run_id = bench.start(spec, queue=False)
    view = await bench.run(run_id)
    records = bench.store.records(run_id)
    assert KEY in str([request["headers"] for request in server.script.seen])
    assert bool(view.error) == bool(fault)
    kinds = export.KINDS if view.rounds else ("json", "jsonl")
    artefacts: dict[str, str | bytes] = {f"export {kind}": export.render(view, records, kind) for kind in kinds}
    artefacts |= {f"name {kind}": export.name(view, kind) for kind in export.KINDS}
    artefacts |= {
        "event 0": json.dumps(events.to_json(spec)),
        "log": json.dumps([events.to_json(record.event) for record in records]),
        "--json": json.dumps(views.as_json(view), default=str),
        "row": repr(views.row(view)),
        "view": repr(view),
        "reason": views.reason_of(view),
        "trace": repr(trace.entries(records)),
        "workbench": repr(vars(bench)),
        "settings": repr(bench.settings),
        "keys": repr(bench.keys),
        "quirks": repr(bench.store.quirks_get("given", "steady")),
        "live texts": repr(vars(bench.live)),
    }
    await bench.aclose()
    bench.store.close()
    artefacts |= files_under(home)
    artefacts |= {f"log record {n}": record.getMessage() for n, record in enumerate(caplog.records)}
    artefacts["debug log"] = caplog.text
    assert len(artefacts) >= (30 if view.rounds else 20)
    assert found_in(artefacts) == []


@pytest.mark.parametrize("fault", ["", "key_echo"])
def test_what_commands_print_holds_no_key(
    server: Running, home: Path, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = home / "draft.md"
    draft.write_text(DRAFT, encoding="utf-8")
    given = ["--base-url", server.fault(fault) if fault else server.url, "--api-key", KEY, "--model", "steady"]
    printed: dict[str, str | bytes] = {}

    def said(name: str, *words: object) -> str:
        main([str(word) for word in words])
        out, err = capsys.readouterr()
        printed[f"{name}: out"], printed[f"{name}: err"] = out, err
        return out

    run_id = json.loads(said("run --json", "run", draft, "--checks", "none", *given, "--json"))["run_id"]
    said("run", "run", draft, "--checks", "none", *given)
    said("react --json", "react", "What is 12 * 12?", "--tools", "calculator", *given, "--json")
    said("react", "react", "What is 12 * 12?", "--tools", "calculator", *given)
    said("bad URL", "run", draft, "--base-url", f"http://user:{KEY}@host/v1")
    said("key for URL", "run", draft, "--base-url", KEY)
    said("bad set", "run", draft, *given, "--set", f"role.writer.{KEY}=1")
    for words in (("runs",), ("runs", "--json"), ("show", run_id), ("resume", run_id), ("resume", run_id, "--json")):
        said(" ".join(words[:1] + words[2:]), *words)
    for kind in export.KINDS:
        said(f"export {kind}", "export", run_id, "--as", kind, "--out", home / f"out.{kind}")
    assert len(printed) >= 30
    assert found_in(printed | files_under(home)) == []


async def test_no_traceback_or_error_holds_a_key(server: Running) -> None:
    doors = ChatDoors(Memory(KEY))
    remember_secret(KEY)
    seen: dict[str, str | bytes] = {}
    for fault in ("key_echo", "context", "html", "drop", "error_200", "redirect", "malformed"):
        log, _ = await drive_run(spec_for("critic", server, fault, True), doors)
        seen[f"log {fault}"] = repr(log)
        spec = spec_for("critic", server, fault, True)
        try:
            await doors.chat(spec.endpoints[1], spec.roles[1], call_of(log), on_text=lambda kind, piece: None)
        except ModelError as error:
            seen[f"traceback {fault}"] = "".join(traceback.format_exception(error))
            seen[f"error {fault}"] = repr(error) + str(error) + repr(vars(error))
    await doors.chat.aclose()
    for text in (f"http://u:{KEY}@host", f"ftp://{KEY}", f"http://host/v1?key={KEY}"):
        try:
            read_url(text)
        except SettingsError as error:
            seen[f"address {text[:4]}"] = "".join(traceback.format_exception(error))
    seen["settings"] = repr(load(base_url=server.url, api_key=KEY))
    assert len(seen) >= 20
    assert found_in(seen) == []


def call_of(log: list[events.Record]) -> object:
    return next(record.event.call for record in log if isinstance(record.event, events.Called))
