"""The documents say what the code does: every name that a reader may type is explained, and what is printed is true."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest

from refine import limits, stops, variants, views, words
from refine.checks import CHECKS
from refine.cli import COMMANDS, _settings_of
from refine.cli_options import KINDS, parser
from refine.models.characters import CHARACTERS
from refine.schema import CHECK_FIELDS, FIELDS
from refine.techniques import TECHNIQUES
from refine.types import Endpoint
from refine.ui.parts import REASON_BADGES
from refine.words import en, zh
from tests import golden

PROJECT = Path(__file__).parent.parent
GUIDE = (PROJECT / "docs" / "guide.md").read_text(encoding="utf-8")
README = (PROJECT / "README.md").read_text(encoding="utf-8")
PAGES = sorted({*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")})
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
VARIABLE = re.compile(r"""["']((?:REFINE|OPENAI)_[A-Z_]+)["']|environ(?:\.get|\.setdefault)?[(\[]\s*["'](\w+)["']""")


def rows(first: str) -> dict[str, list[str]]:
    """The rows of the guide's tables whose first cell begins so: name -> the other cells."""
    found = re.findall(rf"^\| (`{re.escape(first)}.*?) \| (.*) \|$", GUIDE, re.M)
    return {name: rest.split(" | ") for cell, rest in found for name in re.findall(r"`([^`]+)`", cell)}


def commands(text: str) -> list[list[str]]:
    """The commands of Refine in the code blocks of a page, as their words, without what belongs to the shell."""
    lines = [line.removeprefix("$ ") for _, block in BLOCK.findall(text) for line in block.splitlines()]
    calls = [line.partition("python -m refine ")[2] for line in lines if "python -m refine " in line]
    return [shlex.split(re.split(r" [<>|&] ", re.sub(r"\s#.*", "", call))[0]) for call in calls]


COMMANDS_IN_DOCS = [command for page in PAGES for command in commands(page.read_text(encoding="utf-8"))]


# --- the command line ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_named_in_the_guide(command: str) -> None:
    assert f"**{command}**" in GUIDE


@pytest.mark.parametrize("words", COMMANDS_IN_DOCS, ids=" ".join)
def test_every_command_that_is_printed_is_one_that_the_program_takes(words: list[str]) -> None:
    args = parser(COMMANDS).parse_args(["--help" if word == "COMMAND" else word for word in words])

    variant = getattr(args, "variant", None) or "polish"
    if "set" in args and variant in variants.names():
        variants.apply_set(variants.load(variant).spec, _settings_of(args)[0])


def test_the_guide_prints_commands() -> None:
    assert len(commands(GUIDE)) > 20


@pytest.mark.parametrize("status", [0, 2, 3, 4, 130, 143])
def test_every_exit_status_is_explained(status: int) -> None:
    assert re.search(rf"^\| {status} \| ", GUIDE, re.M)


def test_every_kind_of_exported_file_is_named() -> None:
    assert all(f"`{kind}`" in GUIDE for kind in KINDS)


def test_every_name_of_the_json_object_is_in_the_guide() -> None:
    view = views.read(golden.read("a-retry"))
    data = views.as_json(view)
    names = {*data, *data["usage"], *(data["rounds"] or [{}])[0]}

    assert [name for name in names if not re.search(rf'[`"]{name}[`"]', GUIDE)] == []


# --- what can be set -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", ["stops", "limits", "options"])
def test_every_key_of_a_group_is_in_the_guide_with_its_default(group: str) -> None:
    known = {
        f"{group}.{name}": field
        for technique in reversed(FIELDS.values())  # the first one's defaults are those of the tables
        for name, field in technique[group].items()
    }
    told = rows(f"{group}.")
    others = {key for key in known if key not in told and f"`{key}`" in GUIDE}

    assert told.keys() | others == known.keys()
    for key, cells in told.items():
        assert cells[-1].split(";")[0] == _shown(known[key].default), key


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return "on" if default else "off"
    return f"{default:,}" if isinstance(default, int) else "none" if default is None else str(default)


def test_every_field_of_a_role_is_in_the_guide() -> None:
    known = {f"role.NAME.{name}" for t in FIELDS.values() for key in t if key.startswith("role.") for name in t[key]}

    assert rows("role.NAME.").keys() == known


def test_every_option_of_a_check_is_in_the_guide() -> None:
    common = set.intersection(*map(set, CHECK_FIELDS.values()))
    own = {f"checks.{check}.{name}" for check, options in CHECK_FIELDS.items() for name in options.keys() - common}

    assert rows("checks.").keys() == own | {f"checks.NAME.{name}" for name in common}


@pytest.mark.parametrize("name", [*CHECKS, *TECHNIQUES, *variants.names()])
def test_every_check_technique_and_variant_is_named(name: str) -> None:
    assert f"`{name}`" in GUIDE


def test_every_scripted_model_is_named() -> None:
    assert f"Models: {', '.join(CHARACTERS)}" in GUIDE


def test_every_field_of_an_endpoint_is_in_the_guide() -> None:
    assert all(f"| `{field.name}` |" in GUIDE for field in fields(Endpoint) if field.name != "name")


def test_every_environment_variable_that_is_read_is_in_the_guide() -> None:
    sources = [*PROJECT.glob("refine/**/*.py"), PROJECT / "app.py"]
    read = {a or b for path in sources for a, b in VARIABLE.findall(path.read_text(encoding="utf-8"))}

    assert {"REFINE_HOME", "OPENAI_API_KEY"} <= read
    assert sorted(name for name in read if f"| `{name}` |" not in GUIDE) == []


# --- why a run ends --------------------------------------------------------------------------------------------------


def test_every_reason_has_words_in_both_languages_a_badge_and_a_row_in_the_guide() -> None:
    told = {name: cells[0] for name, cells in rows("").items() if name in en.REASONS}

    assert en.REASONS.keys() == zh.REASONS.keys() == REASON_BADGES.keys() == told.keys()
    assert told == en.REASONS


def test_every_reason_of_a_cap_has_words_in_both_languages_and_in_the_guide() -> None:
    given = set(re.findall(r'return "([a-z]+)", ', (PROJECT / "refine" / "caps.py").read_text()))

    assert given == {*en.CAP_REASONS} == {*zh.CAP_REASONS} <= {*en.REASONS}
    assert "Where `budget`, `tokens`, `time` or `calls` came of a cap of the day" in GUIDE


def test_stops_and_limits_give_no_reason_without_words() -> None:
    sources = [Path(module.__file__ or "") for module in (stops, limits)] + [*PROJECT.glob("refine/techniques/*.py")]
    given = {code for path in sources for code in re.findall(r'"([a-z_]+)" if |Halt\("([a-z_]+)"\)', path.read_text())}
    codes = {a or b for a, b in given}

    assert {"approved", "no_draft"} <= codes
    assert codes <= en.REASONS.keys()


def test_statuses_and_questions_have_words_in_both_languages() -> None:
    assert en.STATUSES.keys() == zh.STATUSES.keys()
    assert en.QUESTIONS.keys() == zh.QUESTIONS.keys()
    assert all(f"`{status}`" in GUIDE for status in words.of("en").STATUSES)


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        target, _, anchor = link.partition("#")
        if "://" in link:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{page.name}: {link}"
        if anchor:
            assert anchor in _anchors(file.read_text(encoding="utf-8")), f"{page.name}: {link}"


def _anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_first_block_of_a_readme_holds_the_two_commands_and_nothing_else(name: str) -> None:
    _, block = BLOCK.findall((PROJECT / name).read_text(encoding="utf-8"))[0]

    assert block == "make run\nmake test\n"


def test_every_target_of_make_that_is_printed_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.M))
    printed = {name for page in PAGES for name in re.findall(r"\bmake ([a-z]+)\b(?=`|\n|  )", page.read_text("utf-8"))}

    assert {"run", "test"} <= printed <= targets


def test_decisions_are_numbered_and_short() -> None:
    pages = sorted((PROJECT / "docs" / "decisions").glob("*.md"))

    assert [int(page.name[:4]) for page in pages] == [*range(1, len(pages) + 1)]
    assert all(len(page.read_text(encoding="utf-8").splitlines()) <= 14 for page in pages)


def test_the_changelog_has_this_version() -> None:
    version = re.search(r'^version = "(.*)"', (PROJECT / "pyproject.toml").read_text(encoding="utf-8"), re.M)

    assert version
    assert f"## [{version[1]}]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
