"""Signs and spaces, in English and in Chinese."""

import pytest

from refine.checks import run
from tests.checks.mending import mended, serious


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("It was late ,and we left.", "It was late, and we left."),
        ("It was late , and we left .", "It was late, and we left."),
        ("Hello,world is here.", "Hello, world is here."),
        ("We were late.We left again.", "We were late. We left again."),
        ("It was late.. We left.", "It was late. We left."),
        ("He was there,, and left.", "He was there, and left."),
        ("There is  a gap.", "There is a gap."),
        ("We don 't know.", "We don't know."),
        ("He came ( late ) and left.", "He came (late) and left."),
    ],
)
def test_english_signs_are_mended(wrong, right):
    assert mended(wrong) == right


@pytest.mark.parametrize(
    "text",
    [
        "Wait ... what?",
        "The file is at a.b/c,d and the ratio is 3 : 4.",
        "It cost 1,000,000.50 at 10:30 p.m. in the U.S. of A.",
        "| a  | b |\n|----|---|\n| c  | d |",
        "- [ ]  a box\n-  a gap after the mark",
        "See Node.js, README.md and e.g. this.",
        "line one  \nline two",
        "He said: “no ,no  no”.",
        "Yes :) and no ;)",
    ],
)
def test_english_signs_with_a_reason_stay(text):
    assert mended(text) == text
    assert serious(text) == []


def test_an_author_who_always_puts_two_spaces_after_a_stop_may():
    text = "One is here.  Two is here.  Three is here.  Four is here."
    assert not run("typography", text)


def test_a_missing_last_full_stop_is_mended():
    text = "We met at nine in the old hall by the river. Nobody had brought the key, so we stood in the rain"
    assert mended(text) == text + "."


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("今天很好,我们走吧.", "今天很好，我们走吧。"),
        ("他来了。。她走了。", "他来了。她走了。"),
        ("这是我的的书。", "这是我的书。"),
        ("我们我们去公园。", "我们去公园。"),
        ("他(真的)走了。", "他（真的）走了。"),
        ("他来了 ，她走了。", "他来了，她走了。"),
        ("他想了想。。。没说话。", "他想了想……没说话。"),
    ],
)
def test_chinese_signs_are_mended(wrong, right):
    assert mended(wrong, language="zh") == right


@pytest.mark.parametrize(
    "text",
    [
        "2026年5月1日，我们用Python写了3个程序。",
        "他的的确确来了，是是非非说不清。",
        "达到目的的办法。",
        "床前明月光 疑是地上霜",
        "运行`a,b`，见 https://a.example/x,y 一节。",
        "```\n# 注释,代码\n```",
        "“好,”他说：“走！！”",
    ],
)
def test_chinese_signs_with_a_reason_stay(text):
    assert mended(text, language="zh") == text


def test_the_authors_own_way_of_spacing_latin_words_is_kept_to():
    text = "我们用 Python 写程序，用 Git 管理，用 Make 构建，用 Bash 运行，用Vim编辑。"
    assert "用 Vim" in mended(text, language="zh")
