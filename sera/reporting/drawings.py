"""The figures that summarise a study or a table of scores: their names and data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
from matplotlib.figure import Figure

from sera.reporting.figures import heat_map, reproduced_and_published, scatter
from sera.reporting.overview import between_metrics, points, shown_metrics

Draw = Callable[..., Figure]
"""A function that draws a figure; with ``narrow=True`` its narrow layout."""


def drawings(
    table: pd.DataFrame,
    correlations: pd.DataFrame,
    scores: pd.DataFrame,
    systems: Sequence[str],
    judgement: str,
    title: Callable[[str], str],
    confidence: float,
) -> dict[str, Draw]:
    """The figures ``comparison``, ``scatter`` and ``metrics``, each as a function that draws it.

    ``table`` is a result of `study.published.tables.beside` for one judgement; the first and the last figure
    show its metrics. ``correlations`` has all metrics, ``scores`` all scores and the judgement's. ``title``
    gives the title of a figure by its name, ``confidence`` is that of the table's intervals, in percent.
    """
    few = shown_metrics(correlations, judgement)
    of_systems = points(scores, systems, few, judgement)
    wide = between_metrics(scores, systems, [judgement, *table["metric"]], judgement)
    small = between_metrics(scores, systems, [judgement, *few], judgement)
    return {
        "comparison": lambda narrow=False: reproduced_and_published(
            table, title=title("comparison"), judgement=judgement, confidence=confidence, narrow=narrow
        ),
        "scatter": lambda narrow=False: scatter(
            of_systems, judgement=judgement, title=title("scatter"), narrow=narrow
        ),
        "metrics": lambda narrow=False: heat_map(
            small if narrow else wide, title=title("metrics"), narrow=narrow
        ),
    }
