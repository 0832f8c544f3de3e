"""Subject and verb that do not agree: rows of data, anchored where a subject must stand."""

from __future__ import annotations

import re
from functools import lru_cache

from refine.checks.nouns import ENDINGS_OF_ONE, NOT_ONE, PERSONS, SINGULAR_S, VERB_OR_NOUN
from refine.checks.prose import Prose
from refine.checks.rows import Row, row
from refine.checks.tables import word_set
from refine.checks.verbs import BASE_OF_THIRD, BASES, past, third

PLURAL_OF = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't",
    "hasn't": "haven't", "doesn't": "don't",
}  # fmt: skip
_SINGULAR_OF = {plural: singular for singular, plural in PLURAL_OF.items()}
_TO_BE = "|".join(PLURAL_OF)
_TO_BE_PLURAL = "|".join(_SINGULAR_OF)

_SURE_THIRD = "|".join(sorted(form for form in BASE_OF_THIRD if form not in VERB_OR_NOUN and form not in PLURAL_OF))
_SURE_VERBS = f"{_SURE_THIRD}|gets|takes|shows|finds|keeps|sees|sits|speaks|tries|stands|stays|means"

_MIDDLE_NOT = (
    r"(?!(?:of|in|on|at|to|for|with|from|by|as|and|or|but|nor|than|that|which|who|whom|whose|if|when|where|while|is"
    r"|was|are|were|has|have|had|do|does|did|be|i|you|he|she|it|we|they|not|one|only|more|less|way|time|thing|something|what"
    r"|how|[a-z]+(?:ing|ed|ly))\b)"
)
_UNITS = (
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|seconds?|miles?|metres?|meters?|kilomet\w+|pounds?|dollars?|euros?"
    r"|per cent|percent|degrees?|points?|feet|inches|kilos?|grams?|litres?|liters?|times)"
)


@lru_cache(maxsize=8)
def past_tense(plain: str) -> bool:
    """Does the text tell of what was? Then a bare verb may have lost either ending."""
    was = len(re.findall(r"\b(?:was|were|had|did|said|went|came|told|saw|[a-z]{3,}ed)\b", plain))
    is_ = len(re.findall(r"\b(?:is|are|has|does|do|can|will|'s|'re)\b", plain))
    return was > 2 * is_


def _plural_verb(match: re.Match[str]) -> str:
    form = match["x"]
    return PLURAL_OF.get(form) or BASE_OF_THIRD.get(form) or form.removesuffix("s")


def _singular_verb(match: re.Match[str]) -> str:
    form = match["x"]
    return _SINGULAR_OF.get(form) or third(form)


def _is_plural_noun(prose: Prose, match: re.Match[str]) -> bool:
    noun = match["n"]
    small = prose.text[match.start("n")].islower()
    return small and noun not in SINGULAR_S and not noun.endswith(("ss", "us", "is", "ics", "'s", "ous"))


def _is_singular_noun(prose: Prose, match: re.Match[str]) -> bool:
    noun = match["n"]
    small = prose.text[match.start("n")].islower()
    return (
        small
        and noun not in NOT_ONE
        and not noun.endswith(("s", "ese", "i", "ae", "a"))
        and not _goes_on_with_and(prose, match)
    )


def _goes_on_with_and(prose: Prose, match: re.Match[str]) -> bool:
    return prose.plain[: match.start()].rstrip().endswith((" and", " or", ","))


def _alone(prose: Prose, match: re.Match[str]) -> bool:
    """No second thing in the rest of the sentence: `there were a table and two chairs` is right."""
    rest = re.split(r"[.!?;\n]", prose.plain[match.end() : match.end() + 120])[0]
    return " and " not in rest and "," not in rest


_NUMBERS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    "|dozens of|hundreds of|thousands of"
)
_LOTS = "a number of|a lot of|lots of|plenty of|a large number of|a few|quite a few|a couple of"
_NO_SIGN = word_set(
    """
    be put cut hit hurt let set read cost spread shut burst do run come become overcome lie lay bind grind hang beat
    split quit cast lead like need open own close bend
    """
)
"""Bare verbs that may be a past or another part of speech."""
_BASE_VERBS = "|".join(base for base in BASES if base not in _NO_SIGN)

_NOT_COUNTED = ("ous", "ss", "us", "is", "ics", "ways")

ROWS: tuple[Row, ...] = (
    row(
        "agreement.plural",
        rf"(?:the|these|those|our|my|his|her|their|its|your|many|most|some|several|both|few|fewer|{_NUMBERS}|all the"
        rf"|all of the"
        rf"|most of the|some of the|many of the|both of the|{_LOTS})"
        rf" (?:{_MIDDLE_NOT}[a-z]+ )?(?P<n>[a-z]+s) (?P<x>{_TO_BE})\b(?! (?:why|how|what)\b)(?!-)",
        _plural_verb,
        at="sentence",
        when=_is_plural_noun,
    ),
    row(
        "agreement.plural",
        rf"(?:(?:the|these|those|our|my|his|her|their|its|your|many|most|some"
        rf"|several) (?P<n>[a-z]+s)) (?P<x>{_TO_BE})\b(?!-)",
        _plural_verb,
        at="clause",
        when=_is_plural_noun,
    ),
    row(
        "agreement.plural",
        rf"(?:the|these|those|our|my|his|her|their|many|most|some|several|both|few|{_NUMBERS}|{_LOTS})"
        rf" (?:{_MIDDLE_NOT}[a-z]+ )?(?P<n>[a-z]+s) (?:also |often |usually |always "
        rf"|never )?(?P<x>{_SURE_VERBS})\b(?!-)"
        r"(?= (?:that|the|a|an|to|in|on|it|up|out|very|more|how|us|me|him|her|them|their|his|not|no|very|for|from"
        r"|with|at|too|so|better"
        r"|worse|tired|happy|about|and|every|like|as|into|good|some|many|all)\b|[.,;!?]|$)",
        _plural_verb,
        at="sentence",
        when=_is_plural_noun,
    ),
    row(
        "agreement.plural",
        rf"\b(?:that|and|because|but|as|where|whether|if) (?:many|several|some|most|few|fewer|more|other|all|both"
        rf"|these|those|{_NUMBERS})"
        rf" (?P<n>[a-z]+s) (?P<x>is|was|has|isn't|wasn't|hasn't)\b(?!-)",
        _plural_verb,
        when=lambda prose, match: (
            _is_plural_noun(prose, match) and match["n"] not in VERB_OR_NOUN and match["n"] not in BASE_OF_THIRD
        ),
    ),
    row(
        "agreement.of_us",
        rf"\b(?:a lot|many|most|some|all|both|several|few|half|{_NUMBERS.split('|dozens')[0]}) of (?:us|them|you"
        rf"|these|those) (?P<x>{_TO_BE})\b",
        _plural_verb,
    ),
    row(
        "agreement.plural",
        rf"(?:(?<=[,.;:] )|(?<=\n))(?P<n>pupils|students|teachers|users|visitors|parents|members|customers|readers"
        rf"|writers|workers|employees|scientists|researchers|doctors|nurses|drivers"
        rf"|farmers|players|kids|dogs|cats|birds|companies|countries|schools|prices|books) (?:also |often |usually "
        rf"|always |never )?(?P<x>{_TO_BE}|{_SURE_VERBS}|spends|needs|wants|likes|works|looks|uses)\b(?!-)",
        _plural_verb,
        when=lambda prose, match: (
            not _goes_on_with_and(prose, match) or prose.plain[: match.start()].rstrip().endswith(",")
        ),
    ),
    row(
        "agreement.plural_head",
        r"(?:the|these|those|our|my|his|her|their|its|your) (?P<n>[a-z]+s) of (?:the |these |those |our |my |his "
        r"|her |their |its |this |that |a )?(?:[a-z]+ )?[a-z]+ (?P<x>is|was|has|isn't|wasn't|hasn't)\b(?!-)",
        _plural_verb,
        at="sentence",
        when=lambda prose, match: (
            _is_plural_noun(prose, match)
            and match["n"] not in {"times", "arts", "works", "lots", "kinds", "types", "sorts"}
        ),
    ),
    row(
        "agreement.relative",
        rf"\b(?:some|many|several|few|these|those|{_NUMBERS}) (?:{_MIDDLE_NOT}[a-z]+ )?(?P<n>[a-z]+s) (?:that|which"
        rf"|who) (?:also |often |still |always |never )?(?P<x>{_TO_BE}|{_SURE_VERBS}|works|needs|wants|looks|uses"
        rf"|runs|helps|fails|drips)\b",
        _plural_verb,
        when=lambda prose, match: (
            _is_plural_noun(prose, match)
            and not prose.plain[: match.start()]
            .rstrip()
            .endswith(("one of", "each of", "none of", "list of", "set of", "number of", "only one of"))
        ),
    ),
    row(
        "agreement.relative",
        r"\bthe (?P<n>[a-z]+s) that (?P<x>was|is|has)\b(?! (?:to|not to)\b)(?!,)",
        _plural_verb,
        when=lambda prose, match: (
            _is_plural_noun(prose, match)
            and match["n"] not in VERB_OR_NOUN
            and match["n"] not in BASE_OF_THIRD
            and not prose.plain[max(0, match.start() - 30) : match.start()]
            .rstrip()
            .endswith((" of", " in", " it was", " it is", "it's", " for", " to", " with", " on", " by", " from"))
        ),
    ),
    row(
        "agreement.relative",
        r"\b(?:a|an|every|each|this|one|another) (?:[a-z]+ )?(?P<n>[a-z]+) (?:that|which|who) (?:also |often "
        r"|usually |always |never |only )?(?P<x>give|make|take|go|know|say|see|come|bring|keep|become|provide"
        r"|allow|contain|include|require|tell|sell|write|seem|appear|belong|understand|think|feel|get|have|want"
        r"|does not have|are|were|aren't|weren't|haven't|don't)\b",
        _singular_verb,
        when=lambda prose, match: (
            _is_singular_noun(prose, match)
            and not match["n"].endswith("ed")
            and (" who " not in match.group() or match["n"].endswith(PERSONS))
            and not re.search(r"\b(?:if|wish|though|and|of|than|suppose)$", prose.plain[: match.start()][-30:].rstrip())
        ),
    ),
    row(
        "agreement.relative",
        rf"\b(?:everyone|everybody|anyone|anybody|someone|somebody|nobody|no one|he|she) who (?:also |often "
        rf"|usually |always |never |only )?(?P<x>{_BASE_VERBS}|like|need|own|are|have|don't|do|aren't|haven't)\b",
        _singular_verb,
    ),
    row(
        "agreement.every",
        r"\b(?:every|each) (?P<n>[a-z]+) (?P<x>need|want|have|are|were|seem|know|get|haven't|don't|aren't|go|come"
        r"|make|take|give|say|become|keep|bring|think|feel|contain|include|require|begin)\b",
        _singular_verb,
        when=lambda prose, match: (
            match["n"]
            not in {
                "other",
                "and",
                "one",
                "time",
                "day",
                "week",
                "month",
                "year",
                "way",
                "of",
                "morning",
                "night",
                "may",
                "can",
                "will",
                "must",
                "should",
            }
            and not match["n"].endswith("s")
            and not re.search(
                r"\b(?:agreed|recommend\w*|suggest\w*|require\w*|demand\w*|insist\w*|propose\w*|important|essential"
                r"|if|lest|did|does|do|should|would|can|could|will|must|may|might|let|make|made|have|help|has|had|we"
                r"|you|they|i)(?: that)?$",
                prose.plain[max(0, match.start() - 40) : match.start()].rstrip(),
            )
        ),
    ),
    row(
        "agreement.that_the",
        r"\b(?:that|because|but|when|while|since|where|what|although) (?:the|my|his|her|our|your|this"
        r"|that) (?:[a-z]+ )?(?P<n>[a-z]+) (?P<x>are|have|aren't|haven't|weren't|don't)\b",
        _singular_verb,
        when=lambda prose, match: (
            match["n"] not in NOT_ONE
            and not match["n"].endswith(("s", "ese", "i", "ae", "a"))
            and match["n"].endswith(ENDINGS_OF_ONE)
        ),
    ),
    row(
        "agreement.people",
        rf"(?:(?:the|many|some|most|other|young|old|older|these|those|few|all|our|local|more) )?(?:people|children"
        rf"|men|women) (?:also |often |usually |always |never |still |just )?(?P<x>{_TO_BE}|{_SURE_VERBS}|wants"
        rf"|needs|works|likes|lives|looks|uses|comes|goes)\b(?!-)",
        _plural_verb,
        at="clause",
        when=lambda prose, match: prose.plain[match.end() : match.end() + 6] != " power",
    ),
    row(
        "agreement.singular",
        rf"(?:this|that|each|every|another|a"
        rf"|an) (?:{_MIDDLE_NOT}[a-z]+ )?(?P<n>[a-z]+) (?P<x>{_TO_BE_PLURAL})\b(?! to )",
        _singular_verb,
        at="sentence",
        when=_is_singular_noun,
    ),
    row(
        "agreement.singular",
        rf"(?:the|my|his|her|our|their|your|its) (?:{_MIDDLE_NOT}[a-z]+ )?(?P<n>[a-z]+) (?P<x>were|are|have|aren't"
        rf"|weren't|haven't|don't)\b",
        _singular_verb,
        at="sentence",
        when=lambda prose, match: _is_singular_noun(prose, match) and match["n"].endswith(ENDINGS_OF_ONE),
    ),
    row(
        "agreement.there",
        rf"\bthere (?P<x>is|was|isn't|wasn't|has been) (?=(?:(?:only|still|some|no|any|good|other|also|many|more|new"
        rf"|big|strong|real|different|clear|serious|important|bad|old|small) ){{1,2}}(?P<n>[a-z]{(3,)}s)(?: (?:that"
        rf"|to|in|on|for|of|why|about|with|between|we|you|i|who|which|at|from)\b|[.,;!?]))",
        lambda match: {"has been": "have been"}.get(match["x"]) or PLURAL_OF[match["x"]],
        when=lambda prose, match: _is_plural_noun(prose, match) and not match["n"].startswith(("less", "unless")),
    ),
    row(
        "agreement.there",
        rf"\bthere (?P<x>is|was|isn't|wasn't|has been) (?=(?:(?:only|still|also|now|at least|about|over"
        rf"|more than) )?(?:many(?! an?\b)|fewer|several|numerous|various"
        rf"|(?:{_NUMBERS}) (?!{_UNITS}\b)(?:[a-z]+ )?[a-z]+(?:s|ople|ren|men)\b(?! of (?:the|a)\b (?:way|time))"
        rf"|a few|lots of [a-z]+s\b|a lot of (?:people|things|problems|reasons|ways|questions|mistakes|errors|books"
        rf"|children|students)))",
        lambda match: {"has been": "have been"}.get(match["x"]) or PLURAL_OF[match["x"]],
    ),
    row(
        "agreement.there_one",
        r"\bthere (?P<x>are|were) (?:a|an|one|another) (?:big |small |serious |good |major |minor |new |better "
        r"|little )?(?:problem|error|issue|mistake|bug|reason|question|way|man|woman|child|person|book"
        r"|chance|risk|difference|rule|option|room|house|car|meeting|change|limit|need|lack|shortage|storm|noise"
        r"|letter|light|sound|plan|path|road|bridge|gap)\b",
        lambda match: _SINGULAR_OF[match["x"]],
        when=_alone,
    ),
    row(
        "agreement.everyone",
        r"(?:everyone|everybody|everything|someone|somebody|something|nobody|no one|nothing|anyone|anybody|anything"
        r"|each one|one of them|one of us|each of us|each of them)"
        r" (?:also |always |still |just |really )?(?P<x>are|were|have|do|aren't|weren't|haven't|don't|know|want|need"
        r"|think|agree|love|seem|feel|get|go|come|say|believe|enjoy)\b",
        _singular_verb,
        at="clause",
        when=lambda prose, match: (
            not (
                match["x"] in {"were", "weren't"}
                and prose.plain[: match.start()].rstrip().endswith(("if", "though", "wish"))
            )
        ),
    ),
    row(
        "agreement.one_of",
        r"(?:each|one|neither|either|every one) of (?:the|these|those|my|our|your|his|her|their|its|them|us"
        r"|you)(?: (?:[a-z]+ )?(?P<n>[a-z]+s|people|children|men|women))? (?P<x>are|were|have|aren't|weren't|haven't"
        r"|don't|do)\b",
        _singular_verb,
        at="sentence",
        when=lambda prose, match: match["n"] is not None or match.group().split()[2] in {"them", "us", "you"},
    ),
    row(
        "agreement.head",
        r"(?:the|a|this|that|our|my|his|her|their|its) (?:[a-z]+ )?(?:cost|price|quality|use|purpose|aim|goal|effect"
        r"|impact|role|lack|level|amount|rate|list|quantity|idea|sound|smell|sight|length|size|order|purpose|result"
        r"|cause|reason|box|bag|set|presence|absence|growth|loss|behaviou?r|performance|speed|value|importance"
        r"|accuracy)"
        r" of (?:the |these |those |our |my |his |her |their |all |all the )?(?:[a-z]+ )?(?P<n>[a-z]+s) (?P<x>are"
        r"|were|have|aren't|weren't|haven't)\b",
        _singular_verb,
        at="sentence",
        when=lambda prose, match: not match.group().startswith("a set") and "number" not in match.group(),
    ),
    row(
        "agreement.number_of",
        r"the number of (?:[a-z]+ )?[a-z]+s (?P<x>are|were|have)\b",
        _singular_verb,
        at="sentence",
    ),
    row(
        "agreement.he",
        rf"(?:now |today |sometimes |usually |often |then )?(?:he|she|it) (?:also |often |usually |always |never "
        rf"|still |really |only )?(?P<x>{_BASE_VERBS}|like|need|run)\b(?! not\b)(?!')(?!-)",
        lambda match: third(match["x"]),
        at="clause",
        when=lambda prose, match: _bare_verb(prose, match) and not past_tense(prose.plain),
    ),
    row(
        "agreement.he_past",
        rf"(?:he|she|it) (?:also |often |usually |always |never |still |really |only )?(?P<x>{_BASE_VERBS}|like|need"
        rf"|run|come)\b(?! not\b)(?!')(?!-)",
        lambda match: f"{past(match['x'])}|{third(match['x'])}",
        at="clause",
        sure=False,
        when=lambda prose, match: _bare_verb(prose, match) and past_tense(prose.plain),
    ),
    row(
        "agreement.name",
        r"\b(?:mr|mrs|ms|dr) [a-z]+ (?P<x>report|say|want|ask|explain|suggest|agree|think|propose|thank|give|tell"
        r"|need)\b",
        lambda match: f"{past(match['x'])}|{third(match['x'])}",
        sure=False,
        when=lambda prose, match: (
            prose.text[match.start()].isupper()
            and not _goes_on_with_and(prose, match)
            and not re.search(
                r"\b(?:did|does|will|would|should|could|can|may|might|must|let|and|that)$",
                prose.plain[max(0, match.start() - 12) : match.start()].rstrip(),
            )
        ),
    ),
    row(
        "agreement.singular",
        r"(?:a|an|this|that|every|each) (?P<n>[a-z]+) (?P<x>help|make|give|show|tell|allow|keep|take|need"
        r"|want) (?:you|us|me|him|her|them|people|everyone)\b",
        _singular_verb,
        at="sentence",
        when=lambda prose, match: (
            _is_singular_noun(prose, match) and match["n"] not in {"to", "did", "do", "does", "is", "was"}
        ),
    ),
    row("agreement.he", r"(?:he|she|it) (?P<x>do)\b", "does", at="sentence"),
    row("agreement.i", r"\bi (?P<x>is)\b", "am", at="clause"),
    row("agreement.i", r"\bi (?P<x>has)\b(?! been)", "have", at="clause"),
    row(
        "agreement.he",
        r"(?:he|she|it) (?P<x>are|were(?! to\b)|aren't|weren't)\b",
        _singular_verb,
        at="sentence",
        when=lambda prose, match: not _is_question_of_wish(prose, match),
    ),
    row(
        "agreement.it_have",
        r"(?:it|he|she|this|that) (?P<x>have|haven't|don't)\b",
        _singular_verb,
        at="clause",
        when=lambda prose, match: not _after_subjunctive(prose, match),
    ),
    row(
        "agreement.this",
        r"\b(?P<x>this) (?:problems|things|students|books|users|files|words|years|people|children|errors|ideas"
        r"|reasons|examples|options|facts|tools|companies|methods|days|(?:results|changes|issues|questions|features"
        r"|rules|documents|steps|figures|numbers|tests|reports)(?= (?:are|were|have|show|do|will|should|can|could"
        r"|may|might|must|would)\b))\b",
        "these",
        when=lambda prose, match: not prose.plain[match.end() :].startswith(("'", "-")),
    ),
    row(
        "agreement.these",
        r"\b(?:these|those|many|several|few) (?P<x>problem|student|book|file|error|issue|question|idea|reason"
        r"|example|option|feature|rule|fact|tool|document|year|day|thing|person|change|result|word|way)\b(?= (?:are"
        r"|were|have|in|of|that|which|for|to|who)\b|[.,;!?])",
        lambda match: "people" if match["x"] == "person" else match["x"] + "s",
        when=lambda prose, match: (
            not match.group().startswith("few")
            or prose.plain[: match.start()].rstrip().endswith((" a", " the", " very"))
        ),
    ),
    row(
        "agreement.these",
        r"\b(?P<x>these|those) (?:thing|problem|book|file|error|issue|question|idea|person|rule|feature|document"
        r"|change|word|way|result) (?:is|was|has)\b",
        lambda match: {"these": "this", "those": "that"}[match["x"]],
    ),
    row(
        "agreement.every",
        r"\b(?:every|each|another) (?P<x>days|times|years|students|users|weeks|months|books|files|persons|members"
        r"|employees|customers|nights|mornings|rooms|pages|words|lines|children)\b(?!')",
        lambda match: {"children": "child"}.get(match["x"]) or match["x"][:-1],
        when=lambda prose, match: not match.group().startswith("each other"),
    ),
    row(
        "agreement.one_of_the",
        r"\bone of (?:the|my|our|his|her|their|these|those) (?:(?:most|best|biggest|main|many|worst|oldest|first"
        r"|greatest|few) (?:[a-z]+ )?)?(?P<x>reason|problem|thing|book|student|way|cause|issue|idea|place|question"
        r"|example|feature|benefit|advantage|friend|town|film|city|question|song|step|rule|mistake|day|task"
        r"|member)\b(?= (?:is|was|of|that|in|to|for|who|why|I|we|has|he|she)\b|[.,;])",
        lambda match: match["x"][:-1] + "ies" if match["x"] == "city" else match["x"] + "s",
    ),
    row(
        "agreement.fewer",
        r"\b(?P<x>less) (?:people|cars|books|mistakes|errors|students|items|users|calories|options|things|words|jobs"
        r"|problems|bugs|files|questions|meetings|emails|pages|children|employees|customers|accidents|visitors"
        r"|tickets|complaints|chances|plants|birds|trees|friends|clients|members|steps|rules|trips|tests|choices"
        r"|houses|shops|resources|participants|orders)\b(?!-)(?!')",
        "fewer",
        when=lambda prose, match: (
            not prose.plain[: match.start()].rstrip().endswith(("or", "no", "one", "much", "far", "a lot"))
            or prose.plain[: match.start()].rstrip().endswith(("far", "much"))
        ),
    ),
    row(
        "agreement.fewer",
        r"(?:\b(?:have|has|had|get|got|need|needs|make|makes|made|use|uses|buy|see|saw|with|are|were|is|was|and|sold"
        r"|eat|find|found|take|took|write|read|send|even|much|far|there's) |(?:^"
        r"|[.!?] ))(?P<x>less) (?P<n>[a-z]{4,}s)\b(?! than)(?!-)(?!')",
        "fewer",
        when=lambda prose, match: (
            _is_plural_noun(prose, match)
            and not match["n"].endswith(_NOT_COUNTED)
            and not re.fullmatch(_UNITS, match["n"])
            and match["n"] not in {"taxes", "expenses", "costs", "fees", "deductions", "discounts"}
        ),
    ),
    row(
        "agreement.many",
        r"\b(?:(?:how|too|so|as|very|not|that) )?(?P<x>much) (?:people|books|cars|times(?! (?:more|better|as))"
        r"|students|friends|things|problems|words|children|questions|mistakes|countries|users|files|errors|options"
        r"|ideas|reasons|places|tourists|visitors|years(?! (?:of|old)))\b(?!')",
        "many",
    ),
    row(
        "agreement.number",
        r"\b(?P<x>amount) of (?:people|students|users|cars|books|visitors|customers|errors|mistakes|files|children"
        r"|emails|questions|employees|times|tourists|words|items|participants|members)\b",
        "number",
        severity="should",
        when=lambda prose, match: (
            prose.plain[: match.start()]
            .rstrip()
            .endswith((" large", " small", " the", " growing", " huge", " great", " high", " increasing", " a"))
        ),
    ),
)


def _bare_verb(prose: Prose, match: re.Match[str]) -> bool:
    follows = prose.plain[match.end() : match.end() + 4]
    return (
        not _after_subjunctive(prose, match)
        and not (match["x"] == "use" and follows.startswith(" to"))
        and not (match["x"] == "like" and follows.startswith(","))
    )


def _after_subjunctive(prose: Prose, match: re.Match[str]) -> bool:
    before = prose.plain[max(0, match.start() - 80) : match.start()].rstrip()
    return before.endswith((",", " that", "lest")) or bool(
        re.search(
            r"\b(?:let|make|made|help|helped|see|saw|hear|heard|watch|may|and|or|did|does|do|can|could|will|would"
            r"|should|must|might|lest|though|unless)$",
            before,
        )
    )


def _is_question_of_wish(prose: Prose, match: re.Match[str]) -> bool:
    return bool(
        re.search(r"\b(?:if|though|wish|wished|suppose)\b", prose.plain[max(0, match.start() - 40) : match.end()])
    )
