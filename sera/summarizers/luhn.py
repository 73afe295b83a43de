"""Luhn 1958, "The automatic creation of literature abstracts": choose sentences dense with frequent words.

A cluster begins and ends with significant words and has at most 4 other words in a row between them. Its
rating is (significant words)^2 / (all words); a sentence has the rating of its best cluster.

This is sumy's class, which differs from the paper (docs/summarizers.md), and where a single significant word
has the rating 0. The only change is that significance is looked up in a set, not in a tuple. Ratings are
quotients of small integers, so ties are exact; the earlier sentence comes first.
"""

import numpy as np
from sumy.summarizers.luhn import LuhnSummarizer

from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer


class Luhn(Summarizer, LuhnSummarizer):
    """sumy's Luhn in time that grows with the number of words."""

    def ratings(self, document: Article) -> np.ndarray:
        significant = frozenset(self._get_significant_words(document.words))
        return np.array([self.rate_sentence(own, significant) for own in document.sentences], float)
