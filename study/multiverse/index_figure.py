"""The figure and the readable tables of the study of the index."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS, in_title, printed
from sera.reporting.figures import BLACK, BLUE, RED, plt
from study.multiverse.index_study import COLLECTIONS, CURVE_LEVELS, CURVE_MODELS, MEANS, RANDOM, WHOLE

_COEFFICIENT = "spearman"
_DASHES = {"line": "--", "levelling off": ":"}
_QUESTIONS = {"system": "Does it rank systems?", "summary": "Does it rank the summaries of a topic?"}


def readable_sizes(table: pd.DataFrame) -> pd.DataFrame:
    """The means of SERA's and ROUGE's variants as text, a row for each level, collection and number.

    ``table`` is a result of `study.multiverse.index_study.sizes_table`. A mean over several
    draws is followed by their standard deviation.
    """
    keys = ["level", "collection", "articles"]
    sera, rouge = (table[table["metric"] == MEANS[name]].set_index(keys) for name in ("SERA", "ROUGE"))
    shown = pd.DataFrame({"draws": sera["draws"], "on the subject": sera["on_subject"].map("{:.0%}".format)})
    for name in CORRELATIONS:
        spread = [f" ± {_number(sd)}" if sd == sd else "" for sd in sera[f"{name}_sd"]]
        shown[f"SERA {SYMBOLS[name]}"] = [_number(x) + sd for x, sd in zip(sera[name], spread, strict=True)]
        shown[f"ROUGE {SYMBOLS[name]}"] = rouge[name].map(_number)
    return printed(shown.reset_index())


def readable_curve(table: pd.DataFrame) -> pd.DataFrame:
    """A result of `study.multiverse.index_study.curve_table` or `kinds_table` as text."""
    shown = table.drop(columns="undefined_draws").rename(columns={"coefficient": "by"})
    return printed(shown.assign(by=shown["by"].map(SYMBOLS)))


def _number(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:z.3f}".replace("-", "−")


def index_figure(
    draws: pd.DataFrame, curve: pd.DataFrame, benchmark: str, *, confidence: float = 95
) -> Figure:
    """Draw the mean correlation of SERA's variants by the number of articles, and by their kind.

    ``draws`` is a result of `study.multiverse.index_study.draws_table`, ``curve`` of `curve_table`; a row of
    panels for each, a column for each of `CURVE_LEVELS`. The kinds are those at the largest number of
    articles that most of them have.
    """
    means = draws[draws["metric"] == MEANS["SERA"]]
    kinds = means[means["collection"] != WHOLE]
    size = _common_size(kinds)
    lowest = min(-0.1, draws[_COEFFICIENT].min() - 0.05)
    figure = plt.figure(figsize=(10.5, 6.9))
    margins = {"left": 0.09, "right": 0.98, "bottom": 0.08, "top": 0.80}
    grid = figure.add_gridspec(2, 2, hspace=0.42, wspace=0.08, height_ratios=(3, 2), **margins)
    for column, level in enumerate(CURVE_LEVELS):
        above, below = figure.add_subplot(grid[0, column]), figure.add_subplot(grid[1, column])
        rouge = draws[(draws["level"] == level) & (draws["metric"] == MEANS["ROUGE"])][_COEFFICIENT].iloc[0]
        here = means[means["level"] == level]
        _draw_curve(above, here, curve, level)
        _draw_kinds(below, here[here["articles"] == size])
        for axes in (above, below):
            axes.axhline(rouge, color=RED, linewidth=1.2, zorder=1)
            axes.grid(axis="y", color="0.92", linewidth=0.6)
            axes.set_axisbelow(True)
            axes.spines[["top", "right"]].set_visible(False)
            axes.set_ylim(lowest, 1.05)
            axes.set_yticks(np.linspace(0, 1, 6))
            axes.tick_params(labelsize=8)
            if column:
                axes.set_yticklabels([])
        above.set_title(_QUESTIONS[level], fontsize=9.5, loc="left")
        above.set_xlabel("articles in the index", fontsize=8.5)
        compared = f", {size:,} in the index" if size else ": too few to compare"
        below.set_title(f"Kinds of articles{compared}", fontsize=8.5, loc="left")
    symbol = SYMBOLS[_COEFFICIENT]
    figure.supylabel(f"{symbol} with Pyramid, mean of the variants", fontsize=9, x=0.015)
    _legend(figure)
    title = f"SERA's correlation with Pyramid by the articles in its index ({in_title(benchmark)})"
    figure.text(0.015, 0.985, title, fontsize=11, weight="bold", va="top")
    words = (
        "Each dot is one sample of the articles, indexed by itself; all else stays. Line: mean over the "
        "samples of a size, up to all articles (diamond). Right of it nothing was measured: two models "
        f"continue the curve, with {confidence:g}% intervals over topics and samples (grey for the line in "
        "the logarithm, bar for levelling off). A correlation above 1 is impossible."
    )
    figure.text(0.015, 0.952, textwrap.fill(words, 150), fontsize=8, va="top", linespacing=1.3)
    return figure


def _common_size(kinds: pd.DataFrame) -> int:
    """The largest number of articles at which the most kinds were drawn; 0 without any."""
    if kinds.empty:
        return 0
    counts = kinds.groupby("articles")["collection"].nunique()
    return int(counts[counts == counts.max()].index.max())


def _draw_curve(axes: Axes, means: pd.DataFrame, curve: pd.DataFrame, level: str) -> None:
    drawn = means[means["collection"] == RANDOM]
    whole = means[means["collection"] == WHOLE].iloc[0]
    axes.plot(drawn["articles"], drawn[_COEFFICIENT], ".", color="0.55", markersize=5, zorder=2)
    by_size = drawn.groupby("articles")[_COEFFICIENT].mean()
    by_size.loc[whole["articles"]] = whole[_COEFFICIENT]
    axes.plot(by_size.index, by_size, "-", color=BLUE, linewidth=1.6, zorder=3)
    axes.plot([whole["articles"]], [whole[_COEFFICIENT]], "D", color=BLUE, markersize=6, zorder=4)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda articles, _: f"{articles:,.0f}")
    axes.xaxis.set_minor_formatter(lambda articles, _: "")
    if curve.empty:
        return
    for model in CURVE_MODELS:
        of = curve[(curve["level"] == level) & (curve["coefficient"] == _COEFFICIENT)]
        row = of[of["model"] == model].iloc[0]
        # the model itself, through its values at all articles and at the end
        shape, ends = CURVE_MODELS[model], np.array([whole["articles"], row["articles"]], float)
        values = np.array([row["fitted"], row["value"]])
        steps = np.geomspace(ends[0], ends[1], 50)
        share = (shape(steps) - shape(ends[0])) / (shape(ends[1]) - shape(ends[0]))
        axes.plot(steps, values[0] + share * (values[1] - values[0]), _DASHES[model], color=BLACK, zorder=3)
        if model == "line":
            pairs = [[row[f"{name}_{end}"] for name in ("fitted", "value")] for end in ("low", "high")]
            fans = [first + share * (last - first) for first, last in pairs]
            axes.fill_between(steps, *fans, color="0.88", linewidth=0, zorder=0)
        else:
            axes.plot([ends[1]] * 2, [row["value_low"], row["value_high"]], "-", color=BLACK, linewidth=1.2)


def _draw_kinds(axes: Axes, means: pd.DataFrame) -> None:
    names = [name for name in COLLECTIONS if name != WHOLE and (means["collection"] == name).any()]
    for place, name in enumerate(names):
        values = means[means["collection"] == name][_COEFFICIENT].to_numpy()
        axes.plot([place] * len(values), values, ".", color="0.55", markersize=5, zorder=2)
        ends = [place - 0.25, place + 0.25]
        axes.plot(ends, [values.mean()] * 2, "-", color=BLUE, linewidth=2.2, zorder=3)
    axes.set_xticks(range(len(names)), [name.replace(" the ", " the\n") for name in names])
    axes.set_xlim(-0.6, max(len(names), 1) - 0.4)


def _legend(figure: Figure) -> None:
    axes = figure.axes[0]
    styles: list[tuple[str, str, dict[str, Any]]] = [
        ("SERA, one sample", ".", {"color": "0.55", "markersize": 6}),
        ("SERA, mean", "-", {"color": BLUE, "linewidth": 1.6}),
        ("SERA, all articles", "D", {"color": BLUE, "markersize": 5}),
        ("a line goes on", "--", {"color": BLACK}),
        ("levelling off", ":", {"color": BLACK}),
        ("ROUGE, mean", "-", {"color": RED, "linewidth": 1.2}),
    ]
    handles = [axes.plot([], [], sign, label=label, **style)[0] for label, sign, style in styles]
    figure.legend(
        handles=handles, ncols=6, loc="upper left", bbox_to_anchor=(0.01, 0.885), frameon=False, fontsize=8
    )
