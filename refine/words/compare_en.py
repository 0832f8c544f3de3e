"""Words of comparisons, in English: what ranks, what to beware of, and what stands in the files of one."""

from __future__ import annotations

from collections.abc import Mapping

BASIS: Mapping[str, str] = {
    "judge": "Ranked by the score of one judge, the same for all: {model}, 0 to 10.",
    "checks": (
        "No judge scored, so variants are ranked by what the checks found: must counts {must}, should {should}, a lost "
        "fact {lost}, for each 100 words; fewer is better."
    ),
    "": "No result is measured, so nothing is ranked.",
}
"""By what variants are ranked."""

NO_LEAD = "Too early to say: there are not two variants with results yet."

WARNINGS: Mapping[str, str] = {
    "one_draft": "Only one text was compared: there are no intervals, and another text may turn out otherwise.",
    "few_drafts": "Only {n} texts were compared: with fewer than {enough}, intervals are wide.",
    "same_model": "{model} is {parts} in {variants}: a model may like its own text too well.",
    "scripted": (
        "Scripted characters play the models of {variants}: this shows how comparing works, and says nothing of the "
        "prompts."
    ),
    "scripted_judge": (
        "The judge is a scripted character, which judges nothing: its scores show how a comparison works, not which "
        "text is better."
    ),
    "no_score": "The judge scored no result; see the runs that measure for why.",
    "critics": "The variants have different critics, so the critics' own scores are shown but rank nothing.",
    "failed": "Runs that failed or were stopped: {list}. They have no result; the last reason: {reason}",
    "missing": "Results that have no score: {list}. They are left out, not counted as 0.",
    "lost": "Facts of the original were lost in: {list}.",
    "unpriced": "The price of {models} is not known, so costs are incomplete.",
    "uncharged": "What some calls cost is not known, so costs say “at least”.",
    "currencies": "Costs are in several currencies, so they are not held against quality.",
    "swayed": "The judge chose by place, not by text, in {k} of {n} pairs ({percent} %): these are ties.",
    "agreement": "You and the judge agree on {k} of {n} pairs ({percent} %).",
    "kappa": "You and the judge agree on {k} of {n} pairs ({percent} %, kappa {kappa}).",
}
"""What the reader of a comparison must know. One sentence each."""

FAULTS = "weighted findings per 100 words"
"""Unit of the lead where checks rank."""
SAME_COST = "A cell of {best} costs about what one of {over} does."
TIMES = "A cell of {best} costs {times} times what one of {over} does."
SOME = "{variant} {n} of {all}"
AND = " and "
ALL_VARIANTS = "all variants"

REPORT: Mapping[str, str] = {
    "untitled": "A comparison",
    "about": "{variants} variants × {tasks} texts × {repeats} repeats",
    "so_far": "{n} of {all} cells have their results: the comparison has not ended.",
    "variants": "Variants",
    "judgements": "Checks, pairs and votes",
    "costs": "Length, cost and time",
    "differences": "Difference to {variant}: {scale}",
    "no_interval": "no interval",
    "scale_judge": "points of the judge’s score, more is better",
    "scale_checks": "fewer weighted findings for each 100 words, more is better",
    "front": "Quality against cost",
    "front_x": "cost of a cell, {currency}",
    "front_judge": "score of the judge",
    "front_checks": "weighted findings for each 100 words",
    "front_joined": "Quality against cost. Joined: no variant is both better and cheaper.",
    "matrix_judge": "Score of the judge by text",
    "matrix_checks": "Weighted findings for each 100 words, by text",
    "transitions": "What became of the texts",
    "better": "Better",
    "worse": "Worse",
    "same": "Same",
    "texts": "Texts",
    "cell": "{variant}, repeat {n}",
    "no_text": "There is no reviewed text.",
    "unchanged": "The text is the draft, word for word.",
    "brief": "Brief",
    "prompts": "Prompts",
    "prices": "Prices",
    "judge": "Judge",
    "checks": "Checks",
    "with": "How this was made",
    "comparison": "Comparison",
    "spent": "Cost of the variants",
    "judging": "Cost of judging",
    "votes": "Your votes",
    "default": "default",
    "variant": "Variant",
    "text": "Text",
    "results": "Cells",
    "results_said": "{done} of {all}",
    "failed_said": "{failed} failed",
    "approved": "Approved",
    "rounds": "Rounds",
    "findings": "Findings",
    "lost": "Facts lost",
    "lost_said": "{n} in {cells} cells",
    "judge_score": "Judge",
    "faults": "Findings per 100 words",
    "difference": "Difference (95 %)",
    "baseline": "baseline",
    "pairs": "Judge's pairs",
    "tally": "{won} won, {tied} tied, {lost} lost",
    "consistency": "Repeats agree",
    "stops": "Why they stopped",
    "length": "Length",
    "edits": "Changed",
    "tokens": "Tokens in / out",
    "cost": "Cost of a cell",
    "total": "Cost in all",
    "first": "First text",
    "time": "Time",
    "role": "Role",
    "model": "Model",
    "endpoint": "Endpoint",
    "temperature": "Temperature",
    "hash": "Version of the prompt",
    "input": "Input",
    "output": "Output",
    "cached": "Cached",
    "million": "per million tokens",
    "source": "Source",
    "date": "Date",
    "run": "Run",
}
"""Words of the report."""
