"""A reply cut into sections at its labels and envelopes, in order (A3).

Knows nothing of tools and arguments.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from refine.replies.steps_marks import Kind, Mark, Source, marks


@dataclass(slots=True)
class Section:
    """A label or an envelope and what stands under it. What comes before the first is a thought."""

    kind: Kind
    start: int
    """Where its text begins."""
    mark: Mark | None = None
    end: int = 0
    objects: list[Mark] = field(default_factory=list)
    fences: list[tuple[int, int]] = field(default_factory=list)
    cut: int | None = None
    """Where an object or a fence begins that never ends."""

    def closed(self, end: int) -> Section:
        self.end = end
        return self

    def in_fence(self, at: int) -> bool:
        found = bisect_right(self.fences, (at, at)) - 1
        return found >= 0 and self.fences[found][0] <= at < self.fences[found][1]


def sections(source: Source) -> list[Section]:
    """A3: up to a self-written observation, or to an answer, which runs to the end."""
    done: list[Section] = []
    part = Section("thought", 0)
    for mark in marks(source):
        kind = _kind(mark.kind, part.kind)
        if mark.kind == "object":
            part.objects.append(mark)
        elif mark.kind == "fence":
            part.fences.append((mark.start, mark.end))
        elif mark.kind == "cut":
            part.cut = mark.start
        elif kind is not None:
            done.append(part.closed(mark.start))
            if kind == "observation":
                return done
            part = Section(kind, mark.end, mark)
            if kind == "answer" and source.text(mark.end).strip():
                break
            if kind == "call":
                done.append(part.closed(mark.end))
                part = Section("thought", mark.end)
    done.append(part.closed(len(source.clean)))
    return done


def _kind(kind: Kind, before: Kind) -> Kind | None:
    """What a label is after the section before; None where it is text."""
    if kind == "arguments":
        return "input" if before in ("action", "tool") else None
    if kind == "result":
        return "observation" if before in ("action", "input") else None
    return kind
