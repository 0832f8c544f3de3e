"""What was foreseen of a run before it began, and what the caps of the day leave for calls. For who shows them.

Who makes the calls asks `spending`, which also knows what is in flight.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refine import caps
from refine.bill import charged
from refine.caps import ALL, Cap, Refusal, Used
from refine.errors import SettingsError
from refine.forecast import Forecast, forecast
from refine.own_files import read_table
from refine.runs import Workbench
from refine.store import Total
from refine.types import Message, ModelCall, Role, RunSpec, Usage
from refine.views import RunView


def foreseen(bench: Workbench, view: RunView) -> Forecast | None:
    """From event 0, by what its models had used until then and the prices that it was charged. None: it asks no model.

    A price that it was never charged is that of today.
    """
    if not view.spec.roles:
        return None

    def today(role: Role, usage: Usage) -> Usage:
        try:
            return bench.priced(view.spec, role, usage)
        except SettingsError:  # its endpoint is gone
            return usage

    return forecast(view.spec, charged(view, today), bench.habits(view.spec, view.at))


# --- caps of the day -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Day:
    """How a cap stands today."""

    whose: str
    """An endpoint; `ALL`: all together."""
    cap: Cap
    used: Used


def days(bench: Workbench) -> list[Day]:
    """The caps that hold, and what all runs used of them today. Raises SettingsError where their file is broken."""
    found = caps.read(read_table(bench.settings.home / caps.FILE))
    return standing(found, bench.store.totals("endpoint", since=time.time())) if found else []


def standing(found: Mapping[str, Cap], today: Sequence[Total]) -> list[Day]:
    return [Day(whose, cap, _used(whose, today)) for whose, cap in found.items()]


def _used(whose: str, today: Sequence[Total]) -> Used:
    used = Used()
    for total in today:
        if whose in (ALL, total.keys["endpoint"]):
            used.add(total.usage, total.seconds, total.calls)
            for currency, amount in total.cost.amounts:
                used.pay(currency, amount)
    return used


def refused(bench: Workbench, spec: RunSpec) -> Refusal | None:
    """Why a cap would stop such a run today, by the most that a call on its draft can use. None: it may go on."""
    now = days(bench)
    asked = [(role, day) for role in spec.roles for day in now if day.whose in (ALL, role.endpoint)]
    return next(filter(None, (_refused(bench, spec, role, day) for role, day in asked)), None)


def _refused(bench: Workbench, spec: RunSpec, role: Role, day: Day) -> Refusal | None:
    call = ModelCall(role.name, (Message("user", (role.prompt, spec.task.draft, spec.task.brief)),))
    return caps.refusal(day.cap, day.used, [], bench.worst(spec, call), day.whose)
