"""Extractive fragments, worked out by hand."""

import math

from sera.text.fragments import FragmentStatistics, fragment_statistics, fragments


def test_fragments_by_hand():
    # "a b" and "b c d" are there; the search is greedy, so "a b" wins "b", and "c d" is left
    assert fragments(list("abcd"), list("bcdxab")) == [2, 2]
    assert fragments(list("xbcd"), list("bcdab")) == [3]
    assert fragments(list("aa"), list("ba")) == [1, 1]
    assert fragments(list("aab"), list("aaab")) == [2, 1]  # the run from the article's second a is not seen
    assert fragments([], ["a"]) == fragments(["a"], []) == []
    found = fragment_statistics("The kinase binds DNA.", "We show that the kinase binds p53.")
    # the kinase binds, and the stop: 4 of 5 tokens; (3 * 3 + 1) / 5
    assert found == FragmentStatistics(4, 4 / 5, 10 / 5)


def test_a_copy_is_one_fragment_and_nothing_is_undefined():
    text = "It's well-known: cells die."
    assert fragment_statistics(text, text) == FragmentStatistics(4, 1.0, 6.0)  # 4 words, colon and stop
    assert fragment_statistics("Fish swim", "Cells die") == FragmentStatistics(2, 0.0, 0.0)
    empty = fragment_statistics("", "Cells die")
    assert empty.length == 0 and math.isnan(empty.coverage) and math.isnan(empty.density)
