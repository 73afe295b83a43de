"""Four coefficients of agreement between two lists of scores, with one implementation of each.

docs/statistics.md has the definitions. Items have weights: a weight is the number of times that the item
occurs, since a draw of the bootstrap repeats some items and leaves out others. An item with an undefined
score is left out (weight 0). Ties are equal numbers: see `sera.evaluation.ties`. A coefficient is NaN, never
zero, where it is undefined: for fewer than three items, or where all items have the same score on one side.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled

CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "ndcg")


def coefficients(
    x: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray | None = None,
    depth: int | None = None,
    undiscounted: int = 1,
) -> np.ndarray:
    """All coefficients between two arrays along their last axis, (..., coefficient), as in COEFFICIENTS.

    ``x``, ``y`` and ``weights`` are (..., item) and are broadcast against each other; weights are 1 if not
    given. An item that is NaN on either side is left out.

    NDCG ranks items by ``x`` from high to low, and ``y`` is the gain. The gain at rank i has the weight 1 /
    log2(i + 1), or 0 below rank ``depth``. The first ``undiscounted`` ranks have the weight 1: with 2, the
    weights are 1, 1, 1 / log2(3), 1 / log2(4) and so on. NDCG is also undefined where a ``y`` is negative,
    since a gain cannot be negative.
    """
    x, y = _scale(x), _scale(y)
    weights = np.ones((), np.int32) if weights is None else np.asarray(weights, np.int32)
    shape = np.broadcast_shapes(x.shape, y.shape, weights.shape)
    (x, x_numbers), (y, y_numbers), (weights, weight_numbers) = (
        _list_rows(part, shape) for part in (x, y, weights)
    )
    longest = int(weights.sum(axis=1).max(initial=0))
    ranks = np.arange(1, longest + 1)
    discounts = np.log2(np.maximum(ranks + 2 - undiscounted, 2))
    gains = np.where(ranks <= (longest if depth is None else depth), 1 / discounts, 0)
    out = np.empty((len(x_numbers), len(COEFFICIENTS)))
    if len(out):
        rows = np.stack([x_numbers, y_numbers, weight_numbers], axis=1)
        (_, ties_x), (order, ties_y) = _number_ties(x), _number_ties(y)
        _fill(rows, x, y, weights, ties_x, ties_y, order, np.concatenate([[0], np.cumsum(gains)]), out)
    return out.reshape(*shape[:-1], len(COEFFICIENTS))


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis, -1 to 1."""
    return coefficients(x, y)[..., 0]


def _list_rows(part: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The rows of an array, (row, item), and which of them each row of the array broadcast to a shape is."""
    part = np.ascontiguousarray(np.broadcast_to(part, (*part.shape[:-1], shape[-1])))
    rows = part.reshape(-1, shape[-1])
    numbers = np.arange(len(rows)).reshape(part.shape[:-1])
    return rows, np.broadcast_to(numbers, shape[:-1]).ravel()


def _scale(lists: np.ndarray) -> np.ndarray:
    """The lists divided by powers of two, which changes no coefficient, so that their squares are numbers."""
    lists = np.asarray(lists, np.float64)
    greatest = np.fmax.reduce(np.abs(lists), axis=-1, initial=0, keepdims=True)
    return np.ldexp(lists, -np.frexp(greatest)[1])


def _number_ties(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The items of each row in ascending order, NaN last, and a number of each: the same if tied."""
    order = np.argsort(rows, axis=-1, kind="stable")
    ascending = np.take_along_axis(rows, order, axis=-1)
    places = np.arange(1, max(rows.shape[-1], 1))
    first = np.zeros(rows.shape, np.int64)
    first[..., 1:] = np.where(ascending[..., 1:] != ascending[..., :-1], places, 0)
    numbers = np.empty_like(first)
    np.put_along_axis(numbers, order, np.maximum.accumulate(first, axis=-1), axis=-1)
    return order, numbers


@compiled
def _fill(rows, xs, ys, weights, ties_x, ties_y, orders, gains, out):
    """Fill ``out``, (row, coefficient), for ``rows`` of x, of y and of weights, (row, 3).

    ``ties_x``, ``ties_y`` and the ``orders`` of the y are those of `_number_ties`; ``gains[i]`` is the sum of
    the weights of the first i ranks.
    """
    items = xs.shape[1]
    order, starts = np.empty(items, np.int64), np.empty(items + 1, np.int64)
    # the items that occur, by ascending x, and by y where x is equal: scores, numbers of ties, weights
    x, y, w = np.empty(items), np.empty(items), np.empty(items, np.int64)
    of_x, of_y = np.empty(items, np.int64), np.empty(items, np.int64)
    # for each number: how often it occurs, the sum of the items' y, their rank
    at_x, at_y = np.empty(items, np.int64), np.empty(items, np.int64)
    sum_x, sum_y, rank_x, rank_y = np.empty(items), np.empty(items), np.empty(items), np.empty(items)
    before, blocks = np.empty(items, np.int64), np.empty(items // 64 + 1, np.int64)
    last_x, last_y, known = -1, -1, 0
    for row in range(len(out)):
        row_x, row_y, drawn = rows[row]
        if row_x != last_x or row_y != last_y:
            known = _sort(xs[row_x], ys[row_y], ties_x[row_x], orders[row_y], order, starts)
            last_x, last_y = row_x, row_y
        at_x[:], at_y[:], sum_x[:], sum_y[:] = 0, 0, 0, 0
        length, total, least = 0, 0, 0.0
        for place in range(known):
            i = order[place]
            weight = weights[drawn, i]
            if weight:
                x[length], y[length], w[length] = xs[row_x, i], ys[row_y, i], weight
                tie_x, tie_y = ties_x[row_x, i], ties_y[row_y, i]
                of_x[length], of_y[length] = tie_x, tie_y
                at_x[tie_x] += weight
                at_y[tie_y] += weight
                gain = weight * y[length]
                sum_x[tie_x] += gain
                sum_y[tie_y] += gain
                least = min(least, gain)
                total += weight
                length += 1
        pairs = _pairs(total)
        untied_x, untied_y = pairs - _pairs_within(at_x), pairs - _pairs_within(at_y)
        if total < 3 or untied_x == 0 or untied_y == 0:
            out[row] = np.nan
            continue
        out[row, 0] = _pearson(x, y, w, length)
        agreement = untied_x + untied_y - pairs + _pairs_tied_twice(of_x, of_y, w, length)
        _rank(at_x, rank_x)
        _rank(at_y, rank_y)
        for i in range(length):
            x[i], y[i] = rank_x[of_x[i]], rank_y[of_y[i]]
        out[row, 1] = _pearson(x, y, w, length)
        agreement -= 2 * _discordant(of_y, w, length, before, blocks)
        out[row, 2] = agreement / np.sqrt(float(untied_x) * float(untied_y))
        out[row, 3] = _gain(at_x, sum_x, gains) / _gain(at_y, sum_y, gains) if least >= 0 else np.nan


@compiled
def _sort(x, y, ties_x, order_y, order, starts):
    """Sort the items without NaN into ``order``, by x, and by y where x is tied; returns their number."""
    starts[:] = 0
    for i in range(len(x)):
        if not np.isnan(x[i] + y[i]):
            starts[ties_x[i] + 1] += 1
    for i in range(len(x)):
        starts[i + 1] += starts[i]
    known = starts[len(x)]
    for i in order_y:
        if not np.isnan(x[i] + y[i]):
            order[starts[ties_x[i]]] = i
            starts[ties_x[i]] += 1
    return known


@compiled
def _pairs(number):
    return number * (number - 1) // 2


@compiled
def _pairs_within(at):
    """Pairs of items with the same value."""
    pairs = 0
    for often in at:
        pairs += _pairs(often)
    return pairs


@compiled
def _pairs_tied_twice(of_x, of_y, w, length):
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
        deviation_x, deviation_y = x[i] - mean_x, y[i] - mean_y
        xx += w[i] * deviation_x * deviation_x
        yy += w[i] * deviation_y * deviation_y
        xy += w[i] * deviation_x * deviation_y
    return min(1.0, max(-1.0, xy / np.sqrt(xx * yy)))


@compiled
def _rank(at, ranks):
    """The rank of each distinct value, from 1 for the lowest: the mean rank of its items."""
    below = 0
    for number in range(len(at)):
        ranks[number] = below + (at[number] + 1) / 2
        below += at[number]


@compiled
def _discordant(of_y, w, length, before, blocks):
    """The number of discordant pairs: of two items in the order of x, the first has the greater y.

    ``before`` holds how often each y has occurred so far, ``blocks`` sums of 64 of these counts.
    """
    before[:], blocks[:] = 0, 0
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
def _gain(at, sums, gains):
    """The cumulative gain of distinct values ranked from the last; equal items share their ranks' gain."""
    gain, above = 0.0, 0
    for number in range(len(at) - 1, -1, -1):
        gain += sums[number] / max(at[number], 1) * (gains[above + at[number]] - gains[above])
        above += at[number]
    return gain
