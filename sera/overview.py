"""What a study found, as the tables behind its figures: system means, metrics compared, sensitivity."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

import numpy as np
import pandas as pd

from sera.correlation import Scores, at_level
from sera.tables import read_tsv

SENSITIVE = ("ROUGE-2-F", "ROUGE-L-F", "SERA-5", "SERA-NP-5", "SERA-KW-5")
"""The metrics whose reaction to a choice is shown."""

EFFECT = "sera_above_rouge_spearman_effect"
"""The column of the multiverse's universes that says by how much SERA's rho is above ROUGE's, on the mean."""

DIMENSIONS = {
    "mu": "smoothing μ",
    "index_size": "share of the articles in the index",
    "words": "words in a summary",
}
"""The choices that only the multiverse varies, by their columns there."""


def shown_metrics(correlations: pd.DataFrame, against: str, count: int = 8) -> list[str]:
    """Metrics to look at closely: of each family the best by Spearman's rho, then the best of the rest."""
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"].dropna()
    ranked = rho.sort_values(ascending=False, kind="stable").index
    families = ("ROUGE-1-", "ROUGE-2-", "ROUGE-L-", "SERA-", "SERA-DIS-", "ROUGE-K", "MOULIN-ROUGE")
    first = [next((name for name in ranked if name.startswith(family)), None) for family in families]
    kept = list(
        dict.fromkeys(
            [name for name in first if name],
        )
    )
    kept += [name for name in ranked if name not in kept]
    return kept[:count]


def system_means(scores: pd.DataFrame, systems: Sequence[str] | None = None) -> pd.DataFrame:
    """Means over topics: a row a system (of ``systems``, in order of name), a column a metric.

    A metric that is undefined for a summary is undefined for its system.
    """
    if systems is not None:
        scores = scores[scores["system"].isin(systems)]
    means = scores.pivot_table(
        index="system", columns="metric", values="score", aggfunc=lambda values: values.mean(skipna=False)
    )
    return means.rename_axis(index=None, columns=None)


def between_metrics(scores: pd.DataFrame, systems: Sequence[str], metrics: Sequence[str]) -> pd.DataFrame:
    """Spearman's rho over systems between any two of the metrics, a square table."""
    values = Scores.of(scores[scores["metric"].isin(metrics)], systems)
    matrix = pd.DataFrame(np.nan, index=list(metrics), columns=list(metrics))
    for place, one in enumerate(metrics):
        for other in metrics[: place + 1]:
            matrix.loc[one, other] = matrix.loc[other, one] = at_level(values, one, other)["spearman"]
    return matrix


def sensitivity(
    correlations: pd.DataFrame,
    against: str,
    *,
    cutoffs: Sequence[int],
    thresholds: str | PathLike[str] | None = None,
    universes: str | PathLike[str] | None = None,
) -> dict[str, pd.DataFrame]:
    """Spearman's rho with the judgement by choice, as `sera.figures.small_multiples` draws it.

    The cut-off always; the threshold of Pyramid where its table is given; and of the multiverse's
    universes, where given, the median and quartiles of SERA's rho less ROUGE's.
    """
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"]
    variants = ("SERA", "SERA-NP", "SERA-KW")
    panels = {
        "rank cut-off of SERA": pd.DataFrame(
            {name: [rho.get(f"{name}-{cutoff}", np.nan) for cutoff in cutoffs] for name in variants},
            index=list(cutoffs),
        )
    }
    if thresholds is not None:
        table = read_tsv(thresholds)
        wide = table.pivot(index="threshold", columns="metric", values="spearman")
        panels["share of a nugget to be there (Pyramid)"] = wide[[name for name in SENSITIVE if name in wide]]
    if universes is not None:
        table = read_tsv(universes)
        table = table.loc[table.index.repeat(table["weight"].astype(int))]  # drawn so often
        for column, words in DIMENSIONS.items():
            if table[column].nunique() > 1:
                groups = table.groupby(column)[EFFECT]
                quartiles = {"median": 0.5, "low": 0.25, "high": 0.75}
                panels[f"{words}\n(ρ of SERA less that of ROUGE)"] = pd.DataFrame(
                    {name: groups.quantile(share) for name, share in quartiles.items()}
                )
    return panels
