"""Four coefficients of agreement between two lists of scores, with one implementation of each.

They are Pearson's r, Spearman's rho, Kendall's tau-b and the normalised discounted cumulative gain (NDCG).
Items have weights: a weight is the number of times that the item occurs, since a draw of the
bootstrap repeats some items and leaves out others. An item with an undefined score is left out (weight 0).
Ties are those of `sera.evaluation.ties`. docs/statistics.md has the definitions.

A coefficient is NaN, never zero, where it is undefined: for fewer than three items, or where all items have
the same score on one side.
"""

from __future__ import annotations

import math

import numpy as np

from sera.compiled import compiled
from sera.evaluation.ties import scale_to_unit

CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "ndcg")


def coefficients(
    x: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray | None = None,
    depth: int | None = None,
    undiscounted: int = 1,
    *,
    in_units: bool = False,
) -> np.ndarray:
    """All coefficients between two arrays along their last axis, (..., coefficient), as in COEFFICIENTS.

    ``x``, ``y`` and ``weights`` are (..., item) and are broadcast against each other; weights are 1 if not
    given. An item that is NaN on either side is left out. r, rho and tau-b range from -1 to 1, NDCG from 0
    to 1; all are NaN where they are undefined. Ties have their mean rank in rho, and a pair tied on one side
    counts less in the denominator of tau-b.

    NDCG ranks items by ``x`` from high to low, and ``y`` is the gain. The gain at rank i has the weight
    1 / log2(i + 1), or 0 below rank ``depth``. The first ``undiscounted`` ranks have the weight 1: with 2,
    the weights are 1, 1, 1 / log2(3), 1 / log2(4) and so on. Items with equal ``x`` share the mean weight of
    their ranks. NDCG is also undefined where a ``y`` is negative, since a gain cannot be negative.

    Each list of ``x`` and of ``y`` has its own unit (`sera.evaluation.ties.find_unit`), unless they are means
    or parts of scores that are already ``in_units`` of their metrics.
    """
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if not in_units:
        x, y = scale_to_unit(x, axes=1), scale_to_unit(y, axes=1)
    weights = np.ones((), np.int32) if weights is None else np.asarray(weights, np.int32)
    shape = np.broadcast_shapes(x.shape, y.shape, weights.shape)
    rows_x, (rows_y, rows_weights) = _of_first_axes(x, shape), (_of_last_axes(z, shape) for z in (y, weights))
    longest = int(rows_weights.sum(axis=1).max(initial=0))
    ranks = np.arange(1, longest + 1)
    discounts = np.log2(np.maximum(ranks + 2 - undiscounted, 2))
    gains = np.where(ranks <= (longest if depth is None else depth), 1 / discounts, 0)
    out = np.empty((math.prod(shape[:-1]), len(COEFFICIENTS)))
    if len(out):
        _each(rows_x, rows_y, rows_weights, np.concatenate([[0], np.cumsum(gains)]), out)
    return out.reshape(*shape[:-1], len(COEFFICIENTS))


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis, -1 to 1."""
    return coefficients(x, y)[..., 0]


def _of_first_axes(part: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The different rows of an array that is broadcast to a shape, (row, item), as far as the first axes go.

    Each row is used for as many rows of the shape, one after the other.
    """
    part = part.reshape(*[1] * (len(shape) - part.ndim), *part.shape)
    last = len(shape) - 1
    while last and part.shape[last - 1] == 1:
        last -= 1
    return _as_rows(part.reshape(*part.shape[:last], part.shape[-1]), (*shape[:last], shape[-1]))


def _of_last_axes(part: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """As `_of_first_axes`, as far as the last axes go: the rows are used in turn, over and over."""
    part = part.reshape(*[1] * (len(shape) - part.ndim), *part.shape)
    first = 0
    while first < len(shape) - 1 and part.shape[first] == 1:
        first += 1
    return _as_rows(part.reshape(part.shape[first:]), shape[first:])


def _as_rows(part: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    whole = part if part.shape == shape else np.broadcast_to(part, shape)
    return np.require(whole, requirements=["C", "W"]).reshape(math.prod(shape[:-1]), shape[-1])


@compiled
def _each(x, y, weights, gains, out):
    """Fill ``out``, (row, coefficient).

    Each row of ``x`` is for as many rows of ``out``, one after the other; the rows of ``y`` and of
    ``weights`` are used in turn, over and over. ``gains[i]`` is the sum of the weights of the first i ranks.
    """
    items = weights.shape[1]
    rows_of_x = len(out) // len(x)
    # for rows of y, all if they are used again: the items by ascending y, how many of them are known, the
    # number of each item's y among the distinct ones in ascending order, and how many of these there are
    slots = len(y) if len(y) < len(out) else 1
    orders, numbers_y = np.empty((slots, items), np.int64), np.empty((slots, items), np.int32)
    in_y, distinct_of_y = np.empty(slots, np.int64), np.empty(slots, np.int64)
    zeros_y, finite_y = np.empty((slots, items)), np.empty(slots, np.bool_)  # NaN where y is not finite
    order, taken = np.empty(items, np.int64), np.empty(items, np.int64)
    numbers_x, starts = np.empty(items, np.int32), np.empty(items + 1, np.int64)
    # the items whose scores are known, by ascending x, and by y where x is equal: their scores, and the
    # numbers of these among the distinct scores in ascending order
    known_x, known_y = np.empty(items), np.empty(items)
    number_x, number_y = np.empty(items, np.int32), np.empty(items, np.int32)
    # those of them that occur in a row, and how often
    some_x, some_y, w = np.empty(items), np.empty(items), np.empty(items, np.int32)
    of_x, of_y = np.empty(items, np.int32), np.empty(items, np.int32)
    # for each distinct score: how often it occurs, the sum of the items' y, their rank
    at_x, at_y = np.empty(items, np.int32), np.empty(items, np.int32)
    sum_x, sum_y = np.empty(items), np.empty(items)
    rank_x, rank_y = np.empty(items), np.empty(items)
    before, blocks = np.empty(items, np.int32), np.empty(items // 64 + 1, np.int32)
    in_x, known, distinct_x, distinct_y = 0, 0, 0, 0
    for row in range(len(out)):
        row_x, row_y, drawn, slot = row // rows_of_x, row % len(y), row % len(weights), row % slots
        if row < len(y):
            in_y[slot], distinct_of_y[slot] = _sort(y[row], orders[slot], numbers_y[slot], taken)
            finite_y[slot] = True
            for i in range(items):
                zeros_y[slot, i] = y[row, i] * 0
                finite_y[slot] &= not np.isnan(zeros_y[slot, i])
        if row % rows_of_x == 0:
            in_x, distinct_x = _sort(x[row_x], order, numbers_x, taken)
        if row % rows_of_x == 0 or len(y) > 1:
            distinct_y = distinct_of_y[slot]
            if in_x == items <= _FEW and finite_y[slot]:  # then the number of an x is its place
                for i in range(items):
                    starts[i] = i
                known = items
            else:
                for i in range(distinct_x + 1):
                    starts[i] = 0
                for i in range(items):  # an item that is NaN on one side is left out on both
                    if not np.isnan(x[row_x, i] + zeros_y[slot, i]):
                        starts[numbers_x[i] + 1] += 1
                for i in range(distinct_x):
                    starts[i + 1] += starts[i]
                known = starts[distinct_x]
            for place in range(in_y[slot]):
                i = orders[slot, place]
                if not np.isnan(x[row_x, i] + zeros_y[slot, i]):
                    at = starts[numbers_x[i]]
                    starts[numbers_x[i]] += 1
                    order[at] = i
                    known_x[at], known_y[at] = x[row_x, i], y[row_y, i]
                    number_x[at], number_y[at] = numbers_x[i], numbers_y[slot, i]
        for i in range(distinct_x):
            at_x[i], sum_x[i] = 0, 0.0
        for i in range(distinct_y):
            at_y[i], sum_y[i] = 0, 0.0
        length, total, least = np.int64(0), 0, 0.0
        for i in range(known):  # without a branch: the next item overwrites one of weight 0
            weight = weights[drawn, order[i]]
            gain = weight * known_y[i]
            some_x[length], some_y[length], w[length] = known_x[i], known_y[i], weight
            of_x[length], of_y[length] = number_x[i], number_y[i]
            at_x[number_x[i]] += weight
            at_y[number_y[i]] += weight
            sum_x[number_x[i]] += gain
            sum_y[number_y[i]] += gain
            least = min(least, gain)
            total += weight
            length += weight > 0
        pairs = _pairs(total)
        untied_x = pairs - _pairs_within(at_x, distinct_x)
        untied_y = pairs - _pairs_within(at_y, distinct_y)
        if total < 3 or untied_x == 0 or untied_y == 0:
            out[row] = np.nan
            continue
        out[row, 0] = _pearson(some_x, some_y, w, length)
        agreement = untied_x + untied_y - pairs + _tied_on_both(of_x, of_y, w, length)
        _rank(at_x, distinct_x, rank_x)
        _rank(at_y, distinct_y, rank_y)
        for i in range(length):
            some_x[i], some_y[i] = rank_x[of_x[i]], rank_y[of_y[i]]
        out[row, 1] = _pearson(some_x, some_y, w, length)
        agreement -= 2 * _discordant(of_y, w, length, distinct_y, before, blocks)
        out[row, 2] = agreement / np.sqrt(float(untied_x) * float(untied_y))
        out[row, 3] = np.nan
        if least >= 0:
            ideal = _gain(at_y, distinct_y, sum_y, gains)
            out[row, 3] = _gain(at_x, distinct_x, sum_x, gains) / ideal


_FEW = 48


@compiled
def _sort(values, order, numbers, taken):
    """Sort the items by ascending value, stably, into ``order``; items that are NaN are left out.

    Returns how many are not NaN, and a bound of the ``numbers`` of these: tied values have the same number,
    and higher ones a higher number. ``taken`` is working memory for as many items.
    """
    length = len(values)
    if length > _FEW:
        ascending = np.argsort(values, kind="mergesort")  # NaN is last
        for i in range(length):  # to assign the whole array takes seconds to compile
            order[i] = ascending[i]
        while length and np.isnan(values[order[length - 1]]):
            length -= 1
        number = 0
        for place in range(length):
            number += place > 0 and _apart(values[order[place - 1]], values[order[place]])
            numbers[order[place]] = number
        return length, number + 1
    known = 0
    taken[:] = 0
    for i in range(length):  # for few items it is fastest to count the lower ones
        value = values[i]
        if not np.isnan(value):
            less = 0
            for j in range(length):
                less += values[j] < value
            order[less + taken[less]] = i
            taken[less] += 1
            known += 1
    number = 0
    for place in range(known):
        if place > 0 and _apart(values[order[place - 1]], values[order[place]]):
            number = place
        numbers[order[place]] = number
    return known, known


@compiled
def _apart(low, high):
    """Whether neighbours in ascending order are not tied: the rule of `sera.evaluation.ties.merge_ties`."""
    return high - low > 1e-12 * max(1.0, -low, high)


@compiled
def _pairs(number):
    return number * (number - 1) // 2


@compiled
def _pairs_within(at, distinct):
    """Pairs of items with the same value."""
    pairs = 0
    for number in range(distinct):
        pairs += _pairs(np.int64(at[number]))
    return pairs


@compiled
def _tied_on_both(of_x, of_y, w, length):
    """Pairs of items that have the same value on both sides."""
    pairs, here = 0, 0
    for i in range(length):
        if i and (of_x[i] != of_x[i - 1] or of_y[i] != of_y[i - 1]):
            pairs += _pairs(here)
            here = 0
        here += w[i]
    return pairs + _pairs(here)


@compiled
def _pearson(x, y, w, length):
    total, mean_x, mean_y = 0, 0.0, 0.0
    for i in range(length):
        total += w[i]
        mean_x += w[i] * x[i]
        mean_y += w[i] * y[i]
    mean_x /= total
    mean_y /= total
    xx, yy, xy = 0.0, 0.0, 0.0
    for i in range(length):
        one, other = x[i] - mean_x, y[i] - mean_y
        xx += w[i] * one * one
        yy += w[i] * other * other
        xy += w[i] * one * other
    return min(1.0, max(-1.0, xy / np.sqrt(xx * yy)))


@compiled
def _rank(at, distinct, ranks):
    """The rank of each distinct value, from 1 for the lowest: the mean rank of its items."""
    below = 0
    for number in range(distinct):
        ranks[number] = below + (at[number] + 1) / 2
        below += at[number]


@compiled
def _discordant(of_y, w, length, distinct, before, blocks):
    """The number of discordant pairs: of two items in the order of x, the first has the greater y.

    ``before`` holds how often each y has occurred so far, ``blocks`` sums of 64 of these counts.
    """
    for number in range(distinct):
        before[number] = 0
        blocks[number >> 6] = 0
    count, seen = 0, 0
    for i in range(length):
        number, block = of_y[i], of_y[i] >> 6
        lower = 0
        for j in range(block):
            lower += blocks[j]
        for j in range(block << 6, number + 1):
            lower += before[j]
        count += w[i] * (seen - lower)
        before[number] += w[i]
        blocks[block] += w[i]
        seen += w[i]
    return count


@compiled
def _gain(at, distinct, sums, gains):
    """The cumulative gain of distinct values ranked from the last; equal items share their ranks' gain."""
    gain, above = 0.0, 0
    for number in range(distinct - 1, -1, -1):
        gain += sums[number] / max(at[number], 1) * (gains[above + at[number]] - gains[above])
        above += at[number]
    return gain
