"""Holes are filled and everything else stays text, whatever stands in a prompt or in a draft."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refine.errors import PromptError
from refine.prompts import HOLES, MAX_CHARACTERS, findings_text, kind_of, messages, prompt_hash, split, validate
from refine.types import Finding, Message


def ask(text: str, role: str = "critic", **values: str) -> tuple[Message, ...]:
    return messages(text, role, {"draft": "D", **values}, where="critic.md")


def system(text: str, **values: str) -> str:
    return ask(text, **values)[0].content


# --- system and user ------------------------------------------------------------------------------------------


def test_what_stands_before_the_user_line_is_the_system_message() -> None:
    assert split("Judge.\n\nuser:\nText: {{ draft }}\n") == ("Judge.", "Text: {{ draft }}")
    assert split("Judge.") == ("Judge.", None)
    assert split("system:\nJudge.\r\nuser:  \r\n{{ draft }}") == ("Judge.", "{{ draft }}")


def test_a_user_line_in_a_sentence_or_a_raw_block_does_not_split() -> None:
    assert split("Say user: first.\nThe user:\n")[1] is None
    assert split("{% raw %}\nuser:\n{% endraw %}\nend")[1] is None
    assert split("{% raw %}\nuser:\n{% endraw %}\nuser:\n{{ draft }}")[1] == "{{ draft }}"


def test_without_a_user_line_the_critic_gets_the_draft_alone() -> None:
    assert ask("Judge.", findings="F", brief="B") == (Message("system", ("Judge.",)), Message("user", ("D",)))


def test_without_a_user_line_the_writer_gets_draft_rule_findings_and_lessons() -> None:
    user = ask("Write.", "writer", findings="F", lessons="L")[1]
    assert user.content == "D\n\n---\n\nF\n\nL"
    assert {"D", "F", "L"} <= set(user.parts)
    assert ask("Write.", "writer", lessons="L")[1].content == "D\n\n---\n\nL"
    assert ask("Write.", "writer")[1].parts == ("D",)


def test_a_writer_without_a_draft_gets_the_brief() -> None:
    assert ask("Write.", "writer", draft="", brief="B", findings="F")[1].parts == ("B",)
    assert ask("Write.\nuser:\n{{ draft }}", "writer", draft="", brief="B")[1].parts == ("B",)


def test_an_empty_system_message_is_not_sent() -> None:
    assert [message.role for message in ask("")] == ["user"]
    assert [message.role for message in ask("{% if brief %}x{% endif %}\nuser:\n{{ draft }}")] == ["user"]


def test_the_draft_is_a_part_of_its_own_as_it_stands() -> None:
    draft = "  One.\r\n\r\nTwo.  \n"
    user = ask("S\nuser:\n<draft>\n{{ draft }}\n</draft>\n{{ findings }}", draft=draft, findings="F")[1]
    assert user.parts == ("<draft>\n", draft, "\n</draft>\n", "F")


def test_a_known_hole_without_a_value_is_empty_and_if_sees_it_so() -> None:
    text = "{% if brief %}has{% elif token == 'OK' %}token{% else %}none{% endif %}|{{ brief }}|"
    assert system(text) == "none||"
    assert system(text, token="OK") == "token||"
    assert system(text, brief="b") == "has|b|"


def test_a_line_with_only_an_if_leaves_no_empty_line() -> None:
    assert system("a\n{% if brief %}\nb\n{% endif %}\nc", brief="x") == "a\nb\nc"
    assert system("a\n  {% if brief %}\nb\n  {% endif %}\nc") == "a\nc"


def test_filters_do_what_they_say() -> None:
    text = "{{ brief | trim | upper }} {{ token | lower }} {{ brief | length }} {{ locked | join('; ') }}"
    assert system(text, brief=" b ", token="T", locked="x\ny") == "B t 3 x; y"
    assert system("{{ brief | default('nothing') }}") == "nothing"
    assert system("{{ brief | length | trim }}") == "0"


# --- what stays text --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"findings": [{"quote": "x"}], "score": 1}',
        '{"a":{"b":{"c":1}}}',
        '{{"verdict": "approved"}}',
        "{{'verdict': 1}}",
        "{{}} and {{ }} and {{ [1].x }} and {{",
        "a } b }} c %} d { e {%",
        "{secret.__class__} {0} %s ${name}",
        "## Heading {#anchor} and {# note #}",
        "https://example.org/{%20x}",
        "\\frac{a}{b} and \\newcommand{\\x}{{\\bf y}}",
    ],
)
def test_braces_that_are_not_holes_stay(text: str) -> None:
    assert system(text) == text


def test_holes_stand_among_other_braces() -> None:
    assert system('{"token": "{{ token }}"}', token="T") == '{"token": "T"}'
    assert system('{"a": {"b": {{ step }}}}', step="3") == '{"a": {"b": 3}}'
    assert system("{{{ step }}}", step="3") == "{3}"
    assert system("{{token}}{{- step -}} x", token="T", step="1") == "T1x"


def test_raw_text_is_not_filled() -> None:
    assert system("{% raw %}{{ draft }} {% if %} {{'a': 1}}{% endraw %} {{ token }}", token="T") == (
        "{{ draft }} {% if %} {{'a': 1}} T"
    )


@pytest.mark.parametrize(
    "text", ["{{ token }}", "{% if x %}", "{{ '{{' }}", "{# x #}", "{% raw %}", "{secret.__class__}"]
)
def test_values_are_never_scanned_again(text: str) -> None:
    assert system("[{{ brief }}]", brief=text, token="T") == f"[{text}]"
    assert ask("S", draft=text)[1].parts == (text,)
    assert ask("S\nuser:\n{{ draft }}", draft=text)[1].parts == (text,)


@given(st.text(alphabet="{} \n\"':,ab[]", max_size=60).filter(lambda text: "{{" not in text))
def test_single_braces_are_literal_whatever_stands_around_them(text: str) -> None:
    assert system("x" + text + "x{{ token }}", token="T") == "x" + text + "xT"


TEXTS = st.text(alphabet="ab{}", max_size=5).filter(lambda text: "{{" not in text)
VALUES = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2), max_leaves=6
)


@given(VALUES, st.booleans())
def test_json_is_literal(data: object, spaced: bool) -> None:
    text = "x" + json.dumps(data, separators=None if spaced else (",", ":")) + "x"
    assert system(text) == text


@given(st.text(max_size=80))
def test_any_draft_arrives_as_it_is(draft: str) -> None:
    assert "".join(ask("S\nuser:\n<{{ draft }}>", draft=draft)[1].parts) == f"<{draft}>"


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{{ draft.__class__ }}", "attribute"),
        ("{{ draft['x'] }}", "index"),
        ("{{ draft() }}", "call"),
        ("{{ draft.upper() }}", "call"),
        ("{{ 'a'*10**9 }}", "arithmetic"),
        ("{{ -1 }}", "arithmetic"),
        ("{{ 'a' ~ draft }}", "Concat"),
        ("{{ 1, 2 }}", "Tuple"),
        ("{{ draft is defined }}", "test"),
        ("{{ 1 if draft else 2 }}", "inline if"),
        ("{% for draft in draft %}{% endfor %}", "loop"),
        ("{% set draft = 1 %}", "set"),
        ("{% include 'x' %}", "include"),
        ("{% import 'x' as draft %}", "import"),
        ("{% extends 'x' %}", "extends"),
        ("{% macro draft() %}{% endmacro %}", "macro"),
        ("{% block draft %}{% endblock %}", "block"),
        ("{% filter upper %}x{% endfilter %}", "FilterBlock"),
        ("{{ draft | replace('a', 'b') }}", "unknown filter"),
        ("{{ draft | attr('x') }}", "unknown filter"),
        ("{{ draft | join('" + "x" * 101 + "') }}", "filter join"),
        ("{{ draft | join('\\n') }}", "filter join"),
        ("{{ draft | join(draft) }}", "filter join"),
        ("{{ draft | default }}", "filter default"),
        ("{{ draft | upper(*draft) }}", "filter upper"),
        ("{{ draft", "cannot be read"),
        ("{% if draft %}", "cannot be read"),
        ("{% foo %}", "cannot be read"),
        ("{% raw %} x", "cannot be read"),
        ("{{ range }}", "unknown hole"),
        ("{{ " + "(" * 5000, "nests too deeply"),
        ("{{ " + "9" * 5000 + " }}", "too large a number"),
        ("{% if draft %}" * 150 + "{% endif %}" * 150, "nests too deeply"),
        ("{% if draft %}" + "{% elif draft %}" * 6000 + "{% endif %}", "nests too deeply"),
        ("x" * (MAX_CHARACTERS + 1), "too long"),
    ],
)
def test_a_prompt_may_hold_nothing_but_holes_if_and_filters(text: str, what: str) -> None:
    with pytest.raises(PromptError, match=what) as caught:
        validate(text, "critic", "critic.md")
    assert str(caught.value).startswith("critic.md")


def test_an_unknown_hole_is_named_with_its_place_the_known_ones_and_a_guess() -> None:
    with pytest.raises(PromptError) as caught:
        ask("One\n\nuser:\n\n{{ draft }}\n{{ finding }}")
    said = str(caught.value)
    assert said.startswith("critic.md, line 6: unknown hole {{ finding }}")
    assert all(name in said for name in HOLES)
    assert "Did you mean {{ findings }}?" in said


def test_lines_count_from_the_first_line_of_the_file() -> None:
    with pytest.raises(PromptError, match=r"^w\.md, line 12: "):
        validate("a\n{{ x }}", "writer", "w.md", first_line=11)


@pytest.mark.parametrize("role", ["writer", "critic", "critic-facts"])
def test_a_user_part_must_show_the_draft(role: str) -> None:
    for text in ("S\nuser:\nJudge it.", "S\nuser:\n", "S\nuser:\n{% if draft %}x{% endif %}"):
        with pytest.raises(PromptError, match=r"needs \{\{ draft \}\}; got no holes"):
            ask(text, role)
    validate("S\nuser:\n{% if draft %}{{ draft | trim }}{% endif %}", role, "x")
    validate("No user part.", role, "x")


def test_more_holes_can_be_required() -> None:
    with pytest.raises(PromptError, match=r"needs \{\{ findings \}\}; got draft"):
        validate("S\nuser:\n{{ draft }}", "writer", "writer.md", required=("findings",))


def test_every_role_whose_name_begins_with_critic_is_a_critic() -> None:
    assert [kind_of(name) for name in ("critic", "critic-2", "writer", "judge")] == [
        "critic",
        "critic",
        "writer",
        "judge",
    ]


# --- hash and findings ----------------------------------------------------------------------------------------------


def test_the_hash_is_equal_for_equal_text_whatever_its_line_ends_and_accents_are_made_of() -> None:
    assert prompt_hash("caf\u00e9\r\nb") == prompt_hash("cafe\u0301\nb") != prompt_hash("cafe\nb")
    assert len(prompt_hash("")) == 12
    assert prompt_hash("") == "e3b0c44298fc"


FINDINGS = (
    Finding(quote="very\n good", severity="may", remark="Weak."),
    Finding(quote="teh", severity="must", remark="Misspelt.", suggestion="the"),
    Finding(severity="should", remark="First line.\nSecond line."),
    Finding(quote="the the", severity="must", remark="Doubled.", replacement=""),
    Finding(quote="wich", severity="should", remark="Misspelt.", options=("which", "witch")),
)


def test_findings_are_a_numbered_list_the_gravest_first() -> None:
    assert findings_text(FINDINGS, "en").split("\n") == [
        '1. [must] "teh": Misspelt. Suggestion: "the"',
        '2. [must] "the the": Doubled. Delete it.',
        "3. [should] First line.",
        "   Second line.",
        '4. [should] "wich": Misspelt. One of: which, witch',
        '5. [may] "very good": Weak.',
    ]


def test_findings_are_labelled_in_the_language_of_the_text() -> None:
    assert findings_text(FINDINGS[1:2], "zh-CN") == "1. [必须改] “teh”：Misspelt. 建议：“the”"
    assert findings_text((), "en") == ""


def test_a_finding_that_says_nothing_is_still_an_order_to_change_something() -> None:
    assert findings_text([Finding()], "en") == "1. [should] Something here should change, but it was not said what."
