"""The plane of content and abstraction: its points, its lines of equal scores and its labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.reporting.figures import plt
from study.report.figures import ABSTRACTION_SCORE, CONTENT_SCORE, content_and_abstraction, grouped

MEANS = pd.DataFrame(
    {CONTENT_SCORE: [0.1, 0.5, 0.11, np.nan], ABSTRACTION_SCORE: [0.0, 0.8, 0.0, 0.4]},
    index=["lead", "mine", "luhn", "x"],
)


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_a_point_per_system_and_lines_of_equal_scores(beta, narrow):
    figure = content_and_abstraction(MEANS, beta=beta, title="SYNTHETIC t", narrow=narrow)
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
    assert grouped(MEANS, 1.0, 1.0) == {(0.1, 0.0): "1, 3", (0.5, 0.8): "2"}
    # they are 0.01 apart, more than 0.12 of an axis to 0.05
    assert grouped(MEANS, 0.05, 1.0) == {(0.1, 0.0): "1", (0.5, 0.8): "2", (0.11, 0.0): "3"}
