"""Maximal marginal relevance (Carbonell & Goldstein 1998): choose relevant sentences that repeat little.

The next sentence is the one with the highest

    lambda * sim(sentence, document) - (1 - lambda) * max over chosen sentences of sim(sentence, chosen)

The paper ranks for a query. Here, as Cohan & Goharian 2016 describe it, relevance is the similarity to the
whole document: the cosine with the vector of all its words. A vector holds counts of stems times
1 + ln(sentences / sentences with the stem). Lambda (``trade_off``) is 0.7, the paper's value for a focus on
relevance (0.3 is its value for exploring). Sentences without a content word come last, in order; ties go to
the earlier sentence.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from sera.settings import setting
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer
from sera.summarizers.term_vectors import (
    cosines,
    inverse_frequency,
    marginal_relevance,
    term_counts,
    unit_rows,
)


@dataclass(kw_only=True, eq=False)
class MMR(Summarizer):
    """MMR with the whole document as the query."""

    trade_off: float = setting(0.7, float, "lambda: 0 for novelty alone, 1 for relevance", low=0, high=1)

    def choices(self, document: Article) -> list[int]:
        bags = [self.terms.stems(sentence) for sentence in document.sentences]
        counts = term_counts(bags)
        weights = inverse_frequency(counts)
        vectors = unit_rows(counts, weights)
        whole = csr_array(counts.sum(axis=0).reshape(1, -1))
        relevance = cosines(vectors, unit_rows(whole, weights)).toarray().ravel()

        similarity = cosines(vectors)
        order: list[int] = []
        redundancy = np.zeros(len(bags))
        remains = np.array([bool(bag) for bag in bags], dtype=bool)
        while remains.any():
            values = marginal_relevance(relevance, redundancy, self.trade_off)
            best = int(np.where(remains, values, -np.inf).argmax())
            order.append(best)
            remains[best] = False
            neighbours = slice(
                similarity.indptr[best], similarity.indptr[best + 1]
            )  # similarity is symmetric
            others = similarity.indices[neighbours]
            redundancy[others] = np.maximum(redundancy[others], similarity.data[neighbours])
        return order + [number for number, bag in enumerate(bags) if not bag]
