"""The numbers of the first section of a study's page, which has the paper's numbers beside its own."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published
from sera.reporting.headline import headline, of_families
from study.published.comparison import HIGHER, LOWER, SAME, WITHIN, verdicts


def study_headline(table: pd.DataFrame, correlations: pd.DataFrame, against: str) -> dict[str, Any]:
    """The `headline` of a table of `paper.beside`, with what compares it with the published numbers, if any.

    ``paper`` and ``means_paper`` are ``best`` and ``means`` of the published numbers. ``verdicts`` counts the
    ``cells`` by verdict, and ``distance`` is the median absolute difference of the defined cells.
    """
    found = headline(table, correlations, against)
    table = table[table["against"] == against]
    if not has_published(table):
        return found
    cells = verdicts(table)
    counts = cells.stack().value_counts()
    found["paper"], found["means_paper"] = of_families(table, "spearman_paper")
    found["cells"] = int(cells.size)
    kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
    found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
    found["distance"] = float(table[[f"{name}_difference" for name in CORRELATIONS]].abs().stack().median())
    return found
