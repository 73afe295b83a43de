"""What choices do to a correlation: the tables behind a study's small figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
import pandas as pd

from sera.evaluation.tables import UNDEFINED, read_tsv
from sera.io import tsv

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
    lines = {
        name: [rho.get(f"{name}-{cutoff}", np.nan) for cutoff in cutoffs]
        for name in ("SERA", "SERA-NP", "SERA-KW")
        if any(f"{name}-{cutoff}" in rho for cutoff in cutoffs)
    }
    by_cutoff = pd.DataFrame(lines, index=list(cutoffs))
    panels = {"rank cut-off of SERA": Panel(by_cutoff, "Spearman's ρ", against)}
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
        columns = ("weight", EFFECT, *SHOWN_DIMENSIONS)
        numbers = {name: tsv.numbers(cells, name, universes, undefined=[UNDEFINED]) for name in columns}
        table = pd.DataFrame(numbers)
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
