"""docs/tools.md names every tool and every result check, and says of each what it takes."""

from __future__ import annotations

import re
from pathlib import Path

from refine import tools
from refine.tools import registry
from refine.tools.dictionary import present
from refine.tools.results import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")


def test_every_tool_is_on_the_page_and_marked_where_it_is_on() -> None:
    rows = re.findall(r"^\| `(\w+)`( \*)? \|", PAGE.partition("## Result checks")[0], re.M)
    assert [name for name, _ in rows] == sorted(tools.names(), key=[name for name, _ in rows].index)
    on = {name for name, mark in rows if mark}
    assert on == {*tools.DEFAULT, "dictionary"} and ("dictionary" in tools.DEFAULT) == present()


def test_every_result_check_is_on_the_page_with_its_fields() -> None:
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", PAGE.partition("## Result checks")[2], re.M)
    assert {name: re.findall(r"`(\w+)`", fields) for name, fields in rows if name != "is"} == {
        name: list(kind.fields) for name, kind in KINDS.items()
    }


def test_the_example_of_an_own_tool_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    try:
        exec(code, {"STYLE": {"colour": "color"}, "__name__": "example"})
        assert tools.declare(["house_style"], "en")[0]["parameters"]["required"] == ["word"]
        around = tools.Surroundings()
        assert tools.call("house_style", {"word": "colour"}, ["house_style"], around).text == "color"
        assert tools.call("house_style", {"word": "x"}, ["house_style"], around).error == "failed"
    finally:
        registry.TOOLS.pop("house_style", None)
