"""The alternative texts of the page's figures: each states what its figure shows, in one or two sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.evaluation.tables import has_published
from sera.reporting.overview import turned

RHO = "Spearman's ρ"
SYMBOLS_IN_WORDS = {"spearman": RHO, "pearson": "Pearson's r", "kendall": "Kendall's τ"}


def of_comparison(table: pd.DataFrame, against: str) -> str:
    """Text of `figures.reproduced_and_published`: each family's range, and the published one beside it."""
    rho = table.set_index("metric")["spearman"].dropna()
    parts = [_range(_named("SERA", rho), "SERA"), _range(_named("ROUGE", rho), "ROUGE")]
    rest = rho[~rho.index.str.startswith(("SERA", "ROUGE"))]
    rest = turned(rest, rest.index)
    parts.append(
        _range(rest, "other metrics, higher being better," if any(parts) else "higher being better,")
    )
    text = f"{RHO} with {against} over systems: {'; '.join(filter(None, parts)) or 'undefined'}."
    if has_published(table):
        paper = table.set_index("metric")["spearman_paper"].dropna()
        of = (_range(_named(family, paper), family) for family in ("SERA", "ROUGE"))
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


def _named(family: str, rho: pd.Series) -> pd.Series:
    return rho[rho.index.str.startswith(family)]


def _range(rho: pd.Series, name: str) -> str:
    if rho.empty:
        return ""
    if len(rho) == 1:
        return f"{name} {two_decimals(rho.iloc[0])}"
    low, middle, high = map(two_decimals, (rho.min(), rho.median(), rho.max()))
    return f"{name} from {low} to {high}, median {middle}"


def two_decimals(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:z.2f}".replace("-", "−")
