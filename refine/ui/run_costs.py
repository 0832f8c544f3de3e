"""What one run cost: a fold whose label says it, with the roles that used it, what was foreseen and what is allowed."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from refine import bill, outlook, steps, tables
from refine.bill import Amount, Measure
from refine.forecast import Forecast
from refine.ledger import Cost
from refine.types import Role
from refine.ui.parts import cost_words, model_words, role_words, workbench
from refine.ui.rounds import cost_cell, empty
from refine.ui.standing import span, span_of_costs
from refine.ui.words import N_, _, cents, ngettext, seconds
from refine.views import RunView

NAMES = {"money": N_("Cost"), "tokens": N_("Tokens"), "calls": N_("Calls"), "time": N_("Time")}


def fold(view: RunView) -> None:
    """Nothing for a run that asked no model."""
    if not bill.asked(view):
        return
    guess = outlook.foreseen(workbench(), view)
    found = bill.measures(view, guess)
    with st.expander(label(view, found, guess), icon=":material/payments:", key="cost"):
        left, right = st.columns([7, 5], gap="large")
        with left:
            roles(view)
        with right:
            measures(found)


def limit_words(view: RunView) -> str:
    """The most that a run may cost; "" where it may cost as much as it likes."""
    most = view.spec.limits.get("money")
    if not most:
        return ""
    return _("at most {money}").format(money=cents(Decimal(str(most)), view.money.currency)).replace("$", "\\$")


# --- the label -------------------------------------------------------------------------------------------------------


def label(view: RunView, found: list[Measure], guess: Forecast | None) -> str:
    """Money where there is any to speak of, else tokens; of how much, and how much was expected."""
    cost, tokens = found[0], found[1]
    paid = bool(view.money.known)
    told = cost if paid or (cost.most and view.money.complete) else tokens
    said = [_("Cost: {used}").format(used=of_most(cost, view.money.currency))] if told is cost else []
    if told is tokens:
        said = [cost_words(view.money, _("free of charge")), of_most(tokens, "", _("{n} tokens"))]
        said[0] = said[0][:1].upper() + said[0][1:]
    if told.foreseen:
        words = _("the estimate was {span}") if planned(view) else _("the estimate for the first question was {span}")
        said.append(words.format(span=foreseen_words(told)))
    return " · ".join(said).replace("$", "\\$")


def of_most(measure: Measure, currency: str, unit: str = "{n}") -> str:
    used = amount_words(measure, measure.used)
    if not measure.most:
        return unit.format(n=used)
    most = amount_words(measure, measure.most, currency)
    return unit.format(n=_("{used} of at most {most}").format(used=used, most=most))


def planned(view: RunView) -> bool:
    """Were no more questions asked than those that the run began with?"""
    asked = len(steps.asked(view)) if view.technique == "react" else 0
    return asked <= 1 + len(view.spec.options.get("questions") or ())


# --- amounts in words ------------------------------------------------------------------------------------------------


def amount_words(measure: Measure, amount: Amount, currency: str = "USD") -> str:
    if isinstance(amount, Cost):
        return cost_words(amount, "0")
    if measure.what == "money":
        return cents(Decimal(str(amount)), currency)
    return seconds(amount) if measure.what == "time" else f"{amount:,}"


def foreseen_words(measure: Measure) -> str:
    """From and to, rounded as a guess should be; "" where nothing was foreseen."""
    if not measure.foreseen:
        return ""
    low, high = measure.foreseen
    if isinstance(low, Cost) and isinstance(high, Cost):
        if not high.complete:
            return _("unknown")
        return span_of_costs(low, high).replace("\\", "") if high.known else "0"
    return span(*(amount_words(measure, bill.rough(amount)) for amount in measure.foreseen))


# --- tables ----------------------------------------------------------------------------------------------------------


def roles(view: RunView) -> None:
    frame = tables.roles(view)
    models = [*zip(frame["endpoint"], frame["model"], strict=True)]
    frame["role"] = [role_words(Role(name))[0] for name in frame["role"]]
    frame["model"] = [model_words(*model) for model in models]
    frame["cost"] = [cost_cell(cost) for cost in frame["cost"]]
    column = st.column_config
    number = column.NumberColumn
    config = {
        "role": column.TextColumn(_("Role")),
        "model": column.TextColumn(_("Model")),
        "calls": number(_("Calls")),
        "failed": number(_("Failed")),
        "tokens_in": number(_("Tokens in"), format="localized"),
        "cached": number(_("of them cached"), format="localized"),
        "tokens_out": number(_("Tokens out"), format="localized"),
        "reasoning": number(_("of them thinking"), format="localized"),
        "cost": column.TextColumn(
            _("Cost") if view.money.others else _("Cost, {currency}").format(currency=view.money.currency),
            alignment="right",
        ),
        "share": number(_("Share"), format="%.0f %%", help=_("Of the cost; of the tokens where nothing was paid.")),
    }
    shown = [name for name in config if name in ("role", "model", "calls") or not empty(frame[name])]
    st.dataframe(
        frame[shown],
        hide_index=True,
        placeholder="",
        column_config={name: config[name] for name in shown},
        key="cost-roles",
        alt=_("One row for each role: model, calls, tokens, cost and its share."),
    )
    failed = int(frame["failed"].sum())
    said = [ngettext("{n} call failed.", "{n} calls failed.", failed).format(n=failed)] if failed else []
    if view.usage.estimated:
        said.append(_("Some tokens are estimated, as the server did not count them."))
    if said:
        st.caption(" ".join(said))


def measures(found: list[Measure]) -> None:
    """What was used beside what was expected and what is allowed."""
    column = st.column_config
    rows = [
        {
            "what": _(NAMES[measure.what]),
            "used": amount_words(measure, measure.used),
            "foreseen": foreseen_words(measure),
            "most": amount_words(measure, measure.most, currency_of(found)) if measure.most else _("no limit"),
        }
        for measure in found
    ]
    st.dataframe(
        rows,
        hide_index=True,
        placeholder="",
        column_config={
            "what": column.TextColumn(""),
            "used": column.TextColumn(_("Used"), alignment="right"),
            "foreseen": column.TextColumn(_("Estimate"), alignment="right"),
            "most": column.TextColumn(_("At most"), alignment="right"),
        },
        key="cost-measures",
        alt=_("What the run used, what was expected of it, and what it may use."),
    )


def currency_of(found: list[Measure]) -> str:
    used = found[0].used
    return used.currency if isinstance(used, Cost) else "USD"
