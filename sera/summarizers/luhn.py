"""Luhn 1958, The automatic creation of literature abstracts: sentences dense with frequent words.

A cluster starts and ends with significant words and has no more than 4 others in a row between
them; it rates (significant words)^2 / (all words), and a sentence rates as its best cluster.

sumy's own, whole. It departs from the paper in what is significant: every word that is no stop word
and occurs at least twice, where the paper sets frequency limits by the collection; and a single
significant word rates 0. The one change is that significance is looked up in a set, not in a
tuple. Ratings are quotients of small integers, so equal ones are equal; the earlier sentence goes first.
"""

from __future__ import annotations

from sumy.summarizers.luhn import LuhnSummarizer

from sera.summarizers.document import STOP_WORDS, stem


class Luhn(LuhnSummarizer):
    """sumy's Luhn in time that follows the number of words."""

    def __init__(self) -> None:
        super().__init__(stem)
        self.stop_words = STOP_WORDS

    def _get_significant_words(self, words):
        return frozenset(super()._get_significant_words(words))
