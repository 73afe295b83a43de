"""The best metrics: ties are ties, and falling metrics turn."""

import numpy as np
import pandas as pd

from sera.reporting.overview import best_metrics
from sera.reporting.page import best_in_words


def rows(**rho):
    names = ["metric", "spearman", "spearman_low", "spearman_high"]
    return pd.DataFrame([(name, value, 0.25, 0.75) for name, value in rho.items()], columns=names)


def test_one_metric_is_best():
    one = best_metrics(rows(A=0.5, B=0.499998), "spearman")
    assert one == {"metrics": ["A"], "falling": [], "value": 0.5, "low": 0.25, "high": 0.75}
    assert best_in_words(one) == "A, 0.500 (0.25 to 0.75 over topics)"
    assert best_metrics(rows(A=np.nan), "spearman") is None and best_in_words(None) == "undefined"


def test_metrics_tie():
    tied = best_metrics(rows(A=0.9, B=1.0, C=1.0 - 1e-9), "spearman")
    assert tied == {"metrics": ["B", "C"], "falling": [], "value": 1.0, "low": None, "high": None}
    assert best_in_words(tied) == "B and C, tied at 1.000"
    many = best_metrics(rows(**{f"M{number}": 0.5 for number in range(6)}), "spearman")
    assert best_in_words(many) == "6 metrics, tied at 0.500: M0, M1, M2, M3 and 2 more"


def test_the_lower_the_better():
    falling = rows(A=0.5)
    falling.loc[1] = ["JS-2", -0.9, -1.0, -0.5]
    one = best_metrics(falling, "spearman")
    assert (one["metrics"], one["value"]) == (["JS-2"], -0.9)
    assert best_in_words(one) == "JS-2 (lower is better), −0.900 (−1.00 to −0.50 over topics)"
    falling.loc[2] = ["A2", 0.9, 0.5, 1.0]
    assert best_in_words(best_metrics(falling, "spearman")) == "JS-2 (lower is better) and A2, tied at 0.900"
