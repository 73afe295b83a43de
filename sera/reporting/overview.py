"""The numbers of a page: system means, correlations of metrics, and the number of topics and systems."""

import re
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from sera.evaluation.correlate import Scores, average_defined, level_coefficients, pair_scores
from sera.evaluation.significance import smallest_rho
from sera.metrics import falling


def shown_metrics(
    correlations: pd.DataFrame, against: str, count: int = 8, *, falls: Collection[str] = ()
) -> list[str]:
    """The names of ``count`` metrics to show: the best of each family by Spearman's rho, then the next best.

    The rho of a falling metric counts with its sign changed; ``falls`` names others than those of families.
    """
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"].dropna()
    rho = rho.where(~rho.index.isin([*falls, *falling(list(rho.index))]), -rho)
    ranking = list(rho.sort_values(ascending=False, kind="stable").index)
    families = ("ROUGE-1-", "ROUGE-2-", "ROUGE-L-", "SERA-(?!DIS-)", "SERA-DIS-", "ROUGE-K", "MOULIN-ROUGE")
    first = [next((name for name in ranking if re.match(family, name)), None) for family in families]
    return list(dict.fromkeys([*(name for name in first if name), *ranking]))[:count]


def means_by_system(scores: pd.DataFrame) -> pd.DataFrame:
    """Means over topics: a row per system and a column per metric, in order of name.

    The mean of a metric is over the system's topics, without those on which it is undefined for a summary.
    """
    keys = ["metric", "topic"]
    undefined = pd.MultiIndex.from_frame(scores.loc[scores["score"].isna(), keys])
    rows = scores[~pd.MultiIndex.from_frame(scores[keys]).isin(undefined)]
    means = rows.pivot_table(index="system", columns="metric", values="score", aggfunc="mean")
    systems, metrics = (sorted(scores[name].unique()) for name in ("system", "metric"))
    return means.reindex(index=systems, columns=metrics).rename_axis(index=None, columns=None)


def points(
    scores: pd.DataFrame, systems: Sequence[str], metrics: Sequence[str], judgement: str
) -> dict[str, pd.DataFrame]:
    """The points behind the system-level correlation of each metric with the judgement, by metric.

    Each table has a row per judged system: the means over topics ``score`` and ``judgement``.
    """
    values = Scores.from_table(scores, systems).keep_judged(judgement)
    means = {}
    for metric in metrics:
        x, y = map(average_defined, pair_scores(values, metric, judgement))
        means[metric] = pd.DataFrame({"score": x, "judgement": y}, index=list(values.systems))
    return means


def correlate_metrics(
    scores: pd.DataFrame, systems: Sequence[str], metrics: Sequence[str], judgement: str
) -> pd.DataFrame:
    """Spearman's rho over the judged systems between every two of the metrics, the judgement included."""
    values = Scores.from_table(scores[scores["metric"].isin(metrics)], systems).keep_judged(judgement)
    matrix = pd.DataFrame(np.nan, index=list(metrics), columns=list(metrics))
    for place, one in enumerate(metrics):
        for other in metrics[: place + 1]:
            matrix.loc[one, other] = matrix.loc[other, one] = level_coefficients(values, one, other)[
                "spearman"
            ]
    return matrix


def describe_topics(used: int, read: int, name: str, release: Sequence[object] | None = None) -> str:
    """How many topics the correlations are over, and of how many.

    ``used`` are those of the correlations, ``read`` those of the data. ``release`` has the title of the
    benchmark's release and the number of topics in it, if the benchmark has one.

    >>> describe_topics(10, 10, "tac2014", ("TAC 2014 BiomedSumm", 20))
    '10 of the 20 topics of TAC 2014 BiomedSumm'
    """
    if release:
        title, whole = release
        words = f"{used} of the {whole} topics of {title}"
        return words if used == read else f"{words} ({read} in the data)"
    if used == read:
        return f"{used} {'topic' if used == 1 else 'topics'}, all in {name}"
    return f"{used} of the {read} topics in {name}"


def describe_systems(systems: int) -> str:
    """What so few systems can show: the smallest rho that is more than chance (`smallest_rho`)."""
    rho = smallest_rho(systems)
    if rho is None:
        return f"With {systems} systems, even a ρ of 1 may be chance (p > .05)"
    return f"With {systems} systems, a ρ below {rho:.2f} may be chance (p > .05, two-sided)"
