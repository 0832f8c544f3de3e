"""The bill of one run: what each role used, and the whole beside what was foreseen and what the run may use.

A reading of its view. Knows nothing of words, or of how a table looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from refine.forecast import Forecast, Price
from refine.ledger import Cost, add_costs
from refine.limits import DEFAULTS
from refine.models.prices import cost
from refine.store import Total
from refine.types import Json, Role, Usage
from refine.views import CallView, RunView, add_up

What = Literal["money", "tokens", "calls", "time"]
"""As the limits are named; time in seconds."""
Amount = Cost | int | float


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that a run uses."""

    what: What
    used: Amount
    foreseen: tuple[Amount, Amount] | None = None
    """From and to; None = nobody guessed."""
    most: float | None = None
    """What the run may use; None = as much as it likes."""


# --- by role ---------------------------------------------------------------------------------------------------------


def asked(view: RunView) -> list[CallView]:
    """The calls to models of which an attempt has ended."""
    return [call for call in view.attempts if call.kind == "model" and call.usage]


def by_role(view: RunView) -> list[Total]:
    """One for each role that was asked, in the order of the run's roles."""
    names = [role.name for role in view.spec.roles]
    groups: dict[str, list[CallView]] = {name: [] for name in names}
    for call in asked(view):
        groups.setdefault(call.role, []).append(call)
    return [_total(view.spec.role(name) or Role(name), made) for name, made in groups.items() if made]


def _total(role: Role, made: Sequence[CallView]) -> Total:
    return Total(
        {"role": role.name, "endpoint": role.endpoint, "model": role.model},
        sum(call.attempts - call.open for call in made),
        sum(len(call.failures) + call.lost for call in made),
        replace(add_up(call.usage for call in made if call.usage), cost=None, currency="USD", price=None),
        add_costs(call.money for call in made),
        sum(call.seconds for call in made),
    )


def shares(parts: Sequence[Total]) -> list[float | None]:
    """In percent of the money; of the tokens where nothing was paid, or no sum of it is known. None = nothing used."""
    whole = add_costs(part.cost for part in parts).value
    sizes = [part.cost.known for part in parts] if whole else [Decimal(_tokens(part.usage)) for part in parts]
    total = sum(sizes)
    return [float(100 * size / total) if total else None for size in sizes]


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


# --- beside what was foreseen, and the limits ------------------------------------------------------------------------


def measures(view: RunView, foreseen: Forecast | None = None) -> list[Measure]:
    """Money, tokens, calls and time of a run."""
    most: Mapping[str, Json] = {**DEFAULTS, **view.spec.limits}
    used: dict[What, Amount] = {
        "money": view.money,
        "tokens": view.spent.tokens,
        "calls": view.spent.calls,
        "time": view.spent.seconds,
    }
    guessed: Mapping[What, tuple[Amount, Amount] | None] = {}
    if foreseen:
        guessed = {
            "money": foreseen.cost,
            "tokens": foreseen.tokens,
            "calls": foreseen.calls,
            "time": foreseen.seconds,
        }
    return [Measure(what, amount, guessed.get(what), most.get(what) or None) for what, amount in used.items()]


def rough(amount: Amount) -> Amount:
    """With two digits that count: a guess should look like one."""
    if isinstance(amount, Cost):
        others = tuple((currency, Decimal(f"{known:.2g}")) for currency, known in amount.others)
        return replace(amount, known=Decimal(f"{amount.known:.2g}"), others=others)
    return type(amount)(float(f"{amount:.2g}"))


def charged(view: RunView, otherwise: Price) -> Price:
    """The prices that a run was charged, for each role that was asked; else those that `otherwise` knows."""
    known = {call.role: call.usage for call in asked(view) if call.usage and call.usage.price}

    def price(role: Role, usage: Usage) -> Usage:
        paid = known.get(role.name)
        if paid is None or paid.price is None:
            return otherwise(role, usage)
        return replace(usage, cost=cost(paid.price, usage), currency=paid.currency)

    return price
