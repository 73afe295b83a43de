"""A joint search: rankings of a few systems by all metrics at once that give every printed pair.

`study.published.audit` takes each row by itself. Here a metric has one ranking in all its rows, with any
ties: all weak orders of the systems are tried. The metrics that others are compared with (Pyramid, and in
Table 3 two variants of ROUGE) are assigned first; given these, the others are independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pandas as pd

from study.published.audit import Pair, exact_values

JOINT_SYSTEMS = 6
"""The number of systems of the search: the one that most rows of the paper fit."""
JOINT_TITLE = f"Rankings of {JOINT_SYSTEMS} systems that give Tables 2 and 3 together."
JOINT_LEGEND = (
    "A to F: the systems in the order of Pyramid, from the lowest; numbers: mid-ranks. solution: one ranking "
    "per metric; solutions that differ in the names of the systems alone count once. tied: systems with the "
    "same rank."
)


@dataclass(frozen=True)
class WeakOrders:
    """All rankings of n systems with any ties; their number is the ordered Bell number (3: 13, 6: 4,683).

    ``ranks`` (orders, n) has mid-ranks, doubled and centred; ``signs`` (orders, n²) the sign of the
    difference of each two systems. One order ties all systems, and its coefficients are undefined.
    """

    ranks: np.ndarray
    signs: np.ndarray

    @classmethod
    def of(cls, systems: int) -> WeakOrders:
        """The weak orders of a number of systems: the tuples of ranks from 0 without a gap, sorted."""
        tuples = (t for t in product(range(systems), repeat=systems) if set(t) == set(range(max(t) + 1)))
        orders = np.array(list(tuples))
        signs = np.sign(orders[:, :, None] - orders[:, None, :])
        return cls(signs.sum(axis=2), signs.reshape(len(orders), -1))

    def giving(self, order: int, values: tuple[Fraction, Fraction], tolerance: Fraction) -> np.ndarray:
        """Which orders have Spearman's rho and tau-b with ``order`` within the tolerance of both values."""
        fits = np.ones(len(self.ranks), bool)
        for sides, value in zip((self.ranks, self.signs), values, strict=True):
            square = (sides**2).sum(axis=1) * (sides[order] ** 2).sum()
            found = sides @ sides[order] / np.sqrt(np.maximum(square, 1))
            fits &= (square > 0) & (np.abs(found - float(value)) <= float(tolerance) + 1e-9)
        return fits


def joint(
    tables: Mapping[str, Sequence[Pair]], digits: int, systems: int = JOINT_SYSTEMS
) -> tuple[pd.DataFrame, list[str]]:
    """All solutions for the metrics that have a row with each second metric, and the metrics left out.

    The metric of the first row's ``against`` (Pyramid) is taken in ascending order. Left out are metrics
    with a row that no two weak orders give. Columns of the table: solution (from 1), metric, tied (``B=C``;
    empty without a tie), and the mid-ranks by system, named A, B, ... Without a solution it has no rows.
    """
    orders, tolerance = WeakOrders.of(systems), Fraction(1, 10**digits)
    printed = {
        (pair.metric, pair.against): values
        for pairs in tables.values()
        for pair in pairs
        if (values := exact_values(pair)) is not None
    }
    against = list(dict.fromkeys(second for _, second in printed))
    first, *others = against
    ascending = np.flatnonzero((np.diff(orders.ranks, axis=1) >= 0).all(axis=1)).tolist()
    compared = [
        metric
        for metric in dict.fromkeys(metric for metric, _ in printed)
        if metric not in against and all((metric, second) in printed for second in against)
    ]

    @cache
    def giving(metric: str, second: str, order: int) -> np.ndarray:
        return orders.giving(order, printed[metric, second], tolerance)

    left_out = [
        metric
        for metric in compared
        if not all(any(giving(metric, second, order).any() for order in ascending) for second in against)
    ]
    kept = [metric for metric in compared if metric not in left_out]
    solutions: set[tuple[tuple[int, ...], ...]] = set()
    for order in ascending:
        of_first = {metric: giving(metric, first, order) for metric in [*others, *kept]}
        if not all(fits.any() for fits in of_first.values()):
            continue
        of_others = [np.flatnonzero(of_first[second]).tolist() for second in others]
        for chosen in product(*of_others):
            own = []
            for metric in kept:
                of_chosen = [giving(metric, *pair) for pair in zip(others, chosen, strict=True)]
                own.append(np.flatnonzero(np.all([of_first[metric], *of_chosen], axis=0)))
            for rest in product(*own):
                ranks = orders.ranks[np.array([order, *chosen, *rest])]
                # systems sorted by their ranks: solutions that differ in names alone become the same
                solutions.add(tuple(map(tuple, ranks[:, np.lexsort(ranks[::-1])].tolist())))
    return _table(sorted(solutions), [first, *others, *kept], systems), left_out


def _table(
    solutions: Sequence[tuple[tuple[int, ...], ...]], metrics: list[str], systems: int
) -> pd.DataFrame:
    names = [chr(ord("A") + place) for place in range(systems)]
    rows = []
    for number, solution in enumerate(solutions, 1):
        for metric, ranks in zip(metrics, solution, strict=True):
            groups = [
                [name for name, own in zip(names, ranks, strict=True) if own == r] for r in sorted({*ranks})
            ]
            tied = " ".join("=".join(group) for group in groups if len(group) > 1)
            mid_ranks = {name: (rank + systems + 1) / 2 for name, rank in zip(names, ranks, strict=True)}
            rows.append({"solution": number, "metric": metric, "tied": tied, **mid_ranks})
    return pd.DataFrame(rows, columns=["solution", "metric", "tied", *names])
