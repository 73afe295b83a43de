"""The figure of the audit: the numbers of systems that can give each printed pair of rank correlations."""

from __future__ import annotations

import re
import textwrap
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sera.evaluation.tables import UNDEFINED
from sera.reporting.figures import plt  # drawn without a screen

_DARK = "#1a3a5c"
_PATTERNS = {"none": "no ties", "one": "one side", "both": "both sides"}
_ATTAINABLE = (
    "Each line is a printed pair of Spearman's ρ and Kendall's τ-b between the rankings of systems by two "
    "metrics. Dark: there are two rankings of this number of systems that have this ρ and this τ-b, each "
    "within one unit of the last digit; all rankings were tried. White: there are none. No ties: all systems "
    "have different scores; one side: two systems have the same score by one of the metrics; both sides: two "
    "have by each of them."
)
_BY_CHANCE = (
    "* If the rows were of nine systems, this number would fit by chance: the share of all pairs of rankings "
    "of nine systems without ties whose rounded ρ and τ-b this number of systems can also give (with any "
    "pattern)."
)


def attainable_pairs(table: pd.DataFrame, counts: pd.DataFrame, *, title: str) -> Figure:
    """Draw which numbers of systems can give each printed pair of rank correlations.

    ``table`` and ``counts`` are the results of ``audit`` and ``summary`` of `study.published.audit`. The
    figure has a line per row of the audited tables and a column per number of systems and pattern of ties,
    filled where the pair is possible. Below are the numbers of possible rows and the share by chance.
    """
    by_name = counts.set_index("hypothesis")
    systems = [int(number) for number in counts["systems"].unique()]
    middles = {number: 3.5 * place + 1 for place, number in enumerate(systems)}
    columns = {
        f"{number}_{ties}": middle + offset
        for number, middle in middles.items()
        for offset, ties in enumerate(_PATTERNS, -1)
    }
    tables = {name: re.sub(r"^table(\d+)$", r"Table \1", name) for name in table["table"].unique()}
    left, right = -0.8, max(columns.values()) + 0.8
    lines = len(table) + 4 * len(tables) + 2
    height = 0.158 * lines + 2.45  # inches
    figure = plt.figure(figsize=(8.4, height))
    axes = figure.add_axes((0.38, 0.55 / height, 0.55, 0.158 * lines / height))
    axes.set(xlim=(left, right), ylim=(lines, 0))
    axes.axis("off")

    def write(x: float, line: float, text: object, **style: Any) -> None:
        axes.text(x, line, str(text), **{"ha": "center", "va": "center", "fontsize": 7.5, **style})

    def label(line: float, text: str, **style: Any) -> None:
        write(left, line, text, ha="right", **style)

    for number, middle in middles.items():
        write(middle, -4.4, f"{number} systems", weight="bold", fontsize=8.5)
        if systems.index(number) % 2 == 0:
            axes.axvspan(middle - 1.75, middle + 1.75, color="0.94", linewidth=0, zorder=0)
        for ties, words in _PATTERNS.items():
            write(columns[f"{number}_{ties}"], -0.2, words, va="bottom", rotation=90, fontsize=7)

    line = 0.0
    for name, words in tables.items():
        line += 1
        write(left - 13, line, words, ha="left", weight="bold")
        for place, symbol in ((left - 1.9, "ρ"), (left, "τ-b")):
            write(place, line, symbol, ha="right", style="italic")
        for row in table[table["table"] == name].to_dict("records"):
            line += 1
            fits = [row[column] for column in columns]
            style = "italic" if set(fits) == {"no"} else "normal"
            compared = " with ".join(filter(None, (row["metric"], row["against"])))
            write(left - 13, line, compared, ha="left", style=style)
            for place, value in ((left - 1.9, row["spearman"]), (left, row["kendall"])):
                write(place, line, value.replace("-", "−"), ha="right", style=style)
            if set(fits) in ({"no"}, {UNDEFINED}):
                write(right, line, "← none fits" if "no" in fits else UNDEFINED, ha="left", style="italic")
            for place, fit in zip(columns.values(), fits, strict=True):
                face, edge = (_DARK, _DARK) if fit == "yes" else ("white", "0.75")
                look: dict[str, Any] = {"facecolor": face, "edgecolor": edge, "linewidth": 0.5}
                axes.add_patch(Rectangle((place - 0.4, line - 0.34), 0.8, 0.68, **look))
        line += 1
    axes.plot([left - 13, right], [line, line], color="0.4", linewidth=0.8, clip_on=False)
    for name, words in tables.items():
        line += 1
        label(line, f"{words}: how many of {by_name[f'{name}_rows'].iloc[0]} rows fit")
        for column, place in columns.items():
            write(place, line, by_name.loc[column, f"{name}_fit"])
        line += 1
        label(line, "any pattern", weight="bold")
        for number, middle in middles.items():
            write(middle, line, by_name.loc[f"{number}_any", f"{name}_fit"], weight="bold")
    line += 1
    label(line, "any pattern, by chance*", weight="bold")
    for number, middle in middles.items():
        write(middle, line, f"{by_name.loc[f'{number}_any', 'chance']:.1%}", weight="bold")

    above: dict[str, Any] = {"ha": "left", "va": "top", "linespacing": 1.3}
    figure.text(0.02, 1 - 0.12 / height, title, fontsize=11, weight="bold", **above)
    figure.text(0.02, 1 - 0.38 / height, textwrap.fill(_ATTAINABLE, 122), fontsize=8, **above)
    figure.text(0.02, 0.42 / height, textwrap.fill(_BY_CHANCE, 122), fontsize=8, **above)
    return figure
