"""Correlation of metrics with scores that are known to be true, by drift and by the size of the index.

`study.demo.drift` makes the candidates; docs/statistics.md describes the comparison.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import WHY, Scores, at_level, paired, why_not_at_level

SHOWN_LEVELS = ("system", "summary")

SHOWN = (
    *("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", "ROUGE-SU4-F", "ROUGE-WE-2-F", "AVG_SIM"),
    *("JS-ref-2", "ROUGE-K", "MOULIN-ROUGE", "Pyramid", "SERA-5", "SERA-10"),
)
"""The metrics that the figure shows by drift."""

SHOWN_BY_SIZE = ("SERA-5", "SERA-10", "SERA-DIS-10", "SERA-KW-10")
"""The metrics that the figure shows by the size of the index."""


def follow(scores: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Correlate metrics with true scores: a row per metric and true score, the coefficients at both levels.

    ``scores`` and ``true`` are score tables of the same summaries. Columns of coefficients are named
    ``<level>_<coefficient>``, for example ``system_pearson``. ``system_undefined`` counts the topics that are
    left out because a summary has no defined score, ``summary_undefined`` the topics whose coefficient is
    undefined. ``why_undefined`` is the reason if a coefficient of the row is undefined, otherwise empty.
    """
    names, judgements = list(scores["metric"].unique()), list(true["metric"].unique())
    both = Scores.of(pd.concat([scores, true], ignore_index=True))
    rows = []
    for name in names:
        for against in judgements:
            row: dict[str, object] = {"metric": name, "against": against}
            reasons = []
            for level in SHOWN_LEVELS:
                found = at_level(both, name, against, level)
                row |= {f"{level}_{key}": found[key] for key in (*CORRELATIONS, "undefined")}
                if any(np.isnan(found[key]) for key in CORRELATIONS):
                    why = why_not_at_level(*paired(both, name, against, level), name, against, level)
                    reasons.append(f"{level} level: {why}")
            counts = {"systems": len(both.systems), "topics": len(both.topics)}
            rows.append({**row, **counts, WHY: "; ".join(reasons)})
    return pd.DataFrame(rows)


def by_drift_and_size(tables: Mapping[tuple[float, int], pd.DataFrame], true: pd.DataFrame) -> pd.DataFrame:
    """The rows of `follow` for score tables by (drift, articles), with both as columns; sorted by metric.

    ``articles`` is the number of articles indexed, 0 for metrics that do not search.
    """
    parts = []
    for (drift, articles), scores in tables.items():
        part = follow(scores, true)
        part.insert(2, "drift", float(drift))
        part.insert(3, "articles", articles)
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    order = {name: place for place, name in enumerate(table["metric"].unique())}
    columns = ["metric", "against", "articles", "drift"]
    return table.sort_values(
        columns, key=lambda c: c.map(order) if c.name == "metric" else c, kind="stable", ignore_index=True
    )
