"""Whether two systems' scores differ by more than chance: paired tests over topics (docs/statistics.md).

The test of `compare_systems` is the paired permutation test of Fisher (1935): if two systems were equally
good, the two scores of a topic could change places. `discrimination` distinguishes systems by Wilcoxon's
signed-rank test, as Cohan & Goharian (2016, section 7) propose: scores of few topics, such as shares of five
documents, are not normal, so it is not the t-test. Each p is two-sided, and corrected by Holm's method over
all pairs, for each metric by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from sera.compiled import compiled
from sera.evaluation.correlate import WHY, Scores
from sera.evaluation.significance import holm
from sera.evaluation.ties import ROUND_OFF, merge_ties, typical_size

SYSTEM_PAIR_COLUMNS = [
    *("metric", "system", "other", "mean", "other_mean", "difference", "p", "holm", "better"),
    *("topics", "undefined", WHY),
]
DISCRIMINATION_COLUMNS = [
    *("metric", "against", "pairs", "apart", "judged_apart", "same_order", "opposite_order"),
    *("metric_only", "judgement_only", "neither", "uncorrected", "judged_uncorrected"),
    *("systems", "topics", "undefined", WHY),
]

EXCHANGES = 10_000
"""Exchanges that are drawn; if the topics have no more than this number of exchanges, all are used."""

LEVEL = 0.05
"""Two systems differ if the corrected p is not above it."""

_AT_ONCE = 500  # exchanges in one product of matrices


def exchange_test(
    differences: np.ndarray, sizes: np.ndarray | float = 0, *, exchanges: int = EXCHANGES, seed: int = 0
) -> np.ndarray:
    """The two-sided p of the mean difference of each pair, (pair,), from differences (topic, pair).

    p is the share of exchanges whose mean difference is at least as far from 0. If the topics have more
    than ``exchanges`` of them, that number is drawn with ``seed``, the same for all pairs, and the observed
    scores count as one more. There is at least one topic, and no NaN. Sums are equal but for round-off of
    the differences, and of scores of the typical ``sizes`` (`sera.evaluation.ties`), (pair,).
    """
    topics = len(differences)
    observed = np.abs(differences.sum(axis=0))
    limit = observed - ROUND_OFF * np.maximum(sizes, np.abs(differences)).sum(axis=0)
    every = topics < 60 and 2**topics <= exchanges
    number = 2**topics if every else exchanges
    random = np.random.default_rng(seed)
    as_far = np.zeros(differences.shape[1], int)
    for first in range(0, number, _AT_ONCE):
        rows = range(first, min(first + _AT_ONCE, number))
        if every:
            choices = np.array(rows)[:, None] >> np.arange(topics) & 1
        else:
            choices = random.integers(0, 2, (len(rows), topics))
        as_far += (np.abs((2.0 * choices - 1) @ differences) >= limit).sum(axis=0)
    return as_far / number if every else (as_far + 1) / (number + 1)


def compare_systems(
    scores: Scores, metrics: Sequence[str], *, falling: Collection[str] = (), seed: int = 0
) -> pd.DataFrame:
    """Compare every pair of systems by each metric, with `SYSTEM_PAIR_COLUMNS`.

    The means are over the topics that both systems have a score of, ``topics`` in number; ``undefined``
    counts the others. For the metrics ``falling`` the lower mean is the better one. ``why_undefined`` is
    filled too where the topics are too few for a corrected p of .05.
    """
    rows = [row for name in metrics for row in _compare_by_metric(scores, name, name in falling, seed)]
    return pd.DataFrame(rows, columns=SYSTEM_PAIR_COLUMNS)


def _compare_by_metric(
    scores: Scores, metric: str, lower_is_better: bool, seed: int
) -> Iterator[dict[str, str | int | float]]:
    values = scores.metric(metric)
    pairs = np.stack(np.triu_indices(len(scores.systems), 1), axis=1)
    known = ~np.isnan(values[:, pairs[:, 0]] + values[:, pairs[:, 1]]).T
    p, sizes = np.full(len(pairs), np.nan), _pair_sizes(values, pairs)
    for topics in np.unique(known, axis=0):  # pairs that share their topics are tested together
        if topics.any():
            together = (known == topics).all(axis=1)
            sides = pairs[together]
            differences = values[topics][:, sides[:, 0]] - values[topics][:, sides[:, 1]]
            p[together] = exchange_test(differences, sizes[together], seed=seed)
    tests = int((~np.isnan(p)).sum())
    for pair, size, topics, raw, final in zip(pairs, sizes, known, p, holm(p), strict=True):
        number = int(topics.sum())
        means = values[topics][:, pair].mean(axis=0) if number else np.full(2, np.nan)
        mean, other_mean = merge_ties(means, size).tolist()
        ahead = (mean < other_mean) if lower_is_better else (mean > other_mean)
        first, second = (scores.systems[side] for side in pair)
        yield {
            **{"metric": metric, "system": first, "other": second, "mean": mean},
            **{"other_mean": other_mean, "difference": mean - other_mean, "p": raw, "holm": final},
            "better": (first if ahead else second) if final <= LEVEL else "",
            **{"topics": number, "undefined": len(values) - number},
            WHY: _why(number, tests) if number else "the two systems have no topic with both scores",
        }


def _why(topics: int, tests: int) -> str:
    """Why no corrected p can be low enough; empty if one can."""
    possible = 2.0 ** min(topics, 1000)
    least = tests * (2 / possible if possible <= EXCHANGES else max(2 / possible, 1 / (EXCHANGES + 1)))
    if least > LEVEL:
        return f"with {topics} topics and {tests} pairs no corrected p is below {min(least, 1.0):.2g}"
    return ""


def _pair_sizes(scores: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """The typical size of a metric's scores, (topic, system), or of those of a pair if it is greater."""
    sizes = np.maximum(typical_size(scores), typical_size(scores.T, axes=1)).ravel()
    return sizes[pairs].max(axis=1)


def signed_rank(differences: np.ndarray) -> tuple[float, int]:
    """The exact two-sided p of Wilcoxon's signed-rank test (Wilcoxon 1945), and which system is ahead.

    ``differences``, (topic,), has no NaN. Those of 0 are left out; ties share their mean rank. The second
    value is 1 for the first system, -1 for the second, 0 for neither: the sign of the sum of the signed
    ranks, with differences of 0 at the lowest ranks.
    """
    return _test_bytes(_merge_sizes(differences, typical_size(differences)).tobytes())


def _merge_sizes(differences: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Differences of scores of the size ``scale``, (..., topic), in which tied sizes are the same size."""
    sizes = merge_ties(np.insert(np.abs(differences), 0, 0, axis=-1), scale)[..., 1:]
    return sizes * np.sign(differences)


@lru_cache(maxsize=2**13)  # the differences by the judgement come with every metric
def _test_bytes(content: bytes) -> tuple[float, int]:
    everywhere = np.frombuffer(content)
    differences = everywhere[everywhere != 0]
    signs = np.sign(differences).astype(int)
    sizes = np.abs(differences)
    ascending = np.sort(sizes)
    below, up_to = (ascending.searchsorted(sizes, side) for side in ("left", "right"))
    doubled = below + up_to + 1  # twice the mean ranks from 1, which are whole
    total, signed = int(doubled.sum()), int(doubled @ signs)
    least = (total - abs(signed)) // 2  # the distribution is symmetric
    if (up_to - below == 1).all():
        chance = _chances_untied(len(doubled))[least // 2]
    else:
        chance = _chances(np.sort(doubled), least)[-1]
    zeros = 2 * (len(everywhere) - len(differences))
    return float(min(2 * chance, 1.0)), int(np.sign(signed + zeros * signs.sum()))


@lru_cache(maxsize=64)
def _chances_untied(number: int) -> np.ndarray:
    """The lower half of the distribution of the sum of the ranks 1 to ``number`` with a positive sign."""
    return _chances(np.arange(1, number + 1), number * (number + 1) // 4)


@compiled
def _chances(ranks, most):
    """The chance that the ranks with a positive sign add up to at most s, for s from 0 to ``most``."""
    chances = np.zeros(most + 1)
    chances[0] = 1.0
    reached = 0  # no sum is greater so far
    for rank in ranks:
        reached = min(most, reached + rank)
        for s in range(reached, rank - 1, -1):
            chances[s] = (chances[s] + chances[s - rank]) / 2
        for s in range(min(rank, reached + 1)):
            chances[s] /= 2
    return np.cumsum(chances)


def discrimination(
    scores: Scores, pairs: Sequence[tuple[str, str]], falling: Collection[str] = ()
) -> pd.DataFrame:
    """How many pairs of systems each metric and the judgement distinguish, a row per (metric, judgement).

    Both sides are of the topics that both score for both systems; ``undefined`` counts the pairs without such
    a topic. ``falling`` names the metrics whose lower scores are better. With so few topics that no corrected
    p can be `LEVEL` or less, only the uncorrected shares are defined.
    """
    rows = [_row(scores, metric, against, falling) for metric, against in pairs]
    return pd.DataFrame(rows, columns=DISCRIMINATION_COLUMNS)


def _row(scores: Scores, metric: str, against: str, falling: Collection[str]) -> dict[str, object]:
    x, y = scores.metric(metric), scores.metric(against)
    if metric in falling:
        x = -x
    known = ~np.isnan(x + y)
    pairs = np.stack(np.triu_indices(len(scores.systems), 1), axis=1)
    differences = []
    for side in (x, y):
        pair_differences = (side[:, pairs[:, 0]] - side[:, pairs[:, 1]]).T
        differences.append(_merge_sizes(pair_differences, _pair_sizes(side, pairs)[:, None]))
    both = (known[:, pairs[:, 0]] & known[:, pairs[:, 1]]).T
    results = [
        [_test_bytes(pair_differences[number, both[number]].tobytes()) for pair_differences in differences]
        for number in np.flatnonzero(both.any(axis=1))
    ]
    row: dict[str, object] = {"metric": metric, "against": against, "pairs": len(results)}
    row |= {"systems": len(scores.systems), "topics": int(known.any(axis=1).sum())}
    row |= {"undefined": len(pairs) - len(results)}
    if not results:
        return row | {WHY: "no two systems have a topic that both sides score"}
    raw, ahead = np.array(results).transpose(2, 0, 1)  # (pair, side)
    row |= {"uncorrected": (raw[:, 0] <= LEVEL).mean(), "judged_uncorrected": (raw[:, 1] <= LEVEL).mean()}
    most = int(both.sum(axis=1).max())
    least = min(len(results) * 2.0 ** (1 - most), 1.0)
    if least > LEVEL:
        return row | {WHY: f"with {most} topics and {len(results)} pairs no corrected p is below {least:.2g}"}
    mine, judged = (holm(raw[:, side]) <= LEVEL for side in (0, 1))
    alike = ahead[:, 0] == ahead[:, 1]
    shares = {
        "apart": mine,
        "judged_apart": judged,
        "same_order": mine & judged & alike,
        "opposite_order": mine & judged & ~alike,
        "metric_only": mine & ~judged,
        "judgement_only": judged & ~mine,
        "neither": ~mine & ~judged,
    }
    return row | {name: share.mean() for name, share in shares.items()} | {WHY: ""}
