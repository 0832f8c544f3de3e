"""Notes in the workspace: read, cleaned, saved, summarised by rule, gathered in a report, in that order.

A tool asked out of order says what has to come first. What a note says is data: nothing in it is obeyed.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import reduce

from refine.text.sentences import sentences
from refine.tools.registry import tool
from refine.tools.surroundings import Surroundings
from refine.tools.terms import terms
from refine.tools.wording import say
from refine.tools.workspace import Folder
from refine.tools.wrong import Refused

NOTES, CLEANED, SUMMARIES, REPORT = "notes", "cleaned", "summaries", "report.md"
SENTENCES = 3
"""Length of a summary."""

_BULLET = re.compile(r"^\s*(?:(?P<number>\d{1,3})(?:[.)]\s+|[、）]\s*)|(?:[-*+–—](?:\s+|(?=[^\W\d_]))|[•·●○▪]\s*))")
_RULE = re.compile(r"^\s*[-=_*~#.＝]{3,}\s*$")
_TIDYING: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[ \t\u3000\u00a0]+"), " "),
    (re.compile(r" +([,;:!?)，。、；：！？）]|\.(?=\s|$))"), r"\1"),
    (re.compile(r"([(，。、；：！？（]) +"), r"\1"),
    (re.compile(r"([!?,！？。，、])\1+"), r"\1"),
    (re.compile(r"([^\W\d_]),(?=[A-Za-z])"), r"\1, "),
)


@tool()
def list_notes(around: Surroundings) -> str:
    """Lists the notes of the workspace and how far each is: raw, cleaned, summarised."""
    folder = Folder(around)
    names = folder.names(NOTES)
    if not names:
        return say(around.language, "no_notes")
    cleaned, summaries = folder.names(CLEANED), folder.names(SUMMARIES)
    lines = []
    for name in names:
        state = "summarised" if name in summaries else "cleaned" if name in cleaned else "raw"
        lines.append(say(around.language, "note_line", name=name, state=say(around.language, f"state_{state}")))
    return "\n".join(lines)


@tool()
def read_note(around: Surroundings, name: str) -> str:
    """Reads a note as it is.

    Args:
        name: its file name, as the list has it.
    """
    return Folder(around).read(NOTES, name)


@tool()
def clean_note(around: Surroundings, name: str) -> str:
    """Gives a note back tidied by rule: spaces, list marks, empty lines, doubled lines and signs. Saves nothing.

    Args:
        name: its file name, as the list has it.
    """
    return tidy(Folder(around).read(NOTES, name))


@tool()
def save_note(around: Surroundings, name: str, text: str) -> str:
    """Saves the cleaned text of a note beside the original, which stays as it is. The text has to be clean.

    Args:
        name: the note's file name, as the list has it.
        text: the whole cleaned text.
    """
    folder = Folder(around)
    raw = folder.read(NOTES, name)
    if not text.strip():
        raise Refused(say(around.language, "save_nothing"))
    if tidy(text).strip() != text.strip():
        raise Refused(say(around.language, "clean_first", name=name))
    if terms(raw) and not terms(raw) & terms(text):
        raise Refused(say(around.language, "save_other", name=name))
    folder.write(CLEANED, name, text.strip() + "\n")
    return say(around.language, "saved", name=name, count=len(text.strip()))


@tool()
def summarise_note(around: Surroundings, name: str) -> str:
    """Summarises a cleaned note by rule, the sentences that hold most of its words, and saves the summary.

    Args:
        name: the note's file name, as the list has it.
    """
    folder = Folder(around)
    folder.read(NOTES, name)
    if not folder.has(CLEANED, name):
        raise Refused(say(around.language, "clean_and_save_first", name=name))
    summary = summarise(folder.read(CLEANED, name))
    folder.write(SUMMARIES, name, summary + "\n")
    return summary


@tool()
def build_report(around: Surroundings, title: str) -> str:
    """Builds the report from the summaries of all notes and saves it as report.md. Every note needs a summary first.

    Args:
        title: the report's heading.
    """
    folder = Folder(around)
    names = folder.names(NOTES)
    if not names:
        raise Refused(say(around.language, "no_notes"))
    missing = [name for name in names if not folder.has(SUMMARIES, name)]
    if missing:
        raise Refused(say(around.language, "summarise_first", names=", ".join(missing)))
    parts = [f"# {' '.join(title.split()) or say(around.language, 'report')}"]
    parts += [f"## {name}\n\n{folder.read(SUMMARIES, name).strip()}" for name in names]
    folder.write("", REPORT, "\n\n".join(parts) + "\n")
    return say(around.language, "report_built", name=REPORT, count=len(names))


@tool(asks=True)
def delete_note(around: Surroundings, name: str) -> str:
    """Deletes a note for good, with its cleaned text and summary.

    Args:
        name: its file name, as the list has it.
    """
    folder = Folder(around)
    folder.read(NOTES, name)
    for kind in (SUMMARIES, CLEANED, NOTES):
        folder.delete(kind, name)
    return say(around.language, "deleted", name=name)


def tidy(text: str) -> str:
    """The text with one kind of list mark, single spaces and signs, no rules, no doubled or needless empty lines."""
    lines: list[str] = []
    for line in text.splitlines():
        plain = "" if _RULE.match(line) else _tidy_line(line)
        said_before = plain and plain in lines
        if not said_before and (plain or (lines and lines[-1])):
            lines.append(plain)
    return "\n".join(lines).strip()


def _tidy_line(line: str) -> str:
    bullet = _BULLET.match(line)
    body = line[bullet.end() :] if bullet else line
    plain = reduce(lambda text, rule: rule[0].sub(rule[1], text), _TIDYING, body).strip()
    if not bullet or not plain:
        return plain
    return f"{bullet['number']}. {plain}" if bullet["number"] else f"- {plain}"


def summarise(text: str) -> str:
    """The sentences that hold most of what the text speaks of often, in their order."""
    pieces = [text[start:end] for start, end in sentences(text)]
    often = Counter(term for piece in pieces for term in terms(piece))
    worth = [sum(often[term] for term in terms(piece)) / (len(terms(piece)) + 3) for piece in pieces]
    best = sorted(sorted(range(len(pieces)), key=lambda n: -worth[n])[:SENTENCES])
    return "\n".join(" ".join(pieces[n].split()) for n in best)
