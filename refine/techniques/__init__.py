"""The loop forms, each a flow in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping

from refine.techniques.best_of_n import best_of_n
from refine.techniques.measure import measure
from refine.techniques.prefer import prefer
from refine.techniques.react import react
from refine.techniques.refine import refine
from refine.techniques.single import single
from refine.types import Technique

TECHNIQUES: Mapping[str, Technique] = {
    "refine": refine,
    "single": single,
    "best_of_n": best_of_n,
    "react": react,
    "measure": measure,
    "prefer": prefer,
}
