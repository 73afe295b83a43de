"""The alternative texts state what a figure shows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sera.reporting import drawings
from study.report.facts import of_truth


def comparison(paper=np.nan, **rho):
    return pd.DataFrame(
        [(name, value, paper) for name, value in rho.items()],
        columns=["metric", "spearman", "spearman_paper"],
    )


def test_comparison():
    table = comparison(
        **{"SERA-5": 0.5, "SERA-10": 0.25, "SERA-NP-5": -0.125, "ROUGE-1-F": 0.75, "JS-2": -0.9}
    )
    assert drawings.of_comparison(table, "Pyramid") == (
        "Spearman's ρ with Pyramid over systems: SERA from −0.12 to 0.50, median 0.25; ROUGE 0.75; "
        "other metrics, higher being better, 0.90."
    )
    published = comparison(0.875, **{"SERA-5": 0.5, "ROUGE-1-F": np.nan})
    assert drawings.of_comparison(published, "Pyramid") == (
        "Spearman's ρ with Pyramid over systems: SERA 0.50. Published: SERA 0.88; ROUGE 0.88."
    )


def test_truth():
    columns = ["metric", "drift", "articles", "system_spearman"]
    lines = [
        ("A", 0, 0, 0.9),
        ("A", 1, 0, 0.5),
        ("JS-ref-2", 1, 0, -0.75),
        ("S", 1, 10, 0.9),
        ("S", 1, 240, 0.25),
    ]
    text = of_truth(pd.DataFrame(lines, columns=columns), ["A", "JS-ref-2", "S", "absent"])
    assert text == (
        "Where the wording drifts most (1), Spearman's ρ of systems' means with the true "
        "score is highest for "
        "JS-ref-2 (0.75) and lowest for S (0.25)."
    )
