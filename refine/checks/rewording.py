"""Other words for a sentence, by rule: split in two, made active, without its emphasis. Offers, never replacements.

None where the rules are not sure of the grammar. Pure; knows nothing of findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.checks.common_words import is_common
from refine.checks.nouns import PERSONS
from refine.checks.tables import word_set
from refine.checks.verbs import BASE_OF_PAST, BASE_OF_THIRD, BASES, IRREGULAR, past, third
from refine.checks.word_sets import MORE_VERBS

# --- a long sentence as two ------------------------------------------------------------------------------------------

_FEWEST = {"en": 7, "zh": 15}
"""Words (Chinese: characters) that either half has at least."""

_PRONOUN = "i|he|she|it|we|you|they|this|that|these|those|there|everyone|everybody|nobody|someone"
_DETERMINER = "the|a|an|my|our|your|his|her|their|its|these|those|this|that|some|many|most|all|no|each|every"
_HELPER = (
    "am|is|are|was|were|has|have|had|does|do|did|will|would|can|could|shall|should|may|might|must|cannot|isn't|aren't"
    "|wasn't|weren't|hasn't|haven't|hadn't|doesn't|don't|didn't|won't|wouldn't|can't|couldn't|shouldn't|mustn't"
)
_PASTS = "|".join(sorted(set(BASE_OF_PAST) - {"used", "supposed", "cost", "put", "set", "cut"}))
_THIRDS = "|".join(sorted(BASE_OF_THIRD))
_FINITE = rf"(?:{_HELPER}|{_PASTS}|{_THIRDS}|[a-z]{{3,}}ed)"
_NOT_IN_SUBJECT = r"(?!(?:that|which|who|whom|whose|where|when|if|and|or|but|to|of which)\b)"
_SUBJECT = rf"(?:(?:{_PRONOUN})(?:'(?:s|re|ve|ll|d|m))? |(?:{_DETERMINER}) (?:{_NOT_IN_SUBJECT}[a-z'’-]+ ){{1,4}}?)"
_CLAUSE = rf"{_SUBJECT}(?:also |never |often |always |soon |now |still |then )?"
_JOINT = re.compile(
    rf"(?P<gap>, )(?P<word>and|but|so|yet) (?={_CLAUSE}{_FINITE}\b|(?:{_PRONOUN})'(?:s|re|ve|ll|d|m) )"
    rf"|(?P<semicolon>; )(?:however, |therefore, )?(?={_CLAUSE}{_FINITE}\b|(?:{_PRONOUN})'(?:s|re|ve|ll|d|m) )"
    rf"|(?P<bare> )(?P<also>and) (?=(?:i|he|she|we|they) {_FINITE}\b)",
    re.I,
)
_HAS_A_VERB = re.compile(rf"\b{_FINITE}\b|'(?:s|re|ve|ll|d|m)\b", re.I)
_HANGS = re.compile(
    r"\A\W*(?:if|when|whenever|although|though|while|because|since|as|whether|unless|until|once|after|before|either"
    r"|neither|both|not only|what|whatever)\b"
    r"|\b(?:said|says|say|told|tells|think|thinks|thought|believes?|believed|hopes?|hoped|knows?|knew|so|such|fears?"
    r"|claims?|claimed|argues?|argued|shows?|showed|means?) that\b"
    r"|\b(?:if|unless|whether|because|although|while)\b[^,;]*\Z"
    r"|[(:\[—–][^)\]]*\Z",
    re.I,
)
"""A first half on which the second one may depend, or that is not closed."""

_JOINT_ZH = re.compile(
    "，(?=(?:但是?|可是|不过|然而|因此|所以|于是|后来|同时|另外|此外|接着|然后|最后|结果|从此)(?!说|到))"
)
_HANGS_ZH = re.compile(
    "(?:虽然|尽管|虽说|因为|由于|如果|要是|假如|只要|只有|不仅|不但|既然|无论|不管|即使|与其)[^。；]*\\Z"
    "|[“《（「『][^”》）」』]*\\Z"
)


def split(sentence: str, language: str) -> str | None:
    """The sentence as two, where it has a joint that leaves both halves whole; at the joint nearest its middle."""
    offers = _split_zh(sentence) if language == "zh" else _split_en(sentence)
    return min(offers, default=(0, None), key=lambda offer: offer[0])[1]


Offer = tuple[int, str]
"""How far from even the halves are, and the two sentences."""


def _split_en(sentence: str) -> Iterator[Offer]:
    if "\n" in sentence.strip() or sentence.count(";") > 1 or sentence.rstrip()[-1:] not in {".", "!"}:
        return
    for joint in _JOINT.finditer(sentence):
        first, second = sentence[: joint.start()], sentence[joint.end() :]
        word = (joint["word"] or joint["also"] or "").lower()
        if joint["semicolon"]:
            second = sentence[joint.start() + 2 :]
        elif word != "and":
            second = f"{word} {second}"
        short = min(len(first.split()), len(second.split())) < _FEWEST["en"]
        listed = word == "and" and joint["gap"] and "," in " ".join(first.split()[-8:])
        if short or listed or _HANGS.search(first) or not _HAS_A_VERB.search(first):
            continue
        yield abs(len(first) - len(second)), f"{first}. {second[0].upper()}{second[1:]}"


def _split_zh(sentence: str) -> Iterator[Offer]:
    for joint in _JOINT_ZH.finditer(sentence):
        first, second = sentence[: joint.start()], sentence[joint.end() :]
        if min(len(first), len(second)) >= _FEWEST["zh"] and not _HANGS_ZH.search(first):
            yield abs(len(first) - len(second)), f"{first}。{second}"


# --- a passive made active ------------------------------------------------------------------------------------------

_NO_AGENT = word_set(
    """
    end time way river sea road door window side water winter summer corner order number letter paper weather floor
    mirror error harbor harbour center centre shelter tower border october november december september matter manner
    measure wonder chapter quarter layer fire answer offer power danger anger dinner supper car factor
    """
)
_GROUPS = word_set(
    """
    committee company government school team council board police staff family people children library program software
    system court crew firm club jury army band press public church men women parents students police parser compiler
    government department office union party museum hospital university bank
    """
)
_OBJECTS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
_SUBJECTS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
_PLURAL_AGENTS = word_set("i we you they people children men women police parents students staff")
_PASSIVE = re.compile(
    r"(?P<subject>(?:(?:The|A|An|My|Our|Your|His|Her|Their|Its|This|These|Those|All|Every|Each|Some|Many) "
    r"(?:(?!(?:that|which|who|and|or|if|when|but|not)\b)[a-z'’-]+ ){1,5}?)|(?:I|He|She|It|We|You|They) )"
    r"(?P<be>is|are|am|was|were) (?:(?P<adverb>[a-z]+ly) )?(?P<participle>[a-z]+) by "
    r"(?P<agent>(?:(?:the|a|an|my|our|your|his|her|their|its|these|those) "
    r"(?:(?!(?:that|which|who|and|or|in|on|at|of|for|with)\b)[a-z'’-]+ ?){1,3}?)|me|him|her|us|them|you|it)"
    r"(?P<rest> that [^.!?;]+)?(?P<stop>[.!])"
)


_BASE_OF_PARTICIPLE = {participle: base for base, (_, participle) in IRREGULAR.items()}


def active(sentence: str) -> str | None:
    """A short passive sentence whose agent is a person or a group, with the agent first."""
    match = _PASSIVE.fullmatch(sentence.strip())
    if match is None or (match["rest"] and match["subject"] != "It "):
        return None
    agent, verb = match["agent"].strip(), _verb(match)
    if verb is None or not _acts(agent):
        return None
    lead = _SUBJECTS.get(agent, agent)
    lead = lead[0].upper() + lead[1:]
    acted = " ".join(filter(None, (lead, match["adverb"], verb)))
    if match["rest"]:
        return f"{acted}{match['rest']}{match['stop']}"
    subject = match["subject"].strip()
    small = subject[0].lower() + subject[1:]
    return f"{acted} {_OBJECTS.get(small, small)}{match['stop']}"


def _acts(agent: str) -> bool:
    head = agent.split()[-1]
    if agent in _SUBJECTS or agent in {"you", "it"} or head in _GROUPS:
        return True
    one = head.removesuffix("s")
    return head not in _NO_AGENT and one not in _NO_AGENT and one.endswith(PERSONS)


def _verb(match: re.Match[str]) -> str | None:
    participle = match["participle"]
    base = _base(participle)
    if base is None:
        return None
    if match["be"] in {"was", "were"}:
        return past(base)
    agent = match["agent"].strip()
    head = _SUBJECTS.get(agent, agent.split()[-1]).lower()
    many = head in _PLURAL_AGENTS or (head.endswith("s") and not head.endswith("ss"))
    return base if many else third(base)


def _base(participle: str) -> str | None:
    if participle in _BASE_OF_PARTICIPLE:
        return _BASE_OF_PARTICIPLE[participle]
    if not participle.endswith("ed"):
        return None
    stems = (participle[:-2], participle[:-1], participle[:-3], participle[:-3] + "y")
    return next((stem for stem in stems if stem and _is_base(stem) and past(stem) == participle), None)


def _is_base(word: str) -> bool:
    return word in BASES or word in MORE_VERBS or is_common(word)


# --- emphasis -------------------------------------------------------------------------------------------------------

_AN = re.compile(r"(?!one\b|once\b|eu|uni|use|usu)(?:[aeiou]|hour|honest|heir)")


def article_for(article: str, word: str) -> str:
    """`a` or `an`, as it has to be before the word."""
    right = "an" if _AN.match(word) else "a"
    return right.capitalize() if article[0].isupper() else right
