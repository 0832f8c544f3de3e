"""What patterns may hold, since every Python from 3.11.0 on has to read them alike."""

import re
from pathlib import Path

SOURCES = sorted((Path(__file__).parents[2] / "refine").rglob("*.py"))
REPEATED_FOR_GOOD = re.compile(r"[)}][+*?]\+|\)\{[\d,]+\}\+")


def test_no_group_is_repeated_possessively_since_python_before_3_11_5_matches_that_wrongly() -> None:
    found = {path.name: REPEATED_FOR_GOOD.findall(path.read_text(encoding="utf-8")) for path in SOURCES}

    assert "tokens.py" in found
    assert {name: places for name, places in found.items() if places} == {}
