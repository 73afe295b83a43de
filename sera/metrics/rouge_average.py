"""The averages and 95% intervals that ROUGE-1.5.5 prints for a system (``-c 95 -r 1000``).

Lin (2004, section 6) bootstraps the intervals of correlations; the program also bootstraps a system's
average score. What it prints is not the plain mean of the scores but the mean of 1,000 resampled
means, drawn from a seeded generator, so it can be had again to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

RESAMPLES = 1000
_TAIL = RESAMPLES * 25 // 1000  # how many resamples lie outside of a 95% interval at either end


def averages(scores: Mapping[str, Sequence[float]], system: str) -> np.ndarray:
    """Mean, low and high end of one system's scores by one or more metrics, as the program prints them.

    ``scores`` maps an evaluation's id (a topic) to the system's scores there, the same metrics in the same
    order for each. The order of the mapping is of no account: evaluations are taken in the string order of
    ``<id>.<system>``, as by the program, and each metric sees the same draws. Gives an array of shape
    (metrics, 3), five decimals. Raises ValueError for no scores, or for evaluations of unequal length.
    """
    if not scores:
        raise ValueError(f"there are no scores of {system} to average")
    ids = sorted(scores, key=lambda evaluation: f"{evaluation}.{system}".encode("utf-8", "surrogatepass"))
    table = np.array([scores[evaluation] for evaluation in ids], dtype=float)
    if table.ndim != 2:
        raise ValueError("every evaluation has a list of scores, one for each metric")

    sums = np.zeros((RESAMPLES, table.shape[1]))
    for drawn in _draws(len(table)):  # in the order drawn, for rounding's sake
        sums += table[drawn]
    means = np.sort(sums / len(table), axis=0)
    mean = np.cumsum(means, axis=0)[-1] / RESAMPLES  # a running sum; np.sum adds in another order
    rounded = [[round(float(value), 5) for value in row] for row in (mean, means[_TAIL], means[-1 - _TAIL])]
    return np.array(rounded).T


def _draws(n: int) -> np.ndarray:
    """Indices below n, shape (n, resamples): resample i draws from the 48-bit generator seeded with i."""
    state = np.arange(RESAMPLES, dtype=np.uint64) * np.uint64(1 << 16) + np.uint64(0x330E)
    drawn = np.empty((n, RESAMPLES), dtype=np.intp)
    for draw in range(n):
        # uint64 wraps at 2^64, which leaves the value modulo 2^48 as it is.
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64((1 << 48) - 1)
        drawn[draw] = n * (state / 2.0**48)
    return drawn
