"""The checks as a whole: names, options, order, the same twice."""

import threading

import pytest

from refine.checks import CHECKS, merge, run
from refine.errors import SettingsError
from tests.checks.mending import HERE, found, left_over, mended, planted, serious

DRAFTS = sorted(path.name for path in (HERE / "drafts").glob("*.md"))
CLEAN = sorted(path.name for path in (HERE / "clean").glob("*.md"))


def test_there_are_eight_checks():
    assert set(CHECKS) == {"grammar", "wording", "typography", "length", "terms", "repeats", "sentences", "kept"}


def test_an_unknown_check_is_refused_by_name():
    with pytest.raises(SettingsError, match=r"no check poetry.*grammar"):
        run("poetry", "A text.")


def test_an_unknown_option_is_refused_by_name():
    with pytest.raises(SettingsError, match=r"length has no option most.*max"):
        run("length", "A text.", {"most": 3})


def test_an_option_of_the_wrong_shape_is_refused():
    with pytest.raises(SettingsError, match="whole number"):
        run("length", "A text.", {"max": "many"})


def test_a_rule_can_be_switched_off():
    assert run("grammar", "We should of gone.")
    assert not run("grammar", "We should of gone.", {"off": ["confusion.would_of", "harper.ModalOf"]})


ODD = ["", " \n\n ", "\n", "🙂", "a", "```\n```", "---\ntitle: x\n---\n", "。。", "((((", '"']


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_are_no_trouble(text):
    for check in CHECKS:
        run(check, text)


@pytest.mark.parametrize("name", DRAFTS)
def test_spans_are_character_offsets_in_order(name):
    draft = "🙂 汉字 — " + planted(name)[0]
    for check in CHECKS:
        spans = [finding.span for finding in run(check, draft, {"language": "en"}) if finding.span]
        assert spans == sorted(spans)
        for finding in run(check, draft, {"language": "en"}):
            assert finding.span is None or draft[slice(*finding.span)] == finding.quote
            assert finding.critic == check
            assert finding.remark


@pytest.mark.parametrize("name", DRAFTS)
def test_the_same_text_has_the_same_findings_twice(name):
    draft, _ = planted(name)
    assert found(draft) == found(draft)


def test_threads_do_not_get_into_each_others_way():
    draft, _ = planted("memo.md")
    results: list[object] = []
    threads = [threading.Thread(target=lambda: results.append(found(draft))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 3
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_text_is_left_alone(name):
    text = (HERE / "clean" / name).read_text("utf-8")
    assert serious(text) == []
    assert mended(text) == text


@pytest.mark.parametrize("name", DRAFTS)
def test_most_planted_faults_are_mended_and_most_findings_gone(name):
    draft, right = planted(name)
    result = mended(draft)
    assert left_over(result, right) <= 0.4 * left_over(draft, right)
    assert len(serious(result)) <= 0.2 * len(serious(draft))


@pytest.mark.parametrize("name", DRAFTS)
def test_mending_a_mended_text_changes_nothing(name):
    once = mended(planted(name)[0])
    assert mended(once) == once


def test_overlapping_findings_of_two_checks_are_one():
    text = "We met the the mayor."
    both = [*run("grammar", text), *run("repeats", text)]
    assert len(both) == 2
    assert len(merge(both)) == 1
