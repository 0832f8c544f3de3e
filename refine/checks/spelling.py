"""Unknown words: which are slips, which are the author's, and what they stand for. English only.

A replacement is sure where the word is a known misspelling, or where one common word is strictly nearest. Everything
else is a choice for whoever can read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from string import ascii_lowercase

from refine.checks import harper_door
from refine.checks.common_words import COMMON, is_common
from refine.checks.contractions import CONTRACTIONS
from refine.checks.known_words import KNOWN
from refine.checks.making import Place, finding
from refine.checks.misspellings import MISSPELLINGS
from refine.checks.prose import Prose
from refine.checks.tables import word_set
from refine.checks.verbs import REGULARISED
from refine.types import Finding

KNOWN_SLIPS = {**MISSPELLINGS, **CONTRACTIONS}
_TOKEN = re.compile(r"(?<![\w@#/\\.~$%-])[^\W\d_]+(?:['’][^\W\d_]+)*(?![\w@/\\])(?!\.[a-z])")
_PERFECT = re.compile(
    r"(?:\b(?:have|has|had|having|be|been|being|is|are|was|were|get|got)|'ve|n't) (?:\w+ly |not |never |already "
    r"|just )?$"
)
_ONE = re.compile(
    r"(?:\b(?:he|she|it|this|everyone|everybody|nobody|somebody|someone|everything|nothing)"
    r"|\b(?:the|a|an|my|his|her|our|their|your|this|that|its|each|every|another) (?:[a-z]+ )?"
    r"(?!(?:people|children|men|women|police|staff|team|data|media|and|or|but|you|we|they|i|who|that|which|please|just"
    r"|[a-z]*s) )[a-z]+) $"
)
"""One thing, after which dont is doesn't."""
_NOT_A_NAME = ("ly", "tion", "sion", "ment", "ments", "ness", "ing", "ed", "ally", "able", "ible", "ence", "ance")


def spelling(place: Place, own: frozenset[str], dialect: str) -> Iterator[Finding]:
    """Findings on words that are in no dictionary. `own`: the author's words, in small letters."""
    prose = place.prose
    tokens = [match for match in _TOKEN.finditer(prose.visible) if not _exempt(match.group(), prose, own)]
    times = Counter(match.group().lower() for match in tokens)
    names = {m.group().lower() for m in tokens if m.group()[0].isupper() and not _starts_sentence(prose, m.start())}
    judged = [match for match in tokens if _is_judged(prose, match, names)]
    strange = harper_door.unknown(sorted({match.group().replace("’", "'") for match in judged}))
    for match in judged:
        word = match.group().replace("’", "'")
        if word in strange:
            made = _name(place, match, names) or _finding(place, match, word, strange[word], times, dialect)
            if made is not None:
                yield made


def dialect_of(text: str) -> str:
    """american or british, by which dictionary knows more of the words."""
    seen = sorted({match.group() for match in _TOKEN.finditer(text) if match.group().islower()})
    foreign = {name: len(harper_door._unknown(seen, name)) for name in harper_door.DIALECTS}
    return "british" if foreign["british"] < foreign["american"] else "american"


def _exempt(word: str, prose: Prose, own: frozenset[str]) -> bool:
    small = word.lower()
    return (
        small in own
        or small in KNOWN
        or small in prose.code_words
        or len(word) < 2
        or (not word.isascii() and "’" not in word)
        or (word.isupper() and len(word) > 1)
        or any(c.isupper() for c in word[1:])
    )


def _is_judged(prose: Prose, match: re.Match[str], names: set[str]) -> bool:
    """A word with a capital inside a sentence is a name and nobody's business, but for Im and Ive."""
    word = match.group()
    if word[0].islower() or word in {"Im", "Ive"}:
        return True
    return _starts_sentence(prose, match.start()) and word.lower() not in names


def _name(place: Place, match: re.Match[str], names: set[str]) -> Finding | None:
    """An unknown word in small letters that the text elsewhere writes as a name."""
    word = match.group()
    around = place.prose.text[match.start() - 1 : match.start()] + place.prose.text[match.end() : match.end() + 1]
    if word not in names or word in KNOWN_SLIPS or "[" in around or "]" in around:
        return None
    return finding(place, match.span(), "capital.own_name", "typography", "must", put=word.capitalize())


def _starts_sentence(prose: Prose, at: int) -> bool:
    return at in prose.sentence_starts or (prose.quoted(at, at + 1) and prose.text[at - 1] in "\"“‘'")


def _finding(
    place: Place,
    match: re.Match[str],
    word: str,
    suggestions: tuple[str, ...],
    times: Counter[str],
    dialect: str,
) -> Finding | None:
    prose, small, span = place.prose, word.lower(), match.span()
    capital = word[0].isupper()
    if not capital and word.capitalize() in suggestions:
        return finding(place, span, "capital.perhaps", "typography", "may", suggestion=word.capitalize())
    if small.endswith("ys") and small not in KNOWN_SLIPS:
        plural, owner = f"{small[:-2]}ies", f"{small[:-1]}'s"
        return finding(place, span, "spelling.unknown", "spelling", "should", options=(plural, owner))
    put = _known_slip(prose, match.start(), small, dialect)
    if put is not None:
        rule = "spelling.apostrophe" if "'" in put else "spelling.verb" if small in REGULARISED else "spelling.slip"
        return finding(place, span, rule, "spelling", "must", put=put)
    base = small[:-2] if small.endswith("'s") else small
    choices = ranked(base, tuple(s.lower() for s in suggestions if s.lower() != base))
    if _is_made_of_a_word(base):
        return finding(place, span, "spelling.strange", "spelling", "may")
    best = sure(base, choices) or (only(base, choices) if not capital else None)
    often = times[small] > 1
    if best and not often and (not capital or base.endswith(_NOT_A_NAME)):
        return finding(place, span, "spelling.nearest", "spelling", "must", put=best + small[len(base) :])
    near = tuple(option for cost, option in choices if cost <= 1.6)[:5]
    if near and choices[0][0] <= 1.05 and not capital and not often and len(base) > 3:
        return finding(place, span, "spelling.unknown", "spelling", "should", options=near)
    return finding(place, span, "spelling.unknown" if near else "spelling.strange", "spelling", "may", options=near)


_PREFIX = re.compile(
    r"(?:un|non|re|pre|de|sub|multi|over|under|co|anti|semi|super|inter|micro|mini|auto|mis|post)(?=[a-z]{5})"
)


def _is_made_of_a_word(word: str) -> bool:
    """A known word with a prefix that every writer may put there: unrequired, subcategory."""
    match = _PREFIX.match(word)
    return match is not None and not harper_door.unknown((word[match.end() :],))


def _known_slip(prose: Prose, at: int, word: str, dialect: str) -> str | None:
    if word == "dont" and _ONE.search(prose.plain[max(0, at - 60) : at]):
        return "doesn't"
    if word in KNOWN_SLIPS:
        right = KNOWN_SLIPS[word]
        return right if " " in right or harper_door.foreign_spelling(right, dialect) is None else None
    if word.endswith("yed") and word[-4:-3] not in _VOWELS and is_common(word[:-2]):
        return f"{word[:-3]}ied"
    if word in REGULARISED:
        past, participle = REGULARISED[word]
        return participle if _PERFECT.search(prose.plain[max(0, at - 30) : at]) else past
    return None


# --- which word was meant -----------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def ranked(word: str, suggestions: tuple[str, ...]) -> tuple[tuple[float, str], ...]:
    """Candidates with what the slip would have cost, cheapest first. Common words cost less than rare ones."""
    candidates = {s for s in suggestions if s.isascii()} | _one_edit_away(word)
    costs = ((round(distance(word, other) + _rarity(other), 2), other) for other in candidates)
    nearest = sorted(pair for pair in costs if pair[0] <= 2.2)[:12]
    strange = harper_door.unknown(other for _, other in nearest if other not in COMMON and other not in suggestions)
    return tuple(pair for pair in nearest if pair[1] not in strange)


def _rarity(word: str) -> float:
    return 0.0 if word in COMMON else 0.2 if is_common(word) else 0.7


def sure(word: str, choices: Sequence[tuple[float, str]]) -> str | None:
    """The one common word that is strictly nearest, if there is one and it is near enough."""
    if not choices or len(word) < 4:
        return None
    cost, best = choices[0]
    limit = 0.7 if len(word) < 5 else 1.0 if len(word) < 8 else 1.6
    margin = choices[1][0] - cost if len(choices) > 1 else 1.0
    clear = 0.7 if len(word) < 8 and distance(word, best) > 0.7 else 0.3
    if cost > limit or margin < clear or not is_common(best) or _another_form(word, best):
        return None
    nearer = (distance(word, other) < distance(word, best) for _, other in choices[1:])
    return None if any(nearer) else best


def only(word: str, choices: Sequence[tuple[float, str]]) -> str | None:
    """The one word, common or rare, that a long word or a slip of the fingers can stand for."""
    if not choices:
        return None
    best = choices[0][1]
    far = distance(word, best)
    if len(choices) > 1 and (far > 0.7 or choices[1][0] - choices[0][0] < 0.8):
        return None
    near = (far <= 1.0 and len(word) >= 9) or (far <= 0.8 and len(word) >= 8) or (far <= 0.7 and len(word) >= 6)
    other_spelling = "z" in best and "z" not in word
    return best if near and not other_spelling and not _another_form(word, best) and best.isalpha() else None


def _another_form(word: str, other: str) -> bool:
    """A word with a new ending may be a real word that the dictionary lacks: tokenizer, tokenize."""
    return word.startswith(other) or (other.startswith(word) and len(other) - len(word) > 1)


def _one_edit_away(word: str) -> set[str]:
    splits = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    swapped = {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
    fewer = {a + b[1:] for a, b in splits if b}
    other = {a + c + b[1:] for a, b in splits if b for c in ascii_lowercase}
    more = {a + c + b for a, b in splits for c in ascii_lowercase}
    return {made for made in swapped | fewer | other | more if made != word and is_common(made)}


def distance(one: str, other: str) -> float:
    """How far a slip of the fingers or the ear leads from `other` to `one`. A plain edit is 1.

    Restricted Damerau distance with three cheaper slips: a letter doubled or not doubled, one vowel for another, two
    neighbours swapped. A wrong first letter costs more.
    """
    rows = [[float(j) for j in range(len(other) + 1)]]
    for i, a in enumerate(one, 1):
        row = [float(i)]
        for j, b in enumerate(other, 1):
            drop = rows[i - 1][j] + (0.6 if i > 1 and a == one[i - 2] else 1.0)
            add = row[j - 1] + (0.6 if j > 1 and b == other[j - 2] else 1.0)
            swap = 0.0 if a == b else _swap(a, b)
            best = min(drop, add, rows[i - 1][j - 1] + swap)
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2] and a != b:
                best = min(best, rows[i - 2][j - 2] + 0.7)
            row.append(best)
        rows.append(row)
    return round(rows[-1][-1] + (0.4 if one[0] != other[0] else 0.0), 2)


_VOWELS = frozenset("aeiouy")
_ALIKE = word_set("ck cs sz fv dt bp gj mn vw xs kq")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


@cache
def _swap(a: str, b: str) -> float:
    """One letter for another: vowels and letters that sound alike or lie side by side are mistaken most easily."""
    if a in _VOWELS and b in _VOWELS:
        return 0.8
    beside = any(a + b in row or b + a in row for row in _KEYS)
    return 1.0 if beside or a + b in _ALIKE or b + a in _ALIKE else 1.15
