"""The numbers of the page's first section: the best metrics and the families' means."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.metrics import falling, family_of
from sera.reporting.overview import turned

_SAME = 1e-6  # the last digit of the tables: means that are equal on paper differ by round-off


def headline(table: pd.DataFrame, correlations: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, from the correlations shown first and from all of them.

    ``best`` has, for ROUGE and SERA, the best metrics by Spearman's rho (`best_metrics`), ``overall`` the
    best of all metrics; None where nothing is defined. ``means`` has the families' mean rho.
    """
    table = table[table["against"] == against]
    best, means = of_families(table, "spearman")
    return {
        "systems": int(table["systems"].max()),
        "topics": int(table["topics"].max()),
        "overall": best_metrics(correlations[correlations["against"] == against], "spearman"),
        "best": best,
        "means": means,
    }


def of_families(table: pd.DataFrame, column: str) -> tuple[dict[str, Any], dict[str, float]]:
    """The `best_metrics` of ROUGE and of SERA in a column, and the column's mean over each family."""
    families = {family: table[table["metric"].map(_family) == family] for family in ("ROUGE", "SERA")}
    return (
        {family: best_metrics(rows, column) for family, rows in families.items()},
        {family: float(rows[column].mean()) for family, rows in families.items()},
    )


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
