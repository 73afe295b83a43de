"""What the figures draw, read from matplotlib's own objects."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from sera.evaluation.tables import caption
from study.published import FIGURE1
from study.report.figures import (
    ABSTRACTION_SCORE,
    CONTENT_SCORE,
    content_and_abstraction,
    correlation_by_cutoff,
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


def test_a_line_per_system_with_its_two_scores():
    scores = {CONTENT_SCORE: [0.1, 0.5, np.nan], ABSTRACTION_SCORE: [0.0, 0.8, 0.4]}
    figure = content_and_abstraction(pd.DataFrame(scores, index=["lead", "mine", "x"]), title="SYNTHETIC t")
    (axes,) = figure.axes
    content, abstraction = (line.get_xdata().tolist() for line in axes.lines)
    assert np.isnan(content[0]) and content[1:] == [0.1, 0.5] and abstraction == [0.4, 0.0, 0.8]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["x", "lead", "mine"]
    assert figure._suptitle.get_text() == "SYNTHETIC t"
    plt.close(figure)
