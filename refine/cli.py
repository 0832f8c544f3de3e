"""The command line: `python -m refine COMMAND`. It calls the use-cases and prints; it decides nothing.

Text and objects go to standard output, everything else to standard error. Heavy parts are imported by the commands
that need them. What a command takes stands in `cli_options`.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from refine.cli_options import parser
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
    from refine.orders import Order
    from refine.runs import Workbench
    from refine.views import RunView

MOST_LISTED = 1_000_000_000
CANCEL_SECONDS = 10.0
"""How long `cancel` waits for another process to stop."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; no error leaves it as a traceback."""
    given = list(sys.argv[1:] if argv is None else argv)
    _remember_keys(given)
    sys.stderr = sys.stderr or io.StringIO()  # where it was closed, nobody wants to read it
    if sys.stdout is None:
        return say("Standard output is closed, so no result could be written. Send it to a file instead.", BAD)
    _write_utf8()
    try:
        args = parser(COMMANDS).parse_args(given)
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
    from refine.orders import Order

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
    from refine.orders import new_id

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
    from refine.orders import Order

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
    from refine.orders import new_id

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


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "run": _run,
    "react": _react,
    "compare": _compare,
    "demo": _demo,
    "show": _show,
    "runs": _runs,
    "costs": _costs,
    "resume": _resume,
    "cancel": _cancel,
    "answer": _answer,
    "fork": _fork,
    "export": _export,
    "worker": _worker,
    "fake": _fake,
    "model": _model,
    "bench": _bench,
}
