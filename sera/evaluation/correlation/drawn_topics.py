"""Coefficients over all summaries of drawn topics, for many draws at once.

A draw repeats whole topics, so what depends on one topic or on two is counted once and weighted in each draw:
the moments of a topic's scores (Pearson's r), and the pairs of summaries of two topics that both sides order
alike or not (Kendall's tau-b). Ranks (Spearman's rho, NDCG) are counted anew in each draw.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled
from sera.evaluation.correlation.coefficients import COEFFICIENTS
from sera.evaluation.ties import rounded

_MOST_TOPICS = 2000  # 32 MB for each pair of topics
_PAIRS_A_DRAW = 300  # pairs of summaries that are compared in the time that a draw takes for one of them


def worth_counting(summaries: int, topics: int, draws: int) -> bool:
    """Whether `of_drawn_topics` is faster than the coefficients of each draw, in little memory."""
    return topics <= _MOST_TOPICS and summaries <= _PAIRS_A_DRAW * draws


def of_drawn_topics(x: np.ndarray, y: np.ndarray, topics: np.ndarray) -> np.ndarray:
    """`sera.evaluation.correlation.coefficients.coefficients` over the summaries of drawn topics, (draw,
    coefficient).

    ``x`` and ``y`` are scores, (topic, system); a summary that is NaN on either side is left out. ``topics``,
    (draw, topic), holds how often each topic is drawn. NDCG is NaN if any ``y`` is negative. Tau-b and NDCG
    are those of `coefficients` to the last bit, r and rho but for rounding errors.
    """
    known = ~np.isnan(x + y)
    of_topic = np.nonzero(known)[0].astype(np.int32)
    x, y = x[known], y[known]
    out = np.full((len(topics), len(COEFFICIENTS)), np.nan)
    if not len(x):
        return out
    topics = np.ascontiguousarray(topics, np.int64)
    number_x, number_y = (
        np.unique(rounded(side), return_inverse=True)[1].astype(np.int32) for side in (x, y)
    )
    agreement = _agreement(number_x, number_y, of_topic, topics.shape[1])
    # sums of whole numbers below 2^53 are exact in any order
    drawn = topics.astype(np.float64)
    surplus = ((drawn @ agreement) * drawn).sum(axis=1) / 2
    longest = int((topics @ np.bincount(of_topic, minlength=topics.shape[1])).max())
    gains = np.concatenate([[0], np.cumsum(1 / np.log2(np.arange(1, longest + 1) + 1))])
    order = np.lexsort((number_y, number_x))
    sides = (side[order] for side in (number_x, number_y, y, of_topic))
    _ranked(*sides, topics, surplus, gains, out)
    _pearson(_moments(x, y, of_topic, topics.shape[1]), drawn, out)
    return out


@compiled
def _agreement(x, y, of_topic, topics):
    """Concordant less discordant pairs of a summary of one topic and one of another, (topic, topic).

    Each pair within a topic counts twice, once in each order. Summaries are in order of their topics.
    """
    first = np.searchsorted(of_topic, np.arange(topics + 1))
    out = np.zeros((topics, topics))
    for one in range(topics):
        for other in range(one + 1):
            of_x, of_y = x[first[other] : first[other + 1]], y[first[other] : first[other + 1]]
            surplus = np.int64(0)
            for i in range(first[one], first[one + 1]):
                here = np.int32(0)
                for j in range(len(of_x)):
                    by_x = np.int32(x[i] > of_x[j]) - np.int32(x[i] < of_x[j])
                    by_y = np.int32(y[i] > of_y[j]) - np.int32(y[i] < of_y[j])
                    here = np.int32(here + by_x * by_y)
                surplus = surplus + here
            out[one, other] = surplus
            out[other, one] = surplus
    return out


@compiled
def _ranked(number_x, number_y, y, of_topic, topics, surplus, gains, out):
    """Fill in rho, tau-b and NDCG; a draw whose coefficients are undefined gets NaN, r included.

    Summaries are in ascending order of x, and of y where x is equal. ``surplus`` is concordant less
    discordant pairs of each draw, ``gains[i]`` the sum of the weights of the first i ranks.
    """
    items = len(y)
    distinct_x, distinct_y = number_x[items - 1] + 1, number_y.max() + 1
    at_x, at_y = np.empty(distinct_x, np.int64), np.empty(distinct_y, np.int64)
    sum_x, sum_y = np.empty(distinct_x), np.empty(distinct_y)
    from_mean, along = np.empty(distinct_y), np.empty(distinct_x)
    negative = y.min() < 0
    for draw in range(len(topics)):
        times = topics[draw]
        at_x[:], at_y[:] = 0, 0
        sum_x[:], sum_y[:], along[:] = 0.0, 0.0, 0.0
        for i in range(items):
            weight = times[of_topic[i]]
            gain = weight * y[i]
            at_y[number_y[i]] += weight
            sum_y[number_y[i]] += gain
            at_x[number_x[i]] += weight
            sum_x[number_x[i]] += gain
        # twice the ranks, less their mean: whole numbers
        total, pairs_y, yy = 0, 0, 0.0
        for number in range(distinct_y):
            total += at_y[number]
        below = 0
        for number in range(distinct_y):
            here = at_y[number]
            from_mean[number] = 2 * below + here - total
            pairs_y += here * (here - 1) // 2
            yy += here * from_mean[number] ** 2
            below += here
        for i in range(items):
            along[number_x[i]] += times[of_topic[i]] * from_mean[number_y[i]]
        pairs_x, below, xx, xy = 0, 0, 0.0, 0.0
        for number in range(distinct_x):
            here = at_x[number]
            rank = float(2 * below + here - total)
            pairs_x += here * (here - 1) // 2
            xx += here * rank**2
            xy += along[number] * rank
            below += here
        pairs = total * (total - 1) // 2
        if total < 3 or pairs == pairs_x or pairs == pairs_y:
            out[draw] = np.nan
            continue
        out[draw, 0] = 0.0
        out[draw, 1] = min(1.0, max(-1.0, xy / np.sqrt(xx * yy)))
        out[draw, 2] = surplus[draw] / np.sqrt(float(pairs - pairs_x) * float(pairs - pairs_y))
        if not negative:
            out[draw, 3] = _gain(at_x, sum_x, gains) / _gain(at_y, sum_y, gains)


@compiled
def _gain(at, sums, gains):
    """The cumulative gain of distinct values ranked from the last; equal items share their ranks' gain."""
    gain, above = 0.0, 0
    for number in range(len(at) - 1, -1, -1):
        gain += sums[number] / max(at[number], 1) * (gains[above + at[number]] - gains[above])
        above += at[number]
    return gain


@compiled
def _moments(x, y, of_topic, topics):
    """Number, means, squares and products about the means of each topic's scores, (topic, 6)."""
    out = np.zeros((topics, 6))
    for i in range(len(x)):
        of = out[of_topic[i]]
        of[0] += 1
        of[1] += x[i]
        of[2] += y[i]
    for of in out:
        of[1:3] /= max(of[0], 1)
    for i in range(len(x)):
        of = out[of_topic[i]]
        one, other = x[i] - of[1], y[i] - of[2]
        of[3] += one * one
        of[4] += other * other
        of[5] += one * other
    return out


@compiled
def _pearson(moments, drawn, out):
    """Fill in r of each draw where it is not NaN, from the moments of the topics about the draw's means."""
    for draw in range(len(drawn)):
        if np.isnan(out[draw, 0]):
            continue
        total, mean_x, mean_y = 0.0, 0.0, 0.0
        for topic in range(len(moments)):
            weight = drawn[draw, topic] * moments[topic, 0]
            total += weight
            mean_x += weight * moments[topic, 1]
            mean_y += weight * moments[topic, 2]
        mean_x /= total
        mean_y /= total
        xx, yy, xy = 0.0, 0.0, 0.0
        for topic in range(len(moments)):
            number, of_x, of_y, of_xx, of_yy, of_xy = moments[topic]
            one, other, times = of_x - mean_x, of_y - mean_y, drawn[draw, topic]
            xx += times * (of_xx + number * one * one)
            yy += times * (of_yy + number * other * other)
            xy += times * (of_xy + number * one * other)
        out[draw, 0] = min(1.0, max(-1.0, xy / np.sqrt(xx * yy)))
