"""Grammar and spelling of English: Harper's rules behind a second look, and rows of our own. Chinese has none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from refine.checks import agreement, confusions, forms, harper_door, homophones, lookalikes, rows, verb_endings
from refine.checks.agreement import past_tense
from refine.checks.capitals import capitals
from refine.checks.harper_door import Hit
from refine.checks.harper_rules import TASTE
from refine.checks.making import Place, finding
from refine.checks.options import texts
from refine.checks.prose import Prose, language, prose
from refine.checks.repeats import doubled
from refine.checks.spelling import dialect_of, spelling
from refine.checks.tables import word_set
from refine.checks.verbs import BASE_OF_THIRD, BASES
from refine.types import Finding, Json, Severity

OWN_ROWS = (*confusions.ROWS, *homophones.ROWS, *lookalikes.ROWS, *agreement.ROWS, *forms.ROWS, *verb_endings.ROWS)
_SOFT_KINDS = frozenset({"Style", "Enhancement", "Readability", "Redundancy", "Regionalism", "Formatting"})


def grammar(text: str, options: Mapping[str, Json]) -> tuple[Finding, ...]:
    """The check. Options: dialect (american, british; else found by the words used), words, off."""
    which = language(text, options)
    if which != "en":
        return ()
    place = Place(prose(text), "grammar", which)
    dialect = str(options.get("dialect") or dialect_of(place.prose.visible))
    own = frozenset(word.lower() for entry in texts(options, "words") for word in (entry, *entry.split()))
    return (
        *spelling(place, own, dialect),
        *doubled(place),
        *capitals(place),
        *rows.findings(place, OWN_ROWS),
        *_harper(place, dialect),
    )


def _harper(place: Place, dialect: str) -> Iterator[Finding]:
    for hit in harper_door.hits(place.prose.text, dialect):
        if not place.prose.hidden(hit.start, hit.end):
            made = _finding(place, hit)
            if made is not None:
                yield made


def _finding(place: Place, hit: Hit) -> Finding | None:
    rule, span = f"harper.{hit.rule}", (hit.start, hit.end)
    quote = place.prose.text[hit.start : hit.end]
    puts = tuple(dict.fromkeys(put for put in hit.puts if put != quote))
    look = SECOND_LOOK.get(hit.rule)
    if (look is not None and not look(place.prose, hit)) or not puts:
        return None
    if hit.rule in TASTE or hit.kind in _SOFT_KINDS:
        return finding(place, span, rule, _DIMENSIONS.get(hit.kind, "wording"), "may", suggestion=puts[0])
    dimension = _DIMENSIONS.get(hit.kind, "grammar")
    severity: Severity = "must"
    if len(puts) == 1 or hit.rule in FIRST_IS_RIGHT:
        return finding(place, span, rule, dimension, severity, put=puts[0])
    return finding(place, span, rule, dimension, "should", options=puts[:5])


_DIMENSIONS = {
    "Spelling": "spelling",
    "Typo": "spelling",
    "Style": "wording",
    "Enhancement": "wording",
    "Redundancy": "wording",
    "Regionalism": "wording",
    "Readability": "wording",
    "Formatting": "typography",
    "Punctuation": "typography",
    "Capitalization": "typography",
    "Repetition": "repeats",
}
FIRST_IS_RIGHT = word_set("DespiteOf OpenCompounds AllIntentsAndPurposes")


# --- second looks ---------------------------------------------------------------------------------------------------


def _before(prose: Prose, hit: Hit) -> str:
    return prose.plain[max(0, hit.start - 30) : hit.start].rstrip().rsplit(" ", 1)[-1]


def _after(prose: Prose, hit: Hit) -> str:
    match = re.match(r"\s*(\S*)", prose.visible[hit.end : hit.end + 40])
    return match[1] if match else ""


def _article(prose: Prose, hit: Hit) -> bool:
    """No judgement on letters and acronyms, on an' and on h: how they sound is the author's business."""
    after = _after(prose, hit).strip('"“*_(')
    if not after or not after[0].isalpha() or (not after.isascii() and "’" not in after):
        return False
    if prose.text[hit.start : hit.end].isupper() and hit.start not in prose.sentence_starts:
        return False  # the letter A
    if any(c.isupper() for c in after[1:]) or len(after.rstrip(".,")) == 1:
        return False
    return not re.match(r"(?:histor|hotel|habit|hero|hypoth|herb|hilar|homage|humble)", after.lower())


_NO_SIGN = word_set("burst lead put cut hit set let read shut hurt spread cost come run")
_SUBJECT = re.compile(
    r"(?:^\s*|[.!?;:,(\"“—\n\x00-]\s*|\b(?:but|because|when|so|and|that|if|as|while|what|which|where|then|now|think"
    r"|know|says?|said"
    r"|hope|believe|why|how|since|although|though|until|or|prove|ensure|see|show|shows|sure|yesterday|today)\s)"
    r"(?:i|you|he|she|it|we|they)\s(?:[a-z]+ly\s|also\s|never\s|still\s|always\s|just\s|often\s)?$"
)
"""A pronoun that can only be a subject: nothing before it can govern it."""


def _verb_agreement(prose: Prose, hit: Hit) -> bool:
    word = prose.plain[hit.start : hit.end]
    if word in BASES and word not in {"have", "do"} and (past_tense(prose.plain) or word == "use"):
        return False
    if not _SUBJECT.search(prose.plain[max(0, hit.start - 60) : hit.start]):
        return False
    simple = word in BASE_OF_THIRD or word in {"don't", "is", "was", "doesn't", "aren't", "isn't"}
    return simple or (word in BASES and word not in _NO_SIGN)


def _to_too(prose: Prose, hit: Hit) -> bool:
    before, after = _before(prose, hit), _after(prose, hit).lower().strip(".,;!?")
    if prose.plain[hit.start : hit.end] == "to":
        linking = re.fullmatch(
            r"is|are|was|were|been|be|way|far|it's|that's|feels?|felt|seems?|looks?|looked|got", before
        )
        return bool(linking) and after not in BASES and not after.endswith("ed")
    return after in BASES and not re.fullmatch(r"is|are|was|were|been|be|it's|that's|am|i'm", before)


def _discourse(prose: Prose, hit: Hit) -> bool:
    word = prose.plain[hit.start : hit.end]
    after = _after(prose, hit).lower()
    opens = after in {
        "the",
        "it",
        "there",
        "this",
        "these",
        "in",
        "if",
        "when",
        "our",
        "his",
        "my",
        "a",
        "some",
        "most",
        "she",
        "he",
    }
    return (
        word not in {"hence", "thus", "therefore", "otherwise"}
        and opens
        and not (word == "however" and after in {"it", "he", "she"})
    )


_EFFECTED = word_set("change changes a transition transitions reform reforms repairs cures rescue escape")
_OBJECTS = word_set("it him her them us me you the a an that this my his our their no so many such these those")
SECOND_LOOK: Mapping[str, Callable[[Prose, Hit], bool]] = {
    "RegularIrregulars": lambda prose, hit: not prose.plain[hit.start : hit.end].endswith(("ys", "ens")),
    "AnA": _article,
    "PronounVerbAgreement": _verb_agreement,
    "ToTwoToo": _to_too,
    "DiscourseMarkers": _discourse,
    "NounVerbConfusion": lambda prose, hit: (
        not (
            prose.plain[hit.start : hit.end] == "effect"
            and (_before(prose, hit) == "to" or _after(prose, hit).strip(".,;").lower() in _EFFECTED)
        )
    ),
    "ThenThan": lambda prose, hit: not prose.plain[: hit.start].rstrip().endswith((" or later", " or earlier")),
    "ModalOf": lambda prose, hit: _after(prose, hit).strip(".,;") not in {"necessity", "course", "itself"},
    "SimplePastToPastParticiple": lambda prose, hit: (
        prose.plain[hit.start : hit.end] != "saw" or _after(prose, hit).strip(".,;!?") in _OBJECTS
    ),
    "WereWhere": lambda prose, hit: hit.start not in prose.sentence_starts,
    "PronounInflectionBe": lambda prose, hit: (
        _before(prose, hit) in {"i", "he", "she", "it", "we", "they", "you", "there"}
    ),
}
"""Where a rule of Harper's is right only under a condition. False = nothing is said."""
