"""The figures that summarise a study or a table of scores, each with the text that states what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sera.evaluation.tables import has_published
from sera.reporting.figures import heat_map, reproduced_and_published, scatter
from sera.reporting.overview import (
    RHO,
    between_metrics,
    means_by_system,
    points,
    shown_metrics,
    turned,
    two_decimals,
)


class Drawing(NamedTuple):
    """A function that draws a figure, with ``narrow=True`` its narrow layout; and its alternative text."""

    draw: Callable[..., Figure]
    text: str


def drawings(
    table: pd.DataFrame,
    correlations: pd.DataFrame,
    scores: pd.DataFrame,
    systems: Sequence[str],
    judgement: str,
    title: Callable[[str], str],
    confidence: float,
    over: str = "topics",
) -> dict[str, Drawing]:
    """The figures ``comparison``, ``scatter`` and ``metrics``.

    ``table`` has the correlations with one judgement, in a study beside the published ones; the first and the
    last figure show its metrics. ``correlations`` has all metrics, ``scores`` all scores and the judgement's.
    ``title`` returns the title of a figure by its name, ``confidence`` is that of the table's intervals, in
    percent, and ``over`` names what they resample.
    """
    few = shown_metrics(correlations, judgement)
    of_systems = points(scores, systems, few, judgement)
    wide = between_metrics(scores, systems, [judgement, *table["metric"]], judgement)
    small = between_metrics(scores, systems, [judgement, *few], judgement)
    judged = means_by_system(scores[scores["metric"] == judgement])[judgement]

    def of_metrics_compared(narrow: bool = False) -> Figure:
        return heat_map(small if narrow else wide, title=title("metrics"), narrow=narrow)

    return {
        "comparison": Drawing(
            partial(
                reproduced_and_published,
                table,
                title=title("comparison"),
                judgement=judgement,
                confidence=confidence,
                over=over,
            ),
            of_comparison(table, judgement),
        ),
        "scatter": Drawing(
            partial(scatter, of_systems, judgement=judgement, title=title("scatter")),
            of_scatter(correlations, judged[judged.index.isin(systems)], judgement, few),
        ),
        "metrics": Drawing(of_metrics_compared, of_metrics(wide)),
    }


def of_comparison(table: pd.DataFrame, against: str) -> str:
    """Text of `figures.reproduced_and_published`: each family's range, and the published one beside it."""
    rho = table.set_index("metric")["spearman"].dropna()
    parts = [_range(rho, family) for family in ("SERA", "ROUGE")]
    rest = rho[~rho.index.str.startswith(("SERA", "ROUGE"))]
    rest = turned(rest, rest.index)
    parts.append(_in_words(rest, f"{'other metrics, ' if any(parts) else ''}higher being better,"))
    text = f"{RHO} with {against} over systems: {'; '.join(filter(None, parts)) or 'undefined'}."
    if has_published(table):
        paper = table.set_index("metric")["spearman_paper"].dropna()
        of = (_range(paper, family) for family in ("SERA", "ROUGE"))
        text += f" Published: {'; '.join(filter(None, of))}."
    return text


def of_scatter(correlations: pd.DataFrame, means: pd.Series, against: str, shown: Sequence[str]) -> str:
    """Text of `figures.scatter`: rho of each shown metric, and the systems at the ends of the judgement."""
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"]
    values = ", ".join(f"{name} {two_decimals(rho.get(name, np.nan))}" for name in shown)
    ranked = means.dropna().sort_values(ascending=False, kind="stable")
    text = f"{RHO} with {against} over {len(ranked)} systems: {values}."
    if ranked.nunique() > 1:
        text += f" Highest by {against}: {ranked.index[0]}; lowest: {ranked.index[-1]}."
    return text


def of_metrics(matrix: pd.DataFrame) -> str:
    """Text of `figures.heat_map`: the median rho within each family and between SERA and ROUGE."""
    groups = {family: [name for name in matrix if name.startswith(family)] for family in ("SERA", "ROUGE")}
    parts = []
    for one, other in (("SERA", "SERA"), ("ROUGE", "ROUGE"), ("SERA", "ROUGE")):
        of = matrix.loc[groups[one], groups[other]].to_numpy(dtype=float)
        values = of[np.tril_indices(len(of), -1)] if one == other else of.ravel()
        values = values[~np.isnan(values)]
        if len(values):
            where = f"within {one}" if one == other else f"between {one} and {other}"
            parts.append(f"{two_decimals(np.median(values))} {where}")
    if not parts:
        return _most_and_least(matrix)
    return f"How alike metrics rank the systems, as the median of {RHO}: {', '.join(parts)}."


def _most_and_least(matrix: pd.DataFrame) -> str:
    """The pairs of metrics with the highest and the lowest rho."""
    pairs = {
        f"{one} and {other}": float(matrix.loc[one, other])
        for number, one in enumerate(matrix)
        for other in matrix.columns[:number]
    }
    rho = pd.Series(pairs, dtype=float).dropna()
    if rho.empty:
        return f"{RHO} between any two metrics is undefined."
    return (
        f"{RHO} between two metrics is highest for {rho.idxmax()} ({two_decimals(rho.max())}) and lowest for "
        f"{rho.idxmin()} ({two_decimals(rho.min())})."
    )


def _range(rho: pd.Series, family: str) -> str:
    return _in_words(rho[rho.index.str.startswith(family)], family)


def _in_words(rho: pd.Series, name: str) -> str:
    if rho.empty:
        return ""
    if len(rho) == 1:
        return f"{name} {two_decimals(rho.iloc[0])}"
    low, middle, high = map(two_decimals, (rho.min(), rho.median(), rho.max()))
    return f"{name} from {low} to {high}, median {middle}"
