"""Agreement of a metric with a judgement on pairs: which of two is better, and where both are equal.

Ties are those of `sera.evaluation.ties`. The tie-calibrated accuracy is that of mt-metrics-eval (Deutsch et
al. 2023). A pair is enough for most numbers; what is undefined is NaN.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from sera.compiled import compiled
from sera.evaluation.bootstrap import Bootstrap, interval_columns
from sera.evaluation.correlate import WHY, Scores, group_pairs, why_not_at_level
from sera.evaluation.ties import ROUND_OFF, mean_scores, merge_ties, typical_size

CLOSEST = 0.25
"""The share of the pairs of systems that counts as close in the tables."""

MOST_PAIRED = 3000
"""Up to this number of summaries, all pairs are compared at once: 4.5 million pairs."""

PAIRWISE_COLUMNS = [
    *("metric", "against", "accuracy", "accuracy_low", "accuracy_high", "soft_accuracy"),
    *("close_pairs", "close_difference", "close_accuracy", "close_kendall", "acc_eq", "epsilon"),
    *("acc_eq_by_system", "epsilon_by_system", "acc_eq_of_all", "epsilon_of_all"),
    *("systems", "topics", "undefined", WHY),
]


def pairwise_accuracy(x: np.ndarray, y: np.ndarray) -> float:
    """The share of pairs of systems that metric and judgement rank alike, 0 to 1 (Kocmi et al. 2021).

    ``x`` and ``y`` are the systems' means, (system,). A pair that both tie is ranked alike, and a pair that
    one of them ties is not.
    """
    return close_pairs(x, y, share=1).accuracy


def accuracy_draws(x: np.ndarray, y: np.ndarray, topics: np.ndarray, systems: np.ndarray) -> np.ndarray:
    """`pairwise_accuracy` of resamples, (..., resample), of ``x``, (..., topic, system), without NaN.

    ``y`` is (topic, system). ``topics``, (resample, topic), and ``systems``, (resample, system), hold how
    often each is drawn. A system that is drawn twice is not a pair with itself. NaN where a resample has one
    system alone.
    """
    first, second = np.triu_indices(y.shape[1], 1)
    often = systems[:, first] * systems[:, second]

    def prefer(side: np.ndarray) -> np.ndarray:
        means = mean_scores(side, topics)
        return np.sign(means[:, first] - means[:, second])

    judged, sides = prefer(y), x.reshape(-1, *y.shape)
    with np.errstate(invalid="ignore"):
        shares = [(often * (prefer(side) == judged)).sum(axis=1) / often.sum(axis=1) for side in sides]
    return np.reshape(shares, (*x.shape[:-2], len(often)))


class Calibrated(NamedTuple):
    """The best accuracy over all epsilons, 0 to 1, and the smallest epsilon that reaches it."""

    accuracy: float
    epsilon: float


def calibrate(x: np.ndarray, y: np.ndarray, grouping: str = "topic", *, merge: bool = True) -> Calibrated:
    """The tie-calibrated accuracy acc_eq, 0 to 1, as the mean over groups (Deutsch et al. 2023).

    ``x`` and ``y`` are (topic, system). The pairs of a group are two systems on one "topic", one "system" on
    two topics, or any two summaries ("all"). A pair is right if both sides prefer the same, or both tie; the
    metric ties scores that differ by at most an epsilon, which is chosen on the same data and for all groups.
    With ``merge``, differences that only round-off makes different are equal; mt-metrics-eval takes them as
    they are. Both values are NaN without a pair.
    """
    if grouping == "system":
        x, y = x.T, y.T
    shape = (1, -1) if grouping == "all" else x.shape
    x, y = (np.ascontiguousarray(side, np.float64).reshape(shape) for side in (x, y))
    known = ~np.isnan(x + y)
    sizes = known.sum(axis=1)
    groups = np.count_nonzero(sizes > 1)
    if not groups:
        return Calibrated(np.nan, np.nan)
    start, parts = 0.0, []
    for size in np.unique(sizes[sizes > 1]).tolist():  # pairs of groups of one size weigh the same
        weight = 1 / (size * (size - 1) // 2 * groups)
        rows = sizes == size
        group_scores = (side[rows][known[rows]].reshape(-1, size) for side in (x, y))
        gained, lost = np.empty((2, np.count_nonzero(rows) * size * (size - 1) // 2 + 1))
        right, *ends = _count_turns(*map(np.ascontiguousarray, group_scores), gained, lost)
        start += weight * right
        parts.append((weight, np.sort(gained[: ends[0]]), lost[: ends[1]]))
    most = sum(weight * len(gained) for weight, gained, _ in parts)
    for place, (weight, gained, lost) in enumerate(parts):
        count = int(most / weight) + 2  # with as many lost, no accuracy is better than the first one
        lost = np.partition(lost, count)[:count] if count < len(lost) else lost
        parts[place] = (weight, gained, np.sort(lost))
    # only a pair that is tied by the judgement alone makes the accuracy rise
    thresholds = np.unique(np.concatenate([gained for _, gained, _ in parts]))
    round_off = (ROUND_OFF if merge else 0) * np.maximum(typical_size(x).item(), thresholds)
    last = np.diff(thresholds, append=np.inf) > round_off  # of those that are equal
    thresholds, round_off = thresholds[last], round_off[last]
    accuracy = np.full(len(thresholds), start)
    for weight, *sides in parts:
        gains, losses = (np.searchsorted(gaps, thresholds + round_off, side="right") for gaps in sides)
        accuracy += weight * (gains - losses)
    thresholds, accuracy = np.append(0.0, thresholds), np.append(start, accuracy)
    best = int(np.argmax(accuracy >= accuracy.max() - ROUND_OFF))
    epsilon = float(thresholds[best])
    return Calibrated(float(accuracy[best]), _round_difference(epsilon) if merge else epsilon)


def _round_difference(difference: float) -> float:
    return float(f"{difference:.12g}")


@compiled
def _count_turns(x, y, gained, lost):
    """Fill the gaps of pairs that a greater epsilon turns; how many pairs are right with an epsilon of 0.

    ``x`` and ``y`` are (row, item) without NaN. Pairs that the judgement alone ties become right, concordant
    ones wrong; the gap is the absolute difference by the metric. The numbers of both follow.
    """
    right, gains, losses = 0, 0, 0
    for row in range(len(x)):
        for i in range(x.shape[1]):
            for j in range(i + 1, x.shape[1]):
                delta_x, delta_y = x[row, i] - x[row, j], y[row, i] - y[row, j]
                alike = ((delta_x > 0) == (delta_y > 0)) & ((delta_x < 0) == (delta_y < 0))
                gained[gains] = lost[losses] = abs(delta_x)  # the next one overwrites what does not count
                right += alike
                gains += (delta_y == 0) & (not alike)
                losses += alike & (delta_y != 0)
    return right, gains, losses


class ClosePairs(NamedTuple):
    """Agreement on the pairs of systems with close scores by the metric.

    pairs:       their number
    difference:  the largest difference among them, in the metric's units
    accuracy:    as of `pairwise_accuracy`, 0 to 1
    kendall:     tau-b over these pairs, -1 to 1
    """

    pairs: int
    difference: float
    accuracy: float
    kendall: float


def close_pairs(x: np.ndarray, y: np.ndarray, share: float = CLOSEST) -> ClosePairs:
    """The agreement on pairs of systems with close scores by a metric (system-level Δ, Deutsch et al. 2022).

    ``x`` and ``y`` are the systems' means, (system,). The pairs are the ``share`` of all pairs, 0 to 1, with
    the smallest differences by the metric, and those that tie with the last of them.
    """
    known = ~np.isnan(x + y)
    x, y = x[known], y[known]
    first, second = np.triu_indices(len(x), 1)
    delta_x, delta_y = x[first] - x[second], y[first] - y[second]
    gaps = merge_ties(np.abs(delta_x), typical_size(x))
    if not len(gaps):
        return ClosePairs(0, np.nan, np.nan, np.nan)
    kept = gaps <= np.sort(gaps)[max(1, int(np.ceil(share * len(gaps) - ROUND_OFF))) - 1]
    signs = np.sign(delta_x[kept]), np.sign(delta_y[kept])
    untied = [np.count_nonzero(side) for side in signs]
    kendall = float((signs[0] * signs[1]).sum() / np.sqrt(untied[0] * untied[1])) if all(untied) else np.nan
    accuracy = float((signs[0] == signs[1]).mean())
    return ClosePairs(int(kept.sum()), _round_difference(gaps[kept].max()), accuracy, kendall)


def exchange_signs(permutations: int, topics: int, seed: int = 0) -> np.ndarray:
    """Random signs, (permutation, topic): -1 where the scores of two systems on a topic are exchanged."""
    random = np.random.default_rng([seed, 4])
    return random.integers(0, 2, size=(permutations, topics), dtype=np.int8) * 2.0 - 1.0


def system_p_values(scores: np.ndarray, signs: np.ndarray, *, tied: float = 0.5) -> np.ndarray:
    """One-sided p that the first system of each pair is not better, (..., pair), 0 to 1.

    ``scores`` is (..., topic, system) without NaN, ``signs`` as of `exchange_signs`; pairs are in the order
    of `numpy.triu_indices`. p is the share of permutations whose mean difference exceeds the observed one;
    one that equals it counts ``tied``: a half gives two identical systems p = .5, the published 1 p = 1.
    """
    # not by BLAS, whose sums may differ with the number of cores
    draws = np.einsum("pt,...ts->...ps", signs, scores) / scores.shape[-2]
    means = scores.mean(axis=-2)
    sizes = np.maximum(typical_size(scores, axes=2)[..., 0], np.abs(scores).mean(axis=-2))
    p = np.empty((*means.shape[:-1], means.shape[-1] * (means.shape[-1] - 1) // 2))
    # by pair, so that memory does not grow with their number
    for pair, (i, j) in enumerate(zip(*np.triu_indices(means.shape[-1], 1), strict=True)):
        excess = draws[..., i] - draws[..., j] - (means[..., i] - means[..., j])[..., None]
        round_off = ROUND_OFF * np.maximum(sizes[..., i], sizes[..., j])[..., None]
        share_above = (excess > round_off).mean(axis=-1)
        p[..., pair] = share_above + tied * (np.abs(excess) <= round_off).mean(axis=-1)
    return p


def soft_pairwise_accuracy(
    x: np.ndarray, y: np.ndarray, *, permutations: int = 1000, seed: int = 0, tied: float = 0.5
) -> np.ndarray:
    """Soft pairwise accuracy of metrics, (...,), 0 to 1 (Thompson et al. 2024).

    ``x``, (..., topic, system), and ``y``, (topic, system), are the scores by metrics and judgement, without
    NaN. All share the exchanges, as in the authors' program; ``tied`` as of `system_p_values`. NaN without a
    pair of systems.
    """
    if not len(y) or y.shape[1] < 2:
        return np.full(x.shape[:-2], np.nan)
    signs = exchange_signs(permutations, len(y), seed)
    p, judged = (system_p_values(side, signs, tied=tied) for side in (x, y))
    return 1 - np.abs(p - judged).mean(axis=-1)


def pairwise(
    scores: Scores, pairs: Sequence[tuple[str, str]], bootstrap: Bootstrap, confidence: float
) -> pd.DataFrame:
    """The agreement on pairs, a row per metric and judgement; higher must be better for all metrics.

    ``accuracy``, ``soft_accuracy`` and the close pairs are of systems, on the topics that are complete on
    both sides. ``acc_eq`` is of the systems on one topic, ``acc_eq_by_system`` of one system on two topics,
    ``acc_eq_of_all`` of any two summaries (undefined for more than `MOST_PAIRED` summaries).
    """
    rows: dict[int, dict[str, object]] = {}
    for against, topics, places in group_pairs(scores, pairs, "system"):
        stack, y = (
            scores.stack([pairs[place][0] for place in places])[:, topics],
            scores.metric(against)[topics],
        )
        if defined := len(y) > 0 and y.shape[1] > 1:
            draws = accuracy_draws(stack, y, **bootstrap.draw(y))
            settings = {"permutations": bootstrap.resamples, "seed": bootstrap.seed}
            soft = soft_pairwise_accuracy(stack, y, **settings)
        for number, (place, x) in enumerate(zip(places, stack, strict=True)):
            metric, row = pairs[place][0], {"against": against, "systems": y.shape[1], "topics": len(y)}
            row |= {"metric": metric, "undefined": len(scores.topics) - len(y), WHY: ""}
            if defined:
                means = mean_scores(x), mean_scores(y)
                row |= {"accuracy": pairwise_accuracy(*means), "soft_accuracy": soft[number]}
                row |= interval_columns("accuracy", draws[number], confidence)
                row |= {f"close_{name}": value for name, value in close_pairs(*means)._asdict().items()}
            else:
                why = (
                    "fewer than two systems" if len(y) else why_not_at_level(x, y, metric, against, "system")
                )
                row |= {"accuracy": np.nan, WHY: why}
            rows[place] = row | _calibrate_all(scores.metric(metric), scores.metric(against), row[WHY])
    return pd.DataFrame([rows[place] for place in range(len(pairs))], columns=PAIRWISE_COLUMNS)


def _calibrate_all(x: np.ndarray, y: np.ndarray, why: object) -> dict[str, object]:
    row: dict[str, object] = {}
    for ending, grouping in (("", "topic"), ("_by_system", "system"), ("_of_all", "all")):
        if grouping == "all" and np.count_nonzero(~np.isnan(x + y)) > MOST_PAIRED:
            row[WHY] = why or f"acc_eq of all: more than {MOST_PAIRED} summaries"
            continue
        best = calibrate(x, y, grouping)
        row |= {f"acc_eq{ending}": best.accuracy, f"epsilon{ending}": best.epsilon}
    return row
