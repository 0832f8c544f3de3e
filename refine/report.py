"""A run as one page for people: its text, what changed and why, the rounds, why it stopped and what it cost.

It chooses what stands on the page, in the run's language; how the page looks is up to `documents.page`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from types import ModuleType

from refine import bill, words
from refine.bill import Amount, What
from refine.documents.page import Block, Card, Facts, Line, Marked, Page, Part, Table, Text, Verbatim
from refine.findings import Key, State, key
from refine.forecast import Forecast
from refine.store import Total
from refine.text import changes
from refine.text.changes import Change
from refine.types import Finding, Role, Step
from refine.views import Cost, RoundView, RunView, question_of, reason_of

TONES = {"must": "red", "should": "orange", "may": "plain"}
GOOD = {"approved", "score", "finished"}
BAD = {"error", "failures"}
SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£", "CNY": "¥", "JPY": "¥"}


def page_of(view: RunView, foreseen: Forecast | None = None) -> Page:
    """`foreseen`: what the run was expected to take, where that is known."""
    language = view.spec.task.language
    told = _Words(words.files(language), view)
    why = told.why()
    return Page(
        title=view.title or told("untitled"),
        language=language or "en",
        badge=words.of(language).STATUSES[view.status],
        tone="red" if view.status == "failed" else "green" if view.ended and view.reason in GOOD else "plain",
        about=tuple(filter(None, (why, date(view.at)))),
        notices=notices(view),
        parts=(*_parts(view, told), Part(told("costs"), tuple(_costs(view, foreseen, told)))),
    )


def notices(view: RunView) -> tuple[str, ...]:
    """What the reader of any file must know before the text."""
    table = words.files(view.spec.task.language)
    goes_on = () if view.ended else (str(table.GOES_ON),)
    return (*goes_on, *((str(table.EDITED_NOTICE),) if view.edited else ()))


def _parts(view: RunView, told: _Words) -> Iterator[Part]:
    answer = any(round.step for round in view.rounds)
    if answer and view.spec.task.brief:
        yield Part("", (Facts([(told("question"), view.spec.task.brief)]),))
    shown: Block = Line(told("no_text")) if view.text is None else Text(_under_title(view.text, view.title))
    yield Part("", (shown,))
    if view.spec.task.draft and view.text is not None and not answer:
        yield _changes(view.spec.task.draft, view.text, told)
    if answer:
        yield Part(told("steps"), ())
        for round in view.rounds:
            if round.step:
                yield Part(told("step", n=round.n + 1), tuple(_step(round.step, told)), level=3)
    elif view.rounds:
        yield Part(told("rounds"), (_rounds(view, told),))
        yield from _findings(view, told)
    yield Part(told("ending"), tuple(_ending(view, told)))


def _under_title(text: str, title: str) -> str:
    """The text without its own title, where that is the page's."""
    first, _, rest = text.lstrip().partition("\n")
    return rest if rest.strip() and first.startswith("# ") and first[2:].strip() == title else text


class Numbers:
    """Words of a table, and numbers as they stand beside them."""

    def __init__(self, table: ModuleType) -> None:
        self.table = table

    def __call__(self, name: str, /, **holes: object) -> str:
        return str(self.table.REPORT[name]).format(**holes)

    def name(self, code: str) -> str:
        """Of a dimension, a check or a role; two critics are told apart by what stands behind their name."""
        kind = "critic" if code.startswith("critic") else code
        extra = code.removeprefix("critic").strip("-_ ") if kind == "critic" else ""
        return " ".join(filter(None, (str(self.table.NAMES.get(kind, code)), extra)))

    def money(self, cost: Cost) -> str:
        """With four decimals, as one call may cost that little; unknown is never 0."""
        signs = [(SYMBOLS.get(currency, f"{currency} "), known) for currency, known in cost.amounts]
        amount = " + ".join(f"{sign}{known:,.4f}" if known else f"{sign}0" for sign, known in signs)
        if cost.complete:
            return amount
        return self("at_least", money=amount) if cost.known else self("unknown")

    def most(self, what: What, limit: float, currency: str) -> str:
        """A limit with its unit."""
        if what == "money":
            return f"{SYMBOLS.get(currency, f'{currency} ')}{limit:,.2f}" if limit >= 0.01 else f"{limit:g} {currency}"
        return self.seconds(limit) if what == "time" else self(f"n_{what}", n=f"{limit:,}")

    def span(self, what: What, low: Amount, high: Amount) -> str:
        """From and to, roughly, as a guess should look; what is the same is said once."""
        said = "–".join(dict.fromkeys(self._end(what, bill.rough(end)) for end in (low, high)))
        return self(f"n_{what}", n=said) if what in ("tokens", "calls") else said

    def _end(self, what: What, amount: Amount) -> str:
        if isinstance(amount, Cost):
            return self.money(amount)
        return self.seconds(amount) if what == "time" else f"{amount:,}"

    def count(self, n: int, estimated: bool = False) -> str:
        return self("about", n=f"{n:,}") if estimated else f"{n:,}"

    def seconds(self, value: float) -> str:
        if value < 60:
            return self("seconds", n=f"{value:.1f}" if value < 10 else f"{value:.0f}")
        return self("minutes", n=f"{int(value) // 60}:{int(value) % 60:02d}")


class _Words(Numbers):
    """Words and numbers in the language of the run."""

    def __init__(self, table: ModuleType, view: RunView) -> None:
        super().__init__(table)
        self._view = view

    def why(self) -> str:
        language = self._view.spec.task.language
        return reason_of(self._view, language) or question_of(self._view, language) or ""

    def round(self, n: int) -> str:
        if self._view.side_by_side:
            return self("draft_n", n=n + 1)
        if n == 0 and self._view.from_draft:
            return self("draft")
        return self("round" if n else "first", n=n) if self._view.goes_on else self("text")

    def critic(self, code: str) -> str:
        return self("check", name=self.name(code)) if code in self._view.spec.checks else self.name(code)

    def error(self, code: str) -> str:
        """Of an observation; "" where all went well."""
        return str(words.of(self._view.spec.task.language).STEP_ERRORS[code]) if code else ""


def date(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _changes(draft: str, text: str, told: _Words) -> Part:
    found = changes.diff(draft, text)
    if not found:
        return Part(told("no_changes"), (Line(told("unchanged")),))
    return Part(told("changes", n=len(found)), (marked(draft, found),))


def marked(draft: str, found: Sequence[Change]) -> Marked:
    """A draft with its changes, as a page shows them."""
    pieces: list[tuple[str, str]] = []
    for piece in changes.marked(draft, found):
        if isinstance(piece, str):
            pieces.append(("same", piece))
        else:
            pieces += [(kind, side) for kind, side in (("old", piece.old), ("new", piece.new)) if side]
    return Marked(pieces)


def _rounds(view: RunView, told: _Words) -> Table:
    names = ("number", "verdict", "score")
    head = [*map(told, names), *told.table.SEVERITIES.values(), *map(told, ("result", "tokens", "cost", "time"))]
    rows = [_row(view, round, told) for round in view.rounds]
    told_of = [n for n, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    return Table([head[n] for n in told_of], [[row[n] for n in told_of] for row in rows], strong=view.best_round)


def _row(view: RunView, round: RoundView, told: _Words) -> list[str]:
    tokens = round.usage.input_tokens + round.usage.output_tokens
    return [
        told.round(round.n),
        str(told.table.VERDICTS[round.kind]),
        "" if round.score is None else f"{round.score:g}",
        *(str(round.count(severity) or "") for severity in told.table.SEVERITIES),
        told("best") if round.n == view.best_round else told("set_aside") if round.set_aside else "",
        told.count(tokens, round.usage.estimated) if tokens else "",
        told.money(round.cost) if round.cost.known or not round.cost.complete else "",
        told.seconds(round.seconds),
    ]


def _findings(view: RunView, told: _Words) -> Iterator[Part]:
    """Each finding once, in the round that raised it, with its state at the end."""
    if not any(round.findings for round in view.rounds):
        yield Part(told("findings"), (Line(told("no_findings")),))
        return
    yield Part(told("findings"), ())
    seen: set[Key] = set()
    kept = view.rounds[view.best_round or 0]
    for round in (kept,) if view.side_by_side else view.rounds:
        new = [(finding, state) for finding, state in round.findings if key(finding) not in seen]
        seen |= {key(finding) for finding, _ in new}
        lost = f"{told('set_aside')} · {told('lost', facts=told('list').join(round.lost))}"
        blocks = ((Line(lost),) if round.lost else ()) + tuple(_card(*finding, told) for finding in new)
        if blocks:
            yield Part(told.round(round.n), blocks, level=3)


def _card(finding: Finding, state: State, told: _Words) -> Card:
    labels = (
        str(told.table.SEVERITIES[finding.severity]),
        told.name(finding.dimension),
        told.critic(finding.critic),
        str(told.table.STATES[state]),
    )
    quote = finding.quote if finding.quote.strip() else finding.quote.replace(" ", "␣")
    return Card(TONES[finding.severity], labels, quote, finding.remark)


def _step(step: Step, told: _Words) -> Iterator[Block]:
    if step.question:
        yield Facts([(told("question"), step.question)])
    for name, text in (("thought", step.thought), ("answer", step.final or "")):
        if text:
            yield Facts([(told(name), text)])
    for n, observation in enumerate(step.observations or [""] * len(step.calls)):
        if n < len(step.calls):
            call = step.calls[n]
            arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
            yield Facts([(told("action"), f"{call.name} {arguments}")])
        if observation:
            error = step.errors[n] if n < len(step.errors) else ""
            yield Facts([(told("observation"), told.error(error))])
            yield Verbatim(observation)


def _ending(view: RunView, told: _Words) -> Iterator[Block]:
    yield Line(told.why() or str(words.of(view.spec.task.language).STATUSES[view.status]))
    if view.error:
        yield Facts([(told("error"), view.error)])


def _costs(view: RunView, foreseen: Forecast | None, told: _Words) -> Iterator[Block]:
    used = view.usage
    found = bill.measures(view, foreseen) if bill.asked(view) else []
    most = [told.most(one.what, one.most, view.money.currency) for one in found if one.most]
    guess = [told.span(one.what, *one.foreseen) for one in found if one.foreseen]
    pairs = [
        (told("costs"), told.money(view.money)),
        (told("calls"), f"{view.calls:,}"),
        (told("in"), told.count(used.input_tokens, used.estimated)),
        (told("out"), told.count(used.output_tokens, used.estimated)),
        (told("time"), told.seconds(view.seconds)),
        (told("limits"), " · ".join(most)),
        (told("estimate"), " · ".join(guess)),
        (told("models"), told("list").join(_model(role, told) for role in view.spec.roles if role.model)),
        (told("technique"), view.technique),
        (told("variant"), view.variant),
        (told("adapted"), told("list").join(view.adapted)),
        (told("run"), view.run_id),
    ]
    yield Facts([(name, value) for name, value in pairs if value])
    if parts := bill.by_role(view):
        yield _by_role(parts, told)


def _by_role(parts: Sequence[Total], told: _Words) -> Table:
    names = "role", "model", "calls", "in", "cached", "out", "reasoning", "cost", "share"
    rows = [
        [
            told.name(one.keys["role"]),
            one.keys["model"],
            f"{one.calls:,}",
            told.count(one.usage.input_tokens, one.usage.estimated),
            f"{one.usage.cached_tokens:,}" if one.usage.cached_tokens else "",
            told.count(one.usage.output_tokens, one.usage.estimated),
            f"{one.usage.reasoning_tokens:,}" if one.usage.reasoning_tokens else "",
            told.money(one.cost),
            "" if share is None else f"{share:.0f} %",
        ]
        for one, share in zip(parts, bill.shares(parts), strict=True)
    ]
    told_of = [n for n, cells in enumerate(zip(*rows, strict=True)) if any(cells)]
    return Table([told(names[n]) for n in told_of], [[row[n] for n in told_of] for row in rows])


def _model(role: Role, told: _Words) -> str:
    return f"{told.name(role.name)}: {role.model}"
