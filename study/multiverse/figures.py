"""The specification curve of the multiverse, with its explanation."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sera.reporting.figures import BLUE, RED, plt
from study.claims.multiverse import HEADLINE
from study.multiverse.choices import DIMENSIONS, QUESTION_WORDS, number_key, readable_name, title_label

_EFFECT = f"{HEADLINE}_spearman"


def specification_curve(
    universes: pd.DataFrame, question: str, benchmark: str, *, confidence: float = 95
) -> Figure:
    """Draw the specification curve: all universes sorted by SERA less ROUGE, above the choices of each.

    ``universes`` is a result of `answers.universe_table` for one question. The curve has the claim `HEADLINE`
    by Spearman's rho, with intervals of ``confidence`` percent.
    """
    counted_universes = universes[universes["weight"] > 0]
    decisive = counted_universes[counted_universes[_EFFECT].isin(["holds", "fails"])]
    table = decisive.sort_values(f"{_EFFECT}_effect", kind="stable", ignore_index=True)
    ahead = table[f"{_EFFECT}_effect"] > 0
    choices = {
        name: sorted(counted_universes[name].unique(), key=number_key)
        for name in DIMENSIONS
        if counted_universes[name].nunique() > 1
    }
    choices_height = 0.165 * (
        sum(map(len, choices.values())) + 0.6 * len(choices)
    )  # inches, as the following numbers
    height = 4.6 + choices_height
    figure = plt.figure(figsize=(10.5, height))
    share = choices_height / height
    upper = figure.add_axes((0.36, share + 0.75 / height, 0.53, 1 - share - 2.0 / height))
    lower = figure.add_axes((0.36, 0.5 / height, 0.53, share))
    _draw_curve(upper, table, ahead, universes[universes["universe"] == "own"])
    _draw_choices(lower, table, ahead, choices)
    for axes in (upper, lower):  # from this line on, SERA is ahead
        axes.axvline(np.count_nonzero(~ahead) - 0.5, color="black", linewidth=0.8, linestyle="--", zorder=5)
        axes.set_xlim(-1, max(len(table), 1))
        axes.set_xticks([])
    gaps = len(counted_universes) - len(table)
    note = f"; {gaps} where a correlation is undefined are not drawn" if gaps else ""
    order = "from where ROUGE is furthest ahead to where SERA is"
    lower.set_xlabel(f"{len(table)} universes, {order}{note}", fontsize=8.5)
    title = f"Does SERA follow Pyramid better than ROUGE in {QUESTION_WORDS[question]}?"
    text = (
        "Above: each dot is one universe, one way to make the choices that are varied below. It shows "
        "by how much the mean correlation of SERA's 12 variants exceeds that of ROUGE's 21, or of one side's "
        f"7. Grey: {confidence:g}% bootstrap interval over topics. Below: a mark shows which choices the "
        "universe above it has made; right: in how many of the universes with that choice SERA is ahead."
    )
    head: dict[str, Any] = {"va": "top", "linespacing": 1.3}
    title = f"{title} ({title_label(benchmark)})"
    figure.text(0.015, 1 - 0.1 / height, title, fontsize=11, weight="bold", **head)
    figure.text(0.015, 1 - 0.36 / height, textwrap.fill(text, 150), fontsize=8, **head)
    return figure


def _draw_curve(axes: Axes, table: pd.DataFrame, ahead: pd.Series, own: pd.DataFrame) -> None:
    """Draw the effects in order, their intervals, and the study's own universe as a diamond."""
    low, values, high = (table[f"{_EFFECT}_{end}"] for end in ("low", "effect", "high"))
    axes.fill_between(table.index, low, high, color="0.87", linewidth=0, step="mid", rasterized=True)
    for effects, color in ((values[ahead], BLUE), (values[~ahead], RED)):
        axes.plot(effects.index, effects, ".", color=color, markersize=3, rasterized=True)
    axes.axhline(0, color="black", linewidth=0.8)
    if len(own) and own[_EFFECT].iloc[0] in ("holds", "fails"):
        effect = own[f"{_EFFECT}_effect"].iloc[0]
        x = float(np.searchsorted(values, effect))
        axes.plot([x], [effect], marker="D", color="black", markersize=6, markerfacecolor="white")
        label_style: dict[str, Any] = {"xytext": (8, -12), "textcoords": "offset points", "fontsize": 8}
        axes.annotate("this project's settings", (x, effect), **label_style)
    axes.set_ylabel("Spearman's ρ with Pyramid:\nmean of SERA − mean of ROUGE", fontsize=9)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    part = np.average(ahead, weights=table["weight"]) if len(table) else np.nan
    style: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 9}
    text = f"ROUGE follows Pyramid better: {1 - part:.0%} of universes"
    axes.text(0.01, 0.97, text, color=RED, va="top", **style)
    style |= {"backgroundcolor": "white", "zorder": 6}  # above the line, which may cross here
    text = f"SERA follows Pyramid better: {part:.0%} of universes"
    axes.text(0.99, 0.03, text, color=BLUE, ha="right", **style)


def _draw_choices(
    axes: Axes, table: pd.DataFrame, ahead: pd.Series, dimensions: dict[str, list[str]]
) -> None:
    """Draw a line for each value of the varied dimensions, with a mark for each universe that has it."""

    def write(x: float, y: float, text: str, **style: Any) -> None:
        """Write beside the panel: ``x`` is in widths of the panel, ``y`` in its data."""
        axes.text(x, y, text, transform=axes.get_yaxis_transform(), **{"va": "center", **style})

    line, ticks = 0.0, {}
    for name, values in dimensions.items():
        line += 0.6
        write(-0.25, line + (len(values) - 1) / 2, readable_name(name), ha="right", fontsize=8)
        for value in values:
            has_value = table[name] == value
            for mask, color in ((has_value & ahead, BLUE), (has_value & ~ahead, RED)):
                ends = line - 0.38, line + 0.38
                axes.vlines(table.index[mask], *ends, color=color, linewidth=0.5, rasterized=True)
            if has_value.any():
                part = np.average(ahead[has_value], weights=table["weight"][has_value])
                write(1.015, line, f"{part:.0%}", fontsize=7.5)
            ticks[line] = readable_name(value)
            line += 1
        axes.axhline(line - 0.2, color="0.85", linewidth=0.6)
    axes.set_ylim(line or 1, 0)  # nothing may be varied
    axes.set_yticks(list(ticks), list(ticks.values()), fontsize=7.5)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    write(1.015, -0.6, "SERA\nahead", fontsize=7.5, va="bottom")
