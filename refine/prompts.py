"""Prompts: text with holes, filled into the messages of one call. Pure: knows nothing of files, models or rounds.

A hole is `{{ name }}`, from one table of names. Jinja2 reads it, but only variables, `if` and a few filters may be
used, so that a prompt typed into a page can neither reach into the program nor keep it busy. All other braces are text,
and what is put into a hole is never looked at again.
"""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from refine.errors import PromptError
from refine.types import Finding, Message

MAX_CHARACTERS = 100_000

HOLES = ("draft", "findings", "lessons", "brief", "language", "token", "style_sheet", "locked", "tools", "step",
         "max_steps", "original", "other", "rubric")  # fmt: skip

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "writer": ("draft",), "critic": ("draft",), "judge": ("draft",), "pair": ("draft", "other"),
}  # fmt: skip
"""By kind of role: what a prompt that writes its own user message must show."""

MARKS = ("draft", "findings", "lessons", "brief", "locked", "style_sheet", "observation", "original", "text_1",
         "text_2")  # fmt: skip
"""Tags that the shipped prompts put around material. A reply may repeat them at its edges; they are never content."""

RULE = "\n\n---\n\n"
"""Stands between the draft and the remarks where a prompt leaves the user message to us."""


# --- what a prompt may hold ----------------------------------------------------------------------------------


def _default(value: object, other: object) -> object:
    """An empty value counts as missing: every known hole has a value, most often an empty one."""
    return value or other


FILTERS: Mapping[str, tuple[Callable[..., object], int]] = {
    "trim": (lambda value: str(value).strip(), 0),
    "upper": (lambda value: str(value).upper(), 0),
    "lower": (lambda value: str(value).lower(), 0),
    "length": (lambda value: len(str(value)), 0),
    "join": (lambda value, between: str(between).join(str(value).splitlines()), 1),
    "default": (_default, 1),
}
"""Name -> what it does, and how many arguments it takes. `join` puts its argument between the lines of a value."""

MAX_ARGUMENT = 100
"""Characters, and no line break, or joins of joins could grow without end."""

ALLOWED = (nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.If, nodes.Filter, nodes.Const,
           nodes.Not, nodes.And, nodes.Or, nodes.Compare, nodes.Operand)  # fmt: skip

REFUSED: Mapping[type[nodes.Node], str] = {
    nodes.For: "a loop",
    nodes.Getattr: "an attribute (a name after a dot)",
    nodes.Getitem: "an index in square brackets",
    nodes.Call: "a call",
    nodes.Assign: "set",
    nodes.AssignBlock: "set",
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "import",
    nodes.Extends: "extends",
    nodes.Block: "block",
    nodes.Macro: "a macro",
    nodes.CallBlock: "a macro call",
    nodes.BinExpr: "arithmetic",
    nodes.UnaryExpr: "arithmetic",
    nodes.Test: "a test with `is`",
    nodes.CondExpr: "an inline if",
}


def _environment() -> ImmutableSandboxedEnvironment:
    env = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        # Jinja's own comment marks are common in texts ({#anchor}); these are not.
        comment_start_string="\ue000{#",
        comment_end_string="#}\ue000",
    )
    env.globals.clear()
    env.tests.clear()
    env.filters.clear()
    env.filters.update({name: function for name, (function, _) in FILTERS.items()})
    return env


ENVIRONMENT = _environment()

_RAW = r"\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}"
_RAW_BLOCK = re.compile(_RAW, re.DOTALL)
_NOT_A_HOLE = re.compile(
    _RAW
    + r"""
    | \{(?=\{\{)                                       # the first of three braces
    | \{\{(?=\s*(?:[^\s\w'"(+~-]|"[^"\n]*"\s*:|'[^'\n]*'\s*:|$))  # JSON in doubled braces, {{}}
    | \{%(?![-+]?[ \t]*[A-Za-z_])                      # {%20 and the like
    """,
    re.DOTALL | re.VERBOSE,
)


def _literal(match: re.Match[str]) -> str:
    found = match.group()
    return found if len(found) > 2 else "{{ '" + found + "' }}"


# --- reading a prompt ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holes:
    """One template, read: what fills it, the holes it names, and those of them that show in the message."""

    template: Template
    named: frozenset[str]
    shown: frozenset[str]

    def pieces(self, values: Mapping[str, str]) -> Iterator[str]:
        """The constant texts and the values, in order, each apart."""
        return filter(None, self.template.generate(values))


def prompt_hash(text: str) -> str:
    """The version of a prompt: 12 hex digits, equal for equal text whatever its line ends and accents are made of."""
    return hashlib.sha256(unicodedata.normalize("NFC", _lines(text)).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def split(text: str) -> tuple[str, str | None]:
    """(system template, user template or None): what stands before the first line `user:` is the system message.

    A first line `system:` is allowed and dropped. A line within `{% raw %}` never splits.
    """
    system, user = _split(text)
    return system[0], user[0] if user else None


def _split(text: str) -> tuple[tuple[str, int], tuple[str, int] | None]:
    """As `split`, each template with the number of line breaks before it."""
    text = _lines(text)
    begin = match.end() if (match := re.match(r"\s*^system:[ \t]*$", text, re.MULTILINE)) else 0
    hidden = [match.span() for match in _RAW_BLOCK.finditer(text)]
    for line in re.finditer(r"^user:[ \t]*$", text, re.MULTILINE):
        if not any(start <= line.start() < end for start, end in hidden):
            return _stripped(text, begin, line.start()), _stripped(text, line.end(), len(text))
    return _stripped(text, begin, len(text)), None


def _stripped(text: str, start: int, end: int) -> tuple[str, int]:
    part = text[start:end]
    bare = part.lstrip()
    return bare.rstrip(), text.count("\n", 0, end - len(bare))


def _lines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def kind_of(role: str) -> str:
    """The kind of a role: every role whose name begins with "critic" is a critic."""
    return "critic" if role.startswith("critic") else role


def validate(text: str, role_kind: str, where: str, *, first_line: int = 1, required: Iterable[str] = ()) -> None:
    """Raises PromptError, naming `where` and the line, for a prompt that cannot be filled.

    `first_line` is the number of the text's first line in its file; `required` adds to `REQUIRED`.
    """
    _check(*_read(text, where, first_line), kind_of(role_kind), where, tuple(required))


@lru_cache(maxsize=256)
def _read(text: str, where: str, first_line: int = 1) -> tuple[Holes, Holes | None]:
    if len(text) > MAX_CHARACTERS:
        raise PromptError(
            f"{where}: the prompt is too long; got {len(text):,} characters. Keep it to {MAX_CHARACTERS:,}."
        )
    system, user = _split(text)
    return _holes(*system, where, first_line), _holes(*user, where, first_line) if user else None


def _holes(template: str, breaks: int, where: str, first_line: int) -> Holes:
    def place(line: int) -> str:
        return f"{where}, line {first_line + breaks + line - 1}"

    try:
        tree = ENVIRONMENT.parse(_NOT_A_HOLE.sub(_literal, template))
        used = list(_names(tree, place))
        return Holes(
            ENVIRONMENT.from_string(tree),
            frozenset(name for name, _ in used),
            frozenset(name for name, shown in used if shown),
        )
    except TemplateSyntaxError as error:
        raise PromptError(
            f"{place(error.lineno)}: the braces cannot be read; got: {error.message}. "
            "Write holes as {{ draft }}, and put braces that are text between {% raw %} and {% endraw %}."
        ) from error
    except (RecursionError, MemoryError, SyntaxError, ValueError) as error:
        raise PromptError(
            f"{where}: the prompt cannot be read; got {type(error).__name__}, so it nests too deeply or holds too "
            "large a number. Make it simpler."
        ) from error


def _names(node: nodes.Node, place: Callable[[int], str], shown: bool = False) -> Iterator[tuple[str, bool]]:
    """Every hole in the tree, and whether its value is shown. Raises PromptError for all that a prompt may not hold."""
    if not isinstance(node, ALLOWED):
        what = next((words for kind, words in REFUSED.items() if isinstance(node, kind)), type(node).__name__)
        raise PromptError(
            f"{place(node.lineno)}: {what} is not allowed in a prompt; got {type(node).__name__}. "
            f"Use holes like {{{{ draft }}}}, if, and the filters {', '.join(FILTERS)}."
        )
    if isinstance(node, nodes.Name):
        _known(node, place)
        yield node.name, shown
    if isinstance(node, nodes.Filter):
        _filter(node, place)
    for field, inner in node.iter_fields():
        for child in inner if isinstance(inner, list) else [inner]:
            if isinstance(child, nodes.Node):
                shows = field != "test" and (shown or isinstance(node, nodes.Output))
                yield from _names(child, place, shows)


def _known(node: nodes.Name, place: Callable[[int], str]) -> None:
    if node.name in HOLES:
        return
    near = get_close_matches(node.name, HOLES, 1)
    guess = f" Did you mean {{{{ {near[0]} }}}}?" if near else ""
    raise PromptError(
        f"{place(node.lineno)}: unknown hole {{{{ {node.name} }}}}; known are {', '.join(HOLES)}.{guess} "
        "Rename or remove it."
    )


def _filter(node: nodes.Filter, place: Callable[[int], str]) -> None:
    if node.name not in FILTERS:
        raise PromptError(
            f"{place(node.lineno)}: unknown filter; got {node.name}. Use one of {', '.join(FILTERS)}, or none."
        )
    plain = not (node.kwargs or node.dyn_args or node.dyn_kwargs) and len(node.args) == FILTERS[node.name][1]
    if not plain or not all(_small(argument) for argument in node.args):
        raise PromptError(
            f"{place(node.lineno)}: the filter {node.name} takes {FILTERS[node.name][1]} arguments, each a quoted text "
            f"on one line of at most {MAX_ARGUMENT} characters; got something else. Mend or remove them."
        )


def _small(argument: nodes.Expr) -> bool:
    if not isinstance(argument, nodes.Const):
        return False
    text = str(argument.value)
    return len(text) <= MAX_ARGUMENT and text.splitlines() in ([], [text])


def _check(system: Holes, user: Holes | None, kind: str, where: str, more: tuple[str, ...]) -> None:
    if user is None:
        return
    shown = system.shown | user.shown
    missing = [name for name in dict.fromkeys(REQUIRED.get(kind, ()) + more) if name not in shown]
    if missing:
        needs = " and ".join(f"{{{{ {name} }}}}" for name in missing)
        raise PromptError(
            f"{where} needs {needs}; got {', '.join(sorted(shown)) or 'no holes'}. "
            f"Put {needs} under the line user:, or remove that line so that Refine adds the user message."
        )


# --- filling a prompt ------------------------------------------------------------------------------------------


def messages(prompt_text: str, role_kind: str, values: Mapping[str, str], *, where: str) -> tuple[Message, ...]:
    """The messages of one call: the system message, if it has any text, then the user message.

    Args:
        prompt_text: a role's prompt, holes unfilled.
        role_kind: the role's name or kind: writer, critic, judge ...
        values: what fills the holes; a known name without a value is empty. Values are never scanned for holes.
        where: file or role, for errors.

    The system message is one part. In the user message every value is a part of its own, the draft as it stands.
    Raises PromptError as `validate` does.
    """
    kind = kind_of(role_kind)
    system, user = _read(prompt_text, where)
    _check(system, user, kind, where, ())
    filled = {name: str(values.get(name, "")) for name in HOLES}
    told = sys.intern("".join(system.pieces(filled)).strip())  # held once by however many calls and runs
    asked = _own_user(user, system, filled) if user else _plain_user(kind, filled)
    return (*((Message("system", (told,)),) if told else ()), Message("user", tuple(asked)))


def _own_user(user: Holes, system: Holes, values: Mapping[str, str]) -> list[str]:
    """The prompt's own user message; a prompt that knows no brief still gets one to write the first draft from."""
    if not values["draft"] and values["brief"] and "brief" not in user.shown | system.shown:
        return [values["brief"]]
    return list(user.pieces(values))


def _plain_user(kind: str, values: Mapping[str, str]) -> list[str]:
    """What we send where the prompt has no line `user:`. Critic and judge get the draft alone."""
    if kind in ("critic", "judge"):
        return [values["draft"]]
    if kind == "pair":
        return [values["draft"], RULE, values["other"]]
    if kind == "actor":
        return [values["brief"], *(["\n\n", values["draft"]] if values["draft"] else [])]
    if not values["draft"]:
        return [values["brief"]]
    remarks = [text for text in (values["findings"], values["lessons"]) if text] if kind == "writer" else []
    between = [RULE, "\n\n"]
    return [values["draft"], *(part for pair in zip(between, remarks, strict=False) for part in pair)]


WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "must": "must",
        "should": "should",
        "may": "may",
        "quote": '"{}"',
        "colon": ": ",
        "comma": ", ",
        "suggestion": "Suggestion: ",
        "options": "One of: ",
        "delete": "Delete it.",
        "unnamed": "Something here should change, but it was not said what.",
    },
    "zh": {
        "must": "必须改",
        "should": "应该改",
        "may": "可以改",
        "quote": "“{}”",
        "colon": "：",
        "comma": "、",
        "suggestion": "建议：",
        "options": "可选：",
        "delete": "删去。",
        "unnamed": "有地方应该改，但没有说明是哪里。",
    },
}
"""What a writer reads in a list of findings, by the language of the text."""


def findings_text(findings: Sequence[Finding], language: str) -> str:
    """The findings as a numbered list for a writer, the gravest first: severity, quote, remark, suggestion."""
    words = WORDS["zh" if language.casefold().startswith("zh") else "en"]
    ranked = sorted(findings, key=lambda finding: ("must", "should", "may").index(finding.severity))
    return "\n".join(f"{n}. {_line(finding, words)}" for n, finding in enumerate(ranked, 1))


def _line(finding: Finding, words: Mapping[str, str]) -> str:
    quote = words["quote"].format(" ".join(finding.quote.split())) if finding.quote else ""
    said = words["colon"].join(filter(None, [quote, finding.remark.strip().replace("\n", "\n   ")]))
    return " ".join(filter(None, [f"[{words[finding.severity]}]", said or words["unnamed"], _advice(finding, words)]))


def _advice(finding: Finding, words: Mapping[str, str]) -> str:
    if finding.replacement == "":
        return words["delete"]
    if better := finding.replacement or finding.suggestion:
        return words["suggestion"] + words["quote"].format(better)
    return words["options"] + words["comma"].join(finding.options) if finding.options else ""
