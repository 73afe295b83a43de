"""What a study's page says: of a small index, and in the alternative texts of its figures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sera.reporting import drawings
from study.report.facts import cutoff_warning


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


def test_a_small_index_is_warned_of():
    assert cutoff_warning(1000, [5, 10, 50]) == cutoff_warning(100, [5, 10]) == ""
    assert "At the cut-offs 11 and 50, " in cutoff_warning(100, [5, 50, 10, 11])
    remedy = "SERA's scores and correlations there mean little: index more documents, or lower the cut-off."
    assert cutoff_warning(240, [5, 25, 30, 60]) == (
        "The index is small: 240 documents. At the cut-offs 25 to 60, two unrelated summaries share 10% to "
        f"25% of their documents by chance. {remedy}"  # 25 / 240 and 60 / 240
    )
    assert cutoff_warning(8, [5, 10]) == (
        "The index is small: 8 documents. At the cut-off 10, SERA retrieves every document for every "
        f"summary. At the cut-off 5, two unrelated summaries share 62% of their documents by chance. {remedy}"
    )
