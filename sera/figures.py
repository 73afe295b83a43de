"""Figures, each as SVG and PNG, the same bytes every time."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from sera.files import writing

# Okabe and Ito's colours, which colour-blind readers can tell apart; marker and dash tell them apart in grey.
_STYLES: list[dict[str, Any]] = [
    {"color": "#000000", "marker": "o", "linestyle": "-"},
    {"color": "#000000", "marker": "o", "linestyle": "--", "markerfacecolor": "white"},
    {"color": "#0072B2", "marker": "s", "linestyle": "-"},
    {"color": "#0072B2", "marker": "s", "linestyle": "--", "markerfacecolor": "white"},
    {"color": "#D55E00", "marker": "^", "linestyle": "-"},
    {"color": "#D55E00", "marker": "^", "linestyle": "--", "markerfacecolor": "white"},
]


def correlation_by_cutoff(
    lines: Mapping[str, Sequence[float]], cutoffs: Sequence[int], *, title: str
) -> Figure:
    """Figure 1 of the paper: Spearman's rho with Pyramid against the rank cut-off, one line a variant.

    Lines come in pairs, a variant and its discounted form: the same colour, solid and dashed. An undefined
    value is a gap in its line.
    """
    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    for (name, values), style in zip(lines.items(), _STYLES, strict=False):
        axes.plot(cutoffs, values, label=name, linewidth=1.4, markersize=5, **style)
    axes.set_xticks(list(cutoffs))
    axes.set_xlabel("rank cut-off (documents retrieved a summary)")
    axes.set_ylabel("Spearman's ρ with Pyramid")
    figure.suptitle(textwrap.fill(title, 90), fontsize=9.5, x=0.02, horizontalalignment="left")
    axes.axhline(0, color="0.7", linewidth=0.8, zorder=0)
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def save(figure: Figure, stem: str | PathLike[str]) -> None:
    """Write ``<stem>.svg`` and ``<stem>.png`` and close the figure."""
    stem = Path(stem)
    # text stays text, and ids are not drawn by chance
    with matplotlib.rc_context({"svg.hashsalt": stem.name, "svg.fonttype": "none"}):
        with writing(stem.with_suffix(".svg"), binary=True) as stream:
            figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    with writing(stem.with_suffix(".png"), binary=True) as stream:
        figure.savefig(stream, format="png", dpi=160, metadata={"Software": None})
    plt.close(figure)
