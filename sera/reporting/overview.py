"""The tables behind a study's figures: system means, metrics compared, sensitivity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas as pd

from sera import tsv
from sera.evaluation.correlation import Scores, at_level, mean_of_defined, paired
from sera.evaluation.tables import UNDEFINED, read_tsv
from sera.metrics import falling

SENSITIVE = ("ROUGE-2-F", "ROUGE-L-F", "SERA-5", "SERA-NP-5", "SERA-KW-5")
"""The metrics for which the effect of a choice is shown."""

EFFECT = "sera_above_rouge_spearman_effect"
"""The column of the multiverse's universes with SERA's mean rho less ROUGE's."""

SHOWN_DIMENSIONS = {
    "mu": "smoothing μ",
    "index_size": "share of the articles in the index",
    "length": "words in a summary",
}
"""The choices that only the multiverse varies, by their columns there."""


@dataclass(frozen=True)
class Panel:
    """How a number depends on one choice: a line per column of ``table``, which the choice's values index.

    Columns low and high, if present, bound the middle half of the universes around ``median``, the only other
    one. ``label`` names the number. If that is a correlation with a judgement, ``judgement`` names it.
    """

    table: pd.DataFrame
    label: str
    judgement: str = ""


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


def sensitivity(
    correlations: pd.DataFrame,
    against: str,
    *,
    cutoffs: Sequence[int],
    thresholds: str | PathLike[str] | None = None,
    universes: str | PathLike[str] | None = None,
) -> dict[str, Panel]:
    """Spearman's rho with the judgement by choice, the panels of `figures.small_multiples`.

    There is always a panel for the cut-off. ``thresholds``, a table by threshold of Pyramid, adds one.
    ``universes``, those of the multiverse, add panels with the median and quartiles of SERA's rho less
    ROUGE's.
    """
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"]
    variants = [
        name
        for name in ("SERA", "SERA-NP", "SERA-KW")
        if any(f"{name}-{cutoff}" in rho for cutoff in cutoffs)
    ]
    panels = {
        "rank cut-off of SERA": Panel(
            pd.DataFrame(
                {name: [rho.get(f"{name}-{cutoff}", np.nan) for cutoff in cutoffs] for name in variants},
                index=list(cutoffs),
            ),
            "Spearman's ρ",
            against,
        )
    }
    if thresholds is not None:
        table = read_tsv(thresholds)
        wide = table.pivot(index="threshold", columns="metric", values="spearman")
        panels["share of a nugget to be there (Pyramid)"] = Panel(
            wide[[name for name in SENSITIVE if name in wide]], "Spearman's ρ", against
        )
    if universes is not None:
        cells = tsv.read(universes, ["question", "weight", EFFECT, *SHOWN_DIMENSIONS])
        in_words = cells["length"].str.endswith(" words")
        cells["length"] = cells["length"].str.removesuffix(" words").where(in_words, UNDEFINED)
        table = pd.DataFrame(
            {
                column: tsv.numbers(cells, column, universes, undefined=[UNDEFINED])
                for column in ("weight", EFFECT, *SHOWN_DIMENSIONS)
            }
        )
        first = cells["question"].iloc[0]  # the paper's question, if it is asked
        table = table[(table["weight"] > 0) & (cells["question"] == first)]
        for column, words in SHOWN_DIMENSIONS.items():
            if table[column].nunique() > 1:
                quartiles = {value: _quartiles(group) for value, group in table.groupby(column)}
                panels[words] = Panel(
                    pd.DataFrame(quartiles, index=["median", "low", "high"]).T, "ρ of SERA less ρ of ROUGE"
                )
    return panels


def _quartiles(universes: pd.DataFrame) -> np.ndarray:
    """The weighted median and quartiles of `EFFECT`, (3,); NaN if no universe defines it."""
    defined = universes.dropna(subset=[EFFECT])
    if defined.empty:
        return np.full(3, np.nan)
    return np.quantile(defined[EFFECT], (0.5, 0.25, 0.75), weights=defined["weight"], method="inverted_cdf")
