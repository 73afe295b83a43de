"""The figures that summarise a study or a table of scores, each with its caption."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from sera.reporting.figures import heat_map, plot_correlations, scatter
from sera.reporting.overview import correlate_metrics, points, shown_metrics


class Drawing(NamedTuple):
    """A function that draws a figure, and the figure's caption."""

    draw: Callable[[], Figure]
    caption: str


def drawings(
    table: pd.DataFrame,
    correlations: pd.DataFrame,
    scores: pd.DataFrame,
    systems: Sequence[str],
    judgement: str,
    title: Callable[[str], str],
    confidence: float,
    over: str = "topics",
) -> dict[str, Drawing]:
    """The figures ``comparison``, ``scatter`` and ``metrics``.

    ``table`` has the correlations with one judgement, in a study beside the published ones; the first and the
    last figure show its metrics. ``correlations`` has all metrics, ``scores`` all scores and the judgement's.
    ``title`` returns the title of a figure by its name, ``confidence`` is that of the table's intervals, in
    percent, and ``over`` names what they resample.
    """
    of_systems = points(scores, systems, shown_metrics(correlations, judgement), judgement)
    matrix = correlate_metrics(scores, systems, [judgement, *table["metric"]], judgement)
    named: dict[str, Any] = {"judgement": judgement, "confidence": confidence, "over": over}
    drawn: dict[str, Callable[..., Figure]] = {
        "comparison": partial(plot_correlations, table, **named),
        "scatter": partial(scatter, of_systems, judgement=judgement),
        "metrics": partial(heat_map, matrix),
    }
    return {name: Drawing(partial(draw, title=title(name)), title(name)) for name, draw in drawn.items()}
