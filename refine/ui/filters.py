"""By what the list of runs is narrowed, as its address says it. Knows nothing of widgets or of how runs are kept."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

from refine.store import Wanted
from refine.store.run_list import GROUPS


@dataclass(frozen=True, slots=True)
class Filters:
    """The fields' names are those in the address."""

    search: str = ""
    status: str | None = None
    variant: str | None = None
    technique: str | None = None
    model: str | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    """The last day, included."""
    cost: float | None = None
    page: int = 1
    prompt: str | None = None
    """A role and the version of its prompt, as `role/hash`; runs of comparisons count too."""

    @property
    def folded(self) -> int:
        """How many are set of those that do not stand in the row above the list."""
        return sum(value is not None for value in (self.variant, self.technique, self.model, self.since, self.until,
                                                   self.cost, self.prompt))  # fmt: skip


def _group(text: str) -> str:
    return text if text in GROUPS else _refuse()


def _amount(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) and value >= 0 else _refuse()


def _page(text: str) -> int:
    return int(text) if 0 < int(text) < 1_000_000 else _refuse()


def _refuse() -> Any:
    raise ValueError


READERS: Mapping[str, Callable[[str], Any]] = {
    "search": str,
    "status": _group,
    "variant": str,
    "technique": str,
    "model": str,
    "since": datetime.date.fromisoformat,
    "until": datetime.date.fromisoformat,
    "cost": _amount,
    "page": _page,
    "prompt": str,
}


def read(address: Mapping[str, str]) -> Filters:
    """What the address says; what cannot be read of it is left out."""
    found: dict[str, Any] = {}
    for name, reader in READERS.items():
        if address.get(name):
            with suppress(ValueError):
                found[name] = reader(address[name])
    return Filters(**found)


def write(filters: Filters) -> dict[str, str]:
    """What the address has to say; nothing for what is not set."""
    values = ((field.name, getattr(filters, field.name), field.default) for field in fields(filters))
    return {name: str(value) for name, value, default in values if value != default}


def wanted(filters: Filters, zone: datetime.tzinfo, without: tuple[str, ...] = ()) -> Wanted:
    """The days are those of the reader's time zone."""
    day = datetime.timedelta(days=1)
    return Wanted(
        search=filters.search.strip(),
        status=filters.status or "",
        variant=filters.variant or "",
        technique=filters.technique or "",
        model=filters.model or "",
        since=_midnight(filters.since, zone) if filters.since else None,
        before=_midnight(filters.until + day, zone) if filters.until else None,
        cost=filters.cost,
        without=without,
        prompt=filters.prompt or "",
        comparison=None if filters.prompt else "",
    )


def _midnight(day: datetime.date, zone: datetime.tzinfo) -> float:
    return datetime.datetime.combine(day, datetime.time.min, zone).timestamp()
