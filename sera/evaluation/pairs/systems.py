"""Whether two systems' scores differ by more than chance: a paired test that needs no judgements.

The test is the paired permutation test of Fisher (1935) over topics: if two systems were equally good, the
two scores of a topic could change places. p is two-sided, and corrected by Holm's method over all pairs of
systems, for each metric by itself. `sera.evaluation.correlation.significance` compares metrics instead, by
their correlations with judgements.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import WHY, Scores
from sera.evaluation.correlation.significance import holm

SYSTEM_PAIR_COLUMNS = [
    *("metric", "system", "other", "mean", "other_mean", "difference", "p", "holm", "better"),
    *("topics", "undefined", WHY),
]
EXCHANGES = 10_000
"""Exchanges that are drawn; if the topics have no more than this number of exchanges, all are used."""

_LEVEL = 0.05  # the system with the better mean is better if the corrected p is not above it
_DIGITS = 12  # differences that agree to these are equal
_AT_ONCE = 500  # exchanges in one product of matrices


def exchange_test(differences: np.ndarray, *, exchanges: int = EXCHANGES, seed: int = 0) -> np.ndarray:
    """The two-sided p of the mean difference of each pair, (pair,), from differences (topic, pair).

    p is the share of exchanges whose mean difference is at least as far from 0. If the topics have more
    than ``exchanges`` of them, that number is drawn with ``seed``, the same for all pairs, and the observed
    scores count as one more, so p is never 0. There is at least one topic, and no NaN.
    """
    topics = len(differences)
    observed = np.abs(differences.sum(axis=0))
    limit = observed - 10.0**-_DIGITS * np.maximum(1, observed)
    every = topics < 60 and 2**topics <= exchanges
    number = 2**topics if every else exchanges
    random = np.random.default_rng(seed)
    as_far = np.zeros(differences.shape[1], int)
    for first in range(0, number, _AT_ONCE):
        rows = range(first, min(first + _AT_ONCE, number))
        if every:
            kept = np.array(rows)[:, None] >> np.arange(topics) & 1
        else:
            kept = random.integers(0, 2, (len(rows), topics))
        as_far += (np.abs((2.0 * kept - 1) @ differences) >= limit).sum(axis=0)
    return as_far / number if every else (as_far + 1) / (number + 1)


def compare_systems(
    scores: Scores,
    metrics: Sequence[str],
    *,
    falling: Collection[str] = (),
    exchanges: int = EXCHANGES,
    seed: int = 0,
) -> pd.DataFrame:
    """Compare every pair of systems by each metric, with `SYSTEM_PAIR_COLUMNS`.

    mean, other_mean and difference (the first less the second) are over the topics that both systems have a
    score of, ``topics`` in number; ``undefined`` counts the other topics of the scores. ``better`` names the
    system that is better with a corrected p of at most .05, and is empty if neither is. For the metrics
    ``falling`` the lower mean is the better one. A pair without a topic in common has no p, and
    ``why_undefined`` says so. So it does where the topics are so few that no corrected p can be .05.
    """
    tables = [_of_metric(scores, name, name in falling, exchanges, seed) for name in metrics]
    rows = [row for table in tables for row in table]
    return pd.DataFrame(rows, columns=SYSTEM_PAIR_COLUMNS)


def _of_metric(
    scores: Scores, metric: str, falls: bool, exchanges: int, seed: int
) -> list[dict[str, str | int | float]]:
    values = scores.of_metric(metric)
    pairs = list(combinations(range(len(scores.systems)), 2))
    known = [~np.isnan(values[:, one] + values[:, other]) for one, other in pairs]
    p = np.full(len(pairs), np.nan)
    # pairs that share their topics are tested together
    groups: dict[bytes, list[int]] = {}
    for number, topics in enumerate(known):
        if topics.any():
            groups.setdefault(topics.tobytes(), []).append(number)
    for numbers in groups.values():
        topics = known[numbers[0]]
        sides = np.array([pairs[number] for number in numbers])
        differences = values[topics][:, sides[:, 0]] - values[topics][:, sides[:, 1]]
        p[numbers] = exchange_test(differences, exchanges=exchanges, seed=seed)
    corrected = holm(p)
    rows: list[dict[str, str | int | float]] = []
    for (one, other), topics, raw, final in zip(pairs, known, p, corrected, strict=True):
        number = int(topics.sum())
        mean, other_mean = (float(values[topics, side].mean()) if number else np.nan for side in (one, other))
        ahead = (mean < other_mean) if falls else (mean > other_mean)
        first, second = scores.systems[one], scores.systems[other]
        rows.append(
            {
                **{"metric": metric, "system": first, "other": second, "mean": mean},
                **{"other_mean": other_mean, "difference": mean - other_mean, "p": raw, "holm": final},
                "better": (first if ahead else second) if final <= _LEVEL else "",
                **{"topics": number, "undefined": len(values) - number},
                WHY: _why(number, int((~np.isnan(p)).sum()), exchanges),
            }
        )
    return rows


def _why(topics: int, tests: int, exchanges: int) -> str:
    """Why a pair has no p, or none that could be low enough; empty otherwise."""
    if not topics:
        return "the two systems have no topic with both scores"
    possible = 2.0 ** min(topics, 1000)
    least = tests * (2 / possible if possible <= exchanges else max(2 / possible, 1 / (exchanges + 1)))
    if least > _LEVEL:
        return f"with {topics} topics and {tests} pairs no corrected p is below {min(least, 1.0):.2g}"
    return ""
