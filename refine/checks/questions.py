"""A question that ends with a full stop. Only where its first words leave no other reading."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refine.checks.making import Place, finding
from refine.text.sentences import sentences
from refine.types import Finding

_WHO = r"(?:i|you|he|she|it|we|they|anyone|anybody|someone|somebody|everyone|everybody|there)"
_WHOSE = rf"(?:{_WHO}|the|a|an|my|your|his|her|our|their|this|that|these|those)"
_HELPS = "is|are|was|were|do|does|did|can|could|will|would|should|has|have"
_OPENINGS = (
    rf"(?:can|could|would|will|did|does|(?:is|are|was|were|do|does|did|wo|ca|could|would|should|have|has)n't) {_WHO}",
    r"do (?:i|you|we|they|he|she)",
    rf"(?:does|did) {_WHOSE}",
    rf"(?:is|are|am|was) {_WHO}",
    r"(?:has|have) (?:i|you|he|she|we|they|anyone|anybody)",
    rf"(?:how|why|where|when|what) (?:do|does|did|can|could|would|will|should) {_WHOSE}",
    rf"(?:how|where|why) (?:is|are|was|were) {_WHOSE}",
    rf"how (?:many|much|long|often|far|old|big|soon) [^,;:]{{0,20}}?(?:{_HELPS}) {_WHOSE}",
)
_ASKS = re.compile(rf"(?:{'|'.join(_OPENINGS)})\b")
_TELLS = re.compile(r"[;:—–?!]|, (?:i|he|she|we|they|you|it|the|so|and|but) |\b(?:asked|wondered|said)\b")
_END = re.compile(r"(?<=[a-z]{2})[.]$|(?<=\d)[.]$")


def questions(place: Place) -> Iterator[Finding]:
    """Sentences that ask and do not end so."""
    seen = place.prose
    for start, end in sentences(seen.text):
        plain = seen.plain[start:end]
        asks = _ASKS.match(plain) is not None and _TELLS.search(plain) is None
        if asks and start in seen.sentence_starts and _END.search(plain) and not seen.hidden(start, end):
            made = finding(place, (end - 1, end), "typography.question", "typography", "should", put="?")
            if made is not None:
                yield made
