"""A run in the foreground: driven here, watched on standard error, printed when it rests. And how commands speak.

Heeds Ctrl-C and SIGTERM, and puts a run's question to the person at the terminal. Knows no command and no option.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refine.errors import RefineError, SettingsError
from refine.settings import redact

if TYPE_CHECKING:
    from refine.progress import Shown
    from refine.runs import Workbench
    from refine.types import RunSpec
    from refine.views import RunView

PROGRAM = "python -m refine"
DONE, BAD, FAILED, WAITS, INTERRUPTED, TERMINATED = 0, 2, 3, 4, 130, 143
STORE_SECONDS = 3.0
"""For a stop to be stored before a second Ctrl-C leaves."""
STATUS_CODES = {"failed": FAILED, "waiting": WAITS, "cancelled": INTERRUPTED}


def fault(error: BaseException) -> str:
    """The sentence for an error that nobody foresaw."""
    if isinstance(error, OSError) and error.strerror:
        place = f" ({error.filename})" if error.filename else ""
        return f"The system refused: {error.strerror}{place}. Make room or give the right to it, then try again."
    return f"Refine has a fault: {type(error).__name__}: {error}. What was stored is safe; please report this sentence."


def say(sentence: str, status: int = DONE) -> int:
    from refine.progress import plain

    print(plain(sentence), file=sys.stderr, flush=True)
    return status


def print_out(text: str) -> None:
    """To standard output, whole, with one line end at least."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()


def print_json(data: Any) -> None:
    print_out(json.dumps(data, ensure_ascii=False, indent=2))


def give_key(workbench: Workbench, what: str, specs: Sequence[RunSpec], asked: Sequence[str], key: str) -> None:
    """Hands a typed key to the endpoint that it is for. Raises SettingsError where that cannot be told.

    Args:
        what: a run or a comparison, for the error.
        specs: of which the key may be needed by one.
        asked: endpoints whose key is asked for, as by `lacking_keys`.
    """
    from refine.doors import find_endpoint, needs_key

    places = [(spec, role) for spec in specs for role in spec.roles]
    found = {role.endpoint: find_endpoint(spec, workbench.settings.endpoints, role) for spec, role in places}
    asking = {name: needs_key(endpoint) for name, endpoint in found.items() if endpoint.kind == "openai"}
    names = [name for name, needed in asking.items() if needed] or list(asking)
    lacking = [name for name in names if workbench.keys.find(found[name]) is None] or names
    for_one = asked or lacking
    if len(for_one) != 1:
        named = ", ".join(for_one) or "none with a key"
        raise SettingsError(
            f"It is not clear which endpoint the key is for: the {what} uses {named}. "
            "Set their environment variables, or leave --api-key away."
        )
    workbench.keys.put(for_one[0], key)


def lacking_keys(views: Iterable[RunView]) -> list[str]:
    """The endpoints whose key these runs ask for."""
    asked = [view.question.about for view in views if view.question and view.question.question == "key_missing"]
    return list(dict.fromkeys(asked))


def write_file(out: str, name: str, data: bytes) -> Path:
    """Writes all or nothing. In a folder the file gets that name, which fits what it holds. Raises SettingsError."""
    with _writing(out, name) as (path, made):
        made.write_bytes(data)
        if made != path:
            os.replace(made, path)
    return path


def verify_writable(out: str, name: str) -> None:
    """Raises SettingsError where `write_file` would, as far as can be told before there is anything to write."""
    with _writing(out, name) as (path, made):
        if made != path:
            made.write_bytes(b"")
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def _writing(out: str, name: str) -> Iterator[tuple[Path, Path]]:
    """The file, and the one beside it that takes its place when it is whole; a pipe or a device is its own."""
    path = Path(out)
    try:
        path = path / name if path.is_dir() else path
        if path.exists() and not path.is_file():
            yield path, path
            return
        made = path.with_name(f".{path.name[:100]}.{os.getpid()}")
        try:
            yield path, made
        finally:
            made.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"{path} cannot be written: {reason}. Choose another place for --out.") from error


# --- a run in this process -------------------------------------------------------------------------------------------


@contextmanager
def opened(args: argparse.Namespace, api_key: str | None = None) -> Iterator[Workbench]:
    from refine.runs import open_workbench

    workbench = open_workbench(
        base_url=getattr(args, "base_url", None), api_key=api_key, model=getattr(args, "model", None)
    )
    try:
        if workbench.store.notice:
            say(workbench.store.notice)
        yield workbench
    finally:
        workbench.store.close()


def drive(workbench: Workbench, run_id: str, args: argparse.Namespace) -> int:
    """Executes a run to its end, prints it, and returns its exit status. The caller holds its lock."""
    from refine import progress

    view, problem, status = workbench.read(run_id), "", None
    shown = progress.shown(args.json)
    shown.say(f"Run {run_id}, variant {view.variant}: {view.title}")
    ask = _ask_author if somebody(args) else None
    try:
        view = asyncio.run(_driven(workbench, run_id, shown, ask))
    except asyncio.CancelledError:
        problem = f"Run {run_id} was left unfinished: {PROGRAM} resume {run_id} goes on."
        status = TERMINATED
    except KeyboardInterrupt:
        workbench.cancel(run_id)
        asyncio.run(workbench.execute(run_id))
    except RefineError as error:
        problem, status = str(error), FAILED
    except Exception as error:
        problem, status = fault(error), FAILED
    finally:
        shown.close()
    with suppress(RefineError):  # a store that failed may still be read, or not
        view = workbench.read(run_id)
    if problem:
        view = replace(view, error=redact(problem))
    return _finish(view, args, status)


async def _driven(
    workbench: Workbench, run_id: str, shown: Shown, ask: Callable[[RunView], str | None] | None
) -> RunView:
    from refine import progress

    before = len(workbench.store.records(run_id))
    try:
        while True:
            watching = asyncio.create_task(
                progress.follow(
                    lambda last: workbench.store.records(run_id, last),
                    lambda: workbench.live.read(run_id),
                    shown,
                    before,
                )
            )
            try:
                with heeding_signals(partial(workbench.cancel, run_id), shown.say, partial(_leave, run_id, shown)):
                    view = await workbench.run(run_id)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)
            if view.status != "waiting" or ask is None:
                return view
            shown.close()
            before = len(workbench.store.records(run_id))
            answer = ask(view)
            if answer is None:
                return view
            workbench.answer(run_id, answer, queue=False)
    finally:
        await workbench.aclose()


def _leave(run_id: str, shown: Shown, kept: bool) -> None:
    shown.close()
    say(f"Left at once: {PROGRAM} resume {run_id} {'ends the run' if kept else 'goes on; the stop was not kept'}.")


@contextmanager
def heeding_signals(
    stop: Callable[[], None], told: Callable[[str], object], leave: Callable[[bool], object]
) -> Iterator[None]:
    """Ctrl-C is the author's stop, the second one leaves at once; any other end cuts the task, and leaves the work
    unfinished. So does a stop that cannot be stored.

    Args:
        stop: puts the author's stop on record; called in a thread.
        told: says a sentence while the work goes on.
        leave: says how to go on with what is left at once, given whether the stop is on record.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    if sys.platform == "win32" or task is None:
        yield
        return
    asked: list[Future[None]] = []

    def interrupt() -> None:
        if asked:
            leave(_done(asked[0]))
            os._exit(INTERRUPTED)
        told("Stopping; press Ctrl-C again to leave at once.")
        asked.append(_begun(stop))
        asked[0].add_done_callback(answered)

    def answered(asked: Future[None]) -> None:
        with suppress(RuntimeError):  # the work has ended meanwhile
            loop.call_soon_threadsafe(cut, asked.exception())

    def cut(error: BaseException | None) -> None:
        if error:
            told(f"The stop could not be kept. {redact(str(error))}")
            task.cancel()

    ends = _ends_from_outside()
    loop.add_signal_handler(signal.SIGINT, interrupt)
    for number in ends:
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in (signal.SIGINT, *ends):
            loop.remove_signal_handler(number)


def _begun(work: Callable[[], None]) -> Future[None]:
    """Work in a thread of its own: those of `beside` may all be reading texts."""
    executor = ThreadPoolExecutor(1)
    try:
        return executor.submit(work)
    finally:
        executor.shutdown(wait=False)


def _done(work: Future[None]) -> bool:
    """Has it been done, or will it be soon?"""
    wait([work], STORE_SECONDS)
    return work.done() and work.exception() is None


def _ends_from_outside() -> list[signal.Signals]:
    """The signals that leave the work unfinished. A hang-up stays ignored where nohup said so."""
    if sys.platform == "win32":
        return [signal.SIGTERM]
    return [signal.SIGTERM, *([signal.SIGHUP] if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN else [])]


def _finish(view: RunView, args: argparse.Namespace, status: int | None = None) -> int:
    """Prints a run that rests, and returns its exit status."""
    from refine import views

    if status is None:
        status = STATUS_CODES.get(view.status, DONE if view.text is not None else FAILED)
    if args.json:
        print_json(views.as_json(view))
    elif view.text is not None and status in (DONE, FAILED, INTERRUPTED):
        print_out(view.text)
    if status == WAITS:
        say(
            f"Run {view.run_id} waits for you: {views.question_of(view)} "
            f"Answer with: {PROGRAM} answer {view.run_id} TEXT"
        )
    elif status in (FAILED, TERMINATED):
        say(view.error or f"Run {view.run_id} failed: {views.reason_of(view)}")
    elif not args.json:
        say(_result_line(view))
    return status


def _result_line(view: RunView) -> str:
    from refine import views
    from refine.progress import result_words, used_words

    said = views.reason_of(view), result_words(view), f"{used_words(view)}.", f"Run {view.run_id}."
    return " ".join(filter(None, said))


def somebody(args: argparse.Namespace) -> bool:
    """Can a person answer here?"""
    return not args.json and getattr(args, "draft", None) != "-" and sys.stdin.isatty() and sys.stderr.isatty()


HINTS = {
    "review": "Enter to go on, or what should be different",
    "next_question": "a question, or Enter to end here",
}


def _ask_author(view: RunView) -> str | None:
    """Puts the run's question to the person at the terminal. None: there is no answer, the run goes on waiting."""
    from refine import views
    from refine.progress import plain

    question = view.question
    if question is None:
        return None
    if question.question == "verdict_unclear":
        for line in question.about.splitlines():
            say(f"  | {line}")
    say(views.question_of(view) or "")
    if question.question == "key_missing":
        import getpass

        return getpass.getpass(f"Key for {plain(question.about)}: ", stream=sys.stderr) or None
    choices = " or ".join(question.choices)
    hint = f"{choices}, or your own remark" if choices else HINTS.get(question.question, HINTS["review"])
    print(f"[{hint}] > ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return _spelt_out(line.strip(), question.choices) if line else None


def _spelt_out(answer: str, choices: Sequence[str]) -> str:
    """The choice that an answer begins, so that one letter will do."""
    meant = [choice for choice in choices if answer and choice.startswith(answer.casefold())]
    return meant[0] if len(meant) == 1 else answer


@contextmanager
def holding(workbench: Workbench, run_id: str) -> Iterator[bool]:
    from refine.locks import run_lock

    with run_lock(workbench.settings.home, run_id) as mine:
        yield mine


def wait_for_signal() -> None:
    """Returns when Ctrl-C or SIGTERM comes."""
    came = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: came.set())
    while not came.wait(1):
        pass
