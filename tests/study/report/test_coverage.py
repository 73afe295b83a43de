"""What the page says of topics, of the collection and of a small index."""

from __future__ import annotations

import pytest

from study.report.facts import cutoff_warning, large_cutoffs


def test_a_cut_off_is_large_from_a_tenth_of_the_index_on():
    assert large_cutoffs(100, [5, 10, 11, 50]) == [11, 50]
    assert large_cutoffs(3, [10, 5, 5]) == [5, 10]
    assert large_cutoffs(1000, [5, 10, 50]) == []


def test_a_small_index_is_warned_of():
    assert cutoff_warning(1000, [5, 10, 50]) == ""
    remedy = "SERA's scores and correlations there mean little: index more documents, or lower the cut-off."
    assert cutoff_warning(240, [5, 25, 30, 60]) == (
        "The index is small: 240 documents. At the cut-offs 25 to 60, two unrelated "
        "summaries share 10% to "
        f"25% of their documents by chance. {remedy}"  # 25 / 240 and 60 / 240
    )
    assert cutoff_warning(8, [5, 10]) == (
        "The index is small: 8 documents. At the cut-off 10, SERA retrieves every "
        "document for every summary. "
        f"At the cut-off 5, two unrelated summaries share 62% of their documents by chance. {remedy}"
    )


def test_two_unrelated_rankings_share_n_of_n_documents():
    """The share that the warning names, counted over all pairs of rankings of a small index."""
    from itertools import combinations

    sets = [set(chosen) for chosen in combinations(range(8), 5)]
    shares = [len(one & other) / 5 for one in sets for other in sets]
    assert sum(shares) / len(shares) == pytest.approx(5 / 8)
