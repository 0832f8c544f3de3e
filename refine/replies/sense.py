"""What a sentence of a critic's reply says, found by the tables of words: a fault, praise, an optional remark ...

Works on text in its normal form. Knows nothing of tokens, verdict lines or whole replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

from refine.replies import asides
from refine.replies.words import rows
from refine.replies.words_en import EN
from refine.replies.words_zh import ZH

Sense = Literal[
    "fault", "doubt", "optional", "praise", "nothing", "past",
    "question", "instruct", "refuse", "summary", "report", "claim", "other",
]  # fmt: skip
LONGEST_SENTENCE = 2000
"""Characters. Nobody writes a longer one; whatever it is, it does not go with an approval."""

QUOTED = re.compile(
    '"[^"\n]{1,400}"|“[^“”\n]{1,400}”|「[^「」\n]{1,400}」|『[^『』\n]{1,400}』|«[^«»\n]{1,400}»'
    "|‘[^‘’\n]{1,400}’"
    "|(?<!\\w)'[^'\n]{1,400}'(?!\\w)|`[^`\n]{1,400}`|《[^《》\n]{1,200}》"
)
SENTENCE_END = re.compile(r"[.!?;]+[\"'”’)\]*_]*(?=\s|$)|[。！？；!?]+[”’」』）)\]*_]*")
_CLAUSE_END = re.compile(
    r"[,:;()（）,，、：；|—–]+| - |\band\b(?= (?:fix|correct|change|remove|cut|add|delete|replace"
    r"|rewrite)\b)|\b(?:but|however|although|though|whereas|while|yet)\b|(?=但|然而|可是|不过|却)"
)
_ARROW = re.compile(r"“” ?(?:-+>|=+>|→|⇒|➜|➔|>) ?\S")
_QUOTE_FIRST = re.compile(
    r"[\s*_]*“”[\s*_]*(?:[:-]| [-–—]|[–—]+|(?:is|are|was|sounds?|reads?|feels|looks|means?|appears)\b"
    r"|[是太有读显])\s*\w"
)
_NOT = re.compile(
    r"\b(?:not|never|to be|must|should|needs?|once|until|unless|as soon as|provided|would"
    r"|when (?:the|it|this|that|these|those|you))\b|n't\b|^(?:after|if|when)\b"
    r"|未|没|不(?!再|复)"
)
_DONE = re.compile(
    r"^(?!\W*(?:one|two|three|four|some|several|a few|\d+)\b).{1,200}?(?:(?: [-–—]+|[→:]|[-=]+>) ?"
    r"|[(])[✅✔☑✓]?\s?(?:(?<=[→>] )[\w' ]{1,40} )?"
    r"(?:(?:now|all|both|already|has|have|been|was|were|is|are) ){0,3}"
    r"(?:now|fixed|resolved|addressed|corrected|removed|replaced|explained|defined|added|cut"
    r"|deleted|mended|clarified|"
    r"done|reworded|rewritten|supplied|split|gone|shortened|sourced|cited|handled|trimmed|tightened"
    r"|closed|moved)\b"
    r"|^.{1,80}[:–—-] (?:[\w-]+ ){1,6}(?:has|have) been"
    r" (?:added|removed|replaced|corrected|fixed|rewritten|supplied|moved)\b"
    r"|^.{1,100}?[-–—:→]+ ?(?:已|现已|均已|都已)(?:经|全部)?(?:改|修|补|删|解决|更正|统一|说明|注明|处理|调整|理顺)"
)
"""“The abrupt ending – replaced with a conclusion”: an old fault and what became of it."""
_TOLD = re.compile(
    r"\b(?:explains|shows|describes|tells|(?:will|can|now) (?:now )?(?:understand|see|learn|know))"
    r"(?: us| the reader| readers)?(?: exactly| at once| clearly| immediately)? (?:why|how"
    r"|what|who|when|where)(?: [\w'-]+){1,10}"
)
"""What a text tells well may be a failure ..."""
_DENIED = re.compile(
    r"\b(?:no|not|never|nobody|none|few|hardly|cannot|neither|nor|only|must|should|badly|poorly|too)\b|n't\b"
)
"""... but who does not understand why has found one in the text."""
_TOPIC = re.compile(
    r"\b(?:essay|article|piece|chapter|section|discussion|treatment|account|explanation|analysis"
    r"|coverage|history|"
    r"story|study|paragraph|text|book|portrait|tale|picture|look|view|exploration|reflection|report"
    r"|memoir) (?:on|of|about|at)"
    r"(?: (?:the|a|his|her|their|its))?(?: \w+){0,2}? (?:loss|grief|errors?|missing \w+|fail\w+"
    r"|mistakes?|problems?|"
    r"issues?|weak\w+|flaws?|gaps?|contradictions?|misinformation|confusion|concerns?|faults?)\b"
    r"(?: (?:and|or) (?:loss|grief|fail\w+|errors?|recovery|hope)\b)?"
)
"""A text may be about faults."""
_ABOUT = re.compile(
    r"\b(?:account|story|tale|portrait|picture|description|analysis|explanation|record|history|look at)"
    r" (?:of )?(?:how|why|what)(?: [\w'-]+){1,14}"
)
_ANSWER = re.compile(r"[\W_]*(?:(no|none|nothing|not at all|没有|无|否)|yes|是|有)\b")
_OPEN = re.compile(
    r"[\W_]*(?:to-?do|fixme|outstanding|remaining|pending|missing|open (?:points?|issues?"
    r"|questions?)|action items?"
    r"|遗留|待办|待改|待补)\s?:\s?"
)
"""Opens a line that says what is left to do."""
_CORRECTED = re.compile(
    r"^\W*\w+, not [\w ]{2,20}, (?:is|are|was|were|wrote|has|had)\b|"
    r"\bsays? [^.]{0,30}\d[^.]{1,60}\b(?:says?|gives?|has) [^.]{0,30}\d"
    r"|\d[^,;.]{0,20}, not (?:\w+ ){0,2}\d|(?:而不是|而非|不是)\s?\d"
)
_TICK = re.compile(r"\s{0,3}:?\s{0,3}[✅✔☑👍💯✓]+(?=\s{0,3}(?:$|[,.;(-]|no(?:ne|thing)?\b|无|没))")
_GAPS = re.compile(
    r"[\W_]*(gaps|issues|problems|faults|errors|weaknesses|omissions|缺漏|遗漏|不足|问题)[\s*_]{0,4}[:–—-]\s?"
)
_FINE = re.compile(
    r"[\W_]*(?:ok|okay|fine|good|pass(?:ed)?|n/a|no|none|yes|covered|met|(?:[789]"
    r"|10)(?:\.\d)?\s?(?:/\s?10|分)|5\s?/\s?5|合格|通过|没有|无)[\W_]*"
)
_FINE_AT_LAST = re.compile(
    r"(?:[:–—|-]\s*)(?:ok|okay|fine|high|yes|met|covered|\d[\d./ ]*分?)[\W_]*$"
    r"|^[^\w]*(?:i['\s]|below\b|here\b)|^(?:我|下面|以下)"
)
"""A criterion that is met, or the critic speaking of itself."""
_CRITERION = re.compile(
    r"[\W_x\d]*(?:(?:step|point|check) \d+|facts?|(?:factual )?accuracy|logic|clarity|gaps|style|tone|structure"
    r"|grammar|language|completeness|plot|characters?|spelling|evidence|arguments?|coherence|准确性|逻辑性?|清晰度|表达|事实|结构|语言|完整性|情节|人物)"
    r"(?:[\W_]*$|\**\s?[:：|–—-]|\s[|-]\s)"
)
"""The name of a criterion is no part of what is said of it."""
_SCORED = re.compile(r"\b\w+\s?[:：]?\s?(?:(?:[89](?:\.\d)?|10)\s?(?:/\s?10|分)|[45]\s?/\s?5\b)")
_ASKS_YOU = re.compile(
    r"[\W_]*(?:could|can|would|will) you(?: please| kindly| also| just| perhaps)? (?!provide|show|share|tell me|say)"
)
_HIDDEN = " ¦ "
_EMPHASIS = re.compile(r"[*`]+|__")
_LABEL_OF_NOTHING = re.compile(r"[^\W\d_][\w ]{0,20}:\s*(?=¦)")
_SIGNS = " \t\n\"'“”‘’*_`#>([{<-–—•·.:,，。、：;!~|¦）)]}"


@cache
def words(field: str, prefix: str = "") -> re.Pattern[str]:
    """Matches any row of `field` in either language: English rows as whole words, Chinese rows anywhere."""
    tables = (EN, ZH) if hasattr(EN, field) else (asides.EN, asides.ZH)
    english, chinese = ("|".join(rows(getattr(table, field))) for table in tables)
    return re.compile(f"(?<![a-z0-9_]){prefix}(?a:{english})(?![a-z0-9_])|(?=[^\\x00-\\x7f]){prefix}(?:{chinese})")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a line or paragraph, each with its closing signs."""
    start = 0
    for match in SENTENCE_END.finditer(text):
        if piece := text[start : match.end()].strip():
            yield piece
        start = match.end()
    if piece := text[start:].strip():
        yield piece


@lru_cache(maxsize=4096)
def sense(sentence: str) -> Sense:
    """What one sentence says."""
    if len(sentence) > LONGEST_SENTENCE:
        return "doubt"
    sentence = sentence.replace("有没有", "有").replace("有无", "有")
    if label := _GAPS.match(sentence):
        rest = sentence[label.end() :]
        kind = label[1] == "gaps" and sense(rest) == "praise"
        if kind or _FINE.fullmatch(rest) or _is_settled(rest) or sense(rest) == "nothing":
            return "nothing"
    if (label := _OPEN.match(sentence)) and not _FINE.fullmatch(sentence[label.end() :]):
        return "nothing" if sense(sentence[label.end() :]) == "nothing" else "fault"
    if _CORRECTED.search(sentence):
        return "fault"
    bare = _TICK.sub(":" + _HIDDEN, _EMPHASIS.sub("", QUOTED.sub("“”", sentence)))
    if not words("still").search(bare) and not _NOT.search(bare):
        bare = _DONE.sub(_HIDDEN, bare)
    bare = _SCORED.sub(_HIDDEN, bare)
    bare = _ABOUT.sub("“”", _TOPIC.sub("“”", bare))
    if not _DENIED.search(bare):
        bare = _TOLD.sub(_HIDDEN, bare)
    left = _LABEL_OF_NOTHING.sub("", words("no_change").sub(_HIDDEN, bare))
    faulty = any(_names_fault(clause) for clause in _CLAUSE_END.split(left))
    turned = _turns(left)
    if words("refuse").search(bare):
        return "refuse"
    if words("instruct").search(bare) and not (turned and faulty):
        return "instruct"
    if words("past").search(bare) and not words("still").search(left):
        return "past"
    told = words("summary").search(bare)
    if told and not (turned and faulty):
        return (
            "fault"
            if words("strong").search(left) or (faulty and told.start() > 0)
            else "doubt"
            if faulty
            else "summary"
        )
    if sentence.rstrip(_SIGNS).endswith("?"):
        if (asked := _ASKS_YOU.match(bare)) and words("order").match(bare, asked.end()):
            return "fault"
        named = faulty and _names_fault(left.partition(":")[0]) and ":" in left
        return "fault" if named else "doubt" if faulty else "question"
    if words("optional").search(bare):
        return "fault" if words("strong").search(left) else "optional"
    if faulty or turned or _ARROW.search(bare):
        return "fault"
    if words("report").search(left):
        return "report"
    if words("praise").search(left):
        return "praise"
    if left == bare and _HIDDEN not in bare and words("hint").search(left) and not _is_settled(left):
        return "fault"
    if left != bare or _HIDDEN in bare:
        return "nothing"
    if _QUOTE_FIRST.match(bare):
        return "fault"
    plain = _CRITERION.sub("", bare)
    judged = words("part").search(plain) and not _is_settled(plain) and not _FINE_AT_LAST.search(plain)
    return "claim" if judged else "other"


def senses(text: str) -> Iterator[Sense]:
    """What the sentences of a text say; a question answered by yes or no counts with its answer."""
    asked: Sense | None = None
    for sentence in sentences(text):
        answer = _ANSWER.match(sentence)
        if asked is not None:
            yield asked if answer is None else "nothing" if (asked == "doubt") is bool(answer[1]) else "fault"
        found = sense(sentence)
        asked = found if found in ("doubt", "question") else None
        if asked is None:
            yield found
    if asked is not None:
        yield asked


def _turns(left: str) -> bool:
    """Whether a “but” is followed by something that is not plainly kind."""
    turn = words("but").search(left)
    if not turn:
        return False
    after = left[turn.end() :].strip(_SIGNS)
    if len(after) < 4:
        return False
    kind = any(words(field).search(after) for field in ("praise", "optional", "settled"))
    return not kind and _HIDDEN.strip() not in after


def _names_fault(clause: str) -> bool:
    clause = clause.strip(_SIGNS)
    if not clause:
        return False
    if _is_settled(clause):
        return False
    if words("lacking").search(clause) or words("demand").search(clause) or words("order").match(clause):
        return True
    return words("fault").search(_denied().sub(_HIDDEN, clause)) is not None


def _is_settled(clause: str) -> bool:
    """A fault of an earlier round that is mended, and not one that has yet to be."""
    settled = words("settled").search(clause) is not None
    return settled and not words("still").search(clause) and not _NOT.search(clause)


@cache
def _denied() -> re.Pattern[str]:
    """A fault that is denied: no errors, nothing is missing, 没有错误."""
    english = "|".join(rows(EN.deny)), "|".join(rows(EN.fault))
    chinese = "|".join(rows(ZH.deny)), "|".join(rows(ZH.fault))
    return re.compile(
        rf"(?<![a-z0-9_])(?a:(?:{english[0]})(?: [\w'-]+){{0,3}} (?:{english[1]}))(?![a-z0-9_])"
        rf"|(?:{chinese[0]})\w{{0,7}}?(?:{chinese[1]})"
    )


def withheld(sentence: str) -> bool:
    """Whether an approval in this sentence is negated, conditional or qualified."""
    left = words("no_change").sub(_HIDDEN, QUOTED.sub("“”", sentence))
    if words("withhold").search(left):
        return True
    return any(_names_fault(clause) for clause in _CLAUSE_END.split(left))
