"""Ranks of metrics and clusters of metrics that no test distinguishes, as in WMT's metrics tasks.

Metrics are sorted by a coefficient with the judgement over the systems' means. Each pair of metrics is
compared by the paired permutation test of `sera.evaluation.significance.exchange_gaps` (PERM-BOTH
of Deutsch et al. 2021), one-sided. A metric that is significantly below any metric of the current cluster
begins the next one (mt-metrics-eval's AssignRanks; Freitag et al. 2023).
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import WHY, Scores, complete_topics, correlation, why_not_at_level
from sera.evaluation.significance import exchange_gaps, exchange_summaries, share_as_great
from sera.evaluation.ties import merge_ties

BETTER_AT = 0.05
"""A metric is better than another if the one-sided p is not above it."""

CLUSTER_COLUMNS = [
    *("metric", "against", "coefficient", "value", "rank", "cluster", "better_than", "systems", "topics", WHY)
]


def one_sided_p(
    metrics: np.ndarray, judgements: np.ndarray, *, permutations: int = 1000, seed: int = 0
) -> np.ndarray:
    """p that metric i does not correlate higher than metric j at the system level, (coefficient, i, j).

    ``metrics`` is (metric, topic, system), ``judgements`` (topic, system), both without NaN; coefficients are
    in the order of CORRELATIONS. A permutation exchanges the standardised scores of random summaries, the
    same for all pairs; the observed scores count as one. NaN on the diagonal and for undefined correlations.
    """
    first = len(CORRELATIONS)  # of the coefficients
    p = np.full((first, len(metrics), len(metrics)), np.nan)
    sides = np.stack(np.triu_indices(len(metrics), 1), axis=1)
    exchanged = exchange_summaries(judgements.shape, permutations, seed, stream=5)
    for part, gaps in exchange_gaps(metrics, sides, judgements, "system", exchanged, CORRELATIONS):
        i, j = sides[part].T
        p[:, i, j], p[:, j, i] = (share_as_great(way * gaps)[:, :first].T for way in (1, -1))
    return p


def assign_clusters(p: np.ndarray) -> list[int]:
    """The cluster of each metric, from 1, for metrics sorted from high to low.

    ``p[i, j]``, (metric, metric), is the p that i is not better than j; only i before j counts. A NaN is
    not significant.
    """
    clusters: list[int] = []
    first = 0
    for number in range(len(p)):
        if (p[first:number, number] <= BETTER_AT).any():
            first = number
            clusters.append(clusters[-1] + 1)
        else:
            clusters.append(clusters[-1] if clusters else 1)
    return clusters


def metric_clusters(
    scores: Scores, metrics: Sequence[str], against: str, *, permutations: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """The metrics' ranks and clusters by each correlation with a judgement, a row per metric and coefficient.

    Higher must be better for all metrics. All are compared on the topics on which each of them, and the
    judgement, has a score for every system; a metric without one such topic of its own is left out.
    ``better_than`` counts the metrics that it is significantly better than, uncorrected as in WMT's tasks.
    """
    judgements = scores.metric(against)
    alone = {name: complete_topics(scores.metric(name), judgements).any() for name in metrics}
    names = [name for name in metrics if alone[name]]
    topics = complete_topics(judgements, *map(scores.metric, names))
    comparable = bool(names) and topics.any()
    if comparable:
        stack, targets = scores.stack(names)[:, topics], judgements[topics]
        p = one_sided_p(stack, targets, permutations=permutations, seed=seed)
        correlations = correlation(stack, targets, "system")
    rows: list[dict] = []
    for place, coefficient in enumerate(CORRELATIONS):
        ranks = _rank_metrics(names, correlations[:, place], p[place], coefficient) if comparable else []
        others = [name for name in metrics if name not in {row["metric"] for row in ranks}]
        rows += ranks
        rows += [{"metric": name, "coefficient": coefficient, "value": np.nan} for name in others]
    for row in rows:
        row |= {"against": against, "systems": len(scores.systems), "topics": int(topics.sum()), WHY: ""}
        if np.isnan(row["value"]):
            x = scores.metric(row["metric"])
            mask = topics if alone[row["metric"]] else complete_topics(x, judgements)
            row[WHY] = why_not_at_level(x[mask], judgements[mask], row["metric"], against, "system")
            if alone[row["metric"]] and not topics.any():
                row[WHY] = "on no topic do all systems have a score by every metric"
    return pd.DataFrame(rows, columns=CLUSTER_COLUMNS)


def _rank_metrics(names: Sequence[str], values: np.ndarray, p: np.ndarray, coefficient: str) -> list[dict]:
    order = np.argsort(-values, kind="stable")
    order = order[~np.isnan(values[order])]
    sorted_values = merge_ties(values[order], 1)
    clusters = assign_clusters(p[np.ix_(order, order)])
    return [
        {
            "metric": names[number],
            "coefficient": coefficient,
            "value": values[number],
            "rank": 1 + int((sorted_values > sorted_values[place]).sum()),
            "cluster": clusters[place],
            "better_than": int((p[number] <= BETTER_AT).sum()),
        }
        for place, number in enumerate(order)
    ]
