"""The four coefficients that say how well one list of scores follows another: one implementation of each.

Pearson's r, Spearman's rho, Kendall's tau-b, and the normalised discounted cumulative gain. All four are of
weighted items, where a weight is a whole number that says how often the item is there: a bootstrap's draw
repeats some and leaves out others, and a score that is undefined leaves its item out (weight 0). Scores that
agree to twelve digits are ties. docs/meta-evaluation.md has the definitions.

A coefficient is not a number, never zero, where it is undefined: of fewer than three items, or where all
items have the same score on either side.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled

CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "ndcg")


def coefficients(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None, depth: int | None = None
) -> np.ndarray:
    """The coefficients between two arrays along their last axis: one axis more, in order of COEFFICIENTS.

    ``y`` is the side that NDCG takes for the gain. The three arrays are broadcast against each other (weights
    are 1 if not given). ``depth`` cuts NDCG off at that rank. An item that is NaN on either side is left out.
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
    """Pearson's r along the last axis."""
    return coefficients(x, y)[..., 0]


def spearman(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Spearman's rho along the last axis: Pearson's r of the ranks, ties at their mean rank."""
    return coefficients(x, y)[..., 1]


def kendall(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b along the last axis: pairs tied on either side are taken off the denominator."""
    return coefficients(x, y)[..., 2]


def ndcg(x: np.ndarray, y: np.ndarray, depth: int | None = None) -> np.ndarray:
    """NDCG along the last axis: the items ranked by ``x`` from high to low, the gain of each its ``y``.

    The gain at rank i counts 1 / log2(i + 1), nothing below rank ``depth``. Items with equal ``x`` share
    the mean of what their ranks count. Undefined too where a ``y`` is negative: a gain has to be none or
    more.
    """
    return coefficients(x, y, depth=depth)[..., 3]


def _rows(part: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The rows of an array along its last axis: all that the shape has, or one if they are all the same."""
    if part.ndim < 2 or np.prod(part.shape[:-1]) == 1:
        shape = (1, shape[-1])
        part = part.reshape(1, -1)
    whole = part if part.shape == shape else np.broadcast_to(part, shape)
    return np.require(whole, requirements=["C", "W"]).reshape(int(np.prod(shape[:-1])), shape[-1])


@compiled
def _each(x, y, weights, gains, out):
    """Fill ``out``, (row, coefficient). ``x``, ``y`` and ``weights`` have as many rows, or one for all.

    ``gains[i]`` is what the first i ranks count together.
    """
    items = weights.shape[1]
    all_items, by_y, order = np.arange(items), np.empty(items, np.int64), np.empty(items, np.int64)
    row_x, row_y, taken = np.empty(items), np.empty(items), np.empty(items, np.int64)
    numbers_x, numbers_y = np.empty(items, np.int32), np.empty(items, np.int32)
    # the items whose scores are known, by ascending x, those with equal x by y: their scores, and their
    # numbers among the distinct scores from the least to the greatest
    known_x, known_y = np.empty(items), np.empty(items)
    number_x, number_y = np.empty(items, np.int32), np.empty(items, np.int32)
    # those of them that are there in a row, and how often
    some_x, some_y, w = np.empty(items), np.empty(items), np.empty(items, np.int32)
    of_x, of_y = np.empty(items, np.int32), np.empty(items, np.int32)
    # of each distinct score: how often it is there, the items' y together, their rank
    at_x, at_y = np.empty(items, np.int32), np.empty(items, np.int32)
    sum_x, sum_y = np.empty(items), np.empty(items)
    rank_x, rank_y = np.empty(items), np.empty(items)
    before, blocks = np.empty(items, np.int32), np.empty(items // 64 + 1, np.int32)
    in_y, known, distinct_x, distinct_y = 0, 0, 0, 0
    for row in range(len(out)):
        if row == 0 or len(y) > 1:
            for i in range(items):  # means that are equal on paper are made equal in fact
                row_y[i] = np.rint(y[row if len(y) > 1 else 0, i] * 1e12) / 1e12
            in_y = _sort(row_y, all_items, items, by_y, taken)
            distinct_y = _number(row_y, by_y, in_y, numbers_y)
        if row == 0 or len(x) > 1 or len(y) > 1:
            for i in range(items):  # what is unknown on one side is so on both
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
        for i in range(known):  # without a branch: what is not there is overwritten by what follows
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
    """Put the given items in ascending order of their values, those with equal values as they are given.

    Leaves out those that are NaN, and gives how many are left. The items that are not given have to be NaN.
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
    for i in range(length):  # of few items the fastest is to count those that are less
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
    """Number the distinct values from 0; ``order`` sorts them. Gives how many there are."""
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
    """The rank of each distinct value, the least being 1: the mean of those that its items take."""
    below = 0
    for number in range(distinct):
        ranks[number] = below + (at[number] + 1) / 2
        below += at[number]


@compiled
def _discordant(of_y, w, length, distinct, before, blocks):
    """Pairs of items, ordered by x, of which the first has the greater y: what sorting by y would exchange.

    ``before`` is room for how often each y has come so far, and ``blocks`` for that of 64 of them together.
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
    """The cumulative gain of distinct values ranked from the last; items of one share their ranks' gains."""
    gain, above = 0.0, 0
    for number in range(distinct - 1, -1, -1):
        gain += sums[number] / max(at[number], 1) * (gains[above + at[number]] - gains[above])
        above += at[number]
    return gain
