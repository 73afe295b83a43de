"""The alternative texts of the page's figures: each states what its figure shows, in one or two sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from sera.evaluation.tables import has_published
from sera.reporting.overview import Panel, turned
from sera.reporting.specification import Curve

_RHO = "Spearman's ρ"
_COEFFICIENTS = {"spearman": _RHO, "pearson": "Pearson's r", "kendall": "Kendall's τ"}


def of_comparison(table: pd.DataFrame, against: str) -> str:
    """Text of `figures.reproduced_and_published`: each family's range, and the published one beside it."""
    rho = table.set_index("metric")["spearman"].dropna()
    parts = [_range(_named("SERA", rho), "SERA"), _range(_named("ROUGE", rho), "ROUGE")]
    rest = rho[~rho.index.str.startswith(("SERA", "ROUGE"))]
    rest = turned(rest, rest.index)
    parts.append(
        _range(rest, "other metrics, higher being better," if any(parts) else "higher being better,")
    )
    text = f"{_RHO} with {against} over systems: {'; '.join(filter(None, parts)) or 'undefined'}."
    if has_published(table):
        paper = table.set_index("metric")["spearman_paper"].dropna()
        of = (_range(_named(family, paper), family) for family in ("SERA", "ROUGE"))
        text += f" Published: {'; '.join(filter(None, of))}."
    return text


def of_cutoffs(lines: pd.DataFrame, against: str, coefficient: str = "spearman") -> str:
    """Text of `figures.correlation_by_cutoff`; ``lines`` has a row per cut-off and a column per variant."""
    known = lines.stack().dropna()
    symbol = _COEFFICIENTS[coefficient]
    if known.empty:
        return f"{symbol} of SERA with {against} is undefined at every cut-off."
    (high_at, high), (low_at, low) = known.idxmax(), known.idxmin()
    first, last = lines.index[0], lines.index[-1]
    ends = lines.loc[[first, last]].dropna(axis=1)
    rising = int((ends.loc[last] > ends.loc[first]).sum())
    text = (
        f"{symbol} of SERA with {against} is highest for {high} at cut-off {high_at} "
        f"({_number(known.max())}) and lowest for {low} at {low_at} ({_number(known.min())})."
    )
    return f"{text} From {first} to {last} it rises for {rising} of {ends.shape[1]} variants."


def of_scatter(correlations: pd.DataFrame, means: pd.Series, against: str, shown: Sequence[str]) -> str:
    """Text of `figures.scatter`: rho of each shown metric, and the systems at the ends of the judgement."""
    rho = correlations[correlations["against"] == against].set_index("metric")["spearman"]
    values = ", ".join(f"{name} {_number(rho.get(name, np.nan))}" for name in shown)
    ranked = means.dropna().sort_values(ascending=False, kind="stable")
    text = f"{_RHO} with {against} over {len(ranked)} systems: {values}."
    if ranked.nunique() > 1:
        text += f" Highest by {against}: {ranked.index[0]}; lowest: {ranked.index[-1]}."
    return text


def of_plane(means: pd.DataFrame) -> str:
    """Text of `plane_figure.content_and_abstraction`: the systems at the ends, and those that only copy.

    The columns of ``means`` are content, abstraction and MOULIN ROUGE.
    """
    content, abstraction, whole = (means.iloc[:, place].dropna() for place in range(3))
    if content.empty or abstraction.empty:
        return "Content and abstraction are undefined for every system."
    copied = int((abstraction == 0).sum())
    text = (
        f"Content is highest for {content.idxmax()} ({_number(content.max())}), abstraction for "
        f"{abstraction.idxmax()} ({_number(abstraction.max())})"
    )
    if len(whole):
        text += f", MOULIN ROUGE for {whole.idxmax()} ({_number(whole.max())})"
    return f"{text}. Systems without abstraction, which copy the article: {copied} of {len(abstraction)}."


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
            parts.append(f"{_number(np.median(values))} {where}")
    if not parts:
        return _most_and_least(matrix)
    return f"How alike metrics rank the systems, as the median of {_RHO}: {', '.join(parts)}."


def _most_and_least(matrix: pd.DataFrame) -> str:
    """The pairs of metrics with the highest and the lowest rho."""
    pairs = {
        f"{one} and {other}": float(matrix.loc[one, other])
        for number, one in enumerate(matrix)
        for other in matrix.columns[:number]
    }
    rho = pd.Series(pairs, dtype=float).dropna()
    if rho.empty:
        return f"{_RHO} between any two metrics is undefined."
    return (
        f"{_RHO} between two metrics is highest for {rho.idxmax()} ({_number(rho.max())}) and lowest for "
        f"{rho.idxmin()} ({_number(rho.min())})."
    )


def of_sensitivity(panels: Mapping[str, Panel]) -> str:
    """Text of `figures.small_multiples`: the range of the number in each panel."""
    parts = []
    for name, panel in panels.items():
        table = panel.table[["median"]] if "median" in panel.table else panel.table
        values = table.to_numpy(dtype=float)
        values = values[~np.isnan(values)]
        what = "the median of SERA's ρ less ROUGE's" if "median" in panel.table else _RHO
        ends = f"from {_number(values.min())} to {_number(values.max())}" if len(values) else "undefined"
        parts.append(f"by {name}, {what} is {ends}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if parts else "No choice varies."


def of_truth(table: pd.DataFrame, shown: Sequence[str]) -> str:
    """Text of `truth_figure.followed_truth`: the metrics that follow the truth best and worst, reworded."""
    last = table["drift"].max()
    largest = table[table["articles"].isin([0, table["articles"].max()]) & (table["drift"] == last)]
    rho = largest.set_index("metric")["system_spearman"].reindex(shown).dropna()
    if rho.empty:
        return "The correlation with the true score is undefined for every metric."
    rho = turned(rho, rho.index).sort_values(kind="stable")
    return (
        f"Where the wording drifts most ({last:g}), {_RHO} of systems' means with the true score is highest "
        f"for {rho.index[-1]} ({_number(rho.iloc[-1])}) and lowest for {rho.index[0]} "
        f"({_number(rho.iloc[0])})."
    )


def of_curve(curve: Curve, question: str) -> str:
    """Text of the specification curve for a question in words."""
    if np.isnan(curve.ahead):
        return f"In {question}, SERA less ROUGE is undefined in all {curve.undefined:,} universes."
    text = f"In {question}, SERA is ahead of ROUGE in {curve.ahead:.0%} of {curve.universes:,} universes"
    return f"{text}; {curve.undefined:,} more are undefined." if curve.undefined else f"{text}."


def of_audit(counts: pd.DataFrame) -> str:
    """Text of `audit_figure.attainable_pairs`: the number of systems for which most rows are possible."""
    fits = [name for name in counts if name.endswith("_fit")]
    of_any = counts[counts["ties"] == "any"].set_index("systems")
    best = of_any[fits].sum(axis=1).idxmax()
    parts = []
    for name in fits:
        table = name.removesuffix("_fit")
        title = table.replace("table", "Table ")
        parts.append(f"{of_any.loc[best, name]} of {of_any.loc[best, f'{table}_rows']} rows of {title}")
    return f"{best} systems can give most of the printed pairs of coefficients: {' and '.join(parts)}."


def _named(family: str, rho: pd.Series) -> pd.Series:
    return rho[rho.index.str.startswith(family)]


def _range(rho: pd.Series, name: str) -> str:
    if rho.empty:
        return ""
    if len(rho) == 1:
        return f"{name} {_number(rho.iloc[0])}"
    return f"{name} from {_number(rho.min())} to {_number(rho.max())}, median {_number(rho.median())}"


def _number(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:z.2f}".replace("-", "−")
