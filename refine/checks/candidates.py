"""Places where another word may have been meant, with the words that may: material for a choice, not yet a finding.

Sets of words that are taken for each other, and forms made by rule (goes for go, gone for went, sisters for sister's).
Never inside code, addresses, quotations or capitals. Knows nothing of who chooses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from refine.checks.common_words import is_common
from refine.checks.making import fitted
from refine.checks.prose import Prose, language, prose
from refine.checks.verbs import (
    BASE_OF_PAST,
    BASE_OF_THIRD,
    BASES,
    IRREGULAR,
    PARTICIPLE_OF_PAST,
    PAST_OF_PARTICIPLE,
    gerund,
    regular_past,
    third,
)
from refine.checks.word_sets import AGREEMENT, ALIKE, MEANT, MORE_VERBS, NOUNS_TOO
from refine.types import Finding, Json

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*'?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word between its neighbours: small letters, "" where a sign or the text's end stands instead."""

    start: int
    end: int
    word: str
    before: tuple[str, str, str]
    """The three words before it, the nearest first."""
    after: str


Found = tuple[str, tuple[str, ...]]
"""Dimension, and the words that may have been meant."""
Rule = Callable[[Word], Found | None]


def candidates(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The places, in order, none overlapping. `options` of a finding begins with what stands in the text.

    English only; option language as for checks.
    """
    if language(text, options) != "en":
        return ()
    seen = prose(text)
    names = frozenset(re.findall(r"\b[A-Z][a-z]+\b", seen.visible))
    made: list[Finding] = []
    for word in sorted((*_two_words(seen), *_words(seen)), key=lambda word: (word.start, -word.end)):
        place = _place(seen, word, names) if word.start >= _end(made) else None
        if place is not None:
            made.append(place)
    return tuple(made)


def _end(made: list[Finding]) -> int:
    return made[-1].span[1] if made and made[-1].span else 0


# --- words and their neighbours ------------------------------------------------------------------------------------


def _words(seen: Prose) -> Iterator[Word]:
    matches = list(_WORD.finditer(seen.plain))
    for n, match in enumerate(matches):
        before = tuple(_linked(seen, matches, n - k, n) for k in (1, 2, 3))
        after = matches[n + 1].group() if n + 1 < len(matches) and _linked(seen, matches, n, n + 1) else ""
        yield Word(match.start(), match.end(), match.group(), before, after)  # type: ignore[arg-type]


def _linked(seen: Prose, matches: list[re.Match[str]], n: int, until: int) -> str:
    """The word `n` if only spaces stand between it and word `until`."""
    if n < 0:
        return ""
    gaps = (seen.plain[matches[k].end() : matches[k + 1].start()] for k in range(n, until))
    return matches[n].group() if all(gap.isspace() and "\n\n" not in gap for gap in gaps) else ""


_PHRASES = re.compile(r"\b(?:" + "|".join(phrase for phrase in MEANT if " " in phrase) + r")\b(?!')")


def _two_words(seen: Prose) -> Iterator[Word]:
    for match in _PHRASES.finditer(seen.plain):
        yield Word(match.start(), match.end(), match.group(), ("", "", ""), "")


def _place(seen: Prose, word: Word, names: frozenset[str]) -> Finding | None:
    quote = seen.text[word.start : word.end]
    shouted = len(quote) > 1 and quote.isupper()
    if seen.hidden(word.start, word.end) or seen.quoted(word.start, word.end) or shouted:
        return None
    name = quote[0].isupper() and word.start not in seen.sentence_starts and quote not in ("I",)
    found = [_name(word, quote, names)] if name else [rule(word) for rule in RULES]
    kinds = [given for given in found if given and given[1]]
    if not kinds:
        return None
    others = dict.fromkeys(fitted(other, quote, seen.curly) for _, meant in kinds for other in meant)
    others.pop(quote, None)
    return Finding(
        quote=quote,
        span=(word.start, word.end),
        dimension="grammar",
        rule=f"choice.{kinds[0][0]}",
        severity="may",
        options=(quote, *others),
        critic="candidates",
    )


# --- which words may have been meant ------------------------------------------------------------------------------


def _of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_TAKES_OFF = _of(
    "turn turned turns turning take takes took taken fall falls fell get gets got switch switched cut put gone went"
)
_ADVERBS = _of(
    "not also already always never often usually still just only really even ever now then sometimes both soon quickly"
)
_HAVE = _of("have has had having haven't hasn't hadn't i've you've we've they've")
_BE = _of("is are was were be been being am isn't aren't wasn't weren't i'm you're we're they're he's she's it's")
_MODAL = _of(
    "can could will would shall should may might must cannot can't couldn't won't wouldn't shouldn't mustn't do does"
    " did don't doesn't didn't to i'll you'll we'll they'll he'll she'll it'll let's rather"
)
_ANY_BASE = _of("i you we they")
_HE = _of("he she it who everyone everybody someone somebody nobody anyone anybody nothing something everything")
_SINGULAR = _HE | _of("this that which")
_PREPOSITIONS = _of("of for by without before after about from with in on at against instead")
_DETERMINERS = _of("the a an my your his her its our their this that these those each every some any no one")
_MANY = _of(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty many several few both various"
    " numerous these those other"
)
_ONE = _of("a an each every another one either neither")
_PART = _of("one some many most several few all both each two three half")
_FUNCTION = _of(
    "and or but nor if when while because so as than that which who whom whose where why how what the a an of to in on"
    " at for by with from into about is are was were be been has have had do does did will would can could may might"
    " must should shall not also too very more most only just then there here this these those i you he she it we they"
    " me him her us them my your his its our their before after until since during between up down out off over again"
)
_SUPPOSING = _of("if though unless suppose supposing wish wishes wished")
"""After these, "were" may stand with anybody: as though this were easy."""
_NOT_A_NOUN_STEM = _of("it that what who let here there where he she how when why")
_IRREGULAR_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth", "person": "people",
}  # fmt: skip
_PRONOUNS = {"i": "me", "me": "I", "he": "him", "him": "he", "she": "her", "her": "she", "they": "them", "them": "they",
             "we": "us", "us": "we"}  # fmt: skip


def _set(word: Word) -> Found | None:
    if word.word not in MEANT or _not_here(word):
        return None
    kind = "agreement" if word.word in AGREEMENT else "alike" if word.word in ALIKE else "confused"
    return kind, MEANT[word.word]


_ONLY: Mapping[str, Callable[[Word], bool]] = {
    "that": lambda word: word.after.endswith("s"),
    "this": lambda word: word.after.endswith("s") or word.after in ("people", "men", "women", "children"),
    "off": lambda word: word.after in _DETERMINERS or word.before[0] not in _TAKES_OFF,
    "well": lambda word: not word.before[0],
    "ill": lambda word: not word.before[0],
    "use": lambda word: word.after == "to" or word.before[0] in _BE | _HAVE,
    "used": lambda word: word.before[0] in _MODAL,
    "suppose": lambda word: word.after == "to",
    "supposed": lambda word: word.after != "to",
    "us": lambda word: word.after in _DETERMINERS,
    "too": lambda word: word.after != "",
    "good": lambda word: word.after in ("", "at", "in", "and") and word.before[0] not in _DETERMINERS,
    "real": lambda word: is_common(word.after),
    "one": lambda word: False,
    "number": lambda word: word.after == "of",
    "amount": lambda word: word.after == "of",
    "were": lambda word: _SUPPOSING.isdisjoint(word.before),
}
"""Words that are asked about only in some company."""


def _not_here(word: Word) -> bool:
    only = _ONLY.get(word.word)
    return only is not None and not only(word)


def _of_for_have(word: Word) -> Found | None:
    """would of come, I of seen"""
    near = word.before[0]
    modal = near in _MODAL - {"to", "do", "does", "did"} or near in _ANY_BASE
    return ("confused", ("have",)) if word.word == "of" and modal else None


def _of_for_off(word: Word) -> Found | None:
    return ("confused", ("off",)) if word.word == "of" and word.before[0] in _TAKES_OFF else None


def _verb_number(word: Word) -> Found | None:
    """he go, they goes"""
    before, form = _subject(word), word.word
    if form in AGREEMENT or not before:
        return None
    other = before not in _FUNCTION and not before.endswith("ly")
    base = BASE_OF_THIRD.get(form) or (singular(form) if before in _ANY_BASE else None)
    if base:
        many = other and before not in _SINGULAR and (base not in NOUNS_TOO or before.endswith("s"))
        plain = before in _ANY_BASE or many
        return ("agreement", (base,)) if plain else None
    if form in BASES and form not in ("be", "have", "do"):
        noun = other and before not in _ANY_BASE and form not in NOUNS_TOO
        kind = "alike" if before in ("which", "that") else "agreement"  # many things or one: the sentence seldom says
        return (kind, (third(form), _past(form))) if before in _SINGULAR or noun else None
    verb = before in _HE and form in MORE_VERBS
    return ("agreement", (third(form), regular_past(form))) if verb else None


def _past(base: str) -> str:
    return IRREGULAR[base][0] if base in IRREGULAR else regular_past(base)


def _subject(word: Word) -> str:
    """The word before, or the one before an adverb."""
    near, far, _ = word.before
    return far if near in _ADVERBS and far else near


def _verb_form(word: Word) -> Found | None:
    """has went, is finish, to went, without say"""
    near, far, _ = word.before
    helper = far if near in _ADVERBS and far else near
    form = word.word
    if helper in _HAVE:
        return _form({PARTICIPLE_OF_PAST.get(form), _participle(form)} - {form})
    if helper in _BE:
        base = {gerund(form)} if form in BASES and form != "be" else set()
        return _form({PARTICIPLE_OF_PAST.get(form), _participle(form)} - {form} | base)
    if helper in _MODAL:
        return _form({BASE_OF_PAST.get(form), BASE_OF_THIRD.get(form), _base_of_participle(form)} - {form})
    if helper in _PREPOSITIONS and form in BASES and form not in NOUNS_TOO:
        return _form({gerund(form)})
    if form in PAST_OF_PARTICIPLE and helper in _ANY_BASE | {"he", "she", "it", "who"}:
        return _form({PAST_OF_PARTICIPLE[form]})
    return None


def _form(forms: Iterable[str | None]) -> Found | None:
    return "form", tuple(sorted(form for form in forms if form))


def _participle(base: str) -> str | None:
    if base == "be":
        return "been"
    if base in IRREGULAR:
        return IRREGULAR[base][1]
    return regular_past(base) if base in BASES or base in MORE_VERBS else None


def _base_of_participle(form: str) -> str | None:
    past = PAST_OF_PARTICIPLE.get(form)
    return BASE_OF_PAST.get(past or "")


def _noun_number(word: Word) -> Found | None:
    """two dog, a dogs, one of the dog"""
    near, far, further = word.before
    form = word.word
    part = near in _DETERMINERS and far == "of" and further in _PART
    many = near in _MANY or (far in _MANY and near not in _FUNCTION) or part
    if many and len(form) > 2 and not form.endswith("s") and form not in _FUNCTION | _MANY and "'" not in form:
        return "number", (plural(form),)
    if near in _ONE or (far in _ONE and near not in _FUNCTION):
        one = singular(form)
        return ("number", (one,)) if one else None
    return None


def plural(noun: str) -> str:
    """dogs, boxes, stories, men"""
    return _IRREGULAR_PLURALS.get(noun) or third(noun)


def singular(noun: str) -> str | None:
    """The noun that this is the plural of, if it is a common one."""
    for one, many in _IRREGULAR_PLURALS.items():
        if many == noun:
            return one
    ends = (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""))
    made = (noun[: -len(end)] + put for end, put in ends if noun.endswith(end))
    return next((one for one in made if len(one) > 2 and is_common(one) and not one.endswith(("s", "u", "i"))), None)


def _apostrophe(word: Word) -> Found | None:
    """my sisters car, apple's and pears"""
    form, near = word.word, word.before[0]
    if form.endswith("'s") and form[:-2] not in _NOT_A_NOUN_STEM and is_common(form[:-2]):
        return "apostrophe", (plural(form[:-2]),)
    if form.endswith("s'"):
        return "apostrophe", (form[:-1],)
    one = singular(form)
    verb = word.after in BASES and word.after not in NOUNS_TOO
    follows = word.after and word.after not in _FUNCTION and not verb
    if one and near in _DETERMINERS and follows and form.endswith("s"):
        return "apostrophe", (one + "'s", form + "'")
    return None


def _pronoun(word: Word) -> Found | None:
    """me and Anna went, between you and I"""
    joined = "and" in (word.before[0], word.after)
    after = word.before[0] in _PREPOSITIONS and word.word in ("i", "he", "she", "they", "we")
    return ("pronoun", (_PRONOUNS[word.word],)) if word.word in _PRONOUNS and (joined or after) else None


RULES: tuple[Rule, ...] = (
    _set, _of_for_have, _of_for_off, _verb_form, _verb_number, _noun_number, _apostrophe, _pronoun,
)  # fmt: skip


def _name(word: Word, quote: str, names: frozenset[str]) -> Found | None:
    """Annas book: a name with -s before a thing; less is asked of one that the text has without -s as well."""
    if not quote.endswith("s") or quote.endswith(("ss", "is", "us")) or not word.after or word.after in _FUNCTION:
        return None
    return ("apostrophe" if quote[:-1] in names else "alike"), (quote[:-1] + "'s",)
