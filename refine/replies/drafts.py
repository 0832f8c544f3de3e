"""The draft in a writer's reply: rules W1 to W8, one small step per rule. All else is content, byte for byte.

The steps work on the edges of a span of lines and never look into the text between. Knows nothing of runs or models.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from refine.replies.lines import Token
from refine.replies.sense import SENTENCE_END
from refine.replies.talk import talk
from refine.replies.text import normal, split_reasoning

_RULE = re.compile(r"[ ]{0,3}(?:(?:-[ ]*){3,}|(?:\*[ ]*){3,}|(?:_[ ]*){3,}|(?:=[ ]*){3,})$")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ ]*([^`\s]*)[ ]*$")
_FRONT_MATTER = re.compile(r"[A-Za-z_][\w -]{0,60}:(?:\s|$)")
_ITEM = re.compile(r"\s{0,12}(?:[-*+•–—]\s|\(?\d{1,3}[.)、．）]|[（(]?[一二三四五六七八九十]{1,3}[、)）])|\s{2,}\S|\|")
_TAG = re.compile(r"<(/?)(revised|draft|final)>", re.IGNORECASE)
_SALUTATION = re.compile(
    r"(?:dear|hello|hi|hey|good (?:morning|afternoon|evening))\b[^.!?]{0,60}[,:!]$|(?:尊敬的|亲爱的).{0,40}[:,]$"
    r"|.{1,12}(?:您好|你好)[!,:]$"
)
_QUOTE_ONLY = re.compile('[:：]\\s*(?:"([^"]+)"|“([^“”]+)”|「([^「」]+)」|『([^『』]+)』)$')
_CONTENT_SIGNS = "#|>\"“「『‘'<-*"
WRAPPERS = ("", "text", "txt", "md", "markdown", "plaintext", "plain")
LONGEST_LABEL = 120
MOST_LINES = 200
LONGEST_TALK = 1200
"""Characters of a paragraph of talk; a longer one is content."""


@dataclass(slots=True)
class Span:
    """Lines `start` to `end` of a reply: what is still taken for the draft."""

    lines: list[str]
    start: int
    end: int

    def text(self) -> str:
        return "".join(self.lines[self.start : self.end])

    def skip_blank(self) -> None:
        while self.start < self.end and not self.lines[self.start].strip():
            self.start += 1

    def drop_blank(self) -> None:
        while self.end > self.start and not self.lines[self.end - 1].strip():
            self.end -= 1

    def first(self) -> tuple[int, int]:
        """The first paragraph; nothing where it is longer than any talk."""
        start = self.start
        while start < self.end and not self.lines[start].strip():
            start += 1
        end = start
        while end < self.end and self.lines[end].strip():
            end += 1
            if end - start > MOST_LINES:
                return start, start
        return start, end

    def last(self, end: int | None = None) -> tuple[int, int]:
        """The last paragraph before `end`; nothing where it is longer than any talk."""
        end = self.end if end is None else end
        while end > self.start and not self.lines[end - 1].strip():
            end -= 1
        start = end
        while start > self.start and self.lines[start - 1].strip():
            start -= 1
            if end - start > MOST_LINES:
                return end, end
        return start, end


Step = Callable[[Span], bool]
"""Takes something off the span's edges; True where it did."""


def read_draft(text: str | None, token: str = "APPROVED") -> str | None:
    """The text in a writer's reply, without talk about it; None where there is none. Never raises.

    Args:
        text: the reply.
        token: the critic's word of approval; a reply that is only this word holds no draft.
    """
    while text is not None:
        read = _read_once(text, token)
        if read == text:
            return text
        text = read
    return None


def _read_once(text: str, token: str) -> str | None:
    body = split_reasoning(text.removeprefix("\ufeff"))[1]
    if not body.strip():
        return None
    span = Span(body.splitlines(keepends=True) if _plain_breaks(body) else _split(body), 0, 0)
    span.end = len(span.lines)
    changed = True
    while changed:
        changed = sum(step(span) for step in STEPS) > 0
    left = _inside_tags(span)
    if left is None:
        left = _quoted_alone(span)
    if left is None:
        left = span.text()
    return None if _holds_nothing(left, token) else left


def _plain_breaks(text: str) -> bool:
    return not re.search(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", text)


def _split(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)


def _holds_nothing(text: str, token: str) -> bool:
    """W8: nothing, only the critic's token."""
    if not text.strip():
        return True
    if len(text) > len(token) + 40:
        return False
    said = normal(text)
    wanted = Token.of(token).text
    return re.sub(r"[\W_]", "", said) == re.sub(r"[\W_]", "", wanted)


# --- steps -----------------------------------------------------------------------------------------------------------


def _announcement(span: Span) -> bool:
    """W2: a first paragraph, or a first line, that announces the text, thanks or reports; and the rule after it."""
    start, end = span.first()
    if start == end or _lists_changes(span, start) or _is_bare_name(span, start, end):
        return False
    if not _is_talk(span.lines[start:end], OPENING) and not _nods_before_more(span, start, end):
        if end - start < 2 or not _is_lead(span.lines[start]):
            return False
        end = start + 1
    span.start = end
    span.skip_blank()
    if span.start < span.end and _is_rule(span.lines[span.start]) and not _opens_front_matter(span):
        span.start += 1
        span.skip_blank()
    return True


def _label(span: Span) -> bool:
    """W4: “Revised text (round 3):” on a line of its own."""
    start, end = span.first()
    if start == end or not _is_label(span.lines[start], "label"):
        return False
    span.start = start + 1
    span.skip_blank()
    return True


def _changes_before(span: Span) -> bool:
    """W5: a labelled list of changes before a labelled text."""
    start, end = span.first()
    if start == end or not _is_label(span.lines[start], "changes"):
        return False
    at = start + 1
    while at < span.end and (not span.lines[at].strip() or _ITEM.match(span.lines[at]) or _is_rule(span.lines[at])):
        at += 1
    if at == span.end or at == start + 1 or not _is_label(span.lines[at], "label"):
        return False
    span.start = at
    return True


def _closing(span: Span) -> bool:
    """W5: a last paragraph about the work, or an offer of help, with the rule before it."""
    start, end = span.last()
    while start + 1 < end and _is_rule(span.lines[start]):
        start += 1
    if (
        start == end
        or _is_bare_name(span, start, end)
        or not _is_talk(span.lines[start:end], CLOSING if _is_letter(span) else CLOSING_ALL)
    ):
        return False
    _cut_end(span, start)
    return True


def _changes_after(span: Span) -> bool:
    """W5: a labelled list of changes at the end, with the rule before it."""
    start, end = span.last()
    while start < end:
        label = _label_of_changes(span, start)
        if label and all(_ITEM.match(line) for line in span.lines[start + 1 : end]):
            _cut_end(span, start)
            return True
        if not all(_ITEM.match(line) for line in span.lines[start:end]):
            return False
        start, end = span.last(start)
    return False


def _label_of_changes(span: Span, at: int) -> bool:
    line = span.lines[at]
    if line.lstrip().startswith("#"):
        before = span.last(at)
        ruled = before[0] < before[1] and _is_rule(span.lines[before[1] - 1])
        return ruled and _is_label(line.lstrip("# "), "changes", bare=True)
    return _is_label(line, "changes") or _is_label(re.split("[:：]", line, maxsplit=1)[0] + ":", "changes")


def _fence(span: Span) -> bool:
    """W3: one fence around everything; where its last line is missing, only the first goes."""
    found = False
    while _unwrap(span):
        found = True
    return found


def _unwrap(span: Span) -> bool:
    start, end = span.start, span.end
    while start < end and not span.lines[start].strip():
        start += 1
    while end > start and not span.lines[end - 1].strip():
        end -= 1
    if start == end:
        return False
    opening = _FENCE.match(span.lines[start].rstrip("\r\n"))
    if not opening or normal(opening[2]) not in WRAPPERS:
        return False
    closing = _FENCE.match(span.lines[end - 1].rstrip("\r\n")) if end - 1 > start else None
    if closing and closing[1].startswith(opening[1]) and not closing[2]:
        span.start, span.end = start + 1, end - 1
        _trim_break(span)
        return True
    if _closed_inside(span.lines[start + 1 : end], opening[1]):
        return False
    span.start, span.end = start + 1, end
    return True


def _closed_inside(lines: list[str], marks: str) -> bool:
    """Whether the fence ends before the text does: a bare fence is left over that closes no fence inside."""
    fences = [match for line in lines if (match := _FENCE.match(line.rstrip("\r\n"))) and match[1].startswith(marks)]
    bare = sum(not match[2] for match in fences)
    return (bare - (len(fences) - bare)) % 2 == 1


def _trim_break(span: Span) -> None:
    """The line break before a closing line belongs to the wrapper."""
    if span.end > span.start:
        span.lines[span.end - 1] = span.lines[span.end - 1].rstrip("\r\n")


STEPS: tuple[Step, ...] = (_announcement, _label, _changes_before, _closing, _changes_after, _fence)


def _inside_tags(span: Span) -> str | None:
    """W6: what stands between a pair of tags around the text."""
    text = span.text()
    tags = list(_TAG.finditer(text))
    for opening in tags:
        if opening[1] or text[: opening.start()].rpartition("\n")[2].strip():
            continue
        closing = next((tag for tag in reversed(tags) if tag[1] and tag[2].lower() == opening[2].lower()), None)
        if closing is None or closing.start() < opening.end() or text[closing.end() :].partition("\n")[0].strip():
            return None
        around = (text[: opening.start()] + text[closing.end() :]).strip()
        alone = not text[opening.end() :].partition("\n")[0].strip()
        if around and not alone:
            return None
        return text[opening.end() : closing.start()].lstrip("\r\n").rstrip("\r\n")
    return None


def _quoted_alone(span: Span) -> str | None:
    """W2: “Here is the revised sentence: “…””; the quoted text is the draft."""
    start, end = span.first()
    if end - start != 1 or span.last() != (start, end):
        return None
    line = span.lines[start].strip()
    match = _QUOTE_ONLY.search(line)
    if not match or not _is_talk([line[: match.start()] + ":"], ("announce", "label")):
        return None
    return next(group for group in match.groups() if group is not None)


# --- what a paragraph is ------------------------------------------------------------------------------------------

OPENING = ("announce", "report", "thanks", "offer", "refuse")
CLOSING = ("report", "thanks", "offer", "refuse")
CLOSING_ALL = (*CLOSING, "courtesy")


def _is_talk(lines: list[str], kinds: tuple[str, ...]) -> bool:
    """Whether every sentence of a paragraph is talk about the work, and not only a nod."""
    text = "".join(lines).strip()
    if len(text) > LONGEST_TALK or _QUOTE_ONLY.search(text):
        return False
    italic = re.fullmatch(r"[*_]\w[^*\n]*[*_]", text)
    if text[:1] in _CONTENT_SIGNS and not text.startswith("**") and not italic:
        return False
    return _all_talk(text, kinds)


@lru_cache(maxsize=256)
def _all_talk(text: str, kinds: tuple[str, ...]) -> bool:
    found = [_kind(sentence.strip(" *_()"), kinds) for sentence in _sentences(text)]
    if not all(found):
        return False
    return any(kind != "nod" for kind in found) or text.endswith(("!", "！"))


def _kind(sentence: str, kinds: tuple[str, ...]) -> str:
    sentence = sentence.rstrip(" :")
    nod = talk("nod").match(sentence)
    rest = sentence[nod.end() :].lstrip(" ,-–—:!，") if nod else sentence
    if nod and not rest.strip(".!"):
        return "nod"
    for said in dict.fromkeys((sentence, rest)):
        for kind in kinds:
            if (match := talk(kind).match(said)) and (kind != "label" or match.end() == len(said)):
                return kind
    return ""


def _sentences(text: str) -> list[str]:
    text = normal(" ".join(text.split()))
    pieces, start = [], 0
    for end in SENTENCE_END.finditer(text):
        pieces.append(text[start : end.start()])
        start = end.end()
    return [piece.strip() for piece in (*pieces, text[start:]) if piece.strip(" *_")]


def _nods_before_more(span: Span, start: int, end: int) -> bool:
    """“Certainly.” on a line of its own is talk where an announcement, a label or a fence comes next."""
    if end - start != 1 or _kind(normal(span.lines[start]).strip(" .。*_\r\n"), ()) != "nod":
        return False
    start, end = Span(span.lines, end, span.end).first()
    if start == end:
        return False
    fence = _FENCE.match(span.lines[start].rstrip("\r\n"))
    return bool(fence) or _is_label(span.lines[start], "label") or _is_talk(span.lines[start:end], OPENING)


def _is_lead(line: str) -> bool:
    """A line that announces and ends with a colon, with the text right below."""
    text = line.strip().rstrip("*_ ")
    return text.endswith((":", "：")) and _is_talk([text], ("announce", "report", "thanks"))


@lru_cache(maxsize=256)
def _is_label(line: str, field: str, *, bare: bool = False) -> bool:
    if len(line) > LONGEST_LABEL:
        return False
    text = normal(line).strip()
    if text.startswith(("#", "|", ">", "- ")):
        return False
    bold = text.startswith(("**", "【", "[")) and text.rstrip(":").endswith(("**", "】", "]"))
    inner = text.strip("*_ 【】[]")
    if not (inner.endswith(":") or text.endswith(":") or bold or bare):
        return False
    match = talk(field).match(inner)
    return match is not None and not inner[match.end() :].strip(" :*_")


def _lists_changes(span: Span, at: int) -> bool:
    """Whether a label of changes stands over a list, and not “修改如下：” over the text itself."""
    below = next((line for line in span.lines[at + 1 : at + 4] if line.strip()), "")
    return _is_label(span.lines[at], "changes") and _ITEM.match(below) is not None


def _is_bare_name(span: Span, start: int, end: int) -> bool:
    """“Second draft.” as all that there is: a name for a version announces nothing, so it is the text."""
    alone = end - start == 1 and span.last() == (start, end)
    line = span.lines[start].strip() if alone else ":"
    return not normal(line).endswith(":") and _is_label(line.rstrip(".。!！"), "label", bare=True)


def _is_letter(span: Span) -> bool:
    start, end = span.first()
    line = span.lines[start] if start < end else ""
    return len(line) < LONGEST_LABEL and _SALUTATION.match(normal(line).strip()) is not None


def _is_rule(line: str) -> bool:
    return _RULE.match(line.rstrip("\r\n")) is not None


def _opens_front_matter(span: Span) -> bool:
    after = span.lines[span.start + 1 : span.start + 2]
    return span.lines[span.start].startswith("---") and bool(after) and _FRONT_MATTER.match(after[0]) is not None


def _cut_end(span: Span, at: int) -> None:
    span.end = at
    span.drop_blank()
    if span.end - 1 > span.start and _is_rule(span.lines[span.end - 1]) and not span.lines[span.end - 2].strip():
        span.end -= 1
        span.drop_blank()
    elif span.end - 1 == span.start and _is_rule(span.lines[span.start]):
        span.end -= 1
    _trim_break(span)
