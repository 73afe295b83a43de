"""Formulas of claims: comparisons of coefficients, such as ``mean(SERA-*) > max(ROUGE-1-F, ROUGE-2-F)``.

A formula is read by the parser below, and never run as Python. docs/claims.md describes the language:

- a name is a metric's, and stands for its coefficient with the judgement; ``A~B`` is that of A with B
- a name with ``{a,b}``, ``*`` (any text) or ``#`` (any whole number) stands for several, inside a function
- ``{side}`` stands for the sides of ROUGE, F, P and R, or for the one that is asked for
- the functions are those of `FUNCTIONS`; operators have blanks around them; ``A without B`` leaves names out
- a comparison has ``>`` or ``<``, once or several times in a row
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sera.names import nearest_names

SIDES = {"all": "FPR", "F": "F", "P": "P", "R": "R"}
"""The sides of ROUGE that ``{side}`` stands for: F, precision and recall."""

_TOKEN = re.compile(r"\s*((?:\{[^{}\s]*\}|[^\s(),{}])+|[(),])")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_DEEPEST, _LONGEST, _MOST_NAMES = 50, 2000, 1000


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

    ``value`` gives those of a metric with the judgement, or of a metric with another, as a number or an array
    (the same shape for all); it raises `AbsentScores`. ``metrics`` lists the metrics that patterns match.
    ``side``: one of `SIDES`.
    """

    value: Callable[[str, str | None], np.ndarray | float]
    metrics: Sequence[str] = ()
    side: str = "all"


_Values = list[np.ndarray]
_Numbered = tuple[tuple[str, int | None], ...]
_Part = Callable[[CoefficientTable], _Values]


def _slope(points: Mapping[int, np.ndarray]) -> np.ndarray:
    """The slope of the least-squares line through the values by their numbers; NaN for fewer than two."""
    if len(points) < 2:
        return np.asarray(np.nan)
    values = np.stack(list(points.values()))
    lines = np.polyfit(list(points), values.reshape(len(points), -1), 1)
    return lines[0].reshape(values.shape[1:])


FUNCTIONS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "mean": ("mean", lambda values: values.mean(axis=0)),
    "median": ("median", lambda values: np.median(values, axis=0)),
    "min": ("lowest", lambda values: values.min(axis=0)),
    "max": ("highest", lambda values: values.max(axis=0)),
    "sd": ("standard deviation, by the number of values", lambda values: values.std(axis=0)),
}
"""The functions of a list of coefficients, each with its description."""

OF_NUMBERS = {
    "means": "the mean for each number that # stands for, as a list",
    "slope": "the slope of these means by their number, by least squares",
}
"""The functions of names with ``#``."""


@dataclass(frozen=True)
class Formula:
    """A formula that was read; `read_formula` makes it. ``names`` are the names as written, sets replaced."""

    text: str
    names: tuple[str, ...]
    _comparison: _Part = field(repr=False, compare=False)

    def effect(self, table: CoefficientTable) -> np.ndarray:
        """A number that is above 0 if the comparison holds: the difference of its sides.

        The smallest of the differences if there are several. NaN where a coefficient is undefined;
        `AbsentScores` if one is absent.
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(self._comparison(table)[0])

    def metrics(self, known: Sequence[str]) -> list[str]:
        """The metrics that the formula needs, those that patterns match among ``known``."""
        pairs = (pair for name in self.names for pair in _expanded(name, "all", known))
        return list(dict.fromkeys(one for name, _ in pairs for one in _parts(name) if one))


def read_formula(text: str, sets: Mapping[str, str] | None = None) -> Formula:
    """Read a formula; ``sets`` are names for lists of names. FormulaError if it cannot be read."""
    if len(text) > _LONGEST:
        raise FormulaError(f"the formula has {len(text)} characters", f"Use at most {_LONGEST}.")
    reader = _Reader(_tokens(text), sets or {})
    comparison = reader.comparison()
    return Formula(" ".join(text.split()), tuple(reader.names), comparison)


def _tokens(text: str) -> list[str]:
    tokens, place, text = [], 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise FormulaError(
                f"the formula cannot be read at {text[place:].strip()[:20]!r}",
                "Close each brace, without blanks inside, as in ROUGE-{1,2}-F.",
            )
        tokens.append(found[1])
        place = found.end()
    return tokens


def _parts(name: str) -> tuple[str, str | None]:
    metric, sign, other = name.partition("~")
    return metric, other if sign else None


def _braces(name: str) -> Iterator[str]:
    """The names that braces stand for, the last brace changing fastest."""
    parts = re.split(r"\{([^{}]*)\}", name)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    count = 1
    for each in choices:
        count *= len(each)
    if count > _MOST_NAMES:
        raise FormulaError(f"{name!r} stands for {count} names", f"Use at most {_MOST_NAMES}.")
    return ("".join(chosen) for chosen in itertools.product(*choices))


def _expanded(name: str, side: str, known: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """The names that a name with patterns stands for, each with its number if it has ``#``."""
    written = list(_braces(name.replace("{side}", "{" + ",".join(SIDES[side]) + "}")))
    of_numbers: dict[int, list[str]] = {}
    for each in written:
        metric, other = _parts(each)
        rest = "" if other is None else f"~{other}"
        if "*" not in metric and "#" not in metric:
            yield each, None
            continue
        shape = "([0-9]+)".join(".*".join(map(re.escape, part.split("*"))) for part in metric.split("#"))
        for one in known:
            if found := re.fullmatch(shape, one):
                if "#" in metric:
                    of_numbers.setdefault(int(found[1]), []).append(one + rest)
                else:
                    yield one + rest, None
    for number in sorted(of_numbers):  # all names of a number, also those that are absent
        for each in written:
            yield each.replace("#", str(number)), number


class _Reader:
    """A recursive descent over the tokens; each method reads one part of the grammar."""

    def __init__(self, tokens: list[str], sets: Mapping[str, str]) -> None:
        self._tokens, self._sets, self._place, self._depth = tokens, sets, 0, 0
        self.names: list[str] = []

    def comparison(self) -> _Part:
        sides, signs = [self._sum()], []
        while self._next() in (">", "<"):
            signs.append(self._take())
            sides.append(self._sum())
        if (left := self._next()) is not None:
            raise FormulaError(
                f"the formula has {left!r} where it should end or go on with an operator",
                "Put blanks around operators, and write several metrics inside a function.",
            )
        if not signs:
            raise FormulaError(
                "the formula compares nothing", "Compare two sides with > or <, as in A > B or A - B > 0."
            )

        def compared(table: CoefficientTable) -> _Values:
            values = [side(table)[0] for side in sides]
            steps = [
                left - right if sign == ">" else right - left
                for sign, (left, right) in zip(signs, itertools.pairwise(values), strict=True)
            ]
            return [_stacked(steps).min(axis=0) if len(steps) > 1 else steps[0]]

        return compared

    def _next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _take(self, expected: str | None = None) -> str:
        token = self._next()
        if token is None or (expected is not None and token != expected):
            found = "ends" if token is None else f"has {token!r}"
            raise FormulaError(
                f"the formula {found} where {repr(expected) if expected else 'a name or a number'} should be",
                "Complete the formula.",
            )
        self._place += 1
        return token

    def _sum(self) -> _Part:
        return self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._atom))

    def _chain(self, signs: tuple[str, ...], part: Callable[[], _Part]) -> _Part:
        found = part()
        while (sign := self._next()) in signs:
            self._take()
            found = _calculated(str(sign), found, part())
        return found

    def _atom(self) -> _Part:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FormulaError("the formula is nested too deeply", f"Nest at most {_DEEPEST} parts.")
        token = self._take()
        try:
            if token == "-":
                return _calculated("-", lambda table: [np.asarray(0.0)], self._atom())
            if re.fullmatch(f"-?{_NUMBER.pattern}", token):
                number = float(token)
                return lambda table: [np.asarray(number)]
            if token == "(":
                inside = self._sum()
                self._take(")")
                return inside
            if self._next() == "(":
                return self._call(token)
            names = self._named("" if token == "*" else token)
            several = len(names) > 1 or len(list(_braces(names[0]))) > 1
            if several or re.search(r"[*#]|\{side\}", names[0]):
                raise FormulaError(
                    f"{token!r} stands for several metrics", f"Write a function, as in mean({token})."
                )
            return _listed(names, [])
        finally:
            self._depth -= 1

    def _call(self, name: str) -> _Part:
        if name not in FUNCTIONS and name not in OF_NUMBERS:
            known = [*FUNCTIONS, *OF_NUMBERS]
            nearest = nearest_names(name, known)
            raise FormulaError(
                f"there is no function {name!r}", f"Use {nearest[0] if nearest else ', '.join(known)}."
            )
        self._take("(")
        parts = [self._argument(name)]
        while self._next() == ",":
            self._take()
            parts.append(self._argument(name))
        self._take(")")
        if name in FUNCTIONS:
            of = FUNCTIONS[name][1]

            def called(table: CoefficientTable) -> _Values:
                values = [value for part in parts for value in part(table)]
                # no number that # stands for: undefined
                return [of(_stacked(values)) if values else np.asarray(np.nan)]

            return called
        if len(parts) > 1:
            raise FormulaError(f"{name} takes one argument", "Join the names with braces, as in A{,B}-#.")
        return parts[0]

    def _argument(self, function: str) -> _Part:
        token = self._next()
        following = self._tokens[self._place + 1 : self._place + 2]
        alone = following in ([","], [")"], ["without"])
        if token is None or not alone or token in ("(", ")", ",", "+", "-", "/"):
            if function in OF_NUMBERS:
                raise FormulaError(f"{function} needs names with #", f"Write as in {function}(SERA-#).")
            return self._sum()
        if _NUMBER.fullmatch(token):
            return self._sum()
        names, out = self._named(self._take()), []
        if self._next() == "without":
            self._take()
            out = self._named(self._take())
        if function in OF_NUMBERS:
            if not all("#" in _parts(name)[0] for name in names):
                raise FormulaError(
                    f"{function} needs names with #, and {token!r} has none", "Write as in SERA-#."
                )
            return _by_number(names, out, function)
        if any("#" in name for name in names):
            raise FormulaError(
                f"{function} of {token!r} has no number for #", f"Write {function}(means({token}))."
            )
        return _listed(names, out)

    def _named(self, token: str) -> list[str]:
        """The names that a token stands for, braces still in them; a set's own if it names one."""
        if token in ("", "(", ")", ",", ">", "<", "+", "/", "without"):
            raise FormulaError(
                f"the formula has {token or '*'!r} where a metric should be", "Name a metric there."
            )
        names = self._sets.get(token, token).split()
        for name in names:
            metric, other = _parts(name)
            if not metric or other == "" or (other or "").count("~"):
                raise FormulaError(f"{name!r} is no pair of metrics", "Write as in SERA-5~ROUGE-2-F.")
            if re.search(r"[*#]", other or "") or metric.count("#") > 1 or {"*", "#"} <= set(metric):
                raise FormulaError(
                    f"{name!r} has too many patterns", "Use * or one # in it, and neither after ~."
                )
            for one in _braces(name.replace("{side}", "F")):
                if re.search(r"[{}<>\[\]()\"'`;=!&|%$^@\\]", one):
                    raise FormulaError(f"{one!r} is no metric's name", "Correct the name.")
        self.names += names
        return names


def _calculated(sign: str, left: _Part, right: _Part) -> _Part:
    def value(table: CoefficientTable) -> _Values:
        a, b = left(table)[0], right(table)[0]
        with np.errstate(divide="ignore"):
            return [a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b]

    return value


def _stacked(values: _Values) -> np.ndarray:
    alike = len({value.shape for value in values}) == 1  # a number beside arrays is not
    return np.stack(values if alike else np.broadcast_arrays(*values))


def _coefficients(table: CoefficientTable, names: Sequence[str]) -> _Values:
    return [np.asarray(table.value(*_parts(name)), float) for name in names]


def _chosen(
    table: CoefficientTable, names: Sequence[str], out: Sequence[str]
) -> tuple[tuple[str, int | None], ...]:
    patterned = re.search(r"[*#]", "".join(names)) is not None
    return _names_of(tuple(names), tuple(out), table.side, tuple(table.metrics) if patterned else ())


@functools.lru_cache(maxsize=4096)  # a multiverse evaluates the same lists for every universe
def _names_of(names: tuple[str, ...], out: tuple[str, ...], side: str, known: tuple[str, ...]) -> _Numbered:
    found = dict(pair for name in names for pair in _expanded(name, side, known))
    among = [_parts(name)[0] for name in found]
    left_out = {one for name in out for one, _ in _expanded(name, side, among)}
    return tuple((name, number) for name, number in found.items() if _parts(name)[0] not in left_out)


def _listed(names: Sequence[str], out: Sequence[str]) -> _Part:
    def values(table: CoefficientTable) -> _Values:
        chosen = [name for name, _ in _chosen(table, names, out)]
        if not chosen:
            raise AbsentScores(f"there are no scores by {', '.join(names)}")
        return _coefficients(table, chosen)

    return values


def _by_number(names: Sequence[str], out: Sequence[str], function: str) -> _Part:
    def values(table: CoefficientTable) -> _Values:
        of: dict[int, list[str]] = {}
        for name, number in _chosen(table, names, out):
            of.setdefault(number or 0, []).append(name)
        points = {number: np.stack(_coefficients(table, of[number])).mean(axis=0) for number in sorted(of)}
        return [_slope(points)] if function == "slope" else list(points.values())

    return values
