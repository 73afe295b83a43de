"""Precision, recall and F of what candidates and references share, and one score of several references.

F = PR / ((1 - alpha) P + alpha R), alpha = 1 / (1 + beta^2). A score is 0 if its denominator is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from sera.compiled import compiled
from sera.metrics.jackknife import jackknife


class Counted(NamedTuple):
    """What pairs of a candidate and a reference share.

    hits:      what both have, (pair,)
    totals:    what the reference and the candidate have, (2, pair)
    exponent:  that of the ratios
    recall:    gives the recall that chooses the best reference; None means the recall as printed
    """

    hits: np.ndarray
    totals: np.ndarray
    exponent: float = 1.0
    recall: Callable[[], np.ndarray] | None = None


class Formula(NamedTuple):
    """How counts become the scores of candidates.

    several:      the way of several references: hits and totals are "pooled"; the first reference with the
                  highest "recall", or the highest "F"; the highest of all "parts", P, R and F each; or the
                  "jackknife" of these
    alpha:        as the program's ``-p``
    rounded:      P, R and F have five decimals, and F is computed from P and R as they are printed
    from_counts:  F is computed from the counts where the exponent is 1, which is exacter
    """

    several: Literal["pooled", "recall", "F", "parts", "jackknife"]
    alpha: float = 0.5
    rounded: bool = False
    from_counts: bool = False


def scores_of(counted: Counted, begins: np.ndarray, formula: Formula) -> np.ndarray:
    """Precision, recall and F of candidates, (3, candidate); the pairs of each begin at ``begins``."""
    several, *how = formula
    hits, totals, exponent, recall = counted
    if several == "pooled" or len(begins) == len(hits):
        return triples(begins, hits, totals, exponent, *how)
    singly = triples(np.arange(len(hits)), hits, totals, exponent, *how)
    if several == "parts":
        return np.maximum.reduceat(singly, begins, axis=1)
    if several == "jackknife":
        groups = np.split(singly.T, begins[1:])
        means = [jackknife(group.tolist()) for group in groups]
        if formula.rounded:
            means = [[round(part, 5) for part in mean] for mean in means]
        return np.array(means).T
    if several == "F":
        return singly[:, first_highest(begins, singly[2])]
    return singly[:, first_highest(begins, singly[1] if recall is None else recall())]


@compiled(interpret=3_000)
def triples(begins, hits, totals, exponent, alpha, rounded, from_counts):
    """Precision, recall and F of groups of pairs, (3, group), by the `Formula`.

    The hits and totals of the pairs from each begin on are added one by one, as in the program.
    """
    scores = np.zeros((3, len(begins)))
    for group in range(len(begins)):
        end = begins[group + 1] if group + 1 < len(begins) else len(hits)
        shared = in_reference = in_candidate = 0.0
        for pair in range(begins[group], end):
            shared += hits[pair]
            in_reference += totals[0, pair]
            in_candidate += totals[1, pair]
        precision = shared / in_candidate if in_candidate else 0.0
        recall = shared / in_reference if in_reference else 0.0
        if exponent != 1:
            precision, recall = precision**exponent, recall**exponent
        if rounded:
            precision, recall = _round(precision), _round(recall)
        above, below = precision * recall, (1 - alpha) * precision + alpha * recall
        if from_counts and exponent == 1:
            above, below = shared, (1 - alpha) * in_reference + alpha * in_candidate
        f = above / below if below else 0.0
        scores[0, group], scores[1, group], scores[2, group] = precision, recall, _round(f) if rounded else f
    return scores


@compiled
def _round(value):
    """The value with five decimals, as Python's `round` gives it: the nearest, on a tie the even one."""
    scaled = value * 1e5
    low = np.floor(scaled)
    over = scaled - low - 0.5
    if abs(over) < 1e-6:  # what rounding took from the product decides; those of the two halves are exact
        half = np.float64(np.float32(value))
        over += (half * 1e5 - scaled) + (value - half) * 1e5
    if over > 0 or (over == 0 and low % 2 == 1):
        low += 1
    return low / 1e5


@compiled(interpret=3_000)
def first_highest(begins, values):
    """The place of the first highest value from each begin on."""
    best = begins.copy()
    for group in range(len(begins)):
        end = begins[group + 1] if group + 1 < len(begins) else len(values)
        for place in range(begins[group], end):
            if values[place] > values[best[group]]:
                best[group] = place
    return best
