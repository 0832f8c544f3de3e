"""Who leads a comparison, by how much and how sure, in English."""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "leads": "{best} leads {over} {by} ({level} % interval {low} to {high}, {texts}).",
    "tied": "{best} leads {over} {by} ({level} % interval {low} to {high}, {texts}), but is not told apart from "
    "{tied}{settle}.",
    "early": "Too early to say: {best} is ahead of {over} {by}, but the interval runs from {low} to {high}{settle}.",
    "unknown": "Too early to say: {best} is ahead of {over} {by} on {texts}, which allow no interval.",
    "one": "One text only: {best} is ahead of {over} {by} here, which says nothing of other texts.",
    "none": "No variant leads so far: none is ahead of every other on {texts}.",
}
SETTLE = "; about {more} would settle it"
NEVER = "; more than {more} would be needed to settle it"
BY: Mapping[str, str] = {
    "more": "by {value} {unit}",
    "fewer": "with {value} fewer {unit}",
    "less": "with {value} {unit} less",
}
POINTS = "points"
TEXTS = ("{n} text", "{n} texts")
MORE = ("{n} more text", "{n} more texts")
"""One, many."""
NAME = "{name}"
LIST = " or "
