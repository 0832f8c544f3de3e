"""What the shipped fakes can find in a text, and how they mend it: a few plain rules for English and Chinese.

Pure and deterministic. For tests and teaching; the real rules are in `checks`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple


class Fault(NamedTuple):
    """One fault: the words concerned, what is wrong with them, and better ones ("" = only a remark)."""

    quote: str
    remark: str
    better: str = ""
    dimension: str = "wording"


PHRASES: Mapping[str, str] = {
    "due to the fact that": "because", "in order to": "to", "at this point in time": "now",
    "in the event that": "if", "for the purpose of": "for", "with regard to": "about",
    "a large number of": "many", "in spite of the fact that": "although", "has the ability to": "can",
    "is able to": "can", "are able to": "can", "utilizes": "uses", "utilized": "used", "utilize": "use",
    "prior to": "before", "subsequent to": "after", "a lot of": "plenty of", "very ": "",
    "really ": "", "basically, ": "",
    "在这个时候": "这时", "由于这个原因": "因此", "进行了讨论": "讨论了", "进行讨论": "讨论", "非常地": "很",
    "大量的": "许多", "基本上来说，": "", "事实上，": "", "的这样一个": "的",
}  # fmt: skip
WORDY = {False: "Wordy: fewer words say the same.", True: "啰嗦：少几个字意思不变。"}

OPENERS = {
    False: ("In short, ", "Put simply, ", "In brief, "),
    True: ("简而言之，", "总的来说，", "一句话，"),
}
CLOSERS = {
    False: ("That is what matters here.", "That is the point.", "The rest follows from this."),
    True: ("这就是要点。", "重点就在这里。", "其余的由此可知。"),
}
NO_OPENING = {False: "The opening does not say where the text is going.", True: "开头没有交代文章要说什么。"}
NO_ENDING = {False: "The text stops without an ending.", True: "文章没有收尾。"}
FLAT = {False: "This sentence is flat; the reader passes over it.", True: "这一句太平，读者会一带而过。"}

LOWERED = frozenset(
    ["A", "An", "The", "This", "That", "These", "Those", "We", "You", "They", "It", "There", "In", "On", "At", "For",
     "With", "As", "When", "If", "Our", "Your", "Due", "Because", "After", "Before", "Since", "While", "To", "By",
     "From", "Most", "Many", "Some", "Every", "Each", "All", "No", "Not", "What", "How", "Why", "But", "And"]
)  # fmt: skip
"""First words that are no names."""
NOT_PROSE = re.compile(r"\s*(?:#|>|[-*+] |\d+[.)] |\||```|---|\*\*\*|<|$|\w+: \S*$)")
PROTECTED = re.compile(r"(`[^`]*`|\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+)")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])")


def prose_lines(text: str) -> list[int]:
    """Numbers of the lines that are plain prose: no heading, list, quotation, table, code or front matter."""
    lines = text.split("\n")
    prose, fenced = [], bool(lines) and lines[0] == "---"
    for number, line in enumerate(lines):
        if line.startswith("```") or (fenced and number and line == "---"):
            fenced = not fenced
        elif not fenced and not NOT_PROSE.match(line):
            prose.append(number)
    return prose


def sentences(line: str) -> list[str]:
    return [part for part in SENTENCE_END.split(line) if part.strip()]


def first_sentence(text: str) -> str:
    return next((sentences(text.split("\n")[number])[0] for number in prose_lines(text)[:1]), "")


def last_sentence(text: str) -> str:
    return next((sentences(text.split("\n")[number])[-1] for number in prose_lines(text)[-1:]), "")


def faults(text: str, chinese: bool) -> list[Fault]:
    """At most three: wordy phrases and the opening first; the ending once they are mended; then none."""
    found = wordy(text, chinese)[:2]
    if (opening := first_sentence(text)) and not opened(text, chinese):
        found.append(Fault(opening, NO_OPENING[chinese], dimension="structure"))
        found += second_fault(text, chinese) if len(found) < 2 else []
    if not found and (ending := last_sentence(text)) and not closed(text, chinese):
        found.append(Fault(ending, NO_ENDING[chinese], dimension="structure"))
    return found


def second_fault(text: str, chinese: bool) -> list[Fault]:
    """Something to say beside the opening: the longest sentence that is not the first."""
    rest = [part for number in prose_lines(text) for part in sentences(text.split("\n")[number])][1:]
    return [Fault(max(rest, key=len), FLAT[chinese], dimension="clarity")] if rest else []


def wordy(text: str, chinese: bool) -> list[Fault]:
    """Wordy phrases in prose, in the order in which they stand, each once."""
    lines = text.split("\n")
    prose = "\n".join(PROTECTED.sub(lambda match: " " * len(match[0]), lines[n]) for n in prose_lines(text))
    found = [(match.start(), match[0], better) for phrase, better in PHRASES.items()
             if (match := _pattern(phrase).search(prose))]  # fmt: skip
    return [Fault(quote.strip(), WORDY[chinese], better) for _, quote, better in sorted(found)]


def opened(text: str, chinese: bool) -> bool:
    return first_sentence(text).lstrip("*_").startswith(OPENERS[chinese])


def closed(text: str, chinese: bool) -> bool:
    return last_sentence(text).strip() in CLOSERS[chinese]


def mended(text: str, chinese: bool, draw: int = 0) -> str:
    """The text with what `faults` finds in it now dealt with. Facts, quotations, code and links stay.

    `draw`: of several such texts each has an opening of its own.
    """
    if not wordy(text, chinese) and opened(text, chinese):
        return with_ending(text, chinese)
    plain = on_prose(text, without_phrases)
    return plain if opened(plain, chinese) else with_opening(plain, chinese, draw)


def half_mended(text: str, chinese: bool, left: int) -> str:
    """The same in one go, ending and all, by somebody who overlooks the last `left` wordy phrases."""
    overlooked = {fault.quote.casefold() for fault in wordy(text, chinese)[::-1][:left]}
    phrases = [phrase for phrase in PHRASES if phrase.strip().casefold() not in overlooked]
    plain = on_prose(text, lambda line: without_phrases(line, phrases))
    whole = plain if opened(plain, chinese) else with_opening(plain, chinese, left)
    return with_ending(whole, chinese)


def without_phrases(line: str, phrases: Iterable[str] = tuple(PHRASES)) -> str:
    pieces = PROTECTED.split(line)
    for phrase in phrases:
        pieces[::2] = [_replaced(piece, phrase, PHRASES[phrase]) for piece in pieces[::2]]
    return "".join(pieces)


def with_opening(text: str, chinese: bool, draw: int = 0) -> str:
    return _on_line(text, 0, lambda line: pick(OPENERS[chinese], text, draw) + _lowered(line))


def without_opening(text: str, chinese: bool) -> str:
    """The first line without its opening phrase; the text itself if it has none."""
    first = first_sentence(text)
    length = next((len(opener) for opener in OPENERS[chinese] if first.startswith(opener)), None)
    if length is None:
        return text
    return _on_line(text, 0, lambda line: line[length : length + 1].upper() + line[length + 1 :])


def with_ending(text: str, chinese: bool) -> str:
    return text if closed(text, chinese) else with_sentence(text, pick(CLOSERS[chinese], text), chinese)


def with_sentence(text: str, sentence: str, chinese: bool) -> str:
    """The text with one more sentence at the end of its last line of prose."""
    return _on_line(text, -1, lambda line: line.rstrip() + ("" if chinese else " ") + sentence)


def without_last_sentence(text: str, chinese: bool) -> str:
    """The text without the last sentence of its last line of prose; the only sentence of a text stays."""
    if len(prose_lines(text)) == 1 and len(sentences(text.split("\n")[prose_lines(text)[0]])) < 2:
        return text
    return _on_line(text, -1, lambda line: ("" if chinese else " ").join(sentences(line)[:-1]))


def pick(choices: Sequence[str], text: str, draw: int = 0) -> str:
    """One of the choices, always the same for the same text and draw."""
    return choices[(hashlib.sha256(text.encode("utf-8", "replace")).digest()[0] + draw) % len(choices)]


def on_prose(text: str, change: Callable[[str], str]) -> str:
    lines = text.split("\n")
    for number in prose_lines(text):
        lines[number] = change(lines[number])
    return "\n".join(lines)


def _on_line(text: str, which: int, change: Callable[[str], str]) -> str:
    numbers, lines = prose_lines(text), text.split("\n")
    if numbers:
        lines[numbers[which]] = change(lines[numbers[which]])
    return "\n".join(lines)


def _pattern(phrase: str) -> re.Pattern[str]:
    return re.compile((r"\b" if phrase.isascii() else "") + re.escape(phrase), re.IGNORECASE)


def _replaced(piece: str, phrase: str, better: str) -> str:
    return _pattern(phrase).sub(lambda match: _as_in(match[0], better), piece)


def _as_in(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def _lowered(line: str) -> str:
    first = line.partition(" ")[0]
    return first.lower() + line[len(first) :] if first in LOWERED else line
