"""What a scoreboard says in words: who leads, what ranks, and what its reader must beware of. Pure.

The sentences stand in `words`; here is decided which of them hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from refine import stats, words
from refine.cell_results import WEIGHTS, CellResult, Measure
from refine.prompts import prompt_hash
from refine.types import Comparison, Role, RunSpec
from refine.variant_rows import VariantRow

ENOUGH = 5
"""Texts below which intervals are wide."""
PARTS = ("writer", "critic", "judge")
SCRIPTED = "scripted"


@dataclass(frozen=True, slots=True)
class Choosing:
    """Pairs that the judge compared in both orders: how often it chose a place and not a text."""

    pairs: int = 0
    swayed: int = 0


class Told:
    """A board's sentences, in one language."""

    def __init__(
        self,
        comparison: Comparison,
        measure: Measure,
        cells: Sequence[CellResult],
        rows: Sequence[VariantRow],
        lead: stats.Lead | None,
        agreement: stats.Agreement | None,
        choosing: Choosing,
        language: str,
    ) -> None:
        self._comparison, self._measure, self._cells, self._rows = comparison, measure, cells, rows
        self._lead, self._agreement, self._choosing = lead, agreement, choosing
        self._language = language
        self._table = words.compare(language)

    def sentence(self) -> str:
        if self._lead is None:
            return str(self._table.NO_LEAD)
        if self._measure == "judge":
            return stats.sentence(self._lead, self._language)
        return stats.sentence(self._lead, self._language, unit=self._table.FAULTS, better="fewer")

    def beside(self) -> str:
        """What the leader costs, where that can be said in one number."""
        if self._lead is None or self._lead.value <= 0 or several_currencies(self._rows):
            return ""
        paid = {row.name: row.run_cost.value for row in self._rows if row.run_cost}
        mine, other = paid.get(self._lead.best), paid.get(self._lead.over)
        if not mine or not other:
            return ""
        names, times = {"best": self._lead.best, "over": self._lead.over}, f"{mine / other:.1f}"
        return str(self._table.SAME_COST if times == "1.0" else self._table.TIMES).format(times=times, **names)

    def basis(self) -> str:
        judge = self._comparison.judge and self._comparison.judge.role("judge")
        return str(self._table.BASIS[self._measure]).format(model=judge.model if judge else "", **WEIGHTS)

    def warnings(self) -> Iterator[str]:
        yield from self._of_texts()
        yield from self._of_models()
        yield from self._of_the_judge()
        yield from self._of_results()
        yield from self._of_costs()

    def _say(self, name: str, **holes: object) -> str:
        return str(self._table.WARNINGS[name]).format(**holes)

    def _list(self, names: Iterable[str]) -> str:
        return str(words.files(self._language).REPORT["list"]).join(names)

    def _of_texts(self) -> Iterator[str]:
        n = len(self._comparison.tasks)
        if n < ENOUGH:
            yield self._say("one_draft") if n == 1 else self._say("few_drafts", n=n, enough=ENOUGH)

    def _of_models(self) -> Iterator[str]:
        variants = [variant.name for variant in self._comparison.variants]
        named = words.files(self._language).NAMES
        for (model, parts), where in shared_models(self._comparison).items():
            said = self._list(where) if len(where) < len(variants) else str(self._table.ALL_VARIANTS)
            *first, last = (str(named[part]) for part in parts)
            players = f"{self._list(first)}{self._table.AND}{last}"
            yield self._say("same_model", model=model, parts=players, variants=said)
        played = [v.name for v in self._comparison.variants if any(is_scripted(v.spec, role) for role in v.spec.roles)]
        if played:
            yield self._say("scripted", variants=self._list(played))
        if critics_differ(self._comparison) and any(cell.critic_score is not None for cell in self._cells):
            yield self._say("critics")

    def _of_the_judge(self) -> Iterator[str]:
        judge = self._comparison.judge
        if judge and any(is_scripted(judge, role) for role in judge.roles):
            yield self._say("scripted_judge")
        if judge and judge.role("judge") and self._measure == "checks":
            yield self._say("no_score")
        if self._choosing.swayed:
            yield self._say("swayed", **_share(self._choosing.swayed, self._choosing.pairs))
        if (agreed := self._agreement) and agreed.share is not None:
            share = _share(round(agreed.share * agreed.n), agreed.n)
            if agreed.kappa is None:
                yield self._say("agreement", **share)
            else:
                yield self._say("kappa", **share, kappa=f"{agreed.kappa:.2f}")

    def _of_results(self) -> Iterator[str]:
        failing = [(row.name, row.failed, row.planned) for row in self._rows if row.failed]
        if failing:
            reasons = words.of(self._language).REASONS
            said = [cell.error or str(reasons.get(cell.reason or "", "")) for cell in self._cells if cell.failed]
            yield self._say("failed", list=self._list(self._some(failing)), reason=said[-1])
        lacking = [(row.name, row.unscored, row.planned) for row in self._rows if row.unscored]
        if lacking:
            yield self._say("missing", list=self._list(self._some(lacking)))
        losing = [(row.name, row.losing, row.measured) for row in self._rows if row.losing]
        if losing:
            yield self._say("lost", list=self._list(self._some(losing)))

    def _some(self, counted: Iterable[tuple[str, int, int]]) -> Iterator[str]:
        for name, n, all in counted:
            yield str(self._table.SOME).format(variant=name, n=n, all=all)

    def _of_costs(self) -> Iterator[str]:
        priced = {price.model for cell in self._cells for price in cell.prices}
        unpriced = dict.fromkeys(model for cell in self._cells for model in cell.unpriced)
        never = [model for model in unpriced if model not in priced]
        if never:
            yield self._say("unpriced", models=self._list(never))
        elif unpriced:
            yield self._say("uncharged")
        if several_currencies(self._rows):
            yield self._say("currencies")


def _share(k: int, n: int) -> dict[str, object]:
    return {"k": k, "n": n, "percent": f"{100 * k / n:.0f}"}


def several_currencies(rows: Iterable[VariantRow]) -> bool:
    return len({currency for row in rows for currency, amount in row.cost.amounts if amount}) > 1


# --- who plays what --------------------------------------------------------------------------------------------------


def is_scripted(spec: RunSpec, role: Role) -> bool:
    made = {endpoint.name: endpoint.kind for endpoint in spec.endpoints}
    return made.get(role.endpoint, role.endpoint) == SCRIPTED


def shared_models(comparison: Comparison) -> Mapping[tuple[str, tuple[str, ...]], list[str]]:
    """(model, the parts that it plays) -> the variants in which it does; two parts or more. Scripted ones are none.

    A model is known by its name, wherever it is served. Whoever chooses inside a loop is one of its critics.
    """
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    judges = {} if comparison.judge is None else _models(comparison.judge, ("judge",))
    for variant in comparison.variants:
        played: dict[str, set[str]] = {}
        for model, parts in (*_models(variant.spec, ("writer", "critic")).items(), *judges.items()):
            played.setdefault(model, set()).update(parts)
        for model, parts in played.items():
            if len(parts) > 1:
                key = model, tuple(part for part in PARTS if part in parts)
                found.setdefault(key, []).append(variant.name)
    return found


def _models(spec: RunSpec, parts: tuple[str, ...]) -> dict[str, set[str]]:
    """Model -> the parts that it plays, each taken for the last of `parts` but the writer."""
    found: dict[str, set[str]] = {}
    for role in spec.roles:
        if (role.model or role.endpoint) and not is_scripted(spec, role):
            part = "writer" if role.name in ("writer", "actor") else parts[-1]
            found.setdefault(role.model or role.endpoint, set()).add(part)
    return found


def critics_differ(comparison: Comparison) -> bool:
    """Do variants that have critics have others than each other?"""
    found = {
        tuple((role.model, prompt_hash(role.prompt)) for role in variant.spec.critics)
        for variant in comparison.variants
        if variant.spec.critics
    }
    return len(found) > 1
