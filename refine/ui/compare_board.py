"""The scoreboard as the pages show it: read again as runs end, and its variants called by their titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import streamlit as st

from refine.board_words import Told
from refine.cell_reader import Reader
from refine.cell_results import CellResult
from refine.scoreboard import Board
from refine.store.comparison_table import Standing
from refine.types import Comparison
from refine.ui import compare_words
from refine.ui.parts import shared, workbench
from refine.ui.words import language


@st.cache_resource(show_spinner=False)
def reader() -> Reader:
    return Reader(shared().store)


def results_of(comparison_id: str) -> tuple[CellResult, ...]:
    """The cells begun so far, by the names of the plan."""
    return reader().results(comparison_id)


def raw_board(comparison_id: str, code: str) -> Board:
    """By the names of the plan, as data have them. `code`: the language of its sentences."""
    return reader().board(comparison_id, code)


def board_of(comparison_id: str, against: str = "", code: str = "") -> Board:
    """By the titles of the variants.

    Args:
        against: the name, in the plan, of the variant that differences are against; "" = the comparison's own.
        code: the language; "" = the session's.
    """
    code = code or language()
    return _titled(_Same(reader().board(comparison_id, code, against)), code)


def standing_of(comparison_id: str) -> Standing:
    return workbench().store.comparisons.standing(comparison_id)


class _Same:
    """A board that is the same as another only where it is that one: to compare all it holds would take long."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.board is self.board

    def __hash__(self) -> int:
        return id(self.board)


@lru_cache(8)
def _titled(same: _Same, code: str) -> Board:
    return titled(same.board, compare_words.titles(same.board.comparison, code))


def titled(board: Board, names: Mapping[str, str]) -> Board:
    """The same with other names. Sentences are said anew, so that they name the variants as everything else does."""
    lead = board.lead and replace(
        board.lead,
        best=names[board.lead.best],
        over=names[board.lead.over],
        tied=tuple(names[name] for name in board.lead.tied),
    )
    rows = tuple(replace(row, name=names[row.name]) for row in board.variants)
    cells = tuple(replace(one, cell=replace(one.cell, variant=names[one.cell.variant])) for one in board.cells)
    comparison = _renamed(board.comparison, names)
    told = Told(comparison, board.measure, cells, rows, lead, board.agreement, board.choosing, board.language)
    return replace(
        board,
        comparison=comparison,
        against=names[board.against],
        cells=cells,
        variants=rows,
        lead=lead,
        differences=tuple(replace(one, name=names[one.name]) for one in board.differences),
        transitions=tuple(replace(one, variant=names[one.variant]) for one in board.transitions),
        front=tuple(names[name] for name in board.front),
        prompts=tuple(replace(one, variant=names.get(one.variant, "")) for one in board.prompts),
        sentence=told.sentence(),
        beside=told.beside(),
        warnings=tuple(told.warnings()),
    )


def _renamed(comparison: Comparison, names: Mapping[str, str]) -> Comparison:
    return replace(
        comparison,
        variants=tuple(replace(variant, name=names[variant.name]) for variant in comparison.variants),
        baseline=names[comparison.against],
        matched={names[one]: names[other] for one, other in comparison.matched.items()},
    )
