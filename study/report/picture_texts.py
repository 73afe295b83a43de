"""The alternative texts of figures that other steps draw: of the truth, the multiverse and the audit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sera.reporting.overview import RHO, turned, two_decimals
from study.report.curves import Curve


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
