"""What stands in the form of a new comparison, and the plan that it means. Every change is kept, as on the start page.

Knows nothing of how the form looks, or of what a plan costs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from refine import variants
from refine.comparisons import BEST_OF_N, JUDGE, ONE_PROMPT
from refine.errors import RefineError
from refine.plan import Entry, Plan, Text
from refine.text.language import language_of
from refine.types import Json, Role, Variant
from refine.ui import form, model_lists, parts, role_settings
from refine.ui.role_settings import endpoint
from refine.ui.words import N_, _, ngettext
from refine.views import RunView

START = "compare."
"""With what the names of all its fields begin."""
REPEATS, AT_ONCE = 1, 8
NOT_OFFERED = (ONE_PROMPT, BEST_OF_N, JUDGE)
"""Folders that a tick adds, or that judge."""
USUAL = {("en", True): ("polish", "plain-language"), ("zh", True): ("zh-polish", "polish"),
         ("en", False): ("offline", "polish"), ("zh", False): ("offline", "zh-polish")}  # fmt: skip
"""(language of the draft, is a model there?) -> what is proposed."""


def seed() -> None:
    """What nobody has set yet follows the start page's draft and the models that are there; what is no longer there is
    left out."""
    kept, state = form.kept(), st.session_state
    for name, usual_value in (("draft", start_draft), ("variants", usual), ("one_prompt", lambda: bool(endpoint()))):
        if START + name not in kept:
            state[START + name] = usual_value()
    there = names()
    state[START + "variants"] = [name for name in picked() if name in there]
    for name, known in (("baseline", baselines()), ("vary.variant", picked())):
        if recall(name) not in known:
            state[START + name] = None


def field(name: str, default: Any = None) -> dict[str, Any]:
    return form.field(START + name, default)


def recall(name: str, default: Any = None) -> Any:
    return form.recall(START + name, default)


def put(name: str, value: Any) -> None:
    form.put(START + name, value)


# --- texts -----------------------------------------------------------------------------------------------------------


def draft() -> str:
    """The first text: at first the draft of the start page."""
    return str(recall("draft", start_draft()) or "")


def start_draft() -> str:
    return str(form.peek("draft") or "")


def more_texts() -> list[dict[str, str]]:
    """{title, draft} of each text beyond the first."""
    return [*(recall("texts") or [])]


def add_texts(found: Sequence[tuple[str, str]]) -> None:
    """(title, text) of each. The first goes into the empty field; what is there already is not added again."""
    there = {draft().strip(), *(text["draft"].strip() for text in more_texts())}
    new = [(title, text) for title, text in found if text.strip() and text.strip() not in there]
    if new and not draft().strip():
        put("draft", new.pop(0)[1])
    put("texts", [*more_texts(), *({"title": title, "draft": text} for title, text in new)])


def remove_text(n: int) -> None:
    put("texts", [text for m, text in enumerate(more_texts()) if m != n])


def texts() -> tuple[Text, ...]:
    brief = str(recall("brief") or "")
    more = tuple(Text(text["draft"], text["title"], brief) for text in more_texts())
    first = (Text(draft(), brief=brief),) if draft().strip() or (brief.strip() and not more) else ()
    return first + more


# --- variants --------------------------------------------------------------------------------------------------------


def names() -> list[str]:
    return [name for name in variants.for_drafts(parts.own_variants()) if name not in NOT_OFFERED]


def usual() -> list[str]:
    language = "zh" if language_of(draft()) == "zh" else "en"
    known = names()
    return [name for name in USUAL[language, bool(endpoint())] if name in known]


def picked() -> list[str]:
    """The variants' folders."""
    return [*(recall("variants") or [])]


def picked_variants() -> list[Variant]:
    found = []
    for name in picked():
        with suppress(RefineError):  # said where the plan is prepared
            found.append(parts.variant(name))
    return found


def without_model() -> list[Role]:
    """Roles of the picked variants that name no model of their own; a baseline's, where it can take none of theirs."""
    found = [role for variant in picked_variants() for role in variant.spec.roles if not role.model]
    return found or ([Role("writer")] if (one_prompt() or best_of_n()) and not written() else [])


def written() -> bool:
    """Does a model write in any of the picked variants?"""
    return any(variant.spec.role("writer") for variant in picked_variants())


def model() -> str:
    """For roles that name none: the chosen one, else the only one that the endpoint offers."""
    offered = model_lists.offered().get(endpoint(), [])
    usual_model = role_settings.default_choice(Role("writer")) or (offered[0] if len(offered) == 1 else None)
    return str(recall("model", usual_model) or "")


def lacks_model() -> bool:
    """Is a model needed, and none chosen? Without an endpoint a scripted one stands in."""
    return bool(endpoint() and without_model() and not model())


def models_of(variant: Variant) -> dict[str, Json]:
    """As `--set`: the chosen model for each role that names none."""
    if not model():
        return {}
    places = {role.name: role_settings.place(role, model()) for role in variant.spec.roles if not role.model}
    return {key: value for role, place in places.items() for key, value in played(role, place).items()}


def played(role: str, place: tuple[str, str]) -> dict[str, Json]:
    return {f"role.{role}.endpoint": place[0], f"role.{role}.model": place[1]}


def entries() -> tuple[Entry, ...]:
    plain = [Entry(variant.name, changes=models_of(variant)) for variant in picked_variants()]
    return tuple(made for entry in plain for made in varied(entry))


# --- a setting that is varied ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing in which a variant can be varied.

    `role`: whose it is; "" = the whole loop's. `say`: a value in a few words, as it stands in the variant's name.
    `read`: what was typed, as a value; raises ValueError.
    """

    label: str
    role: str
    say: Callable[[Any], str]
    change: Callable[[Entry, Any], Entry]
    read: Callable[[str], Any] = str


def _changed(key: str, entry: Entry, value: Any) -> Entry:
    return replace(entry, changes={**entry.changes, key: value})


def _with_model(role: str, entry: Entry, value: Any) -> Entry:
    return replace(entry, changes={**entry.changes, **played(role, role_settings.place(Role(role), value))})


def _with_technique(entry: Entry, value: Any) -> Entry:
    return replace(entry, technique=value)


def _temperature(text: str) -> float:
    value = float(text.replace(",", "."))
    if not 0 <= value <= 2:
        raise ValueError(text)
    return value


def _reviews(text: str) -> int:
    value = int(text)
    if not 1 <= value <= 100:
        raise ValueError(text)
    return value


def say_temperature(value: Any) -> str:
    return _("temperature {n}").format(n=f"{value:g}")


def say_reviews(value: Any) -> str:
    return ngettext("{n} review at most", "{n} reviews at most", value).format(n=value)


def say_technique(value: Any) -> str:
    return _(TECHNIQUES[value])


TECHNIQUES = {"refine": N_("Rounds"), "single": N_("One call")}
SETTINGS: Mapping[str, Setting] = {
    "writer.model": Setting(N_("Writer's model"), "writer", role_settings.model_name, partial(_with_model, "writer")),
    "critic.model": Setting(N_("Critic's model"), "critic", role_settings.model_name, partial(_with_model, "critic")),
    "writer.temperature": Setting(
        N_("Writer's freedom"), "writer", say_temperature, partial(_changed, "role.writer.temperature"), _temperature
    ),
    "critic.temperature": Setting(
        N_("Critic's freedom"), "critic", say_temperature, partial(_changed, "role.critic.temperature"), _temperature
    ),
    "rounds": Setting(N_("Reviews at most"), "", say_reviews, partial(_changed, "stops.max_rounds"), _reviews),
    "technique": Setting(N_("Technique"), "writer", say_technique, _with_technique),
}


def settings_of(variant: Variant) -> list[str]:
    """Those that mean something for this variant."""
    return [name for name, setting in SETTINGS.items() if not setting.role or variant.spec.role(setting.role)]


def varied_values() -> tuple[str, str, list[Any]]:
    """(variant, setting, values); no values = nothing is varied."""
    name, setting = recall("vary.variant"), recall("vary.setting")
    found = next((variant for variant in picked_variants() if variant.name == name), None)
    if found is None or setting not in settings_of(found):
        return "", "", []
    read, values = SETTINGS[setting].read, []
    for text in recall(f"vary.{setting}", []) or []:
        with suppress(ValueError):  # said beside the field
            values.append(read(str(text)))
    return str(name), str(setting), [*dict.fromkeys(values)]


def unread() -> list[str]:
    """What was typed as a value and is none."""
    setting, found = recall("vary.setting"), []
    for text in (recall(f"vary.{setting}", []) or []) if setting in SETTINGS else []:
        try:
            SETTINGS[setting].read(str(text))
        except ValueError:
            found.append(str(text))
    return found


def varied(entry: Entry) -> tuple[Entry, ...]:
    """The variant once with each value of the setting that is varied; else itself."""
    name, setting, values = varied_values()
    if entry.variant != name or not values:
        return (entry,)
    chosen, title = SETTINGS[setting], parts.variant_title(name)
    return tuple(replace(chosen.change(entry, value), name=f"{title} · {chosen.say(value)}") for value in values)


# --- all of it -------------------------------------------------------------------------------------------------------


def one_prompt() -> bool:
    return bool(recall("one_prompt", bool(endpoint())))


def best_of_n() -> bool:
    return bool(recall("best_of_n", False))


def judge() -> str:
    """As a plan names it: with its endpoint, as a model's own name may have a slash in it."""
    where, name = role_settings.place(Role("judge"), recall("judge"))
    return f"{where}/{name}" if where and name else name


def baselines() -> list[str]:
    """Variants that differences may be against."""
    return [*(entry.called for entry in entries()), *([ONE_PROMPT] if one_prompt() else [])]


def baseline() -> str:
    """ "" = the single prompt where it is in, else the first."""
    chosen = recall("baseline")
    return str(chosen) if chosen in baselines() else ""


def plan() -> Plan:
    money, tokens = recall("money"), recall("tokens")
    limits: dict[str, Json] = {}
    if money:
        limits["money"] = float(money)
    if tokens:
        limits["tokens"] = int(tokens)
    return Plan(
        variants=entries(),
        texts=texts(),
        repeats=int(recall("repeats", REPEATS) or REPEATS),
        title=str(recall("title") or "").strip(),
        baseline=baseline(),
        one_prompt=one_prompt(),
        best_of_n=best_of_n(),
        judge=judge(),
        pairs=bool(recall("pairs", False)) and bool(judge()),
        limits=limits,
        concurrency=int(recall("at_once", AT_ONCE) or AT_ONCE),
        # The baselines take the models of the first loop; where no model writes in any, they are told here.
        changes={} if written() or not model() else played("writer", role_settings.place(Role("writer"), model())),
    )


def take_run(view: RunView) -> None:
    """The form describes that run's draft and variant, beside another variant."""
    writer = view.spec.role("writer")
    put("draft", view.spec.task.draft)
    put("brief", view.spec.task.brief)
    put("texts", [])
    if view.variant in names():
        others = [name for name in (*usual(), *names()) if name != view.variant]
        put("variants", [view.variant, *others[:1]])
    if writer and writer.model:
        put("model", writer.model if writer.endpoint == endpoint() else f"{writer.endpoint}/{writer.model}")
