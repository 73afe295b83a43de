"""All pairs of Spearman's rho and Kendall's tau-b that two rankings of n systems can have, by enumeration.

A side has no ties or one pair of tied systems; ranks are mid-ranks. All numbers are whole: with ranks r
doubled and centred, 2r - (n + 1), Spearman's rho is p / sqrt(a) and tau-b is s / sqrt(b), where

- p is the sum of products of the two sides' ranks, and a the product of their sums of squares;
- s is the number of concordant less that of discordant pairs of systems, and b the number of untied pairs on
  one side times that on the other.

Arrangements with the same ties differ in p and s alone, so an arrangement is stored as the pair (p, s).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import isqrt

SYSTEMS = range(4, 10)
TIES: dict[str, tuple[int, ...]] = {"none": (0,), "one": (1,), "both": (2,), "any": (0, 1, 2)}
"""Patterns of ties by name: the numbers of sides (of two) on which a pair of systems may be tied."""


@dataclass(frozen=True)
class Grid:
    """The pairs that rankings of a number of systems can have, with ties on a number of sides.

    ``counts`` has the number of arrangements for each (p, s); ``squares`` is (a, b), the same for all.
    """

    counts: Counter[tuple[int, int]]
    squares: tuple[int, int]

    def holds(self, rho: Fraction, tau: Fraction, tolerance: Fraction) -> bool:
        """Whether a pair is within the tolerance of both values; computed exactly."""
        ps, ss = (
            _between(value - tolerance, value + tolerance, square)
            for value, square in zip((rho, tau), self.squares, strict=True)
        )
        return any(pair in self.counts for pair in product(ps, ss))

    def printed(self, digits: int) -> Counter[tuple[Fraction, Fraction]]:
        """The number of arrangements for each pair (rho, tau), rounded to ``digits`` decimals."""
        a, b = self.squares
        rounded: Counter[tuple[Fraction, Fraction]] = Counter()
        for (p, s), count in self.counts.items():
            rounded[_rounded(p, a, digits), _rounded(s, b, digits)] += count
        return rounded


@dataclass(frozen=True)
class Hypothesis:
    """A number of compared systems, with a pattern of ties (a name in `TIES`)."""

    systems: int
    ties: str

    @property
    def name(self) -> str:
        """The name of the hypothesis, for example ``6_one``."""
        return f"{self.systems}_{self.ties}"

    @property
    def grids(self) -> list[Grid]:
        """A grid for each number of sides with a tied pair that the hypothesis allows."""
        return [grid(self.systems, sides) for sides in TIES[self.ties]]

    def holds(self, rho: Fraction, tau: Fraction, tolerance: Fraction) -> bool:
        """Whether one pair of rankings can have both values; see `Grid.holds`."""
        return any(each.holds(rho, tau, tolerance) for each in self.grids)

    @property
    def pairs(self) -> int:
        """The number of different pairs (rho, tau)."""
        return len(
            {
                (p > 0, Fraction(p * p, each.squares[0]), s > 0, Fraction(s * s, each.squares[1]))
                for each in self.grids
                for p, s in each.counts
            }
        )


HYPOTHESES = [Hypothesis(systems, ties) for systems in SYSTEMS for ties in TIES]


@cache
def grid(systems: int, sides: int) -> Grid:
    """All arrangements of a number of systems, at least three, with one tied pair on 0, 1 or 2 sides.

    The tied pair may have any place in its ranking. With one tied side it does not matter which one it is,
    since both coefficients are symmetric.
    """
    places = range(1, systems)
    counts: Counter[tuple[int, int]] = Counter()
    for places_tied in product(places, repeat=sides):
        # A reversed ranking has its tie at the mirrored place and both sums with the opposite sign. So places
        # in the lower half suffice, and their order does not matter.
        turned = sum(place > systems / 2 for place in places_tied) % 2
        lower = sorted(min(place, systems - place) for place in places_tied)
        for (p, s), count in _arrangements(systems, *lower).items():
            counts[(-p, -s) if turned else (p, s)] += count
    ranks = [_ranks(systems, 1 if side < sides else None) for side in range(2)]
    a, b = 1, 1
    for side in ranks:
        a *= sum(rank * rank for rank in side)
        b *= sum(one != other for one, other in combinations(side, 2))
    return Grid(counts, (a, b))


@cache
def _arrangements(
    systems: int, first: int | None = None, second: int | None = None
) -> Counter[tuple[int, int]]:
    """The number of arrangements of two rankings for each (p, s); ``first`` and ``second`` are tied places.

    A tie is of a place and the next one. The first ranking's places are filled from the lowest up, two at
    once where they are tied. The contribution of a place to the sums depends on the set of the second
    ranking's places taken before, not on their order. So the sums of all orders are kept together, in 2^n
    sets instead of n! orders.
    """
    x, y = _ranks(systems, first), _ranks(systems, second)
    # by the set of taken places, as bits
    sums: dict[int, Counter[tuple[int, int]]] = {0: Counter({(0, 0): 1})}
    filled = 0
    while filled < systems:
        width = 2 if filled + 1 == first else 1
        longer: dict[int, Counter[tuple[int, int]]] = {}
        for taken, reached in sums.items():
            before = [y[place] for place in range(systems) if taken >> place & 1]
            free = [place for place in range(systems) if not taken >> place & 1]
            for chosen in combinations(free, width):
                p = sum(x[filled] * y[place] for place in chosen)
                s = sum((y[place] > rank) - (y[place] < rank) for place in chosen for rank in before)
                now = longer.setdefault(taken | sum(1 << place for place in chosen), Counter())
                for (old_p, old_s), count in reached.items():
                    now[old_p + p, old_s + s] += count
        sums = longer
        filled += width
    return sums[(1 << systems) - 1]


def _ranks(systems: int, tie: int | None) -> list[int]:
    """Mid-ranks, doubled and centred; places ``tie`` and ``tie`` + 1, counted from 1, are tied."""
    ranks = [2 * rank - (systems + 1) for rank in range(1, systems + 1)]
    if tie:
        ranks[tie - 1] = ranks[tie] = 2 * tie + 1 - (systems + 1)
    return ranks


@cache
def _between(low: Fraction, high: Fraction, square: int) -> range:
    """The whole numbers m with low <= m / sqrt(square) <= high."""
    return range(-_floor(-low, square), _floor(high, square) + 1)


def _floor(value: Fraction, square: int) -> int:
    """The largest whole number that is not above value * sqrt(square)."""
    above = value.numerator**2 * square
    below = value.denominator**2
    if value >= 0:
        return isqrt(above // below)
    return -isqrt(-(-above // below) - 1) - 1  # minus the root, rounded up


def _rounded(m: int, square: int, digits: int) -> Fraction:
    """m / sqrt(square), rounded to ``digits`` decimals; a half is rounded away from zero."""
    units = (isqrt(4 * 100**digits * m * m // square) + 1) // 2
    return Fraction(units if m >= 0 else -units, 10**digits)
