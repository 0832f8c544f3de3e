"""The sentence that goes with a finding: our own words, by rule id and language. Knows nothing of texts."""

from __future__ import annotations

from collections.abc import Mapping

from refine.words import remarks_en, remarks_zh

_TABLES: Mapping[str, Mapping[str, str]] = {"en": remarks_en.REMARKS, "zh": remarks_zh.REMARKS}


def remark(rule: str, dimension: str, language: str, values: Mapping[str, object]) -> str:
    """The most particular sentence there is: of the rule, else of its group, else of the dimension.

    Args:
        values: what fills the holes. A sentence that names what to put there needs `put`; where that is empty, another
            sentence is taken: that the passage can go (`drop` is true), or only that it is in question.
    """
    table = _TABLES.get(language, remarks_en.REMARKS)
    template = next(table[name] for name in (rule, *_groups(rule), dimension, "") if name in table)
    if "{put}" in template and not values.get("put"):
        template = table["drop" if values.get("drop") else "bare"]
    return template.format_map({"quote": "", **values})


def _groups(rule: str) -> tuple[str, ...]:
    parts = rule.split(".")
    return tuple(".".join(parts[:n]) for n in range(len(parts) - 1, 0, -1))
