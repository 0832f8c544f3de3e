"""The commands and their options as a person reads and types them: names, help texts, and how they are parsed.

It knows nothing of what a command does.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from refine.errors import SettingsError
from refine.foreground import PROGRAM
from refine.settings import redact


class _Parser(argparse.ArgumentParser):
    """Errors are one sentence, and never repeat a word nobody expected, which may be a key."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        if message.startswith("unrecognized arguments: "):
            given = message.partition(": ")[2].split()
            options = [word.partition("=")[0] for word in given if word.startswith("-")]
            message = f"there is no option {options[0]}" if options else f"got {len(given)} more words than it takes"
        raise SettingsError(f"{self.prog}: {redact(message)}. See {self.prog} --help.")


ABOUT = """\
Writer-critic rounds on a draft until the critic approves, with every round on record.

The text goes to standard output, all else to standard error. Everything is kept under REFINE_HOME
(default: data/runs in the folder of Refine). A run is named by its id or the first signs of it."""

STATUSES = """\
exit status:
  0    the run ended with a result, or the command did what was asked
  2    bad arguments or settings: nothing was started
  3    failed for good; with --json the object of the run is still printed
  4    the run waits for an answer: see the command answer
  130  the run was stopped by you
  143  ended from outside (SIGTERM): the run is unfinished, resume goes on

environment:
  REFINE_HOME      folder of the runs, keys.yaml, endpoints.yaml and your own prompts
  OPENAI_API_KEY   key for the endpoint openai;  OPENAI_BASE_URL  its address, if it is another one
  REFINE_MODEL     the model where a prompt names none
  Without a key or an address the variant is offline, which needs neither key nor network."""

RUN_ABOUT = """\
Runs a draft through the rounds of a variant and prints the best reviewed text.

Ctrl-C stops the run and keeps its best text; a second Ctrl-C leaves at once.
A question of the run is asked here if standard input and standard error are a terminal and
--json is not given; else an unclear verdict counts as "revise"."""

RUN_EXAMPLES = """\
examples:
  python -m refine run draft.md > better.md
  python -m refine run draft.md --variant polish --set role.critic.model=gpt-5 stops.score=8
  python -m refine run --brief "A welcome note for new members, 120 words"
  python -m refine run - --base-url http://localhost:11434/v1 --model qwen3 --json < draft.md"""

EXAMPLES: Mapping[str, str] = {
    "run": RUN_EXAMPLES,
    "compare": """\
examples:
  python -m refine compare --drafts a.md b.md --variants offline plain-language
  python -m refine compare --drafts texts/*.md --variants polish classic --repeats 3 --cap 2 --out result.xlsx""",
    "fork": """\
examples:
  python -m refine fork RUN --round 1 --set stops.max_rounds=6
  python -m refine fork RUN --round 1 --draft mine.md""",
    "export": """\
examples:
  python -m refine export RUN --as docx --out better.docx
  python -m refine export RUN --as jsonl --out run.jsonl""",
}
"""Command -> what stands below its options."""

SET_HELP = (
    "settings, as in variant.yaml: role.NAME.FIELD (model, endpoint, temperature, max_tokens, reply, prompt), "
    "stops.NAME, limits.NAME (money, tokens, time, calls, failures), options.NAME, checks.NAME.OPTION"
)
Options = dict[str, dict[str, Any]]
ENDPOINT: Options = {
    "--base-url": {"metavar": "URL", "help": "address of an OpenAI-compatible endpoint, like http://localhost:1234/v1"},
    "--api-key": {
        "metavar": "KEY",
        "help": "its key; it is never stored. Others on this computer may see it in the list of processes, so the "
        "environment variable OPENAI_API_KEY, with OPENAI_BASE_URL for the address, is safer",
    },
    "--model": {"help": "the model where a prompt names none"},
}
SET: Options = {"--set": {"metavar": "KEY=VALUE", "nargs": "+", "action": "extend", "default": [], "help": SET_HELP}}
JSON: Options = {"--json": {"action": "store_true", "help": "print one JSON object and nothing else"}}
JSON_LIST: Options = {"--json": {"action": "store_true", "help": "print one JSON list and nothing else"}}
RUN: Options = {"run": {"metavar": "RUN", "help": "id of a run, or how it begins"}}
STORED: Options = {"run": {"metavar": "RUN|FILE.jsonl", "help": "id of a run or how it begins, or an exported log"}}
KEY: Options = {
    "--api-key": {
        "metavar": "KEY",
        "help": "key for the run's endpoint; it is never stored. For a run that was started by --base-url with "
        "--api-key the environment variable REFINE_KEY does the same",
    }
}

LANGUAGE: dict[str, Any] = {"choices": ("en", "zh")}
QUESTION: Options = {
    "--protocol": {"choices": ("json", "native"), "help": "how tools are asked for (default: the variant's)"},
    "--max-steps": {"metavar": "N", "help": "most steps of a question; --set stops.max_rounds"},
}

REACT_ABOUT = """\
Works on a question in steps: think, use a tool, look at the result, until there is an answer.

The answer goes to standard output. Only the tools named may be used; --tools none uses none.
Without an endpoint the small built-in model is used, which can hand a sum to the calculator and little more."""

COMPARE_ABOUT = """\
Runs variants on the same texts and says which is better, by how much and how sure that is.

Every run is kept like any other. Results are measured by the same checks for all, and by a judge if one is named.
Ctrl-C stops it and keeps what is done; --extend ID goes on. Without a key a scripted model plays the models, which only
shows how comparing works."""

KINDS = ("md", "txt", "json", "jsonl", "csv", "html", "docx")

OPTIONS: Mapping[str, tuple[str, Options]] = {
    "run": (
        RUN_ABOUT,
        {
            "draft": {
                "metavar": "DRAFT",
                "nargs": "?",
                "help": "a text, Word or HTML file, or - for standard input",
            },
            "--brief": {"metavar": "TEXT", "help": "what the text should do; alone, it has the first draft written"},
            "--title": {"help": "name of the run in lists (default: the first line of the draft)"},
            "--variant": {"help": "folder of prompts (default: polish with an endpoint, offline without)"},
            "--technique": {"help": "refine, single or best_of_n (default: the variant's)"},
            **ENDPOINT,
            **SET,
            "--max-rounds": {"metavar": "N", "help": "most reviews, the draft's own included; --set stops.max_rounds"},
            "--checks": {
                "metavar": "none|LIST",
                "help": "checks to use, with commas between them, instead of the variant's",
            },
            "--lang": {**LANGUAGE, "help": "language of the text (default: found from it)"},
            **JSON,
        },
    ),
    "react": (
        REACT_ABOUT,
        {
            "question": {"metavar": "QUESTION", "help": "what to find out or do"},
            "--draft": {"metavar": "FILE", "help": "a text that the tools may read, or - for standard input"},
            "--tools": {"metavar": "A,B", "help": "names of the tools that may be used (default: the variant's)"},
            **QUESTION,
            "--variant": {"help": "folder of prompts (default: react with an endpoint, react-tiny without)"},
            "--title": {"help": "name of the run in lists (default: the question)"},
            **ENDPOINT,
            **SET,
            "--lang": {**LANGUAGE, "help": "language of the question (default: found from it)"},
            **JSON,
        },
    ),
    "compare": (
        COMPARE_ABOUT,
        {
            "--plan": {"metavar": "FILE.yaml", "help": "what to compare, as a file; see docs/guide.md"},
            "--drafts": {"metavar": "FILE", "nargs": "+", "action": "extend", "help": "texts, also as texts/*.md"},
            "--variants": {"metavar": "NAME", "nargs": "+", "action": "extend", "help": "folders of prompts"},
            "--repeats": {"metavar": "N", "help": "how often each variant works on each text (default: 1)"},
            "--one-prompt": {"action": "store_true", "help": "add one strong single prompt as baseline"},
            "--best-of-n": {"action": "store_true", "help": "add the best of N drafts at the cost of the first loop"},
            "--baseline": {"metavar": "NAME", "help": "the variant that differences are against"},
            "--judge": {"metavar": "MODEL", "help": "model that scores every result, as MODEL or ENDPOINT/MODEL"},
            "--pairs": {"action": "store_true", "help": "have the judge also hold each result against the baseline's"},
            "--cap": {"metavar": "MONEY", "help": "most that all runs together may cost"},
            "--concurrency": {"metavar": "N", "help": "runs at once (default: 8)"},
            "--extend": {
                "metavar": "ID",
                "help": "go on with a comparison, and add what is named; runs that exist are not paid again",
            },
            "--again": {"action": "store_true", "help": "with --extend: also try again the runs that failed"},
            "--list": {
                "action": "store_true",
                "help": "list the comparisons there are, newest first, and nothing else",
            },
            "--title": {"help": "name of the comparison in lists"},
            **ENDPOINT,
            **SET,
            "--lang": {**LANGUAGE, "help": "language of the sentence and notes (default: that of the first text)"},
            **JSON,
            "--out": {"metavar": "FILE", "help": "also write it all as .xlsx, .html or .json, or the runs as .csv"},
        },
    ),
    "demo": (
        "Runs a sample task with tools, played by a scripted model: notes, weather, server, sum or talk.",
        {
            "name": {"metavar": "NAME", "help": "the task"},
            "--real": {"action": "store_true", "help": "ask the endpoint that is set instead of the scripted model"},
            **QUESTION,
            **ENDPOINT,
            **SET,
            "--lang": {**LANGUAGE, "help": "language of the task (default: en)"},
            **JSON,
        },
    ),
    "show": ("Shows a run and its best text, from the store or from an exported log.", {**STORED, **JSON}),
    "runs": (
        "Lists the runs, newest first. Those of comparisons are left out.",
        {
            "--comparison": {
                "metavar": "ID",
                "help": "the runs of that comparison, and of what measures them, instead",
            },
            "--limit": {"metavar": "N", "type": int, "default": 1000, "help": "at most so many (default 1000)"},
            **JSON_LIST,
        },
    ),
    "costs": (
        'Adds up what all calls used: tokens, and money by currency. What is not known makes a sum "at least".',
        {
            "--by": {
                "choices": ("day", "endpoint", "model", "variant", "role", "run"),
                "default": "day",
                "help": "one line for each (default: day)",
            },
            **JSON_LIST,
        },
    ),
    "resume": ("Goes on with an unfinished or waiting run, here. Nothing is paid twice.", RUN | KEY | JSON),
    "cancel": (
        "Stops a run or a comparison, whoever works on it. What is done is kept.",
        {"run": {"metavar": "RUN|COMPARISON", "help": "id of a run or of a comparison, or how it begins"}},
    ),
    "answer": (
        "Answers the question of a waiting run and goes on with it, here.",
        RUN
        | {"text": {"metavar": "TEXT", "help": "approve, revise, or a remark; for a missing key, the key"}}
        | KEY
        | JSON,
    ),
    "fork": (
        "Starts a new run from a round of another. Its earlier rounds are shown, not paid again.",
        {
            **RUN,
            "--round": {"metavar": "N", "type": int, "required": True, "help": "the round to go on from, from 0"},
            "--draft": {"metavar": "FILE", "help": "your own text instead of that round's, or - for standard input"},
            **SET,
            **KEY,
            **JSON,
        },
    ),
    "export": (
        "Writes a run to a file: its text (docx, md, txt), a page with its changes, rounds and findings (html), its\n"
        "object (json), its log (jsonl), its rounds as a table (csv). While a run goes on, the file holds its\n"
        "finished rounds and says so.",
        {
            **STORED,
            "--as": {"dest": "kind", "required": True, "choices": KINDS, "help": "kind of file"},
            "--out": {"metavar": "FILE", "required": True, "help": "file or folder to write to, - for standard output"},
        },
    ),
    "worker": ("Works on queued runs until it is stopped, as the app does.", {}),
    "fake": (
        "Serves the scripted models at an OpenAI-compatible address on this computer.",
        {"--port": {"metavar": "P", "type": int, "default": 0, "help": "port (default: any free one)"}},
    ),
    "model": (
        "Serves the small model that ships with Refine at an OpenAI-compatible address on this computer.",
        {
            "--port": {"metavar": "P", "type": int, "default": 0, "help": "port (default: any free one)"},
            "--with-parent": {"action": "store_true", "help": "end when the program that started it ends"},
        },
    ),
    "bench": (
        "Measures speed and size against the fake server, each figure as a ratio to the bare client.",
        {
            "--quick": {"action": "store_true", "help": "tiny numbers, to see that it works; the figures say little"},
            "--json": {"action": "store_true", "help": "print one list of objects"},
        },
    ),
}
"""Command -> what it does, in words, and what it takes."""


def parser(commands: Mapping[str, Callable[[argparse.Namespace], int]]) -> argparse.ArgumentParser:
    """Reads the words after `python -m refine`; what it returns has the function of the command as `command`."""
    made = _Parser(prog=PROGRAM, description=ABOUT, epilog=STATUSES)
    parts = made.add_subparsers(metavar="COMMAND", required=True)
    for name, (about, options) in OPTIONS.items():
        part = parts.add_parser(name, description=about, help=about.partition(".")[0], epilog=EXAMPLES.get(name))
        part.set_defaults(command=commands[name])
        for option, settings in options.items():
            part.add_argument(option, **settings)
    return made
