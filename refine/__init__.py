"""Refine: writer-critic rounds on a draft until the critic approves, with every round on record.

    view = refine.refine_text("Teh draft.")
    view.text, view.status, view.reason, view.cost

The names below are loaded on first use, so that `import refine` costs nothing. Everything else is imported from its
module: `refine.replies`, `refine.text.changes` ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refine.api import answer, areact, arefine_text, cancel, compare, fork, read, refine_text, start

__all__ = ["answer", "areact", "arefine_text", "cancel", "compare", "fork", "read", "refine_text", "start"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from refine import api

    globals()[name] = value = getattr(api, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
