"""Agreement of a metric with a judgement on pairs: which of two is better, and where both are equal.

========  ============================================================================================
C, D      concordant and discordant pairs: both sides prefer the same, or not the same
Tx        pairs tied by the metric alone
Ty        pairs tied by the judgement alone
Txy       pairs tied by both
========  ============================================================================================

A pair is tied by the metric if its scores differ by at most ``epsilon``. Scores that agree to twelve decimals
are ties, as in `sera.evaluation.correlation.coefficients`. The variants of Kendall's tau are those of
mt-metrics-eval (Deutsch et al. 2023, Table 1). A pair is enough for most of them; what is undefined is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sera.compiled import compiled
from sera.settings import one_of

PAIRED_BY = ("topic", "system", "all")
"""The pairs to compare: two systems on one topic, one system on two topics, or any two summaries."""

TAU_VARIANTS = ("a", "b", "c", "10", "13", "14", "23", "acc_eq")

CLOSEST = 0.25
"""The share of the pairs of systems that counts as close in the tables."""

_DIGITS = 12
_SAME = 1e-12  # accuracies this close count as equal


def rows_of(scores: np.ndarray, grouping: str) -> np.ndarray:
    """Scores, (topic, system), as rows whose items are compared in pairs, (group, item)."""
    one_of("grouping", grouping, PAIRED_BY)
    if grouping == "topic":
        return scores
    return scores.T if grouping == "system" else scores.reshape(1, -1)


def count_pairs(x: np.ndarray, y: np.ndarray, epsilon: float = 0.0) -> np.ndarray:
    """C, D, Tx, Ty and Txy of each row, (row, 5): ``x`` by the metric, ``y`` by the judgement, (row, item).

    An item that is NaN on either side is left out. ``epsilon`` is in units of the metric, 0 or more.
    """
    x, y = (np.round(np.atleast_2d(np.asarray(side, np.float64)), _DIGITS) for side in (x, y))
    out = np.empty((len(x), 5), np.int64)
    _count(np.ascontiguousarray(x), np.ascontiguousarray(y), epsilon + _SAME / 2, out)
    return out


@compiled
def _count(x, y, epsilon, out):
    out[:] = 0
    for row in range(len(x)):
        for i in range(x.shape[1]):
            for j in range(i):
                by_x, by_y = x[row, i] - x[row, j], y[row, i] - y[row, j]
                if np.isnan(by_x + by_y):
                    continue
                if abs(by_x) <= epsilon:
                    out[row, 4 if by_y == 0 else 2] += 1
                elif by_y == 0:
                    out[row, 3] += 1
                else:
                    out[row, 0 if (by_x > 0) == (by_y > 0) else 1] += 1


def tau(x: np.ndarray, y: np.ndarray, variant: str = "b", epsilon: float = 0.0) -> np.ndarray:
    """A variant of Kendall's tau of each row, (row,), -1 to 1; of ``acc_eq`` 0 to 1.

    ==========  ======================================================================================
    a           (C - D) / all pairs
    b           (C - D) / sqrt((C + D + Tx) (C + D + Ty))
    c           2 (C - D) / (n² (k - 1) / k) for n items and k, the fewer distinct scores of either side
    10          (C - D - Tx) / (C + D + Tx): a tie of the metric is an error (WMT 2010)
    13, 14      (C - D) / (C + D), and (C - D) / (C + D + Tx) (WMT 2013 and 2014)
    23          (C + Txy - D - Tx - Ty) / all pairs
    acc_eq      (C + Txy) / all pairs (Deutsch et al. 2023)
    ==========  ======================================================================================

    Ties of the judgement alone do not count in 10, 13 and 14. InputError for another variant; ValueError for
    tau-c with an ``epsilon``, which leaves k open.
    """
    one_of("variant", variant, TAU_VARIANTS)
    if variant == "c" and epsilon:
        raise ValueError("tau-c has no epsilon")
    x, y = np.atleast_2d(np.asarray(x, float)), np.atleast_2d(np.asarray(y, float))
    counts = count_pairs(x, y, epsilon)
    c, d, tx, ty, txy = counts.T.astype(float)
    pairs = counts.sum(axis=1).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        if variant == "a":
            return (c - d) / pairs
        if variant == "b":
            return (c - d) / np.sqrt((c + d + tx) * (c + d + ty))
        if variant == "c":
            return _tau_c(x, y, c - d)
        if variant == "10":
            return (c - d - tx) / (c + d + tx)
        if variant == "13":
            return (c - d) / (c + d)
        if variant == "14":
            return (c - d) / (c + d + tx)
        return ((c + txy) if variant == "acc_eq" else (c + txy - d - tx - ty)) / pairs


def _tau_c(x: np.ndarray, y: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    known = ~np.isnan(x + y)
    sizes = known.sum(axis=1)
    fewer = [
        min(len(np.unique(np.round(side[at], _DIGITS))) for side in pair)
        for *pair, at in zip(x, y, known, strict=True)
    ]
    classes = np.array(fewer, float)
    return np.where(classes > 1, 2 * surplus / (sizes**2 * (classes - 1) / classes), np.nan)


def pairwise_accuracy(x: np.ndarray, y: np.ndarray) -> float:
    """The share of pairs of systems that metric and judgement rank alike, 0 to 1 (Kocmi et al. 2021).

    ``x`` and ``y`` are the systems' means, (system,). A pair that both tie is ranked alike, and a pair that
    one of them ties is not.
    """
    return float(tau(x, y, "acc_eq")[0])


def accuracy_draws(x: np.ndarray, y: np.ndarray, topics: np.ndarray, systems: np.ndarray) -> np.ndarray:
    """`pairwise_accuracy` of resamples, (resample,): ``x`` and ``y`` are (topic, system) without NaN.

    ``topics``, (resample, topic), and ``systems``, (resample, system), hold how often each is drawn. A system
    that is drawn twice is no pair with itself. NaN where a resample has one system alone.
    """
    # not by BLAS, whose sums may differ with the number of cores
    means = (np.einsum("rt,ts->rs", topics, side) / topics.sum(axis=1)[:, None] for side in (x, y))
    out = np.empty(len(topics))
    _weighted_accuracy(*(np.round(side, _DIGITS) for side in means), systems, out)
    return out


@compiled
def _weighted_accuracy(x, y, weights, out):
    for row in range(len(out)):
        right, pairs = 0, 0
        for i in range(x.shape[1]):
            for j in range(i):
                weight = weights[row, i] * weights[row, j]
                pairs += weight
                if np.sign(x[row, i] - x[row, j]) == np.sign(y[row, i] - y[row, j]):
                    right += weight
        out[row] = right / pairs


@dataclass(frozen=True)
class Calibrated:
    """The best ``acc_eq`` over all epsilons, 0 to 1, and the smallest epsilon that reaches it."""

    accuracy: float
    epsilon: float


def calibrate(
    x: np.ndarray, y: np.ndarray, grouping: str = "topic", *, decimals: int | None = _DIGITS
) -> Calibrated:
    """The tie-calibrated accuracy acc_eq, 0 to 1, as the mean over groups (Deutsch et al. 2023).

    ``x`` and ``y`` are (topic, system). One epsilon serves all groups. Differences of scores are rounded to
    ``decimals``; None takes them as they are, so that differences that are equal on paper are several
    thresholds, as in mt-metrics-eval. Both values are NaN without a pair.

    The epsilon is chosen on the data it is evaluated on, so acc_eq favours metrics with many distinct scores
    a little on few pairs.
    """
    x, y = (np.ascontiguousarray(rows_of(side, grouping), np.float64) for side in (x, y))
    known = ~np.isnan(x + y)
    sizes = known.sum(axis=1)
    groups = np.count_nonzero(sizes > 1)
    if not groups:
        return Calibrated(np.nan, np.nan)
    start, parts = 0.0, []
    for size in np.unique(sizes[sizes > 1]).tolist():  # pairs of groups of one size weigh the same
        weight = 1 / (size * (size - 1) // 2 * groups)
        rows = sizes == size
        of_size = [side[rows][known[rows]].reshape(-1, size) for side in (x, y)]
        right, gained, lost = _turned(*of_size, 0.0 if decimals is None else 10.0**decimals)
        start += weight * right
        parts.append((weight, np.sort(gained), np.sort(lost)))
    # only a pair that is tied by the judgement alone makes the accuracy rise
    thresholds = np.unique(np.concatenate([gained for _, gained, _ in parts]))
    accuracy = np.full(len(thresholds), start)
    for weight, *sides in parts:
        gains, losses = (np.searchsorted(gaps, thresholds, side="right") for gaps in sides)
        accuracy += weight * (gains - losses)
    thresholds, accuracy = np.append(0.0, thresholds), np.append(start, accuracy)
    best = int(np.argmax(accuracy >= accuracy.max() - _SAME))
    return Calibrated(float(accuracy[best]), float(thresholds[best]))


@compiled
def _turned(x, y, scale):
    """How many pairs of a row are right with an epsilon of 0, and the gaps of those that a greater one turns.

    ``x`` and ``y`` are (row, item) without NaN. A pair that the judgement alone ties becomes right, one that
    was concordant wrong; the gap is its absolute difference by the metric. Differences are rounded to a
    multiple of 1 / ``scale``, unless that is 0.
    """
    rows, items = x.shape
    pairs = rows * items * (items - 1) // 2
    gained, lost = np.empty(pairs), np.empty(pairs)
    right, gains, losses = 0, 0, 0
    for row in range(rows):
        for i in range(items):
            for j in range(i + 1, items):
                by_x, by_y = x[row, i] - x[row, j], y[row, i] - y[row, j]
                if scale > 0:
                    by_x, by_y = np.rint(by_x * scale) / scale, np.rint(by_y * scale)
                if by_y == 0:
                    right += by_x == 0
                    if by_x != 0:
                        gained[gains] = abs(by_x)
                        gains += 1
                elif (by_x > 0 and by_y > 0) or (by_x < 0 and by_y < 0):
                    right += 1
                    lost[losses] = abs(by_x)
                    losses += 1
    return right, gained[:gains], lost[:losses]


@dataclass(frozen=True)
class ClosePairs:
    """Agreement on the pairs of systems whose scores by the metric lie close.

    pairs:       their number
    difference:  the largest difference among them, in the metric's units
    accuracy:    as of `pairwise_accuracy`, 0 to 1
    kendall:     tau-b over these pairs, -1 to 1
    """

    pairs: int
    difference: float
    accuracy: float
    kendall: float


def close_pairs(
    x: np.ndarray, y: np.ndarray, *, share: float = CLOSEST, low: float = 0.0, high: float | None = None
) -> ClosePairs:
    """The agreement on pairs of systems that lie close by the metric (system-level Δ, Deutsch et al. 2022).

    ``x`` and ``y`` are the systems' means, (system,). The pairs are those whose metric scores differ by
    ``low`` to ``high``, both included; without ``high`` the ``share`` of all pairs, 0 to 1, with the smallest
    differences, and those that tie with the last of them.
    """
    known = ~np.isnan(x + y)
    x, y = np.round(x[known], _DIGITS), np.round(y[known], _DIGITS)
    one, other = np.triu_indices(len(x), 1)
    by_x, by_y = np.round(x[one] - x[other], _DIGITS), y[one] - y[other]
    gaps = np.abs(by_x)
    if high is None and len(gaps):
        high = float(np.sort(gaps)[max(1, int(np.ceil(share * len(gaps) - _SAME))) - 1])
    kept = (gaps >= low) & (gaps <= (0.0 if high is None else high))
    if not kept.any():
        return ClosePairs(0, np.nan, np.nan, np.nan)
    signs = np.sign(by_x[kept]), np.sign(by_y[kept])
    untied = [np.count_nonzero(side) for side in signs]
    kendall = float((signs[0] * signs[1]).sum() / np.sqrt(untied[0] * untied[1])) if all(untied) else np.nan
    return ClosePairs(
        int(kept.sum()), float(gaps[kept].max()), float((signs[0] == signs[1]).mean()), float(kendall)
    )
