"""The command `compare`: a plan from options or a file, worked on here, its progress on standard error, its tables out.

Ctrl-C stops the comparison on record, and what is done is kept; any other end leaves it to be gone on with.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from refine.errors import RefineError, SettingsError, StoreError
from refine.foreground import (
    DONE,
    FAILED,
    INTERRUPTED,
    PROGRAM,
    TERMINATED,
    WAITS,
    give_key,
    heeding_signals,
    holding,
    lacking_keys,
    opened,
    print_json,
    print_out,
    say,
    verify_writable,
    write_file,
)
from refine.schema import short
from refine.types import AT_ONCE, Json

if TYPE_CHECKING:
    from refine.comparisons import Estimate
    from refine.plan import Plan
    from refine.runs import Workbench
    from refine.scoreboard import Board
    from refine.types import Comparison

WATCH_SECONDS = 1.0
"""Between two lines of progress where something has changed; and between two looks at another process's work."""
FIXED = "judge", "baseline", "title", "pairs", "concurrency"
"""What an extension leaves as it was."""


def compare(args: argparse.Namespace, changes: Mapping[str, Json]) -> int:
    """Makes, extends or goes on with a comparison, and prints it."""
    from refine import comparisons
    from refine.orders import new_id

    kind = _kind(args.out)
    with opened(args, args.api_key) as bench:
        before = comparison_id = None
        if args.extend:
            comparison_id = bench.store.comparisons.resolve(args.extend)
            before = bench.store.comparisons.read(comparison_id)
        plan = _plan(args, changes, before)
        again = _failed(bench, comparison_id) if args.again else ()
        made = comparisons.widened(bench, before, plan, again) if before else comparisons.prepare(bench, plan)
        if comparison_id and args.api_key and not args.base_url:
            _give_key(bench, comparison_id, made, args.api_key)
        for said in comparisons.unkept(bench, made):
            say(f"Note: {said}.")
        comparison_id = comparison_id or new_id()
        if args.out:
            verify_writable(args.out, _file_name(comparison_id, kind))
        _announce(bench, comparison_id, made)
        with holding(bench, comparison_id) as mine:
            if before:
                comparisons.extend(bench, comparison_id, plan, again)
            else:
                comparisons.begin(bench, made, comparison_id)
            standing = asyncio.run(_worked(bench, comparison_id, mine))
        return _finish(bench, comparison_id, standing, args, kind)


def _failed(bench: Workbench, comparison_id: str | None) -> tuple[str, ...]:
    """The runs of a comparison that --again tries again."""
    from refine.cell_reader import Reader

    if not comparison_id:
        raise SettingsError("--again tries the failed runs of a comparison again: name it by --extend ID.")
    found = Reader(bench.store).board(comparison_id).failures
    if not found:
        raise SettingsError(f"No run of the comparison {comparison_id} has failed. Leave --again away.")
    return found


def _give_key(bench: Workbench, comparison_id: str, made: Comparison, key: str) -> None:
    """What is there already says which endpoint the key is for; it need not be the usual one."""
    bench.keys.put(bench.settings.default_endpoint, "")
    give_key(bench, "comparison", made.specs, _lacking_keys(bench, comparison_id), key)


def _lacking_keys(bench: Workbench, comparison_id: str) -> list[str]:
    states = bench.store.comparisons.runs(comparison_id)
    return lacking_keys(bench.read(run_id) for run_id, state in states.items() if state != "ended")


def list_all(args: argparse.Namespace) -> int:
    """The comparisons there are, newest first."""
    from refine.progress import aligned, when

    with opened(args) as bench:
        rows = bench.store.comparisons.all()
    if args.json:
        names = "id", "title", "standing", "variants", "tasks", "repeats"
        print_json([{name: getattr(row, name) for name in names} | {"at": when(row.at)} for row in rows])
        return DONE
    lines = aligned(
        [(row.id, when(row.at), row.standing, _size(row.variants, row.tasks, row.repeats), row.title) for row in rows]
    )
    print_out("\n".join(lines) if rows else f"No comparisons yet. See {PROGRAM} compare --help.")
    return DONE


def _size(variants: int, texts: int, repeats: int) -> str:
    counted = (variants, "variant"), (texts, "text"), (repeats, "repeat")
    return " x ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counted)


# --- the plan --------------------------------------------------------------------------------------------------------


def _plan(args: argparse.Namespace, changes: Mapping[str, Json], before: Comparison | None = None) -> Plan:
    from refine.plan import Entry, Plan, read_plan, read_texts

    stem = ""
    if args.plan:
        stem = Path(args.plan).stem
        if args.drafts or args.variants:
            raise SettingsError("A plan names its own drafts and variants: give --plan, or --drafts and --variants.")
        plan = read_plan(Path(args.plan))
        plan = replace(plan, changes={**plan.changes, **changes})
    else:
        if before is None and not (args.drafts and args.variants):
            raise SettingsError("There is nothing to compare: give --drafts and --variants, or --plan FILE.yaml.")
        entries = tuple(Entry(name) for name in args.variants or ())
        plan = Plan(entries, read_texts(args.drafts or ()), changes=changes, title=args.title or "")
    given = {
        "repeats": _number(args.repeats, "--repeats"),
        "concurrency": _number(args.concurrency, "--concurrency"),
        "judge": args.judge,
        "baseline": args.baseline,
        "title": args.title,
        "limits": {**plan.limits, "money": _money(args.cap)} if args.cap else None,
        "one_prompt": args.one_prompt or None,
        "best_of_n": args.best_of_n or None,
        "pairs": args.pairs or None,
    }
    given = {name: value for name, value in given.items() if value is not None}
    if before and (fixed := [f"--{name}" for name in FIXED if name in given]):
        raise SettingsError(f"{fixed[0]} cannot be changed by --extend: a comparison keeps it. Begin a new one.")
    if before:
        _verify_effect(plan, before, stem)
        if (changes or args.model) and not (plan.variants or args.one_prompt or args.best_of_n):
            raise SettingsError(
                f"{'--set' if changes else '--model'} changes no variant that is there already. Name those that it is "
                "for by --variants, or leave it away."
            )
    plan = replace(plan, **given)
    if plan.pairs and not plan.judge and not before:
        raise SettingsError("Pairs are held against each other by a judge, and none is named. Give --judge MODEL.")
    return replace(plan, repeats=max(plan.repeats, before.repeats)) if before else plan


def _verify_effect(plan: Plan, before: Comparison, stem: str) -> None:
    """What a plan file says of what an extension leaves as it was must be as it was, or as usual. `stem`: its name."""
    role = before.judge and before.judge.role("judge")
    checks = tuple(before.judge.checks) if before.judge else ()
    same = {
        "judge": plan.judge in ("", *((role.model, f"{role.endpoint}/{role.model}") if role else ())),
        "pairs": plan.pairs <= before.pairs,
        "checks": plan.checks is None or set(plan.checks) == set(checks),
        "baseline": plan.baseline in ("", before.against),
        "title": plan.title in ("", stem, before.title),
        "concurrency": plan.concurrency in (AT_ONCE, before.concurrency),
    }
    if other := [name for name, is_same in same.items() if not is_same]:
        raise SettingsError(
            f"The plan's part {other[0]} differs from the comparison's, which --extend cannot change. Leave it away, "
            "or begin a new one."
        )


def _number(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit():
        raise SettingsError(f"{option} takes a whole number; got {short(text)}. Correct it.")
    return int(text)


def _money(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < 1e9:
        raise SettingsError(f"--cap takes an amount above 0; got {short(text)}. Correct it.")
    return found


def _kind(out: str | None) -> str:
    from refine.compare_files import KINDS

    kind = Path(out or "").suffix.lstrip(".").lower()
    if out and kind not in KINDS:
        raise SettingsError(f"--out takes a file that ends in {', '.join(KINDS)}; got {short(out)}. Name one of these.")
    return kind


# --- at work ---------------------------------------------------------------------------------------------------------


def _announce(bench: Workbench, comparison_id: str, made: Comparison) -> None:
    from refine.cells import cells
    from refine.comparisons import STAND_IN, estimate

    begun = bench.store.comparisons.runs(comparison_id)
    there = frozenset(cell for run_id, cell in cells(comparison_id, made).items() if begun.get(run_id) == "ended")
    size = _size(len(made.variants), len(made.tasks), made.repeats)
    paid = f"; {len(there)} runs exist and are not paid again" if there else ""
    say(f"Comparison {comparison_id}: {size}; {_estimated(estimate(bench, made, there))}{paid}.")
    played = [v.name for v in made.variants if any((r.endpoint, r.model) == STAND_IN for r in v.spec.roles)]
    if played and not bench.settings.default_endpoint:
        say(
            f"Note: no key is set, so a scripted model plays the models of {', '.join(played)}: it shows how comparing "
            "works, and says nothing of the prompts."
        )


def _estimated(found: Estimate) -> str:
    from refine.progress import money_words

    calls, tokens = (f"{low:,} to {high:,}" if low != high else f"{low:,}" for low, high in (found.calls, found.tokens))
    low, high = found.cost
    cost = (
        "price not known"
        if not high.complete
        else f"{money_words(low)} to {money_words(high)}"
        if high.known
        else "free of charge"
    )
    time = "" if found.seconds is None else f", about {max(1, round(found.seconds[1] / 60))} min"
    return f"{found.runs} runs, {calls} calls, {tokens} tokens, {cost}{time}"


async def _worked(bench: Workbench, comparison_id: str, mine: bool) -> str:
    """How it stands when nobody works on it any more."""
    from refine import comparisons
    from refine.conductor import work_on

    listening = asyncio.create_task(bench.listen())
    progress = _Progress(bench, comparison_id)
    watching = asyncio.create_task(progress.watch())
    stop = partial(comparisons.stop, bench, comparison_id)
    goes_on = f"{PROGRAM} compare --extend {comparison_id} goes on."
    try:
        with heeding_signals(stop, say, lambda _kept: say(f"Left at once: {goes_on}")):
            return await (work_on(bench, comparison_id) if mine else watch_over(bench, comparison_id))
    except asyncio.CancelledError:
        return "open"
    except StoreError:
        say(f"Left unfinished. {goes_on}")
        raise
    finally:
        for task in (listening, watching):
            task.cancel()
        await asyncio.gather(listening, watching, return_exceptions=True)
        with suppress(RefineError):  # the store may be what failed
            progress.look()
        await bench.aclose()


async def watch_over(bench: Workbench, comparison_id: str) -> str:
    """Another process, such as the app, works on it; should that one end before its work, this one goes on with it."""
    from refine.conductor import work_on

    say("Another process works on this comparison; this one watches.")
    while (standing := bench.store.comparisons.standing(comparison_id)) == "open":
        with holding(bench, comparison_id) as mine:
            if mine:
                say("The other process has left it; this one goes on.")
                return await work_on(bench, comparison_id)
        await asyncio.sleep(WATCH_SECONDS)
    return standing


class _Progress:
    """Says how many runs are done, whenever there are more."""

    def __init__(self, bench: Workbench, comparison_id: str) -> None:
        self._store, self._id, self._said = bench.store.comparisons, comparison_id, -1

    async def watch(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(WATCH_SECONDS)

    def look(self) -> None:
        from refine.cells import cells

        planned, states = cells(self._id, self._store.read(self._id)), self._store.runs(self._id)
        done = sum(states.get(run_id) == "ended" for run_id in planned)
        if done != self._said:
            say(f"{done} of {len(planned)} runs done")
            self._said = done


# --- what is printed -------------------------------------------------------------------------------------------------

STATUSES = {"stopped": INTERRUPTED, "open": TERMINATED, "waiting": WAITS}
ENDS = {
    "stopped": "Stopped; what is done is kept. {program} compare --extend {id} goes on.",
    "budget": "The limit of the comparison was reached. {program} compare --extend {id} --cap MORE goes on.",
    "waiting": "Some runs wait for you{key}: {program} runs --comparison {id} and the page Compare show them.",
    "open": "Left unfinished. {program} compare --extend {id} goes on.",
}


def _finish(
    bench: Workbench,
    comparison_id: str,
    standing: str,
    args: argparse.Namespace,
    kind: str,
) -> int:
    from refine import compare_files
    from refine.cell_reader import Reader

    board = Reader(bench.store).board(comparison_id, args.lang or "")
    if args.json:
        print_json(compare_files.as_json(board))
    else:
        print_out("\n".join(_table(board)))
    written = not args.out or _write(args.out, comparison_id, kind, board)
    for warning in board.warnings:
        say(f"Note: {warning}")
    if standing in ENDS:
        asked = _lacking_keys(bench, comparison_id) if standing == "waiting" else []
        key = f", for the key of {' and '.join(asked)}" if asked else ""
        say(ENDS[standing].format(program=PROGRAM, id=comparison_id, key=key))
    if not written:
        return FAILED
    if standing in STATUSES:
        return STATUSES[standing]
    return DONE if any(cell.text is not None for cell in board.cells) else FAILED


def _file_name(comparison_id: str, kind: str) -> str:
    return f"comparison {comparison_id}.{kind}"


def _write(out: str, comparison_id: str, kind: str, board: Board) -> bool:
    """Is it written? What was paid is not lost with a file."""
    from refine import compare_files

    try:
        path = write_file(out, _file_name(comparison_id, kind), compare_files.render(board, kind))
    except SettingsError as error:
        say(f"{error} {PROGRAM} compare --extend {comparison_id} --out OTHER.{kind} writes it, and pays nothing again.")
        return False
    say(f"Written: {path}.")
    return True


SHOWN = (
    "variant", "done", "approved", "rounds", "findings_before", "findings_after", "lost", "judge", "difference", "low",
    "high", "cost", "currency", "seconds",
)  # fmt: skip


def _table(board: Board) -> list[str]:
    """The sentence, and a line for each variant."""
    from refine import compare_tables
    from refine.progress import aligned, plain

    names, rows = compare_tables.rows(board, "variants")
    places = [names.index(name) for name in SHOWN]
    lines = [[names[place].replace("_", " ") for place in places]]
    lines += [[_cell(row[place]) for place in places] for row in rows]
    return [plain(line) for line in (board.sentence, board.beside) if line] + ["", *aligned(lines)]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return "" if value is None else str(value)
