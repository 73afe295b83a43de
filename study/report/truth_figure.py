"""The figure of the known truth: correlation of metrics with it, by drift and by size of the index."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from sera.reporting.figures import LINE_STYLES, NARROW, plt, titled

_LEVELS: list[tuple[str, str, dict[str, Any]]] = [
    ("system_spearman", "of systems' means", LINE_STYLES[0]),
    ("summary_spearman", "within a topic, mean of topics", LINE_STYLES[3]),
]


def followed_truth(
    table: pd.DataFrame,
    by_drift: Sequence[str],
    by_size: Sequence[str],
    *,
    falling: Collection[str],
    title: str,
    narrow: bool = False,
) -> Figure:
    """Draw Spearman's rho of metrics with the true score, one small panel per metric.

    ``table`` is a result of `study.demo.correlation` for one true score. The upper panels show rho
    against the drift, with the largest index; the lower ones against the number of articles indexed, with the
    least and the greatest drift. Metrics that are ``falling`` have their sign changed, and a minus before the
    name. An undefined value is a gap in the line; a panel names a metric without scores or without any
    defined value.
    """
    columns = 2 if narrow else 4
    rows = [-(-len(names) // columns) for names in (by_drift, by_size)]
    size = (NARROW, 1.5 * sum(rows) + 3.6) if narrow else (8.4, 1.62 * sum(rows) + 1.9)
    figure = plt.figure(figsize=size, layout="constrained")
    titled(figure, title, 105, narrow=narrow)
    room = 0.9 if narrow else 0.55  # of the legend, in panels
    parts: Any = figure.subfigures(2, 1, height_ratios=[number + room for number in rows])
    above, below = parts
    drifts = sorted(table["drift"].unique())

    def panels(part: Any, names: Sequence[str], rows: int, label: str) -> list[Any]:
        grid = list(part.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)
        for axes, name in zip(grid, names, strict=False):
            axes.set_title(f"−{name}" if name in falling else name, fontsize=8.5, pad=3)
            axes.axhline(0, color="0.7", linewidth=0.8, zorder=0)
            axes.grid(axis="y", color="0.9", linewidth=0.6)
            axes.spines[["top", "right"]].set_visible(False)
            axes.tick_params(labelsize=7.5)
        for axes in grid[len(names) :]:
            axes.set_visible(False)
        part.supxlabel(textwrap.fill(label, 52) if narrow else label, fontsize=8.5)
        part.supylabel("Spearman's ρ", fontsize=8.5)
        grid[0].set(ylim=(-1.05, 1.05), yticks=[-1, -0.5, 0, 0.5, 1])
        return grid

    def legend(part: Any, grid: list[Any]) -> None:
        place: dict[str, Any] = {"loc": "outside upper right", "ncols": 1 if narrow else 2, "fontsize": 8}
        part.legend(*grid[0].get_legend_handles_labels(), frameon=False, **place)

    def draw(
        axes: Any, name: str, lines: Sequence[tuple[pd.DataFrame, str, str, str, dict[str, Any]]]
    ) -> None:
        sign = -1 if name in falling else 1
        known = False
        for part, against, column, label, style in lines:
            part = part[part["metric"] == name].sort_values(against)
            known |= bool(part[column].notna().any())
            style = {"label": label, "linewidth": 1.3, "markersize": 4, "clip_on": False, **style}
            axes.plot(part[against], sign * part[column], **style)
        if not known:
            words = "undefined" if (table["metric"] == name).any() else "not scored"
            axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", fontsize=8, style="italic")

    largest = table[table["articles"].isin([0, table["articles"].max()])]
    grid = panels(
        above, by_drift, rows[0], "drift: probability with which a mention in a candidate is worded otherwise"
    )
    grid[0].set(xticks=drifts, xticklabels=[f"{drift:g}" for drift in drifts])
    for axes, name in zip(grid, by_drift, strict=False):
        draw(axes, name, [(largest, "drift", *level) for level in _LEVELS])
    legend(above, grid)

    articles = sorted(set(table["articles"]) - {0})
    grid = panels(below, by_size, rows[1], "articles indexed")
    grid[0].set(xscale="log", xticks=articles, xticklabels=[str(number) for number in articles])
    grid[0].minorticks_off()
    ends = [(drifts[0], "-", "black"), (drifts[-1], ":", "white")]
    for axes, name in zip(grid, by_size, strict=False):
        lines = [
            (
                table[table["drift"] == drift],
                "articles",
                column,
                f"drift {drift:g}, {label}",
                {**style, "linestyle": line, "markerfacecolor": style["color"] if face == "black" else face},
            )
            for column, label, style in _LEVELS
            for drift, line, face in dict.fromkeys(ends)
        ]
        draw(axes, name, lines)
    legend(below, grid)
    return figure
