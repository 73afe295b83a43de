"""The figure and the readable tables of the study of the index."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.reporting.figures import save
from study.multiverse.index_figure import index_figure
from study.multiverse.index_study import CURVE_COLUMNS, MEANS


def draws_of(samples):
    """Draws with one coefficient for SERA in each sample, and .5 for ROUGE."""
    rows = [
        (kind, articles, draw, 0.25, level, metric, *[value if metric == MEANS["SERA"] else 0.5] * 3)
        for level in ("system", "summary")
        for kind, articles, draw, value in samples
        for metric in MEANS.values()
    ]
    columns = ["collection", "articles", "draw", "on_subject", "level", "metric"]
    return pd.DataFrame(rows, columns=[*columns, "pearson", "spearman", "kendall"])


SAMPLES = [
    ("whole", 40, 0, 0.75),
    ("random", 10, 1, 0.25),
    ("random", 10, 2, 0.75),
    ("one journal", 10, 1, np.nan),
]


def curve():
    numbers = {"articles": 1000, "whole": 0.75, "rouge": 0.5, "undefined_draws": 0}
    numbers |= {
        f"{name}{end}": value
        for name, of in {
            "fitted": (0.8, 0.6, 0.9),
            "value": (1.0, 0.5, 1.5),
            "change": (0.2, 0, 0.4),
            "ahead": (0.5, 0, 1),
        }.items()
        for end, value in zip(("", "_low", "_high"), of, strict=True)
    }
    rows = [
        {"level": level, "coefficient": name, "model": model, **numbers}
        for level in ("system", "summary")
        for name in ("pearson", "spearman", "kendall")
        for model in ("line", "levelling off")
    ]
    return pd.DataFrame(rows)[CURVE_COLUMNS]


@pytest.mark.parametrize("samples", [SAMPLES, SAMPLES[:1]], ids=["samples", "all articles alone"])
def test_a_panel_for_each_question_and_each_way_to_vary_the_index(samples, tmp_path):
    continued = curve() if len(samples) > 1 else pd.DataFrame(columns=CURVE_COLUMNS)
    figure = index_figure(draws_of(samples), continued, "made up")
    assert len(figure.axes) == 4
    width, height = figure.get_size_inches()
    assert width <= 10.5 and height <= 7
    assert [axes.get_title(loc="left") for axes in figure.axes[::2]] == [
        "Does it rank systems?",
        "Does it rank the summaries of a topic?",
    ]
    assert {axes.get_ylim() for axes in figure.axes} == {(-0.1, 1.05)}
    save(figure, tmp_path / "index_sizes")
    assert (tmp_path / "index_sizes.svg").stat().st_size > 1000
