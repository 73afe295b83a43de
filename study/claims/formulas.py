"""Formulas of claims: comparisons of coefficients, such as ``mean(SERA-*) > max(ROUGE-1-F, ROUGE-2-F)``.

Identifiers take the place of names and numbers, Python's `ast` parses the rest, and the tree is evaluated
here; nothing is run as Python. docs/multiverse.md describes the language:

- a name is a metric's, and stands for its coefficient with the judgement; ``A~B`` is that of A with B
- a name with ``{a,b}``, ``*`` (any text) or ``#`` (any whole number) stands for several, inside a function
- ``{side}`` stands for the sides of ROUGE, F, P and R, or for the one that is asked for
- the functions are those of `FUNCTIONS`; operators have blanks around them; ``A without B`` leaves names out
- a comparison has ``>`` or ``<``, once or several times in a row
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sera.names import nearest_names

SIDES = {"all": "FPR", "F": "F", "P": "P", "R": "R"}
"""The sides of ROUGE that ``{side}`` stands for: F, precision and recall."""

FUNCTIONS: dict[str, Callable[..., np.ndarray]] = dict(
    mean=np.mean, median=np.median, min=np.min, max=np.max, sd=np.std
)
"""The functions of a list of coefficients; ``sd`` divides by the number of values."""

OF_NUMBERS = ("means", "slope")
"""The functions of names with ``#``: the mean for each number, as a list, and the slope of these means."""

_OPERATORS: dict[type[ast.AST], Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    **{ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide},
    **{ast.Gt: np.subtract, ast.Lt: lambda left, right: right - left},
}
_NAME = r"((?:\{[^{}\s]*\}|[^\s(),{}])+)"
_TOKEN = re.compile(rf"{_NAME}(?:\s+without\s+{_NAME})?|\S")


class AbsentScores(LookupError):
    """A formula names a metric, or a pair, that the table of coefficients lacks."""


class FormulaError(ValueError):
    """A formula that cannot be read: ``problem``, and ``remedy`` as an imperative sentence."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy


@dataclass(frozen=True)
class CoefficientTable:
    """The coefficients that a formula is about.

    ``value`` returns those of a metric with the judgement, or of a metric with another, as a number or an
    array (the same shape for all); it raises `AbsentScores`. ``metrics`` lists the metrics that patterns
    match. ``side``: one of `SIDES`.
    """

    value: Callable[[str, str | None], np.ndarray | float]
    metrics: Sequence[str] = ()
    side: str = "all"


class _Names(NamedTuple):
    """Names as written, with their braces and patterns, and those after ``without``."""

    names: tuple[str, ...]
    out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Formula:
    """A formula that was read; `read_formula` makes it. ``names`` are the names as written, sets replaced."""

    text: str
    names: tuple[str, ...]
    _leaves: Mapping[str, float | _Names] = field(repr=False, compare=False)
    _tree: ast.expr = field(repr=False, compare=False)

    def effect(self, table: CoefficientTable) -> np.ndarray:
        """A number that is above 0 if the comparison holds: the difference of its sides.

        The smallest of the differences if there are several. NaN where a coefficient is undefined and after a
        division by 0; `AbsentScores` if a coefficient is absent.
        """
        return _Evaluation(self._leaves, table).comparison(self._tree)

    def metrics(self, known: Sequence[str]) -> list[str]:
        """The metrics that the formula needs, those that patterns match among ``known``."""
        pairs = (pair for name in self.names for pair in _expanded(name, "all", known))
        return list(dict.fromkeys(one for name, _ in pairs for one in _parts(name) if one))


def read_formula(text: str, sets: Mapping[str, str] | None = None) -> Formula:
    """Read a formula; ``sets`` are names for lists of names. FormulaError if it cannot be read."""
    tokens = list(_TOKEN.finditer(text))
    leaves: dict[str, float | _Names] = {}
    source: list[str] = []
    for place, (token, *written) in enumerate((found[0], *found.groups()) for found in tokens):
        follows_a_part = place and source[-1].startswith(("_", ")"))
        if token in set("(){},+-/><") or (token == "*" and follows_a_part):
            source.append(token)
        elif place + 1 < len(tokens) and tokens[place + 1][0] == "(":
            if token not in (known := [*FUNCTIONS, *OF_NUMBERS]):
                remedy = f"Use {', '.join(nearest_names(token, known, most=1) or known)}."
                raise FormulaError(f"there is no function {token!r}", remedy)
            source.append(token)
        else:
            source.append(f"_{place}")
            if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", token):
                leaves[source[-1]] = float(token)
            else:
                leaves[source[-1]] = _Names(
                    *(_named((sets or {}).get(each, each)) for each in written if each)
                )
    python = " ".join(source)
    try:
        tree = ast.parse(python, mode="eval").body
    except SyntaxError as error:
        place = len(python[: (error.offset or 1) - 1].split())
        rest = text[tokens[place].start() :] if place < len(tokens) else ""
        raise FormulaError(
            f"the formula cannot be read at {rest[:20]!r}: {error.msg}",
            "Put blanks around operators, none inside braces, and write several metrics inside a function.",
        ) from None
    _Evaluation(leaves, None).comparison(tree)
    lists = [part for leaf in leaves.values() if isinstance(leaf, _Names) for part in leaf]
    names = tuple(itertools.chain(*lists))
    return Formula(" ".join(text.split()), names, leaves, tree)


def _named(text: str) -> tuple[str, ...]:
    """Names as written; FormulaError for one that is not a metric's or a pair's."""
    for name in text.split():
        metric, other = _parts(name)
        if not metric or other == "" or (other or "").count("~"):
            raise FormulaError(f"{name!r} is not a pair of metrics", "Write as in SERA-5~ROUGE-2-F.")
        if re.search(r"[*#]", other or "") or len(re.findall(r"[*#]", metric)) > 1:
            remedy = "Use one * or one # in it, and neither after ~."
            raise FormulaError(f"{name!r} has too many patterns", remedy)
        for one in _braces(name.replace("{side}", "F")):
            if re.search(r"[{}<>\[\]()\"'`;=!&|%$^@\\]", one):
                raise FormulaError(f"{one!r} cannot name a metric", "Correct the name.")
    return tuple(text.split())


def _parts(name: str) -> tuple[str, str | None]:
    metric, sign, other = name.partition("~")
    return metric, other if sign else None


def _braces(name: str) -> list[str]:
    """The names that braces stand for, the last brace changing fastest."""
    parts = re.split(r"\{([^{}]*)\}", name)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def _expanded(name: str, side: str, known: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """The names that a name with patterns stands for, each with its number if it has ``#``."""
    written = _braces(name.replace("{side}", "{" + ",".join(SIDES[side]) + "}"))
    numbers: set[int] = set()
    for each in written:
        metric, sign, other = each.partition("~")
        shape = re.escape(metric).replace(r"\*", ".*").replace(r"\#", "([0-9]+)")
        matched = [found for one in known if (found := re.fullmatch(shape, one))]
        if "#" in metric:
            numbers.update(int(found[1]) for found in matched)
        elif "*" in metric:
            yield from ((found[0] + sign + other, None) for found in matched)
        else:
            yield each, None
    for number in sorted(numbers):  # all names of a number, also those that are absent
        yield from ((each.replace("#", str(number)), number) for each in written)


@functools.lru_cache(maxsize=4096)  # a multiverse evaluates the same lists for every universe
def _chosen(written: _Names, side: str, known: tuple[str, ...]) -> dict[int, list[str]]:
    """The names of a list by the number that ``#`` stands for, which is 0 without it."""
    found = dict(pair for name in written.names for pair in _expanded(name, side, known))
    among = [_parts(name)[0] for name in found]
    left_out = {one for name in written.out for one, _ in _expanded(name, side, among)}
    chosen: dict[int, list[str]] = {}
    for name, number in found.items():
        if _parts(name)[0] not in left_out:
            chosen.setdefault(number or 0, []).append(name)
    return dict(sorted(chosen.items()))


@dataclass(frozen=True)
class _Evaluation:
    """The value of a formula's tree by a table; without a table, the tree is only checked."""

    leaves: Mapping[str, float | _Names]
    table: CoefficientTable | None

    def comparison(self, node: ast.expr) -> np.ndarray:
        if not isinstance(node, ast.Compare):
            remedy = "Compare two sides with > or <, as in A > B or A - B > 0."
            raise FormulaError("the formula compares nothing", remedy)
        sides = [self.number(side) for side in (node.left, *node.comparators)]
        steps = zip(node.ops, itertools.pairwise(sides), strict=True)
        return functools.reduce(np.minimum, [_calculated(sign, *pair) for sign, pair in steps])

    def number(self, node: ast.expr) -> np.ndarray:
        """A part that is one coefficient or number, or an array of them."""
        match node:
            case ast.Name(id=leaf):
                if isinstance(held := self.leaves[leaf], float):
                    return np.asarray(held)
                if len(held.names) == 1 and not held.out and not re.search(r"[*#,]|\{side\}", held.names[0]):
                    return self.listed(node)[0]
                names = " ".join(held.names)
                raise FormulaError(f"{names!r} stands for several metrics", f"Write as in mean({names}).")
            case ast.UnaryOp(op=ast.USub(), operand=part):
                return 0.0 - self.number(part)
            case ast.BinOp(left=left, op=sign, right=right):
                return _calculated(sign, self.number(left), self.number(right))
            case ast.Call(func=ast.Name(id="slope"), args=[of]):
                return _slope(self.by_number(of))
            case ast.Call(func=ast.Name(id=name), args=[_, *_] as parts) if name in FUNCTIONS:
                values = [value for part in parts for value in self.listed(part)]
                # no number that # stands for: undefined
                return FUNCTIONS[name](np.broadcast_arrays(*values), axis=0) if values else np.asarray(np.nan)
        raise FormulaError(
            "the formula has a list or a comparison where one number should be",
            "Write lists, such as means(SERA-#), inside a function, and > or < between whole sides.",
        )

    def listed(self, node: ast.expr) -> list[np.ndarray]:
        """The values of an argument of a function."""
        match node:
            case ast.Call(func=ast.Name(id="means"), args=[of]):
                return [*self.by_number(of).values()]
            case ast.Name(id=leaf) if isinstance(names := self.leaves[leaf], _Names):
                if "#" in "".join(names.names):
                    raise FormulaError(
                        "a function of names with # has no number for it", "Write max(means(SERA-#))."
                    )
                if not (found := self.coefficients(names)):
                    raise AbsentScores(f"there are no scores by {', '.join(names.names)}")
                return found[0]
        return [self.number(node)]

    def by_number(self, node: ast.expr) -> dict[int, np.ndarray]:
        """The mean for each number that ``#`` stands for."""
        names = self.leaves[node.id] if isinstance(node, ast.Name) else None
        if not isinstance(names, _Names) or not all("#" in name for name in names.names):
            raise FormulaError("means and slope need names with #", "Write as in slope(SERA{,-DIS}-#).")
        return {number: np.mean(found, axis=0) for number, found in self.coefficients(names).items()}

    def coefficients(self, names: _Names) -> dict[int, list[np.ndarray]]:
        if self.table is None:
            return {0: [np.asarray(0.0)], 1: [np.asarray(0.0)]}
        patterned = re.search(r"[*#]", "".join(names.names))
        chosen = _chosen(names, self.table.side, tuple(self.table.metrics) if patterned else ())
        value = self.table.value
        return {n: [np.asarray(value(*_parts(name)), float) for name in of] for n, of in chosen.items()}


def _calculated(sign: ast.AST, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """NaN where the result is infinite: after a division by 0, or for numbers that are too large."""
    with np.errstate(all="ignore"):
        found = _OPERATORS[type(sign)](left, right)
    return np.where(np.isfinite(found), found, np.nan)


def _slope(points: Mapping[int, np.ndarray]) -> np.ndarray:
    """The slope of the least-squares line through the values by their numbers; NaN for fewer than two."""
    if len(points) < 2:
        return np.asarray(np.nan)
    values = np.stack(list(points.values()))
    lines = np.polyfit(list(points), values.reshape(len(points), -1), 1)
    return lines[0].reshape(values.shape[1:])
