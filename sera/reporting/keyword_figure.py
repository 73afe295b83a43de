"""Figure 2 of ROUGE-K's paper: the share of keywords found by their length, a line per system."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from sera.reporting.figures import NARROW, plain, plt, shortened, titled

_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito's
_MARKERS = "os^Dv"


def recall_by_length(
    table: pd.DataFrame, *, title: str, metric: str = "ROUGE-K", narrow: bool = False
) -> Figure:
    """Draw the recall of keywords (0 to 1) against their length in words, a line per system.

    ``table`` is one of `sera.evaluation.papers.keyword_tables.recall_by` by length; its rows of ``metric``
    are drawn. Below each length is the number of keywords. A length without a keyword has no point. Colours
    and markers are combined, so that 35 systems differ.
    """
    drawn = table[(table["metric"] == metric) & table["length"].notna()]
    recall = drawn.pivot(index="length", columns="system", values="recall")[drawn["system"].unique()]
    numbers = drawn.groupby("length")["keywords"].max()
    names = shortened(recall.columns)
    size = (NARROW, 3.4 + 0.12 * len(names)) if narrow else (7.0, 3.9)
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    for system, colour, marker in zip(recall, cycle(_COLOURS), cycle(_MARKERS), strict=False):
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5, "linewidth": 1.2}
        axes.plot(recall.index, recall[system], label=names[system], clip_on=False, **style)
    ticks = [f"{int(length)}\n({int(numbers[length])})" for length in recall.index]
    axes.set_xticks(list(recall.index), ticks)
    axes.set(ylim=(0, 1))
    axes.set_xlabel("words of the keyword (number of keywords)")
    axes.set_ylabel(f"{metric} of these keywords")
    titled(figure, title, 80, narrow=narrow)
    plain(axes)
    place: dict[str, Any] = (
        {"loc": "outside lower left", "ncols": 2, "fontsize": 7.5}
        if narrow
        else {"loc": "outside right center", "fontsize": 8.5}
    )
    if names:
        figure.legend(frameon=False, **place)
    return figure
