"""What a line of a critic's reply signals about the verdict: rules V2 to V7, one small reader per rule.

Knows nothing of whole replies, findings or JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from refine.replies.sense import QUOTED, SENTENCE_END, sense, senses, sentences, withheld, words
from refine.replies.text import normal

Signal = Literal[
    "approved", "revise", "withheld", "criterion_yes", "criterion_no", "mention", "question", "fault", "doubt"
]

_MARKS = re.compile(r"[\W_]*")
_SCORE = re.compile(
    r"(?:(?:overall |total |final )?(?:score|rating|grade|points?)|总?评?得?分数?)[\W_]{0,5}\d{1,3}(?:[.,]\d{1,2})?"
    r"(?: ?(?:/|out of|of) ?\d{1,3})?分?|\b\d{1,2}(?:\.\d)? ?/ ?10\b"
)
_TAG = re.compile(r"<(/?)(?:final[_ ]?)?(?:verdict|decision|status|结论|审核结论)\s*/?>")
_REFUSING = re.compile("[❌🚫⛔👎✗✘✖❎🔴🛑⚠]")
_WRAPPER = re.compile(
    r"</?(?:b|i|u|em|strong|p|div|span|center|h[1-6]|mark|br)(?:\s[^<>]{0,80})?/?>|<\|[a-z_]{1,30}\|>|</?s>"
    r"|\\(?:boxed|text|textbf|mathrm)(?=\{)|\\[()\[\]]"
)
"""Marks of other languages than Markdown around a word: HTML, TeX, the signs by which models end a turn."""
_TICKED = re.compile(r"^\[[xv✓✔]\]\s*")
_UNTICKED = re.compile(r"[☐⬜◻▢○◯]|\[ ?\](?!\()|\( \)")
_AFTER_REJECT = re.compile(
    r"$|[^\w\s]|[^\x00-\x7f]"
    r"|\s+(?:$|[^\w\s]|and|before|because|due|until|for|since|as|with|the|this|it|in|needed|required)"
)
_CRITERION = re.compile(r"([^\W_][^:=|\n]{0,39}?)\s*(?:[:=|]| [-–—] )[\W_]*")
_NO_FIRST = re.compile(r"[\W_]*(?:no|nope|not|never|isn't|不|没|未|否|还)")
_PROMISE = re.compile(r"\bi(?:'ll| will| can|'d| would)\b|我")
_GOES_ON = ("标准", "的话", "条件", "要求")
_OPENERS = "\"'“‘「『«‹`"
_CLOSERS = {'"': '"', "'": "'", "“": "”", "‘": "’'", "「": "」", "『": "』", "«": "»", "‹": "›", "`": "`"}


@dataclass(frozen=True, slots=True)
class Token:
    """The word that approves, in normal form."""

    text: str

    @classmethod
    def of(cls, token: str) -> Token:
        whole = normal(token).strip() or "approved"
        bare = _bare(whole)
        return cls(bare if len(bare) * 2 >= len(whole) else whole)

    def at(self, text: str, start: int = 0) -> int | None:
        """Where the token stands as a word of its own behind marks alone; None where it does not."""
        marks = _MARKS.match(text, start)
        end = marks.end() if marks else start
        found = text.find(self.text, start, end + len(self.text))
        if found < 0 or (found > start and not _parted(text, found)):
            return None
        return found if self.ends(text, found + len(self.text)) else None

    def ends(self, text: str, end: int) -> bool:
        """Whether the token that ends here is not the beginning of a longer word."""
        after, last = text[end : end + 1], self.text[-1]
        if not after or not last.isalnum():
            return True
        if _is_cjk(last):
            return not _is_cjk(after) or words("follow").match(text, end) is not None
        if after == "_":
            return not text[end:].lstrip("_")[:1].isalnum() or _is_cjk(text[end:].lstrip("_")[:1])
        if after in "'’" or (after in "-.@" and text[end + 1 : end + 2].isalnum()):
            return False
        return not after.isalnum() or _is_cjk(after)

    def inside(self, text: str) -> bool:
        """Whether the token stands anywhere as a word of its own."""
        start = text.find(self.text)
        while start >= 0:
            if _parted(text, start) and self._ends_inside(text, start + len(self.text)):
                return True
            start = text.find(self.text, start + 1)
        return False

    def _ends_inside(self, text: str, end: int) -> bool:
        return self.ends(text, end) or (_is_cjk(self.text[-1]) and text[end : end + 2] in _GOES_ON)


def _bare(text: str) -> str:
    start = _MARKS.match(text)
    return text[start.end() if start else 0 :].rstrip("".join(sorted({c for c in text if not c.isalnum()})) or " ")


def _is_cjk(char: str) -> bool:
    return "\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af"


def _parted(text: str, start: int) -> bool:
    """Whether the word that starts here does not go on a longer one."""
    before, first = text[start - 1 : start] if start else "", text[start]
    if not before or not first.isalnum() or _is_cjk(first):
        return True
    if before == "_":
        return not text[:start].rstrip("_")[-1:].isalnum()
    if before in "'’" or (before in "-./@\\" and text[max(start - 2, 0) : start - 1].isalnum()):
        return False
    return not before.isalnum() or _is_cjk(before)


# --- one line ----------------------------------------------------------------------------------------------------


def read_line(text: str, token: Token) -> tuple[Signal, ...]:
    """All that a line signals: first as a verdict line, else as one of a criterion, else sentence by sentence."""
    text = _WRAPPER.sub("", text)
    text = _table_row(_TAG.sub(lambda tag: " . " if tag[1] else " verdict: ", _TICKED.sub("✔ ", text)))
    if _is_unticked(text, token):
        return ("mention",)
    return _verdict_line(text, token) or _criterion_line(text, token) or _prose(text, token)


def _is_unticked(text: str, token: Token) -> bool:
    """A box that nobody ticked, before a verdict."""
    box = _UNTICKED.match(text)
    return box is not None and (token.at(text, box.end()) is not None or _rejects(text, box.end(), True))


def _table_row(text: str) -> str:
    if not text.startswith("|"):
        return text
    first, *others = [cell.strip() for cell in text.strip("| ").split("|")]
    return f"{first}: " + " - ".join(cell for cell in others if cell) if others else first


def _verdict_line(text: str, token: Token) -> tuple[Signal, ...]:
    """V2: the line starts with the token, or with another verdict, once marks, a score and labels are off."""
    text = _SCORE.sub(" ", text)
    start, labelled = _after_labels(text, token)
    if (at := token.at(text, start)) is not None:
        return _with_token(text, start, at, token)
    if _rejects(text, start, labelled):
        return ("revise",)
    return ()


def _after_labels(text: str, token: Token) -> tuple[int, bool]:
    start, labelled = 0, False
    for _ in range(3):
        if token.at(text, start) is not None:
            break
        marks = _MARKS.match(text, start)
        label = words("label").match(text, marks.end() if marks else start)
        if not label:
            break
        gap = _MARKS.match(text, label.end())
        if gap and gap.end() == label.end() and not (label.end() < len(text) and _is_cjk(text[label.end() - 1])):
            break
        start, labelled = label.end(), True
    return start, labelled


def _rejects(text: str, start: int, labelled: bool) -> bool:
    marks = _MARKS.match(text, start)
    at = marks.end() if marks else start
    if words("no_change").match(text, at):
        return False
    match = words("reject").match(text, at)
    if not match:
        return False
    if labelled:
        return _AFTER_REJECT.match(text, match.end()) is not None
    return not text[match.end() :].strip() or re.match(r"\s?[^\w\s'-]", text[match.end() :]) is not None


def _with_token(text: str, start: int, at: int, token: Token) -> tuple[Signal, ...]:
    """V3, V4, V5 and V7 for a line that starts with the token."""
    lead, tail = text[start:at], text[at + len(token.text) :]
    if _quotes_more(lead, tail):
        return ("mention", *_plain(tail))
    if _UNTICKED.search(lead) or ("{" in lead and '"' in lead):
        return ("mention",)
    if _REFUSING.search(lead + tail[:6]) or tail.lstrip().startswith(("!=", "≠")):
        return ("doubt",)
    if _offers_choice(tail):
        return ("mention",)
    own, rest = _own_sentence(tail)
    signs = own[: len(own) - len(own.lstrip(" \t*_`\"'”’」』）)]}】》.!。！…"))]
    stripped = own.strip()
    if re.match(r"[^\w]*[?？]", tail):
        return ("revise",) if _NO_FIRST.match(re.sub(r"^[^\w]*", "", tail)) else ("question",)
    said = stripped[_marks_end(stripped) :]
    if said and not _benign(said, own, signs):
        return ("withheld",) if withheld(said) else ("mention", *_plain(rest))
    return ("approved", *_following(rest))


def _offers_choice(tail: str) -> bool:
    """V7: “APPROVED / REVISE”, the template that was not filled in."""
    between = re.match(r"[\s*_`\"'”>\])]*(?:/|\||\bor\b|或者?)[\W_]*", tail)
    return between is not None and words("reject").match(tail, between.end()) is not None


def _marks_end(text: str) -> int:
    marks = _MARKS.match(text)
    return marks.end() if marks else 0


def _quotes_more(lead: str, tail: str) -> bool:
    """V3: a quotation that begins before the token and ends neither right after it nor with the line."""
    opener = next((char for char in reversed(lead) if char in _OPENERS), "")
    if not opener:
        return False
    closers = _CLOSERS[opener]
    near = re.match(r"[\s.!。！*_]*", tail)
    if near and tail[near.end() : near.end() + 1] in closers and tail[near.end() :]:
        return False
    return tail.rstrip("*_ .)").rstrip()[-1:] not in closers or not tail.strip()


def _own_sentence(tail: str) -> tuple[str, str]:
    """The rest of the token's own sentence, and what follows that."""
    end = SENTENCE_END.search(tail)
    return (tail[: end.start()], tail[end.end() :]) if end else (tail, "")


def _benign(said: str, own: str, signs: str) -> bool:
    """V2, V5: what stands in the token's own sentence is praise, an optional remark or a note that nothing changes."""
    parted = re.match(r"[\s*_`\"'”’」』)]*[^\w\s*_`\"'”’」』)]", own) is not None
    if not parted and not words("follow").match(said):
        return False
    if sense(said) in ("optional", "nothing"):
        return not _turns(said) or sense(said) == "optional"
    if sense(said) in ("past", "summary"):
        return not withheld(said)
    if sense(said) == "praise":
        return not withheld(said) or (not _turns(said) and not _conditions(said))
    return False


def _turns(said: str) -> bool:
    return words("but").search(words("no_change").sub("", said)) is not None


def _conditions(said: str) -> bool:
    return words("withhold").search(words("no_change").sub("", said)) is not None


def _following(rest: str) -> tuple[Signal, ...]:
    """Further sentences on a verdict line."""
    found: list[Signal] = []
    for sentence in sentences(rest):
        kind = sense(sentence)
        if not sentence[_marks_end(sentence) :]:
            continue
        if _NO_FIRST.match(sentence) and kind != "nothing":
            found.append("doubt")
        if kind in ("fault", "doubt"):
            found.append(kind)
        elif kind in ("refuse", "instruct", "report", "claim"):
            found.append("doubt")
    return tuple(found)


# --- single criteria, and sentences --------------------------------------------------------------------------------


def _criterion_line(text: str, token: Token) -> tuple[Signal, ...]:
    """V6: “Clarity: REVISE”."""
    label = _CRITERION.match(text, _marks_end(text))
    if not label or len(label[1].split()) > 4 or token.inside(label[1]):
        return ()
    fail = words("fail").match(text, label.end())
    if fail and _AFTER_REJECT.match(text, fail.end()) and not words("no_change").match(text, label.end()):
        return ("criterion_no", *_plain(text[fail.end() :]))
    at = token.at(text, label.end())
    if at is None:
        return ()
    signals = _with_token(text, label.end(), at, token)
    table: dict[Signal, Signal] = {"approved": "criterion_yes", "withheld": "criterion_no", "revise": "criterion_no"}
    return tuple(table.get(signal, signal) for signal in signals)


def _prose(text: str, token: Token) -> tuple[Signal, ...]:
    found: list[Signal] = []
    other: list[str] = []
    for sentence in sentences(text):
        if token.inside(QUOTED.sub("“”", sentence)):
            found.append(_in_sentence(sentence))
        else:
            other.append(sentence)
    return (*found, *_plain(" ".join(other)))


def _in_sentence(sentence: str) -> Signal:
    """V3, V4, V7 for a sentence that holds the token but does not start a line with it."""
    kind = sense(sentence)
    if kind in ("question", "doubt") and sentence.rstrip().endswith("?"):
        return "question"
    if kind == "instruct" and not (_promises(sentence) and words("withhold").search(sentence)):
        return "mention"
    return "withheld" if withheld(sentence) else "mention"


def _promises(sentence: str) -> bool:
    """“I'll say so when the ending is mended”, and not “I will say so if the text is good”."""
    return _PROMISE.search(sentence) is not None and not words("generic").search(sentence)


def _plain(text: str) -> tuple[Signal, ...]:
    kinds = set(senses(text))
    found: list[Signal] = ["fault"] if "fault" in kinds else []
    return (*found, "doubt") if kinds & {"doubt", "question", "claim"} else tuple(found)
