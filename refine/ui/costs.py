"""What all runs cost: by day, model, variant and role, with a file of it. A view of the page of runs."""

from __future__ import annotations

import datetime
import time
from collections.abc import Sequence

import altair as alt
import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from refine.ledger import add_costs
from refine.store import Total
from refine.types import Role, Usage
from refine.ui.parts import SCRIPTED, cost_words, model_words, role_words, variant_title, workbench
from refine.ui.words import N_, _, ngettext

GROUPS = ("day", "variant", "endpoint", "model", "role")
PERIODS = {7: N_("7 days"), 30: N_("30 days"), 0: N_("All")}
DAY = 86_400.0
SHOWN_MODELS = 5
"""Models with a colour of their own in the chart; the others are one."""
COLOURS = ("#4A7DB5", "#C0782B", "#4F8A63", "#8A5A9E", "#B5493F", "#8C857A")
HEIGHT = 220
LABEL = "slice(datum.label, 5)"
"""Month and day, as the year is seldom in doubt."""


def show(days: int) -> None:
    """`days`: of how many, today included; 0 = all."""
    since = time.time() - (days - 1) * DAY if days else None
    found = [one for one in workbench().store.totals(*GROUPS, since=since) if one.keys["endpoint"] != SCRIPTED]
    if not found:
        st.caption(_("No call to a model in this time. Checks and scripted models cost nothing."))
        return
    st.markdown(sentence(found))
    chart(found, days)
    left, right = st.columns([7, 4], gap="large")
    with left:
        table(_("By model"), found, ("endpoint", "model"))
    with right:
        table(_("By role"), found, ("role",))
    with left:
        table(_("By variant"), found, ("variant",))
    st.download_button(
        _("Table of costs (.csv)"),
        csv(found),
        "costs.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="download-costs",
    )


def period() -> int:
    picked = st.segmented_control(
        _("Time"),
        [*PERIODS],
        default=30,
        required=True,
        format_func=lambda days: _(PERIODS[days]),
        key="costs-days",
        label_visibility="collapsed",
    )
    return int(picked if picked is not None else 30)


def merged(totals: Sequence[Total], by: Sequence[str]) -> list[Total]:
    """The same in fewer groups, the dearest first."""
    groups: dict[tuple[str, ...], list[Total]] = {}
    for total in totals:
        groups.setdefault(tuple(total.keys[name] for name in by), []).append(total)
    found = [added(dict(zip(by, names, strict=True)), parts) for names, parts in groups.items()]
    return sorted(found, key=lambda total: (-total.cost.known, -total.usage.output_tokens))


def added(keys: dict[str, str], parts: Sequence[Total]) -> Total:
    return Total(
        keys,
        sum(part.calls for part in parts),
        sum(part.failed for part in parts),
        Usage(sum(part.usage.input_tokens for part in parts), sum(part.usage.output_tokens for part in parts)),
        add_costs(part.cost for part in parts),
        sum(part.seconds for part in parts),
    )


def sentence(found: Sequence[Total]) -> str:
    whole = added({}, found)
    calls = ngettext("{n} call", "{n} calls", whole.calls).format(n=f"{whole.calls:,}")
    tokens = _("{n} tokens").format(n=f"{whole.usage.input_tokens + whole.usage.output_tokens:,}")
    cost = cost_words(whole.cost, _("free of charge")).replace("$", "\\$")
    said = [f"**{cost}**", calls, tokens]
    if whole.failed:
        said.append(ngettext("{n} failed", "{n} failed", whole.failed).format(n=f"{whole.failed:,}"))
    return " · ".join(said)


# --- by day ----------------------------------------------------------------------------------------------------------


def chart(found: Sequence[Total], days: int) -> None:
    """A bar for each day, stacked by model: money where any was paid, else tokens."""
    currency = added({}, found).cost.currency
    paid = any(total.cost.known for total in found)

    def value(total: Total) -> float:
        return amount(total, currency) if paid else total.usage.input_tokens + total.usage.output_tokens

    names = [name_of(total) for total in merged(found, ("endpoint", "model")) if value(total)]
    own = [*dict.fromkeys(names)][:SHOWN_MODELS]
    rows = [
        {"day": one.keys["day"], "model": name_of(one) if name_of(one) in own else _("others"), "value": value(one)}
        for one in merged(found, ("day", "endpoint", "model"))
        if value(one)
    ]
    shown = own if len(set(names)) <= len(own) else [*own, _("others")]
    colour = alt.Color(
        "model:N",
        title=None,
        scale=alt.Scale(domain=shown, range=[*COLOURS[: len(shown)]]),
        legend=alt.Legend(orient="bottom", direction="horizontal", columns=3) if len(shown) > 1 else None,
    )
    title, what = (_("Cost of the day, {currency}"), _("Cost")) if paid else (_("Tokens of the day"), _("Tokens"))
    st.caption(title.format(currency=currency))
    domain = alt.Scale(domain=calendar(days)) if days else alt.Undefined
    x = alt.X("day:O", title=None, scale=domain, axis=alt.Axis(labelAngle=0, labelOverlap=True, labelExpr=LABEL))
    y = alt.Y("sum(value):Q", title=None, axis=alt.Axis(tickCount=4))
    hover = [alt.Tooltip("day:O", title=_("Day")), alt.Tooltip("model:N", title=_("Model")),
             alt.Tooltip("sum(value):Q", title=what, format=",.4~f")]  # fmt: skip
    bars = alt.Chart(pd.DataFrame(rows)).mark_bar(size=18).encode(x=x, y=y, color=colour, tooltip=hover)
    st.altair_chart(bars.properties(height=HEIGHT), alt=_("A bar for each day, by model."))


def calendar(days: int) -> list[str]:
    """Those days up to today, also where nothing was used."""
    today = datetime.date.today()
    return [(today - datetime.timedelta(back)).isoformat() for back in reversed(range(days))]


def amount(total: Total, currency: str) -> float:
    return float(dict(total.cost.amounts).get(currency, 0))


def name_of(total: Total) -> str:
    return model_words(total.keys["endpoint"], total.keys["model"])


# --- tables ----------------------------------------------------------------------------------------------------------


def table(title: str, found: Sequence[Total], by: Sequence[str]) -> None:
    st.subheader(title, anchor=False)
    column = st.column_config
    st.dataframe(
        frame(merged(found, by), by),
        hide_index=True,
        placeholder="",
        height="content",
        column_config={
            "name": column.TextColumn(_("Name")),
            "calls": column.NumberColumn(_("Calls"), format="localized", width="small"),
            "tokens_in": column.NumberColumn(_("Tokens in"), format="localized", width="small"),
            "tokens_out": column.NumberColumn(_("Tokens out"), format="localized", width="small"),
            "cost": column.TextColumn(_("Cost"), alignment="right"),
        },
        key=f"costs-{'-'.join(by)}",
        alt=title,
    )


def frame(totals: Sequence[Total], by: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "name": words_of(total, by),
                "calls": total.calls,
                "tokens_in": total.usage.input_tokens,
                "tokens_out": total.usage.output_tokens,
                "cost": cost_words(total.cost, "0"),
            }
            for total in totals
        ]
    )


def words_of(total: Total, by: Sequence[str]) -> str:
    match tuple(by):
        case ("variant",):
            return variant_title(total.keys["variant"])
        case ("role",):
            return role_words(Role(total.keys["role"]))[0]
    return " · ".join(dict.fromkeys((total.keys["endpoint"], name_of(total))))


def csv(found: Sequence[Total]) -> bytes:
    """One row for each day, variant, endpoint, model, role and currency; names as the log has them."""
    rows = [
        {name: total.keys[name] for name in GROUPS}
        | {
            "calls": total.calls,
            "failed": total.failed,
            "tokens_in": total.usage.input_tokens,
            "tokens_out": total.usage.output_tokens,
            "cost": str(known),
            "currency": currency,
            "complete": total.cost.complete,
            "seconds": round(total.seconds, 1),
        }
        for total in found
        for currency, known in total.cost.amounts
    ]
    return str(pd.DataFrame(rows).to_csv(index=False)).encode("utf-8-sig")
