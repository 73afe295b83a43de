"""What the figures draw, read from matplotlib's own objects."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from sera.evaluation.tables import caption
from study.published import FIGURE1
from study.report.figures import (
    ABSTRACTION_SCORE,
    CONTENT_SCORE,
    content_and_abstraction,
    correlation_by_cutoff,
    group_labels,
)


def test_figure_1_and_its_twins_have_the_lines_and_the_name_of_their_coefficient():
    symbols = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "kendall": "Kendall's τ"}
    assert sorted(FIGURE1.values()) == sorted(symbols)
    for figure, coefficient in FIGURE1.items():
        lines = {"SERA": [0.25, 0.5], "SERA-DIS": [0.75, np.nan]}
        shown = {"title": caption(figure, "b"), "published": {"SERA": {5: 0.4}}}
        made = correlation_by_cutoff(lines, [5, 10], coefficient=coefficient, **shown)
        ours, papers = made.axes
        assert ours.get_ylabel() == f"{symbols[coefficient]} with Pyramid"
        assert [list(line.get_ydata()) for line in ours.lines[:1]] == [[0.25, 0.5]]
        assert list(papers.lines[0].get_ydata()) == [0.4]
        assert coefficient in caption(figure, "b").lower()


MEANS = pd.DataFrame(
    {CONTENT_SCORE: [0.1, 0.5, 0.11, np.nan], ABSTRACTION_SCORE: [0.0, 0.8, 0.0, 0.4]},
    index=["lead", "mine", "luhn", "x"],
)


@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_a_point_per_system_and_lines_of_equal_scores(beta):
    figure = content_and_abstraction(MEANS, beta=beta, title="SYNTHETIC t")
    (axes,) = figure.axes
    points = axes.lines[0].get_xydata()
    assert points[:3].tolist() == [[0.1, 0.0], [0.5, 0.8], [0.11, 0.0]] and np.isnan(points[3, 0])
    (contours,) = axes.collections
    levels = dict(zip(contours.levels, contours.get_paths(), strict=True))
    # (1 + beta^2) S A / (beta^2 S + A) along the line of 0.4
    content, abstraction = levels[0.4].vertices.T
    scores = (1 + beta**2) * content * abstraction / (beta**2 * content + abstraction)
    assert len(scores) > 20 and scores == pytest.approx(0.4, abs=0.005)
    texts = {text.get_text() for text in axes.texts}
    assert {"1, 3", "2"} <= texts
    assert "1 lead" in figure._supxlabel.get_text() and figure._suptitle.get_text() == "SYNTHETIC t"
    plt.close(figure)


def test_near_points_share_a_label_and_undefined_ones_have_none():
    assert group_labels(MEANS, 1.0, 1.0) == {(0.1, 0.0): "1, 3", (0.5, 0.8): "2"}
    # they are 0.01 apart, more than 0.12 of an axis to 0.05
    assert group_labels(MEANS, 0.05, 1.0) == {(0.1, 0.0): "1", (0.5, 0.8): "2", (0.11, 0.0): "3"}
