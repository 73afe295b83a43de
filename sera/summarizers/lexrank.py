"""LexRank (Erkan & Radev 2004, JAIR 22): choose the sentences most central in the graph of sentences.

Two sentences are joined if the cosine of their tf-idf vectors is above a threshold. Each row of the graph is
divided by its degree, and the power method computes centrality. The choice is that of sumy 0.13, whose vector
has Euclidean length 1; docs/summarizers.md says how it differs from the paper, which ``variant="paper"``
follows. If no word has a weight (two sentences without a word in common), the sentences stay in the article's
order.

sumy compares all pairs in Python; here one product of sparse matrices does. sumy adds in the order of a set,
which changes from run to run, and this noise breaks ties. Here similarities and centralities are rounded to
12 digits, and the earlier of two equal sentences comes first.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from sumy.summarizers.lex_rank import LexRankSummarizer

from sera.settings import setting
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer
from sera.summarizers.term_vectors import DIGITS, cosines, sentence_frequency, term_counts, unit_rows

TELEPORT = 0.15  # probability of a teleport in the paper


@dataclass(kw_only=True, eq=False)
class LexRank(Summarizer, LexRankSummarizer):
    """sumy's LexRank in time that grows with the pairs of sentences that share a word."""

    PAPER: ClassVar[dict[str, Any]] = {"variant": "paper", "epsilon": 1e-6}

    threshold: float = setting(0.1, float, "sentences are joined if their cosine is above", low=0, high=1)
    epsilon: float = setting(0.1, float, "the change at which the iteration stops", low=1e-9, high=1)
    variant: str = setting("sumy", str, "whose idf and damping", choices=("sumy", "paper"))

    def ratings(self, document: Article) -> np.ndarray:
        """The centrality of each sentence, 0 to 1."""
        sentences = document.sentences
        counts = term_counts([self._to_words_set(sentence) for sentence in sentences])
        paper = self.variant == "paper"
        # Only the square of idf is used, so its sign does not matter.
        idf = np.abs(np.log(max(len(sentences), 1) / (sentence_frequency(counts) + (0 if paper else 1))))
        similarity = cosines(unit_rows(counts, idf))
        return centrality(similarity, self.threshold, self.epsilon, TELEPORT if paper else 0.0)


def centrality(
    similarity: csr_array, threshold: float = 0.1, epsilon: float = 0.1, damping: float = 0.0
) -> np.ndarray:
    """LexRank of the nodes of a graph; all 0 if no node is joined to any node or to itself.

    similarity:  nodes by nodes, symmetric, each 0 to 1; nodes are joined above ``threshold``
    epsilon:     the change of the vector at which the iteration stops
    damping:     the probability of a jump to a random node
    """
    nodes = similarity.shape[0]
    rows = np.repeat(np.arange(nodes), np.diff(similarity.indptr))
    edges = similarity.data > threshold
    rows, columns = rows[edges], similarity.indices[edges]
    share = 1.0 / np.maximum(np.bincount(rows, minlength=nodes), 1)
    vector = np.full(nodes, 1.0 / max(nodes, 1))
    change = 1.0
    while change > epsilon:
        successor = np.bincount(columns, (vector * share)[rows], minlength=nodes)
        if damping:
            successor = damping * vector.sum() / nodes + (1 - damping) * successor
        length = np.sqrt((successor**2).sum())
        if length == 0:
            return successor
        successor = successor / length
        change = np.sqrt(((successor - vector) ** 2).sum())
        vector = successor
    return vector.round(DIGITS)
