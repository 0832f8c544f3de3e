"""How well words fit in their place, told by a model's own odds. Nothing is written, nothing is judged.

Made for a llama.cpp server: its `/completion` gives no odds for a prompt, so the words are *forced*, token by token,
with a grammar of token numbers, and their log probabilities are summed. (A grammar of letters takes odd token splits.)
Knows the requests and the sums; who sends them, and what is done with a score, is known elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf

from refine.types import ChoiceCall, Json

Post = Callable[[str, Json], Json]
"""(path, body) -> the answer's JSON. Raises what it likes."""

DIGITS = 3
"""Digits kept of a score: the last ones depend on how much of a prompt the server still remembered."""


BEHIND = 4.0
"""An option whose very first token is by so much worse than the word that stands there is not scored further.

Only where that word is one token: the odds of a mere beginning (it, of it's) say nothing about the word.
"""
TOKENS = 400
"""How many of the likeliest next tokens are looked at for that."""


def choose(post: Post, call: ChoiceCall) -> Json:
    """The value of a reply: `scores`, `index` of the best option, `margin`.

    A score is the natural logarithm of the odds of the option and what follows; None where the option fell behind at
    once, and for the first where all others did. `margin` is by how much the best option is better than the first,
    which is what stands in the text; 0 where it is the first itself.
    """
    prompt = call.before.rstrip() or "\n"
    space = call.before[len(call.before.rstrip()) :]
    texts = [_tokens(post, space + option + call.after) for option in call.options]
    whole = len(_tokens(post, space + call.options[0])) == 1
    left = _near(_next(post, prompt), [tokens[0] for tokens in texts]) if whole else set(range(len(texts)))
    scores = [score(post, prompt, tokens) if len(left) > 1 and n in left else None for n, tokens in enumerate(texts)]
    return chosen(scores)


def chosen(scores: Sequence[float | None]) -> Json:
    known = {n: score for n, score in enumerate(scores) if score is not None}
    index = max(known, key=lambda n: (known[n], -n), default=0)
    margin = round(known[index] - known[0], DIGITS) if known else 0.0
    return {"scores": list(scores), "index": index, "margin": margin}


def score(post: Post, prompt: str, tokens: Sequence[int]) -> float:
    """The log probability of the tokens right after the prompt."""
    reply = post("/completion", _forced(prompt, tokens))
    return round(sum(float(token["logprob"]) for token in reply["completion_probabilities"]), DIGITS)


def _near(odds: Mapping[int, float], firsts: Sequence[int]) -> set[int]:
    """The options that are still in the race after their first tokens; the first always is."""
    least = min(odds.values())
    known = [odds.get(token) for token in firsts]
    bar = -inf if known[0] is None else known[0] - BEHIND
    return {n for n, odd in enumerate(known) if n == 0 or (least if odd is None else odd) >= bar}


def _next(post: Post, prompt: str) -> Mapping[int, float]:
    """The likeliest tokens to follow a prompt, with their log probabilities."""
    reply = post("/completion", {**_ODDS, "prompt": prompt, "n_predict": 1, "n_probs": TOKENS})
    (token,) = reply["completion_probabilities"]
    return {int(one["id"]): float(one["logprob"]) for one in token["top_logprobs"]}


def _tokens(post: Post, text: str) -> list[int]:
    return list(post("/tokenize", {"content": text, "add_special": False, "parse_special": False})["tokens"])


def _forced(prompt: str, tokens: Sequence[int]) -> Json:
    grammar = "root ::= " + " ".join(f"<[{token}]>" for token in tokens)
    return {**_ODDS, "prompt": prompt, "n_predict": len(tokens), "n_probs": 1, "grammar": grammar}


_ODDS = {"temperature": 0, "top_k": 0, "top_p": 1, "min_p": 0, "cache_prompt": True}
