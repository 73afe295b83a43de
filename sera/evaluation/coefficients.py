"""Four coefficients of agreement between two lists of scores, with one implementation of each.

docs/statistics.md has the definitions. Items have weights: a weight is the number of times that the item
occurs, since a draw of the bootstrap repeats some items and leaves out others. An item with an undefined
score is left out (weight 0). Ties are equal numbers: see `sera.evaluation.ties`. A coefficient is NaN, never
zero, where it is undefined: for fewer than three items, or where all items have the same score on one side.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np

from sera.compiled import compiled

CORRELATIONS = ("pearson", "spearman", "kendall")
COEFFICIENTS = (*CORRELATIONS, "ndcg")


_AT_ONCE = 64  # draws whose numbers are computed side by side, few enough for the processor's cache


def coefficients(
    x: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None, **settings: Any
) -> np.ndarray:
    """The coefficients between two arrays along their last axis, (..., coefficient), as in COEFFICIENTS.

    ``x``, ``y`` and ``weights`` are (..., item) and are broadcast against each other; weights are 1 if not
    given. An item that is NaN on either side is left out. ``settings`` are those of `block_coefficients`.
    """
    parts = [np.asarray(part, float) for part in (x, y, np.ones(1) if weights is None else weights)]
    *outer, items = np.broadcast_shapes(*(part.shape for part in parts))
    parts = [part.reshape([1] * (len(outer) + 1 - part.ndim) + list(part.shape)) for part in parts]
    of_x, of_y, of_weights = (np.array(part.shape[:-1]) != 1 for part in parts)
    # a block has one y; its lists x are compared with it in each draw of weights
    kinds = np.where(of_y | (of_x & of_weights), 0, np.where(of_weights, 2, 1))
    order = np.argsort(kinds, kind="stable").tolist()
    sizes = [math.prod(outer[axis] for axis in np.flatnonzero(kinds == kind)) for kind in range(3)]
    arranged = []
    for part, own in zip(parts, ((0, 1), (0,), (0, 2)), strict=True):
        own_shape = [outer[axis] if kinds[axis] in own else 1 for axis in range(len(outer))]
        part = np.broadcast_to(part, (*own_shape, items)).transpose(*order, len(outer))
        arranged.append(part.reshape(*(sizes[kind] for kind in own), items))
    if not of_weights[kinds == 0].any():
        arranged[2] = arranged[2][:1]
    values = block_coefficients(*arranged, **settings)
    values = values.reshape(*(outer[axis] for axis in order), len(COEFFICIENTS))
    return values.transpose(*np.argsort(order), len(outer))


def block_coefficients(
    x: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    often: np.ndarray | None = None,
    *,
    depth: int | None = None,
    undiscounted: int = 1,
    names: Collection[str] = COEFFICIENTS,
) -> np.ndarray:
    """The coefficients of blocks of lists, (block, list, draw, coefficient); those not in ``names`` are NaN.

    ``x`` is (block, list, item), ``y`` (block, item), ``weights`` (block, draw, item), or of one block that
    all share. With ``often``, (block, draw), how often each draw has a block, it is the mean over the blocks
    whose coefficient is defined, (list, draw, coefficient).

    NDCG ranks items by ``x`` from high to low, and ``y`` is the gain. The gain at rank i has the weight 1 /
    log2(i + 1), or 0 below rank ``depth``. The first ``undiscounted`` ranks have the weight 1: with 2, the
    weights are 1, 1, 1 / log2(3), 1 / log2(4) and so on. NDCG is also undefined where a ``y`` is negative,
    since a gain cannot be negative.
    """
    x, y = _scale(x), _scale(y)
    blocks, lists, draws = (*x.shape[:2], weights.shape[1])
    longest = int(weights.sum(axis=-1).max(initial=0))
    ranks = np.arange(1, longest + 1)
    discounts = np.log2(np.maximum(ranks + 2 - undiscounted, 2))
    gains = np.where(ranks <= (longest if depth is None else depth), 1 / discounts, 0)
    out = np.zeros((blocks if often is None else 1, lists, draws, len(COEFFICIENTS)))
    times = np.zeros(out.shape if often is not None else (0, 0, 0, 0))
    if out.size:
        orders = (np.argsort(side, axis=-1, kind="stable") for side in (x, y))
        numbers = (weights.swapaxes(1, 2), np.concatenate([[0], np.cumsum(gains)]))
        columns, sums, often = (
            np.array(part, np.float64, order="C")  # one type for machine code
            for part in (*numbers, np.ones((blocks, draws)) if often is None else often)
        )
        wanted = np.array([name in names for name in COEFFICIENTS])
        _fill(x, y, columns, *orders, sums, wanted, often, out, times)
    if not len(times):
        return out
    with np.errstate(invalid="ignore"):
        return out[0] / times[0]


def pearson(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Pearson's r along the last axis, -1 to 1."""
    return coefficients(x, y, names=["pearson"])[..., 0]


def _scale(lists: np.ndarray) -> np.ndarray:
    """The lists divided by powers of two, which changes no coefficient, so that their squares are numbers."""
    greatest = np.fmax.reduce(np.abs(lists), axis=-1, initial=0, keepdims=True)
    return np.ascontiguousarray(np.ldexp(lists, -np.frexp(greatest)[1]))


@compiled
def _fill(xs, ys, weights, orders_x, orders_y, gains, wanted, often, out, times):
    """Fill ``out``, (block, list, draw, coefficient), or with ``times`` add to its one block what is defined.

    ``weights`` are (block, item, draw); the orders of x and y are ascending, NaN last; ``gains[i]`` is the
    sum of the weights of the first i ranks.
    """
    blocks, lists, items = xs.shape
    draws = weights.shape[2]
    width = min(draws, _AT_ONCE)
    w, before = np.empty((items, width)), np.empty((items + 1, width))
    deviations, ranks = np.empty((2, items, width)), np.empty((2, items, width))  # of x, and of y
    # each of the following is of x, and of y
    squares, rank_squares, untied = np.empty((2, width)), np.empty((2, width)), np.empty((2, width))
    gain, least, total, product = np.empty((2, width)), np.empty(width), np.empty(width), np.empty((3, width))
    rows = np.empty((3, width))
    order, ties = np.empty((2, items), np.int64), np.empty((2, items), np.int64)
    starts, places, known = np.empty(items, np.int64), np.empty(items, np.int64), np.zeros(items, np.bool_)
    length = 0
    for block in range(blocks):
        drawn, y = weights[min(block, len(weights) - 1)], ys[block]
        for start in range(0, draws, width):
            size = min(width, draws - start)
            for number in range(lists):
                x = xs[block, number]
                same = number > 0
                for i in range(items):
                    here = not np.isnan(x[i] + y[i])
                    same = same and here == known[i]
                    known[i] = here
                if not same:  # what depends on y alone
                    length = _order(y, orders_y[block], known, order[1], ties[1])
                    of_y = order[1, :length]
                    total[:], least[:] = 0, 0
                    place, last = 0, -1
                    for i in of_y:
                        place += ties[1, i] != last
                        places[i], last = place, ties[1, i]
                        for k in range(width):
                            w[i, k] = drawn[i, start + k] if k < size else 0
                            total[k] += w[i, k]
                            least[k] = min(least[k], w[i, k] * y[i])
                    _rank(of_y, ties[1], w, total, rows, ranks[1], rank_squares[1], untied[1])
                    if wanted[0]:
                        _deviate(y, of_y, w, total, rows[0], deviations[1], squares[1])
                    if wanted[3]:
                        _gain(of_y, ties[1], y, w, gains, rows, gain[1])
                _order(x, orders_x[block, number], known, order[0], ties[0])
                starts[:length] = ties[0][order[0, :length]]
                for i in order[1, :length]:  # equal x by ascending y
                    first = ties[0][i]
                    order[0, starts[first]] = i
                    starts[first] += 1
                of_x = order[0, :length]
                _rank(of_x, ties[0], w, total, rows, ranks[0], rank_squares[0], untied[0])
                if wanted[0]:
                    _deviate(x, of_x, w, total, rows[0], deviations[0], squares[0])
                    _multiply(of_x, w, deviations, product[0])
                if wanted[1]:
                    _multiply(of_x, w, ranks, product[1])
                if wanted[2]:
                    _agree(of_x, ties[0], places, w, before, rows, product[2])
                if wanted[3]:
                    _gain(of_x, ties[0], y, w, gains, rows, gain[0])
                for k in range(size):
                    pairs = total[k] * (total[k] - 1) / 2
                    defined = total[k] > 2 and untied[0, k] > 0 and untied[1, k] > 0
                    for c in range(len(wanted)):
                        value = np.nan
                        if not (defined and wanted[c]):
                            pass
                        elif c == 0:
                            value = product[0, k] / np.sqrt(squares[0, k] * squares[1, k])
                            value = min(1.0, max(-1.0, value))
                        elif c == 1:
                            value = product[1, k] / np.sqrt(rank_squares[0, k] * rank_squares[1, k])
                            value = min(1.0, max(-1.0, value))
                        elif c == 2:
                            value = untied[0, k] + untied[1, k] - pairs + product[2, k]
                            value /= np.sqrt(untied[0, k] * untied[1, k])
                        elif least[k] >= 0:
                            value = gain[0, k] / gain[1, k]
                        if not len(times):
                            out[block, number, start + k, c] = value
                        elif not np.isnan(value):
                            out[0, number, start + k, c] += often[block, start + k] * value
                            times[0, number, start + k, c] += often[block, start + k]


@compiled
def _order(values, ascending, known, order, ties):
    """Fill the order of the items that are known, and the first place of those that tie with each.

    Returns their number.
    """
    length, first = 0, 0
    for i in ascending:
        if known[i]:
            order[length] = i
            if not length or values[i] != values[order[length - 1]]:
                first = length
            ties[i] = first
            length += 1
    return length


@compiled
def _deviate(values, order, w, total, mean, deviations, squares):
    """Fill the deviations from each draw's mean, (item, draw), and the sum of their squares."""
    mean[:], squares[:] = 0, 0
    for i in order:
        for k in range(len(total)):
            mean[k] += w[i, k] * values[i]
    for k in range(len(total)):
        mean[k] /= max(total[k], 1.0)
    for i in order:
        for k in range(len(total)):
            deviations[i, k] = values[i] - mean[k]
            squares[k] += w[i, k] * deviations[i, k] * deviations[i, k]


@compiled
def _rank(order, ties, w, total, rows, ranks, squares, untied):
    """Fill the ranks, twice their deviations from the mean rank, the sum of their squares, and untied pairs.

    Items that tie share their mean rank. All are whole numbers, so that no draw is rounded.
    """
    at, below = rows[0], rows[1]
    below[:], squares[:] = 0, 0
    for k in range(len(total)):
        untied[k] = total[k] * (total[k] - 1) / 2
    first = 0
    while first < len(order):
        after = first + 1
        one = order[first]
        for k in range(len(total)):
            at[k] = w[one, k]
        while after < len(order) and ties[order[after]] == first:
            for k in range(len(total)):
                at[k] += w[order[after], k]
            after += 1
        for k in range(len(total)):
            ranks[one, k] = 2 * below[k] + at[k] - total[k]
            squares[k] += at[k] * ranks[one, k] * ranks[one, k]
            untied[k] -= at[k] * (at[k] - 1) / 2
            below[k] += at[k]
        for place in range(first + 1, after):
            for k in range(len(total)):
                ranks[order[place], k] = ranks[one, k]
        first = after


@compiled
def _multiply(order, w, sides, product):
    """Fill the sum of the products of both sides, (side, item, draw)."""
    product[:] = 0
    for i in order:
        for k in range(len(product)):
            product[k] += w[i, k] * sides[0, i, k] * sides[1, i, k]


@compiled
def _agree(order, ties, places, w, before, rows, agreement):
    """Fill the pairs of items that tie on both sides, less twice the discordant ones: the greater x, lower y.

    ``places`` number the different y of the items from 1. ``before`` has sums of how often they have occurred
    so far, a binary indexed tree (Fenwick 1994): row n is of y's places above n less its last bit, up to n.
    """
    width, highest = len(agreement), 0
    seen, here, lower = rows[0], rows[1], rows[2]
    agreement[:], seen[:], here[:] = 0, 0, 0
    for i in order:
        highest = max(highest, places[i])
    before[: highest + 1] = 0
    last = -1
    for i in order:
        if last < 0 or ties[i] != ties[last] or places[i] != places[last]:
            here[:] = 0
        lower[:] = 0
        row = places[i]
        while row:
            for k in range(width):
                lower[k] += before[row, k]
            row &= row - 1
        for k in range(width):
            weight = w[i, k]
            agreement[k] += weight * ((weight - 1) / 2 + here[k] - 2 * (seen[k] - lower[k]))
            seen[k] += weight
            here[k] += weight
        row = places[i]
        while row <= highest:
            for k in range(width):
                before[row, k] += w[i, k]
            row += row & -row
        last = i


@compiled
def _gain(order, ties, y, w, gains, rows, gain):
    """Fill the cumulative gain of items ranked from the last; ties share the gain of their ranks."""
    above, at, earned = rows[0], rows[1], rows[2]
    above[:], gain[:] = 0, 0
    after = len(order)
    while after:
        first = ties[order[after - 1]]
        one = order[first]
        for k in range(len(gain)):
            at[k], earned[k] = w[one, k], y[one]
        for place in range(first + 1, after):
            for k in range(len(gain)):
                here = w[order[place], k]
                at[k] += here
                earned[k] += here * (y[order[place]] - earned[k]) / max(at[k], 1)
        for k in range(len(gain)):
            start, end = np.int64(above[k]), np.int64(above[k] + at[k])
            gain[k] += earned[k] * (gains[end] - gains[start])
            above[k] += at[k]
        after = first
