"""What the page says of topics, of the collection and of a small index."""

from __future__ import annotations

import pytest

from sera.reporting.coverage import collection_in_words, cutoff_warning, large_cutoffs, topics_in_words


@pytest.mark.parametrize(
    ("used", "read", "release", "words"),
    [
        (10, 10, ("TAC 2014 BiomedSumm", 20), "10 of the 20 topics of TAC 2014 BiomedSumm"),
        (9, 10, ("TAC 2014 BiomedSumm", 20), "9 of the 20 topics of TAC 2014 BiomedSumm (10 in the data)"),
        (3, 3, None, "3 topics, all in mine"),
        (1, 1, None, "1 topic, all in mine"),
        (2, 3, None, "2 of the 3 topics in mine"),
    ],
)
def test_topics(used, read, release, words):
    assert topics_in_words(used, read, "mine", release) == words


@pytest.mark.parametrize(
    ("kind", "documents", "left_out", "words"),
    [
        ("generated", 240, 0, "240 documents, all generated"),
        (
            "open-access",
            3068,
            2,
            "3,068 documents of PubMed Central's Open Access packages; 2 more could not be "
            "read. That is 0.3% "
            "of the subset in the paper's time, about a million articles; the paper gives no number",
        ),
        (
            "open-access",
            40,
            0,
            "40 documents of PubMed Central's Open Access packages. That is less than 0.1% of the subset in "
            "the paper's time, about a million articles; the paper gives no number",
        ),
        ("packages", 40, 0, "40 documents of the packages of PubMed Central in the folder pmc_oa"),
        ("documents", 1, 0, "1 document, all of the benchmark's own collection"),
        (
            "sources",
            3,
            0,
            "3 documents: only the articles of the topics themselves, since the benchmark has no collection",
        ),
    ],
)
def test_collections(kind, documents, left_out, words):
    assert collection_in_words(kind, documents, left_out) == words


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
