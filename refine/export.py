"""Files out of a run: its text, its object, its log, its rounds as a table. And a log file in again.

It knows views and records; nothing of where a file goes or of the store. Pages and Word files are made by `documents`,
which is loaded only when one is asked for.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from refine import views, words
from refine.errors import LogError, SettingsError
from refine.events import Event, Record, Started, from_json, to_json
from refine.forecast import Forecast
from refine.ledger import Cost
from refine.schema import short
from refine.types import Finding, Json, Step
from refine.views import RoundView, RunView
from refine.words import files_en

GOES_ON = files_en.GOES_ON


def render(view: RunView, records: Sequence[Record], kind: str, foreseen: Forecast | None = None) -> bytes:
    """The file's bytes. While a run goes on it holds the finished rounds.

    Args:
        records: the run's log; only jsonl needs it.
        kind: one of `KINDS`.
        foreseen: what it was expected to take; only html tells it.

    Raises SettingsError for an unknown kind, and where there is no reviewed text yet to write (md, txt, docx;
    the md of a run with tools is its trace).
    """
    if kind not in KINDS:
        raise SettingsError(f"No such kind of file: got {short(kind)}. Choose one of {', '.join(KINDS)}.")
    return _page(view, records, foreseen) if kind == "html" else KINDS[kind](view, records)


def name(view: RunView, kind: str) -> str:
    """A file name that every system takes, made of the title; a text that the author edited says so."""
    title = unicodedata.normalize("NFC", view.title)
    clean = "".join(" " if sign in FORBIDDEN or _unseen(sign) else sign for sign in title)
    stem = _cut(" ".join(clean.split()), LONGEST_NAME).strip(". ")
    if not stem or stem.partition(".")[0].strip().upper() in RESERVED:
        stem = f"refine {view.run_id}"
    edited = words.files(view.spec.task.language).EDITED
    return f"{stem}{f' ({edited})' if view.edited else ''}.{kind}"


FORBIDDEN = '<>:"/\\|?*'
LONGEST_NAME = 180
"""Bytes, so that the ending and a browser's own "(1)" still fit into 255."""
RESERVED = {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10))}
"""Names of devices on Windows."""


def _unseen(sign: str) -> bool:
    """Control signs, halves of signs, line ends, and marks that turn the direction of what is read."""
    turning = sign in "\u061c\u200e\u200f" or "\u202a" <= sign <= "\u202e" or "\u2066" <= sign <= "\u2069"
    return turning or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")


def _cut(text: str, most: int) -> str:
    while len(text.encode("utf-8", "replace")) > most:
        text = text[:-1]
    return text


# --- the text and the object ---------------------------------------------------------------------------------


def _markdown(view: RunView, records: Sequence[Record]) -> bytes:
    """The text; of a run with tools, how it came to its answers."""
    if not has_steps(view):
        return _text(view, records)
    from refine import step_text

    return step_text.markdown(view).encode("utf-8", "replace")


def has_steps(view: RunView) -> bool:
    return view.technique == "react"


def _text(view: RunView, records: Sequence[Record]) -> bytes:
    return _reviewed(view).encode("utf-8", "replace")


def _reviewed(view: RunView) -> str:
    if view.text is None:
        lacks, when = ("no text to export", "") if view.ended else ("no reviewed text yet", "later, or ")
        raise SettingsError(
            f"Run {view.run_id} has {lacks}: got {len(view.rounds)} finished rounds. Export it {when}as html, json or "
            "jsonl."
        )
    return view.text


def _object(view: RunView, records: Sequence[Record]) -> bytes:
    data = {
        **views.as_json(view, view.spec.task.language),
        "complete": view.ended,
        "notice": "" if view.ended else GOES_ON,
        "edited_by_you": view.edited,
    }
    return json_bytes(data, indent=2) + b"\n"


def json_bytes(data: Json, indent: int | None = None) -> bytes:
    """UTF-8, also where a text holds half a sign."""
    try:
        return json.dumps(data, ensure_ascii=False, indent=indent).encode()
    except UnicodeEncodeError:  # half a sign, which only the escaped form can hold
        return json.dumps(data, indent=indent).encode()


# --- the log -------------------------------------------------------------------------------------------------


def _log(view: RunView, records: Sequence[Record]) -> bytes:
    lines = (
        {"run_id": record.run_id, "seq": record.seq, "at": record.at, "event": to_json(record.event)}
        for record in records
    )
    return b"".join(json_bytes(line) + b"\n" for line in lines)


def read_log(data: bytes) -> list[Record]:
    """The records of a `.jsonl` file, in order. Raises LogError, with the line, for what is not a run's log."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LogError(f"This is not a log of a run: byte {error.start} is not UTF-8. Export the run again.") from error
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    records = [_record(n, line) for n, line in lines]
    if not records or not isinstance(records[0].event, Started):
        raise LogError("This is not a log of a run: its first line is not a start. Choose a file made by export.")
    for seq, ((n, _), record) in enumerate(zip(lines, records, strict=True)):
        if record.seq != seq or record.run_id != records[0].run_id:
            raise LogError(
                f"Line {n} is not the next one of this log: got {record.seq} of {record.run_id}, and {seq} of "
                f"{records[0].run_id} should stand there. Export the run again."
            )
    return records


def _record(n: int, line: str) -> Record:
    try:
        data = json.loads(line)
        run_id, seq, at = data["run_id"], data["seq"], data["at"]
        event = from_json(Event, data["event"])
    except LogError as error:
        raise LogError(f"Line {n}: {error}") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LogError(f"Line {n} is not a line of a log: got {short(line)}. Export the run again.") from error
    whole = isinstance(run_id, str) and type(seq) is int and type(at) in (int, float)
    if not whole or not isinstance(event, get_args(Event)):
        raise LogError(f"Line {n} is not a line of a log: got {short(line)}. Export the run again.")
    return Record(run_id, seq, float(at), event)


# --- the rounds as a table -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    value: Callable[[RunView, RoundView], Any]


RISKY = "=+-@＝＋－＠﹦﹢﹣﹫'"
RULE = "note: an apostrophe stands before every text that began with = + - @ ' (also full-width), a tab or a line end"
"""Spreadsheets run such cells as formulas. The rule stands in the file's head; taking one ' away undoes it."""


def _amounts(cost: Cost) -> str:
    """One for each currency; one part of unknown price makes it unknown."""
    return " + ".join(f"{known:f}" for _, known in cost.amounts) if cost.complete else "unknown"


COLUMNS = (
    Column("round", lambda view, round: round.n),
    Column("verdict", lambda view, round: round.kind),
    Column("score", lambda view, round: round.score),
    Column("must", lambda view, round: round.count("must")),
    Column("should", lambda view, round: round.count("should")),
    Column("may", lambda view, round: round.count("may")),
    Column("best", lambda view, round: _yes(round.n == view.best_round)),
    Column("set_aside", lambda view, round: _yes(round.set_aside)),
    Column("lost", lambda view, round: "; ".join(round.lost)),
    Column("edited_by_you", lambda view, round: _yes(_edited(view, round.n))),
    Column("input_tokens", lambda view, round: round.usage.input_tokens),
    Column("output_tokens", lambda view, round: round.usage.output_tokens),
    Column("estimated", lambda view, round: _yes(round.usage.estimated)),
    Column("cost", lambda view, round: _amounts(round.cost)),
    Column("currency", lambda view, round: " + ".join(currency for currency, _ in round.cost.amounts)),
    Column("seconds", lambda view, round: f"{round.seconds:.3f}"),
    Column("findings", lambda view, round: "\n".join(_finding(finding, state) for finding, state in round.findings)),
    Column("text", lambda view, round: round.text),
    Column(RULE, lambda view, round: "" if view.ended else GOES_ON),
)

STEP_COLUMNS = (
    Column("step", lambda view, round: round.n + 1),
    Column("question", lambda view, round: view.spec.task.brief if round.n == 0 else _step(round).question),
    Column("thought", lambda view, round: _step(round).thought),
    Column("action", lambda view, round: "\n".join(call.name for call in _step(round).calls)),
    Column("arguments", lambda view, round: "\n".join(_compact(dict(call.arguments)) for call in _step(round).calls)),
    Column("observation", lambda view, round: "\n".join(_step(round).observations)),
    Column("errors", lambda view, round: "; ".join(filter(None, _step(round).errors))),
    Column("answer", lambda view, round: round.text),
    Column("accepted", lambda view, round: _yes(round.kind == "approved")),
    *(column for column in COLUMNS if column.name in ("input_tokens", "output_tokens", "estimated", "cost")),
    *(column for column in COLUMNS if column.name in ("currency", "seconds", RULE)),
)


def _step(round: RoundView) -> Step:
    assert round.step is not None
    return round.step


def _compact(data: Json) -> str:
    return json_bytes(data).decode()


def _table(view: RunView, records: Sequence[Record]) -> bytes:
    columns = STEP_COLUMNS if has_steps(view) else COLUMNS
    return sheet(
        [column.name for column in columns], ([c.value(view, round) for c in columns] for round in view.rounds)
    )


def sheet(head: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """A table as a file of commas, in which nothing runs: see `safe`."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(map(safe, head))
    writer.writerows(map(safe, row) for row in rows)
    return out.getvalue().encode("utf-8-sig", "replace")  # without the mark spreadsheets garble Chinese


def safe(value: Any) -> Any:
    """A cell that no spreadsheet runs as a formula: see `RULE`. What is not text stays as it is."""
    if not isinstance(value, str):
        return value
    begun = UNSEEN.sub("", value)
    return "'" + value if value[:1] in LINE_STARTS or begun[:1] in tuple(RISKY) else value


UNSEEN = re.compile(r"\A[\s\0\ufeff\u200b]+")
LINE_STARTS = ("\t", "\r", "\n")


def _yes(value: bool) -> str:
    return "yes" if value else ""


def _edited(view: RunView, n: int) -> bool:
    """Did this round review a text that the author had edited?"""
    return n > 0 and any(note.kind == "edit" for note in view.rounds[n - 1].notes)


def _finding(finding: Finding, state: str) -> str:
    quote = f" “{finding.quote}”" if finding.quote else ""
    return f"{state} {finding.severity} {finding.dimension}{quote}: {finding.remark} ({finding.critic})"


# --- pages and Word files ------------------------------------------------------------------------------------


def _page(view: RunView, records: Sequence[Record], foreseen: Forecast | None = None) -> bytes:
    from refine import report
    from refine.documents import page

    return page.render(report.page_of(view, foreseen))


def _word(view: RunView, records: Sequence[Record]) -> bytes:
    from refine.documents import word_out

    language = view.spec.task.language
    table = words.files(language)
    return word_out.render(
        _reviewed(view),
        title=view.title,
        language=language,
        notice="" if view.ended else table.GOES_ON,
        status=table.EDITED if view.edited else "",
        at=view.at + view.seconds,
    )


KINDS: Mapping[str, Callable[[RunView, Sequence[Record]], bytes]] = {
    "md": _markdown,
    "txt": _text,
    "json": _object,
    "jsonl": _log,
    "csv": _table,
    "html": _page,
    "docx": _word,
}
