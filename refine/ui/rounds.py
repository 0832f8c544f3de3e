"""The rounds of a run as the pages show them: steps, findings, the table. Reads views only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from refine import tables
from refine.findings import RANK, State
from refine.findings import key as key_of
from refine.types import Finding, Note
from refine.ui import components
from refine.ui.parts import (
    DIMENSIONS,
    RESULTS,
    SEVERITIES,
    STATES,
    VERDICT_COLOURS,
    VERDICTS,
    cost_words,
    critic_name,
    model_words,
    round_name,
)
from refine.ui.words import _, coloured, language, ngettext, plain, seconds
from refine.views import CallView, RoundView, RunView

Shown = Sequence[tuple[Finding, State]]
FEW = 8
"""Findings that need no filter."""

# --- steps ---------------------------------------------------------------------------------------------------------


def steps(view: RunView, actions: Callable[[RoundView], None] | None = None) -> None:
    """One step a round: verdict, score, cost and time at a glance; what it found, and what can be done with it, inside.

    The one being worked on stands open. Expanders, as `st.status` makes the page wait 50 ms for each.
    """
    for round in view.rounds:
        with st.expander(step_label(view, round), icon=":material/check_circle:", type="step"):
            st.caption(counts(round.findings))
            if actions:
                actions(round)
    if not view.ended:
        label = f"{round_name(view, len(view.rounds))} · {doing(view)}"
        icon = ":material/front_hand:" if view.question else "spinner"
        now = st.expander(label, icon=icon, type="step", expanded=True)
        if not view.question:
            now.caption(plain(now_words(view)))


def step_label(view: RunView, round: RoundView) -> str:
    score = f" · {round.score:g}" if round.score is not None else ""
    return " ".join((f"{round_name(view, round.n)}{score}", *badges(view, round), spent(round)))


def spent(round: RoundView) -> str:
    """Cost and time of a round, small and grey; nothing for a round that an earlier run paid."""
    said = " · ".join(filter(None, (cost_words(round.cost), seconds(round.seconds) if round.seconds >= 0.05 else "")))
    return coloured("gray", coloured("small", said.replace("$", "\\$"))) if said else ""


def badges(view: RunView, round: RoundView) -> list[str]:
    verdict = badge(VERDICT_COLOURS[round.kind], _(VERDICTS[round.kind]).lower())
    if round.set_aside:
        return [verdict, badge("gray", set_aside_words(round))]
    if round.n == view.best_round:
        return [verdict, badge("blue", _("kept") if view.ended else _("best so far"))]
    return [verdict]


def badge(colour: str, words: str) -> str:
    return f":{colour}-badge[{words}]"


def set_aside_words(round: RoundView) -> str:
    fact = next((fact for fact in round.lost if fact.strip()), "")
    return _("set aside: lost “{fact}”").format(fact=plain(fact[:24])) if fact else _("set aside")


def counts(findings: Shown) -> str:
    """Findings by severity, in a few words."""
    if not findings:
        return _("No findings")
    listed = [
        (name, sum(finding.severity == code for finding, _state in findings)) for code, name in SEVERITIES.items()
    ]
    said = ngettext("{n} finding", "{n} findings", len(findings)).format(n=len(findings))
    return said + _(": ") + _(", ").join(f"{n} {_(name)}" for name, n in listed if n)


def doing(view: RunView) -> str:
    """Who is at work, shimmering."""
    if view.question:
        return coloured("orange", _("waits for you"))
    return coloured("shimmer", _("queued") if view.status == "queued" else _("at work"))


def now_words(view: RunView) -> str:
    """The model at work and how soon it spoke; a pause that a server asked for goes first."""
    call = next((call for call in reversed(view.attempts) if call.kind == "model"), None)
    if call is None:
        return _("The checks need no model")
    if call.failures and not call.content.strip():
        return _("Attempt {n}: {said}").format(n=call.attempts + 1, said=call.failures[-1].partition(": ")[2])
    return call_words(view, call)


def call_words(view: RunView, call: CallView) -> str:
    role = view.spec.role(call.role)
    parts = [model_words(role.endpoint, role.model)] if role else []
    if role and role.temperature is not None:
        parts.append(_("temperature {n}").format(n=f"{role.temperature:g}"))
    if (call.first_token_seconds or 0) >= 0.05:
        parts.append(_("first word after {time}").format(time=seconds(call.first_token_seconds or 0)))
    return " · ".join(parts)


# --- findings ------------------------------------------------------------------------------------------------------


def raised(view: RunView) -> Shown:
    """Every finding of a run once, as it was last said, with its state in the kept text. Of several drafts, those of
    the one that is kept."""
    if view.side_by_side:
        return view.rounds[view.best_round].findings if view.best_round is not None else []
    return [*{key_of(finding): (finding, state) for round in view.rounds for finding, state in round.findings}.values()]


def still_open(round: RoundView) -> Shown:
    return [(finding, state) for finding, state in round.findings if state in ("open", "reopened")]


def findings_list(shown: Shown, *, key: str, counted: bool = True, review: bool = False) -> list[Note]:
    """Findings as cards, open ones and grave ones first; above them how many are fixed and how many open.

    With `review` each has what an author may do with it. Returns what was chosen so far.
    """
    if not shown:
        st.caption(_("No findings."))
        return []
    if counted:
        with st.container(horizontal=True, gap="small"):
            for label, colour in state_badges(shown):
                st.badge(label, color=colour)  # type: ignore[arg-type]
    ordered = sorted(shown, key=lambda pair: (pair[1] in ("fixed", "waived"), RANK[pair[0].severity]))
    cards = merged([card(finding, state) for finding, state in ordered])
    chosen = components.findings(
        [card for card, _finding in cards],
        filters=filters([card for card, _finding in cards]),
        actions=review_words() if review else {},
        language=language(),
        more=_("{n} more"),
        key=key,
    )
    return [note for n, (_card, finding) in enumerate(cards) for note in notes_on(finding, n, chosen)]


def review_words() -> dict[str, tuple[str, str]]:
    return {
        "waived": (_("Waive"), _("Waived")),
        "locked": (_("Lock this passage"), _("Locked")),
    }


def notes_on(finding: Finding, n: int, chosen: Mapping[str, Sequence[int]]) -> list[Note]:
    """What the author chose for the `n`th card, as notes to the run."""
    waived = [Note("waive", finding=finding)] if n in chosen["waived"] else []
    return waived + ([Note("lock", finding.quote)] if n in chosen["locked"] and finding.quote else [])


def merged(cards: Sequence[tuple[dict[str, str], Finding]]) -> list[tuple[dict[str, str], Finding]]:
    """Cards that say the same become one that says how often."""
    times = Counter(tuple(card.items()) for card, _finding in cards)
    first = {tuple(card.items()): finding for card, finding in reversed(cards)}
    return [({**dict(card), "times": f"{n}×" if n > 1 else ""}, first[card]) for card, n in times.items()]


def filters(cards: Sequence[dict[str, str]]) -> list[tuple[str, str, str]]:
    """(field, value, label) by which many cards can be narrowed; none for a few."""
    if len(cards) <= FEW:
        return []
    fields = (("severity", "severity_label"), ("who", "who"))
    ordered = sorted(cards, key=lambda card: RANK[card["severity"]])
    counted = [(field, Counter((card[field], card[label]) for card in ordered)) for field, label in fields]
    return [(field, value, f"{label} {n}") for field, found in counted if len(found) > 1
            for (value, label), n in found.items() if label]  # fmt: skip


def state_badges(shown: Shown) -> list[tuple[str, str]]:
    """How many are fixed, waived, still open."""
    states = [state for _finding, state in shown]
    fixed, waived = states.count("fixed"), states.count("waived")
    still = len(states) - fixed - waived
    said = [
        (_("{n} fixed").format(n=fixed), "green", fixed),
        (_("{n} waived by you").format(n=waived), "gray", waived),
        (_("{n} open").format(n=still), "orange", still),
    ]
    return [(label, colour) for label, colour, n in said if n]


def card(finding: Finding, state: State) -> tuple[dict[str, str], Finding]:
    shown = {
        "severity": finding.severity,
        "severity_label": _(SEVERITIES[finding.severity]),
        "about": _(DIMENSIONS.get(finding.dimension, finding.dimension)) if finding.dimension else _("remark"),
        "who": critic_name(finding.critic),
        "quote": quote_words(finding),
        "remark": finding.remark.strip(),
        "state": state,
        "state_label": _(STATES[state]) if STATES[state] else "",
        "suggestion": _("Perhaps: {text}").format(text=finding.suggestion) if finding.suggestion else "",
        "passage": "yes" if finding.quote.strip() else "",
    }
    return shown, finding


def quote_words(finding: Finding) -> str:
    """What is quoted and what it becomes; nothing where the remark quotes it already."""
    if finding.replacement:
        return f"{finding.quote.strip()} → {finding.replacement}"
    return "" if finding.quote.strip() in finding.remark else finding.quote.strip()


# --- the table -----------------------------------------------------------------------------------------------------


def rounds_table(view: RunView) -> None:
    """One row a round. Columns without any value are left out."""
    frame = tables.rounds(view)
    frame["round"] = [round_name(view, n) for n in frame["round"]]
    frame["verdict"] = [[_(VERDICTS[kind])] for kind in frame["verdict"]]
    frame["result"] = [[_(RESULTS[result])] if result else [] for result in frame["result"]]
    frame["cost"] = [cost_cell(cost) for cost in frame["cost"]]
    shown = [name for name in frame.columns if name == "round" or not empty(frame[name])]
    st.dataframe(
        frame[shown],
        hide_index=True,
        column_config={name: config for name, config in column_config(view).items() if name in shown},
        placeholder="",
        alt=_("One row for each round: verdict, score, findings, words, tokens, cost and seconds."),
    )


def cost_cell(cost: float | str) -> str:
    if isinstance(cost, str):  # unknown, or in several currencies
        return _("unknown") if cost == tables.UNKNOWN else cost
    return f"{cost:.4f}"


def empty(column: Any) -> bool:
    """Nothing in it tells anything: no value, no list entry, no score, no token."""
    return all(value in ([], "", None, "0.0000") or value != value or value == 0 for value in column)


def column_config(view: RunView) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    verdicts = {_(VERDICTS[kind]): colour for kind, colour in VERDICT_COLOURS.items()}
    results = {_(RESULTS["kept"]): "blue", _(RESULTS["set_aside"]): "gray"}
    return {
        "round": st.column_config.TextColumn(_("Round")),
        "verdict": st.column_config.MultiselectColumn(_("Verdict"), options=[*verdicts], color=[*verdicts.values()]),
        "result": st.column_config.MultiselectColumn(_("Result"), options=[*results], color=[*results.values()]),
        "score": st.column_config.ProgressColumn(_("Score"), min_value=0, max_value=10, format="%.1f"),
        "must": number(_("Must")),
        "should": number(_("Should")),
        "may": number(_("May")),
        "words": number(_("Words")),
        "changed": number(_("Changed"), format="%.0f %%"),
        "tokens_in": number(_("Tokens in"), format="localized"),
        "tokens_out": number(_("Tokens out"), format="localized"),
        "cost": st.column_config.TextColumn(
            _("Cost") if view.money.others else _("Cost, {currency}").format(currency=view.money.currency)
        ),
        "seconds": number(_("Seconds"), format="%.1f"),
    }
