"""SumBasic (Nenkova & Vanderwende 2005; Vanderwende et al. 2007): choose sentences with probable words.

The probability of a word is its share of the article's content words. The sentence with the highest mean
probability is chosen, the probabilities of its words are squared, and so on. The choice is that of sumy 0.13
(docs/summarizers.md), where both of two equal sentences get the rank of the one that is chosen last.

``variant="paper"`` chooses the best sentence with the most probable word (ties: the word that occurs first)
and squares each of its words once; a word that no remaining sentence has is skipped.

Means are added by a plain loop, from left to right; from Python 3.12 on, `sum`, which sumy uses, compensates
for rounding.
"""

import numpy as np
from sumy.summarizers.sum_basic import SumBasicSummarizer

from sera.summarizers.document import Article
from sera.summarizers.interface import TwoVariants
from sera.summarizers.term_vectors import DIGITS, content_first, term_counts


class SumBasic(TwoVariants, SumBasicSummarizer):
    """sumy's SumBasic, with the same sums on every version of Python."""

    def choices(self, document: Article) -> list[int]:
        return content_first(list(map(self.terms.stems, document.sentences)), choose_by_most_probable_word)

    @staticmethod
    def _compute_average_probability_of_words(word_freq_in_doc, content_words_in_sentence):
        total = 0.0
        for word in content_words_in_sentence:
            total += word_freq_in_doc[word]
        return total / len(content_words_in_sentence) if content_words_in_sentence else 0.0


def choose_by_most_probable_word(bags: list[list[str]]) -> list[int]:
    """Numbers of the bags of words, none of them empty, in the order of the paper's SumBasic.

    Time grows with the bags times their words and is at most quadratic in the number of bags.
    """
    counts = term_counts(bags)
    columns = counts.tocsc()
    lengths = counts.sum(axis=1)
    probability = counts.sum(axis=0) / counts.sum()
    alive = np.diff(columns.indptr)  # the number of remaining sentences with each word
    remains = np.ones(len(bags), dtype=bool)
    order: list[int] = []
    while remains.any():
        word = int(np.where(alive > 0, probability, -1).argmax())
        have = columns.indices[columns.indptr[word] : columns.indptr[word + 1]]
        have = np.sort(have[remains[have]])
        means = (counts[have] @ probability / lengths[have]).round(DIGITS)
        best = int(have[means.argmax()])
        order.append(best)
        remains[best] = False
        own = counts.indices[counts.indptr[best] : counts.indptr[best + 1]]
        alive[own] -= 1
        probability[own] **= 2
    return order
