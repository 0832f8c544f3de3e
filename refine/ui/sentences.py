"""What the pages say of a run in sentences: what became of it, why it stopped, what it waits for. No widgets here.

Text of people and models inside them is made safe for Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from refine import views
from refine.doors import find_endpoint
from refine.errors import SettingsError
from refine.models.addresses import host_of, is_loopback
from refine.schema import DRAFTS
from refine.text import words as counting
from refine.types import Endpoint, Finding, Role
from refine.ui.parts import cost_words, round_name
from refine.ui.words import N_, _, language, length, ngettext, plain, seconds, together
from refine.views import RoundView, RunView


def so_far(view: RunView) -> str:
    """What is known before the end."""
    if not view.rounds:
        if view.status == "queued":
            return _("It starts as soon as there is room.")
        if view.side_by_side:
            n = int(view.spec.options.get("n") or DRAFTS)
            return ngettext("{n} draft is being written.", "{n} drafts are being written.", n).format(n=n)
        if not view.goes_on:
            return _("The text is written in one go.")
        return _("Your draft is read first.") if view.spec.task.draft else _("A first draft is written first.")
    best = _("{round} is the best so far.").format(round=round_name(view, view.best_round or 0))
    return together(_findings(view), best if len(view.rounds) > 1 else "", _why_not_others(view))


def outcome(view: RunView) -> str:
    """Findings, length, which round is kept and why not the others. Empty where no round has ended."""
    if view.best_round is None or not view.rounds:
        return ""
    if view.side_by_side:
        return together(_kept(view), _left(open_in(view.rounds[view.best_round])), _length(view))
    if view.best_round == 0 and view.spec.task.draft and len(view.rounds) > 1 and not view.picked:
        return together(_unchanged(view), _why_not_others(view))
    return together(_findings(view), _length(view), _kept(view), _why_not_others(view))


def _unchanged(view: RunView) -> str:
    if view.rounds[0].kind == "approved":
        return _("Your draft was already the best version; nothing was changed.")
    return _("No rewrite was better, so your draft stays as it is.")


def open_in(round: RoundView) -> list[Finding]:
    """The findings of a round that still stand in the kept text."""
    return [finding for finding, state in round.findings if state in ("open", "reopened")]


def _left(findings: list[Finding]) -> str:
    n = len(findings)
    return ngettext("{n} finding.", "{n} findings.", n).format(n=n) if n else _("No findings.")


def _findings(view: RunView) -> str:
    best = view.rounds[view.best_round or 0]
    before, after = len(view.rounds[0].findings), len(open_in(best))
    if view.best_round == 0:
        return _left([finding for finding, _state in view.rounds[0].findings])
    if not after:
        said = ngettext("{n} finding, none left.", "{n} findings, none left.", before)
        return said.format(n=before)
    if after == before:
        return ngettext("{n} finding is still open.", "{n} findings are still open.", after).format(n=after)
    said = ngettext("{n} finding became {m}{note}.", "{n} findings became {m}{note}.", before)
    return said.format(n=before, m=after, note=_note(open_in(best)))


def _note(findings: list[Finding]) -> str:
    musts = sum(finding.severity == "must" for finding in findings)
    if musts:
        return ngettext(", {n} of them a must", ", {n} of them musts", musts).format(n=musts)
    return _(", all optional") if all(finding.severity == "may" for finding in findings) else ""


def _length(view: RunView) -> str:
    code = view.spec.task.language
    old = counting.count(view.spec.task.draft or view.rounds[0].text)
    new = counting.count(view.text or "")
    if not old or old == new:
        return ""
    after = length(new, code) if language() == "zh" else f"{new:,}"
    return _("{before} became {after}.").format(before=length(old, code), after=after)


def _kept(view: RunView) -> str:
    said = _("{round} is kept, chosen by you.") if view.picked else _("{round} is kept.")
    return said.format(round=round_name(view, view.best_round or 0)) if len(view.rounds) > 1 else ""


def _why_not_others(view: RunView) -> str:
    """One sentence for all rounds that were set aside for the same reason; the first two reasons are enough."""
    reasons: dict[str, list[str]] = {}
    for round in view.rounds:
        if round.set_aside:
            reasons.setdefault(_lost_facts(round), []).append(round_name(view, round.n))
    return together(*(_set_aside(names, facts) for facts, names in [*reasons.items()][:2]))


def _lost_facts(round: RoundView) -> str:
    facts = [f"“{plain(fact[:40])}”" for fact in round.lost if fact.strip()]
    return _(", ").join(facts[:3])


def _set_aside(names: list[str], facts: str) -> str:
    if facts:
        said = ngettext(
            "{rounds} was set aside because it lost {facts}.",
            "{rounds} were set aside because they lost {facts}.",
            len(names),
        )
    else:
        said = ngettext(
            "{rounds} was set aside because it made new faults.",
            "{rounds} were set aside because they made new faults.",
            len(names),
        )
    return said.format(rounds=_(", ").join(names), facts=facts)


def price_and_time(view: RunView) -> str:
    """Money, tokens and driving time, in grey."""
    tokens = view.usage.input_tokens + view.usage.output_tokens
    parts = [cost_words(view.money)]
    if tokens:
        parts.append(_("{n} tokens").format(n=f"{tokens:,}"))
    parts.append(seconds(view.seconds))
    return " · ".join(filter(None, parts))


def why_stopped(view: RunView) -> str:
    """One sentence; for a fault also what is safe."""
    said = views.reason_of(view, language())
    if view.reason == "max_rounds" and view.rounds:
        said = together(said, _must_left(view))
    if view.reason in ("failures", "error"):
        said = together(said, _fault(view), _safe(view) if view.rounds else "")
    return said.strip()


def _must_left(view: RunView) -> str:
    musts = sum(finding.severity == "must" for finding in open_in(view.rounds[view.best_round or 0]))
    if not musts:
        return _("{round} is the best, not approved.").format(round=round_name(view, view.best_round or 0))
    said = ngettext(
        "{round} is the best, not approved, {n} must-finding open.",
        "{round} is the best, not approved, {n} must-findings open.",
        musts,
    )
    return said.format(round=round_name(view, view.best_round or 0), n=musts)


FAULTS = {
    "key": N_("The key was refused."),
    "quota": N_("The account has no money or quota left."),
    "rate": N_("The server had too many requests at once."),
    "server": N_("The server had an error of its own."),
    "connect": N_("The server could not be reached."),
    "dropped": N_("The connection broke."),
    "cut": N_("The connection broke."),
    "idle": N_("The server fell silent."),
    "total": N_("The answer took too long."),
    "malformed": N_("The server's answer could not be read."),
    "not_found": N_("There is no such model or address."),
    "context": N_("The text is too long for this model."),
    "forbidden": N_("The key does not allow this."),
    "bad_request": N_("The server refused the request."),
    "settings": N_("A setting of the endpoint is wrong."),
}
"""Kind of failure -> what happened, in words; the server's own stand in the details."""


def _fault(view: RunView) -> str:
    failed = next((call for call in reversed(view.attempts) if call.failures), None)
    words = FAULTS.get(failed.failures[-1].partition(": ")[0]) if failed else None
    return _(words) if words else ""


def _safe(view: RunView) -> str:
    last = round_name(view, view.rounds[-1].n)
    return _("Nothing was lost: all up to “{round}” is kept.").format(round=last)


# --- where a text is and was -------------------------------------------------------------------------------------


def stored_in(home: Path) -> str:
    """The folder as its owner knows it, never this machine's whole path."""
    return _("Stored in {folder}").format(folder=_code(folder_words(home, Path.cwd(), Path.home())))


def folder_words(folder: Path, here: Path, owner: Path) -> str:
    if folder.is_relative_to(here):
        return str(folder.relative_to(here))
    return f"~/{folder.relative_to(owner)}" if folder.is_relative_to(owner) else f"…/{folder.name}"


def sent_to(view: RunView, endpoints: Mapping[str, Endpoint]) -> str:
    """Every place outside this program that a text of this run was sent to. A fork's text went where its run's did."""
    called = {call.role for call in view.attempts if call.kind == "model"}
    roles = [role for role in view.spec.roles if role.name in called or view.spec.parent]
    found = [_place(view, role, endpoints) for role in roles]
    places = dict.fromkeys(filter(None, found))
    if not places:
        return _("Sent nowhere: everything stays on this computer")
    return _("Sent to {places}").format(places=_(", ").join(places))


def _place(view: RunView, role: Role, endpoints: Mapping[str, Endpoint]) -> str:
    """Host and model; "" where the model is part of this program."""
    try:
        endpoint = find_endpoint(view.spec, endpoints, role)
    except SettingsError:
        return f"{_code(role.endpoint)} · {plain(role.model)}"
    if endpoint.kind != "openai":
        return ""
    host = _code(host_of(endpoint.base_url))
    if is_loopback(endpoint.base_url):
        host = _("{host}, on this computer").format(host=host)
    return f"{host} · {plain(role.model)}"


def _code(text: str) -> str:
    """In back ticks, where Markdown makes no link of it."""
    return "`" + text.replace("`", "'") + "`"


def drafts(n: int, by: str) -> str:
    """How many drafts are written and who chooses, as the label of the fold in which that is set."""
    chosen = {
        "judge": _("{n} drafts, chosen by the judge"),
        "checks": _("{n} drafts, chosen by the checks"),
        "both": _("{n} drafts, chosen by judge and checks"),
    }
    return chosen[by].format(n=n)


def stops(rounds: int, money: float | None, score: float | None) -> str:
    """When a run will stop, as the label of the fold in which that is set. `rounds` counts reviews."""
    rewrites = max(0, rounds - 1)
    parts = [_("on approval")]
    if score:
        parts.append(_("at score {n}").format(n=f"{score:g}"))
    parts.append(ngettext("after {n} rewrite", "after {n} rewrites", rewrites).format(n=rewrites))
    if money:
        parts.append(_("before {money}").format(money=f"${money:,.2f}"))
    return _("Stops {when}").format(when=_(", ").join(parts[:-1]) + _(" or ") + parts[-1])
