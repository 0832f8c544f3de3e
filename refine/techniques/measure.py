"""Measure: a text that somebody else made is looked at by checks and scored by a judge. Nothing is written.

The first round is the author's own text, where there is one, looked at by the checks alone; the last is the text that
is measured, held against it. All texts of a comparison are measured in the same way, so their numbers can be compared.
After Liu et al., "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment", 2023, with evidence before scores.
"""

from __future__ import annotations

from dataclasses import replace

from refine import stops
from refine.loop import ask_all, loop
from refine.techniques.judging import JUDGE, judge, with_judgement
from refine.techniques.reviewing import check_calls, combine, read_checks
from refine.types import Flow, Outcome, Round, RunSpec


def measure(spec: RunSpec) -> Flow[Outcome]:
    original = str(spec.options.get("original") or "")
    texts = (original, spec.task.draft) if original.strip() else (spec.task.draft,)

    def turn(rounds: tuple[Round, ...]) -> Flow[Round]:
        text, last = texts[len(rounds)], len(rounds) == len(texts) - 1
        replies = yield from ask_all(check_calls(spec, rounds, text))
        verdict = combine(spec, text, read_checks(spec, rounds, text, replies), {})
        if last and spec.role(JUDGE):
            verdict = with_judgement(spec, text, original, verdict, (yield from judge(spec, text, original)))
        return Round(text, verdict)

    outcome = yield from loop(turn, [stops.finished(len(texts))], lambda rounds: rounds[-1])
    return outcome if len(outcome.rounds) == len(texts) else replace(outcome, best=None)
