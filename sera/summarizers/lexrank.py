"""LexRank (Erkan & Radev 2004, JAIR 22): the sentences that are most central in the graph of sentences.

Two sentences are joined if the cosine of their tf-idf vectors exceeds a threshold (the paper's and
sumy's: 0.1); each row of the graph is divided by its degree, and centrality is the vector that the power
method finds.

The choice is that of sumy 0.13, which departs from the paper in this: idf is ln(N / (1 + n)), taken
over the article's own sentences; there is no damping (the paper teleports with probability 0.15); the
vector has Euclidean length 1; and the iteration stops at a change of 0.1 (``epsilon``), so centrality is
a matter of few steps. ``LexRank(variant="paper", epsilon=1e-6)`` is the paper's: idf ln(N / n), with
teleports. Where no word weighs anything (two sentences without a word in common) the order is the article's.

sumy compares all pairs in Python; here they are one product of sparse matrices. sumy adds up in the
order of a set, which differs from run to run, and its ties are broken by that noise: here similarities
and centralities are rounded to 12 digits, and the earlier of two equal sentences goes first.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from sumy.summarizers.lex_rank import LexRankSummarizer

from sera.settings import number, one_of
from sera.summarizers.document import STOP_WORDS, stem
from sera.summarizers.term_vectors import DIGITS, cosines, sentence_frequency, term_counts, unit_rows

DAMPING = 0.15  # the paper's probability of a teleport


class LexRank(LexRankSummarizer):
    """sumy's LexRank in time that follows the pairs of sentences with a word in common."""

    def __init__(self, *, threshold: float = 0.1, epsilon: float = 0.1, variant: str = "sumy") -> None:
        """``threshold``: cosine above which sentences are joined; ``epsilon``: change at which to stop;
        ``variant``: whose idf and damping, "sumy" or "paper"; see above."""
        super().__init__(stem)
        self.stop_words = STOP_WORDS
        self.threshold = number("threshold", threshold, 0, 1)
        self.epsilon = number("epsilon", epsilon, 1e-9, 1)
        self.variant = one_of("variant", variant, ("sumy", "paper"))

    def __call__(self, document, sentences_count):
        sentences = document.sentences
        ratings = dict(zip(sentences, self.ratings(sentences).tolist()))
        return self._get_best_sentences(sentences, sentences_count, ratings)

    def ratings(self, sentences) -> np.ndarray:
        """The centrality of each sentence, 0 to 1."""
        counts = term_counts([self._to_words_set(sentence) for sentence in sentences])
        paper = self.variant == "paper"
        # The square of idf is what counts, so its sign does not matter.
        idf = np.abs(np.log(max(len(sentences), 1) / (sentence_frequency(counts) + (0 if paper else 1))))
        similarity = cosines(unit_rows(counts, idf))
        return centrality(similarity, self.threshold, self.epsilon, DAMPING if paper else 0.0)


def centrality(
    similarity: csr_array, threshold: float = 0.1, epsilon: float = 0.1, damping: float = 0.0
) -> np.ndarray:
    """LexRank of the nodes of a graph, from their pairwise similarities (symmetric, each 0 to 1).

    ``damping``: the probability of going on at a node drawn by chance.
    All 0 if no node is joined to any, itself included.
    """
    nodes = similarity.shape[0]
    rows = np.repeat(np.arange(nodes), np.diff(similarity.indptr))
    joined = similarity.data > threshold
    rows, columns = rows[joined], similarity.indices[joined]
    share = 1.0 / np.maximum(np.bincount(rows, minlength=nodes), 1)
    vector = np.full(nodes, 1.0 / max(nodes, 1))
    change = 1.0
    while change > epsilon:
        following = np.bincount(columns, (vector * share)[rows], minlength=nodes)
        if damping:
            following = damping * vector.sum() / nodes + (1 - damping) * following
        length = np.sqrt((following**2).sum())
        if length == 0:
            return following
        following = following / length
        change = np.sqrt(((following - vector) ** 2).sum())
        vector = following
    return vector.round(DIGITS)
