"""The matrix at one glance: how far each metric follows each benchmark's foremost judgement."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sera.reporting.figures import NARROW, titled
from study.matrix.answers import foremost, table_of
from study.matrix.column import AT_RANDOM, ONE_JUDGE


def matrix_figure(cells: pd.DataFrame, *, title: str, narrow: bool = False) -> Figure:
    """Draw Spearman's rho over systems as numbers, metrics by benchmarks, from red (-1) to blue (1).

    The metrics are those of `study.matrix.answers.foremost`. A frame marks the metrics that no test
    distinguishes from the best one of their column (cluster 1); an undefined cell is hatched.
    """
    shown = foremost(cells)
    values = table_of(shown, "value")
    clusters = table_of(shown, "cluster").reindex_like(values)
    names, columns = list(values.index), list(values.columns)
    cell = 0.2
    labels = 0.075 * max(map(len, names), default=1) + 0.2
    widest = (NARROW - labels) / max(len(columns), 1) if narrow else 0.75
    figure, axes = plt.subplots(
        figsize=(NARROW if narrow else max(labels + widest * len(columns) + 0.3, 5), cell * len(names) + 1.9),
        layout="constrained",
    )
    colours = plt.get_cmap("RdBu").with_extremes(bad="none")
    grid = values.to_numpy(float)
    image = axes.imshow(
        np.ma.masked_invalid(grid), cmap=colours, vmin=-1, vmax=1, aspect="auto", interpolation="nearest"
    )
    for row, column in np.ndindex(grid.shape):
        value, edges = grid[row, column], (column - 0.5, row - 0.5)
        if np.isnan(value):
            axes.add_patch(Rectangle(edges, 1, 1, fill=False, hatch="////", edgecolor="0.7", linewidth=0))
            continue
        ink = "white" if abs(value) > 0.6 else "black"
        text = f"{value:z.2f}".replace("-", "−")
        axes.text(column, row, text, ha="center", va="center", fontsize=5.5 if narrow else 6.5, color=ink)
        if clusters.iat[row, column] == 1:
            axes.add_patch(Rectangle(edges, 1, 1, fill=False, edgecolor="black", linewidth=0.9))
    axes.set_xticks(range(len(columns)), columns, fontsize=6 if narrow else 7, rotation=60, ha="right")
    axes.set_yticks(range(len(names)), names, fontsize=6.5)
    for label in axes.get_yticklabels():
        if label.get_text() in (AT_RANDOM, ONE_JUDGE):
            label.set_fontstyle("italic")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(
        image,
        ax=axes,
        location="bottom",
        shrink=0.7,
        aspect=40,
        label="Spearman's ρ over systems; framed: no test distinguishes it from the best",
    )
    bar.ax.tick_params(labelsize=6.5)
    bar.set_label(bar.ax.get_xlabel(), fontsize=6.5)
    bar.outline.set_visible(False)
    titled(figure, title, int(15 * figure.get_figwidth()), narrow=narrow)
    return figure
