"""What a row of the benchmark says, and how much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    figure: float | None
    """None: it cannot be measured here, or so little was measured that chance hides it."""
    target: float | None = None
    """The most it should be; None: nothing was promised."""
    unit: str = ""
    """Empty: a ratio or a count."""
    detail: str = ""

    @property
    def reached(self) -> bool | None:
        return None if self.figure is None or self.target is None else self.figure <= self.target


def above_noise(difference: float) -> float | None:
    """What one measurement takes beyond another; None where chance made the smaller one the larger."""
    return difference if difference > 0 else None


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    blocks: int
    in_turn: int
    """Runs of a block, one after another."""
    at_once: int
    """Runs of a block, all at once."""
    appends: int
    """Calls of one run that the journal alone records."""
    stored: int
    """Runs that are stored to see what one takes up."""
    listed: int
    """Runs in the list whose first rows are waited for."""
    starts: int
    """Processes that are started to see what an import takes."""
    rounds: int
    """Of the run whose prompts are counted."""
    words: int
    """Of the text that is refined without a server."""
    texts: int
    """Of the comparison."""
    presses: int
    """On the page's button, after the first."""


FULL = Size(
    blocks=5,
    in_turn=10,
    at_once=200,
    appends=300,
    stored=50,
    listed=100_000,
    starts=7,
    rounds=10,
    words=300,
    texts=20,
    presses=9,
)
QUICK = Size(
    blocks=1,
    in_turn=1,
    at_once=3,
    appends=10,
    stored=3,
    listed=100,
    starts=1,
    rounds=4,
    words=10,
    texts=1,
    presses=1,
)
