"""What an author says about the text becomes what a writer reads and what checks hold the text to."""

from __future__ import annotations

from refine.runs import Workbench
from refine.ui.briefing import Brief, compose, lines, listed, to_add
from refine.ui.parts import DRAFT
from tests.ui.conftest import Open

TEXT = "The bakery opened in 1987. We are are open on Monday."


def test_a_wish_alone_stays_as_it_is() -> None:
    assert compose(Brief(" shorter, and warmer ")) == "shorter, and warmer"
    assert compose(Brief()) == ""


def test_every_field_is_a_line_that_says_what_it_is() -> None:
    brief = Brief("A notice", "new neighbours", "friendly", 150, ("flat 12", "4 June"))
    assert compose(brief) == (
        "A notice\nReader: new neighbours\nTone: friendly\nLength: at most 150 words\n"
        "Must contain, word for word:\n- flat 12\n- 4 June"
    )


def test_the_labels_speak_the_language_of_the_text() -> None:
    assert (
        compose(Brief(reader="students", most=300), "楼下有一个旧书角，谁都可以拿书。")
        == "读者：students\n篇幅：不超过 300 字"
    )
    assert compose(Brief(wish="写一封三百字左右的信", tone="亲切")) == "写一封三百字左右的信\n语气：亲切"


def test_lists_are_read_as_people_write_them() -> None:
    assert lines(" one, two \n\nthree\none, two") == ("one, two", "three")
    assert listed("Tomasz, Ines\n林悦、赵宁;Tomasz") == ("Tomasz", "Ines", "林悦", "赵宁")


def test_a_phrase_of_the_draft_is_a_kept_fact_and_another_must_come_in() -> None:
    assert to_add(("1987", "flat 12"), TEXT, ["kept"]) == ["flat 12"]
    assert to_add(("1987", "flat 12"), TEXT, []) == ["1987", "flat 12"]


def test_the_whole_brief_reaches_the_run(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.text_area(key="draft").set_value(TEXT)
    page.text_input(key="brief").set_value("warmer")
    page.text_input(key="title").set_value("Opening hours")
    page.text_input(key="reader").set_value("neighbours")
    page.number_input(key="most_words").set_value(5)
    page.text_area(key="phrases").set_value("1987\nflat 12")
    page.text_area(key="words").set_value("Tomasz, Ines").run()
    page.button(key="start").click().run()
    view = bench.read(bench.store.runs()[0].run_id)
    task = view.spec.task
    assert (view.title, task.words, task.keep) == ("Opening hours", ("Tomasz", "Ines"), ("1987", "flat 12"))
    assert task.brief.startswith("warmer\nReader: neighbours\nLength: at most 5 words")
    assert view.spec.checks["length"] == {"max": 5}
    assert view.spec.checks["terms"] == {"require": ["flat 12"]}


def test_a_text_is_written_from_a_brief_alone(open_page: Open, bench: Workbench) -> None:
    page = open_page()
    page.selectbox(key="variant").set_value("classic").run()
    page.selectbox(key="classic.writer.model").set_value("scripted/steady")
    page.selectbox(key="classic.critic.model").set_value("scripted/steady")
    page.text_input(key="brief").set_value("A notice about the water.").run()
    page.button(key="start").click().run()
    task = bench.read(bench.store.runs()[0].run_id).spec.task
    assert (task.draft, task.brief) == ("", "A notice about the water.")


def test_every_field_of_the_brief_stands_there_in_any_other_browser(open_page: Open) -> None:
    page = open_page()
    fields = {"title": "T", "reader": "R", "tone": "F"}
    for name, value in fields.items():
        page.text_input(key=name).set_value(value).run()
    page.text_area(key="phrases").set_value("1987").run()
    page.number_input(key="most_words").set_value(250).run()
    other = open_page()
    assert {name: other.text_input(key=name).value for name in fields} == fields
    assert (other.text_area(key="phrases").value, other.number_input(key="most_words").value) == ("1987", 250)


def test_two_tabs_keep_what_each_of_them_changed(open_page: Open, bench: Workbench) -> None:
    first, second = open_page(), open_page()
    first.text_area(key="draft").set_value(TEXT).run()
    second.text_input(key="title").set_value("T").run()
    assert bench.store.draft_get(DRAFT) == {"draft": TEXT, "title": "T"}
