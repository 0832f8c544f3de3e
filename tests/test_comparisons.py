"""What a plan means, what it will take, and how a comparison is extended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refine.cells import cells
from refine.comparisons import begin, estimate, extend, plan_of, prepare, unkept, widened
from refine.errors import SettingsError
from refine.plan import Entry, Plan, Text, read_plan, read_texts, write_plan
from refine.runs import Workbench, open_workbench

DRAFT = "The garden is quiet now. In order to answer, I sat down. It has has rained."
PLAN = Plan((Entry("classic"), Entry("polish")), (Text(DRAFT, "letter"),))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("REFINE_HOME", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REFINE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    found = open_workbench()
    yield found
    found.store.close()


def names(made: Any) -> list[str]:
    return [variant.name for variant in made.variants]


def test_without_a_key_a_scripted_model_plays_every_role_that_lacks_one(bench: Workbench) -> None:
    made = prepare(bench, PLAN)
    assert {(role.endpoint, role.model) for v in made.variants for role in v.spec.roles} == {("scripted", "steady")}


def test_baselines_have_the_models_of_the_first_loop(bench: Workbench) -> None:
    first = Entry("classic", changes={"role.writer.model": "lenient", "role.critic.model": "degrading"})
    made = prepare(bench, replace(PLAN, variants=(first,), one_prompt=True, best_of_n=True))
    assert names(made) == ["classic", "one-prompt", "best-of-n"]
    assert made.baseline == "one-prompt" and made.matched == {"best-of-n": "classic"}
    one, best = made.variants[1].spec, made.variants[2].spec
    assert {role.name: role.model for role in (*one.roles, *best.roles)} == {"writer": "lenient", "judge": "degrading"}


def test_the_same_folder_with_other_settings_is_another_variant(bench: Workbench) -> None:
    hot = Entry("classic", name="hot", changes={"role.writer.temperature": 1.2})
    made = prepare(bench, replace(PLAN, variants=(Entry("classic"), hot, Entry("classic"))))
    assert names(made) == ["classic", "hot", "classic 2"]
    assert [v.spec.role("writer").temperature for v in made.variants] == [0.7, 1.2, 0.7]  # type: ignore[union-attr]


def test_a_setting_for_all_variants_passes_over_those_without_the_role(bench: Workbench) -> None:
    plan = replace(PLAN, variants=(Entry("offline"), Entry("classic")), changes={"role.writer.temperature": 0.1})
    assert prepare(bench, plan).variants[1].spec.role("writer").temperature == 0.1  # type: ignore[union-attr]


def test_texts_of_one_name_are_told_apart_and_an_unnamed_one_has_its_first_line(bench: Workbench) -> None:
    texts = (Text("# One\n\nText.", ""), Text("Other text.", "letter"), Text("Third text.", "letter"))
    assert [task.title for task in prepare(bench, replace(PLAN, texts=texts)).tasks] == ["One", "letter", "letter 2"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"variants": (Entry("classic"),)}, "one variant"),
        ({"texts": ()}, "no text"),
        ({"texts": (Text("  ", "empty"),)}, "'empty' is empty"),
        ({"baseline": "nobody"}, "'nobody' is none of the variants"),
        ({"repeats": 0}, "from 1 to 100"),
        ({"concurrency": 0}, "from 1 to 64"),
        ({"judge": "gpt-5"}, "needs an endpoint"),
        ({"limits": {"money": -1}}, "above 0"),
        ({"limits": {"tokens": 900}}, "one run of 'classic' on .* may use up to"),
        ({"limits": {"money": "abc"}}, "above 0"),
        ({"limits": {"money": float("nan")}}, "above 0"),
        ({"variants": (Entry("classic"), Entry("react"))}, "works on no draft"),
        ({"variants": (Entry("classic"), Entry("nowhere"))}, "no variant"),
        ({"changes": {"role.wirter.temperature": 1}}, "No variant has the role of role.wirter.temperature"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_stored(
    bench: Workbench, changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        prepare(bench, replace(PLAN, **changed))
    assert bench.store.comparisons.all() == []


def test_an_estimate_counts_every_run_and_the_judge(bench: Workbench) -> None:
    plan = replace(PLAN, repeats=3)
    checked, judged = (estimate(bench, prepare(bench, replace(plan, judge=judge))) for judge in ("", "steady"))
    assert checked.runs == judged.runs == 6
    assert judged.calls[0] == checked.calls[0] + 6 and judged.calls[1] == checked.calls[1] + 6
    assert checked.calls[0] < checked.calls[1] and checked.tokens[1] < judged.tokens[1]


def test_an_extension_adds_and_leaves_every_cell_that_is_there(bench: Workbench) -> None:
    made = prepare(bench, PLAN)
    comparison_id = begin(bench, made)
    before = cells(comparison_id, made)
    more = Plan((Entry("shorten"),), (Text("Another text.", "memo"), Text(DRAFT, "letter")), repeats=2)
    wider = extend(bench, comparison_id, more)
    assert names(wider) == ["classic", "polish", "shorten"]
    assert [task.title for task in wider.tasks] == ["letter", "memo"]
    after = cells(comparison_id, wider)
    assert before.items() <= after.items() and len(after) == 3 * 2 * 2
    assert bench.store.comparisons.read(comparison_id) == wider


def test_another_text_under_a_known_name_is_another_text(bench: Workbench) -> None:
    made = prepare(bench, PLAN)
    wider = widened(bench, made, Plan((), (Text("Quite another one.", "letter"),)))
    assert [task.title for task in wider.tasks] == ["letter", "letter 2"]


def test_a_comparison_tells_the_plan_that_makes_it_again(bench: Workbench, tmp_path: Path) -> None:
    hot = Entry("classic", name="hot", changes={"role.writer.temperature": 1.2, "stops.max_rounds": 2})
    made = prepare(bench, replace(PLAN, variants=(*PLAN.variants, hot), repeats=2, judge="scripted/steady", pairs=True))
    file = tmp_path / "plan.yaml"
    file.write_text(write_plan(plan_of(bench, made)), encoding="utf-8")
    assert prepare(bench, read_plan(file)) == made


def test_a_plan_file_names_texts_from_its_own_folder_and_varies_settings(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for name in ("b", "a"):
        (tmp_path / "texts" / f"{name}.md").write_text(f"Text {name}.", encoding="utf-8")
    file = tmp_path / "plan.yaml"
    file.write_text(
        "variants: [polish, {variant: classic, vary: {role.writer.temperature: [0.3, 0.9]}}]\n"
        "drafts: ['texts/*.md', {text: 你好。, title: zh, brief: short}]\nrepeats: 2\ncap: 1.5\n",
        encoding="utf-8",
    )
    plan = read_plan(file)
    assert [entry.called for entry in plan.variants] == [
        "polish", "classic · writer temperature 0.3", "classic · writer temperature 0.9",
    ]  # fmt: skip
    assert [(text.title, text.brief) for text in plan.texts] == [("a", ""), ("b", ""), ("zh", "short")]
    assert plan.limits == {"money": 1.5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("variants: [a", "no YAML"),
        ("variants: a\ndrafts: [x.md]\nrepaets: 2", "knows no 'repaets'"),
        ("variants: [{name: x}]\ndrafts: [{text: t}]", "has no name"),
        ("variants: [a]\ndrafts: [nowhere.md]", "nowhere.md"),
        ("variants: [a]\ndrafts: ['*.none']", "No file fits"),
        ("variants: [a]\ndrafts: [{text: t}]\nrepeats: two", "whole number"),
        ("- a", "must be a mapping"),
    ],
)
def test_a_broken_plan_is_one_sentence_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=said.replace("*", r"\*")):
        read_plan(file)


def test_a_pattern_that_the_shell_left_is_read_in_order(tmp_path: Path) -> None:
    for name in ("2", "1"):
        (tmp_path / f"{name}.txt").write_text(name, encoding="utf-8")
    assert [text.draft for text in read_texts([str(tmp_path / "*.txt")])] == ["1", "2"]


def test_a_baseline_beside_the_authors_own_of_that_name_has_another_and_never_its_own_cost(bench: Workbench) -> None:
    entries = (Entry("best-of-n", changes={"options.n": 3}), Entry("one-prompt"), Entry("polish"))
    made = prepare(bench, replace(PLAN, variants=entries, one_prompt=True, best_of_n=True))
    assert names(made) == ["best-of-n", "one-prompt", "polish", "one-prompt 2", "best-of-n 2"]
    assert made.matched == {"best-of-n 2": "polish"} and made.baseline == "one-prompt 2"
    assert made.variants[0].spec.options["n"] == 3


def test_the_same_folder_with_other_settings_is_added_under_a_name_of_its_own(bench: Workbench) -> None:
    made = prepare(bench, PLAN)
    again = widened(bench, made, Plan((Entry("polish"),), ()))
    other = widened(bench, made, Plan((Entry("polish", changes={"stops.max_rounds": 9}),), ()))
    assert names(again) == ["classic", "polish"] and names(other) == ["classic", "polish", "polish 2"]


def test_a_baseline_that_is_there_is_not_added_again(bench: Workbench) -> None:
    both = replace(PLAN, one_prompt=True, best_of_n=True)
    made = prepare(bench, both)
    assert widened(bench, made, both) == made
    assert names(widened(bench, prepare(bench, PLAN), replace(both, variants=(), texts=()))) == [
        "classic", "polish", "one-prompt", "best-of-n",
    ]  # fmt: skip


def test_a_cap_in_money_without_prices_is_held_by_tokens_and_said(bench: Workbench) -> None:
    far = {f"role.{role}.{part}": value for role in ("writer", "critic")
           for part, value in (("endpoint", "openai"), ("model", "nobody-knows-1"))}  # fmt: skip
    bench.keys.put("openai", "sk-test")
    made = prepare(bench, replace(PLAN, variants=(Entry("classic", changes=far), Entry("polish")), limits={"money": 1}))
    assert made.limits["tokens"] > 0
    assert any("nobody-knows-1" in said and "not known" in said for said in unkept(bench, made))


def test_without_checks_and_judge_nothing_is_measured(bench: Workbench) -> None:
    assert prepare(bench, replace(PLAN, checks=())).judge is None
