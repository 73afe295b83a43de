"""Figures: Figure 2 of ROUGE-K's paper."""

import pandas as pd

from sera.reporting.figures import plt, recall_by_length

COLUMNS = ["metric", "system", "length", "recall", "summaries", "undefined", "keywords"]
ROWS = [
    *(("ROUGE-K", "b", 1, 0.5, 4, 0, 9), ("ROUGE-K", "b", 2, 0.25, 2, 2, 3)),
    *(("ROUGE-K", "a", 1, 0.75, 4, 0, 9), ("ROUGE-K", "a", 2, float("nan"), 0, 2, 0)),
    ("ROUGE-K-TFIDF", "a", 1, 0.1, 4, 0, 9),
]


def test_a_line_per_system_and_the_number_of_keywords_below():
    figure = recall_by_length(pd.DataFrame(ROWS, columns=COLUMNS), title="SYNTHETIC t")
    (axes,) = figure.axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert list(lines) == ["b", "a"] and lines["b"] == [[1, 0.5], [2, 0.25]]
    assert lines["a"][0] == [1, 0.75] and lines["a"][1][1] != lines["a"][1][1]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1\n(9)", "2\n(3)"]
    assert axes.get_ylim() == (0, 1) and figure._suptitle.get_text() == "SYNTHETIC t"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["b", "a"]
    plt.close(figure)
