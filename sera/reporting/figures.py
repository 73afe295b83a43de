"""Figures, each as SVG, PNG and PDF with reproducible bytes; names are drawn without any markup."""

import os
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from sera.evaluation.tables import has_published
from sera.io.files import writing
from sera.reporting.overview import correlate_metrics, points, shown_metrics

if "inline" not in os.environ.get("MPLBACKEND", ""):  # a notebook goes on to show its own figures
    matplotlib.use("agg")

# Okabe and Ito's colours, which colour-blind readers can distinguish; markers and dashes differ in grey too.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
BLACK, BLUE, RED = COLOURS[:3]
LINE_STYLES: list[dict[str, Any]] = [
    {"color": colour, "marker": marker, **line}
    for colour, marker in zip(COLOURS, "os^", strict=False)
    for line in ({"linestyle": "-"}, {"linestyle": "--", "markerfacecolor": "white"})
]

_LONGEST = 40  # letters of a name where space is short


def shorten(names: Iterable[str], longest: int = _LONGEST) -> dict[str, str]:
    """Names as a figure shows them: a long one loses its middle."""
    half = longest // 2
    return {
        name: name if len(name) <= longest else f"{name[:half]}…{name[len(name) - half + 1 :]}"
        for name in names
    }


def label_axis(words: str, judgement: str, most: int) -> str:
    """The label of an axis with the name of a judgement, which has a line of its own if it is long."""
    separator = " " if len(judgement) < most else "\n"
    return f"{words}{separator}with {shorten([judgement])[judgement]}"


COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
_SHORT_NAME = 4  # letters that fit a point
_MARKERS = "os^Dv"


def plot_correlations(
    table: pd.DataFrame,
    *,
    title: str,
    judgement: str = "Pyramid",
    confidence: float = 95,
    over: str = "topics",
) -> Figure:
    """Draw a table of correlations: a line per metric, a panel per coefficient.

    ``table`` is a result of `study.published.tables.join_published`. A filled point with an interval is a
    reproduced value, a hollow diamond a published one, if there are any. ``over`` names what the intervals
    resample.
    """
    has_paper = has_published(table)
    size = (8.6, 0.2 * len(table) + 1.5)
    figure, panels = plt.subplots(1, len(COEFFICIENTS), figsize=size, layout="constrained", sharey=True)
    places = range(len(table))
    for axes, (name, words) in zip(panels, COEFFICIENTS.items(), strict=True):
        ends = table[f"{name}_low"], table[f"{name}_high"]
        axes.hlines(places, *ends, color=BLUE, linewidth=3, alpha=0.35, zorder=1)
        label = "reproduced" if has_paper else "correlation"
        axes.plot(table[name], places, "o", color=BLUE, markersize=4.5, zorder=3, label=label)
        if has_paper:
            hollow = {"markerfacecolor": "white", "markeredgecolor": "black", "markersize": 4.5}
            axes.plot(table[f"{name}_paper"], places, "D", zorder=2, label="published", **hollow)
        axes.set_xlabel(label_axis(words, judgement, 9))
        axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
        simplify_axes(axes, "x")
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        for place in places:
            if place % 2:
                axes.axhspan(place - 0.5, place + 0.5, color="0.95", linewidth=0, zorder=-1)
    panels[0].set_yticks(list(places), list(table["metric"]), fontsize=8)
    interval = Rectangle((0, 0), 1, 1, facecolor=BLUE, alpha=0.35, linewidth=0)
    handles, labels = panels[0].get_legend_handles_labels()
    labels = [*labels, f"its {confidence:g}% interval over {over}"]
    figure.legend(
        [*handles, interval], labels, frameon=False, fontsize=8.5, loc="outside lower center", ncols=3
    )
    set_title(figure, title)
    return figure


def scatter(points: Mapping[str, pd.DataFrame], *, judgement: str, title: str) -> Figure:
    """Draw each metric against the judgement: a panel per metric, a point per system.

    A point has the system's name if all names are short, and else a number. ``points`` is a result of
    `sera.reporting.overview.points`.
    """
    columns = 4
    rows = -(-max(len(points), 1) // columns)
    names = list(next(iter(points.values())).index) if points else []
    short = max(map(len, names), default=0) <= _SHORT_NAME
    lines = [] if short else number_names(names)
    signs = names if short else [str(number) for number in range(1, len(names) + 1)]
    size = (8.6, 2.1 * rows + len(lines) * 0.2 + 0.65)
    figure, panels = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    for axes in panels.flat[len(points) :]:
        axes.axis("off")
    for axes, (metric, means) in zip(panels.flat, points.items(), strict=False):
        area = 260 if short and max(map(len, names)) > 2 else 120
        axes.scatter(means["score"], means["judgement"], s=area, color="white", edgecolor=BLUE, linewidth=0.8)
        for sign, x, y in zip(signs, means["score"], means["judgement"], strict=True):
            if pd.notna(x) and pd.notna(y):
                axes.annotate(sign, (x, y), ha="center", va="center_baseline", fontsize=8)
        axes.set_xlabel(shorten([metric], 28)[metric], fontsize=8.5)
        axes.tick_params(labelsize=8)
        axes.margins(0.12)
        axes.locator_params(nbins=4)
        simplify_axes(axes, "both")
    for row in panels:
        row[0].set_ylabel(shorten([judgement], 30)[judgement], fontsize=8.5)
    figure.supxlabel("\n".join(lines), fontsize=8, x=0.02, ha="left")
    set_title(figure, title)
    return figure


def number_names(names: Sequence[str], most: int = 5, room: int = 130) -> list[str]:
    """Lines of numbered names, up to ``most`` in a line of ``room`` letters, fewer if they are long."""
    labels = shorten(names)
    lines: list[list[str]] = []
    space = 0
    for number, name in enumerate(names, 1):
        entry = f"{number} {labels[name]}"
        if not lines or len(lines[-1]) == most or space < len(entry):
            lines.append([])
            space = room
        lines[-1].append(entry)
        space -= len(entry) + 4
    return ["\u00a0\u00a0\u00a0 ".join(line) for line in lines]


def heat_map(matrix: pd.DataFrame, *, title: str) -> Figure:
    """Draw Spearman's rho between metrics as numbers, from red (-1) over white (0) to blue (1).

    The matrix is symmetric, so only its lower half is drawn. Undefined cells are hatched.
    """
    values = matrix.to_numpy(dtype=float)
    names = list(shorten(matrix.columns).values())
    labels = 0.07 * max(map(len, names), default=0) + 0.3  # inches
    body = 0.28 * len(names) + labels
    width = max(body + 0.2, 4.5)
    figure, axes = plt.subplots(figsize=(width, body + 1.1), layout="constrained")
    upper = np.triu(np.ones_like(values, bool), 1)
    colours = plt.get_cmap("RdBu").with_extremes(bad="none")
    cells = np.ma.masked_where(upper | np.isnan(values), values)
    image = axes.imshow(cells, cmap=colours, vmin=-1, vmax=1, interpolation="nearest")
    for row, column in zip(*np.nonzero(~upper), strict=True):
        value = values[row, column]
        if np.isnan(value):
            edges = (column - 0.5, row - 0.5)
            box = Rectangle(edges, 1, 1, fill=False, hatch="////", edgecolor="0.6", linewidth=0)
            axes.add_patch(box)
        else:
            ink = "white" if abs(value) > 0.6 else "black"
            axes.text(column, row, _short(value), ha="center", va="center", fontsize=8, color=ink)
    places = range(len(matrix))
    axes.set_xticks(list(places), names, rotation=90, fontsize=8)
    axes.set_yticks(list(places), names, fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(
        image, ax=axes, location="bottom", shrink=0.6, aspect=40, label="Spearman's ρ over systems"
    )
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_visible(False)
    set_title(figure, title, 12 * int(width))
    return figure


def _short(value: float) -> str:
    """A coefficient to two decimals, without the zero before the point: ``.97``, ``−.12`` and ``1``."""
    text = f"{value:z.2f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text.removesuffix(".00")


def recall_by_length(table: pd.DataFrame, *, title: str) -> Figure:
    """Draw the recall of keywords (0 to 1) against their length in words, a line per system.

    ``table`` is one of `sera.evaluation.keyword_tables.keyword_recall` by length; its rows of ROUGE-K
    are drawn. Below each length is the number of keywords. A length without a keyword has no point. Colours
    and markers are combined, so that 35 systems differ.
    """
    rows = table[(table["metric"] == "ROUGE-K") & table["length"].notna()]
    recall = rows.pivot(index="length", columns="system", values="recall")[rows["system"].unique()]
    numbers = rows.groupby("length")["keywords"].max()
    names = shorten(recall.columns)
    figure, axes = plt.subplots(figsize=(7.0, 3.9), layout="constrained")
    for system, colour, marker in zip(recall, cycle(COLOURS), cycle(_MARKERS), strict=False):
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5, "linewidth": 1.2}
        axes.plot(recall.index, recall[system], label=names[system], clip_on=False, **style)
    ticks = [f"{int(length)}\n({int(numbers[length])})" for length in recall.index]
    axes.set_xticks(list(recall.index), ticks)
    axes.set(ylim=(0, 1))
    axes.set_xlabel("words of the keyword (number of keywords)")
    axes.set_ylabel("ROUGE-K of these keywords")
    set_title(figure, title, 80)
    simplify_axes(axes)
    if names:
        figure.legend(frameon=False, loc="outside right center", fontsize=8.5)
    return figure


def set_title(figure: Figure, title: str, width: int = 100) -> None:
    """Put a title above a figure, in lines of at most ``width`` letters."""
    figure.suptitle(textwrap.fill(title, width), fontsize=9.5, x=0.02, horizontalalignment="left")


def simplify_axes(axes: Any, grid: Literal["both", "x", "y"] = "y") -> None:
    """A faint grid, and no frame but the two axes."""
    axes.grid(axis=grid, color="0.9", linewidth=0.6, clip_on=False)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


# without times and versions, so that the same figure has the same bytes
_FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "png": {"metadata": {"Software": None}, "dpi": 160},
    "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def save(figure: Figure, stem: str | PathLike[str], forms: Iterable[str] = ("svg", "png", "pdf")) -> None:
    """Write ``<stem>.svg``, ``<stem>.png`` and ``<stem>.pdf``, or some of these, and close the figure.

    Text is drawn as it is, without formulas. If the fonts lack a letter, PNG and PDF show a box, and
    the SVG has the letter.
    """
    stem = Path(stem)
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    # text stays text, ids are not random, and each text names two fonts instead of eleven
    drawing: Any = {"svg.hashsalt": stem.name, "svg.fonttype": "none", "pdf.fonttype": 42}
    drawing["font.sans-serif"] = ["DejaVu Sans", "Arial"]
    drawing["text.parse_math"] = False  # for text that does not exist yet, as that of ticks
    with matplotlib.rc_context(drawing):
        for suffix in forms:
            with writing(f"{stem}.{suffix}", binary=True) as stream:
                figure.savefig(stream, format=suffix, **_FORMATS[suffix])
            figure.set_layout_engine("none")  # the first layout holds for all formats
    plt.close(figure)


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
    falls: Collection[str] = (),
) -> dict[str, Drawing]:
    """The figures ``comparison``, ``scatter`` and ``metrics``.

    ``table`` has the correlations with one judgement, in a study beside the published ones; the first and the
    last figure show its metrics. ``correlations`` has all metrics, ``scores`` all scores and the judgement's.
    ``title`` returns the title of a figure by its name, ``confidence`` is that of the table's intervals, in
    percent, and ``over`` names what they resample. ``falls`` is that of `shown_metrics`.
    """
    shown = shown_metrics(correlations, judgement, falls=falls)
    system_points = points(scores, systems, shown, judgement)
    matrix = correlate_metrics(scores, systems, [judgement, *table["metric"]], judgement)
    options: dict[str, Any] = {"judgement": judgement, "confidence": confidence, "over": over}
    functions: dict[str, Callable[..., Figure]] = {
        "comparison": partial(plot_correlations, table, **options),
        "scatter": partial(scatter, system_points, judgement=judgement),
        "metrics": partial(heat_map, matrix),
    }
    return {name: Drawing(partial(draw, title=title(name)), title(name)) for name, draw in functions.items()}
