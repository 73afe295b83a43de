"""The figures of a study with their captions: Figure 1, its twins, MOULIN ROUGE's two scores, the audit."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from sera.evaluation.tables import caption, has_published, read_tsv
from sera.io.scores import add_judgements, read_scores
from sera.metrics.sera import PAPER_CUTOFFS
from sera.reporting.figures import (
    BLUE,
    COEFFICIENTS,
    LINE_STYLES,
    Drawing,
    drawings,
    label_axis,
    plt,
    set_title,
    shorten,
    simplify_axes,
)
from sera.reporting.overview import means_by_system
from study.published import FIGURE1
from study.published.tables import read_published

CONTENT_SCORE, ABSTRACTION_SCORE = "MOULIN-ROUGE-Content", "MOULIN-ROUGE-Abstraction"
"""The metrics of the figure."""


def correlation_by_cutoff(
    lines: Mapping[str, Sequence[float]],
    cutoffs: Sequence[int],
    *,
    title: str,
    judgement: str = "Pyramid",
    coefficient: str = "spearman",
    published: Mapping[str, Mapping[int, float]] | None = None,
) -> Figure:
    """Draw Figure 1 of the paper: Spearman's rho with Pyramid against the rank cut-off, a line per variant.

    For another ``coefficient``, "pearson" or "kendall", it is the figure's twin.

    Lines come in pairs, a variant and its discounted form, in the same colour, solid and dashed. An undefined
    value is a gap in the line. ``published`` holds the paper's values at some cut-offs, drawn in a second
    panel.
    """
    count = 2 if published else 1
    shape: dict[str, Any] = {"figsize": (6 + 1.6 * count, 4.2), "width_ratios": [2.6, 1][:count]}
    figure, grid = plt.subplots(1, count, layout="constrained", sharey=True, squeeze=False, **shape)
    panels = list(grid.flat)
    axes = panels[0]
    handles = []
    for (name, values), style in zip(lines.items(), LINE_STYLES, strict=False):
        handles += axes.plot(cutoffs, values, linewidth=1.4, markersize=5, **style)
        if published:
            points = sorted(published.get(name, {}).items())
            panels[1].plot(*zip(*points, strict=True) if points else ([], []), markersize=6, **style)
    axes.set_xticks(list(cutoffs))
    axes.set_xlabel("rank cut-off (documents retrieved a summary)")
    axes.set_ylabel(label_axis(COEFFICIENTS[coefficient], judgement, 30))
    if published:
        axes.set_title("reproduced", fontsize=10, loc="left")
        panels[1].set_title("published (Table 2)", fontsize=10, loc="left")
        panels[1].set_xticks(sorted({cutoff for points in published.values() for cutoff in points}))
        panels[1].set_xlabel("rank cut-off")
        panels[1].margins(x=0.25)
    set_title(figure, title)
    for panel in panels:
        panel.axhline(0, color="0.7", linewidth=0.8, zorder=0)
        simplify_axes(panel)
    figure.legend(handles, list(lines), frameon=False, loc="outside right center", fontsize=9)
    return figure


def content_and_abstraction(means: pd.DataFrame, *, title: str) -> Figure:
    """Draw the mean content and abstraction of each system, 0 to 1: a line per system, most content first.

    ``means`` has a row per system and the columns `CONTENT_SCORE` and `ABSTRACTION_SCORE`; an undefined mean
    has no point.
    """
    table = means.sort_values(CONTENT_SCORE, kind="stable", na_position="first")
    places = list(range(len(table)))
    figure, axes = plt.subplots(figsize=(7.0, 0.24 * len(table) + 1.5), layout="constrained")
    style: dict[str, Any] = {"linestyle": "", "markersize": 6, "clip_on": False, "zorder": 3}
    axes.plot(table[CONTENT_SCORE], places, "o", color=BLUE, label="content", **style)
    style |= {"color": "black", "markerfacecolor": "none"}
    axes.plot(table[ABSTRACTION_SCORE], places, "D", label="abstraction", **style)
    axes.set_yticks(places, list(shorten(table.index).values()), fontsize=9)
    axes.set(xlim=(0, 1), xlabel="mean score over topics")
    figure.legend(frameon=False, loc="outside lower center", ncols=2, fontsize=9)
    set_title(figure, title, 80)
    simplify_axes(axes, "both")
    return figure


VARIANTS = ("SERA", "SERA-DIS", "SERA-NP", "SERA-DIS-NP", "SERA-KW", "SERA-DIS-KW")


def study_drawings(
    files: Mapping[str, Any],
    *,
    benchmark: str,
    judgement: str,
    systems: Sequence[str],
    cutoffs: Sequence[int],
    confidence: float,
    over: str,
) -> dict[str, Drawing]:
    """The figures of a study with judgements, by name.

    ``files`` has the paths of ``correlations``, ``scores`` and ``table2``, and where there are any, of
    ``judgements`` and ``published``. ``over`` names what intervals resample.
    """
    correlations, table = read_tsv(files["correlations"]), read_tsv(files["table2"])
    table = table[table["against"] == judgement].reset_index(drop=True)
    scores = add_judgements(read_scores(files["scores"]), files.get("judgements"))
    is_published = has_published(table)

    def title(name: str) -> str:
        return caption(name, benchmark, judgement, compared=is_published, over=over)

    means = means_by_system(scores)[[CONTENT_SCORE, ABSTRACTION_SCORE]]
    means_title = caption("moulin_rouge", benchmark)
    draw_means = partial(content_and_abstraction, means, title=means_title)
    return {
        **_draw_by_cutoff(correlations, files.get("published"), benchmark, judgement, cutoffs),
        "moulin_rouge": Drawing(draw_means, means_title),
        **drawings(table, correlations, scores, systems, judgement, title, confidence, over),
    }


def _draw_by_cutoff(
    correlations: pd.DataFrame, path: str | None, benchmark: str, judgement: str, cutoffs: Sequence[int]
) -> dict[str, Drawing]:
    """Figure 1 of the paper and its twins for the other coefficients."""
    own = correlations[correlations["against"] == judgement]
    papers_table = read_published(path) if path else None
    drawings_by_name = {}
    for figure, coefficient in FIGURE1.items():
        ours = _tabulate_variants(own, cutoffs, coefficient)
        papers = (
            None
            if papers_table is None
            else _tabulate_variants(papers_table, PAPER_CUTOFFS, coefficient).to_dict()
        )
        title = caption(figure, benchmark, judgement, compared=papers is not None)
        draw = partial(
            correlation_by_cutoff,
            ours.to_dict("list"),
            cutoffs,
            title=title,
            judgement=judgement,
            coefficient=coefficient,
            published=papers,
        )
        drawings_by_name[figure] = Drawing(draw, title)
    return drawings_by_name


def _tabulate_variants(table: pd.DataFrame, cutoffs: Sequence[int], coefficient: str) -> pd.DataFrame:
    """A row per cut-off, a column per variant of SERA that was scored."""
    values = table.set_index("metric")[coefficient]
    names = [name for name in VARIANTS if any(f"{name}-{n}" in values for n in cutoffs)]
    columns = {name: [values.get(f"{name}-{n}", np.nan) for n in cutoffs] for name in names}
    return pd.DataFrame(columns, index=list(cutoffs), dtype=float)


# The audit: the numbers of systems that can give each printed pair of rank correlations.

_TIES = {"none": "no ties", "one": "ties on one side", "both": "on both sides"}
_ATTAINABLE = (
    "Each line is a printed pair of Spearman's ρ and Kendall's τ-b between the rankings of systems by two "
    "metrics. Dark: two rankings of this number of systems have this ρ and this τ-b, each within one unit of "
    "the last digit; all rankings were tried. White: there are none, or the pair is undefined. Ties on one "
    "side: two systems have the same score by one of the metrics; on both sides: two have by each of them."
)


def attainable_pairs(table: pd.DataFrame, *, title: str) -> Figure:
    """Draw which printed pairs of rank correlations are possible.

    ``table`` is the result of `study.published.audit.audit`. The figure has a line per row and a column per
    number of systems and place of ties, dark where the pair is possible.
    """
    columns = [name for name in table if re.fullmatch(rf"\d+_({'|'.join(_TIES)})", name)]
    systems, ties = zip(*(name.split("_") for name in columns), strict=True)
    labels = table["metric"] + np.where(table["against"] == "", "", " with " + table["against"])
    lines = labels + "   ρ " + table["spearman"] + "   τ-b " + table["kendall"]
    figure, axes = plt.subplots(figsize=(8.4, 0.16 * len(table) + 2.6), layout="constrained")
    colours = ListedColormap(["white", "#1a3a5c"])
    axes.pcolormesh(table[columns] == "yes", cmap=colours, vmin=0, vmax=1, edgecolors="0.75", linewidth=0.5)
    heads = [f"{number} systems, {_TIES[each]}" for number, each in zip(systems, ties, strict=True)]
    axes.set_xticks(np.arange(len(columns)) + 0.5, heads, rotation=90, fontsize=7)
    axes.set_yticks(np.arange(len(table)) + 0.5, lines.str.replace("-0", "−0"), fontsize=7.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for first in np.flatnonzero(table["table"].ne(table["table"].shift()))[1:]:  # between two tables
        axes.axhline(first, color="black", linewidth=1.5)
    for place in np.flatnonzero(pd.Series(systems).ne(pd.Series(systems).shift()))[1:]:
        axes.axvline(place, color="black", linewidth=1)
    axes.invert_yaxis()
    set_title(figure, title)
    figure.supxlabel(textwrap.fill(_ATTAINABLE, 122), fontsize=8, x=0.02, ha="left")
    return figure
