"""The alternative texts of the figures that only a study's page has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from sera.reporting.overview import turned
from sera.reporting.picture_texts import RHO, SYMBOLS_IN_WORDS, two_decimals
from study.report.curves import Curve
from study.report.sensitivity import Panel


def of_cutoffs(lines: pd.DataFrame, against: str, coefficient: str = "spearman") -> str:
    """Text of `study_figures.correlation_by_cutoff`; ``lines``: a row per cut-off, a column per variant."""
    known = lines.stack().dropna()
    symbol = SYMBOLS_IN_WORDS[coefficient]
    if known.empty:
        return f"{symbol} of SERA with {against} is undefined at every cut-off."
    (high_at, high), (low_at, low) = known.idxmax(), known.idxmin()
    first, last = lines.index[0], lines.index[-1]
    ends = lines.loc[[first, last]].dropna(axis=1)
    rising = int((ends.loc[last] > ends.loc[first]).sum())
    text = (
        f"{symbol} of SERA with {against} is highest for {high} at cut-off {high_at} "
        f"({two_decimals(known.max())}) and lowest for {low} at {low_at} ({two_decimals(known.min())})."
    )
    return f"{text} From {first} to {last} it rises for {rising} of {ends.shape[1]} variants."


def of_plane(means: pd.DataFrame) -> str:
    """Text of `plane_figure.content_and_abstraction`: the systems at the ends, and those that only copy.

    The columns of ``means`` are content, abstraction and MOULIN ROUGE.
    """
    content, abstraction, whole = (means.iloc[:, place].dropna() for place in range(3))
    if content.empty or abstraction.empty:
        return "Content and abstraction are undefined for every system."
    copied = int((abstraction == 0).sum())
    text = (
        f"Content is highest for {content.idxmax()} ({two_decimals(content.max())}), abstraction for "
        f"{abstraction.idxmax()} ({two_decimals(abstraction.max())})"
    )
    if len(whole):
        text += f", MOULIN ROUGE for {whole.idxmax()} ({two_decimals(whole.max())})"
    return f"{text}. Systems without abstraction, which copy the article: {copied} of {len(abstraction)}."


def of_sensitivity(panels: Mapping[str, Panel]) -> str:
    """Text of `study_figures.small_multiples`: the range of the number in each panel."""
    parts = []
    for name, panel in panels.items():
        table = panel.table[["median"]] if "median" in panel.table else panel.table
        values = table.to_numpy(dtype=float)
        values = values[~np.isnan(values)]
        what = "the median of SERA's ρ less ROUGE's" if "median" in panel.table else RHO
        ends = (
            f"from {two_decimals(values.min())} to {two_decimals(values.max())}"
            if len(values)
            else "undefined"
        )
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
        f"Where the wording drifts most ({last:g}), {RHO} of systems' means with the true score is highest "
        f"for {rho.index[-1]} ({two_decimals(rho.iloc[-1])}) and lowest for {rho.index[0]} "
        f"({two_decimals(rho.iloc[0])})."
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
