"""Small pictures: every number stands where its scale says, and every text is only text."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from refine.documents import drawing, page
from refine.documents.drawing import Interval, Intervals, Point, Points
from refine.documents.page import Fold, Line, Page, Part
from tests.documents.hostile import HOSTILE
from tests.documents.test_page import ALLOWED, Seen

DRAWN = frozenset({"svg", "line", "circle", "text", "polyline", "details", "summary"})


def elements(svg: str, tag: str) -> list[dict[str, str]]:
    return [{**found.attrib, "": found.text or ""} for found in ElementTree.fromstring(svg).iter(tag)]


def place(svg: str, said: str) -> float:
    """Where a number stands at the scale below."""
    return next(float(text["x"]) for text in elements(svg, "text") if text[""] == said)


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (-0.7, 1.2, [-1, -0.5, 0, 0.5, 1, 1.5]),
        (0.0062, 0.0149, [0.006, 0.008, 0.01, 0.012, 0.014, 0.016]),
        (7, 7, None),
        (0, 0, None),
    ],
)
def test_a_scale_has_round_marks_that_hold_all_values(low: float, high: float, marks: list[float] | None) -> None:
    found = drawing.ticks(low, high)
    assert found[0] <= low and found[-1] >= high and found[0] < found[-1] and len(found) <= 8
    assert marks is None or found == marks


def test_a_value_its_interval_and_zero_stand_on_one_scale() -> None:
    svg = drawing.intervals(Intervals("t", (Interval("Polish", 0.5, -0.5, 1.0, "+0.50"), Interval("Short", -0.5))))
    dots = [float(dot["cx"]) for dot in elements(svg, "circle")]
    assert dots == [place(svg, "0.5"), place(svg, "-0.5")]
    lines = [(line["class"], float(line["x1"]), float(line["x2"])) for line in elements(svg, "line")]
    assert [line[1:] for line in lines if line[0] == "span"] == [(place(svg, "-0.5"), place(svg, "1.0"))]
    assert [line[1] for line in lines if line[0] == "zero"] == [place(svg, "0.0")]


def test_the_joined_points_form_a_line_from_left_to_right() -> None:
    drawn = Points("t", (Point("a", 2, 8, joined=True), Point("b", 3, 7), Point("c", 1, 6, joined=True)), "$", "score")
    svg = drawing.points(drawn)
    (line,) = elements(svg, "polyline")
    xs = [float(pair.split(",")[0]) for pair in line["points"].split()]
    dots = [float(dot["cx"]) for dot in elements(svg, "circle")]
    assert xs == sorted([dots[0], dots[2]]) and dots[2] < dots[0] < dots[1]


def test_names_of_points_at_one_place_do_not_cover_each_other() -> None:
    svg = drawing.points(Points("t", tuple(Point(f"variant {n}", 1.0, 5.0) for n in range(4))))
    heights = [float(text["y"]) for text in elements(svg, "text") if text[""].startswith("variant")]
    assert len(heights) == 4 and min(b - a for a, b in pairwise(heights)) >= 12


def test_a_name_that_is_too_long_is_cut_and_stands_whole_in_its_title() -> None:
    name = "润色" * 30
    svg = drawing.intervals(Intervals("t", (Interval(name, 1.0),)))
    assert f"<title>{name}</title>" in svg and f"{name}</text>" not in svg and "…</text>" in svg


def test_pictures_of_nothing_are_still_pictures() -> None:
    for svg in (drawing.intervals(Intervals("t", ())), drawing.points(Points("t", ()))):
        assert ElementTree.fromstring(svg)[0].tag == "svg"


def test_hostile_names_are_text_in_pictures_and_folds() -> None:
    blocks = (
        Fold(HOSTILE, (Line(HOSTILE), Fold("x", (Line(HOSTILE),)))),
        Intervals(HOSTILE, (Interval(HOSTILE, 1.0, 0.5, 2.0, HOSTILE),)),
        Points(HOSTILE, (Point(HOSTILE, 1.0, 2.0),), HOSTILE, HOSTILE),
    )
    source = page.render(Page("t", "en", (Part("p", blocks),), measure="tables")).decode()
    seen = Seen(source)
    assert set(seen.tags) <= ALLOWED | DRAWN
    assert not [name for name, _ in seen.attributes if name.startswith("on") or name in ("src", "href")]
    assert re.search(r'<main class="tables">', source)
