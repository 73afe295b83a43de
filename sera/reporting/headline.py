"""The numbers of the page's first section: the best metrics, the families' means, the paper's numbers."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published
from sera.metrics import falling, family_of
from sera.published.verdicts import HIGHER, LOWER, SAME, WITHIN, verdicts
from sera.reporting.overview import turned

_SAME = 1e-6  # the last digit of the tables: means that are equal on paper differ by round-off


def headline(table: pd.DataFrame, correlations: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, from a table of `paper.beside` and from all correlations.

    ``best`` has, for ROUGE and SERA, the best metrics by Spearman's rho (`best_metrics`), ``paper`` the same
    for the published numbers, ``overall`` the best of all metrics; None where nothing is defined. ``means``
    and ``means_paper`` have the families' mean rho. Without published numbers, ``paper``, ``means_paper`` and
    what follows are absent. ``verdicts`` counts the cells by verdict, and
    ``distance`` is the median absolute difference of the defined cells.
    """
    table = table[table["against"] == against]
    correlations = correlations[correlations["against"] == against]
    found: dict[str, Any] = {
        "systems": int(table["systems"].max()),
        "topics": int(table["topics"].max()),
        "overall": best_metrics(correlations, "spearman"),
    }
    columns = [("spearman", "best", "means")]
    if has_published(table):
        columns.append(("spearman_paper", "paper", "means_paper"))
    for column, best, mean in columns:
        families = {family: table[table["metric"].map(_family) == family] for family in ("ROUGE", "SERA")}
        found[best] = {family: best_metrics(rows, column) for family, rows in families.items()}
        found[mean] = {family: float(rows[column].mean()) for family, rows in families.items()}
    if has_published(table):
        cells = verdicts(table)
        counts = cells.stack().value_counts()
        found["cells"] = int(cells.size)
        kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
        found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
        found["distance"] = float(
            table[[f"{name}_difference" for name in CORRELATIONS]].abs().stack().median()
        )
    return found


def best_metrics(rows: pd.DataFrame, column: str) -> dict[str, Any] | None:
    """The metrics with the highest rho in a column (the lowest for falling ones); None if none is defined.

    ``metrics`` has the names of all that tie, in the table's order, ``falling`` those of them for which lower
    is better. ``value`` is their rho, with the sign changed if only some fall. ``low`` and ``high`` are the
    interval if there is one metric and an interval, else None.
    """
    defined = rows.dropna(subset=[column])
    if defined.empty:
        return None
    order = turned(defined[column], defined["metric"])
    tied = defined[order >= order.max() - _SAME]
    first = tied.iloc[0]
    ends: list[float | None] = [None, None]
    if len(tied) == 1 and column == "spearman" and pd.notna(first["spearman_low"]):
        ends = [float(first["spearman_low"]), float(first["spearman_high"])]
    names = list(tied["metric"])
    turned_names = falling(names)
    value = float(first[column]) if len(turned_names) in (0, len(names)) else float(order.max())
    return {"metrics": names, "falling": turned_names, "value": value, "low": ends[0], "high": ends[1]}


def _family(metric: str) -> str:
    """The family of a metric; empty for one that is not of this package."""
    try:
        return family_of(metric)
    except InputError:
        return ""
