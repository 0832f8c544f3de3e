"""The blind vote: two results side by side, and which one the author would rather sign.

Before the vote nothing that is sent to the browser tells whose text it is or what it cost: no names, ids, keys, files
or figures, and no other view of the comparison is drawn beside it.
"""

from __future__ import annotations

from functools import partial
from random import SystemRandom

import streamlit as st

from refine.cell_results import CellResult
from refine.scoreboard import Board
from refine.types import Choice, Vote
from refine.ui import ballot, components, language_switch, texts
from refine.ui.ballot import Ballot
from refine.ui.compare_board import board_of, results_of, standing_of
from refine.ui.components import Pieces
from refine.ui.frame import bar
from refine.ui.parts import workbench
from refine.ui.words import N_, _, ngettext, pgettext, plain, together

NOTE, PLACE = "vote-note", "vote-place"
EVERY_SECONDS = 3
"""How often a comparison under way is asked for more pairs, where none is left."""
MOST_ROWS = 15
"""More rows scroll in the table."""
CHOICES: tuple[tuple[Choice, str, str], ...] = (
    ("first", N_("A is better"), "1"),
    ("same", N_("Same"), "2"),
    ("second", N_("B is better"), "3"),
)


def show(comparison_id: str) -> None:
    votes = workbench().store.comparisons.votes(comparison_id)
    results = {result.run_id: result for result in results_of(comparison_id)}
    found = brought_up(comparison_id, kept(comparison_id), list(results.values()))
    if found.ended:
        outcome(comparison_id, found, votes)
        return
    left = found.left(votes)
    place = place_of(comparison_id, found, left)
    if place is None:
        nothing_left(comparison_id, found, votes)
        return
    question(comparison_id, found, place, results)
    bar(progress_words(found, place), partial(buttons, comparison_id, found, place), done_share(found, left))


# --- what is kept ----------------------------------------------------------------------------------------------------


def kept_as(comparison_id: str) -> str:
    return f"ballot-{comparison_id}"


def kept(comparison_id: str) -> Ballot:
    return ballot.from_data(workbench().store.draft_get(kept_as(comparison_id)))


def keep(comparison_id: str, found: Ballot) -> None:
    workbench().store.draft_put(kept_as(comparison_id), ballot.to_data(found))


def brought_up(comparison_id: str, found: Ballot, results: list[CellResult]) -> Ballot:
    """With the pairs of results that came since; their order and sides are drawn once and kept."""
    wider = ballot.extended(found, results, SystemRandom())
    if wider != found:
        keep(comparison_id, wider)
    return wider


def is_closed(comparison_id: str) -> bool:
    """Are the results closed, as the author votes?"""
    votes = workbench().store.comparisons.votes(comparison_id)
    return ballot.closed(kept(comparison_id), votes, standing_of(comparison_id) == "open")


def place_of(comparison_id: str, found: Ballot, left: list[int]) -> int | None:
    """The pair that is shown: the one gone back to, else the first without a vote."""
    of, back = st.session_state.get(PLACE, ("", 0))
    if of == comparison_id and back < len(found.pairs):
        return int(back)
    return left[0] if left else None


# --- the question ----------------------------------------------------------------------------------------------------


def question(comparison_id: str, found: Ballot, place: int, results: dict[str, CellResult]) -> None:
    one, two = (results[run_id] for run_id in found.pairs[place])
    heading(comparison_id, found, place)
    about = _("Names, costs and order are hidden. End voting when you like; until then the results stay closed.")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.caption(f"{plain(one.cell.task)} · {about}", width="content")
        marked = st.toggle(_("Mark where they differ"), value=True, key="vote-marks")
    sides = sides_of(one.text or "", two.text or "", marked)
    for column, name, shown in zip(st.columns(2, gap="medium"), "AB", sides, strict=True):
        with column:
            pane(name, shown, one.language)


def heading(comparison_id: str, found: Ballot, place: int = 0) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(_("Which one would you rather sign?"), anchor=False, width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
            language_switch.button()
            if place:
                st.button(_("The pair before"), type="tertiary", icon=":material/arrow_back:", on_click=go_to,
                          args=(comparison_id, place - 1), key="vote-back")  # fmt: skip
            st.button(_("End voting"), type="tertiary", icon=":material/flag:", on_click=end,
                      args=(comparison_id, found), key="vote-end")  # fmt: skip


def sides_of(one: str, two: str, marked: bool) -> tuple[Pieces, Pieces]:
    """Both are marked alike: nothing is struck out or set forth as the newer."""
    if not marked:
        return [("same", one)], [("same", two)]
    changed = texts.differences(one, two)
    left = texts.pieces(one, changed, old=True, new=False)
    return [("new" if kind == "old" else kind, text) for kind, text in left], texts.pieces(one, changed, old=False)


def pane(name: str, shown: Pieces, language: str) -> None:
    """The text alone. The component's key says nothing but the side."""
    words = {"copy": "", "copied": ""}
    components.marked([shown], count=name, copy="", language=language, words=words, key=f"vote-{name}")


def progress_words(found: Ballot, place: int) -> str:
    return _("**Pair {n} of {all}**").format(n=place + 1, all=len(found.pairs))


def done_share(found: Ballot, left: list[int]) -> float:
    return (len(found.pairs) - len(left)) / len(found.pairs)


def buttons(comparison_id: str, found: Ballot, place: int) -> None:
    st.text_input(
        _("Why? (optional)"), placeholder=_("Why? (optional)"), key=NOTE, max_chars=2_000, width=260,
        label_visibility="collapsed",
    )  # fmt: skip
    with st.container(horizontal=True, width="content", gap="small"):
        for choice, words, shortcut in CHOICES:
            args = (comparison_id, found.pairs[place], choice)
            st.button(_(words), on_click=vote, args=args, shortcut=shortcut, key=f"vote-{choice}")


# --- what the author does --------------------------------------------------------------------------------------------


def vote(comparison_id: str, pair: ballot.Pair, choice: Choice) -> None:
    note = str(st.session_state.get(NOTE) or "").strip()
    workbench().store.comparisons.vote(comparison_id, Vote(*pair, choice, note))
    st.session_state[NOTE] = ""
    st.session_state.pop(PLACE, None)


def go_to(comparison_id: str, place: int) -> None:
    st.session_state[PLACE] = comparison_id, place


def end(comparison_id: str, found: Ballot) -> None:
    keep(comparison_id, Ballot(found.pairs, ended=True))
    st.session_state.pop(PLACE, None)


def go_on(comparison_id: str, found: Ballot) -> None:
    keep(comparison_id, Ballot(found.pairs))


# --- when no pair is left, and after the end -------------------------------------------------------------------------


def nothing_left(comparison_id: str, found: Ballot, votes: list[Vote]) -> None:
    """Every pair has its vote; or there is none, as nothing has ended or all texts are the same."""
    goes_on = standing_of(comparison_id) == "open"
    if votes and not goes_on:
        end(comparison_id, found)
        outcome(comparison_id, kept(comparison_id), votes)
        return
    heading(comparison_id, found)
    st.caption(
        _("No pair is left for now; more come as runs end.") if goes_on
        else _("There are no two different results of one text to choose between.")
    )  # fmt: skip
    if goes_on:
        st.fragment(look_for_more, run_every=EVERY_SECONDS)(comparison_id, len(found.pairs))


def look_for_more(comparison_id: str, drawn: int) -> None:
    wider = brought_up(comparison_id, kept(comparison_id), [*results_of(comparison_id)])
    if len(wider.pairs) != drawn or standing_of(comparison_id) != "open":
        st.rerun()


def outcome(comparison_id: str, found: Ballot, votes: list[Vote]) -> None:
    """The author's votes with the names, and how often the judge agrees."""
    board = board_of(comparison_id)
    st.header(_("Your votes"), anchor=False)
    st.markdown(plain(agreement_words(board, len(votes))))
    if votes:
        table(board, votes)
    with st.container(horizontal=True, gap="small"):
        if found.left(votes):
            left = len(found.left(votes))
            label = ngettext("Vote on {n} more pair", "Vote on {n} more pairs", left).format(n=left)
            st.button(
                label, icon=":material/how_to_vote:", on_click=go_on, args=(comparison_id, found), key="vote-more"
            )


def agreement_words(board: Board, votes: int) -> str:
    said = ngettext("You voted on {n} pair.", "You voted on {n} pairs.", votes).format(n=votes)
    agreed = board.agreement
    if agreed is None or agreed.share is None:
        return together(said, _("No judge scored these texts, so there is nothing to hold your votes against."))
    share = _("The judge agrees with you on {k} of {n} ({percent} %).").format(
        k=round(agreed.share * agreed.n), n=agreed.n, percent=f"{100 * agreed.share:.0f}"
    )
    return together(said, share)


def table(board: Board, votes: list[Vote]) -> None:
    import pandas as pd  # type: ignore[import-untyped]

    cells = {cell.run_id: cell for cell in board.cells}
    rows = [
        {
            "text": cells[vote.first].cell.task,
            "first": cells[vote.first].cell.variant,
            "second": cells[vote.second].cell.variant,
            "chosen": chosen_words(vote, cells),
            "note": vote.note,
        }
        for vote in votes
        if vote.first in cells and vote.second in cells
    ]
    text = st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        height="content" if len(rows) <= MOST_ROWS else 560,
        column_config={
            "text": text(pgettext("compared", "Text"), width="medium"),
            "first": text("A"),
            "second": text("B"),
            "chosen": text(_("You chose")),
            "note": text(_("Note"), width="large"),
        },
        key="compare-votes",
        alt=_("One row for each vote: the two variants, and which one was chosen."),
    )


def chosen_words(vote: Vote, cells: dict[str, CellResult]) -> str:
    if vote.choice == "same":
        return _("Same")
    return cells[vote.first if vote.choice == "first" else vote.second].cell.variant
