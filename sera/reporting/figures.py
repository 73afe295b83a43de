"""Figures, each as SVG, PNG and PDF with reproducible bytes; names are drawn without any markup.

A figure has two layouts: a wide one for paper and screens, and with ``narrow`` one of `NARROW` inches, whose
panels are below each other, for the page on a phone.
"""

from __future__ import annotations

import logging
import os
import re
import textwrap
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from sera.evaluation.tables import has_published
from sera.io.files import writing

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

NARROW = 3.7
"""The width of a narrow figure in inches: on a phone, a point is then more than a pixel."""


def shortened(names: Iterable[str], longest: int = _LONGEST) -> dict[str, str]:
    """Names as a figure shows them: a long one loses its middle, unless two would then be equal."""
    names = list(dict.fromkeys(names))
    half = longest // 2
    shown = {
        name: name if len(name) <= longest else f"{name[:half]}…{name[len(name) - half + 1 :]}"
        for name in names
    }
    often = Counter(shown.values())
    return {name: short if often[short] == 1 else name for name, short in shown.items()}


def with_name(words: str, judgement: str, most: int) -> str:
    """The label of an axis with the name of a judgement, which has a line of its own if it is long."""
    between = " " if len(judgement) < most else "\n"
    return f"{words}{between}with {shortened([judgement])[judgement]}"


COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
_SHORT_NAME = 4  # letters that fit a point
_MARKERS = "os^Dv"


def reproduced_and_published(
    table: pd.DataFrame,
    *,
    title: str,
    judgement: str = "Pyramid",
    confidence: float = 95,
    over: str = "topics",
    narrow: bool = False,
) -> Figure:
    """Draw a table of correlations: a line per metric, a panel per coefficient; narrow, Spearman's rho alone.

    ``table`` is a result of `study.published.tables.beside`. A filled point with an interval is a reproduced
    value, a hollow diamond a published one, if there are any. ``over`` names what the intervals resample.
    """
    shown = {"spearman": COEFFICIENTS["spearman"]} if narrow else COEFFICIENTS
    compared = has_published(table)
    height = 0.2 * len(table) + 1.5
    size = (NARROW, height + 0.6) if narrow else (8.6, height)
    figure, grid = plt.subplots(1, len(shown), figsize=size, layout="constrained", sharey=True, squeeze=False)
    panels = grid[0]
    places = range(len(table))
    for axes, (name, words) in zip(panels, shown.items(), strict=True):
        ends = table[f"{name}_low"], table[f"{name}_high"]
        axes.hlines(places, *ends, color=BLUE, linewidth=3, alpha=0.35, zorder=1)
        label = "reproduced" if compared else "correlation"
        axes.plot(table[name], places, "o", color=BLUE, markersize=4.5, zorder=3, label=label)
        if compared:
            hollow = {"markerfacecolor": "white", "markeredgecolor": "black", "markersize": 4.5}
            axes.plot(table[f"{name}_paper"], places, "D", zorder=2, label="published", **hollow)
        axes.set_xlabel(with_name(words, judgement, 24 if narrow else 12))
        axes.axvline(0, color="0.6", linewidth=0.8, zorder=0)
        plain(axes, "x")
        axes.set_ylim(len(table) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        for place in places:
            if place % 2:
                axes.axhspan(place - 0.5, place + 0.5, color="0.95", linewidth=0, zorder=-1)
    panels[0].set_yticks(list(places), list(table["metric"]), fontsize=8)
    interval = Rectangle((0, 0), 1, 1, facecolor=BLUE, alpha=0.35, linewidth=0)
    handles, labels = panels[0].get_legend_handles_labels()
    labels = [*labels, f"its {confidence:g}% interval over {over}"]
    below: dict[str, Any] = {"loc": "outside lower center", "ncols": 2 if narrow else 3}
    figure.legend([*handles, interval], labels, frameon=False, fontsize=8.5, **below)
    titled(figure, title, narrow=narrow)
    return figure


def scatter(
    points: Mapping[str, pd.DataFrame], *, judgement: str, title: str, narrow: bool = False
) -> Figure:
    """Draw each metric against the judgement: a panel per metric, a point per system.

    A point has the system's name if all names are short, and else a number. ``points`` is a result of
    `sera.reporting.overview.points`.
    """
    columns = 2 if narrow else 4
    rows = -(-max(len(points), 1) // columns)
    names = list(next(iter(points.values())).index) if points else []
    short = max(map(len, names), default=0) <= _SHORT_NAME
    lines = [] if short else key_of_numbers(names, most=2, room=56) if narrow else key_of_numbers(names)
    signs = names if short else [str(number) for number in range(1, len(names) + 1)]
    height = (1.8 if narrow else 2.1) * rows + len(lines) * 0.2 + (1.0 if narrow else 0.65)
    figure, panels = plt.subplots(
        rows, columns, figsize=(NARROW if narrow else 8.6, height), layout="constrained", squeeze=False
    )
    for axes in panels.flat[len(points) :]:
        axes.axis("off")
    for axes, (metric, means) in zip(panels.flat, points.items(), strict=False):
        size = 230 if short and max(map(len, names)) > 2 else 90
        axes.scatter(means["score"], means["judgement"], s=size, color="white", edgecolor=BLUE, linewidth=0.8)
        for sign, x, y in zip(signs, means["score"], means["judgement"], strict=True):
            if pd.notna(x) and pd.notna(y):
                axes.annotate(sign, (x, y), ha="center", va="center_baseline", fontsize=6.5)
        axes.set_xlabel(shortened([metric])[metric], fontsize=8.5)
        axes.tick_params(labelsize=7)
        axes.margins(0.12)
        axes.locator_params(nbins=4)
        plain(axes, "both")
    for row in panels:
        row[0].set_ylabel(shortened([judgement], 30)[judgement], fontsize=8.5)
    figure.supxlabel("\n".join(lines), fontsize=8, x=0.02, ha="left")
    titled(figure, title, narrow=narrow)
    return figure


def key_of_numbers(names: Sequence[str], most: int = 5, room: int = 130) -> list[str]:
    """Lines of numbered names, up to ``most`` in a line of ``room`` letters, fewer if they are long.

    A name that is read from right to left has a line of its own, since it would change the order of others.
    """
    shown = shortened(names)
    lines: list[list[str]] = []
    left = 0
    for number, name in enumerate(names, 1):
        entry = f"{number} {shown[name]}"
        turned = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
        if not lines or len(lines[-1]) == most or left < len(entry) or turned:
            lines.append([])
            left = room
        lines[-1].append(entry)
        left = 0 if turned else left - len(entry) - 4
    return ["\u00a0\u00a0\u00a0 ".join(line) for line in lines]


def heat_map(matrix: pd.DataFrame, *, title: str, narrow: bool = False) -> Figure:
    """Draw Spearman's rho between metrics as numbers, from red (-1) over white (0) to blue (1).

    The matrix is symmetric, so only its lower half is drawn. Undefined cells are hatched.
    """
    values = matrix.to_numpy(dtype=float)
    shown = list(shortened(matrix.columns, 16 if narrow else _LONGEST).values())
    labels = 0.075 * max(map(len, shown), default=0) + 0.3  # inches
    cell = (NARROW - labels) / len(shown) if narrow else 0.245
    width = NARROW if narrow else max(cell * len(shown) + labels + 0.2, 4.5)
    figure, axes = plt.subplots(
        figsize=(width, cell * len(shown) + labels + (1.5 if narrow else 1.3)), layout="constrained"
    )
    upper = np.triu(np.ones_like(values, bool), 1)
    colours = plt.get_cmap("RdBu").with_extremes(bad="none")
    drawn = np.ma.masked_where(upper | np.isnan(values), values)
    image = axes.imshow(drawn, cmap=colours, vmin=-1, vmax=1, interpolation="nearest")
    for row, column in zip(*np.nonzero(~upper), strict=True):
        value = values[row, column]
        if np.isnan(value):
            edges = (column - 0.5, row - 0.5)
            box = Rectangle(edges, 1, 1, fill=False, hatch="////", edgecolor="0.6", linewidth=0)
            axes.add_patch(box)
        else:
            ink = "white" if abs(value) > 0.6 else "black"
            axes.text(column, row, _short(value), ha="center", va="center", fontsize=6.5, color=ink)
    places = range(len(matrix))
    axes.set_xticks(list(places), shown, rotation=90, fontsize=7)
    axes.set_yticks(list(places), shown, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(
        image, ax=axes, location="bottom", shrink=0.6, aspect=40, label="Spearman's ρ over systems"
    )
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)
    titled(figure, title, 12 * int(width), narrow=narrow)
    return figure


def _short(value: float) -> str:
    """A coefficient to two decimals, without the zero before the point: ``.97``, ``−.12`` and ``1``."""
    text = f"{value:z.2f}".replace("-", "−")
    return text.replace("0.", ".", 1) if abs(value) < 0.995 else text.removesuffix(".00")


def recall_by_length(table: pd.DataFrame, *, title: str, narrow: bool = False) -> Figure:
    """Draw the recall of keywords (0 to 1) against their length in words, a line per system.

    ``table`` is one of `sera.evaluation.keyword_tables.recall_by` by length; its rows of ROUGE-K
    are drawn. Below each length is the number of keywords. A length without a keyword has no point. Colours
    and markers are combined, so that 35 systems differ.
    """
    drawn = table[(table["metric"] == "ROUGE-K") & table["length"].notna()]
    recall = drawn.pivot(index="length", columns="system", values="recall")[drawn["system"].unique()]
    numbers = drawn.groupby("length")["keywords"].max()
    names = shortened(recall.columns)
    size = (NARROW, 3.4 + 0.12 * len(names)) if narrow else (7.0, 3.9)
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    for system, colour, marker in zip(recall, cycle(COLOURS), cycle(_MARKERS), strict=False):
        style: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4.5, "linewidth": 1.2}
        axes.plot(recall.index, recall[system], label=names[system], clip_on=False, **style)
    ticks = [f"{int(length)}\n({int(numbers[length])})" for length in recall.index]
    axes.set_xticks(list(recall.index), ticks)
    axes.set(ylim=(0, 1))
    axes.set_xlabel("words of the keyword (number of keywords)")
    axes.set_ylabel("ROUGE-K of these keywords")
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


def save_both(draw: Callable[..., Figure], stem: str | PathLike[str]) -> None:
    """Write both layouts of a figure: the wide one as `save` does, and ``<stem>_narrow.svg``."""
    save(draw(), stem)
    save(draw(narrow=True), f"{stem}_narrow", ["svg"])


def titled(figure: Figure, title: str, width: int = 100, *, narrow: bool = False) -> None:
    words = textwrap.fill(title, 52 if narrow else width)
    figure.suptitle(words, fontsize=8.5 if narrow else 9.5, x=0.02, horizontalalignment="left")


def plain(axes: Any, grid: Literal["both", "x", "y"] = "y") -> None:
    """A faint grid, and no frame but the two axes."""
    axes.grid(axis=grid, color="0.9", linewidth=0.6)
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

    Text is drawn as it is, without formulas. If the fonts lack a letter of a name, PNG and PDF show a box and
    the SVG has the letter; this is logged as a warning.
    """
    stem = Path(stem)
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    # text stays text, and ids are not random
    drawing: Any = {"svg.hashsalt": stem.name, "svg.fonttype": "none", "pdf.fonttype": 42}
    drawing["text.parse_math"] = False  # for text that does not exist yet, as that of ticks
    with matplotlib.rc_context(drawing), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for suffix in forms:
            with writing(f"{stem}.{suffix}", binary=True) as stream:
                figure.savefig(stream, format=suffix, **_FORMATS[suffix])
            figure.set_layout_engine("none")  # the first layout holds for all formats
    plt.close(figure)
    lacking = [each for each in said if re.match(r"Glyph \d+ ", str(each.message))]
    if lacking:
        logging.warning("%s: the fonts lack letters of some names; only the SVG shows these", stem.name)
    for each in said:
        if each not in lacking:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
