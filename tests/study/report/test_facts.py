"""What a study's page says of a small index."""

from __future__ import annotations

from study.report.facts import cutoff_warning


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
