"""The figures of the multiverse, each with its explanation."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sera.evaluation.tables import title_label
from sera.reporting.figures import BLACK, BLUE, RED, plt, set_title, shorten, simplify_axes
from study.claims.multiverse import HEADLINE
from study.multiverse.choices import DIMENSIONS, QUESTION_WORDS, number_key, readable_name

_MARKERS: dict[str, dict[str, Any]] = {
    "pearson": {"marker": "o", "color": BLACK, "label": "Pearson's r"},
    "spearman": {"marker": "s", "color": BLUE, "label": "Spearman's ρ"},
    "kendall": {"marker": "^", "color": RED, "label": "Kendall's τ-b"},
}


def _write_beside(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """Write beside the panel: ``x`` is in widths of the panel, ``y`` in its data."""
    axes.text(x, y, text, transform=axes.get_yaxis_transform(), **{"va": "center", **style})


def specification_curve(
    universes: pd.DataFrame, question: str, benchmark: str, *, confidence: float = 95
) -> Figure:
    """Draw the specification curve: all universes sorted by SERA less ROUGE, above the choices of each.

    ``universes`` is a result of `answers.universe_table` for one question. The curve has the claim `HEADLINE`
    by Spearman's rho, with intervals of ``confidence`` percent.
    """
    effect = f"{HEADLINE}_spearman"
    drawn = universes[universes["weight"] > 0]
    table = drawn[drawn[effect].isin(["holds", "fails"])].sort_values(f"{effect}_effect", kind="stable")
    undefined = len(drawn) - len(table)
    values = table[f"{effect}_effect"].to_numpy()
    places = np.arange(len(table))
    varied = [name for name in DIMENSIONS if drawn[name].nunique() > 1]
    values_of = {name: sorted(drawn[name].unique(), key=number_key) for name in varied}
    lines = sum(map(len, values_of.values())) + 0.6 * len(varied)
    figure = plt.figure(figsize=(10.5, 4.6 + 0.165 * lines))
    height = figure.get_size_inches()[1]
    share = 0.165 * lines / height
    top = figure.add_axes((0.36, share + 0.75 / height, 0.53, 1 - share - 2.0 / height))
    below = figure.add_axes((0.36, 0.5 / height, 0.53, share))

    low, high = (table[f"{effect}_{end}"].to_numpy() for end in ("low", "high"))
    top.fill_between(places, low, high, color="0.87", linewidth=0, step="mid", rasterized=True)
    ahead = values > 0
    for mask, color in ((ahead, BLUE), (~ahead, RED)):
        top.plot(places[mask], values[mask], ".", color=color, markersize=3, rasterized=True)
    top.axhline(0, color="black", linewidth=0.8)
    for axes in (top, below):  # from this line on, SERA is ahead
        axes.axvline(np.count_nonzero(~ahead) - 0.5, color="black", linewidth=0.8, linestyle="--", zorder=5)
    own = universes[universes["universe"] == "own"]
    if len(own) and own[effect].iloc[0] in ("holds", "fails"):
        own_effect = own[f"{effect}_effect"].iloc[0]
        at = float(np.searchsorted(values, own_effect))
        top.plot([at], [own_effect], marker="D", color="black", markersize=6, markerfacecolor="white")
        beside: dict[str, Any] = {"xytext": (8, -12), "textcoords": "offset points", "fontsize": 8}
        top.annotate("this project's settings", (at, own_effect), **beside)
    top.set_xlim(-1, max(len(table), 1))
    top.set_xticks([])
    top.set_ylabel(f"{_MARKERS['spearman']['label']} with Pyramid:\nmean of SERA − mean of ROUGE", fontsize=9)
    top.spines[["top", "right", "bottom"]].set_visible(False)
    weights = table["weight"].to_numpy()
    part = weights[ahead].sum() / weights.sum() if len(table) else np.nan
    inside: dict[str, Any] = {"transform": top.transAxes, "fontsize": 9}
    top.text(
        0.01,
        0.97,
        f"ROUGE follows Pyramid better: {1 - part:.0%} of universes",
        color=RED,
        va="top",
        **inside,
    )
    inside |= {"backgroundcolor": "white", "zorder": 6}  # above the line, which may cross here
    top.text(
        0.99, 0.03, f"SERA follows Pyramid better: {part:.0%} of universes", color=BLUE, ha="right", **inside
    )

    line, ticks, labels = 0.0, [], []
    for name, of in values_of.items():
        line += 0.6
        first = line
        for value in of:
            chosen = (table[name] == value).to_numpy()
            for mask, color in ((chosen & ahead, BLUE), (chosen & ~ahead, RED)):
                ends = line - 0.38, line + 0.38
                below.vlines(places[mask], *ends, color=color, linewidth=0.5, rasterized=True)
            if weights[chosen].sum():
                share = weights[chosen & ahead].sum() / weights[chosen].sum()
                _write_beside(below, 1.015, line, f"{share:.0%}", fontsize=7.5)
            ticks.append(line)
            labels.append(readable_name(value))
            line += 1
        _write_beside(below, -0.25, (first + line - 1) / 2, readable_name(name), ha="right", fontsize=8)
        below.axhline(line - 0.2, color="0.85", linewidth=0.6)
    below.set_xlim(top.get_xlim())
    below.set_ylim(line or 1, 0)  # nothing may be varied
    below.set_yticks(ticks, labels, fontsize=7.5)
    below.tick_params(length=0)
    below.set_xticks([])
    below.spines[:].set_visible(False)
    _write_beside(below, 1.015, -0.6, "SERA\nahead", fontsize=7.5, va="bottom")
    left_out = f"; {undefined} where a correlation is undefined are not drawn" if undefined else ""
    order = "from where ROUGE is furthest ahead to where SERA is"
    below.set_xlabel(f"{len(table)} universes, {order}{left_out}", fontsize=8.5)
    write_head(
        figure,
        f"Does SERA follow Pyramid better than ROUGE in {QUESTION_WORDS[question]}? "
        f"({title_label(benchmark)})",
        "Above: each dot is one universe, one way to make the choices that are varied below. It shows "
        "by how much the mean correlation of SERA's 12 variants exceeds that of ROUGE's 21, or of one side's "
        f"7. Grey: {confidence:g}% bootstrap interval over topics. Below: a mark shows which choices the "
        "universe above it has made; right: in how many of the universes with that choice SERA is ahead.",
        width=150,
    )
    return figure


def influence_figure(table: pd.DataFrame, benchmark: str) -> Figure:
    """Draw the change of the mean correlations when a single system leaves (`answers.influence_table`)."""
    size = (10.5, 1.9 + 0.32 * table["system"].nunique())
    figure, panels = plt.subplots(1, 2, figsize=size, sharey=True, layout="constrained")
    pearson = table[table["coefficient"] == "pearson"].set_index("system")
    there = pearson[pearson["universes"] > 0]
    changes = there["ROUGE_change"].add(there["SERA_change"], fill_value=0)
    order = list(changes.sort_values(kind="stable").index)
    for axes, coefficient in zip(panels, ("pearson", "spearman"), strict=True):
        of = table[table["coefficient"] == coefficient].set_index("system")
        for place, name in enumerate(order):
            for family, offset, color, marker in (("ROUGE", -0.16, RED, "o"), ("SERA", 0.16, BLUE, "s")):
                row = of.loc[name]
                ends = row[[f"{family}_change_5", f"{family}_change_95"]]
                axes.plot(ends, [place + offset] * 2, color=color, linewidth=1)
                mean, label = row[f"{family}_change"], f"{family} (mean of its variants)"
                dot: dict[str, Any] = {"color": color, "marker": marker, "markersize": 5, "linestyle": ""}
                axes.plot([mean], [place + offset], label=None if place else label, **dot)
        axes.axvline(0, color="0.4", linewidth=0.8)
        axes.set_title(_MARKERS[coefficient]["label"], fontsize=9.5)
        axes.set_xlabel("change of the correlation when the system leaves", fontsize=8.5)
        simplify_axes(axes)
    shown = shorten(order)
    panels[0].set_yticks(range(len(order)), [shown[name].replace("_", " ") for name in order], fontsize=8.5)
    panels[0].set_ylim(len(order) - 0.5, -0.5)
    labelled = panels[1].get_legend_handles_labels()
    figure.legend(*labelled, frameon=False, fontsize=8.5, loc="outside lower center", ncols=2)
    set_title(
        figure,
        f"Which single systems carry the correlation with Pyramid? ({title_label(benchmark)}) "
        "Mean over all universes of the system level, with the 5th and 95th percentile. Left of 0: the "
        "correlation is lower without that system, so the system carries it. Right of 0: it hides it.",
        150,
    )
    return figure


def write_head(figure: Figure, title: str, text: str, *, width: int) -> None:
    """Write the title and the explanation of a figure above its panels."""
    height = figure.get_size_inches()[1]
    figure.text(0.015, 1 - 0.1 / height, title, fontsize=11, weight="bold", va="top")
    figure.text(0.015, 1 - 0.36 / height, textwrap.fill(text, width), fontsize=8, va="top", linespacing=1.3)
