"""Four coefficients of agreement between two lists of scores, with one implementation of each.

They are Pearson's r, Spearman's rho, Kendall's tau-b and the normalised discounted cumulative gain (NDCG).
Items have weights: a weight is a whole number that says how often the item occurs, since a draw of the
bootstrap repeats some items and leaves out others. An item with an undefined score is left out (weight 0).
Scores that agree to twelve decimals are ties. docs/meta-evaluation.md has the definitions.

A coefficient is NaN, never zero, where it is undefined: for fewer than three items, or where all items have
the same score on one side.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled

CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "ndcg")


def coefficients(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None, depth: int | None = None
) -> np.ndarray:
    """All coefficients between two arrays along their last axis, (..., coefficient), as in COEFFICIENTS.

    ``x``, ``y`` and ``weights`` are (..., item) and are broadcast against each other; weights are 1 if not
    given. ``y`` is the gain of NDCG, and ``depth`` its rank cut-off. An item that is NaN on either side is
    left out. r, rho and tau-b range from -1 to 1, NDCG from 0 to 1; all are NaN where they are undefined.
    """
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    weights = np.ones((), np.int32) if weights is None else np.asarray(weights, np.int32)
    shape = np.broadcast_shapes(x.shape, y.shape, weights.shape)
    x, y, weights = (_rows(part, shape) for part in (x, y, weights))
    longest = int(weights.sum(axis=1).max(initial=0))
    ranks = np.arange(1, longest + 1)
    gains = np.where(ranks <= (longest if depth is None else depth), 1 / np.log2(ranks + 1), 0)
    out = np.empty((int(np.prod(shape[:-1])), len(COEFFICIENTS)))
    _each(x, y, weights, np.concatenate([[0], np.cumsum(gains)]), out)
    return out.reshape(*shape[:-1], len(COEFFICIENTS))


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis, -1 to 1."""
    return coefficients(x, y)[..., 0]


def spearman(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Spearman's rho along the last axis, -1 to 1: Pearson's r of the ranks, ties at their mean rank."""
    return coefficients(x, y)[..., 1]


def kendall(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b along the last axis, -1 to 1: pairs tied on one side count less in the denominator."""
    return coefficients(x, y)[..., 2]


def ndcg(x: np.ndarray, y: np.ndarray, depth: int | None = None) -> np.ndarray:
    """NDCG along the last axis, 0 to 1: items are ranked by ``x`` from high to low, and ``y`` is the gain.

    The gain at rank i has the weight 1 / log2(i + 1), or 0 below rank ``depth``. Items with equal ``x`` share
    the mean weight of their ranks. NDCG is also undefined where a ``y`` is negative, since a gain cannot be
    negative.
    """
    return coefficients(x, y, depth=depth)[..., 3]


def _rows(part: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """An array as rows, (row, item): all rows of the shape, or a single one if they are all the same."""
    if part.ndim < 2 or np.prod(part.shape[:-1]) == 1:
        shape = (1, shape[-1])
        part = part.reshape(1, -1)
    whole = part if part.shape == shape else np.broadcast_to(part, shape)
    return np.require(whole, requirements=["C", "W"]).reshape(int(np.prod(shape[:-1])), shape[-1])


@compiled
def _each(x, y, weights, gains, out):
    """Fill ``out``, (row, coefficient); ``x``, ``y`` and ``weights`` have as many rows, or one for all.

    ``gains[i]`` is the sum of the weights of the first i ranks.
    """
    items = weights.shape[1]
    all_items, by_y, order = np.arange(items), np.empty(items, np.int64), np.empty(items, np.int64)
    row_x, row_y, taken = np.empty(items), np.empty(items), np.empty(items, np.int64)
    numbers_x, numbers_y = np.empty(items, np.int32), np.empty(items, np.int32)
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
    in_y, known, distinct_x, distinct_y = 0, 0, 0, 0
    for row in range(len(out)):
        if row == 0 or len(y) > 1:
            for i in range(items):  # equal means may differ by rounding errors
                row_y[i] = np.rint(y[row if len(y) > 1 else 0, i] * 1e12) / 1e12
            in_y = _sort(row_y, all_items, items, by_y, taken)
            distinct_y = _number(row_y, by_y, in_y, numbers_y)
        if row == 0 or len(x) > 1 or len(y) > 1:
            for i in range(items):  # an item that is NaN on one side becomes NaN on both
                row_x[i] = np.rint(x[row if len(x) > 1 else 0, i] * 1e12) / 1e12 + 0 * row_y[i]
            known = _sort(row_x, by_y, in_y, order, taken)
            distinct_x = _number(row_x, order, known, numbers_x)
            for i in range(known):
                known_x[i] = x[row if len(x) > 1 else 0, order[i]]
                known_y[i] = y[row if len(y) > 1 else 0, order[i]]
                number_x[i], number_y[i] = numbers_x[order[i]], numbers_y[order[i]]
        drawn = row if len(weights) > 1 else 0
        for i in range(distinct_x):
            at_x[i], sum_x[i] = 0, 0.0
        for i in range(distinct_y):
            at_y[i], sum_y[i] = 0, 0.0
        length, total, least = 0, 0, 0.0
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


@compiled
def _sort(values, given, length, order, taken):
    """Sort the given items by ascending value, stably, into ``order``; return how many are not NaN.

    Items that are NaN are left out. The items that are not given must be NaN.
    """
    if length > 48:
        some = given[:length]
        some = some[np.argsort(values[some], kind="mergesort")]
        order[:length] = some  # NaN is last
        while length and np.isnan(values[order[length - 1]]):
            length -= 1
        return length
    known = 0
    taken[:] = 0
    for i in range(length):  # for few items it is fastest to count the lower ones
        value = values[given[i]]
        if not np.isnan(value):
            less = 0
            for j in range(len(values)):
                less += values[j] < value
            order[less + taken[less]] = given[i]
            taken[less] += 1
            known += 1
    return known


@compiled
def _number(values, order, known, numbers):
    """Number the distinct values from 0, in the sorted ``order``; return how many there are."""
    number = -1
    for i in range(known):
        if i == 0 or values[order[i]] != values[order[i - 1]]:
            number += 1
        numbers[order[i]] = number
    return number + 1


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

    ``before`` is room for how often each y has occurred so far, ``blocks`` for sums of 64 of these counts.
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
