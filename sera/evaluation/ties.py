"""When two scores of a metric count as equal although round-off makes them differ.

Two scores of a metric, or two means of its scores, are tied if they differ by at most 1e-12 (`ROUND_OFF`) of
the larger one, or of the metric's median score (`find_unit`) if that is larger. A chain of such pairs is one
tie. So a metric may be written in any unit, one score may be far from all others, and no tie is lost at the
border of a grid, as happens to rounded numbers.

Correlations, shares and p are bounded, so an absolute tolerance is right for them: they are equal if they are
at most `ROUND_OFF` apart. Effects, which are differences of correlations, are rounded to as many decimals.
"""

import numpy as np

ROUND_OFF = 1e-12
"""The greatest difference of two equal statistics, and of two tied scores in the metric's unit."""

_NOTHING = 2.0**-50
"""A score that is not above this part of the greatest one is 0 but for round-off."""

_MOST_UNITS = 250  # the greatest score is below 2^251 units, so that products of squares are numbers


def find_unit(scores: np.ndarray, axes: int | None = None) -> np.ndarray:
    """The metric's unit: the greatest power of two that is not above the median magnitude of its scores.

    Scores that are 0 or NaN do not count. Division by a power of two is exact, so scores divided by their
    unit have the same coefficients to the last bit. The last ``axes`` axes are those of a metric, all if not
    given; the result keeps them with length 1.
    """
    scores = np.asarray(scores, np.float64)
    first = scores.ndim - (scores.ndim if axes is None else axes)
    magnitudes = np.abs(scores).reshape(*scores.shape[:first], -1)
    if not magnitudes.shape[-1]:
        return np.ones((*scores.shape[:first], *[1] * (scores.ndim - first)))
    magnitudes = np.sort(np.where(np.isfinite(magnitudes), magnitudes, 0.0))
    greatest = magnitudes[..., -1:]
    zeros = (magnitudes <= greatest * _NOTHING).sum(axis=-1, keepdims=True)
    median = np.take_along_axis(magnitudes, (zeros + magnitudes.shape[-1] - 1) // 2, axis=-1)
    exponents = np.maximum(np.frexp(median)[1], np.frexp(greatest)[1] - _MOST_UNITS)
    return np.ldexp(0.5, exponents).reshape(*scores.shape[:first], *[1] * (scores.ndim - first))


def scale_to_unit(scores: np.ndarray, axes: int | None = None) -> np.ndarray:
    """The scores in their unit; for ``axes`` see `find_unit`."""
    return scores / find_unit(scores, axes)


def order_with_ties(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The stable order of values along the last axis, NaN last, and the place of the first of each one's tie.

    Both are in ascending order of the values, which are those of `merge_ties`.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    low, high = ascending[..., :-1], ascending[..., 1:]
    with np.errstate(invalid="ignore"):  # NaN are tied with nothing
        apart = ~(high - low <= ROUND_OFF * np.maximum(1, np.maximum(-low, high)))
    first = np.zeros(values.shape, np.int64)
    first[..., 1:] = np.where(apart, np.arange(1, max(values.shape[-1], 1)), 0)
    return order, np.maximum.accumulate(first, axis=-1)


def merge_ties(values: np.ndarray) -> np.ndarray:
    """The values in which those that are tied along the last axis have become the least of them.

    ``values`` are scores in the metric's unit, means of such scores, or statistics with a bounded scale.
    """
    values = np.asarray(values, np.float64)
    order, first = order_with_ties(values)
    merged = np.empty_like(values)
    np.put_along_axis(merged, order, np.take_along_axis(values, np.take_along_axis(order, first, -1), -1), -1)
    return merged
