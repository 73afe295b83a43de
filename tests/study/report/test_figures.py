"""What the figures draw, read from matplotlib's own objects."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from sera.evaluation.tables import caption
from study.published.tables import FIGURE1
from study.report.figures import correlation_by_cutoff, small_multiples
from study.report.sensitivity import Panel


@pytest.mark.parametrize("narrow", [False, True])
def test_figure_1_and_its_twins_have_the_lines_and_the_name_of_their_coefficient(narrow):
    symbols = {"spearman": "Spearman's ρ", "pearson": "Pearson's r", "kendall": "Kendall's τ"}
    assert sorted(FIGURE1.values()) == sorted(symbols)
    for figure, coefficient in FIGURE1.items():
        lines = {"SERA": [0.25, 0.5], "SERA-DIS": [0.75, np.nan]}
        made = correlation_by_cutoff(
            lines,
            [5, 10],
            title=caption(figure, "b"),
            coefficient=coefficient,
            published={"SERA": {5: 0.4}},
            narrow=narrow,
        )
        ours, papers = made.axes
        assert ours.get_ylabel() == f"{symbols[coefficient]} with Pyramid"
        assert [list(line.get_ydata()) for line in ours.lines[:1]] == [[0.25, 0.5]]
        assert list(papers.lines[0].get_ydata()) == [0.4]
        assert coefficient in caption(figure, "b").lower()


@pytest.mark.parametrize(("number", "places"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)])
def test_panels_leave_no_place_of_a_row_blank(number, places):
    panel = Panel(pd.DataFrame({"SERA": [0.1, 0.2]}, index=[5, 10]), "Spearman's ρ", "Pyramid")
    figure = small_multiples({f"choice {n}": panel for n in range(number)}, title="")
    assert len(figure.axes) == places and figure.get_size_inches()[0] == pytest.approx(8.7)
    plt.close(figure)
