"""Facts: what is one, and when a rewrite has lost it. Both mistakes cost, so both have a table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refine.text.facts import facts, lost, masked

PIECES = st.lists(
    st.sampled_from(
        ["3 km", "$5", "“quoted words here”", "[12]", "`code`", "March 4", "# Head\n", "\n\n", "Anna", " ", "三十二",
         "https://a.b/c", "《书》", "(Smith 2019)", "```\n", "---\n", "{{x}}", "1,000", "%", "he said ", "。",
         "\ud800", "“", '"', "["]
    ),
    max_size=14,
).map("".join)  # fmt: skip
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


def found(text: str) -> list[tuple[str, str]]:
    return [(fact.kind, fact.value) for fact in facts(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Nothing to keep here, not one thing.", []),
        ("1,000 and 12.5 percent", ["number 1000", "number 12.5%"]),
        ("$5m, 5 dollars, €3.50", ["number 5000000 USD", "number 5 USD", "number 3.50 EUR"]),
        ("from 5 to 10 kilometres", ["number 5", "number 10 km"]),
        ("three of twenty-one, two hundred and five", ["number 3", "number 21", "number 205"]),
        ("version v1.2.3, 10x, the 3rd", ["number 1.2.3", "number 10x", "number 3"]),
        ("1. first\n2) second\n## 3. Third", ["heading 3. Third"]),
        ("３万元，５０％，百分之三十五", ["number 30000 CNY", "number 50%", "number 35%"]),
        ("三十二个人十分高兴，有一些人走了三年", ["number 32", "number 3 year"]),
        ("On March 14, 2024 at 5 p.m.", ["date 2024-03-14", "date T17:00"]),
        ("14-16 March 2024", ["date 2024-03-14", "date 2024-03-16"]),
        ("in May, we may go; 14.3.2024; 3/4/2024", ["date --05", "date 2024-03-14", "date 3/4/2024"]),
        ("2024年3月14日，周三下午三点半", ["date 2024-03-14", "date Wednesday", "date T15:30"]),
        ("二〇二四年三月", ["date 2024-03"]),
        ("See [x](https://a.com/x_(y)) or <b@c.org>", ["link https://a.com/x_(y)", "link b@c.org"]),
        ("See www.d.com.", ["link www.d.com"]),
        ("![pic](img/a.png)", ["link img/a.png"]),
        ("访问https://e.com/path，好", ["link https://e.com/path"]),
        ("as [3-5] and [7] say[^n]", ["citation [3]", "citation [4]", "citation [5]", "citation [7]", "citation [^n]"]),
        ("(Smith, 2019; see Doe & Roe 2020, p. 5)", ["citation Doe 2020", "citation Smith 2019"]),
        ("as Smith et al. (2018) say", ["citation Smith 2018"]),
        ("[@a; see @b, p. 3] \\citep{c,d}", ["citation @a", "citation @b", "citation @c", "citation @d"]),
        ("（张三等，2021）", ["citation 张三 2021"]),
        ('he said "go away now" and left', ["quotation go away now"]),
        ("他说“走吧。”又读了《三体》", ["quotation 走吧。", "quotation 三体"]),
        ("use `x = 1` and\n\n```py\ny\n```", ["code x = 1", "code y\n"]),
        ("Dear {{name}}, ${x} costs $x^2$", ["code {{name}}", "code ${x}", "code x^2"]),
        ("---\ntitle: A\n---\nText", ["front_matter title: A\n"]),
        ("Dr. Chen met *Django Reinhardt* (the guitarist).", ["name Chen", "name Django Reinhardt"]),
        ("I saw Anna Karenina in New York.", ["name Anna Karenina", "name New York"]),
        ("We work at the Bank of America's office.", ["name Bank of America"]),
        ("Yesterday was fine. However, it rains. Then I go. Please note.", []),
        ("It is VERY good, NOT bad; NASA knows.", ["name NASA"]),
        ("GitHub and the GPT-4 model", ["name GitHub", "name GPT-4"]),
        ("Every Word Here Looks Important Without Meaning", []),
        ("我们用Python写", ["name Python"]),
    ],
)  # fmt: skip
def test_facts_of_a_text(text: str, expected: list[str]) -> None:
    assert [f"{kind} {value}" for kind, value in found(text)] == expected


KEPT = [
    ("We sold 1,000 units.", "We sold 1000 units."),
    ("three apples", "3 apples"),
    ("3 apples", "three apples"),
    ("twenty-one years", "21 years"),
    ("the two of them", "both of them"),
    ("It took 1 hour", "It took an hour"),
    ("its 3rd year", "its third year"),
    ("10k users", "10,000 users"),
    ("50% of it", "50 percent of it"),
    ("$5.00", "$5"),
    ("1,000 and 12.5 percent", "12.5 percent and 1,000"),
    ("5 km to 10 km", "5–10 km"),
    ("5 to 10 km", "5 km to 10 km"),
    ("after 12 weeks", "a twelve-week course"),
    ("增长了30%", "增长了百分之三十"),
    ("三个原因", "3个原因"),
    ("3个原因", "三大原因"),
    ("30000元", "3万元"),
    ("３０％", "30%"),
    ("On March 14, 2024 we met.", "We met on 14 March 2024."),
    ("On March 14 we met.", "We met on 14 March 2024."),
    ("in March 2024 and May 2024", "in March and May 2024"),
    ("on Monday at 10:30", "at 10:30 on a Monday"),
    ("2024年3月14日", "2024年3月14号"),
    ("12月底", "12 月底"),
    ("在2024年3月14日", "在 2024 年 3 月 14 日"),
    ("closed on Sundays", "closed on Sunday"),
    ("5 pm", "17:00"),
    ("Anna's house is near Berlin.", "The house of Anna is near Berlin."),
    ("I saw Anna’s book.", "I saw the book by Anna."),
    ("I love Summer in our Team.", "I love summer in our team."),
    ("Then President John Smith spoke.", "Then John Smith, the president, spoke."),
    ("The U.S. economy", "The US economy"),
    ("the GPT-4 model", "the GPT 4 model"),
    ("See [docs](https://a.com/x).", "See https://a.com/x."),
    ("as shown [3-5].", "as shown [3, 4, 5]."),
    ("(Smith 2019) says", "Smith (2019) says"),
    ('He said "I will recieve it tomorow" today.', "He said “I will receive it tomorrow” today."),
    ("“I went,” he said, “to the shop.”", "“I went to the shop,” he said."),
    ("他说“我不去”。", "他说「我不去」。"),
    ("读《红楼梦》", "读了《红楼梦》"),
    ("a “smart” idea", "a smart idea"),
    ("Use `x = 1` now", "Now use `x = 1`"),
    ("# introducton to teh Methods\nText", "## Introduction to the methods\nText"),
    ("Dear {{name}}, come", "Come, {{name}}"),
    ("1. Do it\n2. Go", "- Do it\n- Go"),
    ("10 000 people", "10,000 people"),
    ("2 millions of people", "2 million people"),
    ("the 21st century", "the twenty-first century"),
    ("at 9.30", "at 9:30"),
    ("In 2020-2021 we", "In 2020 and 2021 we"),
    ("We need two (2) copies.", "We need two copies."),
    ("The price rose from $10 to $15, i.e. by 50 %.", "The price rose by 50%, from $10 to $15."),
    ("Then Google Maps and Apple Maps is fine", "Both Apple Maps and Google Maps are fine"),
    ("会议定于3月5日（星期二）下午3点召开，在三楼。", "会议将于3月5日（周二）下午3点在三楼召开。"),
    ("我们有员工二百五十人，收入是1250万元。", "我们有员工 250 人，收入为 1250 万元。"),
]

LOST = [
    ("We sold 1,000 units.", "We sold 100 units.", "1000"),
    ("5 km", "5 miles", "5 km"),
    ("5%", "5", "5%"),
    ("$5 million", "$5 billion", "5000000 USD"),
    ("We use v1.2.3 here", "We use it", "1.2.3"),
    ("三十二个人", "二十三个人", "32"),
    ("三年后", "五年后", "3 year"),
    ("March 14", "March 15", "--03-14"),
    ("2024年3月14日", "2024年3月15日", "2024-03-14"),
    ("On Monday", "On Tuesday", "Monday"),
    ("at 5 pm", "at 5 am", "T17:00"),
    ("I met Anna Smith today.", "I met her today.", "Anna Smith"),
    ("See https://a.com/?wt.mc_id=1", "See https://a.com/?wt_mc_id=1", "https://a.com/?wt.mc_id=1"),
    ("[@smith2020; @doe]", "[@smith2020]", "@doe"),
    ("text[^1]", "text", "[^1]"),
    ("“I did not do it at all that day”", "“I did do it at all that day”", "I did not do it at all that day"),
    ("“able to do the work needed”", "“unable to do the work needed”", "able to do the work needed"),
    ("“exactly 20 people came to it”", "“exactly 30 people came to it”", "exactly 20 people came to it"),
    ("他说“我不去那里了”。", "他说“我去那里了”。", "我不去那里了"),
    ("读《红楼梦》", "读了《红楼》", "红楼梦"),
    ("he said “we will never come back”", "he said they would never come back", "we will never come back"),
    ("`x=1`", "`x = 1`", "x=1"),
    ("```\na\n```", "```\nb\n```", "a\n"),
    ("$x^2$", "$x^3$", "x^2"),
    ("# Methods", "Methods", "Methods"),
    ("---\ntitle: A\n---\nx", "x", "title: A\n"),
    ("Hello {{name}}", "Hello you", "{{name}}"),
    ("Dr. Chen and Dr. Wu agree", "Dr. Chen agrees", "Wu"),
    ("from -5 °C to 10 °C", "from 5 °C to 10 °C", "-5 °C"),
    ("fifteen people came", "fifty people came", "15"),
    ("见[3]", "见[4]", "[3]"),
]


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_another_way_of_saying_it_is_no_loss(old: str, new: str) -> None:
    assert lost(old, new) == ()


@pytest.mark.parametrize(("old", "new", "value"), LOST)
def test_a_loss_is_seen(old: str, new: str, value: str) -> None:
    gone = lost(old, new)
    assert [fact.value for fact in gone] == [value]


def test_one_mention_is_enough_and_a_loss_is_told_once_at_its_first_place() -> None:
    assert lost("He paid 40 euros, yes, 40 euros.", "He paid 40 euros.") == ()
    (fact,) = lost("He paid 40 euros, yes, 40 euros.", "He paid.")
    assert fact.span == (8, 16)


def test_what_stands_inside_a_lost_quotation_is_not_told_beside_it() -> None:
    gone = lost("She said “give 30 coins to old Peter Pan at once”.", "She said something.")
    assert [fact.kind for fact in gone] == ["quotation"]


def test_the_authors_own_facts_and_locked_passages() -> None:
    old = "The budget is fixed.\nNever change this   line."
    assert lost(old, "THE BUDGET is fixed. Never change this line.", ["the budget"], ["Never change this line."]) == ()
    gone = lost(old, "It is fixed. Never alter this line.", ["The budget", "not in it"], ["Never change this line."])
    assert [(fact.kind, fact.value) for fact in gone] == [("keep", "The budget"), ("locked", "Never change this line.")]
    assert [old[slice(*fact.span)] for fact in gone] == ["The budget", "Never change this   line."]


def test_without_a_draft_the_authors_facts_are_asked_for() -> None:
    (fact,) = lost("", "Some text.", keep=["three rooms"])
    assert (fact.kind, fact.span) == ("keep", (0, 0))
    assert lost("", "It has 3 rooms, three rooms.", keep=["three rooms"]) == ()


@given(PIECES | ANY_TEXT)
@settings(max_examples=200)
def test_a_text_loses_nothing_to_itself(text: str) -> None:
    assert lost(text, text, keep=[text[:5]], locked=[text[:9]]) == ()


@given(PIECES | ANY_TEXT)
@settings(max_examples=200)
def test_facts_have_their_place_and_masking_keeps_places(text: str) -> None:
    hidden = masked(text)
    assert len(hidden) == len(text)
    assert all(a == b or (b == " " and a != "\n") for a, b in zip(text, hidden, strict=True))
    for fact in facts(text):
        assert 0 <= fact.span[0] < fact.span[1] <= len(text)


@given(old=PIECES, new=PIECES)
@settings(max_examples=200)
def test_a_loss_is_always_a_fact_of_the_old_text(old: str, new: str) -> None:
    assert set(lost(old, new)) <= set(facts(old))


def test_masking_hides_all_that_is_not_prose() -> None:
    text = "---\na: b\n---\nSee [text](https://a.b) `code` <b>bold</b> <!-- no\nno --> $x^2$ for $5.\n```\nx\n```\nend"
    shown = " ".join(masked(text).split())
    assert shown == "See [text] bold for $5. end"


def test_masks_that_lie_over_each_other_keep_the_length() -> None:
    text = '<a href="mailto:x@y.gov.uk">x@y.gov.uk</a>.'
    assert len(masked(text)) == len(text)


def test_a_contraction_without_its_apostrophe_is_no_name() -> None:
    assert not [fact for fact in facts("We are late and Im sorry that Ive said so.") if fact.kind == "name"]
