"""Length, terms, long sentences and kept facts: what the author asked for."""

from refine.checks import run


def test_a_text_too_short_or_too_long_says_by_how_much():
    assert "2 are missing" in run("length", "one two three", {"min": 5})[0].remark
    assert "1 are too many" in run("length", "one two three", {"max": 2})[0].remark
    assert not run("length", "one two three", {"min": 3, "max": 3})
    assert run("length", "one two", {"min": 3})[0].severity == "must"


def test_chinese_is_counted_in_characters():
    assert not run("length", "今天天气很好", {"min": 6, "max": 6, "language": "zh"})


def test_a_term_that_is_missing_must_come():
    (finding,) = run("terms", "A text about cats.", {"require": ["cats", "dogs"]})
    assert (finding.severity, finding.rule, finding.span) == ("must", "terms.missing", None)
    assert "dogs" in finding.remark


def test_a_banned_term_is_replaced_where_the_author_says_by_what():
    (finding,) = run("terms", "Whitelist the host, not the whitelisted.", {"ban": {"whitelist": "allow list"}})
    assert (finding.quote, finding.replacement, finding.severity) == ("Whitelist", "Allow list", "must")


def test_a_banned_term_without_another_is_only_named():
    (finding,) = run("terms", "我们的客户很好。", {"ban": ["客户"], "language": "zh"})
    assert (finding.quote, finding.replacement) == ("客户", None)


def test_banned_terms_in_code_stay():
    assert not run("terms", "Set `whitelist` here.", {"ban": ["whitelist"]})


def test_a_long_sentence_is_a_hint():
    text = "We walked " + "on and on " * 15 + "until we were there. Then we slept."
    (finding,) = run("sentences", text)
    assert (finding.severity, finding.rule) == ("may", "sentences.long")
    assert not run("sentences", text, {"max": 60})


def test_a_lost_fact_must_come_back():
    found = run("kept", "We met her.", {"against": "We met Anna Berg on 3 May 2026 and paid 30 euros."})
    assert found
    assert all((f.severity, f.dimension, f.span) == ("must", "kept", None) for f in found)
    assert any("Anna Berg" in finding.remark for finding in found)


def test_nothing_lost_nothing_said():
    text = "We met Anna Berg in 2026."
    assert not run("kept", text, {"against": text})
    assert not run("kept", text)


def test_a_locked_passage_must_stay():
    found = run("kept", "A new text.", {"against": "The old text.", "locked": ["The old text."]})
    assert {finding.rule for finding in found} == {"kept.locked"}
