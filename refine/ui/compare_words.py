"""What the pages say of a comparison in words: its size, what it will take, who its variants are. No widgets here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from refine.comparisons import Estimate
from refine.ledger import Cost
from refine.types import Comparison, Role, Variant
from refine.ui.parts import model_words, role_words
from refine.ui.standing import round_to_two, span, span_of_costs
from refine.ui.words import _, language, ngettext, plain


def titles(comparison: Comparison, code: str = "") -> Mapping[str, str]:
    """Variant's name in the plan -> what it is called on the page: its title, where no other has the same."""
    known = {variant.name: title_of(variant, code or language()) for variant in comparison.variants}
    often = Counter(known.values())
    return {name: title if often[title] == 1 else name for name, title in known.items()}


def title_of(variant: Variant, code: str) -> str:
    """The folder's title, for a variant that is as its folder has it; else the name it was given."""
    if variant.name != variant.spec.variant:
        return variant.name
    return variant.title.get(code) or variant.title.get("en") or variant.name


def size_words(variants: int, texts: int, repeats: int) -> str:
    said = [
        ngettext("{n} variant", "{n} variants", variants).format(n=variants),
        ngettext("{n} text", "{n} texts", texts).format(n=texts),
    ]
    if repeats > 1:
        said.append(ngettext("{n} repeat", "{n} repeats", repeats).format(n=repeats))
    return " × ".join(said)


def judge_words(comparison: Comparison) -> str:
    role = comparison.judge and comparison.judge.role("judge")
    if not role:
        return _("no judge: checks measure")
    return _("judge: {model}, same for all").format(model=model_words(role.endpoint, role.model))


def taking(found: Estimate) -> str:
    """Runs, calls, tokens, money, time: what a comparison will take."""
    runs = ngettext("{n} run", "{n} runs", found.runs).format(n=f"{found.runs:,}")
    said = [f"**{runs}**"]
    if found.calls[1]:
        calls = ngettext("{n} call", "{n} calls", found.calls[1])
        said.append(calls.format(n=span(*(f"{n:,}" for n in found.calls))))
        said.append(_("{n} tokens").format(n=span(*(f"{round_to_two(n):,}" for n in found.tokens))))
    said.append(price(*found.cost))
    if found.seconds and found.seconds[1] >= 1:
        said.append(_("about {time}").format(time=span_of_times(*map(minutes, found.seconds))))
    return " · ".join(said)


def price(low: Cost, high: Cost) -> str:
    if not high.known:
        return _("free of charge") if high.complete else _("price not known")
    said = f"**{span_of_costs(low, high)}**"
    return said if high.complete else _("at least {money}").format(money=said)


def span_of_times(low: str, high: str) -> str:
    """The unit once, where it is the same."""
    (first, _space, unit), (last, _space, other) = low.rpartition(" "), high.rpartition(" ")
    return f"{span(first, last)} {unit}" if unit == other else f"{low}–{high}"


def minutes(seconds: float) -> str:
    """Roughly: a guess should look like one."""
    if seconds < 60:
        return _("{n} s").format(n=max(1, round(seconds)))
    if seconds < 5_400:
        return _("{n} min").format(n=round(seconds / 60))
    return _("{n} h").format(n=f"{seconds / 3_600:.1f}")


def models(variant: Variant) -> str:
    """Who plays what: "Writer and critic: gpt-4o-mini"."""
    played: dict[str, list[str]] = {}
    for role in variant.spec.roles:
        played.setdefault(model_words(role.endpoint, role.model), []).append(role_name(role))
    if not played:
        return _("checks alone")
    named = [(_(", ").join(roles), model) for model, roles in played.items()]
    return _("; ").join(_("{roles}: {model}").format(roles=roles, model=model) for roles, model in named)


def role_name(role: Role) -> str:
    return role_words(role)[0]


def safe_title(title: str) -> str:
    return plain(title) or _("A comparison")


LATEST = 20
"""Ends from which the pace is told."""


def seconds_left(ends: Sequence[float], left: int, now: float) -> float | None:
    """At the pace at which the last runs ended; None where nothing can be said yet."""
    last = sorted(ends)[-LATEST:]
    if len(last) < 2 or not left or now <= last[0]:
        return None
    return left * (now - last[0]) / (len(last) - 1)
