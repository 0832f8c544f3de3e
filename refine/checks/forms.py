"""Verb forms that cannot stand where they stand: did went, can goes, has already went, I seen. Rows of data."""

from __future__ import annotations

import re

from refine.checks.prose import Prose
from refine.checks.rows import Row, row
from refine.checks.verbs import (
    BASE_OF_PAST,
    BASE_OF_THIRD,
    BASES,
    IRREGULAR,
    PARTICIPLE_OF_PAST,
    PAST_OF_PARTICIPLE,
    gerund,
    third,
)

_THIRD = "|".join(sorted(BASE_OF_THIRD))
_PAST = "|".join(sorted(set(BASE_OF_PAST) - {"had", "used", "given", "written", "supposed"}))
_IRREGULAR_PAST = "|".join(sorted(past for past, _ in IRREGULAR.values() if past in BASE_OF_PAST))
_TO_PARTICIPLE = "|".join(
    sorted(set(PARTICIPLE_OF_PAST) - {"broke", "rose", "bit", "hid", "spoke", "shook", "beat", "lay"})
)
_TO_PAST = "|".join(sorted(set(PAST_OF_PARTICIPLE) - {"run", "come", "become", "overcome"}))
_PLAIN_THIRD = "goes|makes|gets|takes|knows|says|sees|gives|comes|keeps|brings|tells|becomes|provides|allows|thinks"
_BASES = "|".join(base for base in BASES if base not in {"lead", "like", "mean", "own"})
_ADVERB = "really|even|always|ever|often|just|only|actually|quite|also|still|never|usually|already|fully|yet"
_FORWARD = (
    "see|meet|hear|work|talk|speak|read|visit|receive|discuss|join|learn|get|have|go|do|welcome|be|start|try|spend|know"
)
_TAKES_TO = "go|be|do|have|make|take|get|see|say|keep|use|find|come|give|think|help|stay|leave|work|know|wait|follow"


def _base(match: re.Match[str]) -> str | None:
    return BASE_OF_THIRD.get(match["x"]) or BASE_OF_PAST.get(match["x"])


def _not_a_noun(prose: Prose, match: re.Match[str]) -> bool:
    """`the will says`, `a can goes`: a modal after an article is a noun."""
    return not re.search(
        r"\b(?:the|a|an|his|her|my|your|their|our|its|last|free|good|this|that|each|every)$", _before(prose, match)
    )


def _before(prose: Prose, match: re.Match[str]) -> str:
    return prose.plain[max(0, match.start() - 40) : match.start()].rstrip()


ROWS: tuple[Row, ...] = (
    row(
        "form.after_did",
        rf"\b(?:doesn't|don't|didn't|does not|do not|did not) (?:(?:{_ADVERB}) )?(?P<x>{_THIRD}|{_PAST}|had)\b(?!-)",
        lambda match: "have" if match["x"] == "had" else _base(match),
    ),
    row(
        "form.after_did",
        rf"(?:did|does) (?:<subject>|the [a-z]+|your [a-z]+|my [a-z]+) (?P<x>{_IRREGULAR_PAST}|{_PLAIN_THIRD}|has"
        rf"|had)\b",
        lambda match: "have" if match["x"] in {"had", "has"} else _base(match),
        at="sentence",
    ),
    row(
        "form.after_modal",
        rf"\b<modal> (?:not |(?:{_ADVERB}) )?(?P<x>{_PLAIN_THIRD}|needs|wants|helps|works|finds|shows|uses|runs|has"
        rf"|does|is|are|was|were)\b(?!-)",
        lambda match: (
            {"has": "have", "is": "be", "are": "be", "was": "be", "were": "be", "does": "do"}.get(match["x"])
            or _base(match)
        ),
        when=lambda prose, match: (
            (
                _not_a_noun(prose, match)
                and not match.group().startswith(("may ", "might ", "must ", "will ", "can "))
                | (match["x"] in {"is", "are", "was", "were"})
            )
            or (
                match["x"] in {"has", "goes", "makes", "gets", "takes", "knows", "gives", "comes"}
                and re.search(
                    r"\b(?:i|you|he|she|it|we|they|this|that|which|who|there|people|[a-z]+s)$", _before(prose, match)
                )
                is not None
            )
        ),
    ),
    row(
        "form.after_modal",
        rf"\b(?:i|you|he|she|it|we|they|who|which|that|people|[a-z]+s) (?:can|could|will|would|should|must|may|might"
        rf"|cannot|can't|couldn't|won't|wouldn't|shouldn't) (?:not |(?:{_ADVERB}) )?(?P<x>{_IRREGULAR_PAST})\b(?!-)",
        _base,
    ),
    row(
        "form.after_to",
        rf"\b(?:want|wants|wanted|need|needs|needed|have|has|had|going|try|tries|tried|trying|decided|hope|hoped"
        rf"|able|used|ought|plan|planned|began|started|likes?|wish|wished|how|when|where|what|not|order|way|chance"
        rf"|time|ready) to (?P<x>{_PLAIN_THIRD}|has|is|{_IRREGULAR_PAST})\b(?!-)",
        lambda match: {"has": "have", "is": "be"}.get(match["x"]) or _base(match),
    ),
    row(
        "form.participle",
        rf"\b(?:have|has|had|having|haven't|hasn't|hadn't|i've|you've|we've|they've) (?:(?:{_ADVERB}|not|recently"
        rf"|finally|since|long|nearly|almost|once|now) )?(?P<x>{_TO_PARTICIPLE})\b",
        lambda match: PARTICIPLE_OF_PAST[match["x"]],
    ),
    row(
        "form.participle",
        rf"\b(?:should|would|could|must|might|may|will|to)(?:n't| not)? have (?:(?:{_ADVERB}"
        rf"|not) )?(?P<x>{_TO_PARTICIPLE}|broke|hid|shook|saw)\b",
        lambda match: "seen" if match["x"] == "saw" else PARTICIPLE_OF_PAST[match["x"]],
    ),
    row(
        "form.participle",
        rf"\b(?:was|were|been|being|is|are|be|got|gets?) (?:(?:{_ADVERB}|not|badly|recently|finally|well|carefully"
        rf"|first|then|later) )?(?P<x>took|wrote|gave|ate|drove|chose|stole|threw|knew|drew|flew|froze|forgave|swore"
        rf"|wore|tore|sang|saw)\b",
        lambda match: "seen" if match["x"] == "saw" else PARTICIPLE_OF_PAST[match["x"]],
        when=lambda prose, match: (
            not (match["x"] == "saw" and not match.group().startswith(("been", "be", "was saw", "were saw", "is saw")))
        ),
    ),
    row(
        "form.past",
        rf"(?:i|we|they|he|she|it|you) (?:also |just |never |already |even |only |really )?(?P<x>seen|done"
        rf"|{_TO_PAST})\b(?! (?:by|for) )",
        lambda match: PAST_OF_PARTICIPLE[match["x"]],
        at="sentence",
        when=lambda prose, match: prose.plain[match.end() : match.end() + 1] != "?",
    ),
    row(
        "form.past",
        r"\b(?:i|we|they|he|she) (?:also |just |never |already |even )?(?P<x>seen|done(?! (?:with|for))|drunk|sung"
        r"|swum|begun|written|eaten|spoken(?= to)|chosen(?= (?:the|a|to))|driven(?= (?:to|the|home|a))|gone (?:to"
        r"|home|back))\b",
        lambda match: "went" + match["x"][4:] if match["x"].startswith("gone ") else PAST_OF_PARTICIPLE[match["x"]],
        when=lambda prose, match: (
            not re.search(
                r"\b(?:have|has|had|is|was|are|were|be|been|having|neither|get|gets|got|being|whom|'ve|'d|'s|'re"
                r"|'m)\b[^.!?]{0,25}$",
                _before(prose, match),
            )
        ),
    ),
    row(
        "form.after_modal",
        rf"\b(?:i|you|he|she|it|we|they|who|(?:a|the|every|this) (?:man|woman|person|user|child|dog|cat|student|boy"
        rf"|girl|teacher|writer|reader|team|company))"
        rf" (?:can|could|will|would|should|must|may|might|cannot|can't|couldn't|won't|wouldn't|shouldn't"
        rf"|'ll) (?:not |(?:{_ADVERB}) )?(?P<x>{_THIRD})\b(?!-)",
        _base,
    ),
    row(
        "form.been",
        r"\b(?:can|could|will|would|should|must|may|might)(?:n't| not)? (?P<x>been)\b",
        "be|have been",
        sure=False,
    ),
    row(
        "form.seen_if",
        r"\b(?:if|when) (?:you|we|they|i) (?P<x>seen|done|gone|taken|given|written|eaten)\b",
        lambda match: PAST_OF_PARTICIPLE[match["x"]] + "|have " + match["x"],
        sure=False,
    ),
    row(
        "form.cost",
        r"\b(?P<x>costed) (?:me|him|us|them|her|you|a lot|more|less|nothing|too much|about|over|almost|nearly|only"
        r"|around|[0-9£$€]|<number>)",
        "cost",
    ),
    row(
        "form.if_that",
        r"\b(?:if|when|because) (?:that|this|it) (?P<x>suit|work|help|make|sound|seem|look|mean|take|need|happen)\b",
        lambda match: third(match["x"]),
    ),
    row("form.cost", r"\b(?:it|this|that|which|they|repairs?|tickets?) (?P<x>costed)\b", "cost"),
    row("form.leaved", r"\b(?:i|he|she|we|they|it|who|has|have|had) (?P<x>leaved)\b", "left"),
    row(
        "form.forward",
        rf"\blook(?:s|ed|ing)? forward to (?P<x>{_FORWARD}) (?:you|him|her|them|us|it|the|a|an|my|your|our|from|with"
        rf"|about|to|back|more|this|that|in|on|at|everyone)\b",
        lambda match: gerund(match["x"]),
    ),
    row("form.must_to", rf"\b(?P<x>must to) (?:{_TAKES_TO})\b", "must"),
    row("form.must_to", rf"\b(?P<x>should to) (?:{_TAKES_TO})\b", "should"),
    row("form.able", r"\b(?P<x>(?:can|could) able to) (?!be\b)", lambda match: match["x"].split()[0]),
    row("form.able", r"\bwill (?P<x>able) to\b", "be able"),
    row("form.agree", r"\b(?:i|we|they|you) (?P<x>am agree|are agree)\b", "agree"),
    row("form.cannot", r"\b(?P<x>can not)\b(?! (?:only|just|but|merely|simply))", "cannot", severity="should"),
    row("form.let", rf"\blet(?:'s| us| me| him| her| them)(?P<x> to) (?:{_TAKES_TO})\b", ""),
    row(
        "form.let",
        r"\b(?:made|make|makes) (?:me|him|her|us|them|you)(?P<x> to) (?:feel|think|go|do|believe|laugh|cry|wait|look"
        r"|want|see|understand|stay|leave)\b",
        "",
    ),
    row(
        "form.lets",
        r"(?P<x>lets) (?:go|see|say|take|make|get|talk|look|start|try|hope|be|face|meet|do|not|keep|move|begin"
        r"|assume|consider|have|call|find|think|use|work|just|all|also|continue|discuss|wait|eat|stay|leave)\b",
        "let's",
        at="clause",
    ),
    row(
        "form.wont",
        r"\b(?:i|you|he|she|it|we|they|this|that|there|who|which|people|[a-z]+(?:ers|ors|ents|ions)|computer|car"
        r"|door|machine|program|code|page|file|app|test|button|team) (?P<x>wont)\b(?! to\b)",
        "won't",
    ),
    row(
        "form.wont",
        r"\b(?P<x>wont) (?:be|have|get|let|make|take|work|go|do|come|even|ever|help|happen|stop|start|know|see|give"
        r"|need|find|matter|believe|regret)\b",
        "won't",
        when=lambda prose, match: (
            not re.search(r"\b(?:his|her|their|its|my|our|your|as was|as is)$", _before(prose, match))
        ),
    ),
    row(
        "form.cant",
        r"\b(?:i|you|he|she|it|we|they|this|that|people|just|really|who|which|and|but) (?P<x>cant)\b",
        "can't",
    ),
    row(
        "form.cant",
        rf"\b(?P<x>cant) (?:{_BASES}|be|find|get|even|remember|afford|imagine|stop|stand|access|figure)\b",
        "can't",
        when=lambda prose, match: not re.search(r"\b(?:the|a|his|her|their|of|this|that)$", _before(prose, match)),
    ),
    row(
        "form.ill",
        r"(?P<x>ill) (?:be|have to|go|see|take|try|send|let|get|do|call|come|make|give|write|never|always|just|bring"
        r"|keep|tell|ask|meet|check|wait)\b",
        "I'll",
        at="clause",
    ),
    row(
        "form.id",
        r"(?P<x>id) (?:like|love|rather|prefer|say|be|never|have to|suggest|recommend|hate|appreciate)\b",
        "I'd",
        at="clause",
    ),
    row(
        "form.whats",
        r"(?P<x>whats) (?:the|your|a|up|wrong|going|happening|more|new|next|this|that|his|her|my|it|in|so|not)\b",
        "what's",
        at="clause",
    ),
    row("form.whats", r"\b(?:know|see|about|of|is|understand|tell me|ask|exactly|and) (?P<x>whats)\b", "what's"),
    row("form.wheres", r"(?P<x>wheres) (?:the|my|your|his|her|a|it)\b", "where's", at="clause"),
    row(
        "form.day_s",
        r"\b(?P<x>yesterdays|tomorrows) (?:meeting|news|paper|call|game|match|lunch|dinner|session|class|weather"
        r"|talk|event|edition|deadline|lesson|trip|party|presentation|discussion|post|concert|show|work|schedule"
        r"|agenda|plans?)\b",
        lambda match: match["x"][:-1] + "'s",
    ),
    row(
        "form.childrens",
        r"\b(?P<x>childrens|mens|womens|womans|peoples')(?= (?:are|were|have|had|is|was|will|would|can|could|and|who"
        r"|in|at|from|to|do|did|need|want|like|love|play|played|[a-z]+ed)\b|[.,;!?])",
        lambda match: {"childrens": "children", "mens": "men", "womens": "women", "womans": "women"}.get(match["x"]),
    ),
    row(
        "form.childrens",
        r"\b(?P<x>childrens|mens|womens|womans) [a-z]+",
        lambda match: {"childrens": "children's", "mens": "men's", "womens": "women's", "womans": "woman's"}[
            match["x"]
        ],
    ),
    row(
        "form.explain",
        r"\bexplain(?:s|ed|ing)? (?P<x>me|him|us|them) (?:the|how|why|what|that|a|everything|it)\b",
        lambda match: "to " + match["x"],
    ),
    row(
        "form.depend",
        r"\bdepend(?:s|ed|ing)? (?P<x>of|from) (?:the|a|how|what|your|our|his|her|their|many|which|where)\b",
        "on",
    ),
    row(
        "form.married",
        r"\bmarried (?P<x>with) (?:him|her|a|an|the|my|his|your)\b(?! (?:two|three|children|kids))",
        "to",
        severity="should",
    ),
    row(
        "form.most_of",
        r"\b(?P<x>most of) (?:people|students|men|women|children|companies|countries|users|customers)\b",
        "most",
    ),
    row("form.in_regards", r"\b(?P<x>(?:in|with) regards) to\b", lambda match: match["x"][:-1], severity="should"),
    row(
        "form.between",
        r"\bbetween (?:you|him|her|them|my [a-z]+|the [a-z]+) and (?P<x>i)\b(?! (?:am|was|have|had|will|would|think"
        r"|could|can|do|did))",
        "me",
    ),
    row("form.for_and_i", r"\b(?:for|with|to|from|by) (?:you|him|her|them|my [a-z]+) and (?P<x>i)(?=[.,;!?]|$)", "me"),
    row(
        "form.him_and",
        r"(?P<x>him and me|me and him) (?:are|were|have|had|went|will|would|can|could|did|do|used)\b",
        "he and I",
        at="sentence",
    ),
    row(
        "form.her_and",
        r"(?P<x>her and me|me and her) (?:are|were|have|had|went|will|would|can|could|did|do|used)\b",
        "she and I",
        at="sentence",
    ),
    row("form.despite", r"\b(?P<x>despite of)\b", "despite"),
    row(
        "form.double_comparative",
        r"\b(?P<x>(?:more|most) (?:better|best|worse|worst|easier|easiest|bigger|biggest|faster|fastest|cheaper"
        r"|cheapest|older|oldest|larger|largest|smaller|smallest|higher|highest|stronger|strongest|happier|happiest"
        r"|nicer|nicest|harder|hardest|longer|longest|taller|tallest))\b",
        lambda match: match["x"].split()[1],
        when=lambda prose, match: (
            not re.search(r"\b(?:the|much|many|no|any|even|once|far|some|two|three|\d+)$", _before(prose, match))
            or match["x"].startswith("most")
        ),
    ),
)
