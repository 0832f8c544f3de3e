"""Arithmetic, and nothing else: no names, strings, attributes, subscripts or keywords, and no number that takes long.

Signs and words are looked at before Python's parser sees them; then `simpleeval` walks the tree with our own list of
nodes, operators and functions, each bounded.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from simpleeval import InvalidExpression, SimpleEval

from refine.tools.registry import AT_ONCE, tool
from refine.tools.surroundings import Surroundings
from refine.tools.wording import say
from refine.tools.wrong import Refused, short

LONGEST = 1_000
"""Characters of an expression."""
DEEPEST = 150
"""Steps from the outermost operation to a number: a long sum is as deep as it has terms."""
MOST_BITS = 4_096
"""Size of the largest whole number, some 1,200 digits."""
MOST_FACTORIAL = 500
MOST_PLACES = 100
"""Decimal places to round to."""
DIGITS = 12
"""Significant digits shown of a number that is not whole."""

_WIDE = {chr(sign + 0xFEE0): chr(sign) for sign in range(0x21, 0x7F)}
_SIGNS = str.maketrans(
    {
        **_WIDE,
        "\u3000": " ",
        "×": "*",
        "·": "*",
        "÷": "/",
        "−": "-",
        "–": "-",
        "^": "**",
        "、": ",",
        "\n": " ",
        "\t": " ",
    }
    | {"（": "(", "）": ")", "，": ",", "＾": "**"}
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_PERCENT = re.compile(r"((?:\d+(?:\.\d*)?|\.\d+))%(?=\s*(?:$|[-+*/),]))")
_GROUPED = re.compile(r"(?<![\d.,(])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_]\w*)|(?P<sign>\*\*|//|[-+*/%(),]))",
    re.A,
)

Number = int | float


class _TooLarge(Exception):
    pass


class _NotANumber(Exception):
    pass


def _checked(value: Any) -> Number:
    if type(value) is int:
        if value.bit_length() > MOST_BITS:
            raise _TooLarge
        return value
    if type(value) is complex:
        raise ValueError
    if type(value) is not float:
        raise _NotANumber
    if math.isinf(value):
        raise _TooLarge
    if math.isnan(value):
        raise ValueError
    return value


def _bounded(work: Callable[..., Any]) -> Callable[..., Number]:
    """Numbers in, a number out, neither of them too large."""
    return lambda *given: _checked(work(*map(_checked, given)))


def _power(base: Number, exponent: Number) -> Any:
    if (
        isinstance(base, int)
        and isinstance(exponent, int)
        and exponent > 0
        and base.bit_length() * exponent > MOST_BITS
    ):
        if abs(base) > 1:
            raise _TooLarge
        return base ** (exponent % 2 + 2)
    return base**exponent


def _factorial(n: Number) -> int:
    if n > MOST_FACTORIAL:
        raise _TooLarge
    return math.factorial(n)  # type: ignore[arg-type]  # refuses what is not whole


def _rounded(value: Number, digits: Number = 0) -> Number:
    if abs(digits) > MOST_PLACES:
        raise ValueError
    return round(value) if digits == 0 else round(value, int(digits))


def _mean(first: Number, *rest: Number) -> Number:
    return sum(rest, first) / (1 + len(rest))


OPERATORS: Mapping[type[ast.AST], Callable[..., Number]] = {
    ast.Add: _bounded(operator.add),
    ast.Sub: _bounded(operator.sub),
    ast.Mult: _bounded(operator.mul),
    ast.Div: _bounded(operator.truediv),
    ast.FloorDiv: _bounded(operator.floordiv),
    ast.Mod: _bounded(operator.mod),
    ast.Pow: _bounded(_power),
    ast.USub: _bounded(operator.neg),
    ast.UAdd: _bounded(operator.pos),
}

FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "abs": _bounded(abs),
    "ceil": _bounded(math.ceil),
    "cos": _bounded(math.cos),
    "exp": _bounded(math.exp),
    "factorial": _bounded(_factorial),
    "floor": _bounded(math.floor),
    "log": _bounded(math.log),
    "log10": _bounded(math.log10),
    "max": _bounded(lambda *values: max(values)),
    "mean": _bounded(_mean),
    "min": _bounded(lambda *values: min(values)),
    "round": _bounded(_rounded),
    "sin": _bounded(math.sin),
    "sqrt": _bounded(math.sqrt),
    "sum": _bounded(lambda *values: sum(values)),
    "tan": _bounded(math.tan),
}

NAMES: Mapping[str, Number] = {"pi": math.pi, "e": math.e}

_NODES = (ast.Expr, ast.BinOp, ast.UnaryOp, ast.Call, ast.Constant, ast.Name)


@tool(seconds=AT_ONCE)
def calculator(around: Surroundings, expression: str) -> str:
    """Works out an arithmetic expression, e.g. 18 * 1.08 + sqrt(2).

    Args:
        expression: numbers with + - * / // % ** and brackets; abs, ceil, cos, exp, factorial, floor, log, log10, max,
            mean, min, round, sin, sqrt, sum, tan; pi, e. No units, no thousands separators.
    """
    return written(evaluate(expression, around.language))


def evaluate(expression: str, language: str = "en") -> Number:
    """The value of an expression. Raises Refused with a sentence that says what is wrong with it."""
    if len(expression) > LONGEST:
        raise Refused(say(language, "calc_long", count=len(expression), limit=LONGEST))
    plain = _plain(expression)
    _look_at_signs(plain, language)
    try:
        return _checked(_walk(plain))
    except (_TooLarge, OverflowError):
        raise Refused(say(language, "calc_large")) from None
    except ZeroDivisionError:
        raise Refused(say(language, "calc_zero")) from None
    except RecursionError:
        raise Refused(say(language, "calc_deep")) from None
    except (SyntaxError, InvalidExpression, _NotANumber, TypeError, MemoryError):
        raise Refused(say(language, "calc_form", expression=short(expression))) from None
    except ValueError:
        raise Refused(say(language, "calc_undefined", expression=short(expression))) from None


def written(value: Number) -> str:
    return str(value) if isinstance(value, int) else f"{value:.{DIGITS}g}"


def _plain(expression: str) -> str:
    """Full-width and printed signs as Python's; 15% as a hundredth; 1,234 as one number."""
    raised = _RAISED.sub(lambda found: f"**{found[0].translate(_SUPERSCRIPTS)}", expression)
    plain = raised.translate(_SIGNS).strip().rstrip("=").strip()
    if "(" not in plain:
        plain = _GROUPED.sub(lambda found: found[0].replace(",", ""), plain)
    return _PERCENT.sub(r"(\1/100)", plain)


def _look_at_signs(plain: str, language: str) -> None:
    """Raises Refused unless all is numbers, operators and words we know."""
    at, end = 0, len(plain)
    if not plain:
        raise Refused(say(language, "calc_empty"))
    while at < end:
        found = _TOKEN.match(plain, at)
        if found is None:
            raise Refused(say(language, "calc_sign", sign=plain[at:].lstrip()[:1]))
        word = found["word"]
        if word and word not in FUNCTIONS and word not in NAMES:
            known = ", ".join([*FUNCTIONS, *NAMES])
            raise Refused(say(language, "calc_word", word=short(word, 30), known=known))
        at = found.end()


def _walk(plain: str) -> Any:
    evaluator = SimpleEval(operators=dict(OPERATORS), functions=dict(FUNCTIONS), names=dict(NAMES))
    evaluator.nodes = {node: evaluator.nodes[node] for node in _NODES}
    tree = evaluator.parse(plain)
    if _depth(tree) > DEEPEST:
        raise RecursionError
    return evaluator.eval(plain, tree)


def _depth(tree: ast.AST) -> int:
    level, depth = [tree], 0
    while level:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
    return depth
