"""What a person orders, and what the spec of a run says by itself. Pure, but that a new id takes time and chance.

It knows no home folder, no store and no prices: `runs` does.
"""

from __future__ import annotations

import datetime
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refine import limits
from refine.errors import SettingsError
from refine.techniques import TECHNIQUES
from refine.types import Finding, Json, Role, RunSpec, Worst

LONGEST = 1_000_000
"""Characters of a draft: a long novel. Checks and models read the whole text in every round."""
MEASURING = ("measure", "prefer")
"""Techniques that hold a text against others, which stand among their options."""


@dataclass(frozen=True)
class Order:
    """What a person asked for; `Workbench.prepare` makes a `RunSpec` of it."""

    draft: str = ""
    brief: str = ""
    title: str = ""
    variant: str | None = None
    technique: str | None = None
    changes: Mapping[str, str] = field(default_factory=dict)
    """`--set` keys and values."""
    checks: str | None = None
    """None = the variant's; "none" or a list of names with commas."""
    language: str = ""
    words: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    """Phrases that must survive."""
    somebody: bool = False
    """Can somebody answer a question?"""
    result_checks: tuple[Json, ...] = ()
    """What an actor's answer has to pass: see `tools.results`."""


def new_id(now: Callable[[], float] = time.time) -> str:
    """Sorts by time, short enough to type, never guessed twice."""
    stamp = datetime.datetime.fromtimestamp(now(), datetime.UTC).strftime("%y%m%d-%H%M%S")
    return f"{stamp}-{secrets.token_hex(4)}"


def remark(text: str) -> Finding:
    """The author's own wish as a finding."""
    return Finding(dimension="author", rule="author", severity="must", remark=text.strip(), critic="author")


# --- the spec of a run -----------------------------------------------------------------------------------------------


def declared(spec: RunSpec, language: str) -> tuple[Json, ...]:
    """What the actor may call: the tools that the options name, else the usual ones."""
    if not spec.role("actor"):
        return ()
    from refine import tools

    named = spec.options.get("tools", tools.DEFAULT)
    return tools.declare(named or (), language)


def chosen_checks(spec: RunSpec, order: Order) -> Mapping[str, Mapping[str, Json]]:
    """The checks named, and those that a setting of this order speaks of; None = the variant's."""
    if order.checks is None:
        return spec.checks
    wanted = [name.strip() for name in order.checks.split(",") if name.strip() and name.strip() != "none"]
    set_too = [key.split(".")[1] for key in order.changes if key.startswith("checks.")]
    wanted += [name for name in spec.checks if name in set_too and name not in wanted]
    if not wanted:  # who checks nothing does not wait for the word lists
        return {}
    from refine.checks import CHECKS

    unknown = [name for name in wanted if name not in CHECKS]
    if unknown:
        raise SettingsError(f"Unknown check {unknown[0]!r}: known are {', '.join(CHECKS)}, or none.")
    return {name: spec.checks.get(name, {}) for name in wanted}


def of_author(spec: RunSpec) -> RunSpec:
    """A run that is made of a comparison's is no part of it: it is listed, goes first, and may ask."""
    if not spec.options.get("comparison"):
        return spec
    left_out = ("comparison",) if spec.technique in MEASURING else ("comparison", "original", "other")
    options = {name: value for name, value in spec.options.items() if name not in left_out}
    return replace(spec, options={**options, "somebody": True})


def afresh(spec: RunSpec, run_id: str) -> RunSpec:
    """What that run was ordered to do, for another: without its folder, unless somebody else made what is in it."""
    own = spec.options.get("workspace") == run_id or spec.options.get("workspace_from")
    return replace(spec, options={key: value for key, value in spec.options.items() if not own or key != "workspace"})


def with_workspace(spec: RunSpec, run_id: str) -> RunSpec:
    """Who uses tools has a workspace: the run's own where none was named."""
    if not spec.tools or spec.options.get("workspace"):
        return spec
    return replace(spec, options={**spec.options, "workspace": run_id})


# --- what cannot work ------------------------------------------------------------------------------------------------


def verify(spec: RunSpec) -> None:
    """Raises SettingsError for what the spec alone says cannot work."""
    if spec.technique not in TECHNIQUES:
        raise SettingsError(f"Unknown technique {spec.technique!r}: known are {', '.join(TECHNIQUES)}.")
    if spec.technique in ("single", "best_of_n") and not spec.role("writer"):
        raise SettingsError(
            f"The technique {spec.technique} needs a writer, and this variant has none. Choose another variant."
        )
    if missing := _missing_judges(spec):
        raise SettingsError(missing)
    if (spec.technique == "react") != bool(spec.role("actor")):
        needs = "needs an actor" if spec.technique == "react" else "has no use for an actor"
        raise SettingsError(f"The technique {spec.technique} {needs}: the variant {spec.variant!r} does not fit it.")
    if spec.technique == "react" and not spec.task.brief.strip():
        raise SettingsError("The technique react needs a question to work on, and got none. Give it as the brief.")
    if not spec.task.draft and not (spec.role("writer") or spec.role("actor")):
        raise SettingsError("There is no draft, and this variant has no writer to make one. Give a draft.")
    if not spec.roles and not spec.checks:
        raise SettingsError("Nobody would review the text: this variant has no critic and all checks are off.")


def _missing_judges(spec: RunSpec) -> str:
    """Why nobody would choose between drafts, measure a text or prefer one; "" = somebody would."""
    by, judge = spec.options.get("choose_by") or "both", spec.role("judge")
    if spec.technique == "best_of_n" and by == "judge" and not judge:
        return "A judge is to choose between the drafts, and this variant has none. Set options.choose_by=checks."
    if spec.technique == "best_of_n" and not (spec.checks or (judge and by != "checks")):
        return "Nobody would choose between the drafts: no judge reads them and all checks are off. Switch a check on."
    if spec.technique == "measure" and not (spec.checks or judge):
        return "Nobody would measure the text: this variant has no judge and all checks are off. Switch a check on."
    if spec.technique == "prefer" and not (spec.role("pair") and spec.options.get("other")):
        return "To prefer one of two texts, a role pair and the other text are needed. Set options.other to that text."
    return ""


def verify_money(spec: RunSpec, worst: Sequence[tuple[Role, Worst]]) -> None:
    """A limit on money needs prices in one currency, or a limit on tokens beside it."""
    unknown = [role for role, most in worst if most.money is None]
    if unknown and not {**limits.DEFAULTS, **spec.limits}["tokens"]:
        raise SettingsError(
            f"The money limit cannot be kept: the price of {unknown[0].model!r} at {unknown[0].endpoint!r} is not "
            "known, and the limit on tokens is off. Give the price in prices.yaml, or set limits.tokens."
        )
    currencies = dict.fromkeys(most.currency for _, most in worst if most.money)
    if len(currencies) > 1:
        raise SettingsError(
            f"The money limit cannot be kept: the models are paid in {' and '.join(currencies)}. Give their prices "
            "in one currency in prices.yaml, or set limits.tokens instead."
        )
