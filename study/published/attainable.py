"""All pairs of Spearman's rho and Kendall's tau-b that two rankings of n systems can have, by enumeration.

A side has no ties or one pair of tied systems; ranks are mid-ranks. All sums are whole: with ranks r
doubled and centred, 2r - (n + 1), Spearman's rho is p / sqrt(a) and tau-b is s / sqrt(b), where

- p is the sum of products of the two sides' ranks, and a the product of their sums of squares;
- s is the number of concordant less that of discordant pairs of systems, and b the number of untied pairs on
  one side times that on the other.

Arrangements with the same ties differ in p and s alone, so an arrangement is stored as the pair (p, s).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import KDTree

SYSTEMS = range(4, 10)
TIES: dict[str, tuple[int, ...]] = {"none": (0,), "one": (1,), "both": (2,), "any": (0, 1, 2)}
"""Patterns of ties by name: the numbers of sides (of two) on which a pair of systems may be tied."""

_ROUND_OFF = 1e-13
_WIDE = 100  # more than twice any |s|, of at most 36 pairs


@dataclass(frozen=True)
class Grid:
    """The pairs that rankings of a number of systems can have, with ties on a number of sides.

    ``counts`` has the number of arrangements for each (p, s); ``squares`` is (a, b), the same for all.
    """

    counts: Counter[tuple[int, int]]
    squares: tuple[int, int]

    @cached_property
    def values(self) -> np.ndarray:
        """The pairs (rho, tau), (pair, 2), in the order of ``counts``."""
        return np.array(list(self.counts)) / np.sqrt(self.squares)

    @cached_property
    def tree(self) -> KDTree:
        """The pairs, to search for near ones."""
        return KDTree(self.values)


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

    def holds(self, pairs: ArrayLike, tolerance: float) -> np.ndarray:
        """Whether two rankings can have both values of each (rho, tau), (pair, 2), within the tolerance."""
        fits = [each.tree.query(pairs, p=np.inf)[0] <= tolerance + _ROUND_OFF for each in self.grids]
        return np.any(fits, axis=0)

    @property
    def pairs(self) -> int:
        """The number of different pairs (rho, tau)."""
        return len(np.unique(np.concatenate([each.values for each in self.grids]).round(12), axis=0))


HYPOTHESES = [Hypothesis(systems, ties) for systems in SYSTEMS for ties in TIES]


@cache
def grid(systems: int, sides: int) -> Grid:
    """All arrangements of three to nine systems, with one tied pair on 0, 1 or 2 sides."""
    orders = np.array(list(permutations(range(systems))))
    one, other = np.triu_indices(systems, 1)
    first, second = (_rankings(systems, tied=side < sides) for side in range(2))
    counts: Counter[tuple[int, int]] = Counter()
    for ranking in second:
        ranks = ranking[orders]
        signs = np.sign(ranks[:, one] - ranks[:, other])
        for own in first:
            sums = _WIDE * (ranks @ own) + signs @ np.sign(own[one] - own[other])
            for key, number in zip(*np.unique(sums, return_counts=True), strict=True):
                p = (int(key) + _WIDE // 2) // _WIDE
                counts[p, int(key) - _WIDE * p] += int(number)
    a, b = 1, 1
    for side in (first[0], second[0]):
        a, b = a * int(side @ side), b * int(np.count_nonzero(side[one] - side[other]))
    return Grid(counts, (a, b))


def _rankings(systems: int, *, tied: bool) -> list[np.ndarray]:
    """Mid-ranks, doubled and centred: one ranking, or if tied one for each place of the tied pair."""
    ranks = 2 * np.arange(1, systems + 1) - (systems + 1)
    places = np.arange(systems)
    pairs = [np.isin(places, (place, place + 1)) for place in range(systems - 1)]
    return [np.where(pair, int(ranks[pair].mean()), ranks) for pair in pairs] if tied else [ranks]
