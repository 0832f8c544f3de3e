"""What the runs of a comparison may use together: what is set aside for each, and whether one more may begin. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from refine.forecast import Forecast
from refine.ledger import Cost
from refine.limits import DEFAULTS
from refine.types import Json, RunSpec, Worst

ROOM = 3
"""A run may use so many times what it is expected to use at most."""
CANDIDATES = 2, 20
"""How many drafts the best may be chosen of."""


@dataclass(frozen=True, slots=True)
class Share:
    """What is set aside for a run, or was used."""

    money: Decimal = Decimal(0)
    """In the one currency of all models; prices that are not known count as nothing, so tokens hold them."""
    tokens: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.money + other.money, self.tokens + other.tokens)


NOTHING = Share()


def share(foreseen: Forecast, at_once: Iterable[Worst]) -> Share:
    """Room for a run, with the worst case of the calls that it may have in flight: each is held to that beforehand."""
    calls = [*at_once]
    money = ROOM * known(foreseen.cost[1]) + sum((worst.money or Decimal(0) for worst in calls), Decimal(0))
    return Share(money, ROOM * foreseen.tokens[1] + sum(worst.tokens for worst in calls))


def at_once(spec: RunSpec) -> list[str]:
    """The roles of the calls that a run may have in flight together."""
    if spec.technique == "best_of_n":
        return ["writer"] * int(spec.options.get("n") or CANDIDATES[1])
    if spec.technique == "prefer":
        return ["pair", "pair"]
    return [role.name for role in spec.critics] or [role.name for role in spec.roles]


def fits(limits: Mapping[str, Json], spent: Share, held: Iterable[Share], need: Share) -> bool:
    """May a run begin beside those under way, each of which may use all that is set aside for it?"""
    whole = sum(held, spent + need)
    money, tokens = limits.get("money"), limits.get("tokens")
    return (not money or whole.money <= Decimal(str(money))) and (not tokens or whole.tokens <= tokens)


def held_to(spec: RunSpec, limits: Mapping[str, Json], mine: Share) -> RunSpec:
    """The run with its share as its own limit, where the comparison has one; a tighter one of its own stays."""
    shares: dict[str, Json] = {"money": float(mine.money), "tokens": mine.tokens}
    given = {**DEFAULTS, **spec.limits}
    own = {name: min(shares[name], given.get(name) or shares[name]) for name in shares if limits.get(name)}
    return replace(spec, limits={**spec.limits, **{name: most for name, most in own.items() if most}})


def candidates(two: Forecast, paid: Decimal | None, used: int) -> int:
    """As many drafts as cost what another run cost: by money where it is known, else by tokens.

    Args:
        two: what the best of two drafts would take.
    """
    cost = two.cost[1].value
    times = paid / (cost / 2) if paid and cost else Decimal(used) / max(1, two.tokens[1] // 2)
    low, high = CANDIDATES
    return max(low, min(high, round(times)))


def known(cost: Cost) -> Decimal:
    return sum((amount for _currency, amount in cost.amounts), Decimal(0))
