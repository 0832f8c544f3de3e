"""The command line: `python -m refine COMMAND`. It reads arguments, calls the use-cases and prints; it decides nothing.

Text and objects go to standard output, everything else to standard error. Heavy parts are imported by the commands
that need them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from refine.errors import LogError, RefineError, SettingsError
from refine.foreground import (
    BAD,
    DONE,
    FAILED,
    INTERRUPTED,
    PROGRAM,
    drive,
    fault,
    give_key,
    holding,
    lacking_keys,
    opened,
    print_json,
    print_out,
    say,
    somebody,
    wait_for_signal,
    write_file,
)
from refine.settings import redact, remember_secret

if TYPE_CHECKING:
    from refine.events import Record
    from refine.forecast import Forecast
    from refine.runs import Order, Workbench
    from refine.views import RunView

MOST_LISTED = 1_000_000_000
CANCEL_SECONDS = 10.0
"""How long `cancel` waits for another process to stop."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; no error leaves it as a traceback."""
    given = list(sys.argv[1:] if argv is None else argv)
    _remember_keys(given)
    _write_utf8()
    try:
        args = _parser().parse_args(given)
        status: int = args.command(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains at its exit
        return DONE
    except KeyboardInterrupt:
        return say("Stopped.", INTERRUPTED)
    except (SettingsError, LogError) as error:
        return say(str(error), BAD)
    except RefineError as error:
        return say(str(error), FAILED)
    except ModuleNotFoundError as error:
        return say(f"A package that Refine needs is missing: {error.name}. Install requirements.txt.", BAD)
    except Exception as error:
        return say(fault(error), FAILED)


def _remember_keys(argv: Sequence[str]) -> None:
    """Keys are masked from the first message on, also where the option itself is misspelt."""
    for option, value in zip(argv, [*argv[1:], ""], strict=False):
        if option.startswith("--") and "key" in option:
            remember_secret((option.partition("=")[2] or value).strip())


def _write_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(encoding="utf-8", errors="replace")


# --- commands ------------------------------------------------------------------------------------------------


def _run(args: argparse.Namespace) -> int:
    changes, draft = _settings_of(args)
    text = _read_draft(draft) if draft is not None else ""
    if not text.strip() and not (args.brief or "").strip():
        raise SettingsError(
            "There is nothing to work on: got neither a draft nor a brief. Name a file, - for standard input, or give "
            "--brief."
        )
    from refine.runs import Order

    order = Order(
        draft=text,
        brief=args.brief or "",
        title=args.title or "",
        variant=args.variant,
        technique=args.technique,
        changes=changes,
        checks=args.checks,
        language=args.lang or "",
        somebody=somebody(args),
    )
    return _started(order, args)


def _started(order: Order, args: argparse.Namespace) -> int:
    from refine.runs import new_id

    with opened(args, args.api_key) as workbench:
        spec = workbench.prepare(order)
        for said in workbench.unkept(spec):
            say(f"Note: {said}.")
        run_id = new_id()
        with holding(workbench, run_id):
            workbench.start(spec, queue=False, run_id=run_id)
            return drive(workbench, run_id, args)


def _react(args: argparse.Namespace) -> int:
    if not args.question.strip():
        raise SettingsError("There is nothing to work on: got an empty question. Give one in quotation marks.")
    from refine.runs import Order

    changes, _ = _settings_of(args)
    named = {"options.tools": args.tools, "options.protocol": args.protocol, "stops.max_rounds": args.max_steps}
    changes = {key: value for key, value in named.items() if value is not None} | changes
    draft = _read_draft(args.draft) if args.draft else ""
    order = Order(
        draft=draft,
        brief=args.question,
        title=args.title or "",
        variant=args.variant,
        technique="react",
        changes=changes,
        language=args.lang or "",
        somebody=somebody(args),
    )
    return _started(order, args)


def _compare(args: argparse.Namespace) -> int:
    from refine.compare_command import compare, list_all

    if args.list:
        return list_all(args)
    changes, _ = _settings_of(args)
    return compare(args, changes)


def _demo(args: argparse.Namespace) -> int:
    from refine import worlds

    changes, _ = _settings_of(args)
    language = args.lang or "en"
    given = bool(args.base_url or args.model or args.real)
    order = worlds.order(args.name, language, protocol=args.protocol, scripted=not given, somebody=somebody(args))
    return _started(replace(order, changes={**order.changes, **changes}), args)


def _resume(args: argparse.Namespace) -> int:
    with opened(args) as workbench:
        run_id = workbench.store.resolve(args.run)
        _give_key(workbench, run_id, args.api_key)
        with holding(workbench, run_id) as mine:
            if not mine:
                raise SettingsError(
                    f"Run {run_id} is being worked on by another process just now. Wait for it, or stop it with "
                    f"{PROGRAM} cancel {run_id}."
                )
            return drive(workbench, run_id, args)


def _answer(args: argparse.Namespace) -> int:
    with opened(args) as workbench:
        run_id = workbench.store.resolve(args.run)
        _give_key(workbench, run_id, args.api_key)
        with holding(workbench, run_id) as mine:
            workbench.answer(run_id, args.text, queue=False)
            if mine:
                return drive(workbench, run_id, args)
            if args.json:
                from refine import views

                print_json(views.as_json(workbench.read(run_id)))
            return say(f"Run {run_id} has your answer; the process that holds the run goes on with it.")


def _cancel(args: argparse.Namespace) -> int:
    with opened(args) as workbench:
        if comparison_id := _comparison_named(workbench, args.run):
            return _stop_comparison(workbench, comparison_id)
        run_id = workbench.store.resolve(args.run)
        view = workbench.read(run_id)
        if view.ended:
            return say(f"Run {run_id} has ended already ({view.status}), so there is nothing to stop.")
        workbench.cancel(run_id)
        until = time.monotonic() + CANCEL_SECONDS
        while not view.ended and time.monotonic() < until:
            with holding(workbench, run_id) as mine:
                if mine:
                    asyncio.run(workbench.execute(run_id))
            view = workbench.read(run_id)
            time.sleep(0 if view.ended else 0.1)
        told = "is stopped" if view.ended else "is told to stop, and the process that works on it will"
        return say(f"Run {run_id} {told}. Its rounds are kept: {PROGRAM} show {run_id}.")


def _comparison_named(workbench: Workbench, begins: str) -> str | None:
    """The comparison whose id is this, or begins so where no run of the author's may be meant."""
    from refine.store import Wanted

    if workbench.store.comparisons.exists(begins):
        return begins
    if not workbench.store.count_runs(Wanted(search=begins)):
        with suppress(SettingsError):
            return workbench.store.comparisons.resolve(begins)
    return None


def _stop_comparison(workbench: Workbench, comparison_id: str) -> int:
    from refine import comparisons

    go_on = f"{PROGRAM} compare --extend {comparison_id}"
    if (standing := workbench.store.comparisons.standing(comparison_id)) != "open":
        return say(f"Comparison {comparison_id} rests already ({standing}), so there is nothing to stop.")
    comparisons.stop(workbench, comparison_id)
    return say(f"Comparison {comparison_id} is stopped; what is done is kept. {go_on} goes on.")


def _fork(args: argparse.Namespace) -> int:
    changes, _ = _settings_of(args)
    draft = _read_draft(args.draft) if args.draft is not None else None
    if draft is not None and not draft.strip():
        raise SettingsError("The draft for the fork is empty. Give a text, or leave --draft away.")
    from refine.runs import new_id

    with opened(args) as workbench:
        parent, new = workbench.store.resolve(args.run), new_id()
        _give_key(workbench, parent, args.api_key)
        with holding(workbench, new):
            workbench.fork(parent, args.round, changes=changes, draft=draft, queue=False, new=new)
            return drive(workbench, new, args)


def _show(args: argparse.Namespace) -> int:
    from refine import views

    view, _, foreseen = _stored(args)
    if args.json:
        print_json(views.as_json(view))
        return DONE
    from refine.progress import plain, report

    print_out("\n".join(map(plain, report(view, foreseen))))
    if view.text is not None:
        print_out(f"\n{view.text}")
    return DONE


def _runs(args: argparse.Namespace) -> int:
    from refine.progress import listing, when

    if not 0 <= args.limit <= MOST_LISTED:
        raise SettingsError(f"--limit takes a number from 0 to {MOST_LISTED:,}; got {args.limit}. Correct it.")
    from refine.store import Wanted

    with opened(args) as workbench:
        mine = workbench.store.comparisons.resolve(args.comparison) if args.comparison else ""
        rows = workbench.store.runs(Wanted(comparison=mine), limit=args.limit)
    if not args.json:
        none = f"Comparison {mine} has no runs yet." if mine else f"No runs yet. Start one with {PROGRAM} run FILE."
        print_out("\n".join(listing(rows)) if rows else none)
        return DONE
    names = ("run_id", "title", "status", "variant", "technique")
    print_json(
        [
            {name: getattr(row, name) for name in names}
            | {"reason": row.reason or None, "at": when(row.at), "cost": None if row.cost is None else float(row.cost)}
            for row in rows
        ]
    )
    return DONE


def _costs(args: argparse.Namespace) -> int:
    from refine.progress import costs

    with opened(args) as workbench:
        totals = workbench.store.totals({"run": "run_id"}.get(args.by, args.by))
    if not args.json:
        print_out("\n".join(costs(totals)) if totals else "No model was called yet.")
        return DONE
    names = "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "estimated"
    print_json(
        [
            {
                args.by: next(iter(total.keys.values())),
                "calls": total.calls,
                "failed": total.failed,
                **{name: getattr(total.usage, name) for name in names},
                "cost": None if total.cost.value is None else float(total.cost.value),
                "currency": total.cost.currency,
                "at_least": {currency: float(amount) for currency, amount in total.cost.amounts},
                "seconds": round(total.seconds, 3),
            }
            for total in totals
        ]
    )
    return DONE


def _export(args: argparse.Namespace) -> int:
    from refine import export

    view, records, foreseen = _stored(args)
    data = export.render(view, records, args.kind, foreseen)
    if args.out == "-":
        sys.stdout.buffer.write(data)
        return DONE
    path = write_file(args.out, export.name(view, args.kind), data)
    edited = " The text was edited by you." if view.edited else ""
    return say(f"Written: {path}.{edited}" + ("" if view.ended else f" {export.GOES_ON}"))


def _fake(args: argparse.Namespace) -> int:
    from refine.models import fake_server

    try:
        fake_server.serve(args.port)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error).rstrip(".")
        raise SettingsError(f"The port {args.port} cannot be used: {reason}. Choose another by --port.") from error
    return DONE


def _model(args: argparse.Namespace) -> int:
    from refine.models import embedded

    return embedded.serve(args.port, with_parent=args.with_parent)


def _worker(args: argparse.Namespace) -> int:
    from functools import partial

    from refine import conductor

    with opened(args) as workbench:
        worker = workbench.make_worker(beside=[partial(conductor.keep, workbench)])
        worker.start()
        say(f"Working on the runs of {workbench.settings.home}. Ctrl-C ends it; what is unfinished waits.")
        wait_for_signal()
        worker.stop()
    return DONE


def _bench(args: argparse.Namespace) -> int:
    from refine import bench

    return bench.main(args)


# --- arguments that need reading -----------------------------------------------------------------------------


def _settings_of(args: argparse.Namespace) -> tuple[dict[str, str], str | None]:
    """The `--set` pairs, and the draft: one that stands behind them counts as a pair for the parser."""
    changes: dict[str, str] = {}
    draft: str | None = getattr(args, "draft", None)
    for pair in args.set:
        key, equals, value = pair.partition("=")
        if not equals and draft is None and pair == args.set[-1] and args.command is _run:
            draft = pair
        elif not equals:
            raise SettingsError(f"--set takes KEY=VALUE; got {redact(pair)[:100]!r}. Write it like stops.max_rounds=6.")
        else:
            changes[key] = value
    if getattr(args, "max_rounds", None) is not None:
        changes["stops.max_rounds"] = args.max_rounds
    return changes, draft


def _read_draft(source: str) -> str:
    """The text of a file or of standard input; what the author should know about it is said."""
    from refine import documents

    if source == "-":
        file = documents.read("The standard input", sys.stdin.buffer.read(documents.LIMIT + 1))
    else:
        file = documents.read_file(source)
    if file.guessed:
        say(f"The draft was read as {file.encoding}. If its signs look wrong, save it as UTF-8.")
    for warning in file.warnings:
        say(warning)
    return file.text


def _give_key(workbench: Workbench, run_id: str, key: str | None) -> None:
    if key and key.strip():
        view = workbench.read(run_id)
        give_key(workbench, "run", [view.spec], lacking_keys([view]), key)


def _stored(args: argparse.Namespace) -> tuple[RunView, Sequence[Record], Forecast | None]:
    """A run of the store with what was foreseen of it; or of a `.jsonl` file, which needs no store."""
    from pathlib import Path

    from refine import export, views

    path = Path(args.run)
    if path.suffix != ".jsonl" and not path.is_file():
        from refine.outlook import foreseen

        with opened(args) as workbench:
            records = workbench.store.records(workbench.store.resolve(args.run))
            view = views.read(records)
            return view, records, foreseen(workbench, view)
    try:
        records = export.read_log(path.read_bytes())
        return views.read(records), records, None
    except OSError as error:
        raise SettingsError(f"The file {path} cannot be read: {error.strerror}. Check its name and rights.") from error
    except LogError as error:
        raise SettingsError(f"{path}: {error}") from error
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        raise SettingsError(f"{path} is not a log of a run: {error}. Export the run again.") from error


# --- the options ---------------------------------------------------------------------------------------------


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
  python -m refine run - --base-url http://localhost:11434/v1 --model qwen3 --json < draft.md
  python -m refine run --brief "A welcome note for new members, 120 words" """

SET_HELP = (
    "settings, as in variant.yaml: role.NAME.(model|endpoint|temperature|max_tokens|prompt), stops.NAME, "
    "limits.(money|tokens|time|calls|failures), options.NAME, checks.NAME.OPTION"
)
Options = dict[str, dict[str, Any]]
ENDPOINT: Options = {
    "--base-url": {"metavar": "URL", "help": "address of an OpenAI-compatible endpoint, like http://localhost:1234/v1"},
    "--api-key": {
        "metavar": "KEY",
        "help": "its key; it is never stored. Others on this computer may see it in the list of processes, so the "
        "environment variable is safer",
    },
    "--model": {"help": "the model where a prompt names none"},
}
SET: Options = {"--set": {"metavar": "KEY=VALUE", "nargs": "+", "action": "extend", "default": [], "help": SET_HELP}}
JSON: Options = {"--json": {"action": "store_true", "help": "print one JSON object and nothing else"}}
RUN: Options = {"run": {"metavar": "RUN", "help": "id of a run, or how it begins"}}
STORED: Options = {"run": {"metavar": "RUN|FILE.jsonl", "help": "id of a run or how it begins, or an exported log"}}
KEY: Options = {"--api-key": {"metavar": "KEY", "help": "key for the run's endpoint; it is never stored"}}

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

COMMANDS: Mapping[str, tuple[Callable[[argparse.Namespace], int], str, Options]] = {
    "run": (
        _run,
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
            "--technique": {"help": "refine or single (default: the variant's)"},
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
        _react,
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
        _compare,
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
        _demo,
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
    "show": (_show, "Shows a run and its best text, from the store or from an exported log.", {**STORED, **JSON}),
    "runs": (
        _runs,
        "Lists the runs, newest first. Those of comparisons are left out.",
        {
            "--comparison": {
                "metavar": "ID",
                "help": "the runs of that comparison, and of what measures them, instead",
            },
            "--limit": {"metavar": "N", "type": int, "default": 1000, "help": "at most so many (default 1000)"},
            **JSON,
        },
    ),
    "costs": (
        _costs,
        'Adds up what all calls used: tokens, and money by currency. What is not known makes a sum "at least".',
        {
            "--by": {
                "choices": ("day", "endpoint", "model", "variant", "role", "run"),
                "default": "day",
                "help": "one line for each (default: day)",
            },
            **JSON,
        },
    ),
    "resume": (_resume, "Goes on with an unfinished or waiting run, here. Nothing is paid twice.", RUN | KEY | JSON),
    "cancel": (
        _cancel,
        "Stops a run or a comparison, whoever works on it. What is done is kept.",
        {"run": {"metavar": "RUN|COMPARISON", "help": "id of a run or of a comparison, or how it begins"}},
    ),
    "answer": (
        _answer,
        "Answers the question of a waiting run and goes on with it, here.",
        RUN
        | {"text": {"metavar": "TEXT", "help": "approve, revise, or a remark; for a missing key, the key"}}
        | KEY
        | JSON,
    ),
    "fork": (
        _fork,
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
        _export,
        "Writes a run to a file: its text (docx, md, txt), a page with its changes, rounds and findings (html), its\n"
        "object (json), its log (jsonl), its rounds as a table (csv). While a run goes on, the file holds its\n"
        "finished rounds and says so.",
        {
            **STORED,
            "--as": {"dest": "kind", "required": True, "choices": KINDS, "help": "kind of file"},
            "--out": {"metavar": "FILE", "required": True, "help": "file or folder to write to, - for standard output"},
        },
    ),
    "worker": (_worker, "Works on queued runs until it is stopped, as the app does.", {}),
    "fake": (
        _fake,
        "Serves the scripted models at an OpenAI-compatible address on this computer.",
        {"--port": {"metavar": "P", "type": int, "default": 0, "help": "port (default: any free one)"}},
    ),
    "model": (
        _model,
        "Serves the small model that ships with Refine at an OpenAI-compatible address on this computer.",
        {
            "--port": {"metavar": "P", "type": int, "default": 0, "help": "port (default: any free one)"},
            "--with-parent": {"action": "store_true", "help": "end when the program that started it ends"},
        },
    ),
    "bench": (
        _bench,
        "Measures speed and size against the fake server, each figure as a ratio to the bare client.",
        {
            "--quick": {"action": "store_true", "help": "tiny numbers, to see that it works; the figures say little"},
            "--json": {"action": "store_true", "help": "print one list of objects"},
        },
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description=ABOUT, epilog=STATUSES)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (command, about, options) in COMMANDS.items():
        part = commands.add_parser(
            name, description=about, help=about.partition(".")[0], epilog=RUN_EXAMPLES if name == "run" else None
        )
        part.set_defaults(command=command)
        for option, settings in options.items():
            part.add_argument(option, **settings)
    return parser
