"""The figure of MOULIN ROUGE's two scores: systems by content and abstraction (Nelson 2020, section 5)."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sera.metrics.moulin_rouge import harmonic_mean
from sera.reporting.figures import NARROW, key_of_numbers, plain, plt, titled

CONTENT_SCORE, ABSTRACTION_SCORE = "MOULIN-ROUGE-Content", "MOULIN-ROUGE-Abstraction"
"""The metrics on the two axes."""

_LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_NEAR = (0.12, 0.04)  # shares of the two axes within which points share a label: their numbers would overlap


def content_and_abstraction(means: pd.DataFrame, *, beta: float, title: str, narrow: bool = False) -> Figure:
    """Draw each system by its mean content (x) and abstraction (y); lines join equal MOULIN ROUGE scores.

    ``means`` has a row per system and the columns `CONTENT_SCORE` and `ABSTRACTION_SCORE`, 0 to 1; a system
    without one of them has no point. ``beta`` is MOULIN ROUGE's weight of abstraction. The lines hold for the
    two means. The mean of a system's MOULIN ROUGE scores is another number, since it is not linear in these.
    """
    names = list(means.index)
    lines = key_of_numbers(names, most=2, room=56) if narrow else key_of_numbers(names, most=4, room=105)
    size = (NARROW, 4.0 + 0.2 * len(lines)) if narrow else (7.0, 4.6 + 0.2 * len(lines))
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    points = means[[CONTENT_SCORE, ABSTRACTION_SCORE]]
    right, top = (_end(points[name]) for name in points)
    share = np.linspace(0, 1, 201)
    x, y = np.meshgrid(share * right, share * top)
    equal = np.vectorize(harmonic_mean)(x, y, beta)
    axes.clabel(axes.contour(x, y, equal, levels=_LEVELS, colors="0.6", linewidths=0.8), fontsize=7, fmt="%g")
    axes.plot(
        points[CONTENT_SCORE],
        points[ABSTRACTION_SCORE],
        "o",
        color="#0072B2",
        markersize=4.5,
        clip_on=False,
        zorder=3,
    )
    for place, numbers in grouped(points, right, top).items():
        label = textwrap.fill(numbers, 18)
        axes.annotate(label, place, xytext=(4, 4), textcoords="offset points", fontsize=7.5)
    axes.set(xlim=(0, right), ylim=(0, top))
    axes.set_xlabel("content")
    axes.set_ylabel("abstraction")
    figure.supxlabel("\n".join(lines), fontsize=8, x=0.02, ha="left")
    titled(figure, title, 80, narrow=narrow)
    plain(axes, "both")
    return figure


def _end(values: pd.Series) -> float:
    """The end of an axis: a little above the highest value, at most 1."""
    highest = values.max()
    return 1.0 if pd.isna(highest) else min(max(1.15 * float(highest), 0.1), 1.0)


def grouped(points: pd.DataFrame, right: float, top: float) -> dict[tuple[float, float], str]:
    """The labels of points by their place: the numbers of the systems, from 1; near points share one.

    >>> table = pd.DataFrame({CONTENT_SCORE: [0.1, 0.5, 0.11], ABSTRACTION_SCORE: [0.0, 0.5, 0.0]})
    >>> grouped(table, 1.0, 1.0)
    {(0.1, 0.0): '1, 3', (0.5, 0.5): '2'}
    """
    found: dict[tuple[float, float], list[int]] = {}
    for number, (x, y) in enumerate(points.to_numpy(dtype=float), 1):
        if np.isnan(x) or np.isnan(y):
            continue
        near = (
            place
            for place in found
            if abs(place[0] - x) <= _NEAR[0] * right and abs(place[1] - y) <= _NEAR[1] * top
        )
        found.setdefault(next(near, (float(x), float(y))), []).append(number)
    return {place: ", ".join(map(str, numbers)) for place, numbers in found.items()}
