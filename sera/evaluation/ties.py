"""When two scores of a metric count as equal although round-off makes them differ.

Two scores of a metric, or two means of its scores, are tied if they differ by at most 1e-12 (`ROUND_OFF`) of
the larger one, or of the metric's median score (`typical_size`) if that is larger. A chain of such pairs is
one tie. So a metric may be written in any unit, and one score may be far from all others.

Tied scores become the same number once, where they become an array (`sera.evaluation.correlate.Scores`), and
so do their means and differences, where these are formed. Everywhere else, a tie is plain equality. Numbers
that are rounded to 12 digits instead would lose ties: at the border of the digits, and of means and
differences, which repeat what rounding did to each score (2/3 - 1/3 and 1/3 - 0).

Correlations, shares and p are bounded, so an absolute tolerance is right for them: they are equal if they are
at most `ROUND_OFF` apart. Effects, which are differences of correlations, are rounded to as many decimals.
"""

import numpy as np

ROUND_OFF = 1e-12
"""The greatest difference of two equal statistics, and of two tied scores as a part of their size."""

_NOTHING = 2.0**-50
"""A score that is not above this part of the greatest one is 0 but for round-off."""


def typical_size(scores: np.ndarray, axes: int | None = None) -> np.ndarray:
    """The median magnitude of a metric's scores that are not 0 or NaN; 0 without such a score.

    The last ``axes`` axes are those of a metric, all if not given; the result keeps them with length 1.
    """
    scores = np.asarray(scores, np.float64)
    first = 0 if axes is None else scores.ndim - axes
    sizes = np.abs(scores).reshape(*scores.shape[:first], int(np.prod(scores.shape[first:])))
    # a column of 0 more, for metrics without a score
    sizes = np.sort(np.insert(np.nan_to_num(sizes), 0, 0, axis=-1))
    zeros = (sizes <= sizes[..., -1:] * _NOTHING).sum(axis=-1, keepdims=True)
    median = np.take_along_axis(sizes, (zeros + sizes.shape[-1] - 1) // 2, axis=-1)
    return median.reshape(*scores.shape[:first], *[1] * (scores.ndim - first))


def merge_ties(values: np.ndarray, size: np.ndarray | float | None = None) -> np.ndarray:
    """The values in which those that are tied along the last axis have become the least of them.

    ``size`` is the typical size of the metric's scores (`typical_size`), by default that of the values.
    """
    values = np.asarray(values, np.float64)
    size = typical_size(values, axes=1) if size is None else size
    ascending = np.sort(values, axis=-1)
    low, high = ascending[..., :-1], ascending[..., 1:]
    with np.errstate(invalid="ignore"):  # NaN are tied with nothing
        close = high - low <= ROUND_OFF * np.maximum(size, np.maximum(-low, high))
    rows = (close & (high > low)).any(axis=-1)  # all others stay as they are
    if not rows.any():
        return values
    places = np.arange(values.shape[-1])
    first = np.maximum.accumulate(np.where(np.insert(close[rows], 0, False, axis=-1), 0, places), axis=-1)
    merged, order = values.copy(), np.argsort(values[rows], axis=-1, kind="stable")
    part = np.empty(first.shape)
    np.put_along_axis(part, order, np.take_along_axis(ascending[rows], first, axis=-1), axis=-1)
    merged[rows] = part
    return merged


def mean_scores(scores: np.ndarray, topics: np.ndarray | None = None) -> np.ndarray:
    """The systems' means of a metric's scores, (..., topic, system), in which ties are equal, (..., system).

    With how often topics are drawn, (resample, topic), it is (..., resample, system).
    """
    draws = np.ones((1, scores.shape[-2])) if topics is None else topics
    with np.errstate(invalid="ignore"):
        # not by BLAS, whose sums may differ with the number of cores
        means = np.einsum("rt,...ts->...rs", draws, scores) / draws.sum(axis=1)[:, None]
    means = merge_ties(means, typical_size(scores, axes=2))
    return means[..., 0, :] if topics is None else means
