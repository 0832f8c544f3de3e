"""Verbs with an ending too few or too many: has grow, been inform, did not charged, we argues. Rows of data.

A row holds for verbs that are no nouns, or where the words around leave no noun.
"""

from __future__ import annotations

import re

from refine.checks.agreement import PLURAL_OF, past_tense
from refine.checks.common_words import is_common
from refine.checks.nouns import NOT_ONE, SINGULAR_S
from refine.checks.prose import Prose
from refine.checks.rows import Row, row
from refine.checks.tables import word_list, word_set
from refine.checks.verbs import BASE_OF_PAST, BASES, IRREGULAR, past, regular_past, third
from refine.checks.word_sets import MORE_VERBS

VERBS_ONLY: tuple[str, ...] = word_list(
    """
    abandon accept accuse achieve acquire add adjust admire admit adopt advise agree allow announce annoy apologise
    apologize appear apply appoint appreciate approve argue arise arrange arrive ask assemble assume attend attract
    avoid
    become begin behave believe belong borrow bother bring buy calculate celebrate choose collect combine
    communicate compare compete complain conclude confirm confuse connect consider consist contain continue
    convince create decide declare decorate defend define deliver demolish deny depend describe deserve destroy
    determine develop die differ disagree disappear disappoint discover discuss distinguish distribute disturb divide
    earn eat
    educate elect eliminate embarrass emphasise emphasize enable encourage enjoy enlarge ensure enter
    entertain establish examine exceed exclude exist expand expect explain explore expose extend fail 
    flee forbid forget forgive frighten fulfil gather get give grow happen hear hesitate identify ignore illustrate
    imagine imply improve include inform inherit injure inspect inspire insist intend introduce invent invite
    involve join justify know learn lend lose maintain manage marry obey obtain occur organise organize oppose owe
    participate perform persuade possess prefer prepare pretend prevent proceed prohibit promote
    pronounce propose protect prove provide publish pursue realise realize receive recognise recognize recommend
    recover reduce refer reject relax remain remember remind remove represent require 
    resolve retain retire reveal satisfy see seek serve settle solve speak submit succeed
    suffer suggest supervise suppose surround survive teach tell tend think throw translate understand
    undertake unite vanish vary warn weep withdraw 
    """
)
"""Bases that nobody takes for a noun or an adjective."""

_NO_PASSIVE = word_set(
    """
    agree apologise apologize appear arise arrive become begin behave belong communicate compete complain consist depend
    die disagree disappear eat exist fail flee get happen hesitate insist learn occur participate proceed remain retire
    seem speak succeed suffer survive tend vanish vary weep
    """
)
_PARTICIPLES = {base: IRREGULAR[base][1] if base in IRREGULAR else regular_past(base) for base in VERBS_ONLY}
_GOES_ON = word_set(
    """
    appear arise become behave belong consist continue depend disappear exist happen include involve occur remain
    require survive tend differ vary
    """
)
"""What a subject that ends in a clause goes on with: `the skills they have include writing`."""
_MISSES_ENDING = "|".join(base for base, form in _PARTICIPLES.items() if form != base and base not in _GOES_ON)
_MISSES_AFTER_HAS = "|".join(base for base in sorted(_GOES_ON) if _PARTICIPLES[base] != base)
_MISSES_PASSIVE = "|".join(base for base, form in _PARTICIPLES.items() if form != base and base not in _NO_PASSIVE)


def _participle(base: str) -> str:
    return IRREGULAR[base][1] if base in IRREGULAR else regular_past(base)


_THIRDS = {third(base): base for base in VERBS_ONLY}
_ADVERB = (
    "already|always|never|ever|just|also|really|often|only|even|actually|recently|still|not|finally|once|since|long"
    "|carefully|well|later|then|all|both|first|soon|since"
)
_HAVE = "have|has|had|having|haven't|hasn't|hadn't|i've|you've|we've|they've"


_ANY_THIRD = {third(base): base for base in {*BASES, *VERBS_ONLY, *MORE_VERBS} if base not in {"be", "mean", "need"}}
_NO_PLURAL = word_set("it that what who he she here there how where when men women children people one let")


def _many(noun: str) -> str:
    return noun + "s" if noun.endswith("o") else third(noun)


def _before(prose: Prose, match: re.Match[str], length: int = 40) -> str:
    return prose.plain[max(0, match.start() - length) : match.start()].rstrip()


def _base_of_ed(match: re.Match[str]) -> str | None:
    """The verb whose past this is; None for a word that only ends like one."""
    form = match["x"]
    if form in BASE_OF_PAST:
        return BASE_OF_PAST[form]
    if not form.endswith("ed"):
        return None
    double = form[:-3] if form[-3:-2] == form[-4:-3] else ""
    stems = (form[:-1], form[:-2], double, f"{form[:-3]}y" if form.endswith("ied") else "")
    return next((stem for stem in stems if len(stem) > 1 and is_common(stem) and _past_fits(stem, form)), None)


def _past_fits(stem: str, form: str) -> bool:
    return past(stem) == form or stem + stem[-1] + "ed" == form


def _no_noun_before(prose: Prose, match: re.Match[str]) -> bool:
    """A modal after an article is a noun: `the will changed everything`, `a can opened`."""
    return not re.search(
        r"\b(?:the|a|an|his|her|my|your|their|our|its|last|free|good|this|that|each|every|of)$", _before(prose, match)
    )


_NO_SUBJECT = word_set("did do had has let made help never ever only also not to few lucky lonely hungry and or")


def _is_one(prose: Prose, match: re.Match[str]) -> bool:
    noun = match["n"]
    one = noun not in NOT_ONE and noun not in _NO_SUBJECT and is_common(noun)
    return one and not noun.endswith(("s", "ed", "ing", "ly", "ese", "i", "ae", "a"))


def _is_many(prose: Prose, match: re.Match[str]) -> bool:
    noun = match["n"]
    small = prose.text[match.start("n")].islower()
    return small and noun not in SINGULAR_S and not noun.endswith(("ss", "us", "is", "ics", "'s", "ous"))


_OBJECT = re.compile(
    r" (?:the|a|an|my|our|your|his|her|their|its|this|that|these|those|me|him|us|them|you|it|what|how|whether|all|some"
    r"|every|everything|everyone|two|three)\b"
)
"""What is acted on, where the verb is active."""


def _after_modal(find: str) -> tuple[Row, Row]:
    """can called the teachers; can used with it, where `be` may be what is missing."""
    return (
        row(
            "form.after_modal",
            find,
            _base_of_ed,
            when=lambda prose, match: (
                _no_noun_before(prose, match) and _OBJECT.match(prose.plain, match.end()) is not None
            ),
        ),
        row(
            "form.after_modal",
            find,
            lambda match: f"{_base_of_ed(match)}|be {match['x']}" if _base_of_ed(match) else None,
            sure=False,
            when=lambda prose, match: _no_noun_before(prose, match) and not _OBJECT.match(prose.plain, match.end()),
        ),
    )


_MANY = (
    rf"(?:the|these|those|our|my|his|her|their|your|many|most|some|several|both|few|all) (?:[a-z]+ )?"
    rf"(?P<n>[a-z]+s) (?:also |often |always |never |still |only )?(?P<x>{'|'.join(_THIRDS)})\b(?!'|-)"
)

ROWS: tuple[Row, ...] = (
    row(
        "form.participle",
        rf"\b(?:{_HAVE}) (?:(?:{_ADVERB}) )?(?P<x>{_MISSES_ENDING})\b(?!-|'| (?:and|or)\b)",
        lambda match: _PARTICIPLES[match["x"]],
    ),
    row(
        "form.participle",
        rf"\b(?:<subject>|[a-z]+s|people|should|would|could|might|must|may|will) (?:have|has|had) (?:not |been )?"
        rf"(?P<x>{_MISSES_ENDING}) and\b",
        lambda match: _PARTICIPLES[match["x"]],
    ),
    row(
        "form.participle",
        rf"\b(?:has|had|hasn't|hadn't) (?:(?:{_ADVERB}) )?(?P<x>{_MISSES_AFTER_HAS})\b(?!-|')",
        lambda match: _PARTICIPLES[match["x"]],
    ),
    row(
        "form.passive",
        rf"\b(?:been|(?:can|could|will|would|shall|should|may|might|must|to|cannot|can't|won't|couldn't|shouldn't"
        rf"|wouldn't)(?: not)? be) (?:(?:{_ADVERB}) )?(?P<x>{_MISSES_PASSIVE})\b(?!-|')",
        lambda match: _PARTICIPLES[match["x"]],
    ),
    row(
        "form.passive",
        rf"\b(?:is|are|was|were|am|being|isn't|aren't|wasn't|weren't) (?:(?:{_ADVERB}) )?(?P<x>{_MISSES_PASSIVE}"
        rf"|meet|write|send|replace|make|take|keep|hold|find|break|catch|pay|build|sell) by"
        r" (?!the (?:way|end))",
        lambda match: _participle(match["x"]),
    ),
    row(
        "form.after_did",
        rf"\b(?:didn't|did not|doesn't|does not|don't|do not) (?:(?:{_ADVERB}) )?(?P<x>[a-z]+[^\We]ed)\b(?!-)",
        _base_of_ed,
    ),
    *_after_modal(
        rf"\b(?:could|would|should|cannot|can't|couldn't|won't|wouldn't|shouldn't|mustn't|will not|may not|can not"
        rf"|must not) (?:(?:{_ADVERB}) )?(?P<x>[a-z]+[^\We]ed)\b(?!-)"
    ),
    *_after_modal(
        rf"\b(?:(?:i|you|he|she|it|we|they|who|which|people|there|[a-z]+s)|(?:the|a|this|that|our|my|his|her) [a-z]+)"
        rf" (?:can|will|must|might|may) (?:(?:{_ADVERB}) )?(?P<x>[a-z]+[^\We]ed)\b(?!-)"
    ),
    row(
        "form.after_to",
        r"\b(?:wants?|wanted|needs?|needed|have|has|had|going|try|tries|tried|trying|decided|hopes?|hoped|able|ought"
        r"|planned|began|started|likes?|wish|wished|chance|ready|forgot|forgotten|learnt|learned|wait|willing|managed"
        r"|promised|agreed|refused|allowed|asked|easy|hard|difficult|impossible) to (?P<x>[a-z]+[^\We]ed)\b(?!-)",
        _base_of_ed,
    ),
    row(
        "agreement.third",
        rf"\b(?:we|they|you|i|and we|and they) (?:also |often |always |never |still |just |only |really |therefore )?"
        rf"(?P<x>{'|'.join(_THIRDS)})\b(?!')",
        lambda match: _THIRDS[match["x"]],
        when=lambda prose, match: (
            not past_tense(prose.plain)
            and not re.search(
                r"\b(?:of|between|with|like|to|as|for|from|by|about|behind|beside|around|near|than|but)$",
                _before(prose, match),
            )
        ),
    ),
    row(
        "agreement.third",
        rf"\b(?:we|they|you|i) (?P<x>{'|'.join(_THIRDS)})\b(?!')",
        lambda match: f"{_THIRDS[match['x']]}|{past(_THIRDS[match['x']])}",
        sure=False,
        when=lambda prose, match: (
            past_tense(prose.plain)
            and not re.search(
                r"\b(?:of|between|with|like|to|as|for|from|by|about|behind|beside|around|near|than|but)$",
                _before(prose, match),
            )
        ),
    ),
    row(
        "agreement.third",
        rf"(?:the|this|that|my|our|your|his|her|their|its|each|every|another|one|a|an) (?P<n>[a-z]+)"
        rf" (?:also |often |always |never |still |only )?(?P<x>{'|'.join(VERBS_ONLY)})\b(?!'|-)",
        lambda match: f"{third(match['x'])}|{past(match['x'])}",
        sure=False,
        at="sentence",
        when=_is_one,
    ),
    row(
        "agreement.third",
        rf"(?:he|she|it|this) (?:also |often |always |never |still |only )?"
        rf"(?P<x>{'|'.join(VERBS_ONLY)})\b(?!'|-)",
        lambda match: f"{third(match['x'])}|{past(match['x'])}",
        sure=False,
        at="sentence",
    ),
    row(
        "agreement.third",
        _MANY,
        lambda match: _THIRDS[match["x"]],
        at="sentence",
        when=lambda prose, match: _is_many(prose, match) and not past_tense(prose.plain),
    ),
    row(
        "agreement.third",
        _MANY,
        lambda match: f"{_THIRDS[match['x']]}|{past(_THIRDS[match['x']])}",
        sure=False,
        at="sentence",
        when=lambda prose, match: _is_many(prose, match) and past_tense(prose.plain),
    ),
    row(
        "form.regular",
        r"(?<![a-z-])(?P<x>leaved|hided|bended|flied)\b(?!-| (?:knees?|out\b|plants?|trees?))",
        lambda match: {"leaved": "left", "hided": "hid", "bended": "bent", "flied": "flew"}[match["x"]],
        when=lambda prose, match: (
            not re.search(
                r"\b(?:a|an|the|on|broad|narrow|small|large|two|three|four|green|dark)$", _before(prose, match)
            )
            and not re.search(r"\b(?:have|has|had)$", _before(prose, match))
        ),
    ),
    row(
        "form.regular",
        rf"\b(?:{_HAVE}|been|was|were|is|are) (?P<x>leaved|hided|bended|flied)\b(?!-)",
        lambda match: {"leaved": "left", "hided": "hidden", "bended": "bent", "flied": "flown"}[match["x"]],
    ),
    row(
        "form.after_modal",
        rf"\b(?:can|could|will|would|should|must|may|might|cannot|can't|won't|couldn't|wouldn't|shouldn't)"
        rf" (?:(?:{_ADVERB}) )?(?P<x>{'|'.join(_ANY_THIRD)})\b",
        lambda match: _ANY_THIRD[match["x"]],
        when=lambda prose, match: _no_noun_before(prose, match) and _OBJECT.match(prose.plain, match.end()) is not None,
    ),
    row(
        "agreement.both",
        rf"(?:(?P<n>[a-z]+)|(?:the|my|his|her|our|their|your) [a-z]+) and (?:the|my|his|her|our|their|your) [a-z]+"
        rf" (?P<x>{'|'.join(PLURAL_OF)})\b",
        lambda match: PLURAL_OF[match["x"]],
        at="sentence",
        when=lambda prose, match: match["n"] is None or not is_common(match["n"]),
    ),
    row(
        "agreement.both",
        r"(?:the|my|his|her|our|their|your) [a-z]+ and i (?P<x>am|was|has|wasn't|hasn't)\b",
        lambda match: {"am": "are", **PLURAL_OF}[match["x"]],
        at="sentence",
    ),
    row(
        "agreement.there",
        r"\bthere (?P<x>is|was|isn't|wasn't) (?:<number>)(?=[.,;!?])",
        lambda match: PLURAL_OF[match["x"]],
    ),
    row(
        "form.anyones",
        r"\b(?P<x>(?:every|some|any|no)(?:one|body)s) (?!else\b)[a-z]",
        lambda match: match["x"][:-1] + "'s",
    ),
    row(
        "form.many_s",
        r"\b(?:few|several|many|these|those|both|<number>) (?P<x>[a-z]+'s)(?= (?:from|in|on|of|and|are|were|to|with|at"
        r"|for|that|which|have)\b|[.,;!?])",
        lambda match: _many(match["x"][:-2]) if is_common(match["x"][:-2]) else None,
        when=lambda prose, match: match["x"][:-2] not in _NO_PLURAL,
    ),
    row("form.wont", r"\b(?:one|it|he|she|they|we|i|you|that|this) (?P<x>wont)(?=[.,;!?])", "won't"),
    row("form.ourself", r"\b(?:we|us|our)\b[^.!?]{1,60}\b(?P<x>ourself)\b", "ourselves"),
    row("form.ourself", r"\b(?:they|them|their)\b[^.!?]{1,60}\b(?P<x>theirself|theirselves)\b", "themselves"),
    row(
        "confusion.due",
        r"(?P<x>do to) (?:the fact|lack|a lack|bad|heavy|illness|high|low|poor)\b",
        "due to",
        at="sentence",
    ),
)
