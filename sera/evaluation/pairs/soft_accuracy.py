"""Soft pairwise accuracy: how alike metric and judgement are sure which of two systems is better.

Pairwise accuracy counts a pair of systems that hardly differ as much as any other. Thompson et al. (2024)
compare, for each pair, the p of a paired permutation test by the metric with that by the judgement: the
statistic is 1 less the mean absolute difference of the two p.
"""

from __future__ import annotations

import numpy as np

_ROUND_OFF = 1e-12  # mean differences this close count as equal


def exchange_signs(permutations: int, topics: int, seed: int = 0) -> np.ndarray:
    """Random signs, (permutation, topic): -1 where the scores of two systems on a topic are exchanged."""
    random = np.random.default_rng([seed, 4])
    return random.integers(0, 2, size=(permutations, topics), dtype=np.int8) * 2.0 - 1.0


def system_p_values(scores: np.ndarray, signs: np.ndarray, *, tied: float = 0.5) -> np.ndarray:
    """One-sided p that the first system of each pair is not better, (..., pair), 0 to 1.

    ``scores`` is (..., topic, system) without NaN, ``signs`` as of `exchange_signs`; pairs are in the order
    of `numpy.triu_indices`. p is the share of permutations whose mean difference exceeds the observed one;
    one that equals it counts ``tied``. With a half, two identical systems have p = .5, and the order of the
    systems does not matter; 1 is the published definition, where they have p = 1.
    """
    # not by BLAS, whose sums may differ with the number of cores
    drawn = np.einsum("pt,...ts->...ps", signs, scores) / scores.shape[-2]
    means = scores.mean(axis=-2)
    one, other = np.triu_indices(scores.shape[-1], 1)
    observed = means[..., one] - means[..., other]
    p = np.empty(observed.shape)
    for pair in range(len(one)):  # by pair, so that memory does not grow with their number
        excess = drawn[..., one[pair]] - drawn[..., other[pair]] - observed[..., pair, None]
        above = (excess > _ROUND_OFF).mean(axis=-1)
        p[..., pair] = above + tied * (np.abs(excess) <= _ROUND_OFF).mean(axis=-1)
    return p


def soft_pairwise_accuracy(
    x: np.ndarray, y: np.ndarray, *, permutations: int = 1000, seed: int = 0, tied: float = 0.5
) -> float:
    """Soft pairwise accuracy of a metric, 0 to 1 (Thompson et al. 2024).

    ``x`` and ``y`` are the scores by metric and judgement, (topic, system), of complete topics
    (`sera.evaluation.correlation.correlate.complete_topics`). Both sides share the exchanges, as in the
    authors' program; ``tied`` as of `system_p_values`. NaN without a topic or with one system.
    """
    if not len(x) or x.shape[1] < 2:
        return np.nan
    signs = exchange_signs(permutations, len(x), seed)
    p, judged = system_p_values(np.stack([x, y]), signs, tied=tied)
    return float(1 - np.abs(p - judged).mean())
