"""The tables behind a page's figures: system means, and metrics compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from sera.evaluation.correlation.correlate import Scores, at_level, mean_of_defined, paired
from sera.metrics import falling


def turned(rho: pd.Series, metrics: Iterable[str]) -> pd.Series:
    """Coefficients of the given metrics, with the sign of falling metrics changed."""
    names = list(metrics)
    return rho.where(~np.isin(names, falling(names)), -rho)


def shown_metrics(correlations: pd.DataFrame, against: str, count: int = 8) -> list[str]:
    """The names of ``count`` metrics to show: the best of each family by Spearman's rho, then the next best.

    The rho of a falling metric counts with its sign changed.
    """
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"].dropna()
    ranked = list(turned(rho, rho.index).sort_values(ascending=False, kind="stable").index)
    families = ("ROUGE-1-", "ROUGE-2-", "ROUGE-L-", "SERA-(?!DIS-)", "SERA-DIS-", "ROUGE-K", "MOULIN-ROUGE")
    first = [next((name for name in ranked if re.match(family, name)), None) for family in families]
    return list(dict.fromkeys([*(name for name in first if name), *ranked]))[:count]


def means_by_system(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over topics: a row per system, in order of name, and a column per metric.

    The mean of a metric leaves out topics on which it is undefined for a summary. A system that did not
    summarise every topic has the mean over its own topics; without any score the mean is NaN.
    """
    keys = ["metric", "topic"]
    undefined = pd.MultiIndex.from_frame(scores.loc[scores["score"].isna(), keys])
    kept = scores[~pd.MultiIndex.from_frame(scores[keys]).isin(undefined)]
    means = kept.pivot_table(index="system", columns="metric", values="score", aggfunc="mean")
    systems, metrics = (sorted(scores[name].unique()) for name in ("system", "metric"))
    return means.reindex(index=systems, columns=metrics).rename_axis(index=None, columns=None)


def points(
    scores: pd.DataFrame, systems: Sequence[str], metrics: Sequence[str], judgement: str
) -> dict[str, pd.DataFrame]:
    """The points behind the system-level correlation of each metric with the judgement, by metric.

    Each table has a row per judged system, with its means over topics in the columns ``score`` and
    ``judgement``.
    """
    values = Scores.of(scores, systems).judged_by(judgement)
    means = {}
    for metric in metrics:
        pair = (mean_of_defined(side) for side in paired(values, metric, judgement))
        names = ("score", "judgement")
        means[metric] = pd.DataFrame(dict(zip(names, pair, strict=True)), index=list(values.systems))
    return means


def between_metrics(
    scores: pd.DataFrame, systems: Sequence[str], metrics: Sequence[str], judgement: str
) -> pd.DataFrame:
    """Spearman's rho over the judged systems between every two of the metrics, the judgement included."""
    values = Scores.of(scores[scores["metric"].isin(metrics)], systems).judged_by(judgement)
    matrix = pd.DataFrame(np.nan, index=list(metrics), columns=list(metrics))
    for place, one in enumerate(metrics):
        for other in metrics[: place + 1]:
            matrix.loc[one, other] = matrix.loc[other, one] = at_level(values, one, other)["spearman"]
    return matrix
